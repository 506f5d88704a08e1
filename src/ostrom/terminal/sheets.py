"""What commands print: tables that fit the terminal, one JSON document for programs, and on standard error the progress
of what takes long."""

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

from ostrom.core.outlets import legible

_WHOLE: Final = 4_096
"""Columns of a file or a pipe: no table needs more."""


class Terminal(Console):
    """A console whose texts are shown as what they are: nothing in them is markup, an emoji's code or a sequence that
    the terminal would obey. Sequences that Rich makes itself are no text, and pass."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    @property
    def size(self) -> ConsoleDimensions:
        """As wide as the terminal. What goes to a file or a pipe is whole, unless COLUMNS says how wide it is."""
        if self.is_terminal or "COLUMNS" in os.environ:
            return super().size
        return ConsoleDimensions(_WHOLE, super().size.height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """What is drawn, piece by piece, all of it legible."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(legible(piece.text, lines=True), piece.style)


out = Terminal()
err = Terminal(stderr=True)


def print_json(document: dict[str, Any]) -> None:
    """One document on standard output, and nothing beside it."""
    json.dump(document, sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


@dataclass(frozen=True)
class Column:
    """A column of a sheet."""

    heading: str
    number: bool = False
    """Numbers stand to the right and are never cut."""
    spare: int = 0
    """Left out where the terminal is too narrow, the highest first; 0 always stays."""
    wraps: bool = False
    """Long text that may run over several lines."""
    lines: bool = False
    """Its cells come broken into lines; elsewhere a line break belongs to the text, and is spelled out."""


_CELL = 600
"""Characters of a cell that are shown."""


@dataclass
class Sheet:
    """A table that fits the terminal: where it is too wide, spare columns go, and no cell is cut."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]] = ()
    caption: str = ""
    """A line below the table."""
    best: int = 0
    """The number of first rows that are set in bold."""

    def __post_init__(self) -> None:
        # Made legible before anything is measured, so that columns line up.
        self.title, self.caption = legible(self.title), legible(self.caption, lines=True)
        self.columns = [replace(one, heading=legible(one.heading, lines=one.lines, most=_CELL)) for one in self.columns]
        self.rows = [
            [legible(cell, lines=one.lines, most=_CELL) for one, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    @classmethod
    def of(cls, title: str, items: Iterable[Any], columns: Mapping[Column, Callable[[Any], str]], **more: Any) -> Self:
        """A row for each item; each column says what its cell holds."""
        return cls(title, list(columns), [[cell(item) for cell in columns.values()] for item in items], **more)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown = self.shown(options.max_width)
        # Where not even the columns that stay have room, words give way, never numbers.
        tight = self._width(shown) > options.max_width
        made = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
        made.title, made.title_justify, made.title_style = Text(self.title), "left", "bold"
        for index in shown:
            column = self.columns[index]
            wraps = column.wraps or (tight and not column.number)
            made.add_column(
                column.heading,
                justify="right" if column.number else "left",
                no_wrap=not wraps,
                # A word that is longer than its column goes on in the next line; no part of a name is lost.
                overflow="fold" if wraps else "ellipsis",
            )
        for place, row in enumerate(self.rows):
            made.add_row(*(Text(row[index]) for index in shown), style="bold" if place < self.best else "")
        yield made
        left_out = [column.heading for index, column in enumerate(self.columns) if index not in shown]
        if self.caption:
            yield Text(self.caption, style="dim")
        if left_out:
            yield Text(f"(a wider terminal also shows: {', '.join(left_out)})", style="dim")

    def shown(self, width: int) -> list[int]:
        """The columns, by number, that a terminal of this width has room for."""
        shown = list(range(len(self.columns)))
        while self._width(shown) > width and any(self.columns[index].spare for index in shown):
            shown.remove(max(shown, key=lambda index: self.columns[index].spare))
        return shown

    def _width(self, shown: Sequence[int]) -> int:
        """How wide the columns are side by side, with what stands between them; text that wraps asks for little."""
        width = 0
        for index in shown:
            texts = [self.columns[index].heading, *(line for row in self.rows for line in row[index].split("\n"))]
            width += 2 + (12 if self.columns[index].wraps else max(cell_len(text) for text in texts))
        return width - 1
