"""A table of a running session: one game of an experiment, with people, strategies, bots and models at its seats."""

import asyncio
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from typing_extensions import override

from ostrom.core import InputError, Provenance
from ostrom.core.chance import GameChance
from ostrom.core.game import Game
from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.core.telling import BoardState, presentation_of, story_of
from ostrom.experiment.hosting import result_of
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture, head_of
from ostrom.experiment.runner import Conduct, run_fixtures
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.ledger import Ledger, Ledgers
from ostrom.journal.record import GameRecord, origin_of
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.people.player import opening
from ostrom.players.people.seat import STOPPED, GameResult, SeatEnding
from ostrom.players.people.session_seat import SessionPerson, SessionSeat, TableSeats
from ostrom.players.people.texts import texts_of
from ostrom.players.roster import contestants_of

TableEnding = Literal["finished", "void", "stopped"]
_FAILED: Final = "this table could not be played to its end; the host knows"
_VOID: Final = "this game was ended, because a player gave no answer"


@dataclass(frozen=True)
class TablePlan:
    """The description of a table."""

    key: str
    """The key of its game in the journal."""
    number: int
    """The number of the table in the session, from 0; draws depend on it."""
    game: Game
    rules: Any
    seats: Sequence[int | str]
    """The number of the participant, or the name of the player, for each seat."""
    people: Mapping[int, str]
    """The names of participants, such as person-07, by number."""
    seconds: float
    seed: int
    title: str
    practice: bool = False
    language: str = "en"


@dataclass(slots=False)
class _TableTally(Tally):
    """A tally that tells people's seats when their answers are stored."""

    seats: TableSeats = field(default_factory=lambda: TableSeats({}))

    @override
    def decided(self, model: str | None, provenance: Provenance) -> None:
        super().decided(model, provenance)
        if model is not None:
            self.seats.confirm(model)


class LiveTable:
    """A table that is played in this process and event loop."""

    def __init__(self, plan: TablePlan, clocks: Mapping[int, tuple[str, float]] | None = None) -> None:
        """`clocks` has, for each participant, the question that was open when an earlier server ended, and the seconds
        that remained."""
        self.plan = plan
        self.stop = StopSignal()
        self.game_id: str | None = None
        self.ending: TableEnding | None = None
        self.reason: str | None = None
        """The reason for an end without a result, in words for people at the table."""
        self.result: GameResult | None = None
        self.task: asyncio.Task[None] | None = None
        self.paused = False
        self.people = TableSeats(
            {
                index: SessionSeat(index, plan.seconds, plan.people[member], plan.number)
                for index, member in enumerate(plan.seats)
                if isinstance(member, int)
            }
        )
        self._seats = dict(zip(self._members(), self.people.seats.values(), strict=True))
        contestants = [self._contestant(index, member) for index, member in enumerate(plan.seats)]
        self.fixture = Fixture(plan.key, plan.game, plan.rules, contestants, GameChance(plan.seed, plan.number))
        self.labels: tuple[str, ...] = ()
        for participant, seat in self._seats.items():
            count = len(contestants)
            seat.rules, self.labels = opening(
                plan.game, plan.rules, self.fixture.chance, count, seat.index, plan.language
            )
            seat.label = self.labels[seat.index]
            if clocks and participant in clocks:
                question, left = clocks[participant]
                seat.restore(0, True, question, left)

    def _members(self) -> list[int]:
        return [member for member in self.plan.seats if isinstance(member, int)]

    def _contestant(self, index: int, member: int | str) -> Contestant:
        if isinstance(member, int):
            return SessionPerson(self.people.seats[index], self.plan.game.name, self.plan.language)
        return contestant_named(self.plan.game, member)

    def seat_of(self, participant: int) -> SessionSeat | None:
        """Return the seat of a participant at this table."""
        return self._seats.get(participant)

    @property
    def seats(self) -> Mapping[int, SessionSeat]:
        """The seats of people by participant."""
        return self._seats

    def start(self, ledgers: Ledgers, journal: Journal, ended: Callable[["LiveTable"], None]) -> None:
        """Begin to play; call `ended` when the table is over or has stopped."""
        self.task = asyncio.create_task(self._play(ledgers, journal), name=f"table {self.plan.key}")
        self.task.add_done_callback(lambda task: None if task.cancelled() else ended(self))

    def pause(self) -> None:
        """Stop the clocks of people."""
        self.paused = True
        for seat in self.people.seats.values():
            seat.pause()

    def go_on(self) -> None:
        """Let the clocks of people run again."""
        self.paused = False
        for seat in self.people.seats.values():
            seat.go_on()

    def replace(self, participant: int, player: str | None) -> None:
        """Let a player decide in a participant's place; None uses the game's fallbacks."""
        seat = self._seats[participant]
        seat.hand_over(None if player is None else contestant_named(self.plan.game, player))

    async def close(self) -> None:
        """Stop the table. It continues when the session is served again."""
        self.stop.request()
        if self.task is not None:
            await asyncio.wait([self.task])

    async def _play(self, ledgers: Ledgers, journal: Journal) -> None:
        self.ending, reason = "stopped", STOPPED
        try:
            outcome = await self._run(ledgers)
            if outcome.finished or outcome.left_out:
                assert self.game_id is not None
                record = await asyncio.to_thread(journal.record, self.game_id)
                texts = texts_of(self.plan.game.name, self.plan.language)
                self.result = texts.result(result_of(record, self.labels or None))
                self.ending = "finished"
            elif outcome.void:
                self.ending, reason = "void", _VOID
            elif outcome.stopped != "interrupted" and not self.stop.requested:
                # A table that disagrees with its record, or lacks a model, does not stop the others.
                self.ending, reason = "void", _FAILED
                complain(f"the table {self.plan.key} could not continue: {'; '.join(outcome.problems())}")
        except InputError as error:
            complain(f"the table {self.plan.key} stopped: {error}")
            reason = _FAILED
        except Exception as error:
            complain(f"the table {self.plan.key} ended with a bug")
            traceback.print_exception(error)
            # The other tables go on, so the people at this one must not wait for it.
            self.ending, reason = "void", _FAILED
        finally:
            states: dict[TableEnding, Literal["over", "void", "stopped"]]
            states = {"finished": "over", "void": "void", "stopped": "stopped"}
            self.reason = None if self.ending == "finished" else reason
            self.people.end(SeatEnding(states[self.ending], self.reason, self.result))

    async def _run(self, ledgers: Ledgers) -> Any:
        async def open_ledger(fixture: Fixture) -> Ledger | None:
            origin = origin_of(fixture.game, fixture.rules, len(fixture.contestants))
            ledger = await ledgers.open(head_of(fixture), fixture.key, origin)
            self.game_id = self.game_id if ledger is None else ledger.id
            return ledger

        self.stop.listen(self.people.withdraw)
        limits = Limits().model_copy(update={"calls": 64 + len(self.people.seats), "pause_at_defaults": 1.0})
        how = Conduct(limits, _TableTally(seats=self.people), self.stop)
        return await run_fixtures([self.fixture], open_ledger, how)


