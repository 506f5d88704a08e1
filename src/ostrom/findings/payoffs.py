"""The verb `payoffs`: the mean payoff of each player, overall and, in two-player games, by seat and by opponent. This
module also computes the payoff tables of experiments, on which evolution and equilibria are based. It also compares the
figures of one player with those of the others."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
import polars as pl
from pydantic import Field

from ostrom.analysis.measures import ROLES, Measure, by_player, of_schedule, ratio_of
from ostrom.analysis.pooling import Pooling, pools_of
from ostrom.analysis.role_measures import over_roles, with_roles
from ostrom.analysis.seated_results import estimand_of
from ostrom.analysis.selection import JournalSettings, Selection, result_tables, select_boards, study_tables
from ostrom.analysis.study import AnyStudy, NothingLeft, Study, most_first, studies_of, study_by_command, study_of
from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate, means_of_rows
from ostrom.core.finding import Column, Finding, Table, decimals, number
from ostrom.core.settings import Display
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.payoff_sources import Source
from ostrom.findings.ratings import left_out_lines
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal
from ostrom.sim.payoffs import PayoffTable


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The mean payoff of one player in one game. The mean is over all games of the player, or only over its games in a
    seat, in a role or against an opponent. The fields for seat, role and opponent are None if the mean is over all
    games."""

    game: str
    """The name of the game in records."""
    player: str
    seat: int | None
    against: str | None
    games: int
    defaulted: int
    """The number of the averaged games in which any player has a defaulted answer."""
    payoff: Estimate
    """The mean with its 95 % interval over games, or the reason why there is no interval."""
    role: str | None = None


def realised_payoffs(tables: GameTables) -> list[Payoffs]:
    """Return the mean payoff of every player in all its games. If the game has roles, add its means by role. In
    two-player games, add its means by seat and by opponent. In the means over all games and against an opponent, roles
    have equal weight."""
    seats = tables.seats.drop_nulls("final").select("game", "seat", "player", "final")
    pairs = seats.filter(pl.len().over("game") == 2).with_columns(against=pl.col("player").reverse().over("game"))
    defaulted = tables.games.filter(pl.col("defaulted") > 0).select("game")
    payoffs = []
    has_roles = study_of(tables).game.roles is not None
    roles = [(with_roles(tables, seats), ("role",))] if has_roles else []
    for rows, by in ((seats, ()), *roles, (pairs, ("seat",)), (pairs, ("against",))):
        if not rows.height:
            continue
        # In games with more than two seats, a mean may depend on a few games with very high payoffs.
        if has_roles and by in ((), ("against",)):
            mean = over_roles(tables, rows, "final", ("player", *by))
        else:
            mean = of_schedule(tables, ratio_of(tables, rows, ("player", *by), "final"))
        ratio = replace(mean, tailed=pairs.height < seats.height)
        affected = rows.join(defaulted, on="game", how="semi").group_by("player", *by)
        counted = affected.agg(defaulted=pl.col("game").n_unique())
        for row in ratio.estimates().join(counted, on=["player", *by], how="left").iter_rows(named=True):
            paid = Estimate(row["value"], row["low"], row["high"], row["reason"])
            group = row["player"], row.get("seat"), row.get("against")
            payoffs.append(Payoffs(tables.kind, *group, row["n"], row["defaulted"] or 0, paid, row.get("role")))
    return sorted(payoffs, key=lambda row: _sort_key(row.player, row.seat, row.against))


def _sort_key(player: str, seat: int | None, against: str | None) -> tuple[str, int, str]:
    """Return a sort key. Rows are sorted by player. For each player, the payoff in all games is first, then the payoffs
    by seat, then those by opponent."""
    return player, -1 if seat is None and against is None else 2 if seat is None else seat, against or ""


# A comparison of one player with the others.


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A player's figure by one measure, together with those of all other players."""

    measure: Measure[Any]
    estimate: Estimate
    games: int | None
    place: int | None
    """The rank, counted from the highest figure. Tied players share the best of their ranks. None if the player has no
    figure."""
    others: dict[str, float]
    """The figures of the other players, by player."""


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent of a player."""

    player: str
    games: int
    """The number of games in which both players have a final result."""
    ahead: Estimate
    """The share of these games in which the player ended ahead. A tie counts half."""
    mean: float
    """The player's mean final in these games."""
    theirs: float


