"""The parts of a picture of a table. Seats are side by side at the lower edge, and the middle of the table is at the
top. Between them are bubbles, flying tokens and arrows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from ostrom.charts.film import colours as hues
from ostrom.charts.film.canvas import (
    WIDTH,
    Canvas,
    Lettering,
    Point,
    between,
    faded,
    part,
    pop,
    rounded_mask,
    settle,
    smooth,
)
from ostrom.charts.film.colours import Colour, figure, mixed, punishment_colour, short
from ostrom.core.scene import Phase

MARGIN: Final = 20
MIDDLE: Final[Point] = (WIDTH / 2, 134)
MIDDLE_RADIUS: Final = 60
STAGE_TOP: Final = 206
STAGE_FOOT: Final = 448
BAR_TOP: Final = 482
BAR_FOOT: Final = 640
NAME: Final = 662
DEED: Final = 690
MAX_COINS: Final = 14
"""The largest number of tokens that fly from one seat. A number shows the remaining tokens."""

_MAX_BUBBLES: Final = 6
"""The largest number of seats that have bubbles side by side. If there are more seats, only the present speaker has a
bubble."""
_WIDEST: Final = 300


class SeatPosition(NamedTuple):
    """The position of a seat's bubble: the point of its tail, its left edge, and its width."""

    x: float
    left: float
    width: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The widths and text sizes of a table's columns, one column for each seat."""

    seats: int

    @property
    def column(self) -> float:
        return (WIDTH - 2 * MARGIN) / self.seats

    @property
    def bar(self) -> float:
        return max(2.0, min(110.0, self.column * 0.5))

    @property
    def together(self) -> bool:
        """True if all bubbles of a turn fit side by side."""
        return self.seats <= _MAX_BUBBLES

    @property
    def letters(self) -> int:
        """The size of readable numbers and labels in columns of this width. It is 0 if the columns are too narrow for
        any text."""
        return next((size for least, size in ((90, 24), (60, 18), (34, 13), (22, 10)) if self.column >= least), 0)

    def x(self, seat: int) -> float:
        """Return the middle of a seat's column."""
        return MARGIN + self.column * (seat + 0.5)

    def top(self, balance: float, scale: float) -> float:
        """Return the position of the upper end of a bar."""
        return BAR_FOOT - (BAR_FOOT - BAR_TOP) * min(1.0, max(0.0, balance / scale))

    def bubble(self, seat: int) -> SeatPosition:
        """Return the position of a seat's bubble."""
        width = round(min(_WIDEST, self.column - 10)) if self.together else _WIDEST
        left = min(max(MARGIN / 2, self.x(seat) - width / 2), WIDTH - MARGIN / 2 - width)
        # A tail below a rounded corner would not touch the bubble.
        return SeatPosition(min(max(self.x(seat), left + 20), left + width - 20), left, width)


def header(canvas: Canvas, title: str, phases: Sequence[Phase], phase: str) -> None:
    """Draw the turn, and the current phase of the turn."""
    canvas.text((24, 38), title, 30, hues.INK, strong=True)
    right = 1256.0
    for entry in reversed(phases):
        width = canvas.lettering.width(entry.title, 16) + 28
        now = entry.name == phase
        canvas.panel((right - width, 22, right, 52), hues.COIN if now else hues.PANEL, 15)
        canvas.text((right - width / 2, 37), entry.title, 16, hues.PRINT if now else hues.FAINT, anchor="mm")
        right -= width + 8


def scale_lines(canvas: Canvas, layout: Layout, scale: float) -> None:
    """Draw faint lines that show the scale of bars."""
    for x in (0.5, 1.0):
        y = layout.top(scale * x, scale)
        canvas.draw.line((8, y, 1272, y), fill=mixed(hues.TABLE, hues.LINE, 0.55))
        canvas.text((6, y - 8), short(scale * x), 11, hues.FAINT)
    canvas.draw.line((8, BAR_FOOT, 1272, BAR_FOOT), fill=hues.LINE)


def bar(canvas: Canvas, layout: Layout, x: float, top: float, text: str, colour: Colour) -> None:
    """Draw the amount of a seat."""
    if top < BAR_FOOT:
        canvas.panel((x - layout.bar / 2, min(top, BAR_FOOT - 2), x + layout.bar / 2, BAR_FOOT), colour, 5)
    if layout.letters:
        canvas.text((x, top - layout.letters * 0.75), text, layout.letters, hues.INK, anchor="mm")


