"""Tellings. A telling describes one event for readers. It has sentences, and effects (such as a payment or a message)
from a fixed list. It may also have a form, which is a diagram of a single decision, for scenes with the layout
"question". The game converts each event to a telling; pages, films and terminals can draw the tellings of any game.

A sentence is a list of spans: words of the game, seats, and quoted texts of players. No span is interpreted as markup.
"""

from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from ostrom.core.events import Frozen
from ostrom.core.questions import Seat

Number: TypeAlias = int | Annotated[float, Field(allow_inf_nan=False)]
Pair: TypeAlias = tuple[Number, Number]


class FormParty(Frozen):
    """A party in a form: a seat, or a hypothetical person if `seat` is None."""

    seat: int | None = Field(None, ge=0)
    role: str


class ChoiceMade(Frozen):
    """The options with their displayed labels, and the option that was chosen."""

    options: tuple[str, ...]
    labels: tuple[str, ...]
    answer: str | None = None


class Split(Frozen):
    """A pot divided between two parties; in some games the second party must accept the division."""

    form: Literal["split"] = "split"
    parties: tuple[FormParty, FormParty]
    pot: Number
    offer: Number | None = None
    """The share of the second party."""
    consent: bool = False
    accepted: bool | None = None


class FlowForm(Frozen):
    """Money that one party sends, that is multiplied on its way, and of which the other party may send back a part."""

    form: Literal["flow"] = "flow"
    parties: tuple[FormParty, FormParty]
    endowment: Number
    multiplier: Number
    sent: Number | None = None
    received: Number | None = None
    returned: Number | None = None


class MatrixForm(Frozen):
    """Two parties that choose simultaneously; `payoffs[row][column]` has the payoffs of both."""

    form: Literal["matrix"] = "matrix"
    parties: tuple[FormParty, FormParty]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    payoffs: tuple[tuple[Pair, ...], ...]
    row: int | None = None
    column: int | None = None


class Tree(Frozen):
    """A tree in which the parties take or pass in turn. Each node has the payoffs of both parties if the game ends
    there by taking."""

    form: Literal["tree"] = "tree"
    parties: tuple[FormParty, FormParty]
    nodes: tuple[Pair, ...]
    end: Pair
    moves: tuple[Literal["take", "pass"], ...] = ()
    asked: int | None = None
    """The index, from 1, of the node that the question is about; at earlier nodes the parties have passed."""


class Pin(Frozen):
    """A number that a party chose."""

    party: FormParty
    value: Number | None = None
    best: bool = False


class LineMark(Frozen):
    """A marked value on a number line."""

    title: str
    value: Number
    main: bool = False


class NumberLine(Frozen):
    """Numbers on a line: a few as labelled pins, many as stacked dots."""

    form: Literal["line"] = "line"
    low: Number
    high: Number
    verb: str
    """The verb that is shown after the party's name: 'claims', 'names'."""
    pins: tuple[Pin, ...]
    rules: tuple[LineMark, ...] = ()
    verdict: str = ""
    """The outcome in words, if it is known, or a text that says that it is still open."""


class FundForm(Frozen):
    """A common fund: contributions, growth, and the equal share of each party."""

    form: Literal["fund"] = "fund"
    parties: tuple[FormParty, ...]
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
    """A choice between dated amounts, the earliest first."""

    form: Literal["dates"] = "dates"
    payments: tuple[Payment, ...]
    choice: ChoiceMade


class Lottery(Frozen):
    """One lottery: the probability of each outcome, or `None` for each if the probabilities are unknown."""

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
    """True if expected values are shown."""


class Gamble(Frozen):
    """A choice between a gamble and nothing. The gamble is an even chance of a gain or a loss; the loss is given as a
    positive amount."""

    form: Literal["gamble"] = "gamble"
    gain: Number
    loss: Number
    choice: ChoiceMade


class BudgetForm(Frozen):
    """An income spent on two goods; `bought` is the amount of the first."""

    form: Literal["budget"] = "budget"
    income: Number
    prices: Pair
    bought: Number | None = None


Form: TypeAlias = Annotated[
    Split | FlowForm | MatrixForm | Tree | NumberLine | FundForm | Dates | Lotteries | Gamble | BudgetForm,
    Field(discriminator="form"),
]