def standpoints(
    measures: Mapping[str, Measure[Any]], measured: Mapping[str, pl.DataFrame], player: str
) -> list[Standpoint]:
    """Return a player's figures by every measure that gives one figure for each player."""
    rows_of_measures = []
    names = [name for name, measure in measures.items() if measure.by in (("player",), ROLES)]
    for measure, frame in (part for name in names for part in by_player(measures[name], measured[name])):
        rows = {row["player"]: row for row in frame.iter_rows(named=True)}
        values = {name: float(row["value"]) for name, row in rows.items() if _is_figure(row["value"])}
        if not values:
            continue
        own, row = values.get(player), rows.get(player, {})
        others = {name: value for name, value in values.items() if name != player}
        estimate = Estimate(own, row.get("low"), row.get("high"), row.get("reason"))
        place = None if own is None else 1 + sum(value > own for value in others.values())
        rows_of_measures.append(Standpoint(measure, estimate, row.get("n"), place, others))
    return rows_of_measures


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and bool(np.isfinite(value))


def games_of(tables: GameTables, player: str) -> pl.DataFrame:
    """Return every game of a player in the order of the journal: game, experiment, seat, final, rank, number of seats,
    and the players by seat."""
    seated = tables.seats.sort("game", "seat").group_by("game").agg(players=pl.col("player"))
    order = tables.games.select("game", "experiment", "seats").with_row_index("number", offset=1)
    own = tables.seats.filter(pl.col("player") == player).select("game", "seat", "final", "rank")
    return order.join(own, on="game", how="inner").join(seated, on="game", how="left").sort("number", "seat")


def rivals(tables: GameTables, player: str, *, better: str) -> list[Rival]:
    """Return the opponents of a player; those with the most common games come first. A game in which the player or the
    opponent has several seats counts once, with the means over these seats."""
    finals = (
        tables.seats.drop_nulls("final")
        .group_by("game", "player", maintain_order=True)
        .agg(final=pl.col("final").mean())
    )
    own_finals = finals.filter(pl.col("player") == player).select("game", own="final")
    met = finals.filter(pl.col("player") != player).join(own_finals, on="game", how="inner")
    sign = 1.0 if better == "higher" else -1.0
    opponents = []
    for (other,), rows in met.group_by("player", maintain_order=True):
        lead = np.sign(np.round(sign * (rows["own"] - rows["final"]).to_numpy(), 9))
        (ahead,) = means_of_rows(((lead + 1) / 2)[np.newaxis], share=True)
        own, theirs = float(rows["own"].mean()), float(rows["final"].mean())  # type: ignore[arg-type]
        opponents.append(Rival(str(other), rows.height, ahead, own, theirs))
    return sorted(opponents, key=lambda opponent: (-opponent.games, opponent.player))


Cells: TypeAlias = Mapping[tuple[str, int | None, str | None, str | None], Payoffs]
"""Payoffs by player, seat, opponent and role."""


_DEFAULTED: Final = number(
    "defaulted",
    "defaulted",
    meaning="The number of games in which a player's answer was replaced by the fallback",
    type=int,
)
PAYOFF_COLUMNS: Final = (
    Column("player", in_frame=False, type=str),
    Column("label", "player", wraps=True, type=str),
    number("games", "games", type=int),
    number(
        "payoff",
        "payoff",
        decimals(2),
        interval="beside",
        interval_heading="95 % interval",
        interval_separator=" … ",
        type=Estimate,
    ),
    _DEFAULTED,
)
"""The first columns in the payoffs of every game. Columns by seat and by opponent follow. The names are also fields of
the API."""


class PayoffsSettings(JournalSettings):
    """Settings of the verb `payoffs`."""

    game: Annotated[str | None, Display(form="GAME", positional=True)] = Field(
        None, description="The game; by default, all games of the journal."
    )
    without_defaulted: bool = Field(False, description="Leave out games with a defaulted answer.")  # type: ignore[assignment]

    @property
    def selection(self) -> Selection:
        """The selection of games. Raises InputError if the selection is invalid."""
        excluded = "games" if self.without_defaulted else None
        return Selection.select(
            self.experiment, game=self.game, without_defaulted=excluded, rules=self.rules, pool=self.pool
        )


