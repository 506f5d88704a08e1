"""What an event means to whoever shows a game: sentences, effects from a closed list, and forms, which the question
layout draws. A game folds its events into tellings, one an event; pages, films and terminals draw tellings and know no
game.

Sentences are lists of spans: plain words of the game, seats, and quoted text of players. Nobody parses a span."""

from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from ostrom.core.events import Frozen
from ostrom.core.questions import Seat

Number: TypeAlias = int | Annotated[float, Field(allow_inf_nan=False)]
Pair: TypeAlias = tuple[Number, Number]


class Party(Frozen):
    """Somebody in a form: a seat, or, without one, somebody whom a subject is asked to think of."""

    seat: int | None = Field(None, ge=0)
    role: str


class ChoiceMade(Frozen):
    """Options as they were shown, by what they mean, with their labels, and the one that was chosen."""

    options: tuple[str, ...]
    labels: tuple[str, ...]
    answer: str | None = None


class Split(Frozen):
    """A pot divided between two; who divides it may need the other's consent."""

    form: Literal["split"] = "split"
    parties: tuple[Party, Party]
    pot: Number
    offer: Number | None = None
    """What the second one gets."""
    consent: bool = False
    accepted: bool | None = None


class Flow(Frozen):
    """Money sent, grown on its way, and sent back."""

    form: Literal["flow"] = "flow"
    parties: tuple[Party, Party]
    endowment: Number
    multiplier: Number
    sent: Number | None = None
    received: Number | None = None
    returned: Number | None = None


class Matrix(Frozen):
    """Two who choose at once; `payoffs[row][column]` are what the first and the second get."""

    form: Literal["matrix"] = "matrix"
    parties: tuple[Party, Party]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    payoffs: tuple[tuple[Pair, ...], ...]
    row: int | None = None
    column: int | None = None


class Tree(Frozen):
    """Take or pass, node by node; a node holds what the first and the second get if it is taken there."""

    form: Literal["tree"] = "tree"
    parties: tuple[Party, Party]
    nodes: tuple[Pair, ...]
    end: Pair
    moves: tuple[Literal["take", "pass"], ...] = ()
    asked: int | None = None
    """The only node that was asked, counted from 1; earlier ones count as passed."""


class Pin(Frozen):
    """A number that somebody named."""

    party: Party
    value: Number | None = None
    best: bool = False


class Rule(Frozen):
    """A value that is marked on a line."""

    title: str
    value: Number
    main: bool = False


class NumberLine(Frozen):
    """Numbers on a line: pins with flags where they are few, dots that stand on each other where they are many."""

    form: Literal["line"] = "line"
    low: Number
    high: Number
    verb: str
    """What a party does: 'claims', 'names'."""
    pins: tuple[Pin, ...]
    rules: tuple[Rule, ...] = ()
    verdict: str = ""
    """What comes of it, or will."""


class Fund(Frozen):
    """A common fund: what everyone pays in and keeps, how it grows, and what comes back to everyone alike."""

    form: Literal["fund"] = "fund"
    parties: tuple[Party, ...]
    players: int
    endowment: Number
    multiplier: Number
    contributions: tuple[Number, ...] | None = None
    fund: Number | None = None
    share: Number | None = None


class Payment(Frozen):
    """An amount on a day, counted from today."""

    option: str
    amount: Number
    days: Number


class Dates(Frozen):
    """Dated amounts to choose between, the earliest first."""

    form: Literal["dates"] = "dates"
    payments: tuple[Payment, ...]
    choice: ChoiceMade


class Lottery(Frozen):
    """One option: the chance of each outcome, `None` where nobody knows them."""

    option: str
    title: str
    chances: tuple[Number, ...] | None


class Lotteries(Frozen):
    """Lotteries and urns over the same outcomes, the worst outcome first."""

    form: Literal["lotteries"] = "lotteries"
    outcomes: tuple[Number, ...]
    lotteries: tuple[Lottery, ...]
    choice: ChoiceMade
    worth: bool = False
    """Whether expected values stand below."""


class Gamble(Frozen):
    """An even chance of a gain and of a loss (a positive amount), or nothing."""

    form: Literal["gamble"] = "gamble"
    gain: Number
    loss: Number
    choice: ChoiceMade


class Budget(Frozen):
    """An income spent on two goods; `bought` is the amount of the first."""

    form: Literal["budget"] = "budget"
    income: Number
    prices: Pair
    bought: Number | None = None


Form: TypeAlias = Annotated[
    Split | Flow | Matrix | Tree | NumberLine | Fund | Dates | Lotteries | Gamble | Budget, Field(discriminator="form")
]


class Compact(Frozen):
    """Plain data that leaves out what has its default, except a tag."""

    @model_serializer(mode="wrap")
    def _without_defaults(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        defaults = _defaults(type(self))
        content: dict[str, Any] = serialise(self)
        said = (name for name in content if name not in defaults or getattr(self, name) != defaults[name])
        return {name: content[name] for name in said}


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
    kind: str = ""
    """What such a moment is called, as in 'promise broken', where readers look for it: a key moment of the game."""


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
        return [effect for effect in self.effects if isinstance(effect, Set)]
