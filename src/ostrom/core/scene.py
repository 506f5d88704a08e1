"""A scene declares the presentation of a game: its layout, its quantities and their places. Pages, viewer and film draw
any scene from the tellings of its game."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ostrom.core.effects import Compact, Number, Tone


class Quantity(Compact):
    """A number that effects set: one per seat, or one of the table."""

    title: str
    of: Literal["seat", "table"] = "seat"
    unit: str = ""
    digits: int | None = None
    """Decimals; by default at most two, and none for whole numbers."""
    signed: bool = False
    """True if positive values have a plus sign, as for a change."""
    percent: bool = False
    """True if 0.25 is written 25 %."""
    low: Number | None = None
    high: Number | None = None
    """The ends of an axis; by default the range of the values."""
    note: str = ""
    """A short explanation beside the title, or beside the value in the middle of a table."""


class Flow(Compact):
    """The drawing of transfers of one kind."""

    title: str
    of: str = ""
    """The quantity that they move. If set, all changes of it after its first value are transfers."""
    takes: bool = False
    """True if the target loses the amount and no seat receives it, as in a punishment."""
    drawn: Literal["band", "arrow"] = "band"
    """A band between a seat and the middle, or an arrow from seat to seat."""
    tone: Tone = "plain"


class Phase(Compact):
    """A part of a turn, by its name in tellings."""

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
    """The middle of the table, unless a telling has its own content for it."""

    quantity: str
    title: str


class Strip(Compact):
    """All turns in one strip: for each turn a bar, and a thin one below it, with the last values of the turn."""

    bars: str
    ticks: str | None = None


class Bound(Compact):
    """A threshold, drawn as a dashed line."""

    value: Number
    text: str
    tone: Tone = "plain"


class Panel(Compact):
    """A plot over turns. `lines`: a quantity of seats, one line each; `steps` and `bars`: a quantity of the table;
    `heat`: a quantity of seats as a row of colours from low to high."""

    kind: Literal["lines", "steps", "bars", "heat"]
    quantity: str
    bounds: tuple[Bound, ...] = ()
    words: tuple[str, str] | None = None
    """Labels for the ends of the colour scale: ('nothing', 'everything')."""


class AnswerList(Compact):
    """Answers to similar questions. `choices`: between two options, with the switching point; `amounts`: dots on a
    line; `points`: the results of sequences, possibly censored."""

    kind: Literal["choices", "amounts", "points"]
    title: str = ""
    """By default the points' own titles."""
    axis: str = ""
    """The quantity that changes from line to line."""
    options: tuple[str, ...] = ()


class Scene(Compact):
    """The presentation of a game."""

    layout: Literal["table", "dashboard", "question"]
    title: str
    clock: str = ""
    """The name of a turn: 'round', 'turn', 'item'; empty if turns are not counted."""
    horizon: int | None = Field(None, ge=1)
    """The planned number of turns, if it is known in advance."""
    pace: float = Field(1.0, gt=0, le=60)
    """The default replay speed, in moments per second."""
    opens: Literal["start", "end"] = "start"
    """The moment at which a finished game opens."""
    final: str | None = None
    """The quantity of the seats whose last value is their final result."""
    better: Literal["higher", "lower"] = "higher"
    course: str | None = None
    """The quantity of the table that a list of games draws as a sparkline."""
    quantities: dict[str, Quantity] = Field(default_factory=dict)
    flows: dict[str, Flow] = Field(default_factory=dict)
    phases: tuple[Phase, ...] = ()

    card: Card | None = None
    centre: Centre | None = None
    strip: Strip | None = None
    standing: tuple[QuantityField, ...] = ()
    """The columns of the table of seats, the best seat first."""

    figures: tuple[str, ...] = ()
    """Quantities of the table that are shown as numbers at the top."""
    panels: tuple[Panel, ...] = ()
    colour: str | None = None
    """The quantity that a `heat` panel shows in colours."""

    lists: dict[str, AnswerList] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for part, name, of in self._uses():
            quantity = self.quantities.get(name)
            if quantity is None:
                raise ValueError(f"{part} names the quantity {name!r}, which the scene does not declare")
            if of is not None and quantity.of != of:
                raise ValueError(f"{part} needs a quantity of the {of}; {name!r} is one of the {quantity.of}")
        if self.layout == "table" and self.card is None:
            raise ValueError("a table needs a card for its seats")
        if self.layout == "dashboard" and not self.panels:
            raise ValueError("a dashboard needs at least one panel")
        return self

    def _uses(self) -> list[tuple[str, str, Literal["seat", "table"] | None]]:
        """Return the uses of quantities: the part of the scene, the name, and the required owner if there is one."""
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
        uses += [("standing", column.quantity, "seat") for column in self.standing]
        uses += [("figures", name, "table") for name in self.figures]
        uses += [
            ("panels", panel.quantity, "seat" if panel.kind in ("lines", "heat") else "table") for panel in self.panels
        ]
        uses += [("flows", flow.of or None, None) for flow in self.flows.values()]
        return [(part, name, of) for part, name, of in uses if name is not None]
