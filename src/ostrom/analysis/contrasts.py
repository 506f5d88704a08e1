"""Contrasts: by how much a measure differs between two players of the same games."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl

from ostrom.analysis.intervals import ALIKE, Difference, Ratio, refusal
from ostrom.analysis.measures import Measure
from ostrom.analysis.randomisation import Arms
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

Parts: TypeAlias = Ratio | Difference
_DUST: Final = 1e-12


def contrast(parts: Parts, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
    """A measure of one player less that of another. Both are of the same games, so what a game moves for both cancels
    out: the error is that of the difference, clustered by game, and the interval a t interval over the games in which
    either has a part. It takes as many games as other intervals do."""
    there = players_of(parts)
    for player in (one, other):
        if player not in there:
            raise InputError(f"there is no {player} here; there are {', '.join(there)}")
    first, second = sums_of(parts, one), sums_of(parts, other)
    value, low, high = (float(end) for end in t_interval(first, second, confidence))
    games = int(_games(first, second))
    refused = refusal(games, games, tailed=False)
    # What is left where all games agree is a rounding error. Two players of whom every game tells the same differ by
    # nothing.
    if refused is None and high - low <= _DUST * abs(value) and not np.array_equal(first, second):
        refused = ALIKE
    return Estimate(value, low, high) if refused is None else Estimate(value, reason=refused)


def t_interval(one: Floats, other: Floats, confidence: float = CONFIDENCE) -> Floats:
    """(3, …) One player's figure less another's, and the ends of its interval; not a number where there is none. The
    sums are (ratios, 2, …, games); leading axes are experiments of their own. What there must be for an interval to be
    said, `contrast` knows; those who plan games need the error whatever it is."""
    from scipy.special import stdtrit

    (value_one, moved_one), (value_other, moved_other) = _linear(one), _linear(other)
    games = _games(one, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.sum((moved_one - moved_other) ** 2, axis=-1) * games / (games - 1.0))
        half = stdtrit(np.maximum(games - 1.0, 1), (1 + confidence) / 2) * error
    value = value_one - value_other
    return np.asarray([value, value - half, value + half])


def _games(one: Floats, other: Floats) -> Any:
    """(…) In how many games either has a part."""
    return np.count_nonzero((one[:, 1] > 0).any(axis=0) | (other[:, 1] > 0).any(axis=0), axis=-1)


def arms_of(first: Floats, second: Floats) -> Arms:
    """A figure in two experiments of different games, as they are compared; each given as (ratios, 2, games)."""
    cells = [sums.reshape(-1, sums.shape[-1]).T for sums in (first, second)]
    nothing = [np.zeros_like(each) for each in cells]
    return Arms(np.concatenate([cells[0], nothing[1]]), np.concatenate([nothing[0], cells[1]]), 0)


def _linear(sums: Floats) -> tuple[Floats, Floats]:
    """The ratio, or the first less the second, and what each game adds to its error, to first order."""
    value: Any = 0.0
    moved: Any = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign, (top, bottom) in zip((1.0, -1.0), sums, strict=False):
            whole = bottom.sum(axis=-1, keepdims=True)
            ratio = top.sum(axis=-1, keepdims=True) / whole
            value = value + sign * ratio[..., 0]
            moved = moved + sign * (top - ratio * bottom) / whole
    return value, moved


def sums_of(parts: Parts, player: str) -> Floats:
    """(ratios, 2, games) What is divided by what, summed by game."""
    return np.stack([_sums(ratio, player) for ratio in ratios_of(parts)])


def ratios_of(parts: Parts) -> list[Ratio]:
    """A ratio, or the two whose difference it is."""
    return [parts.first, parts.second] if isinstance(parts, Difference) else [parts]


def _sums(ratio: Ratio, player: str) -> Floats:
    number = pl.DataFrame({"game": list(ratio.games)}, schema={"game": pl.String}).with_row_index("number")
    rows = ratio.rows.drop_nulls(["top", "bottom"]).filter(pl.col("player") == player)
    placed = rows.join(number, on="game", maintain_order="left")
    where, games = placed["number"].to_numpy().astype(np.int64), len(ratio.games)
    return np.stack(
        [np.bincount(where, placed[name].cast(pl.Float64).to_numpy(), minlength=games) for name in ("top", "bottom")]
    )


def players_of(parts: Parts) -> list[str]:
    """Who has any part in it."""
    each = [set(ratio.rows.filter(pl.col("bottom") > 0)["player"]) for ratio in ratios_of(parts)]
    return sorted(set.intersection(*each))


def parts_of(measure: Measure[Any], tables: Any) -> Parts:
    """What a measure by player divides by what."""
    if measure.ratio is None or measure.by != ("player",):
        raise InputError(f"{measure.name} is no mean or share by player, so two players cannot be compared by it")
    return measure.ratio(tables)


def of_players(parts: Parts, players: Sequence[str]) -> Parts:
    """The same for some players alone; games in which none of them has a part stay."""
    return with_ratios(
        parts, [ratio_with(ratio, ratio.rows.filter(pl.col("player").is_in(players))) for ratio in ratios_of(parts)]
    )


def with_ratios(parts: Parts, ratios: Sequence[Ratio]) -> Parts:
    """The same of other ratios: one, or the two whose difference it is."""
    return replace(parts, first=ratios[0], second=ratios[1]) if isinstance(parts, Difference) else ratios[0]


def ratio_with(ratio: Ratio, rows: pl.DataFrame, games: Sequence[str] | None = None) -> Ratio:
    """The same ratio of other rows, and other games where they are given."""
    return replace(ratio, rows=rows, games=ratio.games if games is None else games)
