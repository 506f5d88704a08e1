"""The price of a model's calls, the upper bound of their tokens, and the usage that a reply states."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.core import Line, Usage
from ostrom.players.base import Price
from ostrom.players.models.bots import Bot, Form

MAX_TOKENS = 10**9
"""A larger usage is implausible, and is ignored."""
_MAX_BYTES_PER_TOKEN = 40
"""A text has at least one token for this number of bytes."""
_MILLION = 1_000_000
_TOKENS_PER_LINE = 16
"""Tokens that a chat template adds to a message."""
_TOKENS_PER_CALL = {"native": 256, "tool": 768, "prompted": 128, "tags": 128}
"""Tokens that a provider adds: a default system prompt, a description of the tool or the schema."""
_USAGE_NAMES = (("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens"))
_USAGE = re.compile(r'"usage"\s*:\s*(?=\{)')
_MAX_USAGES = 20
"""The most usages that are read in one body."""


def price_of(bot: Bot, name: str, provider: str, provider_url: str | None) -> Price | None:
    """Return the price of a bot's model, or None if it is unknown."""
    if bot.price is not None:
        price = bot.price
        return lambda inputs, outputs: (inputs * price.input + outputs * price.output) / _MILLION
    if bot.base_url is not None:  # a server of the user's own, whatever its model is called
        return None

    # The public price list.
    from genai_prices import Usage as Used
    from genai_prices import calc_price

    def cost(inputs: int, outputs: int, place: dict[str, Any]) -> float:
        return float(calc_price(Used(input_tokens=inputs, output_tokens=outputs), name, **place).total_price)

    for place in ({"provider_api_url": provider_url}, {"provider_id": provider}):
        if None in place.values():
            continue
        try:
            cost(1, 1, place)
        except LookupError:
            continue
        return lambda inputs, outputs, place=place: cost(inputs, outputs, place)  # type: ignore[misc]
    return None


def most_input_tokens(prompt: Sequence[Line], schema_json: str | None, form: Form) -> int:
    """Return an upper bound of a call's input tokens. A token is at least one byte of text in every tokenizer; a schema
    counts twice, as some providers repeat it in words."""
    schema = 0 if schema_json is None else 2 * _most_bytes(schema_json)
    return _TOKENS_PER_CALL[form] + schema + sum(_TOKENS_PER_LINE + _most_bytes(line.text) for line in prompt)


def _most_bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    # Some tokenizers normalise first, which lengthens a few characters.
    forms = text, unicodedata.normalize("NFKC", text)
    return max(len(form.encode("utf-8", "replace")) for form in forms)


def is_plausible(usage: Usage, prompt: Sequence[Line], reply: str) -> bool:
    """Return whether a call with this prompt and reply can have this usage."""
    least_input = max(1, sum(len(line.text) for line in prompt) // _MAX_BYTES_PER_TOKEN)
    least_output = -(-len(reply) // _MAX_BYTES_PER_TOKEN)
    return (
        least_input <= usage.input_tokens <= MAX_TOKENS
        and least_output <= usage.output_tokens <= MAX_TOKENS
        and usage.tokens > 0
    )


def stated_usage(body: str) -> Usage | None:
    """Return the usage in the body of a reply, which need not be readable otherwise; the largest of several."""
    usages = [usage for place in list(_USAGE.finditer(body))[-_MAX_USAGES:] if (usage := _usage_at(body, place.end()))]
    return max(usages, key=lambda usage: usage.tokens, default=None)


def states_usage(stated: object) -> bool:
    """Return whether this is a usage in plausible whole numbers."""
    return isinstance(stated, Mapping) and _usage_in(stated) is not None


def _usage_at(body: str, start: int) -> Usage | None:
    try:
        stated, _ = json.JSONDecoder().raw_decode(body, start)
    except (ValueError, RecursionError):
        return None
    return _usage_in(stated)


def _usage_in(stated: Mapping[str, Any]) -> Usage | None:
    for names in _USAGE_NAMES:
        figures = [_figure(stated, name) for name in names]
        if None not in figures:
            return Usage(*(figure for figure in figures if figure is not None))
    return None


def _figure(stated: Mapping[str, Any], name: str) -> int | None:
    value = stated.get(name)
    return value if type(value) is int and 0 <= value <= MAX_TOKENS else None
