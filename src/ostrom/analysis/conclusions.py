"""Conclusions about players: what a player does more or less than the other players at its tables. They hold together:
if names meant nothing, a conclusion about any player, by any trait, would be drawn in at most 5 % of cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.intervals import LEAST, Difference, Ratio
from ostrom.analysis.study import Study
from ostrom.analysis.tables import GameTables
from ostrom.analysis.traits import Trait, common_traits

SHUFFLES: Final = 999
"""The number of times that the names of players are exchanged within games."""
LEVEL: Final = 0.05
_SEED: Final = 34
_ROUNDING: Final = 1e-9

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A difference between a player and the other players at its tables."""

    player: str
    measure: str
    words: str
    """The verb phrase of the trait."""
    outcome: bool
    value: float
    low: float
    """The lower end of the interval of the player's own figure."""
    high: float
    others: float
    """The figure of the other players at its tables."""
    size: float
    """The difference, in standard deviations of the differences after names are exchanged."""
    chance: float
    """The p-value, corrected for all players and traits."""
    games: int
    example: str
    """The game in which the player differs most from the others in the direction of the conclusion."""


class _Cells(NamedTuple):
    """The sums of a ratio for each player of each game, in the order of the games."""

    top: Floats
    bottom: Floats


class _Seats(NamedTuple):
    """The players of all games."""

    rows: pl.DataFrame
    """One row for each player of a game: `game` and `player`, sorted by game."""
    game: npt.NDArray[np.int64]
    player: npt.NDArray[np.int64]
    names: Sequence[str]


def conclusions_of(
    study: Study[Any], tables: GameTables, measured: Mapping[str, pl.DataFrame], *, shuffles: int = SHUFFLES
) -> list[Conclusion]:
    """Return the conclusions about the players of these games, the clearest first. There are none for games with roles,
    since a player's figure then depends on the roles that it had."""
    traits = traits_of(study)
    if not traits or study.game.roles is not None or tables.seats["player"].n_unique() < 2:
        return []
    seats = _seats_of(tables)
    parts = {trait.measure: _parts(study, trait, tables, seats) for trait in traits}
    sizes = _sizes(parts, seats, shuffles)
    # The greatest difference of all players and traits in each exchange (Westfall and Young 1993).
    greatest = np.max([np.nanmax(size, axis=1, initial=0.0) for size in map(np.abs, sizes.values())], axis=0)
    drawn = []
    for trait in traits:
        for place, name in enumerate(seats.names):
            size = float(sizes[trait.measure][0, place])
            chance = float(np.mean(greatest >= abs(size) - _ROUNDING))
            if np.isnan(size) or chance > LEVEL:
                continue
            row = _row_of(measured[trait.measure], name)
            others = _others(parts[trait.measure], seats, place)
            if row is None or others is None or (row[0] - others) * size <= 0:
                continue
            words = trait.higher if size > 0 else trait.lower
            games = len(np.unique(seats.game[seats.player == place]))
            example = _example(parts[trait.measure], seats, place, size)
            drawn.append(
                Conclusion(name, trait.measure, words, trait.outcome, *row, others, size, chance, games, example)
            )
    return sorted(drawn, key=lambda one: -abs(one.size))


def _row_of(frame: pl.DataFrame, player: str) -> tuple[float, float, float] | None:
    """Return the figure of a player with its interval; None if it has none."""
    rows = frame.filter(pl.col("player") == player).select("value", "low", "high").drop_nulls().rows()
    return (float(rows[0][0]), float(rows[0][1]), float(rows[0][2])) if rows else None


def traits_of(study: Study[Any]) -> list[Trait]:
    """Return the traits of a game: the common ones and its own."""
    own = () if study.own is None else study.own.traits
    return [trait for trait in (*common_traits(study.game), *own) if trait.measure in study.measures]


def leading(conclusions: Sequence[Conclusion], players: int) -> list[list[Conclusion]]:
    """Return the clearest conclusions, with at most two for each of some players. What a player does comes before its
    results. Players whose first conclusion repeats that of an earlier player come later."""
    by_player: dict[str, list[Conclusion]] = {}
    for conclusion in conclusions:
        by_player.setdefault(conclusion.player, []).append(conclusion)
    pairs = []
    for own in by_player.values():
        acts = [one for one in own if not one.outcome][:1]
        results = [one for one in own if one.outcome][: 2 - len(acts)]
        pairs.append([*acts, *results] or own[:1])
    pairs.sort(key=lambda pair: (-len(pair), -sum(abs(one.size) for one in pair)))
    said: set[str] = set()
    first: list[list[Conclusion]] = []
    later: list[list[Conclusion]] = []
    for pair in pairs:
        (later if pair[0].words in said else first).append(pair)
        said.add(pair[0].words)
    return (first + later)[:players]


