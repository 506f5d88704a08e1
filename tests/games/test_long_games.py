"""What the questions of a long game hold: the past is kept once, and not anew for every question."""

import tracemalloc

import pytest

from ostrom.core import Answer, GameChance, Table, seats
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules

SEATS = 5


def asked(game, rules):
    """All questions of a game, with nothing but fallbacks for answers."""
    questions = []
    flow = game.play(rules, Table(seats(SEATS), GameChance(1)))
    try:
        moment = next(flow)
        while True:
            questions += moment
            moment = flow.send([Answer(question.fallback) for question in moment])
    except StopIteration:
        return questions


def held(turns):
    """How much memory the questions of a Commons take."""
    tracemalloc.start()
    try:
        questions = asked(COMMONS, CommonsRules(turns=turns))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(questions) == turns * SEATS
    return taken


@pytest.mark.slow
def test_memory_of_a_commons_grows_with_its_turns_and_not_with_their_square():
    assert held(400) < 1.5 * 4 * held(100)


@pytest.mark.parametrize("anonymous", [False, True])
def test_seats_of_contribute_and_punish_recall_a_round_with_its_messages_and_without(anonymous):
    rules = ContributePunishRules(rounds=40, multiplier=1.0, anonymous=anonymous)
    recalled = [past for question in asked(CONTRIBUTE_PUNISH, rules) for past in question.view.history]
    assert len({id(past) for past in recalled}) <= 2 * SEATS * rules.rounds
