"""Shapes with soft edges. Pillow draws hard ones; these are drawn larger in a mask, reduced and filled with a colour.
Masks that come again are kept."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor, hypot
from typing import TypeAlias

from PIL import Image, ImageDraw

from ostrom.charts.film.colours import COIN, COIN_EDGE, TABLE, Colour

Point: TypeAlias = tuple[float, float]

_FINE = 4
"""How many times larger masks are drawn before they are reduced."""


@lru_cache(maxsize=512)
def rounded_mask(width: int, height: int, radius: int) -> Image.Image:
    """A rectangle with round corners."""
    mask = Image.new("L", (width, height), 255)
    radius = min(radius, width // 2, height // 2)
    if radius <= 0:
        return mask
    # Only corners need soft edges: one disc gives all four.
    disc = disc_mask(2 * radius)
    for left, x in ((0, 0), (radius, width - radius)):
        for top, y in ((0, 0), (radius, height - radius)):
            mask.paste(disc.crop((left, top, left + radius, top + radius)), (x, y))
    return mask


@lru_cache(maxsize=512)
def disc_mask(diameter: int) -> Image.Image:
    """A full circle."""
    large = Image.new("L", (diameter * _FINE, diameter * _FINE), 0)
    ImageDraw.Draw(large).ellipse((0, 0, diameter * _FINE - 1, diameter * _FINE - 1), fill=255)
    return large.reduce(_FINE)


def stamp(image: Image.Image, mask: Image.Image, colour: Colour, at: Point, opacity: float = 1.0) -> None:
    """Fill the mask with a colour, its left upper corner at a point."""
    if opacity < 1.0:
        mask = mask.point([round(value * max(0.0, opacity)) for value in range(256)])
    image.paste(colour, (round(at[0]), round(at[1])), mask)


def panel(image: Image.Image, box: tuple[float, float, float, float], colour: Colour, radius: int = 8) -> None:
    """A filled box with round corners, from its left upper to its right lower corner."""
    left, top, right, bottom = (round(edge) for edge in box)
    if right > left and bottom > top:
        stamp(image, rounded_mask(right - left, bottom - top, radius), colour, (left, top))


def disc(image: Image.Image, centre: Point, radius: float, colour: Colour, opacity: float = 1.0) -> None:
    """A filled circle."""
    diameter = max(1, round(2 * radius))
    stamp(image, disc_mask(diameter), colour, (centre[0] - diameter / 2, centre[1] - diameter / 2), opacity)


def coin(image: Image.Image, centre: Point, radius: int = 8) -> None:
    """A token."""
    disc(image, centre, radius, COIN_EDGE)
    disc(image, centre, radius - 1.5, COIN)


def stroke_mask(points: Sequence[Point], width: float, head: float = 0.0) -> tuple[Image.Image, tuple[int, int]]:
    """A line through points, with an arrow's head of this size at its end, and where the mask belongs."""
    around = width / 2 + head + 2
    left = floor(min(x for x, _ in points) - around)
    top = floor(min(y for _, y in points) - around)
    right = ceil(max(x for x, _ in points) + around)
    bottom = ceil(max(y for _, y in points) + around)
    fine = 2 if (right - left) * (bottom - top) > 60_000 else _FINE
    large = Image.new("L", ((right - left) * fine, (bottom - top) * fine), 0)
    draw = ImageDraw.Draw(large)
    moved = [((x - left) * fine, (y - top) * fine) for x, y in points]
    draw.line(moved, fill=255, width=max(1, round(width * fine)), joint="curve")
    if head and len(moved) > 1:
        draw.polygon(_head(moved, head * fine), fill=255)
    return large.reduce(fine), (left, top)


def stroke(image: Image.Image, points: Sequence[Point], width: float, colour: Colour, head: float = 0.0) -> None:
    """A line through points, with an arrow's head at its end if one is asked for."""
    mask, at = stroke_mask(points, width, head)
    stamp(image, mask, colour, at)


def _head(points: Sequence[Point], size: float) -> list[Point]:
    tip = points[-1]
    # The direction is taken from some way back: the last step of a curve may be too short to have one.
    tail = next((point for point in reversed(points) if hypot(tip[0] - point[0], tip[1] - point[1]) > size), points[0])
    length = hypot(tip[0] - tail[0], tip[1] - tail[1]) or 1.0
    along = ((tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length)
    across = (-along[1], along[0])
    base = (tip[0] - along[0] * size, tip[1] - along[1] * size)
    end = (tip[0] + along[0] * size * 0.6, tip[1] + along[1] * size * 0.6)
    side = size * 0.85
    return [
        end,
        (base[0] + across[0] * side, base[1] + across[1] * side),
        (base[0] - across[0] * side, base[1] - across[1] * side),
    ]


def arch(start: Point, end: Point, height: float, x: float) -> Point:
    """The point at `x` of an arch that rises nearly upright, comes down likewise, and is at `height` halfway."""
    lean = 0.12 * (end[0] - start[0])
    # Halfway, a cubic curve takes an eighth of each end and three eighths of each of the points that bend it.
    bend = (8 * height - start[1] - end[1]) / 6
    a, b, c, d = (1 - x) ** 3, 3 * x * (1 - x) ** 2, 3 * x**2 * (1 - x), x**3
    return (
        a * start[0] + b * (start[0] + lean) + c * (end[0] - lean) + d * end[0],
        a * start[1] + (b + c) * bend + d * end[1],
    )


def bezier(start: Point, bend: Point, end: Point, x: float) -> Point:
    """The point at `x` of a quadratic Bézier curve."""
    a, b, c = (1 - x) ** 2, 2 * x * (1 - x), x**2
    return a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1]


def blank(size: tuple[int, int]) -> Image.Image:
    """An empty table."""
    return Image.new("RGB", size, TABLE)
