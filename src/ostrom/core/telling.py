"""The presentation of a game: a scene, which declares what is shown, and a teller, which converts events to tellings. A
telling describes one event for readers. This module also has the default presentation, tellings as lines of a terminal,
and checks of tellings."""

import math
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from typing_extensions import override

from ostrom.core.effects import Choose, Enter, Leave, Number, Quote, Say, SeatSpan, Sentence, Set, Telling, Transfer
from ostrom.core.effects import sentence as sentence_of
from ostrom.core.events import Event, HiddenEvent
from ostrom.core.game import Game
from ostrom.core.scene import Quantity, Scene

Values: TypeAlias = Number | tuple[Number | None, ...] | None

_MESSAGE_WIDTH = 80
_WIDTH = 100
_TOLERANCE = 1e-9

Rows: TypeAlias = Sequence[tuple[int, str]]


class Teller(ABC):
    """Converts the events of one game to tellings. It receives every event once, in order."""

    def opening(self) -> Telling:
        """Return the telling of the state before the first event."""
        return Telling()

    @abstractmethod
    def tell(self, event: Event) -> Telling:
        """Return the telling of the next event."""

    def rows(self, event: Event) -> Rows:
        """Return (seat, text) lines that a terminal shows below the event's line. Pages draw the effects instead."""
        return ()


@dataclass(frozen=True, slots=True)
class Presentation:
    """The presentation of a game: a function that returns the scene and a function that returns a teller. Both depend
    on the rules and the number of seats."""

    scene: Callable[[Any, int], Scene]
    teller: Callable[[Any, int], Teller]


@dataclass(frozen=True, slots=True)
class Story:
    """The tellings of a game: one for the opening, then one for each event."""

    scene: Scene
    opening: Telling
    tellings: tuple[Telling, ...]


class SimpleTeller(Teller):
    """A teller that converts each event separately, without memory of earlier ones."""

    def __init__(self, tell: Callable[[Event], Telling]) -> None:
        self._tell = tell

    @override
    def tell(self, event: Event) -> Telling:
        return self._tell(event)


def simple(scene: Scene, tell: Callable[[Event], Telling]) -> Presentation:
    """Return a presentation with a constant scene, in which `tell` converts each event to its telling."""
    return Presentation(lambda rules, seats: scene, lambda rules, seats: SimpleTeller(tell))


def presentation_of(game: Game) -> Presentation:
    """Return the presentation that a game declares, or a default from the names and fields of its events."""
    presentation: Presentation | None = game.part("scene")
    if presentation is not None:
        return presentation
    final = {} if game.finals is None else {"final": Quantity(title="Final", unit=game.unit)}
    scene = Scene(
        layout="question",
        title=game.title,
        clock=game.clock,
        pace=2,
        opens="end",
        final="final" if final else None,
        better=game.better,
        quantities=final,
    )
    return Presentation(lambda rules, seats: scene, lambda rules, seats: PlainTeller(game))


def finals_of(game: Game, events: Sequence[Event]) -> list[float | None] | None:
    """Return the final result of each seat; None if the game has no finals, or is not over."""
    if game.finals is None or not events:
        return None
    try:
        return list(game.finals(events))
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError):  # The game is not over yet.
        return None


def tell(teller: Teller, event: Event) -> Telling:
    """Return the telling of the next event; a hidden event has an empty one."""
    return Telling() if isinstance(event, HiddenEvent) else teller.tell(event)


def transcript_lines(
    game: Game, rules: Any, events: Iterable[Event], names: Sequence[str], *, opening: bool = False
) -> Iterator[list[str]]:
    """Yield the terminal lines of each event, with the name of each seat from `names`. With `opening`, the lines of the
    opening come first. The number of a turn is a separate line before the lines of its first event, unless these lines
    already include the number."""
    presentation = presentation_of(game)
    scene, teller = presentation.scene(rules, len(names)), presentation.teller(rules, len(names))
    start = teller.opening()
    if opening and start.text:
        yield [line for part in start.text for line in textwrap.wrap(render(part, names), _WIDTH)]
    numbered = 0
    for event in events:
        if isinstance(event, HiddenEvent):
            continue
        telling, rows = teller.tell(event), teller.rows(event)
        lines = transcript(scene, telling, names, rows)
        plain = scene.layout != "question" and not rows and not any(isinstance(part, Say) for part in telling.effects)
        if plain and lines and scene.clock and telling.phase != "end" and telling.turn > numbered:
            lines = [f"{scene.clock} {telling.turn}", *lines]
        numbered = max(numbered, telling.turn)
        yield lines


def story_of(presentation: Presentation, rules: Any, seats: int, events: Iterable[Event]) -> Story:
    """Return the tellings of a game's events as a story."""
    teller = presentation.teller(rules, seats)
    opening = teller.opening()
    return Story(presentation.scene(rules, seats), opening, tuple(tell(teller, event) for event in events))


