"""Payoffs of the played games by hand, for every way in which each can end."""

import pytest

from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.core.telling import presentation_of, sentences, story_of
from ostrom.experiment import play_match
from ostrom.testing import ScriptedJudge


def played(name, moves, **settings):
    """Play a game in which each seat gives one answer, or one for every turn in which it is asked."""

    def seated(move):
        return ScriptedJudge(lambda question: move[question.turn] if isinstance(move, dict) else move)

    game = GAMES[name]
    return play_match(game, game.rules(**settings), [seated(move) for move in moves], GameChance(1))


CASES = [
    ("dictator", {"pot": 10}, [0, None], [10, 0]),
    ("dictator", {"pot": 10}, [2.75, None], [7.25, 2.75]),
    ("dictator", {"pot": 10}, [5, None], [5, 5]),
    ("dictator", {"pot": 10}, [10, None], [0, 10]),
    ("ultimatum", {}, [40, "accept"], [60, 40]),
    ("ultimatum", {}, [40, "reject"], [0, 0]),
    ("ultimatum", {}, [0, "accept"], [100, 0]),
    ("ultimatum", {}, [0, "reject"], [0, 0]),
    ("ultimatum", {}, [100, "accept"], [0, 100]),
    ("ultimatum", {}, [33.33, "accept"], [66.67, 33.33]),
    # The means of Berg, Dickhaut and McCabe, with the payoffs that follow from 10.
    ("trust", {"endowment": 10}, [5.16, 4.66], [9.5, 10.82]),
    ("trust", {"endowment": 10}, [10, 15], [15, 15]),
    ("trust", {"endowment": 10}, [10, 30], [30, 0]),
    ("trust", {"endowment": 10}, [10, 0], [0, 30]),
    ("trust", {"endowment": 10}, [0, None], [10, 0]),
    ("trust", {"endowment": 10, "multiplier": 1.5}, [4, 1], [7, 5]),
    ("stag_hunt", {"hare": 25}, ["stag", "stag"], [100, 100]),
    ("stag_hunt", {"hare": 25}, ["stag", "hare"], [0, 25]),
    ("stag_hunt", {"hare": 25}, ["hare", "stag"], [25, 0]),
    ("stag_hunt", {"hare": 25}, ["hare", "hare"], [25, 25]),
    ("traveller", {}, [100, 100], [100, 100]),
    ("traveller", {}, [100, 99], [97, 101]),
    ("traveller", {}, [2, 100], [4, 0]),
    ("traveller", {}, [2, 2], [2, 2]),
    ("traveller", {}, [3, 2], [0, 4]),
    ("traveller", {"scale": 0.1}, [10, 9.9], [9.7, 10.1]),
    ("traveller", {"scale": 0.1}, [0.1 + 0.2, 0.3], [0.3, 0.3]),
    ("traveller", {"scale": 10}, [1000, 20], [0, 40]),
    ("traveller", {"bonus": 20}, [100, 50], [30, 70]),
    ("public_goods", {}, [0, 0, 0], [100, 100, 100]),
    ("public_goods", {}, [100, 100, 100], [150, 150, 150]),
    ("public_goods", {}, [100, 0, 0], [50, 150, 150]),
    ("public_goods", {}, [10.5, 20, 0.25], [104.875, 95.375, 115.125]),
    ("public_goods", {"endowment": 10, "multiplier": 1}, [10, *[0] * 9], [1, *[11] * 9]),
    ("matching_pennies", {"prize": 10}, ["heads", "heads"], [10, 0]),
    ("matching_pennies", {"prize": 10}, ["tails", "tails"], [10, 0]),
    ("matching_pennies", {"prize": 10}, ["heads", "tails"], [0, 10]),
    ("matching_pennies", {"prize": 10}, ["tails", "heads"], [0, 10]),
]


@pytest.mark.parametrize(("game", "settings", "moves", "payoffs"), CASES)
def test_payoffs_by_hand(game, settings, moves, payoffs):
    end = played(game, moves, **settings).events[-1]
    assert end.payoffs == payoffs
    assert end.winners == [seat for seat, payoff in enumerate(payoffs) if payoff == max(payoffs)]


def test_a_returner_who_received_nothing_is_not_asked():
    match = played("trust", [0, None])
    assert [decision.question.phase for decision in match.decisions] == ["sender"]
    assert [event.tag for event in match.events] == ["sent", "returned", "game_ended"]


TAKEN = {1: [1.25, 0.62], 2: [0.62, 2.5], 3: [2.5, 1.25], 4: [1.25, 5], 5: [5, 2.5], 6: [2.5, 10], None: [10, 5]}


@pytest.mark.parametrize("node", TAKEN)
@pytest.mark.parametrize("scale", [1, 10, 100])
def test_the_centipede_pays_the_amounts_of_its_last_node(node, scale):
    moves = {turn: "take" if turn == node else "pass" for turn in range(1, 7)}
    match = played("centipede", [moves, moves], scale=scale)
    assert match.events[-1].payoffs == pytest.approx([scale * payoff for payoff in TAKEN[node]], abs=1e-12)
    assert match.events[-1].winners == [TAKEN[node].index(max(TAKEN[node]))]
    asked = [(decision.question.turn, decision.question.seat.index) for decision in match.decisions]
    assert asked == [(turn, (turn + 1) % 2) for turn in range(1, (node or 6) + 1)]


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
def test_the_guess_closest_to_two_thirds_of_the_mean_wins_and_ties_share(guesses, payoffs):
    assert played("beauty_contest", guesses).events[-1].payoffs == pytest.approx(payoffs, abs=1e-8)


@pytest.mark.parametrize(
    ("amount", "text"),
    [(2, "the game ends; P1 gets most"), (10, "the game ends; P2 gets most"), (5, "the game ends; all get the same")],
)
def test_the_last_sentence_names_the_winner(amount, text):
    match = played("dictator", [amount, None], pot=10)
    last = story_of(presentation_of(match.game), match.rules, 2, match.events).tellings[-1]
    assert sentences(last, ["P1", "P2"]) == [text]
