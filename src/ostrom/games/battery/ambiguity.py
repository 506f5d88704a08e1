"""Ambiguity: the choice between a draw with a known probability of winning and a draw from an urn in which the shares
of two colours are unknown. The known probability at which a subject is indifferent is its matching probability. If this
is below one half, the subject is averse to ambiguity."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from typing_extensions import override

from ostrom.core.effects import Lotteries, Lottery
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.rules import Amounts, ChoiceList, Probabilities, Repetitions, Role, StatedRules, percent
from ostrom.games.battery.stated import stated_game

OPTIONS = ("known", "unknown")


@dataclass(frozen=True, slots=True)
class AmbiguityFacts(Facts):
    """The facts of the chooser. The unknown urn contains two colours, and the chooser names the one that wins."""

    prize: float
    known_p: float
    """The probability of winning the prize with the known draw."""


class AmbiguityRules(StatedRules, task="ambiguity"):
    """Stated choices between a known and an unknown probability of winning."""

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
    """The known probabilities of the prize."""
    repetitions: Repetitions = 2

    @override
    def cells(self) -> list[GridCell]:
        return [
            GridCell("chooser", f"prize={prize:g} known={p:g}", AmbiguityFacts(prize, p), OPTIONS, self.repetitions)
            for prize, p in product(self.prizes, self.known)
        ]

    @override
    def form(self, item: ItemAnswered) -> Lotteries:
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