@dataclass
class BoardState:
    """The values of all quantities after some tellings."""

    seats: int
    of_table: dict[str, float | None] = field(default_factory=dict)
    of_seats: dict[str, list[float | None]] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)

    def apply(self, telling: Telling) -> None:
        """Apply the changes of a telling."""
        for effect in telling.effects:
            match effect:
                case Set():
                    self.set(effect)
                case Leave():
                    self.out.add(effect.seat)
                case Enter():
                    self.out.discard(effect.seat)
                case _:
                    pass

    def set(self, effect: Set) -> None:
        """Apply one effect."""
        for name, value in effect.values.items():
            if isinstance(value, tuple):
                self.of_seats[name] = list(value)
            elif effect.seat is not None:
                self.of_seats.setdefault(name, [None] * self.seats)[effect.seat] = value
            else:
                self.of_table[name] = value


def render(sentence: Sentence, names: Sequence[str]) -> str:
    """Return a sentence as text, with the name of each seat."""
    parts = []
    for span in sentence:
        match span:
            case SeatSpan():
                parts.append(names[span.seat])
            case Quote():
                parts.append(f"“{' '.join(span.quote.split())}”")
            case _:
                parts.append(span)
    return "".join(parts)


def transcript(scene: Scene, telling: Telling, names: Sequence[str], rows: Rows = ()) -> list[str]:
    """Return a telling as lines for a terminal."""
    lines = [line for effect in telling.effects if isinstance(effect, Say) for line in _message_lines(effect, names)]
    title, text = render(telling.title, names), [render(part, names) for part in telling.text]
    counted = bool(scene.clock) and telling.phase != "end"
    if rows:
        head = title or (text[0] if text else "")
        return [*lines, f"{scene.clock} {telling.turn}: {head}" if counted else head, *_by_seat(rows, names)]
    if title and len(text) < 2:
        text = [f"{title}: {text[0]}" if text else title]
    if counted and scene.layout == "question":
        return [*lines, *(line for part in text for line in _numbered(telling, part))]
    indent = "  " if counted else ""
    for part in text:
        lines += (
            textwrap.wrap(part, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ", drop_whitespace=True)
            if len(indent + part) > _WIDTH
            else [indent + part]
        )
    return lines


def sentences(telling: Telling, names: Sequence[str]) -> list[str]:
    """Return a telling in sentences. The sentences leave out the values of seats, which are in the effects."""
    messages = [_message(effect, names) for effect in telling.effects if isinstance(effect, Say)]
    title, text = render(telling.title, names), [render(part, names) for part in telling.text]
    if title and text:
        # A title that ends with a colon introduces numbers.
        return [*messages, text[0] if ": " in title else f"{title}: {text[0]}", *text[1:]]
    numbers = any(isinstance(effect, Set) for effect in telling.effects)
    return [*messages, title] if title and not numbers else [*messages, *text]


def _message(effect: Say, names: Sequence[str]) -> str:
    quoted = f"“{' '.join(effect.text.split())}”" if effect.text.strip() else "(says nothing)"
    return f"{names[effect.seat]}: {quoted}"


def _message_lines(effect: Say, names: Sequence[str]) -> list[str]:
    return textwrap.wrap(_message(effect, names), _MESSAGE_WIDTH, initial_indent="  ", subsequent_indent="    ")


def _by_seat(rows: Rows, names: Sequence[str]) -> list[str]:
    width = max(len(name) for name in names)
    return [f"  {names[seat]:<{width}}  {text}" for seat, text in rows]


def _numbered(telling: Telling, text: str) -> list[str]:
    if telling.joined:
        return textwrap.wrap(text, _WIDTH, subsequent_indent="  ")
    return textwrap.wrap(f"{telling.turn:>4}. {text}", _WIDTH, subsequent_indent="      ")


def faults(story: Story, seats: int, finals: Sequence[float | None] | None) -> Iterator[str]:
    """Yield the faults of the tellings of a finished game. Faults are unknown seats, undeclared quantities, transfers
    that do not add up, and last values that differ from the finals."""
    board = BoardState(seats)
    if story.scene.roles and len(story.scene.roles) != seats:
        yield f"the scene has {len(story.scene.roles)} roles for {seats} seats"
    for seat in () if story.scene.prices is None else story.scene.prices.right:
        if not 0 <= seat < seats:
            yield f"the prices name seat {seat}, but there are {seats} seats"
    for place, telling in enumerate((story.opening, *story.tellings)):
        event = "the opening" if place == 0 else f"event {place}"
        undeclared = list(misfits(story.scene, telling, seats))
        yield from (f"{event}: {fault}" for fault in undeclared)
        if undeclared:
            continue
        before = {name: list(values) for name, values in board.of_seats.items()}
        board.apply(telling)
        for fault in _unexplained(story.scene, telling, before, board):
            yield f"{event}: {fault}"
    if story.scene.final is not None and finals is not None:
        last = board.of_seats.get(story.scene.final, [None] * seats)
        for seat, (now, final) in enumerate(zip(last, finals, strict=True)):
            if not alike(now, final):
                yield f"seat {seat} ends with {story.scene.final} {now} by its effects, and with {final} by the game"


def misfits(scene: Scene, telling: Telling, seats: int) -> Iterator[str]:
    """Yield the invalid references of a telling: to unknown seats, and to quantities, flows, lists and phases that the
    scene does not declare."""
    for seat in _seats_named(telling):
        if not 0 <= seat < seats:
            yield f"it names seat {seat}, but there are {seats} seats"
    for effect in telling.effects:
        if isinstance(effect, Set):
            for name, value in effect.values.items():
                yield from _misfit(scene, name, value, effect.seat, seats)
        elif isinstance(effect, Transfer):
            if effect.kind and effect.kind not in scene.flows:
                yield f"a transfer is of the kind {effect.kind!r}, which the scene does not declare"
            has_each = "each" in (effect.source, effect.target)
            if has_each != isinstance(effect.amount, tuple) or (
                isinstance(effect.amount, tuple) and len(effect.amount) != seats
            ):
                yield "a transfer with each seat needs an amount for each seat"
    if telling.point is not None and telling.point.list not in scene.lists:
        yield f"a point is of the list {telling.point.list!r}, which the scene does not declare"
    if telling.phase not in ("", "end", *(phase.name for phase in scene.phases)):
        yield f"the phase {telling.phase!r} is not declared by the scene"


def _misfit(scene: Scene, name: str, value: Values, seat: int | None, seats: int) -> Iterator[str]:
    quantity = scene.quantities.get(name)
    if quantity is None:
        yield f"it sets {name!r}, which the scene does not declare"
    elif isinstance(value, tuple) and (quantity.of == "table" or seat is not None):
        yield f"it sets {name!r} by a list"
    elif isinstance(value, tuple) and len(value) != seats:
        yield f"it sets {name!r} by a list of {len(value)} entries for {seats} seats"
    elif not isinstance(value, tuple) and (quantity.of == "table") != (seat is None):
        yield f"it sets {name!r} of {'the table' if seat is None else 'a seat'}"


def _seats_named(telling: Telling) -> Iterator[int]:
    for part in (telling.title, *telling.text):
        yield from (span.seat for span in part if isinstance(span, SeatSpan))
    for effect in telling.effects:
        match effect:
            case Say() | Choose() | Enter() | Leave():
                yield effect.seat
            case Set() if effect.seat is not None:
                yield effect.seat
            case Transfer():
                yield from (party for party in (effect.source, effect.target) if isinstance(party, int))
            case _:
                pass


def _unexplained(
    scene: Scene, telling: Telling, before: dict[str, list[float | None]], board: BoardState
) -> Iterator[str]:
    """Yield the changes of quantities that differ from the sum of their transfers."""
    for name in {flow.of for flow in scene.flows.values() if flow.of}:
        if scene.quantities[name].of != "seat" or name not in before:
            continue
        expected = list(before[name])
        for effect in telling.effects:
            if isinstance(effect, Transfer) and effect.kind and scene.flows[effect.kind].of == name:
                for seat, change in _changes(effect, scene.flows[effect.kind].takes, board.seats):
                    expected[seat] = (expected[seat] or 0.0) + change
        for seat, (due, now) in enumerate(zip(expected, board.of_seats[name], strict=True)):
            if not alike(due, now):
                yield f"seat {seat} holds {name} {now}; with what was transferred it should hold {due}"


def _changes(effect: Transfer, takes: bool, seats: int) -> Iterator[tuple[int, float]]:
    amounts = effect.amount if isinstance(effect.amount, tuple) else (effect.amount,) * seats
    for seat in range(seats):
        if effect.source in (seat, "each"):
            yield seat, -effect.cost - (0.0 if takes else amounts[seat])
        if effect.target in (seat, "each"):
            arrives = amounts[seat] if effect.arrives is None else effect.arrives
            yield seat, -amounts[seat] if takes else arrives


def alike(first: float | None, second: float | None) -> bool:
    """Return whether two values are equal up to rounding, or are both None."""
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


class PlainTeller(Teller):
    """A teller for the events of any game. It describes each event by its name and fields, and gives the final results
    at the end."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._events: list[Event] = []

    @override
    def tell(self, event: Event) -> Telling:
        self._events.append(event)
        fields = event.model_dump(mode="json")
        turn = fields.get("turn", fields.get("round", 0))
        finals = finals_of(self._game, self._events)
        effects = () if finals is None else (Set(values={"final": tuple(finals)}),)
        return Telling(
            turn=turn if isinstance(turn, int) and turn > 0 else 0,
            phase="" if finals is None else "end",
            text=(sentence_of(plain_words(event.tag, fields)),),
            effects=effects,
        )


def plain_words(tag: str, fields: dict[str, Any]) -> str:
    """Return an event in words: its name, then its fields with their values."""
    words = ", ".join(f"{name.replace('_', ' ')} {_value_words(value)}" for name, value in fields.items())
    title = tag.replace("_", " ").capitalize()
    return f"{title}: {words}" if words else title


def _value_words(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.10g}"
        case list():
            return f"({', '.join(_value_words(entry) for entry in value[:50])}{', …' if len(value) > 50 else ''})"
        case dict():
            return ", ".join(
                f"{name.replace('_', ' ')} {_value_words(entry)}" for name, entry in list(value.items())[:50]
            )
        case _:
            return " ".join(str(value)[:2000].split())
