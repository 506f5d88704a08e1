"""Conditional cooperation with differences between players that are partially pooled: each player has an own constant
and an own slope on the others' last mean, which are drawn from common distributions (Gelman and Hill 2007). It is
estimated by Markov chain Monte Carlo with NumPyro, an optional dependency (`pip install 'ostrom[bayes]'`)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import jax
import numpy as np
import numpyro
import numpyro.distributions as dist
import polars as pl
from numpyro.diagnostics import split_gelman_rubin
from numpyro.infer import MCMC, NUTS

from ostrom.analysis.fits.contributions import CONTRIBUTION, FURTHER, NextContributions, next_contributions
from ostrom.analysis.fits.psis import MAX_SHAPE, Floats, leave_one_out
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult, Member, Parameter, Score, scores_of
from ostrom.core.errors import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate

CHAINS: Final = 2
DRAWS: Final = 500
"""The draws of each chain, after an equal number of warm-up draws."""
MAX_RHAT: Final = 1.05
LEVEL: Final = 0.05
"""The p-value below which a posterior predictive check fails."""
MIN_PLAYERS: Final = 5
_TAIL: Final = (1 - CONFIDENCE) / 2
_NAMES: Final = {
    "constant": "constant",
    "own": "own last",
    "slope": "others' last mean",
    "sd constant": "deviation of players at the mean",
    "sd slope": "deviation of slopes",
    "residual": "residual deviation",
}


def fit_hierarchical(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the posterior distribution of the common coefficients and of their spread over players, each player's
    estimates, posterior predictive checks and leave-one-out scores. Raise InputError if the chains do not converge."""
    data = next_contributions(rows)
    if len(data.players) < MIN_PLAYERS:
        raise InputError(f"partial pooling needs at least {MIN_PLAYERS} players with decisions after a first round")
    scale = float(np.std(data.contribution)) or 1.0
    draws, rhat = _sample(data, scale, options.seed)
    expected = _expected(draws, data, scale)
    residual = scale * draws["residual"][:, np.newaxis]
    density = -0.5 * ((data.contribution - expected) / residual) ** 2 - np.log(residual * np.sqrt(2 * np.pi))
    left_out = leave_one_out(density)
    simulated = expected + residual * np.random.default_rng(options.seed).standard_normal(expected.shape)
    checks = _checks(data, simulated)
    failed = [name for name, check in checks.items() if check["p_value"] < LEVEL]
    unreliable = int((left_out.shape > MAX_SHAPE).sum())
    return FitResult(
        parameters=_parameters(draws, scale),
        members=_members(draws, data, scale),
        scores=_scores(data, left_out.log_density),
        decisions=len(data.contribution),
        units=len(data.players),
        unit="player",
        figures={"rhat": rhat, "checks": checks, "unreliable_left_out": unreliable},
        notes=[
            "Intervals are credible intervals. The score leaves out one decision at a time, by smoothed importance "
            f"sampling; for {unreliable:,} of {len(data.contribution):,} decisions it is not reliable.",
            f"The model does not reproduce {', '.join(failed)} of these data: read its figures with caution."
            if failed
            else f"The model reproduces all {len(checks)} statistics of these data that were checked.",
        ],
    )


def _sample(data: NextContributions, scale: float, seed: int) -> tuple[dict[str, Floats], float]:
    """Return the draws, and the largest ratio of the variance between chains to that within chains."""
    sampler = MCMC(
        NUTS(_model),
        num_warmup=DRAWS,
        num_samples=DRAWS,
        num_chains=CHAINS,
        progress_bar=False,
        chain_method="sequential",
    )
    center = float(np.mean(data.contribution))
    inputs = ((data.own_before - center) / scale, (data.others_before - center) / scale)
    outcome = (data.contribution - center) / scale
    sampler.run(jax.random.PRNGKey(seed), data.player, len(data.players), inputs, outcome)
    chains = sampler.get_samples(group_by_chain=True)
    rhat = max(float(np.max(split_gelman_rubin(np.asarray(values)))) for values in chains.values())
    if not rhat <= MAX_RHAT:
        raise InputError(f"the chains have not converged (R-hat {rhat:.2f}); the data determine too little")
    draws = {name: np.asarray(values, dtype=np.float64) for name, values in sampler.get_samples().items()}
    # The constant of contributions, which were centred: what is given if the own and the others' contributions were 0.
    slope = draws["slope"] + draws["own"]
    draws["constant"] = draws["constant"] + center / scale * (1 - slope)
    draws["slopes"] = draws["slope"][:, np.newaxis] + draws["sd slope"][:, np.newaxis] * draws["of slope"]
    own = draws["sd constant"][:, np.newaxis] * draws["of constant"]
    draws["constants"] = draws["constant"][:, np.newaxis] + own
    shift = (draws["slopes"] - draws["slope"][:, np.newaxis]) * center / scale
    draws["constants"] = draws["constants"] - shift
    return draws, rhat


