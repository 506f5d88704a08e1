"""A player for one seat of one game, played by a model that runs in this process."""

from collections.abc import Sequence
from dataclasses import replace

from typing_extensions import override

from ostrom.core import Call, Chance, Question
from ostrom.core.questions import DISTRIBUTION
from ostrom.players.base import Reply, Request
from ostrom.players.models.bots import Bot
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.distribution import OUTSIDE, draw, entries
from ostrom.players.models.engine import EngineRequest
from ostrom.players.models.fields import schema_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.local.connection import LocalConnection, connect_local
from ostrom.players.models.player import BriefedPlayer
from ostrom.players.models.slots import closed_slot, slots_of

_SEEDS = 2**31
"""The number of possible seeds of replies. Every backend accepts integers below it."""


class LocalPlayer(BriefedPlayer):
    """The player of one seat in one game, with a model in this process."""

    def __init__(self, connection: LocalConnection, briefing: Briefing, framing: Framing, chance: Chance) -> None:
        super().__init__(connection.bot, connection.endpoint, connection.form, briefing, framing, chance)
        self._connection = connection

    @override
    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        request, bot, fields = super().compose(question, past), self._bot, self._fields(question)
        slot = closed_slot(fields) if bot.answers == "logprobs" and self._form == "tags" else None
        slots = () if self._form != "tags" else slots_of(fields) if slot is None else (slot,)
        seed = int(
            _SEEDS * self._chance.uniform(f"reply/{question.phase}", question.turn, question.seat.index, len(past))
        )
        payload = EngineRequest(
            messages=request.prompt,
            max_tokens=bot.max_tokens,
            temperature=bot.temperature,
            seed=seed,
            schema=schema_of(fields) if self._form == "native" else None,
            slots=slots,
            score=slot is not None,
        )
        connection = self._connection
        most_input, most_output, most_cost = connection.bounds(request.prompt)
        return replace(
            request,
            settings=connection.requested,
            most_input=most_input,
            most_output=most_output,
            most_cost=most_cost,
            payload=payload,
        )

    async def send(self, request: Request, reference: str) -> Reply:
        """Make one call, without retries, and return its reply. Raise `Unanswered` if there is no reply."""
        result = await self._connection.send(request.payload)
        reply = self._connection.reply_of(result)
        if result.log_probabilities is None:
            return reply
        (slot,) = request.payload.slots
        distribution = entries(slot.choices, result.log_probabilities)
        answer = draw(distribution, (request.payload.seed + 0.5) / _SEEDS)
        extra = {**reply.extra, DISTRIBUTION: distribution, OUTSIDE: round(result.outside, 9)}
        return replace(reply, extra=extra, text=f"{slot.before}{answer}{slot.end}")


def local_player(bot: Bot, briefing: Briefing, framing: Framing, chance: Chance) -> LocalPlayer:
    """Return a player of a bot whose model runs in this process."""
    return LocalPlayer(connect_local(bot), briefing, framing, chance)
