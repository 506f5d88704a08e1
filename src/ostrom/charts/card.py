"""Cards of 1200×630 pixels, which chats and social networks show beside a link. A card is an SVG document whose texts
are measured with the widths of the font that the renderer includes. Players may have any names and models may write
any text; every text is made legible, escaped and cut to its place."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

from ostrom.charts import render
from ostrom.charts.palette import FONT, GRID, INK, PAPER, SOFT
from ostrom.charts.small_png import smaller_png
from ostrom.core.outlets import legible

WIDTH: Final = 1200
HEIGHT: Final = 630
_LEFT: Final = 60
_RIGHT: Final = WIDTH - _LEFT
_FOOT: Final = HEIGHT - 40
_MARK: Final = "#0b6e4f"
"""The colour of the line at the left edge."""
_MAX_ROWS: Final = 6
_MAX_TEXT_CHARACTERS: Final = 700
"""The largest number of characters of a text of a card."""

# The widths of Liberation Sans in thousandths of the size, for the characters from the space to the tilde.
_WIDTHS: Final = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_BOLD: Final = 1.09
"""The factor by which bold letters are wider, at most on average."""


class CardRow(NamedTuple):
    """A player with its figure."""

    name: str
    colour: str
    value: str
    """The figure in words; empty if there is none."""
    share: float
    """The length of the bar, from 0 to 1."""


class CardLine(NamedTuple):
    """The course of a quantity over time."""

    colour: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Card:
    """The contents of a card."""

    kicker: str
    """The kind of thing that the card shows, above the heading."""
    heading: str
    sentences: Sequence[str] = ()
    rows: Sequence[CardRow] = ()
    lines: Sequence[CardLine] = ()
    axis: str = ""
    """The meaning of the lines."""
    picture: str = ""
    """A chart as an SVG document; it takes the place of rows and lines."""
    footer: str = ""

    @property
    def text(self) -> str:
        """The card in words, for readers who do not see the picture."""
        names = [f"{row.name}: {row.value}" if row.value else row.name for row in self.rows]
        return _plain(" ".join([*self.sentences, *([f"{', '.join(names)}."] if names else [])]))


def card_png(card: Card) -> bytes:
    """Return the card as a PNG file."""
    return smaller_png(render.png(card_svg(card), scale=1))


def card_svg(card: Card) -> str:
    """Return the card as an SVG document."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/><rect width="14" height="100%" fill="{_MARK}"/>',
        _text((_LEFT, 72), fitted(card.kicker, 26, _RIGHT - _LEFT), 26, SOFT),
    ]
    right = _LEFT + _COLUMN if card.picture else _RIGHT
    most = 9 if card.picture else 2
    sizes = (38, 34, 30) if card.picture else (46, 38)
    size = next(
        (size for size in sizes if len(wrap(card.heading, size, right - _LEFT, most, bold=True)) < most), sizes[-1]
    )
    y = 72.0
    for line in wrap(card.heading, size, right - _LEFT, most, bold=True):
        y += size * 1.25
        parts.append(_text((_LEFT, y), line, size, INK, bold=True))
    y += 20
    parts += _sentences(card, y, right)
    if card.picture:
        parts.append(_inset(card.picture, (right + 30, 92, _RIGHT, _FOOT - 16)))
    elif not card.sentences:
        parts += _figures(card, y + 6)
    parts.append(_text((_LEFT, _FOOT + 14), fitted(card.footer, 22, _RIGHT - _LEFT - 130), 22, SOFT))
    parts.append(_text((_RIGHT, _FOOT + 14), "Ostrom", 24, _MARK, bold=True, anchor="end"))
    return "".join([*parts, "</svg>"])


_COLUMN: Final = 400
"""The width of the texts beside a picture."""


def _sentences(card: Card, top: float, right: float) -> Iterator[str]:
    """Yield the sentences in the largest size in which all of them fit. Only texts that do not fit in the smallest size
    are cut."""
    foot = _FOOT - 30
    for size in (36, 32, 28, 24):
        room = int((foot - top - 14 * len(card.sentences)) / (size * 1.35))
        wrapped = [wrap(sentence, size, right - _LEFT, room + 1) for sentence in card.sentences]
        if sum(map(len, wrapped)) <= room or size == 24:
            break
    y = top
    for lines in wrapped:
        for line in lines:
            y += size * 1.35
            if y <= foot:
                yield _text((_LEFT, y), line, size, INK)
        y += 14


def _figures(card: Card, top: float) -> Iterator[str]:
    yield from _bars(card.rows, top, 660 if card.lines else _RIGHT)
    if card.lines:
        yield from _course(card, (720.0 if card.rows else float(_LEFT), top + 14, _RIGHT, _FOOT - 50))


def _bars(rows: Sequence[CardRow], top: float, right: float) -> Iterator[str]:
    """Yield a name, a bar and a figure for each row."""
    if not rows:
        return
    visible = rows[:_MAX_ROWS] if len(rows) <= _MAX_ROWS else rows[: _MAX_ROWS - 1]
    slots = len(visible) + (len(rows) > len(visible))
    step = min(76.0, (_FOOT - 26 - top) / slots)
    size = 24 if step >= 54 else 20
    for place, row in enumerate(visible):
        y = top + step * place
        value = fitted(row.value, size, 0.6 * (right - _LEFT), bold=True)
        room = right - _LEFT - (width_of(value, size, bold=True) + 24 if value else 0)
        yield _text((_LEFT, y + size), fitted(row.name, size, room), size, INK)
        if value:
            yield _text((right, y + size), value, size, INK, anchor="end", bold=True)
        high = max(6.0, min(14.0, step - size - 16))
        wide = max(2.0, (right - _LEFT) * min(1.0, max(0.0, row.share)))
        yield f'<rect x="{_LEFT}" y="{y + size + 8:g}" width="{right - _LEFT:g}" height="{high:g}" fill="{GRID}"/>'
        yield (
            f'<rect x="{_LEFT}" y="{y + size + 8:g}" width="{wide:.1f}" height="{high:g}" fill="{escape(row.colour)}"/>'
        )
    if len(rows) > len(visible):
        y = top + step * len(visible) + size
        yield _text((_LEFT, y), f"and {len(rows) - len(visible)} more", size, SOFT)


