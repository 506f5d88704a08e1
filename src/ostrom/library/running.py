"""Runs experiments for the library: in an event loop of its own thread, so that it works where a loop is running, as in
a notebook; with progress that a notebook updates in place."""

import asyncio
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Final

from typing_extensions import override

from ostrom.core import InputError, OstromError
from ostrom.core.errors import as_argument, spell_fields
from ostrom.core.game import imported
from ostrom.core.listing import in_notebook
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture
from ostrom.experiment.plan import Experiment
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import PlanRunner, RunnablePlan, conduct, enter, run_experiment
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.schema import PLAYING
from ostrom.journal.sql import Journal
from ostrom.terminal.console import ready
from ostrom.terminal.progress import games_bar, watched

REFRESH_INTERVAL_S: Final = 0.25
_STACK_LEVEL: Final = 6
"""Frames between a warning and the user's call, about."""


class RunWarning(UserWarning):
    """An experiment ended before all its games were over; its answers are stored, and it can be resumed."""


class RunIncomplete(OstromError):
    """A run ended early, and there is no result without the games that are missing; its answers are stored."""


def check(planned: Experiment) -> None:
    """Raise InputError if the library cannot play the plan, before a journal is created or written."""
    if planned.people:
        raise InputError("people take their seats by links: use 'ostrom run --include human' or the pages")
    ready(planned)


def run(planned: Experiment, journal: Journal, experiment: str | None = None, *, progress: bool = True) -> str:
    """Play the games of an experiment that are not over yet, and return its id. Warn with the reasons if some stay
    unfinished."""
    check(planned)
    experiment_id = experiment or enter(planned, journal)
    if planned.staged:
        # Imported by its path, because few experiments need the analysis of games.
        play_stages = imported("ostrom.experiment.stages:play_stages")
        play_stages(
            planned, journal, experiment_id, lambda stage: _play_or_warn(stage, journal, experiment_id, progress)
        )
    else:
        _play_or_warn(planned, journal, experiment_id, progress)
    return experiment_id


def _play_or_warn(planned: Experiment, journal: Journal, experiment: str, progress: bool) -> None:
    reasons = _play(planned, journal, experiment, progress)
    if reasons:
        text = f"{experiment}: {'; '.join(reasons)}. Go on with .resume()"
        warnings.warn(text, RunWarning, stacklevel=_STACK_LEVEL)


class LibraryRunner(PlanRunner):
    """Runs the games of verbs that are called from Python."""

    def __init__(self, *, progress: bool = True) -> None:
        self._progress = progress

    @override
    def play(self, planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None = None) -> str:
        ready(planned)
        experiment_id = experiment or enter(planned, journal)
        reasons = _play(planned, journal, experiment_id, self._progress)
        if reasons:
            raise RunIncomplete(f"{'; '.join(reasons)}. Continue with experiment={experiment_id!r}")
        return experiment_id

    @override
    def conduct(
        self, fixtures: Iterable[Fixture], journal: Journal, experiment: str, limits: Limits, games: int
    ) -> Outcome:
        return _conduct(fixtures, journal, experiment, limits, games - _games_over(journal, experiment), self._progress)

    @override
    def warn(self, text: str) -> None:
        warnings.warn(spell_fields(text, as_argument), RunWarning, stacklevel=_STACK_LEVEL)

    @override
    def stop(self, text: str) -> None:
        self.warn(text)


def _play(planned: RunnablePlan, journal: Journal, experiment: str, progress: bool) -> list[str]:
    """Play the games that are not over yet; return the reasons why some stay unfinished."""
    games_left = planned.games - _games_over(journal, experiment)
    if not planned.models and not journal.games(experiment, PLAYING):
        with _bar(games_left, progress) as advance:
            run_experiment(planned, journal, advance, experiment)
        return []
    limits = planned.limits or Limits()
    return list(_reasons(_conduct(planned.fixtures(), journal, experiment, limits, games_left, progress)))


def _games_over(journal: Journal, experiment: str) -> int:
    return sum(row.state in ("finished", "void") for row in journal.games(experiment))


