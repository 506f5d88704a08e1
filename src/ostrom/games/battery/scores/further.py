"""Consistency with the generalised axiom of revealed preference: could the bundles bought at many budgets be the
choices of anybody who maximises anything (Afriat 1967; Varian 1982)? If not, how much of every budget must be taken for
wasted until they could: Afriat's critical cost efficiency index (Afriat 1972).

Further axes: how much more losses count than gains, and what it is worth to know a chance. Both are the place at
which a subject changes its choice, found by maximum likelihood with a logit choice rule."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.games.battery.scores.fits import fitted
from ostrom.games.battery.scores.logit import Advantage, Choices
from ostrom.games.battery.scores.score import Flags, Floats, Score, drawn, once_each, with_interval, withheld
from ostrom.games.battery.scores.sheets import ONE_CONDITION, Sheet, Tasks, sheet

HALVINGS = 20
_ROUNDING = 1e-9


def ccei(tasks: Tasks) -> Score:
    """Afriat's efficiency from the budgets of the task: 1 where no choice contradicts another.

    The interval is that of budgets drawn again. Fewer budgets can only contradict each other less, so it lies at the
    value and above."""
    answers = sheet(tasks, "garp", "allocator")
    if answers.reason is not None:
        return withheld(answers.reason)
    if len(answers.answers) < 2:
        return withheld("one budget can contradict no other")
    prices = np.array([facts["prices"] for facts in answers.facts], dtype=np.float64)
    income = answers.numbers(lambda _, facts: facts["income"])
    first = answers.numbers(lambda amount, _: float(amount))
    bundles = np.stack([first, np.maximum(income - prices[:, 0] * first, 0.0) / prices[:, 1]], axis=1)
    value = float(efficiency(prices, bundles, np.ones((1, len(bundles)), dtype=bool))[0])
    if answers.conditions < 2:
        return Score(value, reason=ONE_CONDITION)
    kept = drawn(answers.conditions)[:, answers.place] > 0
    return with_interval(value, once_each(lambda rows: efficiency(prices, bundles, rows), kept))


def efficiency(prices: Floats, bundles: Floats, kept: Flags) -> Floats:
    """Afriat's efficiency of the purchases that each row of `kept` keeps, found by halving. At efficiency e, bundle i
    is revealed preferred to j where e times what was spent on i would have bought j; the axiom holds where no chain of
    such preferences leads back to a bundle that would have been bought with money to spare."""
    cost = prices @ bundles.T  # what bundle j costs at the prices of i
    ratio = cost / np.diag(cost)[:, np.newaxis]
    both = kept[:, :, np.newaxis] & kept[:, np.newaxis, :]
    found = np.ones(len(kept))
    wasteful = ~_consistent(ratio, both, found)
    both = both[wasteful]
    low, high = np.zeros(len(both)), np.ones(len(both))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        holds = _consistent(ratio, both, middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    found[wasteful] = low
    return found


def _consistent(ratio: Floats, both: Flags, level: Floats) -> Flags:
    """Whether the axiom holds at each row's level of efficiency; the closure is Warshall's."""
    bound = level[:, np.newaxis, np.newaxis]
    reached = (ratio <= bound + _ROUNDING) & both
    strictly = (ratio < bound - _ROUNDING) & both
    for through in range(len(ratio)):
        reached |= reached[:, :, through, np.newaxis] & reached[:, np.newaxis, through, :]
    return np.asarray(~np.any(reached & strictly.transpose(0, 2, 1), axis=(1, 2)))


MOST_NOISE = 0.5
"""Noise, in parts of the larger amount, above which no choice of the grid is made with any confidence."""


@dataclass(frozen=True, slots=True)
class FurtherScores:
    """What tasks beyond the published battery show."""

    ccei: Score
    """Afriat's critical cost efficiency index over the budgets: 1 is consistent."""
    loss_aversion: Score
    """λ, how many times a loss counts, if value is linear: a gamble is taken where gain > λ·loss."""
    ambiguity: Score
    """One half less the known probability that is as good as an unknown one: positive is averse to ambiguity."""


def further_scores(tasks: Tasks) -> FurtherScores:
    """The scores of a subject, from the events of its tasks by their names."""
    return FurtherScores(ccei(tasks), loss_aversion(tasks), ambiguity_premium(tasks))


