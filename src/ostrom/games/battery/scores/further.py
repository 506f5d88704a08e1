"""What tasks beyond the published battery show.

Consistency with the generalised axiom of revealed preference: could the bundles bought at many budgets be the choices
of anybody who maximises anything (Afriat 1967; Varian 1982)? If not, how much of every budget must be taken for wasted
until they could: Afriat's critical cost efficiency index (Afriat 1972).

How much more losses count than gains, and what it is worth to know a chance: both are the place at which a subject
changes its choice, found by maximum likelihood with a logit choice rule."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

import numpy as np

from ostrom.games.battery.scores.answers import Facts, sheet
from ostrom.games.battery.scores.cooperation import claim_by_bonus, contribution_by_multiplier, stag_by_hare
from ostrom.games.battery.scores.logit import Choices, fitted
from ostrom.games.battery.scores.rationality import Subject, exponent, m
from ostrom.games.battery.scores.score import (
    DRAWS,
    Code,
    Flags,
    Floats,
    Human,
    Score,
    lacking,
    percent,
    score,
    withheld,
)
from ostrom.games.battery.scores.theories import Theory, threshold

HALVINGS = 20
_ROUNDING = 1e-9
MOST_NOISE = 0.5
"""Noise, in parts of the larger amount, above which no choice of the grid is made with any confidence."""


_REACH = 1.96
"""Standard errors to either end of an interval."""
_further = partial(score, theme="further")


@_further("ccei", "Consistency of demand", 3)
def ccei(subject: Subject) -> Score:
    """Afriat's efficiency over the budgets: 1 where no choice contradicts another (GARP).

    Every budget is asked once, so there is no interval; what the figure is worth is said by how often choices at random
    reach it (Bronars 1987)."""
    found = _purchases(subject)
    if isinstance(found, Score):
        return found
    value = float(efficiency(found.prices, found.bundles[np.newaxis])[0])
    reach = float(np.mean(_at_random(found.prices.tobytes(), found.income.tobytes(), value)))
    reason = f"each budget is asked once: no interval; choices at random reach this in {percent(reach)} of draws"
    return Score(value, reason=reason)


@_further("ccei_power", "Power of the budgets", unit="%")
def ccei_power(subject: Subject) -> Score:
    """How often choices at random on the same budgets, uniform on each line, contradict each other (Bronars 1987): how
    much a consistency of 1 says."""
    found = _purchases(subject)
    if isinstance(found, Score):
        return found
    violated = ~_at_random(found.prices.tobytes(), found.income.tobytes(), 1.0)
    return Score(100 * float(np.mean(violated)), reason=f"a share of {DRAWS:,} draws that are always the same")


class Purchases(NamedTuple):
    """What was bought at which prices: a row a budget."""

    prices: Floats
    income: Floats
    bundles: Floats


def _purchases(subject: Subject) -> Purchases | Score:
    """The answers to budgets, or why they may not be scored."""
    answers = sheet(subject, "garp", "allocator")
    if answers.against is not None:
        return answers.against
    if len(answers.answers) < 2:
        return withheld("one budget can contradict no other")
    prices = np.array([facts["prices"] for facts in answers.facts], dtype=np.float64)
    income = answers.numbers(lambda _, facts: facts["income"])
    first = answers.numbers(lambda amount, _: float(amount))
    return Purchases(prices, income, _bundles(prices, income, first))


def _bundles(prices: Floats, income: Floats, first: Floats) -> Floats:
    """Both goods, given how much of the first; the rest is spent on the second."""
    return np.stack([first, np.maximum(income - prices[:, 0] * first, 0.0) / prices[:, 1]], axis=-1)


@lru_cache(maxsize=64)
def _at_random(prices: bytes, income: bytes, level: float) -> Flags:
    """Whether each of many draws of choices at random, on the budgets that these arrays hold, keeps the axiom at this
    level of efficiency."""
    each, spent = np.frombuffer(prices).reshape(-1, 2), np.frombuffer(income)
    shares = np.random.default_rng(1987).random((DRAWS, len(each)))
    return _consistent(_costs(each, _bundles(each, spent, shares * spent / each[:, 0])), np.full(DRAWS, level))


def efficiency(prices: Floats, bundles: Floats) -> Floats:
    """Afriat's efficiency of each row of purchases, (samples, budgets, goods), found by halving. At efficiency e,
    bundle i is revealed preferred to j where e times what was spent on i would have bought j; the axiom holds where no
    chain of such preferences leads back to a bundle that would have been bought with money to spare."""
    ratio = _costs(prices, bundles)
    found = np.ones(len(bundles))
    wasteful = ~_consistent(ratio, found)
    low, high = np.zeros(int(np.sum(wasteful))), np.ones(int(np.sum(wasteful)))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        holds = _consistent(ratio[wasteful], middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    found[wasteful] = low
    return found


def _costs(prices: Floats, bundles: Floats) -> Floats:
    """What bundle j costs at the prices of i, in parts of what was spent there: (samples, i, j)."""
    cost = np.einsum("ig,sjg->sij", prices, bundles)
    return np.asarray(cost / np.einsum("sii->si", cost)[:, :, np.newaxis])


def _consistent(ratio: Floats, level: Floats) -> Flags:
    """Whether the axiom holds at each row's level of efficiency; the closure is Warshall's."""
    bound = level[:, np.newaxis, np.newaxis]
    reached, strictly = ratio <= bound + _ROUNDING, ratio < bound - _ROUNDING
    for through in range(ratio.shape[1]):
        reached |= reached[:, :, through, np.newaxis] & reached[:, np.newaxis, through, :]
    return np.asarray(~np.any(reached & strictly.transpose(0, 2, 1), axis=(1, 2)))


@_further("loss_aversion", "Loss aversion λ", 2, human=Human("Brown, Imai, Vieider, Camerer 2024", 1.955))
def loss_aversion(subject: Subject) -> Score:
    """How many times a loss counts, value being linear.

    λ from even gambles, by the worth (½·gain − λ·½·loss) ÷ the larger of both. Who takes all gambles, or none, has
    shown only a bound: there is no score then, and the reason says which."""

    def worth(facts: Facts) -> tuple[float, float]:
        stake = max(facts["gain"], facts["loss"])
        return 0.5 * facts["gain"] / stake, 0.5 * facts["loss"] / stake

    always = "every gamble is taken: losses count at most {:.3g} times"
    never = "no gamble is taken: losses count at least {:.3g} times"
    return _threshold(subject, "loss", "accept", worth, threshold("loss aversion", 0.0, 50.0), always, never)


@_further("loss_aversion_curved", "Loss aversion λ, curvature taken out", 2)
def loss_aversion_curved(subject: Subject) -> Score:
    """The same with value x^α on either side of 0, α = log2(1/m) being the curvature that the same subject shows in the
    risk task: even gambles alone cannot tell it from loss aversion."""
    curvature = m(subject)
    if curvature.value is None:
        return lacking({"risk": curvature})
    alpha = float(exponent(curvature.value))

    def worth(facts: Facts) -> tuple[float, float]:
        stake = max(facts["gain"], facts["loss"])
        return 0.5 * (facts["gain"] / stake) ** alpha, 0.5 * (facts["loss"] / stake) ** alpha

    theory = threshold("loss aversion", 0.0, 50.0)
    found = _threshold(subject, "loss", "accept", worth, theory, "every gamble is taken", "no gamble is taken")
    draws = subject.risk.m_draws if subject.risk else np.empty(0)
    if found.value is None or found.low is None or found.high is None or not len(draws):
        return found
    # λ is the ratio of gain to loss at indifference, to the power α: both have an error.
    more = float(np.log(found.value)) / alpha * float(np.std(exponent(draws))) * _REACH
    below, above = (np.hypot(np.log(max(end, 1e-3) / found.value), more) for end in (found.low, found.high))
    return Score(found.value, found.value * float(np.exp(-below)), found.value * float(np.exp(above)), found.reason)


@_further("ambiguity", "Ambiguity aversion", 3)
def ambiguity(subject: Subject) -> Score:
    """One half less the known chance that is as good as an unknown one.

    That is the known chance at which both are chosen equally often. Who always takes the known, or the unknown, chance
    has shown only a bound, and has no score."""
    always = "the known chance is always taken: it is worth more from {:g} on"
    never = "the unknown chance is always taken: it is worth more than {:g}"
    theory = threshold("matching", 0.0, 1.0)
    matching = _threshold(subject, "ambiguity", "known", lambda facts: (facts["known_p"], 1.0), theory, always, never)
    if matching.value is None:
        return matching
    low, high = (None if end is None else 0.5 - end for end in (matching.high, matching.low))
    return Score(0.5 - matching.value, low, high, matching.reason)


Worth = Callable[[Facts], tuple[float, float]]


def _threshold(
    subject: Subject, task: str, option: str, worth: Worth, theory: Theory, always: str, never: str
) -> Score:
    """θ with its interval, from all choices; answers to the same question are counted together. Who takes the option
    always, or never, has shown only that θ lies beyond all places that were asked about."""
    answers = sheet(subject, task, "chooser")
    if answers.against is not None:
        return answers.against
    places = [round(benefit / cost, 9) for benefit, cost in map(worth, answers.facts)]
    taken = answers.answers.count(option)
    if taken in (0, len(places)):
        return withheld(always.format(min(places)) if taken else never.format(max(places)))
    cells: dict[tuple[float, float, int], list[int]] = {}
    for choice, facts, place in zip(answers.answers, answers.facts, answers.place.tolist(), strict=True):
        cells.setdefault((*worth(facts), place), []).append(choice == option)
    benefit, cost, conditions = np.array(list(cells), dtype=np.float64).T
    chosen, count = ([of(cell) for cell in cells.values()] for of in (sum, len))
    found = fitted(theory, Choices.of(np.stack([benefit, -cost]), chosen, count, conditions))
    if found.noise > MOST_NOISE:
        return withheld("random: the choices hardly depend on what is offered", Code.RANDOM)
    score = found.parameters[0]
    return score if found.noise > 0 else _between(score, np.unique(benefit / cost))


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


SCORES: Final = (
    ccei,
    ccei_power,
    loss_aversion,
    loss_aversion_curved,
    ambiguity,
    claim_by_bonus,
    stag_by_hare,
    contribution_by_multiplier,
)
