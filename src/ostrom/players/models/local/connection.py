"""A bot's connection to a model in this process. The model answers all open questions of a run together, in one
wave."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.core import Fault, InputError, Line, Usage
from ostrom.core.text import one_line
from ostrom.players.base import Endpoint, Price, Reply, Unanswered
from ostrom.players.models.bots import Bot, Form
from ostrom.players.models.charges import most_input_tokens
from ostrom.players.models.engine import Engine, EngineReply, EngineRequest, answer_in_wave
from ostrom.players.models.local.weights import Weights, find_weights, load_engine
from ostrom.players.models.providers import bot_label

_engines: dict[Weights, Engine] = {}
_loading = threading.Lock()


def engine_of(weights: Weights) -> Engine:
    """Return the engine of a model. The model is loaded when this is first called, and stays loaded."""
    with _loading:
        if weights not in _engines:
            _engines[weights] = load_engine(weights)
        return _engines[weights]


def _free(usage: Usage) -> float:
    """Return the price of tokens on the user's own machine, which is 0."""
    return 0.0


class LocalConnection:
    """A bot's connection to a model in this process."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.weights = find_weights(bot.model)
        self.form: Form = bot.form or "tags"
        if self.form == "tool" or bot.key_env is not None or bot.reasoning is not None:
            raise InputError(
                f"{bot_label(bot)}: a model in this process has no tools, key or setting of reasoning; leave them out"
            )
        settings: dict[str, Any] = {"model": bot.model, "backend": self.weights.backend, "form": self.form}
        settings |= {"temperature": bot.temperature, "max_tokens": bot.max_tokens}
        settings |= {} if bot.answers == "text" else {"answers": bot.answers}
        self.requested: Mapping[str, Any] = {name: value for name, value in settings.items() if value is not None}
        """The settings of the model as plain data, for the record."""
        self._price: Price = _free if bot.price is None else bot.price.of
        self.endpoint = Endpoint(bot.model, "local", price=self._price, in_process=True)

    def bounds(self, prompt: Sequence[Line]) -> tuple[int, int, float]:
        """Return upper bounds of a call's input tokens, output tokens and dollars."""
        most_input = most_input_tokens(prompt, None, self.form)
        return most_input, self.bot.max_tokens, self._price(Usage(most_input, self.bot.max_tokens))

    async def send(self, request: EngineRequest) -> EngineReply:
        """Return the reply to one request, computed in a wave with others. Raise `Unanswered` if there is no reply."""
        try:
            engine = _engines.get(self.weights)
            if engine is None:
                engine = await asyncio.to_thread(engine_of, self.weights)
            reply = await answer_in_wave(engine, request)
        except Exception as error:  # Engines raise errors of many kinds. The question can be asked again.
            raise Unanswered(Fault.SERVER_ERROR, one_line(f"{type(error).__name__}: {error}", 300)) from None
        if reply.fault is not None:
            raise Unanswered(reply.fault, reply.reason)
        return reply

    def reply_of(self, reply: EngineReply) -> Reply:
        """Return an engine's reply in the form that is recorded."""
        usage = Usage(reply.input_tokens, reply.output_tokens, cache_read_tokens=reply.cached_tokens)
        return Reply(reply.text, usage, self._price(usage), reply.finish_reason, {"backend": self.weights.backend})


_connections: dict[Bot, LocalConnection] = {}


def connect_local(bot: Bot) -> LocalConnection:
    """Return the bot's connection. Raises `InputError` if the weights or the package are missing, or if a setting is
    wrong."""
    if bot not in _connections:
        _connections[bot] = LocalConnection(bot)
    return _connections[bot]
