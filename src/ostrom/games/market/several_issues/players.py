"""The strategies of bargaining over several issues. They write no messages, and bargain by the deals that they submit
and answer. If both seats choose at once, a submitted deal binds neither of them: these strategies end the talk when
they would accept the deal, and then choose their part of it.

A strategy knows its own values, and has beliefs about those of the other seat: all values that the rules allow are
equally likely at first."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, Final

import numpy as np
from typing_extensions import override

from ostrom.core import Question, Registry
from ostrom.games.market.several_issues.play import (
    ACCEPT,
    CHOICE,
    DEAL,
    END_TALK,
    NO_DEAL,
    REJECT,
    TAKE,
    WALK_AWAY,
    SeveralIssuesView,
    field_of,
)
from ostrom.games.market.several_issues.pool import (
    ROUNDING,
    Units,
    Values,
    divisions,
    is_bargain,
    points_of,
    pool_values,
)
from ostrom.games.market.several_issues.rules import CHOICES, PRIORITIES
from ostrom.players.strategy import Draw, Strategy, StrategyEntry, enter, entry_of, parameter


@lru_cache(maxsize=256)
def possible_values(values: str, counts: Units, worth: int, scale: Values, own: Values) -> np.ndarray:
    """Return the values that the other seat may have under the rules, with a row for each possibility. If the rules
    would never draw the seat's own values, the other seat may have any values that the rules draw."""
    if values == PRIORITIES:
        return np.array(sorted(set(permutations(scale))), dtype=float)
    candidates: list[Values] = list(pool_values(counts, worth))
    matching = [other for other in candidates if is_bargain(own, other)]
    return np.array(matching or candidates or [own], dtype=float)


def possible_others(view: SeveralIssuesView) -> np.ndarray:
    """Return the values that the other seat may have, with a row for each possibility."""
    rules = view.rules
    return possible_values(rules.values, view.counts, rules.worth, rules.scale_values, view.values)


def own_points(view: SeveralIssuesView) -> np.ndarray:
    """Return the seat's own points for each division of the pool."""
    points: np.ndarray = divisions(view.counts) @ np.array(view.values)
    return points


def other_points(view: SeveralIssuesView, values: np.ndarray) -> np.ndarray:
    """Return the points of the other seat for each division of the pool, if it has these values."""
    points: np.ndarray = (np.array(view.counts) - divisions(view.counts)) @ values
    return points


def best_division(view: SeveralIssuesView, *criteria: np.ndarray) -> Units:
    """Return the seat's own units in the division that is best by the first criterion; of equal ones, by the second,
    and so on. The last criterion is the number of units of the goods that are worth most to the seat."""
    open_ = np.arange(len(divisions(view.counts)))
    by_value = sorted(range(len(view.counts)), key=lambda good: -view.values[good])
    order = [divisions(view.counts)[:, good] for good in by_value]
    for criterion in (*criteria, *order):
        scores = criterion[open_]
        open_ = open_[scores >= scores.max() - ROUNDING]
    return tuple(int(count) for count in divisions(view.counts)[open_[0]])


def nash_division(view: SeveralIssuesView, values: np.ndarray) -> Units:
    """Return the division with the largest Nash product: the product of what both seats gain over having no deal
    (Nash 1950), if the other seat has these values. If no division is better for both than no deal, return the best one
    for the seat itself."""
    outside = view.rules.outside_points
    own, other = own_points(view) - outside, other_points(view, values) - outside
    product = np.where((own > 0) & (other > 0), own * other, 0.0)
    return best_division(view, product, own)


class Bargainer(Strategy[SeveralIssuesView]):
    """Base class of bargainers: in its turn it accepts the open deal if it is good enough, and otherwise submits one of
    its own. When it can submit no more, it accepts every deal that is better than none."""

    @abstractmethod
    def demand(self, view: SeveralIssuesView) -> Units:
        """Return the units that it asks for in this turn."""

    def is_enough(self, view: SeveralIssuesView, points: float) -> bool:
        """Return whether it accepts a deal with this number of points: by default, as many as its own demand has."""
        return points >= points_of(self.demand(view), view.values) - ROUNDING

    @override
    def answer(self, question: Question[SeveralIssuesView], draw: Draw) -> object:
        view = question.view
        if question.phase == CHOICE:
            return self._choice(view)
        acts = view.acts
        offer = self._offer(view)
        silent = {"text": ""} if view.rules.messages else {}
        if offer is not None and self._accepts(view, offer):
            return {"act": ACCEPT if ACCEPT in acts else END_TALK, **silent}
        act = self.refusal(view, offer)
        units = _fields(view, self.demand(view)) if act == DEAL else {}
        return {"act": act, **silent, **units}

    def refusal(self, view: SeveralIssuesView, offer: float | None) -> str:
        """Return the act if there is no deal that it accepts. `offer` has its points in the open deal, if there is
        one."""
        if DEAL in view.acts:
            return DEAL
        return REJECT if REJECT in view.acts else view.acts[0]

    def _accepts(self, view: SeveralIssuesView, offer: float) -> bool:
        # In the last two turns, a deal of its own could be answered once at most, and the other seat may refuse it.
        last = view.turn >= view.rules.turns - 1
        return self.is_enough(view, offer) or (last and offer > view.rules.outside_points + ROUNDING)

    def _offer(self, view: SeveralIssuesView) -> float | None:
        if not view.can_respond or view.deal is None:
            return None
        return points_of(view.deal.units[view.seat], view.values)

    def _choice(self, view: SeveralIssuesView) -> object:
        if view.deal is None:
            return {"act": TAKE, **_fields(view, self.demand(view))}
        units = view.deal.units[view.seat]
        agrees = view.deal.seat == view.seat or points_of(units, view.values) > view.rules.outside_points + ROUNDING
        return {"act": TAKE, **_fields(view, units)} if agrees else {"act": NO_DEAL}


