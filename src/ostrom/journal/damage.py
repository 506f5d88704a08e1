"""JSON that a column holds, read such that what is damaged is named."""

import json
from typing import Any, NoReturn

from ostrom.table import RecordError


def object_from_json(text: str, whose: str, where: str) -> dict[str, Any]:
    """The JSON object that a column holds."""
    value = from_json(text, whose, where)
    if not isinstance(value, dict):
        raise RecordError(f"{whose} of the journal cannot be read: {where}: it is no JSON object")
    return value


def from_json(text: str, whose: str, where: str) -> Any:
    """What a column holds; what is damaged is named."""
    try:
        return _decoded(text)
    except (RecursionError, TypeError, ValueError) as error:
        raise RecordError(f"{whose} of the journal cannot be read: {where}: it is no JSON: {error}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


# As strict as the writer, which keeps no NaN.
_decoded = json.JSONDecoder(parse_constant=_no_number).decode
