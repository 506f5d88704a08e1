"""The strategies of alternating offers. Each is arithmetic over rows, so that one definition plays a single game and a
batch. A strategy demands an amount when it proposes, and accepts an offer that is large enough."""

from abc import abstractmethod
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Final

from typing_extensions import override

from ostrom.core import Registry
from ostrom.core.arrays import Array
from ostrom.core.step import Moves
from ostrom.games.market.alternating_offers.bargain import ACCEPTS, QUITS, REJECTS
from ostrom.games.market.alternating_offers.plans import FAMILY, plan
from ostrom.games.market.alternating_offers.play import OFFER
from ostrom.games.market.alternating_offers.step import STEP, BargainRows
from ostrom.games.market.alternating_offers.theory import SLACK, Thresholds, nash, on_tick, thresholds
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry, enter, entry_of, parameter


class Bargainer(RowStrategy):
    """Base class of strategies that bargain. An offer is rounded up to the tick."""

    step = STEP
    reacts: ClassVar[bool] = False
    """True if its decisions depend on earlier offers. Against strategies that do not react, the best response is
    computed exactly."""

    @override
    def decide(self, phase: str, view: BargainRows, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        xp, pie = view.xp, view.rules.pie
        if phase == OFFER:
            return {phase: on_tick(xp.clip(pie - self.demand(view), 0.0, pie), view.rules)}, memory
        accepts = view.offer >= self.enough(view) - SLACK * pie
        like = 0.0 * view.outside
        response = like + REJECTS
        if view.rules.quits:
            response = xp.where(self.leaves(view), like + QUITS, response)
        return {phase: xp.where(accepts, like + ACCEPTS, response)}, memory

    @abstractmethod
    def demand(self, view: BargainRows) -> Array:
        """Return the amount that it keeps when it proposes in this round."""

    def enough(self, view: BargainRows) -> Array:
        """Return the smallest amount that it accepts in this round. By default, this is its own demand."""
        return self.demand(view)

    def leaves(self, view: BargainRows) -> Array:
        """Return whether it quits instead of rejecting an offer. By default, it quits if it would not demand more than
        its outside option."""
        return self.demand(view) <= view.outside + SLACK * view.rules.pie


class Rubinstein(Bargainer):
    """Plays the subgame-perfect equilibrium: it offers the smallest amount that the other would accept, and accepts
    what rejecting would be worth to it.

    With an open horizon, its strategy is stationary; with a fixed one, it follows from backward induction. If outside
    options are private, it counts with the mean of the other's, which is no equilibrium of such a game. With a tick of
    1, the other accepts the next whole amount, so its part can be up to one point smaller. Source: Rubinstein (1982),
    as for `theory.stationary`."""

    def _equilibrium(self, view: BargainRows) -> tuple[Array, Array, Array]:
        """Return the smallest amount that this seat accepts, the smallest that the other accepts, and the amount that
        rejecting is worth to this seat."""
        found: Thresholds = thresholds(view.rules, view.by_seat(view.outside, view.other_outside), view.round)
        return view.of_seat(found.least), view.of_seat(found.least[::-1]), view.of_seat(found.after)

    @override
    def demand(self, view: BargainRows) -> Array:
        _, others, after = self._equilibrium(view)
        keeps = view.rules.pie - others
        # An agreement that brings less than waiting is not offered.
        return view.xp.where(keeps >= after - SLACK * view.rules.pie, keeps, 0.0 * keeps + view.rules.pie)

    @override
    def enough(self, view: BargainRows) -> Array:
        return self._equilibrium(view)[0]

    @override
    def leaves(self, view: BargainRows) -> Array:
        return view.outside > self._equilibrium(view)[2] + SLACK * view.rules.pie


class NashSolution(Bargainer):
    """Demands the Nash bargaining solution in every round: its outside option and half of what the pie is worth above
    both outside options.

    If the other's outside option is private, it counts with its mean. Source: Nash (1950), as for `theory.nash`."""

    @override
    def demand(self, view: BargainRows) -> Array:
        return nash(view.rules.pie, (view.outside, view.other_outside))[0]


class Fair(Bargainer):
    """Demands half of the pie, or its outside option if that is more."""

    @override
    def demand(self, view: BargainRows) -> Array:
        return view.xp.maximum(0.0 * view.outside + view.rules.pie / 2, view.outside)


@dataclass(frozen=True)
class Stubborn(Bargainer):
    """Demands the same share of the pie in every round, and accepts nothing less."""

    share: float = parameter(0.8, 0.0, 1.0, "the share of the pie that it demands")

    @override
    def demand(self, view: BargainRows) -> Array:
        return view.xp.maximum(0.0 * view.outside + self.share * view.rules.pie, view.outside)


@dataclass(frozen=True)
class Conceder(Bargainer):
    """Demands less from round to round, until a deadline, and accepts what it would demand in the next round.

    The demand in round t is start − (start − end) · ((t − 1) / (deadline − 1))^(1 / beta): linear if beta is 1, late if
    it is smaller, early if it is larger. It demands at least its outside option. Source: the time-dependent tactics of
    Faratin, Sierra and Jennings (1998), "Negotiation decision functions for autonomous agents", Robotics and Autonomous
    Systems 24(3–4), 159–182."""

    beta: float = parameter(1, 0.01, 100, "the speed at which it concedes: 1 is linear, less is late, more is early")
    start: float = parameter(1, 0, 1, "the share of the pie that it demands in the first round")
    end: float = parameter(0.5, 0, 1, "the share that it demands from the deadline on")
    deadline: float = parameter(10, 2, 1000, "the round of its last concession, or the last round if that is earlier")

    @override
    def demand(self, view: BargainRows) -> Array:
        return self._demand(view, 0)

    @override
    def enough(self, view: BargainRows) -> Array:
        return self._demand(view, 1)

    def _demand(self, view: BargainRows, later: int) -> Array:
        rounds = max(1.0, min(self.deadline, view.rules.rounds) - 1.0)
        elapsed = view.xp.minimum(0.0 * view.outside + (view.round - 1 + later), 0.0 * view.outside + rounds)
        conceded = (elapsed / rounds) ** (1.0 / self.beta)
        share = self.start - (self.start - self.end) * conceded
        return view.xp.maximum(share * view.rules.pie, view.outside)


@dataclass(frozen=True)
class TitForTat(Bargainer):
    """Concedes as much as the other conceded between its last two offers, and accepts what it would demand next.

    If the other takes back a part of an offer, so does it. It demands at least its outside option. As long as no
    concession of the other is known, each new offer concedes `gift`, since two such players would wait for each other
    otherwise. Source: the absolute tit-for-tat of Faratin, Sierra and Jennings (1998), as for Conceder."""

    reacts = True
    start: float = parameter(0.8, 0, 1, "the share of the pie that it demands first")
    gift: float = parameter(0.05, 0, 1, "the share that it concedes before it knows a concession of the other")

    @override
    def demand(self, view: BargainRows) -> Array:
        xp, pie = view.xp, view.rules.pie
        known = view.earlier_offer >= 0
        concession = xp.where(known, view.offer - view.earlier_offer, 0.0 * view.offer + self.gift * pie)
        next_demand = pie - view.own_offer - concession
        demand = xp.where(view.own_offer >= 0, next_demand, 0.0 * next_demand + self.start * pie)
        return xp.clip(xp.maximum(demand, view.outside), 0.0, pie)


class Selfish(Bargainer):
    """Offers no more than the other's outside option, and accepts any offer that is at least its own, as in a last
    round."""

    @override
    def demand(self, view: BargainRows) -> Array:
        return view.rules.pie - view.other_outside

    @override
    def enough(self, view: BargainRows) -> Array:
        return view.outside


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""The strategies that come with the game."""
_CLASSES: Final[dict[str, type[Bargainer]]] = {
    "Rubinstein": Rubinstein,
    "Nash": NashSolution,
    "Fair": Fair,
    "Stubborn": Stubborn,
    "Conceder": Conceder,
    "TitForTat": TitForTat,
    "Selfish": Selfish,
}
for _name, _class in _CLASSES.items():
    enter(STRATEGIES, entry_of(_class, _name))
_ABOUT_PLANS: Final = f"{FAMILY}:FILE.json makes the offers and gives the responses in the file"
enter(STRATEGIES, StrategyEntry(FAMILY, _ABOUT_PLANS, None, None, __name__, FAMILY, member=plan))
