"""Charts of a sweep as functions of its finding, and its files: every table and chart in a folder."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from ostrom.analysis.provenance import source_line
from ostrom.charts import sweeps as drawings
from ostrom.charts.families import write_csv
from ostrom.charts.render import png, svg
from ostrom.core.files import atomic_write
from ostrom.core.finding import Finding
from ostrom.core.text import number_of
from ostrom.findings.sweep_tables import Sweep
from ostrom.sim.boundary import contour, crossings, sides
from ostrom.sim.effects import indices
from ostrom.sim.factors import Factor, format_value


def draw_line(finding: Finding, measure: str) -> Any:
    """Draw a measure over one factor."""
    sweep: Sweep = finding.result
    condition = sweep.condition
    places = crossings(sweep.outcome, condition) if condition and condition.measure == measure else None
    return drawings.factor_line(
        sweep.outcome.to_frame(measure),
        _side(sweep.factors[0]),
        measure=sweep.titles[measure],
        level=condition.level if condition and not condition.other else None,
        boundary=places,
        condition=str(condition or ""),
        subtitle=_subtitle(sweep),
    )


def draw_heatmap(finding: Finding, measure: str) -> Any:
    """Draw a measure over two factors."""
    sweep: Sweep = finding.result
    across, up = _sides(sweep)
    boundary = _boundary(sweep) if sweep.condition and sweep.condition.measure == measure else None
    frame = sweep.outcome.to_frame(measure)
    return drawings.heat_map(
        frame, across, up, measure=sweep.titles[measure], boundary=boundary, subtitle=_subtitle(sweep)
    )


def draw_dots(finding: Finding, measure: str, place: int) -> Any:
    """Draw a measure at the points of a drawn design over one of its factors."""
    sweep: Sweep = finding.result
    frame = sweep.outcome.to_frame(measure)
    return drawings.dots_over(
        frame, _side(sweep.factors[place]), measure=sweep.titles[measure], subtitle=_subtitle(sweep)
    )


def draw_indices(finding: Finding, measure: str) -> Any:
    """Draw the Sobol indices of a measure."""
    sweep: Sweep = finding.result
    return drawings.index_bars(
        indices(sweep.outcome, measure), measure=sweep.titles[measure], subtitle=_subtitle(sweep)
    )


def draw_phases(finding: Finding) -> Any:
    """Draw the phase diagram of the boundary."""
    sweep: Sweep = finding.result
    assert sweep.condition is not None
    across, up = _sides(sweep)
    return drawings.phase_diagram(
        sides(sweep.outcome, sweep.condition),
        across,
        up,
        condition=str(sweep.condition),
        boundary=_boundary(sweep),
        crossings=crossings(sweep.outcome, sweep.condition, across.name),
        subtitle=_subtitle(sweep),
    )


def _subtitle(sweep: Sweep) -> str:
    plan = sweep.plan
    seats = sorted({len(point.table) for point in plan.points})
    sizes = f"{seats[0]}" if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
    games = number_of(plan.games, "game")
    return f"{sweep.game.title}, tables of {sizes}, {games} at each point, seed {plan.seed}."


def _sides(sweep: Sweep) -> tuple[drawings.Side, drawings.Side]:
    """Return the factors across and up: one with numbers lies across, so that a boundary has a place along it."""
    first, second = sweep.factors
    ordered = (second, first) if second.numeric and not first.numeric else (first, second)
    return _side(ordered[0]), _side(ordered[1])


def _side(factor: Factor) -> drawings.Side:
    return drawings.Side(factor.name, factor.levels, factor.numeric)


def _boundary(sweep: Sweep) -> pl.DataFrame:
    assert sweep.condition is not None
    across, up = _sides(sweep)
    if across.numeric and up.numeric:
        return contour(sweep.outcome, sweep.condition, across.name, up.name)
    return crossings(sweep.outcome, sweep.condition, across.name)


def write_files(
    finding: Finding, folder: Path, advance: Callable[[], None] = lambda: None
) -> tuple[list[str], list[str]]:
    """Write every table as CSV and Parquet and every chart as SVG and PNG into a folder. Return the names of both."""
    for name, table in finding.tables.items():
        switches = [one for one in table.columns if table.schema[one] == pl.Boolean]
        words = [pl.Series(one, [format_value(value) for value in table[one]]) for one in switches]
        write_csv(table.with_columns(words), folder / f"{name}.csv")
        table.write_parquet(folder / f"{name}.parquet")
    for entry in finding.chart_entries:
        picture = svg(entry.chart(finding), _source(finding))
        with atomic_write(folder / f"{entry.name}.svg") as partial:
            partial.write_text(picture, encoding="utf-8")
        with atomic_write(folder / f"{entry.name}.png") as partial:
            partial.write_bytes(png(picture))
        advance()
    return list(finding.tables), finding.charts


def _source(finding: Finding) -> str:
    """Return a line on where the figures come from."""
    plan = finding.result.plan
    points, games = number_of(len(plan.values), "point"), number_of(plan.games, "game")
    played = f"sweep of {points}, {games} at each, seed {plan.seed}"
    return source_line(finding.result.game.title, played, day=f"{date.today()}")
