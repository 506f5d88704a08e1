"""Differences between two players of the same games, and the results of registered contrasts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.differences import DifferenceFit, fit_difference, welch_freedom
from ostrom.analysis.intervals import ALIKE, Difference, Ratio, refusal
from ostrom.analysis.measures import GAME, Measure
from ostrom.analysis.plans import AnalysisPlan, digest_of
from ostrom.analysis.randomisation import Arms
from ostrom.analysis.studentised import POOLED
from ostrom.analysis.study import Study
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

Parts: TypeAlias = Ratio | Difference
Flags: TypeAlias = npt.NDArray[np.bool_]
_ROUNDING: Final = 1e-20
"""Squared relative differences below this value are rounding errors."""


def contrast(parts: Parts, player: str, other: str, confidence: float = CONFIDENCE) -> Estimate:
    """Return one player's value of a measure minus another's, with an interval. Both values come from the same games,
    so effects that both players share in a game cancel out. `difference_of_players` computes the interval. Each player
    needs as many games as for an interval of a single figure. Raises `InputError` for an unknown player."""
    keys, ratios = parts.parts()
    players = keys["player"].to_list()
    for name in (player, other):
        if name not in players:
            raise InputError(f"there is no player {name} in these games; the players are {', '.join(players)}")
    every = np.stack([np.stack([top.T, bottom.T]) for top, bottom in ratios])
    difference = difference_of_players(every, players.index(player), players.index(other))
    reason = refusal(difference.games, difference.games, tailed=False)
    if reason is None and difference.fit is None and not difference.same:
        reason = ALIKE
    if reason is not None:
        return Estimate(difference.value, reason=reason)
    low, high = (0.0, 0.0) if difference.fit is None else difference.fit.interval(confidence)
    least, most = parts.bounds
    return Estimate(difference.value, max(low, least - most), min(high, most - least))


@dataclass(frozen=True)
class PlayersDifference:
    """The difference between one player's figure and another's."""

    value: float
    games: int
    """The number of games of the player with fewer games."""
    fit: DifferenceFit | None
    """The fit that gives the interval. It is None if the games of each player do not vary."""
    same: bool = False
    """True if both players have the same result in every game."""


def difference_of_players(every: Floats, first: int, second: int) -> PlayersDifference:
    """Return the difference between two players of the same games. Effects that both share in a game cancel out. The
    error has a lower bound. This bound is estimated from the two players' games together with six games of all players
    (see `ostrom.analysis.studentised`). `every` has the numerators and denominators, (ratios, 2, players, games)."""
    values, linear = _linear(every)
    present = np.asarray(np.max(every[:, 1], axis=0) > 0)
    own = np.sum(present, axis=1)
    if not np.isfinite(values[[first, second]]).all():
        return PlayersDifference(math.nan, 0, None)
    value, fewest = float(values[first] - values[second]), int(own[[first, second]].min())
    if np.array_equal(every[:, :, first], every[:, :, second]):
        return PlayersDifference(value, fewest, None, same=True)
    offsets = linear[first] - linear[second]
    if np.sum(offsets**2) <= _ROUNDING * value**2:
        return PlayersDifference(value, fewest, None)
    fit = fit_difference(
        value,
        [offsets[present[first] | present[second]]],
        fewest,
        error=_borrowed_error(linear, present, first, second),
        freedom=welch_freedom(np.sum(linear[[first, second]] ** 2, axis=1).tolist(), own[[first, second]].tolist()),
        symmetric=True,
    )
    return PlayersDifference(value, fewest, fit)


def _kinds(first: Flags, second: Flags) -> list[Flags]:
    """Return three masks of games: games of both players, games of the first player alone, and games of the second
    player alone."""
    return [first & second, first & ~second, second & ~first]


def _borrowed_error(linear: Floats, present: Flags, first: int, second: int) -> float:
    """Return the standard error of the difference between two players. There are three kinds of games: those of both
    players, of the first alone and of the second alone. Each kind has its own variance. To estimate this variance, six
    games with the average variance over all players are added to the two players' own games of the kind."""
    known = np.isfinite(linear.sum(axis=1))
    own = present.sum(axis=1)
    off = np.where(known[:, None] & present, linear * own[:, None], 0.0)
    seated = (known[:, None] & present).sum(axis=0)
    square, sums = np.sum(off**2, axis=0), off.sum(axis=0)
    meetings = float(np.sum(seated * (seated - 1)))
    spread = float(square.sum() / seated.sum())
    common = float(np.sum(sums**2 - square) / meetings) if meetings else 0.0
    of_first, of_second = 1 / own[first], 1 / own[second]
    pools = [
        spread * (of_first**2 + of_second**2) - 2 * common * of_first * of_second,
        spread * of_first**2,
        spread * of_second**2,
    ]
    variance = 0.0
    for kind, borrowed in zip(_kinds(present[first], present[second]), pools, strict=True):
        if units := int(kind.sum()):
            squares = float(np.sum((linear[first, kind] - linear[second, kind]) ** 2))
            variance += (squares + POOLED * borrowed) * units / (units + POOLED)
    return math.sqrt(variance)