def names(canvas: Canvas, layout: Layout, seat: int, label: str, name: str, note: str, colour: Colour) -> None:
    """Draw the label and the name of a seat's player, and the seat's action."""
    label = canvas.lettering.fitted(label, 15, layout.column / 2)
    chip = canvas.lettering.width(label, 15) + 14
    fitted = canvas.lettering.fitted(name, 15, layout.column - chip - 18)
    left = layout.x(seat) - (chip + 7 + canvas.lettering.width(fitted, 15)) / 2
    canvas.panel((left, NAME - 11, left + chip, NAME + 11), colour, 6)
    canvas.text((left + chip / 2, NAME), label, 15, hues.PRINT, anchor="mm")
    canvas.text((left + chip + 7, NAME), fitted, 15, hues.INK)
    size = 15 if canvas.lettering.width(note, 15) <= layout.column - 8 else 12
    lines = canvas.lettering.wrapped(note, size, layout.column - 8, 3)
    for row, line in enumerate(lines):
        at = (layout.x(seat), DEED if size == 15 else DEED - 8 + 13 * row)
        canvas.text(at, line, size, hues.SOFT, anchor="mm")


_TEXT, _LEADING, _PADDING, _TAIL = 15, 19, 10, 12
_LINES = int((STAGE_FOOT - STAGE_TOP - _TAIL - 2 * _PADDING) // _LEADING)


def make_bubble(lettering: Lettering, text: str, place: SeatPosition, colour: Colour, *, now: bool) -> Image.Image:
    """Return a bubble with its tail on a transparent picture. The bubble of the present speaker is highlighted."""
    lines = lettering.wrapped(text, _TEXT, place.width - 2 * _PADDING, _LINES) or ("(says nothing)",)
    height = len(lines) * _LEADING + 2 * _PADDING
    scale = lettering.sheet.scale

    def dots(*units: float) -> tuple[int, ...]:
        return tuple(round(unit * scale) for unit in units)

    wide, high = dots(place.width, height)
    bubble = Image.new("RGBA", (wide, high + dots(_TAIL)[0]), (0, 0, 0, 0))
    paper = hues.PAPER if now else mixed(hues.PAPER, hues.PRINT, 0.16)
    (radius,) = dots(10)
    bubble.paste((*colour, 255), (0, 0), rounded_mask(wide, high, radius))
    bubble.paste((*paper, 255), (0, 0), rounded_mask(wide, high - dots(4)[0], radius))
    draw = ImageDraw.Draw(bubble)
    tip = place.x - place.left
    corners = ((tip - 9, height - 1), (tip + 9, height - 1), (tip, height + _TAIL - 1))
    draw.polygon([dots(*corner) for corner in corners], fill=(*colour, 255))
    for row, line in enumerate(lines):
        x, y = dots(_PADDING, _PADDING + (row + 0.5) * _LEADING - 1)
        draw.text((x, y), line, hues.PRINT, lettering.font(_TEXT, drawn=True), anchor="lm")
    return bubble


def show_bubble(canvas: Canvas, bubble: Image.Image, place: SeatPosition, done: float, fading: float) -> None:
    """Paste the bubble into the picture while it pops up or fades away."""
    grown = max(0.05, pop(done)) if done < 1 else 1.0
    if grown != 1.0:
        size = max(1, round(bubble.width * grown)), max(1, round(bubble.height * grown))
        bubble = bubble.resize(size, Image.Resampling.BILINEAR)
    mask = faded(bubble.getchannel("A"), min(1.0, 2 * done) * (1 - fading))
    left = place.x - (place.x - place.left) * grown
    at = (round(left * canvas.scale), round(STAGE_FOOT * canvas.scale - bubble.height))
    canvas.image.paste(bubble, at, mask)


def middle(canvas: Canvas, text: str, fill: float, swell: float = 0.0) -> None:
    """Draw the middle of the table. It is larger for higher amounts, and swells while the amount grows."""
    radius = between(30, MIDDLE_RADIUS, min(1.0, max(0.0, fill)) ** 0.5) + 7 * swell
    if swell:
        canvas.disc(MIDDLE, radius + 9, hues.COIN, 0.25 * swell)
    canvas.coin(MIDDLE, radius, 3)
    size = 30 if len(text) <= 3 else 24 if len(text) <= 5 else 15
    canvas.text(MIDDLE, text, size, hues.PRINT, anchor="mm", strong=size > 20)


def middle_notes(canvas: Canvas, left: Sequence[str], right: Sequence[str]) -> None:
    """Draw the events in the middle as text beside it. The first line on each side is emphasised."""
    for lines, x, anchor in ((left, MIDDLE[0] - 84, "rm"), (right, MIDDLE[0] + 84, "lm")):
        for row, line in enumerate(lines):
            size, colour = (20, hues.INK) if row == 0 else (15, hues.SOFT)
            at = (x, MIDDLE[1] + (row - (len(lines) - 1) / 2) * 26)
            canvas.text(at, line, size, colour, anchor=anchor, width=520)


def coins(canvas: Canvas, seat_at: Point, amount: float, done: float, *, inward: bool) -> None:
    """Draw tokens on their way between a seat and the middle, in a row."""
    flying = min(MAX_COINS, max(1, round(amount))) if amount > 0 else 0
    bend = (between(seat_at[0], MIDDLE[0], 0.5), min(seat_at[1], 300) - 60)
    for number in range(flying):
        late = 0.45 * number / max(1, flying - 1) if flying > 1 else 0.0
        x = part(done, late, late + 0.55)
        if 0 < x < 1:
            way = smooth(x)
            canvas.coin(bezier(seat_at, bend, MIDDLE, way) if inward else bezier(MIDDLE, bend, seat_at, way), 7)


@dataclass(frozen=True, slots=True)
class Strike:
    """An arrow from seat to seat."""

    source: int
    target: int
    amount: float
    cost: float
    takes: bool

    @property
    def text(self) -> str:
        """The effect on its target."""
        return f"{'-' if self.takes else '+'}{figure(self.amount)}"


def arrow(canvas: Canvas, layout: Layout, strike: Strike, tops: Sequence[float], most: float, done: float) -> None:
    """Draw an arrow on its way, and draw it faintly after it has struck. Arrows are thicker and redder for larger
    effects."""
    severity = strike.amount / most if most else 0.0
    colour = punishment_colour(severity) if strike.takes else hues.GAIN
    start, end, height = _path(layout, strike, tops)
    flown = smooth(part(done, 0.0, 0.6))
    if not flown:
        return
    width, head = 2.5 + 11 * severity, 9 + 9 * severity
    points = [arch(start, end, height, flown * step / 40) for step in range(41)]
    canvas.stroke(points, width, colour, head, between(1.0, 0.5, part(done, 0.85, 1.0)))
    top = arch(start, end, height, 0.5)
    if done >= 0.6:
        wide = canvas.lettering.width(strike.text, 17) + 12
        canvas.panel((top[0] - wide / 2, top[1] - 12, top[0] + wide / 2, top[1] + 12), hues.TABLE, 12)
        canvas.text(top, strike.text, 17, colour, anchor="mm")


def floating(canvas: Canvas, at: Point, text: str, done: float, *, gain: bool = False, size: int = 22) -> None:
    """Draw a change of a balance, which rises and vanishes."""
    if 0 < done < 1:
        ground = hues.GAIN if gain else hues.LOSS
        canvas.text((at[0], at[1] - 26 * settle(done)), text, size, mixed(ground, hues.TABLE, done**3), anchor="mm")


def _path(layout: Layout, strike: Strike, tops: Sequence[float]) -> tuple[Point, Point, float]:
    """Return the ends and the height of an arc from above the source to above the target. Longer arcs rise above
    shorter ones and come down behind them. Arcs to the left rise above arcs to the right, so that two seats that strike
    each other have two visible arcs."""
    toward = 1 if strike.target > strike.source else -1
    distance, farthest = abs(strike.target - strike.source), max(1, layout.seats - 1)
    apart = min(16.0, layout.bar / 4)
    above = max(24.0, layout.letters * 1.6)
    start = (layout.x(strike.source) + toward * apart, tops[strike.source] - above)
    before = apart / 2 + min(64.0, layout.bar * 0.6) * (1 - distance / farthest)
    end = (layout.x(strike.target) - toward * before, tops[strike.target] - above - 12)
    height = between(BAR_TOP - 76, 226, distance / farthest) - (26 if toward < 0 else 0)
    return start, end, height


def arch(start: Point, end: Point, height: float, x: float) -> Point:
    """Return the point of an arch at the share `x` of its way. The arch rises and falls nearly vertically, and `height`
    is the height at its middle."""
    lean = 0.12 * (end[0] - start[0])
    # The middle of a cubic curve is the sum of one eighth of each end and three eighths of each control point.
    bend = (8 * height - start[1] - end[1]) / 6
    a, b, c, d = (1 - x) ** 3, 3 * x * (1 - x) ** 2, 3 * x**2 * (1 - x), x**3
    return (
        a * start[0] + b * (start[0] + lean) + c * (end[0] - lean) + d * end[0],
        a * start[1] + (b + c) * bend + d * end[1],
    )


def bezier(start: Point, bend: Point, end: Point, x: float) -> Point:
    """Return the point of a quadratic Bézier curve at the share `x` of its way."""
    a, b, c = (1 - x) ** 2, 2 * x * (1 - x), x**2
    return a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]
