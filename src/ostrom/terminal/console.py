"""Runs experiments from the command line until they end or are stopped. If an experiment is not finished, the command
that continues it is printed."""

import asyncio
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from shlex import quote
from typing import Final, NoReturn

import typer
from typing_extensions import override

from ostrom.core import InputError, JournalError, Provenance
from ostrom.core.command import at_store
from ostrom.core.entry_points import named_files
from ostrom.core.errors import field, spell_fields
from ostrom.core.files import TOO_MANY_FILES, is_file_limit
from ostrom.core.game import imported
from ostrom.core.outlets import complain
from ostrom.core.text import clean, number_of
from ostrom.experiment.cluster import check_cluster, run_on_cluster
from ostrom.experiment.estimate import calls_within_budget, describe_rooms, expected_decisions
from ostrom.experiment.limits import Limits, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.plan import Experiment
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import PlanRunner, RunnablePlan, check_models, conduct, enter, run_experiment
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.findings.bench import Description, play_in
from ostrom.journal.engine import printable_url, store_url
from ostrom.journal.schema import PLAYING
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.connection import connect
from ostrom.players.models.keys import UnconfirmedKey, allow
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar, watched
from ostrom.terminal.render import print_next_steps, show
from ostrom.terminal.settings import as_option

SeatPeople = Callable[[Experiment, Journal, str | None, str | None], str]
"""A function that plays or continues the single game of an experiment with people, and returns the experiment's id. Its
arguments are the experiment, the journal, the address of the journal as typed, and the id of an existing experiment."""


_SEATS: Final = "ostrom.seats"
"""The key, in a command's context, of the function that serves seats to people. The command line sets it."""


def pages(context: typer.Context, before: str | None = None) -> AbstractContextManager[SeatPeople]:
    """Return a context manager that serves seats to people. `before` is the address in the links of an earlier run."""
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


def ready(planned: RunnablePlan) -> None:
    """Raise InputError for games that cannot be played and models that cannot be asked, before a journal is created or
    written."""
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
    """Play all remaining games of an experiment (in this process, on a cluster or with people), and return its id. If
    games stay unfinished, exit with the command that continues them."""
    planned.check()
    if planned.staged:
        if cluster is not None:
            raise InputError("--until and --schedule adaptive play stage by stage, which is not possible on a cluster")
        ready(planned)
        experiment = experiment or enter(planned, journal)
        # The function is imported here by its path, because few experiments need the analysis of games.
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
    """Play the games in this process, between algorithms and models."""
    planned.check()
    if planned.models or (experiment is not None and journal.games(experiment, PLAYING)):
        # A game that is watched while it is played is stored during play, even if only algorithms play.
        limits = planned.limits or Limits()
        ready(planned)
        experiment = experiment or enter(planned, journal)
        used = journal.spending(experiment)
        rooms = calls_within_budget(planned.fixtures(), limits, Spent(used.dollars, used.tokens))
        for sentence in describe_rooms(rooms):
            complain(sentence)
        with resumable(journal, experiment, store):
            try:
                outcome = conducted(
                    planned.fixtures(), journal, experiment, limits, planned.games, expected_decisions(planned)
                )
            except KeyboardInterrupt:
                stopped(journal, experiment, store, "stopped at once", reuse_options(limits))
            conclude(outcome, journal, experiment, store, limits)
        return experiment
    return _algorithms(planned, journal, store, experiment)


