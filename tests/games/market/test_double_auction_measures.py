"""The measures of double auctions, by hand."""

import pytest

from marketplace import play, register
from ostrom.experiment import record_of
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.measures import MEASURES
from ostrom.games.market.double_auction.tables import DoubleAuctionTables, tables_of

RULES = DoubleAuctionRules(rounds=2, given="80,60;20,50", tick=0)
"""Competitive prices from 50 to 60, so the equilibrium price is 55; the efficient surplus is 70 a round."""


@pytest.fixture(scope="module")
def tables() -> DoubleAuctionTables:
    register()
    # Round 1: 80 meets 20 at 50, and 60 meets 50 at 55. Round 2: 70 meets 30 at 50; 40 and 50 do not meet.
    match = play(RULES, [80.0, 70.0], [60.0, 40.0], [20.0, 30.0], [50.0, None])
    return tables_of([("game", "experiment", record_of(match))])


def value(tables: DoubleAuctionTables, name: str, **row: object) -> float:
    """The value of a measure in the row of a group."""
    rows = MEASURES.measures[name].function(tables)
    for column, entry in row.items():
        rows = rows.filter(rows[column] == entry)
    assert len(rows) == 1
    return float(rows["value"][0])


def test_measures_of_the_market(tables: DoubleAuctionTables) -> None:
    assert value(tables, "efficiency") == pytest.approx((70 + 60) / 140)
    assert value(tables, "efficiency_by_round", round=2) == pytest.approx(60 / 70)
    assert value(tables, "smiths_alpha") == pytest.approx(100 * ((25 + 0 + 25) / 3) ** 0.5 / 55)
    assert value(tables, "last_smiths_alpha") == pytest.approx(100 * 5 / 55)
    assert value(tables, "price_deviation_by_round", round=1) == pytest.approx(2.5)
    assert value(tables, "price_above_competition") == 0


def test_rows_of_seats_and_quotes(tables: DoubleAuctionTables) -> None:
    assert tables.traders["payoff"].to_list() == [60, 5, 60, 5]
    assert tables.traders["equilibrium"].to_list() == [50, 10, 70, 10]
    assert tables.traders["potential"].to_list() == [120, 80, 120, 60]
    assert tables.traders["share"].to_list() == pytest.approx([0.5, 0.0625, 0.5, 5 / 60])
    assert tables.quotes["offset"].to_list() == [0, 0, 0, 0, 10, 20, 10, None]


def test_measures_of_players_are_means_over_quotes_and_rounds(tables: DoubleAuctionTables) -> None:
    # All seats have the same player, a script.
    assert value(tables, "surplus_ratio") == pytest.approx(130 / 140)
    assert value(tables, "surplus_ratio_by_role", role="buyer") == pytest.approx(65 / 60)
    assert value(tables, "offset") == pytest.approx(40 / 7)
    assert value(tables, "offset_by_round", round=2) == pytest.approx(40 / 3)
    assert value(tables, "shading") == pytest.approx(3 / 7)
    assert value(tables, "quotes_at_a_loss") == 0
    assert value(tables, "trade_frequency") == pytest.approx(6 / 8)
    assert value(tables, "surplus_share") == pytest.approx((0.5 + 0.0625 + 0.5 + 5 / 60) / 4)


@pytest.fixture(scope="module")
def sides() -> DoubleAuctionTables:
    """Competitive prices from 40 to 50. In round 1 the first seller undercuts asks of 70, in round 2 all ask 40 or
    less, and in rounds 3 and 4 the first two ask about 60, above all competitive prices."""
    rules = DoubleAuctionRules(rounds=4, given="90,80,50;20,30,40", tick=0)
    register()
    bids = [[90.0] * 4, [80.0] * 4, [30.0] * 4]
    asks = [[60.0, 40.0, 60.0, 62.0], [70.0, 30.0, 61.0, 61.0], [70.0, None, 95.0, 55.0]]
    match = play(rules, *bids, *asks)
    return tables_of([("game", "experiment", record_of(match))])


def test_measures_of_sides(sides: DoubleAuctionTables) -> None:
    # Of 11 asks, 9 are above 50; of 12 bids, the four of the last buyer are below 40 and below its value.
    assert value(sides, "quotes_beyond_competition", role="seller") == pytest.approx(9 / 11)
    assert value(sides, "quotes_beyond_competition", role="buyer") == pytest.approx(4 / 12)
    assert value(sides, "rounds_beyond_competition", role="seller") == 3 / 4
    assert value(sides, "rounds_beyond_competition", role="buyer") == 0
    # Prices: 75, 75; 60, 60; 75, 70.5; 72.5, 70.5. The equilibrium price is 45.
    assert value(sides, "trades_beyond_competition", role="seller") == 1
    assert value(sides, "surcharge", role="seller") == pytest.approx(558.5 / 8 - 45)
    assert value(sides, "surcharge", role="buyer") == pytest.approx(45 - 558.5 / 8)
    # Of 10 pairs of asks, 70 and 70, 60 and 61, and 62 and 61 are alike.
    assert value(sides, "parallel_quotes", role="seller") == pytest.approx(3 / 10)


def test_reactions_to_undercutting_and_turns(sides: DoubleAuctionTables) -> None:
    # Round 1: the others ask less in round 2, in which the undercutter still trades. Round 4 is the last.
    assert value(sides, "punished_undercutting", role="seller") == 1
    assert value(sides, "excluded_undercutters", role="seller") == 0
    # The first seller is served first in rounds 1 and 3, the second in round 2, the third in round 4.
    assert value(sides, "rotation_of_winners", role="seller") == 1
    assert value(sides, "rotation_of_winners", role="buyer") == 0