def _conduct(
    fixtures: Iterable[Fixture], journal: Journal, experiment: str, limits: Limits, games_left: int, progress: bool
) -> Outcome:
    tally = Tally()
    stop = StopSignal()
    settings = Conduct(limits, tally, stop)
    with _progress_of(tally, games_left, progress) as refresh:
        outcome: Outcome = _in_own_loop(lambda: conduct(fixtures, journal, experiment, settings), stop, refresh)
    return outcome


def _reasons(outcome: Outcome) -> Iterator[str]:
    yield from (spell_fields(problem, as_argument) for problem in outcome.problems())
    if outcome.stopped == "budget":
        yield "the budget is spent, and the rest may not cover the next call"
    if outcome.pausing is not None:
        yield outcome.pausing
    if outcome.stopped == "interrupted":
        yield "it was interrupted"
    if outcome.unfinished:
        yield f"{outcome.unfinished:,} games are unfinished"


def _in_own_loop(work: Callable[[], Any], stop: StopSignal, refresh: Callable[[], None]) -> Any:
    """Run a coroutine in a thread with its own loop, and refresh the progress meanwhile. The first interrupt waits for
    the calls in flight; the second one cancels them."""
    results: list[Any] = []
    failures: list[BaseException] = []
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def main() -> Any:
        task = asyncio.current_task()
        assert task is not None
        running.append((asyncio.get_running_loop(), task))
        return await work()

    def in_thread() -> None:
        try:
            results.append(asyncio.run(main()))
        except BaseException as error:  # it is raised in the calling thread
            failures.append(error)

    thread = threading.Thread(target=in_thread, name="ostrom", daemon=True)
    thread.start()
    while thread.is_alive():
        try:
            thread.join(REFRESH_INTERVAL_S)
            refresh()
        except KeyboardInterrupt:
            for loop, task in running:
                loop.call_soon_threadsafe(task.cancel if stop.requested else stop.request)
    refresh()
    if failures:
        cancelled = isinstance(failures[0], asyncio.CancelledError)
        raise KeyboardInterrupt from None if cancelled else failures[0]
    return results[0]


@contextmanager
def _bar(games: int, progress: bool) -> Iterator[Callable[[], None]]:
    """Yield a function that advances a bar by one game."""
    if not progress:
        yield lambda: None
    elif not in_notebook():
        with games_bar("games", games) as advance:
            yield advance
    else:
        bar = NotebookBar(games)
        games_over = 0

        def advance_by_one() -> None:
            nonlocal games_over
            games_over += 1
            bar.show(games_over)

        yield advance_by_one
        bar.show(games_over, final=True)


@contextmanager
def _progress_of(tally: Tally, games: int, progress: bool) -> Iterator[Callable[[], None]]:
    """Yield a function that refreshes the progress of a run with models."""
    if not progress:
        yield lambda: None
    elif not in_notebook():
        with watched(tally, games):
            yield lambda: None
    else:
        bar = NotebookBar(games)

        def show(final: bool = False) -> None:
            usage = (
                f"{tally.calls:,} calls, {tally.in_flight} in flight, {tally.tokens:,} tokens, ${tally.dollars:,.4f}"
            )
            bar.show(tally.finished + tally.void, usage, final=final)

        yield show
        show(final=True)


class NotebookBar:
    """Progress in a cell of a notebook: one output that is updated in place."""

    def __init__(self, games: int) -> None:
        self._games = max(1, games)
        self._began = time.monotonic()
        self._last_update = 0.0
        self._handle: Any = None

    def show(self, done: int, usage: str = "", *, final: bool = False) -> None:
        """Show the number of games that are over, at most once per refresh interval unless it is the final one."""
        now = time.monotonic()
        if not final and now - self._last_update < REFRESH_INTERVAL_S:
            return
        self._last_update = now
        elapsed = now - self._began
        duration = f"{elapsed:,.1f} s"
        if done and not final:
            duration = f"{elapsed / done * (self._games - done):,.0f} s left"
        parts = [f"{done:,} of {self._games:,} games", usage, duration]
        text = escape(", ".join(part for part in parts if part))
        bar = f'<progress max="{self._games}" value="{min(done, self._games)}"></progress> {text}'
        display = sys.modules["IPython"].display
        if self._handle is None:
            self._handle = display.display(display.HTML(bar), display_id=True)
        else:
            self._handle.update(display.HTML(bar))
