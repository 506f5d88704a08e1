"""`ostrom respond`: the best response to a table of players, what it gains over each built-in one, and a file of it."""

import shlex
from collections.abc import Callable
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.analysis.provenance import source_line
from ostrom.charts.render import png, svg
from ostrom.cli.main import plugins_as_options
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.estimates import Estimate
from ostrom.core.plugins import DEFAULT_GAME
from ostrom.core.text import number_of
from ostrom.experiment import make_rules
from ostrom.findings.results import of_exploitability, of_response, response_chart
from ostrom.findings.simulations import keep_in, kept_line
from ostrom.players.roster import choose
from ostrom.sim.best_response import Comparison, Exploitability, Response
from ostrom.sim.best_response import exploitability as find_exploitability
from ostrom.sim.best_response import respond as find_response
from ostrom.sim.search import Effort
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, rule_settings, takes_game
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, err, out, print_json


class Way(StrEnum):
    """How a response is found."""

    auto = "auto"
    exact = "exact"
    search = "search"
    gradient = "gradient"


class On(StrEnum):
    """Where candidates of the evolution strategy play."""

    numpy = "numpy"
    jax = "jax"


@takes_game(default=DEFAULT_GAME)
def respond(
    context: typer.Context,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[:n]", help="Who sits at the other seats, in their order; repeatable."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="The seat of the response, from 0; by default the last one, or, where seats have roles of their own, "
            "the last of those that decide most often.",
        ),
    ] = None,
    exploitability: Annotated[
        bool,
        typer.Option(
            "--exploitability",
            help="The players named are the whole table: show what each would gain by responding best to the others.",
        ),
    ] = False,
    method: Annotated[
        Way,
        typer.Option(
            help="Exact where all others have finitely many states, else searched; or one of them. With gradient the "
            "network of the search learns by policy gradients, on JAX."
        ),
    ] = Way.auto,
    backend: Annotated[
        On, typer.Option(help="Where networks of the evolution strategy play; on JAX all of them at once.")
    ] = On.numpy,
    games: Annotated[int, typer.Option(min=2, max=1_000_000, help="Unseen games in which it is judged.")] = 400,
    training: Annotated[
        int, typer.Option(min=2, max=1_000_000, help="Games in which a candidate of the search is tried.")
    ] = Effort.games,
    generations: Annotated[
        int, typer.Option(min=0, max=10_000, help="Generations of the network that corrects the best rule.")
    ] = Effort.generations,
    updates: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Updates of the network with --method gradient.")
    ] = Effort.updates,
    learners: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Games from which it learns at once; a GPU has room for many.")
    ] = Effort.learners,
    players: opt.Players = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.json", help="Keep the response as a player.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(metavar="FILE.png|svg", help="Draw what the response gains over each player.")
    ] = None,
    store: opt.KeepIn = None,
    json: opt.Json = False,
) -> None:
    """Find the best response to a table of players, and what it gains over every built-in one."""
    game = game_of(context)
    opt.load_players(players)
    rules = make_rules(game, rule_settings(context))
    chosen = seed_or_random(seed)
    if output is not None and (output.suffix != ".json" or exploitability):
        raise InputError("-o takes a .json file, for one response; leave it out with --exploitability")
    if chart is not None and chart.suffix not in (".png", ".svg"):
        raise InputError(f"--chart draws a .png or a .svg file, not {chart.name}")
    if exploitability and (seat is not None or chart is not None):
        raise InputError("--exploitability looks at every seat; leave out --seat and --chart")
    effort = Effort(
        games=training,
        generations=generations,
        updates=updates,
        learners=learners,
        selection=max(2 * games, training),
    )
    table = against or []
    slow = [entry.name for entry in choose(table, game=game.name) if entry.rows is None] if table else []
    if slow and game.step is not None:
        err.print(f"{', '.join(slow)}: plain Python, one game at a time, which slows the search.")
    how: dict[str, Any] = {"game": game, "rules": rules, "seed": chosen, "games": games, "effort": effort}
    how |= {"method": method.value, "backend": backend.value}
    with games_bar("candidates", None, "tried") as advance:
        if exploitability:
            whole = find_exploitability(table, **how, progress=advance)
        else:
            found = find_response(table, **how, seat=seat, progress=advance)
    kept = None
    if store is not None:
        kept = keep_in(store, of_exploitability(whole) if exploitability else of_response(found))
    also = {} if kept is None else {"kept": kept}
    if exploitability:
        if json:
            print_json({"exploitability": {"seed": chosen, **whole.as_record(), **also}})
        else:
            out.print(_exploitability_sheet(whole, chosen))
            _say_kept(kept, store)
        return
    name = None if output is None else found.write(output)
    if chart is not None:
        _draw(found, chart)
    if json:
        print_json({"response": {**found.as_record(), "player": name, **also}})
        return
    out.print(_sheet(found))
    _say_kept(kept, store)
    if name is not None:
        line = shlex.join(["ostrom", "run", game.command, "--include", name, *plugins_as_options(context)])
        err.print(f"\nTo seat it:\n   {line} …", soft_wrap=True)


