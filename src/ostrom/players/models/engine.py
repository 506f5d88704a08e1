"""The interface of engines, which run a language model in this process. An engine receives many prompts together (a
wave) and returns their replies. The engines are in the package `local`. Models on servers are called by the module
`connection`."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from ostrom.core import Fault, Line


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of a reply that the model writes, and the fixed text before and after it."""

    before: str
    """The fixed text before the slot."""
    end: str
    """The fixed text after the slot."""
    choices: tuple[str, ...] = ()
    """All texts that the model may write. If there are none, the text is free: it ends at the text `end` or at the end
    of the line."""
    grammar: str = ""
    """The texts that the model may write, in the notation of llama.cpp's grammars."""
    most: int = 160
    """The largest number of characters of a free text."""


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """One prompt of a wave."""

    messages: tuple[Line, ...]
    max_tokens: int
    temperature: float | None = None
    """The sampling temperature. None means 1. At 0, the most probable token is chosen at each step."""
    seed: int | None = None
    """The seed of this reply. Each reply has its own seed, so a reply does not depend on the other prompts of its
    wave."""
    schema: Mapping[str, Any] | None = None
    """The JSON schema of the reply, for engines that can enforce a schema."""
    slots: tuple[Slot, ...] = ()
    """The slots of the whole reply, if its form is known. Engines fill them by constrained decoding."""
    score: bool = False
    """True to compute the log probabilities of the choices of the only slot instead of a reply."""


@dataclass(frozen=True, slots=True)
class EngineReply:
    """The reply to one request, or the reason why there is none."""

    text: str = ""
    """The whole reply. It is empty if log probabilities were requested."""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """The number of input tokens that were computed for several prompts together, or kept from an earlier prompt."""
    log_probabilities: tuple[float, ...] | None = None
    """The natural logarithm of the probability of each choice under constrained decoding, at the request's temperature.
    It is a sum over the tokens in which choices differ. If the probability of a choice was not seen, it is minus
    infinity."""
    outside: float = 0.0
    """The total probability, at temperature 1, of texts that are not choices."""
    finish_reason: str = "stop"
    """'stop', or 'length' if the reply reached `max_tokens`."""
    fault: Fault | None = None
    """The reason why there is no reply, or None if there is one."""
    reason: str = ""
    """The reason in words, on one line."""


class Engine(Protocol):
    """A language model that runs in this process."""

    @property
    def schemas(self) -> bool:
        """True if the engine can enforce a JSON schema."""

    def answer(self, requests: Sequence[EngineRequest]) -> Sequence[EngineReply]:
        """Return the reply to each request, in order. If a request cannot be answered, its reply has a fault, and the
        other requests are still answered. The method blocks, so an event loop calls it in a thread, one call at a
        time."""


current_wave: ContextVar[Callable[[Engine, EngineRequest], Awaitable[EngineReply]] | None] = ContextVar(
    "current_wave", default=None
)
"""A function that collects a request with all other open questions of the run, and then asks the engine. A run sets
this function while it calls `send` of players whose endpoint is `in_process`."""


async def answer_in_wave(engine: Engine, request: EngineRequest) -> EngineReply:
    """Return the reply of an engine to a request. Within a run, the request is answered together with the others of its
    wave."""
    ask = current_wave.get()
    if ask is not None:
        return await ask(engine, request)
    return (await asyncio.to_thread(engine.answer, [request]))[0]
