"""Whether intervals hold where games depend on each other: few clusters, clusters of different sizes, and clusters that
cross with draws; and whether those of a full round robin are as narrow as they can be.

By itself: `python benchmarks/coverage.py --only units --worlds 1000`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl
from coverage_ranking import balanced, by_levels, mean_against_others, means_of, payoff_levels
from worlds import Row, Study, main, row

from ostrom.analysis.common_measures import log_final
from ostrom.analysis.measures import ratio_of
from ostrom.analysis.ratings.methods.payoff import rate_by_payoff
from ostrom.analysis.tables import GameTables

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
TAILS: dict[str, Draw] = {
    "normal": lambda chance, shape: chance.standard_normal(shape),
    "exponential": lambda chance, shape: chance.standard_exponential(shape) - 1,
}
PLAYERS = 3


def tables(cluster: np.ndarray, draw: np.ndarray | None, finals: np.ndarray) -> GameTables:
    """Games of some players with these finals, (games, players)."""
    games, players = finals.shape
    names = [f"g{number}" for number in range(games)]
    columns = {"game": names, "seats": players, "cluster": cluster}
    if draw is not None:
        columns |= {"seed": 1, "number": draw}
    seats = pl.DataFrame(
        {
            "game": np.repeat(names, players),
            "seat": np.tile(np.arange(players), games),
            "player": [f"p{player}" for player in range(players)] * games,
            "final": finals.ravel(),
        }
    )
    return GameTables(pl.DataFrame(columns), seats)


def few_clusters(clusters: int, tails: str, uneven: str, worlds: int) -> Iterator[Row]:
    """Means over clusters of 6 games with a correlation of .5; uneven ones have 2 to 11 games."""
    chance, draw = np.random.default_rng([8, clusters]), TAILS[tails]
    size = np.full(clusters, 6)
    if uneven == "uneven":
        size = np.maximum(2, np.rint(12 * np.arange(1, clusters + 1) / (clusters + 1)).astype(int))
    cluster = np.repeat(np.arange(clusters), size)
    ends = []
    for _ in range(worlds):
        finals = draw(chance, (clusters, PLAYERS))[cluster] + draw(chance, (len(cluster), PLAYERS))
        own = tables(cluster, None, finals)
        ends.append(_ends(ratio_of(own, own.seats, ("player",), "final").estimates()))
    sizes = "2 to 11 games" if uneven == "uneven" else "6 games"
    yield _coverage("mean over clusters", f"{clusters} clusters of {sizes}, correlation 0.5, {tails}", ends)


def crossed_units(clusters: int, draws: int, worlds: int) -> Iterator[Row]:
    """Means over games of every cluster with every draw; a third of the variance is of each."""
    chance = np.random.default_rng([9, clusters, draws])
    cluster, draw = np.repeat(np.arange(clusters), draws), np.tile(np.arange(draws), clusters)
    both, alone = [], []
    for _ in range(worlds):
        luck = chance.standard_normal((clusters, PLAYERS))[cluster] + chance.standard_normal((draws, PLAYERS))[draw]
        ratio = log_final(tables(cluster, draw, luck + chance.standard_normal((len(draw), PLAYERS))))
        both.append(_ends(ratio.estimates()))
        alone.append(_ends(replace(ratio, crossed=None).estimates()))
    setting = f"{clusters} clusters by {draws} draws, a third of the variance each"
    yield _coverage("mean over clusters that cross with draws", setting, both)
    yield replace(_coverage("the same by clusters alone", setting, alone), note="not used")


def round_robins(worlds: int, games: int = 144) -> Iterator[Row]:
    """Means and ratings by payoff of nine players who all meet equally often; payoffs depend on the opponent more than
    on the player."""
    chance, make, truth = np.random.default_rng(10), balanced(by_levels(), 9, games), payoff_levels()
    mean = mean_against_others(truth)
    means, ratings = [], []
    for _ in range(worlds):
        results = make(chance)
        means.append(_ends(means_of(results)))
        strengths = rate_by_payoff(results).strengths
        ratings.append(np.asarray([[one.value, one.low, one.high] for one in strengths], dtype=float).T)
    setting = f"9 players, payoffs by opponent, {games} games, every pair alike"
    yield replace(_coverage("mean in a full round robin", setting, means, mean), note="93 to 97 %; width at most 1.3")
    yield replace(
        _coverage("rating by payoff in a full round robin", setting, ratings, mean - mean.mean()),
        note="93 to 97 %; width at most 1.3",
    )


def _ends(frame: pl.DataFrame) -> np.ndarray:
    return frame.select("value", "low", "high").to_numpy().astype(float).T


def _coverage(what: str, setting: str, ends: list[np.ndarray], truth: np.ndarray | float = 0.0) -> Row:
    value, low, high = np.moveaxis(np.asarray(ends), 1, 0)
    held = np.where(np.isnan(low), np.nan, (low <= truth) & (truth <= high))
    spread = np.quantile(value, 0.975, axis=0) - np.quantile(value, 0.025, axis=0)
    width = float(np.nanmean(np.nanmean(high - low, axis=0) / spread))
    return row(what, setting, held.ravel(), worlds=len(ends), width=width, note="93 to 97 %")


STUDIES: list[Study] = [
    *(
        partial(few_clusters, clusters, tails, sizes)
        for sizes in ("even", "uneven")
        for tails in TAILS
        for clusters in (5, 10, 20)
    ),
    *(partial(crossed_units, clusters, draws) for clusters, draws in ((5, 20), (10, 10), (20, 20))),
    round_robins,
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
