"""Output of commands: tables that fit the terminal, and one JSON document for programs."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from typing_extensions import override

from ostrom.core.outlets import legible

PIPE_WIDTH: Final = 4_096
"""The width in characters of output to a file or a pipe; no table needs more."""
MAX_CELL: Final = 600
"""The largest number of characters of a cell that are shown."""


class Terminal(Console):
    """A console that prints text literally: markup, emoji codes and control sequences in the text have no effect.
    Control sequences that Rich itself writes are kept."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    @property
    @override
    def size(self) -> ConsoleDimensions:
        # Output to a file or a pipe is not cut, unless the variable COLUMNS sets its width.
        if self.is_terminal or "COLUMNS" in os.environ:
            return super().size
        return ConsoleDimensions(PIPE_WIDTH, super().size.height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    @override
    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(legible(piece.text, lines=True), piece.style)


out = Terminal()
err = Terminal(stderr=True)


def print_json(document: dict[str, Any]) -> None:
    """Print one document on standard output."""
    json.dump(document, sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


@dataclass(frozen=True)
class Column:
    """A column of a sheet."""

    heading: str
    number: bool = False
    """True for numbers, which are aligned to the right and never cut."""
    spare: int = 0
    """The order in which columns are dropped if the terminal is too narrow: the column with the highest number is
    dropped first. A column with 0 is never dropped."""
    wraps: bool = False
    """True if long text may run over several lines."""
    lines: bool = False
    """True if the cells of the column have line breaks. In other columns, a line break is shown as an escape
    sequence."""


@dataclass
class Sheet:
    """A table that fits the terminal. If the table is too wide, spare columns are dropped, but cells are not cut."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]] = ()
    caption: str = ""
    """A line below the table."""
    best: int = 0
    """The number of first rows that are set in bold."""

    def __post_init__(self) -> None:
        # Control characters are escaped before the text is measured, so that columns are aligned.
        self.title, self.caption = legible(self.title), legible(self.caption, lines=True)
        self.columns = [
            replace(column, heading=legible(column.heading, lines=column.lines, most=MAX_CELL))
            for column in self.columns
        ]
        self.rows = [
            [legible(cell, lines=column.lines, most=MAX_CELL) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    @classmethod
    def of(cls, title: str, items: Iterable[Any], columns: Mapping[Column, Callable[[Any], str]], **more: Any) -> Self:
        """Return a sheet with a row for each item. `columns` has the function that returns the text of a cell."""
        return cls(title, list(columns), [[cell(item) for cell in columns.values()] for item in items], **more)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        indices = self.visible_columns(options.max_width)
        # If the remaining columns are still too wide, columns with text are wrapped. Numbers are never wrapped.
        tight = self._width(indices) > options.max_width
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
        table.title = Text(self.title)
        table.title_justify = "left"
        table.title_style = "bold"
        for index in indices:
            column = self.columns[index]
            wraps = column.wraps or (tight and not column.number)
            table.add_column(
                column.heading,
                justify="right" if column.number else "left",
                no_wrap=not wraps,
                # A word that is longer than its column is folded, so that no part of a name is lost.
                overflow="fold" if wraps else "ellipsis",
            )
        for place, row in enumerate(self.rows):
            table.add_row(*(Text(row[index]) for index in indices), style="bold" if place < self.best else "")
        yield table
        left_out = [column.heading for index, column in enumerate(self.columns) if index not in indices]
        if self.caption:
            yield Text(self.caption, style="dim")
        if left_out:
            yield Text(f"(a wider terminal also shows: {', '.join(left_out)})", style="dim")

    def visible_columns(self, width: int) -> list[int]:
        """Return the indices of the columns that fit a terminal of this width."""
        indices = list(range(len(self.columns)))
        while self._width(indices) > width and any(self.columns[index].spare for index in indices):
            indices.remove(max(indices, key=lambda index: self.columns[index].spare))
        return indices

    def _width(self, indices: Sequence[int]) -> int:
        """Return the width of these columns with the gaps between them. Columns with wrapped text count with 12
        characters."""
        width = 0
        for index in indices:
            texts = [self.columns[index].heading, *(line for row in self.rows for line in row[index].split("\n"))]
            width += 2 + (12 if self.columns[index].wraps else max(cell_len(text) for text in texts))
        return width - 1
