"""One question of an audit. This module has its settings, the view of the seat, the event that records the answer, and
the play that asks the question.

An audit game has a single seat. The plan of the audit has played the audited game before, and supplies the answers that
were given before the question. The play of the audit repeats the audited game from these answers, with players at the
seats that the audit assigns. It stops at the question, and asks the single seat."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core import Event, EventRegistry
from ostrom.core.chance import GAMES as NUMBERS
from ostrom.core.chance import SEEDS, Chance, GameChance
from ostrom.core.effects import Telling, sentence
from ostrom.core.errors import IllegalAnswer, InputError
from ostrom.core.game import PriorAnswer
from ostrom.core.plugins import GAMES
from ostrom.core.questions import Answer, Provenance, Question, Seat, seats
from ostrom.core.scene import Scene
from ostrom.core.specs import Aimed, Amount, Choice, Fields, Optional, Spec, When
from ostrom.core.table import Driver, Play, Table
from ostrom.core.telling import simple


class AuditFraming(BaseModel):
    """The framing of the question. It does not change what is at stake."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    variant: str = "plain"
    """The wording of the prompt."""
    unit: str = "tokens"
    """The unit of amounts."""
    scale: int = Field(1, ge=1, le=1_000_000)
    """The factor by which amounts are multiplied in prompts."""
    labels: tuple[str, ...] | None = None
    """The name of each seat. The default is the game's own names."""
    order: tuple[int, ...] | None = None
    """The order in which seats are listed. The default is the order of their numbers."""
    options: tuple[str, ...] | None = None
    """For an item of the battery: the options in the order in which they are shown. The default is the task's own
    order."""
    called: tuple[str, ...] | None = None
    """The label of each option."""
    layout: Literal[1, 2] | None = Field(None, exclude_if=lambda layout: layout is None)
    """The order of the parts of the prompt. The default is the layout of the player."""


class AuditRules(BaseModel):
    """One question and one framing. The numbers of seats are those of the situation. In the framing, they are those of
    the audit."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    game: str = "contribute_punish"
    """The game from which the question comes, by its name in records."""
    rules: dict[str, Any] = Field(default_factory=lambda: {"messages": False})
    """The settings of that game."""
    seats: int = Field(4, ge=1)
    """Number of seats at that game's table."""
    seed: int = Field(0, ge=0, lt=SEEDS)
    """The seed of the game from which the question comes."""
    number: int = Field(0, ge=0, lt=NUMBERS)
    """The number of that game among the games with this seed."""
    answers: tuple[PriorAnswer, ...] = ()
    """All answers before the question."""
    turn: int = Field(1, ge=1)
    """The turn of the question."""
    phase: str = "contribution"
    """The phase of the question."""
    seat: int = Field(0, ge=0)
    """The seat that is asked."""
    choices: tuple[str, ...] = ()
    """The options of an item of the battery, in an order that does not depend on the framing. Choosing the first option
    counts as 1, and choosing another as 0. There are none for questions that ask for a number, and for questions of
    other games."""
    places: tuple[int, ...] | None = None
    """The seats of players in the audit. The player at seat i of the situation sits at seat places[i]."""
    framing: AuditFraming = AuditFraming()
    """The framing of the question."""
    situation: int = Field(0, ge=0)
    """The number of the situation within the audit. Questions of one situation differ only in their framing."""
    cell: int = Field(0, ge=0)
    """The number of this framing within the situation."""
    repeat: int = Field(0, ge=0)
    """The number of times that the same question was asked before."""
    levels: dict[str, str] = Field(default_factory=dict)
    """The level of each factor."""

    @model_validator(mode="after")
    def _is_valid(self) -> Self:
        if self.game not in GAMES or self.game == "audit":
            games = ", ".join(name for name in GAMES if name != "audit")
            raise ValueError(f"an audit asks a question of one of the games {games}")
        GAMES[self.game].rules(**self.rules)
        if self.seat >= self.seats:
            raise ValueError(f"the seat that is asked must be from 0 to {self.seats - 1}")
        for name, order in (("places", self.places), ("order", self.framing.order)):
            if order is not None and sorted(order) != list(range(self.seats)):
                raise ValueError(f"{name} must contain every number from 0 to {self.seats - 1} once")
        options, labels_shown = self.framing.options, self.framing.called
        if options is not None and sorted(options) != sorted(self.choices):
            raise ValueError("the options shown must be the choices, each once")
        if (options is None) != (labels_shown is None) or len(set(labels_shown or ())) != len(options or ()):
            raise ValueError("there must be a different label for each option shown, and none if no options are shown")
        labels = self.framing.labels
        if labels is not None and (len(labels) != self.seats or len(set(labels)) < len(labels)):
            raise ValueError(f"labels must be {self.seats} different names, one for each seat")
        return self

    @property
    def seating(self) -> tuple[int, ...]:
        """For each seat of the situation, the seat of the same player in the audit."""
        return self.places or tuple(range(self.seats))

    @property
    def asked(self) -> int:
        """The seat that is asked, by its number in the audit."""
        return self.seating[self.seat]


