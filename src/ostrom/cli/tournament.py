"""`ostrom tournament`: every table of strategies, many times, on the batch engine."""

import shlex
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from ostrom.cli.main import plugins_as_options
from ostrom.core import InputError
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import missing_extra
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.core.text import number_of
from ostrom.experiment import make_rules
from ostrom.journal.engine import at_store
from ostrom.players.roster import choose
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.standings import SAYS, Standing
from ostrom.sim.tournament import TournamentResult, schedule_of
from ostrom.sim.tournament import tournament as play_tournament
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, is_named, rule_settings, rules_as_options, takes_game
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import Column, Sheet, err, out, print_json


class Over(StrEnum):
    """What the figures are about."""

    tables = "tables"
    opponents = "opponents"


class Backend(StrEnum):
    """What computes the games."""

    numpy = "numpy"
    compiled = "compiled"
    jax = "jax"


Engine = Annotated[
    Backend | None,
    typer.Option(help="The engine; by default what is fastest here. compiled and jax need the extras of that name."),
]


@takes_game(default=DEFAULT_GAME)
def tournament(
    context: typer.Context,
    games: Annotated[int, typer.Option(help="Games at every table.")] = 50,
    group_size: Annotated[
        int | None,
        typer.Option(
            help="Play every combination of this many players; if omitted, of all, or of as many as a table seats."
        ),
    ] = None,
    over: Annotated[
        Over,
        typer.Option(help="What figures and intervals are about: the tables played, or random opponents like these."),
    ] = Over.tables,
    include: opt.Include = None,
    exclude: opt.Exclude = None,
    players: opt.Players = None,
    rule: opt.Rule = None,
    seed: opt.Seed = None,
    backend: Engine = None,
    workers: opt.Workers = None,
    chunk_size: opt.ChunkSize = None,
    cluster: opt.Cluster = None,
    keep: Annotated[
        Path | None, typer.Option(help="A Parquet file for every seat of every game: its table, player and results.")
    ] = None,
    store: opt.KeepIn = None,
    json: opt.Json = False,
) -> None:
    """Play strategies against each other at every table and show the standings."""
    game = game_of(context)
    opt.load_players(players)
    entries = entries_of(game, include or [], exclude or [])
    rules = make_rules(game, rule_settings(context))
    chosen_seed = seed_or_random(seed)
    schedule = schedule_of(game, entries, games, group_size)
    slow = [entry.name for entry in schedule.cast if entry.rows is None or game.step is None]
    if slow:
        err.print(f"{', '.join(slow)}: plain Python, one game at a time, which slows the tournament.")
    with games_bar("games", schedule.games) as advance:

        def play(file: Path | None) -> TournamentResult:
            return play_tournament(
                entries,
                games=games,
                seed=chosen_seed,
                game=game,
                rules=rules,
                group_size=group_size,
                over=over.value,
                backend=None if backend is None else backend.value,
                chunk_size=chunk_size,
                workers=workers,
                players_files=files(),
                cluster=cluster,
                keep=file,
                progress=advance,
            )

        if store is None:
            result, kept = play(keep), None
        else:
            result, kept = _kept(play, store, keep, schedule.games * schedule.seats)
    if json:
        print_json(result.as_record() if kept is None else {**result.as_record(), "kept": kept})
        return
    out.print(tournament_sheet(result))
    hint = f"ostrom run --from-tournament {_in_quotes(_options(context, chosen_seed))} --number 0"
    if kept is not None:
        out.print(f"\nkept in the journal as {kept}; to see it: ostrom serve{at_store(store)}", soft_wrap=True)
    out.print(f"\nTo replay any one of its games, with every turn:\n   {hint} -v", soft_wrap=True)


_MOST_ROWS = 5_000_000
"""Seats of games whose table is made for a journal alone; --keep makes it of any number."""


def _kept(play: Callable[[Path | None], TournamentResult], store: str, keep: Path | None, rows: int) -> Any:
    """What was played, and the experiment of the journal that now has it."""
    try:
        from ostrom.findings.results import of_tournament
        from ostrom.findings.simulations import keep_in
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error
    with TemporaryDirectory(prefix="ostrom-tournament-") as folder:
        file = keep or (Path(folder) / "games.parquet" if rows <= _MOST_ROWS else None)
        result = play(file)
        return result, keep_in(store, of_tournament(result, file))


