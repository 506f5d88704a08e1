"""Pictures of a dashboard at one moment: plots over turns, the current ranking of the seats, and the events."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from PIL import Image

from ostrom.charts.film import colours as hues
from ostrom.charts.film.canvas import Canvas, Lettering, Point, between, settle, smooth
from ostrom.charts.film.colours import (
    SEATS,
    Colour,
    FilmCast,
    figure,
    giving_colour,
    in_order,
    main_quantity,
    mixed,
    ranks,
    round_up,
    short,
    won,
)
from ostrom.charts.film.timeline import FilmState, Kind, Moment, Shot, Timeline
from ostrom.core.effects import Leave, Mark, Telling, Tone
from ostrom.core.scene import Panel, Scene
from ostrom.core.telling import Story, render

LEFT: Final = 150
RIGHT: Final = 716
_BESIDE: Final = 118
"""The width reserved for names to the right of the plots."""
_TOP, _FOOT = 96, 700
_STRIP: Final = 38
_STRIPS: Final = ("steps", "bars")
"""The kinds of panels that are one line high."""
_LINES, _HEAT = 222, 188
"""The heights of a plot of lines and of a plot of colours, if a dashboard has one plot of each kind."""
_STRIP_COLOURS: Final = (hues.GAIN, hues.COIN, SEATS[3], SEATS[0], SEATS[4])
TONES: Final[dict[Tone, Colour]] = {"plain": hues.INK, "good": hues.GAIN, "bad": hues.LOSS, "gold": hues.COIN}


@dataclass(frozen=True, slots=True)
class Area:
    """The position of a panel, and the range of the panel's values."""

    panel: Panel
    top: float
    foot: float
    low: float
    high: float
    colour: Colour = hues.INK

    def y(self, value: float) -> float:
        """Return the vertical position of a value."""
        whole = self.high - self.low
        x = (value - self.low) / whole if whole else 0.0
        return self.foot - (self.foot - self.top) * min(1.0, max(0.0, x))

    @property
    def strip(self) -> bool:
        return self.panel.kind in _STRIPS


