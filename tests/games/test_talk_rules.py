"""The rules of talk, in every game that has them: at once, no seat reads another's message of the round before all have
written; in turn, each reads those before its own, in an order drawn every round or once."""

import pytest

from ostrom.core import Answer, GameChance, Question, Table, seats
from ostrom.core.plugins import GAMES
from ostrom.core.telling import presentation_of
from ostrom.players.models.briefing import framing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import prompt_of

ROUNDS = 8
GAMES_WITH_TALK = [name for name, game in GAMES.items() if "talk" in game.rules.model_fields]


def rules_of(name, **settings):
    rules = GAMES[name].rules
    messages = True if rules.model_fields["messages"].annotation is bool else "all"
    return rules(rounds=ROUNDS, messages=messages, **settings)


def asked(name, rules):
    """The questions for messages by round, in the order of asking, and the messages of the round that each prompt
    shows, by layout."""
    game, chance = GAMES[name], GameChance(5)
    count = max(game.seats.fewest, game.seats.usual or 4)
    flow = game.play(rules, Table(seats(count), chance))
    rounds: dict[int, list[tuple[int, list[set[int]]]]] = {}
    answers, steps = None, 0
    while True:
        try:
            step = flow.send(answers)
        except StopIteration:
            return rounds, steps, count
        steps += 1
        for question in step:
            if question.phase == "message":
                shown = [read_by(name, question, chance, layout, count) for layout in (1, 2)]
                rounds.setdefault(question.turn, []).append((question.seat.index, shown))
        answers = [Answer(question.spec.validate(value_of(question))) for question in step]


def value_of(question: Question) -> object:
    return word(question.turn, question.seat.index) if question.phase == "message" else question.fallback


def word(turn: int, seat: int) -> str:
    return f"said{turn}by{seat}end"


def read_by(name, question, chance, layout, count) -> set[int]:
    framing = Framing(unit=framing_of(name).unit, layout=layout)
    text = "\n".join(line.text for line in prompt_of(name, question, framing, chance))
    return {seat for seat in range(count) if word(question.turn, seat) in text}


def test_all_games_with_messages_before_a_decision_have_the_rule():
    assert {"contribute_punish", "contributions", "repeated", "double_auction", "bargaining", "auction"} <= {
        *GAMES_WITH_TALK
    }


@pytest.mark.parametrize("name", GAMES_WITH_TALK)
def test_at_once_no_seat_reads_a_message_before_all_have_written(name):
    rounds, _, count = asked(name, rules_of(name, talk="at-once"))
    assert len(rounds) == ROUNDS
    for messages in rounds.values():
        assert len(messages) == count
        assert all(shown == [set(), set()] for _, shown in messages)


@pytest.mark.parametrize("name", GAMES_WITH_TALK)
def test_in_turn_each_seat_reads_the_messages_before_its_own(name):
    rounds, steps, count = asked(name, rules_of(name, talk="in-turn"))
    for messages in rounds.values():
        order = [seat for seat, _ in messages]
        assert sorted(order) == list(range(count))
        for place, (_, shown) in enumerate(messages):
            assert shown == [set(order[:place])] * 2
    at_once = asked(name, rules_of(name, talk="at-once"))[1]
    assert steps == at_once + ROUNDS * (count - 1)


@pytest.mark.parametrize("name", GAMES_WITH_TALK)
def test_the_order_of_writing_is_drawn_every_round_or_once(name):
    def orders(**settings):
        rounds = asked(name, rules_of(name, talk="in-turn", **settings))[0]
        return {tuple(seat for seat, _ in messages) for messages in rounds.values()}

    assert len(orders()) > 1
    assert len(orders(redraw_order=False)) == 1


@pytest.mark.parametrize("name", GAMES_WITH_TALK)
def test_prompts_scenes_and_stored_rules_know_the_rules_of_talk(name):
    game, chance = GAMES[name], GameChance(5)
    count = max(game.seats.fewest, game.seats.usual or 4)
    settings = ({"talk": "at-once"}, {"talk": "in-turn"}, {"talk": "in-turn", "redraw_order": False})
    texts, titles = set(), set()
    for chosen in settings:
        rules = rules_of(name, **chosen)
        assert game.rules(**rules.model_dump(mode="json")) == rules
        question = next(game.play(rules, Table(seats(count), chance)))[0]
        texts.add(prompt_of(name, question, Framing(unit=framing_of(name).unit, layout=2), chance)[0].text)
        phases = presentation_of(game).scene(rules, count).phases
        titles.add(next(phase.title for phase in phases if phase.name == "speak"))
    assert len(texts) == len(settings)
    assert len(titles) == 2
    assert "redraw_order" not in rules_of(name).model_dump()
