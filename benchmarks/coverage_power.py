"""How far plans hold: whether a finding is made as often as `ostrom power` promises; whether intervals and verdicts
hold at the moment that `--until` chooses; and the adaptive schedule beside the balanced one, with its errors. By
itself: `python benchmarks/coverage_power.py --worlds 200`."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import combinations

import numpy as np
import polars as pl
from worlds import Row, Study, main, real_games, row

from ostrom.analysis.common_measures import mean_final
from ostrom.analysis.contrasts import Parts, contrast, difference_of_players, parts_of, players_of
from ostrom.analysis.intervals import LEAST, confidences, looks_at, stretch
from ostrom.analysis.planning import Goal, NarrowInterval, PlayersDiffer, Pool, Sample, plan_games, shift_parts
from ostrom.analysis.ratings import GameResults, order_free
from ostrom.analysis.ratings.ranking import compare_pairs
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core.estimates import CONFIDENCE, Floats, Whole
from ostrom.experiment.schedule import balanced_tables
from ostrom.experiment.stages import next_tables, stages_of, stretched

PILOTS = 50
"""A single one may be off by ten points and more: what is promised is held on the average over pilots."""
PILOT = 200
"""Games of a pilot."""
PLAYERS, SEATS = 20, 4


@lru_cache(maxsize=1)
def population() -> Parts | None:
    """Final tokens in the real games."""
    tables = real_games()
    return None if tables is None else parts_of(study_of(tables).measures["mean_final"], tables)


@lru_cache(maxsize=1)
def simulated(games: int = 20_000) -> Parts:
    """Six players whose finals have heavy tails, and hang together within a game."""
    rng = np.random.default_rng(2)
    seated = np.argsort(rng.random((games, 6)), axis=1)[:, :4]
    finals = np.exp(0.1 * seated + rng.normal(0, 0.5, (games, 1)) + rng.normal(0, 0.7, seated.shape)) * 20
    names = [f"g{game}" for game in range(games)]
    seats = {"game": np.repeat(names, 4), "player": [f"p{one}" for one in seated.ravel()], "final": finals.ravel()}
    return mean_final.ratio(GameTables(pl.DataFrame({"game": names, "seats": 4}), pl.DataFrame(seats)))


def moved_to(parts: Parts, goal: Goal) -> Parts:
    """The same games, in which the wanted difference is the true one."""
    if not isinstance(goal, PlayersDiffer):
        return parts
    now = contrast(parts, goal.player, goal.other).value
    assert now is not None
    return shift_parts(parts, goal.difference - now, goal.player)


def promise(
    name: str, games: Callable[[], Parts | None], goal_of: Callable[[Parts], Goal], worlds: int
) -> Iterator[Row]:
    """Plans from pilots of some games of a population, each repeated with new games of the population."""
    whole = games()
    if whole is None:
        return
    goal, rng, found, promised = goal_of(whole), np.random.default_rng(4), [], []
    everything = Pool(whole)
    truth = Pool(moved_to(whole, goal))
    for _ in range(PILOTS):
        pilot = everything.parts(rng.integers(everything.games, size=PILOT))
        planned = plan_games(goal, [moved_to(pilot, goal)], repetitions=min(1000, 2 * worlds))
        promised.append(planned.chance.value)
        for _ in range(max(1, worlds // PILOTS)):
            found.append(goal.is_met([Sample(truth, rng.integers(truth.games, size=planned.games))]))
    note = f"promised {100 * float(np.mean(promised)):.1f} %; {PILOTS} pilots of {PILOT} games"
    yield row("power: finding made", name, found, note=note)


def differ(parts: Parts) -> Goal:
    """A difference of half the standard deviation that the first two players' games have."""
    one, other = players_of(parts)[:2]
    found = contrast(parts, one, other)
    assert found.low is not None
    assert found.high is not None
    games = len(parts.games)  # type: ignore[union-attr]
    return PlayersDiffer((found.high - found.low) / 3.92 * np.sqrt(games) / 8, one, other)


def narrow(parts: Parts) -> Goal:
    """The interval of one player at about 150 games."""
    found = parts.resampled()
    games = len(parts.games)  # type: ignore[union-attr]
    return NarrowInterval(3.92 * float(found.error[0]) * np.sqrt(games / 150), [found.keys["player"][0]])


