"""The plots over turns in a picture of a dashboard. What past turns left in them is drawn once and kept; a picture adds
the turn that is under way."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PIL import Image

from ostrom.charts.film.canvas import Canvas, round_up, short
from ostrom.charts.film.cast import Cast
from ostrom.charts.film.colours import (
    COIN,
    FAINT,
    GAIN,
    INK,
    LINE,
    LOSS,
    PANEL,
    SOFT,
    Colour,
    giving_colour,
    seat_colour,
)
from ostrom.charts.film.easing import between
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.shapes import Point, disc, stroke
from ostrom.charts.film.timeline import Shot, State
from ostrom.core.effects import Leave, Mark, Tone
from ostrom.core.scene import Panel, Scene

LEFT: Final = 150
RIGHT: Final = 800
_TOP, _FOOT = 96, 700
_STRIP: Final = 38
_LINES, _HEAT = 222, 188
"""How high a plot of lines and one of colours are, where there is one of each."""
_STRIP_COLOURS: Final = (GAIN, COIN, seat_colour(3), seat_colour(0), seat_colour(4))
TONES: Final[dict[Tone, Colour]] = {"plain": INK, "good": GAIN, "bad": LOSS, "gold": COIN}


@dataclass(frozen=True, slots=True)
class Area:
    """Where a panel stands, and between which values it draws."""

    panel: Panel
    top: float
    foot: float
    low: float
    high: float
    colour: Colour = INK

    def y(self, value: float) -> float:
        """A value's height."""
        whole = self.high - self.low
        x = (value - self.low) / whole if whole else 0.0
        return self.foot - (self.foot - self.top) * min(1.0, max(0.0, x))

    @property
    def strip(self) -> bool:
        """Whether it is a strip of one line."""
        return self.panel.kind in ("steps", "bars")


