"""Forecasters of contributions in repeated public goods, fitted on the rounds of a study and scored on its development
designs."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.forecasts.amount_network import AmountNetwork, fit_amounts
from ostrom.analysis.forecasts.contribution_types import ContributionTypes, fit_types, type_forecast
from ostrom.analysis.forecasts.matrix_models import fit_logistic
from ostrom.analysis.forecasts.scores import DecisionForecast
from ostrom.core.estimates import Floats
from ostrom.games.contributions.learned import (
    BINS,
    CLASSES,
    DesignNumbers,
    History,
    learned_inputs,
    point_inputs,
)
from ostrom.games.contributions.rules import DEDUCT, REWARD

NETWORK: Final = "network"
TYPES: Final = "types of conditional contribution"
OWN_TABLE: Final = "table by own last"
SMOOTHING: Final = 1.0
"""The number of decisions that are added to a cell of a table, spread evenly over all amounts."""
LEAST: Final = 1e-9
MAX_LEFT_KNOWN: Final = -1.0
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RoundData:
    """The contributions of people with what each of them knew before."""

    table: pl.DataFrame
    inputs: Floats
    """(rows, inputs) The inputs of the network."""
    past: History
    chosen: Ints
    arm: Ints
    """1 if only all or nothing was allowed, else 0."""
    person: Ints
    part: npt.NDArray[np.str_]
    design: npt.NDArray[np.int64]

    @property
    def legal(self) -> Floats:
        """(arms, classes) 1 for an amount that the rules allow."""
        legal = np.ones((2, CLASSES))
        legal[1, 1:-1] = 0.0
        return legal

    @property
    def later(self) -> Mask:
        """The decisions after the first round."""
        mask: Mask = self.table["round"].to_numpy() >= 2
        return mask

    @property
    def cell(self) -> Ints:
        """The cell of a type's table: 0 in the first round, then by the others' mean contribution."""
        cells: Ints = np.where(self.past.rounds > 0, 1 + np.digitize(self.past.others, BINS), 0)
        return cells


def round_data(table: pl.DataFrame) -> RoundData:
    """Return the given rounds of the table `rounds` of a study."""
    table = table.filter(pl.col("part") != "held-out").sort("game", "person", "round")
    by = ("game", "person")
    given, others = pl.col("contribution"), pl.col("others")

    def last(value: pl.Expr, ago: int = 1) -> pl.Expr:
        return value.cast(pl.Float64).shift(ago).over(*by)

    mean, ones = others.list.mean().fill_null(0.0), pl.int_range(pl.len()).over(*by)
    frame = table.select(
        rounds=ones,
        own=last(given),
        before=last(given, 2),
        others=last(mean),
        others_before=last(mean, 2),
        least=last(others.list.min()),
        most=last(others.list.max()),
        spread=last(others.list.std(ddof=0)),
        total=given.cum_sum().over(*by) - given,
        none=(given == 0).cast(pl.Int64).cum_sum().over(*by) - (given == 0).cast(pl.Int64),
        full=(given == 20).cast(pl.Int64).cum_sum().over(*by) - (given == 20).cast(pl.Int64),
        deducted=last(pl.col("suffered") / pl.col("punish_loss").fill_null(1)),
    )
    frame = frame.with_columns(
        before=pl.when(pl.col("rounds") >= 2).then("before").otherwise("own"),
        others_before=pl.when(pl.col("rounds") >= 2).then("others_before").otherwise("others"),
    ).fill_null(0.0)
    past = History(*(frame[name].cast(pl.Float64).to_numpy() for name in History._fields))
    inputs = np.stack(learned_inputs(designs_of(table), past), axis=1)
    return RoundData(
        table,
        inputs,
        past,
        table["contribution"].to_numpy().astype(np.int64),
        table["all_or_nothing"].to_numpy().astype(np.int64),
        np.unique((table["game"] + " " + table["person"]).to_numpy().astype(str), return_inverse=True)[1],
        table["part"].to_numpy().astype(str),
        np.unique(table["design"].to_numpy().astype(str), return_inverse=True)[1],
    )


def designs_of(table: pl.DataFrame) -> DesignNumbers:
    """Return the rules of each row's game as numbers."""

    def column(name: str) -> Floats:
        return table[name].cast(pl.Float64).fill_null(0.0).to_numpy()

    left = np.where(column("horizon") > 0, column("rounds") - column("round"), MAX_LEFT_KNOWN)
    names = ("seats", "multiplier", "chat", "punishment", "reward", "opt_out", "all_or_nothing", "horizon", "outcomes")
    strength = column("punish_loss") / (column("punish_cost") + 1e-9)
    return DesignNumbers(*[*(column(name) for name in names), strength, left])


def fit_network_of(data: RoundData, rows: Mask) -> AmountNetwork:
    """Return the network that is fitted on these decisions."""
    return fit_amounts(data.inputs[rows], data.chosen[rows], data.legal[data.arm[rows]])


def fit_types_of(data: RoundData, rows: Mask) -> ContributionTypes:
    """Return the types that are fitted on these decisions."""
    person = np.unique(data.person[rows], return_inverse=True)[1]
    return fit_types(person, data.arm[rows], data.cell[rows], data.chosen[rows], data.legal)


