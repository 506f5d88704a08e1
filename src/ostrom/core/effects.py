"""What an event means to whoever shows a game: sentences, and effects from a closed list. A game folds its events into
tellings, one an event; pages, films and terminals draw tellings and know no game.

Sentences are lists of spans: plain words of the game, seats, and quoted text of players. Nobody parses a span."""

from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from ostrom.core.forms import Form
from ostrom.core.seats import Seat


class Compact(BaseModel):
    """Plain data that leaves out what has its default, except a tag."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_serializer(mode="wrap")
    def _without_defaults(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        defaults = _defaults(type(self))
        content: dict[str, Any] = serialise(self)
        return {
            name: value
            for name, value in content.items()
            if name not in defaults or getattr(self, name) != defaults[name]
        }


@cache
def _defaults(model: type[Compact]) -> dict[str, Any]:
    """What each field is if nothing is said; a tag is always said."""
    return {
        name: field.get_default(call_default_factory=True)
        for name, field in model.model_fields.items()
        if not field.is_required() and name != "do"
    }


class SeatSpan(Compact):
    """A seat, to be drawn as whoever shows it names seats."""

    seat: int = Field(ge=0)


class Quote(Compact):
    """Text of a player within a sentence; shown as text, whatever it holds."""

    quote: str


Span: TypeAlias = str | SeatSpan | Quote
Sentence: TypeAlias = tuple[Span, ...]
Number: TypeAlias = int | Annotated[float, Field(allow_inf_nan=False)]
Tone: TypeAlias = Literal["plain", "good", "bad", "gold"]


def sentence(*parts: str | Seat | int | Quote) -> Sentence:
    """A sentence from words, seats (as `Seat` or by index) and quotes."""
    spans: list[Span] = []
    for part in parts:
        if isinstance(part, str) and spans and isinstance(spans[-1], str):
            spans[-1] += part
        elif isinstance(part, str):
            spans += [part] if part else []
        elif isinstance(part, Quote):
            spans.append(part)
        else:
            spans.append(SeatSpan(seat=part.index if isinstance(part, Seat) else part))
    return tuple(spans)


def listed(seats: "tuple[int, ...] | list[int]") -> list[str | int]:
    """Seats as parts of a sentence: P1; P1 and P2; P1, P2 and P3."""
    parts: list[str | int] = []
    for place, seat in enumerate(seats):
        parts += ([] if place == 0 else [" and "] if place == len(seats) - 1 else [", "]) + [seat]
    return parts


class Set(Compact):
    """Quantities are now these. A list has one entry a seat, `None` for a seat that has none; a number is the table's,
    or the seat's where a seat is named. What a quantity is, the scene declares."""

    do: Literal["set"] = "set"
    values: dict[str, Number | tuple[Number | None, ...] | None]
    seat: int | None = Field(None, ge=0)


class Transfer(Compact):
    """Something goes from one to another. A seat is named by its number; `table` is the middle, `each` is every seat,
    with a list of amounts. Transfers are drawn; what everybody holds afterwards is said by `set`."""

    do: Literal["transfer"] = "transfer"
    amount: Number | tuple[Number, ...]
    source: int | Literal["table", "each"]
    target: int | Literal["table", "each"]
    kind: str = ""
    """The flow of the scene that it belongs to, such as 'punishment'."""
    cost: Number = 0
    """What the source pays on top, which nobody gets."""
    arrives: Number | None = None
    """What the target gets, where it is not the amount."""


class Say(Compact):
    """A seat speaks; the empty text is silence."""

    do: Literal["say"] = "say"
    seat: int = Field(ge=0)
    text: str


class Choose(Compact):
    """A seat answers a question."""

    do: Literal["choose"] = "choose"
    seat: int = Field(ge=0)
    value: str | Number | None
    """An option by its meaning, or a number; `None` where there is no valid answer."""
    label: str = ""
    """Under which label the option was shown."""
    fault: str = ""
    """Why there is no valid answer."""


class Enter(Compact):
    """A seat joins the table. All seats are there from the beginning unless they enter later."""

    do: Literal["enter"] = "enter"
    seat: int = Field(ge=0)


class Leave(Compact):
    """A seat is out from the next turn on."""

    do: Literal["leave"] = "leave"
    seat: int = Field(ge=0)


class Mark(Compact):
    """A moment worth marking on the axis of time."""

    do: Literal["mark"] = "mark"
    tone: Tone = "plain"
    text: Sentence = ()
    """In words; where empty, the telling's title and first sentence."""


Effect: TypeAlias = Annotated[Set | Transfer | Say | Choose | Enter | Leave | Mark, Field(discriminator="do")]


class Middle(Compact):
    """What stands in the middle of the table at this moment, in place of the plain quantity."""

    title: str
    figure: str
    notes: tuple[str, ...] = ()


class Asked(Compact):
    """The question that a telling is about, in words."""

    role: str = ""
    about: str = ""
    purpose: str = ""
    asking: int = 1
    """Which asking of the same question it is."""
    facts: tuple[tuple[str, str], ...] = ()
    """Names and values, where no form draws them."""
    options: tuple[str, ...] = ()
    """In the order shown."""
    labels: tuple[str, ...] = ()
    """Under which label each of `options` was shown."""


class Point(Compact):
    """A place in a list of the scene: the answers to questions that differ in one number, or what a sequence came
    to."""

    list: str
    """Which of the scene's lists."""
    group: str = ""
    """Points of one group stand in one list together."""
    title: str = ""
    """What the group has in common, where the list has no title."""
    label: str
    at: Number
    """Orders the lines of the list; points at one place are one line."""
    option: str | None = None
    """What was chosen there."""
    amount: Number | None = None
    """What was named there."""
    low: Number = 0
    high: Number = 1
    """Between which bounds the amount could lie."""
    censored: bool = False
    """Whether the true value lies beyond `amount`."""


class Telling(Compact):
    """One event as it is shown."""

    turn: int = Field(0, ge=0)
    """The turn or round that it belongs to; 0 before the first."""
    phase: str = ""
    """Which phase of the scene; 'end' where the game is over."""
    title: Sentence = ()
    """The moment in a few words. A feed of news shows the tellings that have one."""
    text: tuple[Sentence, ...] = ()
    effects: tuple[Effect, ...] = ()
    joined: bool = False
    """Whether it belongs to the moment of the event before it, so that a replay does not stop between them."""
    lasts: Number = 1
    """How long a film stays, in moments."""
    middle: Middle | None = None
    asked: Asked | None = None
    form: Form | None = None
    """What a question looks like from now on."""
    point: Point | None = None

    @property
    def sets(self) -> "list[Set]":
        """Its effects that set quantities."""
        return [effect for effect in self.effects if isinstance(effect, Set)]
