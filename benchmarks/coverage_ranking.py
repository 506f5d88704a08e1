"""How often the ranking errs: the rate of more than one tier among equals, how often all ranks hold, how often the
interval of a strength covers it, and how many pairs are told apart beside Holm's correction of the same statistics.

By itself: `python benchmarks/coverage_ranking.py --worlds 200`."""

import argparse
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import binomtest
from scipy.stats import t as student

from ostrom.analysis.ratings import OrderFree, Results, order_free, results_of, tiers
from ostrom.analysis.ratings.ranking import told_apart

World = Callable[[np.random.Generator], Results]


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    setting: str
    worlds: int
    rate: float
    low: float
    high: float
    note: str = ""

    def __str__(self) -> str:
        band = f"{100 * self.rate:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"
        return f"| {self.what} | {self.setting} | {self.worlds:,} | {band} | {self.note} |"


def row(what: str, setting: str, held: list[bool], note: str = "") -> Row:
    """A rate with its 99 % binomial band."""
    band = binomtest(sum(held), len(held)).proportion_ci(0.99, "wilson")
    return Row(what, setting, len(held), float(np.mean(held)), band.low, band.high, note)


def drawn(players: int, games: int, seats: int, *, ties: bool = False, spread: float = 0.0) -> World:
    """Worlds of normal performances, of players whose skills are equally spaced over `spread` to both sides of 0."""
    names, skill = tuple(f"p{i:02}" for i in range(players)), np.linspace(spread, -spread, players)

    def world(chance: np.random.Generator) -> Results:
        seated = np.argsort(chance.random((games, players)), axis=1)[:, :seats]
        scores = chance.standard_normal((games, seats)) + skill[seated]
        return Results(names, seated, np.round(scores * 2) if ties else scores)

    return world


def permuted(real: Results) -> World:
    """Real games with the scores of each dealt anew among its seats: everybody is equal."""
    return lambda chance: Results(real.names, real.players, chance.permuted(real.scores, axis=1))


def resampled(real: Results) -> World:
    """As many games as there are, drawn from them with replacement."""

    def world(chance: np.random.Generator) -> Results:
        picked = chance.integers(0, real.games, real.games)
        return Results(real.names, real.players[picked], real.scores[picked])

    return world


def holm_pairs(rating: OrderFree) -> int:
    """How many pairs Holm's correction tells apart by the same statistics."""
    one, other = np.triu_indices(len(rating.names), 1)
    variance = np.diag(rating.covariance)
    error = np.sqrt(variance[one] + variance[other] - 2 * rating.covariance[one, other])
    sizes = np.abs(rating.theta[one] - rating.theta[other]) / error
    chances = np.sort(2 * student.sf(sizes, rating.games - 1))
    beyond = np.flatnonzero(chances > 0.05 / np.arange(len(chances), 0, -1))
    return int(beyond[0]) if len(beyond) else len(chances)


def equals(setting: str, world: World, worlds: int, seed: int = 1) -> Iterator[Row]:
    """Of players who are all equal."""
    chance = np.random.default_rng(seed)
    several = []
    for _ in range(worlds):
        several.append(any(place.tier not in (1, None) for place in tiers(order_free(world(chance)))))
    yield row("more than one tier among equals", setting, several, "at most 5 %")


def differences(setting: str, world: World, truth: np.ndarray, worlds: int, seed: int = 2) -> Iterator[Row]:
    """Of players who differ: `truth` are their strengths, in the order of their names."""
    chance = np.random.default_rng(seed)
    covered: list[bool] = []
    ranks_hold, pairs, holm = [], [], []
    rank = {name: place for place, name in enumerate(np.argsort(-truth).tolist(), start=1)}
    for _ in range(worlds):
        rating = order_free(world(chance))
        for estimate, value in zip(rating.strengths, truth, strict=True):
            covered.append(estimate.low is not None and estimate.low <= value <= estimate.high)
        places = {rating.names.index(place.name): place.ranks for place in tiers(rating)}
        ranks_hold.append(all(held is None or held[0] <= rank[i] <= held[1] for i, held in places.items()))
        pairs.append(int(told_apart(rating, range(len(truth))).stronger.sum()))
        holm.append(holm_pairs(rating))
    yield row("interval of a strength", setting, covered, "95 %")
    note = f"{np.mean(pairs):.1f} pairs told apart, {np.mean(holm):.1f} by Holm's correction"
    yield row("all ranks hold", setting, ranks_hold, f"at least 95 %; {note}")


def real_results() -> Results | None:
    """The games of PGG-Bench, where they are at hand."""
    logs = sorted(Path(os.environ.get("OSTROM_DATA", "../shared/data"), "pgg_bench").rglob("game_*.jsonl"))
    games = []
    for path in logs:
        for line in path.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if event.get("type") == "final":
                games.append([(name, float(tokens)) for name, tokens in event["final_tokens"].items()])
    return results_of(games) if games else None


def studies(worlds: int) -> Iterator[Row]:
    """Every line of the table."""
    yield from equals("20 players, 580 games of 5", drawn(20, 580, 5), worlds)
    yield from equals("9 players, 40 games of 5", drawn(9, 40, 5), worlds)
    yield from equals("16 players, 100 games of 4, with ties", drawn(16, 100, 4, ties=True), worlds)
    real = real_results()
    if real is not None:
        yield from equals("580 real games, scores permuted within each", permuted(real), worlds)
        yield from differences("580 real games, resampled", resampled(real), order_free(real).theta, worlds)
    skill = drawn(9, 100, 5, spread=0.7)
    many = order_free(drawn(9, 40_000, 5, spread=0.7)(np.random.default_rng(3))).theta
    yield from differences("9 players equally spaced, 100 games of 5", skill, many, worlds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=1000)
    for line in studies(parser.parse_args().worlds):
        print(line, flush=True)
