"""Enter, run and resume experiments that are stored in a journal."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import replace
from typing import Any, Final, Protocol

from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.core.errors import field
from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.core.telling import finals_of
from ostrom.experiment.accounts import Used
from ostrom.experiment.limits import Limits, Spent, check_allowances, check_prices
from ostrom.experiment.match import Fixture, Match, head_of, play_games, record_of
from ostrom.experiment.open_batches import check_batches
from ostrom.experiment.plan import Experiment
from ostrom.experiment.reuse import check_reuse, reusable_replies, source_label
from ostrom.experiment.runner import Conduct, Outcome, run_fixtures
from ostrom.journal.ledger import Ledger
from ostrom.journal.record import RecordedNote, origin_of
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.briefing import prompts_digest
from ostrom.players.models.probe import check
from ostrom.version import VERSION

_RESERVED_FILES: Final = 128
"""The number of open files that calls must leave free. The journal, late imports, name lookups and closing connections
need them."""


def check_models(models: Sequence[Contestant], limits: Limits) -> None:
    """Raise InputError for models that cannot be asked because a key, a provider or a server is missing. If there is a
    budget, also raise it for a missing price."""
    check([model.bot for model in models if hasattr(model, "bot")])
    check_allowances(models, limits)
    check_prices(models, limits)
    check_batches(models, limits)
    check_reuse(models, limits)


async def conduct(
    fixtures: Iterable[Fixture], journal: Journal, experiment: str, how: Conduct, *, share: Sequence[str] | None = None
) -> Outcome:
    """Play the games of an experiment that are not over according to the journal, and return the outcome. If another
    process coordinates the experiment, `share` has the keys of the games that this process plays."""
    how = replace(how, limits=_within_open_files(how.limits))
    with journal.claim(experiment) if share is None else nullcontext(), ExitStack() as held:
        if share is None:
            # This runs in threads, so that the journal does not delay other tasks of the event loop.
            label = source_label(how.limits)
            settings = {"limits": how.limits.model_dump(mode="json"), **({"reuse": label} if label else {})}
            await asyncio.to_thread(journal.new_run, experiment, settings)
        spent = await asyncio.to_thread(journal.spending, experiment, share)
        used = await asyncio.to_thread(used_by_player, journal, experiment, how.limits, share)
        reuse = None
        if how.limits.reuse is not None:
            fixtures = list(fixtures)
            source = reusable_replies(how.limits, journal, experiment, fixtures)
            reuse = await asyncio.to_thread(held.enter_context, source)
        try:
            async with journal.ledgers(experiment) as ledgers:
                in_turn = asyncio.Lock()

                async def open_ledger(fixture: Fixture) -> Ledger | None:
                    async with in_turn:  # Concurrent games are numbered in the order of the fixtures.
                        origin = origin_of(fixture.game, fixture.rules, len(fixture.contestants))
                        ledger = await ledgers.open(head_of(fixture), fixture.key, origin)
                    if ledger is not None and share is not None:
                        try:
                            held.enter_context(journal.claim_game(ledger.id))
                        except InputError:
                            return None  # A worker that was thought to be dead still plays the game.
                    return ledger

                store = ledgers if share is None else None
                before = Spent(spent.dollars, spent.tokens)
                return await run_fixtures(fixtures, open_ledger, how, before, used, store, reuse)
        finally:
            await _close_connections()


def used_by_player(
    journal: Journal, experiment: str, limits: Limits, share: Sequence[str] | None = None
) -> dict[str, Used]:
    """Return the amounts that each player has used, if any player has limits. A call without a response counts with the
    duration of its timeout."""
    if not limits.per_player:
        return {}
    run_limits = (run.settings.get("limits") for run in journal.runs(experiment))
    timeouts = (entry.get("timeout") for entry in run_limits if isinstance(entry, Mapping))
    longest = max([limits.timeout, *(timeout for timeout in timeouts if isinstance(timeout, float))])
    return {
        name: Used(spent.calls + spent.sent, spent.tokens, spent.dollars, spent.seconds + spent.sent * longest)
        for name, spent in journal.spending_by_player(experiment, share).items()
    }


def _within_open_files(limits: Limits) -> Limits:
    """Return the limits. First, the soft limit of open files is raised as far as needed and allowed. If this process
    still cannot open a connection for each concurrent call, the number of concurrent calls is reduced and this is
    reported."""
    try:
        import resource  # Windows does not have this module.
    except ImportError:
        return limits
    try:
        reserved = len(os.listdir("/dev/fd")) + _RESERVED_FILES
    except OSError:
        reserved = _RESERVED_FILES
    needed = limits.calls + reserved
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        raised = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
        with suppress(ValueError, OSError):  # Some systems allow less than they report.
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return limits
    allowed = max(1, soft - reserved)
    complain(
        f"the limit of {limits.calls} calls at once is reduced to {allowed}: this process may have {soft:,} open "
        f"files, and each call needs one; ulimit -n {needed:,} would allow all"
    )
    return limits.model_copy(update={"calls": allowed})


async def _close_connections() -> None:
    # If no models play, the module for connections to models is not loaded.
    transport = sys.modules.get("ostrom.players.models.transport")
    if transport is not None:
        await transport.close_connections()


class RunnablePlan(Protocol):
    """A plan that can be entered in a journal and run: an audit or an `Experiment`. The members are documented in
    `Experiment`."""

    @property
    def called(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def limits(self) -> Limits | None: ...

    @property
    def games(self) -> int: ...

    @property
    def models(self) -> Mapping[str, Contestant]: ...

    def check(self) -> None:
        """Raise InputError if the plan is not playable."""

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games."""


