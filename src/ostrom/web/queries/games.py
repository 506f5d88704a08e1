"""Games of the journal: a page of them, one of them, what happened in it."""

from typing import Any, cast

from ostrom.analysis.study import SubjectStudy, study_of_game
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.journal.overview import GameRow
from ostrom.journal.record import record_text, with_tellings
from ostrom.journal.sql import Journal
from ostrom.web.narrators import Narrators
from ostrom.web.shapes.games import EventPage, GameHead, GameItem, GamePage, GameState


def game_page(
    journal: Journal,
    *,
    experiment: str | None = None,
    player: str | None = None,
    state: GameState | None = None,
    game: str | None = None,
    offset: int = 0,
    limit: int = 50,
) -> GamePage:
    """Some of the games, the newest first. A game is named as on the command line or as in a record."""
    named = None if game is None else (game if game in GAMES else GAMES.of_command(game).name)
    found = journal.pages.games(
        experiment=experiment, player=player, state=state, game=named, offset=offset, limit=limit
    )
    return GamePage(games=[GameItem(**_item(row)) for row in found.games], total=found.total, offset=offset)


def game_head(journal: Journal, name: str) -> GameHead:
    """One game, by its id or its key, without what happened in it."""
    found = journal.pages.game(name)
    game: Game | None = GAMES.get(found.row.game)
    scored = game is not None and isinstance(study_of_game(game), SubjectStudy)
    return GameHead(
        **_item(found.row),
        rules=found.rules,
        labels=list(found.labels),
        seed=found.seed,
        events=found.events,
        subject=found.row.players[0] if scored and found.row.players else None,
    )


def event_page(journal: Journal, narrators: Narrators, name: str, first: int, limit: int) -> EventPage:
    """Some of what happened in a game, and how it is told."""
    found = journal.pages.events(name, first, limit)
    return EventPage(
        events=found.events,
        told=[telling.model_dump() for telling in narrators.told(name, first, found.events)],
        first=first,
        total=found.total,
        state=_state(found.state),
    )


def record_file(journal: Journal, name: str) -> bytes:
    """A game's record as `ostrom export` writes it; of a game that is being played, what has happened so far."""
    return record_text(with_tellings(journal.pages.shown(name).record)).encode()


def title_of(name: str) -> str:
    """What people call the game that records call so."""
    known: Game | None = GAMES.get(name)
    return name.replace("_", " ").capitalize() if known is None else known.title


def command_of(name: str) -> str:
    """What the command line calls it; a game that this version does not know is called as its records call it."""
    known: Game | None = GAMES.get(name)
    return name if known is None else known.command


def _item(row: GameRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "experiment": row.experiment,
        "key": row.key,
        "game": row.game,
        "command": command_of(row.game),
        "title": title_of(row.game),
        "players": list(row.players),
        "state": _state(row.state),
        "rounds": row.rounds,
        "source": row.source,
        "reason": row.reason,
    }


def _state(text: str) -> GameState:
    return cast(GameState, text)
