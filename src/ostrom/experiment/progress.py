"""The progress of a run in which models play: games, decisions a second, cost, tokens and time left, and a line a model
with its faults. On standard error, and absent where nobody looks."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ostrom.experiment.terminal import err
from ostrom.experiment.watch import ModelTally, Tally
from ostrom.players.people.seat import is_person

_MOST_MODELS = 12
"""Lines for models; more would not fit a terminal."""


@contextmanager
def watched(tally: Tally, games: int) -> Iterator[None]:
    """Show a run while it goes on; `games` is how many are still to be finished."""
    shown = _Display(tally, games)
    if not err.is_terminal:
        yield
        return
    with Live(get_renderable=shown.render, console=err, refresh_per_second=4, transient=True):
        yield


class _Display:
    def __init__(self, tally: Tally, games: int) -> None:
        self._tally = tally
        self._games = games
        self._began = time.monotonic()

    def render(self) -> RenderableType:
        """What the run looks like now."""
        lines = [_model_line(name, model) for name, model in list(self._tally.models.items())[:_MOST_MODELS]]
        more = len(self._tally.models) - _MOST_MODELS
        if more > 0:
            lines.append(Text(f"  and {more} more models", style="dim"))
        return Group(self._whole(), *lines)

    def _whole(self) -> RenderableType:
        tally, elapsed = self._tally, max(time.monotonic() - self._began, 1e-9)
        done = tally.finished + tally.void
        grid = Table.grid(padding=(0, 1))
        grid.add_row(
            Text("games"),
            ProgressBar(total=max(1, self._games), completed=done, width=24),
            Text(f"{done:,}/{self._games:,}"),
            Text(f"{tally.decisions / elapsed:,.1f} decisions/s"),
            Text(f"${tally.dollars:,.4f}"),
            Text(f"{_short(tally.tokens)} tokens"),
            Text(self._left(elapsed)),
        )
        return grid

    def _left(self, elapsed: float) -> str:
        """From the games that are done; before the first, nobody knows."""
        done = self._tally.finished + self._tally.void
        if not done:
            return "… left"
        return f"{_clock(elapsed * max(0, self._games - done) / done)} left"


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


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
