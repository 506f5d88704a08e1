"""What a tournament, a sweep, an evolution, a best response or a design of rules found, as a simulation that a journal
keeps: its tables, its charts, and which games can be opened."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.charts.simulations import candidates_over, gains_chart, pareto_front
from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Finding
from ostrom.core.text import number_of
from ostrom.findings.evolution import HEADINGS, Evolution, table_of
from ostrom.findings.keeping import keep_finding
from ostrom.findings.simulations import Drawn, Simulation, keep_in, openings_of
from ostrom.findings.sweeps import Findings, usual_measures
from ostrom.sim.best_response import Exploitability, Response
from ostrom.sim.factors import spelled
from ostrom.sim.institutions import Design, Tested
from ostrom.sim.kept import as_settings
from ostrom.sim.sweep import SweepResult

_MOST_OPENINGS: Final = 20_000
_MOST_ROWS: Final = 400_000
"""Rows of the table of a tournament's games."""
_FACTORS_DRAWN: Final = 4


def of_sweep(findings: Findings) -> Simulation:
    """A sweep, with the measures that are of interest and the boundary that was looked for."""
    result, plan = findings.result, findings.result.plan
    names = " × ".join(factor.name for factor in plan.factors)
    points = number_of(len(plan.values), "point")
    openings = openings_of(
        [
            (
                f"point {number}: "
                + ", ".join(f"{one.name} {spelled(value)}" for one, value in zip(plan.factors, values, strict=True)),
                (point := plan.point(number)).rules.model_dump(mode="json"),
                [entry.name for entry in point.table],
            )
            for number, values in enumerate(plan.values[:_MOST_OPENINGS])
        ],
        plan.games,
    )
    settings = {name: value for name, value in as_settings(plan).items() if name not in ("points", "rules", "seed")}
    return Simulation(
        "sweep",
        f"{result.game.title}: sweep of {names}",
        f"{points} ({plan.design}), {number_of(plan.games, 'game')} at each, seed {plan.seed}.",
        result.game,
        plan.rules.model_dump(mode="json"),
        plan.seed,
        {**settings, "boundary": None if findings.condition is None else str(findings.condition)},
        [Drawn(name, _sweep_heading(name), chart, _sweep_table(name)) for name, chart in findings.charts()],
        findings.tables(),
        openings,
    )


def _sweep_heading(chart: str) -> str:
    kind, _, measure = chart.partition("-")
    words = {
        "line": "Over one factor",
        "heatmap": "Heat map",
        "dots": "Points",
        "indices": "What it depends on",
        "phases": "Phase diagram",
    }
    return f"{words.get(kind, kind)}{f': {measure}' if measure else ''}"


def _sweep_table(chart: str) -> str:
    return {"indices": "indices", "phases": "boundary"}.get(chart.partition("-")[0], "points")


def of_evolution(found: Evolution) -> Simulation:
    """An evolution; of one that was played, every composition of the payoff table opens as a game."""
    source, table = found.source, found.payoffs
    openings, rules = None, {}
    if source.game is not None and source.rules is not None:
        rules = source.rules.model_dump(mode="json")
        seated = [
            [name for name, count in zip(table.players, row, strict=True) for _ in range(count)]
            for row in table.groups.counts[:_MOST_OPENINGS].tolist()
        ]
        openings = openings_of([(_seated(names), rules, names) for names in seated]) if seated else None
    return Simulation(
        "evolution",
        f"{source.title}: evolution",
        found.facts,
        source.game,
        rules,
        found.seed,
        {**found.settings.as_record(), "source": source.title, "players": list(table.players), "note": found.note},
        [Drawn(name, HEADINGS[name], found.chart(name), table_of(name)) for name in found.charts],
        found.tables,
        openings,
    )


