"""What commands print: tables that fit the terminal, one JSON document for programs, and on standard error the progress
of what takes long."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, Self

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.progress_bar import ProgressBar
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ostrom.core.outlets import legible
from ostrom.experiment.watch import ModelTally, Tally
from ostrom.players.people.seat import is_person

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
    """Its cells come broken into lines; elsewhere a break is somebody's text, and spelled out."""


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
    """So many of the first rows are set in bold."""

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


class _Rate(TextColumn):
    """Games a second, or whatever is counted."""

    def render(self, task: Any) -> Text:
        return Text(f"{task.speed:,.0f} {self.text_format}/s" if task.speed else f"… {self.text_format}/s")


@contextmanager
def games_bar(title: str, total: int | None, unit: str = "games") -> Iterator[Callable[..., None]]:
    """A progress bar on standard error, with rate and time left, gone when the work is done; a line now and then where
    there is no terminal. What it yields advances it by one or so many, or sets `completed` and `total`."""
    left = (TimeRemainingColumn(), TextColumn("left", markup=False))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), _Rate(unit), *left)
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task, began = progress.add_task(title, total=total), time.monotonic()

        def line() -> str:
            now = progress.tasks[0]
            whole = "" if now.total is None else f" of {now.total:,.0f}"
            left = None if now.total is None else now.total - now.completed
            return f"{title}: {now.completed:,.0f}{whole}{_left(now.completed, left, time.monotonic() - began)}"

        with _lines(line):
            yield lambda done=1, **now: progress.update(task, advance=None if now else done, **now)


_EVERY: Final = 30.0
"""Seconds between two lines of progress where there is no terminal."""


@contextmanager
def _lines(line: Callable[[], str]) -> Iterator[None]:
    """Print a line of progress every few seconds, where there is no terminal that shows a bar."""
    if err.is_terminal:
        yield
        return
    over = threading.Event()

    def tell() -> None:
        while not over.wait(_EVERY):
            err.print(line(), soft_wrap=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def _left(done: float, left: float | None, elapsed: float) -> str:
    """How long it will take at this pace, in words; nothing where nobody knows."""
    return f", {timedelta(seconds=round(elapsed * left / done))} left" if done and left else ""


_MOST_MODELS = 12
"""Lines for models; more would not fit a terminal."""


@contextmanager
def watched(tally: Tally, games: int) -> Iterator[None]:
    """Show a run in which models play while it goes on; `games` is how many are still to be finished."""
    began = time.monotonic()

    def render() -> RenderableType:
        lines = [_model_line(name, model) for name, model in list(tally.models.items())[:_MOST_MODELS]]
        more = len(tally.models) - _MOST_MODELS
        if more > 0:
            lines.append(Text(f"  and {more} more models", style="dim"))
        return Group(_run_line(tally, games, max(time.monotonic() - began, 1e-9)), *lines)

    def line() -> str:
        done, elapsed = tally.finished + tally.void, max(time.monotonic() - began, 1e-9)
        return (
            f"games: {done:,} of {games:,}, {tally.decisions / elapsed:,.1f} decisions/s, ${tally.dollars:,.4f}, "
            f"{_short(tally.tokens)} tokens{_left(done, games - done, elapsed)}"
        )

    if not err.is_terminal:
        with _lines(line):
            yield
        return
    with Live(get_renderable=render, console=err, refresh_per_second=4, transient=True):
        yield


def _run_line(tally: Tally, games: int, elapsed: float) -> RenderableType:
    """Games, decisions a second, cost, tokens and the time left: from the games that are done; before the first, nobody
    knows."""
    done = tally.finished + tally.void
    left = timedelta(seconds=round(elapsed * max(0, games - done) / done)) if done else "…"
    grid = Table.grid(padding=(0, 1))
    grid.add_row(
        Text("games"),
        ProgressBar(total=max(1, games), completed=done, width=24),
        Text(f"{done:,}/{games:,}"),
        Text(f"{tally.decisions / elapsed:,.1f} decisions/s"),
        Text(f"${tally.dollars:,.4f}"),
        Text(f"{_short(tally.tokens)} tokens"),
        Text(f"{left} left"),
    )
    return grid


def _model_line(name: str, model: ModelTally) -> Text:
    faults = ", ".join(f"{count} {fault.value.replace('_', ' ')}" for fault, count in sorted(model.faults.items()))
    calls = f"{model.calls:,} calls, {model.in_flight} in flight"
    if is_person(name):
        calls = f"{model.decisions:,} answers{', asked now' if model.in_flight else ''}"
    text = Text(f"  {name}: {calls}", style="dim", overflow="ellipsis")
    if faults:
        text.append(f"; {faults}", style="yellow")
    if model.defaults:
        text.append(f"; {model.defaults} defaulted", style="red")
    if model.state == "paused":
        text.append("; paused", style="bold yellow")
    if model.state == "unavailable":
        text.append(f"; unavailable: {model.reason}", style="bold red")
    return text


def _short(number: int) -> str:
    if number < 10_000:
        return f"{number:,}"
    return f"{number / 1000:,.0f} k" if number < 10_000_000 else f"{number / 1_000_000:,.1f} M"
