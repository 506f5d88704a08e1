"""Running an experiment from the command line: to its end, or to where it was stopped, with a word on how to go on."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from shlex import quote
from typing import Any, Final, NoReturn

import typer
from typing_extensions import override

from ostrom.core import InputError, JournalError, Provenance
from ostrom.core.command import at_store
from ostrom.core.entry_points import named_files
from ostrom.core.errors import spell_fields
from ostrom.core.files import TOO_MANY_FILES, is_file_limit
from ostrom.core.game import imported
from ostrom.core.outlets import complain
from ostrom.core.text import clean, number_of
from ostrom.experiment.cluster import check_cluster, run_on_cluster
from ostrom.experiment.estimate import calls_within_budget
from ostrom.experiment.limits import Limits, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.plan import Experiment
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import PlanRunner, RunnablePlan, check_models, conduct, enter, run_experiment
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.findings.bench import describe
from ostrom.journal.engine import printable_url, store_url
from ostrom.journal.schema import PLAYING
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import UnconfirmedKey, allow
from ostrom.terminal.progress import games_bar, watched
from ostrom.terminal.render import show
from ostrom.terminal.settings import as_option

SeatPeople = Callable[[Experiment, Journal, str | None, str | None], str]
"""Plays the one game of an experiment that people sit at, or goes on with it: given the experiment, the journal, its
address as the user wrote it and the id of an experiment that is there already, it returns the id."""


_SEATS: Final = "ostrom.seats"
"""Where the command line puts the function that serves seats."""


def pages(context: typer.Context, before: str | None = None) -> AbstractContextManager[SeatPeople]:
    """Serve seats to people; `before` is the address in the links that they already have."""
    given = context.params
    new_links = bool(given.get("new_links"))
    served: AbstractContextManager[SeatPeople] = context.meta[_SEATS](
        given["host"],
        given["port"],
        quiet=given["json"],
        before=None if new_links else before,
        new_links=new_links,
    )
    return served


def finish(
    planned: Experiment,
    journal: Journal,
    store: str | None,
    *,
    json: bool,
    experiment: str | None = None,
    cluster: str | None = None,
    seat_people: SeatPeople | None = None,
    describe_end: Callable[[Experiment, str, str], Sequence[str]] | None = None,
) -> None:
    """Play the games that are not over yet, and print the finding with the next steps, also after an early stop.
    `describe_end` returns the lines for a complete experiment from its id and the option that names its journal; by
    default they point to ratings and report."""
    id_ = play_on(planned, journal, store, experiment, cluster, seat_people)
    stopping: Any = None
    if planned.until is not None:
        stopping = imported("ostrom.experiment.stages:last_look")(planned, journal, id_)
    complete = planned if stopping is None else replace(planned, max_games=stopping.games)
    next_steps = (describe_end or _next_steps)(complete, id_, at_store(printable_url(store)))
    show(describe(planned, id_, stopping, next_steps), json=json)


def _next_steps(planned: Experiment, experiment: str, at: str) -> list[str]:
    seeds = ", ".join(str(seed) for seed in dict.fromkeys(part.seed for part in planned.parts))
    of = " and ".join(dict.fromkeys(part.game.command for part in planned.parts))
    lines = [f"{number_of(planned.games, 'game')} of {of} with seed {seeds}, kept as {planned.called} ({experiment})."]
    if all(part.game.finals is None for part in planned.parts):
        return [*lines, f"Next         ostrom export {quote(experiment)} -o tables{at}"]
    lines.append(f"Next         ostrom ratings --experiment {quote(experiment)}{at}")
    return [*lines, f"             ostrom report --experiment {quote(experiment)} -o report{at}"]


def ready(planned: RunnablePlan) -> None:
    """Refuse what cannot be played, and models that cannot be asked; before a journal is made, let alone written."""
    planned.check()
    if planned.models:
        confirm_keys(planned.models.values())
        check_models(list(planned.models.values()), planned.limits or Limits())


def play_on(
    planned: Experiment,
    journal: Journal,
    store: str | None,
    experiment: str | None = None,
    cluster: str | None = None,
    seat_people: SeatPeople | None = None,
) -> str:
    """Play all games of an experiment that are not played yet, here, on a cluster or with people; its id. Where some
    stay unplayed, the command ends here with what to type next."""
    planned.check()
    if planned.staged:
        if cluster is not None:
            raise InputError("--until and --schedule adaptive play stage by stage, and not on a cluster")
        ready(planned)
        experiment = experiment or enter(planned, journal)
        # By its path: few experiments need what analyses games.
        play_stages = imported("ostrom.experiment.stages:play_stages")
        play_stages(planned, journal, experiment, lambda stage: play_here(stage, journal, store, experiment))
        return experiment
    if cluster is not None:
        return _on_cluster(planned, journal, store, experiment, cluster)
    if planned.people:
        assert seat_people is not None, "people play where pages are served"
        return seat_people(planned, journal, store, experiment)
    return play_here(planned, journal, store, experiment)


def play_here(planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None = None) -> str:
    """The same in this process, between algorithms and models."""
    planned.check()
    if planned.models or (experiment is not None and journal.games(experiment, PLAYING)):
        # A game between algorithms that was watched is kept in part, as those of models are.
        limits = planned.limits or Limits()
        ready(planned)
        experiment = experiment or enter(planned, journal)
        used = journal.spending(experiment)
        for model, room in calls_within_budget(planned.fixtures(), limits, Spent(used.dollars, used.tokens)).items():
            complain(room.describe(model))
        with resumable(journal, experiment, store):
            try:
                outcome = conducted(planned.fixtures(), journal, experiment, limits, planned.games)
            except KeyboardInterrupt:
                stopped(journal, experiment, store, "stopped at once")
            conclude(outcome, journal, experiment, store, limits)
        return experiment
    return _algorithms(planned, journal, store, experiment)


class TerminalRunner(PlanRunner):
    """Runs the games of verbs that are called as commands."""

    @override
    def play(self, planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None = None) -> str:
        return play_here(planned, journal, store, experiment)

    @override
    def conduct(
        self, fixtures: Iterable[Fixture], journal: Journal, experiment: str, limits: Limits, games: int
    ) -> Outcome:
        journal.patience.report = complain
        return conducted(fixtures, journal, experiment, limits, games)

    @override
    def warn(self, text: str) -> None:
        complain(spell_fields(text, as_option))

    @override
    def stop(self, text: str) -> NoReturn:
        self.warn(text)
        raise typer.Exit(1)


def _algorithms(planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None) -> str:
    experiment = experiment or enter(planned, journal)
    left = planned.games - len(journal.games(experiment))
    try:
        with resumable(journal, experiment, store), games_bar("games", left) as advance:
            return run_experiment(planned, journal, advance, experiment)
    except KeyboardInterrupt:
        stopped(journal, experiment, store, "stopped")


def conducted(fixtures: Iterable[Fixture], journal: Journal, experiment: str, limits: Limits, games: int) -> Outcome:
    """Run games in which models play, with progress; Ctrl-C once lets calls in flight come in, twice ends at once."""
    tally, stop = Tally(), StopSignal()
    done = sum(row.state in ("finished", "void") for row in journal.games(experiment))

    async def main() -> Outcome:
        stop_on_signal(stop, "finishing the calls in flight; press Ctrl-C again to stop at once")
        return await conduct(fixtures, journal, experiment, Conduct(limits, tally, stop))

    with watched(tally, games - done):
        try:
            return asyncio.run(main())
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None


def stop_on_signal(stop: StopSignal, word: str) -> None:
    """Let Ctrl-C ask a run to stop, with a word on it, and a second one cancel the task that runs it."""
    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    assert running is not None

    def interrupted() -> None:
        if stop.requested:
            running.cancel()
            return
        print(file=sys.stderr)  # below the ^C that the terminal shows
        complain(word)
        stop.request()

    for heard in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(heard, interrupted)


def conclude(
    outcome: Outcome, journal: Journal, experiment: str, store: str | None, limits: Limits | None = None
) -> None:
    """Say what kept games from being finished, and how to go on with them; where all are, only what part of them no
    player decided."""
    for problem in outcome.problems():
        complain(spell_fields(problem, as_option))
    if outcome.stopped == "budget":
        caps = {"--budget": limits and limits.budget, "--token-budget": limits and limits.token_budget}
        more = "".join(f" {option} MORE" for option, cap in caps.items() if cap is not None)
        stopped(journal, experiment, store, budget_word(journal, experiment, limits), more)
    if outcome.pausing is not None:
        stopped(journal, experiment, store, outcome.pausing)
    if outcome.stopped == "interrupted":
        stopped(journal, experiment, store, "stopped")
    if outcome.unfinished or outcome.faulted:
        more = "".join(f" {spell_fields(setting, _in_shell)}" for setting in dict.fromkeys(outcome.reached.values()))
        stopped(journal, experiment, store, "some games are unfinished", more)
    _say_what_is_doubtful(journal, experiment)


def _in_shell(name: str, value: str | None) -> str:
    return as_option(name, value and quote(value))


def budget_word(journal: Journal, experiment: str, limits: Limits | None) -> str:
    """That a budget holds no further call, and how much of it is used."""
    spent, used = journal.spending(experiment), []
    if limits is not None and limits.budget is not None:
        used.append(f"${spent.dollars:,.4f} of ${limits.budget:,.4f}")
    if limits is not None and limits.token_budget is not None:
        used.append(f"{spent.tokens:,} of {limits.token_budget:,} tokens")
    return f"the budget is spent: {' and '.join(used)} are used, and the rest may not cover the next call"


def _say_what_is_doubtful(journal: Journal, experiment: str) -> None:
    """Tell, where a result is first seen, that the game answered for a player or that games are missing."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    defaulted = row.provenance.get(Provenance.DEFAULTED, 0)
    if defaulted:
        complain(
            f"{defaulted:,} of {row.answers:,} answers are defaulted, given by the game in a player's place; "
            "ostrom status shows why"
        )
    if row.void:
        complain(f"{row.void:,} of {row.planned or row.void:,} games are void and left out of all results")


