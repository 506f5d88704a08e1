"""Differences between the players of the same games: contrasts of two players, the results of registered contrasts, and
the player that leads by a measure, named only where it differs significantly from all others."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.intervals import ALIKE, RESAMPLES, SEED, Difference, Ratio, refusal, weights
from ostrom.analysis.measures import Measure
from ostrom.analysis.plans import AnalysisPlan, digest_of
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
from ostrom.analysis.study import Study
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

Parts: TypeAlias = Ratio | Difference
_SIGNS: Final = (1.0, -1.0)
"""The signs of a ratio, and of one that is subtracted."""
_MAX_DRAWS: Final = 2**25
"""Draws times games that are in memory at most."""
_ROUNDING: Final = 1e-20
"""Squared relative differences below this are rounding errors."""


def contrast(parts: Parts, one: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
    """Return a measure of one player less that of another, with an interval. Both are of the same games, so a game's
    common effect cancels out. The interval is that of `difference_of_players` and needs as many games of each player as
    other intervals do. Raises `InputError` for an unknown player."""
    keys, ratios = parts.parts()
    players = keys["player"].to_list()
    for player in (one, other):
        if player not in players:
            raise InputError(f"there is no {player} here; there are {', '.join(players)}")
    every = np.stack([np.stack([top.T, bottom.T]) for top, bottom in ratios])
    difference = difference_of_players(every, players.index(one), players.index(other), confidence)
    value, reach = difference.value, difference.reach
    reason = refusal(difference.games, difference.games, tailed=False) or (None if np.isfinite(reach) else ALIKE)
    if reason is not None:
        return Estimate(value, reason=reason)
    low, high = parts.bounds
    return Estimate(value, max(value - reach, low - high), min(value + reach, high - low))


@dataclass(frozen=True)
class PlayersDifference:
    """One player's figure less another's."""

    value: float
    reach: float
    """Half the length of the interval; not a number where the games of each player agree."""
    games: int
    """The games of the player who has fewer."""


def difference_of_players(
    every: Floats, one: int, other: int, confidence: float = CONFIDENCE, resamples: int = RESAMPLES
) -> PlayersDifference:
    """Return the difference of two players by a studentised bootstrap over games, in which each player's games are
    joined by six from the pool of all players (see `ostrom.analysis.studentised`); both players' figures in one game
    stay together. The interval is symmetric, by the absolute studentised errors: few games do not show which end of two
    skewed figures is longer. `every` is (ratios, 2, players, games), numerators and denominators."""
    values, linear = _linear(every)
    present = np.asarray(np.any(every[:, 1] > 0, axis=0))
    players = [int(player) for player in np.flatnonzero(np.isfinite(values))]
    if one not in players or other not in players:
        return PlayersDifference(math.nan, math.nan, 0)
    signs = _SIGNS[: len(every)]
    moments = {player: _moments(every[:, :, player]) for player in players}
    pool = np.concatenate([moments[player][:, present[player]] for player in players], axis=1)
    # Higher confidence needs more draws for the same precision, within the limit of memory.
    games = every.shape[-1]
    needed = round(resamples * (1 - CONFIDENCE) / (1 - confidence))
    draw_weights = weights(games, resamples=min(needed, max(resamples, _MAX_DRAWS // games)))
    pair = [one, other]
    own = present[pair].sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Borrowed games add to the variance of each player, and not to the covariance of the two.
        resampled = [
            moments[player] @ draw_weights.T + _pool_sums(pool, len(draw_weights), SEED + place)
            for place, player in enumerate(pair)
        ]
        columns = [moments[player][: 2 * len(signs)] for player in pair]
        shared = np.tensordot(columns[0][:, None] * columns[1], draw_weights, (2, 1))
        covariance = np.einsum(
            "ar,abr,br->r", coefficients(resampled[0], signs), shared, coefficients(resampled[1], signs)
        )
        errors = np.sqrt(error_of(resampled[0], signs) ** 2 + error_of(resampled[1], signs) ** 2 - 2 * covariance)
        draws = np.abs(shift_of(resampled[0], signs) - shift_of(resampled[1], signs)) / errors
        share = own / (own + POOLED)
        borrowed = [error_of(moments[player].sum(axis=1) + POOLED * pool.mean(axis=1), signs) ** 2 for player in pair]
        variance = np.sum(borrowed / share) - 2 * np.sum(linear[one] * linear[other]) * np.sqrt(np.prod(share))
    value, fewest = float(values[one] - values[other]), int(own.min())
    if np.array_equal(every[:, :, one], every[:, :, other]):
        return PlayersDifference(value, 0.0, fewest)
    # Where all games agree, the remainder is a rounding error.
    if np.sum((linear[one] - linear[other]) ** 2) <= _ROUNDING * value**2 or not np.isfinite(draws).any():
        return PlayersDifference(value, math.nan, fewest)
    reach = np.quantile(draws[np.isfinite(draws)], confidence, method="higher")
    return PlayersDifference(value, float(reach * np.sqrt(variance)), fewest)


def _moments(sums: Floats) -> Floats:
    """Return the moments of `ostrom.analysis.studentised` of one player, (moments, games), from (ratios, 2, games)."""
    ratios = [top.sum() / bottom.sum() for top, bottom in sums]
    return np.stack(moments_of([(top, bottom) for top, bottom in sums], ratios))


def _pool_sums(pool: Floats, resamples: int, seed: int) -> Floats:
    """Return the sums of the moments of the pool's games that each resample draws."""
    positions, counts = picked_from_pool(pool.shape[1], resamples, seed)
    return np.asarray(np.einsum("mrk,rk->mr", pool[:, positions], counts))


