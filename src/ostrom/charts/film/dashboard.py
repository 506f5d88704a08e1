"""One moment of a dashboard as a picture: plots over turns, the race of the seats, and what happened."""

from itertools import accumulate
from typing import Final

from PIL import Image

from ostrom.charts.film.canvas import Canvas, figure, short, won
from ostrom.charts.film.cast import Cast, main_quantity, ranks
from ostrom.charts.film.colours import COIN, FAINT, INK, PANEL, SOFT, Colour, mixed
from ostrom.charts.film.easing import between, settle, smooth
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.plots import RIGHT, TONES, Plots
from ostrom.charts.film.shapes import panel
from ostrom.charts.film.timeline import Kind, Moment, Shot, Timeline
from ostrom.core.effects import Leave, Mark, Telling
from ostrom.core.telling import Story, render

_RACE: Final = (96, 556)
_NAMES: Final = 976
_BARS: Final = (984, 1186)
_NEWS: Final = (846, 592)
"""Where the list of what happened begins."""
_NEWS_LINES: Final = 5
_MOST_RACING: Final = 24


class Dashboard:
    """Draws the moments of one film. A picture depends on the moment alone."""

    def __init__(self, story: Story, timeline: Timeline, cast: Cast, lettering: Lettering) -> None:
        self._scene, self._shots, self._cast = story.scene, timeline.shots, cast
        self._quantity = main_quantity(story.scene)
        self._seats = timeline.seats
        played = [shot.kind is Kind.TURN for shot in self._shots]
        self._turns = [shot for shot in self._shots if shot.kind is Kind.TURN]
        self._past = [0, *accumulate(played)]
        """How many turns lie before each shot."""
        self._plots = Plots(story.scene, self._turns, self._shots[0].after, cast, lettering)
        self._places = [self._order(shot) for shot in (self._shots[0], *self._turns)]
        self._news = [[line for one in shot.told if (line := self._line(one))] for shot in self._shots]
        self._out: dict[int, int] = {}
        for shot in self._shots:
            for telling in shot.told:
                for effect in telling.effects:
                    if isinstance(effect, Leave):
                        self._out.setdefault(effect.seat, telling.turn)

    def draw(self, moment: Moment) -> Image.Image:
        """The picture at this moment."""
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
            canvas.text((24, 38), f"{self._scene.title}: {self._seats} seats", 30, INK, strong=True)
            return
        clock = self._scene.clock or "moment"
        title = f"{clock.capitalize()} {shot.turn}" if shot.kind is Kind.TURN else f"The end, after {past} {clock}s"
        canvas.text((24, 38), title, 30, INK, strong=True)
        if shot.kind is Kind.FINAL and self._quantity is not None:
            held = shot.after.held(self._quantity, self._seats)
            best = [seat for seat, place in enumerate(ranks(held, self._scene.better)) if place == 1]
            who = won([self._cast.names[seat] for seat in best])
            canvas.text((1256, 38), f"{who} with {short(held[best[0]])}", 24, COIN, anchor="rm", width=780)

    def _order(self, shot: Shot) -> list[int]:
        """Each seat's place in the race, from 0; of equals the earlier seat stands first."""
        held = shot.after.held(self._quantity or "", self._seats)
        rank = ranks(held, self._scene.better)
        places = [0] * self._seats
        for place, seat in enumerate(sorted(range(self._seats), key=lambda seat: (rank[seat], seat))):
            places[seat] = place
        return places

    def _race(self, canvas: Canvas, quantity: str, shot: Shot, past: int, done: float) -> None:
        """Seats by what they hold, coloured as in the plots."""
        racing = min(self._seats, _MOST_RACING)
        lane = min(40.0, (_RACE[1] - _RACE[0]) / racing)
        before = self._places[past]
        after = self._places[past + 1] if done else before
        held = self._plots.state(past).held(quantity, self._seats)
        then = self._plots.state(past + 1).held(quantity, self._seats) if done else held
        now = [between(low, high, done) for low, high in zip(held, then, strict=True)]
        best = ranks(now, self._scene.better)
        colours = f"; colour: {self._scene.quantities[self._scene.colour].title.lower()}" if self._scene.colour else ""
        canvas.text((_BARS[0], _RACE[0] - 14), f"{self._scene.quantities[quantity].title.lower()}{colours}", 13, SOFT)
        for seat in sorted(range(self._seats), key=lambda index: -before[index]):
            place = between(before[seat], after[seat], smooth(done))
            if place <= racing - 0.5:
                wins = shot.kind is Kind.FINAL and best[seat] == 1
                colour = self._plots.colour(past + bool(done), seat) if past or done else FAINT
                out = seat in self._out and self._out[seat] < past + bool(done)
                length = max(0.0, now[seat]) / max(*now, 1e-9)
                self._lane(canvas, seat, _RACE[0] + lane * place, lane, length, now[seat], colour, out=out, wins=wins)
        if self._seats > racing:
            canvas.text((_BARS[0], _RACE[1] + 10), f"and {self._seats - racing} more", 13, FAINT)

    def _lane(
        self,
        canvas: Canvas,
        seat: int,
        top: float,
        lane: float,
        length: float,
        held: float,
        colour: Colour,
        *,
        out: bool,
        wins: bool,
    ) -> None:
        """One seat of the race."""
        size = max(9, min(15, round(lane * 0.55)))
        ink = COIN if wins else FAINT if out else INK
        middle = top + lane / 2
        canvas.text((_NAMES, middle), self._cast.names[seat], size, ink, anchor="rm", width=_NAMES - 846)
        right = _BARS[0] + (_BARS[1] - _BARS[0]) * length + 2
        panel(canvas.image, (_BARS[0], top + lane * 0.14, right, top + lane * 0.86), FAINT if out else colour, 3)
        said = f"{short(held)}  out, {self._scene.clock} {self._out[seat]}" if out else short(held)
        room = 1274 - right - 8
        if canvas.lettering.width(said, size) > room:
            said = short(held)
        canvas.text((right + 8, middle), said, size, ink, width=max(20, room))

    def _headlines(self, canvas: Canvas, moment: Moment) -> None:
        """The last things that happened, the newest at the top; it comes up as its turn ends."""
        ready = moment.shot + 1 if moment.done == 1.0 else moment.shot
        lines: list[tuple[str, Colour]] = []
        for news in reversed(self._news[:ready]):
            lines += reversed(news)
            if len(lines) >= _NEWS_LINES:
                break
        if not lines:
            return
        panel(canvas.image, (_NEWS[0], _NEWS[1] - 18, 1264, 704), PANEL, 8)
        for row, (text, colour) in enumerate(lines[:_NEWS_LINES]):
            faded = mixed(colour, FAINT, settle(min(1.0, row / 4)) * 0.8)
            canvas.text((_NEWS[0] + 14, _NEWS[1] + row * 23), text, 15, faded, width=390)

    def _line(self, telling: Telling) -> tuple[str, Colour] | None:
        """What the list says about a telling, if anything."""
        tone = next((effect.tone for effect in telling.effects if isinstance(effect, Mark)), None)
        if tone is None or not telling.title:
            return None
        words = ", ".join(render(one, self._cast.names) for one in (telling.title, *telling.text[:1]))
        return f"{self._scene.clock} {telling.turn}: {words}".strip(), TONES[tone]
