"""Payoffs of the played games by hand, for every way in which each can end."""

import pytest

from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.core.telling import presentation_of, sentences, story_of
from ostrom.experiment import play_match
from ostrom.testing.scripted import ScriptedJudge


def played(game, moves, seed=1, **settings):
    """A game in which each seat answers what is written: one move, or one for every turn in which it is asked."""

    def seated(move):
        return ScriptedJudge(lambda question: move[question.turn] if isinstance(move, dict) else move)

    kind = GAMES[game]
    return play_match(kind, kind.rules(**settings), [seated(move) for move in moves], GameChance(seed))


def paid(game, moves, **settings):
    end = played(game, moves, **settings).events[-1]
    return end.payoffs, end.winners


@pytest.mark.parametrize(
    ("given", "payoffs", "winners"),
    [(0, [10, 0], [0]), (2.75, [7.25, 2.75], [0]), (5, [5, 5], [0, 1]), (10, [0, 10], [1])],
)
def test_a_dictator_keeps_what_it_does_not_give(given, payoffs, winners):
    assert paid("dictator", [given, None], pot=10) == (payoffs, winners)


@pytest.mark.parametrize(
    ("offer", "response", "payoffs", "winners"),
    [
        (40, "accept", [60, 40], [0]),
        (40, "reject", [0, 0], [0, 1]),
        (0, "accept", [100, 0], [0]),
        (0, "reject", [0, 0], [0, 1]),
        (100, "accept", [0, 100], [1]),
        (33.33, "accept", [66.67, 33.33], [0]),
    ],
)
def test_an_ultimatum_is_accepted_or_leaves_both_with_nothing(offer, response, payoffs, winners):
    assert paid("ultimatum", [offer, response]) == (payoffs, winners)


@pytest.mark.parametrize(
    ("sent", "returned", "payoffs", "winners"),
    [
        (5.16, 4.66, [9.5, 10.82], [1]),  # the means of Berg, Dickhaut and McCabe, with what they make of 10
        (10, 15, [15, 15], [0, 1]),
        (10, 30, [30, 0], [0]),
        (10, 0, [0, 30], [1]),
        (0, None, [10, 0], [0]),
    ],
)
def test_what_is_sent_is_tripled_and_what_comes_back_is_not(sent, returned, payoffs, winners):
    assert paid("trust", [sent, returned], endowment=10) == (payoffs, winners)


def test_another_multiplier_and_a_seat_that_got_nothing_is_not_asked():
    assert paid("trust", [4, 1], endowment=10, multiplier=1.5)[0] == [7, 5]
    match = played("trust", [0, None])
    assert [decision.question.phase for decision in match.decisions] == ["sender"]
    assert [event.tag for event in match.events] == ["sent", "returned", "game_ended"]


@pytest.mark.parametrize(
    ("first", "second", "payoffs", "winners"),
    [
        ("stag", "stag", [100, 100], [0, 1]),
        ("stag", "hare", [0, 25], [1]),
        ("hare", "stag", [25, 0], [0]),
        ("hare", "hare", [25, 25], [0, 1]),
    ],
)
def test_the_stag_takes_two_and_the_hare_one(first, second, payoffs, winners):
    assert paid("stag_hunt", [first, second], hare=25) == (payoffs, winners)


TAKEN = {1: [1.25, 0.62], 2: [0.62, 2.5], 3: [2.5, 1.25], 4: [1.25, 5], 5: [5, 2.5], 6: [2.5, 10], None: [10, 5]}


@pytest.mark.parametrize("node", TAKEN)
@pytest.mark.parametrize("scale", [1, 10, 100])
def test_the_centipede_pays_what_its_node_says(node, scale):
    moves = {turn: "take" if turn == node else "pass" for turn in range(1, 7)}
    match = played("centipede", [moves, moves], scale=scale)
    assert match.events[-1].payoffs == pytest.approx([scale * payoff for payoff in TAKEN[node]], abs=1e-12)
    assert match.events[-1].winners == [TAKEN[node].index(max(TAKEN[node]))]
    asked = [(decision.question.turn, decision.question.seat.index) for decision in match.decisions]
    assert asked == [(turn, (turn + 1) % 2) for turn in range(1, (node or 6) + 1)]