def clustered_error(one: Floats, other: Floats) -> float:
    """Return the standard error of one player's figure less another's, clustered by game, each given as (ratios, 2,
    games). The planning of games uses it."""
    _, influence_one = _linear(one)
    _, influence_other = _linear(other)
    games = int(np.count_nonzero((one[:, 1] > 0).any(axis=0) | (other[:, 1] > 0).any(axis=0)))
    if games <= 1:
        return math.nan
    return float(np.sqrt(np.sum((influence_one - influence_other) ** 2) * games / (games - 1.0)))


def arms_of(first: Floats, second: Floats) -> Arms:
    """Return the arms of a figure in two experiments without common games; each given as (ratios, 2, games)."""
    cells = [sums.reshape(-1, sums.shape[-1]).T for sums in (first, second)]
    empty = [np.zeros_like(cell) for cell in cells]
    return Arms(np.concatenate([cells[0], empty[1]]), np.concatenate([empty[0], cells[1]]), 0)


def _linear(sums: Floats) -> tuple[Floats, Floats]:
    """Return the ratio, or the first less the second, and each game's influence on it, to first order."""
    value: Any = 0.0
    influence: Any = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign, (top, bottom) in zip((1.0, -1.0), sums, strict=False):
            whole = bottom.sum(axis=-1, keepdims=True)
            ratio = top.sum(axis=-1, keepdims=True) / whole
            value = value + sign * ratio[..., 0]
            influence = influence + sign * (top - ratio * bottom) / whole
    return value, influence


def sums_of(parts: Parts, player: str) -> Floats:
    """Return numerators and denominators, summed by game: (ratios, 2, games)."""
    return np.stack([_sums(ratio, player) for ratio in ratios_of(parts)])


def ratios_of(parts: Parts) -> list[Ratio]:
    """Return the ratio, or the two whose difference is taken."""
    return [parts.first, parts.second] if isinstance(parts, Difference) else [parts]


def _sums(ratio: Ratio, player: str) -> Floats:
    number = pl.DataFrame({"game": list(ratio.games)}, schema={"game": pl.String}).with_row_index("number")
    rows = ratio.rows.drop_nulls(["top", "bottom"]).filter(pl.col("player") == player)
    numbered = rows.join(number, on="game", maintain_order="left")
    position = numbered["number"].to_numpy().astype(np.int64)
    columns = (numbered[name].cast(pl.Float64).to_numpy() for name in ("top", "bottom"))
    return np.stack([np.bincount(position, column, minlength=len(ratio.games)) for column in columns])


def players_of(parts: Parts) -> list[str]:
    """Return the players that occur in every ratio."""
    each = [set(ratio.rows.filter(pl.col("bottom") > 0)["player"]) for ratio in ratios_of(parts)]
    return sorted(set.intersection(*each))


def parts_of(measure: Measure[Any], tables: Any) -> Parts:
    """Return the ratio of a measure by player. Raises `InputError` for a measure that is not a mean or share by
    player."""
    if measure.ratio is None or measure.by != ("player",):
        raise InputError(f"two players cannot be compared by {measure.name}: it is not a mean or share by player")
    return measure.ratio(tables)


def of_players(parts: Parts, players: Sequence[str]) -> Parts:
    """Return the same figure for some players alone; games without them stay."""
    return with_ratios(
        parts, [ratio_with(ratio, ratio.rows.filter(pl.col("player").is_in(players))) for ratio in ratios_of(parts)]
    )


def with_ratios(parts: Parts, ratios: Sequence[Ratio]) -> Parts:
    """Return the same figure of other ratios: one, or the two whose difference is taken."""
    return replace(parts, first=ratios[0], second=ratios[1]) if isinstance(parts, Difference) else ratios[0]


def ratio_with(ratio: Ratio, rows: pl.DataFrame, games: Sequence[str] | None = None) -> Ratio:
    """Return the same ratio of other rows, and of other games if they are given."""
    return replace(ratio, rows=rows, games=ratio.games if games is None else games)


# The player that leads by a measure.

