"""The verb `tournament`: strategies play against each other, either all at one table or in every combination of a given
size."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from ostrom.core.arrangements import count_distinct
from ostrom.core.chance import seed_or_random
from ostrom.core.entry_points import missing_extra
from ostrom.core.finding import INTEGER, ChartEntry, Column, Finding, Opening, Table, decimals, number, percent
from ostrom.core.game import Aim, Game
from ostrom.core.listing import Listing
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.core.rule_texts import changed_rules
from ostrom.core.settings import Display, Settings, excludes
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import plain_players
from ostrom.sim.plan import Backend
from ostrom.sim.standings import SAYS, Estimand, Standing, in_order
from ostrom.sim.tournament import Schedule, TournamentResult, schedule_of
from ostrom.sim.tournament import tournament as play_tournament

if TYPE_CHECKING:
    import polars as pl

MAX_OPENINGS: Final = 20_000
MAX_ROWS_FOR_JOURNAL: Final = 5_000_000
"""The largest number of rows (one for each seat) of a games file that is written only for the journal. A file that the
user names with `keep` may have any number of rows."""
MAX_ROWS_OF_GAMES: Final = 400_000
"""The largest number of rows of the table of games in the journal."""


MAX_ROLE_ROWS: Final = 24
"""The largest number of rows of results by role that a terminal shows."""


COMPUTATION: Final = Display(group="Computation")


class Computation(Settings):
    """Settings that say how games are computed. They affect speed and memory, never the result."""

    backend: Annotated[Backend | None, COMPUTATION] = Field(
        None,
        description="The engine that plays the games; by default, the fastest that is installed. compiled and jax need "
        "the extras of these names.",
    )
    workers: Annotated[int | None, COMPUTATION] = Field(
        None, ge=1, description="Number of processes; by default one per core, if that is faster."
    )
    chunk_size: Annotated[int | None, COMPUTATION] = Field(
        None, ge=1, description="Number of games played at once, which affects memory and speed but never the result."
    )
    cluster: Annotated[str | None, Display("tls://…", "Computation")] = Field(
        None, description="Play on the workers of this Dask scheduler."
    )
    relations = (excludes("cluster", "workers"),)


class TournamentSettings(Computation):
    """Settings of the verb `tournament`."""

    games: int = Field(50, ge=1, description="Number of games at every table.")
    group_size: Annotated[int | None, Display(alias="seats")] = Field(
        None,
        ge=2,
        description="Play every combination of this many players. By default, of all players, or of as many as a "
        "table seats.",
    )
    over: Estimand = Field(
        "tables", description="The target of figures and intervals: the tables played, or random opponents like these."
    )
    rank_by: Annotated[Literal["wins", "mean"] | None, Display(default="by the game's aim")] = Field(
        None, description="Rank by the share of wins and then by the mean, or by the mean alone."
    )
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    keep: Annotated[Path | None, Display(form="FILE")] = Field(
        None, description="A Parquet file with a row for every seat of every game: its table, player and results."
    )


_COMPILER_ADVICE = (
    "Large tournaments of this game are many times as fast when they are compiled: pip install 'ostrom[compiled]'"
)


@verb("tournament", game=DEFAULT_GAME)
def tournament(
    game: Game,
    rules: BaseModel,
    players: Sequence[StrategyEntry],
    settings: TournamentSettings,
    reporter: Reporter = SILENT,
) -> Finding:
    """Play strategies against each other at every table and show the standings."""
    schedule = schedule_of(game, players, settings.games, settings.group_size)
    slow = plain_players(game, schedule.cast, [rules])
    if slow:
        reporter.note(f"{', '.join(slow)}: played in plain Python, one game at a time, which slows the tournament.")
    games_file = settings.keep
    if games_file is None and reporter.scratch is not None and schedule.games * schedule.seats <= MAX_ROWS_FOR_JOURNAL:
        games_file = reporter.scratch / "games.parquet"
    with reporter.bar("games", schedule.games) as advance:
        result = play_tournament(
            players,
            games=settings.games,
            seed=seed_or_random(settings.seed),
            game=game,
            rules=rules,
            group_size=settings.group_size,
            over=settings.over,
            backend=settings.backend,
            chunk_size=settings.chunk_size,
            workers=settings.workers,
            players_files=files(),
            cluster=settings.cluster,
            keep=games_file,
            progress=advance,
        )
    aim = game.aim
    if settings.rank_by is not None:
        aim = "rank" if settings.rank_by == "wins" else "payoff"
        result = replace(result, standings=in_order(result.standings, higher=game.better == "higher", aim=aim))
    return describe(result, games_file if reporter.scratch is not None else None, aim)


def describe(result: TournamentResult, games_file: Path | None = None, aim: Aim | None = None) -> Finding:
    """Return the finding of a tournament. `games_file` is the Parquet file with all its games, for the journal. `aim`
    is the order of the standings; by default, it is the game's."""
    tables = _tables_text(result.schedule)
    done = f"{number_of(result.games, 'game')}, {tables}, seed {result.seed}."
    remark = f" {result.remark[0].upper()}{result.remark[1:]}." if result.remark else ""
    facts = _facts(result)
    rules = result.rules.model_dump(mode="json")
    stored = ("games", "tables", "group_size", "over", "estimand", "backend", "player_turns")
    return Finding(
        verb="tournament",
        title=f"{result.game.title}: tournament",
        facts=facts,
        parts=[_standings(result, aim or result.game.aim), *_role_tables(result), *_game_tables(games_file)],
        summary=f"{len(result.standings)} players, {done}{remark}",
        chart_entries=[
            ChartEntry("wins", "Who wins", "ostrom.charts.simulations:win_bars", "standings"),
            ChartEntry("finals", "What players end with", "ostrom.charts.simulations:final_bars", "standings"),
        ],
        game=result.game,
        rules=rules,
        seed=result.seed,
        settings={name: facts[name] for name in stored},
        openings=lambda: list(_openings(result.schedule, rules)),
        result=replace(result, standings=Listing("Standings", result.standings, _row, lambda row: row.name)),
    )


