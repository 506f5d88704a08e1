"""The built-in players of voluntary contributions. Importing this module registers them."""

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass

from typing_extensions import override

from ostrom.core import Registry
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.contributions.play import CONTRIBUTION
from ostrom.games.contributions.points import points_field
from ostrom.games.contributions.rules import DEDUCT, REWARD, deduction_cost
from ostrom.games.contributions.step import STEP, GroupView, legal_contribution
from ostrom.players.learned import learned_families
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry, enter, entry_of, parameter


class Contributor(RowStrategy):
    """A built-in player. It uses only the present state of the game, so it needs no memory."""

    step = STEP
    assigns: tuple[str, ...] = ()
    """The kinds of points that the player assigns."""

    @override
    def makes(self, field: str) -> bool:
        return field == CONTRIBUTION or field.partition("_")[0] in self.assigns

    @override
    def decide(self, phase: str, view: GroupView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        if phase == CONTRIBUTION:
            return {"contribution": legal_contribution(view, self.contribute(view))}, memory
        return self._points(view, fields), memory

    def _points(self, view: GroupView, fields: Collection[str]) -> Moves:
        """Return the points for each other seat. A seat for which the player cannot pay any more gets none; seats with
        lower numbers come first."""
        xp, rules = view.xp, view.rules
        left = view.budget
        moves: dict[str, Array] = {}
        for kind in (kind for kind in rules.kinds if kind in self.assigns):
            count = left * 0.0
            for seat, other in view.other_seats():
                points = xp.floor(xp.where(other, self.points(kind, view, view.contributions[seat]), 0.0))
                points = xp.minimum(xp.maximum(points, 0.0), rules.max_points + left * 0.0)
                if rules.targets:
                    points = xp.where(count < rules.targets, points, 0.0)
                points = xp.where(self._cost(kind, points, view) <= left + 1e-9, points, 0.0)
                count = count + xp.where(points > 0, 1.0, 0.0)
                left = left - self._cost(kind, points, view)
                moves[points_field(kind, seat)] = points
        nothing = view.budget * 0.0
        return {name: moves.get(name, nothing) for name in fields}

    def _cost(self, kind: str, points: Array, view: GroupView) -> Array:
        return deduction_cost(points, view.rules) if kind == DEDUCT else points * view.rules.reward_cost

    @abstractmethod
    def contribute(self, view: GroupView) -> Array:
        """Return the contribution for each row, before it is rounded to one that the rules allow."""

    def points(self, kind: str, view: GroupView, contribution: Array) -> Array:
        """Return the points of a kind for a seat with this contribution, for each row."""
        return contribution * 0.0


class FullContributor(Contributor):
    """Contributes the whole endowment and assigns no points."""

    @override
    def contribute(self, view: GroupView) -> Array:
        return view.contribution * 0.0 + view.rules.endowment


class FreeRider(Contributor):
    """Contributes nothing and assigns no points."""

    @override
    def contribute(self, view: GroupView) -> Array:
        return view.contribution * 0.0


@dataclass(frozen=True)
class ConditionalCooperator(Contributor):
    """Contributes a multiple of the others' mean contribution of the last round, and a share of the endowment in the
    first round (conditional cooperation: Fischbacher, Gächter and Fehr 2001)."""

    slope: float = parameter(1.0, 0.0, 2.0, "the multiple of the others' mean contribution")
    first: float = parameter(1.0, 0.0, 1.0, "the part of the endowment that it contributes in the first round")

    @override
    def contribute(self, view: GroupView) -> Array:
        return view.xp.where(view.round == 1, self.first * view.rules.endowment, self.slope * view.others_mean)


class TriangleContributor(Contributor):
    """Contributes what the others contributed on average in the last round, up to half of the endowment; the more they
    contributed beyond half, the less it contributes. It contributes half in the first round (the hump-shaped type of
    Fischbacher, Gächter and Fehr 2001)."""

    @override
    def contribute(self, view: GroupView) -> Array:
        half = view.rules.endowment / 2 + view.contribution * 0.0
        hump = view.xp.minimum(view.others_mean, view.rules.endowment - view.others_mean)
        return view.xp.where(view.round == 1, half, hump)


class EndgameDefector(Contributor):
    """Contributes everything until the last two rounds and nothing in those, if it knows the number of rounds."""

    @override
    def contribute(self, view: GroupView) -> Array:
        everything = view.rules.endowment + view.contribution * 0.0
        return view.xp.where(view.round <= view.last_round - 2, everything, 0.0)


class RandomContributor(Contributor):
    """Contributes a random amount, all amounts with equal probability, and assigns no points."""

    @override
    def contribute(self, view: GroupView) -> Array:
        return view.draw(0) * (view.rules.endowment + 1) - 0.5


@dataclass(frozen=True)
class Punisher(ConditionalCooperator):
    """Is a conditional cooperator, and deducts points from seats that contributed less than itself: a number of points
    for each token (as most punishment in Fehr and Gächter 2000)."""

    rate: float = parameter(0.25, 0.0, 10.0, "the points for each token that the target contributed less")
    assigns = (DEDUCT,)

    @override
    def points(self, kind: str, view: GroupView, contribution: Array) -> Array:
        return self.rate * (view.contribution - contribution) + 1e-9


@dataclass(frozen=True)
class AntisocialPunisher(Contributor):
    """Contributes nothing, and deducts points from seats that contributed more than itself (antisocial punishment:
    Herrmann, Thöni and Gächter 2008)."""

    rate: float = parameter(0.25, 0.0, 10.0, "the points for each token that the target contributed more")
    assigns = (DEDUCT,)

    @override
    def contribute(self, view: GroupView) -> Array:
        return view.contribution * 0.0

    @override
    def points(self, kind: str, view: GroupView, contribution: Array) -> Array:
        return self.rate * (contribution - view.contribution) + 1e-9


@dataclass(frozen=True)
class Rewarder(ConditionalCooperator):
    """Is a conditional cooperator, and gives a reward point to every seat that contributed something and at least as
    much as itself."""

    assigns = (REWARD,)

    @override
    def points(self, kind: str, view: GroupView, contribution: Array) -> Array:
        return view.xp.where((contribution > 0) & (contribution >= view.contribution), 1.0, 0.0)


class DeterredContributor(Contributor):
    """Contributes nothing until it is punished. For each deduction point of the last round it contributes 4 tokens more
    than before; without deductions it contributes as before."""

    @override
    def contribute(self, view: GroupView) -> Array:
        return view.xp.where(view.round == 1, 0.0, view.contribution + 4.0 * view.deducted)


STRATEGIES: Registry[StrategyEntry] = Registry("player of voluntary contributions")
for _player in (
    FullContributor,
    FreeRider,
    ConditionalCooperator,
    TriangleContributor,
    EndgameDefector,
    RandomContributor,
    Punisher,
    AntisocialPunisher,
    Rewarder,
    DeterredContributor,
):
    enter(STRATEGIES, entry_of(_player))
for _family in learned_families("ostrom.games.contributions.learned:member"):
    enter(STRATEGIES, _family)
