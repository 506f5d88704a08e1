"""The scores of tasks beyond the published battery.

The generalised axiom of revealed preference tests whether any utility function explains the bundles that a subject buys
at many budgets (Afriat 1967; Varian 1982). Afriat's critical cost efficiency index is the largest number e between 0
and 1 such that the choices are consistent if every budget is reduced to its share e (Afriat 1972).

Loss aversion and ambiguity aversion are the thresholds at which a subject changes its choice. They are estimated by
maximum likelihood with a logit choice rule."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

import numpy as np

from ostrom.games.battery.scores.answers import Facts, role_answers
from ostrom.games.battery.scores.cooperation import claim_by_bonus, contribution_by_multiplier, stag_by_hare
from ostrom.games.battery.scores.logit import ChoiceCounts, fit_theory
from ostrom.games.battery.scores.rationality import BatterySubject, exponent, m
from ostrom.games.battery.scores.reading import MIN_CHOICES
from ostrom.games.battery.scores.score import (
    DRAWS,
    Code,
    Flags,
    Floats,
    Human,
    Score,
    missing_parts,
    no_score,
    percent,
    score,
)
from ostrom.games.battery.scores.theories import Theory, threshold

HALVINGS = 20
_ROUNDING = 1e-9
MAX_NOISE = 0.5
"""The noise, relative to the larger amount, above which choices over the grid are practically random."""
_REACH = 1.96
"""Half the width of an interval, in standard errors."""
_further = partial(score, theme="further")


@_further("ccei", "Consistency of demand", 3, bounds=(0.0, 1.0))
def ccei(subject: BatterySubject) -> Score:
    """Afriat's efficiency over the budgets. It is 1 if no choices contradict each other (GARP).

    Every budget is asked once, so there is no interval. The reason says how often random choices are at least as
    efficient (Bronars 1987)."""
    purchases = _purchases(subject)
    if isinstance(purchases, Score):
        return purchases
    value = float(efficiency(purchases.prices, purchases.bundles[np.newaxis])[0])
    reach = float(np.mean(_random_consistency(purchases.prices.tobytes(), purchases.income.tobytes(), value)))
    reason = f"each budget is asked once: no interval; random choices reach this score in {percent(reach)} of draws"
    return Score(value, reason=reason)


@_further("ccei_power", "Power of the budgets", unit="%", bounds=(0.0, 100.0))
def ccei_power(subject: BatterySubject) -> Score:
    """The share of random choices, uniform on each budget line, that contradict each other on the same budgets (Bronars
    1987). The larger it is, the more a consistency of 1 says."""
    purchases = _purchases(subject)
    if isinstance(purchases, Score):
        return purchases
    violated = ~_random_consistency(purchases.prices.tobytes(), purchases.income.tobytes(), 1.0)
    return Score(100 * float(np.mean(violated)), reason=f"a share of {DRAWS:,} draws that are always the same")


class Purchases(NamedTuple):
    """Bundles with their prices. Each row is one budget."""

    prices: Floats
    income: Floats
    bundles: Floats


def _purchases(subject: BatterySubject) -> Purchases | Score:
    """Return the answers to budgets, or the reason not to score them."""
    answers = role_answers(subject, "garp", "allocator")
    if answers.fault is not None:
        return answers.fault
    if len(answers.answers) < 2:
        return no_score("one budget can contradict no other")
    prices = np.array([facts["prices"] for facts in answers.facts], dtype=np.float64)
    income = answers.numbers(lambda _, facts: facts["income"])
    first = answers.numbers(lambda amount, _: float(amount))
    return Purchases(prices, income, _bundles(prices, income, first))


def _bundles(prices: Floats, income: Floats, first: Floats) -> Floats:
    """Return the bundles of both goods, given the quantity of the first. The rest of the income is spent on the second
    good."""
    return np.stack([first, np.maximum(income - prices[:, 0] * first, 0.0) / prices[:, 1]], axis=-1)


@lru_cache(maxsize=64)
def _random_consistency(prices: bytes, income: bytes, level: float) -> Flags:
    """Return, for many draws of random choices on these budgets, whether the choices satisfy the axiom at this level of
    efficiency."""
    budgets, spent = np.frombuffer(prices).reshape(-1, 2), np.frombuffer(income)
    shares = np.random.default_rng(1987).random((DRAWS, len(budgets)))
    return _consistent(_costs(budgets, _bundles(budgets, spent, shares * spent / budgets[:, 0])), np.full(DRAWS, level))


def efficiency(prices: Floats, bundles: Floats) -> Floats:
    """Return Afriat's efficiency of each row of purchases, (samples, budgets, goods), by bisection. At efficiency e,
    bundle i is revealed preferred to bundle j if the cost of j at the prices of i is at most e times the spending on i.
    The axiom holds if no chain of such preferences leads back to a bundle that was affordable with money to spare."""
    ratio = _costs(prices, bundles)
    levels = np.ones(len(bundles))
    wasteful = ~_consistent(ratio, levels)
    low, high = np.zeros(int(np.sum(wasteful))), np.ones(int(np.sum(wasteful)))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        holds = _consistent(ratio[wasteful], middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    levels[wasteful] = low
    return levels


def _costs(prices: Floats, bundles: Floats) -> Floats:
    """Return the cost of bundle j at the prices of purchase i, relative to the spending on i: (samples, i, j)."""
    cost = np.einsum("ig,sjg->sij", prices, bundles)
    return np.asarray(cost / np.einsum("sii->si", cost)[:, :, np.newaxis])


def _consistent(ratio: Floats, level: Floats) -> Flags:
    """Return whether the axiom holds at each row's level of efficiency. The transitive closure is computed by
    Warshall's algorithm."""
    bound = level[:, np.newaxis, np.newaxis]
    reached, strictly = ratio <= bound + _ROUNDING, ratio < bound - _ROUNDING
    for through in range(ratio.shape[1]):
        reached |= reached[:, :, through, np.newaxis] & reached[:, np.newaxis, through, :]
    return np.asarray(~np.any(reached & strictly.transpose(0, 2, 1), axis=(1, 2)))


