"""`ostrom evolve`: who survives among players that are imitated by what they earn."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

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
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.core.text import number_of
from ostrom.experiment import make_rules
from ostrom.findings.evolution import PROCESSES, Evolution
from ostrom.findings.evolution import evolve as let_evolve
from ostrom.findings.payoff_sources import groups_of
from ostrom.findings.results import of_evolution
from ostrom.findings.simulations import keep_in, kept_line
from ostrom.sim.structured import WELL_MIXED
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, rule_settings, takes_game
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, out, print_json


@takes_game(default=DEFAULT_GAME)
def evolve(
    context: typer.Context,
    players: Players = None,
    exclude: opt.Exclude = None,
    matrix: Matrix = None,
    from_: From = None,
    process: Annotated[str, typer.Option(metavar="|".join(PROCESSES), help="How players are imitated.")] = "fermi",
    population: Annotated[int, typer.Option(help="Individuals, in processes of a finite population.")] = 100,
    beta: Annotated[float, typer.Option(help="Strength of selection, by which payoffs are multiplied.")] = 1.0,
    mutation: Annotated[
        str, typer.Option(metavar="small|P", help="The probability of a mutation, or 'small': one at a time.")
    ] = "small",
    structure: Annotated[
        str, typer.Option(metavar="well-mixed|ring|lattice|FILE", help="Who meets whom; FILE has the edges of a graph.")
    ] = "well-mixed",
    agents: Annotated[
        bool, typer.Option("--agents", help="Let everybody play for itself: for groups whose table would be too large.")
    ] = False,
    group_size: Annotated[int | None, typer.Option(help="Seats of a game; by default 4, or what the game has.")] = None,
    games: Games = 50,
    unit: Annotated[float, typer.Option(help="Divide payoffs by this, so that --beta is by its inverse.")] = 1.0,
    steps: Annotated[int | None, typer.Option(help="Steps of dynamics and of simulations.")] = None,
    rate: Annotated[float, typer.Option(help="How far a step of dynamics goes.")] = 0.1,
    start: Annotated[
        list[str] | None, typer.Option(metavar="NAME=SHARE", help="Where to start; equal shares if omitted.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs of a simulation.")] = 40,
    resamples: Annotated[int, typer.Option(help="Payoff tables drawn anew for intervals; 0 leaves them out.")] = 100,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write a page, its charts and tables there.")
    ] = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    workers: opt.Workers = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="URL|FILE",
            help="Keep the result in this journal, for list, report, export and the pages; --from reads it too.",
        ),
    ] = None,
    json: opt.Json = False,
) -> None:
    """Let players evolve: who takes over from whom, and who holds the population in the long run."""
    names = names_given(players)
    check_source(context, matrix, from_, names)
    drawn = seed_or_random(seed)
    common: dict[str, Any] = {
        **{"process": process, "beta": beta, "unit": unit, "steps": steps, "rate": rate, "runs": runs},
        **{"seed": drawn, "store": store, "agents": agents},
    }
    # What was typed, and no default: some ways to evolve have no use for these, and refuse them.
    typed = {"population": population, "mutation": _mutation(mutation), "structure": structure, "resamples": resamples}
    common |= {name: value for name, value in typed.items() if opt.given(context, name)}
    if matrix is not None:
        found = let_evolve(matrix=matrix, start=_start(start), **common)
    elif from_ is not None:
        found = let_evolve(experiment=from_, players=names, start=_start(start), **common)
    else:
        found = _played(context, names, exclude or [], group_size, games, start, workers, common)
    written = None
    if output is not None:
        with games_bar("charts", len(found.charts), "charts") as advance:
            written = found.write(output, lambda name: advance())
    kept = None if store is None else keep_in(store, of_evolution(found))
    if json:
        told = found.as_record() | ({"page": str(written.page)} if written else {})
        print_json({"evolution": told | ({"kept": kept} if kept else {})})
        return
    for sheet in _sheets(found):
        out.print(sheet)
        out.print()
    if written is not None:
        out.print(f"{written.charts} charts and {written.tables} tables: open {written.page}")
    if kept is not None:
        out.print(kept_line(kept, store), soft_wrap=True)


def _played(
    context: typer.Context,
    names: list[str],
    exclude: list[str],
    group_size: int | None,
    games: int,
    start: list[str] | None,
    workers: int | None,
    common: dict[str, Any],
) -> Evolution:
    game = game_of(context)
    entries = strategies_named(game, names, exclude)
    told = {"rules": make_rules(game, rule_settings(context)), "start": _start(start)}
    if common["agents"]:
        common |= {name: context.params[name] for name in ("games", "workers") if opt.given(context, name)}
        with games_bar("generations", common["steps"], "generations") as advance:
            return let_evolve(game, entries, group_size=group_size, progress=advance, **told, **common)
    finite = common["process"] in ("fermi", "moran", "wright-fisher")
    pairs = finite and common.get("mutation", "small") == "small" and common.get("structure", WELL_MIXED) == WELL_MIXED
    groups = groups_of(game, [entry.name for entry in entries], group_size, pairs=pairs)
    with games_bar("games", len(groups) * games) as advance:
        return let_evolve(
            game,
            entries,
            group_size=group_size,
            games=games,
            workers=workers,
            files=files(),
            progress=advance,
            **told,
            **common,
        )


def _mutation(text: str) -> Any:
    if text == "small":
        return text
    try:
        return float(text)
    except ValueError:
        raise InputError(f"--mutation is 'small' or a probability, not {text!r}") from None


def _start(given: list[str] | None) -> dict[str, float] | None:
    """Shares by player."""
    shares: dict[str, float] = {}
    for one in given or []:
        name, _, share = one.rpartition("=")
        try:
            shares[name] = float(share)
        except ValueError:
            name = ""
        if not name:
            raise InputError(f"--start {one!r}: write NAME=SHARE")
    return shares or None


def _sheets(found: Evolution) -> list[Sheet]:
    """What came out, for people."""
    frame = found.to_frame().sort(["value", "player"], descending=[True, False])
    of = "of the time" if found.what == "time" else "of the population"
    columns = {
        Column("player"): lambda row: row["player"],
        Column(f"% {of}", number=True): lambda row: f"{100 * row['value']:.1f}",
        Column("95 %", number=True, spare=1): _range,
    }
    if "fixations" in found.tables:
        columns |= _invasion_columns(found.tables["fixations"], found.settings.population)
    note = f"{found.note[0].upper()}{found.note[1:]}." if found.note else ""
    caption = " ".join(filter(None, [found.facts, note, _uncertainty(found)]))
    title = f"{found.source.title}, evolution · seed {found.seed}"
    sheets = [Sheet.of(title, frame.iter_rows(named=True), columns, caption=caption, best=1)]
    if "rest_points" in found.tables and len(found.tables["rest_points"]):
        sheets.append(_rest_sheet(found))
    return sheets


def _uncertainty(found: Evolution) -> str:
    if found.certain or not found.to_frame()["low"].count():  # where there are none, the note says why
        return ""
    if found.settings.agents or found.payoffs.certain:
        return "Intervals are over runs."
    return "Intervals carry the uncertainty of the payoffs."


def _range(row: dict[str, Any]) -> str:
    return "–" if row["low"] is None else f"{100 * row['low']:.1f}–{100 * row['high']:.1f}"


def _invasion_columns(fixations: pl.DataFrame, population: int) -> dict[Column, Any]:
    favoured = fixations.filter(pl.col("value") > (1 + 1e-9) / population)
    over = dict(favoured.group_by("mutant").len().iter_rows())
    under = dict(favoured.group_by("resident").len().iter_rows())
    return {
        Column("favoured over", number=True): lambda row: number_of(over.get(row["player"], 0), "player"),
        Column("open to", number=True): lambda row: number_of(under.get(row["player"], 0), "player"),
    }


def _per_cent(row: dict[str, Any], column: str) -> str:
    return f"{100 * row[column]:.2f}"


def _rest_sheet(found: Evolution) -> Sheet:
    frame, names = found.tables["rest_points"], found.payoffs.players
    columns: dict[Column, Any] = {
        Column(name, number=True): partial(_per_cent, column=column) for name, column in zip(names, "abc", strict=False)
    }
    columns[Column("stability")] = lambda row: row["stability"]
    return Sheet.of("Rest points of the replicator, shares in %", frame.iter_rows(named=True), columns)
