"""Dictator: the giver decides how much of a pot to give to another person. In the played game, seat 0 divides the pot
and seat 1 is not asked. A missing or illegal answer gives nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field
from typing_extensions import override

from ostrom.core import Amount, Event
from ostrom.core.effects import Split, Telling, Transfer, sentence
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number
from ostrom.games.battery.played import PlayedRole, PlayedRules, RoleQuestion, format_amount, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.stated import stated_game

CENT = 0.01


@dataclass(frozen=True, slots=True)
class GiveFacts(Facts):
    """The facts in the question to the giver."""

    pot: float
    unit: float = CENT
    """The smallest unit of money, for prompts that mention it. Answers in smaller units are allowed."""


class StatedDictator(StatedRules, task="dictator"):
    """Dictator game, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "giver": Role("give", AmountList("Given, of each pot", "pot"), field="transfer")
    }
    quick: ClassVar[Mapping[str, Any]] = {"repetitions": 2}

    pots: Amounts = (10.0, 100.0, 1000.0)
    """The pots to divide, in dollars."""
    repetitions: Repetitions = 10

    @override
    def cells(self) -> list[GridCell]:
        return [
            GridCell("giver", f"pot={pot:g}", GiveFacts(pot), Amount(0, pot), self.repetitions) for pot in self.pots
        ]

    @override
    def form(self, item: ItemAnswered) -> Split:
        return Split(parties=parties("giver", "receiver", asked=0), pot=item.facts["pot"], offer=item.amount)


class PotDivided(Event, tag="given"):
    """Seat 0 gave a part of the pot to seat 1."""

    pot: float
    amount: float


class DictatorRules(PlayedRules, task="dictator", moves=(PotDivided,)):
    """Dictator game, played by two seats."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("giver", "given", seat=0),)
    pot: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The pot to divide, in dollars."""

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        return GiveFacts(self.pot), Amount(0, self.pot)

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        return PotDivided(pot=self.pot, amount=answers[0])

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        amount = moves[0][0]
        return [self.pot - amount, amount]

    @override
    def form(self, seats: int, moves: Sequence[PotDivided]) -> Split:
        return Split(parties=parties("giver", "receiver"), pot=self.pot, offer=moves[0].amount if moves else None)

    @override
    def tell(self, move: PotDivided) -> Telling:
        words = sentence(0, " gives ", 1, f" {format_amount(move.amount)} of {format_amount(move.pot)}")
        return Telling(text=(words,), effects=(Transfer(source=0, target=1, amount=move.amount),))


STATED = stated_game(StatedDictator, "how much of a pot to give to another person")
PLAYED = played_game(
    DictatorRules,
    "one divides a pot between itself and another, who has no say",
    roles=("giver", "receiver"),
    measured=True,
)
