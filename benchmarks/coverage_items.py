"""How often a board of a benchmark's items errs: the rate of more than one tier among equal models, how often the
intervals of all leads hold together, and whether the number of items that is said to tell two models apart does so.

By itself: `python benchmarks/coverage.py --only items --worlds 2000`."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np
from worlds import Row, Study, row

from ostrom.analysis.items import ItemScores, board_of_items, rate_items
from ostrom.analysis.ratings import tiers
from ostrom.analysis.ratings.ranking import compare_pairs

MODELS = 10
KINDS = {"right or wrong": 0.0, "wrong in one of 50": -3.6, "right in one of 50": 3.6}
"""By how much the items are too hard."""


def answers(
    chance: np.random.Generator,
    items: int,
    *,
    clusters: int = 0,
    kind: str = "right or wrong",
    absent: float = 0.0,
    spread: float = 0.0,
    models: int = MODELS,
) -> ItemScores:
    """The answers of models to items of unequal difficulty. With clusters, which have unequal sizes, each model finds
    some clusters easier than others. `spread` sets the models apart."""
    units = np.arange(items)
    skill = np.linspace(spread, -spread, models)
    level = 1.5 * chance.standard_normal((items, 1)) + skill
    if clusters:
        size = chance.dirichlet(np.full(clusters, 4.0))
        units = np.unique(chance.choice(clusters, items, p=size), return_inverse=True)[1]
        level = level + chance.standard_normal((clusters, models))[units]
    noise = chance.standard_normal((items, models))
    if kind == "amounts":
        scores = level + noise
    elif kind == "amounts with a long tail":
        scores = np.exp(level / 2 + noise)
    else:
        scores = (level + noise > KINDS[kind]).astype(float)
    scores[chance.random(scores.shape) < absent] = np.nan
    names = tuple(f"m{number:02}" for number in range(models))
    return ItemScores(names, scores, units, items * models, bool(clusters))


def equals(
    items: int, worlds: int, *, clusters: int = 0, kind: str = "right or wrong", absent: float = 0.0
) -> Iterator[Row]:
    """Of models that are all equal."""
    chance = np.random.default_rng([7, items, clusters, round(100 * absent), *kind.encode()])
    several = []
    for _ in range(worlds):
        places = tiers(rate_items(answers(chance, items, clusters=clusters, kind=kind, absent=absent)))
        several.append(any(place.tier not in (1, None) for place in places))
    parts = [f"{MODELS} equal models, {items:,} items", kind]
    parts += [f"{clusters} clusters of unequal sizes"] if clusters else []
    parts += [f"{absent:.0%} of the answers missing"] if absent else []
    yield row("more than one tier among equals", ", ".join(parts), several, note="at most 6 %")


def leads(items: int, worlds: int, *, clusters: int = 0, spread: float = 0.6) -> Iterator[Row]:
    """Of models that differ: whether the intervals of all pairs hold together."""
    chance = np.random.default_rng([8, items, clusters])
    many = rate_items(answers(np.random.default_rng(9), 400_000, spread=spread)) if not clusters else None
    truth = many.theta if many is not None else _clustered_truth(spread)
    held, apart = [], []
    for _ in range(worlds):
        rating = rate_items(answers(chance, items, clusters=clusters, spread=spread))
        tests = compare_pairs(rating, range(MODELS))
        errors = [
            abs(rating.theta[i] - rating.theta[j] - truth[i] + truth[j]) for i, j in combinations(range(MODELS), 2)
        ]
        variance = np.diag(rating.covariance)
        reach = [
            tests.reach * np.sqrt(variance[i] + variance[j] - 2 * rating.covariance[i, j])
            for i, j in combinations(range(MODELS), 2)
        ]
        held.append(bool(np.all(np.asarray(errors) <= np.asarray(reach))))
        apart.append(int(tests.stronger.sum()))
    setting = f"{MODELS} models equally spaced, {items:,} items" + (f", {clusters} clusters" if clusters else "")
    yield row(
        "the intervals of all leads hold", setting, held, note=f"at least 95 %; {np.mean(apart):.1f} pairs differ"
    )


def _clustered_truth(spread: float) -> np.ndarray:
    return rate_items(answers(np.random.default_rng(9), 400_000, clusters=40_000, spread=spread)).theta


def needed_items(worlds: int, pilot: int = 4_000) -> Iterator[Row]:
    """The number of items that a large pilot says would tell its first two models apart, played in new worlds."""
    chance = np.random.default_rng(10)
    board = board_of_items(answers(chance, pilot, spread=0.5, models=3))
    pair = board.pairs[0]
    assert pair.items is not None
    apart = []
    for _ in range(worlds):
        rating = rate_items(answers(chance, pair.items, spread=0.5, models=3))
        apart.append(bool(compare_pairs(rating, range(3)).stronger[0, 1]))
    setting = f"3 models, a pilot of {pilot:,} items says {pair.items:,}"
    yield row("two models are told apart", setting, apart, note="about 80 %; step-down tests find somewhat more")


STUDIES: list[Study] = [
    *(partial(equals, items) for items in (100, 300, 1_000, 2_000)),
    *(partial(equals, 100, kind=kind) for kind in ("wrong in one of 50", "right in one of 50", "amounts")),
    partial(equals, 100, kind="amounts with a long tail"),
    partial(equals, 300, absent=0.3),
    *(partial(equals, items, clusters=clusters) for items, clusters in ((100, 20), (400, 20), (400, 100), (2_000, 50))),
    partial(equals, 400, clusters=20, kind="amounts"),
    partial(leads, 300),
    partial(leads, 400, clusters=40),
    needed_items,
]
