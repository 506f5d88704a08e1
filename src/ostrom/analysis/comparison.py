"""The comparison of two experiments, measure by measure. It has differences with intervals, randomisation tests, and
corrections for the number of tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic

import numpy as np
import polars as pl

from ostrom.analysis.contrasts import ratios_of
from ostrom.analysis.differences import DifferenceFit
from ostrom.analysis.intervals import Difference, Ratio, pools_of, positions
from ostrom.analysis.measures import GAME, Measure
from ostrom.analysis.randomisation import LEAST, Arms, borrowed_errors, chances_of, corrected
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import Tables, pooled
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Floats, Whole
from ostrom.core.text import number_of

TOGETHER: Final = "all"
"""The name of the row in which all players count together."""


@dataclass(frozen=True)
class ExperimentComparison(Generic[Tables]):
    """The games of two experiments. Two games with the same seed, number and seating form a pair. Two imported games
    with the same log and seating also form a pair. A pair is one observation."""

    a: Tables
    b: Tables
    margins: Mapping[str, float] = field(default_factory=dict)
    """The smallest difference of interest, by measure. The experiments count as equivalent if a difference is shown to
    be smaller than this."""

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """The pairs of games, with their ids in the columns a and b."""
        origin = ["seed", "number", "source", "seating"]
        sides = [_origins(tables).filter(pl.len().over(origin) == 1) for tables in (self.a, self.b)]
        # Without a seed or a log, it is unknown whether two games belong together.
        identified = sides[0].filter(pl.col("seed").is_not_null() | pl.col("source").is_not_null())
        both = identified.join(sides[1], on=origin, how="inner", nulls_equal=True, maintain_order="left", suffix="_b")
        return both.select(a="game", b="game_b")

    def compare(self, *measures: str | Measure[Tables]) -> dict[str, pl.DataFrame]:
        """Return a table for each measure, with a row for every group (player, round) that both experiments have. The
        columns are those of the group, and: value, low, high and error of the difference b − a, with `reason` if there
        is no interval; `pairs`, the number of pairs; `p`, the p-value of the randomisation test of whether the games
        differ in any way; `corrected`, this p-value corrected over all groups and measures of its family;
        `games_differ`, true if the corrected p-value is significant; `differs`, true if the figures differ as well,
        after the same correction; `all_low` and `all_high`, the interval that holds for the whole family together;
        `detectable`, the difference that the same number of games would show with a power of 80 %; `equivalent`, true
        if the difference is shown to be within the margin; and the figures of both experiments: a, a_low, a_high, n_a,
        b, b_low, b_high, n_b. A measure by player begins with the player `all`, which stands for all players together.
        There are three families: all players together with measures of whole games, single players, and rounds. Raises
        `InputError` for a measure that has no ratio."""
        resolved = [self._measure(measure) for measure in measures]
        families: dict[str, list[_Compared]] = {"all": [], "player": [], "round": []}
        compared: dict[str, list[_Compared]] = {}
        for measure in resolved:
            by_player = "player" in measure.by
            single = self._compared(measure, self.a, self.b)
            families["player" if by_player else "all" if measure.by == GAME else "round"].append(single)
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
        whole = [ratios_of(figure)[0] for figure in figures]
        pairs = _pairs_of_units(self.pairs, *whole)
        names = [ratio.unit_names for ratio in whole]
        units = _units(names[0], names[1], pairs)
        arms = [
            _arms(first[:, place_a], second[:, place_b], units, len(pairs))
            for place_a, place_b in zip(positions(common, keys), positions(common, others), strict=True)
        ]
        tailed = any(figure.tailed for figure in figures)
        errors = errors_with_pools(arms, pools_of(common)) if tailed else [None] * len(arms)
        frame = common
        for name, figure in zip("ab", figures, strict=True):
            renamed = {name: "value", f"{name}_low": "low", f"{name}_high": "high", f"n_{name}": "n"}
            side = figure.estimates().select(*keys.columns, **renamed)
            frame = frame.join(side, on=keys.columns, how="left", maintain_order="left")
        return _Compared(frame, keys.columns, arms, errors, self.margins.get(measure.name))


@dataclass
class _Compared:
    """A measure in both experiments. `_correct` adds the corrected results to its table."""

    frame: pl.DataFrame
    by: list[str]
    arms: list[Arms]
    errors: Sequence[float | None]
    """A lower bound for each group's standard error, which uses the games of other groups. If a group's figure depends
    on a few games, its own games may understate the error."""
    margin: float | None
    """The smallest difference of interest, if one is given."""

    @cached_property
    def fits(self) -> list[DifferenceFit | None]:
        """The fit of each group's difference. It is None for a group that cannot be tested."""
        return [
            arms.fit(error) if arms.is_testable and min(arms.games) >= arms.games_needed else None
            for arms, error in zip(self.arms, self.errors, strict=True)
        ]


def compare(a: Tables, b: Tables, measure: str | Measure[Tables]) -> pl.DataFrame:
    """Compare one measure of both experiments, with a correction for the number of its groups. See
    `ExperimentComparison.compare`."""
    (frame,) = ExperimentComparison(a, b).compare(measure).values()
    return frame


def _origins(tables: Tables) -> pl.DataFrame:
    """Return every game with the columns in which the two games of a pair have equal entries."""
    seating = tables.context.seats.sort("game", "seat").group_by("game").agg(seating=pl.col("player"))
    seating = seating.with_columns(pl.col("seating").list.join("\x1f"))
    games = tables.games.select("game", "seed", "number", "source")
    return games.join(seating, on="game", how="left", maintain_order="left")