def _facts(result: TournamentResult) -> dict[str, Any]:
    return {
        "game": result.game.name,
        "games": result.games,
        "tables": result.schedule.tables,
        "group_size": result.schedule.seats,
        "seed": result.seed,
        "over": result.over,
        "estimand": SAYS[result.over],
        "backend": result.backend,
        "seconds": result.seconds,
        "player_turns": result.player_turns,
        "rules": result.rules.model_dump(mode="json"),
        "plain_python": list(result.slow),
        "remark": result.remark,
        **({} if not result.schedule.roles else {"roles": _role_facts(result.schedule)}),
    }


def _role_facts(schedule: Schedule) -> dict[str, Any]:
    balance = schedule.balance
    return {
        "names": list(dict.fromkeys(schedule.roles)),
        "arrangements": len(schedule.arrangements),
        "distinct_arrangements": count_distinct(schedule.groups),
        **({} if balance is None else {"balance": balance._asdict()}),
    }


def _role_text(schedule: Schedule) -> str:
    """Return a sentence on the roles in a schedule. The sentence is empty if seats have no roles."""
    if not schedule.roles:
        return ""
    count, distinct = len(schedule.arrangements), count_distinct(schedule.groups)
    sampled = f"{count:,} of {distinct:,}" if count < distinct else f"all {count:,}"
    balance = f" {schedule.balance.sentence()}" if schedule.balance is not None else ""
    return (
        f"The players of a table sit in {sampled} arrangements of its roles, with the same draws.{balance} Means are "
        "over roles, with equal weight."
    )


def _tables_text(schedule: Schedule) -> str:
    return "all at one table" if schedule.tables == 1 else f"{schedule.tables:,} tables of {schedule.seats}"


def _speed_text(result: TournamentResult) -> str:
    speed = result.player_turns / result.seconds
    return f"{speed / 1e6:.1f} million/s" if speed >= 1e5 else f"{speed:,.0f}/s"


def _order_text(game: Game, aim: Aim) -> str:
    """Return sentences on the order of the standings, which is no verdict, and on ties."""
    mean = f"mean {game.unit}".rstrip()
    order = mean if aim == "payoff" else f"wins, and of the {mean} if wins are equal"
    return f"Players are in the order of {order}; no test compares them. Seats that tie share a win."


def _decimals_of(result: TournamentResult) -> int:
    """Return the decimals of means: enough for the smallest error not to round to 0."""
    errors = [
        (one.high - one.low) / 2
        for one in (standing.mean_final for standing in result.standings)
        if one.low is not None and one.high is not None and one.high > one.low
    ]
    return 0 if not errors or min(errors) >= 0.5 else 1 if min(errors) >= 0.05 else 2


