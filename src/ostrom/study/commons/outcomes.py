"""What a game of the Commons leaves its players with, and how it gets there: capital, ranks, inequality, synergy.

Games end by chance, so a long game leaves more capital than a short one: capital compares players of the same games."""

import polars as pl

from ostrom.study.commons.tables import CommonsTables
from ostrom.study.intervals import Ratio
from ostrom.study.measures.resampling import Resampling, ratio_of
from ostrom.study.measures.welfare import gini_by_game


@Resampling
def mean_capital(tables: CommonsTables) -> Ratio:
    """Mean final capital: Σ capital at the game's end / number of seats, over all seats that the player held; a seat
    that was voted out counts with the capital that it kept."""
    return ratio_of(tables, tables.seats, ("player",), "final")


def capital_strip(tables: CommonsTables) -> pl.DataFrame:
    """Final capital of every seat, one row each."""
    return tables.seats.select("game", "seat", "player", value="final")


@Resampling
def mean_rank(tables: CommonsTables) -> Ratio:
    """Mean rank: the mean over the player's seats of the seat's rank by final capital, 1 being best; tied seats share
    the mean of the ranks that they hold together. Seats that were voted out are ranked with what they kept."""
    return ratio_of(tables, tables.seats, ("player",), "rank")


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
def capital_inequality(tables: CommonsTables) -> Ratio:
    """Inequality: the Gini coefficient of a game's final capitals, Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x) over its n seats, those
    voted out among them; 0 where all are equal or nobody has anything, at most (n − 1) / n; as the mean over the games
    that the player sat in, each once for every seat that the player held."""
    rows = tables.seats.join(gini_by_game(tables.context.seats), on="game", maintain_order="left")
    return ratio_of(tables, rows, ("player",), "value")
