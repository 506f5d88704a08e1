"""Charts of best responses, designs of rules, evolutions, equilibria and sweeps, drawn from the findings of the verbs.
This module also writes a page of charts, and a folder of tables and charts."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.analysis.provenance import source_line
from ostrom.charts import sweeps as drawings
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.drawings import Side
from ostrom.charts.dynamics import selection_gradient, simplex
from ostrom.charts.evolution import alpha_lines, fixation_map, invasion_graph, long_run_bars, trajectories
from ostrom.charts.families import Cast, write_csv
from ostrom.charts.render import embedded, png, svg
from ostrom.charts.report import Block, ReportFigure, ReportPage
from ostrom.charts.simulations import candidates_over, equilibrium_map, gains_chart, pareto_front
from ostrom.core.estimates import Estimate
from ostrom.core.files import atomic_write
from ostrom.core.finding import Finding
from ostrom.core.text import number_of
from ostrom.findings.design import rule_value, rules_text
from ostrom.findings.evolution import Evolution
from ostrom.findings.solve import Solution
from ostrom.findings.sweep_tables import Sweep
from ostrom.sim.best_response import Exploitability, Response
from ostrom.sim.effects import contour, crossings, indices, sides
from ostrom.sim.factors import Factor, format_value
from ostrom.sim.institutions import Design

TOGETHER: Final = "all intervals hold together with 95 %, and those that contain 0 are pale."


def response_gains(finding: Finding) -> Any:
    """Draw the gain of a response over each other player that could play in the same seat."""
    response: Response = finding.result
    game = response.problem.game
    others = ", ".join(entry.name for entry in response.problem.others)
    return gains_chart(
        [comparison.player for comparison in response.comparisons],
        [comparison.gain for comparison in response.comparisons],
        title=f"Gain of the best response to {others} over each player in the same seat",
        subtitle=f"{game.title}, {number_of(response.games, 'unseen game')}; {TOGETHER} "
        f"The response: {response.description}.",
        unit=game.unit,
    )


def exploitability_gains(finding: Finding) -> Any:
    """Draw the gain of each player of a table from the best response to the others."""
    whole: Exploitability = finding.result
    first = next(iter(whole.responses.values()))
    game = first.problem.game
    return gains_chart(
        list(whole.gains),
        list(whole.gains.values()),
        title="Gain of each player from a best response to the others",
        subtitle=f"{game.title}, {number_of(first.games, 'unseen game')}; {TOGETHER} In an equilibrium no player "
        "gains.",
        unit=game.unit,
    )


def design_front(finding: Finding) -> Any:
    """Draw the front of a design with two aims."""
    design: Design = finding.result
    rows = [
        {"number": place, "players": group, "rules": rules_text(design, tested)}
        | {f"{aim}{end}": value for aim in design.aims for end, value in _ends(estimates[aim]).items()}
        for place, tested in enumerate([design.baseline, *design.front])
        for group, estimates in (("seen", tested.seen), ("held_out", tested.held_out))
    ]
    tested = pl.DataFrame(rows, infer_schema_length=None)
    return pareto_front(finding.tables["searched"], tested, design.aims, note=_design_subtitle(design))


def _ends(estimate: Estimate) -> dict[str, float | None]:
    """Return the value of an estimate and the ends of its interval. If it has no interval, both ends equal the
    value."""
    value, low, high = estimate.value, estimate.low, estimate.high
    return {"": value, "_low": value if low is None else low, "_high": value if high is None else high}


def _design_subtitle(design: Design) -> str:
    tables = f"tables of {design.seats} seats, players {design.population}"
    return f"{design.game.title}, {number_of(design.tried, 'candidate')}, {tables}, seed {design.seed}."


def design_candidates(finding: Finding, place: int) -> Any:
    """Draw the figures of the candidates of a design over one of the rules that vary."""
    design: Design = finding.result
    name = design.factors[place].name
    best = rule_value(design, design.front[0], name)
    searched = finding.tables["searched"]
    return candidates_over(searched, name, design.aims[0], best=best, note=_design_subtitle(design))


def evolution_chart(finding: Finding, name: str) -> Any:
    """Draw one of the charts of an evolution."""
    evolution: Evolution = finding.result
    tables = finding.tables
    names = evolution.payoffs.players
    cast = Cast.of(names, built_in=names)
    population = evolution.model.population
    if name == "shares":
        return long_run_bars(tables["shares"], cast, what=evolution.what, certain=evolution.certain)
    if name == "trajectory":
        runs = "runs" in evolution.note
        return trajectories(tables[name], cast, clock=tables[name].columns[0], over_runs=runs)
    if name == "simplex":
        return simplex(tables["flow"], tables["rest_points"], [cast.label(name) for name in names])
    if name == "gradient":
        return selection_gradient(tables[name], (cast.label(names[0]), cast.label(names[1])))
    if name == "invasions":
        return invasion_graph(tables["fixations"], tables["shares"], cast, population=population)
    if name == "fixations":
        return fixation_map(tables[name], cast, names, population=population)
    return alpha_lines(tables["alpha"], cast, at=evolution.model.strength)


def equilibrium_chart(finding: Finding) -> Any:
    """Draw the equilibria side by side."""
    solution: Solution = finding.result
    symmetric = solution.rows == solution.columns
    return equilibrium_map(finding.tables["equilibria"], solution.rows, solution.columns, symmetric=symmetric)


def write_page(
    finding: Finding, folder: Path, heading: str, progress: Callable[[str], None] = lambda name: None
) -> WrittenReport:
    """Write a page with all charts of a finding, the pictures and the tables into a folder."""
    charts = {entry.name: entry.chart(finding) for entry in finding.chart_entries}
    figures = [
        ReportFigure(entry.name, entry.heading, embedded(charts[entry.name]), table=entry.table or entry.name)
        for entry in finding.chart_entries
    ]
    short = [f"{figure.chart.title}." for figure in figures]
    page = ReportPage(finding.title, finding.summary, short, [Block(heading.lower(), heading, figures)])
    return page.write(folder, charts, finding.tables, progress)


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
    """Draw a measure at the points of a random design over one of the factors."""
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


def _sides(sweep: Sweep) -> tuple[Side, Side]:
    """Return the factor of the horizontal axis and the factor of the vertical axis. If only one factor is numeric, it
    is horizontal, so that the position of a boundary can be read on its axis."""
    first, second = sweep.factors
    ordered = (second, first) if second.numeric and not first.numeric else (first, second)
    return _side(ordered[0]), _side(ordered[1])


def _side(factor: Factor) -> Side:
    return Side(factor.name, factor.levels, factor.numeric)


def _boundary(sweep: Sweep) -> pl.DataFrame:
    assert sweep.condition is not None
    across, up = _sides(sweep)
    if across.numeric and up.numeric:
        return contour(sweep.outcome, sweep.condition, across.name, up.name)
    return crossings(sweep.outcome, sweep.condition, across.name)


def write_files(
    finding: Finding, folder: Path, advance: Callable[[], None] = lambda: None
) -> tuple[list[str], list[str]]:
    """Write every table as CSV and Parquet into `tables`, and every chart as SVG and PNG into `charts`, of a folder.
    Return the names of the tables and the names of the charts."""
    tables, charts = folder / "tables", folder / "charts"
    for place in (tables, charts):
        place.mkdir(exist_ok=True)
    for name, table in finding.tables.items():
        switches = [name for name in table.columns if table.schema[name] == pl.Boolean]
        words = [pl.Series(name, [format_value(value) for value in table[name]]) for name in switches]
        write_csv(table.with_columns(words), tables / f"{name}.csv")
        table.write_parquet(tables / f"{name}.parquet")
    for entry in finding.chart_entries:
        picture = svg(entry.chart(finding), _source(finding))
        with atomic_write(charts / f"{entry.name}.svg") as partial:
            partial.write_text(picture, encoding="utf-8")
        with atomic_write(charts / f"{entry.name}.png") as partial:
            partial.write_bytes(png(picture))
        advance()
    return list(finding.tables), finding.charts


def _source(finding: Finding) -> str:
    """Return a line that names the sweep from which the figures come."""
    plan = finding.result.plan
    points, games = number_of(len(plan.values), "point"), number_of(plan.games, "game")
    played = f"sweep of {points}, {games} at each, seed {plan.seed}"
    return source_line(finding.result.game.title, played, day=f"{date.today()}")
