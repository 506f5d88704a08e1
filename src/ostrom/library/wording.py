"""Errors in the words of whoever meets them: what refuses an input names options as commands have them, and in Python
they are arguments."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from ostrom.core.errors import InputError

Given = ParamSpec("Given")
Found = TypeVar("Found")
_OPTION: Final = re.compile(r"(?<!\S)(['(]?)--([a-z]+(?:-[a-z]+)*)")
"""The name of an option where a word begins; what follows 'ostrom' in quotes is a command, and stays one."""
_COMMAND: Final = re.compile(r"('?ostrom [a-z][^']*'?)")


def names_arguments(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """A function whose refusals name arguments: `two_words` where a command has `--two-words`."""

    @wraps(function)
    def called(*given: Given.args, **named: Given.kwargs) -> Found:
        try:
            return function(*given, **named)
        except InputError as error:
            error.args = tuple(_spoken(part) if isinstance(part, str) else part for part in error.args)
            raise

    return called


def _spoken(text: str) -> str:
    parts = _COMMAND.split(text)
    return "".join(part if place % 2 else _OPTION.sub(_argument, part) for place, part in enumerate(parts))


def _argument(option: re.Match[str]) -> str:
    return option[1] + option[2].replace("-", "_")
