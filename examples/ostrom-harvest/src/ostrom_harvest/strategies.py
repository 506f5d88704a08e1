"""The strategies of Harvest. Each is arithmetic over rows, so that one definition plays a single game and a batch of
millions; none keeps anything in mind but what the table shows."""

from abc import abstractmethod
from collections.abc import Collection

from ostrom.core import Question, Text
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.players.strategy import Memory, RowStrategy
from ostrom_harvest.step import QUOTA, STEP, PoolView
from ostrom_harvest.view import HarvestView


class Harvester(RowStrategy):
    """A strategy of Harvest: it proposes a quota, harvests, and may have something to say."""

    step = STEP

    def decide(self, phase: str, view: PoolView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Propose, or harvest."""
        amount = self.propose(view) if phase == QUOTA else self.take(view)
        return {phase: view.xp.clip(amount, 0.0, view.stock)}, memory

    def answer(self, question: Question[HarvestView]) -> object:
        """Speak, as far as the rules allow."""
        assert isinstance(question.spec, Text)
        return question.spec.shortened(self.message(question.view))

    def propose(self, view: PoolView) -> Array:
        """The quota that it proposes, for each row: a fair share, unless it says otherwise."""
        return view.fair

    @abstractmethod
    def take(self, view: PoolView) -> Array:
        """What it wants to harvest, for each row."""

    def message(self, view: HarvestView) -> str:
        """What it says; the empty text is silence."""
        return ""


class Steward(Harvester):
    """Takes its share of what grows back, whatever the others do."""

    def take(self, view: PoolView) -> Array:
        """A fair share."""
        return view.fair

    def message(self, view: HarvestView) -> str:
        """Says what it would have everybody do."""
        return f"If each of us takes {view.fair:.2f}, the stock will last." if view.round == 1 else ""


class Greedy(Harvester):
    """Takes everything, and proposes that everybody may."""

    def propose(self, view: PoolView) -> Array:
        """No limit."""
        return view.stock

    def take(self, view: PoolView) -> Array:
        """Everything."""
        return view.stock


class QuotaFollower(Harvester):
    """Takes what the quota allows, and a fair share where there is none."""

    def take(self, view: PoolView) -> Array:
        """The quota."""
        return view.xp.where(view.quota < view.stock, view.quota, view.fair)


class Reciprocator(Harvester):
    """Begins with a fair share, and then takes as many fair shares as each of the others took in the last round."""

    def take(self, view: PoolView) -> Array:
        """Like for like."""
        return view.fair * view.others

    def message(self, view: HarvestView) -> str:
        """Announces its rule once."""
        return "I take what you take." if view.round == 1 else ""


class Tester(Harvester):
    """Takes twice the quota until it is warned, and keeps to it from then on."""

    def take(self, view: PoolView) -> Array:
        """Twice as much as is allowed, or a fair share where nothing is said."""
        allowed = view.xp.where(view.quota < view.stock, view.quota, view.fair)
        return view.xp.where(view.offences > 0, allowed, 2.0 * allowed)


class LastRoundRaider(Harvester):
    """Takes a fair share until the last round, and everything in that."""

    def take(self, view: PoolView) -> Array:
        """Everything, once there is no future."""
        return view.xp.where(view.round >= view.rules.rounds, view.stock, view.fair)

    def message(self, view: HarvestView) -> str:
        """Promises, to the end, what it will not do in the end."""
        return f"I will take {view.fair:.2f}, as always."


class RandomHarvester(Harvester):
    """Takes anything up to twice a fair share, and proposes anything up to that, all as likely as each other."""

    def propose(self, view: PoolView) -> Array:
        """Up to two fair shares."""
        return 2.0 * view.fair * view.draw(0)

    def take(self, view: PoolView) -> Array:
        """Up to two fair shares."""
        return 2.0 * view.fair * view.draw(1)


STRATEGIES = [Steward, Greedy, QuotaFollower, Reciprocator, Tester, LastRoundRaider, RandomHarvester]
"""Who comes with the game."""