class Plots:
    """The panels of one game over its turns."""

    def __init__(self, scene: Scene, turns: Sequence[Shot], begun: State, cast: Cast, lettering: Lettering) -> None:
        self.turns = turns
        self._scene, self._begun, self._cast, self._lettering = scene, begun, cast, lettering
        self._seats = len(cast.labels)
        self.areas = list(self._laid_out())
        self._kept: tuple[int, Image.Image] = (0, self._frame())

    @property
    def step(self) -> float:
        """The width of a turn."""
        return (RIGHT - LEFT) / max(1, len(self.turns))

    def x(self, turn: float) -> float:
        """The end of a turn."""
        return LEFT + self.step * turn

    def state(self, turn: int) -> State:
        """After so many turns."""
        return self.turns[turn - 1].after if turn else self._begun

    def _laid_out(self) -> list[Area]:
        panels = self._scene.panels
        gaps = [_gap(before, panel) for before, panel in pairwise(panels)]
        strips = sum(panel.kind in ("steps", "bars") for panel in panels)
        wishes = [_LINES if panel.kind == "lines" else _HEAT for panel in panels if panel.kind in ("lines", "heat")]
        room = (_FOOT - _TOP - sum(gaps) - strips * _STRIP) / max(1, sum(wishes)) if wishes else 1.0
        areas, top, colours = [], float(_TOP), iter(_STRIP_COLOURS * len(panels))
        for panel, gap in zip(panels, [*gaps, 0], strict=True):
            strip = panel.kind in ("steps", "bars")
            height = float(_STRIP) if strip else room * (_LINES if panel.kind == "lines" else _HEAT)
            if panel.kind == "heat":
                height = min(height, 26.0 * self._seats)
            low, high = self._range(panel)
            areas.append(Area(panel, top, top + height, low, high, next(colours) if strip else INK))
            top += height + gap
        return areas

    def _range(self, panel: Panel) -> tuple[float, float]:
        quantity = self._scene.quantities[panel.quantity]
        values: list[float] = []
        for state in (self._begun, *(shot.after for shot in self.turns)):
            if quantity.of == "seat":
                values += [value for value in state.seats.get(panel.quantity, ()) if value is not None]
            elif (value := state.table.get(panel.quantity)) is not None:
                values.append(value)
        low = min([*values, 0.0]) if quantity.low is None else quantity.low
        high = round_up(max([*values, 1e-9])) if quantity.high is None else quantity.high
        return low, high

    def draw(self, past: int, done: float) -> Canvas:
        """The plots after so many whole turns and a part of the next one."""
        canvas = Canvas(self._lettering, self._past(past))
        if past < len(self.turns) and done > 0:
            self._add(canvas, past, done)
        for area in self.areas:
            if area.panel.kind == "lines" and (past or done):
                for seat in range(self._seats):
                    disc(canvas.image, self._end(area, past, done, seat), 3.5, self.colour(past + bool(done), seat))
        return canvas

    def _past(self, past: int) -> Image.Image:
        kept, image = self._kept
        if kept > past:
            kept, image = 0, self._frame()
        if kept < past:
            canvas = Canvas(self._lettering, image)
            for turn in range(kept, past):
                self._add(canvas, turn, 1.0)
                self._mark(canvas, turn)
            image = canvas.image
        self._kept = (past, image)
        return image

    def _frame(self) -> Image.Image:
        """Axes and labels, before anything was played."""
        canvas = Canvas(self._lettering)
        for area in self.areas:
            title = self._scene.quantities[area.panel.quantity].title
            if area.strip:
                canvas.draw.rectangle((LEFT, area.top - 2, RIGHT, area.foot + 2), fill=PANEL)
                middle = (LEFT - 10, (area.top + area.foot) / 2)
                canvas.text(middle, title, 13, SOFT, anchor="rm", width=LEFT - 16)
                for bound in area.panel.bounds:
                    canvas.draw.line((LEFT, area.y(bound.value), RIGHT, area.y(bound.value)), fill=LINE)
                continue
            canvas.text((LEFT, area.top - 13), title, 13, SOFT)
            if area.panel.kind == "lines":
                self._frame_lines(canvas, area)
            else:
                self._frame_heat(canvas, area)
        self._count_turns(canvas)
        return canvas.image

    def _frame_lines(self, canvas: Canvas, area: Area) -> None:
        for x in (0.0, 0.5, 1.0):
            amount = between(area.low, area.high, x)
            y = area.y(amount)
            canvas.draw.line((LEFT, y, RIGHT, y), fill=LINE if x == 0 else PANEL)
            canvas.text((LEFT - 10, y), short(amount), 13, FAINT, anchor="rm")

    def _frame_heat(self, canvas: Canvas, area: Area) -> None:
        canvas.draw.rectangle((LEFT, area.top, RIGHT, area.foot), fill=PANEL)
        low, high = area.panel.words or (short(area.low), short(area.high))
        for step in range(41):
            left = RIGHT - 120 + step * 1.25
            canvas.draw.rectangle((left, area.top - 17, left + 2, area.top - 8), fill=giving_colour(step / 40))
        canvas.text((RIGHT - 126, area.top - 12), low, 12, FAINT, anchor="rm")
        canvas.text((RIGHT - 62, area.top - 12), high, 12, FAINT, width=66)
        cell = (area.foot - area.top) / self._seats
        if cell >= 8:
            size = min(13, int(cell - 0.5))
            for seat, name in enumerate(self._cast.names):
                at = (LEFT - 10, area.top + cell * (seat + 0.5))
                canvas.text(at, name, size, SOFT, anchor="rm", width=LEFT - 20)

    def _count_turns(self, canvas: Canvas) -> None:
        turns, foot = len(self.turns), self.areas[0].foot
        for turn in range(0, turns + 1, max(1, int(round_up(turns / 10)))):
            canvas.text((self.x(turn), foot + 9), str(turn), 11, FAINT, anchor="mm")

    def _add(self, canvas: Canvas, turn: int, done: float) -> None:
        """A turn, or the part of it that has passed."""
        for area in self.areas:
            match area.panel.kind:
                case "lines":
                    for seat in range(self._seats):
                        ends = self._end(area, turn, 0.0, seat), self._end(area, turn, done, seat)
                        stroke(canvas.image, ends, 2.2, self.colour(turn + 1, seat))
                case "heat":
                    self._add_heat(canvas, area, turn, done)
                case _:
                    before, now = self._value(area, turn), self._value(area, turn + 1)
                    start = self.x(turn), area.y(before)
                    end = self.x(turn + done), area.y(between(before, now, done))
                    if area.panel.kind == "bars":
                        right = max(start[0] + 1, end[0] - 1)
                        canvas.draw.rectangle((start[0], min(end[1], area.foot), right, area.foot), fill=area.colour)
                    else:
                        stroke(canvas.image, (start, end), 2.2, area.colour)

    def _add_heat(self, canvas: Canvas, area: Area, turn: int, done: float) -> None:
        cell = (area.foot - area.top) / self._seats
        values = self.state(turn + 1).seats.get(area.panel.quantity, ())
        for seat, value in enumerate(values):
            if value is None:
                continue
            left, top = self.x(turn), area.top + cell * seat
            right = max(left + 1, self.x(turn + done) - (1 if self.step >= 5 else 0))
            foot = top + max(1.0, cell - (1 if cell >= 4 else 0))
            canvas.draw.rectangle((left, top, right, foot - 1), fill=giving_colour(_part(value, area.low, area.high)))

    def _mark(self, canvas: Canvas, turn: int) -> None:
        """Signs for what followed from a turn."""
        strip = next((area for area in self.areas if area.strip), self.areas[0])
        lines = next((area for area in self.areas if area.panel.kind == "lines"), None)
        for effect in (effect for telling in self.turns[turn].told for effect in telling.effects):
            x = self.x(turn + 1)
            if isinstance(effect, Mark) and effect.tone != "plain":
                canvas.draw.line((x, strip.top - 2, x, strip.foot + 2), fill=TONES[effect.tone], width=2)
            elif isinstance(effect, Leave) and lines is not None:
                x0, y0 = self._end(lines, turn + 1, 0.0, effect.seat)
                for slope in (-1, 1):
                    stroke(canvas.image, ((x0 - 5, y0 - 5 * slope), (x0 + 5, y0 + 5 * slope)), 2.5, INK)

    def _end(self, area: Area, turn: int, done: float, seat: int) -> Point:
        """Where a seat's line has come."""
        before = self._held(area.panel.quantity, turn, seat)
        now = self._held(area.panel.quantity, turn + 1, seat) if done else before
        return self.x(turn + done), area.y(between(before, now, done))

    def _held(self, quantity: str, turn: int, seat: int) -> float:
        return self.state(turn).held(quantity, self._seats)[seat]

    def _value(self, area: Area, turn: int) -> float:
        """A value of the table after so many turns; before it has one, its first."""
        value = self.state(turn).table.get(area.panel.quantity)
        if value is None and turn < len(self.turns):
            return self._value(area, turn + 1)
        return float(value or 0)

    def values(self, area: Area, past: int, done: float) -> float:
        """What a strip reads now."""
        last = len(self.turns)
        return between(self._value(area, past), self._value(area, min(last, past + 1)), done)

    def colour(self, turn: int, seat: int) -> Colour:
        """The colour of a seat in a turn: by the scene's quantity, or its own."""
        name = self._scene.colour
        if name is None:
            return seat_colour(seat)
        value = self.state(min(turn, len(self.turns))).seats.get(name, (None,) * self._seats)[seat]
        quantity = self._scene.quantities[name]
        return FAINT if value is None else giving_colour(_part(value, quantity.low or 0.0, quantity.high or 1.0))


def _gap(above: Panel, below: Panel) -> int:
    """Room between two panels: for the counts of turns, and for a title."""
    strip = below.kind in ("steps", "bars")
    return 12 if strip and above.kind in ("steps", "bars") else 24 if strip else 28


def _part(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.0
