"""Measures: their definitions and their resampling over games, and the measures that every game with finals has."""

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import update_wrapper
from typing import Any, Final, Generic, TypeVar

import polars as pl

from ostrom.analysis.design import weights_of
from ostrom.analysis.intervals import LEAST, LEAST_IN_ALL, Difference, Ratio, medians
from ostrom.analysis.tables import GameTables, Tables
from ostrom.core import Registry
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.promises import promise_in
from ostrom.core.text import plain_doc

SomeTables = TypeVar("SomeTables", bound=GameTables, contravariant=True)


STUDENTISED: Final = f"Interval: studentised bootstrap over games, for players with at least {LEAST} games."
TAILED: Final = f"{STUDENTISED[:-1]}, if there are {LEAST_IN_ALL} games in all, since a few rich games weigh heavily."
ORDERED: Final = f"Interval: between order statistics, by the binomial distribution, from {LEAST} games on."
"""The interval methods, as sentences after a definition; docs/inference.md has the details."""


PAIR: Final = ("player", "other_player")
"""The columns that name a row of a measure of pairs: the player, and the other one."""
GAME: Final = ("games",)
"""The column that names the only row of a measure of whole games, such as efficiency or agreement."""
ALL_GAMES: Final = "all games"
"""The entry of the column `GAME` in the only row of such a measure."""
ROLES: Final = ("player", "role")
"""The columns that name a row of a measure by role."""
MAX_PAIRED_PLAYERS: Final = 30
"""Pairs are formed of at most this many players, those with the most games: a larger table is unreadable, and its
intervals would need a gigabyte."""

EQUILIBRIUM: Final = "equilibrium"
"""The column with the measure's value in equilibrium."""


class Resampling(Generic[SomeTables]):
    """A measure given by a ratio. Calling it returns the estimates. `ratio` returns the numerators and denominators,
    from which a comparison of experiments draws its own resamples."""

    __name__: str

    def __init__(self, ratio: Callable[[SomeTables], Ratio | Difference], *, tailed: bool = False) -> None:
        self._ratio = ratio
        self._tailed = tailed
        self._equilibrium: Callable[[SomeTables], float | None] = lambda tables: None
        update_wrapper(self, ratio)

    @property
    def interval(self) -> str:
        return TAILED if self._tailed else STUDENTISED

    def ratio(self, tables: SomeTables) -> Ratio | Difference:
        """Return the ratio whose estimates the measure gives."""
        return replace(self._ratio(tables), tailed=self._tailed)

    def __call__(self, tables: SomeTables) -> pl.DataFrame:
        """Return the estimates by group, with a column for the value in equilibrium if it is known for these games."""
        level, estimates = self._equilibrium(tables), self.ratio(tables).estimates()
        return estimates if level is None else estimates.with_columns(pl.lit(float(level)).alias(EQUILIBRIUM))

    def with_equilibrium(self, level: Callable[[SomeTables], float | None]) -> "Resampling[SomeTables]":
        """Return the same measure with a column for its value in equilibrium, which `level` computes."""
        copy = Resampling(self._ratio, tailed=self._tailed)
        copy._equilibrium = level
        return copy


def tailed(ratio: Callable[[SomeTables], Ratio | Difference]) -> Resampling[SomeTables]:
    """Return a measure marked as heavy-tailed, its value depending on a few games with high values: its intervals need
    more games, counted over all players."""
    return Resampling(ratio, tailed=True)


