"""One-line texts for users: validation errors of pydantic, counted nouns, and untrusted texts without keys."""

import ast
import inspect
import re
import textwrap
import unicodedata
from functools import cache
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ostrom.core.redaction import Redactor

_KINDS: Final = {
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "must be a smaller whole number",
    "float_parsing": "must be a number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}

_HIDDEN_FIELDS: Final = (("base_url",), ("key_env",))
"""Fields whose values are left out of error messages, since they may contain a key."""

MAX_CHARACTERS = 500


def first_problem(error: ValidationError) -> str:
    """Return the first validation error in one line: 'turns must be at least 1, got 0'."""
    return problem(error.errors(include_url=False)[0])


def problem(first: ErrorDetails) -> str:
    """Return a validation error in one line."""
    path = ".".join(str(part) for part in first["loc"])
    if first["loc"][-1:] in _HIDDEN_FIELDS:
        first = {**first, "input": ...}
    context: dict[str, Any] = first.get("ctx", {})
    if first["type"] == "missing":
        return f"the field {path!r} is missing"
    if first["type"] == "extra_forbidden":
        return f"unknown field {path!r}"
    if first["type"] in _KINDS:
        sentence = _KINDS[first["type"]].format(**{name: _number(bound) for name, bound in context.items()})
        return f"{path or 'it'} {sentence}{_got(first['input'])}"
    reason = first["msg"].removeprefix("Value error, ")
    reason = reason[:1].lower() + reason[1:]
    return f"{path}: {reason}{_got(first['input'])}" if path else reason


def _number(bound: Any) -> Any:
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:g}" if isinstance(bound, float) else bound


def _got(value: object) -> str:
    if isinstance(value, str) and value.replace(".", "", 1).removeprefix("-").isdecimal():
        return f", got {value}"  # A number that the user typed is shown without quotes.
    return f", got {value!r}" if isinstance(value, str | int | float | bool) or value is None else ""


def number_of(number: int, noun: str) -> str:
    """Return a counted noun: '1 game', '1,200 games'."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@cache
def attribute_docstrings(declared: type) -> dict[str, str]:
    """Return the docstrings below the fields of a class, including inherited ones, by field name. The result is empty
    for a class without source code, such as a class typed in a shell."""
    texts: dict[str, str] = {}
    for parent in reversed(declared.__mro__[:-1]):
        try:
            source = textwrap.dedent(inspect.getsource(parent))
            body = ast.parse(source).body[0]
        except (OSError, TypeError, SyntaxError):
            continue
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for field, text in pairwise(statements):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                match text:
                    case ast.Expr(ast.Constant(str() as words)):
                        texts[field.target.id] = " ".join(words.split())
    return texts


def one_line(
    text: str, longest: int = MAX_CHARACTERS, *, also: str | None = None, redact: Redactor | None = None
) -> str:
    """Return the text in one line of bounded length, without keys. Keys are values of environment variables with names
    of keys, the value of `also`, and texts with the format of a key."""
    # Keys are removed before the text is cut, because a part of a key is secret too.
    text = " ".join((redact or Redactor([also])).shaped(text).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


LONGEST_NAME: Final = 36
"""The number of characters of a name that charts and lines show."""


def plain_doc(docstring: str | None) -> str:
    """Return a paragraph of a docstring for readers: in one line, with quotation marks around code instead of
    backticks."""
    return re.sub(r"`([^`]*)`", r"“\1”", " ".join((docstring or "").split()))


def clean(text: str, longest: int = LONGEST_NAME) -> str:
    """Return the text on one line, without control characters, cut to `longest` characters."""
    printable = "".join(character if unicodedata.category(character)[0] != "C" else " " for character in text)
    line = " ".join(printable.split()) or "(no name)"
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def digest_of(text: str) -> str:
    """Return the digest of a text: the first 128 bits of its SHA-256, in hexadecimal."""
    # A lone surrogate (half of a character) is encoded in the way in which UTF-8 would encode it.
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
