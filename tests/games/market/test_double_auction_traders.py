"""The quotes of every trader, against others whose quotes are written down."""

import pytest

from marketplace import moves, play, register
from ostrom.core import GameChance
from ostrom.core.table import Past
from ostrom.experiment.match import play_match
from ostrom.games.market.double_auction import DoubleAuctionRules, DoubleAuctionView, PastMarketRound
from ostrom.games.market.double_auction.learners import AdaptiveAggressive, RothErev
from ostrom.games.market.double_auction.play import OwnMarketRound, PastTrade
from ostrom.games.market.double_auction.players import (
    STRATEGIES,
    GjerstadDickhaut,
    LinearEquilibrium,
    Sniper,
    Trader,
    TruthfulTrader,
    UnconstrainedZeroIntelligence,
    ZeroIntelligence,
    ZipTrader,
)

PAIR = DoubleAuctionRules(rounds=3, given="80;20")
FOUR = DoubleAuctionRules(rounds=3, given="80,50;20,40")


def view(
    role: str, value: float, *, tick: int = 1, past: list[PastMarketRound] | None = None, own=()
) -> DoubleAuctionView:
    """The view of a seat of a market of two."""
    rules = DoubleAuctionRules(tick=tick)
    history = Past(past or [])
    seat = 0 if role == "buyer" else 1
    return DoubleAuctionView(rules, len(history) + 1, seat, 2, role, value, 0.0, history, Past(list(own)), Past([]))


def test_truthful_quotes_its_value() -> None:
    assert moves(play(PAIR, TruthfulTrader, [90, 30, 70])) == [80, 80, 80]
    assert moves(play(PAIR, [10, 20, 30], TruthfulTrader), 1) == [20, 20, 20]


@pytest.mark.parametrize(("draw", "bid", "ask"), [(0.0, 0, 100), (0.5, 40, 60), (0.999, 80, 20)])
def test_zero_intelligence_draws_among_quotes_without_a_loss(draw: float, bid: int, ask: int) -> None:
    trader = ZeroIntelligence()
    assert trader.price(view("buyer", 80), lambda: draw) == bid
    assert trader.price(view("seller", 20), lambda: draw) == ask


def test_zero_intelligence_on_continuous_prices() -> None:
    assert ZeroIntelligence().price(view("buyer", 80.0, tick=0), lambda: 0.25) == 20
    assert ZeroIntelligence().price(view("seller", 20.0, tick=0), lambda: 0.25) == 80


def test_unconstrained_zero_intelligence_draws_from_the_whole_range() -> None:
    trader = UnconstrainedZeroIntelligence()
    assert [trader.price(view("buyer", 3), lambda: draw) for draw in (0.0, 0.5, 0.999)] == [0, 50, 100]  # noqa: B023
    assert trader.price(view("seller", 3, tick=0), lambda: 0.25) == 25


def test_linear_equilibrium_shades_by_a_third_and_never_quotes_a_loss() -> None:
    assert moves(play(PAIR, LinearEquilibrium, LinearEquilibrium)) == [61, 61, 61]  # 53.3 + 8.3
    assert moves(play(PAIR, LinearEquilibrium, LinearEquilibrium), 1) == [39, 39, 39]  # 13.3 + 25
    poor = DoubleAuctionRules(rounds=1, given="10;90")
    assert moves(play(poor, LinearEquilibrium, LinearEquilibrium)) == [10]
    assert moves(play(poor, LinearEquilibrium, LinearEquilibrium), 1) == [90]


def test_gd_quotes_what_gain_times_belief_makes_best() -> None:
    # Round 1: belief q / 100, gain 80 − q. Round 2: 40 was rejected, and 50 would have met a free ask. Round 3: 50 is
    # believed to trade with probability 1/2 and 70 for sure, so the product (80 − q) · (q − 30) / 40 is largest at 55.
    assert moves(play(PAIR, GjerstadDickhaut, [50, 70, 20])) == [40, 50, 55]
    # The same for a seller with cost 20, mirrored at 50.
    assert moves(play(PAIR, [50, 30, 80], GjerstadDickhaut), 1) == [60, 50, 45]