def ratio_of(
    tables: GameTables,
    rows: pl.DataFrame,
    by: tuple[str, ...],
    top: str | pl.Expr,
    bottom: str | pl.Expr | int = 1,
    *,
    share: bool = False,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Ratio:
    """Return Σ top / Σ bottom of the rows by group. The default bottom gives the mean over rows, and `by` = `GAME`
    makes all rows one group. A `share` lies between 0 and 1, any other ratio between `limits`."""
    below = pl.lit(bottom) if isinstance(bottom, int) else bottom
    if by == GAME:
        rows = rows.with_columns(pl.lit(ALL_GAMES).alias(GAME[0]))
    parts = rows.select("game", *by, top=top, bottom=below)
    design, units, strata = tables.design, units_of(tables), None
    if design.adaptive and by == ("player",) and parts["player"].dtype == pl.String:
        weighted = parts.join(weights_of(tables.context.seats), on=["game", "player"], maintain_order="left")
        parts = weighted.select("game", *by, pl.col("top", "bottom") * pl.col("weight"))
        # The weights fix how much each opponent counts, so differences between opponents are no chance.
        strata = _table_numbers(tables) if units is None else None
    games = tables.games["game"].to_list()
    return Ratio(parts, by, games, share, limits=limits, units=units, strata=strata, stretch=design.stretch)


def _table_numbers(tables: GameTables) -> list[int]:
    """Return the number of each game's table, the set of its players."""
    seated = tables.context.seats.sort("game", "player").group_by("game").agg(table=pl.col("player").str.join("\x1f"))
    games = tables.games.select("game").join(seated, on="game", how="left", maintain_order="left")
    return games.select(pl.col("table").rank("dense").cast(pl.Int64) - 1).to_series().to_list()


CLUSTER: Final = "cluster"
"""The column of the table of games, if there is one, with equal entries where games depend on each other."""


def units_of(tables: GameTables) -> list[int] | None:
    """Return the number of each game's independent unit, or None where each game is one. Games with the same draws
    (seats, seed and number) depend on each other, as do those with the same entry in the column `cluster`."""
    games = tables.games
    if (column := tables.design.cluster or CLUSTER) in games.columns:
        key = pl.col(column).cast(pl.String)
    elif {"seats", "seed", "number"} <= set(games.columns):
        drawn = pl.col("seed").is_not_null() & pl.col("number").is_not_null()
        key = pl.when(drawn).then(pl.format("{} {} {}", "seats", "seed", "number"))
    else:
        return None
    numbers: dict[str, int] = {}
    named = games.select(pl.coalesce(key, pl.format("game {}", "game"))).to_series()
    units = [numbers.setdefault(name, len(numbers)) for name in named]
    # Games that all have one number were not numbered.
    return units if 1 < len(numbers) < len(units) else None


def of_schedule(tables: GameTables, ratio: Ratio) -> Ratio:
    """Return a figure of players, stratified by table (the players of a game) if the schedule is a full round robin:
    every table plays equally often, to within one game, and at least twice. The opponents of a player are then fixed by
    the schedule, and add no uncertainty."""
    players, seats = tables.context.seats["player"].n_unique(), tables.games["seats"]
    strata = _table_numbers(tables)
    counts = Counter(strata).values()
    complete = seats.n_unique() == 1 and len(counts) >= math.comb(players, int(seats[0])) > 1
    if not complete or min(counts) < 2 or max(counts) > min(counts) + 1:
        return ratio
    return replace(ratio, strata=strata)


def with_ratio(estimates: pl.DataFrame, name: str, ratio: Ratio) -> pl.DataFrame:
    """Return estimates by player, with the estimates of another ratio added in columns that begin with `name`."""
    renamed = {name: "value", f"{name}_low": "low", f"{name}_high": "high"}
    others = ratio.estimates().select("player", **renamed)
    return estimates.join(others, on="player", how="left", maintain_order="left")


@dataclass(frozen=True, slots=True)
class Measure(Generic[Tables]):
    """A figure that can be taken from the tables of any games of a kind."""

    name: str
    title: str
    definition: str
    """The exact definition, for the report: the first paragraph of the function's docstring."""
    function: Callable[[Tables], pl.DataFrame]
    unit: str
    """'share' is a part of one; multiply by 100 for per cent."""
    by: tuple[str, ...] = ("player",)
    """The columns that name a row: players, pairs of players, rounds, or anything else, alone or together. `GAME` is
    for one figure of whole games; empty if each row is a single observation."""
    ratio: Callable[[Tables], Ratio | Difference] | None = None
    """The ratio behind it, if two experiments can be compared by this measure."""
    notes: str = ""
    """The other paragraphs of the docstring, on the measure's limits; and the method of its intervals."""
    interval: str = ""
    """The method of its intervals and the games that they need; empty where it has none."""


def measure_of(
    function: Callable[[Tables], pl.DataFrame],
    title: str,
    unit: str,
    by: tuple[str, ...] = ("player",),
    *,
    parts: Resampling[Tables] | None = None,
    interval: str = "",
) -> Measure[Tables]:
    """Return a function over tables as a measure, which the function's docstring defines. `interval` describes the
    method of its intervals if they are not those of a ratio."""
    resampling = function if isinstance(function, Resampling) else parts
    paragraphs = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    definition, *notes = map(plain_doc, paragraphs)
    ratio = resampling.ratio if resampling else None
    method = resampling.interval if resampling else interval
    notes_text = " ".join(note for note in (*notes, method) if note)
    return Measure(function.__name__, title, definition, function, unit, by, ratio, notes_text, method)


def enter(
    measures: Registry[Measure[Tables]],
    function: Callable[[Tables], pl.DataFrame],
    title: str,
    unit: str,
    by: tuple[str, ...] = ("player",),
    *,
    parts: Resampling[Tables] | None = None,
    interval: str = "",
) -> None:
    """Register a measure."""
    measure = measure_of(function, title, unit, by, parts=parts, interval=interval)
    measures.add(measure.name, measure)


def by_player(measure: Measure[Any], frame: pl.DataFrame) -> Iterator[tuple[Measure[Any], pl.DataFrame]]:
    """Yield a measure with its table if it has one figure for each player. A measure by role is yielded once for each
    role."""
    if measure.by == ("player",):
        yield measure, frame
    if measure.by == ROLES:
        for (role,), rows in frame.group_by("role", maintain_order=True):
            yield replace(measure, name=f"{measure.name}: {role}", title=f"{measure.title}, as {role}"), rows


# The roles of seats.


STUDIED_GAMES: Final[dict[str, Game]] = {}
"""Games whose study was asked for, by name. A game that is being checked is not registered."""


def with_roles(tables: GameTables, rows: pl.DataFrame) -> pl.DataFrame:
    """Add the role of the seat to rows with `game` and `seat`, of a game with roles."""
    sizes = tables.context.games.select("game", size="seats")
    game = GAMES[tables.kind] if tables.kind in GAMES else STUDIED_GAMES[tables.kind]
    names = [
        (size, seat, role)
        for size in sizes["size"].unique().sort().to_list()
        for seat, role in enumerate(game.role_names(size))
    ]
    roles = pl.DataFrame(names, {"size": pl.Int64, "seat": pl.Int64, "role": pl.String}, orient="row")
    sized = rows.join(sizes, on="game", maintain_order="left")
    return sized.join(roles, on=["size", "seat"], maintain_order="left").drop("size")


def over_roles(
    tables: GameTables,
    rows: pl.DataFrame,
    column: str,
    by: tuple[str, ...] = ("player",),
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Ratio:
    """Return the mean over roles, with equal weight, of the mean of a column over the seats in each role. A seat's
    deviation is taken from its group's mean in the role, since the schedule and not chance decides how many seats a
    group has in a role. Deviations are scaled because the means are estimated (n − 1 in place of n in every role)."""
    in_role = (
        with_roles(tables, rows.drop_nulls(column))
        .with_columns(
            own=pl.col(column).mean().over(*by, "role"),
            count=pl.len().over(*by, "role"),
            whole=pl.len().over(*by),
            roles=pl.col("role").n_unique().over(*by),
        )
        .with_columns(weight=pl.col("whole") / (pl.col("roles") * pl.col("count")))
    )
    mean = (pl.col("weight") * pl.col("own")).sum().over(*by) / pl.col("whole")
    scale = (pl.col("count") / (pl.col("count") - 1).clip(1) * (pl.col("whole") - 1) / pl.col("whole")).sqrt()
    top = pl.col("weight") * (mean + scale * (pl.col(column) - pl.col("own")))
    return ratio_of(tables, in_role.with_columns(top=top), by, "top", "weight", limits=limits)


# The measures of every game with finals.


@tailed
def mean_final(tables: GameTables) -> Ratio:
    """Mean final: Σ final / number of seats, over all seats that the player held."""
    return of_schedule(tables, ratio_of(tables, tables.seats, ("player",), "final"))


def log_final(tables: GameTables, *, roles: bool = False) -> Ratio:
    """Return each player's mean of log₂(1 + final), or of −log₂(1 − final) for a final below 0. With `roles`, it is the
    mean over the player's roles, with equal weight. Rare high finals count less in it than in the mean final;
    `unlogged` converts it back to a final."""
    final = pl.col("final")
    rows = tables.seats.with_columns(log=final.sign() * (1 + final.abs()).log(2))
    return over_roles(tables, rows, "log") if roles else ratio_of(tables, rows, ("player",), "log")


def unlogged(name: str) -> pl.Expr:
    """Return an expression that converts a column of such logarithms back to finals."""
    return pl.col(name).sign() * (pl.lit(2.0).pow(pl.col(name).abs()) - 1)


@tailed
def mean_final_over_roles(tables: GameTables) -> Ratio:
    """Mean final: the mean over the player's roles, with equal weight, of Σ final / number of seats in the role."""
    return over_roles(tables, tables.seats, "final")


@tailed
def final_by_role(tables: GameTables) -> Ratio:
    """Mean final by role: Σ final / number of seats, over all seats that the player held in the role."""
    return ratio_of(tables, with_roles(tables, tables.seats), ROLES, "final")


def median_final(tables: GameTables) -> pl.DataFrame:
    """Median final: the median of final over all seats that the player held."""
    rows = tables.seats.drop_nulls("final").select("game", "player", value="final")
    return medians(rows, ("player",), tables.games["game"].to_list())


def final_strip(tables: GameTables) -> pl.DataFrame:
    """The final of every seat, one row each."""
    return tables.seats.select("game", "seat", "player", value="final")


@Resampling
def mean_rank(tables: GameTables) -> Ratio:
    """Mean rank: the mean over the player's seats of the seat's rank by final, 1 being best; tied seats share the mean
    of the ranks that they hold together."""
    return ratio_of(tables, tables.seats, ("player",), "rank", limits=_ranks(tables))


@Resampling
def mean_rank_over_roles(tables: GameTables) -> Ratio:
    """Mean rank: the mean over the player's roles, with equal weight, of its mean rank by final in the role, 1 being
    best; tied seats share the mean of the ranks that they hold together."""
    return over_roles(tables, tables.seats, "rank", limits=_ranks(tables))


def _ranks(tables: GameTables) -> tuple[float, float]:
    return 1.0, float(tables.games["seats"].max() or 1)  # type: ignore[arg-type]


def gini_by_game(seats: pl.DataFrame) -> pl.DataFrame:
    """Return the Gini coefficient of the finals of each game: game and value; null where a final is below 0."""
    place = pl.col("final").rank("ordinal").over("game").cast(pl.Int64)
    count = pl.len().over("game").cast(pl.Int64)
    return (
        seats.drop_nulls("final")
        .with_columns(part=(2 * place - count - 1) * pl.col("final"))
        .group_by("game", maintain_order=True)
        .agg(
            value=pl.when(pl.col("final").min() < 0)
            .then(None)
            .when(pl.col("final").sum() > 0)
            # Equal amounts that are not whole numbers may leave a rounding error below 0.
            .then((pl.col("part").sum() / (pl.len() * pl.col("final").sum())).clip(lower_bound=0.0))
            .otherwise(0.0)
        )
    )


@Resampling
def inequality(tables: GameTables) -> Ratio:
    """Inequality: the Gini coefficient of a game's finals, Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x) over its n seats, 0 if all are
    equal or all are 0, at most (n − 1) / n; the mean over the player's games, each counted once for every seat that the
    player held. Games in which a seat ended below 0 are excluded."""
    rows = tables.seats.join(gini_by_game(tables.context.seats), on="game", how="left", maintain_order="left")
    return ratio_of(tables, rows, ("player",), "value", share=True)


def seat_effects(tables: GameTables) -> pl.DataFrame:
    """Seat effects: Σ final / number of games for each seat (0 is P1), over all players. The column `difference` is the
    mean over games of the seat's final minus its game's mean final, so that effects common to all seats of a game
    cancel out: an interval that excludes 0 is an effect of the seat."""
    means = tables.context.seats.group_by("game", maintain_order=True).agg(mean=pl.col("final").mean())
    rows = tables.seats.join(means, on="game", maintain_order="left")
    whole, centred = (
        replace(ratio_of(tables, rows, ("seat",), top), tailed=True).estimates()
        for top in ("final", pl.col("final") - pl.col("mean"))
    )
    differences = centred.select("seat", difference="value", difference_low="low", difference_high="high")
    return whole.join(differences, on="seat", maintain_order="left")


@Resampling
def flawed_answers(tables: GameTables) -> Ratio:
    """The share of the player's answers that were repaired or defaulted, among those not imported. It is
    unknown for imported answers."""
    not_imported = pl.col("answers") - pl.col("imported")
    return ratio_of(
        tables, tables.seats, ("player",), pl.col("repaired") + pl.col("defaulted"), not_imported, share=True
    )


def repaired_or_defaulted(tables: GameTables) -> pl.DataFrame:
    """Answer quality: the share of a player's answers that were repaired (legal only after at least one refusal) or
    defaulted (given by the game in the player's place), among those not imported. The columns `repaired`, `defaulted`
    and `imported` are shares of all its answers, and `answers` is their number. An imported answer was read from
    another program's log, which does not say whether it was repaired: a player with no other answers has a row, but no
    value."""
    whole = pl.col("answers").sum()
    shares = (
        tables.seats.group_by("player")
        .agg(*(_part(name, whole) for name in ("repaired", "defaulted", "imported")), whole)
        .sort("player")
    )
    estimates = shares.select("player").join(flawed_answers(tables), on="player", how="left", maintain_order="left")
    return estimates.with_columns(pl.col("n").fill_null(0)).join(shares, on="player", maintain_order="left")


def _part(column: str, whole: pl.Expr) -> pl.Expr:
    return pl.when(whole > 0).then(pl.col(column).sum() / whole).alias(column)


@Resampling
def answer_times(tables: GameTables) -> Ratio:
    """Answer times: the mean over the player's answers of the seconds of their calls, all attempts together. Answers
    without a call, such as those of strategies and of imported games, are excluded."""
    return ratio_of(tables, tables.answers.drop_nulls("seconds"), ("player",), "seconds", limits=(0.0, math.inf))


# Pairs of players.


def with_others(tables: GameTables, rows: pl.DataFrame, *, left: bool = False) -> pl.DataFrame:
    """Join rows of seats (`game`, `seat`, `player`) with every other seat of the game that another player holds:
    `other_seat` and `other_player`. These include excluded seats, unless `left` is true."""
    seats = (tables if left else tables.context).seats
    frequent = _frequent(tables)
    others = seats.filter(pl.col("player").is_in(frequent)).select("game", other_seat="seat", other_player="player")
    own = rows.filter(pl.col("player").is_in(frequent))
    return own.join(others, on="game", maintain_order="left_right").filter(pl.col("player") != pl.col("other_player"))


def _frequent(tables: GameTables) -> list[str]:
    """Return the players with the most games; ties are broken by name."""
    games = tables.seats.group_by("player").agg(games=pl.col("game").n_unique())
    return games.sort(["games", "player"], descending=[True, False])["player"].head(MAX_PAIRED_PLAYERS).to_list()


def head_to_head(tables: GameTables) -> pl.DataFrame:
    """Head to head: of the meetings of two players' seats in a game, the share in which the player's seat ended ahead
    of the other's; a tie counts half. In the other direction it is 1 minus this share; `n` counts the games in which
    they met.

    If there are more than 30 players, only the 30 with the most games are compared."""
    ended = tables.seats.drop_nulls("final").select("game", "seat", "player", "rank")
    rivals = ended.select("game", other_seat="seat", other_rank="rank")
    rows = with_others(tables, ended, left=True).join(rivals, on=["game", "other_seat"], maintain_order="left")
    # Each pair once, so that both directions agree; rank 1 is the best, whichever finals are better.
    rows = rows.filter(pl.col("player") < pl.col("other_player"))
    ahead = 0.5 + 0.5 * (pl.col("other_rank") - pl.col("rank")).sign()
    pairs = _of_pairs(tables, rows, ahead)
    reversed_pairs = pairs.with_columns(
        player="other_player",
        other_player="player",
        value=1 - pl.col("value"),
        low=1 - pl.col("high"),
        high=1 - pl.col("low"),
    )
    return pl.concat([pairs, reversed_pairs]).sort(PAIR)


def _of_pairs(tables: GameTables, rows: pl.DataFrame, top: pl.Expr) -> pl.DataFrame:
    """Return, for each pair, the share of its rows that `top` marks. Intervals pool the games of all pairs."""
    pairs = rows.select(PAIR).unique().sort(PAIR).with_row_index("pair")
    # Pairs take the column of players, so that all borrow from each other's games.
    numbered = rows.join(pairs, on=PAIR, maintain_order="left").with_columns(player="pair")
    estimates = ratio_of(tables, numbered, ("player",), top, share=True).estimates()
    return pairs.join(estimates.rename({"player": "pair"}), on="pair", maintain_order="left").drop("pair")


def common_measures(game: Game) -> list[Measure[Any]]:
    """Return the measures of every game with finals, in this game's unit. A game with roles also has the measures by
    role."""
    unit, means = game.unit, f"Mean final {game.unit}".strip()
    finals, ranks = measure_of(mean_final, means, unit), measure_of(mean_rank, "Mean rank", "rank")
    by_role = []
    if game.roles is not None:
        finals = replace(measure_of(mean_final_over_roles, means, unit), name=finals.name)
        ranks = replace(measure_of(mean_rank_over_roles, "Mean rank", "rank"), name=ranks.name)
        by_role = [measure_of(final_by_role, f"{means} by role", unit, ROLES)]
    return [
        finals,
        *by_role,
        measure_of(median_final, f"Median final {unit}".strip(), unit, interval=ORDERED),
        measure_of(final_strip, f"Final {unit or 'figure'}, every seat", unit, ()),
        ranks,
        measure_of(inequality, "Inequality", "Gini"),
        measure_of(head_to_head, "Head to head", "share", PAIR, interval=STUDENTISED),
        measure_of(seat_effects, "Seat effects", unit, ("seat",), interval=TAILED),
        measure_of(repaired_or_defaulted, "Answers repaired or defaulted", "share", parts=flawed_answers),
        measure_of(answer_times, "Answer times", "seconds"),
    ]


def promises(messages: pl.DataFrame) -> pl.DataFrame:
    """Return every promise in a table of messages: game, round, seat, player, text, `promised` (tokens; null for a
    promise of everything) and `everything` (true for such a promise)."""
    promised = [promise_in(text) for text in messages["text"].to_list()]
    return (
        messages.select("game", "round", "seat", "player", "text")
        .with_columns(
            pl.Series("promised", [promise.amount if promise else None for promise in promised], dtype=pl.Int64),
            pl.Series(
                "everything", [promise is not None and promise.amount is None for promise in promised], dtype=pl.Boolean
            ),
        )
        .filter(pl.Series([promise is not None for promise in promised], dtype=pl.Boolean))
    )
