"""`ostrom design`: rules under which a population does well, tested with players and seeds that the search has not
seen."""

import shlex
from collections.abc import Callable
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.analysis.provenance import source_line
from ostrom.charts.render import png, svg
from ostrom.cli.tournament import files_as_options
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.estimates import Estimate
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.core.text import number_of
from ostrom.experiment import make_rules
from ostrom.findings.results import design_charts, of_design
from ostrom.findings.simulations import keep_in, kept_line
from ostrom.sim.factors import spelled
from ostrom.sim.institutions import Design, Tested
from ostrom.sim.institutions import design as find_design
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, rule_settings, takes_game
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, out, print_json


class Population(StrEnum):
    """Who plays under each candidate."""

    fixed = "fixed"
    evolving = "evolving"
    responding = "responding"


@takes_game(default=DEFAULT_GAME)
def design(
    context: typer.Context,
    vary: Annotated[
        list[str] | None, typer.Option(metavar="RULE=LOW:HIGH", help="A rule to search, with its range; repeatable.")
    ] = None,
    maximise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AIM", help="welfare, equality, survival or a figure of the game; one, or two for a front."
        ),
    ] = None,
    population: Annotated[
        Population,
        typer.Option(help="Whether players stay, evolve under the rules, or one at each table responds best."),
    ] = Population.fixed,
    seats: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Seats at a table; by default 4, or as many as there are.")
    ] = None,
    include: opt.Include = None,
    held_out: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Test with this player, whom the search does not see; repeatable. [half]"),
    ] = None,
    candidates: Annotated[int, typer.Option(min=2, max=100_000, help="Sets of rules that are drawn at first.")] = 64,
    tables: Annotated[int, typer.Option(min=2, max=100_000, help="Random tables at which each is played.")] = 24,
    games: Annotated[int, typer.Option(min=1, max=100_000, help="Games at each table.")] = 4,
    players: opt.Players = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.png|svg", help="Draw the front of two aims, or what one aim came to.")
    ] = None,
    store: opt.KeepIn = None,
    json: opt.Json = False,
) -> None:
    """Search for rules under which a population does well, and test them on players and seeds that it has not seen."""
    game = game_of(context)
    opt.load_players(players)
    if chart is not None and chart.suffix not in (".png", ".svg"):
        raise InputError(f"--chart draws a .png or a .svg file, not {chart.name}")
    with games_bar("candidates", None, "tried") as advance:
        found = find_design(
            vary or [],
            maximise=maximise or ["welfare"],
            seed=seed_or_random(seed),
            game=game,
            rules=make_rules(game, rule_settings(context)),
            players=include or [],
            held_out=held_out or [],
            seats=seats,
            population=population.value,
            candidates=candidates,
            tables=tables,
            games=games,
            progress=advance,
        )
    if chart is not None:
        tried = f"design of rules, {number_of(found.tried, 'candidate')}, seed {found.seed}"
        drawn = svg(design_charts(found)[0].chart, source_line(found.game.title, tried, day=f"{date.today()}"))
        chart.write_bytes(png(drawn) if chart.suffix == ".png" else drawn.encode())
    kept = None if store is None else keep_in(store, of_design(found))
    opened = [_command(context, found, one) for one in found.front]
    if json:
        told = found.as_record()
        told["front"] = [{**one, "open": command} for one, command in zip(told["front"], opened, strict=True)]
        print_json({"design": told | ({"kept": kept} if kept else {})})
        return
    out.print(_sheet(found))
    if kept is not None:
        out.print(f"\n{kept_line(kept, store)}", soft_wrap=True)
    out.print(f"\nTo open the first as a game:\n   {opened[0]} -v", soft_wrap=True)


def _command(context: typer.Context, found: Design, one: Tested) -> str:
    """What opens a candidate as a game, at a table of held-out players."""
    kept = {name: value for name, value in found.rules if name not in one.settings and value != _usual(found, name)}
    words = ["ostrom", "run", found.game.command]
    words += [
        word for name, value in {**one.settings, **kept}.items() for word in ("--rule", f"{name}={spelled(value)}")
    ]
    words += [word for name in [*found.others, *found.players][: found.seats] for word in ("--include", name)]
    return shlex.join([*words, *files_as_options(context), "--seed", str(found.seed)])


def _usual(found: Design, name: str) -> Any:
    return type(found.rules).model_fields[name].default


def _sheet(found: Design) -> Sheet:
    columns: dict[Column, Callable[[Tested], str]] = {Column("rules"): lambda one: _settings(found, one)}
    for place, aim in enumerate(found.aims):
        told: dict[Column, Callable[[Tested], str]] = {
            Column(f"{aim}, seen", number=True, spare=2 + place): lambda one, aim=aim: _spread(one.seen[aim]),  # type: ignore[misc]
            Column(f"{aim}, held out", number=True): lambda one, aim=aim: _spread(one.held_out[aim]),  # type: ignore[misc]
            Column(f"gain of {aim}", number=True, spare=1): lambda one, aim=aim: _range(one.gains.get(aim)),  # type: ignore[misc]
        }
        columns |= told
    aims = " and ".join(found.aims)
    said = (
        f"The first row has the rules as they were. {number_of(found.tried, 'candidate')} played, players "
        f"{found.population}; figures are of unseen games, at tables of the players of the search and of held-out "
        "ones; gains are over the first row with held-out players, all intervals together."
    )
    title = f"{found.game.title}, designed for {aims} · seed {found.seed}"
    return Sheet.of(title, [found.baseline, *found.front], columns, caption=said)


def _settings(found: Design, one: Tested) -> str:
    """The rules that vary, rounded; the document of --json has them as they are."""
    values = {factor.name: one.settings.get(factor.name, getattr(found.rules, factor.name)) for factor in found.factors}
    return ", ".join(f"{name} {_short(value)}" for name, value in values.items())


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else spelled(value)


def _spread(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:,.4g}"
    return f"{estimate.value:,.4g} ± {(estimate.high - estimate.low) / 2:,.2g}"


def _range(estimate: Estimate | None) -> str:
    if estimate is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.low:,.3g} to {estimate.high:,.3g}"
