"""Run an experiment in which models or people play: every call and every decision is in the journal before the game
goes on, so that nothing decided is lost or asked twice, whatever is killed."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field

from ostrom.arena.budget import Spent, check_prices
from ostrom.arena.fixtures import Fixture
from ostrom.arena.ledger import GameLedger
from ostrom.arena.limits import Limits
from ostrom.arena.pacing import Pacing
from ostrom.arena.runner import Outcome, run_fixtures
from ostrom.arena.stopping import StopSignal
from ostrom.arena.watch import Watch
from ostrom.journal.record import GameRecord, RecordedSeat
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.table import GameChance, InputError, Seat
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
    from ostrom.players.llm.probe import check

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
    transport = sys.modules.get("ostrom.players.llm.transport")
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
