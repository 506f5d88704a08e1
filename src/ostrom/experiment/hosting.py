"""Games with people, played in the event loop of the server. Digests of people's links and the remaining time of open
questions are stored every few seconds, so that they are not lost if the host ends. Time during which no host is running
does not count."""

import asyncio
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Fault, InputError, Provenance, Seat
from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.core.telling import BoardState, Story, presentation_of, sentences, story_of
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import SECONDS, WAIT, Experiment, Part
from ostrom.experiment.runner import Conduct, Outcome
from ostrom.experiment.store import conduct, enter
from ostrom.experiment.watch import StopSignal, Tally
from ostrom.journal.notes import StoredSeat
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.players.people import HumanContestant, Room, SeatMemory
from ostrom.players.people.player import opening
from ostrom.players.people.seat import STOPPED, FinalColumn, FinalStanding, GameResult, HumanSeat, SeatEnding

MAX_RUNNING: Final = 64
"""The largest number of concurrent experiments of one host."""
MAX_ANSWERS: Final = 200_000
"""The largest number of answers that a host plays in one run of an experiment without people. `ostrom resume` plays the
rest in a separate process."""
_MAX_CALLS: Final = 4096
_MAX_ENDED: Final = 100
"""The number of ended games whose links still show their result."""
_STORE_INTERVAL_S: Final = 2.0
"""Seconds between two writes of the clocks. If a host is killed, a person gets at most this much additional time."""
_STOPPING: Final = "this server is stopping; start the game again when it is back"
_FAILED: Final = "the game stopped with an error, which the host's terminal shows; it can be resumed later"
_FAULTED: Final = "a player in this game failed; when it is resumed, it continues at this link"


@dataclass(slots=False)
class _Watch(Tally):
    """A tally that tells the room when answers are stored, and signals the start of the first game."""

    room: Room = field(default_factory=lambda: Room((), SECONDS))
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    answers: int = 0
    enough: Callable[[], None] | None = None
    """A function that is called after `MAX_ANSWERS` answers."""

    @override
    def game_began(self, key: str) -> None:
        super().game_began(key)
        self.begun.set()

    @override
    def decided(self, model: str | None, provenance: Provenance) -> None:
        super().decided(model, provenance)
        self.answers += 1
        if self.answers == MAX_ANSWERS and self.enough is not None:
            self.enough()
        if model is not None:
            self.room.confirm(model)


@dataclass(eq=False)
class Hosted:
    """An experiment that this host plays or played."""

    planned: Experiment
    experiment: str
    """The id of the experiment."""
    room: Room
    """The seats of people. The room is empty if no people play."""
    before: int = 0
    """The number of answers that were stored before this run. It is set only if the experiment asks one person single
    questions."""
    stop: StopSignal = field(default_factory=StopSignal)
    task: asyncio.Task[Outcome] | None = None

    def __post_init__(self) -> None:
        self.tally = _Watch(room=self.room)

    @property
    def name(self) -> str:
        return self.planned.called

    @property
    def questions(self) -> int | None:
        """The largest number of questions. It is None unless the experiment asks one person single questions and the
        rules limit their number."""
        counts = [getattr(part.rules, "questions", None) for part in self.planned.parts]
        return sum(counts) if self.planned.alone and None not in counts else None  # type: ignore[arg-type]

    @property
    def over(self) -> bool:
        return self.task is not None and self.task.done()

    async def wait(self) -> Outcome:
        """Wait until the experiment ends and return its outcome. Raise the error that ended it, if there was one."""
        assert self.task is not None
        await asyncio.wait([self.task])
        return self.task.result()


