"""A finding is the result of a verb: an operation of the lab, such as a tournament. It holds facts, tables, charts and
sentences. All surfaces (terminal, JSON, notebook, report, journal, API) are rendered from it.

Rows of a table are plain mappings; a number with an interval is an `Estimate`. Polars and Altair are optional, and are
imported only when a frame or a chart is requested.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from ostrom.core.errors import UnknownName
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game, imported
from ostrom.core.listing import MAX_SHOWN_ROWS, Tables, brief, frame_of, html_table, to_pandas
from ostrom.core.outlets import legible
from ostrom.core.text import number_of

if TYPE_CHECKING:
    import polars as pl

Row: TypeAlias = Mapping[str, Any]
MISSING: Final = "–"
MAX_NAMED_ROWS: Final = 12
"""The number of rows that the `repr` of a finding shows."""
MAX_TITLE: Final = 300
"""The number of characters of a title that the `repr` of a finding shows."""


@dataclass(frozen=True)
class Format:
    """The format of a number: the number is multiplied by a scale, then formatted."""

    spec: str
    scale: float = 1
    suffix: str = ""

    def __call__(self, value: Any) -> str:
        """Return the text of a value; a dash for None."""
        if value is None:
            return MISSING
        if isinstance(value, str | bool):
            return str(value)
        return format(value if self.scale == 1 else self.scale * value, self.spec) + self.suffix


def decimals(places: int, *, signed: bool = False) -> Format:
    """Return the format of a number with this many decimals."""
    return Format(f"{'+' if signed else ''}z,.{places}f")


def percent(places: int = 1) -> Format:
    """Return the format of a share as a percentage, without the sign."""
    return Format(f"z.{places}f", scale=100)


def share(places: int = 1) -> Format:
    """Return the format of a share as a percentage, with the sign."""
    return Format(f"z.{places}%")


INTEGER: Final = Format(",d")
TEXT: Final = Format("")

Interval: TypeAlias = Literal["omitted", "beside", "plus-minus", "brackets"]
"""Where a table for people shows an interval: not at all, in a separate column, as value ± half its width, or in
brackets after the value."""


@dataclass(frozen=True)
class Column:
    """A column of a table. Its cells may be estimates with intervals."""

    name: str
    """The field of a row, and the column of the frame."""
    heading: str | None = None
    """The heading for people. A column without a heading is for programs only."""
    format: Format = TEXT
    title: str = ""
    """A longer heading, for reports and pages."""
    deviation: str = ""
    """The name of the column with the standard deviation of this column. Pages show the deviation after the value, with
    ±."""
    unit: str = ""
    number: bool = False
    """True if the cells are numbers. Numbers are right-aligned and never cut."""
    spare: int = 0
    """The order in which columns are left out on a narrow terminal; the highest number is left out first. A column with
    0 is never left out."""
    wraps: bool = False
    """True if a long text may be wrapped over several lines."""
    multiline: bool = False
    """True if the text of a cell already has line breaks."""
    interval: Interval = "omitted"
    interval_heading: str = "95 %"
    """The heading of a separate interval column."""
    interval_spare: int = 0
    """The `spare` of a separate interval column."""
    interval_separator: str = "–"
    """The text between the ends of an interval in a separate column."""
    key: str | None = None
    """The name of the column in JSON, if it differs from `name`."""
    measure: str | None = None
    """The name of the column's measure in the tidy table, if it differs from `name`."""
    cell: Callable[[Row], str] | None = None
    """A function from a row to the cell's text for people; it replaces `format`."""
    in_json: bool = True
    in_frame: bool = True
    meaning: str = ""
    """The meaning of the column in a sentence, for help texts and pages."""
    type: Any = None
    """The type of the column's values, if the column is also a field of the HTTP API."""

    def text(self, row: Row) -> str:
        """Return the text for people of this column's cell in a row."""
        if self.cell is not None:
            return self.cell(row)
        value = row.get(self.name)
        if not isinstance(value, Estimate):
            return self.format(value)
        if value.value is None:
            return MISSING
        if value.low is None or value.high is None or self.interval in ("omitted", "beside"):
            return self.format(value.value)
        if self.interval == "plus-minus":
            return f"{self.format(value.value)} ± {self.format((value.high - value.low) / 2)}"
        return f"{self.format(value.value)} ({self.format(value.low)} to {self.format(value.high)})"

    def interval_text(self, row: Row) -> str:
        """Return the text for people of the interval of a row's estimate."""
        value = row.get(self.name)
        if not isinstance(value, Estimate) or value.low is None or value.high is None:
            return MISSING
        return f"{self.format(value.low)}{self.interval_separator}{self.format(value.high)}"


