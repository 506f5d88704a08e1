"""The measures of the Commons beside the common ones: what players give, lobby for and vote."""

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.core import Registry
from ostrom.games.commons.tables import ABOUT, CommonsTables, tables_of


@Resampling
def capital_by_turn(tables: CommonsTables) -> Ratio:
    """Capital by turn: the mean over a player's seats of the capital at the turn's end, also of seats that are out.
    Games that are over by a turn have no part in it, so later turns speak of longer games."""
    return ratio_of(tables, tables.turns, ("player", "turn"), "capital")


@Resampling
def synergy_by_turn(tables: CommonsTables) -> Ratio:
    """Synergy by turn: the mean over games of the factor that grew the turn's pot. Games that are over by a turn have
    no part in it."""
    return ratio_of(tables, tables.economy, ("turn",), "synergy")


@Resampling
def contribution(tables: CommonsTables) -> Ratio:
    """Mean contribution: the mean over the player's seat-turns of the fraction of the endowment that it gave."""
    return ratio_of(tables, _in_the_game(tables), ("player",), "contribution")


@Resampling
def contribution_by_turn(tables: CommonsTables) -> Ratio:
    """Contribution by turn: for each player and turn, the mean over its seats still in the game of the fraction of the
    endowment that it gave. Games that are over by a turn have no part in it."""
    return ratio_of(tables, _in_the_game(tables), ("player", "turn"), "contribution")


@Resampling
def cooperation_by_turn(tables: CommonsTables) -> Ratio:
    """Cooperation by turn: Σ contribution / number of seats still in the game, over all games that reached the turn."""
    return ratio_of(tables, _in_the_game(tables), ("turn",), "contribution")


@Resampling
def lobbying_share(tables: CommonsTables) -> Ratio:
    """The mean over the player's seat-turns with lobbying and capital of |lobby| / capital before the turn."""
    return ratio_of(tables, _able_to_lobby(tables), ("player",), pl.col("lobby").abs() / pl.col("held"))


def lobbying(tables: CommonsTables) -> pl.DataFrame:
    """Lobbying: the mean of |lobby| / capital before the turn over the player's seat-turns in which it held capital and
    the rules let it lobby, 0 where it spent nothing. Beside it `direction`, Σ lobby / Σ |lobby| with its interval: 1
    where all of it went toward equal shares, −1 where all of it went toward proportional ones, missing where nothing
    was spent."""
    rows = _able_to_lobby(tables)
    aimed = ratio_of(tables, rows, ("player",), "lobby", pl.col("lobby").abs()).estimates()
    return lobbying_share(tables).join(
        aimed.select("player", direction="value", direction_low="low", direction_high="high"),
        on="player",
        how="left",
        maintain_order="left",
    )


@Resampling
def votes_cast(tables: CommonsTables) -> Ratio:
    """Votes cast: of the player's seat-turns in which there was a vote (voting on, at least three seats in the game),
    the share in which it named a seat."""
    rows = tables.turns.filter("may_vote")
    return ratio_of(tables, rows, ("player",), pl.col("vote").is_not_null().cast(pl.Int64))


@Resampling
def votes_received(tables: CommonsTables) -> Ratio:
    """Votes received: Σ votes against the player's seats / its seat-turns in which there was a vote (voting on, at
    least three seats in the game): how many others name it in a turn."""
    return ratio_of(tables, tables.turns.filter("may_vote"), ("player",), "received")


@Resampling
def exclusion_rate(tables: CommonsTables) -> Ratio:
    """Exclusion rate: of the seats that the player held in games with voting and at least three seats, the share that
    was voted out."""
    voting = tables.games.filter(pl.col("voting") & (pl.col("seats") > 2)).select("game")
    rows = tables.seats.join(voting, on="game", how="semi", maintain_order="left")
    return ratio_of(tables, rows, ("player",), pl.col("excluded").cast(pl.Int64))


def _in_the_game(tables: CommonsTables) -> pl.DataFrame:
    return tables.turns.filter("present")


def _able_to_lobby(tables: CommonsTables) -> pl.DataFrame:
    """The seat-turns in which there was capital to spend and a rule to spend it by."""
    lobbied = tables.games.filter("lobbying").select("game")
    held = _in_the_game(tables).filter(pl.col("held") > 0)
    return held.join(lobbied, on="game", how="semi", maintain_order="left")


_OWN: Registry[Measure[CommonsTables]] = Registry("measure of the Commons")

_PLAYER_TURN = ("player", "turn")
enter(_OWN, capital_by_turn, "Capital by turn", "capital", _PLAYER_TURN)
enter(_OWN, synergy_by_turn, "Synergy by turn", "factor", ("turn",))
enter(_OWN, contribution, "Mean contribution", "share")
enter(_OWN, contribution_by_turn, "Contribution by turn", "share", _PLAYER_TURN)
enter(_OWN, cooperation_by_turn, "Cooperation by turn", "share", ("turn",))
enter(_OWN, lobbying, "Lobbying", "share", parts=lobbying_share)
enter(_OWN, votes_cast, "Votes cast", "share")
enter(_OWN, votes_received, "Votes received", "votes")
enter(_OWN, exclusion_rate, "Exclusion rate", "share")

MEASURES = GameMeasures(_OWN, tables_of, ABOUT)
"""What the Commons adds to the common tables and measures."""
