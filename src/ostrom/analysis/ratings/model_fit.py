"""Shows how well strengths explain results. There is a test of all pairs. The number of intransitive triads is compared
with the number expected by chance. The predictive log score of games left out of the fit is compared with the score if
all players were equal. If the model clearly fails, no order of the players describes who beats whom. If all pairs met,
the players are then ordered by their mean result against the other players, with equal weight for each opponent.
Otherwise there are no tiers."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ostrom.analysis.ratings.method import GameResults
from ostrom.analysis.ratings.methods.order_free import (
    Comparisons,
    Expected,
    OrderFree,
    comparisons,
    count_pairs,
    fit,
    order_free,
)
from ostrom.core.estimates import Floats

FOLDS: Final = 10
FAILS_BELOW: Final = 0.001
"""The model fails if two conditions hold. The probability of pairs that deviate at least as much from the model is
below this value, and the model's order of the players is of no use."""
MAX_INTRANSITIVE: Final = 0.125
"""The largest share of intransitive triads with which an order of players is of use. Results without any order have a
share of one quarter."""


@dataclass(frozen=True, slots=True)
class ModelFit:
    """The fit of strengths to results."""

    triads: int
    """The number of triples of players in which every two players met."""
    intransitive: int
    """The number of triples in which a is ahead of b, b ahead of c, and c ahead of a."""
    by_chance: float
    """The number of intransitive triples expected if the model holds."""
    chance: float | None
    """The probability, if the model holds, of results of pairs that deviate at least as much from it. None if too few
    pairs met to test the model."""
    score: float
    """The mean log probability of comparisons that were left out of the fit."""
    score_of_equals: float
    """The mean log probability of the same comparisons if all players are equal."""
    unmet: int = 0
    """The number of pairs of players that are linked by a chain of games but never met."""

    @property
    def by_share(self) -> bool:
        """True if players are ordered by their mean result against each other player, because no order describes who
        beats whom."""
        return self.fails and self.unmet == 0

    @property
    def without_order(self) -> bool:
        """True if players cannot be ordered, because no order describes who beats whom and some pairs never met."""
        return self.fails and self.unmet > 0

    @property
    def fails(self) -> bool:
        """True if no order of the players describes the results."""
        cyclic = self.intransitive > max(MAX_INTRANSITIVE * self.triads, 2 * self.by_chance + 1)
        return self.chance is not None and self.chance < FAILS_BELOW and (cyclic or self.score <= self.score_of_equals)

    @property
    def sentence(self) -> str:
        """A sentence that describes the fit."""
        tested = ""
        if self.chance is not None:
            p = "p < 0.001" if self.chance < FAILS_BELOW else f"p = {self.chance:.3f}"
            verdict = "rejects" if self.chance < 0.05 else "does not reject"
            tested = f"a test {verdict} that one strength per player explains the results of all pairs ({p}), "
        cycles = (
            f"{self.intransitive:,} of {self.triads:,} groups of three players are cyclic (A beats B, B beats C, "
            f"C beats A; {self.by_chance:.1f} expected by chance), "
            if self.triads
            else ""
        )
        fit = (
            f"Fit of the strengths: {tested}{cycles}mean log score of held-out comparisons {self.score:.3f} (if all "
            f"players were equal: {self.score_of_equals:.3f}; higher is better)."
        )
        return f"{fit} {BY_SHARE}" if self.by_share else fit


BY_SHARE: Final = (
    "No order of the players describes who beats whom, so tiers and ranks are of each player's mean result against the "
    "other players, who have equal weights."
)
EXPLAINED: Final = 0.1
"""The smallest probability of the pairs at which strengths count as explaining the results of all pairs."""


def strengths_of(results: GameResults) -> tuple[OrderFree, ModelFit]:
    """Return the strengths of a leaderboard's players and their fit. If earlier results decided which players met,
    pairs are weighted only if strengths do not explain their results. If strengths explain them, the strengths do not
    depend on the schedule, and all games are informative. Pairs are also weighted if the model fails. With equal
    numbers of meetings, the order of the strengths is that of the mean results, since the model's expected results have
    the same sums as the observed ones."""
    plain = replace(results, weighted=False)
    rating = order_free(plain)
    model = check_model(plain, rating)
    misfit = results.weighted and (model.chance is None or model.chance < EXPLAINED)
    if misfit or model.by_share:
        rating = order_free(replace(results, weighted=True))
    return rating, model


