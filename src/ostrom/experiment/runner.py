"""Run many games concurrently, and store each game while it is played. Questions with stored decisions are not asked
again. A failure in one game does not affect the others: a run ends early only on request, when the budget is spent, or
because of a bug."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Final, Literal

from ostrom.core import Answer, Disagreement, Driver, Fault, IllegalAnswer, PlayerFault, Question, Step, Table, seats
from ostrom.core.telling import finals_of
from ostrom.experiment.accounts import Account, Used, used_in_game
from ostrom.experiment.calls import RemoteQuestion, RunContext
from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import NOTHING, Allowance, Limits, Pacing, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.open_batches import BatchStore
from ostrom.experiment.reuse import ReusableReplies
from ostrom.experiment.watch import Ending, GameSuspended, LimitReached, RunStopped, StopSignal, Tally, Voided
from ostrom.experiment.waves import Waves
from ostrom.journal.ledger import Ledger
from ostrom.players.base import Player, RemotePlayer, ask, is_remote

MAX_LISTED_FAULTS: Final = 5


async def play_through(
    fixture: Fixture, ledger: Ledger, context: RunContext, players: "Sequence[Player | RemotePlayer] | None" = None
) -> Literal["finished", "void"]:
    """Play a game from its stored state to its end. Raise `GameSuspended` if the game does not continue in this run,
    `PlayerFault` if an algorithm breaks the rules, and `Disagreement` if the stored record contradicts the rules."""
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
    """Return the players of a game, by seat."""
    places = seats(len(fixture.contestants))
    fixture.game.check_seats(len(places))
    return [contestant.sit(seat, fixture.chance) for seat, contestant in zip(places, fixture.contestants, strict=True)]


def models_of(players: "Sequence[Player | RemotePlayer]") -> set[str]:
    """Return the models among the players."""
    return {player.endpoint.model for player in players if is_remote(player)}


class _Game:
    def __init__(
        self, fixture: Fixture, ledger: Ledger, context: RunContext, players: "Sequence[Player | RemotePlayer]"
    ) -> None:
        self.table = Table(seats(len(players)), fixture.chance)
        self._fixture = fixture
        self._ledger = ledger
        self._context = context
        self._players = players
        self._recalled = 0
        self._stored_events = ledger.events
        self._account: Account | None = None
        if context.limits.of_game:
            self._account = context.dispatch.game_account(used_in_game(ledger, context.limits.timeout))

    async def decide(self, step: Step, asked: int) -> list[Answer]:
        """Return the answers of one step. Algorithms answer first; then all remote players are asked concurrently."""
        answers: dict[int, Answer] = {}
        requests: dict[int, RemoteQuestion] = {}
        work: list[Callable[[], Coroutine[Any, Any, None]]] = []
        for place, question in enumerate(step, asked):
            player = self._players[question.seat.index]
            if (recalled := self._recall(question)) is not None:
                answers[place] = recalled
            if not is_remote(player):
                # A player is also asked a question that was already decided, so that its memory is the same as in the
                # earlier run.
                answer = ask(self._fixture.contestants[question.seat.index].name, player, question)
                if recalled is None:
                    answers[place] = answer
                    work.append(partial(self._keep, place, question, answer))
            elif recalled is None:
                requests[place] = self._remote(place, player, question)
        await self._all([*work, *(partial(self._ask, request, answers) for request in requests.values())])
        # Remote players remember questions in their order, even if the answers arrive in another order.
        for place, question in enumerate(step, asked):
            player = self._players[question.seat.index]
            if is_remote(player):
                past = requests[place].calls if place in requests else list(self._ledger.calls.get(question.key, ()))
                player.remember(question, past, answers[place])
        return [answers[place] for place in range(asked, asked + len(step))]

    def _remote(self, place: int, player: RemotePlayer, question: Question) -> RemoteQuestion:
        past = list(self._ledger.calls.get(question.key, ()))
        name, key = self._fixture.contestants[question.seat.index].name, self._fixture.key
        accounts: list[Account | None] = []
        if not player.endpoint.keeps_time:  # People have no account with limits.
            accounts = [self._context.dispatch.player_account(name), self._account]
        limited = tuple(account for account in accounts if account is not None)
        return RemoteQuestion(self._context, self._ledger, key, place, name, player, question, past, limited)

    async def keep_events(self) -> None:
        """Store the events that are not stored yet."""
        events = self.table.events
        if len(events) > self._stored_events:
            first, self._stored_events = self._stored_events, len(events)
            await self._ledger.keep_events(first, events[first:])

    def check_all_used(self) -> None:
        """Raise Disagreement if the record has answers or events that a game with these rules does not have."""
        unused = len(self._ledger.decisions) - self._recalled
        if unused > 0:
            raise Disagreement(f"{self._fixture.key}: the record has {unused} answers that the rules never ask for")
        self._check_events()

    def _check_events(self) -> None:
        count = len(self.table.events)
        if self._stored_events > count:
            raise Disagreement(
                f"{self._fixture.key}: the record has {self._stored_events} events, the rules give {count}"
            )

    def _recall(self, question: Question) -> Answer | None:
        decision = self._ledger.decisions.get(question.key)
        if decision is None:
            self._check_events()
            return None
        self._recalled += 1
        try:
            value = question.recorded(decision.value, decision.provenance)
        except IllegalAnswer as reason:
            raise Disagreement(
                f"{self._fixture.key}: the record has an answer of {question.seat} in turn {question.turn} "
                f"({question.phase}) that the rules reject: {reason}"
            ) from None
        return replace(decision, value=value)

    async def _all(self, work: Sequence[Callable[[], Coroutine[Any, Any, None]]]) -> None:
        """Run all activities concurrently. After all have ended, raise the most severe failure."""
        stopped = self._context.dispatch.stopped
        if stopped is not None and work:
            raise RunStopped(stopped)
        if len(work) == 1:
            await work[0]()
        elif work:
            # No activity is cancelled when another fails, since calls in flight are paid for and must be stored.
            results = await self._context.waves.gather(work)
            failures = [result for result in results if isinstance(result, BaseException)]
            if failures:
                raise min(failures, key=_weight)

    async def _keep(self, place: int, question: Question, answer: Answer) -> None:
        with self._stop_at_bug():
            await self._ledger.keep_decision(place, question, answer)
        self._context.watch.decided(None, answer.provenance)

    async def _ask(self, request: RemoteQuestion, answers: dict[int, Answer]) -> None:
        with self._stop_at_bug():
            answer = answers[request.place] = await request.decide()
        self._context.watch.decided(request.player.endpoint.model, answer.provenance)

    @contextmanager
    def _stop_at_bug(self) -> Iterator[None]:
        """Stop the run at once if there is a bug. Otherwise the other seats of this step might first wait until a pause
        ends."""
        try:
            yield
        except (GameSuspended, Voided):
            raise
        except Exception as error:
            self._context.dispatch.stop(f"a game ended with {type(error).__name__}")
            raise


def _weight(failure: BaseException) -> int:
    """Return the rank of a failure; a more severe failure has a lower rank. The order is: a bug, a void game, a
    suspended game."""
    return 2 if isinstance(failure, GameSuspended) else 1 if isinstance(failure, Voided) else 0


_INTERRUPTED = "the run was asked to stop"
_MAX_OUTAGE_FACTOR = 4
"""The largest number of concurrent games during an outage, as a multiple of the usual number."""
_MAX_GAMES_OF_WAVE = 5000
"""The largest number of concurrent games if their questions are sent in batches."""
_MAX_DEFERRED = 10_000
"""The largest number of deferred fixtures, which bounds memory."""


@dataclass(slots=True)
class Outcome:
    """The outcome of a run."""

    finished: int = 0
    void: int = 0
    unfinished: int = 0
    """The number of unfinished games that can be resumed. They are games that began, and games that did not begin
    because a model was unavailable. Games that had not begun when the run stopped are not counted, since the number of
    fixtures is unknown."""
    left_out: int = 0
    """The number of games that were over before this run."""
    unavailable: dict[str, str] = field(default_factory=dict)
    """The models that were unavailable, each with the reason."""
    faulted: dict[str, str] = field(default_factory=dict)
    """The games in which a player was at fault, or which disagree with their record. They are also counted as
    unfinished games."""
    reached: dict[str, str] = field(default_factory=dict)
    """The limits that games or players reached. Each key is the reason, and each value is the setting that raises the
    limit. The names of settings are marked in both texts."""
    exhausted: dict[str, str] = field(default_factory=dict)
    """The players that reached a limit, with the reason as in `reached`."""
    pausing: str | None = None
    """The reason for a pause, if too many answers are defaulted."""
    last_answers: Mapping[str, Sequence[Fault | None]] = field(default_factory=dict)
    """The faults of the latest answers of each player; None for a legal answer."""
    stopped: Literal["budget", "defaults", "interrupted"] | None = None
    spent: Spent = NOTHING
    """The amounts that the experiment has spent, including earlier runs."""

    def problems(self, noun: str = "game") -> Iterator[str]:
        """Yield a sentence for each unavailable model, each game with a fault, and each limit that was reached."""
        yield from (f"{model} is unavailable: {reason}" for model, reason in self.unavailable.items())
        for key, reason in islice(self.faulted.items(), MAX_LISTED_FAULTS):
            yield f"{noun} {key} could not continue: {reason}"
        yield from self.reached


@dataclass(frozen=True)
class Conduct:
    """The settings and observers of a run."""

    limits: Limits
    watch: Tally = field(default_factory=Tally)
    stop: StopSignal = field(default_factory=StopSignal)
    pacing: Pacing = field(default_factory=Pacing)
    parts: Mapping[str, Allowance] = field(default_factory=dict)
    """The parts of players' limits that this process may use. Other processes may use the rest."""


