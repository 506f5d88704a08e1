"""Two experiments compared, measure by measure: differences with intervals, tests by randomisation, and what holds
after correction for the number of tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic

import numpy as np
import polars as pl

from ostrom.analysis.intervals import Difference, Ratio, pools_of, positions
from ostrom.analysis.measures import Measure
from ostrom.analysis.randomisation import LEAST, Arms, borrowed_errors, chances_of
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import Tables, pooled
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Floats, Whole
from ostrom.core.text import number_of

TOGETHER: Final = "all"
"""The name of all players together."""


@dataclass(frozen=True)
class ExperimentComparison(Generic[Tables]):
    """The games of two experiments. Games that share seed, number and seating are pairs, as are imported ones of the
    same log and seating; a pair is one observation."""

    a: Tables
    b: Tables

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """The ids of games that are pairs: columns a and b."""
        origin = ["seed", "number", "source", "seating"]
        sides = [_origins(tables).filter(pl.len().over(origin) == 1) for tables in (self.a, self.b)]
        # Without a seed or a log, nothing shows that two games belong together.
        identified = sides[0].filter(pl.col("seed").is_not_null() | pl.col("source").is_not_null())
        both = identified.join(sides[1], on=origin, how="inner", nulls_equal=True, maintain_order="left", suffix="_b")
        return both.select(a="game", b="game_b")

    def compare(self, *measures: str | Measure[Tables]) -> dict[str, pl.DataFrame]:
        """Return, for each measure, every group (player, round) that both experiments have: its columns, value, low,
        high and error of the difference b − a, `p` of the single test, `corrected` over all groups and measures of its
        family, `differs`, `reason` where there is no interval; a, a_low, a_high, n_a, b, b_low, b_high, n_b, and
        `pairs`. Measures by player have the player `all`, all players together, first. There are three families: all
        players together, single players, and rounds. Raises `InputError` for a measure that has no ratio."""
        resolved = [self._measure(measure) for measure in measures]
        families: dict[str, list[_Compared]] = {"all": [], "player": [], "round": []}
        compared: dict[str, list[_Compared]] = {}
        for measure in resolved:
            by_player = "player" in measure.by
            single = self._compared(measure, self.a, self.b)
            families["player" if by_player else "round"].append(single)
            compared[measure.name] = [single]
            if by_player:
                together = self._compared(measure, pooled(self.a, TOGETHER), pooled(self.b, TOGETHER))
                families["all"].append(together)
                compared[measure.name].insert(0, together)
        for family in families.values():
            _correct(family)
        return {name: pl.concat([part.frame for part in parts]) for name, parts in compared.items()}

    def _measure(self, measure: str | Measure[Tables]) -> Measure[Tables]:
        measures = study_of(self.a).measures
        resolved = measures[measure] if isinstance(measure, str) else measure
        if resolved.ratio is None:
            comparable = ", ".join(name for name, measure in measures.items() if measure.ratio)
            raise InputError(f"{resolved.name} cannot be compared; it must be one of {comparable}")
        return resolved

    def _compared(self, measure: Measure[Tables], a: Tables, b: Tables) -> "_Compared":
        assert measure.ratio is not None
        figures = measure.ratio(a), measure.ratio(b)
        keys, first = cells_of(figures[0])
        others, second = cells_of(figures[1])
        common = keys.join(others, on=keys.columns, how="semi", maintain_order="left")
        units = _units(a.games["game"], b.games["game"], self.pairs)
        arms = [
            _arms(first[:, place_a], second[:, place_b], units, len(self.pairs))
            for place_a, place_b in zip(positions(common, keys), positions(common, others), strict=True)
        ]
        tailed = any(figure.tailed for figure in figures)
        errors = errors_with_pools(arms, pools_of(common)) if tailed else [None] * len(arms)
        frame = common
        for name, figure in zip("ab", figures, strict=True):
            renamed = {name: "value", f"{name}_low": "low", f"{name}_high": "high", f"n_{name}": "n"}
            side = figure.estimates().select(*keys.columns, **renamed)
            frame = frame.join(side, on=keys.columns, how="left", maintain_order="left")
        return _Compared(frame, keys.columns, arms, errors)


@dataclass
class _Compared:
    """A measure in both arms; `_correct` completes its table."""

    frame: pl.DataFrame
    by: list[str]
    arms: list[Arms]
    errors: Sequence[float | None]
    """The errors for intervals, where they are not those of the group's own games."""


