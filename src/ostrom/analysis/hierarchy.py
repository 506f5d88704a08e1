"""A hierarchical model of finals with crossed random effects: players, co-players, seats, games, seeds and any other
column of games. It is estimated by Markov chain Monte Carlo (NUTS; Gelman and Hill 2007). This module needs NumPyro, an
optional dependency (`pip install 'ostrom[bayes]'`), so the module is imported only when it is used.

The model separates the effect of a player from the effects of its co-players, seats and games. The estimate for a
player is its expected final among average co-players, in an average seat and game. Posterior predictive checks test
whether games simulated from the model resemble the observed games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jax
import numpy as np
import numpy.typing as npt
import numpyro
import numpyro.distributions as dist
import polars as pl
from numpyro.diagnostics import split_gelman_rubin
from numpyro.infer import MCMC, NUTS

from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate

Floats = npt.NDArray[np.float64]
CHAINS: Final = 2
MAX_RHAT: Final = 1.05
"""The limit for convergence. Chains count as converged if the ratio of the variance between chains to the variance
within chains (Gelman and Rubin 1992) does not exceed this limit."""
RESIDUAL: Final = "residual"
PLAYER, CO_PLAYER = "player", "co-player"
_TAIL: Final = (1 - CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Check:
    """A posterior predictive check. It has a statistic of the observed games, and the share of simulated games in which
    its value is at least as high."""

    statistic: str
    observed: float
    simulated: Estimate
    p_value: float
    """A p-value with two sides. It is twice the smaller of two shares of simulated games: those whose value is at least
    the observed one, and those whose value is at most the observed one."""


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The fit of the model."""

    players: Mapping[str, Estimate]
    """The expected final of each player among average co-players."""
    deviations: Mapping[str, Estimate]
    """The standard deviation of each effect, and of the residual."""
    checks: Sequence[Check]
    rhat: float
    """The greatest ratio of the variance between chains to the variance within chains, over all parameters."""
    seats: int
    """The number of finals to which the model was fitted."""


def fit(tables: GameTables, factors: Sequence[str] = (), *, seed: int = 0, draws: int = 500) -> Hierarchy:
    """Return the fit to the finals of these games. An effect is left out if it has a single level, a different level
    for every final, or the same levels as another effect. Raises InputError if there are too few finals, a factor is
    unknown, or the chains do not converge."""
    unknown = [name for name in factors if name not in tables.games.columns]
    if unknown:
        raise InputError(f"games have no column {unknown[0]!r}; they have {', '.join(tables.games.columns)}")
    rows = tables.seats.drop_nulls("final").join(tables.games.select("game", *dict.fromkeys(factors)), on="game")
    if rows["game"].n_unique() < 6 or rows["player"].n_unique() < 2:
        raise InputError("a hierarchical model needs at least 6 games and 2 players with finals")
    finals = rows["final"].cast(pl.Float64).to_numpy()
    scale = float(np.std(finals)) or 1.0
    center = float(np.mean(finals))
    levels = _levels(rows, (PLAYER, "seat", "game", *factors))
    names = rows[PLAYER].unique().sort().to_list()
    weights = _co_players(rows, names)
    sampler = MCMC(
        NUTS(_model),
        num_warmup=draws,
        num_samples=draws,
        num_chains=CHAINS,
        progress_bar=False,
        chain_method="sequential",
    )
    sampler.run(jax.random.PRNGKey(seed), levels, weights, (finals - center) / scale)
    chains = sampler.get_samples(group_by_chain=True)
    rhat = max(float(np.max(split_gelman_rubin(np.asarray(values)))) for values in chains.values())
    if not rhat <= MAX_RHAT:
        raise InputError(f"the chains have not converged (R-hat {rhat:.2f}); draw more")
    samples = {name: np.asarray(values, dtype=np.float64) for name, values in sampler.get_samples().items()}
    effects = samples["mean"][:, np.newaxis] + samples["sd player"][:, np.newaxis] * samples["player"]
    spreads = {name.removeprefix("sd "): scale * values for name, values in samples.items() if name.startswith("sd ")}
    simulated = center + scale * _simulate(samples, levels, weights, np.random.default_rng(seed))
    return Hierarchy(
        {name: _estimate(center + scale * effects[:, place]) for place, name in enumerate(names)},
        {name: _estimate(values) for name, values in spreads.items()},
        _checks(finals, simulated, levels[PLAYER], levels.get("game")),
        rhat,
        len(finals),
    )


