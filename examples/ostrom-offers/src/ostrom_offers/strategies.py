"""The strategies of Offers. Each is arithmetic over rows, so that one definition plays a single game and a batch of
millions; none keeps anything in mind but what the table shows."""

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass

from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.players.strategy import Memory, RowStrategy, parameter
from ostrom_offers.bargain import endless_share, proposer_share
from ostrom_offers.step import OFFER, STEP, Rows

SLACK = 1e-9
"""The part of the pie by which an offer may fall short of what is accepted: no more than rounding."""


class Bargainer(RowStrategy):
    """A strategy of Offers: it demands a share of the pie, and accepts a share that is large enough."""

    step = STEP

    def decide(self, phase: str, view: Rows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Offer what the demand leaves, or respond."""
        if phase == OFFER:
            return {phase: view.rules.pie * view.xp.clip(1.0 - self.demand(view), 0.0, 1.0)}, memory
        accepts = view.offer >= self.enough(view) - SLACK
        return {phase: view.xp.astype(accepts, view.patience.dtype)}, memory

    @abstractmethod
    def demand(self, view: Rows) -> Array:
        """The share that it keeps when it proposes, for each row."""

    @abstractmethod
    def enough(self, view: Rows) -> Array:
        """The least share that it accepts, for each row."""


class EqualSplitter(Bargainer):
    """Offers half of the pie, and accepts half or more."""

    def demand(self, view: Rows) -> Array:
        """Half."""
        return 0.0 * view.patience + 0.5

    def enough(self, view: Rows) -> Array:
        """Half."""
        return 0.0 * view.patience + 0.5


@dataclass(frozen=True)
class Stubborn(Bargainer):
    """Demands the same large share in every round, and accepts nothing less."""

    share: float = parameter(0.8, 0.0, 1.0, "the share of the pie that it demands")

    def demand(self, view: Rows) -> Array:
        """Its share."""
        return 0.0 * view.patience + self.share

    def enough(self, view: Rows) -> Array:
        """Its share."""
        return 0.0 * view.patience + self.share


class Equilibrium(Bargainer):
    """Plays the equilibrium without a last round, as if the other had the mean patience (Rubinstein 1982)."""

    def demand(self, view: Rows) -> Array:
        """What leaves the other indifferent between this offer and its own in the next round."""
        return endless_share(view.patience, view.expected)

    def enough(self, view: Rows) -> Array:
        """What its own demand in the next round is worth now."""
        return view.patience * endless_share(view.patience, view.expected)


class BackwardInduction(Bargainer):
    """Plays the equilibrium of the rounds that are left, as if the other had the mean patience (Ståhl 1972)."""

    def demand(self, view: Rows) -> Array:
        """Everything in the last round; before it, what leaves the other indifferent."""
        return proposer_share(view.patience, view.expected, view.left)

    def enough(self, view: Rows) -> Array:
        """Anything in the last round; before it, what its own demand in the next round is worth now."""
        return view.patience * proposer_share(view.patience, view.expected, view.left - 1.0)


class Conceder(Bargainer):
    """Demands the whole pie at first and less in each round, down to half of it in the last."""

    def demand(self, view: Rows) -> Array:
        """A straight line from 1 to one half."""
        return self._after(view, view.rules.rounds - view.left)

    def enough(self, view: Rows) -> Array:
        """What it would demand in the next round, or half in the last."""
        last = view.rules.rounds - 1.0
        return self._after(view, view.xp.minimum(view.rules.rounds - view.left + 1.0, last + 0.0 * view.left))

    def _after(self, view: Rows, rounds: Array) -> Array:
        """The demand after this many rounds."""
        most = view.xp.maximum(0.0 * rounds + 1.0, view.rules.rounds - 1.0 + 0.0 * rounds)
        return 1.0 - 0.5 * rounds / most


class RandomBargainer(Bargainer):
    """Demands any share, and accepts an offer with a probability equal to the share that it gets."""

    def demand(self, view: Rows) -> Array:
        """Every share is equally likely."""
        return view.draw(0)

    def enough(self, view: Rows) -> Array:
        """Every share is equally likely."""
        return view.draw(1)


STRATEGIES = [EqualSplitter, Stubborn, Equilibrium, BackwardInduction, Conceder, RandomBargainer]
"""The players that come with the game."""
