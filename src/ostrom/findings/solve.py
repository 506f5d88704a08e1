"""The verb `solve`: the equilibria of a small game, from a matrix or from games that are played for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import polars as pl
from pydantic import BaseModel, Field

from ostrom.core.chance import seed_or_random
from ostrom.core.errors import InputError, field
from ostrom.core.files import MAX_SETTINGS_BYTES, check_writable, parse_json, read_bounded_text
from ostrom.core.finding import ChartEntry, Column, Finding, Table, number
from ostrom.core.game import Game, imported
from ostrom.core.plugins import DEFAULT_GAME, files, find_game
from ostrom.core.settings import Display, excludes
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.payoff_sources import (
    DEFAULT_GAMES,
    PayoffSettings,
    Source,
    chosen_strategies,
    of_game,
    source_without_game,
)
from ostrom.sim.batch import Floats
from ostrom.sim.equilibria import (
    MAX_ACTIONS,
    Equilibrium,
    equilibria,
    equilibrium_at,
    is_zero_sum,
    reduce_game,
    symmetric_equilibria,
    value,
)
from ostrom.sim.evolution import MAX_REST_PLAYERS
from ostrom.sim.payoff_games import completed, note_of
from ostrom.sim.payoffs import MAX_RESAMPLES, Groups, PayoffTable
from ostrom.sim.simulated_populations import generator

SUPPORT_TOLERANCE: Final = 1e-6
NOT_SEARCHED_AGAIN: Final = "Equilibria are not searched again in resampled payoff tables, because"


class SolveSettings(PayoffSettings):
    """Settings of the verb `solve`."""

    group_size: Annotated[int | None, Display(default="2, or as many as the game needs", alias="seats")] = Field(
        None, ge=1, description="Seats of a game; with more than 2, only symmetric equilibria are searched."
    )
    resamples: int = Field(
        100,
        ge=0,
        le=MAX_RESAMPLES,
        description="Number of resampled payoff tables, which show how often an equilibrium is found again.",
    )
    table: PayoffTable | None = Field(None, description="A payoff table, for programs.")
    output: Annotated[Path | None, Display("FILE.svg|.png", short="o")] = Field(
        None, description="Draw the equilibria into this file."
    )
    relations = (excludes("matrix", "from_", "table"),)


@dataclass(frozen=True, repr=False)
class Solution:
    """The equilibria of a game."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    seats: int
    equilibria: tuple[Equilibrium, ...]
    """The equilibria. If the game has more than two seats, only symmetric equilibria are included."""
    found_again: tuple[float | None, ...]
    """For each equilibrium, the share of resampled payoff tables that have an equilibrium with the same supports; it is
    None if payoffs are exact or a composition was played only once."""
    worth: float | None = None
    """The value of a zero-sum game to the row player."""
    slow: tuple[str, ...] = ()
    note: str = ""


@verb("solve", game=DEFAULT_GAME, optional_game=True, keeps=False)
def solve(
    game: Game | None,
    rules: Mapping[str, Any] | BaseModel | None,
    store: str | None,
    settings: SolveSettings,
    reporter: Reporter = SILENT,
) -> Finding:
    """Find the equilibria of a small game in which each move is the choice of a player."""
    if settings.output is not None and settings.output.suffix not in (".svg", ".png"):
        raise InputError(f"cannot write {settings.output}: use .svg or .png")
    if settings.output is not None:
        check_writable(settings.output)
    seed = seed_or_random(settings.seed)
    finding = describe(_solution(game, rules, store, settings, seed, reporter))
    if settings.output is not None:
        _draw(finding, settings.output)
    return finding


def _solution(
    game: Game | None,
    rules: Mapping[str, Any] | BaseModel | None,
    store: str | None,
    settings: SolveSettings,
    seed: int,
    reporter: Reporter,
) -> Solution:
    of_games = ("group_size", "games", "workers", "exclude")
    source_without_game(settings, game, rules, store, of_games, read=False)
    sides = None if settings.matrix is None else _two_sides(settings.matrix)
    if sides is not None and settings.matrix is not None:
        return _of_matrices(settings.matrix.name, *sides)
    source = source_without_game(settings, game, rules, store, of_games)
    source = source or _play(find_game(game or DEFAULT_GAME), rules, settings, seed, reporter)
    return _of_table(source, settings.resamples, seed)


