"""Messages between the seats of a market before they act: who is asked to write, who may read, and what each seat has
read so far."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from ostrom.core import Answer, Choice, Event, Fields, Play, Question, Seat, Table, Text

MESSAGE: Final = "message"
"""The phase in which seats write."""
SPEAKING: Final = "speaking"
"""The purpose of the random order of the seats that write one after another."""
IN_TURN: Final = "in-turn"
ADDRESSED: Final = "addressed"

ALL: Final = "all"
"""The recipient of a message to all seats. Other recipients are a single seat, or a side such as `buyers`."""


class TalkRules(Protocol):
    """The rules of messages, which are fields of a market's rules."""

    @property
    def messages(self) -> str:
        """Return who reads messages: `none`, `all`, `side` or `addressed`."""

    @property
    def talk(self) -> str:
        """Return the order of messages: `in-turn` or `at-once`."""

    @property
    def redraw_order(self) -> bool:
        """Return whether the order of writing is drawn anew in every round."""

    @property
    def message_words(self) -> int:
        """Return the largest number of words in a message."""


class HeardMessage(NamedTuple):
    """A message that a seat wrote or may read."""

    round: int
    seat: int
    to: int | str
    """A seat, or `all`, or a side such as `buyers`."""
    text: str


class MarketMessageSaid(Event, tag="message_said", private_to="readers"):
    """A message. A seat that says nothing has no such event."""

    round: int
    seat: int
    to: int | str
    """A seat, or `all`, or a side such as `buyers`."""
    readers: list[int | None]
    """The seats that may read it. None is the public."""
    text: str


def recipients(seat: int, seats: int, sides: Sequence[str] = ()) -> tuple[int | str, ...]:
    """Return the recipients among which the sender of an addressed message chooses."""
    return (ALL, *sides, *(other for other in range(seats) if other != seat))


def readers_of(to: int | str, sender: int, roles: Sequence[str]) -> list[int | None]:
    """Return the seats that may read a message, including its sender. A message to all is public: None is the
    public."""
    if to == ALL:
        return [None, *range(len(roles))]
    if isinstance(to, int):
        return [*sorted({sender, to})]
    side = {seat for seat, role in enumerate(roles) if f"{role}s" == to}
    return [*sorted(side | {sender})]


class Talk:
    """The messages of a game."""

    def __init__(self, rules: TalkRules, table: Table, roles: Sequence[str], sides: Sequence[str] = ()) -> None:
        self._rules, self._table, self._roles, self._sides = rules, table, roles, sides
        self.heard: list[list[HeardMessage]] = [[] for _ in roles]
        """The messages that each seat wrote or may read."""

    def hold(self, round_: int, view: Callable[[int], Any]) -> Play:
        """Ask all seats for a message, in turn or at once. `view` returns the present view of a seat. Nothing is asked
        if the rules have no messages."""
        if self._rules.messages == "none":
            return
        seats = self._table.seats
        if self._rules.talk == IN_TURN:
            for seat in self._table.chance.order(seats, SPEAKING, round_ if self._rules.redraw_order else 1):
                answers = yield [self._question(seat, round_, view)]
                self._hear(seat, round_, answers[0])
            return
        answers = yield [self._question(seat, round_, view) for seat in seats]
        for seat, answer in zip(seats, answers, strict=True):
            self._hear(seat, round_, answer)

    def _question(self, seat: Seat, round_: int, view: Callable[[int], Any]) -> Question:
        text = Text(self._rules.message_words)
        seen = view(seat.index)
        if self._rules.messages != ADDRESSED:
            return self._table.ask(seat, MESSAGE, round_, text, seen, fallback="")
        options = recipients(seat.index, len(self._roles), self._sides)
        spec = Fields({"to": Choice(options), "text": text})
        return self._table.ask(seat, MESSAGE, round_, spec, seen, fallback={"to": ALL, "text": ""})

    def _hear(self, seat: Seat, round_: int, answer: Answer) -> None:
        value: Any = answer.value
        if self._rules.messages == ADDRESSED:
            to, text = value["to"], value["text"]
        else:
            to, text = ALL if self._rules.messages == "all" else f"{self._roles[seat.index]}s", value
        if not text.strip():
            return
        readers = readers_of(to, seat.index, self._roles)
        self._table.record(MarketMessageSaid(round=round_, seat=seat.index, to=to, readers=readers, text=text))
        message = HeardMessage(round_, seat.index, to, text)
        for reader in readers:
            if reader is not None:
                self.heard[reader].append(message)
