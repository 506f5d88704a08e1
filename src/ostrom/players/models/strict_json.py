"""JSON as models write it: an object that says a key twice is refused, since which one was meant cannot be known."""

import json
from typing import Any

_LONGEST_INTEGER = 300
"""Digits; converting more takes long."""


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


JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, strict=False)


def parsed(text: str) -> Any:
    """The JSON that a whole text is. Raises `ValueError`, `RecursionError` or `DuplicateKey`."""
    value = JSON.decode(text)
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