async def run_fixtures(
    fixtures: Iterable[Fixture],
    open_ledger: Callable[[Fixture], Awaitable[Ledger | None]],
    how: Conduct,
    spent: Spent = NOTHING,
    used: Mapping[str, Used] | None = None,
    store: BatchStore | None = None,
    reuse: ReusableReplies | None = None,
) -> Outcome:
    """Play the games and return the outcome. Fixtures are read one by one as games end. A fixture whose ledger is None
    is left out. `spent` has the amounts spent by earlier runs, and `used` the amounts used by each player with limits.
    Without a `store` for batches, all calls are sent singly. `reuse` has replies that are used instead of calls.

    After a requested stop, the calls in flight are completed and stored; a cancellation ends the run at once. An
    exception other than a fault of a player is a bug: the run stops as on request, and then raises the exception."""
    dispatch = Dispatch(how.limits, how.pacing, how.watch, spent, used, how.parts)
    waves = Waves(how.limits, how.pacing, dispatch, store)
    await waves.batches.restore()
    run = _Run(RunContext(how.limits, how.pacing, dispatch, how.watch, waves, reuse), iter(fixtures), open_ledger)

    def interrupt() -> None:
        dispatch.stop(_INTERRUPTED)

    how.stop.listen(interrupt)
    try:
        async with asyncio.TaskGroup() as group:
            run.begin(group)
    finally:
        how.stop.forget(interrupt)
        await waves.close()
    return run.conclude()


