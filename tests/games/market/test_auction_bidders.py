"""The bids of every strategy of auctions, among others whose bids are written down."""

from typing import Any

import numpy as np
import pytest

from marketplace import bids_of, hold
from ostrom.core.chance import GameChance
from ostrom.experiment.match import Match
from ostrom.games.market.auction import AuctionRules
from ostrom.games.market.auction.play import BID
from ostrom.games.market.auction.players import STRATEGIES
from ostrom.players.strategy import find_strategy

ANY = {"tick": 0, "rounds": 4}
"""Continuous values and bids."""


def against(name: str, *others: list[Any], seed: int = 1, **rules: Any) -> tuple[list[Any], list[float]]:
    """The bids and the values of a strategy that plays against scripts."""
    match = hold(AuctionRules(**rules), find_strategy(STRATEGIES, name), *others, seed=seed)
    return bids_of(match), values_in(match)


def values_in(match: Match, seat: int = 0) -> list[float]:
    return [one.question.view.value for one in match.decisions if one.question.seat.index == seat]


def parts(name: str, *others: list[Any], **rules: Any) -> list[float]:
    """The bids of a strategy as parts of its values."""
    bids, values = against(name, *others, **rules)
    return [bid / value for bid, value in zip(bids, values, strict=True)]


def test_truthful_bids_its_value() -> None:
    bids, values = against("Truthful", [99, 0, None], rounds=3)
    assert bids == values


@pytest.mark.parametrize("others", [1, 2, 4])
def test_equilibrium_shades_by_one_of_n(others: int) -> None:
    assert parts("Equilibrium", *[[50] * 4] * others, **ANY) == pytest.approx([others / (others + 1)] * 4)
    bids, values = against("Equilibrium", *[[50] * 4] * others, rounds=4)
    assert bids == [int(value * others / (others + 1) + 1e-9) for value in values]


def test_equilibrium_of_other_formats() -> None:
    bids, values = against("Equilibrium", [5], [5], format="second-price", tick=0, rounds=1)
    assert bids == values
    bids, values = against("Equilibrium", [5], [5], format="all-pay", tick=0, rounds=1)
    assert bids == pytest.approx([2 / 3 * values[0] ** 3 / 100**2])
    two = {"format": "uniform-price", "units": 2, "price": "lowest-accepted"}
    assert parts("Equilibrium", [5], [5], [5], tick=0, rounds=1, **two) == pytest.approx([2 / 3])


def test_equilibrium_stays_out_if_the_reserve_price_is_too_high() -> None:
    bids, values = against("Equilibrium", [5] * 20, format="all-pay", reserve=49, tick=0, rounds=20)
    assert [bid is None for bid in bids] == [value < 70 for value in values]
    assert {None} < set(bids)


