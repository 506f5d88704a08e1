"""`ostrom solve`: the equilibria of a small game."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.charts import render
from ostrom.core import InputError
from ostrom.core.files import write_whole
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.experiment import make_rules
from ostrom.experiment import options as opt
from ostrom.experiment.equilibria import Solution
from ostrom.experiment.equilibria import solve as find_equilibria
from ostrom.experiment.game_options import game_of, is_named, rule_settings, takes_game
from ostrom.experiment.terminal import Column, Sheet, err, games_bar, out, print_json
from ostrom.players.roster import choose
from ostrom.sim.payoffs import Groups


@takes_game(default=DEFAULT_GAME)
def solve(
    context: typer.Context,
    players: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME|FILE.py", help="A player, or a file that brings some; all if omitted; repeatable."),
    ] = None,
    exclude: opt.Exclude = None,
    matrix: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take payoffs from this matrix, CSV or JSON; no game is played.")
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="EXPERIMENT", help="Take payoffs from the games of this experiment."),
    ] = None,
    group_size: Annotated[int, typer.Option(help="Seats of a game; above 2, symmetric equilibria alone.")] = 2,
    games: Annotated[int, typer.Option(help="Games of every composition of a group.")] = 50,
    resamples: Annotated[
        int, typer.Option(help="Payoff tables drawn anew, to see in how many an equilibrium stays.")
    ] = 100,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.svg|.png", help="Draw the equilibria into this file.")
    ] = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    workers: Annotated[int | None, typer.Option(help="Processes; by default one per core where that pays.")] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Find the equilibria of a small game in which the choice of a player is the move."""
    if output is not None and output.suffix not in (".svg", ".png"):
        raise InputError(f"cannot write {output}: use .svg or .png")
    opt.load_players([Path(one) for one in players or [] if one.endswith(".py")])
    names = [one for one in players or [] if not one.endswith(".py")]
    option = "--matrix" if matrix is not None else "--from" if from_ is not None else None
    if option is not None and is_named(context):
        raise InputError(f"{option} brings the payoffs, so no game is played; leave out {game_of(context).command}")
    common: dict[str, Any] = {"resamples": resamples, "seed": opt.seed_or_random(seed), "store": store}
    if matrix is not None:
        found = find_equilibria(matrix=matrix, experiment=from_, **common)
    elif from_ is not None:
        found = find_equilibria(experiment=from_, players=names, **common)
    else:
        game = game_of(context)
        entries = choose(names, exclude or [], game=game.name)
        slow = [entry.name for entry in entries if entry.rows is None or game.step is None]
        if slow:
            err.print(f"{', '.join(slow)}: plain Python, one game at a time, which is slower.")
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
    picture = render.svg(found.chart())
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
