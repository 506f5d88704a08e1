"""The outcome of a sweep, and its finding: tables, charts and the points that can be opened as games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import polars as pl

from ostrom.core.arrangements import block_starts
from ostrom.core.estimates import Estimate
from ostrom.core.finding import MISSING, ChartEntry, Column, Finding, Opening, Row, Table, number
from ostrom.core.text import number_of
from ostrom.sim.effects import Condition, crossings, indices, main_effects, why_none
from ostrom.sim.factors import format_value
from ostrom.sim.sweep import SweepResult, as_settings
from ostrom.sim.sweep_plan import SweepPlan

MAX_LISTED_POINTS: Final = 40
"""The largest number of points that a terminal lists. If there are more points, the terminal shows only the lowest and
highest."""
MAX_OPENINGS: Final = 20_000
PART_NAMES: Final = {"first": "by itself", "total": "with its interactions", "interaction": "together"}


@dataclass(frozen=True)
class Sweep:
    """A sweep, the measures of interest, and the condition of the boundary."""

    outcome: SweepResult
    measures: tuple[str, ...]
    condition: Condition | None = None

    @property
    def plan(self) -> SweepPlan:
        return self.outcome.plan

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "outcome":
            raise AttributeError(name)
        return getattr(self.outcome, name)

    @cached_property
    def crossings(self) -> pl.DataFrame | None:
        """The positions of the boundary. None if no condition for a boundary is given."""
        return None if self.condition is None else crossings(self.outcome, self.condition)

    @cached_property
    def frames(self) -> Mapping[str, pl.DataFrame]:
        """The tidy tables by name: points and, if the design allows them, indices, effects and the boundary."""
        frames = {"points": self.outcome.to_frame()}
        for name, function in (("indices", indices), ("effects", main_effects)):
            frame = self._by_measure(function)
            if len(frame):
                frames[name] = frame
        if self.crossings is not None:
            frames["boundary"] = self.crossings
        return frames

    def _by_measure(self, function: Callable[[SweepResult, str], pl.DataFrame]) -> pl.DataFrame:
        parts = [
            function(self.outcome, measure).select(pl.lit(measure).alias("measure"), pl.all())
            for measure in self.measures
        ]
        return pl.concat(parts)


def describe(result: Sweep) -> Finding:
    """Return the finding of a sweep. Every point can be opened as a game."""
    plan = result.plan
    facts = _facts(result)
    names = " × ".join(factor.name for factor in plan.factors)
    points = number_of(len(plan.values), "point")
    stored = {name: value for name, value in as_settings(plan).items() if name not in ("points", "rules", "seed")}
    return Finding(
        verb="sweep",
        title=f"{result.game.title}: sweep of {names}",
        facts=facts,
        parts=[*_stored_tables(result), *_terminal_tables(result)],
        summary=f"{points} ({plan.design}), {number_of(plan.games, 'game')} at each, seed {plan.seed}.",
        sentences=_missing_indices(result),
        chart_entries=_chart_entries(result),
        game=result.game,
        rules=facts["rules"],
        seed=plan.seed,
        settings={**stored, "boundary": facts["boundary"]},
        openings=partial(_openings, plan),
        result=result,
    )


def _facts(result: Sweep) -> dict[str, Any]:
    plan = result.plan
    estimates = {measure: result.estimates(measure) for measure in result.outcome.measures}
    frames = {name: frame.to_dicts() for name, frame in result.frames.items() if name != "points"}
    return {
        "game": plan.game,
        "design": plan.design,
        "factors": [factor.as_record() for factor in plan.factors],
        "games": plan.games,
        "seed": plan.seed,
        "backend": plan.backend,
        "rules": plan.rules.model_dump(mode="json"),
        "players": [entry.name for entry in plan.table],
        "plain_python": list(plan.slow),
        "seconds": result.seconds,
        "measures": result.titles,
        "boundary": None if result.condition is None else str(result.condition),
        "crossings": frames.get("boundary", []),
        "indices": frames.get("indices", []),
        "effects": frames.get("effects", []),
        "points": [
            {
                "point": place,
                "values": dict(zip((factor.name for factor in plan.factors), values, strict=True)),
                "estimates": {measure: by_point[place].as_record() for measure, by_point in estimates.items()},
            }
            for place, values in enumerate(plan.values)
        ],
    }


def _openings(plan: SweepPlan) -> list[Opening]:
    openings = []
    for place, values in enumerate(plan.values[:MAX_OPENINGS]):
        point = plan.point(place)
        named = ", ".join(
            f"{factor.name} {format_value(value)}" for factor, value in zip(plan.factors, values, strict=True)
        )
        # If players change seats, the game that can be opened is one of the first arrangement.
        arranged = plan.arranged(len(point.table))
        players = [point.table[seat].name for seat in arranged[0]]
        (_, games), *_ = block_starts(plan.games, len(arranged))
        openings.append(Opening(f"point {place}: {named}", point.rules.model_dump(mode="json"), players, games))
    return openings


def _chart_entries(result: Sweep) -> list[ChartEntry]:
    """Return the charts that the design allows. These are a line over one factor, a heat map over two factors, dots
    over a random design, the indices, and the phase diagram of the boundary."""
    entries: list[ChartEntry] = []
    factors = result.plan.factors
    for measure in result.measures:
        name = file_name(measure)
        options = {"measure": measure}
        if result.plan.design != "factorial":
            for place, factor in enumerate(factors):
                chart = f"dots-{name}-{file_name(factor.name)}"
                entries.append(_entry(chart, "dots", "points", {**options, "place": place}))
        elif len(factors) == 1:
            entries.append(_entry(f"line-{name}", "line", "points", options))
        elif len(factors) == 2:
            entries.append(_entry(f"heatmap-{name}", "heatmap", "points", options))
        if len(factors) > 1 and why_none(result.outcome, measure) is None:
            entries.append(_entry(f"indices-{name}", "indices", "indices", options))
    if result.condition is not None and len(factors) == 2:
        entries.append(_entry("phases", "phases", "boundary", {}))
    return entries


_CHART_HEADINGS: Final = {
    "line": "Over one factor",
    "heatmap": "Heat map",
    "dots": "Points",
    "indices": "What it depends on",
    "phases": "Phase diagram",
}


def _entry(name: str, kind: str, table: str, options: Mapping[str, Any]) -> ChartEntry:
    of = name.partition("-")[2]
    heading = f"{_CHART_HEADINGS[kind]}{f': {of}' if of else ''}"
    return ChartEntry(name, heading, f"ostrom.findings.pictures:draw_{kind}", table, options)


def file_name(name: str) -> str:
    """Return the name of a measure or factor, changed so that it can be part of a file name."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name)


