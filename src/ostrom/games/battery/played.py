"""Played games: the tasks of the battery that have two or more roles, played between seats for what they pay. Seat 0
has the first role. A seat sees the same as in a stated item, so that whoever answers items can play."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict

from ostrom.core import Choice, Event, EventRegistry, Play, Question, Seat, Spec, Table
from ostrom.core.effects import Choose, Form, Sentence, Set, Telling, listed, sentence
from ostrom.core.game import Figure, Figures, Game, Seats
from ostrom.core.scene import Quantity, Scene
from ostrom.core.telling import Presentation, Teller
from ostrom.games.battery.numbers import Number, decimals
from ostrom.games.battery.rules import title_of

ORDER = "options"
"""The purpose of the draw that decides which option is shown first."""
LABELS = "labels"
"""The purpose of the draw that decides which option is called A."""
_DECIMALS = 9
"""Payments are sums and shares of short numbers; what is beyond is rounding error."""
_MOST_NAMED = 12
"""At most so many seats are named as those that get most."""
_TWO = Seats(2, 2, usual=2)


class GameEnded(Event, tag="game_ended"):
    """The game is over and paid out."""

    payoffs: list[float]
    """What each seat gets, by seat."""
    winners: list[int]
    """The seats that get most; more than one is a tie."""


@dataclass(frozen=True, slots=True)
class PlayedView:
    """One seat's question. It names no game, and knows of the others only what the rules let it know."""

    task: str
    """'dictator', 'ultimatum', …"""
    role: str
    """What the seat is: 'giver', 'proposer', 'responder', …"""
    seat: int
    facts: Any
    """The numbers of the question: of the same class as in the task's items."""
    options: tuple[str, ...] = ()
    """What can be chosen, in the order shown, by what it means; empty where a number is asked."""
    labels: tuple[str, ...] = ()
    """Under which label ('A', 'B') each of `options` is shown."""
    rules: Any = None
    """The rules of the game."""

    def label_of(self, option: str) -> str:
        """Under which label an option is shown."""
        return self.labels[self.options.index(option)]

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        options = dict(zip(self.labels, self.options, strict=True))
        known = {"task": self.task, "role": self.role, "seat": self.seat}
        return {**known, "facts": asdict(self.facts), "options": options}


@dataclass(frozen=True, slots=True)
class Part:
    """A role, and what is asked of it. Roles move one after the other, the seats of one role at once."""

    role: str
    field: str
    """What its answer is: 'offer', 'contribution', …"""
    seat: int | None = None
    """The seat that has it; all have it where there is none."""
    turn: int = 1
    """The turn in which it is asked."""
    options: tuple[str, ...] = ()
    """Where one of two is chosen."""
    fallback: str = ""
    """The option that is entered for who gives no legal answer."""
    before: str = ""
    """The fact that says what the role before it did."""
    whole: bool = False
    """Whether it is a whole number; options are counted from 0."""


Asked: TypeAlias = tuple[Any, "Spec | tuple[str, str]"]
"""What a seat knows, and what a legal answer is, or the options."""


