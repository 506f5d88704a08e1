"""Bargains as tidy tables, and their measures in addition to those that all games have. Shares are parts of the pie."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.games.market.alternating_offers import ALTERNATING_OFFERS
from ostrom.games.market.alternating_offers.rules import ROLES, AlternatingOffersRules
from ostrom.journal.record import GameRecord

BARGAINS: Final = {
    **{"game": pl.String, "rounds": pl.Int64, "agreed": pl.Boolean, "ending": pl.String, "efficiency": pl.Float64}
}
BARGAINERS: Final = {
    **{"game": pl.String, "seat": pl.Int64, "player": pl.String, "role": pl.String, "outside": pl.Float64},
    **{"share": pl.Float64, "payoff": pl.Float64},
}
OFFERS: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "role": pl.String},
    **{"offer": pl.Float64, "demand": pl.Float64, "concession": pl.Float64, "response": pl.String},
}
RESPONSES: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "role": pl.String},
    **{"offer": pl.Float64, "worth": pl.Float64, "response": pl.String, "payoff": pl.Float64},
}
ABOUT: Final = {
    "bargains": "A row for each game: its rounds, its ending, and its efficiency.",
    "bargainers": "A row for each seat: its role, its outside option, its share and its payoff.",
    "offers": "A row for each offer: the share offered, the share demanded, and the concession since the seat's offer "
    "before.",
    "responses": "A row for each response: the share offered to the seat, its discounted worth, and the payoff that "
    "the seat got in the end.",
}


@dataclass(frozen=True, slots=True)
class AlternatingOffersTables(GameTables):
    """The tables of bargains."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {
        "bargains": None,
        "bargainers": "seat",
        "offers": "seat",
        "responses": "seat",
        **GameTables.ACTORS,
    }

    bargains: pl.DataFrame
    """One row for each game. `efficiency` is the sum of both payoffs as a share of the pie."""
    bargainers: pl.DataFrame
    """One row for each seat. `share` is its part before it is discounted, without agreement its outside option, and
    `payoff` the same after; both are shares of the pie."""
    offers: pl.DataFrame
    """One row for each offer. All amounts are shares of the pie. The first offer of a seat has no concession."""
    responses: pl.DataFrame
    """One row for each response. All amounts are shares of the pie."""


def tables_of(records: StoredRecords) -> AlternatingOffersTables:
    """Return the tables of records."""
    rows: dict[str, list[Row]] = {"bargains": [], "bargainers": [], "offers": [], "responses": []}

    def add(game: str, record: GameRecord) -> None:
        events = list(events_of(record, ALTERNATING_OFFERS.events))
        rules = AlternatingOffersRules(**record.rules)
        end: Mapping[str, Any] = events[-1][1]
        players = players_of(game, record)
        agreed = end["ending"] == "agreement"
        rows["bargains"].append((game, end["round"], agreed, end["ending"], sum(end["payoffs"]) / rules.pie))
        for seat, (player, role) in enumerate(zip(players, ROLES, strict=True)):
            amounts = (end["outside"][seat], end["parts"][seat] / rules.pie, end["payoffs"][seat] / rules.pie)
            rows["bargainers"].append((game, seat, player, role, *amounts))
        offered = [event for tag, event in events if tag == "offered"]
        answers = [event for tag, event in events if tag == "answered"]
        rows["offers"] += _offers(game, players, rules, offered, answers)
        rows["responses"] += _responses(game, players, rules, offered, answers, end)

    common = common_tables(ALTERNATING_OFFERS, records, add)
    return extended(
        common,
        AlternatingOffersTables,
        bargains=frame(rows["bargains"], BARGAINS),
        bargainers=frame(rows["bargainers"], BARGAINERS),
        offers=frame(rows["offers"], OFFERS),
        responses=frame(rows["responses"], RESPONSES),
    )


