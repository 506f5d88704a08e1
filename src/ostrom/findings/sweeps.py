"""A sweep as files: its tables, and the charts that its design allows. And as a document for programs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from ostrom.analysis.provenance import source_line
from ostrom.charts import sweeps as drawings
from ostrom.charts.render import AnyChart, png, svg
from ostrom.charts.spreadsheet import write_csv
from ostrom.core import InputError
from ostrom.core.files import whole
from ostrom.core.text import number_of
from ostrom.sim.boundary import Condition, contour, crossings, sides
from ostrom.sim.effects import indices, main_effects, why_none
from ostrom.sim.factors import Factor, spelled
from ostrom.sim.outcomes import WELFARE
from ostrom.sim.sweep import SweepResult
from ostrom.sim.sweep_plan import SweepPlan


@dataclass(frozen=True)
class Findings:
    """A sweep, which of its measures are of interest, and the boundary that is looked for."""

    result: SweepResult
    measures: tuple[str, ...]
    condition: Condition | None = None

    def crossings(self) -> pl.DataFrame | None:
        """Where the boundary lies, if one is looked for."""
        return None if self.condition is None else crossings(self.result, self.condition)

    def tables(self) -> dict[str, pl.DataFrame]:
        """The tidy tables by name: points, and where the design allows them indices, effects and the boundary."""
        made = {"points": self.result.to_frame()}
        for name, table in (("indices", indices), ("effects", main_effects)):
            parts = [table(self.result, one).select(pl.lit(one).alias("measure"), pl.all()) for one in self.measures]
            if len(found := pl.concat(parts)):
                made[name] = found
        if (found_at := self.crossings()) is not None:
            made["boundary"] = found_at
        return made

    def source(self) -> str:
        """Where the figures of its pictures come from, in a line."""
        plan = self.result.plan
        points, games = number_of(len(plan.values), "point"), number_of(plan.games, "game")
        played = f"sweep of {points}, {games} at each, seed {plan.seed}"
        return source_line(self.result.game.title, played, day=f"{date.today()}")

    def as_record(self) -> dict[str, Any]:
        """The sweep as plain data."""
        result, plan = self.result, self.result.plan
        estimates = {measure: result.estimates(measure) for measure in result.measures}
        tables = self.tables()
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
            "boundary": None if self.condition is None else str(self.condition),
            "crossings": tables["boundary"].to_dicts() if "boundary" in tables else [],
            "indices": tables["indices"].to_dicts() if "indices" in tables else [],
            "effects": tables["effects"].to_dicts() if "effects" in tables else [],
            "points": [
                {
                    "point": place,
                    "values": dict(zip((factor.name for factor in plan.factors), values, strict=True)),
                    "command": result.command(place),
                    "estimates": {measure: found[place].as_record() for measure, found in estimates.items()},
                }
                for place, values in enumerate(plan.values)
            ],
        }

    def charts(self) -> Iterator[tuple[str, AnyChart]]:
        """The charts by name: a line over one factor, a heat map over two, dots over a drawn design; the phase diagram
        of the boundary; and the indices."""
        result = self.result
        titles, said = result.titles, self._said()
        for measure in self.measures:
            frame, name = result.to_frame(measure), file_name(measure)
            if result.plan.design != "factorial":
                for factor in result.factors:
                    drawn = drawings.dots_over(frame, _side(factor), measure=titles[measure], said=said)
                    yield f"dots-{name}-{file_name(factor.name)}", drawn
            elif len(result.factors) == 1:
                yield f"line-{name}", self._line(frame, measure)
            elif len(result.factors) == 2:
                across, up = self._sides()
                boundary = self._boundary() if self.condition and self.condition.measure == measure else None
                drawn = drawings.heat_map(frame, across, up, measure=titles[measure], boundary=boundary, said=said)
                yield f"heatmap-{name}", drawn
            if why_none(result, measure) is None and len(result.factors) > 1:
                yield (
                    f"indices-{name}",
                    drawings.index_bars(indices(result, measure), measure=titles[measure], said=said),
                )
        if self.condition is not None and len(result.factors) == 2:
            across, up = self._sides()
            yield (
                "phases",
                drawings.phase_diagram(
                    sides(result, self.condition),
                    across,
                    up,
                    condition=str(self.condition),
                    boundary=self._boundary(),
                    crossings=crossings(result, self.condition, across.name),
                    said=said,
                ),
            )

    def _said(self) -> str:
        plan = self.result.plan
        seats = sorted({len(point.table) for point in plan.points})
        sizes = f"{seats[0]}" if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
        games = number_of(plan.games, "game")
        return f"{self.result.game.title}, tables of {sizes}, {games} at each point, seed {plan.seed}."

    def _sides(self) -> tuple[drawings.Side, drawings.Side]:
        """Across and up: a factor with numbers lies across, so that a boundary has a place along it."""
        first, second = self.result.factors
        ordered = (second, first) if second.numeric and not first.numeric else (first, second)
        return _side(ordered[0]), _side(ordered[1])

    def _boundary(self) -> pl.DataFrame:
        assert self.condition is not None
        across, up = self._sides()
        if across.numeric and up.numeric:
            return contour(self.result, self.condition, across.name, up.name)
        return crossings(self.result, self.condition, across.name)

    def _line(self, frame: pl.DataFrame, measure: str) -> AnyChart:
        factor, condition = self.result.factors[0], self.condition
        found = crossings(self.result, condition) if condition and condition.measure == measure else None
        level = condition.level if condition and not condition.other else None
        return drawings.factor_line(
            frame,
            _side(factor),
            measure=self.result.titles[measure],
            level=level,
            boundary=found,
            condition=str(condition or ""),
            said=self._said(),
        )


def usual_measures(plan: SweepPlan, condition: Condition | None = None, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The measures that are shown and drawn: those asked for; else that of the boundary, the first figure of the game,
    and welfare."""
    if asked or plan.measures:
        return tuple(dict.fromkeys(asked or plan.measures))
    usual = {WELFARE, "inequality", "survival", "length"}
    figures = [name for name in plan.available if ":" not in name and name not in usual][:1]
    sought = [] if condition is None else [condition.measure, *([condition.other] if condition.other else [])]
    return tuple(dict.fromkeys([*sought, *figures, WELFARE]))


