"""`ostrom.play`: one game with strategies, subjects, models or bots. This module also runs experiments for the library.
Each experiment runs in an event loop in its own thread, so that it works even if a loop is already running, as in a
notebook. A notebook shows the progress in a single output."""

import asyncio
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, Final

from pydantic import BaseModel
from typing_extensions import override

from ostrom.core import InputError, OstromError
from ostrom.core.chance import GameChance
from ostrom.core.errors import as_argument, spell_fields
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.listing import in_notebook
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.experiment.cluster import check_cluster, run_on_cluster
from ostrom.experiment.limits import Limits, limits_of
from ostrom.experiment.match import Fixture, play_match, replay
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.plan import Experiment as Plan
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import PlanRunner, RunnablePlan, conduct, enter, run_experiment
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.engine import store_url
from ostrom.journal.open import open_journal
from ostrom.journal.schema import PLAYING
from ostrom.journal.sql import Journal
from ostrom.library.games import PlayedGame, played
from ostrom.players.roster import Seated, contestants_of
from ostrom.terminal.console import ready
from ostrom.terminal.progress import games_bar, watched

REFRESH_INTERVAL_S: Final = 0.25
NO_PEOPLE: Final = "people take their seats by links: use 'ostrom run --include human' or the pages"


class RunWarning(UserWarning):
    """The warning that an experiment ended before all its games were over. The answers are stored, and the experiment
    can be resumed."""


class RunIncomplete(OstromError):
    """Raised if a run ended early and there is no result without the missing games. The answers of the run are
    stored."""


def check(planned: Experiment) -> None:
    """Raise InputError if the library cannot play the plan. This is checked before a journal is created or written."""
    if planned.people:
        raise InputError(NO_PEOPLE)
    ready(planned)


def run(planned: Experiment, journal: Journal, experiment: str | None = None, *, progress: bool = True) -> str:
    """Play the games of an experiment that are not over yet, and return the experiment's id. If some games stay
    unfinished, issue a warning with the reasons."""
    check(planned)
    experiment_id = experiment or enter(planned, journal)
    if planned.staged:
        # The function is imported here by its path, because few experiments need the analysis of games.
        play_stages = imported("ostrom.experiment.stages:play_stages")
        play_stages(
            planned, journal, experiment_id, lambda stage: _play_or_warn(stage, journal, experiment_id, progress)
        )
    else:
        _play_or_warn(planned, journal, experiment_id, progress)
    return experiment_id


def _run_on_cluster(
    planned: Experiment, journal: Journal, store: str | None, cluster: str, experiment: str | None, progress: bool
) -> str:
    """Play an experiment on the workers of a Dask scheduler, and return its id. Issue a warning if some games stay
    unfinished."""
    url = store_url(store)
    check_cluster(planned, url, cluster)
    experiment_id = experiment or enter(planned, journal)
    with _bar(planned.games - _games_over(journal, experiment_id), progress) as advance:
        outcome = run_on_cluster(planned, journal, url, experiment_id, cluster, advance)
    _warn_of(experiment_id, list(_reasons(outcome)))
    return experiment_id


def _play_or_warn(planned: Experiment, journal: Journal, experiment: str, progress: bool) -> None:
    _warn_of(experiment, _play(planned, journal, experiment, progress))


def _warn_of(experiment: str, reasons: Sequence[str]) -> None:
    if reasons:
        text = f"{experiment}: {'; '.join(reasons)}. Continue with .resume()"
        warnings.warn(text, RunWarning, stacklevel=_frames_to_user())