def number(name: str, heading: str | None = None, how: Format = INTEGER, **options: Any) -> Column:
    """Return a column of numbers; `options` are further fields of `Column`."""
    return Column(name, heading, how, number=True, **options)


class Explanation(NamedTuple):
    """The texts below a table."""

    caption: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, repr=False)
class Table:
    """Rows, and columns that describe their fields."""

    name: str
    columns: Sequence[Column] = ()
    rows: Sequence[Row] = ()
    title: str = ""
    caption: str = ""
    """Sentences below the table."""
    notes: Sequence[str] = ()
    """Further lines below the table in a terminal."""
    explain: Callable[[Collection[str]], Explanation] | None = None
    """A function that returns the caption and the notes for the columns that are shown. It is None if they do not
    depend on the columns."""
    lines_above: Sequence[str] = ()
    """Lines above the table in a terminal, such as the selection of games."""
    best: int = 0
    """The number of rows, from the top, that are set in bold."""
    estimates: Literal["record", "beside"] = "record"
    """The form of an estimate in JSON: either a record of value, low, high and reason, or a number, with its record
    under `estimates`."""
    key: str | None = None
    """The name of the table in JSON, if it differs from `name`."""
    in_json: bool = True
    in_journal: bool = True
    on_terminal: bool = True
    load: "Callable[[], pl.DataFrame] | None" = None
    """A function that returns the frame, for a table that is only for programs and has no columns and rows."""

    def __repr__(self) -> str:
        if self.load is not None:
            return f"<Table {self.name}>"
        return (
            f"<Table {self.name}: {number_of(len(self.rows), 'row')}: {brief(column.name for column in self.columns)}>"
        )

    def first_cells(self) -> list[str]:
        """Return the first two cells of the first rows, for `repr`."""
        if self.load is not None:
            return [" ".join(map(str, row[:2])) for row in self.frame.head(MAX_NAMED_ROWS).iter_rows()]
        names = [column.name for column in self.columns if column.in_frame][:2]
        return [" ".join(str(row.get(name)) for name in names) for row in self.rows[:MAX_NAMED_ROWS]]

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as plain data."""
        if self.load is not None:
            return self.frame.to_dicts()
        return [self._record(row) for row in self.rows]

    def _record(self, row: Row) -> dict[str, Any]:
        record: dict[str, Any] = {}
        estimates: dict[str, Any] = {}
        for column in self.columns:
            if not column.in_json:
                continue
            key = column.key or column.name
            value = row.get(column.name)
            if not isinstance(value, Estimate):
                record[key] = value
            elif self.estimates == "beside":
                record[key] = value.value
                estimates[key] = value.as_record()
            else:
                record[key] = value.as_record()
        return record | ({"estimates": estimates} if self.estimates == "beside" else {})

    @cached_property
    def frame(self) -> "pl.DataFrame":
        """The table as a Polars frame, in which each estimate has three columns."""
        if self.load is not None:
            return self.load()
        names = [column.name for column in self.columns if column.in_frame]
        if not self.rows:
            return frame_of([], {column.name: float if column.number else str for column in self.columns})
        frame = frame_of({name: row.get(name) for name in names} for row in self.rows)
        numbers = [column.name for column in self.columns if column.number and column.name in frame.columns]
        empty = [name for name in numbers if frame[name].null_count() == frame.height]
        return frame.with_columns(frame[name].cast(float) for name in empty)

    @cached_property
    def tidy(self) -> "pl.DataFrame":
        """The table as a Polars frame with one row for each estimate: its measure, value, low and high. Without
        estimates it equals `frame`."""
        columns = [column for column in self.columns if column.in_frame]
        figures = [column for column in columns if self._is_estimate(column)]
        plain = [column.name for column in columns if column not in figures]
        if not figures:
            return self.frame
        return frame_of(
            {
                **{name: row.get(name) for name in plain},
                "measure": column.measure or column.name,
                **_ends(row[column.name]),
            }
            for row in self.rows
            for column in figures
            if isinstance(row.get(column.name), Estimate)
        )

    def _is_estimate(self, column: Column) -> bool:
        return any(isinstance(row.get(column.name), Estimate) for row in self.rows)

    def html(self, title: str = "", note: str = "") -> str:
        """Return the table for a notebook."""
        if self.load is not None:
            rows = self.frame.head(MAX_SHOWN_ROWS).iter_rows()
            return html_table(title or self.title, self.frame.columns, rows, self.frame.height, note)
        names = [column.name for column in self.columns if column.in_frame]
        cells = ([row.get(name) for name in names] for row in self.rows[:MAX_SHOWN_ROWS])
        return html_table(title or self.title, names, cells, len(self.rows), note)


def _ends(estimate: Estimate) -> dict[str, Any]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


@dataclass(frozen=True)
class ChartEntry:
    """A chart of a finding, named by the import path of a function. The function receives the finding and draws the
    chart when it is requested."""

    name: str
    heading: str
    draw: str
    table: str = ""
    """The name of the table that the chart draws, if it differs from the chart's own name."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments of the function."""

    def chart(self, finding: "Finding") -> Any:
        """Return the Altair chart."""
        return imported(self.draw)(finding, **self.options)