def test_shade_bids_its_share() -> None:
    assert parts("Shade", [1] * 4, **ANY) == pytest.approx([0.8] * 4)
    assert parts("Shade:share=0.25", [1] * 4, **ANY) == pytest.approx([0.25] * 4)
    bids, values = against("Shade:share=0.5", [1] * 4, rounds=4)
    assert bids == [value // 2 for value in values]


def test_overbidder_bids_more_up_to_the_highest_price() -> None:
    bids, values = against("Overbidder", [1] * 30, tick=0, rounds=30)
    assert bids == pytest.approx([min(100, 1.1 * value) for value in values])
    assert 100 in bids
    assert parts("Overbidder:markup=0", [1] * 4, **ANY) == [1.0] * 4


def test_zero_intelligence_bids_at_random_without_a_loss() -> None:
    chance = GameChance(1)
    draws = [chance.uniform(f"strategy/{BID}", round_, 0) for round_ in range(1, 5)]
    assert parts("ZeroIntelligence", [1] * 4, **ANY) == pytest.approx(draws)
    bids, values = against("ZeroIntelligence", [1] * 300, rounds=300)
    assert all(0 <= bid <= value for bid, value in zip(bids, values, strict=True))
    assert any(bid == value for bid, value in zip(bids, values, strict=True))
    assert np.mean(np.divide(bids, values)) == pytest.approx(0.5, abs=0.06)


def test_unconstrained_zero_intelligence_bids_in_the_whole_range() -> None:
    chance = GameChance(1)
    draws = [100 * chance.uniform(f"strategy/{BID}", round_, 0) for round_ in range(1, 5)]
    assert against("ZeroIntelligenceUnconstrained", [1] * 4, **ANY)[0] == pytest.approx(draws)
    bids, values = against("ZeroIntelligenceUnconstrained", [1] * 300, rounds=300)
    assert 0 <= min(bids) < 3
    assert 97 < max(bids) <= 100
    assert any(bid > value for bid, value in zip(bids, values, strict=True))


class TestLearningDirection:
    """The share of the value in each round. It starts at 0.8, and moves by 0.05."""

    def test_falls_after_wins_with_money_left_and_stays_after_hopeless_losses(self) -> None:
        assert parts("LearningDirection", [0, 0, 100, 0], **ANY) == pytest.approx([0.8, 0.75, 0.7, 0.7])

    def test_rises_after_a_missed_opportunity(self) -> None:
        _, values = against("LearningDirection", [0], **ANY)
        # The other bid lies between the bid and the value; then it is above the value.
        other = [0.9 * values[0], 0.9 * values[1], values[2] + 0.1, 0]
        assert parts("LearningDirection", other, **ANY) == pytest.approx([0.8, 0.85, 0.9, 0.9])

    def test_parameters(self) -> None:
        bids = parts("LearningDirection:start=0.1,step_size=0.1", [None] * 4, **ANY)
        assert bids == pytest.approx([0.1, 0.0, 0.0, 0.0])

    def test_wins_at_the_second_price_teach_nothing(self) -> None:
        rules = {**ANY, "format": "second-price"}
        assert parts("LearningDirection", [0] * 4, **rules) == pytest.approx([0.8] * 4)
        _, values = against("LearningDirection", [0], **rules)
        other = [0.9 * value for value in values]
        assert parts("LearningDirection", other, **rules) == pytest.approx([0.8, 0.85, 0.9, 0.9])

    def test_lost_payments_of_the_all_pay_auction(self) -> None:
        _, values = against("LearningDirection", [0], format="all-pay", **ANY)
        other = [100, 0.9 * values[1], 0, 0]
        assert parts("LearningDirection", other, format="all-pay", **ANY) == pytest.approx([0.8, 0.75, 0.8, 0.75])

    def test_with_the_price_alone_every_win_lowers_the_share(self) -> None:
        _, values = against("LearningDirection", [0], disclosure="price", **ANY)
        other = [0.8 * values[0] - 1e-6, 0.9 * values[1], 100, 0]
        rules = {**ANY, "disclosure": "price"}
        assert parts("LearningDirection", other, **rules) == pytest.approx([0.8, 0.75, 0.8, 0.8])


def test_ring_members_bid_the_reserve_price_in_turn() -> None:
    ring = [find_strategy(STRATEGIES, "RingMember")] * 3
    match = hold(AuctionRules(rounds=7, reserve=1), *ring)
    turns = [[1 if (round_ - seat) % 3 == 0 else None for round_ in range(7)] for seat in range(3)]
    assert [bids_of(match, seat) for seat in range(3)] == turns
    match = hold(AuctionRules(rounds=3, format="second-price"), *ring)
    values = [values_in(match, seat) for seat in range(3)]
    assert [bids_of(match, seat)[seat] for seat in range(3)] == [values[seat][seat] for seat in range(3)]
    assert [event.price for event in match.events if event.tag == "auction_held"] == [0, 0, 0]


def test_as_many_ring_members_bid_as_there_are_units() -> None:
    ring = [find_strategy(STRATEGIES, "RingMember")] * 3
    match = hold(AuctionRules(rounds=3, format="uniform-price", units=2), *ring)
    bidders = [[bids_of(match, seat)[round_] is not None for seat in range(3)] for round_ in range(3)]
    assert bidders == [[True, True, False], [True, False, True], [False, True, True]]


def test_a_ring_member_stays_out_below_the_reserve_price() -> None:
    bids, values = against("RingMember", [None] * 30, reserve=50, rounds=30)
    assert bids == [50 if round_ % 2 == 0 and value >= 50 else None for round_, value in enumerate(values)]
