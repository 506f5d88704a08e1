"""The parts of a picture of Contribute & Punish: seats, fund, flying tokens, and punishments."""

from collections.abc import Sequence

from ostrom.charts.film.canvas import Canvas, count
from ostrom.charts.film.colours import (
    COIN,
    COIN_EDGE,
    FAINT,
    GAIN,
    INK,
    LINE,
    LOSS,
    PANEL,
    PRINT,
    SOFT,
    TABLE,
    mixed,
    punishment_colour,
    seat_colour,
)
from ostrom.charts.film.easing import between, part, settle, shake, smooth
from ostrom.charts.film.punish_layout import BAR_FOOT, BAR_TOP, DEED, FUND, FUND_RADIUS, NAME, Layout
from ostrom.charts.film.shapes import Point, arch, bezier, coin, disc, panel, stamp, stroke_mask
from ostrom.games.contribute_punish.events import Punished

STEPS = ("speak", "give", "fund", "punish")
MOST_COINS = 14
"""So many tokens fly from one seat; the number beside them tells the rest."""


def header(canvas: Canvas, title: str, steps: Sequence[str], step: str | None) -> None:
    """The round, and which part of it is under way."""
    canvas.text((24, 38), title, 30, INK, strong=True)
    right = 1256.0
    for name in reversed(steps):
        width = canvas.lettering.width(name, 16) + 28
        now = name == step
        panel(canvas.image, (right - width, 22, right, 52), COIN if now else PANEL, 15)
        canvas.text((right - width / 2, 37), name, 16, PRINT if now else FAINT, anchor="mm")
        right -= width + 8


def scale_lines(canvas: Canvas, layout: Layout, scale: float) -> None:
    """Faint lines that say how high bars are."""
    for x in (0.5, 1.0):
        y = layout.top(scale * x, scale)
        canvas.draw.line((8, y, 1272, y), fill=mixed(TABLE, LINE, 0.55))
        canvas.text((6, y - 8), count(scale * x), 11, FAINT)
    canvas.draw.line((8, BAR_FOOT, 1272, BAR_FOOT), fill=LINE)


def seat(
    canvas: Canvas,
    layout: Layout,
    index: int,
    name: str,
    balance: float,
    scale: float,
    *,
    struck: float = 1.0,
    note: str = "",
) -> None:
    """A seat: its bar, what it holds, its name, and what it did."""
    x = layout.x(index) + 9 * shake(struck)
    top, half = layout.top(balance, scale), layout.bar / 2
    colour = seat_colour(index)
    bar = mixed(LOSS, colour, settle(struck))
    if balance > 0:
        panel(canvas.image, (x - half, min(top, BAR_FOOT - 2), x + half, BAR_FOOT), bar, 5)
    size = layout.letters
    if not size:
        return
    canvas.text((x, top - size * 0.75), count(balance), size, INK, anchor="mm")
    label = f"P{index + 1}"
    if layout.column < 90:
        canvas.text((x, NAME), label, size, colour, anchor="mm")
        return
    chip = canvas.lettering.width(label, 15) + 14
    fitted = canvas.lettering.fitted(name, 15, layout.column - chip - 18)
    left = layout.x(index) - (chip + 7 + canvas.lettering.width(fitted, 15)) / 2
    panel(canvas.image, (left, NAME - 11, left + chip, NAME + 11), colour, 6)
    canvas.text((left + chip / 2, NAME), label, 15, PRINT, anchor="mm")
    canvas.text((left + chip + 7, NAME), fitted, 15, INK)
    if note:
        canvas.text((layout.x(index), DEED), note, 15, SOFT, anchor="mm", width=layout.column - 8)


def fund(canvas: Canvas, held: float, most: float, swell: float = 0.0) -> None:
    """The fund, the larger the more it holds; while it is multiplied it swells."""
    radius = between(30, FUND_RADIUS, (min(1.0, max(0.0, held / most)) if most else 0.0) ** 0.5) + 7 * swell
    if swell:
        disc(canvas.image, FUND, radius + 9, COIN, 0.25 * swell)
    disc(canvas.image, FUND, radius, COIN_EDGE)
    disc(canvas.image, FUND, radius - 3, COIN)
    text = count(held)
    size = 30 if len(text) <= 3 else 24 if len(text) <= 5 else 15
    canvas.text(FUND, text, size, PRINT, anchor="mm", strong=size > 20)


