"""The chart of a fit: every parameter as a dot with its interval."""

from typing import Any

import polars as pl

from ostrom.charts.estimates import estimate_dots
from ostrom.core.finding import Finding


def fit_chart(finding: Finding) -> Any:
    """Draw the estimates of a fit. Parameters of the first kind, such as shares, have a common scale."""
    rows = list(finding.table("parameters").rows)
    kind = rows[0]["kind"]
    drawn = [row for row in rows if row["kind"] == kind]
    frame = pl.DataFrame(
        {
            "label": [f"{row['set']} · {row['parameter']}" if row["set"] else row["parameter"] for row in drawn],
            "value": [row["estimate"].value for row in drawn],
            "low": [row["estimate"].low for row in drawn],
            "high": [row["estimate"].high for row in drawn],
        },
        schema={"label": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64},
    )
    return estimate_dots(frame, words=kind or "estimate", title=finding.title, subtitle=finding.summary)
