"""Pictures of a question at one moment: its form, the answers to similar questions, the events, and the payoffs."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from PIL import Image

from ostrom.charts.film.canvas import Canvas, Lettering, smooth
from ostrom.charts.film.colours import (
    COIN,
    FAINT,
    GAIN,
    INK,
    LINE,
    LOSS,
    PANEL,
    SOFT,
    FilmCast,
    figure,
    in_order,
    mixed,
    ranks,
    won,
)
from ostrom.charts.film.forms import Box, draw_form
from ostrom.charts.film.timeline import Kind, Moment, Shot, Timeline
from ostrom.core.effects import Choose, ListPoint, QuestionWords, Say, Telling
from ostrom.core.scene import AnswerList
from ostrom.core.telling import Story

_FORM: Final = Box(40, 112, 800, 660)
_SIDE: Final = Box(860, 112, 1250, 690)
_LINE: Final = 22
_MAX_ROWS: Final = 22


class QuestionScene:
    """Draws the moments of one film. A picture depends only on its moment."""

    def __init__(self, story: Story, timeline: Timeline, cast: FilmCast, lettering: Lettering) -> None:
        self._scene, self._opening, self._shots = story.scene, story.opening, timeline.shots
        self._cast, self._lettering = cast, lettering
        self._tellings = [telling for shot in self._shots for telling in shot.tellings]
        self._ready = list(accumulate(len(shot.tellings) for shot in self._shots))
        """The number of tellings that are shown by the end of each shot."""
        self._picture = lru_cache(maxsize=2)(self._drawn)

    def draw(self, moment: Moment) -> Image.Image:
        """Return the picture at this moment. The picture of the previous shot changes gradually into that of the
        current shot."""
        picture = self._picture(moment.shot)
        if moment.done >= 1.0 or moment.shot == 0:
            return picture
        return Image.blend(self._picture(moment.shot - 1), picture, smooth(moment.done))

    def _drawn(self, index: int) -> Image.Image:
        shot, tellings = self._shots[index], self._tellings[: self._ready[index]]
        canvas = Canvas(self._lettering)
        canvas.text((40, 40), self._title(shot), 30, INK, strong=True, width=900)
        self._say_who(canvas)
        form = next(
            (telling.form for telling in reversed((self._opening, *tellings)) if telling.form is not None), None
        )
        telling = next((telling for telling in reversed(shot.tellings) if telling.asked is not None), None)
        if telling is not None and telling.asked is not None:
            self._question(canvas, telling, telling.asked)
        if form is not None:
            draw_form(canvas, form, _FORM, self._cast)
        over = shot.kind is Kind.FINAL and self._scene.final is not None
        points = [telling.point for telling in tellings if telling.point is not None]
        box = _SIDE if form is not None or telling is not None else Box(40, 112, 1240, 690)
        if points and not over:
            self._list(canvas, points)
        else:
            self._happened(canvas, tellings, box, 300 if over else box.bottom)
        if over:
            self._payoffs(canvas, shot)
        return canvas.image

    def _title(self, shot: Shot) -> str:
        if shot.kind is Kind.OPENING:
            return self._scene.title
        clock = self._scene.clock.capitalize()
        return f"{self._scene.title}: {clock} {shot.turn}" if clock and shot.turn else self._scene.title

    def _say_who(self, canvas: Canvas) -> None:
        x = 40.0
        for seat, (label, player) in enumerate(zip(self._cast.labels, self._cast.players, strict=True)):
            text = label if player == label else f"{label} {player}"
            text = ", ".join(filter(None, (text, self._cast.role(seat))))
            words = canvas.lettering.fitted(text, 15, 220)
            width = canvas.lettering.width(words, 15) + 34
            if x + width > 1250:
                canvas.text((x, 78), f"and {len(self._cast.labels) - seat} more", 15, FAINT)
                return
            canvas.disc((x + 7, 78), 6, self._cast.colour(seat))
            canvas.text((x + 20, 78), words, 15, SOFT)
            x += width

    def _question(self, canvas: Canvas, telling: Telling, words: QuestionWords) -> None:
        """Draw the question above the form, and the answer below it."""
        purpose = [words.purpose] if words.purpose else []
        again = [f"asking {words.asking}"] if words.asking > 1 else []
        canvas.text((40, 106), ", ".join([words.role, words.about, *purpose, *again]), 16, SOFT, width=780)
        for row, (name, value) in enumerate(words.facts[:14]):
            canvas.text((60, 150 + 30 * row), f"{name}: {value}", 18, INK, width=740)
        for effect in telling.effects:
            if isinstance(effect, Choose):
                canvas.text((40, 692), f"Answer: {_answer(effect)}", 22, COIN if effect.value is not None else LOSS)

    def _happened(self, canvas: Canvas, sentences: Sequence[Telling], box: Box, foot: float) -> None:
        """Draw the last sentences, the newest at the lower edge."""
        wide, lines = box.right - box.left - 24, list[tuple[str, bool]]()
        for place, telling in enumerate(reversed(sentences)):
            new = [line for text in self._sentences(telling) for line in self._lettering.wrapped(text, 16, wide, 4)]
            lines += [(line, place == 0) for line in reversed(new)]
            if len(lines) > (foot - box.top) / _LINE:
                break
        rows_shown = lines[: int((foot - box.top - 20) // _LINE)]
        if not rows_shown:
            return
        canvas.panel((box.left, box.top, box.right, box.top + 20 + _LINE * len(rows_shown)), PANEL, 8)
        for row, (line, newest) in enumerate(reversed(rows_shown)):
            canvas.text((box.left + 12, box.top + 20 + _LINE * row), line, 16, INK if newest else SOFT)

    def _sentences(self, telling: Telling) -> list[str]:
        says = [effect for effect in telling.effects if isinstance(effect, Say)]
        text = [f"{self._cast.labels[say.seat]}: {say.text or '(says nothing)'}" for say in says]
        return text + [self._cast.words(part) for part in (telling.text or (telling.title,)) if part]

    def _payoffs(self, canvas: Canvas, shot: Shot) -> None:
        """Draw the final of each seat."""
        quantity = self._scene.final or ""
        amounts, kind = shot.after.values(quantity, len(self._cast.labels)), self._scene.quantities[quantity]
        places = ranks(amounts, self._scene.better)
        best = won([self._cast.labels[seat] for seat, place in enumerate(places) if place == 1])
        top, left, right = 330.0, _SIDE.left, _SIDE.right
        canvas.text((left, top), f"{kind.title}: {best}", 20, COIN, width=right - left)
        order = in_order(places)[:12]
        most, step = max(*(amount or 0.0 for amount in amounts), 1e-9), min(30.0, (690 - top - 30) / max(1, len(order)))
        for row, seat in enumerate(order):
            y = top + 34 + step * row
            canvas.text((left, y), self._cast.names[seat], 14, INK, width=110)
            wide = 160 * max(0.0, amounts[seat] or 0.0) / most
            canvas.panel((left + 120, y - step * 0.3, left + 122 + wide, y + step * 0.3), self._cast.colour(seat), 3)
            canvas.text((left + 132 + wide, y), figure(amounts[seat], kind), 15, INK)

    def _list(self, canvas: Canvas, points: Sequence[ListPoint]) -> None:
        """Draw the answers to questions that are like the last one."""
        last = points[-1]
        kind = self._scene.lists[last.list]
        group = [point for point in points if (point.list, point.group) == (last.list, last.group)]
        wide = _SIDE.right - _SIDE.left
        canvas.text((_SIDE.left, _SIDE.top), kind.title or last.title, 16, INK, width=wide)
        if kind.kind == "choices":
            self._choices(canvas, kind, group, last)
            return
        lines = {point.at: point for point in group}
        for row, at in enumerate(sorted(lines)[-_MAX_ROWS:]):
            y = _SIDE.top + 34 + row * (_LINE + 3)
            row_points = [point for point in group if point.at == at]
            ink = INK if at == last.at else SOFT
            canvas.text((_SIDE.left, y), lines[at].label, 13, ink, width=200)
            left, right = _SIDE.left + 215, _SIDE.right - 70
            canvas.draw.line((left, y, right, y), fill=LINE)
            for point in row_points:
                if point.amount is not None:
                    x = left + (right - left) * _part(point)
                    canvas.disc((x, y), 5, LOSS if point.censored else GAIN)
            amounts = [float(point.amount) for point in row_points if point.amount is not None]
            beyond = "beyond " if lines[at].censored else ""
            text = f"{beyond}{figure(sum(amounts) / len(amounts))}" if amounts else "invalid"
            canvas.text((_SIDE.right, y), text, 13, ink, anchor="rm", width=100)

    def _choices(self, canvas: Canvas, kind: AnswerList, points: Sequence[ListPoint], last: ListPoint) -> None:
        """Draw a line for each value. It has the number of times that each option was chosen at this value."""
        columns = [_SIDE.right - 60 - 100 * (len(kind.options) - 1 - place) for place in range(len(kind.options))]
        canvas.text((_SIDE.left, _SIDE.top + 28), kind.axis, 13, FAINT, width=180)
        for x, option in zip(columns, kind.options, strict=True):
            canvas.text((x, _SIDE.top + 28), option, 13, FAINT, anchor="mm", width=96)
        labels = {point.at: point.label for point in points}
        rows_shown = sorted(labels)
        # If the list is long, only the values around the last answer are shown.
        first = max(0, min(rows_shown.index(last.at) - _MAX_ROWS // 2, len(rows_shown) - _MAX_ROWS))
        for row, at in enumerate(rows_shown[first : first + _MAX_ROWS]):
            y = _SIDE.top + 54 + row * (_LINE + 2)
            canvas.text((_SIDE.left, y), labels[at], 14, INK if at == last.at else SOFT, width=180)
            chosen = Counter(point.option for point in points if point.at == at)
            most = max((chosen[option] for option in kind.options), default=0)
            for x, option in zip(columns, kind.options, strict=True):
                if chosen[option]:
                    colour = GAIN if chosen[option] == most else mixed(GAIN, PANEL, 0.6)
                    canvas.disc((x, y), 8, colour)
                    if sum(chosen.values()) > 1:
                        canvas.text((x + 14, y), f"×{chosen[option]}", 12, SOFT)


def _part(point: ListPoint) -> float:
    whole = point.high - point.low
    return min(1.0, max(0.0, ((point.amount or 0) - point.low) / whole)) if whole > 0 else 0.0


def _answer(effect: Choose) -> str:
    if effect.value is None:
        return f"no valid answer ({effect.fault})" if effect.fault else "no valid answer"
    text = effect.value if isinstance(effect.value, str) else figure(effect.value)
    return f"{text} ({effect.label})" if effect.label else text
