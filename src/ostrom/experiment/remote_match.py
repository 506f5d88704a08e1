"""Plays one game between whoever sits there, and keeps it as it goes: the driver for players that are asked over a
network, and for tables that others sit at too. What was kept before is not asked again."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from ostrom.core import Answer, Disagreement, Driver, IllegalAnswer, Question, Step, Table, seats
from ostrom.core.telling import finals_of
from ostrom.experiment.calls import RemoteQuestion, RunContext
from ostrom.experiment.match import Fixture
from ostrom.experiment.watch import GameSuspended, RunStopped, Voided
from ostrom.journal.ledger import Ledger
from ostrom.players.base import Player, RemotePlayer, ask, is_remote


async def play_through(
    fixture: Fixture, ledger: Ledger, context: RunContext, players: "Sequence[Player | RemotePlayer] | None" = None
) -> Literal["finished", "void"]:
    """Play a game to its end, from where the ledger has it. Raises `GameSuspended` where it cannot go on in this run,
    `PlayerFault` where a player that nobody asks again breaks the rules, and `Disagreement` where what was kept is not
    what these rules give."""
    game = _Game(fixture, ledger, context, take_seats(fixture) if players is None else players)
    driver = Driver(fixture.game.play(fixture.rules, game.table))
    try:
        while driver.step is not None:
            driver.advance(await game.decide(driver.step, driver.asked))
            await game.keep_events()
        game.check_all_used()
        await ledger.finish(finals_of(fixture.game, game.table.events))
    except Voided as void:
        await ledger.void(str(void), void.code, void.seat)
        return "void"
    finally:
        driver.close()
    return "finished"


def take_seats(fixture: Fixture) -> "list[Player | RemotePlayer]":
    """The players of a game, each at its seat."""
    places = seats(len(fixture.contestants))
    fixture.game.check_seats(len(places))
    return [contestant.sit(seat, fixture.chance) for seat, contestant in zip(places, fixture.contestants, strict=True)]


def models_of(players: "Sequence[Player | RemotePlayer]") -> set[str]:
    """The models that a game cannot do without."""
    return {player.endpoint.model for player in players if is_remote(player)}


class _Game:
    """A game under way."""

    def __init__(
        self, fixture: Fixture, ledger: Ledger, context: RunContext, players: "Sequence[Player | RemotePlayer]"
    ) -> None:
        self.table = Table(seats(len(players)), fixture.chance)
        self._fixture = fixture
        self._ledger = ledger
        self._context = context
        self._players = players
        self._recalled = 0
        self._written = ledger.events
        self._kept = len(ledger.decisions)

    async def decide(self, step: Step, asked: int) -> list[Answer]:
        """The answers of one step. Who answers at once does so first; the others are asked together."""
        answers: dict[int, Answer] = {}
        requests: dict[int, RemoteQuestion] = {}
        work: list[Callable[[], Coroutine[Any, Any, None]]] = []
        for place, question in enumerate(step, asked):
            player = self._players[question.seat.index]
            if (recalled := self._recall(question)) is not None:
                answers[place] = recalled
            if not is_remote(player):
                # Of a decided question the answer is recorded; the player is asked for the sake of its memory.
                given = ask(self._fixture.contestants[question.seat.index].name, player, question)
                if recalled is None:
                    answers[place] = given
                    work.append(partial(self._keep, place, question, given))
            elif recalled is None:
                past = list(self._ledger.calls.get(question.key, ()))
                key = self._fixture.key
                requests[place] = RemoteQuestion(self._context, self._ledger, key, place, player, question, past)
        await self._all([*work, *(partial(self._ask, request, answers) for request in requests.values())])
        # Remote players remember in the order of the questions: never in the order in which answers came in.
        for place, question in enumerate(step, asked):
            player = self._players[question.seat.index]
            if is_remote(player):
                past = requests[place].calls if place in requests else list(self._ledger.calls.get(question.key, ()))
                player.remember(question, past, answers[place])
        return [answers[place] for place in range(asked, asked + len(step))]

    async def keep_events(self) -> None:
        """Keep what has happened since."""
        events = self.table.events
        if len(events) > self._written:
            first, self._written = self._written, len(events)
            await self._ledger.keep_events(first, events[first:])

    def check_all_used(self) -> None:
        """Refuse a record that holds more than these rules give."""
        if self._recalled < self._kept:
            count = self._kept - self._recalled
            raise Disagreement(f"{self._fixture.key}: the record holds {count} decisions that the rules never ask for")
        self._check_events()

    def _check_events(self) -> None:
        if self._written > len(self.table.events):
            raise Disagreement(
                f"{self._fixture.key}: the record holds {self._written} events where the rules give "
                f"{len(self.table.events)}"
            )

    def _recall(self, question: Question) -> Answer | None:
        kept = self._ledger.decisions.get(question.key)
        if kept is None:
            self._check_events()
            return None
        self._recalled += 1
        try:
            value = question.recorded(kept.value, kept.provenance)
        except IllegalAnswer as reason:
            raise Disagreement(
                f"{self._fixture.key}: the record has an answer of {question.seat} in turn {question.turn} "
                f"({question.phase}) that the rules do not allow: {reason}"
            ) from None
        return replace(kept, value=value)

    async def _all(self, work: Sequence[Callable[[], Coroutine[Any, Any, None]]]) -> None:
        """Ask who is to be asked, and keep what is to be kept, all at once."""
        stopped = self._context.dispatch.stopped
        if stopped is not None and work:
            raise RunStopped(stopped)
        if len(work) == 1:
            await work[0]()
        elif work:
            # All come to their end, even where one cannot go on: what is in flight is paid for, and is kept.
            results = await asyncio.gather(*(each() for each in work), return_exceptions=True)
            failures = [result for result in results if isinstance(result, BaseException)]
            if failures:
                raise min(failures, key=_weight)

    async def _keep(self, place: int, question: Question, answer: Answer) -> None:
        with self._heard():
            await self._ledger.keep_decision(place, question, answer)
        self._context.watch.decided(None, answer.provenance)

    async def _ask(self, request: RemoteQuestion, answers: dict[int, Answer]) -> None:
        with self._heard():
            answer = answers[request.place] = await request.decide()
        self._context.watch.decided(request.player.endpoint.model, answer.provenance)

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Stop the run at a bug: the other seats of this step must not wait out a pause before it is heard of."""
        try:
            yield
        except (GameSuspended, Voided):
            raise
        except Exception as error:
            self._context.dispatch.stop(f"a game ended with {type(error).__name__}")
            raise


def _weight(failure: BaseException) -> int:
    """Which failure of a step is told: a bug before all, then the end of the game, then what can be resumed."""
    return 2 if isinstance(failure, GameSuspended) else 1 if isinstance(failure, Voided) else 0