@lru_cache
def every_player(measure: str) -> tuple[list[str], Floats] | None:
    """What the players of the real games have of a measure: (ratios, 2, players, games)."""
    tables = real_games()
    if tables is None:
        return None
    keys, ratios = parts_of(study_of(tables).measures[measure], tables).parts()
    return keys["player"].to_list(), np.stack([np.stack([top.T, bottom.T]) for top, bottom in ratios])


def figures(every: Floats) -> Floats:
    """The figure of each player."""
    tops, bottoms = every.sum(axis=-1).transpose(1, 0, 2)
    ratios = tops / bottoms
    return np.asarray(ratios[0] - (ratios[1] if len(ratios) > 1 else 0.0))


def contrasts(measure: str, games: int, worlds: int) -> Iterator[Row]:
    """Coverage of the difference of two players, in turn all pairs of them, in games drawn from the real ones."""
    found = every_player(measure)
    if found is None:
        return
    names, every = found
    rng, truth = np.random.default_rng([8, games]), figures(every)
    pairs = list(combinations(range(len(names)), 2))
    order = rng.permutation(len(pairs))
    held, widths = np.full((worlds, 2), np.nan), np.full((worlds, 2), np.nan)
    values: dict[tuple[int, int], list[float]] = {}
    for world in range(worlds):
        drawn = every[..., rng.integers(every.shape[-1], size=games)]
        for turn in range(2):
            one, other = pairs[order[(2 * world + turn) % len(pairs)]]
            known = difference_of_players(drawn, one, other)
            if known.games >= LEAST and known.fit is not None:
                low, high = known.fit.interval()
                held[world, turn] = low <= truth[one] - truth[other] <= high
                widths[world, turn] = high - low
                values.setdefault((one, other), []).append(known.value)
    off = np.concatenate([np.asarray(mine) - np.mean(mine) for mine in values.values() if len(mine) > 1])
    width = float(np.nanmean(widths) / np.subtract(*np.quantile(off, [0.975, 0.025])))
    refused = 100 * float(np.mean(np.isnan(held)))
    yield row(
        f"contrast of two players by `{measure}`",
        f"{games} real games",
        held,
        worlds=worlds,
        width=width,
        note=f"93 to 97 %, refused {refused:.1f} %",
    )


def contrasts_together(games: int, worlds: int) -> Iterator[Row]:
    """How often five registered contrasts of five pairs of players, each by another measure, all hold."""
    measures = [every_player(measure) for measure in REGISTERED]
    rng, held = np.random.default_rng([9, games]), []
    confidence = 1 - (1 - CONFIDENCE) / 5
    for _ in range(worlds):
        right = True
        picked: Whole | None = None
        for number in range(5):
            found = measures[number % len(measures)]
            if found is None:
                return
            every = found[1]
            picked = rng.integers(every.shape[-1], size=games) if picked is None else picked
            one, other = rng.permutation(every.shape[2])[:2]
            known, truth = difference_of_players(every[..., picked], one, other), figures(every)
            if known.games >= LEAST and known.fit is not None:
                low, high = known.fit.interval(confidence)
                right &= bool(low <= truth[one] - truth[other] <= high)
        held.append(right)
    yield row("five registered contrasts, all of them", f"{games} real games", held, note="not below 95 %")


