"""Matching pennies: two players choose a side. The matcher wins if the sides are equal, and the mismatcher if they
differ. In the played game, seat 0 is the matcher. A missing or illegal answer is recorded as heads, since no side is
neutral."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from pydantic import Field
from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import FormParty, MatrixForm, Telling
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, either
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, describe_choices, played_game
from ostrom.games.battery.rules import Amounts, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.stated import stated_game

OPTIONS = ("heads", "tails")
ROLES = ("matcher", "mismatcher")


@dataclass(frozen=True, slots=True)
class PenniesFacts(Facts):
    """The facts in the question to the chooser."""

    role: str
    """'matcher', who wins if the sides are equal, or 'mismatcher', who wins if they differ."""
    prize: float
    """The winner's payoff. The other player gets nothing."""


def _matrix(
    both: tuple[FormParty, FormParty], prize: float, row: int | None = None, column: int | None = None
) -> MatrixForm:
    """Return the payoff matrix by the sides that are shown. The first player wins if they match."""
    payoffs = (((prize, 0), (0, prize)), ((0, prize), (prize, 0)))
    return MatrixForm(parties=both, rows=OPTIONS, columns=OPTIONS, payoffs=payoffs, row=row, column=column)


class StatedMatchingPennies(StatedRules, task="matching_pennies"):
    """Matching pennies, as stated choices of both roles."""

    roles: ClassVar[Mapping[str, Role]] = {"chooser": Role("show_penny")}
    quick: ClassVar[Mapping[str, Any]] = {"prizes": [100], "repetitions": 10}

    prizes: Amounts = (10.0, 100.0, 1000.0)
    """Prizes, in dollars."""
    repetitions: Repetitions = 100

    @override
    def cells(self) -> list[GridCell]:
        return [
            GridCell("chooser", f"role={role} prize={prize:g}", PenniesFacts(role, prize), OPTIONS, self.repetitions)
            for role, prize in product(ROLES, self.prizes)
        ]

    @override
    def form(self, item: ItemAnswered) -> MatrixForm:
        side, second = item.place(OPTIONS), item.facts["role"] == ROLES[1]
        both = parties(*ROLES, asked=1 if second else 0)
        return _matrix(both, item.facts["prize"], None if second else side, side if second else None)


class SidesShown(Event, tag="shown"):
    """Both players showed a side."""

    sides: list[str]
    """'heads' or 'tails', by seat."""


class MatchingPenniesRules(PlayedRules, task="matching_pennies", moves=(SidesShown,)):
    """Matching pennies, played: two seats show a side at once."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("chooser", "shows", options=OPTIONS, fallback="heads"),)
    prize: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The winner's payoff. The other player gets nothing."""

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        return PenniesFacts(ROLES[seat], self.prize), OPTIONS

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        return SidesShown(sides=list(answers))

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        matches = moves[0][0] == moves[0][1]
        return [either(matches, self.prize, 0.0), either(matches, 0.0, self.prize)]

    @override
    def form(self, seats: int, moves: Sequence[SidesShown]) -> MatrixForm:
        return _matrix(parties(*ROLES), self.prize, *map(OPTIONS.index, moves[0].sides if moves else ()))

    @override
    def tell(self, move: SidesShown) -> Telling:
        return describe_choices("both show a side", move.sides, lambda seat, side: f", the {ROLES[seat]}, shows {side}")


STATED = stated_game(StatedMatchingPennies, "a side of a coin, to be equal to another's or to differ from it")
PLAYED = played_game(
    MatchingPenniesRules,
    "two show a side of a coin at once: one wins if they match, the other if they differ",
    roles=ROLES,
)