def stopped(journal: Journal, experiment: str, store: str | None, why: str, more: str = "") -> NoReturn:
    """End the command: say why, what is kept, and how to go on."""
    try:
        row = next(row for row in journal.experiments() if row.id == experiment)
        kept = (
            f"{row.games + row.void:,} of {row.planned or 0:,} games are over, and the answers in the others are kept"
        )
    except JournalError:
        kept = "every answer that was confirmed is kept"
    complain(f"{why}; {kept}. Resume with: {resume_command(experiment, store, more)}")
    raise typer.Exit(1)


@contextmanager
def resumable(journal: Journal, experiment: str, store: str | None) -> Iterator[None]:
    """Within this, a journal that is out of reach is waited for, with a word on it; where it stays so, or cannot be
    written any more, the command ends with how to go on; and so where no file can be opened any more."""
    journal.patience.report = complain
    try:
        yield
    except JournalError as error:
        stopped(journal, experiment, store, str(error))
    except OSError as error:
        if is_file_limit(error):
            stopped(journal, experiment, store, TOO_MANY_FILES)
        raise


def resume_command(experiment: str, store: str | None, more: str = "") -> str:
    """What goes on with an experiment, to be copied into a shell, with the files that bring its games and players; a
    given journal may have chosen the id."""
    return f"ostrom resume {quote(experiment)}{more}{named_files()}{at_store(printable_url(store))}"


