"""What a call can come to and what it came to: prices, the most that a prompt and its reply can cost, and the usage
that a provider states, which is taken only where it can be true."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.core import Line, Usage
from ostrom.players.base import Price
from ostrom.players.models.bots import Bot, Form

MOST_TOKENS = 10**9
"""No call uses so many tokens; a provider that states more has stated nothing."""
_BYTES_A_TOKEN = 40
"""No text of some length has fewer tokens than one for so many bytes."""
_MILLION = 1_000_000
_PER_LINE = 16
"""Tokens that a chat template puts around one message."""
_PER_CALL = {"native": 256, "tool": 768, "prompted": 128, "tags": 128}
"""Tokens that a provider adds of its own: a default system prompt, words about the tool or the schema."""
_NAMES = (("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens"))
_USAGE = re.compile(r'"usage"\s*:\s*(?=\{)')
_MOST_USAGES = 20
"""Usages that are read in one body; a body with more is not worth the time."""


def price_of(bot: Bot, model_name: str, provider: str, provider_url: str | None) -> Price | None:
    """The price of a bot's model; None where nobody knows it."""
    if bot.price is not None:
        price = bot.price
        return lambda given, taken: (given * price.input + taken * price.output) / _MILLION
    if bot.base_url is not None:  # somebody's own server, whatever its model is called
        return None
    return _listed(model_name, provider, provider_url)


def _listed(model_name: str, provider: str, provider_url: str | None) -> Price | None:
    from genai_prices import Usage as Used
    from genai_prices import calc_price

    def of(given: int, taken: int, place: dict[str, Any]) -> float:
        return float(calc_price(Used(input_tokens=given, output_tokens=taken), model_name, **place).total_price)

    for place in ({"provider_api_url": provider_url}, {"provider_id": provider}):
        if None in place.values():
            continue
        try:
            of(1, 1, place)
        except LookupError:
            continue
        return lambda given, taken, place=place: of(given, taken, place)  # type: ignore[misc]
    return None


def most_input_tokens(prompt: Sequence[Line], schema_json: str | None, form: Form) -> int:
    """Tokens that a call's input can at most come to. A token stands for at least one byte of text, whatever the
    tokenizer; a schema counts twice, as some providers repeat it in words."""
    schema = 0 if schema_json is None else 2 * _most_bytes(schema_json)
    return _PER_CALL[form] + schema + sum(_PER_LINE + _most_bytes(line.text) for line in prompt)


def _most_bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    # Some tokenizers normalise first, which makes a few characters longer.
    return max(len(each.encode("utf-8", "replace")) for each in (text, unicodedata.normalize("NFKC", text)))


def is_plausible(usage: Usage, prompt: Sequence[Line], reply: str) -> bool:
    """Whether a call with this prompt and reply can have used so much. Where it cannot, nobody knows what it used."""
    least_input = max(1, sum(len(line.text) for line in prompt) // _BYTES_A_TOKEN)
    least_output = -(-len(reply) // _BYTES_A_TOKEN)
    return (
        least_input <= usage.input_tokens <= MOST_TOKENS
        and least_output <= usage.output_tokens <= MOST_TOKENS
        and usage.tokens > 0
    )


def stated_usage(body: str) -> Usage | None:
    """The usage that stands in the body of a reply, which need not be readable otherwise; the largest of several."""
    found = [usage for place in list(_USAGE.finditer(body))[-_MOST_USAGES:] if (usage := _usage_at(body, place.end()))]
    return max(found, key=lambda usage: usage.tokens, default=None)


def states_usage(stated: object) -> bool:
    """Whether this is a usage, in whole numbers that a call can come to."""
    return isinstance(stated, Mapping) and _usage_in(stated) is not None


def _usage_at(body: str, start: int) -> Usage | None:
    try:
        stated, _ = json.JSONDecoder().raw_decode(body, start)
    except (ValueError, RecursionError):
        return None
    return _usage_in(stated)


def _usage_in(stated: Mapping[str, Any]) -> Usage | None:
    for names in _NAMES:
        figures = [_figure(stated, name) for name in names]
        if None not in figures:
            return Usage(*(figure for figure in figures if figure is not None))
    return None


def _figure(stated: Mapping[str, Any], name: str) -> int | None:
    value = stated.get(name)
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None