class TerminalRunner(PlanRunner):
    """Runs the games of verbs that are called as commands. People play on web pages. Options in the context give the
    address of these pages."""

    def __init__(self, context: typer.Context) -> None:
        self._context = context
        self._cluster: str | None = None
        self._seat_people: SeatPeople | None = None

    @override
    @contextmanager
    def prepare(self, planned: RunnablePlan, cluster: str | None = None) -> Iterator[None]:
        if cluster is None:
            ready(planned)
        elif isinstance(planned, Experiment):  # On a cluster, the workers must be able to reach the models.
            check_cluster(planned, store_url(self._context.params.get("store")), cluster)
        with self.seated(planned, cluster):
            yield

    @contextmanager
    def seated(self, planned: RunnablePlan, cluster: str | None, earlier_pages: str | None = None) -> Iterator[None]:
        """Serve seats to people within this context, if people play. `earlier_pages` is the address in the links that
        they already have. Raise InputError for options about people if no people play."""
        self._cluster = cluster
        if not isinstance(planned, Experiment) or not planned.people:
            opt.no_people(self._context)
            yield
            return
        with pages(self._context, earlier_pages) as self._seat_people:
            yield

    @override
    def play(self, planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None = None) -> str:
        if isinstance(planned, Experiment):
            return play_on(planned, journal, store, experiment, self._cluster, self._seat_people)
        return play_here(planned, journal, store, experiment)

    @override
    def conduct(
        self, fixtures: Iterable[Fixture], journal: Journal, experiment: str, limits: Limits, games: int
    ) -> Outcome:
        journal.patience.report = complain
        return conducted(fixtures, journal, experiment, limits, games)

    @override
    def confirm(self, text: str) -> None:
        if not sys.stdin.isatty():
            raise InputError(f"{text.rstrip('.')}: add {field('yes')} to play that many")
        typer.confirm(f"{text} Play them?", abort=True, err=True)

    @override
    def warn(self, text: str) -> None:
        complain(spell_fields(text, as_option))

    @override
    def stop(self, text: str) -> NoReturn:
        self.warn(text)
        raise typer.Exit(1)


def go_on(
    context: typer.Context,
    planned: Experiment,
    journal: Journal,
    experiment: str,
    describe_end: Description | None = None,
) -> None:
    """Play the games of an experiment that are not over yet, with the options of a command, and print its finding."""
    typed = context.params
    runner = TerminalRunner(context)
    with runner.seated(planned, typed.get("cluster"), journal.seats.place(experiment)):
        finding = play_in(planned, journal, typed["store"], runner, experiment, describe_end)
    show(finding, json=typed["json"])
    if not typed["json"]:
        print_next_steps(finding, typed["store"])


def _algorithms(planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None) -> str:
    experiment = experiment or enter(planned, journal)
    left = planned.games - len(journal.games(experiment))
    try:
        with resumable(journal, experiment, store), games_bar("games", left) as advance:
            return run_experiment(planned, journal, advance, experiment)
    except KeyboardInterrupt:
        stopped(journal, experiment, store, "stopped")


def conducted(
    fixtures: Iterable[Fixture],
    journal: Journal,
    experiment: str,
    limits: Limits,
    games: int,
    decisions: float | None = None,
) -> Outcome:
    """Run games with models, with a progress bar, and return the outcome. After the first Ctrl-C, calls in flight are
    completed. The second Ctrl-C ends the run at once."""
    tally, stop = Tally(), StopSignal()
    done = sum(row.state in ("finished", "void") for row in journal.games(experiment))

    async def main() -> Outcome:
        stop_on_signal(stop, "finishing the calls in flight; press Ctrl-C again to stop at once")
        return await conduct(fixtures, journal, experiment, Conduct(limits, tally, stop))

    left = games - done
    with watched(tally, left, None if decisions is None else decisions * left / games):
        try:
            outcome = asyncio.run(main())
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
    _report_reuse(journal, experiment)
    return outcome


def stop_on_signal(stop: StopSignal, word: str) -> None:
    """Make Ctrl-C stop a run with a message. A second Ctrl-C cancels the task that runs it."""
    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    assert running is not None

    def interrupted() -> None:
        if stop.requested:
            running.cancel()
            return
        print(file=sys.stderr)  # Print below the ^C that the terminal shows.
        complain(word)
        stop.request()

    for heard in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(heard, interrupted)