def contestant_named(game: Game, name: str) -> Contestant:
    """Return the player with this name. Raise InputError if the game has none, or if several are named."""
    players = contestants_of(game, [name])
    if len(players) != 1:
        raise InputError(f"{name!r} is not the name of one player")
    return players[0]


def points_so_far(record: GameRecord) -> list[float | None]:
    """Return what the seats of a game have earned up to now, as far as the game's scene shows it."""
    game, count = GAMES[record.game], len(record.seats)
    board = BoardState(count)
    events = [game.events.decode(event) for event in record.events]
    story = story_of(presentation_of(game), game.rules(**record.rules), count, events)
    for telling in (story.opening, *story.tellings):
        board.apply(telling)
    values = board.of_seats.get(story.scene.final or "", [None] * count)
    return [None if value is None else float(value) for value in values]


def first_turn_values(record: GameRecord, quantity: str) -> list[float | None]:
    """Return the values of a quantity of the game's scene for all seats after the first turn."""
    game, count = GAMES[record.game], len(record.seats)
    board = BoardState(count)
    events = [game.events.decode(event) for event in record.events]
    story = story_of(presentation_of(game), game.rules(**record.rules), count, events)
    board.apply(story.opening)
    for event, telling in zip(record.events, story.tellings, strict=True):
        if (event.get("turn", event.get("round")) or 1) > 1:
            break
        board.apply(telling)
    values = board.of_seats.get(quantity, [None] * count)
    return [None if value is None else float(value) for value in values]


def stored_result(journal: Journal, game_id: str, plan: TablePlan) -> GameResult:
    """Return the result of a game that an earlier server played to its end."""
    count = len(plan.seats)
    _, labels = opening(plan.game, plan.rules, GameChance(plan.seed, plan.number), count, 0)
    return texts_of(plan.game.name, plan.language).result(result_of(journal.record(game_id), labels))
