"""The double auction over arrays: its values, its matching and its traders are those of the game that plays one
market at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marketplace import register, register_bargaining
from ostrom.core import GameChance, InputError
from ostrom.core.chance import key_of
from ostrom.core.step import Draws
from ostrom.experiment.match import play_match
from ostrom.games.market.bargaining import BargainingRules
from ostrom.games.market.bargaining.players import STRATEGIES as BARGAINERS
from ostrom.games.market.clearing import exact_price, is_half, match_quotes, price_on_tick
from ostrom.games.market.clearing_rows import clear_rows
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.values import draw_value_rows, draw_values, family_of
from ostrom.sim import jax_engine
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

ROWS = [entry for entry in STRATEGIES.values() if entry.rows is not None]
GAMES = 8


def batch_of(rules: DoubleAuctionRules, cast, seats: int, games: int = GAMES) -> Batch:
    """Games whose seats are filled at random."""
    seating = np.random.default_rng(seats).integers(0, len(cast), (seats, games))
    return Batch(register(), rules, cast, seating, np.arange(games), 3)


def singly(batch: Batch) -> np.ndarray:
    """The finals of the same games, each played alone."""
    finals = []
    for game, number in enumerate(batch.games.tolist()):
        players = [batch.cast[member] for member in batch.seating[:, game]]
        match = play_match(batch.game, batch.rules, players, GameChance(batch.seed, number))
        finals.append(batch.game.finals(match.events))
    return np.asarray(finals).T


def test_all_traders_that_read_no_messages_have_a_row_form() -> None:
    names = {entry.name for entry in ROWS}
    # The talking cartel reads messages, and batches have none.
    assert names == STRATEGIES.keys() - {"TalkingCartel"}


@pytest.mark.parametrize(
    ("seats", "changed"),
    [
        (2, {}),
        (8, {"max_price": 10, "rounds": 20}),  # Few prices, so that many quotes are equal.
        (6, {"tick": 0, "disclosure": "prices", "values": "two-clusters"}),
        (6, {"disclosure": "prices", "k": 0.3, "values": "correlated", "max_price": 12}),
        (4, {"values": "mixed", "min_surplus": 0.25, "messages": "all"}),
        (4, {"given": "86,64;19,61", "rounds": 12}),
        (6, {"anonymity": True, "continuation": 0.8, "max_price": 12}),
        (4, {"anonymity": True, "disclosure": "prices"}),
    ],
)
def test_a_batch_of_traders_plays_the_games_that_each_market_plays_alone(seats, changed) -> None:
    batch = batch_of(DoubleAuctionRules(**changed), ROWS, seats)
    np.testing.assert_allclose(play_batch(batch).finals, singly(batch), rtol=1e-9, atol=1e-9)


def test_random_ends_are_drawn_as_often_as_the_rules_say() -> None:
    rules = DoubleAuctionRules(rounds=30, continuation=0.75)
    lengths = play_batch(batch_of(rules, [STRATEGIES["Truthful"]], 2, games=4000)).turns
    # The mean of a geometric distribution is 1 / (1 − 0.75); the cut at 30 rounds changes it by less than 0.001.
    assert abs(lengths.mean() - 4) < 4 * lengths.std() / np.sqrt(4000)
    assert lengths.min() == 1


def test_traders_in_plain_python_sit_in_the_same_batch() -> None:
    batch = batch_of(DoubleAuctionRules(rounds=5), [STRATEGIES["TalkingCartel"], *ROWS], 4, games=6)
    np.testing.assert_allclose(play_batch(batch).finals, singly(batch), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "changed", [{}, {"tick": 0, "messages": "none"}, {"disclosure": "prices", "max_price": 12}, {"continuation": 0.8}]
)
def test_a_batch_of_bargainers_plays_the_games_that_each_pair_plays_alone(changed) -> None:
    cast = list(BARGAINERS.values())
    assert all(entry.rows is not None for entry in cast)
    seating = np.random.default_rng(1).integers(0, len(cast), (2, GAMES))
    batch = Batch(register_bargaining(), BargainingRules(rounds=6, **changed), cast, seating, np.arange(GAMES), 3)
    np.testing.assert_allclose(play_batch(batch).finals, singly(batch), rtol=1e-9, atol=1e-9)


def test_given_values_must_be_as_many_as_the_seats() -> None:
    with pytest.raises(InputError, match="4 private values are given"):
        play_batch(batch_of(DoubleAuctionRules(given="86,64;19,61"), ROWS, 6))


def test_figures_are_those_of_the_games() -> None:
    batch = batch_of(DoubleAuctionRules(rounds=4), ROWS, 6)
    figures = play_batch(batch).figures
    for game in range(GAMES):
        players = [batch.cast[member] for member in batch.seating[:, game]]
        events = play_match(batch.game, batch.rules, players, GameChance(3, game)).events
        rounds = [event for event in events if event.tag == "market_cleared"]
        demand, supply = sorted(events[-1].values[:3], reverse=True), sorted(events[-1].values[3:])
        largest = 4 * sum(max(0, one - other) for one, other in zip(demand, supply, strict=True))
        trades = [seat for event in rounds for trade in event.trades for seat in (trade.buyer, trade.seller)]
        offsets = np.mean([np.subtract(events[-1].values, event.quotes) for event in rounds], axis=0)
        assert figures["efficiency"][0, game] == pytest.approx(sum(events[-1].payoffs) / largest)
        assert figures["trades"][0, game] == len(trades) / 2 / 4
        assert figures["trade_frequency"][:, game].tolist() == [trades.count(seat) / 4 for seat in range(6)]
        assert figures["offset"][:, game] == pytest.approx([*offsets[:3], *-offsets[3:]])


@pytest.mark.parametrize("family", ["uniform", "correlated", "two-clusters", "heavy-tailed", "mixed"])
@pytest.mark.parametrize("tick", [0, 1])
def test_values_of_many_games_are_those_of_each(family, tick) -> None:
    roles, games = market_roles(4), np.arange(60, dtype=np.uint64)
    rows = draw_value_rows(Draws(games, key_of(9)), roles, family, 100, tick, 20.0)
    chances = [GameChance(9, game) for game in range(60)]
    each = [draw_values(chance, roles, family_of(family, chance), 100, tick, 20.0) for chance in chances]
    assert rows.T.tolist() == each


QUOTE = st.none() | st.integers(0, 6)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(QUOTE, min_size=2, max_size=8).filter(lambda quotes: len(quotes) % 2 == 0), st.integers(0, 1), st.data()
)
def test_matching_over_arrays_is_the_matching_of_one_market(quotes, tick, data) -> None:
    seats, k = len(quotes), data.draw(st.sampled_from([0.0, 0.3, 0.5, 1.0]))
    order, favoured = data.draw(st.permutations(range(seats))), data.draw(st.permutations(range(seats)))
    given_quotes = {seat: float(quote) for seat, quote in enumerate(quotes) if quote is not None}
    bids = {seat: quote for seat, quote in given_quotes.items() if seat < seats // 2}
    asks = {seat: quote for seat, quote in given_quotes.items() if seat >= seats // 2}
    prices, ranked = [None] * seats, []
    for pair in match_quotes(bids, asks, order):
        exact = exact_price(pair.bid, pair.ask, k)
        up = tick == 1 and is_half(exact) and favoured.index(pair.seller) < favoured.index(pair.buyer)
        ranked.append(price_on_tick(exact, tick, up))
        prices[pair.buyer] = prices[pair.seller] = ranked[-1]
    rows = np.asarray([[np.nan if quote is None else float(quote)] for quote in quotes])
    draws = Draws(np.zeros(1, dtype=np.uint64), (0, 0))
    places = [np.asarray([float(one.index(seat)) for seat in range(seats)]) for one in (order, favoured)]
    cleared = clear_rows(
        rows, k, tick, draws, *(lambda chosen, seat, one=one: np.atleast_1d(one[seat]) for one in places)
    )
    assert [None if np.isnan(price) else price for price in cleared.prices[:, 0]] == prices
    assert [price for price in cleared.ranked[:, 0] if not np.isnan(price)] == ranked


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "changed"),
    [
        (4, {"max_price": 10}),
        (4, {"continuation": 0.7, "anonymity": True}),
        (4, {"tick": 0, "disclosure": "prices", "values": "heavy-tailed"}),
    ],
)
def test_jax_plays_the_games_that_numpy_plays(seats, changed) -> None:
    batch = batch_of(DoubleAuctionRules(**changed), ROWS, seats, games=200)
    np.testing.assert_allclose(jax_engine.play_batch(batch).finals, play_batch(batch).finals, rtol=1e-9, atol=1e-9)