def clustered_error(first: Floats, second: Floats) -> float:
    """Return the standard error of one player's figure minus another's, clustered by game. Each figure is given as
    (ratios, 2, games). The planning of games uses this error."""
    _, first_influence = _linear(first)
    _, second_influence = _linear(second)
    games = int(np.count_nonzero((first[:, 1] > 0).any(axis=0) | (second[:, 1] > 0).any(axis=0)))
    if games <= 1:
        return math.nan
    return float(np.sqrt(np.sum((first_influence - second_influence) ** 2) * games / (games - 1.0)))


def arms_of(first: Floats, second: Floats) -> Arms:
    """Return two players' figures as the arms of two experiments without common games. Each figure is given as (ratios,
    2, games)."""
    cells = [sums.reshape(-1, sums.shape[-1]).T for sums in (first, second)]
    empty = [np.zeros_like(cell) for cell in cells]
    return Arms(np.concatenate([cells[0], empty[1]]), np.concatenate([empty[0], cells[1]]), 0)


def _linear(sums: Floats) -> tuple[Floats, Floats]:
    """Return the value of a figure, and each game's influence on this value to first order. The figure is one ratio, or
    the first ratio minus the second."""
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
    """Return the numerators and denominators of a player's figure, summed by game: (ratios, 2, games)."""
    return np.stack([_sums(ratio, player) for ratio in ratios_of(parts)])


def ratios_of(parts: Parts) -> list[Ratio]:
    """Return the ratios of a figure. It has one ratio, or two if the figure is their difference."""
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
    players = [set(ratio.rows.filter(pl.col("bottom") > 0)["player"]) for ratio in ratios_of(parts)]
    return sorted(set.intersection(*players))


def parts_of(measure: Measure[Any], tables: Any) -> Parts:
    """Return the ratio of a measure by player. For a measure of whole games, there is a single player, who counts as
    the player of all games. Raises `InputError` for a measure that is not a mean or share of players or of whole
    games."""
    if measure.ratio is None or measure.by not in (("player",), GAME):
        raise InputError(
            f"{measure.name} has no single figure for a player or for all games, because it is not a mean or a share"
        )
    parts = measure.ratio(tables)
    if measure.by == ("player",):
        return parts
    ratios = [replace(ratio, rows=ratio.rows.rename({GAME[0]: "player"}), by=("player",)) for ratio in ratios_of(parts)]
    return with_ratios(parts, ratios)


def of_players(parts: Parts, players: Sequence[str]) -> Parts:
    """Return the same figure for these players alone. Games in which they do not play are kept."""
    return with_ratios(
        parts, [ratio_with(ratio, ratio.rows.filter(pl.col("player").is_in(players))) for ratio in ratios_of(parts)]
    )


def with_ratios(parts: Parts, ratios: Sequence[Ratio]) -> Parts:
    """Return the figure with its ratios replaced by one ratio, or by two ratios whose difference is taken."""
    return replace(parts, first=ratios[0], second=ratios[1]) if isinstance(parts, Difference) else ratios[0]


def ratio_with(ratio: Ratio, rows: pl.DataFrame, games: Sequence[str] | None = None) -> Ratio:
    """Return the ratio with its rows replaced, and with its games replaced too if they are given."""
    if games is None:
        return replace(ratio, rows=rows)
    return replace(ratio, rows=rows, games=games, units=None, strata=None)


# Contrasts of a registered plan.


@dataclass(frozen=True)
class RegisteredContrast:
    """A registered contrast and its result."""

    title: str
    difference: Estimate
    """The difference, with an interval that holds for all registered contrasts together."""

    @property
    def differs(self) -> bool:
        """True if the interval excludes 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and not low <= 0 <= high


@dataclass(frozen=True)
class Registered:
    """A registered plan of analysis, and the later changes to it."""

    plan: AnalysisPlan
    digest: str
    at: str
    changes: tuple[str, ...]
    stretch: float = 1.0
    """The factor by which intervals are lengthened if a stopping rule may have ended the games early."""

    @classmethod
    def of(cls, settings: Mapping[str, Any], at: str, changes: Sequence[str], stretch: float = 1.0) -> Self | None:
        """Return the plan registered in the settings of an experiment, or None if there is none."""
        registration = settings.get("registration")
        if registration is None:
            return None
        plan = AnalysisPlan.model_validate(registration["plan"])
        if digest_of(plan, settings) != registration["digest"]:
            changes = ("the plan or the games in the journal are not those of the registered digest", *changes)
        return cls(plan, registration["digest"], at, tuple(changes), stretch)

    def is_registered(self, measure: str) -> bool:
        """Return whether a measure was registered; other measures are exploratory."""
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
    """Return the estimate with its interval lengthened by this factor on both sides."""
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
