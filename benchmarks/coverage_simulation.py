"""Whether the intervals of `ostrom sweep`, `respond`, `design` and `evolve` hold: made-up games whose mean is known
exactly go through the product's own functions. Games are normal (light tails), exponential (a long tail, skewness 2:
more than three times that of finals of the Commons) or log-normal with σ = 1 (heavy tails, skewness 6)."""

import os

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(setting, "1")

from collections.abc import Iterable, Iterator, Sequence  # noqa: E402 - only now, so that nothing starts threads
from functools import lru_cache, partial  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
from worlds import Row, Study, main, row  # noqa: E402

from ostrom.core.estimates import Estimate, Floats  # noqa: E402
from ostrom.findings.processes import PopulationModel, _again, _bounds, _of_runs, run_process  # noqa: E402
from ostrom.sim.best_response import per_turn, simultaneous  # noqa: E402
from ostrom.sim.effects import Condition, crossings, indices, main_effects, of_saltelli, sides  # noqa: E402  # noqa: E402
from ostrom.sim.factors import saltelli  # noqa: E402
from ostrom.sim.finite_populations import fixation  # noqa: E402
from ostrom.sim.payoffs import PayoffTable  # noqa: E402
from ostrom.sim.simulated_populations import Runs, simulate  # noqa: E402
from ostrom.sim.sweep import SweepResult, estimates_of  # noqa: E402
from ostrom.sim.sweep_plan import SweepPlan, plan_of  # noqa: E402

AT_ONCE = 8_000_000
"""Figures that are drawn at a time."""


def luck(tails: str, shape: tuple[int, ...], chance: np.random.Generator) -> Floats:
    """What chance makes of games: a mean of 0 and a variance of 1."""
    if tails == "light":
        return chance.standard_normal(shape)
    if tails == "long":
        return np.asarray(chance.standard_exponential(shape) - 1)
    return np.asarray((np.exp(chance.standard_normal(shape)) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e))


def _ends(found: Iterable[Estimate]) -> Floats:
    """(3, …) Value, low and high; not a number where they were refused."""
    return np.asarray([[np.nan if one is None else one for one in each] for each in found], dtype=np.float64).T


