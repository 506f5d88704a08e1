"""Played games: the tasks of the battery with two or more roles, played between seats for money. Seat 0 has the first
role. A seat sees the same facts as in a stated item, so a player that answers items can also play."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict
from typing_extensions import override

from ostrom.core import Amount, Choice, Event, EventRegistry, Play, Question, Seat, Spec, Table
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
PAYOFF_DECIMALS = 9
"""The number of decimals to which payoffs are rounded. Further decimals can only be rounding errors."""
MAX_NAMED_WINNERS = 12
TWO_SEATS = Seats(2, 2, usual=2)


class PlayedGameEnded(Event, tag="game_ended"):
    """The game ended, and its payoffs were paid."""

    payoffs: list[float]
    winners: list[int]
    """The seats with the highest payoff. Several seats are a tie."""


@dataclass(frozen=True, slots=True)
class PlayedView:
    """One seat's question. It does not name the game. Of other seats, it shows only what the rules reveal."""

    task: str
    role: str
    seat: int
    facts: Any
    """The numbers of the question. They have the same class as in the task's items."""
    options: tuple[str, ...] = ()
    """The options by their meaning, in the order in which they are shown. There are none if the question asks for a
    number."""
    labels: tuple[str, ...] = ()
    rules: Any = None

    def label_of(self, option: str) -> str:
        """Return the label of an option."""
        return self.labels[self.options.index(option)]

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        options = dict(zip(self.labels, self.options, strict=True))
        identity = {"task": self.task, "role": self.role, "seat": self.seat}
        return {**identity, "facts": asdict(self.facts), "options": options}


@dataclass(frozen=True, slots=True)
class PlayedRole:
    """A role and its question. Roles move one after the other. All seats of one role move at once."""

    role: str
    field: str
    """The name of the role's answer: 'offer', 'contribution', …"""
    seat: int | None = None
    """The seat of the role. If it is None, all seats have the role."""
    turn: int = 1
    options: tuple[str, ...] = ()
    """The two options, if the answer is a choice."""
    fallback: str = ""
    """The option that is recorded for a missing or illegal answer."""
    before: str = ""
    """The name of the fact that contains the move of the previous role. It is empty if the role sees no earlier
    move."""
    whole: bool = False


RoleQuestion: TypeAlias = tuple[Any, "Spec | tuple[str, str]"]
"""The facts that a seat knows, and the specification of a legal answer or the options."""


class PlayedRules(BaseModel):
    """The settings of a played game, with methods for its questions, payoffs and descriptions. Any setting that is a
    number may be an array, so that questions and payoffs can be computed for one game or for many at once."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task: ClassVar[str]
    moves: ClassVar[tuple[type[Event], ...]]
    """The classes of the game's events, except for the event of its end."""
    parts: ClassVar[tuple[PlayedRole, ...]]

    def __init_subclass__(cls, task: str, moves: tuple[type[Event], ...]) -> None:
        cls.task, cls.moves = task, moves

    @abstractmethod
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        """Return the question of a role at a table with this many seats. `before` is the move of the previous role."""

    @abstractmethod
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        """Return the payoff of each seat before rounding. For each role, `moves` has the answers of its seats, in the
        order of seats. A chosen option is represented by its position."""

    def event(self, role: str, answers: Sequence[Any]) -> Event:
        """Return the event that records the answers of a role's seats, in the order of the seats. Games that define
        their own `play` do not need this method."""
        raise NotImplementedError(f"{type(self).__name__} declares no event for the role {role}")

    def fallback(self, role: str) -> Number:
        """Return the answer that is recorded for a missing or illegal answer: the position of an option, or a
        number."""
        part = self.part_of(role)
        return part.options.index(part.fallback) if part.options else 0.0

    def part_of(self, role: str) -> PlayedRole:
        """Return the question of a role."""
        return next(part for part in self.parts if part.role == role)

    def key(self, seats: int) -> Number:
        """Return the main parameter of the game, scaled to about 0 to 1, as an input for learning agents. Return 0 if
        there is none."""
        return 0.0

    @abstractmethod
    def form(self, seats: int, moves: Sequence[Any]) -> Form:
        """Return the diagram of the game after these moves."""

    @abstractmethod
    def tell(self, move: Any) -> Telling:
        """Describe a move."""


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
    """Ask a seat for a number or for one of two options. For every question, the option that is shown first and the
    option labelled A are drawn independently, so that neither position nor letter has a meaning."""
    part = rules.part_of(role)
    turn = part.turn if turn is None else turn
    if not isinstance(answer, tuple):
        view = PlayedView(rules.task, role, seat.index, facts, rules=rules)
        return table.ask(seat, role, turn, answer, view, fallback=answer.validate(rules.fallback(role)))
    options = answer[::-1] if table.chance.uniform(ORDER, turn, seat.index) < 0.5 else answer
    labels = ("A", "B") if table.chance.uniform(LABELS, turn, seat.index) < 0.5 else ("B", "A")
    view = PlayedView(rules.task, role, seat.index, facts, options, labels, rules)
    return table.ask(seat, role, turn, Choice(answer), view, fallback=part.fallback)


