"""Joins runs and the journal: begins, goes on with and finishes experiments that are kept."""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

from ostrom.core import GameChance, InputError, Seat
from ostrom.experiment.budget import Spent, check_prices
from ostrom.experiment.calls import GameLedger
from ostrom.experiment.limits import Limits, Pacing
from ostrom.experiment.match import play_games
from ostrom.experiment.records import record_of
from ostrom.experiment.runner import Outcome, run_fixtures
from ostrom.experiment.schedule import Fixture
from ostrom.experiment.watch import StopSignal, Watch
from ostrom.journal.record import GameRecord, RecordedSeat
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.version import VERSION


@dataclass(frozen=True)
class Conduct:
    """How an experiment is run, apart from what it consists of."""

    limits: Limits
    watch: Watch
    stop: StopSignal = field(default_factory=StopSignal)
    pacing: Pacing = field(default_factory=Pacing)


def usual() -> Limits:
    """The limits of an experiment that names none."""
    return Limits()


def check_models(models: Sequence[Contestant], limits: Limits) -> None:
    """Refuse, before any game starts, models that cannot be asked: no key, no such provider, no server, no price where
    there is a budget."""
    from ostrom.players.models.probe import check

    check([model.bot for model in models if hasattr(model, "bot")])
    check_prices(models, limits)


async def conduct(
    fixtures: Iterable[Fixture],
    journal: Journal,
    experiment: str,
    how: Conduct,
    *,
    share: Sequence[str] | None = None,
) -> Outcome:
    """Play the games of an experiment that the journal does not hold yet, and go on with those that it holds in
    part. With a `share`, these are some games of an experiment that somebody else runs as a whole."""
    with journal.claim(experiment) if share is None else nullcontext(), ExitStack() as held:
        if share is None:
            # In threads: who else is served in this event loop does not wait for the journal.
            await asyncio.to_thread(journal.new_run, experiment, {"limits": how.limits.model_dump(mode="json")})
        spent = await asyncio.to_thread(journal.spending, experiment, share)
        try:
            async with journal.ledgers(experiment) as ledgers:
                in_turn = asyncio.Lock()

                async def open_ledger(fixture: Fixture) -> GameLedger | None:
                    async with in_turn:  # games that begin at once are kept, and so numbered, in their order
                        ledger = await ledgers.open(head_of(fixture), fixture.key)
                    if ledger is not None and share is not None:
                        try:
                            held.enter_context(journal.claim_game(ledger.id))
                        except InputError:
                            return None  # another worker, taken for dead, plays it still: it is left to that one
                    return ledger

                return await run_fixtures(
                    fixtures,
                    open_ledger,
                    how.limits,
                    spent=Spent(spent.cost + spent.reserved, spent.tokens),
                    watch=how.watch,
                    stop=how.stop,
                    pacing=how.pacing,
                )
        finally:
            await _close_connections()


async def _close_connections() -> None:
    """Let go of connections to models, where there can be any: people play without what models need."""
    transport = sys.modules.get("ostrom.players.models.transport")
    if transport is not None:
        await transport.close_connections()


def head_of(fixture: Fixture) -> GameRecord:
    """The record of a game before anything has happened in it."""
    assert isinstance(fixture.chance, GameChance)
    return GameRecord(
        ostrom=VERSION,
        game=fixture.game.name,
        seed=fixture.chance.seed,
        number=fixture.chance.game,
        rules=fixture.rules.model_dump(mode="json"),
        seats=[
            RecordedSeat(seat=index, label=Seat(index).label, player=contestant.name)
            for index, contestant in enumerate(fixture.contestants)
        ],
        answers=[],
        events=[],
        series={},
    )


class Plan(Protocol):
    """What can be entered in a journal and run: a benchmark, or an audit, whose games are single questions."""

    @property
    def called(self) -> str:
        """Its name."""

    @property
    def kind(self) -> str:
        """What it is entered as."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that decides it, as plain data."""

    @property
    def limits(self) -> Limits | None:
        """Matter only where models play."""

    @property
    def games(self) -> int:
        """How many games it has."""

    @property
    def models(self) -> Mapping[str, Contestant]:
        """Everybody who is asked over a network, by name."""

    def check(self) -> None:
        """Refuse what cannot be played, before anything is written."""

    def fixtures(self) -> Iterator[Fixture]:
        """All games, made one at a time."""


def enter(planned: Plan, journal: Journal) -> str:
    """Write the plan into the journal, and get the experiment's id."""
    planned.check()
    return journal.new_experiment(planned.called, kind=planned.kind, settings=planned.settings, planned=planned.games)


def run_experiment(
    planned: Plan, journal: Journal, progress: Callable[[], None] = lambda: None, experiment: str | None = None
) -> str:
    """Play the games of an experiment between algorithms; returns the experiment's id. With the id of one that is there
    already, only the games that it lacks are played. Where models play, see `lab.conducting`."""
    planned.check()
    if experiment is None:
        experiment = enter(planned, journal)
    with journal.claim(experiment):
        done = {game.key for game in journal.games(experiment)}
        for key, match in play_games(planned.fixtures(), done):
            journal.add_game(experiment, record_of(match), key=key)
            progress()
    return experiment
