"""`ostrom tournament`: every table of champions, many times, on the batch engine."""

import shlex
from enum import StrEnum
from typing import Annotated

import typer

from ostrom.cli import options as opt


class Backend(StrEnum):
    """What computes the games."""

    numpy = "numpy"
    jax = "jax"


def tournament(
    context: typer.Context,
    games: Annotated[int, typer.Option(help="Games at every table.")] = 50,
    group_size: Annotated[
        int | None,
        typer.Option(help="Every combination of so many players is a table; without it all sit at one."),
    ] = None,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    players: opt.Players = None,
    duration: opt.Duration = 100,
    turns: opt.Turns = None,
    endowment: opt.Endowment = 100.0,
    alpha: opt.Alpha = 0.5,
    lobbying: opt.Lobbying = True,
    erosion: opt.Erosion = True,
    erosion_intensity: opt.ErosionIntensity = 1.0,
    voting: opt.Voting = True,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    backend: Annotated[Backend, typer.Option(help="jax needs the extra of that name.")] = Backend.numpy,
    workers: Annotated[
        int | None, typer.Option(help="Processes; by default as many as cores where the work is worth it.")
    ] = None,
    chunk_size: Annotated[
        int | None, typer.Option(help="Games played at once; changes memory and speed, never the result.")
    ] = None,
    cluster: opt.Cluster = None,
    json: opt.Json = False,
) -> None:
    """Let champions meet at every table and show how they stand."""
    from ostrom.cli.output import err, games_bar, out, print_json
    from ostrom.experiment import make_rules
    from ostrom.games.commons import COMMONS
    from ostrom.games.commons.terminal import tournament_sheet
    from ostrom.sim.schedule import Schedule
    from ostrom.sim.tournament import tournament as play_tournament

    entries = opt.seated(include, exclude, players)
    rules = make_rules(COMMONS, opt.rule_settings(context, COMMONS))
    chosen_seed = opt.seed_or_random(seed)
    schedule = Schedule(tuple(entries), games, group_size)
    slow = [entry.name for entry in schedule.cast if entry.rows is None]
    if slow:
        err.print(
            f"{', '.join(slow)}: plain Python, one game at a time; the tournament is slower for it.", markup=False
        )
    with games_bar("games", schedule.games) as (progress, task):
        result = play_tournament(
            entries,
            games=games,
            seed=chosen_seed,
            rules=rules,
            group_size=group_size,
            backend=backend.value,
            chunk_size=chunk_size,
            workers=workers,
            players_files=players or [],
            cluster=cluster,
            progress=lambda done: progress.advance(task, done),
        )
    if json:
        print_json(result.as_record())
        return
    out.print(tournament_sheet(result))
    hint = f'ostrom run --from-tournament "{_options(context, chosen_seed)}" --game 0'
    out.print(f"\nAny of its games by itself, with every turn:\n   {hint} -v", markup=False, soft_wrap=True)


_HOW_NOT_WHAT = ("seed", "backend", "workers", "chunk_size", "cluster", "json")


def _options(context: typer.Context, seed: int) -> str:
    """The options that say which tournament this is, as they would be typed again."""
    words: list[str] = []
    for parameter in context.command.params:
        name, source = parameter.name or "", context.get_parameter_source(parameter.name or "")
        if name in _HOW_NOT_WHAT or source is None or source.name == "DEFAULT":
            continue
        value, option = context.params[name], f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(option if value else option.replace("--", "--no-", 1))
        else:
            for each in value if isinstance(value, list) else [value]:
                words += [option, shlex.quote(str(each))]
    return " ".join([*words, "--seed", str(seed)])
