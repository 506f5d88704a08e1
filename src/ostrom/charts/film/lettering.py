"""Text in pictures. Models write whatever they like: what the font lacks is spelled otherwise or shown as a box, what
is too long is cut with an ellipsis, and nothing steers the layout."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from PIL import ImageFont

from ostrom.core import InputError

ELLIPSIS: Final = "…"
MISSING: Final = "�"
"""Stands for a sign that the font lacks; fonts draw it as a box."""
LONGEST: Final = 4_000
"""More signs than any picture shows; what lies beyond is not even looked at."""

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
"""Units of a picture; both sides divisible by 16, as encoders of video like it."""


class Sheet(NamedTuple):
    """What pictures are drawn on: how many units they have, and how many dots a unit has."""

    width: int = LANDSCAPE[0]
    height: int = LANDSCAPE[1]
    scale: float = 1.0

    @property
    def dots(self) -> tuple[int, int]:
        return round(self.width * self.scale), round(self.height * self.scale)

    @property
    def upright(self) -> bool:
        return self.height > self.width


LYING: Final = Sheet()


class Lettering:
    """A font in all sizes, and text made fit for it; sizes are in units of the sheet."""

    def __init__(self, file: Path | None = None, sheet: Sheet = LYING) -> None:
        self._file = file
        self.sheet = sheet
        self._fonts = cache(self._font)
        self._spelled = cache(self._spell)
        self._nothing = bytes(self.font(16).getmask("\uffff"))
        self.legible = lru_cache(maxsize=2048)(self._legible)
        self.wrapped = lru_cache(maxsize=256)(self._wrapped)
        self.fitted = lru_cache(maxsize=2048)(self._fitted)

    def font(self, size: int, *, drawn: bool = False) -> ImageFont.FreeTypeFont:
        """The font at a size, to measure text with; or in dots, to draw it."""
        return self._fonts(round(size * self.sheet.scale) if drawn else size)

    def _font(self, size: int) -> ImageFont.FreeTypeFont:
        """The font at a size in pixels: the one that comes with Pillow, or the file that was given."""
        if self._file is None:
            font = ImageFont.load_default(size)
            if not isinstance(font, ImageFont.FreeTypeFont):
                raise InputError(
                    "this Pillow was built without FreeType and cannot draw text; install Pillow from its wheel"
                )
            return font
        try:
            # The basic layout puts sign after sign, so that marks of direction in a text cannot turn a line around.
            return ImageFont.truetype(str(self._file), size, layout_engine=ImageFont.Layout.BASIC)
        except OSError as error:
            raise InputError(f"{self._file} cannot be used as a font: {error}") from error

    def _legible(self, text: str) -> str:
        """The text in signs that the font has, on one line, single spaces between words."""
        spelled = "".join(self._spelled(sign) for sign in unicodedata.normalize("NFC", text[:LONGEST]))
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
        # Accents and ligatures apart: é becomes e where the font has no é.
        bare = [part for part in unicodedata.normalize("NFKD", sign) if unicodedata.category(part) != "Mn"]
        return "".join(bare) if bare and all(self._has(part) for part in bare) else MISSING

    def _has(self, sign: str) -> bool:
        return bytes(self.font(16).getmask(sign)) != self._nothing

    def width(self, text: str, size: int) -> float:
        """How wide legible text stands, in units."""
        return self.font(size, drawn=True).getlength(text) / self.sheet.scale

    def _fitted(self, text: str, size: int, width: float) -> str:
        """The text on one line of this width, cut where it must be, be it within a word."""
        line = self.legible(text)
        if self.width(line, size) <= width:
            return line
        return self._cut(line[: self._longest_start(line, size, width)], size, width)

    def _wrapped(self, text: str, size: int, width: float, lines: int) -> tuple[str, ...]:
        """The text on at most so many lines; words break only where one is wider than a line."""
        made = list(islice(self._lines(self.legible(text), size, width), lines + 1))
        if len(made) > lines:
            made[lines - 1 :] = [self._cut(made[lines - 1], size, width)]
        return tuple(made)

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
