"""How often the intervals of what moves a player's contributions hold: slopes of regressions, and the contribution in
per cent, made anew from every world. Worlds are real games drawn under new ids, the truth being that of all of them,
and games of a player whose rule was planted. By itself: `python benchmarks/coverage_measures.py --worlds 200`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
import polars as pl
from worlds import Row, Study, main, real_games, row

from ostrom.analysis import tables as common
from ostrom.analysis.intervals import Ratio
from ostrom.games.contribute_punish import measures, reactions
from ostrom.games.contribute_punish.tables import GAMES, PUNISHMENTS, ROUNDS, SEATS, PunishTables

SIZES = (40, 100, 300, 580)
Figure = Callable[[PunishTables, pl.DataFrame], Ratio]
"""A figure of the rows that it is made of."""


def _slope(regressor: str, *more: str) -> Figure:
    return lambda tables, rows: reactions.slope(tables, rows, regressor, *more)


FIGURES: dict[str, Figure] = {
    "conditional_cooperation": _slope("others_before"),
    "punishment_response": _slope("punished_before"),
    "promise_effect": _slope("promised", "others_promised"),
    "promise_effect: others": _slope("others_promised", "promised"),
    "contribution_percent": lambda tables, rows: replace(measures.mean_over_rounds(tables, rows), tailed=True),
}


def rows_of(name: str, tables: PunishTables) -> pl.DataFrame:
    """The rows that a figure is made of."""
    if name == "contribution_percent":
        return tables.rounds.select("game", "player", "round", "contribution", "start")
    return (
        reactions.rounds_with_promises(tables) if name.startswith("promise") else reactions.rounds_in_sequence(tables)
    )


@lru_cache(maxsize=2)
def population(name: str) -> tuple[PunishTables, pl.DataFrame] | None:
    """The real games, and their rows for a figure."""
    tables = real_games()
    return None if tables is None else (tables, rows_of(name, tables))


def of_real(name: str, games: int, worlds: int) -> Iterator[Row]:
    """A figure of so many real games, drawn with replacement under new ids."""
    found = population(name)
    if found is None:
        return
    tables, rows = found
    truth = FIGURES[name](tables, rows).estimates().select("player", truth="value")
    ids = tables.games["game"]
    chance = np.random.default_rng([games, *name.encode()])
    seen = []
    for _ in range(worlds):
        new = pl.Series("new", [str(number) for number in range(games)])
        drawn = pl.DataFrame({"game": ids[chance.integers(0, len(ids), games)], "new": new})
        world = drawn.join(rows, on="game").drop("game").rename({"new": "game"})
        games_of_world = replace(tables, games=pl.DataFrame({"game": new}))
        seen.append(FIGURES[name](games_of_world, world).estimates().join(truth, on="player"))
    yield _line(f"`{name}`", f"{games} real games", seen)


def _line(what: str, setting: str, seen: list[pl.DataFrame]) -> Row:
    """A line of the table: the coverage over all players, with worlds as the trials."""
    dust = 1e-9
    whole = pl.concat([frame.select("player", "value", "low", "high", "truth") for frame in seen]).with_columns(
        held=((pl.col("low") <= pl.col("truth") + dust) & (pl.col("truth") - dust <= pl.col("high"))).cast(pl.Float64)
    )
    by = whole.group_by("player").agg(
        pl.col("held").mean(),
        width=(pl.col("high") - pl.col("low")).mean()
        / (pl.col("value").quantile(0.975, "linear") - pl.col("value").quantile(0.025, "linear")),
    )
    refused = whole["held"].is_null().mean()
    if refused == 1:
        return Row(what, setting, len(seen), np.nan, np.nan, np.nan, None, "always refused")
    note = f"least {100 * (by['held'].min() or 0):.0f} %" + (f", refused {100 * refused:.1f} %" if refused else "")
    held = whole["held"].to_numpy().astype(np.float64)
    return row(what, setting, held, worlds=len(seen), width=float(by["width"].mean()), note=note)  # type: ignore[arg-type]


# Games of one player whose rule is known.


def planted(
    chance: np.random.Generator,
    games: int,
    *,
    others: float = 0.4,
    punished: float = 0.1,
    promised: float = 0.1,
    others_promised: float = 0.0,
    rounds: int = 10,
) -> PunishTables:
    """The tables of games of three seats. The subject's contribution, as a part of its balance, is linear in its own
    and the others' last ones, in whether it was punished and in who promised, with noise that differs from game to game
    in size. It is punished more often when it gave less than the others, who follow it in part. They are tables of
    numbers only: balances do not follow from contributions."""
    size = 0.05 * np.exp(0.4 * chance.standard_normal(games))
    gave = np.empty((rounds, 3, games))
    hit = np.zeros((rounds, games))
    said = chance.random((rounds, 3, games)) < 0.45
    gave[0] = chance.uniform(0.2, 0.5, (3, games))
    for now in range(1, rounds):
        before = gave[now - 1]
        rest = before[1:].mean(axis=0)
        gave[now, 1:] = 0.1 + 0.3 * before[0] + 0.35 * before[1:] + 0.1 * chance.random((2, games))
        linear = 0.15 + 0.2 * before[0] + others * rest + punished * hit[now - 1]
        spoke = promised * said[now, 0] + others_promised * said[now, 1:].mean(axis=0)
        gave[now, 0] = linear + spoke + size * chance.standard_normal(games)
        hit[now] = chance.random(games) < np.where(gave[now, 0] < gave[now, 1:].mean(axis=0), 0.5, 0.2)
    return _as_tables(np.rint(100_000 * np.clip(gave, 0.0, 1.0)).astype(np.int64), hit, said)


_HELD = 100_000
_PLAYERS = ("subject", "other", "other")


def _as_tables(gave: Any, hit: Any, said: Any) -> PunishTables:
    """Contributions (rounds, seats, games) out of balances of 100,000 as tables."""
    rounds, seats, games = gave.shape
    number, seat, game = (index.ravel() for index in np.indices(gave.shape))
    ids = pl.Series("game", [str(one) for one in game])
    place = {"game": ids, "round": number + 1, "seat": seat, "player": np.asarray(_PLAYERS)[seat]}
    damage = np.where(seat == 0, hit[number, game], 0).astype(np.int64)
    held = np.full(gave.size, _HELD)
    table = pl.DataFrame({**place, "start": held, "contribution": gave.ravel(), "damage": damage, "post": held})
    texts = [f"I will contribute {amount}." for amount in np.maximum(gave.ravel(), 1)]
    spoken = pl.DataFrame({**place, "text": texts}).filter(pl.Series(said.ravel()))
    settings = {"game": [str(one) for one in range(games)], "seats": seats, "rounds": rounds, "messages": True}
    return PunishTables(
        games=_filled(settings, GAMES),
        seats=_filled({}, SEATS),
        rounds=_filled(table.to_dict(), ROUNDS),
        punishments=_filled({}, PUNISHMENTS),
        answers=_filled({}, common.ANSWERS),
        messages=_filled(spoken.to_dict(), common.MESSAGES),
    )


def _filled(columns: Any, schema: Any) -> pl.DataFrame:
    """A table of this schema; columns that are not given are empty."""
    given = pl.DataFrame(columns) if columns else pl.DataFrame(schema=schema)
    missing = [pl.lit(None, dtype=kind).alias(name) for name, kind in schema.items() if name not in given.columns]
    return given.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in schema.items())


EFFECTS = {"conditional_cooperation": 0.4, "punishment_response": 0.1, "promise_effect": 0.1}


def of_planted(name: str, games: int, worlds: int) -> Iterator[Row]:
    """A rule that was planted, in so many games."""
    chance = np.random.default_rng([games, *name.encode()])
    seen = []
    for _ in range(worlds):
        tables = planted(chance, games)
        found = FIGURES[name](tables, rows_of(name, tables)).estimates().filter(pl.col("player") == "subject")
        seen.append(found.with_columns(truth=pl.lit(EFFECTS[name])))
    yield _line(f"`{name}`", f"a rule that was planted, {games} games", seen)


STUDIES: list[Study] = [
    *(partial(of_real, name, games) for name in FIGURES for games in SIZES),
    *(partial(of_planted, name, games) for name in EFFECTS for games in (25, 100, 300)),
]
THIN: list[Study] = [
    partial(of_planted, "conditional_cooperation", 60),
    partial(of_planted, "punishment_response", 60),
]
"""What the suite runs."""

if __name__ == "__main__":
    main(STUDIES, __doc__)
