"""Repeated games as tidy tables, and their measures in addition to those that all games have. Cooperation is the first
action of the matrix. A decision is the action that a player chose. A past round, which both players see, has the
actions after the noise."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import PAIR, STUDENTISED, Measure, Resampling, enter, ratio_of, with_others
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.core.arrays import Array
from ostrom.games.repeated import REPEATED
from ostrom.games.repeated.events import fold
from ostrom.games.repeated.matrices import PayoffMatrix
from ostrom.games.repeated.rules import RepeatedRules
from ostrom.games.repeated.theory import eigenjesus as jesus_of
from ostrom.games.repeated.theory import eigenmoses as moses_of
from ostrom.games.repeated.theory import security_level
from ostrom.journal.record import GameRecord
from ostrom.sim.equilibria import symmetric_equilibria
from ostrom.sim.payoffs import PayoffTable

ROUNDS: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String},
    **{"other": pl.Int64, "other_player": pl.String},
    **{"chosen": pl.Int64, "action": pl.Int64, "other_action": pl.Int64, "points": pl.Float64, "secure": pl.Float64},
    **{"last": pl.String, "suffered": pl.Boolean, "alternates": pl.Boolean},
}
ABOUT: Final = {
    "rounds": "A row for each seat's round: what it meant to do and did, what the other did, and what both did last.",
}


@dataclass(frozen=True, slots=True)
class RepeatedTables(GameTables):
    """The tables of repeated games."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"rounds": "seat", **GameTables.ACTORS}

    rounds: pl.DataFrame
    """One row for each seat and round. `chosen` is the chosen action, and `action` the action after the noise; 0 is the
    first action. `last` contains the own and the other's action in the round before, such as CD, where C is the first
    action. `suffered` is true if the other has defected in any earlier round. `alternates` is true if both actions
    differ from those of the round before. `secure` is the seat's security level."""


def tables_of(records: StoredRecords) -> RepeatedTables:
    """Return the tables of records."""
    rounds: list[Row] = []
    common = common_tables(REPEATED, records, lambda game, record: rounds.extend(_rounds(game, record)))
    return extended(common, RepeatedTables, rounds=frame(rounds, ROUNDS))


def _rounds(game: str, record: GameRecord) -> list[Row]:
    players = players_of(game, record)
    rules: RepeatedRules = REPEATED.rules.model_validate(record.rules)
    secure = [security_level(rules.game, seat) for seat in (0, 1)]
    rows: list[Row] = []
    before: list[int] | None = None
    suffered = [False, False]
    for played in fold(events_of(record, REPEATED.events)):
        actions = played.actions
        for seat in (0, 1):
            other = 1 - seat
            last = None if before is None else "".join("DC"[before[index] == 0] for index in (seat, other))
            alternates = None if before is None else all(now != then for now, then in zip(actions, before, strict=True))
            pair = (seat, players[seat], other, players[other])
            result = (played.chosen[seat], actions[seat], actions[other], played.points[seat], secure[seat])
            rows.append((game, played.round, *pair, *result, last, suffered[seat], alternates))
        suffered = [suffered[seat] or actions[1 - seat] != 0 for seat in (0, 1)]
        before = actions
    return rows


_COOPERATES: Final = (pl.col("chosen") == 0).cast(pl.Int64)


def _share(tables: RepeatedTables, rounds: pl.Expr | bool, event: pl.Expr = _COOPERATES) -> Ratio:
    """Return for each player the share of these rounds in which an event occurs."""
    return ratio_of(tables, tables.rounds.filter(rounds), ("player",), event, share=True)


@Resampling
def cooperation(tables: RepeatedTables) -> Ratio:
    """Cooperation: the share of the player's rounds in which it chose the first action."""
    return _share(tables, True)


def cooperation_by_partner(tables: RepeatedTables) -> pl.DataFrame:
    """The share of the player's rounds against the other player in which it chose the first action."""
    rows = with_others(tables, tables.rounds.drop("other", "other_player"))
    return ratio_of(tables, rows, PAIR, _COOPERATES, share=True).estimates()


def round_equilibrium(tables: RepeatedTables) -> float | None:
    """Return the probability of the first action in the symmetric equilibrium of a single round, or None if there is
    not exactly one such equilibrium."""
    names = tables.games["matrix"].unique().to_list()
    if len(names) != 1:
        return None
    matrix: PayoffMatrix = REPEATED.rules(matrix=names[0]).game
    if not matrix.two_by_two or not matrix.symmetric:
        return None
    equilibria = symmetric_equilibria(PayoffTable.of_matrix(matrix.rows, matrix.own(0)))
    return equilibria[0][0] if len(equilibria) == 1 else None


@Resampling
def first_round(tables: RepeatedTables) -> Ratio:
    """First round: the share of the player's games in which it chose the first action in the first round."""
    return _share(tables, pl.col("round") == 1)


@Resampling
def cooperation_by_round(tables: RepeatedTables) -> Ratio:
    """Cooperation by round: the share of the player's games in which it chose the first action in this round, among its
    games that reached the round."""
    return ratio_of(tables, tables.rounds, ("player", "round"), _COOPERATES, share=True)


@Resampling
def after_cc(tables: RepeatedTables) -> Ratio:
    """After CC: the share of the player's rounds in which it chose the first action, after a round in which both
    executed it."""
    return _share(tables, pl.col("last") == "CC")


@Resampling
def after_cd(tables: RepeatedTables) -> Ratio:
    """After CD: the share of the player's rounds in which it chose the first action, after a round in which it executed
    the first action and the other did not."""
    return _share(tables, pl.col("last") == "CD")