def stopped_widths(name: str, games: Callable[[], Parts | None], most: int, worlds: int) -> Iterator[Row]:
    """Coverage of the intervals at the look that a rule about their width chose."""
    whole = games()
    if whole is None:
        return
    pool, looks, rng = Pool(whole), looks_at(most), np.random.default_rng(5)
    found = whole.resampled()
    truth = dict(zip(found.keys["player"], found.value, strict=True))
    factor, middle = stretch(looks), looks[len(looks) // 2]
    bound = 3.92 * factor * float(np.median(found.error)) * np.sqrt(pool.games / middle)
    held, stops = [], []
    for _ in range(worlds):
        picked = rng.integers(pool.games, size=most)
        for player in rng.permutation(list(truth))[:1]:
            for look in looks:
                frame = stretched(pool.parts(picked[:look]).estimates(), factor).filter(pl.col("player") == player)
                mine = frame.select("low", "high").row(0) if frame.height else (None, None)
                if mine[0] is not None and (mine[1] - mine[0] < bound or look == most):
                    break
            stops.append(look)
            held.append(np.nan if mine[0] is None else mine[0] <= truth[player] <= mine[1])
    note = (
        f"not below 95 %; stopped after {np.mean(stops):.0f} games of at most {most} on average, {factor:.2f} × as wide"
    )
    yield row("--until width: coverage", name, held, note=note)


def stopped_ranks(players: int, most: int, worlds: int) -> Iterator[Row]:
    """How often any of equal players are told apart at any look."""
    rng, wrong, looks = np.random.default_rng(6), [], looks_at(most)
    for world in range(worlds):
        seated = np.asarray(list(balanced_tables(players, SEATS, most, world)))
        scores = rng.gumbel(size=seated.shape)
        any_wrong = False
        for look, confidence in zip(looks, confidences(looks), strict=True):
            found = order_free(GameResults(names_of(players), seated[:look], scores[:look]))
            any_wrong |= bool(compare_pairs(found, range(players), confidence).stronger.any())
        wrong.append(any_wrong)
    yield row("--until tiers: any wrong", f"{players} equal players, at most {most} games", wrong, note="at most 5 %")


def names_of(players: int) -> tuple[str, ...]:
    """As many names."""
    return tuple(f"p{one:02}" for one in range(players))


def strengths(kind: str, rng: np.random.Generator) -> Floats:
    """The strengths of twenty players, in log odds; whoever is listed first is no better for it."""
    made = {
        "equal": np.zeros(PLAYERS),
        "equally spaced": np.linspace(-3, 3, PLAYERS),
        "normal": rng.normal(0, 1.7, PLAYERS),
        "two clusters": np.repeat([-0.75, 0.75], PLAYERS // 2),
    }
    return rng.permutation(made[kind])


def ends(strength: Floats, tables: Whole, rng: np.random.Generator) -> Floats:
    """How games end: who is stronger by x is ahead with the log odds x."""
    return strength[tables] + rng.gumbel(size=tables.shape)


def adaptive_world(strength: Floats, games: int, rng: np.random.Generator, seed: int) -> GameResults:
    """A world played by the adaptive schedule."""
    names = names_of(PLAYERS)
    tables: list[list[int]] = []
    scores = np.zeros((0, SEATS))
    for end in stages_of(games, PLAYERS, SEATS):
        so_far = GameResults(names, np.asarray(tables), scores) if tables else None
        new = next_tables(so_far, names, SEATS, tables, end, games, seed)
        tables += [list(table) for table in new]
        scores = np.concatenate([scores, ends(strength, np.asarray(new), rng)])
    return GameResults(names, np.asarray(tables), scores)


def balanced_world(strength: Floats, games: int, rng: np.random.Generator, seed: int) -> GameResults:
    """The same by the balanced schedule."""
    tables = np.asarray(list(balanced_tables(PLAYERS, SEATS, games, seed)))
    return GameResults(names_of(PLAYERS), tables, ends(strength, tables, rng))


def schedules(kind: str, games: int, part: float, worlds: int) -> Iterator[Row]:
    """Pairs that are told apart, and wrong ones, by the balanced schedule and by the adaptive one with fewer games."""
    apart = {}
    for name, play, count in (("balanced", balanced_world, games), ("adaptive", adaptive_world, round(games * part))):
        wrong, told = [], []
        for world in range(worlds):
            rng = np.random.default_rng((7, world))
            strength = strengths(kind, rng)
            found = order_free(play(strength, count, rng, world))
            stronger = compare_pairs(found, range(PLAYERS)).stronger
            wrong.append(bool((stronger & (strength[:, None] <= strength)).any()))
            told.append(int(stronger.sum()))
        apart[name] = float(np.mean(told))
        note = f"at most 5 %; {apart[name]:.1f} pairs found to differ"
        yield row(f"{name} schedule: any wrong", f"20 players, {kind}, {count} games", wrong, note=note)


REGISTERED = (
    "mean_final",
    "contribution_percent_pooled",
    "punishment_spent_percent",
    "retaliation_rate",
    "endgame_drop",
)
"""Measures that a plan may contrast: two that hang on rich games, shares, and a difference of two."""

STUDIES: list[Study] = [
    partial(promise, "difference, simulated players", simulated, differ),
    partial(promise, "difference, real games", population, differ),
    partial(promise, "width, simulated players", simulated, narrow),
    partial(stopped_widths, "simulated players", simulated, 600),
    partial(stopped_widths, "real games", population, 1000),
    partial(stopped_ranks, 9, 200),
    *(partial(schedules, kind, 600, 0.6) for kind in ("equal", "equally spaced", "normal", "two clusters")),
    *(partial(contrasts, measure, games) for measure in REGISTERED for games in (40, 100, 300, 580)),
    *(partial(contrasts_together, games) for games in (40, 100)),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
