"""Documents that somebody gave to the user: records, logs, experiment files. Parsed here with the bounds that keep
everything after it from failing: no number that nobody can mean, no nesting that no reader follows. What is wrong is a
`ValueError` whose text is one phrase."""

import json
import math
import tomllib
from typing import Any, Final

DEEPEST: Final = 64
"""Levels of lists and tables; what we write has a dozen at most."""
LARGEST: Final = 2**64
"""Beyond it a whole number is no seed, count or amount, and databases and tables do not hold it."""


def parse_json(text: str | bytes, *, finite: bool = True) -> Any:
    """The document that a whole text is; numbers that are not finite are refused, unless others write them."""
    try:
        return bounded(json.loads(text), finite=finite)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None
    except json.JSONDecodeError:
        raise  # says where
    except ValueError as error:
        # What Python itself refuses: an integer of more than 4,300 digits.
        raise ValueError("it has a number of thousands of digits") if "digits" in str(error) else error from None


def parse_toml(text: str) -> dict[str, Any]:
    """What a TOML file says. Numbers that are not finite are left to whoever knows what they stand for."""
    try:
        found: dict[str, Any] = bounded(tomllib.loads(text), finite=False)
    except RecursionError:
        raise _too_deep() from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:
        raise ValueError("it has a number of thousands of digits") if "digits" in str(error) else error from None
    return found


def _too_deep() -> ValueError:
    return ValueError(f"it is nested more than {DEEPEST} levels deep")


def bounded(document: Any, *, finite: bool = True) -> Any:
    """The same document; one that is nested too deeply, or has a number beyond all bounds, is refused."""
    level: list[tuple[str, Any]] = [("", {"": document})]
    depth = 0
    while level:
        depth += 1
        if depth > DEEPEST + 1:
            raise _too_deep()
        below: list[tuple[str, Any]] = []
        for place, holder in level:
            for name, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
                if isinstance(value, dict | list):
                    below.append((f"{place}.{name}".lstrip("."), value))
                elif isinstance(value, float):
                    if finite and not math.isfinite(value):
                        raise ValueError(f"it has a number that is not finite ({value}) in {place}.{name}")
                elif isinstance(value, int) and abs(value) > LARGEST:
                    raise ValueError(f"it has a whole number beyond 2^64 in {place}.{name}")
        level = below
    return document


def check_depth(document: Any) -> None:
    """Refuse a document that is nested too deeply, whatever its numbers are."""
    level = [document]
    for _ in range(DEEPEST + 1):
        level = [
            value
            for holder in level
            for value in (holder.values() if isinstance(holder, dict) else holder if isinstance(holder, list) else ())
            if isinstance(value, dict | list)
        ]
        if not level:
            return
    raise _too_deep()
