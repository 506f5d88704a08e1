"""What seats of the Commons do: what they give, what they spend to move α, and whom they vote against. Only the turns
in which a seat is still in the game count."""

import polars as pl

from ostrom.study.commons.tables import CommonsTables
from ostrom.study.intervals import Ratio
from ostrom.study.measures.resampling import Resampling, ratio_of


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
