"""What models were asked in a game and what they replied: for each decision of a turn, every attempt."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from ostrom.core.questions import Answer, Call, QuestionKey
from ostrom.web.api.games import Game
from ostrom.web.replies import Shape, reply
from ostrom.web.service import Service


class CallLine(Shape):
    """One message of a conversation with a model."""

    role: str
    text: str


class CallItem(Shape):
    """One attempt at one question, whatever came of it."""

    attempt: int
    """Counted from 1 within its question."""
    at: str
    model: str
    prompt: list[CallLine]
    reply: str | None
    """Raw and whole; null where none came."""
    reasoning: str | None
    """What the model thought before it replied, where its provider sent it along."""
    input_tokens: int | None
    output_tokens: int | None
    latency: float
    """Seconds."""
    cost: float | None
    """Dollars; null where no price is known."""
    finish_reason: str | None
    fault: str | None
    """Null of the call that led to the decision."""
    error: str | None
    """The fault in words; of a reply, the reason that the model is told."""


class DecisionCalls(Shape):
    """The calls for one decision."""

    phase: str
    seat: int
    value: Any
    """What was decided; null where nothing was."""
    provenance: str | None
    """How it came about."""
    calls: list[CallItem]


class TurnCalls(Shape):
    """The calls of one turn of a game, in the order of its questions."""

    turn: int
    decisions: list[DecisionCalls]
    playing: bool
    """While a game is being played, what was decided is secret, and nothing is shown."""


def turn_calls(service: Service, game: str, turn: int) -> TurnCalls:
    """What models were asked in one turn of a game, by its id or its key."""
    found = service.journal.pages.calls(game, turn)
    asked: dict[QuestionKey, list[Call]] = {}
    for key, call in found.calls:
        asked.setdefault(key, []).append(call)
    decisions = [_decision(key, calls, found.answers.get(key)) for key, calls in asked.items()]
    return TurnCalls(turn=turn, decisions=decisions, playing=found.playing)


def _decision(key: QuestionKey, calls: list[Call], answer: Answer | None) -> DecisionCalls:
    return DecisionCalls(
        phase=key[1],
        seat=key[2],
        value=None if answer is None else answer.value,
        provenance=None if answer is None else answer.provenance.value,
        calls=[_item(call) for call in calls],
    )


def _item(call: Call) -> CallItem:
    copied: Any = {
        name: getattr(call, name)
        for name in ("attempt", "at", "model", "reply", "latency", "cost", "finish_reason", "error")
    }
    reasoning = call.extra.get("reasoning")
    return CallItem(
        **copied,
        prompt=[CallLine(role=line.role, text=line.text) for line in call.prompt],
        reasoning=reasoning if isinstance(reasoning, str) else None,
        input_tokens=None if call.usage is None else call.usage.input_tokens,
        output_tokens=None if call.usage is None else call.usage.output_tokens,
        fault=None if call.fault is None else call.fault.value,
    )


router = APIRouter(tags=["games"])


@router.get("/games/{game}/calls", response_model=TurnCalls)
async def calls(
    request: Request,
    game: Game,
    turn: Annotated[int, Query(ge=0, le=10**9, description="The round, turn or question, as events count it.")],
) -> Response:
    """What models were asked in one turn of a game that is over, and what they replied."""
    return await reply(request, turn_calls, game, turn)