def _on_cluster(planned: Experiment, journal: Journal, store: str | None, experiment: str | None, cluster: str) -> str:
    """The same on the workers of a Dask cluster."""
    if planned.people:
        raise InputError("people cannot be seated on a cluster; leave out --cluster")
    url = store_url(store)
    check_cluster(planned, url, cluster)
    experiment = experiment or enter(planned, journal)
    left = planned.games - sum(row.state in ("finished", "void") for row in journal.games(experiment))
    with resumable(journal, experiment, store):
        with games_bar("games", left) as advance:
            outcome = run_on_cluster(planned, journal, url, experiment, cluster, advance)
        conclude(outcome, journal, experiment, store, planned.limits)
    return experiment


def confirm_keys(models: Iterable[Contestant]) -> None:
    """Ask about every key that is to go to a host and is not tied to it. What is confirmed is remembered; if no user
    can be asked, the connection that would send the key refuses."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    for bot in dict.fromkeys(model.bot for model in models if hasattr(model, "bot")):
        try:
            connect(bot)
        except UnconfirmedKey as refusal:
            sending = f"{clean(bot.name)} would send the key in {refusal.variable} to {refusal.place}"
            if not typer.confirm(f"{sending}. Allow it from now on?", default=False, err=True):
                raise
            allow(refusal.variable, refusal.place)