EVENTS = EventRegistry()


@EVENTS.register
class Decided(Event, tag="decided"):
    """The question was answered."""

    game: str
    turn: int
    phase: str
    label: str
    """The name of the seat that was asked."""
    aspects: dict[str, float]
    """Every part of the decision as a number from 0 to 1. The main part is first."""
    raw: Any
    """The answer in the game's own terms. Seats have the numbers of the audit."""
    levels: dict[str, str]
    """The framing of the question: the level of each factor."""


@dataclass(frozen=True)
class AuditView:
    """A question with its framing."""

    game: str
    """The game from which the question comes, by its name in records."""
    question: Question
    framing: AuditFraming

    @property
    def label(self) -> str:
        """The name of the seat that is asked."""
        labels = self.framing.labels
        return str(self.question.seat) if labels is None else labels[self.question.seat.index]

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        inner = self.question.view
        return {
            "game": self.game,
            "turn": self.question.turn,
            "phase": self.question.phase,
            "seat": self.question.seat.index,
            "view": inner.as_record() if hasattr(inner, "as_record") else None,
            "framing": self.framing.model_dump(mode="json"),
        }


def tell(event: Event) -> Telling:
    """Describe a question with its framing, and the answer to it."""
    if not isinstance(event, Decided):
        raise TypeError(f"not an event of an audit: {event!r}")
    question = sentence(f"{event.game}, turn {event.turn}: ", 0, f" is asked for its {event.phase} as {event.label}")
    levels = [sentence(f"  {factor}: {level}") for factor, level in event.levels.items()]
    parts = [f"{name} {value:.0%} of the way" for name, value in event.aspects.items()]
    answer = "  gives no valid answer"
    if event.raw is not None:
        answer = f"  answers {_format_answer(event.raw)}" + (f": {', '.join(parts)}" if parts else "")
    return Telling(text=(question, *levels, sentence(answer)))


PRESENTATION = simple(Scene(layout="question", title="Audit", opens="end"), tell)


def _format_answer(raw: Any) -> str:
    if not isinstance(raw, dict):
        return str(raw)
    return ", ".join(f"{name} {'no player' if part is None else part}" for name, part in raw.items())


SEAT_FIELDS = ("target", "vote")
"""The fields of answers that name a seat."""


@dataclass(frozen=True, slots=True)
class MovedChance:
    """The random draws of a game whose players have changed seats. A draw for a player, such as a private value or a
    place in an order, stays with the player at the new seat."""

    chance: Chance
    seating: tuple[int, ...]
    """The new seat of each seat."""

    def uniform(self, purpose: str, turn: int, seat: int | None = None, draw: int = 0) -> float:
        """Return the draw that the player at this seat would have had at its original seat. Draws without a seat, for
        example for the end of the game, are unchanged."""
        if seat is None:
            return self.chance.uniform(purpose, turn, 0, draw)
        moved = original_seats(self.seating)[seat] if seat < len(self.seating) else seat
        return self.chance.uniform(purpose, turn, moved, draw)

    def order(self, seats: Iterable[Seat], purpose: str, turn: int) -> list[Seat]:
        """Return the players in their original order, by their new seats."""
        present = set(seats)
        before = [Seat(index) for index, now in enumerate(self.seating) if Seat(now) in present]
        return [Seat(self.seating[seat.index]) for seat in self.chance.order(before, purpose, turn)]


def move_seats(value: Any, seating: Sequence[int]) -> Any:
    """Return an answer in which every seat is replaced by the new seat of the same player."""
    if not isinstance(value, Mapping):
        return value
    return {
        name: seating[part] if name in SEAT_FIELDS and isinstance(part, int) else part for name, part in value.items()
    }


def original_seats(seating: Sequence[int]) -> tuple[int, ...]:
    """Return the original seat of the player at each seat."""
    return tuple(sorted(range(len(seating)), key=lambda index: seating[index]))