@verb("payoffs", keeps=False)
def payoffs(store: str | None, settings: PayoffsSettings, reporter: Reporter = SILENT) -> Finding:
    """Show what each player earned: overall and, in two-player games, by seat and by opponent."""
    with open_journal(store) as journal:
        return payoffs_of(journal, settings.selection, reporter)


def payoffs_of(journal: Journal, selection: Selection, reporter: Reporter = SILENT) -> Finding:
    """Return the payoffs in the selected games of one kind, or of all kinds in the journal. Raises NothingLeft or
    InputError if there are no such games."""
    names = journal.names.known()
    tables = _selected_tables(journal, selection, reporter)
    rows = [row for group in tables for row in realised_payoffs(group)]
    parts = [_payoffs_for_programs(rows, names)]
    for group in tables:
        of_game = [row for row in rows if row.game == group.kind]
        lines = [estimand_of(group), *left_out_lines(group, names)]
        parts.append(replace(payoffs_table(of_game, names.of), lines_above=lines))
    return Finding(
        verb="payoffs",
        title="Realised payoffs",
        facts={"left_out": {group.kind: group.left_out.as_record() for group in tables}},
        parts=parts,
        result=rows,
    )


def _selected_tables(journal: Journal, selection: Selection, reporter: Reporter) -> list[GameTables]:
    """Return the tables of each kind of game of which the selection has any games."""
    finished = sorted({row.game for row in journal.games(selection.experiment, FINISHED)})
    studies: list[AnyStudy] = [study for study in studies_of(finished, journal) if isinstance(study, Study)]
    if selection.game is not None:
        studies = [study_by_command(selection.game, studies)]
    tables: list[GameTables] = []
    nothing: NothingLeft | None = None
    for study in studies:
        try:
            of_game = selection.changed(game=study.command)
            tables.append(select_boards(journal, of_game, reporter.note, reporter.spell)[0].tables)
        except NothingLeft as error:
            nothing = error
    if not tables:
        raise nothing or InputError("there are no played games here; 'ostrom bench GAME' plays some")
    return tables


def _payoffs_for_programs(rows: Sequence[Payoffs], names: PlayerNames) -> Table:
    """Return a row for each player of each game: its payoff in all its games, by seat and by opponent."""
    names_of_columns = ("game", "player", "seat", "against", "role", "games", "defaulted", "payoff", "name")
    columns = [Column(name) for name in names_of_columns]
    records = [
        {**{column.name: getattr(row, column.name) for column in columns[:-1]}, "name": names.of(row.player)}
        for row in rows
    ]
    return Table("payoffs", columns, records, on_terminal=False)


def payoffs_table(payoffs: Sequence[Payoffs], name_of: Callable[[str], str]) -> Table:
    """Return the payoffs of one game, the highest first. Each player has a row with its mean payoff, its payoffs by
    seat, and its payoffs against each other player."""
    cells: Cells = {(payoff.player, payoff.seat, payoff.against, payoff.role): payoff for payoff in payoffs}
    totals = [payoff for payoff in payoffs if (payoff.seat, payoff.against, payoff.role) == (None, None, None)]
    roles = list(dict.fromkeys(payoff.role for payoff in payoffs if payoff.role is not None))
    seats = sorted({payoff.seat for payoff in payoffs if payoff.seat is not None})
    opponents = sorted({payoff.against for payoff in payoffs if payoff.against is not None})
    columns = [
        *(
            column
            for column in PAYOFF_COLUMNS
            if column is not _DEFAULTED or any(payoff.defaulted for payoff in payoffs)
        ),
        *(number(f"role_{role}", f"as {role}", decimals(2)) for role in roles),
        *(number(f"seat_{seat}", f"as seat {seat + 1}", decimals(2)) for seat in seats if not roles),
        *(
            number(f"against_{other}", f"vs {name_of(other)}", decimals(2), spare=1 + place)
            for place, other in enumerate(opponents)
        ),
    ]
    rows = [
        {
            "player": total.player,
            "label": name_of(total.player),
            "games": total.games,
            "defaulted": total.defaulted,
            "payoff": total.payoff,
            **{f"role_{role}": _payoff(cells, total.player, role=role) for role in roles},
            **{f"seat_{seat}": _payoff(cells, total.player, seat=seat) for seat in seats},
            **{f"against_{other}": _payoff(cells, total.player, against=other) for other in opponents},
        }
        for total in sorted(totals, key=_highest_first)
    ]
    game = payoffs[0].game
    return Table(f"payoffs_{game}", columns, rows, title=f"{game.replace('_', ' ')}: realised payoffs", in_json=False)