@dataclass(frozen=True)
class Opening:
    """Games of a finding that users can open: the rules, the players and the numbers of the games. The numbers begin
    with `first`."""

    label: str
    rules: Mapping[str, Any]
    players: Sequence[str]
    games: int = 1
    first: int = 0


@dataclass(frozen=True)
class NextStep:
    """A verb that the user may run next, with its settings. Each surface spells it in its own way."""

    verb: str
    settings: Mapping[str, str] = field(default_factory=dict)
    arguments: Sequence[str] = ()
    """Values that a command line passes as positional arguments."""


@dataclass(frozen=True)
class Finding:
    """The result of a verb."""

    verb: str
    title: str
    facts: Mapping[str, Any]
    """Inputs and results other than tables, as plain data. In JSON they are beside the tables."""
    parts: Sequence[Table]
    """The tables of the finding, the main one first."""
    summary: str = ""
    """The method of the verb in one or two sentences."""
    lines: Sequence[str] = ()
    """Lines above the tables in a terminal."""
    transcript: Sequence[str] = ()
    """A game in words, with one line for each step. A terminal prints it between the lines and the tables, without
    breaking lines."""
    sentences: Sequence[str] = ()
    """Paragraphs below the tables in a terminal: conclusions and next steps."""
    chart_entries: Sequence[ChartEntry] = ()
    game: Game | None = None
    """The game of the finding; None if its payoffs came from a file."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    """All other settings that determine the result, for the journal."""
    openings: Callable[[], Sequence[Opening]] | None = None
    next_steps: Sequence[NextStep] = ()
    """Suggested next steps, the most useful one first."""
    files: Callable[[], Mapping[str, bytes]] | None = None
    """A function that returns further files, such as a strategy, by name. They are stored in the journal."""
    root: str | None = None
    """The JSON key under which the finding is nested; None if it is not nested."""
    result: Any = None
    """The value that the verb computed; its attributes can also be read from the finding."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "result":
            raise AttributeError(name)
        return getattr(self.result, name)

    def table(self, name: str) -> Table:
        """Return a table by its name. Raise UnknownName if there is none."""
        for table in self.parts:
            if table.name == name:
                return table
        raise UnknownName("table", name, [], text=f"there is no table {name!r}; there are {brief(self._names(), 600)}")

    def _names(self) -> Iterator[str]:
        return (table.name for table in self.parts)

    @cached_property
    def tables(self) -> Tables:
        """The tidy tables of the finding as Polars frames, by name."""
        return Tables({table.name: table.tidy for table in self.parts if table.in_journal})

    @property
    def charts(self) -> list[str]:
        """The names of the charts of the finding."""
        return [entry.name for entry in self.chart_entries]

    def chart(self, name: str | None = None) -> Any:
        """Return an Altair chart of the finding: the one with this name, or the first by default. Raise UnknownName if
        there is none."""
        entries = {entry.name: entry for entry in self.chart_entries}
        name = name or next(iter(entries))
        if name not in entries:
            raise UnknownName("chart", name, [], text=f"there is no chart {name!r}; there are {brief(entries, 600)}")
        return entries[name].chart(self)

    def as_record(self) -> dict[str, Any]:
        """Return the finding as plain data: facts, and the rows of its tables."""
        tables = {table.key or table.name: table.records() for table in self.parts if table.in_json}
        record = {**self.facts, **tables}
        return record if self.root is None else {self.root: record}

    def to_frame(self, *measures: str) -> "pl.DataFrame":
        """Return the first table as a Polars frame, with three columns for each estimate. If `measures` are named,
        return only their rows."""
        frame = self.parts[0].frame
        return frame.filter(frame["measure"].is_in(list(measures))) if measures else frame

    def to_pandas(self) -> Any:
        """Return the first table as a pandas frame."""
        return to_pandas(self.to_frame())

    def with_facts(self, **facts: Any) -> "Finding":
        """Return the finding with additional facts."""
        return replace(self, facts={**self.facts, **facts})

    def __repr__(self) -> str:
        if not self.parts:
            return f"<{legible(self.title, most=MAX_TITLE)}>"
        main = self.parts[0]
        return f"<{legible(main.title or self.title, most=MAX_TITLE)}: {brief(main.first_cells())}>"

    def _repr_html_(self) -> str:
        return self.parts[0].html(self.parts[0].title or self.title, self.parts[0].caption)
