"""How often the intervals of measures hold their figure: real games drawn under new ids, the truth being that of all of
them; and simulated players whose truth is known. By itself: `python benchmarks/coverage_means.py --worlds 200`."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from worlds import Row, Study, main, real_games, row

from ostrom.analysis.intervals import LEAST, SEED, pools_of, refusal, weights
from ostrom.analysis.leads import comparisons_of
from ostrom.analysis.studentised import Part, studentised
from ostrom.analysis.study import study_of
from ostrom.core.estimates import median

Floats = npt.NDArray[np.float64]
SIZES = (40, 100, 300, 580)
MEASURES = (  # noqa: SIM905 - a list of words
    "mean_final partners_final welfare contribution_tokens contribution_percent_pooled "
    "contribution_percent_mean_of_ratios punishment_spent_percent damage_received_percent endgame_drop "
    "retaliation_rate promise_keeping unprovoked_punishment antisocial_punishment mean_rank inequality "
    "aggregate_contribution_by_round aggregate_punishment_by_round"
).split()
BY_ROUND = ("rank_by_round", "contribution_percent_by_round", "punishment_spent_percent_by_round")


class Population(NamedTuple):
    """All games of which a world is a sample."""

    parts: list[Part]
    pools: npt.NDArray[np.int64]
    bounds: tuple[float, float]
    tailed: bool


@lru_cache(maxsize=4)
def population(name: str) -> Population | None:
    """A measure of the real games."""
    tables = real_games()
    if tables is None:
        return None
    measured = study_of(tables).measures[name].ratio
    assert measured is not None
    found = measured(tables)
    keys, parts = found.parts()
    return Population(parts, pools_of(keys), found.bounds, found.tailed)


def value_of(parts: list[Part]) -> Floats:
    """The figure of every group."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = [top.sum(axis=0) / bottom.sum(axis=0) for top, bottom in parts]
    return np.asarray(ratios[0] - ratios[1] if len(ratios) > 1 else ratios[0])


class Seen(NamedTuple):
    """What a world shows of each group: its figure and interval; not a number where it is refused."""

    value: Floats
    low: Floats
    high: Floats


def interval_in(found: Population, picked: npt.NDArray[np.int64]) -> Seen:
    """The intervals that the product gives from the games picked."""
    parts = [(top[picked], bottom[picked]) for top, bottom in found.parts]
    games = np.max([np.sum(bottom > 0, axis=0) for _, bottom in parts], axis=0)
    there = np.all([bottom.sum(axis=0) > 0 for _, bottom in parts], axis=0)
    low, high, value = (np.full(len(there), np.nan) for _ in range(3))
    held = studentised(
        [(top[:, there], bottom[:, there]) for top, bottom in parts],
        found.pools[there],
        weights(len(picked)),
        SEED,
        found.bounds,
    )
    value[there], low[there], high[there] = held.value, held.low, held.high
    in_all = int(np.sum(np.any([bottom > 0 for _, bottom in parts], axis=(0, 2))))
    refused = [refusal(int(own), in_all, tailed=found.tailed) is not None for own in games]
    return Seen(value, np.where(refused, np.nan, low), np.where(refused, np.nan, high))


def line(what: str, setting: str, truth: Floats, seen: list[Seen]) -> Row:
    """A line of the table: the coverage over all groups, with worlds as the trials."""
    value, low, high = (np.asarray(each) for each in zip(*seen, strict=True))
    dust = 1e-9 * (1 + np.abs(truth))
    held = np.where(np.isnan(low), np.nan, (low <= truth + dust) & (truth - dust <= high))
    refused = float(np.mean(np.isnan(held)))
    if refused == 1:
        return Row(what, setting, len(seen), np.nan, np.nan, np.nan, None, "always refused")
    with np.errstate(all="ignore"):
        spread = np.nanquantile(value, 0.975, axis=0) - np.nanquantile(value, 0.025, axis=0)
        width = float(np.nanmean(np.where(spread > 0, np.nanmean(high - low, axis=0) / spread, np.nan)))
        worst = float(np.nanmin(np.nanmean(held, axis=0)))
    note = f"least {100 * worst:.0f} %" + (f", refused {100 * refused:.1f} %" if refused else "")
    return row(what, setting, held, worlds=len(seen), width=width, note=note)


def of_measure(name: str, games: int, worlds: int) -> Iterator[Row]:
    """A measure of so many real games."""
    found = population(name)
    if found is None:
        return
    chance = np.random.default_rng([games, *name.encode()])
    seen = [interval_in(found, chance.integers(0, len(found.parts[0][0]), games)) for _ in range(worlds)]
    yield line(f"`{name}`", f"{games} real games", value_of(found.parts), seen)


