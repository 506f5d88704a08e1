"""The moves of the battery's played games as a tidy table, and their measures in addition to those that all games have.
The published figures of people are those of the battery's scores."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Measure, Resampling, enter, ratio_of
from ostrom.analysis.published_figures import PublishedFigure
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, extended, frame, players_of
from ostrom.core import Registry
from ostrom.core.plugins import GAMES
from ostrom.games.battery.scores.score import Human
from ostrom.games.battery.scores.table import HUMAN
from ostrom.journal.record import GameRecord

MOVES: Final = {
    **{"game": pl.String, "seat": pl.Int64, "player": pl.String, "quantity": pl.String},
    **{"amount": pl.Float64, "whole": pl.Float64},
}
ABOUT: Final = {
    "moves": "A row for each quantity that a seat chose: the amount, and the largest amount that it could choose.",
}
_PERCENT: Final = 0.01
"""The unit of the battery's scores that are shares."""


class PlayedQuantity(NamedTuple):
    """A quantity that a seat chose."""

    seat: int
    quantity: str
    amount: float
    whole: float


@dataclass(frozen=True, slots=True)
class PlayedTables(GameTables):
    """The tables of a played game of the battery."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"moves": "seat", **GameTables.ACTORS}

    moves: pl.DataFrame
    """One row for each quantity that a seat chose."""


def _quantities(record: GameRecord) -> Iterator[PlayedQuantity]:
    """Yield the quantities of a game, from its events."""
    received = 0.0
    for event in record.events:
        tag = event["event"]
        if tag == "given":
            yield PlayedQuantity(0, "given", event["amount"], event["pot"])
        elif tag == "offered":
            yield PlayedQuantity(0, "offer", event["offer"], event["pot"])
        elif tag == "responded":
            yield PlayedQuantity(1, "accepted", float(event["accepted"]), 1.0)
        elif tag == "sent":
            received = event["received"]
            yield PlayedQuantity(0, "sent", event["amount"], event["endowment"])
        elif tag == "returned" and received > 0:
            yield PlayedQuantity(1, "returned", event["amount"], received)
        elif tag == "guessed":
            for seat, guess in enumerate(event["guesses"]):
                yield PlayedQuantity(seat, "guess", float(guess), 100.0)
        elif tag == "contributed":
            for seat, amount in enumerate(event["contributions"]):
                yield PlayedQuantity(seat, "contribution", amount, float(record.rules["endowment"]))


def _tables_of(task: str) -> Callable[[StoredRecords], PlayedTables]:
    """Return the function that makes the tables of a game's records."""

    def make(records: StoredRecords) -> PlayedTables:
        rows: list[Row] = []

        def add(game: str, record: GameRecord) -> None:
            players = players_of(game, record)
            rows.extend(
                (game, move.seat, players[move.seat], move.quantity, move.amount, move.whole)
                for move in _quantities(record)
            )

        common = common_tables(GAMES[task], records, add)
        return extended(common, PlayedTables, moves=frame(rows, MOVES))

    return make


def _moves(tables: PlayedTables, quantity: str) -> pl.DataFrame:
    return tables.moves.filter(pl.col("quantity") == quantity)


def _share(tables: PlayedTables, quantity: str) -> Ratio:
    return ratio_of(tables, _moves(tables, quantity), ("player",), "amount", "whole", share=True)


@Resampling
def given(tables: PlayedTables) -> Ratio:
    """Given: the share of the pot that the player gave as giver."""
    return _share(tables, "given")


@Resampling
def offer(tables: PlayedTables) -> Ratio:
    """Offer: the share of the pot that the player offered as proposer."""
    return _share(tables, "offer")


@Resampling
def accepted(tables: PlayedTables) -> Ratio:
    """Accepted: the share of offers that the player accepted as responder."""
    return _share(tables, "accepted")


@Resampling
def sent(tables: PlayedTables) -> Ratio:
    """Sent: the share of its endowment that the player sent as sender."""
    return _share(tables, "sent")


@Resampling
def returned(tables: PlayedTables) -> Ratio:
    """Returned: the share of the received amount that the player returned as receiver. Games in which nothing was
    received are excluded."""
    return _share(tables, "returned")


@Resampling
def guess(tables: PlayedTables) -> Ratio:
    """Guess: the mean of the numbers that the player named."""
    return ratio_of(tables, _moves(tables, "guess"), ("player",), "amount", limits=(0.0, math.inf))


@Resampling
def contribution(tables: PlayedTables) -> Ratio:
    """Contribution: the player's contributions as a share of its endowments."""
    return _share(tables, "contribution")


def _published(measure: str, score: str, scale: float, **rules: Any) -> PublishedFigure:
    """Return the battery's human value of a score as the published figure of a measure."""
    human: Human = HUMAN[score]
    value, low, high = (None if end is None else end * scale for end in (human.value, human.low, human.high))
    return PublishedFigure(measure, "people", human.source, value, low, high, rules=rules, note=human.note)


def _measures(
    task: str, functions: Sequence[tuple[Resampling[PlayedTables], str, str]], *published: PublishedFigure
) -> GameMeasures[PlayedTables]:
    own: Registry[Measure[PlayedTables]] = Registry(f"measure of {task}")
    for function, title, unit in functions:
        enter(own, function, title, unit)
    return GameMeasures(own, _tables_of(task), ABOUT, published=published)


DICTATOR: Final = _measures("dictator", [(given, "Given", "share")], _published("given", "dictator", _PERCENT))
ULTIMATUM: Final = _measures(
    "ultimatum",
    [(offer, "Offer", "share"), (accepted, "Offers accepted", "share")],
    _published("offer", "offer", _PERCENT),
    PublishedFigure("accepted", "people", "Oosterbeek, Sloof, van de Kuilen 2004", 0.84, note="mean of 75 results"),
)
TRUST: Final = _measures(
    "trust",
    [(sent, "Sent", "share"), (returned, "Returned", "share")],
    _published("sent", "trust", _PERCENT),
    _published("returned", "reciprocity", _PERCENT),
)
BEAUTY_CONTEST: Final = _measures(
    "beauty_contest", [(guess, "Guess", "number")], _published("guess", "guess", 1.0, p=2 / 3, low=0, high=100)
)
PUBLIC_GOODS: Final = _measures(
    "public_goods", [(contribution, "Contribution", "share")], _published("contribution", "contribution", _PERCENT)
)
"""The measures of each played game that has any of its own."""
