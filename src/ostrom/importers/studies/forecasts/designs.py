"""The designs of a study of public goods as terms of a regression, and its forecasts of a game's mean."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.forecasts.levels import COVERAGES, LevelForecast, check_coverage, fit_level
from ostrom.core.estimates import Floats, clustered_mean
from ostrom.games.contributions.rules import ALL_OR_NOTHING, OPT_OUT, ContributionsRules

TERMS: Final = (
    *("chat", "punishment", "chat and punishment", "reward", "opt-out", "all-or-nothing", "known end"),
    *("outcomes shown", "multiplier", "multiplier per seat", "seats (log)", "rounds", "loss per token of punishment"),
    "gain per token of reward",
)
LEAST_GAMES: Final = 60
"""The smallest number of games with a round for which this round has a forecast."""
SHARE, EARNINGS = "share", "earnings"
_STATES: Final = ("chat", "punishment", "reward", "opt_out", "all_or_nothing", "horizon", "outcomes")


@dataclass(frozen=True, eq=False)
class GameMeans:
    """The games of a study: their terms, means and parts of the split."""

    terms: Floats
    design: npt.NDArray[np.int64]
    part: npt.NDArray[np.str_]
    arm: npt.NDArray[np.int64]
    """Twice chat plus punishment."""
    share: Floats
    """The mean part of the endowment that was contributed."""
    earnings: Floats
    """The mean gain over the endowment per seat and round, as a part of what full contribution gains."""
    rounds: dict[int, Floats]
    """The mean share in each round; NaN for a game without the round."""


def game_means(table: pl.DataFrame) -> GameMeans:
    """Return the games of the given rounds of a study."""
    table = table.filter(pl.col("part") != "held-out")
    rules = (*_STATES, "multiplier", "seats", "rounds", "punish_cost", "punish_loss", "reward_cost", "reward_gain")
    games = (
        table.group_by("game")
        .agg(
            pl.col("contribution").mean().alias("share") / 20,
            pl.col("payoff").mean().alias("payoff"),
            *(pl.col(name).first() for name in ("design", "part", *rules)),
        )
        .sort("game")
    )
    columns = {name: games[name].cast(pl.Float64).fill_null(0.0).to_numpy() for name in rules}
    by_round = (
        table.group_by("game", "round")
        .agg(pl.col("contribution").mean().alias("share") / 20)
        .pivot("round", index="game")
    ).sort("game")
    rounds = {
        int(name): by_round[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        for name in by_round.columns
        if name != "game"
    }
    return GameMeans(
        terms_of(columns),
        np.unique(games["design"].to_numpy().astype(str), return_inverse=True)[1],
        games["part"].to_numpy().astype(str),
        (2 * columns["chat"] + columns["punishment"]).astype(np.int64),
        games["share"].to_numpy(),
        ((games["payoff"].cast(pl.Float64) - 20) / (20 * (games["multiplier"] - 1))).to_numpy(),
        dict(sorted(rounds.items())),
    )


def terms_of(columns: dict[str, Any]) -> Floats:
    """Return the terms (games, 14) of designs."""
    one = np.asarray(columns["chat"]) * 0.0 + 1.0
    strength = columns["punishment"] * columns["punish_loss"] / np.maximum(columns["punish_cost"], 1e-9)
    gain = columns["reward"] * columns["reward_gain"] / np.maximum(columns["reward_cost"], 1e-9)
    terms: Floats = np.stack(
        [
            one * columns["chat"],
            columns["punishment"],
            columns["chat"] * columns["punishment"],
            *(columns[name] for name in _STATES[2:]),
            columns["multiplier"],
            columns["multiplier"] / columns["seats"],
            np.log(columns["seats"]),
            columns["rounds"],
            np.where(columns["punishment"] > 0, strength, 0.0),
            np.where(columns["reward"] > 0, gain, 0.0),
        ],
        axis=1,
    )
    return terms


def terms_of_rules(rules: ContributionsRules, seats: int) -> Floats:
    """Return the terms of one game."""
    values = {
        "chat": rules.messages,
        "punishment": rules.punishment,
        "reward": rules.reward,
        "opt_out": rules.default == OPT_OUT,
        "all_or_nothing": rules.contribution == ALL_OR_NOTHING,
        "horizon": rules.last_round is not None,
        "outcomes": rules.show_outcomes,
        "seats": seats,
        **{name: getattr(rules, name) for name in ("multiplier", "rounds", "punish_cost", "punish_loss")},
        **{name: getattr(rules, name) for name in ("reward_cost", "reward_gain")},
    }
    return terms_of({name: np.asarray([float(value)]) for name, value in values.items()})


def score_levels(means: GameMeans) -> list[dict[str, Any]]:
    """Return the errors of forecasts of a development game's mean share, fitted on the other games."""
    scored = means.part == "development"
    fitted, truth = ~scored, means.share[scored]
    arms = np.asarray([means.share[fitted & (means.arm == arm)].mean() for arm in range(4)])
    ridge = fit_level(means.terms[fitted], means.share[fitted], means.design[fitted])
    forecasts = {
        "mean": np.full(len(truth), means.share[fitted].mean()),
        "by chat and punishment": arms[means.arm[scored]],
        "ridge on 14 terms": ridge.forecast(means.terms[scored]),
    }
    return [
        {"forecaster": name, "square": float(np.sqrt(np.mean((one - truth) ** 2))), "games": len(truth)}
        for name, one in forecasts.items()
    ]


