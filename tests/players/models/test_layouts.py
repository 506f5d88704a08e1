"""Layout 2: what all seats share stands first, and the same for all; what is a seat's own stands last."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from asked import FakeConnection, play, player

from ostrom.analysis.pooling import _descriptions
from ostrom.core import GameChance, Line
from ostrom.core.plugins import GAMES
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.connection import messages_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import prompt_of, variants_of
from ostrom.players.roster import ModelContestant, contestant_of, description

TABLES = {
    "contribute_punish": (5, {"rounds": 8, "message_rounds": 2}),
    "commons": (4, {"turns": 6}),
    "repeated": (2, {"rounds": 8, "messages": True, "disguise": True}),
    "public_goods": (4, {}),
    "trust": (2, {}),
}
CASES = [(game, variant) for game in TABLES for variant in variants_of(briefing_of(game))]


def sent(game, variant, *, number=0, form="tags", **settings):
    """The prompts of one game of models, in layout 2."""
    count, rules = TABLES[game]
    chance, connection = GameChance(7, number), FakeConnection(form)
    framing = replace(framing_of(game), variant=variant, layout=2)
    players = [player(game, connection, framing, chance, personality="Be calm.", **settings) for _ in range(count)]
    play(GAMES[game], GAMES[game].rules(**rules), players, chance, connection)
    return connection.sent


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_the_rules_are_the_same_for_all_seats_of_all_games(game, variant):
    prompts = [prompt for number in (0, 1) for prompt in sent(game, variant, number=number)]
    assert len({prompt[0] for prompt in prompts}) == 1
    assert prompts[0][0].role == "system"


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_the_personality_comes_last_unless_the_bot_says_otherwise(game, variant):
    for prompt in sent(game, variant):
        assert prompt[-1].text.startswith("Be calm.\n\n")
        assert not any("Be calm." in line.text for line in prompt[:-1])
    for prompt in sent(game, variant, personality_first=True):
        assert prompt[0].text.startswith("Be calm.\n\n")
        assert "Be calm." not in prompt[-1].text


@pytest.mark.parametrize(("game", "variant"), [case for case in CASES if case[0] in ("contribute_punish", "repeated")])
def test_the_shared_past_only_grows_at_its_end(game, variant):
    prompts = sent(game, variant)
    shared = ["\n\n".join(line.text for line in prompt[1:-1]) for prompt in prompts]
    breaks = sum(not text.startswith(before) for before, text in pairwise(shared))
    # Messages are removed from two rounds at once.
    assert breaks <= 2
    assert len(set(shared)) < len(shared)


@pytest.mark.parametrize("variant", ["plain", "story", "terse"])
def test_no_other_seat_reads_who_punished_whom_in_secret(variant):
    chance, connection = GameChance(7), FakeConnection("tags")
    framing = Framing(variant=variant, layout=2)
    players = [player("contribute_punish", connection, framing, chance) for _ in range(4)]
    game = GAMES["contribute_punish"]
    play(game, game.rules(rounds=3, anonymous=True, messages=False), players, chance, connection)
    past = [line.text for prompt in connection.sent for line in prompt[1:-1]]
    assert any("Round 2" in text or "R2" in text for text in past)
    assert not any(" spent " in text for text in past)
    assert any("you spent" in prompt[-1].text for prompt in connection.sent)


@pytest.mark.parametrize("variant", ["plain", "story", "terse"])
def test_a_secret_in_a_view_of_the_commons_stands_in_the_seats_own_part_alone(variant):
    chance, connection = GameChance(7), FakeConnection("native")
    secret = 3.14159
    framing = replace(framing_of("commons"), variant=variant, layout=2)
    player_of = [player("commons", connection, framing, chance) for _ in range(4)]
    game, questions = GAMES["commons"], []
    for one in player_of:
        compose = one.compose
        one.compose = lambda question, past, compose=compose: questions.append(question) or compose(question, past)
    play(game, game.rules(turns=3), player_of, chance, connection)
    question = next(asked for asked in reversed(questions) if asked.view.own)
    own = [replace(past, lobby=secret, gain=secret) for past in question.view.own]
    planted = replace(question, view=replace(question.view, own=tuple(own)))
    *shared, last = prompt_of("commons", planted, framing, chance)
    assert "3.14" in last.text
    assert not any("3.14" in line.text for line in shared)


def test_a_conversation_goes_on_from_what_was_sent():
    by_seat = {}
    for prompt in sent("commons", "plain", form="native"):
        by_seat.setdefault(re.search(r"You are (\w+)", prompt[-1].text)[1], []).append(prompt)
    assert len(by_seat) == 4
    for before, after in (pair for own in by_seat.values() for pair in pairwise(own)):
        assert after[: len(before) - 1] == before[:-1]


def test_a_new_bot_has_layout_2_and_one_that_was_stored_before_there_were_layouts_keeps_layout_1():
    new = ModelContestant(Bot(name="b", model="openai:gpt-5-mini"), "contribute_punish")
    assert new.own_framing.layout == 2
    stored = description(new)
    assert stored["bot"]["layout"] == 2
    assert contestant_of("contribute_punish", stored).own_framing.layout == 2
    del stored["bot"]["layout"]
    assert contestant_of("contribute_punish", stored).own_framing.layout == 1


def test_blocks_of_the_past_are_one_message_or_marked_where_caches_may_end():
    prompt = [Line("system", "rules"), Line("user", "one"), Line("user", "two"), Line("user", "own")]
    (request,) = messages_of(prompt)
    assert [part.content for part in request.parts] == ["rules", "one\n\ntwo\n\nown"]
    (request,) = messages_of(prompt, marked=True)
    content = request.parts[1].content
    assert [part if isinstance(part, str) else part.kind for part in content] == [
        *("one\n\n", "cache-point", "two\n\n", "cache-point", "own"),
    ]
    assert "".join(part for part in content if isinstance(part, str)) == "one\n\ntwo\n\nown"


def test_bots_of_different_layouts_are_told_apart_and_earlier_ones_had_layout_1():
    def described(**fields):
        settings = {"game": "contribute_punish", "players": [{"bot": {"name": "b", "model": "m", **fields}}]}
        return _descriptions(settings)["b"]

    assert described() == described(layout=1, personality_first=False)
    assert described() != described(layout=2, personality_first=False)