def test_gd_forgets_rounds_before_its_memory() -> None:
    past = [PastMarketRound(1, (20.0, 60.0), (), ()), PastMarketRound(2, (50.0, 70.0), (), ())]
    own = [OwnMarketRound(20.0, None), OwnMarketRound(50.0, None)]
    seen = view("buyer", 80, past=past, own=own)
    assert GjerstadDickhaut().price(seen, lambda: 0.5) == 60
    assert GjerstadDickhaut(memory=1).price(seen, lambda: 0.5) == 65


def test_sniper_waits_until_the_last_round_if_prices_stay_apart() -> None:
    rules = DoubleAuctionRules(rounds=10, given="80;20")
    assert moves(play(rules, Sniper, [50] * 10)) == [0] * 9 + [50]
    assert moves(play(rules, [50] * 10, Sniper), 1) == [100] * 9 + [50]
    assert moves(play(rules, Sniper, [90] * 10)) == [0] * 10


def test_sniper_takes_the_ask_once_the_spread_is_small_or_the_ask_a_bargain() -> None:
    match = play(FOUR, Sniper, [48, 48, 10], [50, 50, 50], [100, 100, 100])
    # Round 2: 50 − 48 is at most a tenth of 50. Round 3: 50 is the lowest price so far.
    assert moves(match) == [0, 50, 50]
    assert [event.prices for event in match.events if event.tag == "market_cleared"] == [[], [50], [50]]


def test_zip_follows_prices_and_rejected_quotes() -> None:
    # With all draws 1/2: rate 0.3, momentum 0.05, margin 0.2, so the first bid is 80 · 0.8.
    trader = ZipTrader()
    draw = lambda: 0.5  # noqa: E731
    assert trader.price(view("buyer", 80), draw) == pytest.approx(64)
    first = PastMarketRound(1, (64.0, 50.0), (PastTrade(0, 1, 57.0),), (57.0,))
    own = [OwnMarketRound(64.0, 57.0)]
    # The target is the price: the change is 0.95 · 0.3 · (57 − 64) = −1.995.
    assert trader.price(view("buyer", 80, past=[first], own=own), draw) == pytest.approx(62.005)
    second = PastMarketRound(2, (62.0, 70.0), (), ())
    own.append(OwnMarketRound(62.0, None))
    # Target 1.025 · 70 + 2.5 = 74.25; change 0.05 · −1.995 + 0.95 · 0.3 · (74.25 − 62.005) = 3.390075.
    assert trader.price(view("buyer", 80, past=[first, second], own=own), draw) == pytest.approx(65.395075)


def test_zip_never_quotes_a_loss_and_a_seller_mirrors_a_buyer() -> None:
    draw = lambda: 0.5  # noqa: E731
    trader = ZipTrader()
    assert trader.price(view("seller", 40), draw) == pytest.approx(48)
    past = [PastMarketRound(turn, (0.0, 48.0), (), ()) for turn in range(1, 60)]
    seen = view("seller", 40, past=past, own=[OwnMarketRound(48.0, None)] * 59)
    assert trader.price(seen, draw) == 40


def test_adaptive_aggressive_quotes_its_estimate_of_the_equilibrium_price() -> None:
    trader = AdaptiveAggressive()
    draw = lambda: 0.5  # noqa: E731
    assert trader.price(view("buyer", 80), draw) == 50
    past, own = [PastMarketRound(1, (50.0, 30.0), (PastTrade(0, 1, 40.0),), (40.0,))], [OwnMarketRound(50.0, 40.0)]
    assert trader.price(view("buyer", 80, past=past, own=own), draw) == 40
    past.append(PastMarketRound(2, (40.0, 30.0), (PastTrade(0, 1, 35.0),), (35.0,)))
    own.append(OwnMarketRound(40.0, 35.0))
    # The weights of 40 and 35 are 0.9 and 1, and 35 lies 2.37 below the estimate: the trader becomes less aggressive.
    assert trader.price(view("buyer", 80, past=past, own=own), draw) < (0.9 * 40 + 35) / 1.9


