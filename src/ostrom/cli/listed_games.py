"""The games of a journal as `ostrom list journal` shows them: the options that choose some of them, and their rows.
They are chosen and found as on the pages of the lab."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Final, TypeAlias

import typer

from ostrom.core import InputError
from ostrom.core.game import imported
from ostrom.core.text import number_of
from ostrom.journal.game_lists import GameFilters, Outcome
from ostrom.journal.open import open_journal
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import err

Rows: TypeAlias = list[dict[str, Any]]
_ALL: Final = 2**31 - 1
"""As many games as a journal may hold."""
_SHOWN: Final = ("id", "experiment", "game", "rounds", "state", "source")

Player = Annotated[
    str | None, typer.Option("--player", metavar="PLAYER", help="journal: only games with this player, by id or name.")
]
Winner = Annotated[
    str | None,
    typer.Option("--winner", metavar="PLAYER", help="journal: only games that this player won, alone or with others."),
]
OfOutcome = Annotated[
    Outcome | None,
    typer.Option(
        "--outcome",
        metavar="finished|won|shared|void|playing",
        help="journal: only finished games, those with one winner, those with several, void ones, or those not over.",
    ),
]
Events = Annotated[
    list[str] | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help="journal: only games in which this happened: broken-promise, ruin, exclusion, comeback, defaulted, "
        "unreadable; repeatable, then all of it.",
    ),
]
Find = Annotated[
    str,
    typer.Option(
        "--find",
        metavar="WORDS",
        help="journal: only games with these words in the names of players, in id, key, source or reason, or in the "
        "experiment's name.",
    ),
]


def game_rows(store: str | None, wanted: GameFilters) -> Rows:
    """The games that the filters choose, the oldest first."""
    with open_journal(store) as journal:
        names = journal.names.known()
        meant = GameFilters(
            experiment=wanted.experiment,
            player=None if wanted.player is None else names.player(wanted.player),
            winner=None if wanted.winner is None else names.player(wanted.winner),
            outcome=wanted.outcome,
            highlights=_known_events(wanted.highlights),
            text=wanted.text,
        )
        _look_at_games(journal, meant)
        found = journal.pages.games(meant, down=False, limit=_ALL).games
        return [
            {
                **{name: getattr(row, name) for name in _SHOWN},
                "players": list(row.players),
                "names": [names.of(player) for player in row.players],
            }
            for row in found
        ]


def _known_events(events: Sequence[str]) -> tuple[str, ...]:
    """What happened, as the journal calls it; what is found in no game is refused."""
    if not events:
        return ()
    known = imported("ostrom.analysis.highlights:HIGHLIGHTS")  # by its path: few need what analyses games
    for event in events:
        if event.replace("-", "_") not in known:
            spelled = ", ".join(name.replace("_", "-") for name in known)
            raise InputError(f"there is no event {event!r} to find games by; it must be one of {spelled}")
    return tuple(event.replace("-", "_") for event in events)


def _look_at_games(journal: Journal, wanted: GameFilters) -> None:
    """Find out who won and what happened in games that were not looked at before, if the filters need it."""
    if not (wanted.winner or wanted.highlights or wanted.outcome in ("won", "shared")):
        return
    left = imported("ostrom.analysis.highlights:summarise")(journal, math.inf)
    if left:
        err.print(
            f"{number_of(left, 'finished game')} may be missing: who won and what happened there is not yet known, and "
            f"the journal {journal.label} can only be read."
        )
