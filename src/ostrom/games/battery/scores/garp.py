"""Consistency with the generalised axiom of revealed preference: could the bundles bought at many budgets be the
choices of anybody who maximises anything (Afriat 1967; Varian 1982)? If not, how much of every budget must be taken for
wasted until they could: Afriat's critical cost efficiency index (Afriat 1972)."""

import numpy as np

from ostrom.games.battery.scores.bootstrap import drawn, once_each
from ostrom.games.battery.scores.score import Flags, Floats, Score, with_interval, withheld
from ostrom.games.battery.scores.sheets import ONE_CONDITION, Tasks, sheet

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