class PlanRunner(Protocol):
    """Runs the games of a verb for the command line or the library. Each implementation shows progress, handles
    interrupts and reports an early stop in its own way."""

    def prepare(self, planned: RunnablePlan, cluster: str | None = None) -> AbstractContextManager[None]:
        """Check everything that a run needs, and return a context in which the plan can be played: here or on a
        cluster, with seats for people. This writes nothing to the journal."""

    def play(self, planned: RunnablePlan, journal: Journal, store: str | None, experiment: str | None = None) -> str:
        """Play the games of a plan that are not over yet, and return the experiment's id. Raise an error if some games
        stay unfinished."""

    def conduct(
        self, fixtures: Iterable[Fixture], journal: Journal, experiment: str, limits: Limits, games: int
    ) -> Outcome:
        """Run games with models and return the outcome, even if the run stops early. `games` is the number of all games
        of the experiment."""

    def confirm(self, text: str) -> None:
        """Ask the user whether to run what the text describes. Raise InputError if no user can be asked."""

    def warn(self, text: str) -> None:
        """Report a problem that does not end the verb."""

    def stop(self, text: str) -> None:
        """Report an early stop. On the command line, the command ends here; in the library, the verb returns the
        results so far."""


def enter(planned: RunnablePlan, journal: Journal, command: str | None = None) -> str:
    """Write the plan into the journal and return its id. The command that plays it is stored too; by default it is the
    command that the user typed."""
    planned.check()
    settings = {**planned.settings, "made": _origin(planned, command or typed_command())}
    return journal.new_experiment(planned.called, kind=planned.kind, settings=settings, planned=planned.games)


def extend(planned: Experiment, journal: Journal, experiment: str) -> None:
    """Write the added players of a plan into the journal. The caller must have claimed the experiment, so that no other
    process runs it."""
    changes = {name: value for name, value in planned.settings.items() if name in ("added", "limits")}
    journal.extend(experiment, changes, planned.games)


def _origin(planned: RunnablePlan, command: str | None) -> dict[str, Any]:
    """Return the version and the command that created an experiment, and digests of the prompts if models play."""
    parts = planned.settings.get("parts", [planned.settings]) if planned.models else []
    games = {str(part.get("game")) for part in parts if isinstance(part, Mapping)}
    prompts = {game: prompts_digest(game) for game in sorted(games) if game in GAMES}
    return {"ostrom": VERSION, "command": command, **({"prompts": prompts} if prompts else {})}


SAME_VERSION_ONLY: Final = "players can be added only to games of the installed version"


def check_versions(journal: Journal, experiment: str, hint: str = "") -> None:
    """Raise InputError if games of the experiment were begun with another version of their rules. The message ends with
    `hint`. The default hint names the setting that accepts the other version."""
    hint = hint or f"{field('accept_version')} resumes anyway"
    for name, version in sorted(journal.versions(experiment)):
        if name in GAMES and GAMES[name].version != version:
            raise InputError(
                f"the games of {experiment} were begun with version {version} of {name}, and version "
                f"{GAMES[name].version} is installed: the same decisions may no longer give the same game; {hint}"
            )


def keep(
    journal: Journal,
    experiment: str,
    match: Match,
    key: str,
    source: str | None = None,
    notes: Sequence[RecordedNote] = (),
) -> bool:
    """Store a whole game with its final values and readers' notes. Return False, and store nothing, if the experiment
    already has a game with this key."""
    return journal.add_game(
        experiment,
        record_of(match).model_copy(update={"source": source, "notes": list(notes)}),
        key=key,
        origin=origin_of(match.game, match.rules, len(match.names)),
        finals=finals_of(match.game, match.events),
    )


def run_experiment(
    planned: RunnablePlan, journal: Journal, progress: Callable[[], None] = lambda: None, experiment: str | None = None
) -> str:
    """Play an experiment between algorithms and return its id. Given the id of an existing experiment, play only its
    missing games. Experiments with models are played by `conduct`."""
    planned.check()
    if experiment is None:
        experiment = enter(planned, journal)
    with journal.claim(experiment):
        done = {game.key for game in journal.games(experiment)}
        for key, match in play_games(planned.fixtures(), done):
            keep(journal, experiment, match, key)
            progress()
    return experiment
