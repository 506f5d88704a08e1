"""New sessions in a journal: their settings, their seed, and the secret tokens, which only the creator gets."""

from typing import NamedTuple

from ostrom.core.chance import seed_or_random
from ostrom.core.command import typed_command
from ostrom.experiment.limits import Limits
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import PEOPLE
from ostrom.experiment.session.table import contestant_named
from ostrom.experiment.session.tokens import new_token
from ostrom.experiment.store import check_models
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.sessions import REHEARSAL, StoredSession, token_digest
from ostrom.journal.sql import Journal
from ostrom.version import VERSION


class NewSession(NamedTuple):
    """A session that was created."""

    stored: StoredSession
    host_token: str
    links: list[str]
    """The tokens of single-use links."""


def create_session(journal: Journal, file: SessionFile, *, rehearsal: bool = False) -> NewSession:
    """Enter a session in the journal. Raise InputError if its models cannot be asked. The games of a rehearsal are
    archived from the start, since its participants are simulated."""
    check_players(file)
    settings = {
        "file": file.model_dump(mode="json"),
        "seed": seed_or_random(file.session.seed),
        "made": {"ostrom": VERSION, "command": typed_command()},
    }
    own = {"title": file.session.title, "seed": settings["seed"], "made": settings["made"]}
    if rehearsal:
        own |= {REHEARSAL: True, ARCHIVED: True}
    stored = journal.sessions.create(file.session.name, settings, experiment_settings=own)
    token = new_token()
    journal.sessions.add_token(stored.id, token_digest(token), participant=None, purpose="host")
    count = file.session.participants + file.session.spare if file.session.join == "links" else 0
    links = [new_token() for _ in range(count)]
    journal.sessions.add_links(stored.id, [token_digest(link) for link in links])
    return NewSession(stored, token, links)


def check_players(file: SessionFile) -> None:
    """Raise InputError if a player of the session does not exist, or a model cannot be asked."""
    for game in file.games:
        registered = file.game_of(game)
        names = {name for treatment in file.treatments for name in file.seats_of(game, treatment)} - {PEOPLE}
        names |= {name for name in (game.fill, file.session.replace_absent) if name and name != "none"}
        players = [contestant_named(registered, name) for name in sorted(names)]
        check_models([player for player in players if hasattr(player, "bot")], Limits())
