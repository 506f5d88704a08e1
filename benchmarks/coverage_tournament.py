"""Whether the intervals of `ostrom tournament` hold: over the tables that were played, in tournaments of the Commons
whose truth is known from many more games at each table; and over random opponents, in worlds whose players are drawn
from a population."""

import os

for setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(setting, "1")

from collections.abc import Iterator  # noqa: E402 - only now, so that nothing starts threads
from functools import lru_cache, partial  # noqa: E402
from itertools import combinations  # noqa: E402
from types import SimpleNamespace  # noqa: E402

import numpy as np  # noqa: E402
from worlds import Row, Study, main, row  # noqa: E402

from ostrom.core.estimates import Estimate, Floats, median, stratified_mean, stratified_share  # noqa: E402
from ostrom.games.commons import COMMONS, CommonsRules  # noqa: E402
from ostrom.players.roster import choose  # noqa: E402
from ostrom.sim import numpy_engine  # noqa: E402
from ostrom.sim.batch import Batch  # noqa: E402
from ostrom.sim.standings import StandingsTally  # noqa: E402
from ostrom.sim.tournament import Schedule  # noqa: E402

CHAMPIONS = ["AlwaysBetray", "RandomPlayer", "Pavlov", "Parasite", "GenerousTFT", "Capitaliste", "Justicier"]
TURNS = 60


@lru_cache(maxsize=2)
def played(seats: int, games: int) -> dict[str, dict[str, Floats]]:
    """What each player did at each of its tables in so many games: (tables, games) by figure."""
    cast = choose(CHAMPIONS)
    schedule = Schedule(tuple(cast), games, seats)
    found: dict[str, dict[str, list[Floats]]] = {entry.name: {"win rate": [], "mean capital": []} for entry in cast}
    for table in range(schedule.tables):
        numbers = np.arange(table * games, (table + 1) * games)
        seating = schedule.seating(numbers)
        batch = Batch(COMMONS, CommonsRules(turns=TURNS), schedule.cast, seating, numbers, 11)
        result = numpy_engine.play_batch(batch)
        for seat, member in enumerate(seating[:, 0]):
            mine = found[schedule.cast[member].name]
            mine["win rate"].append(np.asarray(result.wins[seat], dtype=np.float64))
            mine["mean capital"].append(np.asarray(result.finals[seat], dtype=np.float64))
    return {name: {what: np.stack(tables) for what, tables in mine.items()} for name, mine in found.items()}


def over_tables(seats: int, games: int, worlds: int) -> Iterator[Row]:
    """Intervals over the tables that were played, of tournaments with so many games at each."""
    every = played(seats, 20 * worlds)
    for what, estimate in (("win rate", stratified_share), ("mean capital", stratified_mean), ("median capital", None)):
        held, widths, spreads = [], [], []
        for figures in every.values():
            values = figures[what.replace("median", "mean")]
            truth = float(np.median(values) if estimate is None else values.mean())
            ones = np.ones(len(values) * games, dtype=np.int64)
            found = [
                _estimate(np.ascontiguousarray(values[:, world * games : (world + 1) * games]), estimate, ones)
                for world in range(worlds)
            ]
            # What rounding leaves of a figure that chance has no part in.
            room = 1e-9 * (1 + abs(truth))
            held.append([one.low - room <= truth <= one.high + room for one in found])  # type: ignore[operator]
            widths.append(np.mean([one.high - one.low for one in found]))  # type: ignore[operator]
            spreads.append(np.subtract(*np.quantile([one.value for one in found], [0.975, 0.025])))
        width = float(np.mean(widths) / np.mean(spreads)) if np.mean(spreads) > 0 else None
        setting = f"tables of {seats} of {len(every)} champions, {games} games at each, worst player"
        worst = int(np.argmin(np.mean(held, axis=1)))
        wanted = "93 to 97 %" if what == "mean capital" else "at least 95 %"
        yield row(what, setting, held[worst], width=width, note=f"the worst of {len(every)}")
        yield row(what, setting.replace("worst player", "all players"), held, worlds=worlds, width=width, note=wanted)


def _estimate(values: Floats, estimate: object, ones: np.ndarray) -> Estimate:
    if estimate is None:
        return median(values.ravel(), values.size)
    return estimate(values.ravel(), ones, len(values))  # type: ignore[operator,no-any-return]


def over_opponents(opponents: int, seats: int, tails: str, worlds: int) -> Iterator[Row]:
    """Intervals over random opponents of a player of middling strength, at all tables with so many others, two games at
    each. Strengths are drawn from a population; a final is the strength, what the table shares, and luck, or with heavy
    tails the exponential of that."""
    drawn = np.random.default_rng([4, opponents, seats])
    many = 200_000
    everybody = np.concatenate([np.zeros((1, many)), drawn.normal(size=(seats - 1, many))])
    finals = _finals(everybody, tails, drawn)
    truths = {"win rate": float((finals.argmax(axis=0) == 0).mean()), "mean capital": float(finals[0].mean())}
    found: dict[str, list[Estimate]] = {what: [] for what in truths}
    # Everybody meets everybody, as in a tournament: how uneven finals are is read off all players.
    tables = np.asarray(list(combinations(range(opponents + 1), seats))).T
    seating = np.repeat(tables, 2, axis=1)
    for _ in range(worlds):
        strengths = np.concatenate([[0.0], drawn.normal(size=opponents)])
        finals = _finals(strengths[seating], tails, drawn)
        wins = (finals == finals.max(axis=0)).astype(np.float64)
        with StandingsTally(
            [str(one) for one in range(opponents + 1)], repetitions=2, over="opponents", tables=tables
        ) as tally:
            batch = SimpleNamespace(seating=seating, games=np.arange(seating.shape[1]))
            tally.add(batch, SimpleNamespace(wins=wins, finals=finals, figures={}, player_turns=0))  # type: ignore[arg-type]
            me = next(one for one in tally.standings() if one.name == "0")
        for what, one in (("win rate", me.win_rate), ("mean capital", me.mean_final)):
            found[what].append(one)
    setting = f"random opponents, {opponents} of them, tables of {seats}, {tails} tails"
    for what, every in found.items():
        held = [_holds(one, truths[what]) for one in every]
        if np.isnan(held).all():
            yield Row(f"{what} over opponents", setting, worlds, np.nan, np.nan, np.nan, None, "always refused")
            continue
        spread = np.subtract(*np.quantile([one.value for one in every], [0.975, 0.025]))
        width = float(np.mean([one.high - one.low for one in every if one.low is not None]) / spread)  # type: ignore[operator]
        note = "at least 95 %" + (f", refused {100 * np.mean(np.isnan(held)):.1f} %" if np.isnan(held).any() else "")
        yield row(f"{what} over opponents", setting, held, width=width, note=note)


def _holds(one: Estimate, truth: float) -> float:
    return float("nan") if one.low is None or one.high is None else float(one.low <= truth <= one.high)


def _finals(strengths: Floats, tails: str, drawn: np.random.Generator) -> Floats:
    finals = strengths + 0.3 * strengths.mean(axis=0) + drawn.normal(size=strengths.shape)
    return np.asarray(np.exp(finals) if tails == "heavy" else finals)


STUDIES: list[Study] = [
    *(partial(over_tables, seats, games) for seats, games in ((3, 5), (3, 20), (7, 20))),
    *(
        partial(over_opponents, opponents, seats, tails)
        for tails in ("light", "heavy")
        for opponents, seats in ((5, 2), (15, 2), (8, 3), (15, 3))
    ),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
