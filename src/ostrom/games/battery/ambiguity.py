"""Ambiguity: a draw with a known probability of winning, or one from an urn of two colours of unknown shares. The known
probability at which a subject is indifferent is its matching probability; below one half it is averse to ambiguity."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from ostrom.core.effects import Lotteries, Lottery
from ostrom.games.battery.items import Cell, Facts, ItemAnswered
from ostrom.games.battery.rules import Amounts, ChoiceList, Probabilities, Repetitions, Role, StatedRules, percent
from ostrom.games.battery.stated import stated_game

OPTIONS = ("known", "unknown")


@dataclass(frozen=True, slots=True)
class AmbiguityFacts(Facts):
    """What the chooser knows. The unknown urn holds two colours, and the chooser names the one that wins."""

    prize: float
    known_p: float
    """The probability of winning the prize with the known draw."""


class AmbiguityRules(StatedRules, task="ambiguity"):
    """Known against unknown probabilities, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role(
            "draw_from",
            ChoiceList(
                "known chance", OPTIONS[::-1], "known_p", "The same prize, other chances", ("prize",), words=percent
            ),
        )
    }
    quick: ClassVar[Mapping[str, Any]] = {"prizes": [100], "known": [0.3, 0.4, 0.5, 0.6, 0.7]}

    prizes: Amounts = (10.0, 100.0, 1000.0)
    """Prizes, in dollars."""
    known: Probabilities = (0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)
    """The chances of the prize where they are known."""
    repetitions: Repetitions = 2

    def cells(self) -> list[Cell]:
        """Known or unknown, for every prize and probability."""
        return [
            Cell("chooser", f"prize={prize:g} known={p:g}", AmbiguityFacts(prize, p), OPTIONS, self.repetitions)
            for prize, p in product(self.prizes, self.known)
        ]

    def form(self, item: ItemAnswered) -> Lotteries:
        """The known draw and the urn."""
        p = item.facts["known_p"]
        return Lotteries(
            outcomes=(0, item.facts["prize"]),
            lotteries=(
                Lottery(option="known", title="a known chance", chances=(1 - p, p)),
                Lottery(option="unknown", title="an unknown chance", chances=None),
            ),
            choice=item.choice,
        )


STATED = stated_game(AmbiguityRules, "a known probability of winning, or an urn of unknown composition")