def _highest_first(payoff: Payoffs) -> tuple[float, str]:
    """Return a key that sorts by payoff, the highest first. Players with the same payoff are sorted by name."""
    return -(payoff.payoff.value or 0.0), payoff.player


def _payoff(
    cells: Cells, player: str, *, seat: int | None = None, against: str | None = None, role: str | None = None
) -> Estimate | None:
    cell = cells.get((player, seat, against, role))
    return None if cell is None else cell.payoff


def of_experiment(name: str, store: str | None = None, players: Sequence[str] = ()) -> Source:
    """Return the payoffs in the games of an experiment, for these players or for all."""
    with open_journal(store) as journal:
        over = journal.ended.states(name)
        studies = most_first(Counter(game for _, game, state in over if state == "finished"), journal)
        study = next((study for study in studies if isinstance(study, Study)), None)
        if study is None:
            raise InputError(f"the experiment {name} has no finished games with payoffs")
        results = journal.ended.results(study.records, name)
        pool, *others = pools_of(study.game, results, journal.ended.settings(), Pooling(single=True))
        plain = all(result.finals is not None for result in pool.results)
        tables = result_tables(study, pool.results) if plain else study_tables(journal, study, pool.results)
        tables = pool.applied(tables)
    sign = 1.0 if study.game.better == "higher" else -1.0
    table = of_tables(tables, players, sign)
    equal = any(len(other.results) == len(pool.results) for other in others)
    most = "the first of several sets of rules with equally many games" if equal else "the rules with the most games"
    under = f"{most} ({pool.design.rules})" if pool.design.rules else most
    used = _used(table, len(over), [apart.sentence for apart in pool.apart], players, under)
    return Source(table, f"{study.title}: {name}", study.game.unit, used=used)


def _used(table: PayoffTable, games: int, apart: Sequence[str], players: Sequence[str], under: str) -> str:
    """Return a text that says which games of an experiment a table uses, and why. The text is empty if all games are
    used."""
    used = int(table.games.sum())
    if used == games:
        return ""
    chosen = " with the chosen players only," if players else ""
    why = f"those{chosen} in groups of {table.seats} with all finals, under {under}"
    return " ".join([f"{used:,} of {number_of(games, 'game')} are used: {why}.", *apart]).rstrip(".")


def of_tables(tables: GameTables, players: Sequence[str] = (), sign: float = 1.0) -> PayoffTable:
    """Return the payoff table of games, computed from their tidy tables. Games with other players, or with a seat that
    has no final result, are left out."""
    seated = sorted(set(tables.seats["player"]))
    names = list(players) or seated
    place = {name: number for number, name in enumerate(names)}
    missing = [name for name in names if name not in seated]
    if missing:
        raise InputError(f"{missing[0]} has no seat in these games; their players are {', '.join(seated)}")
    games = [
        rows.sort("seat")
        for _, rows in tables.seats.group_by("game", maintain_order=True)
        if all(name in place for name in rows["player"]) and not rows["final"].null_count()
    ]
    if not games:
        raise InputError(f"there is no game with only {', '.join(names)} as players")
    seats, _ = Counter(len(rows) for rows in games).most_common(1)[0]
    games = [rows for rows in games if len(rows) == seats]
    seating = np.asarray([[place[name] for name in rows["player"]] for rows in games]).T
    paid = sign * np.asarray([rows["final"].to_list() for rows in games], dtype=np.float64).T
    return PayoffTable.of_games(names, seats, seating, paid)
