"""What a user of `import ostrom` can come to hold: every class that a public name is, or that a public function, method
or property says it returns, and theirs in turn; and what lies in an object, by its public properties and items."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, get_args, get_type_hints

import polars as pl

import ostrom
from ostrom.charts.render import AnyChart


def public_classes() -> dict[type, str]:
    """Each class of ours, and by which name one comes to it."""
    found: dict[type, str] = {}
    public = {name: getattr(ostrom, name) for name in ostrom.__all__}
    waiting = [(one, name) for name, one in public.items() if isinstance(one, type)]
    for name, one in public.items():
        waiting += [(each, name) for each in _returned(one)] if inspect.isfunction(one) else []
    while waiting:
        one, name = waiting.pop()
        if not one.__module__.startswith("ostrom.") or one in found:
            continue
        found[one] = name
        for member, function in members(one):
            waiting += [(each, f"{one.__name__}.{member}") for each in _returned(function)]
    return found


def members(one: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods and properties of a class that are ours."""
    for name, value in inspect.getmembers_static(one):
        function = value
        if isinstance(value, property):
            function = value.fget
        elif isinstance(value, cached_property):
            function = value.func
        elif isinstance(value, classmethod | staticmethod):
            function = value.__func__
        if not name.startswith("_") and inspect.isfunction(function) and function.__module__.startswith("ostrom."):
            yield name, function


def _returned(function: Callable[..., Any]) -> Iterator[type]:
    # What modules name for type checkers alone.
    yield from _classes(get_type_hints(function, localns={"AnyChart": AnyChart, "pl": pl}).get("return"))


def _classes(hint: Any) -> Iterator[type]:
    if isinstance(hint, type):
        yield hint
    for part in get_args(hint):
        yield from _classes(part)


def lying_in(one: Any, depth: int = 2) -> Iterator[Any]:
    """An object, and those of ours that one comes to from it by so many properties, and by items."""
    if isinstance(one, str | bytes):
        return
    ours = type(one).__module__.startswith("ostrom.")
    if ours:
        yield one
        for name in _properties(one) if depth else ():
            with suppress(ostrom.InputError):  # an experiment of subjects has no ratings, and says so
                yield from lying_in(getattr(one, name), depth - 1)
    items: Any = one.values() if isinstance(one, Mapping) else ()
    if isinstance(one, list | tuple) or (ours and isinstance(one, Sequence)):
        items = one
    for item in list(items)[:2]:
        yield from lying_in(item, depth)


def _properties(one: Any) -> set[str]:
    declared = inspect.getmembers_static(type(one), lambda value: isinstance(value, property | cached_property))
    return {name for name in (*dict(declared), *getattr(one, "__dict__", ())) if not name.startswith("_")}