@dataclass(frozen=True, slots=True)
class Threshold:
    """An option is worth its benefit less θ times its cost."""

    name: str
    low: float
    high: float

    @property
    def bounds(self) -> Floats:
        """Of θ."""
        return np.array([[self.low, self.high]])

    @property
    def starts(self) -> Floats:
        """Over the range, closer together where it is low."""
        return self.low + (self.high - self.low) * np.array([[0.02], [0.1], [0.3], [0.6]])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """Benefit − θ·cost."""
        benefit, cost = features
        return Advantage(benefit - parameters[:, :1] * cost, (np.broadcast_to(-cost, (len(parameters), len(cost))),))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """−θ·cost ≥ −benefit."""
        benefit, cost = features
        return -cost[:, np.newaxis], -benefit

    def reported(self, parameters: Floats) -> Floats:
        """As it is."""
        return parameters


def loss_aversion(tasks: Tasks) -> Score:
    """λ from even gambles, by the worth (½·gain − λ·½·loss) ÷ the larger of both. Who takes all gambles, or none, has
    shown only a bound: there is no score then, and the reason says which."""
    answers = sheet(tasks, "loss", "chooser")

    def worth(facts: Any) -> tuple[float, float]:
        stake = max(facts["gain"], facts["loss"])
        return 0.5 * facts["gain"] / stake, 0.5 * facts["loss"] / stake

    ratios = answers.numbers(lambda _, facts: facts["gain"] / facts["loss"])
    taken = answers.numbers(lambda choice, _: float(choice == "accept")) > 0
    if answers.reason is None and taken.all():
        return withheld(f"every gamble is taken: losses count at most {np.min(ratios):.3g} times")
    if answers.reason is None and not taken.any():
        return withheld(f"no gamble is taken: losses count at least {np.max(ratios):.3g} times")
    return _threshold(answers, "accept", worth, Threshold("loss aversion", 0.0, 50.0))


def ambiguity_premium(tasks: Tasks) -> Score:
    """½ less the matching probability: the known chance at which known and unknown are chosen equally often. Who always
    takes the known, or the unknown, chance has shown only a bound, and has no score."""
    answers = sheet(tasks, "ambiguity", "chooser")
    known = answers.numbers(lambda choice, _: float(choice == "known")) > 0
    chances = answers.numbers(lambda _, facts: facts["known_p"])
    if answers.reason is None and known.all():
        return withheld(f"the known chance is always taken: it is worth more from {np.min(chances):g} on")
    if answers.reason is None and not known.any():
        return withheld(f"the unknown chance is always taken: it is worth more than {np.max(chances):g}")
    matching = _threshold(answers, "known", lambda facts: (facts["known_p"], 1.0), Threshold("matching", 0.0, 1.0))
    if matching.value is None:
        return matching
    low, high = (None if end is None else 0.5 - end for end in (matching.high, matching.low))
    return Score(0.5 - matching.value, low, high, matching.reason)


def _threshold(answers: Sheet, option: str, worth: Callable[[Any], tuple[float, float]], model: Threshold) -> Score:
    """θ with its interval, from all choices; answers to the same question are counted together."""
    if answers.reason is not None:
        return withheld(answers.reason)
    cells: dict[tuple[float, float, int], list[int]] = {}
    for choice, facts, place in zip(answers.answers, answers.facts, answers.place.tolist(), strict=True):
        cells.setdefault((*worth(facts), place), []).append(choice == option)
    features = np.array([cell[:2] for cell in cells], dtype=np.float64).T
    chosen = np.array([sum(taken) for taken in cells.values()], dtype=np.float64)
    count = np.array([len(taken) for taken in cells.values()], dtype=np.float64)
    cluster = np.array([cell[2] for cell in cells], dtype=np.int64)
    found = fitted(model, Choices(features, chosen, count, cluster, answers.conditions))
    if found.noise > MOST_NOISE:
        return withheld("random: the choices hardly depend on what is offered")
    score = found.parameters[0]
    return score if found.noise > 0 else _between(score, np.unique(features[0] / features[1]))


def _between(score: Score, tested: Floats) -> Score:
    """The place of choices without any error, which all tested places but at most one confirm. Where the answers at one
    place differ, the theory takes both options for exactly as good there; all that is known is that the subject changes
    its choice between the places beside it."""
    assert score.value is not None
    assert score.low is not None
    assert score.high is not None
    if score.high - score.low > 1e-6:
        return score
    below, above = tested[tested < score.value - 1e-6], tested[tested > score.value + 1e-6]
    low, high = (float(below[-1]) if len(below) else score.low), (float(above[0]) if len(above) else score.high)
    return Score(score.value, low, high)