class Host:
    """Plays games in this process and event loop."""

    def __init__(
        self, journal: Journal, place: str | None = None, resume_command: Callable[[str], str] | None = None
    ) -> None:
        """`place` is the host and port in people's links; a resumed game is served there too. `resume_command` gives
        the command that resumes an experiment, for messages."""
        self._journal = journal
        self._place = place
        self._resume_command = resume_command
        self._hosted: dict[str, Hosted] = {}
        self._closed = False

    async def start(self, planned: Experiment, experiment: str | None = None, *, new_links: bool = False) -> Hosted:
        """Start an experiment, or resume a stored one, with people's old links or with new ones. Return as soon as it
        is under way or over. The caller must have checked its models."""
        planned.check()
        if self._closed:
            raise InputError(_STOPPING)
        if experiment is not None and experiment in self.running():
            raise InputError(f"{experiment} is already being played here")
        if len(self.running()) >= MAX_RUNNING:
            raise InputError(f"{MAX_RUNNING} games are already being played here; wait until one is over")
        memory = {} if experiment is None or new_links else await asyncio.to_thread(self._memory, experiment)
        seated, room = in_room(planned, memory)
        if experiment is None:
            # This runs in a thread, since the journal may wait for another process.
            experiment = await asyncio.to_thread(enter, planned, self._journal)
            if self._closed:
                raise InputError(_STOPPING)
        hosted = Hosted(seated, experiment, room, await asyncio.to_thread(self._answered, planned, experiment))
        if room.seats:
            await asyncio.to_thread(self._keep_links, hosted)
        over = [name for name, other in self._hosted.items() if other.over]
        for name in over[: max(0, len(over) - _MAX_ENDED)]:
            del self._hosted[name]
        self._hosted.pop(hosted.experiment, None)
        self._hosted[hosted.experiment] = hosted
        room.begin()
        hosted.task = asyncio.create_task(self._play(hosted), name=f"hosting {hosted.experiment}")
        # `_play` reports errors. Retrieving them here prevents asyncio from reporting them again.
        hosted.task.add_done_callback(lambda task: None if task.cancelled() else task.exception())
        begun = asyncio.create_task(hosted.tally.begun.wait())
        await asyncio.wait([hosted.task, begun], return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        if hosted.over and hosted.task.exception() is not None:
            del self._hosted[hosted.experiment]
            await hosted.wait()
        return hosted

    async def renew(self, hosted: Hosted, seat: int) -> None:
        """Give a seat a new link, and invalidate the old one."""
        hosted.room.renew(seat)
        await asyncio.to_thread(self._keep_links, hosted)

    def _memory(self, experiment: str) -> dict[int, SeatMemory]:
        return {seat.seat: SeatMemory(*seat[1:]) for seat in self._journal.seats.of(experiment)}

    def _keep_links(self, hosted: Hosted) -> None:
        known = {seat.seat: seat.digest for seat in self._journal.seats.of(hosted.experiment)}
        seats = {index: seat.digest for index, seat in hosted.room.seats.items()}
        new = {index: digest for index, digest in seats.items() if known.get(index) != digest}
        self._journal.seats.keep(hosted.experiment, new, self._place)

    def hosted(self, experiment: str) -> Hosted | None:
        """Return a current or recent experiment of this host, by id or name. Return None if there is none."""
        if experiment in self._hosted:
            return self._hosted[experiment]
        return next((hosted for hosted in self._hosted.values() if hosted.name == experiment), None)

    def running(self) -> list[str]:
        """Return the ids of the experiments under way."""
        return [name for name, hosted in self._hosted.items() if not hosted.over]

    def seats(self, experiment: str) -> list[HumanSeat]:
        """Return the seats of people in an experiment of this host, by its id or its name."""
        hosted = self.hosted(experiment)
        return [] if hosted is None else list(hosted.room.seats.values())

    def seat(self, token: str) -> tuple[Hosted, HumanSeat] | None:
        """Return the seat with this token and its experiment. The token is compared with every stored token, so that
        the response time does not reveal whether it is nearly right."""
        matches = [(hosted, hosted.room.seat(token)) for hosted in self._hosted.values()]
        return next(((hosted, seat) for hosted, seat in reversed(matches) if seat is not None), None)

    async def close(self) -> None:
        """Stop all games and wait until they have stopped. They can be resumed."""
        self._closed = True
        for hosted in self._hosted.values():
            hosted.stop.request()
        under_way = [hosted.task for hosted in self._hosted.values() if hosted.task is not None]
        if under_way:
            await asyncio.wait(under_way)

    async def _play(self, hosted: Hosted) -> Outcome:
        ending = SeatEnding("stopped", STOPPED)
        keeper = _SeatKeeper(self._journal, hosted.experiment, hosted.room)
        keeper.start()
        try:
            limits = hosted.planned.limits or Limits()
            # People do not use the slots of models' calls.
            calls = min(_MAX_CALLS, limits.calls + len(hosted.planned.people))
            # A person who plays alone is asked one question at a time.
            games = 1 if hosted.planned.alone and hosted.planned.people else limits.games
            # A model that does not answer must not stop a game with people.
            share = 1.0 if hosted.planned.people else limits.pause_at_defaults
            update = {"calls": calls, "games": games, "pause_at_defaults": share}
            how = Conduct(limits.model_copy(update=update), hosted.tally, hosted.stop)
            hosted.stop.listen(keeper.note)
            hosted.stop.listen(hosted.room.withdraw)
            if not hosted.planned.people:
                hosted.tally.enough = hosted.stop.request
            outcome = await conduct(hosted.planned.fixtures(), self._journal, hosted.experiment, how)
            if hosted.tally.answers >= MAX_ANSWERS and outcome.stopped and not self._closed:
                complain(f"{hosted.experiment} stopped after {MAX_ANSWERS:,} answers{self._hint(hosted)}")
            ending = await asyncio.to_thread(self._ending, hosted, outcome)
            return outcome
        except InputError as error:
            # The error is not shown to people, since it may name the journal and other players.
            ending = SeatEnding("stopped", _FAILED)
            if hosted.tally.begun.is_set():
                complain(f"{hosted.experiment} stopped: {error}{self._hint(hosted)}")
            raise
        except Exception as error:
            ending = SeatEnding("stopped", _FAILED)
            complain(f"{hosted.experiment} ended with a bug")
            traceback.print_exception(error)
            raise
        finally:
            hosted.room.end(ending)
            await keeper.close()

    def _hint(self, hosted: Hosted) -> str:
        command = self._resume_command and self._resume_command(hosted.experiment)
        return f"; resume with: {command}" if command else ""

    def _answered(self, planned: Experiment, experiment: str) -> int:
        """Return the number of stored answers if the experiment asks one person single questions, and otherwise 0."""
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
    """Return the reason why a game is void, in words for the players: which seat gave no answer, and whether it was too
    late. The stored reason is not shown to players, since it may name a model and its address."""
    seat = "a player" if row.seat is None else labels[row.seat] if row.seat < len(labels) else Seat(row.seat).label
    return f"{seat} gave no answer{' in time' if row.code == Fault.ABSENT else ''}"


def in_room(planned: Experiment, memory: Mapping[int, SeatMemory] | None = None) -> tuple[Experiment, Room]:
    """Return an experiment in which people have seats in a room, together with the room. The people's links are those
    in `memory`, or new ones. The room also has the rules of each seat."""
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
    contestants = [
        replace(contestant, room=room) if isinstance(contestant, HumanContestant) else contestant
        for contestant in part.contestants
    ]
    return replace(part, contestants=contestants)


class _SeatKeeper:
    """Stores the seats of one room every few seconds."""

    def __init__(self, journal: Journal, experiment: str, room: Room) -> None:
        self._journal = journal
        self._experiment = experiment
        self._room = room
        self._stored: tuple[StoredSeat, ...] = ()
        self._final: tuple[StoredSeat, ...] | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._room.seats:
            self._task = asyncio.create_task(self._run(), name=f"clocks of {self._experiment}")

    def note(self) -> None:
        """Take the present state of the clocks as the last one to be stored. Call this before open questions are
        withdrawn, because withdrawing them changes the clocks."""
        self._final = self._final or self._now()

    async def close(self) -> None:
        """Store the final clocks and end."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self._keep(self._final or self._now())

    def _now(self) -> tuple[StoredSeat, ...]:
        return tuple(
            StoredSeat(
                seat.index,
                seat.digest,
                seat.presence.opened,
                None if seat.question is None else seat.question.id,
                None if seat.question is None else round(seat.left(), 1),
            )
            for seat in self._room.seats.values()
        )

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_STORE_INTERVAL_S)
            await self._keep(self._now())

    async def _keep(self, seats: tuple[StoredSeat, ...]) -> None:
        changed = [seat for seat in seats if seat not in self._stored]
        self._stored = seats
        if changed:
            with suppress(InputError):  # If the journal is not writable, the game itself stops and reports the error.
                await asyncio.to_thread(self._journal.seats.keep_clocks, self._experiment, changed)


_DECIMALS: Final = 9
"""The decimals to which final values are rounded before they are ranked, so that rounding errors do not decide ties."""


def result_of(record: GameRecord, labels: Sequence[str] | None = None) -> GameResult:
    """Return the result of a finished game. `labels` are the names of seats; by default those of the record. If the
    record has no final values, the standings are empty."""
    names = [seat.label for seat in record.seats] if labels is None else list(labels)
    game = GAMES[record.game]
    events = [game.events.decode(event) for event in record.events]
    all_finals = () if game.finals is None else game.finals(events)
    finals = {seat: final for seat, final in enumerate(all_finals) if final is not None}
    sign = 1 if game.better == "higher" else -1
    values = {seat: sign * round(final, _DECIMALS) for seat, final in finals.items()}
    standings = []
    for seat, final in finals.items():
        rank = _rank(list(values.values()), values[seat])
        standings.append(FinalStanding(seat, names[seat], record.seats[seat].player, float(final), rank))
    best_first = tuple(sorted(standings, key=lambda standing: (standing.rank, standing.seat)))
    story = story_of(presentation_of(game), game.rules(**record.rules), len(names), events)
    columns, sentences_at_end = _columns(story, len(names)), _last_sentences(record, story, names)
    return GameResult(game.unit, best_first, tuple(columns), tuple(sentences_at_end))


def _rank(values: Sequence[float], value: float) -> float:
    """Return the rank of a value among all values, 1 for the best. Equal values have the mean of their ranks."""
    return sum(other > value for other in values) + (1 + values.count(value)) / 2


def _columns(story: Story, seats: int) -> Iterator[FinalColumn]:
    """Yield a column with final values for each further quantity in the scene's standings."""
    board = BoardState(seats)
    for telling in (story.opening, *story.tellings):
        board.apply(telling)
    for column in story.scene.standing:
        if not column.line and column.quantity != story.scene.final and column.quantity in board.of_seats:
            quantity = story.scene.quantities[column.quantity]
            yield FinalColumn(column.title or quantity.title, quantity, tuple(board.of_seats[column.quantity]))


def _last_sentences(record: GameRecord, story: Story, names: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of the last turn, followed by those of the game's end."""
    last = max((turn for event in record.events if (turn := _turn(event)) is not None), default=None)
    for event, telling in zip(record.events, story.tellings, strict=True):
        if _turn(event) in (None, last):
            yield from (f"{line[:1].upper()}{line[1:]}" for line in sentences(telling, names))


def _turn(event: dict[str, Any]) -> int | None:
    turn: int | None = event.get("turn", event.get("round"))
    return turn
