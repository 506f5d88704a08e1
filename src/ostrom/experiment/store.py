"""Joins runs and the journal: begins, goes on with and finishes experiments that are kept."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from typing import Any, Final, Protocol

from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.core.telling import finals_of
from ostrom.experiment.accounts import Used
from ostrom.experiment.limits import Limits, Spent, check_allowances, check_prices
from ostrom.experiment.match import Fixture, Match, head_of, play_games, record_of
from ostrom.experiment.open_files import within_open_files
from ostrom.experiment.runner import Conduct, Outcome, run_fixtures
from ostrom.journal.ledger import Ledger
from ostrom.journal.record import RecordedNote, origin_of
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.briefing import prompts_digest
from ostrom.players.models.probe import check
from ostrom.version import VERSION


def check_models(models: Sequence[Contestant], limits: Limits) -> None:
    """Refuse, before any game starts, models that cannot be asked: no key, no such provider, no server, no price where
    there is a budget."""
    check([model.bot for model in models if hasattr(model, "bot")])
    check_allowances(models, limits)
    check_prices(models, limits)


async def conduct(
    fixtures: Iterable[Fixture], journal: Journal, experiment: str, how: Conduct, *, share: Sequence[str] | None = None
) -> Outcome:
    """Play the games of an experiment that the journal does not hold yet, and go on with those that it holds in
    part. With a `share`, these are some games of an experiment that another process runs as a whole."""
    limits, reduced = within_open_files(how.limits)
    if reduced is not None:
        complain(reduced)
        how = replace(how, limits=limits)
    with journal.claim(experiment) if share is None else nullcontext(), ExitStack() as held:
        if share is None:
            # In threads: who else is served in this event loop does not wait for the journal.
            await asyncio.to_thread(journal.new_run, experiment, {"limits": how.limits.model_dump(mode="json")})
        spent = await asyncio.to_thread(journal.spending, experiment, share)
        used = await asyncio.to_thread(used_by_player, journal, experiment, how.limits, share)
        try:
            async with journal.ledgers(experiment) as ledgers:
                in_turn = asyncio.Lock()

                async def open_ledger(fixture: Fixture) -> Ledger | None:
                    async with in_turn:  # games that begin at once are kept, and so numbered, in their order
                        origin = origin_of(fixture.game, fixture.rules, len(fixture.contestants))
                        ledger = await ledgers.open(head_of(fixture), fixture.key, origin)
                    if ledger is not None and share is not None:
                        try:
                            held.enter_context(journal.claim_game(ledger.id))
                        except InputError:
                            return None  # another worker, taken for dead, plays it still: it is left to that one
                    return ledger

                return await run_fixtures(fixtures, open_ledger, how, Spent(spent.dollars, spent.tokens), used)
        finally:
            await _close_connections()


def used_by_player(
    journal: Journal, experiment: str, limits: Limits, share: Sequence[str] | None = None
) -> dict[str, Used]:
    """What each player has used up, where that is limited. A call that never came back took as long as one might."""
    if not limits.per_player:
        return {}
    before = (run.settings.get("limits") for run in journal.runs(experiment))
    times = (one.get("timeout") for one in before if isinstance(one, Mapping))
    longest = max([limits.timeout, *(time for time in times if isinstance(time, float))])
    return {
        name: Used(one.calls + one.sent, one.tokens, one.dollars, one.seconds + one.sent * longest)
        for name, one in journal.spending_by_player(experiment, share).items()
    }


async def _close_connections() -> None:
    """Let go of connections to models, where there can be any: people play without what models need."""
    transport = sys.modules.get("ostrom.players.models.transport")
    if transport is not None:
        await transport.close_connections()


class Plan(Protocol):
    """What can be entered in a journal and run: a benchmark, or an audit, whose games are single questions;
    `Experiment` says what each part is."""

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
        """Refuse what cannot be played, before anything is written."""

    def fixtures(self) -> Iterator[Fixture]:
        """All games, made one at a time."""


def enter(planned: Plan, journal: Journal, command: str | None = None) -> str:
    """Write the plan into the journal, and get the experiment's id. The `command` that plays it is the one that was
    typed, unless another is named."""
    planned.check()
    settings = {**planned.settings, "made": _made(planned, command or typed_command())}
    return journal.new_experiment(planned.called, kind=planned.kind, settings=settings, planned=planned.games)


def _made(planned: Plan, command: str | None) -> dict[str, Any]:
    """By which version and command an experiment was entered, and with which prompts where models play."""
    parts = planned.settings.get("parts", [planned.settings]) if planned.models else []
    games = {str(part.get("game")) for part in parts if isinstance(part, Mapping)}
    prompts = {game: prompts_digest(game) for game in sorted(games) if game in GAMES}
    return {"ostrom": VERSION, "command": command, **({"prompts": prompts} if prompts else {})}


ANYWAY: Final = "'ostrom resume --accept-version' continues anyway"
NO_NEWCOMER: Final = "a player is added only to games of the version that is installed"


def check_versions(journal: Journal, experiment: str, instead: str = ANYWAY) -> None:
    """Refuse to go on with an experiment whose games were played under another version of their rules; `instead` says
    what can be done."""
    for name, version in sorted(journal.versions(experiment)):
        if name in GAMES and GAMES[name].version != version:
            raise InputError(
                f"the games of {experiment} were begun with version {version} of {name}, and version "
                f"{GAMES[name].version} is installed: the same decisions may no longer give the same game; "
                f"{instead}"
            )


def keep(
    journal: Journal,
    experiment: str,
    match: Match,
    key: str,
    source: str | None = None,
    notes: Sequence[RecordedNote] = (),
) -> bool:
    """Keep a whole game, what each seat ended with and what readers noted; False where the experiment has a game of
    this key."""
    return journal.add_game(
        experiment,
        record_of(match).model_copy(update={"source": source, "notes": list(notes)}),
        key=key,
        origin=origin_of(match.game, match.rules, len(match.names)),
        finals=finals_of(match.game, match.events),
    )


def run_experiment(
    planned: Plan, journal: Journal, progress: Callable[[], None] = lambda: None, experiment: str | None = None
) -> str:
    """Play the games of an experiment between algorithms; returns the experiment's id. With the id of one that is there
    already, only the games that it lacks are played. Where models play, see `conduct`."""
    planned.check()
    if experiment is None:
        experiment = enter(planned, journal)
    with journal.claim(experiment):
        done = {game.key for game in journal.games(experiment)}
        for key, match in play_games(planned.fixtures(), done):
            keep(journal, experiment, match, key)
            progress()
    return experiment
