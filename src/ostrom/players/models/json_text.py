"""JSON in the text of a reply: finds the whole objects in it, whatever stands around them, in time that grows with the
text and no faster."""

import json
import re
from collections.abc import Iterator
from typing import Any

_LONGEST_INTEGER = 300


class DuplicateKey(Exception):
    """An object says the same key twice."""


class Duplicated(dict[str, Any]):
    """An object that says a key twice; which one was meant cannot be known."""

    key: str = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    doubled = Duplicated(found)
    names = [name for name, _ in pairs]
    doubled.key = next(name for name in names if names.count(name) > 1) if len(names) < 1000 else names[0]
    return doubled


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _LONGEST_INTEGER else float(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, strict=False)


def parsed(text: str) -> Any:
    """The JSON that a whole text is. Raises `ValueError`, `RecursionError` or `DuplicateKey`."""
    value = _DECODER.decode(text)
    refuse_duplicates(value)
    return value


def refuse_duplicates(value: object) -> None:
    """Raise `DuplicateKey` where an object anywhere in the value says a key twice."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, Duplicated):
            raise DuplicateKey(f'the key "{one.key[:60]}" stands twice in one object')
        if isinstance(one, dict):
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The whole JSON objects in a text, in order; those within another are part of it. What stands in an object that
    the text leaves open at its end is half of something, and is left alone."""
    for start, end in _spans(text):
        try:
            found = _DECODER.decode(text[start:end])
        except (ValueError, RecursionError):
            continue
        yield found


def _spans(text: str) -> list[tuple[int, int]]:
    """Where objects begin and end. One pass: where the grammar breaks, whatever was open is given up, what was whole
    within it stands for itself, and the search goes on after the last sign that fitted."""
    whole: list[tuple[int, int]] = []
    end, position = len(text.rstrip()), _opening(text, 0)
    while position >= 0:
        within: list[tuple[int, int]] = []
        opened: list[tuple[str, int, int]] = []
        wanted, last = "value", position
        while True:
            match = _TOKEN.match(text, position)
            if match is None or (step := _next(wanted, match[1][0])) is None:
                break
            sign, last, position = match[1][0], match.start(1), match.end()
            if sign in "{[":
                opened.append((sign, last, len(within)))
            elif sign in "}]":
                bracket, start, held = opened.pop()
                if bracket == "{":
                    del within[held:]
                    within.append((start, position))
                if not opened:
                    break
            wanted = step if step != "after" else f"after{opened[-1][0]}"
        if opened and (position >= end or _breaks_off(text, position, match is None)):
            return whole
        whole += within
        position = _opening(text, position if not opened and within else last + 1)
    return whole


def _breaks_off(text: str, position: int, unknown: bool) -> bool:
    """Whether the text ends within a string that begins at the next sign."""
    return unknown and _STRING_BEGINS.match(text, position) is not None


def _opening(text: str, start: int) -> int:
    """Where the next object may begin, or -1."""
    found = _OPENING.search(text, start)
    return -1 if found is None else found.start()


def _next(wanted: str, sign: str) -> str | None:
    """What may come after a sign, where it was wanted; None where it was not."""
    kind = sign if sign in '{}[]:,"' else "0"
    return _GRAMMAR.get((wanted, kind))


_STRING_BEGINS = re.compile(r'[ \t\r\n]*+"')
_OPENING = re.compile(r'\{(?=[ \t\r\n]*+["}])')
_TOKEN = re.compile(
    r'[ \t\r\n]*+("[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:,]|-?[0-9][0-9.eE+-]*+|true|false|null|NaN|-?Infinity)', re.DOTALL
)
_VALUES = {"{": "key or end", "[": "item or end", '"': "after", "0": "after"}
_GRAMMAR: dict[tuple[str, str], str] = {
    **{(wanted, sign): step for wanted in ("value", "item or end") for sign, step in _VALUES.items()},
    ("item or end", "]"): "after",
    ("key or end", '"'): "colon",
    ("key or end", "}"): "after",
    ("key", '"'): "colon",
    ("colon", ":"): "value",
    ("after{", ","): "key",
    ("after{", "}"): "after",
    ("after[", ","): "value",
    ("after[", "]"): "after",
}
"""What is wanted and what comes, to what is wanted next."""
