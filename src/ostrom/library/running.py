"""Runs experiments for the library: in an event loop of its own, so that it works where one is running already, as in a
notebook; with progress that a notebook shows in place."""

import asyncio
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Final

from ostrom.core import InputError
from ostrom.core.errors import as_argument, spell_fields
from ostrom.core.game import imported
from ostrom.core.listing import in_notebook
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import conduct, enter, run_experiment
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.schema import PLAYING
from ostrom.journal.sql import Journal
from ostrom.terminal.console import ready
from ostrom.terminal.progress import games_bar, watched

_EVERY: Final = 0.25
"""Seconds between two looks at a run."""


class RunWarning(UserWarning):
    """An experiment ended before all its games were over; what it has is kept, and it can be resumed."""


def check(planned: Experiment) -> None:
    """Refuse what cannot be played here, before a journal is made, let alone written."""
    if planned.people:
        raise InputError("people take their seats by links: use 'ostrom run --include human' or the pages")
    ready(planned)


def run(planned: Experiment, journal: Journal, experiment: str | None = None, *, progress: bool = True) -> str:
    """Play what an experiment lacks, to its end or as far as it goes; its id. What kept it from its end is a
    warning."""
    check(planned)
    kept = experiment or enter(planned, journal)
    if planned.staged:
        play_stages = imported("ostrom.experiment.stages:play_stages")  # by its path: few need what analyses games
        play_stages(planned, journal, kept, lambda stage: _play(stage, journal, kept, progress))
    else:
        _play(planned, journal, kept, progress)
    return kept


def _play(planned: Experiment, journal: Journal, experiment: str, progress: bool) -> None:
    over = sum(row.state in ("finished", "void") for row in journal.games(experiment))
    left = planned.games - over
    if not planned.models and not journal.games(experiment, PLAYING):
        with _bar(left, progress) as advance:
            run_experiment(planned, journal, advance, experiment)
        return
    tally, stop = Tally(), StopSignal()
    how = Conduct(planned.limits or Limits(), tally, stop)
    with _watching(tally, left, progress) as look:
        outcome = _in_own_loop(lambda: conduct(planned.fixtures(), journal, experiment, how), stop, look)
    reasons = list(_reasons(outcome))
    if reasons:
        warnings.warn(f"{experiment}: {'; '.join(reasons)}. Go on with .resume()", RunWarning, stacklevel=6)


def _reasons(outcome: Outcome) -> Iterator[str]:
    """What kept games from being finished."""
    yield from (f"{model} is unavailable: {reason}" for model, reason in outcome.unavailable.items())
    yield from (f"game {key} could not continue: {reason}" for key, reason in list(outcome.faulted.items())[:3])
    yield from (spell_fields(reason, as_argument) for reason in outcome.reached)
    if outcome.stopped == "budget":
        yield "the budget is spent, and the rest may not cover the next call"
    if outcome.pausing is not None:
        yield outcome.pausing
    if outcome.stopped == "interrupted":
        yield "it was interrupted"
    if outcome.unfinished:
        yield f"{outcome.unfinished:,} games are unfinished"


def _in_own_loop(work: Callable[[], Any], stop: StopSignal, look: Callable[[], None]) -> Any:
    """Run a coroutine in a thread with a loop of its own, and look at it now and then. An interrupt lets calls in
    flight come in; a second one ends at once."""
    result: list[Any] = []
    failure: list[BaseException] = []
    held: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def main() -> Any:
        task = asyncio.current_task()
        assert task is not None
        held.append((asyncio.get_running_loop(), task))
        return await work()

    def in_thread() -> None:
        try:
            result.append(asyncio.run(main()))
        except BaseException as error:  # it is raised in the caller that waits for it
            failure.append(error)

    thread = threading.Thread(target=in_thread, name="ostrom", daemon=True)
    thread.start()
    while thread.is_alive():
        try:
            thread.join(_EVERY)
            look()
        except KeyboardInterrupt:
            for loop, task in held:
                loop.call_soon_threadsafe(task.cancel if stop.requested else stop.request)
    look()
    if failure:
        cancelled = isinstance(failure[0], asyncio.CancelledError)
        raise KeyboardInterrupt from None if cancelled else failure[0]
    return result[0]


@contextmanager
def _bar(games: int, progress: bool) -> Iterator[Callable[[], None]]:
    """What advances a bar by one game."""
    if not progress:
        yield lambda: None
    elif not in_notebook():
        with games_bar("games", games) as advance:
            yield advance
    else:
        shown, done = NotebookBar(games), [0]

        def advance_by_one() -> None:
            done[0] += 1
            shown.show(done[0])

        yield advance_by_one
        shown.show(done[0], final=True)


@contextmanager
def _watching(tally: Tally, games: int, progress: bool) -> Iterator[Callable[[], None]]:
    """What shows how a run with models goes."""
    if not progress:
        yield lambda: None
    elif not in_notebook():
        with watched(tally, games):
            yield lambda: None
    else:
        shown = NotebookBar(games)

        def show(final: bool = False) -> None:
            about = (
                f"{tally.calls:,} calls, {tally.in_flight} in flight, {tally.tokens:,} tokens, ${tally.dollars:,.4f}"
            )
            shown.show(tally.finished + tally.void, about, final=final)

        yield show
        show(final=True)


class NotebookBar:
    """Progress in a cell of a notebook: one output that is brought up to date."""

    def __init__(self, games: int) -> None:
        self._games, self._began, self._last = max(1, games), time.monotonic(), 0.0
        self._handle: Any = None

    def show(self, done: int, about: str = "", *, final: bool = False) -> None:
        """Show how many games are over; a few times a second at most."""
        now = time.monotonic()
        if not final and now - self._last < _EVERY:
            return
        self._last = now
        took = now - self._began
        left = f"{took / done * (self._games - done):,.0f} s left" if done and not final else f"{took:,.1f} s"
        said = escape(", ".join(text for text in (f"{done:,} of {self._games:,} games", about, left) if text))
        bar = f'<progress max="{self._games}" value="{min(done, self._games)}"></progress> {said}'
        display = sys.modules["IPython"].display
        if self._handle is None:
            self._handle = display.display(display.HTML(bar), display_id=True)
        else:
            self._handle.update(display.HTML(bar))
