"""A scene declares how a game is presented: its layout, its quantities, and the place at which each quantity is shown.
Pages, the viewer and films can draw any game from its scene and its tellings, which describe the events."""

from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from ostrom.core.effects import Compact, Number, Tone

MAX_DIGITS: Final = 12
"""The largest number of decimals that are shown. More decimals are not informative, and a million of them would take
minutes to draw."""
MAX_SCENE_CHARACTERS: Final = 1_000
"""The largest length in characters of a title, unit or note, which are all short labels."""


class Quantity(Compact):
    """A number that effects can set. Either each seat has a value, or the table has a single value."""

    title: str
    of: Literal["seat", "table"] = "seat"
    unit: str = ""
    digits: int | None = Field(None, ge=0, le=MAX_DIGITS)
    """The number of decimals. By default there are at most two, and none for whole numbers."""
    signed: bool = False
    """True if positive values have a plus sign, as for a change."""
    percent: bool = False
    """True if 0.25 is written 25 %."""
    low: Number | None = None
    high: Number | None = None
    """The upper end of the axis; `low` is the lower end. By default the axis covers the range of the values."""
    note: str = ""
    """A short explanation beside the title, or beside the value in the middle of a table."""


class Flow(Compact):
    """The drawing of transfers of one kind."""

    title: str
    of: str = ""
    """The name of the quantity that the transfers move. If it is set, every change of this quantity after its first
    value is a transfer."""
    takes: bool = False
    """True if the target loses the amount and no seat receives it, as in a punishment."""
    drawn: Literal["band", "arrow"] = "band"
    """The shape of a transfer: a band between a seat and the middle, or an arrow from seat to seat."""
    tone: Tone = "plain"


class Phase(Compact):
    """A part of a turn. Tellings refer to it by `name`; readers see `title`."""

    name: str
    title: str


class QuantityField(Compact):
    """A quantity on a seat's card or in a column."""

    quantity: str
    title: str = ""
    """The heading of a column, or the label of the value on a card; by default the quantity's title."""
    line: bool = False
    """True if it is drawn as a line over turns instead of a number."""


class Card(Compact):
    """A seat's card: one large number with its last change, and small notes."""

    quantity: str
    notes: tuple[QuantityField, ...] = ()


class Centre(Compact):
    """The content of the middle of the table, unless a telling provides its own."""

    quantity: str
    title: str


class Strip(Compact):
    """A strip of all turns. For each turn it has a bar and a thinner bar below. The two bars show the last values of
    two quantities."""

    bars: str
    ticks: str | None = None


class Prices(Compact):
    """The price line between the two sides of a market. It has a mark for the last quote of each seat, and a mark for
    each trade of the turn."""

    quotes: str
    """The name of the quantity of seats that has their last quotes."""
    trades: str
    """The name of the quantity of the table that has the last price. Each time this quantity is set, a trade is marked
    at its value."""
    right: tuple[int, ...] = Field(min_length=1)
    """The seats on the right of the line, such as sellers; all others are on the left."""
    values: str | None = None
    """The name of the quantity of seats that has their private values. Where a value is known, a band beside the line
    reaches from the last quote of the seat to its value."""
    curves: bool = False
    """Also draw supply and demand: the last quotes of the seats on the left as steps from the highest bid, and those of
    the seats on the right as steps from the lowest ask; dashed, their private values where all are known."""


class Bound(Compact):
    """A threshold, drawn as a dashed line."""

    value: Number
    text: str
    tone: Tone = "plain"


class Panel(Compact):
    """A plot over turns. The kind `lines` shows a quantity of seats, with one line for each seat; `steps` and `bars`
    show a quantity of the table; `heat` shows a quantity of seats, with a row of colours for each seat."""

    kind: Literal["lines", "steps", "bars", "heat"]
    quantity: str
    bounds: tuple[Bound, ...] = ()
    words: tuple[str, str] | None = None
    """Labels for the lower and the upper end of the colour scale: ('nothing', 'everything')."""


class AnswerList(Compact):
    """A list of answers to similar questions. `choices` shows choices between two options, with the switching point;
    `amounts` shows dots on a line; `points` shows the results of sequences of questions, which may be censored."""

    kind: Literal["choices", "amounts", "points"]
    title: str = ""
    """The title of the list; by default the titles of its points."""
    axis: str = ""
    """The name of the number that changes from line to line."""
    options: tuple[str, ...] = ()