class Plots:
    """The panels of one game over its turns."""

    def __init__(
        self, scene: Scene, turns: Sequence[Shot], begun: FilmState, cast: FilmCast, lettering: Lettering
    ) -> None:
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
        """Return the horizontal position of the end of a turn."""
        return LEFT + self.step * turn

    def state(self, turn: int) -> FilmState:
        """Return the amounts after this many turns."""
        return self.turns[turn - 1].after if turn else self._begun

    def _laid_out(self) -> list[Area]:
        panels = self._scene.panels
        gaps = [_gap(before, panel) for before, panel in pairwise(panels)]
        strips = sum(panel.kind in _STRIPS for panel in panels)
        wishes = [_LINES if panel.kind == "lines" else _HEAT for panel in panels if panel.kind in ("lines", "heat")]
        room = (_FOOT - _TOP - sum(gaps) - strips * _STRIP) / max(1, sum(wishes)) if wishes else 1.0
        areas, top, colours = [], float(_TOP), iter(_STRIP_COLOURS * len(panels))
        for panel, gap in zip(panels, [*gaps, 0], strict=True):
            strip = panel.kind in _STRIPS
            height = float(_STRIP) if strip else room * (_LINES if panel.kind == "lines" else _HEAT)
            if panel.kind == "heat":
                height = min(height, 26.0 * self._seats)
            low, high = self._range(panel)
            areas.append(Area(panel, top, top + height, low, high, next(colours) if strip else hues.INK))
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
        """Return the plots after this many complete turns and the share `done` of the next turn."""
        canvas = Canvas(self._lettering, self._past(past))
        if past < len(self.turns) and done > 0:
            self._add(canvas, past, done)
        for area in self.areas:
            if area.panel.kind == "lines" and (past or done):
                ends = [self._end(area, past, done, seat) for seat in range(self._seats)]
                for seat, end in enumerate(ends):
                    canvas.disc(end, 3.5, self._cast.colour(seat))
                self._label(canvas, area, ends)
        return canvas

    def _label(self, canvas: Canvas, area: Area, ends: Sequence[Point]) -> None:
        """Draw names at the ends of lines without overlap. If there are more lines than fit, only the names of the
        highest lines are drawn."""
        step = 12.5
        room = int((area.foot - area.top + 16) // step)
        visible = sorted(range(self._seats), key=lambda seat: ends[seat][1])[:room]
        above, placed = area.top - 20, list[float]()
        for seat in visible:
            above = max(ends[seat][1], above + step)
            placed.append(above)
        over = max(0.0, placed[-1] - area.foot - 6)
        for seat, y in zip(visible, placed, strict=True):
            # When names are moved up to fit, the lowest names keep their distance from those above them.
            y = min(y, area.foot + 6 - step * (len(visible) - 1 - visible.index(seat))) if over else y
            canvas.text((ends[seat][0] + 8, y), self._cast.names[seat], 12, self._cast.colour(seat), width=_BESIDE)

    def _past(self, past: int) -> Image.Image:
        placed, image = self._kept
        if placed > past:
            placed, image = 0, self._frame()
        if placed < past:
            canvas = Canvas(self._lettering, image)
            for turn in range(placed, past):
                self._add(canvas, turn, 1.0)
                self._mark(canvas, turn)
            image = canvas.image
        self._kept = (past, image)
        return image

    def _frame(self) -> Image.Image:
        """Return the axes and labels, as they are before the first turn."""
        canvas = Canvas(self._lettering)
        for area in self.areas:
            title = self._scene.quantities[area.panel.quantity].title
            if area.strip:
                canvas.draw.rectangle((LEFT, area.top - 2, RIGHT, area.foot + 2), fill=hues.PANEL)
                middle = (LEFT - 10, (area.top + area.foot) / 2)
                canvas.text(middle, title, 13, hues.SOFT, anchor="rm", width=LEFT - 16)
                for bound in area.panel.bounds:
                    canvas.draw.line((LEFT, area.y(bound.value), RIGHT, area.y(bound.value)), fill=hues.LINE)
                continue
            canvas.text((LEFT, area.top - 13), title, 13, hues.SOFT)
            if area.panel.kind == "lines":
                self._frame_lines(canvas, area)
            else:
                self._frame_heat(canvas, area)
        for turn in range(0, len(self.turns) + 1, max(1, int(round_up(len(self.turns) / 10)))):
            canvas.text((self.x(turn), self.areas[0].foot + 9), str(turn), 11, hues.FAINT, anchor="mm")
        return canvas.image

    def _frame_lines(self, canvas: Canvas, area: Area) -> None:
        for x in (0.0, 0.5, 1.0):
            amount = between(area.low, area.high, x)
            y = area.y(amount)
            canvas.draw.line((LEFT, y, RIGHT, y), fill=hues.LINE if x == 0 else hues.PANEL)
            canvas.text((LEFT - 10, y), short(amount), 13, hues.FAINT, anchor="rm")

    def _frame_heat(self, canvas: Canvas, area: Area) -> None:
        canvas.draw.rectangle((LEFT, area.top, RIGHT, area.foot), fill=hues.PANEL)
        low, high = area.panel.words or (short(area.low), short(area.high))
        for step in range(41):
            left = RIGHT - 120 + step * 1.25
            canvas.draw.rectangle((left, area.top - 17, left + 2, area.top - 8), fill=giving_colour(step / 40))
        canvas.text((RIGHT - 126, area.top - 12), low, 12, hues.FAINT, anchor="rm")
        canvas.text((RIGHT - 62, area.top - 12), high, 12, hues.FAINT, width=66)
        cell = (area.foot - area.top) / self._seats
        if cell >= 8:
            size = min(13, int(cell - 0.5))
            for seat, name in enumerate(self._cast.names):
                at = (LEFT - 10, area.top + cell * (seat + 0.5))
                canvas.text(at, name, size, hues.SOFT, anchor="rm", width=LEFT - 20)

    def _add(self, canvas: Canvas, turn: int, done: float) -> None:
        """Draw a turn, or the part of the turn that has passed."""
        for area in self.areas:
            match area.panel.kind:
                case "lines":
                    for seat in range(self._seats):
                        ends = self._end(area, turn, 0.0, seat), self._end(area, turn, done, seat)
                        canvas.stroke(ends, 2.2, self._cast.colour(seat))
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
                        canvas.stroke((start, end), 2.2, area.colour)

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
        """Draw symbols for the events of a turn."""
        strip = next((area for area in self.areas if area.strip), self.areas[0])
        lines = next((area for area in self.areas if area.panel.kind == "lines"), None)
        for effect in (effect for telling in self.turns[turn].tellings for effect in telling.effects):
            x = self.x(turn + 1)
            if isinstance(effect, Mark) and effect.tone != "plain":
                canvas.draw.line((x, strip.top - 2, x, strip.foot + 2), fill=TONES[effect.tone], width=2)
            elif isinstance(effect, Leave) and lines is not None:
                x0, y0 = self._end(lines, turn + 1, 0.0, effect.seat)
                for slope in (-1, 1):
                    canvas.stroke(((x0 - 5, y0 - 5 * slope), (x0 + 5, y0 + 5 * slope)), 2.5, hues.INK)

    def _end(self, area: Area, turn: int, done: float, seat: int) -> Point:
        """Return the current end of a seat's line."""
        states = self.state(turn), self.state(turn + bool(done))
        before, now = (state.held(area.panel.quantity, self._seats)[seat] for state in states)
        return self.x(turn + done), area.y(between(before, now, done))

    def _value(self, area: Area, turn: int) -> float:
        """Return the area's quantity for the whole table after this many turns. If the value is unknown at that time,
        return the first known value after that time, or 0 if there is none."""
        value = self.state(turn).table.get(area.panel.quantity)
        if value is None and turn < len(self.turns):
            return self._value(area, turn + 1)
        return float(value or 0)

    def values(self, area: Area, past: int, done: float) -> float:
        """Return the value that a panel of one line shows at this moment."""
        last = len(self.turns)
        return between(self._value(area, past), self._value(area, min(last, past + 1)), done)


def _gap(above: Panel, below: Panel) -> int:
    """Return the space between two panels. It is needed for turn numbers and for a title."""
    if below.kind not in _STRIPS:
        return 28
    return 12 if above.kind in _STRIPS else 24


def _part(value: float, low: float, high: float) -> float:
    return (value - low) / (high - low) if high > low else 0.0


_RACE: Final = (96, 556)
_NAMES: Final = 976
_BARS: Final = (984, 1186)
_NEWS: Final = (846, 592)
"""The position of the upper end of the list of events."""
_NEWS_LINES: Final = 5
_MAX_RACING: Final = 24


class Dashboard:
    """Draws the moments of one film. A picture depends only on its moment."""

    def __init__(self, story: Story, timeline: Timeline, cast: FilmCast, lettering: Lettering) -> None:
        self._scene, self._shots, self._cast = story.scene, timeline.shots, cast
        self._quantity = main_quantity(story.scene)
        self._seats = timeline.seats
        played = [shot.kind is Kind.TURN for shot in self._shots]
        self._turns = [shot for shot in self._shots if shot.kind is Kind.TURN]
        self._past = [0, *accumulate(played)]
        """The number of turns before each shot."""
        self._plots = Plots(story.scene, self._turns, self._shots[0].after, cast, lettering)
        self._places = [self._order(shot) for shot in (self._shots[0], *self._turns)]
        self._news = [[line for telling in shot.tellings if (line := self._line(telling))] for shot in self._shots]
        self._out: dict[int, int] = {}
        for telling in (telling for shot in self._shots for telling in shot.tellings):
            for effect in telling.effects:
                if isinstance(effect, Leave):
                    self._out.setdefault(effect.seat, telling.turn)

    def draw(self, moment: Moment) -> Image.Image:
        """Return the picture at this moment."""
        shot = self._shots[moment.shot]
        past, done = self._past[moment.shot], moment.done
        if shot.kind is not Kind.TURN or done == 1.0:
            past, done = self._past[moment.shot + 1], 0.0
        canvas = self._plots.draw(past, done)
        self._header(canvas, shot, past)
        for area in self._plots.areas:
            if area.strip and self._turns:
                kind = self._scene.quantities[area.panel.quantity]
                value = figure(self._plots.values(area, past, done), kind)
                canvas.text((RIGHT + 8, (area.top + area.foot) / 2), value, 16, area.colour)
        if self._quantity is not None:
            self._race(canvas, self._quantity, shot, past, done)
        self._headlines(canvas, moment)
        return canvas.image

    def _header(self, canvas: Canvas, shot: Shot, past: int) -> None:
        if shot.kind is Kind.OPENING:
            canvas.text((24, 38), f"{self._scene.title}: {self._seats} seats", 30, hues.INK, strong=True)
            return
        clock = self._scene.clock or "moment"
        title = f"{clock.capitalize()} {shot.turn}" if shot.kind is Kind.TURN else f"The end, after {past} {clock}s"
        canvas.text((24, 38), title, 30, hues.INK, strong=True)
        if shot.kind is Kind.FINAL and self._quantity is not None:
            amounts = shot.after.held(self._quantity, self._seats)
            best = [seat for seat, place in enumerate(ranks(amounts, self._scene.better)) if place == 1]
            who = won([self._cast.names[seat] for seat in best])
            canvas.text((1256, 38), f"{who} with {short(amounts[best[0]])}", 24, hues.COIN, anchor="rm", width=780)

    def _order(self, shot: Shot) -> list[int]:
        """Return each seat's current rank, from 0. Of seats with equal amounts, the one with the lower number is
        first."""
        order = in_order(ranks(shot.after.held(self._quantity or "", self._seats), self._scene.better))
        return [order.index(seat) for seat in range(self._seats)]

    def _race(self, canvas: Canvas, quantity: str, shot: Shot, past: int, done: float) -> None:
        """Draw seats in the order of their amounts, with the same colours as in the plots."""
        racing, seen = min(self._seats, _MAX_RACING), past + bool(done)
        lane = min(40.0, (_RACE[1] - _RACE[0]) / racing)
        before, after = self._places[past], self._places[seen]
        amounts, then = (self._plots.state(turn).held(quantity, self._seats) for turn in (past, seen))
        now = [between(low, high, done) for low, high in zip(amounts, then, strict=True)]
        best = ranks(now, self._scene.better)
        canvas.text((_BARS[0], _RACE[0] - 14), self._scene.quantities[quantity].title.lower(), 13, hues.SOFT)
        size = max(9, min(15, round(lane * 0.55)))
        for seat in sorted(range(self._seats), key=lambda index: -before[index]):
            place = between(before[seat], after[seat], smooth(done))
            if place > racing - 0.5:
                continue
            top = _RACE[0] + lane * place
            out = seat in self._out and self._out[seat] < seen
            ink = hues.COIN if shot.kind is Kind.FINAL and best[seat] == 1 else hues.FAINT if out else hues.INK
            canvas.text((_NAMES, top + lane / 2), self._cast.names[seat], size, ink, anchor="rm", width=_NAMES - 846)
            right = _BARS[0] + (_BARS[1] - _BARS[0]) * max(0.0, now[seat]) / max(*now, 1e-9) + 2
            colour = hues.FAINT if out or not seen else self._cast.colour(seat)
            canvas.panel((_BARS[0], top + lane * 0.14, right, top + lane * 0.86), colour, 3)
            known = self._plots.state(seen).known(quantity, seat)
            text, room = short(now[seat]) if known else "–", 1274 - right - 8
            if (
                out
                and canvas.lettering.width(gone := f"{text}  out, {self._scene.clock} {self._out[seat]}", size) <= room
            ):
                text = gone
            canvas.text((right + 8, top + lane / 2), text, size, ink, width=max(20, room))
        if self._seats > racing:
            canvas.text((_BARS[0], _RACE[1] + 10), f"and {self._seats - racing} more", 13, hues.FAINT)

    def _headlines(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the latest events, the newest at the top. An event appears when its turn ends."""
        ready = moment.shot + 1 if moment.done == 1.0 else moment.shot
        lines: list[tuple[str, Colour]] = []
        for news in reversed(self._news[:ready]):
            lines += reversed(news)
            if len(lines) >= _NEWS_LINES:
                break
        if not lines:
            return
        canvas.panel((_NEWS[0], _NEWS[1] - 18, 1264, 704), hues.PANEL, 8)
        for row, (text, colour) in enumerate(lines[:_NEWS_LINES]):
            faded = mixed(colour, hues.FAINT, settle(min(1.0, row / 4)) * 0.8)
            canvas.text((_NEWS[0] + 14, _NEWS[1] + row * 23), text, 15, faded, width=390)

    def _line(self, telling: Telling) -> tuple[str, Colour] | None:
        """Return the text and colour of a telling in the list of events, or None if it is not listed."""
        tone = next((effect.tone for effect in telling.effects if isinstance(effect, Mark)), None)
        if tone is None or not telling.title:
            return None
        words = ", ".join(render(text, self._cast.names) for text in (telling.title, *telling.text[:1]))
        return f"{self._scene.clock} {telling.turn}: {words}".strip(), TONES[tone]