def fit_levels(means: GameMeans) -> dict[str, Any]:
    """Return the forecasts of a game's mean share, its earnings and its share in each round, fitted on all given games,
    with the coverage of their intervals, as plain data."""
    outcomes = {SHARE: means.share, EARNINGS: means.earnings}
    fits: dict[str, Any] = {}
    for name, values in outcomes.items():
        checks, held_out = check_coverage(means.terms, values, means.design)
        fits[name] = {
            **fit_level(means.terms, values, means.design).as_data(),
            "error": float(np.sqrt(np.mean((held_out - values) ** 2))),
            "coverage": [{"stated": one.coverage, **one.covered.as_record(), "width": one.width} for one in checks],
        }
    rounds: dict[str, Any] = {}
    for number, values in means.rounds.items():
        here = np.isfinite(values)
        if here.sum() >= LEAST_GAMES:
            fit: LevelForecast = fit_level(means.terms[here], values[here], means.design[here])
            rounds[str(number)] = fit.as_data()
    return {
        "noise": noise_of(means),
        "effect": effect_of(means),
        "levels": fits,
        "rounds": rounds,
        "terms": list(TERMS),
        "designs": np.round(means.terms, 6).tolist(),
        "games": len(means.share),
        "groups": len(np.unique(means.design)),
    }


def noise_of(means: GameMeans) -> dict[str, float]:
    """Return the standard deviation of games' mean shares within a design and arm, and the number of games. Designs
    that were played only once in an arm are left out."""
    keys = np.stack([means.design, means.arm], axis=1)
    groups, place, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    several = counts > 1
    squares = np.zeros(len(groups))
    averages = np.bincount(place, weights=means.share) / counts
    np.add.at(squares, place, (means.share - averages[place]) ** 2)
    freedom = int((counts[several] - 1).sum())
    deviation = float(np.sqrt(squares[several].sum() / freedom)) if freedom else float("nan")
    return {"deviation": round(deviation, 6), "freedom": freedom}


def effect_of(means: GameMeans) -> dict[str, Any]:
    """Return the effects of punishment on the share in designs that were played with and without it: their mean and
    spread, and how often intervals for a difference of two games, made without the design, held the difference."""
    arms: dict[int, dict[int, list[int]]] = {}
    for place, (design, arm) in enumerate(zip(means.design.tolist(), (means.arm % 2).tolist(), strict=True)):
        arms.setdefault(design, {}).setdefault(arm, []).append(place)
    both = {design: arm for design, arm in arms.items() if len(arm) == 2}
    effects = {design: float(means.share[arm[1]].mean() - means.share[arm[0]].mean()) for design, arm in both.items()}
    hits: dict[float, list[float]] = {coverage: [] for coverage in COVERAGES}
    for design, arm in both.items():
        out = means.design == design
        fit = fit_level(means.terms[~out], means.share[~out], means.design[~out])
        error = effects[design] - float(
            fit.forecast(means.terms[arm[1][:1]])[0] - fit.forecast(means.terms[arm[0][:1]])[0]
        )
        for coverage in COVERAGES:
            low, high = difference_bounds(fit.errors, coverage)
            hits[coverage].append(float(low <= error <= high))
    values = np.asarray(list(effects.values()))
    ones = np.ones(len(values), dtype=np.int64)
    return {
        "designs": len(values),
        "mean": float(values.mean()),
        "spread": float(values.std(ddof=1)),
        "coverage": [
            {"stated": stated, **clustered_mean(np.asarray(held), ones).as_record()} for stated, held in hits.items()
        ],
    }


def difference_bounds(errors: Floats, coverage: float) -> tuple[float, float]:
    """Return bounds for the error of a difference of two games: the quantiles of the differences of all pairs."""
    pairs = (errors[:, None] - errors[None]).ravel()
    tail = (1 - coverage) / 2
    return float(np.quantile(pairs, tail)), float(np.quantile(pairs, 1 - tail))
