"""The arithmetic of auctions: who wins, who pays what, and what the theory says."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from ostrom.games.market.auction import AuctionRules
from ostrom.games.market.auction.sale import (
    Sale,
    equilibrium_bids,
    equilibrium_revenue,
    hindsight_gain,
    largest_value,
    mean_equilibrium_revenue,
    settle,
    values_of,
)

NONE = float("nan")


def sale(values: list[float], bids: list[float], ties: list[float] | None = None, **rules: Any) -> Sale:
    """The sale of one round. Without `ties`, the seat with the lower number is ranked first."""
    order = ties or [seat / 100 for seat in range(len(values))]
    columns = [np.asarray(row)[:, None] for row in (values, bids, order)]
    return settle(AuctionRules(tick=0, **rules), *columns)


@pytest.mark.parametrize(
    ("rules", "payments", "price"),
    [
        ({"format": "first-price"}, [0, 50, 0, 0], 50),
        ({"format": "second-price"}, [0, 40, 0, 0], 40),
        ({"format": "all-pay"}, [40, 50, 20, 10], 50),
        ({"format": "uniform-price"}, [0, 40, 0, 0], 40),
        ({"format": "uniform-price", "units": 2}, [20, 20, 0, 0], 20),
        ({"format": "uniform-price", "units": 2, "price": "lowest-accepted"}, [40, 40, 0, 0], 40),
        ({"format": "uniform-price", "units": 3, "reserve": 15}, [15, 15, 15, 0], 15),
        ({"format": "uniform-price", "units": 6}, [0, 0, 0, 0], 0),
        ({"format": "second-price", "reserve": 45}, [0, 45, 0, 0], 45),
        ({"format": "all-pay", "reserve": 30}, [40, 50, 0, 0], 50),
    ],
)
def test_payments_of_each_format(rules: dict[str, Any], payments: list[float], price: float) -> None:
    result = sale([60, 70, 80, 90], [40, 50, 20, 10], **rules)
    assert result.payments[:, 0].tolist() == payments
    assert result.price.tolist() == [price]
    worth = np.where(result.wins[:, 0], [60, 70, 80, 90], 0)
    assert result.gains[:, 0].tolist() == (worth - payments).tolist()


def test_bids_below_the_reserve_price_are_no_bids() -> None:
    result = sale([60, 70, 80], [29, NONE, 10], reserve=30)
    assert not result.wins.any()
    assert result.payments.sum() == 0
    assert np.isnan(result.price[0])
    assert np.isnan(result.bids).all()


def test_equal_bids_are_ranked_by_the_random_numbers() -> None:
    for ties, winner in (([0.2, 0.1, 0.3], 1), ([0.2, 0.4, 0.1], 2), ([0.0, 0.1, 0.2], 0)):
        assert sale([9, 9, 9], [5, 5, 5], ties).wins[:, 0].tolist() == [seat == winner for seat in range(3)]
    # Even equal random numbers do not sell the unit twice.
    assert sale([9, 9], [5, 5], [0.5, 0.5]).wins.sum() == 1


def test_bids_are_rounded_down_to_the_tick() -> None:
    columns = [np.asarray([[90.0], [80.0]]), np.asarray([[40.9], [41 - 1e-12]]), np.asarray([[0.1], [0.2]])]
    assert settle(AuctionRules(), *columns).bids[:, 0].tolist() == [40, 41]


def test_many_games_are_settled_as_each_alone() -> None:
    chance = np.random.default_rng(1)
    rules = AuctionRules(format="uniform-price", units=3, reserve=20, max_price=30)
    values, bids = (np.floor(31 * chance.random((6, 200))) for _ in range(2))
    bids[chance.random((6, 200)) < 0.1] = NONE
    ties = chance.random((6, 200))
    together = settle(rules, values, bids, ties)
    assert together.wins.sum(axis=0).min() < 3
    for game in range(200):
        alone = settle(rules, *(part[:, game : game + 1] for part in (values, bids, ties)))
        for whole, single in zip(together, alone, strict=True):
            np.testing.assert_array_equal(whole[..., game], single[..., 0])


def test_no_bid_in_hindsight_is_better_than_the_best_of_many() -> None:
    chance = np.random.default_rng(2)
    for rules in (
        {"format": "first-price"},
        {"format": "second-price", "reserve": 20},
        {"format": "all-pay"},
        {"format": "uniform-price", "units": 2},
        {"format": "uniform-price", "units": 2, "price": "lowest-accepted"},
    ):
        values, bids, ties = 100 * chance.random((4, 50)), 100 * chance.random((4, 50)), chance.random((4, 50))
        of_rules = AuctionRules(tick=0, **rules)
        result = settle(of_rules, values, bids, ties)
        best = hindsight_gain(of_rules, values, result.wins, result.accepted, result.rejected)[0]
        gains = []
        for own in np.linspace(0, 100, 401):
            tried = bids.copy()
            tried[0] = own
            gains.append(settle(of_rules, values, tried, ties).gains[0])
        np.testing.assert_allclose(np.max(gains, axis=0), best, atol=0.251)


@pytest.mark.parametrize(
    ("rules", "seats", "values", "bids"),
    [
        ({"format": "first-price"}, 2, [80], [40]),
        ({"format": "first-price"}, 5, [80], [64]),
        ({"format": "first-price", "reserve": 50}, 2, [50, 100, 20], [50, 62.5, 20]),
        ({"format": "second-price", "reserve": 50}, 3, [80], [80]),
        ({"format": "all-pay"}, 2, [80], [32]),
        ({"format": "all-pay"}, 3, [50], [2 / 3 * 12.5]),
        ({"format": "all-pay", "reserve": 25}, 2, [49, 50, 100], [NONE, 25, 62.5]),
        ({"format": "uniform-price", "units": 2}, 4, [80], [80]),
        ({"format": "uniform-price", "units": 2, "price": "lowest-accepted"}, 4, [60], [40]),
        ({"format": "uniform-price", "units": 4, "price": "lowest-accepted", "reserve": 10}, 4, [60], [10]),
    ],
)
def test_equilibrium_bids(rules: dict[str, Any], seats: int, values: list[float], bids: list[float]) -> None:
    computed = equilibrium_bids(AuctionRules(tick=0, **rules), np.asarray(values, dtype=float), seats)
    np.testing.assert_allclose(computed, bids)


@pytest.mark.parametrize("form", ["first-price", "second-price", "all-pay", "uniform-price"])
def test_expected_revenue_in_equilibrium(form: str) -> None:
    rules = AuctionRules(format=form, max_price=60)
    assert [mean_equilibrium_revenue(rules, seats) for seats in (2, 3, 5)] == pytest.approx([20, 30, 40])
    if form != "all-pay":
        reserve = AuctionRules(format=form, max_price=60, reserve=30)
        assert mean_equilibrium_revenue(reserve, 2) == pytest.approx(25)
    # K(n − K)/(n + 1) of the range for K units without a reserve price.
    several = AuctionRules(format="uniform-price", units=3, max_price=60)
    assert mean_equilibrium_revenue(several, 5) == pytest.approx(60 * 3 * 2 / 6)


@pytest.mark.parametrize("reserve", [0, 30])
@pytest.mark.parametrize(
    ("form", "units", "price"),
    [
        ("first-price", 1, "highest-rejected"),
        ("second-price", 1, "highest-rejected"),
        ("all-pay", 1, "highest-rejected"),
        ("uniform-price", 3, "highest-rejected"),
        ("uniform-price", 3, "lowest-accepted"),
    ],
)
def test_equilibrium_bids_bring_the_expected_revenue(form: str, units: int, price: str, reserve: int) -> None:
    rules = AuctionRules(format=form, units=units, price=price, reserve=reserve, tick=0)
    chance = np.random.default_rng(3)
    values = values_of(rules, chance.random((4, 40_000)), np.zeros(40_000))
    result = settle(rules, values, equilibrium_bids(rules, values, 4), chance.random(values.shape))
    revenue, benchmark = result.payments.sum(axis=0), equilibrium_revenue(rules, values)
    expected = mean_equilibrium_revenue(rules, 4)
    for sample in (revenue, benchmark):
        assert abs(sample.mean() - expected) < 4 * sample.std() / 200
    sold = (result.wins * values).sum(axis=0)
    if reserve == 0:
        np.testing.assert_allclose(sold, largest_value(rules, values))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"units": 2}, "2 units need the format uniform-price, not first-price"),
        ({"format": "all-pay", "price": "lowest-accepted"}, "needs the format uniform-price, not all-pay"),
        ({"reserve": 101}, "the reserve 101 is above max_price, 100"),
        ({"reserve": 0.5}, "the reserve 0.5 must be a whole number, since tick is 1"),
    ],
)
def test_rules_that_do_not_go_together_are_refused(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        AuctionRules(**rules)