def _say_kept(kept: str | None, store: str | None) -> None:
    if kept is not None:
        out.print(f"\n{kept_line(kept, store)}", soft_wrap=True)


def _draw(found: Response, path: Path) -> None:
    judged = f"best response, {number_of(found.games, 'game')}"
    drawn = svg(response_chart(found), source_line(found.problem.game.title, judged, day=f"{date.today()}"))
    path.write_bytes(png(drawn) if path.suffix == ".png" else drawn.encode())


def _sheet(found: Response) -> Sheet:
    problem, unit = found.problem, found.problem.game.unit
    columns: dict[Column, Callable[[Comparison], str]] = {
        Column("in its place"): lambda one: one.player,
        Column(f"mean {unit}".rstrip(), number=True): lambda one: _value(one.mean),
        Column("gain", number=True): lambda one: _value(one.gain),
        Column("95 %, all together", number=True, spare=1): lambda one: _range(one.gain),
        Column("regret a turn", number=True, spare=2): lambda one: f"{one.regret.value:z,.3f}",
    }
    others = ", ".join(entry.name for entry in problem.others)
    said = [
        f"The response: {found.description}, in seat P{problem.seat + 1} of {problem.seats}.",
        f"It gets {_value(found.mean)} ({_range(found.mean)}).",
    ]
    if found.solution is not None:
        best = " or ".join(found.solution.best_openings)
        said.append(f"Exact: {found.solution.per_turn:,.4g} a turn; first {best}.")
    how = "exact" if found.exact else f"{found.tried:,} candidates searched"
    if found.steps:
        how += f", networks learned from {found.steps:,} steps"
    said.append(f"Gains over {number_of(found.games, 'unseen game')} that all of them play; {how}.")
    title = f"{problem.game.title}, best response · seed {problem.seed} · against {others}"
    return Sheet.of(title, found.comparisons, columns, caption="\n".join(said))


def _exploitability_sheet(whole: Exploitability, seed: int) -> Sheet:
    columns: dict[Column, Callable[[str], str]] = {
        Column("player"): lambda name: name,
        Column("seats", number=True): lambda name: str(whole.seats[name]),
        Column("gain of the best response", number=True): lambda name: _value(whole.gains[name]),
        Column("95 %, all together", number=True): lambda name: _range(whole.gains[name]),
        Column("a turn", number=True): lambda name: f"{whole.per_turn[name].value:z,.3f}",
        Column("the response", spare=1): lambda name: whole.responses[name].description,
    }
    said = f"All seats together could gain {whole.total:z,.3f} a turn, each by itself; 0 is an equilibrium."
    return Sheet.of(f"Exploitability · seed {seed}", list(whole.responses), columns, caption=said)


def _value(estimate: Estimate) -> str:
    return f"{estimate.value:z,.1f}"


def _range(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.low:z,.1f} to {estimate.high:z,.1f}"
