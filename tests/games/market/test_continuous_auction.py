"""The continuous form of the double auction: seats quote one after another, and a quote that meets a standing one
trades at its price."""

import pytest

import ostrom
from marketplace import play, register
from ostrom.core import GameChance, InputError
from ostrom.experiment.match import play_match
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.book import Book
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.values import draw_values
from ostrom.players.models.briefing import briefing_for
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text
from ostrom.testing import check_game

LINEAR = ";".join(",".join(str(one) for one in range(*ends)) for ends in ((95, 0, -10), (5, 100, 10)))
"""Ten values and ten costs, of which five pairs can gain: 90, 70, 50, 30 and 10."""


def quoted(match):
    return [event for event in match.events if event.tag == "market_quoted"]


def test_a_quote_stands_if_it_is_better_and_trades_at_the_standing_price_if_it_meets_the_other_side() -> None:
    book = Book(market_roles(4), keeps=False)
    assert book.place(0, 40) is None
    assert book.place(1, 30) is None  # No better than 40: no effect.
    assert book.place(2, 70) is None
    assert (book.bid, book.ask) == (40, 70)
    assert book.place(1, 50) is None
    assert book.place(3, 45) == (1, 50)
    assert (book.bid, book.ask) == (None, None)


def test_a_book_that_is_kept_has_the_quotes_of_the_seats_that_did_not_trade() -> None:
    book = Book(market_roles(4), keeps=True)
    for seat, quote in ((0, 40), (1, 50), (2, 70)):
        assert book.place(seat, quote) is None
    assert book.place(3, 45) == (1, 50)
    assert (book.bid, book.ask) == (40, 70)
    assert book.place(0, 75) == (2, 70)
    assert (book.bid, book.ask) == (None, None)


def test_each_seat_trades_at_most_one_unit_in_a_round_at_the_price_of_the_quote_that_stood() -> None:
    rules = DoubleAuctionRules(rounds=2, given=LINEAR, market="continuous", times_asked=5)
    match = play_match(register(), rules, [STRATEGIES["ZeroIntelligence"]] * 20, GameChance(3))
    bid = ask = None
    seats: list[int] = []
    rounds = [event for event in match.events if event.tag == "market_cleared"]
    assert sum(len(event.trades) for event in rounds) > 4
    for event in match.events:
        if event.tag == "market_quoted":
            if event.trade is not None:
                assert event.price == (ask if event.seat < 10 else bid)
                assert event.trade.ask <= event.price <= event.trade.bid
                seats += [event.trade.buyer, event.trade.seller]
            bid, ask = event.bid, event.ask
        elif event.tag == "market_cleared":
            assert len(seats) == len(set(seats)) == 2 * len(event.trades)
            seats, bid, ask = [], None, None
    assert match.events[-1].payoffs == rounds[-1].payoffs


def test_seats_are_asked_until_they_trade_and_a_call_in_which_all_pass_ends_the_round() -> None:
    rules = DoubleAuctionRules(rounds=1, given="80,50;20,40", market="continuous", times_asked=4)
    match = play(rules, [None, 60], [None, None], [None, None], [None, None])
    asked = [(decision.question.turn, decision.question.seat.index) for decision in match.decisions]
    assert sorted(asked) == [(1, seat) for seat in range(4)]
    match = play(rules, [10, 60], [10, None, None], [70, 60], [99, 98, 97, 96], seed=2)
    (trade,) = [event.trade for event in quoted(match) if event.trade is not None]
    assert (trade.buyer, trade.seller, trade.price) == (0, 2, 60)
    later = [decision.question for decision in match.decisions if decision.question.turn > 2]
    assert {question.seat.index for question in later} == {1, 3}
    standing = [question.view.book for question in later]
    assert standing[0].bid is None
    assert match.events[-1].payoffs == [20, 0, 40, 0]


@pytest.mark.parametrize("wording", ["plain", "story", "terse"])
@pytest.mark.parametrize("disclosure", ["quotes", "prices"])
def test_prompts_have_the_standing_quotes_and_the_quotes_of_the_round(wording, disclosure) -> None:
    rules = DoubleAuctionRules(rounds=2, given="80;20", market="continuous", times_asked=2, disclosure=disclosure)
    match = play(rules, [33, 44, 35], [77, 76, 66, 65])
    question = match.decisions[-1].question
    framing, chance = Framing(variant=wording, unit="points", layout=2), GameChance(1)
    briefing = briefing_for(register())
    text = "\n".join(briefing.past(question, framing, chance)) + question_text(briefing, question, framing, chance)
    book = question.view.book
    assert f"{book.bid or book.ask:g}" in text
    assert ("33" in text) == (disclosure == "quotes" or 33 in [event.bid for event in quoted(match)])
    rules_of_prompt = rules_text(briefing, question, framing, chance)
    assert "sealed" not in rules_of_prompt
    assert "2" in rules_of_prompt


def secrets(rules, seats, seed):
    drawn = draw_values(GameChance(seed), market_roles(seats), "uniform", 100, 0, 3.0)
    return [[value] for value in drawn]


@pytest.mark.slow
@pytest.mark.parametrize(
    "changed",
    [
        {"messages": "addressed"},
        pytest.param({"disclosure": "prices", "book": "kept", "unreadable": "private-value"}, marks=pytest.mark.slow),
    ],
)
def test_the_continuous_form_keeps_the_contract_and_its_secrets(changed) -> None:
    rules = DoubleAuctionRules(rounds=2, times_asked=2, tick=0, market="continuous", **changed)
    check_game(register(), rules=[rules], seeds=(1,), secrets=secrets, study=False)


def test_the_array_form_leaves_continuous_markets_to_single_games() -> None:
    rules = {"market": "continuous", "rounds": 2}
    finding = ostrom.tournament(game="double-auction", players=["Truthful", "Linear"], games=3, rules=rules, seed=1)
    assert "Truthful" in str(finding.to_frame())
    with pytest.raises(InputError, match="no array form for these rules"):
        ostrom.respond(game="double-auction", against=["Linear"], rules=rules, seed=1)


def efficiency(name: str, games: int, **changed) -> float:
    """The surplus of twenty traders, as a part of the largest."""
    rules = DoubleAuctionRules(rounds=1, given=LINEAR, **changed)
    matches = (play_match(register(), rules, [STRATEGIES[name]] * 20, GameChance(seed)) for seed in range(games))
    return sum(sum(match.events[-1].payoffs) for match in matches) / (250 * games)


@pytest.mark.slow
def test_zero_intelligence_is_efficient_in_a_continuous_market_and_not_in_a_sealed_one() -> None:
    # The market makes the difference, as in Gode and Sunder (1993); the budget constraint does too.
    continuous = {"market": "continuous", "times_asked": 20}
    assert efficiency("ZeroIntelligence", 60, **continuous) > 0.83
    assert efficiency("ZeroIntelligence", 60, book="kept", **continuous) > 0.83
    assert efficiency("ZeroIntelligence", 60) < 0.55
    assert efficiency("ZeroIntelligenceUnconstrained", 60, **continuous) < 0.2