@Resampling
def after_dc(tables: RepeatedTables) -> Ratio:
    """After DC: the share of the player's rounds in which it chose the first action, after a round in which the other
    executed the first action and the player did not."""
    return _share(tables, pl.col("last") == "DC")


@Resampling
def after_dd(tables: RepeatedTables) -> Ratio:
    """After DD: the share of the player's rounds in which it chose the first action, after a round in which neither
    executed the first action."""
    return _share(tables, pl.col("last") == "DD")


@Resampling
def retaliation(tables: RepeatedTables) -> Ratio:
    """Retaliation: the share of the player's rounds after a defection of the other in which it defects. To defect is to
    choose another action than the first."""
    return _share(tables, pl.col("last").str.ends_with("D"), 1 - _COOPERATES)


@Resampling
def forgiveness(tables: RepeatedTables) -> Ratio:
    """Forgiveness: the share of rounds in which the player cooperates, among its rounds after the other returned from
    defection to cooperation. To cooperate is to choose the first action, to defect another one."""
    return _share(tables, pl.col("last").str.ends_with("C") & pl.col("suffered"))


@Resampling
def alternation(tables: RepeatedTables) -> Ratio:
    """Alternation: the share of the player's rounds, from the second on, in which both actions differ from those of the
    round before."""
    return _share(tables, pl.col("last").is_not_null(), pl.col("alternates").cast(pl.Int64))


@Resampling
def surplus(tables: RepeatedTables) -> Ratio:
    """Surplus: the mean over the player's rounds of its points minus its security level. A mixed strategy guarantees
    the security level in expectation in every round, whatever the other does."""
    return ratio_of(tables, tables.rounds, ("player",), pl.col("points") - pl.col("secure"))


@Resampling
def cooperating_rating(tables: RepeatedTables) -> Ratio:
    """Cooperating rating: the share of the player's rounds in which it cooperated, without rounds against copies of
    itself. If all pairs play equally many rounds, this is Axelrod's cooperating rating."""
    return _share(tables, pl.col("player") != pl.col("other_player"), (pl.col("action") == 0).cast(pl.Int64))


def rates_of(tables: RepeatedTables) -> tuple[list[str], Array]:
    """Return the players, and a matrix of cooperation rates. An entry is the rate at which the player of the row
    cooperates with the player of the column. Pairs that never met have NaN."""
    rows = tables.rounds.group_by("player", "other_player").agg(value=(pl.col("action") == 0).mean())
    players = sorted(set(rows["player"]) | set(rows["other_player"]))
    rates = np.full((len(players), len(players)), np.nan)
    for player, other, value in rows.iter_rows():
        rates[players.index(player), players.index(other)] = value
    return players, rates


_NO_INTERVAL: Final = "an eigenvector of the whole table of cooperation, which has no interval"
_NO_VECTOR: Final = "the table of cooperation has no one principal eigenvector"


def _eigenvector(tables: RepeatedTables, vector: Callable[[Array], Array]) -> pl.DataFrame:
    players, rates = rates_of(tables)
    values = vector(rates).tolist() if players else []
    games = tables.rounds.group_by("player").agg(n=pl.col("game").n_unique())
    missing = pl.lit(None, pl.Float64)
    rows = pl.DataFrame({"player": players, "value": values}, schema={"player": pl.String, "value": pl.Float64})
    rows = rows.with_columns(pl.col("value").fill_nan(None), low=missing, high=missing)
    return rows.join(games, on="player", how="left", maintain_order="left").with_columns(
        error=missing,
        reason=pl.when(pl.col("value").is_null()).then(pl.lit(_NO_VECTOR)).otherwise(pl.lit(_NO_INTERVAL)),
    )


def eigenjesus(tables: RepeatedTables) -> pl.DataFrame:
    """Eigenjesus: the player's entry in the principal eigenvector, of length 1, of the table of cooperation. It is high
    for players that cooperate with cooperators. It is missing if the principal eigenvector is not unique: if all
    eigenvalues are 0, or several have the largest absolute value, as for two players that met each other but no copies
    of themselves.

    All games together give one eigenvector, so the measure has no interval."""
    return _eigenvector(tables, jesus_of)


def eigenmoses(tables: RepeatedTables) -> pl.DataFrame:
    """Eigenmoses: the player's entry in the principal eigenvector, of length 1, of the table of cooperation scaled from
    −1 to 1. Defecting against defectors therefore raises it.

    All games together give one eigenvector, so the measure has no interval."""
    return _eigenvector(tables, moses_of)


_OWN: Registry[Measure[RepeatedTables]] = Registry("measure of repeated games")
enter(_OWN, cooperation, "Cooperation", "share")
enter(_OWN, cooperation_by_partner, "Who cooperates with whom", "share", PAIR, interval=STUDENTISED)
enter(_OWN, first_round, "First round", "share")
enter(
    _OWN, cooperation_by_round.with_equilibrium(round_equilibrium), "Cooperation by round", "share", ("player", "round")
)
enter(_OWN, after_cc, "Cooperation after CC", "share")
enter(_OWN, after_cd, "Cooperation after CD", "share")
enter(_OWN, after_dc, "Cooperation after DC", "share")
enter(_OWN, after_dd, "Cooperation after DD", "share")
enter(_OWN, retaliation, "Retaliation", "share")
enter(_OWN, forgiveness, "Forgiveness", "share")
enter(_OWN, alternation, "Alternation", "share")
enter(_OWN, surplus, "Surplus", "points")
enter(_OWN, cooperating_rating, "Cooperating rating", "share")
enter(_OWN, eigenjesus, "Eigenjesus", "")
enter(_OWN, eigenmoses, "Eigenmoses", "")

MEASURES = GameMeasures(_OWN, tables_of, ABOUT)
"""The tables and measures of repeated games, in addition to those that all games have."""