@pytest.mark.parametrize(
    ("first", "second", "payoffs", "winners"),
    [
        (100, 100, [100, 100], [0, 1]),
        (100, 99, [97, 101], [1]),
        (2, 100, [4, 0], [0]),
        (2, 2, [2, 2], [0, 1]),
        (3, 2, [0, 4], [1]),
    ],
)
def test_the_lower_claim_is_paid_and_the_bonus_changes_hands(first, second, payoffs, winners):
    assert paid("traveller", [first, second]) == (payoffs, winners)


def test_claims_at_other_scales_and_bonuses():
    assert paid("traveller", [10, 9.9], scale=0.1)[0] == [9.7, 10.1]
    assert paid("traveller", [0.1 + 0.2, 0.3], scale=0.1)[0] == [0.3, 0.3]
    assert paid("traveller", [1000, 20], scale=10)[0] == [0, 40]
    assert paid("traveller", [100, 50], bonus=20)[0] == [30, 70]


@pytest.mark.parametrize(
    ("given", "payoffs", "winners"),
    [
        ([0, 0, 0], [100, 100, 100], [0, 1, 2]),
        ([100, 100, 100], [150, 150, 150], [0, 1, 2]),
        ([100, 0, 0], [50, 150, 150], [1, 2]),
        ([10.5, 20, 0.25], [104.875, 95.375, 115.125], [2]),
    ],
)
def test_the_fund_grows_and_everyone_gets_the_same_share(given, payoffs, winners):
    assert paid("public_goods", given) == (payoffs, winners)


def test_a_multiplier_of_one_moves_money_and_makes_none():
    payoffs, _ = paid("public_goods", [10, *[0] * 9], endowment=10, multiplier=1)
    assert payoffs == [1, *[11] * 9]


@pytest.mark.parametrize(
    ("guesses", "payoffs"),
    [
        ([50, 33, 22], [0, 0, 100]),  # the target is 23.3
        ([0, 0, 0], [100 / 3] * 3),
        ([30, 18, 24], [0, 100, 0]),  # the target is 16
        ([0, 100], [100, 0]),  # the target is 33.3
        ([100, 9, 11], [0, 0, 100]),  # the target is 26.7
        ([6, 4, 2], [0, 0, 100]),  # the target is 2.67
        ([10, 14, 18, 6], [50, 0, 0, 50]),  # the target is 8, and 10 and 6 are exactly as far from it
    ],
)
def test_the_closest_to_two_thirds_of_the_mean_wins_and_ties_share(guesses, payoffs):
    assert paid("beauty_contest", guesses)[0] == pytest.approx(payoffs, abs=1e-8)


@pytest.mark.parametrize(
    ("first", "second", "payoffs"),
    [
        ("heads", "heads", [10, 0]),
        ("tails", "tails", [10, 0]),
        ("heads", "tails", [0, 10]),
        ("tails", "heads", [0, 10]),
    ],
)
def test_the_matcher_wins_where_sides_are_the_same(first, second, payoffs):
    assert paid("matching_pennies", [first, second], prize=10)[0] == payoffs


@pytest.mark.parametrize(
    ("given", "said"),
    [(2, "the game ends; P1 gets most"), (10, "the game ends; P2 gets most"), (5, "the game ends; all get the same")],
)
def test_the_last_sentence_says_who_gets_most(given, said):
    match = played("dictator", [given, None], pot=10)
    last = story_of(presentation_of(match.game), match.rules, 2, match.events).told[-1]
    assert sentences(last, ["P1", "P2"]) == [said]