def _play(
    game: Game, rules: Mapping[str, Any] | BaseModel | None, settings: SolveSettings, seed: int, reporter: Reporter
) -> Source:
    entries = chosen_strategies(game, settings, reporter)
    seats = max(2, game.seats.fewest) if settings.group_size is None else settings.group_size
    if seats > 2 and len(entries) > MAX_REST_PLAYERS and not settings.players and not settings.exclude:
        entries = entries[:MAX_REST_PLAYERS]
        names = ", ".join(entry.name for entry in entries)
        spelled = f"{reporter.spell('players', 'NAME')}"
        reporter.note(
            f"{game.command} is solved among the first {len(entries)} of its players, {names}; "
            f"choose others with {spelled}."
        )
    if seats > 2 and len(entries) > MAX_REST_PLAYERS:
        raise InputError(
            f"{game.command} is played by {seats}, so its symmetric equilibria are searched, among at most "
            f"{MAX_REST_PLAYERS} players; name them by {field('players')}, or leave some out by {field('exclude')}"
        )
    games = DEFAULT_GAMES if settings.games is None else settings.games
    groups = Groups.all_of([entry.name for entry in entries], seats)
    with reporter.bar("games", len(groups) * games) as advance:
        return of_game(
            game,
            entries,
            seats=seats,
            pairs=False,
            games=games,
            seed=seed,
            rules=rules,
            workers=settings.workers,
            files=files(),
            progress=advance,
        )


def _of_matrices(title: str, rows: Sequence[str], columns: Sequence[str], mine: Floats, theirs: Floats) -> Solution:
    results = equilibria(mine, theirs)
    worth = value(mine)[0] if is_zero_sum(mine, theirs) else None
    return Solution(title, tuple(rows), tuple(columns), 2, tuple(results), (None,) * len(results), worth)


def _of_table(source: Source, resamples: int, seed: int) -> Solution:
    table = source.table
    names = table.players
    if table.samples is not None and not table.groups.whole:
        table = completed(table, Groups.all_of(names, table.seats))
    results = _equilibria(table)
    found_again: list[float | None] = [None] * len(results)
    if table.samples is not None and resamples and not table.played_once:
        chance = generator(seed, 3)
        tables = [table.resampled(chance) for _ in range(resamples)]
        found_again = [sum(counts) / resamples for counts in _found_in(tables, results)]
    once = f"{NOT_SEARCHED_AGAIN} {table.once}" if table.played_once else ""
    notes = [source.used, note_of(table), once, *_search_notes(table)]
    note = ". ".join(filter(None, notes))
    return Solution(
        source.title, names, names, table.seats, tuple(results), tuple(found_again), None, source.slow, note
    )


def _equilibria(table: PayoffTable) -> list[Equilibrium]:
    if table.seats == 2:
        return equilibria(table.matrix, table.matrix.T)
    results = []
    for shares in symmetric_equilibria(table):
        paid = float(np.asarray(shares) @ table.expected(np.asarray(shares)))
        results.append(Equilibrium(shares, shares, paid, paid))
    return results


def _found_in(tables: Sequence[PayoffTable], results: Sequence[Equilibrium]) -> list[list[bool]]:
    """Return, for each equilibrium and each table, whether the table has an equilibrium with the same supports."""
    if not tables or tables[0].seats > 2:
        supports = [{_support(other) for other in _equilibria(table)} for table in tables]
        return [[_support(result) in among for among in supports] for result in results]
    sides = [(_used(result.row), _used(result.column)) for result in results]
    return [
        [equilibrium_at(table.matrix, table.matrix.T, *supports) is not None for table in tables] for supports in sides
    ]


def _support(equilibrium: Equilibrium) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _used(equilibrium.row), _used(equilibrium.column)


def _used(shares: Sequence[float]) -> tuple[int, ...]:
    return tuple(place for place, share in enumerate(shares) if share > SUPPORT_TOLERANCE)


def _search_notes(table: PayoffTable) -> list[str]:
    """Return sentences that say what the search in a large game of two seats left out."""
    if table.seats != 2:
        return []
    reduced = reduce_game(table.matrix, table.matrix.T)
    notes = []
    if len(table.players) > MAX_ACTIONS and reduced.dominated:
        notes.append(f"{reduced.dominated // 2} of {len(table.players)} players are always worse than another")
    if reduced.duplicates:
        names = ", ".join(table.players[place] for place in reduced.rows)
        notes.append(f"Of players with the same payoffs, only the first is searched: {names}")
    if not reduced.complete:
        notes.append(
            f"The search covers equilibria that mix at most {reduced.max_support} of {len(reduced.rows)} players; "
            f"others may exist. A choice of up to {MAX_ACTIONS} players is searched completely"
        )
    return notes


def _two_sides(path: Path) -> tuple[list[str], list[str], Floats, Floats] | None:
    """Return the matrices of both sides if a file has them as `rows`, `columns`, and `payoffs` in pairs. Return None if
    the file has another content. Raise InputError if it is not text, or if its parts do not have this form."""
    try:
        text = read_bounded_text(path, MAX_SETTINGS_BYTES)
        document = parse_json(text) if text.lstrip().startswith("{") else None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text; write the matrix as CSV or JSON") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    if not isinstance(document, dict) or "rows" not in document:
        return None
    rows: Any = document.get("rows")
    columns: Any = document.get("columns")
    named = all(isinstance(side, list) and all(isinstance(name, str) for name in side) for side in (rows, columns))
    try:
        pays = np.asarray(document.get("payoffs"), dtype=np.float64)
    except (ValueError, TypeError):
        pays = np.zeros(0)
    if not named or pays.shape != (len(rows), len(columns), 2) or not pays.size:
        raise InputError(
            f'{path}: a game of two sides has "rows" and "columns", lists of names, and "payoffs" with a pair of '
            "numbers for each row and column"
        )
    return rows, columns, pays[:, :, 0], pays[:, :, 1]