def test_adaptive_aggressive_quotes_more_aggressively_after_a_price_that_it_missed_and_never_at_a_loss() -> None:
    seller, draw = AdaptiveAggressive(), lambda: 0.5
    assert seller.price(view("seller", 20), draw) == 50
    past, own = [], []
    quotes = [50.0]
    for turn in range(1, 40):
        # Another seller trades at 45 in every round, and this one does not.
        past.append(PastMarketRound(turn, (45.0, quotes[-1]), (), (45.0,)))
        own.append(OwnMarketRound(quotes[-1], None))
        quotes.append(seller.price(view("seller", 20, past=past, own=own), draw))
    # With learning rates 0.4, the level moves to 0.02 after the price, and the shape to −1. After the rejected quote,
    # the level moves by 0.4 · 0.051 to 0.0404. The quote is 45 − 25 · (1 − exp(−0.0404)) / (1 − exp(−1)).
    assert quotes[1] == pytest.approx(43.434, abs=0.001)
    assert all(quote >= 20 for quote in quotes)
    poor = AdaptiveAggressive()
    assert poor.price(view("buyer", 30), draw) == 30


def test_roth_erev_repeats_the_level_that_earned_most() -> None:
    trader = RothErev()
    assert trader.price(view("buyer", 80), lambda: 0.35) == pytest.approx(80 * 0.7)
    own, past = [OwnMarketRound(56.0, 40.0)], [PastMarketRound(1, (56.0, 24.0), (), (40.0,))]
    # The level gains 0.8 · 40 / 80 and has 0.09 + 0.4; each other one has 0.09 + 0.1 · 0.2 / 9. The sum is 1.32.
    seen = view("buyer", 80, past=past, own=own)
    assert trader.price(seen, lambda: 0.35) == pytest.approx(80 * 0.7)
    assert trader._propensities[2:4] == pytest.approx([0.09 + 0.02 / 9, 0.49])
    assert trader.price(seen, lambda: 0.2) == pytest.approx(80 * 0.8)
    assert RothErev().price(view("seller", 20), lambda: 0.55) == pytest.approx(60)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("disclosure", ["quotes", "prices"])
@pytest.mark.parametrize("tick", [0, 1])
def test_traders_play_legal_quotes_without_a_loss_and_the_same_game_again(name, disclosure, tick) -> None:
    rules = DoubleAuctionRules(rounds=12, disclosure=disclosure, tick=tick, messages="side")
    entries = [STRATEGIES[name], STRATEGIES["ZeroIntelligence"]] * 2
    first, again = (play_match(register(), rules, entries, GameChance(5)) for _ in range(2))
    assert first.events == again.events
    values = first.events[-1].values
    assert first.decisions
    messages = [event for event in first.events if event.tag == "message_said"]
    assert bool(messages) == (name in ("Chatter", "TalkingCartel"))
    if name != "ZeroIntelligenceUnconstrained":
        for event in first.events:
            if event.tag == "market_cleared":
                assert all(quote <= value for quote, value in zip(event.quotes[:2], values[:2], strict=True))
                assert all(quote >= value for quote, value in zip(event.quotes[2:], values[2:], strict=True))


@pytest.mark.parametrize("entry", STRATEGIES.values(), ids=lambda entry: entry.name)
def test_every_trader_says_in_a_sentence_what_it_does(entry) -> None:
    assert entry.description.split()[0].endswith("s")
    assert issubclass(entry.scalar, Trader)


@pytest.mark.slow
def test_markets_of_learning_traders_become_efficient() -> None:
    rules = DoubleAuctionRules(rounds=30)
    for name in ("ZIP", "GD"):
        total = largest = 0.0
        for seed in range(20):
            match = play_match(register(), rules, [STRATEGIES[name]] * 8, GameChance(seed))
            values = match.events[-1].values
            demand, supply = sorted(values[:4], reverse=True), sorted(values[4:])
            largest += sum(max(0, one - other) for one, other in zip(demand, supply, strict=True))
            total += sum(match.events[-2].gains)
        # Zero intelligence realises about 35 % of the surplus in this market.
        assert total / largest > 0.75, name