def _seats_of(tables: GameTables) -> _Seats:
    rows = tables.seats.select("game", "player").unique().sort("game", "player")
    names = sorted(set(rows["player"]))
    number = {name: place for place, name in enumerate(names)}
    game = rows.select(pl.col("game").rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
    return _Seats(rows, game, np.array([number[name] for name in rows["player"]], dtype=np.int64), names)


def _parts(study: Study[Any], trait: Trait, tables: GameTables, seats: _Seats) -> list[_Cells]:
    """Return the sums of a measure: one ratio, or two whose difference is the measure. Return none if the measure is
    not a ratio."""
    ratio = study.measures[trait.measure].ratio
    figure = None if ratio is None else ratio(tables)
    if isinstance(figure, Ratio):
        return [_cells(figure, seats)]
    return [_cells(figure.first, seats), _cells(figure.second, seats)] if isinstance(figure, Difference) else []


def _cells(figure: Ratio, seats: _Seats) -> _Cells:
    sums = figure.rows.group_by("game", "player").agg(pl.col("top", "bottom").cast(pl.Float64).sum())
    joined = seats.rows.join(sums, on=["game", "player"], how="left", maintain_order="left").fill_null(0.0)
    return _Cells(joined["top"].to_numpy(), joined["bottom"].to_numpy())


def _sizes(parts: Mapping[str, Sequence[_Cells]], seats: _Seats, shuffles: int) -> dict[str, Floats]:
    """Return the standardised figure of each player, by measure: in the first row as it is, and in one row for each
    exchange of names. It is NaN for players with too few games."""
    count = len(seats.names)
    figures = {name: np.full((shuffles + 1, count), np.nan) for name in parts}
    rng = np.random.default_rng(_SEED)
    order = np.arange(len(seats.player))
    for row in range(shuffles + 1):
        for name, cells in parts.items():
            if cells:
                figures[name][row] = _figures(cells, order, seats.player, count)
        # Cells of one game are exchanged among the players of this game.
        order = np.lexsort((rng.random(len(order)), seats.game))
    return {name: _standardised(own, parts[name], seats) for name, own in figures.items()}


def _standardised(figures: Floats, parts: Sequence[_Cells], seats: _Seats) -> Floats:
    sizes = np.full(figures.shape, np.nan)
    if not parts:
        return sizes
    usable = np.bincount(seats.player, weights=parts[0].bottom > 0, minlength=len(seats.names)) >= LEAST
    own = figures[:, usable]
    known = np.isfinite(own).all(axis=0)
    usable[usable] = known
    own = own[:, known]
    spread = own.std(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes[:, usable] = np.where(spread > _ROUNDING, (own - own.mean(axis=0)) / spread, np.nan)
    return sizes


def _figures(
    parts: Sequence[_Cells], order: npt.NDArray[np.int64], player: npt.NDArray[np.int64], count: int
) -> Floats:
    """Return the figure of each player if it has the cells in this order."""
    ratios = []
    for cells in parts:
        tops, bottoms = (np.bincount(player, weights=part[order], minlength=count) for part in cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios.append(np.where(bottoms > 0, tops / bottoms, np.nan))
    return ratios[0] if len(ratios) == 1 else ratios[0] - ratios[1]


def _others(parts: Sequence[_Cells], seats: _Seats, place: int) -> float | None:
    """Return the figure of the other players in a player's games. Each game has the same weight as for the player."""
    own = np.unique(seats.game[seats.player == place])
    rest = np.isin(seats.game, own) & (seats.player != place)
    ratios = [float(cells.top[rest].sum() / total) for cells in parts if (total := cells.bottom[rest].sum()) > 0]
    if len(ratios) < len(parts) or not ratios:
        return None
    return ratios[0] if len(ratios) == 1 else ratios[0] - ratios[1]


def _example(parts: Sequence[_Cells], seats: _Seats, place: int, size: float) -> str:
    """Return the id of the game in which a player differs most from the others in one direction."""
    games = seats.game.max() + 1
    differences = np.zeros(len(seats.player))
    for sign, cells in zip((1.0, -1.0), parts, strict=False):
        tops, bottoms = (np.bincount(seats.game, weights=part, minlength=games)[seats.game] for part in cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            own = cells.top / cells.bottom
            rest = (tops - cells.top) / (bottoms - cells.bottom)
        differences += sign * np.where((cells.bottom > 0) & (bottoms > cells.bottom), own - rest, np.nan)
    signed = np.where(seats.player == place, differences * np.sign(size), np.nan)
    best = int(np.argmax(np.nan_to_num(signed, nan=-np.inf)))
    return str(seats.rows["game"][best])


def shuffled_names(tables: GameTables, seed: int) -> GameTables:
    """Return tables in which the names of players are exchanged at random within each game, for studies of how often
    conclusions are drawn about names that mean nothing."""
    rng = np.random.default_rng(seed)
    seats = tables.seats.sort("game", "seat")
    game = seats.select(pl.col("game").rank("dense").cast(pl.Int64) - 1).to_series().to_numpy()
    order = np.lexsort((rng.random(len(game)), game))
    names = seats.select("game", "seat", new=pl.Series(seats["player"].to_list(), dtype=pl.String).gather(order))
    values = {field.name: getattr(tables, field.name) for field in fields(tables)}
    changes: dict[str, Any] = {
        name: _renamed(value, names) for name, value in values.items() if isinstance(value, pl.DataFrame)
    }
    return replace(tables, **changes)


def _renamed(frame: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    for seat, player in (("seat", "player"), ("punisher", "punisher_player"), ("target", "target_player")):
        if {"game", seat, player} <= set(frame.columns):
            own = names.rename({"seat": seat, "new": "__new"})
            frame = frame.join(own, on=["game", seat], how="left", maintain_order="left")
            frame = frame.with_columns(pl.coalesce("__new", player).alias(player)).drop("__new")
    return frame
