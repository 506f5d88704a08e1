"""The seats of a film, their places, their amounts in words, and the colours of films. The table is dark, and its hues
can be distinguished with any kind of colour vision. Colour is never the only sign: seats also have labels, and amounts
have numbers."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ostrom.charts.palette import DARK, distinct_colours
from ostrom.core.effects import Sentence
from ostrom.core.scene import Quantity, Scene
from ostrom.core.telling import render

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
"""The colours of seats. The first eight follow Okabe and Ito (2008), and are lighter if the original is too dark for
this table. Violet, pale green, blue and rose follow. With any kind of colour vision, these four are as easy to
distinguish from the others as the first eight. Vermilion is reserved for losses."""

_MILD: Final[Colour] = (244, 165, 130)
_SEVERE: Final[Colour] = (226, 60, 40)

_MAX_SEATS: Final = 12
"""The number of seats that have distinct colours in a GIF."""

_KEPT: Final[Colour] = (58, 98, 178)
_HALF: Final[Colour] = (150, 150, 145)
_GIVEN: Final[Colour] = (255, 221, 84)


def seat_colours(seats: int, colours: Sequence[str | None] = ()) -> tuple[Colour, ...]:
    """Return the colour of each seat: the colour that its player has in charts, in its form for dark paper. Up to
    twelve seats have different colours. Further seats differ in lightness. Without `colours`, the twelve colours are
    used in order."""
    known = [colour for colour in colours[:seats] if colour is not None]
    inks = iter(distinct_colours(known))
    matching: list[Colour] = []
    counts: Counter[str] = Counter()
    for seat in range(seats):
        if seat >= len(colours) or colours[seat] is None:
            matching.append(SEATS[seat % len(SEATS)])
            continue
        ink = next(inks)
        matching.append(_on_table(_channels(DARK.get(ink, ink)), counts[ink]))
        counts[ink] += 1
    return tuple(matching)


def _channels(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


_CONTRAST: Final = 4.5
"""The contrast that text needs (WCAG AA). Seat colours need it because labels have these colours."""


def _on_table(colour: Colour, shade: int) -> Colour:
    """Return a colour that is light enough to be readable on the table. Each step of `shade` lightens it further."""
    part = 0.0
    while contrast(mixed(colour, INK, part), TABLE) < _CONTRAST:
        part += 0.05
    return mixed(colour, INK, min(0.8, part + 0.3 * shade * (1 - part)))


def contrast(first: Colour, second: Colour) -> float:
    """Return the ratio of two colours' luminance (WCAG 2)."""
    low, high = sorted(_luminance(colour) for colour in (first, second))
    return high / low