def told(what: str, setting: str, ends: Floats, truth: Any, wanted: str, *, together: int = 1, worlds: int = 0) -> Row:
    """How often intervals, (3, intervals), hold the truth: each, or so many that stand one after the other all of
    them."""
    value, low, high = ends
    refused = np.isnan(low)
    if refused.all():
        return Row(what, setting, worlds or len(value) // together, np.nan, np.nan, np.nan, None, "always refused")
    room = 1e-9 * (1 + np.abs(truth))  # what rounding leaves
    each = np.where(refused, np.nan, (low - room <= truth) & (truth <= high + room))
    held = each.reshape(-1, together).min(axis=1)
    spread = np.subtract(*np.quantile(value[::together], [0.975, 0.025]))
    width = float(np.nanmean(high - low) / spread) if together == 1 and spread > 0 else None
    note = f"{wanted}, refused {100 * refused.mean():.1f} %" if refused.any() else wanted
    return row(what, setting, held, worlds=worlds and round(worlds * (1 - refused.mean())), width=width, note=note)


POINTWISE, TOGETHER = "93 to 97 %", "at least 95 %"


def points(tails: str, games: int, worlds: int) -> Iterator[Row]:
    """The mean at a point of a sweep of eleven, of which the first is looked at."""
    chance = np.random.default_rng([1, games])
    ends = [_ends(estimates_of(10 + luck(tails, (11, games), chance))[:1]) for _ in range(worlds)]
    setting = f"11 points of {games} games, {tails} tails"
    yield told("sweep: mean at a point", setting, np.concatenate(ends, axis=1), 10.0, POINTWISE)


def shares(rate: float | None, games: int, worlds: int) -> Iterator[Row]:
    """A share at a point of a sweep, such as of games that a player won; without a rate, one of its own in each
    world."""
    chance = np.random.default_rng([2, games])
    rates = np.full(worlds, rate) if rate is not None else chance.random(worlds)
    found = _ends(estimates_of((chance.random((worlds, games)) < rates[:, None]).astype(np.float64), share=True))
    setting = f"{games} games, won in {'any part' if rate is None else f'{100 * rate:g} %'}"
    yield told("sweep: share at a point", setting, found, rates, TOGETHER)


def _parts(worlds: int, size: int) -> Iterator[int]:
    """Worlds, some at a time."""
    most = max(1, AT_ONCE // size)
    for start in range(0, worlds, most):
        yield min(most, worlds - start)


@lru_cache(maxsize=8)
def _plan(vary: tuple[str, ...], games: int) -> SweepPlan:
    return plan_of(vary, seed=0, games=games, players=["AlwaysCoop", "Pavlov"], measures=["welfare"])


def _sweep(vary: tuple[str, ...], values: Floats) -> SweepResult:
    """A sweep of which everything is made up."""
    return SweepResult(_plan(vary, values.shape[1]), {"welfare": values})


LINE = ("alpha=0:1:0.1",)


def boundary(tails: str, games: int, at: float, worlds: int) -> Iterator[Row]:
    """Where a mean that rises straight along eleven points crosses a level; half of the chance in a game is common to
    all points."""
    chance, places = np.random.default_rng([3, games]), np.linspace(0, 1, 11)
    condition = Condition("welfare", 0.0)
    rows: list[list[float]] = []
    said = []
    for _ in range(worlds):
        common, own = luck(tails, (1, games), chance), luck(tails, (11, games), chance)
        result = _sweep(LINE, 2 * (places[:, None] - at) + np.sqrt(0.5) * (common + own))
        found = crossings(result, condition)
        # The interval that is printed, of all crossings where there are several; what is open holds everything.
        low, high = found["low"].fill_null(-np.inf).max(), found["high"].fill_null(np.inf).min()
        rows.append([np.nan, np.nan, np.nan] if low is None else [found["at"][0], low, high])  # type: ignore[list-item]
        if at in places:
            said.append(sides(result, condition)["side"][int(np.argmin(np.abs(places - at)))] != "unsure")
    value, low, high = np.asarray(rows).T
    setting = f"{games} games, {tails} tails, at {at:g} of 11 points from 0 to 1"
    held = np.where(np.isnan(low), np.nan, (low <= at + 1e-9) & (at - 1e-9 <= high))
    shut = np.isfinite(low) & np.isfinite(high)
    spread = np.subtract(*np.nanquantile(value, [0.975, 0.025]))
    width = float(np.mean((high - low)[shut]) / spread) if shut.any() else None
    note = f"{TOGETHER}, {100 * np.mean(~shut):.1f} % open at an end"
    yield row("sweep: boundary", setting, held, width=width, note=note)
    if said:
        yield row("sweep: side of a point on the level", setting, said, note="at most 5 % above or below")


GRID = ("alpha=0,0.5,1", "growth=0.1,0.2,0.3,0.4", "synergy=1.2,1.8")
FIRST, SECOND = np.asarray([-0.6, -0.1, 0.7]), np.asarray([-0.1, 0.1, 0.05, -0.05])
BOTH = 0.2 * np.outer([1, -1, 0], [1, -1, 1, -1])


def factors(tails: str, games: int, worlds: int) -> Iterator[Row]:
    """Indices and main effects of a grid of three factors: one that matters, one that does little by itself, and one
    that does nothing. Chance is common to a game, to each value of the first factor in it, and of each point."""
    chance = np.random.default_rng([4, games])
    means = np.repeat((FIRST[:, None] + SECOND + BOTH)[:, :, None], 2, axis=2)
    grand = means.mean()
    first, second = means.mean(axis=(1, 2)), means.mean(axis=(0, 2))
    whole = means.var()
    interaction = (means.mean(axis=2) - first[:, None] - second + grand).var()
    truths = {
        ("alpha", "first"): first.var() / whole,
        ("growth", "first"): second.var() / whole,
        ("alpha", "total"): (first.var() + interaction) / whole,
        ("alpha × growth", "interaction"): interaction / whole,
        ("synergy", "first"): 0.0,
        ("synergy", "total"): 0.0,
    }
    ends: dict[tuple[str, str], list[Any]] = {key: [] for key in truths}
    effects = []
    for _ in range(worlds):
        common, by_first, own = (luck(tails, (*shape, games), chance) for shape in ((1, 1, 1), (3, 1, 1), (3, 4, 2)))
        values = (means[..., None] + common + 0.5 * by_first + own).reshape(24, games)
        result = _sweep(GRID, values)
        for name, kind, *found, _ in indices(result, "welfare").iter_rows():
            if (name, kind) in truths:
                ends[name, kind].append(found)
        effects.append(main_effects(result, "welfare").select("effect", "low", "high").row(0))
    setting = f"{games} games at each of 24 points, {tails} tails"
    words = {"first": "alone", "total": "with its interactions", "interaction": "together"}
    for (name, kind), truth in truths.items():
        what = f"sweep: share of {_named[name]} {words[kind]}, {100 * truth:.0f} %"
        yield told(what, setting, np.asarray(ends[name, kind], dtype=np.float64).T, truth, POINTWISE)
    yield told("sweep: main effect", setting, np.asarray(effects).T, float(first[0] - grand), POINTWISE)


_named = {
    "alpha": "the first factor",
    "growth": "the second",
    "alpha × growth": "these two",
    "synergy": "a factor that does nothing",
}


def drawn_design(rows: int, games: int, worlds: int) -> Iterator[Row]:
    """Indices of a Sobol design, of a function of three factors whose indices are known; without chance of a single
    game. The chance is twice as large as what the factors do."""
    chance = np.random.default_rng([5, rows, games])
    a, b, c = 2.0, 1.0, 3.0
    variances = np.asarray([a * a / 12, b * b / 12, c * c / 144])
    whole = variances.sum()
    names = ("first", "second", "third")
    truths = {
        ("first", "first"): variances[0] / whole,
        ("second", "first"): variances[1] / whole,
        ("first", "total"): (variances[0] + variances[2]) / whole,
        ("third", "total"): 0.0,
    }
    ends: dict[tuple[str, str], list[Any]] = {key: [] for key in truths}
    for world in range(worlds):
        unit = saltelli(3, rows, world) - 0.5
        mean = a * unit[:, 0] + b * unit[:, 1] + c * unit[:, 0] * unit[:, 1]
        noise = 0.0 if games == 1 else 2 * np.sqrt(whole) * chance.standard_normal((len(unit), games))
        for name, kind, one in of_saltelli(mean[:, None] + noise, names, unit[: 2 * rows] + 0.5):
            if (name, kind) in truths:
                ends[name, kind].append([np.nan if part is None else part for part in one])
    setting = (
        f"a Sobol design of {rows} points in each sample, {'1 game without chance' if games == 1 else f'{games} games'}"
    )
    words = {"first": "alone", "total": "with its interactions"}
    for (name, kind), truth in truths.items():
        what = f"sweep: share of the {name} factor {words[kind]}, {100 * truth:.0f} %"
        yield told(what, setting, np.asarray(ends[name, kind], dtype=np.float64).T, truth, POINTWISE)


def gains(tails: str, games: int, players: int, worlds: int) -> Iterator[Row]:
    """What a response gains over each of so many players who do as well as it does, in the same games: all intervals
    hold together, and none says that it gains or loses. Finals share a part that is common to the game."""
    chance, ends, means = np.random.default_rng([6, games, players]), [], []
    for part in _parts(worlds, games * (players + 1)):
        finals = luck(tails, (part, players + 1, games), chance) + luck(tails, (part, 1, games), chance)
        ends.append(_ends(simultaneous((finals[:, :1] - finals[:, 1:]).reshape(-1, games), players)))
        means.append(_ends(simultaneous(finals[:, 0], 1)))
    setting = f"{games} games, {players} players, {tails} tails"
    yield told("respond: all gains", setting, np.concatenate(ends, axis=1), 0.0, TOGETHER, together=players)
    yield told("respond: mean of the response", setting, np.concatenate(means, axis=1), 0.0, POINTWISE)


def uneven_gains(games: int, worlds: int) -> Iterator[Row]:
    """Gains that all hang on the long tail of what the response gets, beside 16 players who get the same each time but
    for little."""
    chance, ends = np.random.default_rng([11, games]), []
    for part in _parts(worlds, games * 17):
        mine = luck("long", (part, 1, games), chance)
        finals = 0.2 * chance.standard_normal((part, 16, games))
        ends.append(_ends(simultaneous((mine - finals).reshape(-1, games), 16)))
    setting = f"{games} games, 16 players, the response's finals have a long tail"
    yield told("respond: all gains", setting, np.concatenate(ends, axis=1), 0.0, TOGETHER, together=16)


def a_turn(tails: str, games: int, worlds: int) -> Iterator[Row]:
    """What a response gets, and gains, for a turn, in games of 1 to 139 turns; half of a final grows with them."""
    chance, players = np.random.default_rng([7, games]), 8
    ends, alone = [], []
    for part in _parts(worlds, 2 * games * players):
        turns = chance.integers(1, 140, size=(part, 1, games)).astype(np.float64).repeat(players + 1, axis=1)
        finals = 35 + 0.5 * turns + 10 * luck(tails, (part, players + 1, games), chance)
        finals[:, 0] += 7 + 0.1 * turns[:, 0]
        for mine, lasted in zip(finals, turns, strict=True):
            ends.append(_ends(simultaneous(per_turn(mine[:1] - mine[1:], lasted[1:]))))
            alone.append(_ends(simultaneous(per_turn(mine[:1], lasted[:1]))))
    setting = f"{games} games of 1 to 139 turns, {players} players, {tails} tails"
    found = np.concatenate(ends, axis=1)
    yield told("respond: all gains for a turn", setting, found, 7 / 70 + 0.1, TOGETHER, together=players)
    yield told("respond: mean for a turn", setting, np.concatenate(alone, axis=1), 42 / 70 + 0.6, POINTWISE)


def designs(tails: str, tables: int, candidates: int, worlds: int) -> Iterator[Row]:
    """What candidates gain over the rules as they were, in two aims, at so many random tables of the test: tables
    differ, and four games at each have chance of their own."""
    chance, ends, aims = np.random.default_rng([8, tables]), [], 2
    for part in _parts(worlds, tables * (candidates + 1) * aims * 4):
        table = luck(tails, (part, candidates + 1, aims, tables), chance)
        worth = 5 + table + luck(tails, (part, candidates + 1, aims, tables, 4), chance).mean(axis=-1)
        ends.append(_ends(simultaneous((worth[:, 1:] - worth[:, :1]).reshape(-1, tables), candidates * aims)))
    setting = f"{tables} tables of 4 games, {candidates} candidates, {aims} aims, {tails} tails"
    found = np.concatenate(ends, axis=1)
    yield told("design: all gains", setting, found, 0.0, TOGETHER, together=candidates * aims)


HAWK_DOVE = np.asarray([[-1.0, 4.0], [0.0, 2.0]])
NAMES = ("hawk", "dove")


def _games(tails: str, games: int, common: bool, chance: np.random.Generator) -> PayoffTable:
    """Hawks and doves who play so many games in each composition. Half of the chance is common to the compositions
    where they are played with the same draws."""
    seating = np.repeat([[0, 0, 1], [0, 1, 1]], games, axis=1)
    paid = np.stack([HAWK_DOVE[seating[0], seating[1]], HAWK_DOVE[seating[1], seating[0]]])
    noise = luck(tails, paid.shape, chance)
    if common:
        noise = np.sqrt(0.5) * (noise + np.tile(luck(tails, (1, games), chance), 3))
    return PayoffTable.of_games(NAMES, 2, seating, paid + noise, common=common)


def _settings(process: str, mutation: object, **how: Any) -> PopulationModel:
    usual: dict[str, Any] = {"population": 20, "strength": 0.2, "steps": None, "rate": 0.1, "runs": 40}
    return PopulationModel(process, mutation=mutation, resamples=100, unit=1.0, **usual | how)


def fixations(tails: str, games: int, common: bool, worlds: int) -> Iterator[Row]:
    """What payoffs from games make of the chance that a hawk takes over among doves; an eighth as many worlds,
    since each has a hundred tables drawn anew."""
    chance, exact = np.random.default_rng([9, games]), PayoffTable.of_matrix(NAMES, HAWK_DOVE)

    def make(table: PayoffTable) -> Floats:
        return np.asarray([fixation(table, 0, 1, 20, 0.2)])

    truth, settings, ends = float(make(exact)[0]), _settings("fermi", "small"), []
    for world in range(max(2, worlds // 8)):
        table = _games(tails, games, common, chance)
        value = make(table)
        ends.append([value[0], *np.ravel(_bounds(value, _again(table, settings, world, make), table))])
    yield told("evolve: fixation", _said(tails, games, common), np.asarray(ends).T, truth, POINTWISE)


def _said(tails: str, games: int, common: bool) -> str:
    return f"{games} games of each composition{', the same draws' if common else ''}, {tails} tails"


def long_runs(tails: str, games: int, worlds: int) -> Iterator[Row]:
    """What rare mutations, mutations, and the replicator make of payoffs from games, by all that `ostrom evolve` does;
    a tenth as many worlds."""
    chance, exact, even = np.random.default_rng([12, games]), PayoffTable.of_matrix(NAMES, HAWK_DOVE), np.full(2, 0.5)
    how = {
        "share of time, rare mutations": _settings("fermi", "small"),
        "mean share, mutations of 5 %": _settings("fermi", 0.05),
        "share after 30 steps of the replicator": _settings("replicator", "small", steps=30),
    }
    ends: dict[str, list[Any]] = {name: [] for name in how}
    for world in range(max(2, worlds // 10)):
        table = _games(tails, games, True, chance)
        for name, settings in how.items():
            found = run_process(table, settings, even, None, world).tables["shares"]
            ends[name].append(found.select("value", "low", "high").row(0))
    for name, settings in how.items():
        truth = float(run_process(exact, settings, even, None, 0).tables["shares"]["value"][0])
        found = np.asarray(ends[name], dtype=np.float64).T
        yield told(f"evolve: {name}", _said(tails, games, True), found, truth, POINTWISE)


def simulated(games: int, runs: int, worlds: int) -> Iterator[Row]:
    """The mean share of runs whose payoffs are from games. The truth is of 50,000 runs with exact payoffs; an eighth as
    many worlds."""
    exact, settings = PayoffTable.of_matrix(NAMES, HAWK_DOVE), _settings("fermi", 0.05, runs=runs)

    def follow(table: PayoffTable, count: int, chance: np.random.Generator) -> Runs:
        start = np.full((count, 2), 10)
        return simulate(table, start, 60, chance=chance, strength=0.2, mutation=0.05, looks=20)

    chance = np.random.default_rng([13, games, runs])
    truth, ends = float(follow(exact, 50_000, chance).means()[0].value or 0.0), []
    for world in range(max(2, worlds // 8)):
        found = _of_runs(_games("light", games, True, chance), settings, world, follow, "step").tables["shares"]
        ends.append(found.select("value", "low", "high").row(0))
    setting = f"{runs} runs, payoffs of {games} games of each composition"
    yield told("evolve: mean share over runs", setting, np.asarray(ends, dtype=np.float64).T, truth, TOGETHER)


def late_shares(start: Sequence[int], mutation: float, runs: int, worlds: int) -> Iterator[Row]:
    """The mean share after the first fifth of simulated runs with exact payoffs. The truth is of 50,000 runs."""
    exact = PayoffTable.of_matrix(NAMES, HAWK_DOVE)
    steps, beta = 400, 0.2

    def follow(count: int, chance: np.random.Generator) -> Runs:
        return simulate(
            exact, np.tile(start, (count, 1)), steps, chance=chance, strength=beta, mutation=mutation, looks=20
        )

    chance = np.random.default_rng([10, runs])
    truth = float(follow(50_000, chance).means()[0].value or 0.0)
    ends = []
    for part in _parts(worlds, 200 * runs):
        together = follow(part * runs, chance)
        for world in range(part):
            one = Runs(together.steps, together.counts[:, world * runs : (world + 1) * runs])
            ends.append(one.means()[0])
    kind = f"mutations of {100 * mutation:g} %" if mutation else "no mutations, most runs end with one kind alone"
    setting = f"{runs} runs from {start[0]} of {sum(start)}, {kind}"
    yield told("evolve: mean share over runs", setting, _ends(ends), truth, TOGETHER)


STUDIES: list[Study] = [
    *(partial(points, tails, games) for tails in ("light", "long", "heavy") for games in (2, 6, 20, 200, 800)),
    *(partial(shares, rate, games) for rate in (0.5, 0.02) for games in (2, 20, 200)),
    *(
        partial(boundary, tails, games, at)
        for at, games in ((0.43, 200), (0.4, 200), (0.4, 20))
        for tails in ("light", "long")
    ),
    *(partial(factors, tails, games) for games in (6, 200) for tails in ("light", "long")),
    *(partial(drawn_design, rows, games) for rows, games in ((32, 6), (64, 1), (64, 6), (128, 1), (128, 6))),
    *(partial(gains, tails, games, 16) for tails in ("light", "long", "heavy") for games in (2, 6, 400)),
    *(partial(uneven_gains, games) for games in (6, 20, 60, 400)),
    *(partial(a_turn, tails, games) for tails in ("light", "long") for games in (6, 400)),
    *(partial(designs, tails, tables, 8) for tails in ("light", "long", "heavy") for tables in (2, 8, 96)),
    *(
        partial(late_shares, start, mutation, runs)
        for start, mutation in (((10, 10), 0.05), ((1, 19), 0.0))
        for runs in (2, 6, 40)
    ),
    *(partial(simulated, games, runs) for games, runs in ((50, 40), (50, 4))),
    *(
        partial(fixations, tails, games, common)
        for tails, games, common in (
            ("light", 50, True),
            ("light", 6, False),
            ("light", 2, True),
            ("heavy", 50, True),
            ("light", 6, True),
        )
    ),
    partial(long_runs, "light", 50),
    *(partial(shares, None, games) for games in (20, 200)),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