def _stored_tables(result: Sweep) -> list[Table]:
    return [
        Table(
            name, load=partial(result.frames.__getitem__, name), title=_title(result), in_json=False, on_terminal=False
        )
        for name in result.frames
    ]


def _title(result: Sweep) -> str:
    plan = result.plan
    points = f"{len(plan.values)} points"
    if len(plan.factors) > 1:
        levels = " × ".join(str(len(factor.levels)) for factor in plan.factors)
        points = f"{number_of(len(plan.values), 'point')} ({levels if plan.design == 'factorial' else plan.design})"
    return f"{result.game.title}, sweep · seed {plan.seed} · {points} · {number_of(plan.games, 'game')} each"


def _terminal_tables(result: Sweep) -> list[Table]:
    listed = len(result.plan.values) <= MAX_LISTED_POINTS
    tables = [_points(result) if listed else _extremes(result)]
    if result.crossings is not None:
        tables.append(_boundary(result, result.crossings))
    if len(result.plan.factors) > 1:
        tables += [
            _indices(result, measure) for measure in result.measures if why_none(result.outcome, measure) is None
        ]
    return tables


def _missing_indices(result: Sweep) -> list[str]:
    """Return a line for each measure without indices, with the reason."""
    if len(result.plan.factors) < 2:
        return []
    reasons = {measure: why_none(result.outcome, measure) for measure in result.measures}
    return [f"no indices of {measure}: {reason}" for measure, reason in reasons.items() if reason]


def _terminal_table(title: str, columns: Sequence[Column], rows: Sequence[Row], caption: str = "") -> Table:
    return Table("shown", columns, rows, title=title, caption=caption, in_json=False, in_journal=False)


def _factor_columns(result: Sweep) -> list[Column]:
    return [Column(f"factor {factor.name}", factor.name, number=factor.numeric) for factor in result.plan.factors]


def _factor_cells(result: Sweep, point: int) -> dict[str, str]:
    values = result.plan.values[point]
    return {
        f"factor {factor.name}": format_value(value) for factor, value in zip(result.plan.factors, values, strict=True)
    }


