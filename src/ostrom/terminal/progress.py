"""Shows progress on standard error: bars with the rate and the time left. If there is no terminal, a line is printed at
intervals."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from typing_extensions import override

from ostrom.experiment.watch import ModelTally, Tally
from ostrom.players.people.seat import is_person
from ostrom.terminal.sheets import err


class _Rate(TextColumn):
    """The rate of progress, in games or another unit per second. Without a unit, it is that of the description."""

    @override
    def render(self, task: Any) -> Text:
        unit = self.text_format or task.description
        return Text(f"{task.speed:,.0f} {unit}/s" if task.speed else f"… {unit}/s")


@contextmanager
def games_bar(title: str, total: int | None, unit: str = "games") -> Iterator[Callable[..., None]]:
    """Show a progress bar on standard error, with rate and time left. The bar disappears at the end. Yield a function
    that advances the bar by one game or more, or sets `completed` and `total`, and for a new phase, in which progress
    begins again, the `description`."""
    left = (TimeRemainingColumn(), TextColumn("left", markup=False))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), _Rate(unit), *left)
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(title, total=total)
        phase, began = title, time.monotonic()

        def line() -> str:
            now = progress.tasks[0]
            whole = "" if now.total is None else f" of {now.total:,.0f}"
            left = None if now.total is None else now.total - now.completed
            return f"{phase}: {now.completed:,.0f}{whole}{_left(now.completed, left, time.monotonic() - began)}"

        def advance(done: int = 1, **now: Any) -> None:
            nonlocal phase, began
            if now.get("description", phase) != phase:
                phase, began = now["description"], time.monotonic()
                progress.reset(task)
            progress.update(task, advance=None if now else done, **now)

        with _lines(line):
            yield advance


LINE_INTERVAL_S: Final = 30.0
"""Seconds between two lines of progress if there is no terminal."""


@contextmanager
def _lines(line: Callable[[], str]) -> Iterator[None]:
    """Print a line of progress at intervals if there is no terminal."""
    if err.is_terminal:
        yield
        return
    over = threading.Event()

    def print_lines() -> None:
        while not over.wait(LINE_INTERVAL_S):
            err.print(line(), soft_wrap=True)

    printer = threading.Thread(target=print_lines, daemon=True)
    printer.start()
    try:
        yield
    finally:
        over.set()
        printer.join()


def _left(done: float, left: float | None, elapsed: float) -> str:
    """Return the time left at this pace as text. Return an empty text if it is unknown."""
    return f", {timedelta(seconds=round(elapsed * left / done))} left" if done and left else ""


MAX_MODEL_LINES: Final = 12
"""The largest number of models that have a separate line. More lines would not fit on a terminal."""


@contextmanager
def watched(tally: Tally, games: int, decisions: float | None = None) -> Iterator[None]:
    """Show the progress of a run with models; `games` is the number of games that are not over, and `decisions` the
    expected number of decisions of models in them. The time left is computed from decisions, since many games may run
    at once and end together. If the expected number of decisions is unknown, the time left is computed from games."""
    began = time.monotonic()

    def render() -> RenderableType:
        lines = [_model_line(name, model) for name, model in list(tally.models.items())[:MAX_MODEL_LINES]]
        more = len(tally.models) - MAX_MODEL_LINES
        if more > 0:
            lines.append(Text(f"  and {more} more models", style="dim"))
        return Group(_run_line(tally, games, decisions, max(time.monotonic() - began, 1e-9)), *lines)

    def line() -> str:
        done = tally.finished + tally.void
        elapsed = max(time.monotonic() - began, 1e-9)
        return (
            f"games: {done:,} of {games:,}, {_decisions_text(tally, decisions)}, "
            f"{tally.decisions / elapsed:,.1f} decisions/s, ${tally.dollars:,.4f}, "
            f"{_short(tally.tokens)} tokens{_left(*_progress(tally, games, decisions), elapsed)}"
        )

    if not err.is_terminal:
        with _lines(line):
            yield
        return
    with Live(get_renderable=render, console=err, refresh_per_second=4, transient=True):
        yield


def _progress(tally: Tally, games: int, decisions: float | None) -> tuple[float, float]:
    """Return the amount of work that is done and the amount that is left, both in decisions of models. If the number of
    decisions is unknown, the unit is games."""
    over = tally.finished + tally.void
    if not decisions or over >= games:
        return over, max(0, games - over)
    done = sum(model.decisions for model in tally.models.values())
    return done, max(1.0, decisions - done)


def _decisions_text(tally: Tally, decisions: float | None) -> str:
    done = sum(model.decisions for model in tally.models.values())
    return f"{done:,} decisions" if not decisions else f"{done:,} of about {max(decisions, done):,.0f} decisions"


def _run_line(tally: Tally, games: int, decisions: float | None, elapsed: float) -> RenderableType:
    """Return games, decisions, cost, tokens and the time left. The time left is unknown before the first decision."""
    over = tally.finished + tally.void
    done, remaining = _progress(tally, games, decisions)
    left = timedelta(seconds=round(elapsed * remaining / done)) if done else "…"
    grid = Table.grid(padding=(0, 1))
    grid.add_row(
        Text("games"),
        ProgressBar(total=max(1, done + remaining), completed=done, width=24),
        Text(f"{over:,}/{games:,}"),
        Text(_decisions_text(tally, decisions)),
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
