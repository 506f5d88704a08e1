"""Losses: a subject accepts or rejects gambles that win or lose with equal probabilities. A subject for whom losses
count λ times as much as gains accepts a gamble if its gain exceeds λ times its loss."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from ostrom.core.effects import Gamble
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.rules import Amounts, ChoiceList, Repetitions, Role, StatedRules
from ostrom.games.battery.stated import stated_game

OPTIONS = ("accept", "reject")
_BETWEEN = (0.425, 0.45, 0.475, 0.5, 0.525, 0.55, 0.575, 0.6, 0.65, 0.7, 0.75, 0.8)
_LOSSES = (0.2, 0.25, 0.3, 0.35, 0.4, *_BETWEEN, 0.9, 1.0, 1.25)


@dataclass(frozen=True, slots=True)
class LossFacts(Facts):
    """The facts of the chooser: a gain or a loss with equal chances, or nothing."""

    gain: float
    loss: float
    """A positive amount."""


class LossRules(StatedRules, task="loss"):
    """Gambles with losses, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {
        "chooser": Role("bet", ChoiceList("loss", OPTIONS, "loss", "The same gain, other losses", ("gain",)))
    }
    quick: ClassVar[Mapping[str, Any]] = {"gains": [100], "losses": [0.25, 0.4, 0.5, 0.6, 0.8, 1.0]}

    gains: Amounts = (10.0, 100.0, 1000.0)
    """Gains, in dollars."""
    losses: Amounts = _LOSSES
    """Losses as shares of the gain. A subject is indifferent at a share if its λ is the inverse of the share. These λ
    run from 5 to 0.8. Between 1.25 and 2.5, where the λ of people lie, they differ by steps of a tenth or less."""
    repetitions: Repetitions = 2

    @override
    def cells(self) -> list[GridCell]:
        return [
            GridCell("chooser", f"gain={gain:g} loss={loss:g}", LossFacts(gain, loss), OPTIONS, self.repetitions)
            for gain in self.gains
            for loss in (round(share * gain, 10) for share in self.losses)
        ]

    @override
    def form(self, item: ItemAnswered) -> Gamble:
        return Gamble(gain=item.facts["gain"], loss=item.facts["loss"], choice=item.choice)


STATED = stated_game(LossRules, "which gambles between a gain and a loss with equal chances to accept")