def _levels(rows: pl.DataFrame, columns: Sequence[str]) -> dict[str, npt.NDArray[np.int64]]:
    """Return the number of the level of each row, for every effect that the data can separate from the other
    effects."""
    levels: dict[str, npt.NDArray[np.int64]] = {}
    for name in dict.fromkeys(columns):
        number = np.unique(rows[name].fill_null("").cast(pl.String).to_numpy(), return_inverse=True)[1]
        count = int(np.max(number)) + 1
        same = any(
            len(np.unique(number * len(number) + other)) == count == np.max(other) + 1 for other in levels.values()
        )
        if name == PLAYER or (1 < count < len(number) and not same):
            levels[name] = number.astype(np.int64)
    return levels


def _co_players(rows: pl.DataFrame, names: Sequence[str]) -> Floats:
    """Return the share of each player among the co-players of each seat: (rows, players). A seat without co-players has
    zeros."""
    place = {name: number for number, name in enumerate(names)}
    own = np.eye(len(names))[[place[name] for name in rows[PLAYER]]]
    game = np.unique(rows["game"].to_numpy(), return_inverse=True)[1]
    totals = np.zeros((int(np.max(game)) + 1, len(names)))
    np.add.at(totals, game, own)
    others = totals[game] - own
    return np.asarray(others / np.maximum(np.sum(others, axis=1, keepdims=True), 1))


def _model(levels: Mapping[str, Any], weights: Any, finals: Any) -> None:
    """Define the model: standardised finals are a sum of effects, each with its own standard deviation, and a normal
    residual."""
    expected = numpyro.sample("mean", dist.Normal(0, 1))
    for name, number in levels.items():
        spread = numpyro.sample(f"sd {name}", dist.HalfNormal(1))
        with numpyro.plate(f"levels of {name}", int(np.max(number)) + 1):
            effect = numpyro.sample(name, dist.Normal(0, 1))
        expected = expected + spread * effect[number]
    spread = numpyro.sample(f"sd {CO_PLAYER}", dist.HalfNormal(1))
    with numpyro.plate("co-players", weights.shape[1]):
        effect = numpyro.sample(CO_PLAYER, dist.Normal(0, 1))
    residual = numpyro.sample(f"sd {RESIDUAL}", dist.HalfNormal(1))
    numpyro.sample("finals", dist.Normal(expected + spread * (weights @ effect), residual), obs=finals)


def _simulate(
    samples: Mapping[str, Floats], levels: Mapping[str, npt.NDArray[np.int64]], weights: Floats, chance: Any
) -> Floats:
    """Return simulated finals (draws, rows). Players and seats are the observed ones, but the effects of games are
    drawn anew."""
    expected = np.repeat(samples["mean"][:, np.newaxis], len(weights), axis=1)
    for name, number in levels.items():
        effect = chance.standard_normal(samples[name].shape) if name == "game" else samples[name]
        expected += samples[f"sd {name}"][:, np.newaxis] * effect[:, number]
    expected += samples[f"sd {CO_PLAYER}"][:, np.newaxis] * (samples[CO_PLAYER] @ weights.T)
    noise = samples[f"sd {RESIDUAL}"][:, np.newaxis] * chance.standard_normal(expected.shape)
    return np.asarray(expected + noise)


def _checks(finals: Floats, simulated: Floats, player: Any, game: Any) -> list[Check]:
    def skewness(values: Floats) -> Floats:
        gaps = values - np.mean(values, axis=-1, keepdims=True)
        return np.asarray(np.mean(gaps**3, axis=-1) / np.maximum(np.mean(gaps**2, axis=-1), 1e-12) ** 1.5)

    def between(group: Any) -> Any:
        sizes = np.bincount(group)
        indicator = np.eye(len(sizes))[group] / sizes[group][:, np.newaxis]
        return lambda values: np.std(values @ indicator, axis=-1)

    statistics: dict[str, Any] = {
        "standard deviation": lambda values: np.std(values, axis=-1),
        "skewness": skewness,
        "least final": lambda values: np.min(values, axis=-1),
        "greatest final": lambda values: np.max(values, axis=-1),
        "between players": between(player),
    }
    if game is not None:
        statistics["between games"] = between(game)
    checks = []
    for name, statistic in statistics.items():
        observed, draws = float(statistic(finals)), statistic(simulated)
        above = float(np.mean(draws >= observed))
        checks.append(Check(name, observed, _estimate(draws), min(1.0, 2 * min(above, 1 - above))))
    return checks


def _estimate(draws: Floats) -> Estimate:
    """Return the posterior mean with its central interval."""
    low, high = np.quantile(draws, [_TAIL, 1 - _TAIL])
    return Estimate(float(np.mean(draws)), float(low), float(high))
