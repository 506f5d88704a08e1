"""A speech bubble."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from ostrom.charts.film.colours import PAPER, PRINT, Colour, mixed
from ostrom.charts.film.easing import pop
from ostrom.charts.film.lettering import Lettering
from ostrom.charts.film.shapes import rounded_mask

SIZE, LEADING, PADDING, TAIL = 15, 19, 10, 12


@dataclass(frozen=True, slots=True)
class Place:
    """Where a bubble may be: around x, standing on its foot, and no larger than this."""

    x: float
    foot: float
    left: float
    width: int
    lines: int


def room(place: Place) -> float:
    """The width that is left for text."""
    return place.width - 2 * PADDING


def make(lettering: Lettering, lines: Sequence[str], place: Place, colour: Colour, *, now: bool) -> Image.Image:
    """The bubble with its tail, on nothing. The one who speaks now stands out."""
    height = len(lines) * LEADING + 2 * PADDING
    bubble = Image.new("RGBA", (place.width, height + TAIL), (0, 0, 0, 0))
    paper = PAPER if now else mixed(PAPER, PRINT, 0.16)
    bubble.paste((*colour, 255), (0, 0), rounded_mask(place.width, height, 10))
    bubble.paste((*paper, 255), (0, 0), rounded_mask(place.width, height - 4, 10))
    draw = ImageDraw.Draw(bubble)
    tip = place.x - place.left
    draw.polygon([(tip - 9, height - 1), (tip + 9, height - 1), (tip, height + TAIL - 1)], fill=(*colour, 255))
    for row, line in enumerate(lines):
        at = (PADDING, PADDING + row * LEADING + LEADING / 2 - 1)
        draw.text(at, line, PRINT, lettering.font(SIZE), anchor="lm")
    return bubble


def show(image: Image.Image, bubble: Image.Image, place: Place, done: float, fading: float = 0.0) -> None:
    """Put the bubble into the picture while it pops up or fades away."""
    grown = max(0.05, pop(done)) if done < 1 else 1.0
    width, height = bubble.size
    x = place.left
    if grown != 1.0:
        bubble = bubble.resize((max(1, round(width * grown)), max(1, round(height * grown))), Image.Resampling.BILINEAR)
        x = place.x - (place.x - place.left) * grown
    mask = bubble.getchannel("A")
    seen = min(1.0, 2 * done) * (1 - fading)
    if seen < 1:
        mask = mask.point([round(value * seen) for value in range(256)])
    image.paste(bubble, (round(x), round(place.foot - bubble.height)), mask)