class Compact(Frozen):
    """Plain data that is recorded without fields that have their default values, except the tag `do`."""

    @model_serializer(mode="wrap")
    def _without_defaults(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        defaults = _defaults(type(self))
        content: dict[str, Any] = serialise(self)
        present = (name for name in content if name not in defaults or getattr(self, name) != defaults[name])
        return {name: content[name] for name in present}


@cache
def _defaults(model: type[Compact]) -> dict[str, Any]:
    return {
        name: field.get_default(call_default_factory=True)
        for name, field in model.model_fields.items()
        if not field.is_required() and name != "do"
    }


class SeatSpan(Compact):
    """A seat in a sentence, shown by its name."""

    seat: int = Field(ge=0)


class Quote(Compact):
    """Text of a player within a sentence; it is never interpreted as markup."""

    quote: str


Span: TypeAlias = str | SeatSpan | Quote
Sentence: TypeAlias = tuple[Span, ...]
Tone: TypeAlias = Literal["plain", "good", "bad", "gold"]


def sentence(*parts: str | Seat | int | Quote) -> Sentence:
    """Return a sentence of words, seats (as `Seat` or by index) and quotes."""
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
    """Return seats as parts of a sentence: P1; P1 and P2; P1, P2 and P3."""
    parts: list[str | int] = []
    for place, seat in enumerate(seats):
        parts += ([] if place == 0 else [" and "] if place == len(seats) - 1 else [", "]) + [seat]
    return parts


class Set(Compact):
    """New values of a quantity that the scene declares. A list has one entry per seat, `None` for a seat without a
    value. A single number is the value of `seat`, or of the table if `seat` is None."""

    do: Literal["set"] = "set"
    values: dict[str, Number | tuple[Number | None, ...] | None]
    seat: int | None = Field(None, ge=0)


class Transfer(Compact):
    """An amount that moves between two places. A place is a seat (by number), `table` (the middle), or `each` (every
    seat, with its own amount). A transfer is only drawn and changes no value; the effect `set` changes values."""

    do: Literal["transfer"] = "transfer"
    amount: Number | tuple[Number, ...]
    source: int | Literal["table", "each"]
    target: int | Literal["table", "each"]
    kind: str = ""
    """The name of a flow of the scene, such as 'punishment'."""
    cost: Number = 0
    """What the source pays in addition to the amount; no seat receives it."""
    arrives: Number | None = None
    """The amount that the target receives, if it differs from the amount sent."""


class Say(Compact):
    """A message from a seat; an empty text means that the seat was silent."""

    do: Literal["say"] = "say"
    seat: int = Field(ge=0)
    text: str


class Choose(Compact):
    """The answer of a seat to a question."""

    do: Literal["choose"] = "choose"
    seat: int = Field(ge=0)
    value: str | Number | None
    """The chosen option in the game's own term, or a number; `None` if there is no valid answer."""
    label: str = ""
    """The displayed label of the option."""
    fault: str = ""
    """The reason why there is no valid answer."""


class Enter(Compact):
    """A seat that joins the table; seats without this effect are present from the beginning."""

    do: Literal["enter"] = "enter"
    seat: int = Field(ge=0)


class Leave(Compact):
    """A seat that leaves the table from the next turn."""

    do: Literal["leave"] = "leave"
    seat: int = Field(ge=0)


class Mark(Compact):
    """A mark on the time axis."""

    do: Literal["mark"] = "mark"
    tone: Tone = "plain"
    text: Sentence = ()
    """The text of the mark; if empty, the telling's title and first sentence are shown."""
    kind: str = ""
    """The category of searchable marks, such as 'promise broken'."""


Effect: TypeAlias = Annotated[Set | Transfer | Say | Choose | Enter | Leave | Mark, Field(discriminator="do")]


class Middle(Compact):
    """The content of the middle of the table at this moment. It replaces the quantity that the scene shows there."""

    title: str
    figure: str
    notes: tuple[str, ...] = ()


class QuestionWords(Compact):
    """The question that a telling is about, in words."""

    role: str = ""
    about: str = ""
    purpose: str = ""
    asking: int = 1
    """The number of attempts at the question."""
    facts: tuple[tuple[str, str], ...] = ()
    """Facts about the question as pairs of name and value, if no form draws them."""
    options: tuple[str, ...] = ()
    """Options as pairs of name and value that readers need to understand the question; empty if a form draws them."""
    labels: tuple[str, ...] = ()
    """The answers to choose from, in the displayed order."""


class ListPoint(Compact):
    """An entry of one of the scene's lists. It is the answer to one of several questions that differ in one number, or
    the result of a sequence of questions."""

    list: str
    """The name of one of the scene's lists."""
    group: str = ""
    """The name of a group. The points of one group are drawn in one list."""
    title: str = ""
    """The title of the group, if the list has none."""
    label: str
    at: Number
    """The number by which the lines of the list are sorted; points with the same number share a line."""
    option: str | None = None
    """The chosen option, if the answer is an option."""
    amount: Number | None = None
    """The chosen amount, if the answer is an amount."""
    low: Number = 0
    high: Number = 1
    """The largest possible amount; `low` is the smallest."""
    censored: bool = False
    """True if `amount` is only a bound, beyond which the true value lies."""


class Telling(Compact):
    """The description of one event for readers."""

    turn: int = Field(0, ge=0)
    """The turn or round; 0 before the first."""
    phase: str = ""
    """The phase of the scene; 'end' after the game."""
    title: Sentence = ()
    """A short heading. A news feed shows only tellings that have a heading."""
    text: tuple[Sentence, ...] = ()
    effects: tuple[Effect, ...] = ()
    joined: bool = False
    """True if the event belongs to the same moment as the previous event. A replay does not stop between them."""
    lasts: Number = 1
    """The duration in a film, in moments."""
    middle: Middle | None = None
    asked: QuestionWords | None = None
    form: Form | None = None
    """The form of the question. It is shown from this moment on."""
    point: ListPoint | None = None

    @property
    def sets(self) -> "list[Set]":
        return [effect for effect in self.effects if isinstance(effect, Set)]
