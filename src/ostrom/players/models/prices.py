"""What a call costs, and what it can cost at most. A bot's own price comes first, then the public price list that comes
with genai-prices, offline; where neither knows the model, nothing is claimed."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from ostrom.core import Line
from ostrom.players.base import Price
from ostrom.players.models.bots import Bot, Form

_MILLION = 1_000_000
_PER_LINE = 16
"""Tokens that a chat template puts around one message."""
_PER_CALL = {"native": 256, "tool": 768, "prompted": 128, "tags": 128}
"""Tokens that a provider adds of its own: a default system prompt, words about the tool or the schema."""


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
    return max(
        len(text.encode("utf-8", "replace")), len(unicodedata.normalize("NFKC", text).encode("utf-8", "replace"))
    )