def of_median(games: int, worlds: int) -> Iterator[Row]:
    """The median final of so many real games."""
    found = population("mean_final")
    if found is None:
        return
    (finals, seats) = found.parts[0]
    groups = range(finals.shape[1])
    truth = np.asarray([np.median(finals[seats[:, group] > 0, group]) for group in groups])
    chance, seen = np.random.default_rng(games), []
    for _ in range(worlds):
        picked = chance.integers(0, len(finals), games)
        values = [finals[picked, group][seats[picked, group] > 0] for group in groups]
        held = [median(one, len(one)) if len(one) else None for one in values]
        ends = [(np.nan,) * 3 if one is None or one.low is None else (one.value, one.low, one.high) for one in held]
        seen.append(Seen(*np.asarray(ends, dtype=np.float64).T))
    yield line("`median_final`", f"{games} real games", truth, seen)


Simulation = Callable[[np.random.Generator, int], Part]


def _normal(chance: np.random.Generator, games: int) -> Part:
    """Players far apart, of unlike spread."""
    size = np.arange(1.0, 9.0)
    return 20 * size + size * chance.standard_normal((games, 8)), np.ones((games, 8))


def _lognormal(chance: np.random.Generator, games: int) -> Part:
    """Players whose finals have a long tail: σ = 1.5, the mean at exp(σ²/2) = 3.08 times the median."""
    size = np.linspace(1.0, 2.0, 8)
    return size * np.exp(1.5 * chance.standard_normal((games, 8))), np.ones((games, 8))


def _rare(chance: np.random.Generator, games: int) -> Part:
    """Events of which a game has ten chances, alike within a game, from 0 in 100 to 20 in 100; one player always."""
    mean = np.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 1.0])
    rate = np.where(
        mean % 1 > 0, chance.beta(2 * np.maximum(mean, 1e-9), 2 * np.maximum(1 - mean, 1e-9), (games, 8)), mean
    )
    return chance.binomial(10, rate).astype(np.float64), np.full((games, 8), 10.0)


SIMULATED: dict[str, tuple[Simulation, Floats, tuple[float, float], bool]] = {
    "normal, players far apart": (_normal, 20 * np.arange(1.0, 9.0), (-np.inf, np.inf), False),
    "log-normal, σ = 1.5": (_lognormal, np.linspace(1.0, 2.0, 8) * np.exp(1.125), (-np.inf, np.inf), True),
    "rare events": (_rare, np.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 1.0]), (0.0, 1.0), False),
}


def of_simulated(kind: str, games: int, worlds: int) -> Iterator[Row]:
    """Eight simulated players with so many games each."""
    simulate, truth, bounds, tailed = SIMULATED[kind]
    chance, pool = np.random.default_rng(games), np.zeros(8, dtype=np.int64)
    whole, seen = np.arange(games), []
    for _ in range(worlds):
        seen.append(interval_in(Population([simulate(chance, games)], pool, bounds, tailed), whole))
    yield line(kind, f"{games} games of each simulated player", truth, seen)


SENTENCES = ("mean_final", "contribution_percent", "punishment_spent_percent", "retaliation_rate")
"""The measures of which a report of real games says who does most."""


def named_in(found: Population, parts: Part) -> float:
    """1 where somebody is named as the first, 0 where nobody is; not a number where no two can be compared."""
    top, bottom = parts
    games, in_all = np.sum(bottom > 0, axis=0), int(np.sum(np.any(bottom > 0, axis=1)))
    usable = np.flatnonzero([refusal(int(own), in_all, tailed=found.tailed) is None for own in games])
    if len(usable) < 2:
        return np.nan
    value = top[:, usable].sum(axis=0) / bottom[:, usable].sum(axis=0)
    usable = usable[np.argsort(-value)]
    return float(comparisons_of((top[:, usable], bottom[:, usable])).possible.sum() == 1)


def of_equals(games: int, worlds: int) -> Iterator[Row]:
    """How often a report names somebody where all are equal: what the seats of each real game did is dealt to players
    drawn from all of them. Dealt among those who sat there, they would not be equal: some sat at richer tables."""
    populations = [found for name in SENTENCES if (found := population(name))]
    if not populations:
        return
    chance, seen = np.random.default_rng(games), []
    for _ in range(worlds):
        picked = chance.integers(0, len(populations[0].parts[0][0]), games)
        # One deal for all measures: a column of a game goes to another player, those of nobody among them.
        dealt = np.argsort(chance.random((games, populations[0].parts[0][0].shape[1])), axis=1)
        seen.append(
            [
                named_in(one, tuple(np.take_along_axis(each[picked], dealt, axis=1) for each in one.parts[0]))
                for one in populations
            ]
        )
    held = np.asarray(seen)
    for place, name in enumerate(SENTENCES):
        if np.isfinite(held[:, place]).any():
            yield row(
                f"a player named by `{name}` among equals", f"{games} real games", held[:, place], note="at most 5 %"
            )
    yield row("any of these", f"{games} real games", np.nanmax(held, axis=1))


