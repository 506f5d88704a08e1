"""The timeline of a film is a sequence of shots. The layout of the game's scene determines how shots are made from the
game's tellings. This module has only data, and draws nothing.

A shot moves first and then rests. While it rests, the picture does not change. So the picture is determined by the
moment, which is the shot and the progress of its motion. Equal moments have equal pictures.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from ostrom.core import InputError
from ostrom.core.effects import Say, Set, Telling, Transfer
from ostrom.core.scene import Scene
from ostrom.core.telling import BoardState, Story

SLOWEST, FASTEST = 0.05, 50.0


class Kind(StrEnum):
    """The kind of a shot: the thing that it shows."""

    TITLE = "title"
    """The game, its players and its rules."""
    OPENING = "opening"
    SPEAK = "speak"
    LISTEN = "listen"
    """All seats have sent their messages, which stay visible for a while."""
    GIVE = "give"
    """Transfers from seats to the middle."""
    GROW = "grow"
    """A change of the middle without a transfer."""
    SHARE = "share"
    """Transfers from the middle to seats."""
    STRIKE = "strike"
    """A transfer from seat to seat."""
    REST = "rest"
    TURN = "turn"
    """A whole moment of a game that is drawn as two sides, a dashboard or a question."""
    FINAL = "final"
    RESULT = "result"
    """The winner, if the end of the game itself does not show the winner."""


class FilmState(NamedTuple):
    """The amounts of all seats."""

    table: Mapping[str, float | None]
    seats: Mapping[str, Sequence[float | None]]
    out: frozenset[int]

    @classmethod
    def of(cls, board: BoardState) -> "FilmState":
        """Return the amounts on the board at present."""
        seats = {name: tuple(amounts) for name, amounts in board.of_seats.items()}
        return cls(dict(board.of_table), seats, frozenset(board.out))

    def held(self, quantity: str, count: int) -> list[float]:
        """Return the amounts of a quantity by seat. Missing amounts are 0."""
        return [float(value or 0) for value in self.seats.get(quantity, (0,) * count)]

    def values(self, quantity: str, count: int) -> Sequence[float | None]:
        """Return the amounts of a quantity by seat. An unknown amount is `None`."""
        return self.seats.get(quantity, (None,) * count)

    def known(self, quantity: str, seat: int) -> bool:
        """Return whether a seat has an amount of this quantity."""
        amounts = self.seats.get(quantity, ())
        return seat < len(amounts) and amounts[seat] is not None


@dataclass(frozen=True, slots=True)
class Shot:
    """A part of the film that shows one thing."""

    kind: Kind
    turn: int
    moves: float
    """The time in seconds during which the picture moves."""
    rests: float
    """The time in seconds after the motion, during which the picture does not change."""
    tellings: tuple[Telling, ...]
    """The tellings that the shot shows. Each telling of a game belongs to exactly one shot."""
    before: FilmState
    after: FilmState
    about: Telling | None = None
    """The telling to which a shot without its own tellings belongs."""
    reads: float = 0.0
    """Further seconds of rest, which are needed to read the messages."""

    @property
    def lasts(self) -> float:
        """The time in seconds from the beginning of the shot to the beginning of the next one."""
        return self.moves + self.rests + self.reads

    @property
    def telling(self) -> Telling:
        """The telling that the shot is about."""
        return self.tellings[0] if self.tellings else self.about or Telling()

    def stretched(self, factor: float) -> "Shot":
        """Return the same shot, slower or faster. Times for reading do not change."""
        return replace(self, moves=self.moves * factor, rests=self.rests * factor)


@dataclass(frozen=True, slots=True)
class Moment:
    """A position in a film. Equal moments have equal pictures."""

    shot: int
    done: float
    """The progress of the shot's motion, from 0 to 1."""