def cells_of(figure: Ratio | Difference) -> tuple[pl.DataFrame, Floats]:
    """Return the groups of a figure, and arrays (games, groups, columns) of the numerators and denominators of its
    ratios."""
    keys, parts = figure.parts()
    return keys, np.stack([column for part in parts for column in part], axis=2)


def _pairs_of_units(pairs: pl.DataFrame, a: Ratio, b: Ratio) -> pl.DataFrame:
    """Return the pairs of games as pairs of independent units. If a unit belongs to several pairs, return no pairs."""
    if a.units is None and b.units is None:
        return pairs
    unit_of = [
        dict(zip(side.games, side.games if side.units is None else map(str, side.units), strict=True))
        for side in (a, b)
    ]
    together = pl.DataFrame(
        {name: [of[game] for game in pairs[name]] for name, of in zip("ab", unit_of, strict=True)},
        schema=dict.fromkeys("ab", pl.String),
    ).unique(maintain_order=True)
    unique = all(together[name].n_unique() == len(together) for name in "ab")
    return together if unique else together.clear()


def _units(a: Sequence[str], b: Sequence[str], pairs: pl.DataFrame) -> tuple[Whole, Whole]:
    """Return the positions of each side's games, unit by unit: first the pairs, then the unpaired games of a, then the
    unpaired games of b. The position is −1 if a side has no game in the unit."""
    place = [{game: place for place, game in enumerate(side)} for side in (a, b)]
    first, second = ([where.pop(game) for game in pairs[name]] for name, where in zip("ab", place, strict=True))
    alone = [list(where.values()) for where in place]
    return (
        np.asarray([*first, *alone[0], *[-1] * len(alone[1])], dtype=np.int64),
        np.asarray([*second, *[-1] * len(alone[0]), *alone[1]], dtype=np.int64),
    )


def _arms(a: Floats, b: Floats, units: tuple[Whole, Whole], pairs: int) -> Arms:
    """Return the arms of the comparison for one group. Only units in which the group occurs are included."""
    sides = [np.concatenate([side, np.zeros_like(side[:1])])[at] for side, at in zip((a, b), units, strict=True)]
    present = np.any([np.any(side[:, 1::2] > 0, axis=1) for side in sides], axis=0)
    return Arms(sides[0][present], sides[1][present], int(np.sum(present[:pairs])))


def errors_with_pools(arms: Sequence[Arms], pools: Whole) -> list[float | None]:
    """Return each group's standard error, computed with the games of all groups in its pool. The error is None for a
    group that has no games on one side."""
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
    fits = [fit for part in family for fit in part.fits]
    chances, games_after = chances_of(arms)
    figures_after = corrected([None if fit is None else fit.chance for fit in fits])
    tests = sum(fit is not None for fit in fits)
    start = 0
    for part in family:
        own = slice(start, start := start + len(part.arms))
        games_differ = [chance is not None and chance <= 1 - CONFIDENCE for chance in games_after[own]]
        # If all games within each side are equal, a difference between the figures is certain and needs no interval.
        differs = [
            games and (arm.games_needed <= min(arm.games) if chance is None else chance <= 1 - CONFIDENCE)
            for arm, games, chance in zip(part.arms, games_differ, figures_after[own], strict=True)
        ]
        after = {"p": chances[own], "corrected": games_after[own], "games_differ": games_differ, "differs": differs}
        tested = pl.DataFrame({**_differences(part, tests), **after}, schema=_SCHEMA)
        sides = part.frame.drop(part.by)
        part.frame = pl.concat([part.frame.select(part.by), tested, sides], how="horizontal")


_COLUMNS: Final = {
    **dict.fromkeys(("value", "low", "high", "error", "all_low", "all_high", "detectable"), pl.Float64),
    "equivalent": pl.Boolean,
    "reason": pl.String,
    "pairs": pl.Int64,
}
_SCHEMA: Final = {
    **_COLUMNS,
    **dict.fromkeys(("p", "corrected"), pl.Float64),
    **dict.fromkeys(("games_differ", "differs"), pl.Boolean),
}


def _differences(part: _Compared, tests: int) -> dict[str, list[Any]]:
    """Return the result columns for the difference of every group. `tests` is the number of tests in the family."""
    together = 1 - (1 - CONFIDENCE) / max(tests, 1)
    rows = []
    for arms, fit in zip(part.arms, part.fits, strict=True):
        value, error = arms.seen
        row: dict[str, Any] = {"value": value, "error": error if min(arms.games) > 1 else None, "pairs": arms.pairs}
        if arms.same:
            row |= dict.fromkeys(("low", "high", "all_low", "all_high", "detectable"), 0.0)
        elif fit is None:
            row["reason"] = _refusal(arms)
        else:
            row["low"], row["high"] = fit.interval()
            row["all_low"], row["all_high"] = fit.interval(together)
            row["detectable"] = fit.detectable
            row["equivalent"] = None if part.margin is None else fit.is_equivalent(part.margin)
        rows.append(row)
    return {name: [row.get(name) for row in rows] for name in _COLUMNS}


def _refusal(arms: Arms) -> str:
    """Return the reason why the difference of two arms has no interval."""
    fewest = min(arms.games)
    if fewest < LEAST:
        return f"{number_of(fewest, 'game')} on a side: a difference takes at least {LEAST}"
    if fewest < arms.games_needed:
        return (
            f"{number_of(fewest, 'game')} on a side, and figures as skewed as on the other take at least "
            f"{arms.games_needed}"
        )
    return "the games of each side agree: there is no spread for an interval"
