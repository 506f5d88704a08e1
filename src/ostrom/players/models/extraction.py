"""From the raw text of a reply to the values of its fields: the last whole answer in the form that was asked for, never
the first, and never a guess from prose."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ostrom.players.models.fields import ELLIPSIS, REASONING, Field, Malformed
from ostrom.players.models.json_text import DuplicateKey, objects_in, refuse_duplicates

_ECHOES = (ELLIPSIS, "...")
"""What stands between tags that were copied from the form."""
_NAMED = 5


def from_json(text: str, fields: Sequence[Field]) -> dict[str, Any]:
    """The values in the last whole JSON object that has every property of the answer. Raises `Malformed` or
    `IllegalAnswer`."""
    asked = [field for field in fields if field.name != REASONING]
    names = [name for field in asked for name in field.properties()]
    answer: Mapping[str, Any] | None = None
    lacking: Mapping[str, Any] | None = None
    for found in objects_in(text):
        if all(name in found for name in names):
            answer = found
        else:
            lacking = found
    if answer is None:
        if lacking is None or not any(name in lacking for name in names):
            raise Malformed(f"the reply holds no whole JSON object with {_listed(names)}")
        raise Malformed(f"the JSON object lacks {_listed([name for name in names if name not in lacking])}")
    try:
        refuse_duplicates(answer)
    except DuplicateKey as error:
        raise Malformed(str(error)) from None
    added = [name for name in answer if name not in names and name != REASONING]
    if added:
        raise Malformed(f"the JSON object has {_listed(added)}, which was not asked for; it must have {_listed(names)}")
    return {field.name: field.from_json(answer) for field in asked}


def from_tags(text: str, fields: Sequence[Field]) -> dict[str, Any]:
    """The values between the last whole pair of each tag. Raises `Malformed` or `IllegalAnswer`."""
    asked = [field for field in fields if field.name != REASONING]
    found = last_pairs(text, tuple(field.name for field in asked))
    missing = [f"<{field.name}>" for field in asked if field.name not in found]
    if missing:
        raise Malformed(f"the reply holds no whole {_listed(missing)} filled in")
    return {field.name: field.from_tag(found[field.name]) for field in asked}


def last_pairs(text: str, names: tuple[str, ...]) -> dict[str, str]:
    """What stands between the last pair of each tag, by name. What stands within another pair is that one's text, and
    a pair copied from the form is no answer."""
    marks = [
        (match[2].lower(), bool(match[1]), match.start(), match.end())
        for match in _tags((*names, REASONING)).finditer(text)
    ]
    following: dict[str, int] = {}
    partner = [-1] * len(marks)
    for index in range(len(marks) - 1, -1, -1):
        name, closes, _, _ = marks[index]
        if not closes:
            nearest = following.get(name, -1)
            # An opening tag that another of its name follows was only spoken of.
            partner[index] = nearest if nearest >= 0 and marks[nearest][1] else -1
        following[name] = index
    found: dict[str, str] = {}
    index = 0
    while index < len(marks):
        name, _, _, end = marks[index]
        close = partner[index]
        if close < 0:
            index += 1
            continue
        inside = text[end : marks[close][2]]
        if inside.strip() not in _ECHOES:
            found[name] = inside
        index = close + 1
    return found


@lru_cache(maxsize=256)
def _tags(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"<(/?)({'|'.join(map(re.escape, names))})>", re.IGNORECASE | re.ASCII)


def _listed(names: Sequence[str]) -> str:
    shown = [name[:40] for name in names[:_NAMED]]
    return ", ".join(shown) + (" and more" if len(names) > _NAMED else "")