class Scene(Compact):
    """The presentation of a game."""

    layout: Literal["table", "sides", "dashboard", "question"]
    title: str
    clock: str = ""
    """The word for a turn: 'round', 'turn', 'item'; empty if turns are not counted."""
    horizon: int | None = Field(None, ge=1)
    """The planned number of turns; None if it is not known in advance."""
    pace: float = Field(1.0, gt=0, le=60)
    """The default replay speed: the number of moments per second."""
    opens: Literal["start", "end"] = "start"
    """The part of a finished game that is shown first: its start or its end."""
    final: str | None = None
    """The quantity of the seats whose last value is their final result."""
    better: Literal["higher", "lower"] = "higher"
    course: str | None = None
    """The quantity of the table that a list of games shows as a sparkline."""
    quantities: dict[str, Quantity] = Field(default_factory=dict)
    flows: dict[str, Flow] = Field(default_factory=dict)
    phases: tuple[Phase, ...] = ()
    roles: tuple[str, ...] = ()
    """A short text for each seat, such as its role; empty if seats are alike."""

    card: Card | None = None
    centre: Centre | None = None
    prices: Prices | None = None
    strip: Strip | None = None
    standing: tuple[QuantityField, ...] = ()
    """The columns of the table of seats, the best seat first."""

    figures: tuple[str, ...] = ()
    """Quantities of the table that are shown as numbers at the top."""
    panels: tuple[Panel, ...] = ()
    colour: str | None = None
    """The quantity that a `heat` panel shows in colours."""

    lists: dict[str, AnswerList] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _texts_are_labels(cls, document: Any) -> Any:
        if _longest_text(document) > MAX_SCENE_CHARACTERS:
            raise ValueError(f"a text of a scene has at most {MAX_SCENE_CHARACTERS:,} characters")
        return document

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for part, name, of in self._uses():
            quantity = self.quantities.get(name)
            if quantity is None:
                raise ValueError(f"{part} names the quantity {name!r}, which the scene does not declare")
            if of is not None and quantity.of != of:
                raise ValueError(f"{part} needs a quantity of the {of}; {name!r} is one of the {quantity.of}")
        if self.layout in ("table", "sides") and self.card is None:
            raise ValueError(f"the layout {self.layout!r} needs a card for its seats")
        if self.layout == "sides" and self.prices is None:
            raise ValueError("two sides need prices between them")
        if self.layout == "dashboard" and not self.panels:
            raise ValueError("a dashboard needs at least one panel")
        return self

    def _uses(self) -> list[tuple[str, str, Literal["seat", "table"] | None]]:
        """Return all references of the scene to quantities. Each reference has the part of the scene that makes it, the
        name of the quantity, and "seat" or "table" if the quantity must belong to seats or to the table."""
        uses: list[tuple[str, str | None, Literal["seat", "table"] | None]] = [
            ("final", self.final, "seat"),
            ("course", self.course, "table"),
            ("colour", self.colour, "seat"),
            ("centre", None if self.centre is None else self.centre.quantity, "table"),
        ]
        if self.card is not None:
            quantities = (self.card.quantity, *(note.quantity for note in self.card.notes))
            uses += [("card", name, "seat") for name in quantities]
        if self.strip is not None:
            uses += [("strip", name, "table") for name in (self.strip.bars, self.strip.ticks)]
        if self.prices is not None:
            uses += [("prices", self.prices.quotes, "seat"), ("prices", self.prices.trades, "table")]
            uses.append(("prices", self.prices.values, "seat"))
        uses += [("standing", column.quantity, "seat") for column in self.standing]
        uses += [("figures", name, "table") for name in self.figures]
        uses += [
            ("panels", panel.quantity, "seat" if panel.kind in ("lines", "heat") else "table") for panel in self.panels
        ]
        uses += [("flows", flow.of or None, None) for flow in self.flows.values()]
        return [(part, name, of) for part, name, of in uses if name is not None]


def _longest_text(value: Any) -> int:
    """Return the length of the longest text in plain data."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return max((max(len(str(name)), _longest_text(part)) for name, part in value.items()), default=0)
    if isinstance(value, list | tuple):
        return max(map(_longest_text, value), default=0)
    return 0
