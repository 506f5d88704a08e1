"""Whether `ostrom report --compare` holds: how often it shows a difference where there is none, over random halves of
the real games, and how often its intervals hold the difference that there is."""

import os

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(setting, "1")

from collections.abc import Callable, Iterator  # noqa: E402 - only now, so that nothing starts threads
from dataclasses import dataclass  # noqa: E402
from functools import lru_cache, partial  # noqa: E402
from typing import TypeAlias  # noqa: E402

import numpy as np  # noqa: E402
from worlds import Row, Study, main, real_games, row  # noqa: E402

from ostrom.analysis.comparison import TOGETHER, cells_of, errors_with_pools  # noqa: E402
from ostrom.analysis.randomisation import LEAST, Arms, chances_of  # noqa: E402
from ostrom.analysis.study import study_of  # noqa: E402
from ostrom.analysis.tables import pooled  # noqa: E402
from ostrom.charts.catalogue import catalogue_of  # noqa: E402
from ostrom.core.estimates import CONFIDENCE, Floats, Whole  # noqa: E402

FAMILIES = ("all players together", "single players", "rounds")
Distribution: TypeAlias = Callable[[np.random.Generator, int], Floats]
IN_TURN = 2
"""So many players or rounds have their interval in each world; the next ones in the next world."""


@dataclass(frozen=True)
class Group:
    """A player or a round of a measure, in all real games."""

    family: str
    measure: str
    cells: Floats
    """Tops and bottoms by game."""
    tailed: bool
    """It hangs on a few rich games, so its interval borrows those of other players."""

    def arms(self, a: Whole, b: Whole) -> Arms:
        """Two arms of these games, by their places."""
        first, second = self.cells[a], self.cells[b]
        here, there = (side[np.any(side[:, 1::2] > 0, axis=1)] for side in (first, second))
        return Arms(np.concatenate([here, np.zeros_like(there)]), np.concatenate([np.zeros_like(here), there]), 0)

    def figure(self, weights: Floats) -> float:
        """The figure where games count so much."""
        sums = weights @ self.cells
        return float(sums[0] / sums[1] - (sums[2] / sums[3] if len(sums) > 2 else 0.0))


@lru_cache(maxsize=1)
def groups() -> list[Group]:
    """Every difference that a comparison of two sets of real games shows."""
    real = real_games()
    if real is None:
        return []
    found = []
    study = study_of(real)
    for name in catalogue_of(study).compared:
        measure = study.measures[name]
        by_player = "player" in measure.by
        for family, tables in zip(FAMILIES, (pooled(real, TOGETHER), real, real), strict=True):
            if by_player == (family != "rounds"):
                figure = measure.ratio(tables)  # type: ignore[misc]
                _, cells = cells_of(figure)
                tailed = figure.tailed and family == "single players"
                found += [Group(family, name, cells[:, place], tailed) for place in range(cells.shape[1])]
    return found