@dataclass(frozen=True)
class Timeline:
    """A whole film: its shots in order, and its seats."""

    shots: tuple[Shot, ...]
    seats: int

    @cached_property
    def starts(self) -> list[float]:
        """The times at which shots begin."""
        return [0.0, *accumulate(shot.lasts for shot in self.shots[:-1])]

    @property
    def duration(self) -> float:
        return self.starts[-1] + self.shots[-1].lasts

    def at(self, time: float) -> Moment:
        """Return the moment at a time in seconds. Before the beginning it is the first moment, and after the end the
        last one."""
        index = max(0, bisect_right(self.starts, time) - 1)
        shot = self.shots[index]
        elapsed = max(0.0, time - self.starts[index])
        return Moment(index, 1.0 if elapsed >= shot.moves else elapsed / shot.moves)

    def at_speed(self, speed: float) -> "Timeline":
        """Return the same film at a speed multiplied by a factor."""
        if not SLOWEST <= speed <= FASTEST:
            raise InputError(f"invalid speed: it must be between {SLOWEST:g} and {FASTEST:g}, got {speed:g}")
        faster = (replace(shot.stretched(1 / speed), reads=shot.reads / speed) for shot in self.shots)
        return Timeline(tuple(faster), self.seats)

    def of_rounds(self, first: int, last: int) -> "Timeline":
        """Return the film of these rounds, after its first shot. Earlier shots have no length, so that every shot keeps
        its place. Raises `InputError` if there are no such rounds."""
        chosen = [place for place, shot in enumerate(self.shots) if 0 < first <= shot.turn <= last]
        if not chosen:
            raise InputError(f"the game has no rounds {first}-{last}; its last is {self.shots[-1].turn}")
        shown = {0, *chosen}
        shots = (
            shot if place in shown else replace(shot, moves=0.0, rests=0.0, reads=0.0)
            for place, shot in enumerate(self.shots[: chosen[-1] + 1])
        )
        return Timeline(tuple(shots), self.seats)

    def moments(self, fps: float) -> list[Moment]:
        """Return the moments of the film frame by frame. The last frame shows the end."""
        count = max(1, round(self.duration * fps))
        return [*(self.at(index / fps) for index in range(count)), Moment(len(self.shots) - 1, 1.0)]


SHORTEST_ROUND, LONGEST_ROUND = 5.5, 8.2
"""The average duration of a turn at a table, in seconds. Ten turns, together with opening and end, last 60 to 90
seconds."""
LONGEST_PLAY, HASTIEST_ROUND = 300.0, 1.0
"""If all turns at a table together would last longer than the first number of seconds, they are shortened. But no turn
becomes shorter than the second number of seconds."""
PLAY = 60.0
PACES = {"sides": (0.5, 4.0), "dashboard": (0.2, 1.5), "question": (0.1, 2.5)}
"""The shortest and the longest average duration of a turn in seconds, for other layouts. Within these bounds, all turns
together last `PLAY` seconds."""


WORDS_PER_MINUTE: Final = 240.0
"""The speed at which most adults read prose silently (Brysbaert 2019: 238)."""
SLOWEST_READER, FASTEST_READER = 30.0, 3000.0


def timeline_of(story: Story, seats: int, words_per_minute: float = WORDS_PER_MINUTE) -> Timeline:
    """Return the film of a game, with enough time to read the messages."""
    if not SLOWEST_READER <= words_per_minute <= FASTEST_READER:
        bounds = f"between {SLOWEST_READER:g} and {FASTEST_READER:g}"
        raise InputError(f"invalid words per minute: it must be {bounds}, got {words_per_minute:g}")
    if not story.tellings:
        raise InputError("the record has no events, so there is nothing to show")
    board = BoardState(seats)
    empty = FilmState.of(board)
    board.apply(story.opening)
    begun = FilmState.of(board)
    table = story.scene.layout == "table"
    opening = Shot(Kind.OPENING, 0, 1.0 if table else 0.6, 1.2 if table else 0.6, (), empty, begun, story.opening)
    shots = list(_at_table(story.scene, story.tellings, board) if table else _by_moment(story.tellings, board))
    ending = [shot for shot in shots if shot.kind is Kind.FINAL]
    played = [shot for shot in shots if shot.kind is not Kind.FINAL]
    paced = (_with_reading(shot, words_per_minute) for shot in _paced(story.scene, played))
    return Timeline((opening, *paced, *ending), seats)


def _with_reading(shot: Shot, words_per_minute: float) -> Shot:
    """Return the shot with time to read its messages. Only the part of a message that a picture shows counts."""
    texts = [effect.text for telling in shot.tellings for effect in telling.effects if isinstance(effect, Say)]
    words = sum(min(len(text.split()), _MAX_WORDS) for text in texts)
    return replace(shot, reads=max(0.0, 60 * words / words_per_minute - shot.rests))


_MAX_WORDS: Final = 60
"""The largest number of words of one message that a picture shows, approximately."""


