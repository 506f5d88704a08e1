"""The verb `pool`: a mean, a share or a difference from few people with outcomes and many predictions."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from ostrom.analysis.prediction_powered import PooledEstimate, within
from ostrom.analysis.prediction_tables import Origin, PredictedOutcomes, read_predictions
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.settings import Display, Settings
from ostrom.core.text import clean, number_of
from ostrom.core.verb import verb
from ostrom.findings.items import read_table

_CAPTION: Final = (
    "λ is the weight of the predictions: 0 for people alone, 1 for PPI; PPI++ tunes it. Effective people is the number "
    "of people alone whose mean would have this standard error. The intervals are Student's; they allow for the tuning "
    "of λ."
)
_CONDITIONS: Final = {
    "independent": "no outcome of these people was used to make a prediction",
    "by-fold": "the predictions of each fold were made without the outcomes of this fold",
}
_NOTHING: Final = 0.5
"""Fewer people than this are reported as none."""


class PoolSettings(Settings):
    """Settings of pooled estimates."""

    file: Annotated[Path, Display(form="FILE.csv", positional=True)] = Field(
        description="A table with the columns outcome and prediction, and optionally person, arm, cluster and fold. "
        "Rows without an outcome are predictions alone."
    )
    predictions: Origin = Field(
        description="How the predictions were made: without any outcome of these people, by folds of people, or with "
        "the outcomes of the same people, which is refused."
    )
    between: Annotated[tuple[str, str] | None, Display(form="ARM ARM")] = Field(
        None, description="The two arms whose difference is estimated: the first minus the second."
    )


@verb("pool", keeps=False, group="analyse")
def pool(settings: PoolSettings) -> Finding:
    """Pool few people's outcomes with many predictions: a mean, a share or a difference, valid for bad predictions."""
    outcomes = read_predictions(read_table(settings.file), settings.predictions, settings.between)
    pooled = outcomes.pooled()
    rows = [_row(one, outcomes) for one in pooled]
    unit = "clusters" if outcomes.clustered else "people"
    figure = _figure(outcomes)
    return Finding(
        verb="pool",
        title=f"{settings.file.name}: {figure}",
        facts={
            "figure": "share" if outcomes.share else "mean",
            "arms": list(outcomes.arms),
            "paired": outcomes.paired,
            "predictions": settings.predictions,
            "outcomes": outcomes.people,
            "predictions_alone": outcomes.predicted,
            "units": [len(sample.outcomes) for sample in outcomes.samples],
            "units_predicted": [len(sample.others) for sample in outcomes.samples],
            "correlations": [sample.correlation for sample in outcomes.samples],
        },
        parts=[_table(rows, outcomes, figure, unit)],
        sentences=_sentences(pooled, outcomes, settings.predictions, unit),
        result=pooled,
    )


def _figure(outcomes: PredictedOutcomes) -> str:
    what = "share" if outcomes.share else "mean"
    if not outcomes.arms:
        return what
    first, second = map(clean, outcomes.arms)
    return f"{'paired ' if outcomes.paired else ''}difference of {what}s, {first} minus {second}"


def _row(pooled: PooledEstimate, outcomes: PredictedOutcomes) -> dict[str, object]:
    return {
        "method": pooled.method,
        "estimate": within(pooled, *outcomes.limits),
        "error": pooled.error,
        "plain_error": pooled.plain_error,
        "freedom": pooled.freedom,
        "weights": list(pooled.weights),
        "effective_people": pooled.effective,
        "people": pooled.people,
    }


def _table(rows: list[dict[str, object]], outcomes: PredictedOutcomes, figure: str, unit: str) -> Table:
    counts = f"{number_of(outcomes.people, 'outcome')}, {number_of(outcomes.predicted, 'prediction')} alone"
    return Table(
        "estimates",
        [
            Column("method", "method"),
            number("estimate", "share" if outcomes.share else "mean", decimals(4), interval="beside"),
            number("error", "standard error", decimals(4)),
            number("plain_error"),
            number("freedom"),
            number("weights", "λ", cell=lambda row: ", ".join(f"{weight:.3f}" for weight in row["weights"])),
            number("effective_people", f"effective {unit}", decimals(1)),
            number("people", f"of them {unit}"),
        ],
        rows,
        title=f"{figure[:1].upper()}{figure[1:]} · {counts}",
        caption=_CAPTION,
    )


def _sentences(pooled: list[PooledEstimate], outcomes: PredictedOutcomes, origin: Origin, unit: str) -> list[str]:
    alone, _, tuned = pooled
    saved = tuned.effective - alone.people
    counts = f"The {alone.people:,} {unit} with outcomes count like {tuned.effective:,.1f} {unit} alone."
    if saved >= _NOTHING:
        verdict = f"{counts} The predictions save {saved:,.1f} {unit}."
    else:
        verdict = f"{counts} The predictions save nothing."
    outside = not outcomes.limits[0] <= tuned.value <= outcomes.limits[1]
    cut = ["The estimate lies outside the possible values and was cut."] if outside else []
    return [
        f"PPI++: {verdict}",
        *cut,
        f"The intervals are valid if {_CONDITIONS[origin]}, and if the {unit} with outcomes are a random draw of those "
        "for whom the predictions alone stand. A prediction is an answer of a model, not of a person.",
    ]
