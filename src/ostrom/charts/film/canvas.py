"""Text and shapes in pictures. Models may write any text. Characters that the font lacks are therefore replaced or
shown as a box, long text is cut with an ellipsis, and no text affects the layout."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import ceil, floor, hypot, pi, sin
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from ostrom.charts.film.colours import COIN, COIN_EDGE, INK, TABLE, Colour
from ostrom.core import InputError

ELLIPSIS: Final = "…"
MISSING: Final = "�"
"""The replacement for a character that the font lacks. Fonts draw it as a box."""
MAX_TEXT: Final = 4_000
"""The largest number of characters of a text. No picture shows more characters."""

_SPELLED: Final = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("•◦▪●", "·"),
    **dict.fromkeys("“”„‟", '"'),
    **dict.fromkeys("‘’‚‛′", "'"),
    "×": "x",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "→": "->",
    "←": "<-",
    "⇒": "=>",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "α": "alpha",
    "Σ": "sum",
    "€": "EUR",
    "£": "GBP",
    "✓": "yes",
    "…": "...",
}


LANDSCAPE: Final = (1280, 720)
PORTRAIT: Final = (720, 1280)
"""The sizes of pictures in units of the layout. Both sides are divisible by 16, because video encoders need this."""


class FrameLayout(NamedTuple):
    """The layout of pictures: their size in units, and the number of pixels per unit."""

    width: int = LANDSCAPE[0]
    height: int = LANDSCAPE[1]
    scale: float = 1.0

    @property
    def dots(self) -> tuple[int, int]:
        return round(self.width * self.scale), round(self.height * self.scale)

    @property
    def upright(self) -> bool:
        return self.height > self.width


LYING: Final = FrameLayout()


class TextMask(NamedTuple):
    """The shape of a drawn text, and the position of its upper left corner relative to the point at which it is
    drawn."""

    picture: Image.Image
    left: int
    top: int


class Lettering:
    """A font in all sizes, and texts that are prepared for this font. Sizes are in units of the layout."""

    def __init__(self, file: Path | None = None, sheet: FrameLayout = LYING) -> None:
        self._file = file
        self.sheet = sheet
        self._fonts = cache(self._font)
        self._spelled = cache(self._spell)
        self._nothing = bytes(self.font(16).getmask("\uffff"))
        self.legible = lru_cache(maxsize=2048)(self._legible)
        self.wrapped = lru_cache(maxsize=256)(self._wrapped)
        self.fitted = lru_cache(maxsize=2048)(self._fitted)
        self.width = lru_cache(maxsize=4096)(self._width)
        self.mask = lru_cache(maxsize=1024)(self._mask)

    def font(self, size: int, *, drawn: bool = False) -> ImageFont.FreeTypeFont:
        """Return the font at a size in units, with which text is measured. If `drawn`, return the font at the same size
        in pixels, with which text is drawn."""
        return self._fonts(round(size * self.sheet.scale) if drawn else size)

    def _font(self, size: int) -> ImageFont.FreeTypeFont:
        """Return the font at a size in pixels. The font is that of Pillow or the given file."""
        if self._file is None:
            font = ImageFont.load_default(size)
            if not isinstance(font, ImageFont.FreeTypeFont):
                raise InputError(
                    "this Pillow was built without FreeType and cannot draw text; install Pillow from its wheel"
                )
            return font
        try:
            # The basic layout places characters in their order in the text, so that direction marks cannot reverse a
            # line.
            return ImageFont.truetype(str(self._file), size, layout_engine=ImageFont.Layout.BASIC)
        except OSError as error:
            raise InputError(f"{self._file} cannot be used as a font: {error}") from error

    def _legible(self, text: str) -> str:
        """Return the text on one line, with single spaces between words. It has only characters of the font."""
        spelled = "".join(self._spelled(sign) for sign in unicodedata.normalize("NFC", text[:MAX_TEXT]))
        return " ".join(spelled.split())

    def _spell(self, sign: str) -> str:
        if sign.isspace():
            return " "
        if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Me", "Mn"):
            return ""
        if self._has(sign):
            return sign
        if sign in _SPELLED:
            return _SPELLED[sign]
        # Accents and ligatures are decomposed. For example, é becomes e if the font has no é.
        bare = [part for part in unicodedata.normalize("NFKD", sign) if unicodedata.category(part) != "Mn"]
        return "".join(bare) if bare and all(self._has(part) for part in bare) else MISSING

    def _has(self, sign: str) -> bool:
        return bytes(self.font(16).getmask(sign)) != self._nothing

    def _width(self, text: str, size: int) -> float:
        """Return the width of a text that `legible` returned, in units of the layout."""
        return self.font(size, drawn=True).getlength(text) / self.sheet.scale

    def _mask(self, line: str, size: int, anchor: str, stroke: int, within: tuple[float, float]) -> TextMask:
        """Return the shape of a line of text. `within` is the position, within a pixel, of the point at which the line
        is drawn."""
        font = self.font(size, drawn=True)
        left, top, right, bottom = font.getbbox(line, anchor=anchor, stroke_width=stroke)
        # The box is that of a text at a whole pixel. A text that is moved within a pixel covers one more pixel.
        left, top = floor(left) - 1, floor(top) - 1
        picture = Image.new("L", (max(1, ceil(right) + 2 - left), max(1, ceil(bottom) + 2 - top)), 0)
        at = (within[0] - left, within[1] - top)
        ImageDraw.Draw(picture).text(at, line, 255, font, anchor=anchor, stroke_width=stroke)
        return TextMask(picture, left, top)

    def _fitted(self, text: str, size: int, width: float) -> str:
        """Return the text on one line of this width. Longer text is cut where necessary, possibly within a word."""
        line = self.legible(text)
        if self.width(line, size) <= width:
            return line
        return self._cut(line[: self._longest_start(line, size, width)], size, width)

    def _wrapped(self, text: str, size: int, width: float, lines: int) -> tuple[str, ...]:
        """Return the text on at most `lines` lines. A word is split only if it is wider than a line."""
        wrapped_lines = list(islice(self._lines(self.legible(text), size, width), lines + 1))
        if len(wrapped_lines) > lines:
            wrapped_lines[lines - 1 :] = [self._cut(wrapped_lines[lines - 1], size, width)]
        return tuple(wrapped_lines)

    def _lines(self, text: str, size: int, width: float) -> Iterator[str]:
        line = ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if self.width(longer, size) <= width:
                line = longer
                continue
            if line:
                yield line
            while len(word) > 1 and self.width(word, size) > width:
                fits = self._longest_start(word, size, width)
                yield word[:fits]
                word = word[fits:]
            line = word
        if line:
            yield line

    def _longest_start(self, word: str, size: int, width: float) -> int:
        lengths = range(1, len(word) + 1)
        return max(1, bisect_right(lengths, width, key=lambda length: self.width(word[:length], size)))

    def _cut(self, line: str, size: int, width: float) -> str:
        mark = self._spelled(ELLIPSIS)
        while line and self.width(line + mark, size) > width:
            line = line[:-1]
        return line.rstrip() + mark


# Shapes.


def part(elapsed: float, begin: float, end: float) -> float:
    """Return the position of `elapsed` between `begin` and `end`, from 0 to 1."""
    if end <= begin:
        return 1.0 if elapsed >= end else 0.0
    return min(1.0, max(0.0, (elapsed - begin) / (end - begin)))


def smooth(x: float) -> float:
    """Return a progress that begins and ends slowly (cubic)."""
    return 4 * x**3 if x < 0.5 else 1 - (2 - 2 * x) ** 3 / 2


def settle(x: float) -> float:
    """Return a progress that begins at full speed and comes to rest."""
    return 1 - (1 - x) ** 3


def pop(x: float) -> float:
    """Return a progress that rises a little above 1 and then falls back to 1."""
    back = 1.4
    return 1 + (back + 1) * (x - 1) ** 3 + back * (x - 1) ** 2


def shake(x: float) -> float:
    """Return a swing about 0 with decreasing amplitude."""
    return sin(x * 6 * pi) * (1 - x) ** 2


def between(low: float, high: float, x: float) -> float:
    """Return the point at the share `x` of the way from low to high."""
    return low + (high - low) * x


Point: TypeAlias = tuple[float, float]

_FINE = 4
"""The factor by which masks are drawn larger before they are reduced to their size. This makes their edges soft."""


@lru_cache(maxsize=512)
def rounded_mask(width: int, height: int, radius: int) -> Image.Image:
    """Return a mask in the shape of a rectangle with round corners."""
    mask = Image.new("L", (width, height), 255)
    radius = min(radius, width // 2, height // 2)
    if radius <= 0:
        return mask
    # Only corners need soft edges. One disc gives all four corners.
    disc = disc_mask(2 * radius)
    for left, x in ((0, 0), (radius, width - radius)):
        for top, y in ((0, 0), (radius, height - radius)):
            mask.paste(disc.crop((left, top, left + radius, top + radius)), (x, y))
    return mask


@lru_cache(maxsize=512)
def disc_mask(diameter: int) -> Image.Image:
    """Return a mask in the shape of a full circle."""
    large = Image.new("L", (diameter * _FINE, diameter * _FINE), 0)
    ImageDraw.Draw(large).ellipse((0, 0, diameter * _FINE - 1, diameter * _FINE - 1), fill=255)
    return large.reduce(_FINE)


def faded(mask: Image.Image, opacity: float) -> Image.Image:
    """Return the mask with lower opacity."""
    return mask if opacity >= 1.0 else mask.point([round(value * max(0.0, opacity)) for value in range(256)])


WIDTH, HEIGHT = LANDSCAPE
"""The size of a landscape picture in units. Everything is placed in these units, and drawn in the pixels of the
film."""

Box: TypeAlias = tuple[float, float, float, float]


class Pen:
    """Draws straight lines and boxes, in units of the picture."""

    def __init__(self, draw: ImageDraw.ImageDraw, scale: float) -> None:
        self._draw, self._scale = draw, scale

    def line(self, ends: Box, fill: Colour, width: float = 1) -> None:
        """Draw a line from one point to another."""
        self._draw.line(
            [coordinate * self._scale for coordinate in ends], fill=fill, width=max(1, round(width * self._scale))
        )

    def rectangle(self, box: Box, fill: Colour) -> None:
        """Draw a box from the upper left to the lower right corner."""
        left, top, right, foot = (edge * self._scale for edge in box)
        if right >= left and foot >= top:
            self._draw.rectangle((left, top, right, foot), fill=fill)


_STEPS: Final = 4
"""The number of positions of a text within a pixel."""


def _whole_and_part(coordinate: float) -> tuple[int, float]:
    """Return the pixel of a coordinate, and the position of the coordinate within this pixel, in steps."""
    steps = round(coordinate * _STEPS)
    return steps // _STEPS, steps % _STEPS / _STEPS


class Canvas:
    """A picture and the pen that draws on it."""

    def __init__(self, lettering: Lettering, ground: Image.Image | None = None) -> None:
        self.image = Image.new("RGB", lettering.sheet.dots, TABLE) if ground is None else ground.copy()
        self.scale = lettering.sheet.scale
        self.draw = Pen(ImageDraw.Draw(self.image), self.scale)
        self.lettering = lettering

    def text(
        self,
        at: Point,
        text: str,
        size: int,
        colour: Colour = INK,
        *,
        anchor: str = "lm",
        width: float | None = None,
        strong: bool = False,
    ) -> None:
        """Draw one line of text. The anchor is that of Pillow: l, m or r, followed by t, m or s (the baseline). Text
        wider than `width` is cut."""
        letters = self.lettering
        line = letters.legible(text) if width is None else letters.fitted(text, size, width)
        # Most texts do not move from picture to picture. So their shapes are drawn once.
        (x, across), (y, down) = (_whole_and_part(coordinate * self.scale) for coordinate in at)
        mask = letters.mask(line, size, anchor, max(1, round(self.scale)) if strong else 0, (across, down))
        self.image.paste(colour, (x + mask.left, y + mask.top), mask.picture)

    def stamp(self, mask: Image.Image, colour: Colour, at: Point, opacity: float = 1.0) -> None:
        """Fill the mask with a colour. The upper left corner of the mask is at `at`. Both are in pixels."""
        self.image.paste(colour, (round(at[0]), round(at[1])), faded(mask, opacity))

    def panel(self, box: Box, colour: Colour, radius: int = 8) -> None:
        """Draw a filled box with round corners, from its upper left to its lower right corner."""
        left, top, right, bottom = (round(edge * self.scale) for edge in box)
        if right > left and bottom > top:
            self.stamp(rounded_mask(right - left, bottom - top, round(radius * self.scale)), colour, (left, top))

    def disc(self, centre: Point, radius: float, colour: Colour, opacity: float = 1.0) -> None:
        """Draw a filled circle."""
        diameter = max(1, round(2 * radius * self.scale))
        left, top = (coordinate * self.scale - diameter / 2 for coordinate in centre)
        self.stamp(disc_mask(diameter), colour, (left, top), opacity)

    def coin(self, centre: Point, radius: float, edge: float = 1.5) -> None:
        """Draw a token."""
        self.disc(centre, radius, COIN_EDGE)
        self.disc(centre, radius - edge, COIN)

    def stroke(
        self, points: Sequence[Point], width: float, colour: Colour, head: float = 0.0, opacity: float = 1.0
    ) -> None:
        """Draw a line through points, with an arrowhead of this size at its end."""
        points = [(x * self.scale, y * self.scale) for x, y in points]
        width, head = width * self.scale, head * self.scale
        around = width / 2 + head + 2
        left, top = (floor(min(point[axis] for point in points) - around) for axis in (0, 1))
        right, bottom = (ceil(max(point[axis] for point in points) + around) for axis in (0, 1))
        fine = 2 if (right - left) * (bottom - top) > 60_000 else _FINE
        large = Image.new("L", ((right - left) * fine, (bottom - top) * fine), 0)
        draw = ImageDraw.Draw(large)
        moved = [((x - left) * fine, (y - top) * fine) for x, y in points]
        draw.line(moved, fill=255, width=max(1, round(width * fine)), joint="curve")
        if head and len(moved) > 1:
            draw.polygon(_head(moved, head * fine), fill=255)
        self.stamp(large.reduce(fine), colour, (left, top), opacity)


def _head(points: Sequence[Point], size: float) -> list[Point]:
    tip = points[-1]
    # The direction of the arrowhead is that of a longer part of the curve. The last step may be too short to have a
    # direction.
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