def _paced(scene: Scene, shots: Sequence[Shot]) -> list[Shot]:
    """Return the shots with their times scaled by one factor."""
    lasts = sum(shot.lasts for shot in shots)
    if not lasts:
        return list(shots)
    if scene.layout == "table":
        turns, wish = len({shot.turn for shot in shots}), lasts
        pace = max(HASTIEST_ROUND, LONGEST_PLAY / turns)
        shortest, longest = min(SHORTEST_ROUND, pace), min(LONGEST_ROUND, pace)
    else:
        turns, wish = len(shots), PLAY
        shortest, longest = PACES[scene.layout]
    total = min(turns * longest, max(turns * shortest, wish))
    return [shot.stretched(total / lasts) for shot in shots]


def _by_moment(tellings: Sequence[Telling], board: BoardState) -> Iterator[Shot]:
    """Return a shot for each moment with tellings. The shot lasts longer if its tellings take longer to read. The end
    of the game is a separate shot."""
    moment: list[Telling] = []
    before = FilmState.of(board)

    def shot(kind: Kind) -> Shot:
        nonlocal before, moment
        after = FilmState.of(board)
        rests = max((telling.lasts for telling in moment if telling.joined), default=0.0)
        result = Shot(kind, moment[0].turn, 1.0, 4.0 if kind is Kind.FINAL else rests, tuple(moment), before, after)
        before, moment = after, []
        return result

    for telling in tellings:
        if moment and (not telling.joined or telling.phase == "end"):
            yield shot(Kind.TURN)
        board.apply(telling)
        moment.append(telling)
        if telling.phase == "end":
            yield shot(Kind.FINAL)
    if moment:
        yield shot(Kind.TURN)


def _at_table(scene: Scene, tellings: Sequence[Telling], board: BoardState) -> Iterator[Shot]:
    """Return the shots of a turn. Seats send messages one after another. Then all seats give at once, the middle grows
    and is shared out, and arrows fly one by one."""
    talking: Telling | None = None
    for telling in tellings:
        before = FilmState.of(board)
        says = [effect for effect in telling.effects if isinstance(effect, Say)]
        if talking is not None and not says:
            yield Shot(Kind.LISTEN, talking.turn, 0.0, 0.9, (), before, before, talking)
        talking = telling if says else None
        if says:
            board.apply(telling)
            rests = sum(_listening(say.text) for say in says)
            yield Shot(Kind.SPEAK, telling.turn, 0.35, rests, (telling,), before, FilmState.of(board))
        else:
            yield from _acted(scene, telling, board, before)
    if talking is not None:
        end = FilmState.of(board)
        yield Shot(Kind.LISTEN, talking.turn, 0.0, 0.9, (), end, end, talking)


def _acted(scene: Scene, telling: Telling, board: BoardState, before: FilmState) -> Iterator[Shot]:
    transfers = [effect for effect in telling.effects if isinstance(effect, Transfer)]
    if telling.phase == "end":
        board.apply(telling)
        yield Shot(Kind.FINAL, telling.turn, 1.8, 3.2, (telling,), before, FilmState.of(board))
        return
    if any(transfer.source == "table" for transfer in transfers):
        if _grown(scene, telling, board):
            grown = FilmState.of(board)
            yield Shot(Kind.GROW, telling.turn, 0.8, 0.2, (), before, grown, telling)
            before = grown
        board.apply(telling)
        yield Shot(Kind.SHARE, telling.turn, 1.2, 0.3, (telling,), before, FilmState.of(board))
        return
    board.apply(telling)
    after = FilmState.of(board)
    if any(transfer.target == "table" for transfer in transfers):
        yield Shot(Kind.GIVE, telling.turn, 1.4, 0.3, (telling,), before, after)
    elif transfers:
        yield Shot(Kind.STRIKE, telling.turn, 0.8, 0.15, (telling,), before, after)
    else:
        yield Shot(Kind.REST, telling.turn, 0.2, 0.5 * telling.lasts, (telling,), before, after)


def _grown(scene: Scene, telling: Telling, board: BoardState) -> bool:
    """Apply a `Set` of the middle that precedes the first transfer. Return whether there was such an effect."""
    for effect in telling.effects:
        if isinstance(effect, Transfer):
            return False
        if isinstance(effect, Set) and scene.centre is not None and scene.centre.quantity in effect.values:
            board.set(effect)
            return True
    return False


def _listening(text: str) -> float:
    """Return the number of seconds for which a single message is shown. Viewers can pause to read long messages."""
    return 0.1 if not text.strip() else 0.3 + 0.003 * min(len(text), 200)