def _luminance(colour: Colour) -> float:
    linear = [x / 12.92 if (x := part / 255) <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05


def mixed(low: Colour, high: Colour, x: float) -> Colour:
    """Return the mixture of two colours, with the share `x` of the second."""
    red, green, blue = (round(a + (b - a) * x) for a, b in zip(low, high, strict=True))
    return red, green, blue


def punishment_colour(severity: float) -> Colour:
    """Return a colour for a severity, from mild to severe."""
    return mixed(_MILD, _SEVERE, min(1.0, max(0.0, severity)))


def giving_colour(fraction: float) -> Colour:
    """Return the colour of a seat's contribution, from blue (nothing) over grey to yellow (all). The scale can be read
    with any kind of colour vision, and even by brightness alone."""
    x = min(1.0, max(0.0, fraction))
    return mixed(_KEPT, _HALF, 2 * x) if x < 0.5 else mixed(_HALF, _GIVEN, 2 * x - 1)


def film_palette(seats: Sequence[Colour] = SEATS) -> list[Colour]:
    """Return at most 256 colours that approximate all colours in a picture. They are each colour, and the soft edges
    between the colour and its background."""
    inks = (INK, SOFT, FAINT, LINE, PANEL, COIN, LOSS, GAIN, _MILD, _SEVERE, *dict.fromkeys(seats[:_MAX_SEATS]))
    palette = [TABLE, PAPER, PRINT, COIN_EDGE, mixed(PAPER, PRINT, 0.16)]
    palette += [mixed(TABLE, ink, step / 6) for ink in inks for step in range(1, 7)]
    palette += [mixed(PANEL, ink, step / 4) for ink in (INK, SOFT, COIN, LOSS) for step in range(1, 4)]
    palette += [mixed(paper, PRINT, step / 8) for paper in (PAPER, COIN) for step in range(1, 8)]
    palette += [mixed(COIN, COIN_EDGE, 0.5), mixed(TABLE, COIN_EDGE, 0.5)]
    palette += [giving_colour(step / 48) for step in range(49)]
    palette += [mixed(TABLE, giving_colour(step / 8), 0.5) for step in range(9)]
    return list(dict.fromkeys(palette))[:256]


_DECIMALS = 9
"""The number of decimals for ties. Amounts that differ only beyond these decimals are equal up to rounding errors."""


@dataclass(frozen=True, slots=True)
class FilmCast:
    """The seats of a game."""

    labels: tuple[str, ...]
    players: tuple[str, ...]
    """The names of the players."""
    colours: tuple[Colour, ...] = ()
    """The colours by seat. The default is a fixed sequence."""
    roles: tuple[str, ...] = ()
    """A text for each seat, such as its role."""

    def role(self, seat: int) -> str:
        """Return the role of a seat. It is empty if the seat has no role."""
        return self.roles[seat] if seat < len(self.roles) else ""

    def colour(self, seat: int) -> Colour:
        """Return the colour of a seat."""
        return self.colours[seat] if seat < len(self.colours) else SEATS[seat % len(SEATS)]

    @property
    def names(self) -> list[str]:
        """The name of each seat on one line. If players share a name, each name begins with the seat's label, since a
        narrow picture cuts the end."""
        return [
            f"{label} {player}" if self.players.count(player) > 1 else player
            for label, player in zip(self.labels, self.players, strict=True)
        ]

    def words(self, sentence: Sentence) -> str:
        """Return a sentence in which seats are named by their labels."""
        return render(sentence, self.labels)


def ranks(held: Sequence[float | None], better: str = "higher") -> list[int]:
    """Return the rank of each seat, from 1. Equal amounts share a rank, and unknown amounts are last."""
    sign = 1 if better == "higher" else -1
    rounded = [-math.inf if amount is None else round(sign * amount, _DECIMALS) for amount in held]
    return [1 + sum(other > amount for other in rounded) for amount in rounded]


def in_order(places: Sequence[int]) -> list[int]:
    """Return the seats in the order of their ranks. Of seats with equal ranks, the one with the lower number is
    first."""
    return sorted(range(len(places)), key=lambda seat: (places[seat], seat))


def main_quantity(scene: Scene) -> str | None:
    """Return the quantity of seats that a film shows."""
    if scene.card is not None:
        return scene.card.quantity
    return scene.final or next((name for name, quantity in scene.quantities.items() if quantity.of == "seat"), None)


def short(amount: float) -> str:
    """Return a number as a short text, even if the number is large."""
    if abs(amount) >= 1e15:
        return f"{amount:.1e}"
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(amount) >= limit:
            return f"{amount / limit:z,.1f}".removesuffix(".0") + f" {unit}"
    return f"{amount:z,.0f}" if abs(amount) >= 100 else f"{amount:z,.1f}".removesuffix(".0")


def figure(amount: float | None, quantity: Quantity | None = None) -> str:
    """Return an amount as text, in the form in which a picture shows this quantity."""
    if amount is None:
        return "–"
    if quantity is None or quantity.digits is None or abs(amount) >= 1e6:
        text = f"{amount:z,.2f}".rstrip("0").rstrip(".") if abs(amount) < 1e6 else short(amount)
    elif quantity.percent:
        text = f"{100 * amount:z.{quantity.digits}f} %"
    else:
        text = f"{amount:z,.{quantity.digits}f}"
    return f"+{text}" if quantity is not None and quantity.signed and amount > 0 else text


def won(names: Sequence[str]) -> str:
    """Return the winners in words that fit a line."""
    if len(names) == 1:
        return f"{names[0]} wins"
    return f"{names[0]} and {names[1]} tie" if len(names) == 2 else f"{len(names)} seats tie"


def round_up(amount: float) -> float:
    """Return the next higher round number, for the end of an axis."""
    if amount <= 1:
        return 1.0
    power = 1.0
    while power * 10 < amount:
        power *= 10
    return next(power * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * step >= amount)