def _standings(result: TournamentResult, aim: Aim) -> Table:
    game = result.game
    unit = result.standings[0].unit
    figures = list(result.standings[0].figures)
    laws = changed_rules(game.rules, result.rules.model_dump(mode="json"))
    caption = [
        f"{SAYS[result.over]} {_order_text(game, aim)}",
        f"Rules: {laws}." if laws else "",
        _role_text(result.schedule),
        result.remark,
        f"{result.player_turns:,} decisions in {result.seconds:.1f} s, {_speed_text(result)}, {result.backend}",
        _COMPILER_ADVICE if result.lacks_compiler else "",
    ]
    columns = [
        number("rank", "#", INTEGER),
        Column("player", "player", key="name"),
        number("games"),
        number("win_rate", "wins %", percent(1), interval="beside", interval_spare=2),
        number(
            "mean_final",
            f"mean {game.unit}".rstrip(),
            decimals(_decimals_of(result)),
            interval="plus-minus",
            spare=1,
            key=f"mean_{unit}",
            measure="mean",
        ),
        number(
            "median_final",
            "median",
            decimals(0),
            interval="beside",
            spare=4 + len(figures),
            interval_heading="of the median, 95 %",
            interval_spare=5 + len(figures),
            key=f"median_{unit}",
            measure="median",
        ),
        *(
            number(name, name, decimals(2), interval="plus-minus", spare=3 + place, key=f"mean_{name}")
            for place, name in enumerate(figures)
        ),
        number("seats"),
    ]
    title = [
        f"{game.title}, tournament",
        f"seed {result.seed}",
        _tables_text(result.schedule),
        number_of(result.games, "game"),
    ]
    return Table(
        name="standings",
        columns=columns,
        rows=[_row(standing) for standing in result.standings],
        title=" · ".join(title),
        caption="\n".join(line for line in caption if line),
        best=sum(standing.rank == 1 for standing in result.standings),
        estimates="beside",
    )


def _role_tables(result: TournamentResult) -> list[Table]:
    """Return the results by player and role, if seats have roles."""
    if not result.schedule.roles:
        return []
    unit = result.standings[0].unit
    rows = [
        {
            "player": standing.name,
            "role": role,
            "seats": own.seats,
            "win_rate": own.win_rate,
            "mean_final": own.mean_final,
        }
        for standing in result.standings
        for role, own in standing.roles.items()
    ]
    columns = [
        Column("player", "player", key="name"),
        Column("role", "role"),
        number("seats", "seats", INTEGER),
        number("win_rate", "wins %", percent(1), interval="beside", interval_spare=2),
        number(
            "mean_final",
            f"mean {result.game.unit}".rstrip(),
            decimals(1),
            interval="plus-minus",
            spare=1,
            key=f"mean_{unit}",
            measure="mean",
        ),
    ]
    short = len(rows) <= MAX_ROLE_ROWS
    return [Table(name="by_role", columns=columns, rows=rows, title="By role", estimates="beside", on_terminal=short)]


def _row(standing: Standing) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "player": standing.name,
        "games": standing.games,
        "seats": standing.seats,
        "win_rate": standing.win_rate,
        "mean_final": standing.mean_final,
        "median_final": standing.median_final,
        **standing.figures,
    }


def _openings(schedule: Schedule, rules: dict[str, Any]) -> Iterator[Opening]:
    """Yield one opening for each seating of a table."""
    for first, stop in islice(schedule.spans(), MAX_OPENINGS):
        names = [entry.name for entry in schedule.table(first)]
        yield Opening(names_with_counts(names), rules, names, stop - first, schedule.draw(first))


def names_with_counts(names: Sequence[str]) -> str:
    """Return the names on one line. A name that has several seats is given once, followed by the number of its
    seats."""
    counts = {name: names.count(name) for name in names}
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in counts.items())


def _game_tables(path: Path | None) -> list[Table]:
    """Return the means of every player at every composition of the table. If there are not too many games, return also
    the table of games."""
    if path is None:
        return []
    try:
        import polars as pl
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error
    games = pl.scan_parquet(path)
    identifiers = ("game", "table", "seat", "player")
    figures = [name for name in games.collect_schema().names() if name not in identifiers]
    means = games.group_by("table", "player").agg(pl.len().alias("seats"), *(pl.col(name).mean() for name in figures))
    tables = [_stored_table("compositions", means.sort("table", "player").collect())]
    if games.select(pl.len()).collect().item() <= MAX_ROWS_OF_GAMES:
        tables.append(_stored_table("games", games.collect()))
    return tables


def _stored_table(name: str, frame: "pl.DataFrame") -> Table:
    return Table(name, load=lambda: frame, in_json=False, on_terminal=False)
