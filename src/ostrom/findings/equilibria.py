"""`ostrom.solve`: the equilibria of a small game, from a matrix or from games that are played for it."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import BaseModel

from ostrom.charts import render
from ostrom.charts.simulations import equilibrium_map
from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.files import parse_json
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.findings.payoff_sources import Source, of_experiment, of_file, of_game
from ostrom.players.roster import Seated, names_of, strategies_of
from ostrom.sim.equilibria import Equilibrium, equilibria, is_zero_sum, symmetric_equilibria, value
from ostrom.sim.fitted_payoffs import completed, said_of
from ostrom.sim.payoffs import MOST_RESAMPLES, Floats, Groups, PayoffTable
from ostrom.sim.simulated_populations import generator

GAMES = 50
"""Of every composition of a group, where nobody says how many."""
_SAME_SUPPORT = 1e-6
_ONCE = (
    "A composition was played once, which shows no chance, so equilibria are not looked for again in tables drawn anew"
)


@dataclass(frozen=True, repr=False)
class Solution:
    """The equilibria of a game."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    seats: int
    found: tuple[Equilibrium, ...]
    """Of more than two seats, the symmetric ones."""
    held: tuple[float | None, ...]
    """For each, in which part of the tables of games drawn anew an equilibrium with the same supports is found; None
    where payoffs are exact, and where a composition was played once."""
    worth: float | None = None
    """The value to the row player, where the game is one of zero sum."""
    slow: tuple[str, ...] = ()
    note: str = ""
    """What is to be said of its payoffs."""

    @cached_property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """The probabilities of every action in every equilibrium."""
        sides = (("row", self.rows), ("column", self.columns))
        rows = [
            {"equilibrium": number, "side": side, "action": name, "probability": share, "payoff": paid}
            for number, one in enumerate(self.found, start=1)
            for (side, names), shares, paid in zip(
                sides, (one.row, one.column), (one.row_payoff, one.column_payoff), strict=True
            )
            for name, share in zip(names, shares, strict=True)
        ]
        kinds = {"equilibrium": pl.Int64, "side": pl.String, "action": pl.String}
        return {"equilibria": pl.DataFrame(rows, schema={**kinds, "probability": pl.Float64, "payoff": pl.Float64})}

    def to_frame(self) -> pl.DataFrame:
        """A row for each action of each side in each equilibrium."""
        return self.tables["equilibria"]

    def chart(self) -> render.AnyChart:
        """The equilibria side by side."""
        return equilibrium_map(self.to_frame(), self.rows, self.columns, symmetric=self.rows == self.columns)

    def as_record(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "source": self.title,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "group_size": self.seats,
            "value": self.worth,
            "note": self.note,
            "equilibria": [
                {
                    "row": dict(zip(self.rows, one.row, strict=True)),
                    "column": dict(zip(self.columns, one.column, strict=True)),
                    "row_payoff": one.row_payoff,
                    "column_payoff": one.column_payoff,
                    "symmetric": one.symmetric,
                    "pure": one.pure,
                    "found_in_resamples": held,
                }
                for one, held in zip(self.found, self.held, strict=True)
            ],
        }

    def __repr__(self) -> str:
        size = f"{len(self.rows)}×{len(self.columns)}"
        return f"<Solution of a {size} game: {len(self.found)} equilibria>"

    def _repr_html_(self) -> str:
        made: str = self.to_frame()._repr_html_()
        return made


