"""A grammar for an answer in tags, in the notation of llama.cpp, so that a model too small to keep to a form in words
can be held to it."""

import json
import math
from collections.abc import Sequence

from ostrom.core import InputError
from ostrom.players.models.compound import AimedField
from ostrom.players.models.fields import ChoiceField, Field, NumberField, TextField
from ostrom.players.models.framing import NOBODY

_LONGEST_TEXT = 160
"""Characters of a text: a small model finds no end by itself."""


def grammar_of(fields: Sequence[Field]) -> str:
    """The grammar of a reply that holds every tag once, in order, and nothing else. Whole numbers are held to their
    bounds; of others only those with few digits are let through."""
    lines = []
    for field in fields:
        lines.append(f"{_literal(f'<{field.name}>')} {_value(field)} {_literal(f'</{field.name}>')}")
    return "root ::= " + ' "\\n" '.join(lines) + "\n"


def _value(field: Field) -> str:
    if isinstance(field, TextField):
        # It must not begin with the dots of the form, which are nobody's answer.
        return f"([^<>.…\\r\\n] [^<>\\r\\n]{{0,{min(_LONGEST_TEXT, 6 * field.max_words) - 1}}})?"
    if isinstance(field, ChoiceField):
        return _either([_literal(label) for label, _ in field.options])
    if isinstance(field, AimedField):
        targets = _either([_literal(label) for label, _ in field.targets])
        return _either([_literal(NOBODY), f'{targets} "=" {_number(field.spend)}'])
    if isinstance(field, NumberField):
        return _number(field)
    raise InputError(f"there is no grammar for {field.name}; leave out grammar, or ask in JSON")


def _number(field: NumberField) -> str:
    low, high = field.bounds()
    if field.whole and field.scale > 1:
        zeros = len(str(field.scale)) - 1
        if field.scale != 10**zeros:
            raise InputError(f"there is no grammar for multiples of {field.scale}; leave out grammar")
        return _scaled(int(low) // field.scale, int(high) // field.scale, zeros)
    if field.whole:
        return whole_numbers(int(low), int(high))
    if (low, high) == (0, 1):
        return '("0" ("." [0-9]{1,2})? | "1")'
    # Between whole numbers, two decimals can never pass a bound.
    inner = [whole_numbers(max(0, math.ceil(low)), math.floor(high))]
    if low < 0:
        inner.append(f'"-" {whole_numbers(max(1, -math.floor(high)), -math.ceil(low))}' if low <= -1 else _literal("0"))
    return _either(inner)


def _scaled(low: int, high: int, zeros: int) -> str:
    tail = f' "{"0" * zeros}"'
    if low > 0:
        return f"{whole_numbers(low, high)}{tail}"
    return '"0"' if high == 0 else _either(['"0"', f"{whole_numbers(1, high)}{tail}"])


def whole_numbers(low: int, high: int) -> str:
    """The whole numbers from `low` to `high`, both at least 0, written without leading zeros."""
    if low > high or low < 0:
        raise ValueError(f"no grammar for whole numbers from {low} to {high}")
    parts = []
    for digits in range(len(str(low)), len(str(high)) + 1):
        least = max(low, 0 if digits == 1 else 10 ** (digits - 1))
        parts += _same_length(str(least), str(min(high, 10**digits - 1)))
    return _either(parts)


def _same_length(low: str, high: str) -> list[str]:
    """Numbers of as many digits between two bounds, as few patterns."""
    if len(low) == 1:
        return [_digit(low, high)]
    if low[1:].strip("0") == "" and high[1:].strip("9") == "":
        return [f"{_digit(low[0], high[0])} [0-9]{{{len(low) - 1}}}"]
    if low[0] == high[0]:
        return [f"{_literal(low[0])} {part}" for part in _same_length(low[1:], high[1:])]
    rest = len(low) - 1
    first, last = int(low[0]), int(high[0])
    parts = [f"{_literal(low[0])} {part}" for part in _same_length(low[1:], "9" * rest)]
    if first + 1 <= last - 1:
        parts.append(f"{_digit(str(first + 1), str(last - 1))} [0-9]{{{rest}}}")
    return parts + [f"{_literal(high[0])} {part}" for part in _same_length("0" * rest, high[1:])]


def _digit(low: str, high: str) -> str:
    return _literal(low) if low == high else f"[{low}-{high}]"


def _either(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' | '.join(parts)})"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
