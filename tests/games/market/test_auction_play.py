"""An auction from the inside: what is recorded, what seats and spectators may know, and its contract."""

from typing import Any

import numpy as np
import pytest

from marketplace import bids_of, hold, scripted_bids
from ostrom.core import GameChance
from ostrom.experiment import record_of, replay
from ostrom.experiment.match import Match
from ostrom.games.market.auction import AUCTION, AuctionRules
from ostrom.games.market.auction.events import EVENTS, figures, finals
from ostrom.games.market.auction.players import TruthfulBidder
from ostrom.games.market.auction.sale import values_of
from ostrom.games.market.auction.scene import PRESENTATION
from ostrom.games.market.values import CENTRE, VALUE
from ostrom.players.models.briefing import briefing_for
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text
from ostrom.testing import check_game


def secrets(rules: AuctionRules, seats: int, seed: int) -> list[list[float]]:
    """The private values of each seat, in all rounds. Whole values have too few digits to be recognised."""
    if rules.tick:
        return [[] for _ in range(seats)]
    chance, drawn = GameChance(seed), []
    for round_ in range(1, 1 + (1 if rules.fixed_values else rules.rounds)):
        draws = np.asarray([[chance.uniform(VALUE, round_, seat)] for seat in range(seats)])
        drawn.append(values_of(rules, draws, np.asarray([chance.uniform(CENTRE, round_)]))[:, 0].tolist())
    return [list(values) for values in zip(*drawn, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize("study", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "rules",
    [
        AuctionRules(rounds=3, tick=0, format="second-price", messages="addressed", disclosure="price"),
        *(
            pytest.param(rules, marks=pytest.mark.slow)
            for rules in (
                AuctionRules(),
                # Continuous values have many digits, so that the check of secrets recognises them.
                AuctionRules(rounds=3, tick=0, messages="all", talk="at-once", values="correlated"),
                AuctionRules(rounds=2, format="uniform-price", units=3, price="lowest-accepted", fixed_values=True),
                AuctionRules(rounds=3, tick=0, format="all-pay", reserve=20.5, values="heavy-tailed"),
            )
        ),
    ],
)
def test_the_game_keeps_the_contract_and_its_secrets(rules: AuctionRules, study: bool) -> None:
    check_game(AUCTION, rules=[rules], seeds=(1, 2) if study else (1,), secrets=secrets, study=study)


def sales(match: Match) -> list[Any]:
    return [event for event in match.events if event.tag == "auction_held"]


def dealt(match: Match) -> list[Any]:
    return [event for event in match.events if event.tag == "bidder_values_dealt"]


def test_a_game_of_two_rounds() -> None:
    match = hold(AuctionRules(rounds=2, format="second-price"), [50, None], [70, 30], [60, 90])
    first, second = sales(match)
    values = [event.values for event in dealt(match)]
    assert (first.bids, first.winners, first.price) == ([50, 70, 60], [1], 60)
    assert (second.bids, second.winners, second.price) == ([None, 30, 90], [2], 30)
    assert first.gains == [0, values[0][1] - 60, 0]
    assert second.gains == [0, 0, values[1][2] - 30]
    assert finals(match.events) == [0, values[0][1] - 60, values[1][2] - 30] == second.payoffs
    assert match.events[-1].values == values[1]


def test_values_are_drawn_anew_or_stay() -> None:
    anew = hold(AuctionRules(rounds=3), [1, 1, 1], [1, 1, 1])
    values = [event.values for event in dealt(anew)]
    assert len(values) == 3
    assert values[0] != values[1] != values[2]
    fixed = hold(AuctionRules(rounds=3, fixed_values=True), TruthfulBidder, TruthfulBidder)
    (event,) = dealt(fixed)
    assert event.values == values[0]
    assert bids_of(fixed, 1) == [event.values[1]] * 3


@pytest.mark.slow
def test_equal_bids_win_equally_often() -> None:
    match = hold(AuctionRules(rounds=1000), [40] * 1000, [40] * 1000)
    assert 440 < sum(event.winners == [0] for event in sales(match)) < 560


def test_standings_compare_the_revenue_with_equilibrium() -> None:
    rules = AuctionRules(rounds=2)
    match = hold(rules, [50, 50], [10, 10])
    shown = figures(rules, match.events)
    assert [figure.values for figure in shown.figures] == [[1.0, 0.0], [100, 0]]
    assert shown.remark == ("Revenue of a round: 50; the equilibrium with continuous values has 33.333 on average.")
    fixed = AuctionRules(rounds=2, fixed_values=True)
    assert figures(fixed, hold(fixed, [50, 50], [10, 10]).events).remark == "Revenue of a round: 50."


@pytest.mark.parametrize("disclosure", ["bids", "price"])
def test_what_seats_and_spectators_learn_of_a_round(disclosure: str) -> None:
    match = hold(AuctionRules(rounds=2, disclosure=disclosure), [50, 1], [20, 1])
    seen = {(one.question.turn, one.question.seat.index): one.question.view for one in match.decisions}
    (past,), own = seen[2, 0].history, seen[2, 0].own[0]
    assert past.price == 50
    assert (own.bid, own.won, own.payment) == (50, True, 50)
    assert not seen[2, 1].own[0].won
    known = (past.bids, past.winners, past.accepted, past.rejected)
    assert known == (((50, 20), (0,), 50, 20) if disclosure == "bids" else ((), (), None, None))
    for reader in (None, 1):
        public = EVENTS.seen_by(sales(match)[0].as_record(), reader)
        assert public["bids"] == ([50, 20] if disclosure == "bids" else None)
        assert public["price"] == 50
        assert public["gains"][0] is None
        hidden = EVENTS.seen_by(dealt(match)[0].as_record(), reader)["values"]
        assert hidden[0] is None
        assert (hidden[1] is None) == (reader is None)


def test_messages_come_before_the_bids() -> None:
    said = {0: [{"to": 2, "text": "Stay out."}], 1: [{"to": "all", "text": "Hello."}], 2: []}
    players = [scripted_bids([9], said[seat]) for seat in range(3)]
    match = hold(AuctionRules(rounds=1, messages="addressed", talk="at-once"), *players)
    seen = {one.question.seat.index: one.question.view for one in match.decisions if one.question.phase == "bid"}
    texts = [[message.text for message in seen[seat].messages] for seat in range(3)]
    assert texts == [["Stay out.", "Hello."], ["Hello."], ["Stay out.", "Hello."]]


def test_a_record_replays() -> None:
    match = hold(AuctionRules(rounds=3, format="all-pay", reserve=10), TruthfulBidder, [5, 20, None], [30, 30, 30])
    assert replay(record_of(match)).events == match.events


FORMATS = [
    (AuctionRules(), "The winner pays its bid"),
    (AuctionRules(format="second-price"), "pays the second-highest bid, or nothing"),
    (AuctionRules(format="second-price", reserve=20), "pays the second-highest bid, or the reserve price"),
    (AuctionRules(format="all-pay"), "All bidders pay their bids"),
    (AuctionRules(format="uniform-price", units=2), "the highest bid that does not win"),
    (AuctionRules(format="uniform-price", units=2, price="lowest-accepted"), "the lowest bid that wins"),
]


@pytest.mark.parametrize(("rules", "words"), FORMATS)
def test_prompts_say_who_pays(rules: AuctionRules, words: str) -> None:
    match = hold(rules, TruthfulBidder, TruthfulBidder, TruthfulBidder)
    question, chance = match.decisions[-1].question, GameChance(1)
    briefing = briefing_for(AUCTION)
    for layout in (1, 2):
        framing = Framing(unit="points", layout=layout)
        assert words in rules_text(briefing, question, framing, chance)
        asked = question_text(briefing, question, framing, chance)
        assert f"your value is {question.view.value:g} points" in asked
        assert "Your own rounds: round 1" in asked


def test_the_scene_has_values_beside_the_bids_on_both_sides() -> None:
    prices = PRESENTATION.scene(AuctionRules(), 3).prices
    assert prices is not None
    assert (prices.quotes, prices.values, prices.right) == ("bid", "value", (2,))
