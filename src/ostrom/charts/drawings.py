"""Charts as they are stored: the name of a function that draws, and its arguments as plain data. When a stored chart is
read, the installed code draws it again. So a chart specification from another source is never executed. Arguments are
checked: tables, lists and texts have a largest size, and names and colours must be plain."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np
import polars as pl

from ostrom.charts.families import Cast, Face
from ostrom.charts.palette import COLOURS
from ostrom.core.errors import OstromError
from ostrom.core.estimates import Estimate

MAX_DRAWN_ROWS: Final = 100_000
"""The largest number of rows of all tables of one chart together."""
MAX_DRAWN_NAMES: Final = 500
"""The largest number of different texts in a column, and of entries in a list. Each of these texts or entries may be a
row of the picture."""
MAX_DRAWN_CHARACTERS: Final = 2_000
_MAX_TICKS: Final = 12
_MAX_NUMBER: Final = 1e15
_MAX_NESTING: Final = 4
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{3,8}")
_COLUMN: Final = re.compile(r"[\w .:%()/+-]{1,100}")
_FREE_TEXTS: Final = frozenset({"rules"})
"""Columns whose texts are shown only in tooltips."""
_ROW_NUMBERS: Final = frozenset({"equilibrium"})
"""Columns of numbers in which each number may be a row of the picture."""
_KINDS: Final[Mapping[str, Any]] = {"text": pl.String, "integer": pl.Int64, "number": pl.Float64, "truth": pl.Boolean}

_Parameters = ParamSpec("_Parameters")
_Chart = TypeVar("_Chart")
_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
_recorded: ContextVar[list[dict[str, Any]] | None] = ContextVar("recorded", default=None)


@dataclass(frozen=True)
class Side:
    """An axis: a factor and its values, in order."""

    name: str
    values: Sequence[Any]
    numeric: bool

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")

    def edges(self) -> pl.DataFrame:
        """Return the bounds of the cell of each number on the axis. They are halfway between the number and its
        neighbours."""
        at = np.asarray(sorted(float(value) for value in self.values))
        middles = (at[1:] + at[:-1]) / 2 if len(at) > 1 else np.empty(0)
        first, last = (at[0] - 0.5, at[0] + 0.5) if len(at) == 1 else (2 * at[0] - middles[0], 2 * at[-1] - middles[-1])
        return pl.DataFrame(
            {self.name: at, "from": np.concatenate([[first], middles]), "to": np.concatenate([middles, [last]])}
        )

    def ticks(self) -> list[float]:
        """Return the numbers that label the axis. These are all numbers or, if there are many, some numbers at equal
        steps."""
        at = sorted(float(value) for value in self.values)
        return at[:: -(-len(at) // _MAX_TICKS)]


class DrawingError(OstromError):
    """Raised for a stored chart that cannot be drawn, because it is too large, of unknown kind, or has invalid
    arguments."""


def drawing(function: Callable[_Parameters, _Chart]) -> Callable[_Parameters, _Chart]:
    """Register a function that draws a chart from plain data. Within `recording`, the outermost call of such a function
    is recorded."""
    name = function.__name__
    if name in _FUNCTIONS:
        raise ValueError(f"there are two drawings {name}")

    @wraps(function)
    def draw(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Chart:
        calls = _recorded.get()
        if calls is None:
            return function(*arguments, **options)
        calls.append({"drawing": name, "arguments": arguments, "options": options})
        token = _recorded.set(None)
        try:
            return function(*arguments, **options)
        finally:
            _recorded.reset(token)

    _FUNCTIONS[name] = function
    return draw


@contextmanager
def recording() -> Iterator[list[dict[str, Any]]]:
    """Record the calls of drawing functions."""
    calls: list[dict[str, Any]] = []
    token = _recorded.set(calls)
    try:
        yield calls
    finally:
        _recorded.reset(token)


def record(draw: Callable[[], Any]) -> dict[str, Any]:
    """Draw a chart and return its drawing as plain data. Raise DrawingError if the drawing is too large to be drawn
    again."""
    with recording() as calls:
        draw()
    if len(calls) != 1:
        raise TypeError("a chart is drawn by one function that is registered as a drawing")
    [call] = calls
    document = {
        "drawing": call["drawing"],
        "arguments": [_encode(value) for value in call["arguments"]],
        "options": {name: _encode(value) for name, value in call["options"].items()},
    }
    _Decoder().decode_call(document)
    return document


def redraw(document: Any) -> Any:
    """Draw a stored chart. Raise DrawingError if the document is not a valid drawing."""
    function, arguments, options = _Decoder().decode_call(document)
    try:
        return function(*arguments, **options)
    except Exception as error:  # The functions trust their arguments, but these come from other people.
        raise DrawingError(f"its data does not fit a chart ({type(error).__name__})") from None


def _encode(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, pl.DataFrame):
        return {"frame": [_encode_column(value[name]) for name in value.columns]}
    if isinstance(value, Estimate):
        return {"estimate": [_encode(number) for number in (value.value, value.low, value.high)]}
    if isinstance(value, Cast):
        return {"cast": [list(astuple(face)) for face in value.faces.values()]}
    if isinstance(value, list | tuple):
        return [_encode(part) for part in value]
    if isinstance(value, Side):
        return {"side": [value.name, [_encode(part) for part in value.values], value.numeric]}
    if hasattr(value, "item"):  # This is a number of NumPy.
        return _encode(value.item())
    raise TypeError(f"a drawing has no arguments of type {type(value).__name__}")


def _encode_column(column: pl.Series) -> list[Any]:
    kind = "text"
    if column.dtype == pl.Boolean:
        kind = "truth"
    elif column.dtype.is_integer():
        kind = "integer"
    elif column.dtype.is_numeric():
        kind = "number"
        column = column.cast(pl.Float64)
    values = [_encode(value) if kind != "text" else value for value in column.to_list()]
    return [
        column.name,
        kind,
        [None if value is None else str(value) for value in values] if kind == "text" else values,
    ]


class _Decoder:
    """Decodes the arguments of one drawing within the limits on their size."""

    def __init__(self) -> None:
        self._rows = 0

    def decode_call(self, document: Any) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
        if not isinstance(document, dict) or document.get("drawing") not in _FUNCTIONS:
            raise DrawingError("this version of Ostrom cannot draw it; run the command that made it again")
        arguments, options = document.get("arguments"), document.get("options")
        if not isinstance(arguments, list) or not isinstance(options, dict):
            raise DrawingError("it has no arguments")
        decoded = {str(name): self._decode(value) for name, value in options.items()}
        return _FUNCTIONS[document["drawing"]], self._decode(arguments), decoded

    def _decode(self, value: Any, depth: int = 0) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return _checked(value)
        if depth > _MAX_NESTING:
            raise DrawingError("its arguments are nested too deeply")
        if isinstance(value, list):
            _check_count(len(value), MAX_DRAWN_NAMES, "entries of a list")
            return [self._decode(part, depth + 1) for part in value]
        if not isinstance(value, dict) or len(value) != 1:
            raise DrawingError("it has an argument of unknown kind")
        [(kind, content)] = value.items()
        decoders = {"frame": self._frame, "estimate": _estimate, "cast": _cast, "side": self._side}
        if kind not in decoders or not isinstance(content, list):
            raise DrawingError("it has an argument of unknown kind")
        return decoders[kind](content)

    def _frame(self, columns: list[Any]) -> pl.DataFrame:
        _check_count(len(columns), MAX_DRAWN_NAMES, "columns")
        series = []
        for column in columns:
            if not isinstance(column, list) or len(column) != 3 or column[1] not in _KINDS:
                raise DrawingError("it has an invalid table")
            name, kind, values = column
            if not _is_column(name) or not isinstance(values, list):
                raise DrawingError("it has an invalid table")
            _check_count(self._rows + len(values), MAX_DRAWN_ROWS, "rows")
            for value in values:
                _checked(value)
            if (kind == "text" and name not in _FREE_TEXTS) or name in _ROW_NUMBERS:
                _check_count(len({str(value) for value in values}), MAX_DRAWN_NAMES, "different texts in a column")
            try:
                series.append(pl.Series(name, values, dtype=_KINDS[kind], strict=True))
            except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError):
                raise DrawingError("it has an invalid table") from None
        self._rows += max((len(column) for column in series), default=0)
        try:
            return pl.DataFrame(series)
        except pl.exceptions.PolarsError:
            raise DrawingError("it has an invalid table") from None

    def _side(self, parts: list[Any]) -> Any:
        if len(parts) != 3 or not _is_column(parts[0]) or not isinstance(parts[2], bool):
            raise DrawingError("it has an invalid axis")
        return Side(parts[0], self._decode(parts[1]), parts[2])


def _checked(value: Any) -> Any:
    if isinstance(value, str):
        _check_count(len(value), MAX_DRAWN_CHARACTERS, "characters of a text")
    elif isinstance(value, int | float) and not (math.isfinite(value) and abs(value) <= _MAX_NUMBER):
        raise DrawingError("it has a number that no chart shows")
    elif not (value is None or isinstance(value, int | float)):
        raise DrawingError("it has an argument of unknown kind")
    return value


def _check_count(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise DrawingError(f"it has {count:,} {what}; a stored chart has at most {limit:,}")


def _is_column(name: Any) -> bool:
    return isinstance(name, str) and _COLUMN.fullmatch(name) is not None


def _estimate(numbers: list[Any]) -> Estimate:
    if len(numbers) != 3:
        raise DrawingError("it has an invalid figure")
    value, low, high = map(_checked, numbers)
    return Estimate(value, low, high)


def _cast(faces: list[Any]) -> Cast:
    _check_count(len(faces), MAX_DRAWN_NAMES, "players")
    decoded: dict[str, Face] = {}
    for face in faces:
        if not isinstance(face, list) or len(face) != 6:
            raise DrawingError("it has an invalid player")
        player, label, key, colour, line, turn = map(_checked, face)
        if not all(isinstance(text, str) for text in (player, label, key)):
            raise DrawingError("it has an invalid player")
        if not all(isinstance(ink, str) and _COLOUR.fullmatch(ink) for ink in (colour, line)):
            raise DrawingError("it has an invalid player")
        if not isinstance(turn, int) or turn < 0:
            raise DrawingError("it has an invalid player")
        decoded[player] = Face(player, label, key, colour, line, turn % 10_000)
    # A player without a family uses its own label as the key.
    keys = {face.key for face in decoded.values() if face.key != face.label}
    return Cast(decoded, tuple(family for family in COLOURS if family in keys))
