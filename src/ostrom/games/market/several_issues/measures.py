"""Bargains over several issues as tidy tables, and their measures in addition to those that all games have. The best
joint points are those of the division that gives each good to the seat to which it is worth more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.games.market.several_issues import SEVERAL_ISSUES
from ostrom.games.market.several_issues.pool import ROUNDING, best_joint_points, is_efficient, left_of, points_of
from ostrom.games.market.several_issues.rules import ROLES
from ostrom.journal.record import GameRecord

BARGAINS: Final = {
    **{"game": pl.String, "outcome": pl.String, "turns": pl.Int64, "proposals": pl.Int64, "rejections": pl.Int64},
    **{"joint": pl.Float64, "best_joint": pl.Float64, "efficiency": pl.Float64},
    **{"efficient": pl.Boolean, "equal": pl.Boolean},
}
SHARES: Final = {
    **{"game": pl.String, "seat": pl.Int64, "player": pl.String, "role": pl.String},
    **{"points": pl.Float64, "pool": pl.Float64, "share": pl.Float64, "agreed": pl.Boolean},
}
SUBMITTED: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "role": pl.String},
    **{"demand": pl.Float64, "offer": pl.Float64, "accepted": pl.Boolean},
}
ABOUT: Final = {
    "bargains": "A row for each game: its outcome, its turns and submitted deals, and how good the deal is for both.",
    "shares": "A row for each seat: its points, and the worth of the whole pool to it.",
    "submitted": "A row for each submitted deal: the share of the pool's worth that it gives to the seat that submits "
    "it and to the other one, and whether it was accepted.",
}


@dataclass(frozen=True, slots=True)
class SeveralIssuesTables(GameTables):
    """The tables of bargains over several issues."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {
        "bargains": None,
        "shares": "seat",
        "submitted": "seat",
        **GameTables.ACTORS,
    }

    bargains: pl.DataFrame
    """One row for each game. The joint points and what follows from them are missing without a deal."""
    shares: pl.DataFrame
    """One row for each seat."""
    submitted: pl.DataFrame
    """One row for each submitted deal."""


def tables_of(records: StoredRecords) -> SeveralIssuesTables:
    """Return the tables of records."""
    rows: dict[str, list[Row]] = {"bargains": [], "shares": [], "submitted": []}

    def add(game: str, record: GameRecord) -> None:
        events = list(events_of(record, SEVERAL_ISSUES.events))
        counts, end = events[0][1]["counts"], events[-1][1]
        players = players_of(game, record)
        rows["bargains"].append(_bargain(game, counts, events, end))
        for seat, (player, role) in enumerate(zip(players, ROLES, strict=True)):
            pool = points_of(counts, end["values"][seat])
            points = end["points"][seat]
            share = points / pool if pool > 0 else None
            rows["shares"].append((game, seat, player, role, points, pool, share, end["outcome"] == "deal"))
        rows["submitted"] += _submitted(game, players, counts, events, end)

    common = common_tables(SEVERAL_ISSUES, records, add)
    return extended(
        common,
        SeveralIssuesTables,
        bargains=frame(rows["bargains"], BARGAINS),
        shares=frame(rows["shares"], SHARES),
        submitted=frame(rows["submitted"], SUBMITTED),
    )


Events = Sequence[tuple[str, Mapping[str, Any]]]


def _bargain(game: str, counts: Sequence[int], events: Events, end: Mapping[str, Any]) -> Row:
    proposals = sum(tag == "deal_submitted" for tag, _ in events)
    rejections = sum(event.get("act") == "reject" for _, event in events)
    head = (game, end["outcome"], end["round"], proposals, rejections)
    best = best_joint_points(counts, end["values"])
    if end["units"] is None:
        return (*head, None, best, None, None, None)
    joint = sum(end["points"])
    efficient = is_efficient(tuple(counts), end["values"], end["units"][0])
    first, second = end["points"]
    return (*head, joint, best, joint / best if best > 0 else None, efficient, abs(first - second) <= ROUNDING)


def _submitted(
    game: str, players: Sequence[str], counts: Sequence[int], events: Events, end: Mapping[str, Any]
) -> list[Row]:
    rows: list[Row] = []
    deals = [event for tag, event in events if tag == "deal_submitted"]
    accepted = any(event.get("act") == "accept" for _, event in events)
    for number, deal in enumerate(deals, start=1):
        seat, other = deal["seat"], 1 - deal["seat"]
        own = deal["units"][seat]
        shares = [
            points / pool if (pool := points_of(counts, end["values"][place])) > 0 else None
            for place, points in (
                (seat, points_of(own, end["values"][seat])),
                (other, points_of(left_of(counts, own), end["values"][other])),
            )
        ]
        place = (game, deal["round"], seat, players[seat], ROLES[seat])
        rows.append((*place, *shares, accepted and number == len(deals)))
    return rows


def _deals(tables: SeveralIssuesTables) -> pl.DataFrame:
    return tables.context.bargains.filter(pl.col("outcome") == "deal")


