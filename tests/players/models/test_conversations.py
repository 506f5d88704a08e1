"""The conversation of the Commons: it goes on, is bounded, keeps no refused reply, and is a fold over decided turns."""

import json
from collections.abc import Sequence

from asked import FakeConnection, ask, bot, call, play, player, reply

from ostrom.core import Answer, Fault, GameChance, Line, Provenance, Question
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.player import Conversation, ConversationTurn, ModelPlayer, cut

LONG = CommonsRules(turns=40)
CHANCE = GameChance(3)


def game(connection: FakeConnection, rules: CommonsRules = LONG, **settings: object) -> list[tuple[Question, Answer]]:
    players = [player("commons", connection, Framing(), CHANCE, **settings) for _ in range(3)]
    return play(COMMONS, rules, players, CHANCE, connection)


def test_a_short_game_is_one_conversation() -> None:
    connection = FakeConnection("native")
    game(connection, CommonsRules(turns=3, voting=False))
    last = connection.sent[-1]
    assert [line.role for line in last] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert last[:4] == (*connection.sent[-4][:1], *last[1:3], last[3])
    assert "Answer with a JSON object" not in last[1].text, "the form is told where it is asked"


def test_a_long_conversation_is_bounded_and_its_oldest_turns_become_numbers() -> None:
    connection = FakeConnection("native")
    decided = game(connection, conversation=3000)
    mine = [(question, answer) for question, answer in decided if question.seat.index == 0]
    last = next(prompt for prompt in reversed(connection.sent) if prompt[0] == connection.sent[0][0])
    talk = last[1:-1]
    assert sum(len(line.text) for line in talk) < 3000 + 40 * 60, "the bound, and the summary"
    heading, numbers = last[1].text.split("\n")[:2]
    assert heading.startswith("Earlier turns in numbers")
    summary = json.loads(numbers)
    turns = summary["turn"]
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > 10
    assert summary["your_contribution"] == [round(a.value["contribution"], 4) for _, a in mine[: len(turns)]]
    view = mine[len(turns)][0].view
    assert summary["mean_contribution"][-1] == round(view.cooperation, 4)
    assert abs(summary["your_capital_at_its_end"][-1] - view.capital) < 0.011
    assert [line.role for line in last[1:]] == ["user", "assistant"] * (len(talk) // 2) + ["user"]


def test_many_turns_share_a_line_of_the_summary() -> None:
    briefing = briefing_of("commons")
    rows = [
        {"turn": t, "synergy": 2.0, "capital": 10.0 * t, "mean_before": 0.5, "contribution": 0.25, "lobby": 1.0}
        for t in range(1, 201)
    ]
    summary = json.loads(briefing.summary(rows, {"mean_before": 0.5, "capital": 5.0}, Framing()))
    assert len(summary["turn"]) == 40
    assert summary["turn"][0] == "1-5"
    assert summary["your_contribution"] == [0.25] * 40


def test_resuming_gives_the_same_letter() -> None:
    connection = FakeConnection("native")
    one = player("commons", connection, Framing(), CHANCE, conversation=2000)
    kept: list[tuple[Question, list, Answer]] = []
    remember = one.remember
    one.remember = lambda q, calls, a: (kept.append((q, list(calls), a)), remember(q, calls, a))  # type: ignore[method-assign]
    others = [player("commons", connection, Framing(), CHANCE) for _ in range(2)]
    play(COMMONS, CommonsRules(turns=25, voting=False), [one, *others], CHANCE, connection)
    for stopped in (1, 7, 24):
        again = player("commons", FakeConnection("native"), Framing(), CHANCE, conversation=2000)
        for question, calls, answer in kept[:stopped]:
            again.remember(question, calls, answer)
        asked = again.compose(kept[stopped][0], ()).prompt
        assert asked in connection.sent


def first_question(turn_rules: CommonsRules = LONG) -> Question:
    questions: list[Question] = []

    class Watching(ModelPlayer):
        def compose(self, question: Question, past: Sequence) -> object:  # type: ignore[override]
            questions.append(question)
            return super().compose(question, past)

    connection = FakeConnection("native")
    seated = [Watching(bot(), connection, briefing_of("commons"), Framing(), CHANCE) for _ in range(3)]
    play(COMMONS, turn_rules, seated, CHANCE, connection)
    return questions[0]


def test_refused_replies_are_shown_with_the_reason_and_then_forgotten() -> None:
    question = first_question(CommonsRules(turns=1))
    one = player("commons", FakeConnection("tags"), Framing(), CHANCE)
    fresh = one.compose(question, ()).prompt
    refused = call(2, "all of it! " * 500, fault=Fault.MALFORMED, error="the reply holds no whole <contribution>")
    lost = call(1, None, fault=Fault.TIMEOUT, error="no reply in time")
    again = one.compose(question, [lost, refused]).prompt
    assert [line.role for line in again] == ["system", "user", "assistant", "user"]
    assert again[2].text.startswith("all of it!")
    assert len(again[2].text) < 700
    assert "the reply holds no whole <contribution>" in again[3].text
    assert again[3].text.splitlines()[-1] == fresh[1].text.splitlines()[-1], "the form stands last again"
    empty = one.compose(question, [call(1, "", fault=Fault.EMPTY, error="the reply was empty")]).prompt
    assert [line.role for line in empty] == ["system", "user"]
    assert "Your last reply was empty" in empty[1].text
    assert one.compose(question, [lost]).prompt == fresh, "a fault of transport is none of the model's business"
    accepted = call(3, "<contribution>0.5</contribution><lobby>0</lobby><vote>nobody</vote>")
    answer = one.read(question, reply(accepted.reply or ""))
    one.remember(question, [lost, refused, accepted], answer)
    later = one.compose(question, ()).prompt
    assert [line.role for line in later] == ["system", "user", "assistant", "user"]
    assert later[2] == Line("assistant", accepted.reply or "")
    assert not any("all of it!" in line.text for line in later)


def test_a_defaulted_turn_is_told_as_such() -> None:
    connection = FakeConnection("tags", script=lambda prompt: "no" if len(connection.sent) <= 3 else None)
    question = first_question(CommonsRules(turns=1))
    one = player("commons", connection, Framing(), CHANCE)
    answer = ask(one, question, connection)
    assert answer.provenance is Provenance.DEFAULTED
    told = "In turn 1 you gave no valid answer; this was entered for you: contribution 0, lobby 0, vote nobody."
    asked = one.compose(question, ()).prompt
    assert [line.role for line in asked] == ["system", "user"]
    assert asked[1].text.startswith(told)
    ask(one, question, connection)
    assert one.compose(question, ()).prompt[1].text.startswith(told), "it stays in the conversation"
    assert not one.compose(question, ()).prompt[-1].text.startswith(told)


def test_folding_keeps_every_turn_in_words_or_in_figures() -> None:
    conversation = Conversation(100)
    for turn in range(50):
        conversation.add(
            ConversationTurn({"turn": turn}, "x" * 20, "y" * 10) if turn % 7 else ConversationTurn({"turn": turn})
        )
        assert conversation.size <= 100
        kept = [one.figures["turn"] for one in conversation.turns]
        assert [row["turn"] for row in conversation.folded] + kept == list(range(turn + 1))


def test_a_long_text_loses_its_middle() -> None:
    assert cut("  short ", 10) == "short"
    assert cut("a" * 50 + "b" * 50, 20) == "a" * 10 + " … " + "b" * 10
