"""Supply and demand as steps: the bids of a market from the highest, and its asks from the lowest."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ostrom.charts.film.canvas import Canvas
from ostrom.charts.film.colours import FAINT, GAIN, LINE, LOSS, SOFT, Colour
from ostrom.charts.film.forms import Box

CURVES_SHARE: Final = 0.36
"""The part of the width of a price line that supply and demand take."""
_DASH: Final = 6.0


class Curve(NamedTuple):
    """One side of a market."""

    prices: tuple[float, ...]
    """The price of each unit in the order in which units trade."""
    supply: bool
    dashed: bool


def curves_of(prices: Sequence[float | None], right: Sequence[int], *, dashed: bool = False) -> list[Curve]:
    """Return demand, by the seats on the left from the highest price, and supply, by those on the right from the
    lowest. Seats without a price have no step."""
    known = [(seat in right, price) for seat, price in enumerate(prices) if price is not None]
    demand = sorted((price for supplies, price in known if not supplies), reverse=True)
    supply = sorted(price for supplies, price in known if supplies)
    return [Curve(tuple(demand), False, dashed), Curve(tuple(supply), True, dashed)]


def draw_curves(canvas: Canvas, curves: Sequence[Curve], box: Box, y: Callable[[float], float]) -> None:
    """Draw curves over units, on the scale of the price line beside them."""
    left, right = box.left + 20, box.right - 8
    units = max((len(curve.prices) for curve in curves), default=0)
    step = (right - left) / max(1, units)
    top, foot = box.top + 30, box.bottom - 20
    canvas.draw.line((left, top, left, foot), fill=LINE, width=2)
    canvas.draw.line((left, foot, right, foot), fill=LINE, width=2)
    title = (left + right) / 2, box.top
    canvas.text(title, "Supply and demand", 15, SOFT, anchor="mm", width=box.width)
    for unit in range(1, units + 1):
        canvas.text((left + step * (unit - 0.5), foot + 14), str(unit), 12, FAINT, anchor="mm")
    for curve in sorted(curves, key=lambda one: not one.dashed):
        corners = [
            (left + step * (place + end), y(price)) for place, price in enumerate(curve.prices) for end in (0, 1)
        ]
        colour = LOSS if curve.supply else GAIN
        for start, end in pairwise(corners):
            _line(canvas, start, end, colour, dashed=curve.dashed)


def _line(
    canvas: Canvas, start: tuple[float, float], end: tuple[float, float], colour: Colour, *, dashed: bool
) -> None:
    """Draw a horizontal or a vertical line."""
    if not dashed:
        canvas.draw.line((*start, *end), fill=colour, width=3)
        return
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    for dash in range(0, int(length / _DASH) + 1, 2):
        ends = [min(1.0, _DASH * place / length) if length else 1.0 for place in (dash, dash + 1)]
        points = [(start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share) for share in ends]
        canvas.draw.line((*points[0], *points[1]), fill=colour, width=2)