@_further("loss_aversion", "Loss aversion λ", 2, human=Human("Brown, Imai, Vieider, Camerer 2024", 1.955))
def loss_aversion(subject: BatterySubject) -> Score:
    """The weight of losses relative to gains, if value is linear in money.

    λ is estimated from even gambles, whose worth is (½·gain − λ·½·loss) ÷ the larger of gain and loss. A subject that
    accepts all gambles, or none, reveals only a bound. In this case there is no score, and the reason gives the
    bound."""
    always = "every gamble is taken: losses count at most {:.3g} times"
    never = "no gamble is taken: losses count at least {:.3g} times"
    return _loss_aversion(subject, 1.0, always, never)


def _loss_aversion(subject: BatterySubject, alpha: float, always: str, never: str) -> Score:
    def worth(facts: Facts) -> tuple[float, float]:
        stake = max(facts["gain"], facts["loss"])
        return 0.5 * (facts["gain"] / stake) ** alpha, 0.5 * (facts["loss"] / stake) ** alpha

    return _threshold(subject, "loss", "accept", worth, threshold("loss aversion", 0.0, 50.0), always, never)


@_further("loss_aversion_curved", "Loss aversion λ, curvature taken out", 2)
def loss_aversion_curved(subject: BatterySubject) -> Score:
    """The weight of losses relative to gains, if value is x^α on either side of 0. α = log2(1/m) is the curvature that
    the same subject shows in the risk task, since even gambles alone cannot distinguish curvature from loss
    aversion."""
    curvature = m(subject)
    if curvature.value is None:
        return missing_parts({"risk": curvature})
    alpha = float(exponent(curvature.value))
    estimate = _loss_aversion(subject, alpha, "every gamble is taken", "no gamble is taken")
    draws = subject.risk.m_draws if subject.risk else np.empty(0)
    if estimate.value is None or estimate.low is None or estimate.high is None or not len(draws):
        return estimate
    # λ is a power of the ratio of gain to loss at indifference. The exponent is α. Both the ratio and α have an error.
    more = float(np.log(estimate.value)) / alpha * float(np.std(exponent(draws))) * _REACH
    below, above = (np.hypot(np.log(max(end, 1e-3) / estimate.value), more) for end in (estimate.low, estimate.high))
    return Score(
        estimate.value, estimate.value * float(np.exp(-below)), estimate.value * float(np.exp(above)), estimate.reason
    )


@_further("ambiguity", "Ambiguity aversion", 3)
def ambiguity(subject: BatterySubject) -> Score:
    """One half minus the known chance that is as good as the unknown chance.

    The subtracted chance is the known chance at which both draws are chosen equally often. A subject that always takes
    the known chance, or always the unknown one, reveals only a bound, and has no score."""
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
    subject: BatterySubject, task: str, option: str, worth: Worth, theory: Theory, always: str, never: str
) -> Score:
    """Return the threshold θ with its interval, fitted to all choices. If the option is always or never chosen, θ lies
    beyond all tested values, and the score is missing."""
    answers = role_answers(subject, task, "chooser")
    if answers.fault is not None:
        return answers.fault
    places = [round(benefit / cost, 9) for benefit, cost in map(worth, answers.facts)]
    times = answers.answers.count(option)
    if times in (0, len(places)):
        return no_score(always.format(min(places)) if times else never.format(max(places)))
    cells: dict[tuple[float, float, int], list[int]] = {}
    for choice, facts, place in zip(answers.answers, answers.facts, answers.place.tolist(), strict=True):
        cells.setdefault((*worth(facts), place), []).append(choice == option)
    benefit, cost, conditions = np.array(list(cells), dtype=np.float64).T
    chosen, count = ([of(cell) for cell in cells.values()] for of in (sum, len))
    estimate = fit_theory(theory, ChoiceCounts.of(np.stack([benefit, -cost]), chosen, count, conditions))
    if estimate.noise > MAX_NOISE:
        if len(places) < MIN_CHOICES:
            few = f"{len(places)} choices hardly depend on what is offered: too few to tell noise from chance"
            return no_score(few, Code.UNDECIDED)
        return no_score("random: the choices hardly depend on what is offered", Code.RANDOM)
    score = estimate.parameters[0]
    return score if estimate.noise > 0 else _between(score, np.unique(benefit / cost))


def _between(score: Score, tested: Floats) -> Score:
    """Return the threshold of a subject that chooses without error at all tested values, with one possible exception.
    If the answers at one value differ, the fit places the threshold exactly there, although it may lie anywhere between
    the two neighbouring values. In this case the interval extends to these neighbours."""
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
