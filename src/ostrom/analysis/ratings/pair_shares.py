"""The net results of all pairs of players, for rating methods that take the results as a zero-sum game between the
players themselves."""

from dataclasses import dataclass

import numpy as np

from ostrom.analysis.ratings.method import GameResults
from ostrom.analysis.ratings.methods.order_free import comparisons, count_pairs
from ostrom.core import InputError
from ostrom.core.estimates import Estimate, Floats


@dataclass(frozen=True, eq=False)
class ShareFit:
    """The shares of players, which sum to 1."""

    names: tuple[str, ...]
    shares: Floats
    """(names,)"""
    reason: str
    """The reason why shares have no intervals."""

    @property
    def estimates(self) -> dict[str, Estimate]:
        return {
            name: Estimate(float(share), reason=self.reason)
            for name, share in zip(self.names, self.shares, strict=True)
        }


def net_shares(results: GameResults) -> Floats:
    """Return how much more often the row's player ends ahead of the column's than behind it, as a share of their
    comparisons, (names, names). Raises `InputError` if some players never met."""
    pairs = comparisons(results)
    met = count_pairs(pairs, np.ones((1, results.games)))[0][0]
    ahead = np.asarray(pairs.ahead.sum(axis=1)).reshape(pairs.names, pairs.names)
    apart = (met == 0) & ~np.eye(pairs.names, dtype=bool)
    if apart.any():
        one, other = np.argwhere(apart)[0]
        raise InputError(
            f"this rating method needs results of every pair of players, and {results.names[one]} and "
            f"{results.names[other]} never met"
        )
    return np.asarray(np.divide(ahead - ahead.T, met, out=np.zeros_like(ahead), where=met > 0))