def _frames_to_user() -> int:
    """Return the level of the first frame outside this package, counted from the caller, for warnings."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "ostrom":
        level, frame = level + 1, frame.f_back
    return level


class LibraryRunner(PlanRunner):
    """Runs the games of verbs that are called from Python."""

    def __init__(self, *, progress: bool = True) -> None:
        self._progress = progress
        self._cluster: str | None = None

    @override
    @contextmanager
    def prepare(self, planned: RunnablePlan, cluster: str | None = None) -> Iterator[None]:
        if isinstance(planned, Experiment) and planned.people:
            raise InputError(NO_PEOPLE)
        if cluster is None:  # On a cluster, the workers must be able to reach the models.
            ready(planned)
        self._cluster = cluster
        yield

    @override
    def play(self, planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None = None) -> str:
        if isinstance(planned, Experiment) and self._cluster is not None:
            return _run_on_cluster(planned, journal, store, self._cluster, experiment, self._progress)
        if isinstance(planned, Experiment):
            return run(planned, journal, experiment, progress=self._progress)
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
    def confirm(self, text: str) -> None:
        raise InputError(f"{text.rstrip('.')}: use yes=True to play that many")

    @override
    def warn(self, text: str) -> None:
        warnings.warn(spell_fields(text, as_argument), RunWarning, stacklevel=_frames_to_user())

    @override
    def stop(self, text: str) -> None:
        self.warn(text)


def _play(planned: RunnablePlan, journal: Journal, experiment: str, progress: bool) -> list[str]:
    """Play the games that are not over yet. Return the reasons why some games stay unfinished."""
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
    """Run a coroutine in a thread with its own loop and return its result. The progress display is refreshed meanwhile.
    The first interrupt waits for the calls in flight, and the second one cancels them."""
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
        except BaseException as error:  # The error is raised again in the calling thread.
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
def _bar(games: int, progress: bool) -> Iterator[Callable[..., None]]:
    """Yield a function that advances a bar by one game or more."""
    if not progress:
        yield lambda done=1: None
    elif not in_notebook():
        with games_bar("games", games) as advance:
            yield advance
    else:
        bar = NotebookBar(games)
        games_over = 0

        def advance_by(done: int = 1) -> None:
            nonlocal games_over
            games_over += done
            bar.show(games_over)

        yield advance_by
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
    """Progress in a cell of a notebook, shown in a single output that is updated."""

    def __init__(self, games: int) -> None:
        self._games = max(1, games)
        self._began = time.monotonic()
        self._last_update = 0.0
        self._handle: Any = None

    def show(self, done: int, usage: str = "", *, final: bool = False) -> None:
        """Show the number of games that are over. It is shown at most once per refresh interval, unless it is final."""
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


AnyRules = Mapping[str, Any] | BaseModel | None
AnyLimits = Mapping[str, Any] | Limits | None
AnyPath = str | os.PathLike[str]


def play(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game = DEFAULT_GAME,
    rules: AnyRules = None,
    seed: int = 0,
    number: int = 0,
    store: AnyPath | None = None,
    limits: AnyLimits = None,
) -> PlayedGame:
    """Play one game. Players are given by name ("Pavlov", "Pavlov:3", the name of a bot, "openai:gpt-5-mini"), or as
    your own strategies (classes or functions), bots, or other player objects. Without a list, the players are the
    game's built-in ones, up to its number of seats. A game is given by its name on the command line or in a record. A
    game with models is stored in the journal, because its calls cost money."""
    kind = find_game(game)
    table = contestants_of(kind, players)
    settings = make_rules(kind, rules)
    if players is None and len(table) > kind.seats.most:
        table = table[: kind.seats.usual or kind.seats.most]
    if not any(hasattr(player, "bot") for player in table):
        if limits is not None:
            raise InputError("limits are for models, and no model plays")
        return played(play_match(kind, settings, table, GameChance(seed, number)))
    if number:
        raise InputError("a game with models always has the number 0; leave out number")
    kind.check_seats(len(table))
    planned = Plan((Part(kind, settings, table, len(table), 1, seed, fixed=True),), limits=limits_of(limits))
    check(planned)
    where = store_text(store)
    with open_journal(where, create=True) as journal:
        experiment = run(planned, journal)
        row = journal.games(experiment)[0]
        if row.state != "finished":
            raise InputError(f"the game {row.id} is {row.state}: {row.reason or 'it was stopped'}")
        return played(replay(journal.record(row.id)), id=row.id, store=where)


def store_text(store: AnyPath | None) -> str | None:
    """Return the address or path of a journal as text."""
    return None if store is None else os.fspath(store)