def fund_notes(canvas: Canvas, left: Sequence[str], right: Sequence[str]) -> None:
    """What happens to the fund, in words beside it; the first line of each side is the weighty one."""
    for lines, x, anchor in ((left, FUND[0] - 84, "rm"), (right, FUND[0] + 84, "lm")):
        for row, line in enumerate(lines):
            size, colour = (20, INK) if row == 0 else (15, SOFT)
            canvas.text((x, FUND[1] + (row - (len(lines) - 1) / 2) * 26), line, size, colour, anchor=anchor)


def coins(canvas: Canvas, seat_at: Point, amount: float, done: float, *, to_fund: bool) -> None:
    """Tokens on their way between a seat and the fund, one behind the other."""
    flying = min(MOST_COINS, round(amount))
    bend = (between(seat_at[0], FUND[0], 0.5), min(seat_at[1], 300) - 60)
    for number in range(flying):
        late = 0.45 * number / max(1, flying - 1) if flying > 1 else 0.0
        x = part(done, late, late + 0.55)
        if 0 < x < 1:
            way = smooth(x)
            coin(canvas.image, bezier(seat_at, bend, FUND, way) if to_fund else bezier(FUND, bend, seat_at, way), 7)


def punishment(
    canvas: Canvas, layout: Layout, event: Punished, tops: Sequence[float], most: float, done: float
) -> None:
    """A punishment on its way, and faintly after it has struck: the thicker and the redder, the more it took."""
    severity = event.damage / most if most else 0.0
    start, end, height = _path(layout, event, tops)
    flown = smooth(part(done, 0.0, 0.6))
    if not flown:
        return
    width, head = 2.5 + 11 * severity, 9 + 9 * severity
    points = [arch(start, end, height, flown * step / 40) for step in range(41)]
    mask, at = stroke_mask(points, width, head)
    stamp(canvas.image, mask, punishment_colour(severity), at, between(1.0, 0.5, part(done, 0.85, 1.0)))
    top = arch(start, end, height, 0.5)
    if done >= 0.6:
        text = f"-{count(event.damage)}"
        wide = canvas.lettering.width(text, 17) + 12
        panel(canvas.image, (top[0] - wide / 2, top[1] - 12, top[0] + wide / 2, top[1] + 12), TABLE, 12)
        canvas.text(top, text, 17, punishment_colour(severity), anchor="mm")


def floating(canvas: Canvas, at: Point, text: str, done: float, *, gain: bool = False, size: int = 22) -> None:
    """A change of a balance, which rises and vanishes."""
    if 0 < done < 1:
        ground = GAIN if gain else LOSS
        canvas.text((at[0], at[1] - 26 * settle(done)), text, size, mixed(ground, TABLE, done**3), anchor="mm")


def _path(layout: Layout, event: Punished, tops: Sequence[float]) -> tuple[Point, Point, float]:
    """From over the punisher to over its target, and how high between them. Arcs from afar fly over those from nearby
    and come down behind them, and arcs to the left fly over those to the right, so that seats that punish each other
    show as two arcs."""
    toward = 1 if event.target > event.punisher else -1
    distance, farthest = abs(event.target - event.punisher), max(1, layout.seats - 1)
    apart = min(16.0, layout.bar / 4)
    above = max(24.0, layout.letters * 1.6)
    start = (layout.x(event.punisher) + toward * apart, tops[event.punisher] - above)
    before = apart / 2 + min(64.0, layout.bar * 0.6) * (1 - distance / farthest)
    end = (layout.x(event.target) - toward * before, tops[event.target] - above - 12)
    height = between(BAR_TOP - 76, 226, distance / farthest) - (26 if toward < 0 else 0)
    return start, end, height