_QUANTILE: Final = (1 + CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Lead:
    """The player with the highest figure, or the lowest, among those whose figure has an interval."""

    player: str
    rivals: tuple[str, ...]
    """The players from which it does not differ significantly; empty where it leads."""
    compared: int
    """The number of compared players, itself included."""
    players: int
    """The number of all players; those not compared have too few games."""


def lead_of(figure: Ratio, *, highest: bool = True) -> Lead | None:
    """Return the leader by a figure of players, or None where fewer than two can be compared."""
    resampled = figure.resampled()
    usable = np.flatnonzero([reason is None for reason in resampled.reasons])
    if len(usable) < 2:
        return None
    first = int(usable[np.argmax(resampled.value[usable] if highest else -resampled.value[usable])])
    others = usable[usable != first]
    _, part = figure.sums()
    names = resampled.keys["player"].to_list()
    significant = differs_from_first(part, first, others, highest=highest)
    rivals = tuple(names[other] for other, differs in zip(others, significant, strict=True) if not differs)
    return Lead(names[first], rivals, len(usable), len(names))


def differs_from_first(part: Part, first: int, others: Whole, *, highest: bool) -> npt.NDArray[np.bool_]:
    """Return whether the first player differs significantly from each of the others, for all of them together. Its
    difference to each is studentised and must exceed the greatest that 97.5 % of the resamples reach (Dunnett 1955,
    with the first player as the control; Hsu 1981), so that among equal players one is named in at most 5 % of
    cases."""
    top, bottom = part
    same = np.full(len(others), first)
    pair = [(top[:, same], bottom[:, same]), (top[:, others], bottom[:, others])]
    fit = studentised(pair if highest else pair[::-1], np.zeros_like(others), weights(len(top)), SEED)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = fit.value / fit.error
    greatest = np.max(np.where(np.isnan(fit.draws), -np.inf, fit.draws), axis=1)
    return np.asarray(size > np.quantile(greatest, _QUANTILE, method="higher"))


# The contrasts of a registered plan.


@dataclass(frozen=True)
class RegisteredContrast:
    """A registered contrast and its result."""

    title: str
    difference: Estimate
    """Its interval holds for all registered contrasts together."""

    @property
    def differs(self) -> bool:
        """True if the interval excludes 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and not low <= 0 <= high


@dataclass(frozen=True)
class Registered:
    """A registered plan and its changes."""

    plan: AnalysisPlan
    digest: str
    at: str
    changes: tuple[str, ...]
    stretch: float = 1.0
    """The factor by which intervals are longer where a rule may have stopped the games."""

    @classmethod
    def of(cls, settings: Mapping[str, Any], at: str, changes: Sequence[str], stretch: float = 1.0) -> Self | None:
        """Return the registration in the settings of an experiment, or None where there is none."""
        registration = settings.get("registration")
        if registration is None:
            return None
        plan = AnalysisPlan.model_validate(registration["plan"])
        if digest_of(plan, settings) != registration["digest"]:
            changes = ("the plan or the games in the journal are not those of the registered digest", *changes)
        return cls(plan, registration["digest"], at, tuple(changes), stretch)

    def is_registered(self, measure: str) -> bool:
        """Return whether a measure was registered; others are exploration."""
        return measure in self.plan.measures or any(measure == contrast.measure for contrast in self.plan.contrasts)

    def contrasts(self, study: Study[Any], tables: Any) -> list[RegisteredContrast]:
        """Return the result of every registered contrast, with intervals that hold for all of them together."""
        confidence = 1 - (1 - CONFIDENCE) / max(1, len(self.plan.contrasts))
        results = []
        for plan in self.plan.contrasts:
            difference = contrast(parts_of(study.measures[plan.measure], tables), *plan.players, confidence)
            results.append(RegisteredContrast(plan.title, longer(difference, self.stretch)))
        return results

    def sentences(self, contrasts: Sequence[RegisteredContrast]) -> list[str]:
        """Return the sentences at the beginning of a report."""
        sentences = [
            f"Registered at {self.at} (SHA-256 {self.digest[:16]}…), before the first call: "
            f"{', '.join(self.plan.measures)}. What is not marked as registered is exploration."
        ]
        sentences += [f"Registered hypothesis: {text}" for text in self.plan.hypotheses]
        sentences += [f"Registered contrast, {contrast.title}: {_verdict(contrast)}" for contrast in contrasts]
        if self.changes:
            return [*sentences, f"Changed since: {'; '.join(self.changes)}."]
        return [*sentences, "Nothing has changed since."]

    def as_record(self, results: Sequence[RegisteredContrast]) -> dict[str, Any]:
        """Return the plan and its results as plain data."""
        contrasts = [
            {"contrast": result.title, **result.difference.as_record(), "differs": result.differs} for result in results
        ]
        record = {"plan": self.plan.model_dump(mode="json"), "digest": self.digest, "at": self.at}
        return {**record, "changes": list(self.changes), "contrasts": contrasts}


def longer(estimate: Estimate, factor: float) -> Estimate:
    """Return the estimate with an interval that is longer by this factor on both sides."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    value = estimate.value
    return Estimate(value, value - factor * (value - estimate.low), value + factor * (estimate.high - value))


def _verdict(result: RegisteredContrast) -> str:
    difference = result.difference
    if difference.low is None or difference.high is None:
        return f"no interval: {difference.reason}."
    verdict = "they differ" if result.differs else "no difference can be told"
    return f"{difference.value:+,.3g} ({difference.low:+,.3g} to {difference.high:+,.3g}): {verdict}."