@dataclass(eq=False)
class _Run:
    """The games under way. During the outage of a model, games that need this model are deferred. For each game that
    waits for such a model, one more game may be under way, so that the outage does not block other games."""

    _context: RunContext
    _fixtures: Iterator[Fixture]
    _open_ledger: Callable[[Fixture], Awaitable[Ledger | None]]
    _outcome: Outcome = field(default_factory=Outcome)
    _bug: Exception | None = None
    _exhausted: bool = False
    _deferred: deque[Fixture] = field(default_factory=deque)
    _workers: int = 0
    _under_way: int = 0
    _games_of: Counter[str] = field(default_factory=Counter)

    @property
    def _limit(self) -> int:
        limits = self._context.limits
        return limits.games or (_MAX_GAMES_OF_WAVE if limits.batch else 2 * limits.calls)

    def begin(self, group: asyncio.TaskGroup) -> None:
        """Start as many games as may be under way."""

        def start(workers: int) -> None:
            self._workers += workers
            self._context.waves.enter(workers)
            for _ in range(workers):
                group.create_task(self._work())

        def compensate(model: str) -> None:
            start(max(0, min(self._games_of[model], _MAX_OUTAGE_FACTOR * self._limit - self._workers)))

        self._context.dispatch.on_outage = compensate
        start(self._limit)

    async def _work(self) -> None:
        """Play one game after another, unless too many are under way."""
        dispatch = self._context.dispatch
        try:
            while dispatch.stopped is None and self._under_way < self._limit + self._waiting():
                fixture = self._next()
                if fixture is None:
                    return
                self._under_way += 1
                try:
                    await self._play(fixture)
                finally:
                    self._under_way -= 1
        except Exception as error:
            if self._bug is None:
                self._bug = error
            dispatch.stop(f"a game ended with {type(error).__name__}")
        finally:
            self._workers -= 1
            self._context.waves.leave()

    def _waiting(self) -> int:
        return sum(self._games_of[model] for model in self._context.dispatch.failing)

    def _next(self) -> Fixture | None:
        """Return the next game. If possible, it is one that needs no model in an outage."""
        failing = self._context.dispatch.failing
        if self._deferred and not self._needs_any(self._deferred[0], failing):
            return self._deferred.popleft()
        while not self._exhausted:
            fixture = next(self._fixtures, None)
            if fixture is None:
                self._exhausted = True
            elif len(self._deferred) < _MAX_DEFERRED and self._needs_any(fixture, failing):
                self._deferred.append(fixture)
            else:
                return fixture
        return self._deferred.popleft() if self._deferred else None

    def _needs_any(self, fixture: Fixture, models: Collection[str]) -> bool:
        return bool(models) and not models_of(take_seats(fixture)).isdisjoint(models)

    def conclude(self) -> Outcome:
        """Return the outcome. Raise the bug that ended the run, if there was one."""
        if self._bug is not None:
            raise self._bug
        dispatch, outcome = self._context.dispatch, self._outcome
        outcome.unavailable = dict(dispatch.unavailable)
        outcome.spent = dispatch.budget.spent
        outcome.exhausted = {player: limit.reason for player, limit in dispatch.exhausted.items()}
        outcome.reached |= {limit.reason: limit.setting for limit in dispatch.exhausted.values()}
        outcome.last_answers = dispatch.defaulted.faults
        # A stop has no effect if the last game has already ended.
        over = self._exhausted and not self._deferred and not outcome.unfinished
        if dispatch.stopped is not None and not over:
            outcome.pausing = dispatch.pausing
            outcome.stopped = "budget" if dispatch.out_of_budget else "defaults" if dispatch.pausing else "interrupted"
        return outcome

    async def _play(self, fixture: Fixture) -> None:
        dispatch = self._context.dispatch
        names = [contestant.name for contestant in fixture.contestants]
        exhausted = not dispatch.exhausted.keys().isdisjoint(names)
        if exhausted or self._needs_any(fixture, dispatch.unavailable):
            self._outcome.unfinished += 1
            await asyncio.sleep(0)
            return
        ledger = await self._open_ledger(fixture)
        if ledger is None:
            self._outcome.left_out += 1
            # A resumed experiment may begin with many games that are already over. Yield to the event loop, so that a
            # stop can be requested in the meantime.
            await asyncio.sleep(0)
            return
        players = take_seats(fixture)
        models = models_of(players)
        self._games_of.update(models)
        self._context.watch.game_began(fixture.key)
        ending: Ending = "unfinished"
        try:
            ending = await play_through(fixture, ledger, self._context, players)
        except GameSuspended as suspension:
            if isinstance(suspension, LimitReached):
                self._outcome.reached[suspension.reason] = suspension.setting
            if suspension.code is not None:
                await ledger.suspend(str(suspension), suspension.code)
        except (PlayerFault, Disagreement) as fault:
            ending = "faulted"
            self._outcome.faulted[fixture.key] = str(fault)
        finally:
            self._games_of.subtract(models)
            self._context.watch.game_ended(fixture.key, ending)
            self._outcome.finished += ending == "finished"
            self._outcome.void += ending == "void"
            self._outcome.unfinished += ending not in ("finished", "void")