def check_model(results: GameResults, rating: OrderFree) -> ModelFit:
    """Return the fit of these strengths."""
    pairs = comparisons(results)
    names, every = len(rating.names), np.ones((1, results.games))
    met = count_pairs(pairs, every)[0][0]
    ahead = np.asarray((pairs.ahead @ every.T).reshape(names, names))
    lead = ahead - ahead.T
    nu = max(2 * rating.tie_chance / (1 - rating.tie_chance), np.finfo(float).tiny)
    expected = Expected.at(np.append(rating.theta, np.log(nu))[None])
    drift, tie = expected.drift[0], expected.tie[0]
    variance = 1 - tie - drift**2
    possible = np.where(variance * met > 0, variance * met, np.inf)
    before = _normal_share(met * drift / np.sqrt(possible)) * (met > 0)
    np.fill_diagonal(before, 0)
    beyond = (lead > 0).astype(float)
    return ModelFit(
        triads=round(np.trace(np.linalg.matrix_power((met > 0).astype(float), 3)) / 6),
        intransitive=round(np.trace(np.linalg.matrix_power(beyond, 3)) / 3),
        by_chance=float(np.trace(np.linalg.matrix_power(before, 3)) / 3),
        chance=_chance_of_pairs(lead, met, drift, tie),
        unmet=int(np.triu((rating.group[:, None] == rating.group) & (met == 0), 1).sum()),
        **_log_scores(results, pairs),
    )


def _normal_share(value: Floats) -> Floats:
    from scipy.special import ndtr

    return np.asarray(ndtr(value))


def _chance_of_pairs(lead: Floats, met: Floats, drift: Floats, tie: Floats) -> float | None:
    """Return the probability of squared residuals that are at least as large. It is computed from a gamma distribution
    with their mean and variance."""
    from scipy.special import gammaincc

    variance = 1 - tie - drift**2
    one, other = np.nonzero(np.triu((met > 0) & (variance > 0), 1))
    freedom = len(one) - len(lead)
    if freedom < 1:
        return None
    n, d, v, t = (table[one, other] for table in (met, drift, variance, tie))
    squares = (lead[one, other] - n * d) ** 2 / (n * v)
    won, lost = (1 - t + d) / 2, (1 - t - d) / 2
    fourth = won * (1 - d) ** 4 + lost * (1 + d) ** 4 + t * d**4
    spread = float(np.mean(2 + (fourth / v**2 - 3) / n)) * freedom
    return float(gammaincc(freedom**2 / spread, squares.sum() * freedom / spread))


def _log_scores(results: GameResults, pairs: Comparisons) -> dict[str, float]:
    """Return the mean log scores of comparisons. Each comparison is predicted from nine tenths of the units, which do
    not include this comparison."""
    units = results.units if len(np.unique(results.units)) >= FOLDS else np.arange(results.games)
    fold = units % FOLDS
    inside = (np.arange(FOLDS)[:, None] != fold).astype(float)
    fits = fit(pairs, inside)
    x = (fits.theta[:, :, None] - fits.theta[:, None, :]) / 2
    log_nu = fits.log_nu[:, None, None]
    whole = np.log(np.exp(x) + np.exp(-x) + np.exp(log_nu))
    shape = (FOLDS, pairs.names, pairs.names)
    ahead, tied = (np.asarray(part @ (1 - inside).T).T.reshape(shape) for part in (pairs.ahead, pairs.tied))
    number = ahead.sum() + tied.sum() / 2
    score = (ahead * (x - whole)).sum() + (tied * (log_nu - whole)).sum() / 2
    share = tied.sum() / 2 / number
    equals = sum(part * np.log(p) for part, p in ((share, share), (1 - share, (1 - share) / 2)) if part)
    return {"score": float(score / number), "score_of_equals": float(equals)}