def _side(factor: Factor) -> drawings.Side:
    return drawings.Side(factor.name, factor.levels, factor.numeric)


def file_name(name: str) -> str:
    """A measure or factor as a part of a file's name."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name)


def check_condition(condition: Condition, factors: Sequence[Factor], design: str) -> None:
    """Refuse a boundary that the design cannot have, before anything is played."""
    if design != "factorial":
        raise InputError("a boundary is found between the points of a factorial design; leave out --design")
    if not any(factor.numeric and len(factor.levels) > 1 for factor in factors):
        raise InputError("a boundary lies along a factor with at least two numbers, and there is none")


def write_findings(
    findings: Findings, folder: Path, advance: Callable[[], None] = lambda: None
) -> tuple[list[str], list[str]]:
    """Write every table as CSV and Parquet and every chart as SVG and PNG into a folder; the names of both."""
    tables = findings.tables()
    for name, table in tables.items():
        shown = table.with_columns(
            pl.Series(one, [spelled(value) for value in table[one]])
            for one in table.columns
            if table.schema[one] == pl.Boolean
        )
        write_csv(shown, folder / f"{name}.csv")
        table.write_parquet(folder / f"{name}.parquet")
    drawn = []
    for name, chart in findings.charts():
        picture = svg(chart, findings.source())
        with whole(folder / f"{name}.svg") as partial:
            partial.write_text(picture, encoding="utf-8")
        with whole(folder / f"{name}.png") as partial:
            partial.write_bytes(png(picture))
        drawn.append(name)
        advance()
    return list(tables), drawn