def _indicator(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


@Resampling
def agreement(tables: SeveralIssuesTables) -> Ratio:
    """Agreement: the share of games that end with a deal."""
    return ratio_of(tables, tables.context.bargains, GAME, _indicator(pl.col("outcome") == "deal"), share=True)


@Resampling
def walk_aways(tables: SeveralIssuesTables) -> Ratio:
    """Walk-aways: the share of games in which a seat walked away."""
    return ratio_of(tables, tables.context.bargains, GAME, _indicator(pl.col("outcome") == "walk-away"), share=True)


@Resampling
def joint_points(tables: SeveralIssuesTables) -> Ratio:
    """Joint points: the sum of the points of both seats; the mean over deals."""
    return ratio_of(tables, _deals(tables), GAME, "joint")


@Resampling
def joint_share(tables: SeveralIssuesTables) -> Ratio:
    """Share of the best joint points: the joint points of a deal as a part of the best joint points of the game; the
    mean over deals."""
    rows = _deals(tables).filter(pl.col("efficiency").is_not_null())
    return ratio_of(tables, rows, GAME, "efficiency", share=True)


@Resampling
def efficient_deals(tables: SeveralIssuesTables) -> Ratio:
    """Efficient deals: the share of deals that are Pareto-efficient, so that no other division gives a seat more and
    the other not less."""
    return ratio_of(tables, _deals(tables), GAME, _indicator(pl.col("efficient")), share=True)


@Resampling
def equal_deals(tables: SeveralIssuesTables) -> Ratio:
    """Equal deals: the share of deals that give both seats equally many points."""
    return ratio_of(tables, _deals(tables), GAME, _indicator(pl.col("equal")), share=True)


@Resampling
def proposals(tables: SeveralIssuesTables) -> Ratio:
    """Submitted deals: the number of deals that are submitted in a game; the mean over games."""
    return ratio_of(tables, tables.context.bargains, GAME, "proposals", limits=(0.0, float("inf")))


@Resampling
def rejections(tables: SeveralIssuesTables) -> Ratio:
    """Rejections: the number of deals that are rejected in a game; the mean over games. A deal that is replaced by
    another one is not rejected."""
    return ratio_of(tables, tables.context.bargains, GAME, "rejections", limits=(0.0, float("inf")))


@Resampling
def turns_to_agreement(tables: SeveralIssuesTables) -> Ratio:
    """Turns to agreement: the number of turns of a game that ends with a deal; the mean over deals."""
    return ratio_of(tables, _deals(tables), GAME, "turns", limits=(0.0, float("inf")))


@Resampling
def pool_share(tables: SeveralIssuesTables) -> Ratio:
    """Share of the pool: the player's points in a deal as a part of what the whole pool is worth to it; the mean over
    its deals."""
    rows = tables.shares.filter(pl.col("agreed") & pl.col("share").is_not_null())
    return ratio_of(tables, rows, ("player",), "share", share=True)


@Resampling
def pool_share_by_role(tables: SeveralIssuesTables) -> Ratio:
    """Share of the pool by role: the player's points in a deal as the first or as the second speaker, as a part of what
    the whole pool is worth to it; the mean over its deals."""
    rows = tables.shares.filter(pl.col("agreed") & pl.col("share").is_not_null())
    return ratio_of(tables, rows, ("player", "role"), "share", share=True)


@Resampling
def demand(tables: SeveralIssuesTables) -> Ratio:
    """Demand: the points that the player asks for in a deal that it submits, as a part of what the whole pool is worth
    to it; the mean over its submitted deals."""
    rows = tables.submitted.filter(pl.col("demand").is_not_null())
    return ratio_of(tables, rows, ("player",), "demand", share=True)


@Resampling
def acceptance(tables: SeveralIssuesTables) -> Ratio:
    """Accepted deals: the share of the deals submitted by the player that were accepted."""
    return ratio_of(tables, tables.submitted, ("player",), _indicator(pl.col("accepted")), share=True)


_OWN: Registry[Measure[SeveralIssuesTables]] = Registry("measure of several issues")
enter(_OWN, agreement, "Agreement", "share", GAME)
enter(_OWN, walk_aways, "Walk-aways", "share", GAME)
enter(_OWN, joint_points, "Joint points", "points", GAME)
enter(_OWN, joint_share, "Share of the best joint points", "share", GAME)
enter(_OWN, efficient_deals, "Efficient deals", "share", GAME)
enter(_OWN, equal_deals, "Equal deals", "share", GAME)
enter(_OWN, proposals, "Submitted deals", "deals", GAME)
enter(_OWN, rejections, "Rejections", "deals", GAME)
enter(_OWN, turns_to_agreement, "Turns to agreement", "turns", GAME)
enter(_OWN, pool_share, "Share of the pool", "share")
enter(_OWN, pool_share_by_role, "Share of the pool by role", "share", ("player", "role"))
enter(_OWN, demand, "Demand", "share")
enter(_OWN, acceptance, "Accepted deals", "share")

MEASURES = GameMeasures(_OWN, tables_of, ABOUT)
"""The tables and measures of bargains over several issues, in addition to those that all games have."""