def conclude(
    outcome: Outcome, journal: Journal, experiment: str, store: str | None, limits: Limits | None = None
) -> None:
    """Report why games are unfinished and how to continue them. If all games are finished, report only the share of
    defaulted answers."""
    for problem in outcome.problems():
        complain(spell_fields(problem, as_option))
    again = reuse_options(limits)
    if outcome.stopped == "budget":
        caps = {"--budget": limits and limits.budget, "--token-budget": limits and limits.token_budget}
        more = "".join(f" {option} MORE" for option, cap in caps.items() if cap is not None)
        stopped(journal, experiment, store, budget_word(journal, experiment, limits), more + again)
    if outcome.pausing is not None:
        stopped(journal, experiment, store, outcome.pausing, again)
    if outcome.stopped == "interrupted":
        stopped(journal, experiment, store, "stopped", again)
    if outcome.unfinished or outcome.faulted:
        more = "".join(f" {spell_fields(setting, _in_shell)}" for setting in dict.fromkeys(outcome.reached.values()))
        stopped(journal, experiment, store, "some games are unfinished", more + again)
    _say_what_is_doubtful(journal, experiment)


def _report_reuse(journal: Journal, experiment: str) -> None:
    """Report how many replies were reused from another journal, over all runs of the experiment. Print nothing if there
    are none."""
    spent = journal.spending(experiment)
    if spent.reused:
        saved = f", saved ${spent.saved:,.{2 if spent.saved >= 0.1 else 4}f}" if spent.saved else ""
        complain(f"reused {number_of(spent.reused, 'answer')}{saved}")


def reuse_options(limits: Limits | None) -> str:
    """Return the options that reuse replies from another journal. The printed command needs them, because a resumed run
    needs these options again."""
    if limits is None or limits.reuse is None:
        return ""
    sampled = " --reuse-sampled" if limits.reuse_sampled else ""
    return f" --reuse {quote(printable_url(limits.reuse))}{sampled}"


def _in_shell(name: str, value: str | None) -> str:
    return as_option(name, value and quote(value))


def budget_word(journal: Journal, experiment: str, limits: Limits | None) -> str:
    """Return a sentence that says that the budget is too small for another call, with the amounts spent."""
    spent, used = journal.spending(experiment), []
    if limits is not None and limits.budget is not None:
        used.append(f"${spent.dollars:,.4f} of ${limits.budget:,.4f}")
    if limits is not None and limits.token_budget is not None:
        used.append(f"{spent.tokens:,} of {limits.token_budget:,} tokens")
    return f"the budget is spent: {' and '.join(used)} are used, and the rest may not cover the next call"


def _say_what_is_doubtful(journal: Journal, experiment: str) -> None:
    """Report defaulted answers and missing games when a result is first printed."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    defaulted = row.provenance.get(Provenance.DEFAULTED, 0)
    if defaulted:
        complain(
            f"{defaulted:,} of {row.answers:,} answers are defaulted: the game gave them in place of a player; ostrom "
            "status shows why"
        )
    if row.void:
        complain(f"{row.void:,} of {row.planned or row.void:,} games are void and left out of all results")


def stopped(journal: Journal, experiment: str, store: str | None, why: str, more: str = "") -> NoReturn:
    """Exit with the reason, the stored progress, and the command that continues the experiment."""
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
    """Return a context that waits, with a message, while a journal cannot be reached. If the journal stays unreachable
    or is read-only, or no file can be opened, exit with the command that continues the experiment."""
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
    """Return the command that continues an experiment, with the files of its games and players. The words are quoted
    for a shell, because ids from a journal may contain any character."""
    return f"ostrom resume {quote(experiment)}{more}{named_files()}{at_store(printable_url(store))}"


def _on_cluster(planned: Experiment, journal: Journal, store: str | None, experiment: str | None, cluster: str) -> str:
    """Play the games on the workers of a Dask cluster."""
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
    """Ask the user about every key that would be sent to a host that is not among the hosts of this key. Confirmations
    are stored. If there is no user to ask, the key is refused later, when the connection is made."""
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
