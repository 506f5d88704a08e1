"""Plays games with people as tasks of the event loop in which the server runs."""

import asyncio
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any, Final

from ostrom.core import Fault, InputError, Provenance, Seat
from ostrom.core.entry_points import named_files
from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.core.telling import BoardState, Story, presentation_of, sentences, story_of
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import SECONDS, WAIT, Experiment, Part
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.seat_keeper import SeatKeeper
from ostrom.experiment.store import conduct, enter
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.players.people.player import opening
from ostrom.players.people.room import HumanContestant, Room, SeatMemory
from ostrom.players.people.seat import STOPPED, FinalColumn, FinalStanding, GameResult, HumanSeat, SeatEnding

MOST_RUNNING: Final = 64
"""Experiments that are played here at once."""
_MOST_CALLS: Final = 4096
_REMEMBERED: Final = 100
"""Games that are over whose links still show how they ended."""
_STOPPING: Final = "this server is stopping; start the game again when it is back"
_FAILED: Final = "the game stopped with an error, which the host's terminal shows; it can be resumed later"

_FAULTED: Final = "a player in this game failed; when it is resumed, it continues at this link"


@dataclass(slots=False)
class _Watch(Tally):
    """A tally that also tells a room which answers are kept, and when the first game is under way."""

    room: Room = field(default_factory=lambda: Room((), SECONDS))
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def game_began(self, key: str) -> None:
        """One more under way."""
        super().game_began(key)
        self.begun.set()

    def decided(self, model: str | None, provenance: Provenance) -> None:
        """One more decided, and kept."""
        super().decided(model, provenance)
        if model is not None:
            self.room.confirm(model)


@dataclass(eq=False)
class Hosted:
    """An experiment that is played here, or was."""

    planned: Experiment
    experiment: str
    """Its id."""
    room: Room
    """The seats of people; empty where none sits there."""
    before: int = 0
    """How many questions a person who is asked alone had answered when this host began."""
    stop: StopSignal = field(default_factory=StopSignal)
    task: asyncio.Task[Outcome] | None = None

    def __post_init__(self) -> None:
        self.tally = _Watch(room=self.room)

    @property
    def name(self) -> str:
        return self.planned.called

    @property
    def questions(self) -> int | None:
        """How many questions a person who is asked alone is asked at most, where the rules say it."""
        counts = [getattr(part.rules, "questions", None) for part in self.planned.parts]
        return sum(counts) if self.planned.alone and None not in counts else None  # type: ignore[arg-type]

    @property
    def over(self) -> bool:
        return self.task is not None and self.task.done()

    async def wait(self) -> Outcome:
        """What became of it, when it is over; raises the bug that ended it, where one did."""
        assert self.task is not None
        await asyncio.wait([self.task])
        return self.task.result()