def _offers(
    game: str,
    players: Sequence[str],
    rules: AlternatingOffersRules,
    offered: Sequence[Mapping[str, Any]],
    answers: Sequence[Mapping[str, Any]],
) -> list[Row]:
    last: dict[int, float] = {}
    rows: list[Row] = []
    for event, answer in zip(offered, answers, strict=True):
        seat, share = event["seat"], event["offer"] / rules.pie
        concession = share - last[seat] if seat in last else None
        last[seat] = share
        place = (game, event["round"], seat, players[seat], ROLES[seat])
        rows.append((*place, share, 1 - share, concession, answer["response"]))
    return rows


def _responses(
    game: str,
    players: Sequence[str],
    rules: AlternatingOffersRules,
    offered: Sequence[Mapping[str, Any]],
    answers: Sequence[Mapping[str, Any]],
    end: Mapping[str, Any],
) -> list[Row]:
    rows: list[Row] = []
    for event, answer in zip(offered, answers, strict=True):
        seat, share = answer["seat"], event["offer"] / rules.pie
        worth = share * rules.deltas[seat] ** (event["round"] - 1)
        place = (game, event["round"], seat, players[seat], ROLES[seat])
        rows.append((*place, share, worth, answer["response"], end["payoffs"][seat] / rules.pie))
    return rows


def _indicator(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


@Resampling
def agreement(tables: AlternatingOffersTables) -> Ratio:
    """Agreement: the share of games in which an offer was accepted."""
    return ratio_of(tables, tables.context.bargains, GAME, _indicator(pl.col("agreed")), share=True)


@Resampling
def rounds_to_agreement(tables: AlternatingOffersTables) -> Ratio:
    """Rounds to agreement: the round of the accepted offer, counted from 1; the mean over games with agreement."""
    rows = tables.context.bargains.filter(pl.col("agreed"))
    return ratio_of(tables, rows, GAME, "rounds", limits=(1.0, float("inf")))


@Resampling
def efficiency(tables: AlternatingOffersTables) -> Ratio:
    """Efficiency: the sum of both payoffs as a share of the pie, which is what an agreement in the first round is
    worth; the mean over games."""
    return ratio_of(tables, tables.context.bargains, GAME, "efficiency", share=True)


@Resampling
def share_by_role(tables: AlternatingOffersTables) -> Ratio:
    """Share by role: the player's part as first or as second proposer, before it is discounted, as a share of the pie;
    without agreement, its outside option."""
    return ratio_of(tables, tables.bargainers, ("player", "role"), "share", share=True)


@Resampling
def offer_by_round(tables: AlternatingOffersTables) -> Ratio:
    """Offer by round: the share of the pie that the player offered to the other in this round; the mean over games that
    lasted so long. It is the player's concession curve."""
    return ratio_of(tables, tables.offers, ("player", "round"), "offer", share=True)


@Resampling
def concession(tables: AlternatingOffersTables) -> Ratio:
    """Concession: the increase from the player's offer before to its next one, as a share of the pie; the mean over its
    offers except the first of a game. It is negative if the player takes back."""
    rows = tables.offers.filter(pl.col("concession").is_not_null())
    return ratio_of(tables, rows, ("player",), "concession", limits=(-1.0, 1.0))


@Resampling
def rejected_better_offers(tables: AlternatingOffersTables) -> Ratio:
    """Rejected better offers: the share of the offers that the player did not accept whose discounted worth is larger
    than the payoff that it got in the end."""
    rows = tables.responses.filter(pl.col("response") != "accept")
    better = _indicator(pl.col("worth") > pl.col("payoff") + 1e-9)
    return ratio_of(tables, rows, ("player",), better, share=True)


_OWN: Registry[Measure[AlternatingOffersTables]] = Registry("measure of alternating offers")
enter(_OWN, agreement, "Agreement", "share", GAME)
enter(_OWN, rounds_to_agreement, "Rounds to agreement", "rounds", GAME)
enter(_OWN, efficiency, "Efficiency", "share", GAME)
enter(_OWN, share_by_role, "Share by role", "share", ("player", "role"))
enter(_OWN, offer_by_round, "Offer by round", "share", ("player", "round"))
enter(_OWN, concession, "Concession", "share")
enter(_OWN, rejected_better_offers, "Rejected better offers", "share")

MEASURES = GameMeasures(_OWN, tables_of, ABOUT)
"""The tables and measures of bargains, in addition to those that all games have."""