def solve(
    game: str | Game | None = None,
    players: Sequence[Seated] = (),
    *,
    matrix: str | Path | None = None,
    experiment: str | None = None,
    table: PayoffTable | None = None,
    group_size: int | None = None,
    games: int | None = None,
    resamples: int = 100,
    seed: int = 0,
    rules: Mapping[str, Any] | BaseModel | None = None,
    store: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    files: Sequence[Path] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> Solution:
    """The equilibria of a game in which choosing a player is the move: strategies of a game, which are played for it,
    the players of an `experiment`, or a `matrix`, which may give what each side earns."""
    check_seed(seed)
    if sum(one is not None for one in (game, matrix, experiment, table)) > 1:
        raise InputError("payoffs come from one source: a game, --matrix or --from")
    check_brought(matrix, experiment, table, players, group_size=group_size, games=games, rules=rules, workers=workers)
    if not 0 <= resamples <= MOST_RESAMPLES:
        raise InputError(f"the number of resamples must be from 0 to {MOST_RESAMPLES:,}, got {resamples}")
    if matrix is not None:
        sides = _two_sides(Path(matrix))
        if sides is not None:
            rows, columns, mine, theirs = sides
            return _of_matrices(Path(matrix).name, rows, columns, mine, theirs)
        return _of_table(of_file(Path(matrix)), resamples, seed)
    if experiment is not None:
        where = None if store is None else os.fspath(store)
        return _of_table(of_experiment(experiment, where, names_of(players)), resamples, seed)
    if table is not None:
        return _of_table(Source(table, "payoff table"), resamples, seed)
    found = find_game(game or DEFAULT_GAME)
    source = of_game(
        found,
        strategies_of(found, players or None),
        seats=2 if group_size is None else group_size,
        pairs=False,
        games=GAMES if games is None else games,
        seed=seed,
        rules=rules,
        workers=workers,
        files=files,
        progress=progress,
    )
    return _of_table(source, resamples, seed)


def check_brought(
    matrix: object, experiment: object, table: object, players: Sequence[Seated], **of_games: object
) -> None:
    """Refuse what would have no effect: a matrix, an experiment and a table bring payoffs, and no game is played for
    them. Of an experiment the players that are meant can be named."""
    sources = {"a matrix": matrix, "an experiment": experiment, "a table": table}
    source = next((name for name, given in sources.items() if given is not None), None)
    if source is None:
        return
    if experiment is None and players:
        raise InputError(f"{source} has its own players; leave out --players")
    for name, given in of_games.items():
        if given is not None:
            raise InputError(f"{source} brings the payoffs; leave out --{name.replace('_', '-')}")


def _of_matrices(title: str, rows: Sequence[str], columns: Sequence[str], mine: Floats, theirs: Floats) -> Solution:
    found = equilibria(mine, theirs)
    worth = value(mine)[0] if is_zero_sum(mine, theirs) else None
    return Solution(title, tuple(rows), tuple(columns), 2, tuple(found), (None,) * len(found), worth)


def _of_table(source: Source, resamples: int, seed: int) -> Solution:
    table, names = source.table, source.table.players
    if table.samples is not None and not table.groups.whole:
        table = completed(table, Groups.all_of(names, table.seats))
    found = _found(table)
    held: list[float | None] = [None] * len(found)
    if table.samples is not None and resamples and not table.played_once:
        chance = generator(seed, 3)
        seen = [{_support(one) for one in _found(table.resampled(chance))} for _ in range(resamples)]
        held = [sum(_support(one) in each for each in seen) / resamples for one in found]
    note = "; ".join(filter(None, [said_of(table), _ONCE if table.played_once else ""]))
    return Solution(source.title, names, names, table.seats, tuple(found), tuple(held), None, source.slow, note)


def _found(table: PayoffTable) -> list[Equilibrium]:
    if table.seats == 2:
        return equilibria(table.matrix, table.matrix.T)
    made = []
    for shares in symmetric_equilibria(table):
        paid = float(np.asarray(shares) @ table.expected(np.asarray(shares)))
        made.append(Equilibrium(shares, shares, paid, paid))
    return made


def _support(one: Equilibrium) -> tuple[bool, ...]:
    return tuple(share > _SAME_SUPPORT for share in (*one.row, *one.column))


def _two_sides(path: Path) -> tuple[list[str], list[str], Floats, Floats] | None:
    """The matrices of both sides, where a file gives them: `rows`, `columns`, and `payoffs` as pairs."""
    try:
        text = path.read_text(encoding="utf-8")
        read = parse_json(text) if text.lstrip().startswith("{") else None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no text; write the matrix as CSV or JSON") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(read, dict) or "rows" not in read:
        return None
    rows: Any = read.get("rows")
    columns: Any = read.get("columns")
    named = all(isinstance(one, list) and all(isinstance(name, str) for name in one) for one in (rows, columns))
    try:
        pays = np.asarray(read.get("payoffs"), dtype=np.float64)
    except (ValueError, TypeError):
        pays = np.zeros(0)
    if not named or pays.shape != (len(rows), len(columns), 2) or not pays.size:
        raise InputError(
            f'{path}: a game of two sides has "rows" and "columns", lists of names, and "payoffs" with a pair of '
            "numbers for each row and column"
        )
    return rows, columns, pays[:, :, 0], pays[:, :, 1]
