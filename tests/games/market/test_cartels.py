"""The moves of cartels, among scripts and among themselves."""

import pytest

from marketplace import moves, play, scripted
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.cartel import PriceSignal, TalkingCartel
from ostrom.players.strategy import entry_of

FOUR = DoubleAuctionRules(rounds=4, given="90,60;20,40")
BIDS = ([80] * 8, [50] * 8)


def said(match, seat: int) -> list[str]:
    return [event.text for event in match.events if event.tag == "message_said" and event.seat == seat]


def test_a_cartel_of_sellers_signals_and_then_asks_the_same_price_below_the_best_bid() -> None:
    match = play(FOUR, *BIDS, PriceSignal, PriceSignal)
    # Round 1: halfway from the cost to 100. The quotes 80, 50, 60, 70 have the midpoint 65, and the limit lies halfway
    # from it to the best bid 80, at 72.5. The highest ask of round 1 is 70.
    assert moves(match, 2) == [60, 70, 70, 70]
    assert moves(match, 3) == [70, 70, 70, 70]


def test_a_stronger_cartel_asks_more_and_never_more_than_the_best_bid() -> None:
    for strength, asks in ((0.0, [20, 40, 40, 40]), (0.25, [40, 55, 55, 55]), (1.0, [100, 80, 80, 80])):
        entry = entry_of(PriceSignal).with_settings(f"strength={strength}")
        assert moves(play(FOUR, *BIDS, entry, entry), 2) == asks


def test_buyers_mirror_sellers() -> None:
    mirrored = DoubleAuctionRules(rounds=4, given="80,60;10,40")
    match = play(mirrored, PriceSignal, PriceSignal, [20] * 8, [50] * 8)
    assert moves(match, 0) == [40, 30, 30, 30]
    assert moves(match, 1) == [30, 30, 30, 30]


def test_a_cartel_punishes_an_undercutter_that_traded_and_signals_again() -> None:
    rules = FOUR.model_copy(update={"rounds": 8})
    other = [70, 50, 72, 72, 72, 72, 72, 72]
    match = play(rules, *BIDS, PriceSignal, other)
    # The first common price is asked in round 2, in which the other seller undercuts it and trades at 65. After two
    # rounds at its cost, the member signals the limit of 72.5 and follows the highest ask, its own.
    assert moves(match, 2) == [60, 70, 20, 20, 73, 73, 73, 73]
    never = play(rules, *BIDS, entry_of(PriceSignal).with_settings("punish=0"), other)
    assert moves(never, 2) == [60, 70, 70, 72, 72, 72, 72, 72]


def test_a_cartel_reads_prices_where_quotes_are_not_disclosed() -> None:
    rules = FOUR.model_copy(update={"disclosure": "prices"})
    match = play(rules, *BIDS, PriceSignal, [70, 30, 70, 70])
    # Round 1 trades at (80 + 60) / 2 = 70, the only price known. Round 2 trades at 55, which shows undercutting.
    assert moves(match, 2) == [60, 70, 20, 20]


def test_a_talking_cartel_proposes_agrees_takes_turns_and_threatens() -> None:
    rules = FOUR.model_copy(update={"rounds": 5, "messages": "side", "talk": "at-once"})
    quiet = scripted([70, 70, 50, 70, 70])
    match = play(rules, *BIDS, TalkingCartel, TalkingCartel)
    assert said(match, 2)[0] == "Let us all ask 60 in this round and take turns to be served first."
    # All write at once, so the first proposal is that of the first seller. In odd rounds it is served first.
    assert moves(match, 2) == [59, 70, 69, 70, 69]
    assert moves(match, 3) == [60, 69, 70, 69, 70]
    broken = play(rules, *BIDS, TalkingCartel, quiet)
    assert said(broken, 2)[3] == "S2 broke our price. The next 2 rounds I compete without mercy."
    assert moves(broken, 2)[3:] == [20, 20]


def test_members_who_write_in_turn_agree_with_the_first_proposal() -> None:
    rules = FOUR.model_copy(update={"rounds": 2, "messages": "side"})
    match = play(rules, *BIDS, TalkingCartel, TalkingCartel)
    lines = [event.text for event in match.events if event.tag == "message_said"]
    assert [line.split()[0] for line in lines] == ["Let", "Agreed:", "Let", "Agreed:"]


def test_a_talking_cartel_writes_to_its_own_side_and_keeps_within_the_words() -> None:
    rules = FOUR.model_copy(update={"rounds": 1, "messages": "addressed", "message_words": 4})
    match = play(rules, TalkingCartel, [50], TalkingCartel, [50])
    events = [event for event in match.events if event.tag == "message_said"]
    assert {(event.to, event.text) for event in events} == {
        ("buyers", "Let us all bid"),
        ("sellers", "Let us all ask"),
    }


def test_without_messages_a_talking_cartel_plays_as_one_that_signals() -> None:
    silent = play(FOUR, *BIDS, TalkingCartel, TalkingCartel)
    assert moves(silent, 2) == moves(play(FOUR, *BIDS, PriceSignal, PriceSignal), 2)


def test_no_proposal_is_followed_beyond_what_the_other_side_offers() -> None:
    rules = FOUR.model_copy(update={"rounds": 2, "messages": "side"})
    shark = scripted([70, 70], ["", "We all ask 9999999 now"])
    match = play(rules, *BIDS, TalkingCartel, shark, seed=3)
    assert max(moves(match, 2)) <= 80


def test_strengths_are_parameters_of_both_players() -> None:
    for kind in (PriceSignal, TalkingCartel):
        assert {parameter.name for parameter in entry_of(kind).parameters} == {"strength", "punish"}
        assert entry_of(kind).with_settings("strength=0.8").make().strength == pytest.approx(0.8)
