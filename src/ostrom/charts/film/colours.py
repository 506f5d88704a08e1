"""The colours of films: a dark table, and hues that people with any kind of colour vision can distinguish. Colour is
never the only sign: seats have their labels, and amounts their numbers."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int]

TABLE: Final[Colour] = (20, 24, 33)
PANEL: Final[Colour] = (30, 36, 48)
LINE: Final[Colour] = (58, 67, 84)
INK: Final[Colour] = (238, 240, 244)
SOFT: Final[Colour] = (160, 170, 187)
FAINT: Final[Colour] = (105, 115, 133)
PAPER: Final[Colour] = (246, 244, 238)
PRINT: Final[Colour] = (28, 32, 40)
COIN: Final[Colour] = (240, 196, 25)
COIN_EDGE: Final[Colour] = (176, 132, 8)
LOSS: Final[Colour] = (255, 112, 67)
GAIN: Final[Colour] = (86, 201, 160)

SEATS: Final[tuple[Colour, ...]] = (
    (86, 180, 233),
    (230, 159, 0),
    (0, 178, 130),
    (214, 137, 184),
    (150, 160, 255),
    (240, 228, 66),
    (200, 200, 200),
    (178, 135, 100),
    (112, 76, 244),
    (208, 244, 160),
    (76, 100, 196),
    (240, 90, 160),
)
"""Eight after Okabe and Ito (2008), lightened where the original is too dark for this table; then violet, pale green,
blue and rose, as far from the others for every kind of colour vision as those are. Vermilion is reserved for losses."""

_MILD: Final[Colour] = (244, 165, 130)
_SEVERE: Final[Colour] = (226, 60, 40)

_MAX_SEATS: Final = 12
"""The number of seats with distinct colours in a GIF."""

_KEPT: Final[Colour] = (58, 98, 178)
_HALF: Final[Colour] = (150, 150, 145)
_GIVEN: Final[Colour] = (255, 221, 84)


def seat_colours(seats: int, colours: Sequence[str | None] = ()) -> tuple[Colour, ...]:
    """Return the colour of each seat: its player's colour in charts, lightened for this table; seats of equal colours
    differ in lightness. Without players, the twelve colours in order."""
    matching: list[Colour] = []
    counts: Counter[str] = Counter()
    for seat in range(seats):
        target = colours[seat] if seat < len(colours) else None
        if target is None:
            matching.append(SEATS[seat % len(SEATS)])
            continue
        matching.append(_on_table(_channels(target), counts[target]))
        counts[target] += 1
    return tuple(matching)


def _channels(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


_CONTRAST: Final = 4.5
"""The contrast that text needs (WCAG AA): labels have these colours."""


def _on_table(colour: Colour, shade: int) -> Colour:
    """Return a colour lightened until it is readable on the table, and by `shade` steps more."""
    part = 0.0
    while contrast(mixed(colour, INK, part), TABLE) < _CONTRAST:
        part += 0.05
    return mixed(colour, INK, min(0.8, part + 0.3 * shade * (1 - part)))


def contrast(one: Colour, other: Colour) -> float:
    """Return the ratio of two colours' luminance (WCAG 2)."""
    low, high = sorted(_luminance(each) for each in (one, other))
    return high / low


def _luminance(colour: Colour) -> float:
    linear = [x / 12.92 if (x := part / 255) <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05


def mixed(low: Colour, high: Colour, x: float) -> Colour:
    """Return the colour at the share `x` of the way from one to the other."""
    red, green, blue = (round(a + (b - a) * x) for a, b in zip(low, high, strict=True))
    return red, green, blue


def punishment_colour(severity: float) -> Colour:
    """Return a colour from mild to severe."""
    return mixed(_MILD, _SEVERE, min(1.0, max(0.0, severity)))


def giving_colour(fraction: float) -> Colour:
    """Return the colour of a seat's contribution, from blue (nothing) over grey to yellow (all): a scale that reads the
    same in every kind of colour vision, and by brightness alone."""
    x = min(1.0, max(0.0, fraction))
    return mixed(_KEPT, _HALF, 2 * x) if x < 0.5 else mixed(_HALF, _GIVEN, 2 * x - 1)


def film_palette(seats: Sequence[Colour] = SEATS) -> list[Colour]:
    """Return at most 256 colours that approximate everything in a picture: each colour, and its soft edge towards its
    background."""
    inks = (INK, SOFT, FAINT, LINE, PANEL, COIN, LOSS, GAIN, _MILD, _SEVERE, *dict.fromkeys(seats[:_MAX_SEATS]))
    palette = [TABLE, PAPER, PRINT, COIN_EDGE, mixed(PAPER, PRINT, 0.16)]
    palette += [mixed(TABLE, ink, step / 6) for ink in inks for step in range(1, 7)]
    palette += [mixed(PANEL, ink, step / 4) for ink in (INK, SOFT, COIN, LOSS) for step in range(1, 4)]
    palette += [mixed(paper, PRINT, step / 8) for paper in (PAPER, COIN) for step in range(1, 8)]
    palette += [mixed(COIN, COIN_EDGE, 0.5), mixed(TABLE, COIN_EDGE, 0.5)]
    palette += [giving_colour(step / 48) for step in range(49)]
    palette += [mixed(TABLE, giving_colour(step / 8), 0.5) for step in range(9)]
    return list(dict.fromkeys(palette))[:256]