def _fields(view: SeveralIssuesView, units: Sequence[int]) -> dict[str, Any]:
    return {field_of(good): count for good, count in zip(view.goods, units, strict=True)}


class Fair(Bargainer):
    """Asks for the division with the largest Nash product, as if the other seat had the mean of all possible values.

    It accepts what gives it as many points as this division. Source of the product: Nash (1950), "The bargaining
    problem", Econometrica 18(2), 155–162."""

    @override
    def demand(self, view: SeveralIssuesView) -> Units:
        return nash_division(view, possible_others(view).mean(axis=0))


class Greedy(Bargainer):
    """Asks for the whole pool in every turn, and accepts less only when it can submit no more."""

    @override
    def demand(self, view: SeveralIssuesView) -> Units:
        return view.counts


@dataclass
class Conceder(Bargainer):
    """Asks for the whole pool at first and for less in each turn, down to a share of its worth in the last one.

    Of the divisions that give it enough points, it asks for the one that is best for the other seat by the mean of all
    possible values. It accepts what gives it enough points in its turn."""

    floor: float = parameter(0.5, 0, 1, "the share of the worth of the pool that it asks for in the last turn")

    @override
    def demand(self, view: SeveralIssuesView) -> Units:
        enough = own_points(view) >= self._target(view) - ROUNDING
        other = other_points(view, possible_others(view).mean(axis=0))
        return best_division(view, np.where(enough, other, -np.inf), own_points(view))

    @override
    def is_enough(self, view: SeveralIssuesView, points: float) -> bool:
        return points >= self._target(view) - ROUNDING

    def _target(self, view: SeveralIssuesView) -> float:
        passed = (view.turn - 1) / (view.rules.turns - 1)
        return points_of(view.counts, view.values) * (1 - (1 - self.floor) * passed)


@dataclass
class Logroller(Bargainer):
    """Infers the other seat's priorities from the deals that it submits, and gives up what is worth more to the other.

    Values of the other seat are the more likely, the larger the share of the pool's worth that its demands have by
    them: the likelihood of a demand is exp(choosiness · share). It asks for the division with the largest Nash product
    under the mean of these beliefs, and accepts what gives it as many points. The name is that of Froman and Cohen
    (1970), "Compromise and logroll", Behavioral Science 15(2), 180–183."""

    choosiness: float = parameter(20.0, 0, 200, "how strongly a demand speaks for the values by which it is high")

    def beliefs(self, view: SeveralIssuesView) -> np.ndarray:
        """Return the probability of each of the other seat's possible values."""
        candidates = possible_others(view)
        worth = np.maximum(candidates @ np.array(view.counts), ROUNDING)
        demands = [move.units[move.seat] for move in view.history if move.units and move.seat != view.seat]
        logs = np.zeros(len(candidates))
        for demand in demands:
            logs += self.choosiness * (candidates @ np.array(demand)) / worth
        weights: np.ndarray = np.exp(logs - logs.max())
        weights /= weights.sum()
        return weights

    @override
    def demand(self, view: SeveralIssuesView) -> Units:
        return nash_division(view, self.beliefs(view) @ possible_others(view))


@dataclass
class WalkAway(Bargainer):
    """Asks for a share of the worth of its pool, and walks away from the first deal that gives it less.

    Of the divisions that give it enough, it asks for the one that is best for the other seat by the mean of all
    possible values. If both seats choose at once, it ends the talk and wants no deal."""

    least: float = parameter(0.5, 0, 1, "the share of the worth of the pool below which it walks away")

    @override
    def demand(self, view: SeveralIssuesView) -> Units:
        enough = own_points(view) >= self._least(view) - ROUNDING
        other = other_points(view, possible_others(view).mean(axis=0))
        return best_division(view, np.where(enough, other, -np.inf), own_points(view))

    @override
    def is_enough(self, view: SeveralIssuesView, points: float) -> bool:
        return points >= self._least(view) - ROUNDING

    @override
    def refusal(self, view: SeveralIssuesView, offer: float | None) -> str:
        if offer is None:
            return super().refusal(view, offer)
        return WALK_AWAY if WALK_AWAY in view.acts else END_TALK

    @override
    def _accepts(self, view: SeveralIssuesView, offer: float) -> bool:
        return self.is_enough(view, offer)

    @override
    def _choice(self, view: SeveralIssuesView) -> object:
        offer = self._offer(view)
        refuses = view.rules.agreement == CHOICES and offer is not None and not self.is_enough(view, offer)
        return {"act": NO_DEAL} if refuses else super()._choice(view)

    def _least(self, view: SeveralIssuesView) -> float:
        return self.least * points_of(view.counts, view.values)


STRATEGIES: Final[Registry[StrategyEntry]] = Registry("player")
"""The strategies that come with the game."""
_CLASSES: Final[tuple[type[Bargainer], ...]] = (Fair, Greedy, Conceder, Logroller, WalkAway)
for _class in _CLASSES:
    enter(STRATEGIES, entry_of(_class, _class.__name__))
