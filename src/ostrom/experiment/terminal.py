"""What commands print: tables that fit the terminal, one JSON document for programs, progress on standard error."""

import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


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


@dataclass
class Sheet:
    """A table that fits the terminal: where it is too wide, spare columns go, and no cell is cut."""

    title: str
    columns: Sequence[Column]
    rows: list[Sequence[str]] = field(default_factory=list)
    caption: str = ""
    """A line below the table."""
    best: int = 0
    """So many of the first rows are set in bold."""

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
        widths = [
            12 if self.columns[index].wraps else max(cell_len(text) for text in self._texts(index)) for index in shown
        ]
        return sum(widths) + 2 * len(widths) - 1

    def _texts(self, index: int) -> list[str]:
        return [self.columns[index].heading, *(line for row in self.rows for line in row[index].split("\n"))]


class _Rate(TextColumn):
    """Games a second."""

    def __init__(self) -> None:
        super().__init__("{task.speed}")

    def render(self, task: Any) -> Text:
        return Text(f"{task.speed:,.0f} games/s" if task.speed else "… games/s")


@contextmanager
def games_bar(title: str, games: int) -> Iterator[tuple[Progress, TaskID]]:
    """A progress bar on standard error, with rate and time left; gone when the work is done, absent where nobody
    looks."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield progress, progress.add_task(title, total=games)


_JOINERS = "\u200c\u200d"
"""Invisible signs that words and emoji are written with, and that move nothing."""


def harmless(text: str) -> str:
    """The text with everything that could steer a terminal, or hide or turn around what stands there, spelled out."""
    return "".join(_spelled(sign) for sign in text)


def _spelled(sign: str) -> str:
    if unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or sign in _JOINERS:
        return sign
    return " " if sign == "\t" else sign.encode("unicode_escape", "surrogatepass").decode("ascii")
