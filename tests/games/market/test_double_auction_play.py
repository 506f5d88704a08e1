"""A double auction from the inside: what is recorded, what seats and spectators may know, and its contract."""

import re
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from marketplace import play, register, scripted
from ostrom.core import Event, EventRegistry, GameChance, InputError
from ostrom.core.secrecy import PrivateTo
from ostrom.core.telling import story_of
from ostrom.experiment import record_of, replay
from ostrom.experiment.match import Match, play_match
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.events import EVENTS, finals
from ostrom.games.market.double_auction.play import BUYERS, SELLERS
from ostrom.games.market.double_auction.players import STRATEGIES, past_quotes
from ostrom.games.market.double_auction.rules import market_labels, market_roles
from ostrom.games.market.double_auction.scene import PRESENTATION
from ostrom.games.market.talk import readers_of, recipients
from ostrom.games.market.values import draw_values, family_of
from ostrom.players.models.briefing import briefing_for
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text
from ostrom.players.strategy import entry_of
from ostrom.testing import check_game

WORKED = DoubleAuctionRules(rounds=1, given="86,64,25,10;19,61,81,90")


def secrets(rules: DoubleAuctionRules, seats: int, seed: int) -> list[list[float]]:
    """The private value of each seat. A whole value has too few digits to be recognised."""
    if rules.tick:
        return [[] for _ in range(seats)]
    least = rules.min_surplus * rules.max_price
    roles = market_roles(seats)
    family = family_of(rules.values, GameChance(seed))
    drawn = draw_values(GameChance(seed), roles, family, rules.max_price, rules.tick, least)
    return [[value] for value in drawn]


