"""Runs many games at once, each between its players and kept as it goes: what was kept before is not asked
again. What one game meets stays with that game; the run ends early only when it is asked to, when the budget is spent,
or at a bug."""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from ostrom.core import Answer, Disagreement, Driver, Fault, IllegalAnswer, PlayerFault, Question, Step, Table, seats
from ostrom.core.telling import finals_of
from ostrom.experiment.accounts import Account, Used, used_in_game
from ostrom.experiment.calls import RemoteQuestion, RunContext
from ostrom.experiment.dispatch import Dispatch
from ostrom.experiment.limits import NOTHING, Allowance, Limits, Pacing, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.watch import Ending, GameSuspended, LimitReached, RunStopped, StopSignal, Tally, Voided
from ostrom.journal.ledger import Ledger
from ostrom.players.base import Player, RemotePlayer, ask, is_remote


async def play_through(
    fixture: Fixture, ledger: Ledger, context: RunContext, players: "Sequence[Player | RemotePlayer] | None" = None
) -> Literal["finished", "void"]:
    """Play a game to its end, from where the ledger has it. Raises `GameSuspended` where it cannot go on in this run,
    `PlayerFault` if a player that is not asked again breaks the rules, and `Disagreement` where what was kept is not
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
        self._account: Account | None = None
        if context.limits.of_game:
            self._account = context.dispatch.of_game(used_in_game(ledger, context.limits.timeout))

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
                requests[place] = self._remote(place, player, question)
        await self._all([*work, *(partial(self._ask, request, answers) for request in requests.values())])
        # Remote players remember in the order of the questions: never in the order in which answers came in.
        for place, question in enumerate(step, asked):
            player = self._players[question.seat.index]
            if is_remote(player):
                past = requests[place].calls if place in requests else list(self._ledger.calls.get(question.key, ()))
                player.remember(question, past, answers[place])
        return [answers[place] for place in range(asked, asked + len(step))]

    def _remote(self, place: int, player: RemotePlayer, question: Question) -> RemoteQuestion:
        """A question to a player who is asked over a network. Only the host limits what a person does."""
        past = list(self._ledger.calls.get(question.key, ()))
        name, key = self._fixture.contestants[question.seat.index].name, self._fixture.key
        both = () if player.endpoint.keeps_time else (self._context.dispatch.of_player(name), self._account)
        accounts = tuple(account for account in both if account is not None)
        return RemoteQuestion(self._context, self._ledger, key, place, name, player, question, past, accounts)

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
            raise Disagreement(f"{self._fixture.key}: the record holds {count} answers that the rules never ask for")
        self._check_events()

    def _check_events(self) -> None:
        if self._written > len(self.table.events):
            raise Disagreement(
                f"{self._fixture.key}: the record holds {self._written} events, the rules give {len(self.table.events)}"
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
                f"({question.phase}) that the rules reject: {reason}"
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


_INTERRUPTED = "the run was asked to stop"
_MOST_TIMES = 4
"""With games that wait for models in an outage, at most this multiple of the usual number is under way."""
_MOST_PUT_OFF = 10_000
"""Fixtures that are put off at most; they are small, but there may be any number of them."""


@dataclass(slots=True)
class Outcome:
    """What became of a run."""

    finished: int = 0
    void: int = 0
    unfinished: int = 0
    """Games that were begun, or would have been but for a model that was unavailable, and can be resumed. Games that
    had not begun when the run stopped are not among them: fixtures are not counted beforehand."""
    left_out: int = 0
    """Games for which no ledger was handed out: they were over before."""
    unavailable: dict[str, str] = field(default_factory=dict)
    """Models that were unavailable, and why."""
    faulted: dict[str, str] = field(default_factory=dict)
    """Games that ended with a player's fault or a disagreement with their record, and what it was; they are among the
    unfinished."""
    reached: dict[str, str] = field(default_factory=dict)
    """The limits that a game or a player reached, in words, and what raises each on the command line; the games that
    were kept from their ends are among the unfinished."""
    exhausted: dict[str, str] = field(default_factory=dict)
    """The players that reached a limit of theirs, and which, in the same words."""
    pausing: str | None = None
    """Why the run paused, where too many answers are defaulted."""
    last_answers: Mapping[str, Sequence[Fault | None]] = field(default_factory=dict)
    """What became of the last questions to each model: the faults of those that are defaulted."""
    stopped: Literal["budget", "defaults", "interrupted"] | None = None
    spent: Spent = NOTHING
    """What the experiment has used up, earlier runs included."""


@dataclass(frozen=True)
class Conduct:
    """How an experiment is run, apart from what it consists of."""

    limits: Limits
    watch: Tally = field(default_factory=Tally)
    stop: StopSignal = field(default_factory=StopSignal)
    pacing: Pacing = field(default_factory=Pacing)
    parts: Mapping[str, Allowance] = field(default_factory=dict)
    """What of its limits each player may use up here, where other processes have the rest."""


async def run_fixtures(
    fixtures: Iterable[Fixture],
    open_ledger: Callable[[Fixture], Awaitable[Ledger | None]],
    how: Conduct,
    spent: Spent = NOTHING,
    used: Mapping[str, Used] | None = None,
) -> Outcome:
    """Play the games; fixtures are taken one by one as games end, so that there may be any number of them. A fixture
    whose ledger is None is left out. `spent` is what earlier runs of the experiment used up, and `used` what each
    player with limits did.

    A stop that is requested lets calls in flight finish and keeps them; cancelling ends at once. An exception that is
    no fault of a player is a bug: the run stops cleanly and raises it."""
    dispatch = Dispatch(how.limits, how.pacing, how.watch, spent, used, how.parts)
    run = _Run(RunContext(how.limits, how.pacing, dispatch, how.watch), iter(fixtures), open_ledger)

    def interrupt() -> None:
        dispatch.stop(_INTERRUPTED)

    how.stop.listen(interrupt)
    try:
        async with asyncio.TaskGroup() as group:
            run.begin(group)
    finally:
        how.stop.forget(interrupt)
    return run.conclude()


@dataclass(eq=False)
class _Run:
    """The games under way, and what became of the others.

    A game that waits for a model in an outage would keep its place from games that could go on. So while a model is
    out, as many more games may be under way as wait for it (within reason), and games that need it are put off."""

    _context: RunContext
    _fixtures: Iterator[Fixture]
    _open_ledger: Callable[[Fixture], Awaitable[Ledger | None]]
    _outcome: Outcome = field(default_factory=Outcome)
    _bug: Exception | None = None
    _exhausted: bool = False
    _put_off: deque[Fixture] = field(default_factory=deque)
    _workers: int = 0
    _under_way: int = 0
    _games_of: Counter[str] = field(default_factory=Counter)

    @property
    def _limit(self) -> int:
        return self._context.limits.games or 2 * self._context.limits.calls

    def begin(self, group: asyncio.TaskGroup) -> None:
        """Start as many games as may be under way."""

        def work(workers: int) -> None:
            self._workers += workers
            for _ in range(workers):
                group.create_task(self._play_on())

        def make_up_for(model: str) -> None:
            work(max(0, min(self._games_of[model], _MOST_TIMES * self._limit - self._workers)))

        self._context.dispatch.on_outage = make_up_for
        work(self._limit)

    async def _play_on(self) -> None:
        """Play one game after another while there are any, and while they are not too many at once."""
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

    def _waiting(self) -> int:
        """Games under way that need a model in an outage."""
        out = self._context.dispatch.out
        return sum(self._games_of[model] for model in out) if out else 0

    def _next(self) -> Fixture | None:
        """The next game, rather one that needs no model in an outage."""
        if self._put_off and not self._needs_any(self._put_off[0], self._context.dispatch.out):
            return self._put_off.popleft()
        while not self._exhausted:
            fixture = next(self._fixtures, None)
            if fixture is None:
                self._exhausted = True
            elif len(self._put_off) < _MOST_PUT_OFF and self._needs_any(fixture, self._context.dispatch.out):
                self._put_off.append(fixture)
            else:
                return fixture
        return self._put_off.popleft() if self._put_off else None

    def _needs_any(self, fixture: Fixture, models: Collection[str]) -> bool:
        return bool(models) and not models_of(take_seats(fixture)).isdisjoint(models)

    def conclude(self) -> Outcome:
        """What became of all of it, or the bug that ended it."""
        if self._bug is not None:
            raise self._bug
        dispatch, outcome = self._context.dispatch, self._outcome
        outcome.unavailable = dict(dispatch.unavailable)
        outcome.spent = dispatch.budget.spent
        outcome.exhausted = {player: str(limit) for player, limit in dispatch.exhausted.items()}
        outcome.reached |= {str(limit): limit.option for limit in dispatch.exhausted.values()}
        outcome.last_answers = dispatch.defaulted.last
        # A stop that came when all had begun and none was kept from its end has stopped nothing.
        over = self._exhausted and not self._put_off and not outcome.unfinished
        if dispatch.stopped is not None and not over:
            outcome.pausing = dispatch.pausing
            outcome.stopped = "budget" if dispatch.out_of_budget else "defaults" if dispatch.pausing else "interrupted"
        return outcome

    async def _play(self, fixture: Fixture) -> None:
        dispatch = self._context.dispatch
        exhausted = not dispatch.exhausted.keys().isdisjoint(one.name for one in fixture.contestants)
        if exhausted or self._needs_any(fixture, dispatch.unavailable):
            self._outcome.unfinished += 1
            await asyncio.sleep(0)
            return
        ledger = await self._open_ledger(fixture)
        if ledger is None:
            self._outcome.left_out += 1
            # A resumed experiment may begin with many of these; a request to stop must be heard.
            await asyncio.sleep(0)
            return
        players = take_seats(fixture)
        models = models_of(players)
        self._games_of.update(models)
        self._context.watch.game_began(fixture.key)
        ending: Ending = "unfinished"
        try:
            ending = await play_through(fixture, ledger, self._context, players)
        except GameSuspended as why:
            if isinstance(why, LimitReached):
                self._outcome.reached[str(why)] = why.option
            if why.code is not None:
                await ledger.suspend(str(why), why.code)
        except (PlayerFault, Disagreement) as fault:
            ending = "faulted"
            self._outcome.faulted[fixture.key] = str(fault)
        finally:
            self._games_of.subtract(models)
            self._context.watch.game_ended(fixture.key, ending)
            self._count(ending)

    def _count(self, ending: Ending) -> None:
        if ending == "finished":
            self._outcome.finished += 1
        elif ending == "void":
            self._outcome.void += 1
        else:
            self._outcome.unfinished += 1
