"""Pictures of two sides at one moment. The seats of each side are shown as cards. Between the sides is the price line,
with marks for quotes and trades."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from PIL import Image

from ostrom.charts.film.canvas import Canvas, Lettering, between, part, pop, smooth
from ostrom.charts.film.cards import chip_and_name
from ostrom.charts.film.colours import (
    COIN,
    FAINT,
    INK,
    LINE,
    PANEL,
    PRINT,
    SOFT,
    FilmCast,
    figure,
    main_quantity,
    mixed,
)
from ostrom.charts.film.curves import CURVES_SHARE, Curve, curves_of, draw_curves
from ostrom.charts.film.forms import Box
from ostrom.charts.film.timeline import Kind, Moment, Shot, Timeline
from ostrom.core.effects import Say, Telling
from ostrom.core.telling import Story

_TOP, _FOOT, _WIDTH = 84.0, 560.0, 340.0
_MAX_CARD: Final = 104.0
_MAX_CARDS: Final = 12
_BANDS_START: Final = 22.0
_BANDS_WIDTH: Final = 50.0
"""The distances from the price line between which the bands of private values of a side are drawn."""
_WORDS: Final = 5
"""The number of lines of sentences at the lower edge."""


class PriceLine:
    """Draws prices on a line. The last quote of each seat is beside the line, and the trades of the turn are on it."""

    def __init__(self, story: Story, shots: Sequence[Shot], cast: FilmCast) -> None:
        assert story.scene.prices is not None
        self._shots, self._cast, self._prices = shots, cast, story.scene.prices
        self._kind = story.scene.quantities[self._prices.trades]
        quotes = story.scene.quantities[self._prices.quotes]
        self._trades = [[trade for telling in shot.tellings for trade in self._trades_of(telling)] for shot in shots]
        prices = [price for shot in shots for price in shot.after.values(self._prices.quotes, 0) if price is not None]
        prices += [trade for trades in self._trades for trade in trades]
        lows = [bound for bound in (quotes.low, self._kind.low) if bound is not None]
        highs = [bound for bound in (quotes.high, self._kind.high) if bound is not None]
        self._low, self._high = min(lows or prices or [0.0]), max(highs or prices or [1.0])

    def _trades_of(self, telling: Telling) -> list[float]:
        values = (effect.values.get(self._prices.trades) for effect in telling.sets)
        return [float(value) for value in values if isinstance(value, int | float)]

    def draw(self, canvas: Canvas, moment: Moment, box: Box) -> None:
        """Draw the line with the marks of the moment, and supply and demand beside it if the scene has them. Marks of
        earlier trades are faint."""
        whole, shot = box, self._shots[moment.shot]
        if self._prices.curves:
            box = Box(box.left, box.top, whole.x(1 - CURVES_SHARE), box.bottom)
        middle, top, foot = (box.left + box.right) / 2, box.top + 30, box.bottom - 20

        def y(price: float) -> float:
            scale = self._high - self._low
            return foot - (foot - top) * (min(1.0, max(0.0, (price - self._low) / scale)) if scale else 0.5)

        canvas.text((middle, box.top), self._kind.title, 16, SOFT, anchor="mm", width=box.width)
        canvas.draw.line((middle, top, middle, foot), fill=LINE, width=3)
        for end, at in ((self._high, top - 14), (self._low, foot + 14)):
            canvas.text((middle, at), figure(end, self._kind), 13, FAINT, anchor="mm")
        new, earlier = self._trades[moment.shot], list[float]()
        for past, trades in zip(self._shots[: moment.shot], self._trades, strict=False):
            if past.turn != shot.turn:
                for trade in trades:
                    canvas.draw.line((middle - 8, y(trade), middle + 8, y(trade)), fill=FAINT, width=2)
            else:
                earlier += trades
        self._quotes(canvas, moment, box, y)
        heights = _apart([y(trade) for trade in (*earlier, *new)], 26, top, foot)
        for place, (trade, at) in enumerate(zip((*earlier, *new), heights, strict=True)):
            grown = pop(max(0.05, moment.done)) if place >= len(earlier) and moment.done < 1 else 1.0
            text = figure(trade, self._kind)
            wide = (canvas.lettering.width(text, 16) / 2 + 10) * grown
            canvas.panel((middle - wide, at - 12 * grown, middle + wide, at + 12 * grown), COIN, 12)
            if grown == 1.0:
                canvas.text((middle, at), text, 16, PRINT, anchor="mm")
        if self._prices.curves:
            draw_curves(canvas, self._curves(shot), Box(box.right, box.top, whole.right, box.bottom), y)

    def _curves(self, shot: Shot) -> list[Curve]:
        """Return the steps of the quotes of a shot, and those of private values if all are known."""
        seats = len(self._cast.labels)
        quotes = shot.after.values(self._prices.quotes, seats)
        curves = curves_of(quotes, self._prices.right)
        if self._prices.values is not None:
            values = shot.after.values(self._prices.values, seats)
            if None not in values:
                curves += curves_of(values, self._prices.right, dashed=True)
        return curves

    def _quotes(self, canvas: Canvas, moment: Moment, box: Box, y: Callable[[float], float]) -> None:
        shot, middle = self._shots[moment.shot], (box.left + box.right) / 2
        seats = len(self._cast.labels)
        before, after = (state.values(self._prices.quotes, seats) for state in (shot.before, shot.after))
        for right in (False, True):
            shown: list[tuple[float, int, float]] = []
            for seat, (old, now) in enumerate(zip(before, after, strict=True)):
                if now is not None and (seat in self._prices.right) == right:
                    price = between(now if old is None else old, now, smooth(moment.done))
                    shown.append((y(price), seat, now))
            shown.sort()
            heights = _apart([at for at, _, _ in shown], 22, box.top + 20, box.bottom - 10)
            side = 1 if right else -1
            self._bands(canvas, shot, [(seat, at) for at, seat, _ in shown], middle, side, y)
            for (at, seat, price), label in zip(shown, heights, strict=True):
                colour, text = self._cast.colour(seat), f"{self._cast.labels[seat]} {figure(price, self._kind)}"
                canvas.draw.line((middle + side * 4, at, middle + side * 50, at), fill=colour, width=3)
                canvas.draw.line((middle + side * 50, at, middle + side * 66, label), fill=colour, width=1)
                anchor = "lm" if right else "rm"
                canvas.text((middle + side * 70, label), text, 16, colour, anchor=anchor, width=box.width / 2 - 74)

    def _bands(
        self,
        canvas: Canvas,
        shot: Shot,
        quotes: Sequence[tuple[int, float]],
        middle: float,
        side: int,
        y: Callable[[float], float],
    ) -> None:
        """Draw a band from the quote of each seat of a side to its private value, where the value is known. `quotes`
        has the seats, and the heights of their quotes."""
        if self._prices.values is None:
            return
        values = shot.after.values(self._prices.values, len(self._cast.labels))
        for place, (seat, at) in enumerate(quotes):
            value = values[seat]
            if value is not None:
                left = middle + side * (_BANDS_START + (_BANDS_WIDTH - _BANDS_START) * place / len(quotes))
                colour = mixed(PANEL, self._cast.colour(seat), 0.55)
                canvas.draw.line((left, at, left, y(value)), fill=colour, width=5)


def _apart(heights: Sequence[float], gap: float, top: float, foot: float) -> list[float]:
    """Return heights that differ by at least a gap, in the same order. They are between the ends if there is enough
    space."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    result, above = list(heights), top - gap
    for index in order:
        result[index] = above = max(heights[index], above + gap)
    below = foot + gap
    for index in reversed(order):
        result[index] = below = min(result[index], below - gap)
    return result