def own_tails(kind: str, games: int, worlds: int) -> Iterator[Row]:
    """Eight players with so many games each, of which only the first has a tail: one of its games in ten or twenty is
    twenty times as far off, or its games are exponential or ten times as wide."""
    chance, pool = np.random.default_rng([4, games]), np.zeros(8, dtype=np.int64)
    seen = []
    for _ in range(worlds):
        finals = chance.standard_normal((games, 8))
        if kind == "exponential":
            finals[:, 0] = chance.exponential(size=games) - 1
        elif kind == "ten times as wide":
            finals[:, 0] *= 10
        else:
            rate = 1 / int(kind.split()[-1])
            finals[:, 0] += 20 * ((chance.random(games) < rate) - rate)
        population_ = Population([(finals, np.ones((games, 8)))], pool, (-np.inf, np.inf), False)
        seen.append(interval_in(population_, np.arange(games)))
    for who, groups in (("the player", slice(0, 1)), ("the others", slice(1, None))):
        part = [Seen(one.value[groups], one.low[groups], one.high[groups]) for one in seen]
        yield line(f"own tail: {who}", f"{games} games each, {kind}", np.zeros(len(part[0].value)), part)


def possible_firsts(name: str, games: int, worlds: int) -> Iterator[Row]:
    """How often the best player of all real games is among the possible firsts of so many games."""
    found = population(name)
    if found is None:
        return
    chance, best = np.random.default_rng([6, games]), int(np.argmax(value_of(found.parts)))
    kept, sizes = [], []
    for _ in range(worlds):
        picked = chance.integers(0, len(found.parts[0][0]), games)
        top, bottom = (part[picked] for part in found.parts[0])
        usable = np.flatnonzero(np.sum(bottom > 0, axis=0) >= LEAST)
        order = usable[np.argsort(-top[:, usable].sum(axis=0) / bottom[:, usable].sum(axis=0))]
        possible = order[comparisons_of((top[:, order], bottom[:, order])).possible]
        kept.append(best in possible if best in usable else np.nan)
        sizes.append(len(possible))
    note = f"at least 95 %; {np.mean(sizes):.1f} possible firsts"
    yield row(f"the best by `{name}` is a possible first", f"{games} real games", kept, note=note)


def repeated_seeds(units: int, repeats: int, worlds: int) -> Iterator[Row]:
    """The intervals of means where games share their draws, with a correlation of .5."""
    chance, pool = np.random.default_rng([7, units]), np.zeros(4, dtype=np.int64)
    seen = {"": [], ", units ignored": []}  # type: dict[str, list[Seen]]
    for _ in range(worlds):
        common = np.repeat(chance.standard_normal((units, 4)), repeats, axis=0)
        finals = np.sqrt(0.5) * (common + chance.standard_normal(common.shape))
        by_unit = finals.reshape(units, repeats, 4).sum(axis=1), np.full((units, 4), float(repeats))
        for words, part in zip(seen, (by_unit, (finals, np.ones_like(finals))), strict=True):
            held = studentised([part], pool, weights(len(part[0])), SEED)
            seen[words].append(Seen(held.value, held.low, held.high))
    for words, one in seen.items():
        yield line(f"mean over repeated seeds{words}", f"{units} seeds, {repeats} games of each", np.zeros(4), one)


STUDIES: list[Study] = [
    *(
        partial(own_tails, kind, games)
        for kind in ("exponential", "ten times as wide", "jackpots of 1 in 10", "jackpots of 1 in 20")
        for games in (10, 25, 60, 200)
    ),
    *(partial(possible_firsts, name, games) for name in (*SENTENCES, "mean_rank") for games in (100, 580)),
    *(partial(repeated_seeds, units, repeats) for units, repeats in ((6, 5), (20, 5), (60, 2))),
    *(partial(of_measure, name, games) for name in MEASURES for games in SIZES),
    *(partial(of_median, games) for games in SIZES),
    *(partial(of_measure, name, games) for name in BY_ROUND for games in SIZES),
    *(partial(of_equals, games) for games in SIZES),
    *(partial(of_simulated, kind, games) for kind in SIMULATED for games in (10, 25, 60, 200)),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
