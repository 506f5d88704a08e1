"""What tests of models at the table share: a connection that answers by itself, and a plain driver."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ostrom.core import Answer, Call, GameChance, Line, Provenance, Question, Table, Usage, seats
from ostrom.core.game import Game
from ostrom.players.base import Endpoint, Reply, Unanswered, is_remote
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.player import ModelPlayer


def bot(**settings: Any) -> Bot:
    return Bot(**{"name": "Quiet-Bot", "model": "openai:gpt-5-mini", **settings})


def reply(text: str, finish_reason: str = "stop") -> Reply:
    return Reply(text, Usage(1, 1), None, finish_reason, {})


@dataclass
class FakeConnection:
    """Answers every prompt with what is legal by its form, and keeps what it was sent."""

    form: str = "native"
    seed: int = 1
    script: Callable[[Sequence[Line]], str | None] = lambda prompt: None
    endpoint: Endpoint = field(default_factory=lambda: Endpoint("fake", "fake", None))
    requested: Mapping[str, Any] = field(default_factory=dict)
    sent: list[tuple[Line, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def bounds(self, prompt: Sequence[Line], schema: Mapping[str, Any] | None) -> tuple[int, int, float]:
        return sum(len(line.text) for line in prompt), 100, 0.0

    async def send(
        self, prompt: Sequence[Line], schema: Mapping[str, Any] | None, reference: str, grammar: str | None = None
    ) -> Reply:
        return self.answer(prompt, schema)

    def answer(self, prompt: Sequence[Line], schema: Mapping[str, Any] | None) -> Reply:
        self.sent.append(tuple(prompt))
        scripted = self.script(prompt)
        if scripted is not None:
            return reply(scripted)
        if self.form == "tags":
            return reply(self._tags(prompt[-1].text))
        if schema is None:
            schema = json.loads(prompt[-1].text.splitlines()[-1])
        return reply(json.dumps(self._object(schema)))

    def _object(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        made = {name: self._value(one) for name, one in schema["properties"].items()}
        if "target" in made:
            made["spend"] = (
                0
                if made["target"] == "nobody"
                else max(made["spend"], schema["properties"]["spend"].get("multipleOf", 1))
            )
        return made

    def _value(self, schema: Mapping[str, Any]) -> Any:
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        if schema["type"] == "string":
            return "a few harmless words"
        low, high, step = schema["minimum"], schema["maximum"], schema.get("multipleOf", 1)
        if schema["type"] == "integer":
            return self.chance.randrange(low, high + 1, step)
        return round(self.chance.uniform(low, high), 2) if high > low else low

    def _tags(self, text: str) -> str:
        lines = []
        for tag, told in re.findall(r"^<(\w+)>…</\w+> with (.*)$", text, re.MULTILINE):
            lines.append(f"<{tag}>{self._told(told)}</{tag}>")
        return "\n".join(lines)

    def _told(self, told: str) -> str:
        if told.startswith("nobody, or one of"):
            return told.rsplit("as in ", 1)[1]
        if told.startswith("one of "):
            return self.chance.choice(told.removeprefix("one of ").split(", "))
        if told.startswith("a text"):
            return "a few harmless words"
        return re.search(r"from (\S+) to", told)[1]


def call(attempt: int, text: str | None, *, fault: Any = None, error: str | None = None) -> Call:
    return Call(attempt, "2026-01-01T00:00:00.000Z", "fake", {}, (), text, fault=fault, error=error)


def player(game: str, connection: FakeConnection, framing: Framing, chance: GameChance, **settings: Any) -> ModelPlayer:
    return ModelPlayer(bot(**settings), connection, briefing_of(game), framing, chance)


def ask(one: ModelPlayer, question: Question, connection: FakeConnection, attempts: int = 3) -> Answer:
    """One question as a run asks it, with replies at once."""
    past: list[Call] = []
    for attempt in range(1, attempts + 1):
        request = one.compose(question, past)
        got = connection.answer(request.prompt, request.payload[0])
        try:
            answer = one.read(question, got)
        except Unanswered as refused:
            past.append(call(attempt, got.text, fault=refused.fault, error=refused.reason))
            continue
        past.append(call(attempt, got.text))
        provenance = Provenance.ANSWERED if attempt == 1 else Provenance.REPAIRED
        answer = Answer(answer.value, provenance, answer.cut)
        break
    else:
        answer = Answer(question.spec.validate(question.fallback), Provenance.DEFAULTED)
    one.remember(question, past, answer)
    return answer


def play(
    game: Game, rules: Any, players: Sequence[Any], chance: GameChance, connection: FakeConnection
) -> list[tuple[Question, Answer]]:
    """A whole game; players are models over the connection, or answer at once."""
    table = Table(seats(len(players)), chance)
    decided: list[tuple[Question, Answer]] = []
    flow = game.play(rules, table)
    try:
        moment = next(flow)
        while True:
            answers = []
            for question in moment:
                who = players[question.seat.index]
                if is_remote(who):
                    answers.append(ask(who, question, connection))
                else:
                    answers.append(Answer(question.spec.validate(who.answer(question))))
            decided += zip(moment, answers, strict=True)
            moment = flow.send(answers)
    except StopIteration:
        return decided
