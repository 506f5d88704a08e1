"""`ostrom solve`: the equilibria of a small game."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.analysis.provenance import source_line
from ostrom.charts import render
from ostrom.cli.payoff_options import (
    From,
    Games,
    Matrix,
    Players,
    check_source,
    names_given,
    strategies_named,
)
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.files import write_whole
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.experiment import make_rules
from ostrom.findings.equilibria import Solution
from ostrom.findings.equilibria import solve as find_equilibria
from ostrom.sim.payoffs import Groups
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, rule_settings, takes_game
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, out, print_json


@takes_game(default=DEFAULT_GAME)
def solve(
    context: typer.Context,
    players: Players = None,
    exclude: opt.Exclude = None,
    matrix: Matrix = None,
    from_: From = None,
    group_size: Annotated[int, typer.Option(help="Seats of a game; above 2, symmetric equilibria alone.")] = 2,
    games: Games = 50,
    resamples: Annotated[
        int, typer.Option(help="Payoff tables drawn anew, to see in how many an equilibrium stays.")
    ] = 100,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.svg|.png", help="Draw the equilibria into this file.")
    ] = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    workers: opt.Workers = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Find the equilibria of a small game in which the choice of a player is the move."""
    if output is not None and output.suffix not in (".svg", ".png"):
        raise InputError(f"cannot write {output}: use .svg or .png")
    names = names_given(players)
    check_source(context, matrix, from_, names)
    common: dict[str, Any] = {"resamples": resamples, "seed": seed_or_random(seed), "store": store}
    if matrix is not None:
        found = find_equilibria(matrix=matrix, **common)
    elif from_ is not None:
        found = find_equilibria(experiment=from_, players=names, **common)
    else:
        game = game_of(context)
        entries = strategies_named(game, names, exclude or [])
        groups = Groups.all_of([entry.name for entry in entries], group_size)
        with games_bar("games", len(groups) * games) as advance:
            found = find_equilibria(
                game,
                entries,
                group_size=group_size,
                games=games,
                rules=make_rules(game, rule_settings(context)),
                workers=workers,
                files=files(),
                progress=advance,
                **common,
            )
    if output is not None:
        _draw(found, output)
    if json:
        print_json({"solution": found.as_record()})
        return
    out.print(_sheet(found))


def _draw(found: Solution, output: Path) -> None:
    picture = render.svg(found.chart(), source_line(found.title, found.note, day=f"{date.today()}"))
    if output.suffix == ".svg":
        write_whole(output, picture)
    else:
        output.write_bytes(render.png(picture))


def _sheet(found: Solution) -> Sheet:
    """The equilibria, for people."""
    sampled = any(one is not None for one in found.held)
    columns: dict[Column, Any] = {
        Column("#", number=True): lambda row: str(row[0]),
        Column("row player", wraps=True): lambda row: _said(found.rows, row[1].row),
        Column("column player", wraps=True): lambda row: _said(found.columns, row[1].column),
        Column("payoffs", number=True): lambda row: f"{row[1].row_payoff:,.4g}, {row[1].column_payoff:,.4g}",
    }
    if found.seats > 2:
        columns = {column: cell for column, cell in columns.items() if column.heading != "column player"}
    if sampled:
        columns[Column("found again %", number=True)] = lambda row: f"{100 * (row[2] or 0.0):.0f}"
    size = f"{len(found.rows)}×{len(found.columns)}" if found.seats == 2 else f"groups of {found.seats}"
    notes = [
        "" if found.found else "No equilibrium was found.",
        f"{found.note}." if found.note else "",
        "" if found.worth is None else f"A game of zero sum, worth {found.worth:.6g} to the row player.",
        "Symmetric equilibria alone." if found.seats > 2 else "",
        "Found again: in which part of the payoff tables drawn anew its supports are an equilibrium’s."
        if sampled
        else "",
    ]
    rows = [(k, one, held) for k, (one, held) in enumerate(zip(found.found, found.held, strict=True), start=1)]
    return Sheet.of(f"{found.title}, equilibria · {size}", rows, columns, caption=" ".join(filter(None, notes)))


def _said(names: tuple[str, ...], shares: tuple[float, ...]) -> str:
    there = [(name, share) for name, share in zip(names, shares, strict=True) if share > 1e-9]
    return ", ".join(name if share > 1 - 1e-9 else f"{100 * share:.1f} % {name}" for name, share in there)
