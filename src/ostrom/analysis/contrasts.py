"""Contrasts: by how much a measure differs between two players of the same games."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.intervals import ALIKE, RESAMPLES, SEED, Difference, Ratio, refusal, weights
from ostrom.analysis.measures import Measure
from ostrom.analysis.randomisation import Arms
from ostrom.analysis.studentised import (
    POOLED,
    Part,
    Whole,
    coefficients,
    error_of,
    moments_of,
    picked_from_pool,
    shift_of,
    studentised,
)
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

Parts: TypeAlias = Ratio | Difference
_SIGNS: Final = (1.0, -1.0)
"""Of a ratio, and of one that is subtracted."""
_ROOM: Final = 2**25
"""So many numbers of draws by games are held at most."""
_DUST: Final = 1e-20


def contrast(parts: Parts, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
    """A measure of one player less that of another. Both are of the same games, so what a game moves for both cancels
    out. The interval is that of `difference_of_players`; it takes as many games of each as other intervals do."""
    keys, ratios = parts.parts()
    there = keys["player"].to_list()
    for player in (one, other):
        if player not in there:
            raise InputError(f"there is no {player} here; there are {', '.join(there)}")
    every = np.stack([np.stack([top.T, bottom.T]) for top, bottom in ratios])
    found = difference_of_players(every, there.index(one), there.index(other), confidence)
    refused = refusal(found.games, found.games, tailed=False) or (None if np.isfinite(found.reach) else ALIKE)
    if refused is not None:
        return Estimate(found.value, reason=refused)
    low, high = parts.bounds
    return Estimate(found.value, max(found.value - found.reach, low - high), min(found.value + found.reach, high - low))


@dataclass(frozen=True)
class PlayersDifference:
    """One player's figure less another's."""

    value: float
    reach: float
    """How far the interval reaches to both sides; not a number where the games of each agree."""
    games: int
    """Of the player who has fewer."""


def difference_of_players(
    every: Floats, one: int, other: int, confidence: float = CONFIDENCE, resamples: int = RESAMPLES
) -> PlayersDifference:
    """The difference of two players by a studentised bootstrap over games, in which six games of everybody stand beside
    those of each, drawn for each by itself (see `ostrom.analysis.studentised`); what both show in one game stays
    together. It reaches as far to one side as to the other, as the sizes of the studentised errors do: of two skewed
    figures few games do not tell which end is the longer. `every` is (ratios, 2, players, games): what is divided by
    what."""
    values, linear = _linear(every)
    present = np.asarray(np.any(every[:, 1] > 0, axis=0))
    there = [int(player) for player in np.flatnonzero(np.isfinite(values))]
    if one not in there or other not in there:
        return PlayersDifference(math.nan, math.nan, 0)
    signs = _SIGNS[: len(every)]
    moments = {player: _moments(every[:, :, player]) for player in there}
    pool = np.concatenate([moments[player][:, present[player]] for player in there], axis=1)
    # Ends further out take more draws to be known as well, as far as there is room for them.
    games = every.shape[-1]
    wanted = round(resamples * (1 - CONFIDENCE) / (1 - confidence))
    drawn = weights(games, resamples=min(wanted, max(resamples, _ROOM // games)))
    pair = [one, other]
    own = present[pair].sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # What is borrowed adds to the spread of each player, and nothing to what both share.
        again = [
            moments[player] @ drawn.T + _drawn_from(pool, len(drawn), SEED + place) for place, player in enumerate(pair)
        ]
        columns = [moments[player][: 2 * len(signs)] for player in pair]
        shared = np.tensordot(columns[0][:, None] * columns[1], drawn, (2, 1))
        covariance = np.einsum("ar,abr,br->r", coefficients(again[0], signs), shared, coefficients(again[1], signs))
        errors = np.sqrt(error_of(again[0], signs) ** 2 + error_of(again[1], signs) ** 2 - 2 * covariance)
        draws = np.abs(shift_of(again[0], signs) - shift_of(again[1], signs)) / errors
        share = own / (own + POOLED)
        borrowed = [error_of(moments[player].sum(axis=1) + POOLED * pool.mean(axis=1), signs) ** 2 for player in pair]
        variance = np.sum(borrowed / share) - 2 * np.sum(linear[one] * linear[other]) * np.sqrt(np.prod(share))
    value, fewest = float(values[one] - values[other]), int(own.min())
    if np.array_equal(every[:, :, one], every[:, :, other]):
        return PlayersDifference(value, 0.0, fewest)
    # What is left where all games agree is a rounding error.
    if np.sum((linear[one] - linear[other]) ** 2) <= _DUST * value**2 or not np.isfinite(draws).any():
        return PlayersDifference(value, math.nan, fewest)
    reach = np.quantile(draws[np.isfinite(draws)], confidence, method="higher")
    return PlayersDifference(value, float(reach * np.sqrt(variance)), fewest)


def _moments(sums: Floats) -> Floats:
    """(moments, games) Those of `ostrom.analysis.studentised` of one player; given as (ratios, 2, games)."""
    ratios = [top.sum() / bottom.sum() for top, bottom in sums]
    return np.stack(moments_of([(top, bottom) for top, bottom in sums], ratios))


def _drawn_from(pool: Floats, resamples: int, seed: int) -> Floats:
    """Sums of the moments of those games of the pool that each resample draws."""
    picked, taken = picked_from_pool(pool.shape[1], resamples, seed)
    return np.asarray(np.einsum("mrk,rk->mr", pool[:, picked], taken))


def clustered_error(one: Floats, other: Floats) -> float:
    """The standard error of one player's figure less another's, clustered by game, each given as (ratios, 2, games):
    what those who plan games need, whatever it is."""
    (_, moved_one), (_, moved_other) = _linear(one), _linear(other)
    games = int(np.count_nonzero((one[:, 1] > 0).any(axis=0) | (other[:, 1] > 0).any(axis=0)))
    return float(np.sqrt(np.sum((moved_one - moved_other) ** 2) * games / (games - 1.0))) if games > 1 else math.nan


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


# The player with the highest figure.


_BEYOND: Final = (1 + CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Lead:
    """The player with the highest figure, or the lowest, among those whose figure has an interval."""

    player: str
    rivals: tuple[str, ...]
    """Those from whom it is not told apart; nobody, where it leads."""
    compared: int
    """How many players are compared, itself among them."""
    players: int
    """How many there are; the others have too few games."""


def lead_of(figure: Ratio, *, highest: bool = True) -> Lead | None:
    """Who leads by a figure of players; nothing where fewer than two can be compared."""
    found = figure.resampled()
    usable = np.flatnonzero([reason is None for reason in found.reasons])
    if len(usable) < 2:
        return None
    first = int(usable[np.argmax(found.value[usable] if highest else -found.value[usable])])
    others = usable[usable != first]
    _, part = figure.sums()
    names = found.keys["player"].to_list()
    beyond = told_apart(part, first, others, highest=highest)
    rivals = tuple(names[other] for other, told in zip(others, beyond, strict=True) if not told)
    return Lead(names[first], rivals, len(usable), len(names))


def told_apart(part: Part, first: int, others: Whole, *, highest: bool) -> npt.NDArray[np.bool_]:
    """Whether the first is told apart from each of the others, for all of them together. Its difference to each is
    studentised, and holds where it is beyond what the greatest of them reaches in 97.5 % of the resamples (Dunnett
    1955, with the first, whoever it is, as the control; Hsu 1981): so of players who are all equal one is named in at
    most 5 % of cases."""
    top, bottom = part
    same = np.full(len(others), first)
    pair = [(top[:, same], bottom[:, same]), (top[:, others], bottom[:, others])]
    found = studentised(pair if highest else pair[::-1], np.zeros_like(others), weights(len(top)), SEED)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = found.value / found.error
    greatest = np.max(np.where(np.isnan(found.draws), -np.inf, found.draws), axis=1)
    return np.asarray(size > np.quantile(greatest, _BEYOND, method="higher"))