def aspects(phase: str, spec: Spec, value: Any, seating: Sequence[int]) -> dict[str, float]:
    """Return every part of a decision as a number from 0 to 1, the main part first. The number of an amount is its
    position between the bounds, and the number of a choice is its position among the options. The number of a named
    seat is its position among the other seats in their original order, so that the same player has the same number in
    every seat. Parts without a position, such as naming no player or passing, and missing answers are omitted."""
    if value is None:
        return {}
    match spec:
        case Optional() | When():
            return aspects(phase, spec.of, value, seating)
        case Amount():
            return {} if spec.high <= spec.low else {phase: (float(value) - spec.low) / (spec.high - spec.low)}
        case Aimed():
            most = {} if spec.most < 1 else {"spend": value["spend"] / spec.most}
            return most | _seat_named("target", value["target"], spec.others, seating)
        case Fields():
            parts: dict[str, float] = {}
            for name, part in spec.specs.items():
                if name in SEAT_FIELDS and isinstance(part, Choice):
                    others = [option for option in part.options if isinstance(option, int)]
                    parts |= _seat_named(name, value[name], others, seating)
                else:
                    parts |= aspects(name, part, value[name], seating)
            return parts
        case Choice():
            options = [option for option in spec.options if option is not None]
            return {phase: options.index(value) / (len(options) - 1)} if value in options and len(options) > 1 else {}
        case _:
            return {}


def first_choice(choices: Sequence[str], value: Any) -> dict[str, float]:
    """Return 1 if the answer is the first of `choices`, and otherwise 0. The order and the labels of the options on
    display do not matter."""
    return {f"choice of {choices[0]}": float(value == choices[0])} if value in choices else {}


def _seat_named(name: str, seat: int | None, others: Sequence[int], seating: Sequence[int]) -> dict[str, float]:
    if seat is None or len(others) < 2:
        return {}
    before = original_seats(seating)
    ranked = sorted(before[other] for other in others)
    return {name: ranked.index(before[seat]) / (len(ranked) - 1)}


def as_plain(value: Any) -> Any:
    """Return an answer as plain data."""
    return {name: as_plain(part) for name, part in value.items()} if isinstance(value, Mapping) else value


def play(rules: AuditRules, table: Table) -> Play:
    """Ask the question, and record the answer."""
    question = show_framed(reach(rules), rules)
    view = AuditView(rules.game, question, rules.framing)
    (answer,) = yield [
        table.ask(table.seats[0], question.phase, question.turn, question.spec, view=view, fallback=question.fallback)
    ]
    if rules.choices:
        parts = first_choice(rules.choices, answer.value)
    else:
        parts = aspects(question.phase, question.spec, answer.value, rules.seating)
    table.record(
        Decided(
            game=rules.game,
            turn=question.turn,
            phase=question.phase,
            label=view.label,
            aspects=parts,
            raw=as_plain(answer.value),
            levels=rules.levels,
        )
    )


def reach(rules: AuditRules) -> Question:
    """Play the audited game with the stored answers up to the question, and return the question. Raise `InputError` if
    the game never asks it."""
    game = GAMES[rules.game]
    original = GameChance(rules.seed, rules.number)
    # A framing of an item of the battery moves no player. In this case the original draws are used, since items also
    # draw the order of things other than seats.
    chance = original if rules.seating == tuple(range(rules.seats)) else MovedChance(original, rules.seating)
    driver = Driver(game.play(game.rules(**rules.rules), Table(seats(rules.seats), chance)))
    recorded_answers = {(step.turn, step.phase, step.seat): step.value for step in rules.answers}
    key_of_question, before = (rules.turn, rules.phase, rules.asked), original_seats(rules.seating)

    def recorded(question: Question) -> Answer:
        key = (question.turn, question.phase, before[question.seat.index])
        if key not in recorded_answers:
            raise _unreachable(rules, f"has no answer by seat {key[2]} to {key[1]} in turn {key[0]}")
        try:
            value = question.spec.validate(move_seats(recorded_answers[key], rules.seating))
        except IllegalAnswer as reason:
            raise _unreachable(rules, f"has an illegal answer: {reason}") from None
        return Answer(value, Provenance.REPLAYED)

    while driver.step is not None:
        for question in driver.step:
            if question.key == key_of_question:
                return question
        driver.advance([recorded(question) for question in driver.step])
    raise _unreachable(rules, "ends before that")


def show_framed(question: Question, rules: AuditRules) -> Question:
    """Return the question with its options in the order of the framing, and with the framing's labels."""
    framing = rules.framing
    if framing.options is None or framing.called is None:
        return question
    if set(framing.options) != set(question.view.options):
        raise _unreachable(rules, f"asks for one of {', '.join(question.view.options) or 'many numbers'}")
    item = replace(question.view, options=framing.options, labels=framing.called)
    return replace(question, spec=Choice(framing.options), view=item)


def _unreachable(rules: AuditRules, why: str) -> InputError:
    question = f"the question for {rules.phase} in turn {rules.turn}"
    return InputError(f"the audit cannot reach {question}: the situation {why}")