def _model(player: Any, players: int, inputs: tuple[Any, Any], outcome: Any) -> None:
    """Define the model of standardised contributions."""
    constant = numpyro.sample("constant", dist.Normal(0, 1))
    own = numpyro.sample("own", dist.Normal(0, 1))
    slope = numpyro.sample("slope", dist.Normal(0, 1))
    spreads = [numpyro.sample(f"sd {name}", dist.HalfNormal(1)) for name in ("constant", "slope")]
    with numpyro.plate("players", players):
        of_constant = numpyro.sample("of constant", dist.Normal(0, 1))
        of_slope = numpyro.sample("of slope", dist.Normal(0, 1))
    residual = numpyro.sample("residual", dist.HalfNormal(1))
    expected = constant + spreads[0] * of_constant[player] + own * inputs[0]
    expected = expected + (slope + spreads[1] * of_slope[player]) * inputs[1]
    numpyro.sample("contribution", dist.Normal(expected, residual), obs=outcome)


def _expected(draws: Mapping[str, Floats], data: NextContributions, scale: float) -> Floats:
    """Return the expected contributions (draws, decisions)."""
    constants, slopes = scale * draws["constants"][:, data.player], draws["slopes"][:, data.player]
    return np.asarray(constants + draws["own"][:, np.newaxis] * data.own_before + slopes * data.others_before)


def _parameters(draws: Mapping[str, Floats], scale: float) -> list[Parameter]:
    """Return the common parameters. Constants and deviations of contributions are in tokens."""
    parameters = []
    for name, words in _NAMES.items():
        values = draws[name] * (1.0 if name in ("own", "slope", "sd slope") else scale)
        kind = "deviation" if name.startswith("sd ") or name == "residual" else "coefficient"
        parameters.append(Parameter(words, _estimate(values), float(values.std(ddof=1)), kind))
    return parameters


def _estimate(values: Floats) -> Estimate:
    low, high = np.quantile(values, [_TAIL, 1 - _TAIL])
    return Estimate(float(values.mean()), float(low), float(high))


def _members(draws: Mapping[str, Floats], data: NextContributions, scale: float) -> list[Member]:
    counts = np.bincount(data.player, minlength=len(data.players))
    constants, slopes = scale * draws["constants"].mean(axis=0), draws["slopes"].mean(axis=0)
    return [
        Member(name, int(counts[place]), {"constant": float(constants[place]), "slope": float(slopes[place])})
        for place, name in enumerate(data.players)
    ]


def _checks(data: NextContributions, simulated: Floats) -> dict[str, dict[str, float]]:
    """Return posterior predictive checks: statistics of the data, their simulated values and two-sided p-values."""
    place, count = data.player, np.bincount(data.player, minlength=len(data.players))

    def spread(values: Floats) -> float:
        return float((np.bincount(place, weights=values, minlength=len(count)) / count).std())

    statistics: Mapping[str, Callable[[Floats], Any]] = {
        "the mean": np.mean,
        "the deviation": np.std,
        "the deviation of players' means": spread,
        "the share of contributions of at most 0.5": lambda values: np.mean(values <= 0.5),
        "the share of contributions of everything": lambda values: np.mean(values >= data.endowment - 0.5),
    }
    checks = {}
    for name, statistic in statistics.items():
        observed = float(statistic(data.contribution))
        values = np.asarray([float(statistic(one)) for one in simulated])
        above, below = float(np.mean(values >= observed)), float(np.mean(values <= observed))
        low, high = (float(end) for end in np.quantile(values, [_TAIL, 1 - _TAIL]))
        p_value = min(1.0, 2 * min(above, below))
        checks[name] = {"observed": observed, "low": low, "high": high, "p_value": p_value}
    return checks


def _scores(data: NextContributions, left_out: Floats) -> list[Score]:
    """Return the leave-one-out log losses of one line for all players, and of the hierarchical model."""
    design = np.column_stack([np.ones(len(data.contribution)), data.own_before, data.others_before])
    products = np.linalg.pinv(design.T @ design)
    leverage = np.einsum("ij,jk,ik->i", design, products, design)
    residual = data.contribution - design @ (products @ (design.T @ data.contribution))
    without = residual / np.maximum(1 - leverage, 1e-9)
    freedom = max(len(residual) - design.shape[1] - 1, 1)
    squares = (residual**2).sum() - residual * without
    variance = np.maximum(squares / freedom, 1e-12)
    same = 0.5 * without**2 / (variance * (1 + leverage)) + 0.5 * np.log(2 * np.pi * variance * (1 + leverage))
    units = len(data.players)
    losses = {
        name: np.bincount(data.player, weights=loss, minlength=units).astype(np.float64)
        for name, loss in {"one line for all": same, "hierarchical": -left_out}.items()
    }
    return scores_of(losses, np.bincount(data.player, minlength=units).astype(np.float64))


HIERARCHICAL: Final = Estimator(
    "hierarchical",
    "A player's next contribution is linear in its own last one and in the others' last mean; constants and slopes of "
    "players are drawn from common distributions.",
    CONTRIBUTION,
    FURTHER,
    fit_hierarchical,
    classes=False,
)
