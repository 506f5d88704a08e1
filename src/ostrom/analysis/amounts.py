"""The final quantity of a game over its turns, as the game's tellings set it."""

from collections.abc import Sequence
from typing import NamedTuple

from ostrom.core.effects import Set
from ostrom.journal.record import GameRecord


class TurnAmounts(NamedTuple):
    """Each seat's amount of the final quantity at the end of a turn. Turn 0 is the time before the first turn."""

    turn: int
    amounts: Sequence[float | None]


def amounts_by_turn(record: GameRecord) -> list[TurnAmounts]:
    """Return the amounts of all seats at the end of each turn. The list is empty if the scene has no final quantity."""
    quantity = None if record.scene is None else record.scene.final
    if quantity is None:
        return []
    now: list[float | None] = [None] * len(record.seats)
    by_turn: dict[int, list[float | None]] = {}
    opening = record.opening.sets if record.opening is not None else []
    for turn, effects in ((0, opening), *((telling.turn, telling.sets) for telling in record.told)):
        for effect in effects:
            if quantity in effect.values:
                _set(now, effect, quantity)
                by_turn[turn] = list(now)
    return [TurnAmounts(turn, by_turn[turn]) for turn in sorted(by_turn)]


def _set(now: list[float | None], effect: Set, quantity: str) -> None:
    value = effect.values[quantity]
    if isinstance(value, tuple):
        now[: len(value)] = value[: len(now)]
    elif effect.seat is not None and effect.seat < len(now):
        now[effect.seat] = value
