"""Types of conditional contribution: a mixture of tables, each with the probability of an amount by what the others
contributed on average in the last round. Every person has one type (Fischbacher, Gächter and Fehr 2001); shares and
tables are fitted by expectation–maximisation."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from ostrom.core.estimates import Floats

TYPES: Final = 4
ROUNDS: Final = 120
"""The number of steps of expectation–maximisation."""
PRIOR: Final = 2.0
"""The number of decisions with the mean distribution that are added to each cell."""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ContributionTypes:
    """Shares of types, and their tables (types, arms, cells, classes)."""

    shares: Floats
    tables: Floats

    def middle(self, arm: int) -> Floats:
        """Return the mean amount of each type by cell."""
        mean: Floats = self.tables[:, arm] @ np.arange(self.tables.shape[-1])
        return mean


def fit_types(
    person: Ints, arm: Ints, cell: Ints, chosen: Ints, legal: Floats, types: int = TYPES
) -> ContributionTypes:
    """Return the types that fit best. `arm` and `cell` index the table, `legal` (arms, classes) has the classes that
    the rules of an arm allow."""
    people, arms, cells, classes = person.max() + 1, len(legal), cell.max() + 1, legal.shape[1]
    counts = np.zeros((people, arms, cells, classes))
    np.add.at(counts, (person, arm, cell, chosen), 1.0)
    flat = counts.reshape(people, -1)
    pooled = counts.sum(axis=(0, 2)) + legal
    pooled = (pooled * legal / (pooled * legal).sum(axis=1, keepdims=True))[:, None]
    # The first members are sorted by the mean contribution of people, so that the fit does not depend on chance.
    totals = counts.sum(axis=(1, 2))
    mean = totals @ np.arange(classes) / totals.sum(axis=1)
    rank = np.argsort(np.argsort(mean, kind="stable"))
    member = np.eye(types)[np.minimum(rank * types // people, types - 1)] * 0.8 + 0.2 / types
    for _ in range(ROUNDS):
        sums = (member.T @ flat).reshape(types, arms, cells, classes) + PRIOR * pooled
        tables = sums / sums.sum(axis=-1, keepdims=True)
        shares = member.mean(axis=0)
        member = np.exp(_log_members(flat, shares, tables))
    return ContributionTypes(shares, tables)


def _log_members(flat: Floats, shares: Floats, tables: Floats) -> Floats:
    joint = np.log(np.maximum(shares, 1e-12)) + flat @ np.log(np.maximum(tables, 1e-12)).reshape(len(shares), -1).T
    log: Floats = joint - logsumexp(joint, axis=1, keepdims=True)
    return log


def type_forecast(fit: ContributionTypes, person: Ints, order: Ints, arm: Ints, cell: Ints, chosen: Ints) -> Floats:
    """Return the distribution of each decision (rows, classes), given the person's earlier decisions."""
    log = np.log(np.maximum(fit.tables, 1e-12))[:, arm, cell, chosen]
    place = np.lexsort((order, person))
    sums = np.cumsum(log[:, place], axis=1) - log[:, place]
    people = person[place]
    begins = np.concatenate(([True], people[1:] != people[:-1]))
    start = np.maximum.accumulate(np.where(begins, np.arange(len(people)), 0))
    earlier = np.empty_like(log)
    earlier[:, place] = sums - sums[:, start]
    joint = np.log(np.maximum(fit.shares, 1e-12))[:, None] + earlier
    weights = np.exp(joint - logsumexp(joint, axis=0))
    forecast: Floats = np.einsum("tr,trc->rc", weights, fit.tables[:, arm, cell])
    return forecast
