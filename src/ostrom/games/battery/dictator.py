"""Dictator: a pot, and how much of it to give to somebody else. Played, one seat divides it, and the other is not
asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from ostrom.core import Amount, Event, Play, Table
from ostrom.core.effects import Split, Telling, Transfer, sentence
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number
from ostrom.games.battery.played import Asked, Part, PlayedRules, ask, end, exact, played_game
from ostrom.games.battery.rules import AmountList, Amounts, Repetitions, Role, StatedRules, parties
from ostrom.games.battery.stated import stated_game

CENT = 0.01


@dataclass(frozen=True, slots=True)
class GiveFacts(Facts):
    """What the giver knows."""

    pot: float
    unit: float = CENT
    """The smallest amount that money is counted in, for those who say so; finer answers are answers too."""


class StatedDictator(StatedRules, task="dictator"):
    """Dictator game, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "giver": Role("give", AmountList("Given, of each pot", "pot"), field="transfer")
    }
    quick: ClassVar[Mapping[str, Any]] = {"repetitions": 2}

    pots: Amounts = (10.0, 100.0, 1000.0)
    """What is to be divided, in dollars."""
    repetitions: Repetitions = 10

    def cells(self) -> list[Cell]:
        """How much to give, for every pot."""
        return [Cell("giver", f"pot={pot:g}", GiveFacts(pot), Amount(0, pot), self.repetitions) for pot in self.pots]

    def form(self, item: ItemAnswered) -> Split:
        """The pot, and what is given of it."""
        return Split(parties=parties("giver", "receiver", asked=0), pot=item.facts["pot"], offer=item.amount)


class Given(Event, tag="given"):
    """Seat 0 gave to seat 1."""

    pot: float
    amount: float


class DictatorRules(PlayedRules, task="dictator", moves=(Given,)):
    """Dictator game, played."""

    series: ClassVar[Mapping[str, str]] = {"given": "given.amount"}
    parts: ClassVar[tuple[Part, ...]] = (Part("giver", "given", seat=0),)
    pot: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What is to be divided, in dollars."""

    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """A part of the pot."""
        return GiveFacts(self.pot), Amount(0, self.pot)

    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """What is kept, and what is given."""
        given = moves[0][0]
        return [self.pot - given, given]

    def form(self, seats: int, moves: Sequence[Given]) -> Split:
        """The pot as it is divided."""
        return Split(parties=parties("giver", "receiver"), pot=self.pot, offer=moves[0].amount if moves else None)

    def tell(self, move: Given) -> Telling:
        """What was given."""
        words = sentence(0, " gives ", 1, f" {exact(move.amount)} of {exact(move.pot)}")
        return Telling(text=(words,), effects=(Transfer(source=0, target=1, amount=move.amount),))


def play(rules: DictatorRules, table: Table) -> Play:
    """Seat 0 gives. Who gives no legal answer gives nothing."""
    giver = table.seats[0]
    (given,) = yield [ask(rules, table, giver, "giver", *rules.asks("giver", 2))]
    table.record(Given(pot=rules.pot, amount=given.value))
    end(table, rules.paid([[given.value]]))


STATED = stated_game(StatedDictator, "how much of a pot to give to somebody else")
PLAYED = played_game(DictatorRules, "one divides a pot between itself and another, who has no say", play)
