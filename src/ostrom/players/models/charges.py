"""The price of a model's calls, upper bounds of the tokens of a call, and the usage that a reply reports."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from ostrom.core import Line, Usage
from ostrom.players.base import Price
from ostrom.players.models.bots import Bot, Form

MAX_TOKENS = 10**9
"""The largest plausible number of tokens of a call. A usage with more tokens is ignored."""
_MAX_BYTES_PER_TOKEN = 40
"""The largest number of bytes of text that one token is assumed to cover."""
_TOKENS_PER_LINE = 16
"""The largest number of tokens that a chat template is assumed to add to a message."""
_TOKENS_PER_CALL = {"native": 256, "tool": 768, "prompted": 128, "tags": 128}
"""The largest number of tokens that a provider is assumed to add to a call, for a default system prompt or for a
description of the tool or the schema."""
_USAGE_NAMES = (("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens"))
_CACHE_NAMES = ("cache_read_input_tokens", "cache_creation_input_tokens")
"""Anthropic's names for the numbers of tokens read from and written to its cache. Anthropic's number of input tokens
does not include these tokens."""
_USAGE = re.compile(r'"usage"\s*:\s*(?=\{)')
_MAX_USAGES = 20
"""The largest number of usages that are read in one body."""


def price_of(bot: Bot, name: str, provider: str, provider_url: str | None) -> Price | None:
    """Return the price of a bot's model, or None if it is unknown."""
    if bot.price is not None:
        return bot.price.of
    if bot.base_url is not None:  # This is a server of the user's own. The name of its model means nothing.
        return None

    # This price is from the public price list.
    from genai_prices import Usage as ListedUsage
    from genai_prices import calc_price

    def cost(usage: Usage, place: dict[str, Any]) -> float:
        return float(calc_price(ListedUsage(**asdict(usage)), name, **place).total_price)

    for place in ({"provider_api_url": provider_url}, {"provider_id": provider}):
        if None in place.values():
            continue
        try:
            cost(Usage(1, 1), place)
        except LookupError:
            continue
        return partial(cost, place=place)
    return None


def most_dollars(price: Price, most_input: int, most_output: int) -> float:
    """Return an upper bound of a call's price in dollars. If writing to the cache costs more than other input, all
    input is counted as written to the cache."""
    return max(price(Usage(most_input, most_output)), price(Usage(most_input, most_output, 0, most_input)))


def most_input_tokens(prompt: Sequence[Line], schema_json: str | None, form: Form) -> int:
    """Return an upper bound of a call's input tokens. It uses that in every tokenizer a token is at least one byte of
    text. A schema counts twice, because some providers repeat it in words."""
    schema = 0 if schema_json is None else 2 * _most_bytes(schema_json)
    return _TOKENS_PER_CALL[form] + schema + sum(_TOKENS_PER_LINE + _most_bytes(line.text) for line in prompt)


def _most_bytes(text: str) -> int:
    if text.isascii():
        return len(text)
    # Some tokenizers first normalise the text, which lengthens a few characters.
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
        and min(usage.cache_read_tokens, usage.cache_write_tokens) >= 0
        and usage.cache_read_tokens + usage.cache_write_tokens <= usage.input_tokens
    )


def stated_usage(body: str) -> Usage | None:
    """Return the usage that the body of a reply reports, even if the rest of the body cannot be read. If the body has
    several usages, return the largest."""
    usages = [usage for place in list(_USAGE.finditer(body))[-_MAX_USAGES:] if (usage := _usage_at(body, place.end()))]
    return max(usages, key=lambda usage: usage.tokens, default=None)


def states_usage(stated: object) -> bool:
    """Return whether this object has plausible whole numbers for the fields of a usage."""
    return isinstance(stated, Mapping) and _usage_in(stated) is not None


def _usage_at(body: str, start: int) -> Usage | None:
    try:
        stated, _ = json.JSONDecoder().raw_decode(body, start)
    except (ValueError, RecursionError):
        return None
    return _usage_in(stated)


def _usage_in(stated: Mapping[str, Any]) -> Usage | None:
    for names in _USAGE_NAMES:
        inputs, outputs = (_figure(stated, name) for name in names)
        if inputs is not None and outputs is not None:
            read, write = (_figure(stated, name) or 0 for name in _CACHE_NAMES)
            if not read + write:
                return Usage(inputs, outputs, _detailed_read(stated, names[0]))
            return Usage(inputs + read + write, outputs, read, write)
    return None


def _detailed_read(stated: Mapping[str, Any], inputs_name: str) -> int:
    details = stated.get(f"{inputs_name}_details")
    return (_figure(details, "cached_tokens") or 0) if isinstance(details, Mapping) else 0


def _figure(stated: Mapping[str, Any], name: str) -> int | None:
    value = stated.get(name)
    return value if type(value) is int and 0 <= value <= MAX_TOKENS else None