def of_response(found: Response) -> Simulation:
    """A best response, which is kept as a file too; the table opens with each built-in player in its place."""
    problem, told = found.problem, found.as_record()
    names = [entry.name for entry in problem.others]
    rows = [
        {"player": one.player, "measure": measure} | _ends(estimate)
        for one in found.comparisons
        for measure, estimate in (("mean", one.mean), ("gain", one.gain), ("regret_per_turn", one.regret))
    ]
    rows.append({"player": "(the response)", "measure": "mean"} | _ends(found.mean))
    rules = problem.rules.model_dump(mode="json")
    tables = [[*names[: problem.seat], one.player, *names[problem.seat :]] for one in found.comparisons]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "response.json"
        found.write(file)
        kept = file.read_bytes()
    kept_settings = ("against", "seat", "method", "response", "games", "candidates")
    return Simulation(
        "response",
        f"{problem.game.title}: best response to {_seated(names)}",
        f"The response: {found.description}. It gets {found.mean.value:z,.1f} in {found.games:,} unseen games.",
        problem.game,
        rules,
        problem.seed,
        {name: told[name] for name in kept_settings},
        [Drawn("gains", "What it gains", response_chart(found), "players")],
        {"players": pl.DataFrame(rows, infer_schema_length=None)},
        openings_of([(_seated(table), rules, table) for table in tables], found.games),
        {"response.json": kept},
    )


def response_chart(found: Response) -> Any:
    """What a response gains over each player in its place."""
    game = found.problem.game
    return gains_chart(
        [one.player for one in found.comparisons],
        [one.gain for one in found.comparisons],
        title=f"What the best response to {', '.join(entry.name for entry in found.problem.others)} gains over each "
        "player in its place",
        subtitle=f"{game.title}, {number_of(found.games, 'unseen game')}; intervals hold together with 95%, pale where "
        f"they hold 0. The response: {found.description}.",
        unit=game.unit,
    )


def of_exploitability(whole: Exploitability) -> Simulation:
    """What each player of a table would gain; the table itself opens as a game."""
    first_name, first = next(iter(whole.responses.items()))
    problem, rules = first.problem, first.problem.rules.model_dump(mode="json")
    others = [entry.name for entry in problem.others]
    table = [*others[: problem.seat], first_name, *others[problem.seat :]]
    rows = [
        {"player": name, "seats": whole.seats[name], "measure": measure, "response": whole.responses[name].description}
        | _ends(estimate)
        for name in whole.responses
        for measure, estimate in (("gain", whole.gains[name]), ("per_turn", whole.per_turn[name]))
    ]
    drawn = gains_chart(
        list(whole.gains),
        list(whole.gains.values()),
        title="What each player would gain by the best response to the others",
        subtitle=f"{problem.game.title}, {number_of(first.games, 'unseen game')}; intervals hold together with 95%, "
        "pale where they hold 0. In an equilibrium nobody gains.",
        unit=problem.game.unit,
    )
    return Simulation(
        "exploitability",
        f"{problem.game.title}: exploitability of {_seated(table)}",
        f"All seats together could gain {whole.total:z,.3f} a turn, each by itself; 0 is an equilibrium.",
        problem.game,
        rules,
        problem.seed,
        {"table": table, "games": first.games},
        [Drawn("gains", "What each would gain", drawn, "players")],
        {"players": pl.DataFrame(rows, infer_schema_length=None)},
        openings_of([(_seated(table), rules, table)], first.games),
    )


def of_design(found: Design) -> Simulation:
    """A search for rules; every tested candidate opens as a game of held-out players."""
    tested = [found.baseline, *found.front]
    seated = [*found.others, *found.players][: found.seats]
    rows = [
        {"number": number, "rules": _settings(found, one), "players": group, "aim": aim}
        | {factor.name: _setting(found, one, factor.name) for factor in found.factors}
        | _ends(estimate)
        for number, one in enumerate(tested)
        for group, estimates in (("seen", one.seen), ("held_out", one.held_out), ("gain", one.gains))
        for aim, estimate in estimates.items()
    ]
    openings = openings_of(
        [(_settings(found, one), one.rules.model_dump(mode="json"), seated) for one in tested], games=1
    )
    aims = " and ".join(found.aims)
    told = found.as_record()
    return Simulation(
        "design",
        f"{found.game.title}: designed for {aims}",
        f"{number_of(found.tried, 'candidate')} played, players {found.population}, seed {found.seed}; tested with "
        f"{', '.join(found.others)}, whom the search has not seen.",
        found.game,
        found.rules.model_dump(mode="json"),
        found.seed,
        {name: told[name] for name in ("vary", "maximise", "population", "seats", "players", "held_out", "candidates")},
        design_charts(found),
        {"tested": pl.DataFrame(rows, infer_schema_length=None), "searched": _searched(found)},
        openings,
    )