class Host:
    """Plays games in this process and event loop."""

    def __init__(self, journal: Journal, place: str | None = None) -> None:
        self._journal = journal
        self._place = place
        """Where links lead, as host and port: a game that is resumed is served at the same place."""
        self._hosted: dict[str, Hosted] = {}
        self._closed = False

    async def start(self, planned: Experiment, experiment: str | None = None, *, new_links: bool = False) -> Hosted:
        """Play an experiment, or go on with one that the journal holds, at the links that people have or at new ones.
        When this returns it is under way, or over. Models are to be checked before."""
        planned.check()
        if self._closed:
            raise InputError(_STOPPING)
        if experiment is not None and experiment in self.running():
            raise InputError(f"{experiment} is already being played here")
        if len(self.running()) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} games are already being played here; wait until one is over")
        memory = {} if experiment is None or new_links else await asyncio.to_thread(self._memory, experiment)
        seated, room = in_room(planned, memory)
        if experiment is None:
            # In a thread: a journal that another process is writing may let us wait, and others are served meanwhile.
            experiment = await asyncio.to_thread(enter, planned, self._journal)
            if self._closed:
                raise InputError(_STOPPING)
        hosted = Hosted(seated, experiment, room, await asyncio.to_thread(self._answered, planned, experiment))
        if room.seats:
            await asyncio.to_thread(self._keep_links, hosted)
        over = [name for name, one in self._hosted.items() if one.over]
        for name in over[: max(0, len(over) - _REMEMBERED)]:
            del self._hosted[name]
        self._hosted.pop(hosted.experiment, None)
        self._hosted[hosted.experiment] = hosted
        room.begin()
        hosted.task = asyncio.create_task(self._play(hosted), name=f"hosting {hosted.experiment}")
        # What ended a game is told where it is played, whether or not a caller waits for it.
        hosted.task.add_done_callback(lambda task: None if task.cancelled() else task.exception())
        begun = asyncio.create_task(hosted.tally.begun.wait())
        await asyncio.wait([hosted.task, begun], return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        if hosted.over and hosted.task.exception() is not None:
            del self._hosted[hosted.experiment]
            await hosted.wait()
        return hosted

    async def renew(self, hosted: Hosted, seat: int) -> None:
        """Give a seat a new link; the one that it had opens nothing any more."""
        hosted.room.renew(seat)
        await asyncio.to_thread(self._keep_links, hosted)

    def _memory(self, experiment: str) -> dict[int, SeatMemory]:
        return {one.seat: SeatMemory(*one[1:]) for one in self._journal.seats.of(experiment)}

    def _keep_links(self, hosted: Hosted) -> None:
        """Keep the digests of links that are new."""
        known = {one.seat: one.digest for one in self._journal.seats.of(hosted.experiment)}
        seats = {index: seat.digest for index, seat in hosted.room.seats.items()}
        new = {index: digest for index, digest in seats.items() if known.get(index) != digest}
        self._journal.seats.keep(hosted.experiment, new, self._place)

    def hosted(self, experiment: str) -> Hosted | None:
        """An experiment that is played here, or was not long ago, by its id or its name."""
        if experiment in self._hosted:
            return self._hosted[experiment]
        return next((hosted for hosted in self._hosted.values() if hosted.name == experiment), None)

    def running(self) -> list[str]:
        """The ids of experiments that are being played here."""
        return [name for name, hosted in self._hosted.items() if not hosted.over]

    def seats(self, experiment: str) -> list[HumanSeat]:
        """The seats of people in an experiment that is played here, by its id or its name."""
        hosted = self.hosted(experiment)
        return [] if hosted is None else list(hosted.room.seats.values())

    def seat(self, token: str) -> tuple[Hosted, HumanSeat] | None:
        """The seat with this token, and where it is. All tokens are compared."""
        found = None
        for hosted in self._hosted.values():
            if (seat := hosted.room.seat(token)) is not None:
                found = hosted, seat
        return found

    async def close(self) -> None:
        """Ask all games to stop, and wait until they have: what is decided is kept, and they can be gone on with."""
        self._closed = True
        for hosted in self._hosted.values():
            hosted.stop.request()
        under_way = [hosted.task for hosted in self._hosted.values() if hosted.task is not None]
        if under_way:
            await asyncio.wait(under_way)

    async def _play(self, hosted: Hosted) -> Outcome:
        ending = SeatEnding("stopped", STOPPED)
        keeper = SeatKeeper(self._journal, hosted.experiment, hosted.room)
        keeper.start()
        try:
            limits = hosted.planned.limits or Limits()
            # A person who thinks takes no model's place among the calls in flight.
            calls = min(_MOST_CALLS, limits.calls + len(hosted.planned.people))
            # Who is asked alone is asked one thing after the other.
            games = 1 if hosted.planned.alone and hosted.planned.people else limits.games
            # People at a table are not sent away because a model does not answer.
            share = 1.0 if hosted.planned.people else limits.pause_at_defaults
            update = {"calls": calls, "games": games, "pause_at_defaults": share}
            how = Conduct(limits.model_copy(update=update), hosted.tally, hosted.stop)
            hosted.stop.listen(keeper.note)
            hosted.stop.listen(hosted.room.withdraw)
            outcome = await conduct(hosted.planned.fixtures(), self._journal, hosted.experiment, how)
            ending = await asyncio.to_thread(self._ending, hosted, outcome)
            return outcome
        except InputError as error:
            # Not for who sits here: it may name the journal and the other players.
            ending = SeatEnding("stopped", _FAILED)
            if hosted.tally.begun.is_set():
                again = f"ostrom resume {quote(hosted.experiment)}{named_files()} --store {quote(self._journal.typed)}"
                complain(f"{hosted.experiment} stopped: {error}; resume with: {again}")
            raise
        except Exception as error:
            ending = SeatEnding("stopped", _FAILED)
            complain(f"{hosted.experiment} ended with a bug")
            traceback.print_exception(error)
            raise
        finally:
            hosted.room.end(ending)
            await keeper.close()

    def _answered(self, planned: Experiment, experiment: str) -> int:
        """How many answers of a person asked alone are in the journal already."""
        rows = self._journal.experiments() if planned.alone and planned.people else []
        return sum(row.answers for row in rows if row.id == experiment)

    def _ending(self, hosted: Hosted, outcome: Outcome) -> SeatEnding:
        if not hosted.room.seats:
            return SeatEnding("over")
        rows = self._journal.games(hosted.experiment)
        if hosted.questions is not None:
            done = sum(row.state == "finished" for row in rows) == hosted.planned.games
            return SeatEnding("over") if done else SeatEnding("stopped", STOPPED)
        (row,) = rows
        if row.state == "finished":
            return SeatEnding("over", result=result_of(self._journal.record(row.id), hosted.room.labels))
        if row.state == "void":
            return SeatEnding("void", _for_the_table(row, hosted.room.labels or ()))
        return SeatEnding("stopped", _FAULTED if outcome.faulted or outcome.unavailable else STOPPED)


def _for_the_table(row: GameRow, labels: Sequence[str]) -> str:
    """Why a game is void, as those at the table may know: which seat gave no answer, by the name that they know, and
    that its time ran out; not what failed behind it, which may name a model and where it is reached."""
    seat = "a player" if row.seat is None else labels[row.seat] if row.seat < len(labels) else Seat(row.seat).label
    return f"{seat} gave no answer{' in time' if row.code == Fault.ABSENT else ''}"


def in_room(planned: Experiment, memory: Mapping[int, SeatMemory] | None = None) -> tuple[Experiment, Room]:
    """An experiment whose people have a room to sit down in, with the links that they have, where there is a memory of
    them, or new ones; they know what they can be told before the first question."""
    seconds = SECONDS if planned.seconds is None else planned.seconds
    room = Room(planned.people, seconds, WAIT if planned.wait is None else planned.wait, memory)
    if not room.seats:
        return planned, room
    planned = replace(planned, parts=tuple(_in_room(part, room) for part in planned.parts))
    fixture = next(planned.fixtures())
    for seat in room.seats.values():
        count = len(fixture.contestants)
        seat.rules, room.labels = opening(fixture.game, fixture.rules, fixture.chance, count, seat.index)
        seat.label = room.labels[seat.index]
    return planned, room


def _in_room(part: Part, room: Room) -> Part:
    seated = [replace(one, room=room) if isinstance(one, HumanContestant) else one for one in part.contestants]
    return replace(part, contestants=seated)


_DECIMALS: Final = 9
"""Beyond, two amounts differ by a rounding error."""


def result_of(record: GameRecord, labels: Sequence[str] | None = None) -> GameResult:
    """The result of a finished game. `labels` are what the seats are called; by default as in the record. No player
    stands in the standings of a game without finals."""
    called = [seat.label for seat in record.seats] if labels is None else list(labels)
    game = GAMES[record.game]
    events = [game.events.decode(event) for event in record.events]
    finals = [] if game.finals is None else list(enumerate(game.finals(events)))
    ended = {seat: final for seat, final in finals if final is not None}
    sign = 1 if game.better == "higher" else -1
    worth = {seat: sign * round(final, _DECIMALS) for seat, final in ended.items()}
    standings = [
        FinalStanding(
            seat, called[seat], record.seats[seat].player, float(final), _rank(list(worth.values()), worth[seat])
        )
        for seat, final in ended.items()
    ]
    best_first = tuple(sorted(standings, key=lambda standing: (standing.rank, standing.seat)))
    story = story_of(presentation_of(game), game.rules(**record.rules), len(called), events)
    columns, last = _columns(story, len(called)), _last(record, story, called)
    return GameResult(game.unit, best_first, tuple(columns), tuple(last))


def _rank(worths: Sequence[float], worth: float) -> float:
    """1 is best; those who tie share their ranks."""
    return sum(other > worth for other in worths) + (1 + worths.count(worth)) / 2


def _columns(story: Story, seats: int) -> Iterator[FinalColumn]:
    """The other numbers of the scene's standings, as the game left them."""
    board = BoardState(seats)
    for telling in (story.opening, *story.told):
        board.apply(telling)
    for shown in story.scene.standing:
        if not shown.line and shown.quantity != story.scene.final and shown.quantity in board.of_seats:
            quantity = story.scene.quantities[shown.quantity]
            yield FinalColumn(shown.title or quantity.title, quantity, tuple(board.of_seats[shown.quantity]))


def _last(record: GameRecord, story: Story, called: Sequence[str]) -> Iterator[str]:
    """The last turn and the end, a sentence each."""
    last = max((turn for event in record.events if (turn := _turn(event)) is not None), default=None)
    for event, telling in zip(record.events, story.told, strict=True):
        if _turn(event) in (None, last):
            yield from (f"{line[:1].upper()}{line[1:]}" for line in sentences(telling, called))


def _turn(event: dict[str, Any]) -> int | None:
    turn: int | None = event.get("turn", event.get("round"))
    return turn
