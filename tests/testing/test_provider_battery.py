"""Every question of the battery, and of a judge, is answered legally in every form, in the words that a model is
sent."""

from typing import Any

import pytest

from battery_played import PLAYED
from ostrom.core import GameChance, Question, Table, seats
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import SpokenLine
from ostrom.games.battery.stated import TASKS
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.fields import schema_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import prompt_of
from ostrom.players.models.reading import from_json, from_tags
from ostrom.testing.provider.replies import digest_of, write_reply

FORMS = ("native", "tool", "prompted", "tags")
CHANCE = GameChance(0)


def questions(game: str, **rules: Any) -> list[Question]:
    kind = GAMES[game]
    found: list[Question] = next(kind.play(kind.rules(**rules), Table(seats(kind.seats.fewest), CHANCE)))
    return found


def answered(game: str, question: Question, form: str, seed: int, taste: Any = "seed", variant: str = "plain") -> Any:
    """What the provider answers, as the game would validate it."""
    framing, briefing = Framing(variant), briefing_of(game)
    fields = briefing.form(question, framing, CHANCE)
    messages = [
        {"role": line.role, "content": line.text} for line in prompt_of(game, question, framing, CHANCE, form=form)
    ]
    request: dict[str, Any] = {"messages": messages}
    if form == "native":
        request["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema_of(fields)}}
    if form == "tool":
        request["tools"] = [{"function": {"name": "answer", "parameters": schema_of(fields)}}]
    message = write_reply(request, digest_of(messages), None, seed, taste).message
    text = message["tool_calls"][0]["function"]["arguments"] if form == "tool" else message["content"]
    values = (from_tags if form == "tags" else from_json)(text, fields)
    return question.spec.validate(briefing.decode(question, values))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("variant", ["plain", "story", "terse"])
def test_claims_come_in_the_steps_of_the_question(form: str, variant: str) -> None:
    """At scale 0.1 a traveller claims in steps of 0.1: the schema cannot say so, the words do."""
    question = next(one for one in questions("stated_traveller") if one.view.facts.step == 0.1)
    assert len({answered("stated_traveller", question, form, seed, variant=variant) for seed in range(40)}) > 20
    assert answered("stated_traveller", question, form, 0, "lowest", variant) == 0.2
    assert answered("stated_traveller", question, form, 0, "highest", variant) == 10


@pytest.mark.parametrize("form", FORMS)
def test_every_question_of_the_battery_is_answered_legally(form: str) -> None:
    for game in (*(task.game for task in TASKS.values()), *PLAYED):
        for seed, question in enumerate(questions(game.name)[:12]):
            answered(game.name, question, form, seed)


@pytest.mark.parametrize("form", FORMS)
def test_a_judge_picks_no_line_twice(form: str) -> None:
    lines = tuple(SpokenLine(number=n, round=1, label=f"P{n}", text="We all give.") for n in (1, 2, 3))
    (question,) = questions("quotes", lines=lines)
    counts = [len(answered("quotes", question, form, seed)) for seed in range(40)]
    assert 1 <= min(counts) < max(counts) <= 3