class SidesScene:
    """Draws the moments of one film. A picture depends only on its moment."""

    def __init__(self, story: Story, timeline: Timeline, cast: FilmCast, lettering: Lettering) -> None:
        assert story.scene.prices is not None
        self._scene, self._opening, self._shots = story.scene, story.opening, timeline.shots
        self._cast, self._lettering = cast, lettering
        self._quantity = main_quantity(story.scene) or ""
        self._line = PriceLine(story, self._shots, cast)
        self._right = [seat for seat in range(timeline.seats) if seat in story.scene.prices.right]
        self._left = [seat for seat in range(timeline.seats) if seat not in self._right]
        self._tellings = [story.opening, *(telling for shot in self._shots for telling in shot.tellings)]
        self._ready = list(accumulate((len(shot.tellings) for shot in self._shots), initial=1))

    def draw(self, moment: Moment) -> Image.Image:
        """Return the picture at this moment."""
        canvas, shot = Canvas(self._lettering), self._shots[moment.shot]
        canvas.text((40, 40), self._title(shot), 30, INK, strong=True, width=1200)
        for seats, left in ((self._left, 40.0), (self._right, 1240.0 - _WIDTH)):
            self._cards(canvas, seats, left, shot, moment.done)
        self._line.draw(canvas, moment, Box(40 + _WIDTH, _TOP + 6, 1240 - _WIDTH, _FOOT))
        self._happened(canvas, self._tellings[: self._ready[moment.shot + 1]])
        return canvas.image

    def _title(self, shot: Shot) -> str:
        clock, horizon = self._scene.clock.capitalize(), self._scene.horizon
        if shot.kind is Kind.OPENING or not clock or not shot.turn:
            return self._scene.title
        text = f"{clock} {shot.turn}" + (f" of {max(shot.turn, horizon)}" if horizon else "")
        return f"The end, after {text.lower()}" if shot.kind is Kind.FINAL else text

    def _cards(self, canvas: Canvas, seats: Sequence[int], left: float, shot: Shot, done: float) -> None:
        """Draw a card for each seat of a side: its player and role, its amount, and its notes."""
        shown = seats[:_MAX_CARDS]
        step = min(_MAX_CARD, (_FOOT - _TOP) / max(1, len(shown)))
        count, kind = len(self._cast.labels), self._scene.quantities[self._quantity]
        before, after = (state.values(self._quantity, count) for state in (shot.before, shot.after))
        size = 17 if step >= 70 else 13
        for row, seat in enumerate(shown):
            top, colour = _TOP + step * row, self._cast.colour(seat)
            canvas.panel((left, top, left + _WIDTH, top + step - 6), PANEL, 6)
            canvas.panel((left, top, left + 5, top + step - 6), FAINT if seat in shot.after.out else colour, 2)
            upper = top + (step - 6) * (0.28 if step >= 54 else 0.5)
            chip_and_name(canvas, (left + 14, upper), self._cast, seat, size - 2, _WIDTH - 110)
            now = after[seat]
            amount = None if now is None else between(before[seat] or 0.0, now, smooth(part(done, 0.4, 1.0)))
            canvas.text((left + _WIDTH - 12, upper), figure(amount, kind), size + 5, INK, anchor="rm")
            if step >= 54:
                wide = _WIDTH - 28
                for line, text in enumerate(canvas.lettering.wrapped(self._notes(shot, seat), 14, wide, 2)):
                    canvas.text((left + 14, top + (step - 6) * 0.62 + 18 * line), text, 14, SOFT)
        if len(seats) > len(shown):
            canvas.text((left, _FOOT + 8), f"and {len(seats) - len(shown)} more", 13, FAINT)

    def _notes(self, shot: Shot, seat: int) -> str:
        parts = []
        for note in self._scene.card.notes if self._scene.card is not None else ():
            quantity = self._scene.quantities[note.quantity]
            value = shot.after.values(note.quantity, len(self._cast.labels))[seat]
            parts.append(f"{note.title or quantity.title} {figure(value, quantity)}")
        return ", ".join(parts)

    def _happened(self, canvas: Canvas, tellings: Sequence[Telling]) -> None:
        """Draw the last sentences at the lower edge, the newest last."""
        lines: list[str] = []
        for telling in tellings[-_WORDS:]:
            says = [effect for effect in telling.effects if isinstance(effect, Say)]
            lines += [f"{self._cast.labels[say.seat]}: {say.text or '(says nothing)'}" for say in says]
            lines += [self._cast.words(text) for text in (telling.title, *telling.text) if text]
        wrapped = [line for text in lines for line in self._lettering.wrapped(text, 16, 1180, 3)][-_WORDS:]
        for row, line in enumerate(wrapped):
            canvas.text((40, 592 + 24 * row), line, 16, INK if row == len(wrapped) - 1 else SOFT, width=1200)