def halves(worlds: int) -> Iterator[Row]:
    """How many random halves of the real games show any difference, by family."""
    if not (every := groups()):
        return
    games, drawn = len(every[0].cells), np.random.default_rng(1)
    shown = {family: np.zeros(worlds) for family in FAMILIES}
    for world in range(worlds):
        places = drawn.permutation(games)
        for family, seen in shown.items():
            mine = [one for one in every if one.family == family]
            arms = [one.arms(places[: games // 2], places[games // 2 :]) for one in mine]
            _, after = chances_of(arms)
            seen[world] = any(chance is not None and chance <= 1 - CONFIDENCE for chance in after)
    for family, seen in shown.items():
        tests = sum(one.family == family for one in every)
        yield row(
            "any difference shown",
            f"random halves of the real games, {family}",
            seen,
            note=f"at most 5 %; {tests} tests",
        )


def intervals(games: int, tilted: bool, worlds: int) -> Iterator[Row]:
    """How many intervals hold the difference, of arms of so many games drawn from the real ones; tilted, one arm draws
    rich games more often than the other, so that there is a difference."""
    if not (every := groups()):
        return
    drawn = np.random.default_rng([2, games, tilted])
    weights = np.ones(len(every[0].cells))
    if tilted:
        rich = next(one.cells for one in every if one.measure == "mean_final")
        weights = 1 + rich[:, 0].argsort().argsort() / len(rich)
    weights = weights / weights.sum()
    even = np.full_like(weights, 1 / len(weights))
    for family in FAMILIES:
        for measure in dict.fromkeys(one.measure for one in every if one.family == family):
            mine = [one for one in every if (one.family, one.measure) == (family, measure)]
            held = np.full((worlds, len(mine)), np.nan)
            widths, values = np.full_like(held, np.nan), np.full_like(held, np.nan)
            asked = refused = 0
            truth = [one.figure(weights) - one.figure(even) for one in mine]
            for world in range(worlds):
                a = drawn.choice(len(weights), games)
                b = drawn.choice(len(weights), games, p=weights)
                turn = {(world * IN_TURN + step) % len(mine) for step in range(IN_TURN)}
                dealt = {place: mine[place].arms(a, b) for place in (range(len(mine)) if mine[0].tailed else turn)}
                together = np.zeros(len(dealt), dtype=np.int64)
                errors = errors_with_pools(list(dealt.values()), together) if mine[0].tailed else [None] * len(dealt)
                for (place, arms), error in zip(dealt.items(), errors, strict=True):
                    if place not in turn:
                        continue
                    values[world, place] = arms.seen[0] if min(arms.games) else np.nan
                    if min(arms.games) >= LEAST and (ends := arms.interval(error)) is not None:
                        held[world, place] = ends[0] <= truth[place] <= ends[1]
                        widths[world, place] = ends[1] - ends[0]
                    asked, refused = asked + 1, refused + bool(np.isnan(held[world, place]))
            spread = np.nanquantile(values, 0.975, axis=0) - np.nanquantile(values, 0.025, axis=0)
            shown = np.isfinite(widths).any(axis=0) & (spread > 0)
            setting = f"{family}, {games} games in each arm{', one with richer games' if tilted else ''}"
            yield row(
                f"difference of {measure}",
                setting,
                held,
                worlds=worlds,
                width=float(np.mean(np.nanmean(widths[:, shown], axis=0) / spread[shown])) if shown.any() else None,
                note=f"95 %; {100 * refused / asked:.0f} % refused",
            )


def pairs(games: int, worlds: int) -> Iterator[Row]:
    """The same of pairs of games that share half their story: each side is a real game that both have and another one
    of its own."""
    if not (every := groups()):
        return
    drawn = np.random.default_rng([3, games])
    for measure in ("mean_final", "contribution_percent_pooled"):
        (one,) = (one for one in every if (one.family, one.measure) == (FAMILIES[0], measure))
        held, widths, values = np.zeros(worlds), np.zeros(worlds), np.zeros(worlds)
        found = np.zeros(worlds)
        for world in range(worlds):
            common, own, other = (one.cells[drawn.choice(len(one.cells), games)] for _ in range(3))
            arms = Arms(common + own, common + other, games)
            low, high = arms.interval() or (np.nan, np.nan)
            held[world], widths[world], values[world] = low <= 0 <= high, high - low, arms.seen[0]
            found[world] = arms.chance(1000) <= 1 - CONFIDENCE
        width = float(widths.mean() / np.subtract(*np.quantile(values, [0.975, 0.025])))
        setting = f"all players together, {games} pairs"
        yield row(f"difference of {measure}", setting, held, width=width, note="95 %")
        yield row(f"test of {measure} alone", setting, found, note="at most 5 %")


def pairs_of_players(games: int, worlds: int) -> Iterator[Row]:
    """The intervals of single players from so many pairs of each, which share half their story."""
    if not (every := groups()):
        return
    drawn = np.random.default_rng([4, games])
    mine = [one.cells for one in every if (one.family, one.measure) == (FAMILIES[1], "mean_final")]
    present = [cells[np.any(cells[:, 1::2] > 0, axis=1)] for cells in mine]
    held = np.full((worlds, len(mine)), np.nan)
    widths, values = np.full_like(held, np.nan), np.full_like(held, np.nan)
    together = np.zeros(len(mine), dtype=np.int64)
    for world in range(worlds):
        arms = []
        for cells in present:
            common, own, other = (cells[drawn.choice(len(cells), games)] for _ in range(3))
            arms.append(Arms(common + own, common + other, games))
        errors = errors_with_pools(arms, together)
        for place in {(world * IN_TURN + step) % len(mine) for step in range(IN_TURN)}:
            low, high = arms[place].interval(errors[place]) or (np.nan, np.nan)
            held[world, place], widths[world, place] = low <= 0 <= high, high - low
            values[world, place] = arms[place].seen[0]
    spread = np.nanquantile(values, 0.975, axis=0) - np.nanquantile(values, 0.025, axis=0)
    width = float(np.mean(np.nanmean(widths, axis=0) / spread))
    yield row(
        "difference of mean_final",
        f"single players, {games} pairs of each",
        held,
        worlds=worlds,
        width=width,
        note="95 %",
    )


def exponential(chance: np.random.Generator, games: int) -> Floats:
    """Figures with mean 0, variance 1 and skewness 2."""
    return chance.exponential(size=games) - 1


def normal(chance: np.random.Generator, games: int) -> Floats:
    """Figures with mean 0 and variance 1."""
    return chance.standard_normal(games)


def lognormal(chance: np.random.Generator, games: int) -> Floats:
    """Figures with mean 0 and skewness 6.2."""
    return chance.lognormal(0, 1, games) - np.exp(0.5)


def skewed(first: Distribution, second: Distribution, games: tuple[int, int], worlds: int) -> Iterator[Row]:
    """How often two arms of equal means, different skewness and different numbers of games are said to differ."""
    drawn = np.random.default_rng([5, *games])
    held, said = np.full(worlds, np.nan), np.zeros(worlds)
    for world in range(worlds):
        sides = first(drawn, games[0]), second(drawn, games[1])
        cells = [np.column_stack([side, np.ones_like(side)]) for side in sides]
        arms = Arms(
            np.concatenate([cells[0], np.zeros_like(cells[1])]), np.concatenate([np.zeros_like(cells[0]), cells[1]]), 0
        )
        if min(games) < arms.games_needed or (fit := arms.fit()) is None:
            continue
        low, high = fit.interval()
        held[world], said[world] = low <= 0 <= high, fit.chance <= 1 - CONFIDENCE
    refused = 100 * float(np.mean(np.isnan(held)))
    setting = f"{games[0]} {first.__name__} and {games[1]} {second.__name__} games, equal means"
    yield row("difference of means", setting, held, note=f"93 to 97 %; {refused:.0f} % refused")
    yield row("test of the means alone", setting, said, note="at most 5 %")


STUDIES: list[Study] = [
    *(
        partial(skewed, first, second, games)
        for games in ((100, 100), (8, 80), (80, 8))
        for first, second in ((normal, exponential), (exponential, exponential), (normal, lognormal), (normal, normal))
    ),
    halves,
    *(partial(intervals, games, tilted) for games in (40, 100, 290) for tilted in (False, True)),
    *(partial(pairs, games) for games in (10, 40)),
    *(partial(pairs_of_players, games) for games in (10, 40)),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