def entries_of(game: Game, include: Sequence[str], exclude: Sequence[str]) -> list[StrategyEntry]:
    """The strategies of a tournament."""
    chosen = choose(include, exclude, game=game.name)
    if not chosen:
        raise InputError(f"{game.command} has no strategies; add some with --plugin FILE.py")
    return chosen


_HOW_NOT_WHAT = ("seed", "over", "backend", "workers", "chunk_size", "cluster", "keep", "store", "json", "plugin")


def _options(context: typer.Context, seed: int) -> str:
    """The options that say which tournament this is, as they would be typed again."""
    words = [game_of(context).command] if is_named(context) else []
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in _HOW_NOT_WHAT or name not in context.params or not opt.given(context, name):
            continue
        value = context.params[name]
        for each in value if isinstance(value, list) else [value]:
            words += [f"--{name.replace('_', '-')}", shlex.quote(str(each))]
    more = [*rules_as_options(context), *plugins_as_options(context), "--seed", str(seed)]
    return " ".join([*words, *map(shlex.quote, more)])


def files_as_options(context: typer.Context) -> list[str]:
    """The files of players and of plugins that were named as options, as they would be typed again."""
    players = [word for file in context.params["players"] or [] for word in ("--players", str(file))]
    return [*players, *plugins_as_options(context)]


def _in_quotes(words: str) -> str:
    """Words as one word of a shell: in double quotes, which are easier to read, unless a shell would look into them."""
    return shlex.quote(words) if set(words) & set('"$`\\!') else f'"{words}"'


def tournament_sheet(result: TournamentResult) -> Sheet:
    """A tournament for people."""
    game, schedule = result.game, result.schedule
    tables = "all at one table" if schedule.tables == 1 else f"{schedule.tables:,} tables of {schedule.seats}"
    rate = result.player_turns / result.seconds / 1e6
    said = f"{SAYS[result.over]} Seats that tie share a win."
    speed = f"{result.player_turns:,} decisions in {result.seconds:.1f} s, {rate:.1f} million/s, {result.backend}"
    figures = list(result.standings[0].figures)
    columns: dict[Column, Callable[[Standing], str]] = {
        Column("#", number=True): lambda one: str(one.rank),
        Column("player"): lambda one: one.name,
        Column("wins %", number=True): lambda one: f"{100 * _known(one.win_rate.value):.1f}",
        Column("95 %", number=True, spare=2): lambda one: _range(one.win_rate, lambda share: f"{100 * share:.1f}"),
        Column(f"mean {game.unit}".rstrip(), number=True, spare=1): lambda one: _spread(one.mean_final, "{:,.0f}"),
        Column("median", number=True, spare=4 + len(figures)): lambda one: f"{one.median_final.value:z,.0f}",
        Column("of the median, 95 %", number=True, spare=5 + len(figures)): lambda one: _range(
            one.median_final, lambda final: f"{final:z,.0f}"
        ),
    }
    for place, name in enumerate(figures):
        column = Column(name, number=True, spare=3 + place)
        columns[column] = lambda one, name=name: _spread(one.figures[name], "{:.2f}")  # type: ignore[misc]
    return Sheet.of(
        f"{game.title}, tournament · seed {result.seed} · {tables} · {number_of(result.games, 'game')}",
        result.standings,
        columns,
        caption="\n".join(part for part in (said, result.remark, speed) if part),
        best=sum(standing.rank == 1 for standing in result.standings),
    )


def _range(estimate: Estimate, form: Any) -> str:
    return "–" if estimate.low is None else f"{form(estimate.low)}–{form(estimate.high)}"


def _spread(estimate: Estimate, form: str) -> str:
    """The value and half the width of its interval."""
    value = form.format(estimate.value)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ± {form.format((estimate.high - estimate.low) / 2)}"


def _known(value: float | None) -> float:
    assert value is not None  # every player of a tournament holds a seat
    return value