def _draw(finding: Finding, path: Path) -> None:
    source = imported("ostrom.analysis.provenance:source_line")(
        finding.result.title, finding.result.note, day=f"{date.today()}"
    )
    picture = imported("ostrom.charts.render:svg")(finding.chart(), source)
    if path.suffix == ".svg":
        imported("ostrom.core.files:write_text")(path, picture)
    else:
        path.write_bytes(imported("ostrom.charts.render:png")(picture))


def describe(solution: Solution) -> Finding:
    """Return the finding of a search for equilibria."""
    return Finding(
        verb="solution",
        title=f"{solution.title}: equilibria",
        facts={
            "source": solution.title,
            "rows": list(solution.rows),
            "columns": list(solution.columns),
            "group_size": solution.seats,
            "value": solution.worth,
            "note": solution.note,
            "equilibria": [
                _record(solution, equilibrium, share)
                for equilibrium, share in zip(solution.equilibria, solution.found_again, strict=True)
            ],
        },
        parts=[
            Table(
                "equilibria", load=lambda: _frame(solution), title=_title(solution), in_json=False, on_terminal=False
            ),
            _terminal_table(solution),
        ],
        chart_entries=[ChartEntry("equilibria", "Equilibria", "ostrom.findings.pictures:equilibrium_chart")],
        root="solution",
        result=solution,
    )


def _record(solution: Solution, equilibrium: Equilibrium, share: float | None) -> dict[str, Any]:
    return {
        "row": dict(zip(solution.rows, equilibrium.row, strict=True)),
        "column": dict(zip(solution.columns, equilibrium.column, strict=True)),
        "row_payoff": equilibrium.row_payoff,
        "column_payoff": equilibrium.column_payoff,
        "symmetric": equilibrium.symmetric,
        "pure": equilibrium.pure,
        "found_in_resamples": share,
    }


def _frame(solution: Solution) -> pl.DataFrame:
    """Return a row for each action of each side in each equilibrium, with its probability."""
    rows = []
    for place, equilibrium in enumerate(solution.equilibria, start=1):
        sides = (
            ("row", solution.rows, equilibrium.row, equilibrium.row_payoff),
            ("column", solution.columns, equilibrium.column, equilibrium.column_payoff),
        )
        for side, names, shares, paid in sides:
            for name, share in zip(names, shares, strict=True):
                rows.append((place, side, name, share, paid))
    kinds = {"equilibrium": pl.Int64, "side": pl.String, "action": pl.String}
    return pl.DataFrame(rows, schema={**kinds, "probability": pl.Float64, "payoff": pl.Float64}, orient="row")


def _title(solution: Solution) -> str:
    size = f"{len(solution.rows)}×{len(solution.columns)}" if solution.seats == 2 else f"groups of {solution.seats}"
    return f"{solution.title}, equilibria · {size}"


def _terminal_table(solution: Solution) -> Table:
    sampled = any(share is not None for share in solution.found_again)
    columns = [number("number", "#"), Column("row", "row player", wraps=True)]
    if solution.seats == 2:
        columns.append(Column("column", "column player", wraps=True))
    columns.append(Column("payoffs", "payoffs", number=True))
    if sampled:
        columns.append(Column("found_again", "found again %", number=True))
    notes = [
        "In an equilibrium, neither side gains by another choice; payoffs are those of the given table."
        if solution.equilibria
        else "No equilibrium was found.",
        f"{solution.note}." if solution.note else "",
        "" if solution.worth is None else f"A zero-sum game with the value {solution.worth:.6g} for the row player.",
        "Only symmetric equilibria are shown." if solution.seats > 2 else "",
        "“Found again” is the share of resampled payoff tables that have an equilibrium with the same supports."
        if sampled
        else "",
    ]
    rows = [
        {
            "number": place,
            "row": _strategy_text(solution.rows, equilibrium.row),
            "column": _strategy_text(solution.columns, equilibrium.column),
            "payoffs": f"{equilibrium.row_payoff:,.4g}, {equilibrium.column_payoff:,.4g}",
            "found_again": f"{100 * (share or 0.0):.0f}",
        }
        for place, (equilibrium, share) in enumerate(
            zip(solution.equilibria, solution.found_again, strict=True), start=1
        )
    ]
    return Table(
        "shown",
        columns,
        rows,
        title=_title(solution),
        caption=" ".join(filter(None, notes)),
        in_json=False,
        in_journal=False,
    )


def _strategy_text(names: Sequence[str], shares: Sequence[float]) -> str:
    """Return a mixed strategy as text."""
    support = [(name, share) for name, share in zip(names, shares, strict=True) if share > 1e-9]
    return ", ".join(name if share > 1 - 1e-9 else f"{100 * share:.1f} % {name}" for name, share in support)