class PlayedRules(BaseModel):
    """What can be set about a played game, how it is asked and paid, and how it is told. What is asked and paid is
    written over numbers of one game or arrays of many: an array may stand in the place of each number."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task: ClassVar[str]
    moves: ClassVar[tuple[type[Event], ...]]
    """Its events before the end."""
    series: ClassVar[Mapping[str, str]]
    """Names for fields of its moves, each as 'tag.field', as arrays over the game; the payoffs come with them."""
    parts: ClassVar[tuple[Part, ...]]
    """Its roles, in their order."""

    def __init_subclass__(cls, task: str, moves: tuple[type[Event], ...]) -> None:
        cls.task, cls.moves = task, moves

    @abstractmethod
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> Asked:
        """What a role is asked at a table of so many. `before` is what the role before it did."""

    @abstractmethod
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """What each seat gets, before it is rounded. `moves` have for each role what its seats answered, by seat; of
        options, their places."""

    def fallback(self, role: str) -> Number:
        """What is entered for who gives no legal answer: the place of an option, or a number."""
        part = self.part_of(role)
        return part.options.index(part.fallback) if part.options else 0.0

    def part_of(self, role: str) -> Part:
        """What is asked of a role."""
        return next(part for part in self.parts if part.role == role)

    def key(self, seats: int) -> Number:
        """The number of about 0 to 1 by which the theory of the game goes; 0 where there is none."""
        return 0.0

    @abstractmethod
    def form(self, seats: int, moves: Sequence[Any]) -> Form:
        """What the game looks like after these moves."""

    @abstractmethod
    def tell(self, move: Any) -> Telling:
        """What a move means."""


def ask(
    rules: PlayedRules,
    table: Table,
    seat: Seat,
    role: str,
    facts: Any,
    answer: Spec | tuple[str, str],
    *,
    turn: int | None = None,
) -> Question:
    """The question to a seat for a number, or for one of two options. Which option is shown first and which is called A
    is drawn for every question, independently of each other, so that neither place nor letter stands for a meaning."""
    part = rules.part_of(role)
    turn = part.turn if turn is None else turn
    if not isinstance(answer, tuple):
        view = PlayedView(rules.task, role, seat.index, facts, rules=rules)
        return table.ask(seat, role, turn, answer, view, fallback=answer.validate(rules.fallback(role)))
    options = answer[::-1] if table.chance.uniform(ORDER, turn, seat.index) < 0.5 else answer
    labels = ("A", "B") if table.chance.uniform(LABELS, turn, seat.index) < 0.5 else ("B", "A")
    view = PlayedView(rules.task, role, seat.index, facts, options, labels, rules)
    return table.ask(seat, role, turn, Choice(answer), view, fallback=part.fallback)


def paid_out(payoff: Number) -> Number:
    """A payoff as it is paid; nothing is 0, and never -0."""
    return decimals(payoff, _DECIMALS) + 0.0


def end(table: Table, payoffs: Sequence[float]) -> None:
    """Pay out and end the game."""
    paid = [paid_out(payoff) for payoff in payoffs]
    best = max(paid)
    table.record(GameEnded(payoffs=paid, winners=[seat for seat, payoff in enumerate(paid) if payoff == best]))


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat was paid."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.payoffs]


def payoffs(rules: PlayedRules, events: Sequence[Event]) -> Figures:
    """The payoffs in the final table, under their own name in JSON."""
    return Figures([Figure("payoff", "", finals(events))])


def all_choose(title: str, choices: Sequence[Any], words: Callable[[int, Any], str], *more: Sentence) -> Telling:
    """A move of everybody at once: the words for each, by seat and choice."""
    spoken = [sentence(seat, words(seat, choice)) for seat, choice in enumerate(choices)]
    chosen = tuple(Choose(seat=seat, value=choice) for seat, choice in enumerate(choices))
    return Telling(title=sentence(title), text=(*spoken, *more), effects=chosen)


def exact(amount: float) -> str:
    """A number as it stands in a transcript."""
    return f"{amount:.10g}"


class PlayedTeller(Teller):
    """Folds the events of a played game: every move in words, the form as it stands then, and the payoffs."""

    def __init__(self, rules: PlayedRules, seats: int) -> None:
        self._rules = rules
        self._seats = seats
        self._moves: list[Event] = []

    def opening(self) -> Telling:
        """The form before the first move."""
        return Telling(form=self._form())

    def tell(self, event: Event) -> Telling:
        """What an event means."""
        if isinstance(event, GameEnded):
            payoffs = Set(values={"payoff": tuple(event.payoffs)})
            title, text = sentence("the end: payoffs"), (self._ended(event.winners),)
            return Telling(phase="end", title=title, text=text, effects=(payoffs,), form=self._form())
        if not isinstance(event, self._rules.moves):
            raise TypeError(f"not an event of {title_of(self._rules.task)}: {event!r}")
        self._moves.append(event)
        return self._rules.tell(event).model_copy(update={"form": self._form()})

    def rows(self, event: Event) -> list[tuple[int, str]]:
        """The payoffs."""
        payoffs = event.payoffs if isinstance(event, GameEnded) else []
        return [(seat, exact(payoff)) for seat, payoff in enumerate(payoffs)]

    def _ended(self, winners: list[int]) -> Sentence:
        """Who gets most, in a sentence."""
        if len(winners) == self._seats > 1:
            return sentence("the game ends; all get the same")
        who = listed(winners) if len(winners) <= _MOST_NAMED else [f"{len(winners)} seats"]
        return sentence("the game ends; ", *who, f" {'get' if len(winners) > 1 else 'gets'} most")

    def _form(self) -> Form:
        return self._rules.form(self._seats, self._moves)


def _scene(rules: PlayedRules, seats: int) -> Scene:
    payoff = {"payoff": Quantity(title="Payoff")}
    return Scene(layout="question", title=title_of(rules.task), pace=2, opens="end", final="payoff", quantities=payoff)


PRESENTATION = Presentation(_scene, PlayedTeller)
"""A form, and in the end the payoffs."""


def played_game(
    rules: type[PlayedRules],
    summary: str,
    play: Callable[[Any, Table], Play],
    *,
    seats: Seats = _TWO,
    symmetric: bool = False,
    title: str = "",
) -> Game:
    """The game that a task is, played. Its array form has the task's name, in capitals."""
    events = EventRegistry()
    events.register(GameEnded)
    for move in rules.moves:
        events.register(move)
    fields = {name: field.partition(".") for name, field in {**rules.series, "payoffs": "game_ended.payoffs"}.items()}

    def arrays(events: Sequence[Event]) -> dict[str, list[Any]]:
        return {
            name: [getattr(event, field) for event in events if event.tag == tag]
            for name, (tag, _, field) in fields.items()
        }

    return Game(
        name=rules.task,
        title=title or title_of(rules.task),
        summary=summary,
        seats=seats,
        rules=rules,
        play=play,
        events=events,
        series=arrays,
        scene="ostrom.games.battery.played:PRESENTATION",
        view=PlayedView,
        unit="dollars",
        finals=finals,
        symmetric=symmetric,
        roles=not symmetric,
        players="ostrom.games.battery.subjects:SUBJECTS",
        charts="ostrom.games.battery.charts:PLAYED_CHARTS",
        samples="ostrom.games.battery.commands.samples:item_samples",
        briefing="ostrom.games.battery.briefing:task_briefing",
        standings="ostrom.games.battery.played:payoffs",
        step=f"ostrom.games.battery.step:{rules.task.upper()}",
    )
