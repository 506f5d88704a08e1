"""Charts of best responses, designs of rules, evolutions and equilibria, as functions of their findings; and a page of
them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.dynamics import selection_gradient, simplex
from ostrom.charts.evolution import alpha_lines, fixation_map, invasion_graph, long_run_bars, trajectories
from ostrom.charts.families import Cast
from ostrom.charts.render import embedded
from ostrom.charts.report import Block, ReportFigure, ReportPage
from ostrom.charts.simulations import candidates_over, equilibrium_map, gains_chart, pareto_front
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Finding
from ostrom.core.text import number_of
from ostrom.findings.design import rule_value, rules_text
from ostrom.findings.evolution import Evolution
from ostrom.findings.solve import Solution
from ostrom.sim.best_response import Exploitability, Response
from ostrom.sim.institutions import Design

TOGETHER: Final = "intervals hold together with 95%, pale where they hold 0."


def response_gains(finding: Finding) -> Any:
    """Draw what a response gains over each player in its place."""
    response: Response = finding.result
    game = response.problem.game
    others = ", ".join(entry.name for entry in response.problem.others)
    return gains_chart(
        [one.player for one in response.comparisons],
        [one.gain for one in response.comparisons],
        title=f"What the best response to {others} gains over each player in its place",
        subtitle=f"{game.title}, {number_of(response.games, 'unseen game')}; {TOGETHER} "
        f"The response: {response.description}.",
        unit=game.unit,
    )


def exploitability_gains(finding: Finding) -> Any:
    """Draw what each player of a table would gain by the best response to the others."""
    whole: Exploitability = finding.result
    first = next(iter(whole.responses.values()))
    game = first.problem.game
    return gains_chart(
        list(whole.gains),
        list(whole.gains.values()),
        title="What each player would gain by the best response to the others",
        subtitle=f"{game.title}, {number_of(first.games, 'unseen game')}; {TOGETHER} In an equilibrium no player "
        "gains.",
        unit=game.unit,
    )


def design_front(finding: Finding) -> Any:
    """Draw the front of two aims."""
    design: Design = finding.result
    rows = [
        {"number": place, "players": group, "rules": rules_text(design, one)}
        | {f"{aim}{end}": value for aim in design.aims for end, value in _ends(estimates[aim]).items()}
        for place, one in enumerate([design.baseline, *design.front])
        for group, estimates in (("seen", one.seen), ("held_out", one.held_out))
    ]
    tested = pl.DataFrame(rows, infer_schema_length=None)
    return pareto_front(finding.tables["searched"], tested, design.aims, note=_design_subtitle(design))


def _ends(estimate: Estimate) -> dict[str, float | None]:
    """Return the value and the ends of the interval; where there is none, the value again."""
    value, low, high = estimate.value, estimate.low, estimate.high
    return {"": value, "_low": value if low is None else low, "_high": value if high is None else high}


def _design_subtitle(design: Design) -> str:
    tables = f"tables of {design.seats}, players {design.population}"
    return f"{design.game.title}, {number_of(design.tried, 'candidate')}, {tables}, seed {design.seed}."


def design_candidates(finding: Finding, place: int) -> Any:
    """Draw what the candidates came to over one of the rules that vary."""
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
        return simplex(tables["flow"], tables["rest_points"], [cast.label(one) for one in names])
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