def _points(result: Sweep) -> Table:
    """Return every point with its measures."""
    columns = [number("point", "point"), *_factor_columns(result)]
    for place, measure in enumerate(result.measures):
        columns.append(Column(f"value {measure}", measure, number=True, spare=2 * place))
        columns.append(Column(f"interval {measure}", "95 %", number=True, spare=2 * place + 1))
    rows = []
    for point in range(len(result.plan.values)):
        row: dict[str, Any] = {"point": point, **_factor_cells(result, point)}
        for measure in result.measures:
            estimate = result.estimates(measure)[point]
            row[f"value {measure}"] = _value(estimate)
            row[f"interval {measure}"] = _range(estimate)
        rows.append(row)
    return _terminal_table(_title(result), columns, rows, _caption(result))


def _extremes(result: Sweep) -> Table:
    """Return the points at which each measure is lowest and highest."""
    columns = [
        Column("extreme", ""),
        Column("measure", "measure"),
        Column("value", "value", number=True),
        Column("interval", "95 %", number=True),
        number("point", "point"),
        *_factor_columns(result),
    ]
    rows = []
    for measure in result.measures:
        estimates = result.estimates(measure)
        values = [(estimate.value, point) for point, estimate in enumerate(estimates) if estimate.value is not None]
        for word, (_, point) in (("lowest", min(values)), ("highest", max(values))):
            cells: dict[str, Any] = {
                "value": _value(estimates[point]),
                "interval": _range(estimates[point]),
                "point": point,
            }
            rows.append({"extreme": word, "measure": measure, **cells, **_factor_cells(result, point)})
    return _terminal_table(_title(result), columns, rows, _caption(result))


def _boundary(result: Sweep, places: pl.DataFrame) -> Table:
    """Return the positions of the boundary, for each combination of the other factors."""
    others = [name for name in places.columns if name not in ("at", "low", "high", "rises", "reason")]
    along = next(factor.name for factor in result.plan.factors if factor.name not in others)
    columns = [
        *(Column(f"factor {name}", name, number=places.schema[name].is_numeric()) for name in others),
        Column("at", f"{along} where {result.condition}", number=True),
        Column("interval", "95 %", number=True),
        Column("direction", "direction"),
    ]
    rows = [
        {
            **{f"factor {name}": format_value(row[name]) for name in others},
            "at": f"{row['at']:.4g}",
            "interval": f"{_end(row['low'])}–{_end(row['high'])}",
            "direction": "rises" if row["rises"] else "falls",
        }
        for row in places.iter_rows(named=True)
    ]
    nowhere = "" if rows else f"{result.condition} is crossed nowhere along {along}"
    return _terminal_table("The boundary", columns, rows, nowhere)


def _end(end: float | None) -> str:
    return "…" if end is None else f"{end:.4g}"


def _indices(result: Sweep, measure: str) -> Table:
    columns = [
        Column("factor", "factor"),
        Column("part", "part"),
        Column("share", "share of the variance", number=True),
        Column("interval", "95 %", number=True),
    ]
    rows = []
    for row in indices(result.outcome, measure).iter_rows(named=True):
        low, high = row["low"], row["high"]
        interval = MISSING if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}"
        share = f"{100 * row['value']:.1f} %"
        rows.append({"factor": row["factor"], "part": PART_NAMES[row["kind"]], "share": share, "interval": interval})
    return _terminal_table(f"What {measure} depends on (Sobol indices)", columns, rows)


def _value(estimate: Estimate) -> str:
    return MISSING if estimate.value is None else _figure(estimate.value)


def _range(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return MISSING
    return f"{_figure(estimate.low)}–{_figure(estimate.high)}"


def _figure(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:z,.0f}"
    return f"{value:z.3f}" if abs(value) < 10 else f"{value:z.1f}"


def _caption(result: Sweep) -> str:
    lines = ["Intervals cover the chance within games; game k has the same random draws at every point."]
    for measure in result.measures:
        estimates = result.estimates(measure)
        reason = next(
            (estimate.reason for estimate in estimates if estimate.value is not None and estimate.reason), None
        )
        if reason:
            lines.append(f"{measure}: {reason}.")
    lines.append(f"{number_of(result.played, 'game')} in {result.seconds:.1f} s, {result.plan.backend}")
    return "\n".join(lines)
