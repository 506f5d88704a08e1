"""Matching pennies: two choose a side; the one wins where the sides are equal, the other where they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core import Event, Play, Table
from ostrom.core.effects import Matrix, Party, Telling
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number, either
from ostrom.games.battery.played import Asked, Part, PlayedRules, all_choose, ask, end, played_game
from ostrom.games.battery.rules import Amounts, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("heads", "tails")
ROLES = ("matcher", "mismatcher")


@dataclass(frozen=True, slots=True)
class PenniesFacts(Facts):
    """What the chooser knows."""

    role: str
    """'matcher', who wins where the sides are equal, or 'mismatcher', who wins where they differ."""
    prize: float
    """What the winner gets; the other gets nothing."""


def _matrix(both: tuple[Party, Party], prize: float, row: int | None = None, column: int | None = None) -> Matrix:
    """What both get, by the sides that they show: the first wins where they match."""
    payoffs = (((prize, 0), (0, prize)), ((0, prize), (prize, 0)))
    return Matrix(parties=both, rows=OPTIONS, columns=OPTIONS, payoffs=payoffs, row=row, column=column)


class StatedMatchingPennies(StatedRules, task="matching_pennies"):
    """Matching pennies, as stated choices of both roles."""

    roles: ClassVar[Mapping[str, Role]] = {"chooser": Role("show_penny")}
    quick: ClassVar[Mapping[str, Any]] = {"prizes": [100], "repetitions": 10}

    prizes: Amounts = (10.0, 100.0, 1000.0)
    """Prizes, in dollars."""
    repetitions: Repetitions = 100

    def cells(self) -> list[Cell]:
        """A side in either role, for every prize."""
        return [
            Cell("chooser", f"role={role} prize={prize:g}", PenniesFacts(role, prize), OPTIONS, self.repetitions)
            for role, prize in product(ROLES, self.prizes)
        ]

    def form(self, item: ItemAnswered) -> Matrix:
        """The payoffs, and the side that the subject shows."""
        side, second = item.place(OPTIONS), item.facts["role"] == ROLES[1]
        both = parties(*ROLES, asked=1 if second else 0)
        return _matrix(both, item.facts["prize"], None if second else side, side if second else None)


class Shown(Event, tag="shown"):
    """Both showed a side."""

    sides: list[str]
    """'heads' or 'tails', by seat."""


class MatchingPenniesRules(PlayedRules, task="matching_pennies", moves=(Shown,)):
    """Matching pennies, played: two seats show a side at once."""

    series: ClassVar[Mapping[str, str]] = {"sides": "shown.sides"}
    parts: ClassVar[tuple[Part, ...]] = (Part("chooser", "shows", options=OPTIONS, fallback="heads"),)
    prize: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What the winner gets; the other gets nothing."""

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """A side, of the seat's own role."""
        return PenniesFacts(ROLES[seat], self.prize), OPTIONS

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """The prize for the matcher, or for the other."""
        matches = moves[0][0] == moves[0][1]
        return [either(matches, self.prize, 0.0), either(matches, 0.0, self.prize)]

    def form(self, seats: int, moves: Sequence[Shown]) -> Matrix:
        """The payoffs, and what was shown."""
        return _matrix(parties(*ROLES), self.prize, *map(OPTIONS.index, moves[0].sides if moves else ()))

    def tell(self, move: Shown) -> Telling:
        """What both showed."""
        return all_choose("both show a side", move.sides, lambda seat, side: f", the {ROLES[seat]}, shows {side}")


def play(rules: MatchingPenniesRules, table: Table) -> Play:
    """Both show a side at once; seat 0 is the matcher. No side is neutral: for who gives no legal answer heads is
    entered."""
    shown = yield [
        ask(rules, table, seat, "chooser", *rules.asks("chooser", 2, seat=seat.index)) for seat in table.seats
    ]
    sides = [answer.value for answer in shown]
    table.record(Shown(sides=sides))
    end(table, rules.paid([[OPTIONS.index(side) for side in sides]]))


STATED = stated_game(StatedMatchingPennies, "a side of a coin, to be equal to another's or to differ from it")
PLAYED = played_game(
    MatchingPenniesRules, "two show a side of a coin at once: one wins if they match, the other if they differ", play
)
