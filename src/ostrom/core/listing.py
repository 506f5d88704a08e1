"""Results as text and data: rows as a frame for Polars and pandas, as a line for a terminal, and as HTML for a
notebook. Polars is optional, and is imported only when a frame is requested."""

import html
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, overload

from ostrom.core.entry_points import missing_extra
from ostrom.core.errors import InputError, UnknownName
from ostrom.core.estimates import Estimate
from ostrom.core.events import Registry
from ostrom.core.outlets import legible
from ostrom.core.text import number_of

if TYPE_CHECKING:
    import polars as pl

Row = TypeVar("Row", covariant=True)
MAX_SHOWN_ROWS: Final = 60
"""The number of rows of a table that a notebook shows."""
_INTERVAL_SUFFIX: Final = re.compile("_(low|high)$")
_MAX_CELL_CHARACTERS: Final = 120
_MAX_REPR_CHARACTERS: Final = 300


def in_notebook() -> bool:
    """Return whether this runs in the kernel of a notebook."""
    shell = sys.modules.get("IPython")
    running = None if shell is None else shell.get_ipython()
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"


def frame_of(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, Any] | None = None) -> "pl.DataFrame":
    """Return rows as a Polars frame with these columns, by default all. An estimate becomes three columns: `NAME`,
    `NAME_low` and `NAME_high`."""
    try:
        import polars as pl
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error
    records = list(rows)
    flat = [dict(_flat(record)) for record in records]
    frame = pl.DataFrame(flat, schema=None if columns is None else dict(columns), infer_schema_length=None)
    numbers = {name for record in records for name, value in record.items() if isinstance(value, Estimate)}
    # A column without any value needs an explicit type.
    empty = [name for name, kind in frame.schema.items() if kind == pl.Null]
    return frame.with_columns(
        pl.col(name).cast(pl.Float64 if _INTERVAL_SUFFIX.sub("", name) in numbers else pl.String) for name in empty
    )


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, Estimate):
            yield from ((name, value.value), (f"{name}_low", value.low), (f"{name}_high", value.high))
        else:
            yield name, value


def to_pandas(frame: "pl.DataFrame") -> Any:
    """Return a Polars frame as a pandas frame; Polars needs pyarrow for this."""
    try:
        return frame.to_pandas()
    except ModuleNotFoundError as error:
        raise InputError(f"this needs {error.name}, which is not installed: pip install pandas pyarrow") from error


def html_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], total: int, note: str = "") -> str:
    """Return a table as HTML for a notebook. Texts are escaped. Rows beyond the limit are not shown, only their
    number."""
    head = "".join(f"<th>{_cell(name)}</th>" for name in columns)
    first_rows = list(islice(rows, MAX_SHOWN_ROWS))
    body = "".join(f"<tr>{''.join(_td(value) for value in row)}</tr>" for row in first_rows)
    more = f"{total - len(first_rows):,} more rows" if total > len(first_rows) else ""
    below = "".join(f"<p><small>{_cell(text)}</small></p>" for text in (more, note) if text)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div><strong>{_cell(title)}</strong>{table}{below}</div>"


def _td(value: Any) -> str:
    number = isinstance(value, int | float | Estimate) and not isinstance(value, bool)
    return f'<td style="text-align:{"right" if number else "left"}">{_cell(value)}</td>'


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    return html.escape(legible(str(value), most=_MAX_CELL_CHARACTERS))


def brief(names: Iterable[object], max_characters: int = _MAX_REPR_CHARACTERS) -> str:
    """Return names joined in one line, cut to this length."""
    text = ", ".join(legible(str(name), most=_MAX_CELL_CHARACTERS) for name in names)
    return text if len(text) <= max_characters else f"{text[: max_characters - 1]}…"


class Listing(Sequence[Row], Generic[Row]):
    """A sequence of results, which can also be accessed by name and as a frame."""

    def __init__(
        self,
        title: str,
        rows: Iterable[Row],
        record: Callable[[Row], Mapping[str, Any]],
        name: Callable[[Row], str] = str,
        note: str = "",
        columns: Mapping[str, Any] | None = None,
    ) -> None:
        self.title = title
        self.note = note
        self._rows: tuple[Row, ...] = tuple(rows)
        self._record, self._name, self._columns = record, name, columns

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> "Listing[Row]": ...
    @overload
    def __getitem__(self, place: str) -> Row: ...
    def __getitem__(self, place: int | slice | str) -> "Row | Listing[Row]":
        if isinstance(place, slice):
            return Listing(self.title, self._rows[place], self._record, self._name, self.note, self._columns)
        if isinstance(place, int):
            return self._rows[place]
        names: Registry[Row] = Registry("entry")
        for row in self._rows:
            names.replace(self._name(row), row)
        if place not in names:
            raise UnknownName("entry", str(place), names.nearest(str(place)), catalogue=f"there are {brief(names)}")
        return names[place]

    def to_frame(self) -> "pl.DataFrame":
        """Return a Polars table with one row for each result and three columns for each estimate."""
        return frame_of((self._record(row) for row in self._rows), self._columns)

    def to_pandas(self) -> Any:
        """Return the same table for pandas."""
        return to_pandas(self.to_frame())

    def __repr__(self) -> str:
        return f"<{self.title}: {number_of(len(self), 'row')}: {brief(self._name(row) for row in self._rows[:20])}>"

    def _repr_html_(self) -> str:
        records = [self._record(row) for row in self._rows[:MAX_SHOWN_ROWS]]
        columns = list(dict.fromkeys(name for record in records for name in record))
        rows = ([record.get(name) for name in columns] for record in records)
        return html_table(self.title, columns, rows, len(self), self.note)


class Tables(Registry["pl.DataFrame"]):
    """Tidy tables (Polars frames) by name."""

    def __init__(self, parts: Mapping[str, "pl.DataFrame"], about: Mapping[str, str] | None = None) -> None:
        super().__init__("table")
        self.about = dict(about or {})
        """Descriptions of tables, by name."""
        for name, table in parts.items():
            self.add(name, table)

    def to_pandas(self) -> dict[str, Any]:
        """Return every table for pandas."""
        return {name: to_pandas(table) for name, table in self.items()}

    def __repr__(self) -> str:
        return f"<Tables: {brief(f'{name} ({table.height:,} rows)' for name, table in self.items())}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, table.height, ", ".join(table.columns), self.about.get(name, "")) for name, table in self.items()
        ]
        return html_table("Tables", ("table", "rows", "columns", "what it holds"), rows, len(rows))
