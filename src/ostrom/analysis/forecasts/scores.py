"""Scores of forecasters on decisions that they were not fitted on, compared pairwise. Intervals are clustered by game
or design, because all decisions of one design are forecast well or badly together."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ostrom.core.estimates import Estimate, Floats, clustered_mean
from ostrom.core.finding import Column, Table, decimals, number

CAPTION: Final = (
    "Log loss is in natural units; less is better. Gain is the log loss of the reference minus that of the forecaster, "
    "over the same decisions; intervals are clustered by {unit}."
)


@dataclass(frozen=True, eq=False)
class DecisionForecast:
    """A forecaster's losses and probabilities for each scored decision."""

    name: str
    losses: Floats | None = None
    """The log loss of each decision."""
    right: Floats | None = None
    """1 for a decision that was forecast, ½ for an even forecast, else 0."""
    middle: Floats | None = None
    """The forecast for the absolute error: a median."""
    mean: Floats | None = None
    """The forecast for the squared error: a mean."""
    parameters: str = ""


def score_rows(
    forecasts: list[DecisionForecast], clusters: npt.NDArray[np.int64], outcomes: Floats | None, reference: str
) -> list[dict[str, object]]:
    """Return a row for each forecaster. `clusters` is the number of each decision's game or design."""
    order = np.argsort(clusters, kind="stable")
    sizes = np.unique(clusters, return_counts=True)[1]

    def clustered(values: Floats | None) -> Estimate | None:
        return None if values is None else clustered_mean(values[order], sizes)

    losses = {one.name: one.losses for one in forecasts}
    base = losses.get(reference)
    rows: list[dict[str, object]] = []
    for one in forecasts:
        gain = None if one.losses is None or base is None or one.name == reference else base - one.losses
        row: dict[str, object] = {
            "forecaster": one.name,
            "loss": clustered(one.losses),
            "gain": clustered(gain),
            "parameters": one.parameters,
        }
        if one.right is not None:
            row["accuracy"] = clustered(one.right)
        if outcomes is not None:
            row["absolute"] = None if one.middle is None else clustered(np.abs(one.middle - outcomes))
            row["square"] = None if one.mean is None else float(np.sqrt(np.mean((one.mean - outcomes) ** 2)))
        rows.append(row)
    return rows


def score_table(rows: list[dict[str, object]], name: str, title: str, unit: str, reference: str) -> Table:
    """Return the scores as a table."""
    names = {name for row in rows for name in row}
    shown: Mapping[str, Column] = {
        "accuracy": number("accuracy", "accuracy", decimals(4), interval="below"),
        "absolute": number("absolute", "absolute error", decimals(4), interval="below"),
        "square": number("square", "root mean square", decimals(4)),
    }
    return Table(
        name,
        [
            Column("forecaster", "forecaster", wraps=True),
            number("loss", "log loss", decimals(4), interval="beside"),
            number("gain", f"gain over {reference}", decimals(4), interval="beside"),
            *(column for key, column in shown.items() if key in names),
            Column("parameters", "parameters", spare=1, wraps=True),
        ],
        rows,
        title=title,
        caption=CAPTION.format(unit=unit),
    )
