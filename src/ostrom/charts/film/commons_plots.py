"""The plots over turns in a picture of the Commons. What past turns left in them is drawn once and kept; a picture adds
the turn that is under way."""

from collections.abc import Sequence

from PIL import Image

from ostrom.charts.film.canvas import Canvas, round_up, short
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
from ostrom.charts.film.commons_layout import CAPITALS, HEAT, LEFT, RIGHT, STRIPS, Layout
from ostrom.charts.film.easing import between
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.shapes import Point, disc, stroke
from ostrom.core import Event
from ostrom.games.commons.events import Erosion, GoldenAge, SeatExcluded, TurnPlayed

STRIP_COLOURS: tuple[Colour, ...] = (COIN, seat_colour(3), GAIN)


class Plots:
    """Capitals, synergy, redistribution, cooperation and contributions over the turns of one game."""

    def __init__(self, turns: Sequence[Sequence[Event]], names: Sequence[str], lettering: Lettering) -> None:
        self.played = [_played(events) for events in turns]
        self._events = turns
        self._names = names
        self._lettering = lettering
        capitals = [amount for turn in self.played for amount in turn.capitals]
        self.layout = Layout(len(names), len(turns), round_up(max([*capitals, 1.0])), min([*capitals, 0.0]))
        self._synergy = max([*(max(turn.synergy, turn.next_synergy) for turn in self.played), 1.0])
        self._kept: tuple[int, Image.Image] = (0, self._frame())

    def draw(self, past: int, done: float) -> Canvas:
        """The plots after so many whole turns and a part of the next one."""
        canvas = Canvas(self._lettering, self._past(past))
        if past < len(self.played) and done > 0:
            self._add(canvas, past, done)
        for seat in range(len(self._names)):
            if past or done:
                disc(canvas.image, self._end(past, done, seat), 3.5, self._colour(past if done else past - 1, seat))
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
            self._kept = (past, canvas.image)
        return self._kept[1]

    def _frame(self) -> Image.Image:
        """Axes and labels, before anything was played."""
        canvas = Canvas(self._lettering)
        layout, turns = self.layout, len(self.played)
        canvas.text((LEFT, CAPITALS[0] - 14), "capital", 13, SOFT)
        for x in (0.0, 0.5, 1.0):
            amount = between(layout.least, layout.most, x)
            y = layout.capital(0, amount)[1]
            canvas.draw.line((LEFT, y, RIGHT, y), fill=LINE if x == 0 else PANEL)
            canvas.text((LEFT - 10, y), short(amount), 13, FAINT, anchor="rm")
        for (top, foot), name in zip(STRIPS, ("synergy S", "redistribution α", "cooperation"), strict=True):
            canvas.draw.rectangle((LEFT, top - 2, RIGHT, foot + 2), fill=PANEL)
            canvas.text((LEFT - 10, (top + foot) / 2), name, 13, SOFT, anchor="rm")
        canvas.draw.rectangle((LEFT, HEAT[0], RIGHT, HEAT[0] + layout.cell * layout.seats), fill=PANEL)
        canvas.text((LEFT, HEAT[0] - 12), "contributions", 13, SOFT)
        for step in range(41):
            left = RIGHT - 90 + step * 1.25
            canvas.draw.rectangle((left, HEAT[0] - 17, left + 2, HEAT[0] - 8), fill=giving_colour(step / 40))
        canvas.text((RIGHT - 96, HEAT[0] - 12), "none", 12, FAINT, anchor="rm")
        canvas.text((RIGHT - 30, HEAT[0] - 12), "all", 12, FAINT)
        if layout.cell >= 8:
            size = min(13, int(layout.cell - 0.5))
            for seat, name in enumerate(self._names):
                _, upper, lower = layout.heat(seat, 0)
                canvas.text((LEFT - 10, (upper + lower) / 2), name, size, SOFT, anchor="rm", width=LEFT - 20)
        for turn in range(0, turns + 1, max(1, int(round_up(turns / 10)))):
            canvas.text((layout.x(turn), CAPITALS[1] + 11), str(turn), 11, FAINT, anchor="mm")
        return canvas.image

    def _add(self, canvas: Canvas, turn: int, done: float) -> None:
        """A turn, or the part of it that has passed."""
        layout, event = self.layout, self.played[turn]
        for seat in range(layout.seats):
            self._segment(
                canvas, self._end(turn, 0.0, seat), self._end(turn, done, seat), self._colour(turn, seat), 2.2
            )
            if event.present[seat]:
                left, top, foot = layout.heat(seat, turn)
                right = max(left + 1, layout.x(turn + done) - (1 if layout.step >= 5 else 0))
                canvas.draw.rectangle((left, top, right, foot - 1), fill=giving_colour(event.contributions[seat]))
        for strip, colour in enumerate(STRIP_COLOURS):
            before, now = self._heights(turn - 1)[strip], self._heights(turn)[strip]
            start = layout.on_strip(strip, turn, before)
            end = layout.on_strip(strip, turn + done, between(before, now, done))
            self._segment(canvas, start, end, colour, 2.2)

    def _segment(self, canvas: Canvas, start: Point, end: Point, colour: Colour, width: float) -> None:
        stroke(canvas.image, (start, end), width, colour)

    def _mark(self, canvas: Canvas, turn: int) -> None:
        """Signs for what followed from a turn."""
        layout = self.layout
        for event in self._events[turn]:
            x = layout.x(turn + 1)
            match event:
                case GoldenAge() | Erosion():
                    top, foot = STRIPS[0]
                    colour = COIN if isinstance(event, GoldenAge) else LOSS
                    canvas.draw.line((x, top - 2, x, foot + 2), fill=colour, width=2)
                case SeatExcluded():
                    x0, y0 = layout.capital(turn + 1, self.played[turn].capitals[event.seat])
                    for slope in (-1, 1):
                        stroke(canvas.image, ((x0 - 5, y0 - 5 * slope), (x0 + 5, y0 + 5 * slope)), 2.5, INK)
                case _:
                    pass

    def _end(self, turn: int, done: float, seat: int) -> Point:
        """Where a seat's line of capital has come."""
        before = self.played[turn - 1].capitals[seat] if turn else 0.0
        now = self.played[turn].capitals[seat] if done else before
        return self.layout.capital(turn + done, between(before, now, done))

    def _colour(self, turn: int, seat: int) -> Colour:
        event = self.played[turn]
        return giving_colour(event.contributions[seat]) if event.present[seat] else FAINT

    def values(self, turn: int) -> tuple[float, float, float]:
        """Synergy, redistribution and cooperation of a turn; before the first turn, those of the first."""
        event = self.played[max(0, turn)]
        return event.synergy, event.alpha, event.cooperation

    def _heights(self, turn: int) -> tuple[float, float, float]:
        synergy, alpha, cooperation = self.values(turn)
        return synergy / self._synergy, alpha, cooperation


def _played(events: Sequence[Event]) -> TurnPlayed:
    """What was played in a turn; the turn's own event is its first."""
    return next(event for event in events if isinstance(event, TurnPlayed))