def compare(a: Tables, b: Tables, measure: str | Measure[Tables]) -> pl.DataFrame:
    """Compare one measure of both experiments, corrected over its groups; see `ExperimentComparison.compare`."""
    (frame,) = ExperimentComparison(a, b).compare(measure).values()
    return frame


def _origins(tables: Tables) -> pl.DataFrame:
    """Return every game with the columns that the games of a pair share."""
    seating = tables.context.seats.sort("game", "seat").group_by("game").agg(seating=pl.col("player"))
    seating = seating.with_columns(pl.col("seating").list.join("\x1f"))
    games = tables.games.select("game", "seed", "number", "source")
    return games.join(seating, on="game", how="left", maintain_order="left")


def cells_of(figure: Ratio | Difference) -> tuple[pl.DataFrame, Floats]:
    """Return the groups of a figure, and its tops and bottoms: (games, groups, columns)."""
    keys, parts = figure.parts()
    return keys, np.stack([column for part in parts for column in part], axis=2)


def _units(a: pl.Series, b: pl.Series, pairs: pl.DataFrame) -> tuple[Whole, Whole]:
    """Return the positions of each side's games, unit by unit: the pairs, then those of a, then those of b; −1 where a
    side has none."""
    place = [{game: place for place, game in enumerate(side)} for side in (a, b)]
    first, second = ([where.pop(game) for game in pairs[name]] for name, where in zip("ab", place, strict=True))
    alone = [list(where.values()) for where in place]
    return (
        np.asarray([*first, *alone[0], *[-1] * len(alone[1])], dtype=np.int64),
        np.asarray([*second, *[-1] * len(alone[0]), *alone[1]], dtype=np.int64),
    )


def _arms(a: Floats, b: Floats, units: tuple[Whole, Whole], pairs: int) -> Arms:
    """Return the arms of one group, with the units in which it occurs."""
    sides = [np.concatenate([side, np.zeros_like(side[:1])])[at] for side, at in zip((a, b), units, strict=True)]
    present = np.any([np.any(side[:, 1::2] > 0, axis=1) for side in sides], axis=0)
    return Arms(sides[0][present], sides[1][present], int(np.sum(present[:pairs])))


def errors_with_pools(arms: Sequence[Arms], pools: Whole) -> list[float | None]:
    """Return the error of each group with the games of its pool; None where a side is empty."""
    errors: list[float | None] = [None] * len(arms)
    filled = [place for place, arm in enumerate(arms) if min(arm.games)]
    for pool in {int(pools[place]) for place in filled}:
        members = [place for place in filled if pools[place] == pool]
        for place, error in zip(members, borrowed_errors([arms[place] for place in members]), strict=True):
            errors[place] = error
    return errors


def _correct(family: Sequence[_Compared]) -> None:
    """Test all groups of a family and correct for their number."""
    arms = [arm for part in family for arm in part.arms]
    chances, after = chances_of(arms)
    start = 0
    for part in family:
        own = slice(start, start := start + len(part.arms))
        differs = [chance is not None and chance <= 1 - CONFIDENCE for chance in after[own]]
        tests = {"p": chances[own], "corrected": after[own], "differs": differs}
        tested = pl.DataFrame({**_differences(part), **tests}, schema=_SCHEMA)
        sides = part.frame.drop(part.by)
        part.frame = pl.concat([part.frame.select(part.by), tested, sides], how="horizontal")


_SCHEMA: Final = {
    **dict.fromkeys(("value", "low", "high", "error"), pl.Float64),
    "reason": pl.String,
    "pairs": pl.Int64,
    **dict.fromkeys(("p", "corrected"), pl.Float64),
    "differs": pl.Boolean,
}


def _differences(one: _Compared) -> dict[str, list[Any]]:
    """Return the value, low, high, error, reason and pairs of every group."""
    columns: dict[str, list[Any]] = {name: [] for name in ("value", "low", "high", "error", "reason", "pairs")}
    for arms, borrowed in zip(one.arms, one.errors, strict=True):
        value, error = arms.seen
        reason = low = high = None
        if arms.same:
            low = high = 0.0
        elif min(arms.games) < LEAST:
            reason = f"{number_of(min(arms.games), 'game')} on a side: a difference takes at least {LEAST}"
        elif (ends := arms.interval(borrowed)) is None:
            reason = "the games of each side agree: there is no spread to make an interval of"
        else:
            low, high = ends
        shown_error = error if min(arms.games) > 1 else None
        for column, entry in zip(columns.values(), (value, low, high, shown_error, reason, arms.pairs), strict=True):
            column.append(entry)
    return columns
