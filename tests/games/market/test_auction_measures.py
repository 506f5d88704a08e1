"""The measures of auctions, by hand."""

import pytest

from marketplace import hold
from ostrom.experiment import record_of
from ostrom.experiment.match import Match
from ostrom.games.market.auction import AuctionRules
from ostrom.games.market.auction.measures import MEASURES, AuctionTables, tables_of

BIDS = [[50, 20], [40, None], [60, 20]]
"""The bids of three seats in two rounds: seat 2 wins the first, and one of seats 0 and 2 the second."""


def held(**rules: object) -> Match:
    return hold(AuctionRules(rounds=2, **rules), *BIDS)


def in_tables(match: Match) -> AuctionTables:
    return tables_of([("game", "experiment", record_of(match))])


def value(tables: AuctionTables, name: str, **row: object) -> float:
    """The value of a measure in the row of a group."""
    rows = MEASURES.measures[name].function(tables)
    for column, entry in row.items():
        rows = rows.filter(rows[column] == entry)
    assert len(rows) == 1
    return float(rows["value"][0])


def values_of(match: Match) -> list[list[float]]:
    return [event.values for event in match.events if event.tag == "bidder_values_dealt"]


def winner_of_the_second(match: Match) -> int:
    (winner,) = [event for event in match.events if event.tag == "auction_held"][1].winners
    return winner


def test_measures_of_the_sale() -> None:
    match = held()
    tables, (first, second) = in_tables(match), values_of(match)
    winner = winner_of_the_second(match)
    assert value(tables, "revenue") == (60 + 20) / 2
    assert value(tables, "revenue_by_round", round=2) == 20
    assert value(tables, "revenue_ratio") == pytest.approx(80 / (sorted(first)[1] + sorted(second)[1]))
    assert value(tables, "efficiency") == pytest.approx((first[2] + second[winner]) / (max(first) + max(second)))


def test_revenue_in_equilibrium_respects_the_reserve_price() -> None:
    match = held(reserve=40)
    rows = in_tables(match).sales
    for values, expected in zip(values_of(match), rows["equilibrium"], strict=True):
        assert expected == (max(40, sorted(values)[1]) if max(values) >= 40 else 0)
    assert rows["sold"].to_list() == [1, 0]
    assert rows["price"].to_list() == [60, None]


def test_rows_of_bids() -> None:
    match = held()
    first, second = values_of(match)
    rows, winner = in_tables(match).bids, winner_of_the_second(match)
    assert rows["bid"].to_list() == [50, 40, 60, 20, None, 20]
    assert rows["won"].to_list() == [False, False, True, winner == 0, False, winner == 2]
    assert rows["payment"].sum() == 80
    assert rows["equilibrium"].to_list() == pytest.approx([2 / 3 * one for one in (*first, *second)])
    gains = [0, 0, first[2] - 60, *((second[seat] - 20) * (seat == winner) for seat in range(3))]
    assert rows["gain"].to_list() == gains
    # In hindsight the highest of the other bids is enough: 60, 60, 50 in the first round, and 20 in the second.
    best = [max(0, one - other) for one, other in zip((*first, *second), (60, 60, 50, 20, 20, 20), strict=True)]
    assert rows["regret"].to_list() == [most - gain for most, gain in zip(best, gains, strict=True)]


def test_measures_of_players() -> None:
    # All seats have the same player, a script.
    match = held()
    tables, (first, second) = in_tables(match), values_of(match)
    winner = winner_of_the_second(match)
    assert value(tables, "winners_gain") == (first[2] - 60 + second[winner] - 20) / 2
    assert value(tables, "rounds_won") == pytest.approx(2 / 6)
    bid = [(50, first[0]), (40, first[1]), (60, first[2]), (20, second[0]), (20, second[2])]
    assert value(tables, "bid_to_value") == pytest.approx(190 / sum(worth for _, worth in bid))
    assert value(tables, "bid_to_value_by_round", round=2) == pytest.approx(40 / (second[0] + second[2]))
    assert value(tables, "overbidding") == pytest.approx(sum(own > worth for own, worth in bid) / 5)
    assert value(tables, "no_bids") == pytest.approx(1 / 6)
    away = [own - 2 / 3 * worth for own, worth in bid]
    assert value(tables, "distance_to_equilibrium") == pytest.approx(sum(away) / 5)
    assert value(tables, "regret") == pytest.approx(tables.bids["regret"].sum() / 6)


def test_ties_do_not_matter_for_regret() -> None:
    match = hold(AuctionRules(rounds=1, format="second-price"), [40], [40])
    (values,) = values_of(match)
    rows = in_tables(match).bids
    best = [max(0, one - 40) for one in values]
    assert rows["regret"].to_list() == [most - gain for most, gain in zip(best, rows["gain"], strict=True)]