def design_charts(found: Design) -> list[Drawn]:
    """The front of two aims; of one aim, what the candidates came to over each rule that varies."""
    seats = f"tables of {found.seats}, players {found.population}"
    said = f"{found.game.title}, {number_of(found.tried, 'candidate')}, {seats}, seed {found.seed}."
    if len(found.aims) == 2:
        tested = pl.DataFrame(
            [
                {"number": number, "players": group, "rules": _settings(found, one)}
                | {f"{aim}{end}": value for aim in found.aims for end, value in _reach(estimates[aim]).items()}
                for number, one in enumerate([found.baseline, *found.front])
                for group, estimates in (("seen", one.seen), ("held_out", one.held_out))
            ],
            infer_schema_length=None,
        )
        drawn = pareto_front(_searched(found), tested, found.aims, said=said)
        return [Drawn("front", "The front of two aims", drawn, "tested")]
    best = found.front[0]
    return [
        Drawn(
            f"searched-{factor.name}",
            f"Candidates over {factor.name.replace('_', ' ')}",
            candidates_over(
                _searched(found), factor.name, found.aims[0], best=_setting(found, best, factor.name), said=said
            ),
            "searched",
        )
        for factor in found.factors[:_FACTORS_DRAWN]
    ]


def _searched(found: Design) -> pl.DataFrame:
    rows = [
        {**one.settings, **dict(zip(found.aims, one.aims.tolist(), strict=True))}
        | {"rules": ", ".join(f"{name} {_short(value)}" for name, value in one.settings.items())}
        for one in found.searched
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _setting(found: Design, one: Tested, name: str) -> Any:
    return one.settings.get(name, getattr(found.rules, name))


def _settings(found: Design, one: Tested) -> str:
    return ", ".join(f"{factor.name} {_short(_setting(found, one, factor.name))}" for factor in found.factors)


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else spelled(value)


def _ends(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _reach(estimate: Estimate) -> dict[str, float | None]:
    """The value, and the ends of the interval; where there is none, the value again."""
    value, low, high = estimate.value, estimate.low, estimate.high
    return {"": value, "_low": value if low is None else low, "_high": value if high is None else high}


def _seated(names: Sequence[str]) -> str:
    counts = {name: names.count(name) for name in names}
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in counts.items())


_OF: Final[Mapping[type, Callable[[Any], Simulation]]] = {
    Findings: of_sweep,
    SweepResult: lambda result: of_sweep(Findings(result, usual_measures(result.plan))),
    Evolution: of_evolution,
    Response: of_response,
    Exploitability: of_exploitability,
    Design: of_design,
}


def keep(result: object, store: str | None = None, *, name: str = "") -> str:
    """Keep what `tournament`, `sweep`, `evolve`, `respond`, `exploitability` or `design` found as an experiment of a
    journal, which list, report, export and the pages then show; the experiment's id. It is on no leaderboard."""
    if isinstance(result, Finding):
        return keep_finding(result, store, name)
    return keep_in(store, simulation_of(result), name)


def simulation_of(result: object) -> Simulation:
    """What a journal keeps of a result. One that knows more about itself, such as a boundary that was looked for, says
    so itself."""
    own = getattr(result, "simulation", None)
    if isinstance(own, Simulation):
        return own
    made = next((make for kind, make in _OF.items() if isinstance(result, kind)), None)
    if made is None:
        raise InputError(f"a journal keeps results of simulations, not {type(result).__name__}")
    return made(result)