def _course(card: Card, box: tuple[float, float, float, float]) -> Iterator[str]:
    """Yield a line for each player over the turns of the game."""
    left, top, right, foot = box
    numbers = [value for line in card.lines for value in line.values if value is not None]
    turns = max((len(line.values) for line in card.lines), default=0)
    if not numbers or turns < 2:
        return
    low, high = min(0.0, *numbers), max(numbers)
    high = high if high > low else low + 1.0
    for share in (0.0, 0.5, 1.0):
        y = foot - (foot - top) * share
        yield f'<path d="M{left:g} {y:.1f}H{right:g}" stroke="{GRID}" stroke-width="2"/>'
    for line in card.lines:
        points = [
            f"{left + (right - left) * turn / (turns - 1):.1f},{foot - (foot - top) * (value - low) / (high - low):.1f}"
            for turn, value in enumerate(line.values)
            if value is not None
        ]
        style = f'fill="none" stroke="{escape(line.colour)}" stroke-width="5" stroke-linejoin="round"'
        yield f'<polyline points="{" ".join(points)}" {style}/>'
    yield _text((left, foot + 30), fitted(card.axis, 20, right - left), 20, SOFT)


def _inset(picture: str, box: tuple[float, float, float, float]) -> str:
    """Return an SVG document inside another, within a box."""
    left, top, right, foot = box
    opening, _, rest = picture.partition(">")
    attributes = [
        part for part in opening.removeprefix("<svg").split(" ") if not part.startswith(("width=", "height="))
    ]
    place = f'x="{left:g}" y="{top:g}" width="{right - left:g}" height="{foot - top:g}"'
    return f'<svg {place} preserveAspectRatio="xMidYMin meet" {" ".join(attributes)}>{rest}'


def _text(
    at: tuple[float, float], text: str, size: float, colour: str, *, bold: bool = False, anchor: str = "start"
) -> str:
    """Return a line of text. Characters that the font may lack are elements of their own, because the renderer would
    otherwise draw the whole line in another font, whose widths are unknown."""
    x, y = at
    runs = [match[0] for match in _RUNS.finditer(text)]
    if len(runs) > 1 and anchor == "end":
        x, anchor = x - width_of(text, size, bold=bold), "start"
    weight = ' font-weight="bold"' if bold else ""
    parts = []
    for run in runs:
        parts.append(
            f'<text x="{x:.1f}" y="{y:g}" font-family="{FONT}" font-size="{size:g}" fill="{colour}"'
            f' text-anchor="{anchor}" xml:space="preserve"{weight}>{escape(run)}</text>'
        )
        x += width_of(run, size, bold=bold)
    return "".join(parts)


_IN_FONT: Final = " -\u017e\u2013\u2014\u2018-\u201d\u2026\u03bc\u2212\ufffd"
_RUNS: Final = re.compile(f"[{_IN_FONT}]+|[^{_IN_FONT}]+(?: +[^{_IN_FONT}]+)*")
_INDEX: Final = re.compile("[\u2070-\u2079\u2080-\u2089]")
"""Raised and lowered digits, which the font lacks."""


def _plain(text: str) -> str:
    """Return the text on one line, without characters that a picture cannot show."""
    digits = _INDEX.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return " ".join(legible(" ".join(digits.split()), most=_MAX_TEXT_CHARACTERS).split())


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return an estimate of the width of a text in pixels; characters outside ASCII count as wide ones."""
    total = sum(map(_width, text))
    return total * size / 1000 * (_BOLD if bold else 1)


def _width(character: str) -> int:
    if " " <= character <= "~":
        return _WIDTHS[ord(character) - 32]
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1000
    # Letters with an accent are as wide as the letter; for other characters a wide letter is assumed.
    base = unicodedata.normalize("NFD", character)[0]
    return _WIDTHS[ord(base) - 32] if " " <= base <= "~" else 850


def fitted(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return the text on one line of this width; longer text is cut with an ellipsis."""
    return next(iter(wrap(text, size, width, 1, bold=bold)), "")


def wrap(text: str, size: float, width: float, most: int, *, bold: bool = False) -> list[str]:
    """Return the text on at most `most` lines of this width. A word that is wider than a line is split, and the rest is
    cut with an ellipsis."""
    lines: list[str] = []
    line = ""
    for word in _plain(text).split():
        for piece in _pieces(word, size, width, bold=bold):
            longer = f"{line} {piece}" if line else piece
            if width_of(longer, size, bold=bold) <= width:
                line = longer
            else:
                if line:
                    lines.append(line)
                line = piece
    lines += [line] if line else []
    if len(lines) <= most:
        return lines
    last = f"{lines[most - 1]} {lines[most]}"
    while last and width_of(f"{last}…", size, bold=bold) > width:
        last = last[:-1]
    return [*lines[: most - 1], f"{last.rstrip()}…"]


def _pieces(word: str, size: float, width: float, *, bold: bool) -> Iterator[str]:
    while word and width_of(word, size, bold=bold) > width:
        length = len(word)
        while length > 1 and width_of(word[:length], size, bold=bold) > width:
            length -= 1
        yield word[:length]
        word = word[length:]
    if word:
        yield word
