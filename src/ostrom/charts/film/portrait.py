"""Pictures of any game in portrait layout, for phones. They show the middle of the table or the course of the game so
far, then a row for each seat, and below it the current message or event in large letters. A picture depends only on its
moment."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from PIL import Image

from ostrom.charts.film.canvas import Canvas, Lettering, Point, between, part, smooth
from ostrom.charts.film.cards import Credits, chip_and_name, result_card
from ostrom.charts.film.colours import (
    COIN,
    FAINT,
    GAIN,
    INK,
    LINE,
    LOSS,
    PANEL,
    PRINT,
    SOFT,
    FilmCast,
    figure,
    in_order,
    main_quantity,
    punishment_colour,
    ranks,
    round_up,
    short,
)
from ostrom.charts.film.forms import Box, draw_form
from ostrom.charts.film.sides import PriceLine
from ostrom.charts.film.timeline import FilmState, Kind, Moment, Shot, Timeline
from ostrom.core.effects import Say, Telling, Transfer
from ostrom.core.telling import Story

_LEFT, _RIGHT = 36, 684
_TOP: Final = 150
_PANEL_FOOT: Final = 1240
_BARS: Final = 470
"""The length of the longest bar."""
_MAX_ROWS: Final = 12
_LETTERS, _LEADING = 27, 37


class Portrait:
    """Draws the moments of one film."""

    def __init__(
        self, story: Story, timeline: Timeline, cast: FilmCast, lettering: Lettering, text: Credits | None = None
    ) -> None:
        self._scene, self._opening, self._shots = story.scene, story.opening, timeline.shots
        self._cast, self._lettering, self._credits = cast, lettering, text or Credits(story.scene.title)
        self._seats, self._quantity = timeline.seats, main_quantity(story.scene)
        amounts = [
            value for shot in self._shots for state in (shot.before, shot.after) for value in self._held_in(state)
        ]
        self._scale = round_up(max([*amounts, 1e-9]))
        """The scale of bars for the whole film."""
        strikes = [effect.amount for shot in self._shots for effect in _strikes(shot)]
        self._most_struck = max([float(amount) for amount in strikes if not isinstance(amount, tuple)], default=0.0)
        self._prices = None if story.scene.prices is None else PriceLine(story, self._shots, cast)
        lines = (len(shot.tellings) for shot in self._shots)
        self._tellings = [telling for shot in self._shots for telling in shot.tellings]
        self._ready = list(accumulate(lines))

    def draw(self, moment: Moment) -> Image.Image:
        """Return the picture at this moment."""
        shot = self._shots[moment.shot]
        if shot.kind is Kind.FINAL and self._quantity is not None:
            return result_card(
                self._scene, self._quantity, shot.after, self._credits, self._cast, self._lettering, moment.done
            )
        canvas = Canvas(self._lettering)
        self._header(canvas, shot)
        top = self._upper(canvas, moment)
        foot = self._rows(canvas, moment, top) if self._quantity is not None else top
        self._caption(canvas, shot, foot + 24)
        return canvas.image

    def _header(self, canvas: Canvas, shot: Shot) -> None:
        clock, horizon = self._scene.clock.capitalize(), self._scene.horizon
        canvas.text((_LEFT, 54), self._scene.title, 22, SOFT, width=_RIGHT - _LEFT)
        text = f"{clock} {shot.turn}" + (f" of {max(shot.turn, horizon)}" if horizon else "")
        if not clock or not shot.turn:
            text = "The beginning" if shot.kind is Kind.OPENING else self._cast.words(shot.telling.title)
        canvas.text((_LEFT, 100), text, 40, INK, strong=True, width=_RIGHT - _LEFT)
        phase = next((phase.title for phase in self._scene.phases if phase.name == shot.telling.phase), None)
        if phase is not None:
            width = canvas.lettering.width(phase, 20) + 32
            canvas.panel((_RIGHT - width, 80, _RIGHT, 118), COIN, 19)
            canvas.text((_RIGHT - width / 2, 99), phase, 20, PRINT, anchor="mm")

    def _upper(self, canvas: Canvas, moment: Moment) -> float:
        """Draw the part above the rows. It is the middle of a table, a question's form, or the course of the game so
        far. Return the position of its lower edge."""
        shot = self._shots[moment.shot]
        if self._scene.layout == "table":
            return self._middle(canvas, shot, moment.done)
        if self._prices is not None:
            self._prices.draw(canvas, moment, Box(_LEFT, _TOP, _RIGHT, _TOP + 400))
            return _TOP + 420.0
        if self._scene.layout == "question":
            lines = (self._opening, *self._tellings[: self._ready[moment.shot]])
            form = next((telling.form for telling in reversed(lines) if telling.form is not None), None)
            if form is not None:
                draw_form(canvas, form, Box(_LEFT, _TOP, _RIGHT, _TOP + 480), self._cast)
                return _TOP + 500.0
            return float(_TOP)
        return self._course(canvas, moment)

    def _middle(self, canvas: Canvas, shot: Shot, done: float) -> float:
        centre = self._scene.centre
        if centre is None:
            return float(_TOP)
        before, after = (float(state.table.get(centre.quantity) or 0) for state in (shot.before, shot.after))
        text = figure(
            None if shot.after.table.get(centre.quantity) is None else between(before, after, smooth(done)),
            self._scene.quantities[centre.quantity],
        )
        at = (_LEFT + 56.0, _TOP + 66.0)
        canvas.coin(at, 54, 3)
        canvas.text(at, text, 34 if len(text) <= 3 else 26 if len(text) <= 5 else 17, PRINT, anchor="mm")
        visible = shot.telling.middle
        lines = [centre.title] if visible is None else [visible.title, visible.figure, *visible.notes]
        for row, line in enumerate([line for line in lines if line][:4]):
            size, ink = (26, INK) if row == 0 else (20, SOFT)
            canvas.text((_LEFT + 130, _TOP + 24 + 30 * row), line, size, ink, width=_RIGHT - _LEFT - 130)
        return _TOP + 160.0

    def _course(self, canvas: Canvas, moment: Moment) -> float:
        """Draw the amounts so far as lines. Each line has a name at its end."""
        if self._quantity is None:
            return float(_TOP)
        left, right, top, foot = _LEFT + 44.0, 520.0, _TOP + 34.0, _TOP + 360.0
        played = [shot for shot in self._shots if shot.kind in (Kind.OPENING, Kind.TURN)]
        past = [shot for shot in self._shots[: moment.shot + 1] if shot.kind in (Kind.OPENING, Kind.TURN)]
        canvas.text((left, top - 20), self._scene.quantities[self._quantity].title, 18, SOFT)
        for x in (0.0, 0.5, 1.0):
            y = foot - (foot - top) * x
            canvas.draw.line((left, y, right, y), fill=LINE)
            canvas.text((left - 8, y), short(self._scale * x), 15, FAINT, anchor="rm")
        step, ends = (right - left) / max(1, len(played) - 1), list[tuple[float, int]]()
        ways = [self._held_in(shot.after) for shot in past]
        for seat in range(self._seats):
            heights = [foot - (foot - top) * min(1.0, max(0.0, way[seat]) / self._scale) for way in ways]
            points = [(left + step * index, height) for index, height in enumerate(heights)]
            if len(points) > 1 and moment.done < 1:
                (x0, y0), (x1, y1) = points[-2:]
                points[-1] = between(x0, x1, moment.done), between(y0, y1, moment.done)
            if len(points) > 1:
                canvas.stroke(points, 2.6, self._cast.colour(seat))
            canvas.disc(points[-1], 4.5, self._cast.colour(seat))
            ends.append((points[-1][1], seat))
        self._label_ends(canvas, ends, left + step * (len(past) - 1) + 12, foot)
        return foot + 40

    def _label_ends(self, canvas: Canvas, ends: Sequence[tuple[float, int]], x: float, foot: float) -> None:
        """Draw names at the ends of lines without overlap."""
        above, placed = 0.0, list[tuple[float, int]]()
        for y, seat in sorted(ends)[:20]:
            above = max(y, above + 18)
            placed.append((above, seat))
        over = max(0.0, placed[-1][0] - foot - 6)
        for y, seat in placed:
            name = self._cast.names[seat]
            canvas.text((min(x, 540), y - over), name, 16, self._cast.colour(seat), width=_RIGHT + 20 - min(x, 540))

    def _rows(self, canvas: Canvas, moment: Moment, top: float) -> float:
        """Draw a row for each seat, with its player and a bar of its amount. If there are more seats than fit, draw
        only the seats with the highest amounts."""
        shot, quantity = self._shots[moment.shot], self._scene.quantities[self._quantity or ""]
        before, after = self._held_in(shot.before), self._held_in(shot.after)
        now = [between(low, high, smooth(moment.done)) for low, high in zip(before, after, strict=True)]
        ranked = in_order(ranks(now, self._scene.better))
        seats = ranked[:_MAX_ROWS] if self._scene.layout != "table" or self._seats > _MAX_ROWS else range(self._seats)
        step = min(92.0, (_PANEL_FOOT - 330 - top) / len(seats))
        size, places = (22 if step > 60 else 17 if step > 40 else 13), dict[int, float]()
        for row, seat in enumerate(seats):
            y = top + step * (row + 0.5)
            places[seat] = y
            chip_and_name(canvas, (_LEFT, y - step * 0.22), self._cast, seat, size, 560)
            right = _LEFT + 4 + _BARS * min(1.0, max(0.0, now[seat]) / self._scale)
            out = seat in shot.after.out
            canvas.panel((_LEFT, y + step * 0.1, right, y + step * 0.38), FAINT if out else self._cast.colour(seat), 4)
            text = figure(now[seat] if shot.after.known(self._quantity or "", seat) else None, quantity)
            canvas.text((right + 10, y + step * 0.24), text, size, INK)
            if (change := after[seat] - before[seat]) and shot.kind is not Kind.TURN:
                at = right + 22 + canvas.lettering.width(text, size)
                text = f"{'+' if change > 0 else '−'}{figure(abs(change))}"
                canvas.text((at, y + step * 0.24), text, size, GAIN if change > 0 else LOSS)
        if len(seats) < self._seats:
            canvas.text((_LEFT, top + step * len(seats) + 12), f"and {self._seats - len(seats)} more", 16, FAINT)
        self._arrows(canvas, moment, places)
        return top + step * len(seats)

    def _arrows(self, canvas: Canvas, moment: Moment, places: dict[int, float]) -> None:
        """Draw the transfers from seat to seat as arrows to the right of the rows."""
        shot = self._shots[moment.shot]
        for effect in _strikes(shot):
            source, target = effect.source, effect.target
            if source not in places or target not in places or isinstance(effect.amount, tuple):
                continue
            flow = self._scene.flows.get(effect.kind)
            takes = flow is not None and flow.takes
            severity = effect.amount / self._most_struck if self._most_struck else 0.0
            colour = punishment_colour(severity) if takes else GAIN
            start, end = places[source], places[target]
            flown = smooth(part(moment.done, 0.0, 0.7))
            points: list[Point] = []
            for step in range(25):
                x = flown * step / 24
                points.append((604 + 190 * x * (1 - x), between(start, end, x)))
            if flown:
                canvas.stroke(points, 3 + 8 * severity, colour, 11 + 7 * severity)
            text = f"{'−' if takes else '+'}{figure(effect.amount)}"
            canvas.text((_RIGHT + 24, (start + end) / 2), text, 24, colour, anchor="rm")

    def _caption(self, canvas: Canvas, shot: Shot, top: float) -> None:
        """Draw the current message or event in large letters."""
        canvas.panel((24, top, 696, _PANEL_FOOT), PANEL, 14)
        says = [say for say in shot.telling.effects if isinstance(say, Say)]
        y, wide = top + 38, _RIGHT - _LEFT - 12
        if says:
            say = says[-1]
            chip_and_name(canvas, (_LEFT + 6, y), self._cast, say.seat, 24, wide)
            y += 48
            texts = [say.text or "(says nothing)"]
        else:
            texts = self._sentences(shot)
        for text in texts:
            room = int((_PANEL_FOOT - 12 - y) // _LEADING)
            if room < 1:
                return
            for line in self._lettering.wrapped(text, _LETTERS, wide, room):
                canvas.text((_LEFT + 6, y), line, _LETTERS, INK)
                y += _LEADING
            y += 10

    def _sentences(self, shot: Shot) -> list[str]:
        about = self._opening if shot.kind is Kind.OPENING else shot.telling
        lines: Sequence[Telling] = shot.tellings or (about,)
        text = [self._cast.words(part) for telling in lines for part in (telling.title, *telling.text) if part]
        return list(dict.fromkeys(text))

    def _held_in(self, state: FilmState) -> list[float]:
        return state.held(self._quantity or "", self._seats)


def _strikes(shot: Shot) -> Iterator[Transfer]:
    """Return the transfers from one seat to another."""
    for telling in shot.tellings:
        for effect in telling.effects:
            if isinstance(effect, Transfer) and isinstance(effect.source, int) and isinstance(effect.target, int):
                yield effect
