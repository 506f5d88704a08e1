"""A scene declares how a game looks, not how it is drawn: its layout, its quantities, and which of them stand where.
Page, viewer and film draw any scene from the tellings of its game."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ostrom.core.effects import Compact, Number, Tone


class Quantity(Compact):
    """A number that effects set: one a seat, or one of the table."""

    title: str
    of: Literal["seat", "table"] = "seat"
    unit: str = ""
    digits: int | None = None
    """Decimals; where none are given, at most two, and none for whole numbers."""
    signed: bool = False
    """Whether a plus stands before what is positive: a change."""
    percent: bool = False
    """Whether 0.25 reads 25 %."""
    low: Number | None = None
    high: Number | None = None
    """The ends of an axis; where none are given, what occurs."""
    note: str = ""
    """What the values mean, in a few words beside the title; in the middle of a table, of what lies there."""


class Flow(Compact):
    """How transfers of one kind are drawn."""

    title: str
    of: str = ""
    """The quantity that they move. Where one is named, all changes of it after its first value are transfers."""
    takes: bool = False
    """Whether the target loses the amount and nobody gets it: a punishment."""
    drawn: Literal["band", "arrow"] = "band"
    """A band between a seat and the middle, or an arrow from seat to seat."""
    tone: Tone = "plain"


class Phase(Compact):
    """A part of a turn, by the name that tellings give."""

    name: str
    title: str


class Shown(Compact):
    """A quantity on a seat's card or in a column."""

    quantity: str
    title: str = ""
    """A column's heading, or the word before the value on a card; else the quantity's title."""
    line: bool = False
    """Whether it is drawn as a line over the turns instead of a number."""


class Card(Compact):
    """What a seat's card holds: one large figure with its last change, and small notes."""

    quantity: str
    notes: tuple[Shown, ...] = ()


class Centre(Compact):
    """What stands in the middle of the table, unless a telling has something of its own to show there."""

    quantity: str
    title: str


class Strip(Compact):
    """All turns at a glance: a bar for each, and a thin one below it. A turn shows the last values that it set."""

    bars: str
    ticks: str | None = None


class Bound(Compact):
    """A value at which something changes, drawn as a dashed line."""

    value: Number
    text: str
    tone: Tone = "plain"


class Panel(Compact):
    """A plot over turns. `lines`: a seat's quantity, a line each; `steps` and `bars`: one of the table's; `heat`: a
    seat's quantity as a row of colours from low to high."""

    kind: Literal["lines", "steps", "bars", "heat"]
    quantity: str
    bounds: tuple[Bound, ...] = ()
    words: tuple[str, str] | None = None
    """What the ends of the colours mean: ('nothing', 'everything')."""


class AnswerList(Compact):
    """Answers to questions like each other. `choices`: between two options, with the place where they turn; `amounts`:
    dots on a track; `points`: what sequences came to, some of them censored."""

    kind: Literal["choices", "amounts", "points"]
    title: str = ""
    """Where empty, the points' own titles."""
    axis: str = ""
    """What changes from line to line."""
    options: tuple[str, ...] = ()


class Scene(Compact):
    """How a game looks."""

    layout: Literal["table", "dashboard", "question"]
    title: str
    clock: str = ""
    """What a turn is called: 'round', 'turn', 'item'; empty where moments are not counted."""
    horizon: int | None = Field(None, ge=1)
    """How many turns are planned, where that is known from the beginning."""
    pace: float = Field(1.0, gt=0, le=60)
    """Moments a second that suit the game."""
    opens: Literal["start", "end"] = "start"
    """Where a finished game opens."""
    final: str | None = None
    """The seats' quantity whose last value is what they end with."""
    better: Literal["higher", "lower"] = "higher"
    course: str | None = None
    """The quantity of the table that a list of games draws as a small line."""
    quantities: dict[str, Quantity] = Field(default_factory=dict)
    flows: dict[str, Flow] = Field(default_factory=dict)
    phases: tuple[Phase, ...] = ()

    card: Card | None = None
    centre: Centre | None = None
    strip: Strip | None = None
    standing: tuple[Shown, ...] = ()
    """The columns of the table of seats, the best seat first."""

    figures: tuple[str, ...] = ()
    """Quantities of the table that stand above everything as numbers."""
    panels: tuple[Panel, ...] = ()
    colour: str | None = None
    """The quantity that a `heat` panel shows in colours."""

    lists: dict[str, AnswerList] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for where, name, of in self._named():
            known = self.quantities.get(name)
            if known is None:
                raise ValueError(f"{where} names the quantity {name!r}, which the scene does not declare")
            if of is not None and known.of != of:
                raise ValueError(f"{where} needs a quantity of the {of}; {name!r} is one of the {known.of}")
        if self.layout == "table" and self.card is None:
            raise ValueError("a table needs a card for its seats")
        if self.layout == "dashboard" and not self.panels:
            raise ValueError("a dashboard needs at least one panel")
        return self

    def _named(self) -> list[tuple[str, str, Literal["seat", "table"] | None]]:
        """Where a quantity is named, and whose it must be."""
        named: list[tuple[str, str | None, Literal["seat", "table"] | None]] = [
            ("final", self.final, "seat"),
            ("course", self.course, "table"),
            ("colour", self.colour, "seat"),
            ("centre", None if self.centre is None else self.centre.quantity, "table"),
        ]
        if self.card is not None:
            held = (self.card.quantity, *(note.quantity for note in self.card.notes))
            named += [("card", name, "seat") for name in held]
        if self.strip is not None:
            named += [("strip", name, "table") for name in (self.strip.bars, self.strip.ticks)]
        named += [("standing", column.quantity, "seat") for column in self.standing]
        named += [("figures", name, "table") for name in self.figures]
        named += [("panels", one.quantity, "seat" if one.kind in ("lines", "heat") else "table") for one in self.panels]
        named += [("flows", flow.of or None, None) for flow in self.flows.values()]
        return [(where, name, of) for where, name, of in named if name is not None]