@pytest.mark.slow
@pytest.mark.parametrize("study", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "rules",
    [
        # Continuous values have many digits, so that the check of secrets recognises them.
        DoubleAuctionRules(rounds=3, tick=0, messages="addressed", talk="at-once", values="mixed"),
        pytest.param(
            DoubleAuctionRules(rounds=3, tick=0, messages="all", disclosure="prices", values="correlated"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            DoubleAuctionRules(rounds=2, messages="side", unreadable="private-value", k=0.3, values="two-clusters"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            DoubleAuctionRules(rounds=4, tick=0, anonymity=True, continuation=0.6, messages="all"),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["addressed", "prices only", "sides", "anonymous"],
)
def test_the_game_keeps_the_contract_and_its_secrets(rules: DoubleAuctionRules, study: bool) -> None:
    check_game(register(), rules=[rules], seeds=(1, 2) if study else (1,), secrets=secrets, study=study)


def cleared(match: Match) -> list[Any]:
    return [event for event in match.events if event.tag == "market_cleared"]


def test_the_worked_example_of_the_rules() -> None:
    prices = set()
    for seed in range(20):
        match = play(WORKED, *[[bid] for bid in (86, 64, 25, 10)], *[[ask] for ask in (19, 61, 81, 90)], seed=seed)
        (event,) = cleared(match)
        assert [(trade.buyer, trade.seller) for trade in event.trades] == [(0, 4), (1, 5)]
        assert [trade.price - trade.half_up for trade in event.trades] == [52, 62]
        assert event.prices == [trade.price for trade in event.trades]
        first, second = event.prices
        assert event.gains == [86 - first, 64 - second, 0, 0, first - 19, second - 61, 0, 0]
        assert finals(match.events) == event.payoffs
        prices.add(tuple(event.prices))
    assert prices == {(52, 62), (52, 63), (53, 62), (53, 63)}


def test_halves_go_up_and_down_equally_often() -> None:
    rules = DoubleAuctionRules(rounds=1000, given="100;0")
    trades = cleared(play(rules, [61] * 1000, [40] * 1000))
    ups = sum(event.trades[0].half_up for event in trades)
    assert 440 < ups < 560


def test_the_price_is_weighted_by_k() -> None:
    for k, price in {0.0: 40, 0.3: 46, 1.0: 60}.items():
        match = play(DoubleAuctionRules(rounds=1, k=k, given="80;20"), [60], [40])
        assert cleared(match)[0].prices == [price]
    match = play(DoubleAuctionRules(rounds=1, tick=0, k=0.25, given="80;20"), [60.5], [40])
    assert cleared(match)[0].prices == [45.125]


def test_a_trade_at_a_loss_is_allowed_and_costs() -> None:
    match = play(DoubleAuctionRules(rounds=1, given="30;50"), [60], [40])
    assert finals(match.events) == [-20, 0]


def test_a_seat_without_a_quote_forfeits_the_round_or_quotes_its_value() -> None:
    forfeit = play(DoubleAuctionRules(rounds=1, given="80;20"), [None], [40])
    assert cleared(forfeit)[0].quotes == [None, 40]
    assert finals(forfeit.events) == [0, 0]
    rules = DoubleAuctionRules(rounds=1, given="80;20", unreadable="private-value")
    valued = play(rules, [], [40])
    assert cleared(valued)[0].quotes == [80, 40]


def test_invalid_rules_are_refused() -> None:
    for settings in ({"given": "80"}, {"given": "101;0"}, {"given": "80.5;20"}, {"tick": 2}, {"values": "normal"}):
        with pytest.raises(ValidationError):
            DoubleAuctionRules(**settings)
    with pytest.raises(InputError, match="2 private values are given, and the table has 4 seats"):
        play(DoubleAuctionRules(given="80;20"), *[[1] * 10] * 4)


def test_a_record_replays_and_values_stay_the_same_in_all_rounds() -> None:
    match = play_match(register(), DoubleAuctionRules(), [STRATEGIES["GD"]] * 4, GameChance(3))
    assert replay(record_of(match)).events == match.events
    assert match.events[0].values == match.events[-1].values


# What is known, and to whom.


class Announced(Event, tag="announced", private_to="readers"):
    """A fact whose readers the rules choose, with a detail that has readers of its own."""

    readers: list[int | None]
    few: list[int | None]
    detail: Annotated[int, PrivateTo("few")]


@pytest.mark.parametrize("few", [[], [1], [None, 0, 1]])
def test_none_in_a_list_of_readers_is_the_public(few: list[int | None]) -> None:
    registry = EventRegistry()
    registry.register(Announced)
    for readers in ([], [1], [None, 0, 1]):
        record = Announced(readers=readers, few=few, detail=7).as_record()
        for seat in (None, 0, 1):
            seen = registry.seen_by(record, seat)
            assert seen["event"] == ("announced" if seat in readers else "hidden")
            assert seen.get("detail") == (7 if seat in readers and seat in few else None)


def talking(rules: DoubleAuctionRules, *said: Any) -> Match:
    """A game of four seats that say these messages in the first round and quote 50."""
    players = [entry_of(scripted([50] * rules.rounds, [text] if text is not None else [])) for text in said]
    return play_match(register(), rules, players, GameChance(1))


def heard(match: Match, seat: int) -> list[str]:
    """The messages that a seat knows at its last question."""
    questions = [decision.question for decision in match.decisions if decision.question.seat.index == seat]
    return sorted(message.text for message in questions[-1].view.messages)


def test_messages_reach_their_readers_only() -> None:
    rules = DoubleAuctionRules(rounds=1, messages="addressed", talk="at-once")
    said = (
        {"to": "sellers", "text": "a"},
        {"to": 2, "text": "b"},
        {"to": "all", "text": "c"},
        {"to": "all", "text": ""},
    )
    match = talking(rules, *said)
    assert [heard(match, seat) for seat in range(4)] == [["a", "c"], ["b", "c"], ["a", "b", "c"], ["a", "c"]]
    events = [event for event in match.events if event.tag == "message_said"]
    assert [event.readers for event in events] == [[0, 2, 3], [1, 2], [None, 0, 1, 2, 3]]
    seen = {seat: [EVENTS.seen_by(event.as_record(), seat)["event"] for event in events] for seat in (None, 1, 3)}
    assert seen == {
        None: ["hidden", "hidden", "message_said"],
        1: ["hidden", "message_said", "message_said"],
        3: ["message_said", "hidden", "message_said"],
    }
    # At once: no seat has read a message of the round while it writes.
    assert all(not len(one.question.view.messages) for one in match.decisions if one.question.phase == "message")


def test_sides_are_private_and_messages_in_turn_are_read_at_once() -> None:
    match = talking(DoubleAuctionRules(rounds=1, messages="side"), "a", "b", "c", "d")
    assert [heard(match, seat) for seat in range(4)] == [["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"]]
    match = talking(DoubleAuctionRules(rounds=1, messages="all"), "a", "b", "c", "d")
    counts = [len(one.question.view.messages) for one in match.decisions if one.question.phase == "message"]
    assert counts == [0, 1, 2, 3]


def test_recipients_and_readers() -> None:
    assert recipients(1, 4, (BUYERS, SELLERS)) == ("all", "buyers", "sellers", 0, 2, 3)
    roles = market_roles(4)
    assert readers_of("buyers", 2, roles) == [0, 1, 2]
    assert readers_of(3, 1, roles) == [1, 3]
    assert market_labels(4) == ("B1", "B2", "S1", "S2")


def test_quotes_are_public_only_if_the_rules_disclose_them() -> None:
    for disclosure in ("quotes", "prices"):
        rules = DoubleAuctionRules(rounds=2, disclosure=disclosure, given="80;20")
        match = play(rules, [60, 60], [41, 41])
        (event, _) = cleared(match)
        view = match.decisions[-1].question.view
        public = EVENTS.seen_by(event.as_record())
        shown = disclosure == "quotes"
        assert public["quotes"] == ([60, 41] if shown else None)
        assert (public["trades"] is not None) == shown
        assert public["prices"] == event.prices
        assert public["gains"] == public["payoffs"] == [None, None]
        assert EVENTS.seen_by(event.as_record(), 1)["gains"] == [None, event.gains[1]]
        (past,) = view.history
        assert past.quotes == ((60, 41) if shown else ())
        assert past.prices == tuple(event.prices)
        assert view.own[0].quote == 41


def test_no_one_learns_who_made_an_anonymous_quote() -> None:
    rules = DoubleAuctionRules(rounds=2, anonymity=True, given="80,60;20,40")
    match = play(rules, [60, 60], [61, 50], [41, None], [30, 30])
    event = cleared(match)[0]
    assert EVENTS.seen_by(event.as_record(), 1)["quotes"] is None
    assert EVENTS.seen_by(event.as_record(), 1)["trades"] is None
    posted = next(event for event in match.events if event.tag == "market_posted")
    assert (posted.bids, posted.asks) == ([61, 60], [30, 41])
    second = [one.question.view for one in match.decisions if one.question.key[:2] == (2, "quote")]
    for view in second:
        (past,) = view.history
        assert past.quotes == (61, 60, 30, 41)
        assert past.trades == ()
        assert past.prices == tuple(event.prices)
    assert [view.own[0].quote for view in second] == [60, 61, 41, 30]
    assert {quotes.accepted for quotes in past_quotes(second[0], second[0].history[0])} == {(61, 60), (30, 41)}


@pytest.mark.parametrize("variant", ["plain", "story", "terse"])
@pytest.mark.parametrize("market", ["call", "continuous"])
def test_prompts_of_anonymous_markets_name_no_seat_that_quoted(variant: str, market: str) -> None:
    rules = DoubleAuctionRules(rounds=9, continuation=0.99, market=market, anonymity=True, given="80,60;20,40")
    match = play(rules, [60, 66], [61, 50], [41, 33], [37, 30])
    question = match.decisions[-1].question
    framing = Framing(unit="points", layout=1, variant=variant)
    briefing = briefing_for(register())
    past = "\n".join(briefing.past(question, framing, GameChance(1)))
    assert not re.search(r"\b[BS][12]\b", past)
    if market == "call":
        assert "61, 60" in past
        assert "37, 41" in past
    text = question_text(briefing, question, framing, GameChance(1))
    stated = rules_text(briefing, question, framing, GameChance(1))
    assert "at most 9" in text
    assert "with probability 0.99" in stated
    assert "name" in stated or "not who quoted" in stated or "is not shown" in stated


def test_the_end_of_a_game_is_drawn_after_each_round() -> None:
    rules = DoubleAuctionRules(rounds=50, continuation=0.8)
    lengths = set()
    for seed in range(8):
        match = play_match(register(), rules, [STRATEGIES["Truthful"]] * 2, GameChance(seed))
        lengths.add(len(cleared(match)))
        assert match.events[-1].round == len(cleared(match))
    assert len(lengths) > 3
    assert max(lengths) < 50


def test_given_values_are_in_no_view_and_no_prompt_of_another_seat() -> None:
    rules = DoubleAuctionRules(rounds=2, given="83.25,71.5;19.75,64.25", tick=0)
    match = play(rules, *[[50.0, 50.0]] * 4)
    briefing = briefing_for(register())
    texts = ["83.25", "71.5", "19.75", "64.25"]
    for decision in match.decisions:
        question = decision.question
        assert question.view.rules.given is None
        for layout in (1, 2):
            framing = Framing(unit="points", layout=layout)
            shown = rules_text(briefing, question, framing, GameChance(1)) + question_text(
                briefing, question, framing, GameChance(1)
            )
            assert [text for text in texts if text in shown] == [texts[question.seat.index]]


# Prompts.


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("variant", ["plain", "story", "terse"])
def test_prompts_have_the_past_the_value_and_the_question(variant: str, layout: int) -> None:
    rules = DoubleAuctionRules(rounds=3, given="80,60;20,40", messages="side")
    players = [entry_of(scripted([70, 55, 50], [f"hello from {seat}"])) for seat in range(4)]
    match = play_match(register(), rules, players, GameChance(1))
    question = next(one.question for one in match.decisions if one.question.key == (3, "quote", 0))
    framing = Framing(unit="points", layout=layout, variant=variant)
    briefing = briefing_for(register())
    text = question_text(briefing, question, framing, GameChance(1))
    assert "80 points" in text
    assert "hello from 1" in text
    assert "hello from 2" not in text
    assert "B1" in text
    past = "\n".join(briefing.past(question, framing, GameChance(1)))
    assert "B1 70" in past
    assert ("B1 70" in text) == (layout == 1)
    stated = rules_text(briefing, question, framing, GameChance(1))
    assert ("You" in stated and "B1, a buyer" in stated) == (layout == 1 and variant == "plain")
    assert "S2" in stated


def test_answers_are_read_in_every_phase() -> None:
    briefing = briefing_for(register())
    match = talking(DoubleAuctionRules(rounds=1, messages="addressed"), None, None, None, None)
    question = match.decisions[0].question
    fields = briefing.form(question, Framing(unit="points"), GameChance(1))
    assert [field.name for field in fields] == ["to", "text"]
    assert fields[0].from_tag("all sellers") == "sellers"
    assert briefing.decode(question, {"to": "all", "text": "hi"}) == {"to": "all", "text": "hi"}
    quote = next(one.question for one in match.decisions if one.question.phase == "quote")
    (field,) = briefing.form(quote, Framing(unit="points"), GameChance(1))
    assert (field.from_tag("42"), field.from_tag("pass")) == (42, None)


def test_the_scene_has_buyers_on_the_left_and_tells_values_at_the_end() -> None:
    match = play(WORKED, *[[50]] * 8)
    story = story_of(PRESENTATION, match.rules, 8, match.events)
    assert story.scene.roles == market_roles(8)
    assert story.scene.prices is not None
    assert story.scene.prices.right == (4, 5, 6, 7)
    hidden = [EVENTS.decode(EVENTS.seen_by(event.as_record())) for event in match.events[:-1]]
    assert story_of(PRESENTATION, match.rules, 8, hidden).tellings[0].effects[0].values == {"value": (None,) * 8}
    assert story.tellings[-1].effects[0].values["value"] == (86, 64, 25, 10, 19, 61, 81, 90)
