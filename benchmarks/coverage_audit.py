"""How often the intervals of an audit's shares of variance hold, and those of how far a judge and the pattern agree. In
each world the truth is known: effects that were planted, and the shares that games without end come to. By itself:
`python benchmarks/coverage_audit.py --worlds 200`."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from worlds import Row, Study, main, row

from ostrom.analysis.intervals import LEAST
from ostrom.core.estimates import Floats
from ostrom.games.audit.variance import Cells, Means, mean_squares, share_intervals
from ostrom.games.judge.readings import figures, interval

LEVELS = {"wording": 3, "labels": 4, "currency": 4, "scale": 3}
WAYS = 12
STRAY = np.asarray([3.0, -1.0, -1.0, -1.0]) / np.sqrt(3)
"""One level against the others, its mean square 1."""


def audit(
    wording: float,
    combined: float,
    noise: float,
    situations: int,
    worlds: int,
    *,
    scale: float = 0.1,
    labels: float = 0.0,
    differs: float = 0.0,
    strays: float = 0.0,
    uneven: float = 0.0,
    seed: int = 8,
    held_out: str = "",
) -> Iterator[Row]:
    """Audits in which the wording and the scale move decisions by so much either way, the labels by so much from one to
    the next, and the rest not at all. All effects differ from situation to situation by this part of their size; one
    currency of four strays by so much, either way in each, and not at all in the mean. The logarithm of the noise has
    this standard deviation between situations."""
    effects = {name: np.zeros(levels) for name, levels in LEVELS.items()}
    effects["wording"], effects["scale"] = (size * np.asarray([1.0, 0.0, -1.0]) for size in (wording, scale))
    effects["labels"] = labels * np.asarray([1.0, -1.0, 1.0, -1.0])
    named = np.asarray([np.mean(effect**2) for effect in effects.values()])
    combinations = combined**2 * (WAYS - 1) / WAYS + differs**2 * named.sum() + strays**2 * np.mean(STRAY**2)
    truth = np.asarray([*named, combinations, noise**2 * np.exp(2 * uneven**2)])
    truth /= truth.sum()
    rng = np.random.default_rng((seed, situations))
    audits = [_cells(rng, effects, combined, noise, situations, differs, strays, uneven) for _ in range(worlds)]
    shares = [cells.parts().shares[0] for cells in audits]
    # All at once, which is what takes the time.
    squares = mean_squares(Means(*map(np.concatenate, zip(*(cells.means() for cells in audits), strict=True))))
    lows, highs = (end.reshape(worlds, len(LEVELS)) for end in squares)
    ends = [share_intervals(cells, pair) for cells, *pair in zip(audits, lows, highs, strict=True)]
    setting = f"{situations} situations, wording ± {wording:g}, combinations {combined:g}, noise {noise:g}"
    if held_out:
        setting += f"; {held_out}: scale ± {scale:g}, labels ± {labels:g}"
    if differs:
        setting += f", effects differ by {100 * differs:g} %"
    if strays:
        setting += f"; currency strays by {strays:g}"
    if uneven:
        setting += f"; noise differs by a factor of {np.exp(uneven):.2g}"
    for place, name in enumerate((*LEVELS, "combinations", "noise")):
        value, (low, high) = np.asarray(shares)[:, place], np.asarray(ends)[:, :, place].T
        spread = np.diff(np.quantile(value, (0.025, 0.975)))[0]
        held = (low <= truth[place]) & (truth[place] <= high)
        yield row(f"audit: share of {name}", setting, held, width=float((high - low).mean() / spread), note="95 %")


def _cells(
    rng: np.random.Generator,
    effects: dict[str, Floats],
    combined: float,
    noise: float,
    situations: int,
    differs: float = 0.0,
    strays: float = 0.0,
    uneven: float = 0.0,
) -> Cells:
    """The answers of one audit: three to each way, in which every level occurs equally often in every situation."""
    codes = {
        name: np.concatenate([rng.permutation(np.arange(WAYS) % levels) for _ in range(situations)])
        for name, levels in LEVELS.items()
    }
    situation = np.repeat(np.arange(situations), WAYS)
    means = rng.normal(0, combined, len(situation))
    for name, code in codes.items():
        size = 1 + differs * rng.normal(size=situations)[situation] if differs else 1.0
        means = means + size * effects[name][code]
    if strays:
        means = means + strays * rng.normal(size=situations)[situation] * STRAY[codes["currency"]]
    means = means + rng.normal(size=situations)[situation]
    answers = means[:, None] + rng.normal(0, noise, (len(situation), 3))
    if uneven:
        times = np.exp(uneven * rng.normal(size=situations))[situation]
        answers = means[:, None] + times[:, None] * (answers - means[:, None])
    within = np.sum((answers - answers.mean(axis=1, keepdims=True)) ** 2, axis=1)
    named = {name: tuple(map(str, range(levels))) for name, levels in LEVELS.items()}
    repeats = np.full(len(situation), 3)
    return Cells(named, codes, situation, answers.mean(axis=1), repeats, np.bincount(situation, within))


def judge(error: float, games: int, worlds: int) -> Iterator[Row]:
    """A judge that says otherwise than the pattern in this part of messages, more in some games than in others."""
    truth = figures(_counts(np.random.default_rng(1), 400_000, error).sum(axis=0)[None])[:, 0]
    rng = np.random.default_rng((9, games))
    held, widths, values = (np.full((worlds, 3), np.nan) for _ in range(3))
    for world in range(worlds):
        counts = _counts(rng, games, error)
        whole = counts.sum(axis=0)[None]
        values[world] = figures(whole)[:, 0]
        for place, found in enumerate(interval(whole, counts)):
            if found is not None:
                held[world, place] = found[0] <= truth[place] <= found[1]
                widths[world, place] = found[1] - found[0]
    spread = np.diff(np.nanquantile(values, (0.025, 0.975), axis=0), axis=0)[0]
    for place, name in enumerate(("agreement", "κ", "agreement on the amount")):
        refused = float(np.mean(np.isnan(held[:, place])))
        width = float(np.nanmean(widths[:, place]) / spread[place])
        note = "95 %" + (f"; refused {100 * refused:.1f} %" if refused else "")
        yield row(f"judge: {name}", f"{games} games, errs in {100 * error:g} %", held[:, place], width=width, note=note)


def _counts(rng: np.random.Generator, games: int, error: float) -> Floats:
    """(games, 5) Messages in which both, the pattern only, the judge only and neither find a promise; same amounts."""
    said, errs = rng.integers(10, 50, games), rng.beta(15 * error, 15 * (1 - error), games)
    by_pattern = rng.binomial(said, rng.beta(2, 2, games))
    both, judge_only = rng.binomial(by_pattern, 1 - errs), rng.binomial(said - by_pattern, errs)
    same = rng.binomial(both, rng.beta(9, 1, games))
    columns = (both, by_pattern - both, judge_only, said - by_pattern - judge_only, same)
    return np.column_stack(columns).astype(np.float64)


STUDIES: list[Study] = [
    *(
        partial(audit, *strengths, situations)
        for strengths in ((0.0, 0.05, 0.3), (0.2, 0.1, 0.3), (0.5, 0.3, 0.3))
        for situations in (4, 8, 16)
    ),
    # How intervals are made was chosen with an eye on these, too, which the way before it was not.
    *(
        partial(audit, *strengths, situations, scale=scale, labels=0.08, seed=4242, held_out="held out before")
        for strengths, scale in (((0.1, 0.2, 0.5), 0.05), ((0.35, 0.15, 0.4), 0.2), ((0.8, 0.1, 0.6), 0.15))
        for situations in (5, 6, 12, 24)
    ),
    *(partial(audit, 0.35, 0.15, 0.4, situations, scale=0.2, strays=0.3) for situations in (6, 12)),
    *(partial(audit, 0.35, 0.15, 0.4, situations, scale=0.2, uneven=0.5) for situations in (6, 12)),
    # Held out: how intervals are made was settled before these were looked at.
    *(
        partial(
            audit, *strengths, situations, scale=scale, labels=labels, differs=differs, seed=1717, held_out="held out"
        )
        for strengths, scale, labels, differs in (
            ((0.12, 0.22, 0.35), 0.07, 0.05, 0.0),
            ((0.6, 0.05, 0.2), 0.3, 0.15, 0.0),
            ((0.3, 0.12, 0.35), 0.1, 0.06, 0.4),
        )
        for situations in (4, 7, 10, 20)
    ),
    *(partial(judge, error, games) for error in (0.02, 0.08, 0.2) for games in (LEAST, 10, 20, 40, 100)),
]

if __name__ == "__main__":
    main(STUDIES, __doc__)
