"""How a game ended: what every seat has, who it was, and what happened last, in words."""

from collections.abc import Sequence
from typing import Any, Final

from ostrom.games import COMMONS, CONTRIBUTE_PUNISH, GAMES
from ostrom.journal.record import GameRecord
from ostrom.players.human.ending import Result, Standing

_FINALS: Final = {CONTRIBUTE_PUNISH.name: ("balances", "tokens"), COMMONS.name: ("capitals", "capital")}
"""What the last event calls what a seat ends with, and what it counts."""
_PLAYED: Final = ("payoffs", "dollars")
"""Likewise for all other games."""
_DECIMALS: Final = 9
"""Beyond, two amounts differ by dust of floating point."""


def result_of(record: GameRecord, labels: Sequence[str] | None = None) -> Result:
    """The result of a finished game. `labels` are what the seats are called; by default as in the record."""
    called = [seat.label for seat in record.seats] if labels is None else list(labels)
    entry, unit = _FINALS.get(record.game, _PLAYED)
    finals = [float(final) for final in record.events[-1][entry]]
    rounded = [round(final, _DECIMALS) for final in finals]
    standings = [
        Standing(seat.seat, called[seat.seat], seat.player, finals[seat.seat], _rank(rounded, seat.seat))
        for seat in record.seats
    ]
    best_first = tuple(sorted(standings, key=lambda standing: (standing.rank, standing.seat)))
    return Result(unit, best_first, tuple(_story(record, called)))


def _rank(finals: Sequence[float], seat: int) -> float:
    """1 is best; those who tie share their ranks."""
    above = sum(other > finals[seat] for other in finals)
    return above + (1 + sum(other == finals[seat] for other in finals)) / 2


def _story(record: GameRecord, called: Sequence[str]) -> list[str]:
    """The last turn and the end."""
    game = GAMES[record.game]
    last = max((turn for event in record.events if (turn := _turn(event)) is not None), default=None)
    told = [event for event in record.events if _turn(event) in (None, last)]
    return [line for event in told for line in game.tell(game.events.decode(event), called)]


def _turn(event: dict[str, Any]) -> int | None:
    turn: int | None = event.get("turn", event.get("round"))
    return turn