def score_amounts(data: RoundData, network: AmountNetwork, types: ContributionTypes) -> list[DecisionForecast]:
    """Return the forecasts of all forecasters for the development decisions after the first round. Network and types
    were fitted on the fitted part."""
    fitted, scored = (data.part == "fitted") & data.later, (data.part == "development") & data.later
    amount, own, others = data.chosen.astype(np.float64), data.past.own, data.past.others
    one = np.ones(len(amount))
    forecasts = [
        _distribution("mean", _table(data, fitted, None), data, scored, amount[fitted].mean() * one),
        DecisionForecast(
            "median",
            middle=np.full(scored.sum(), np.median(amount[fitted])),
            mean=one[scored] * np.median(amount[fitted]),
        ),
        DecisionForecast("others' last mean", middle=others[scored], mean=others[scored]),
    ]
    forecasts.append(_linear("linear", np.stack([one, own, others], axis=1), amount, fitted, scored))
    wide = np.column_stack([one, _eighteen(data)])
    forecasts.append(_linear("linear, 18 features", wide, amount, fitted, scored))
    by_own = _distribution(OWN_TABLE, _table(data, fitted, own.astype(np.int64)), data, scored)
    forecasts.append(DecisionForecast("own last", middle=own[scored], mean=own[scored]))
    forecasts.append(by_own)
    both = own.astype(np.int64) * (len(BINS) + 1) + np.digitize(others, BINS)
    forecasts.append(_distribution("table by own last and others' last mean", _table(data, fitted, both), data, scored))
    given = type_forecast(types, data.person, data.past.rounds.astype(np.int64), data.arm, data.cell, data.chosen)
    forecasts.append(_distribution(TYPES, given, data, scored))
    forecasts.append(_distribution(NETWORK, network.chances(data.inputs, data.legal[data.arm]), data, scored))
    return forecasts


def _table(data: RoundData, fitted: Mask, key: Ints | None) -> Floats:
    """Return a table's forecast: the distribution by arm and key."""
    key = np.zeros(len(data.chosen), dtype=np.int64) if key is None else key
    counts = np.zeros((2, key.max() + 1, CLASSES))
    np.add.at(counts, (data.arm[fitted], key[fitted], data.chosen[fitted]), 1.0)
    counts = counts + SMOOTHING * (data.legal / data.legal.sum(axis=1, keepdims=True))[:, None]
    forecast: Floats = (counts / counts.sum(axis=-1, keepdims=True))[data.arm, key]
    return forecast


def _distribution(
    name: str, chances: Floats, data: RoundData, scored: Mask, mean: Floats | None = None
) -> DecisionForecast:
    own, chosen = chances[scored], data.chosen[scored]
    losses = -np.log(np.maximum(own[np.arange(len(chosen)), chosen], LEAST))
    if mean is not None:
        return DecisionForecast(name, losses, middle=mean[scored], mean=mean[scored])
    middle = (own.cumsum(axis=1) >= 0.5).argmax(axis=1).astype(np.float64)
    return DecisionForecast(name, losses, middle=middle, mean=own @ np.arange(CLASSES))


def _linear(name: str, inputs: Floats, amount: Floats, fitted: Mask, scored: Mask) -> DecisionForecast:
    weights = np.linalg.lstsq(inputs[fitted], amount[fitted], rcond=None)[0]
    forecast = (inputs @ weights)[scored]
    text = ", ".join(f"{weight:.4f}" for weight in weights) if len(weights) <= 3 else ""
    return DecisionForecast(name, middle=forecast, mean=forecast, parameters=text)


def _eighteen(data: RoundData) -> Floats:
    past, design = data.past, designs_of(data.table)
    columns = [
        past.own,
        past.before,
        past.others,
        past.least,
        past.most,
        past.spread,
        past.deducted > 0,
        design.multiplier / design.seats,
        np.log(design.seats),
        *design[2:9],
        past.rounds + 1,
        design.left == 0,
    ]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def fit_points(table: pl.DataFrame) -> dict[str, list[list[float]]]:
    """Return the weights of the chance that a seat gives points to another seat, and the chance of each further point,
    for each kind."""
    kinds = {DEDUCT: ("punishment", "deducted_from", "punish_loss"), REWARD: ("reward", "rewarded_to", "reward_gain")}
    fits: dict[str, list[list[float]]] = {}
    for kind, (allowed, column, worth) in kinds.items():
        rows = table.filter(pl.col(allowed) & (pl.col("others").list.len() > 0))
        rows = rows.with_columns(mean=pl.col("others").list.mean()).explode("others", column)
        units = (rows[column] / rows[worth]).to_numpy()
        last = (rows["horizon"] & (rows["round"] == rows["rounds"])).cast(pl.Float64).to_numpy()
        target, own, mean = (rows[name].to_numpy() / 20 for name in ("others", "contribution", "mean"))
        inputs = np.stack(point_inputs(own, target, mean, last))
        gives = units > 0
        weights = fit_logistic(inputs, gives.astype(np.float64), np.ones(len(gives)), 1e-5)
        more = 1 - 1 / max(1.0, float(units[gives].mean())) if gives.any() else 0.0
        fits[kind] = [weights.tolist(), [min(max(more, 1e-6), 0.99)]]
    return fits