def play(rules: PlayedRules, table: Table) -> Play:
    """Ask one role after the other, record each move, and pay. If a role depends on the previous role, it sees the move
    of that role. A role with nothing to divide is not asked."""
    moves: list[list[Any]] = []
    before = None
    for part in rules.parts:
        seats = table.seats if part.seat is None else (table.seats[part.seat],)
        questions = [rules.asks(part.role, len(table.seats), seat=seat.index, before=before) for seat in seats]
        spec = questions[0][1]
        if before is not None and isinstance(spec, Amount) and spec.high <= spec.low:
            values = [rules.fallback(part.role)]
        else:
            pairs = zip(seats, questions, strict=True)
            answers = yield [ask(rules, table, seat, part.role, *question) for seat, question in pairs]
            values = [answer.value for answer in answers]
        table.record(rules.event(part.role, values))
        row: list[Any] = [None] * len(table.seats)
        for seat, value in zip(seats, values, strict=True):
            row[seat.index] = part.options.index(value) if part.options else value
        moves.append(row)
        before = values[0]
    end(table, rules.paid(moves))


def round_payoff(payoff: Number) -> Number:
    """Return a rounded payoff. Zero is 0.0, never -0.0."""
    return decimals(payoff, PAYOFF_DECIMALS) + 0.0


def end(table: Table, payoffs: Sequence[float]) -> None:
    """Pay the payoffs, and end the game."""
    rounded = [round_payoff(payoff) for payoff in payoffs]
    best = max(rounded)
    table.record(
        PlayedGameEnded(payoffs=rounded, winners=[seat for seat, payoff in enumerate(rounded) if payoff == best])
    )


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the payoff of each seat."""
    end = events[-1]
    assert isinstance(end, PlayedGameEnded)
    return [*end.payoffs]


def payoffs(rules: PlayedRules, events: Sequence[Event]) -> Figures:
    """Return the payoffs for the final table."""
    return Figures([Figure("payoff", "", finals(events))])


def describe_choices(title: str, choices: Sequence[Any], words: Callable[[int, Any], str], *more: Sentence) -> Telling:
    """Describe a move of all seats at once. `words` is a function that describes the choice of a seat."""
    sentences = [sentence(seat, words(seat, choice)) for seat, choice in enumerate(choices)]
    choose = tuple(Choose(seat=seat, value=choice) for seat, choice in enumerate(choices))
    return Telling(title=sentence(title), text=(*sentences, *more), effects=choose)


def format_amount(amount: float) -> str:
    """Format a number for a transcript."""
    return f"{amount:.10g}"


class PlayedTeller(Teller):
    """Describes the events of a played game: every move, with the diagram of the game after it, and the payoffs."""

    def __init__(self, rules: PlayedRules, seats: int) -> None:
        self._rules = rules
        self._seats = seats
        self._moves: list[Event] = []

    @override
    def opening(self) -> Telling:
        return Telling(form=self._form())

    @override
    def tell(self, event: Event) -> Telling:
        if isinstance(event, PlayedGameEnded):
            return Telling(
                phase="end",
                title=sentence("the end: payoffs"),
                text=(self._winners(event.winners),),
                effects=(Set(values={"payoff": tuple(event.payoffs)}),),
                form=self._form(),
            )
        if not isinstance(event, self._rules.moves):
            raise TypeError(f"not an event of {title_of(self._rules.task)}: {event!r}")
        self._moves.append(event)
        return self._rules.tell(event).model_copy(update={"form": self._form()})

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        payoffs = event.payoffs if isinstance(event, PlayedGameEnded) else []
        return [(seat, format_amount(payoff)) for seat, payoff in enumerate(payoffs)]

    def _winners(self, winners: list[int]) -> Sentence:
        if len(winners) == self._seats > 1:
            return sentence("the game ends; all get the same")
        names = listed(winners) if len(winners) <= MAX_NAMED_WINNERS else [f"{len(winners)} seats"]
        return sentence("the game ends; ", *names, f" {'get' if len(winners) > 1 else 'gets'} most")

    def _form(self) -> Form:
        return self._rules.form(self._seats, self._moves)


def _scene(rules: PlayedRules, seats: int) -> Scene:
    payoff = {"payoff": Quantity(title="Payoff")}
    return Scene(layout="question", title=title_of(rules.task), pace=2, opens="end", final="payoff", quantities=payoff)


PRESENTATION = Presentation(_scene, PlayedTeller)
"""The presentation: the diagram of the game and, at the end, the payoffs."""


def played_game(
    rules: type[PlayedRules],
    summary: str,
    *,
    play: Callable[[Any, Table], Play] = play,
    seats: Seats = TWO_SEATS,
    roles: tuple[str, str] | None = None,
    title: str = "",
    measured: bool = False,
) -> Game:
    """Return the played game of a task. Without `roles`, its seats are symmetric. The form of the game for arrays is a
    constant in `step.py`: the task's name in capitals. A game that is `measured` has its measures under the same name
    in `played_measures.py`."""
    events = EventRegistry()
    events.register(PlayedGameEnded)
    for move in rules.moves:
        events.register(move)
    return Game(
        name=rules.task,
        title=title or title_of(rules.task),
        summary=summary,
        seats=seats,
        rules=rules,
        play=play,
        events=events,
        scene="ostrom.games.battery.played:PRESENTATION",
        view=PlayedView,
        unit="dollars",
        finals=finals,
        symmetric=roles is None,
        roles=None if roles is None else lambda seats: roles,
        aim="payoff",
        players="ostrom.games.battery.subjects:SUBJECTS",
        measures=f"ostrom.games.battery.played_measures:{rules.task.upper()}" if measured else None,
        charts="ostrom.games.battery.charts:PLAYED_CHARTS",
        samples="ostrom.games.battery.commands.plan:item_samples",
        briefing="ostrom.games.battery.briefing:task_briefing",
        standings="ostrom.games.battery.played:payoffs",
        step=f"ostrom.games.battery.step:{rules.task.upper()}",
    )
