"""A picture being drawn: what scenes need of one, with text that has been made fit for the font."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from ostrom.charts.film.colours import INK, TABLE, Colour
from ostrom.charts.film.lettering import Lettering
from ostrom.core.scene import Quantity

SIZE: Final = (1280, 720)
"""Both divisible by 16, as encoders of video like it."""
WIDTH, HEIGHT = SIZE


class Canvas:
    """A picture and the pen for it."""

    def __init__(self, lettering: Lettering, ground: Image.Image | None = None) -> None:
        self.image = Image.new("RGB", SIZE, TABLE) if ground is None else ground.copy()
        self.draw = ImageDraw.Draw(self.image)
        self.lettering = lettering

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: Colour = INK,
        *,
        anchor: str = "lm",
        width: float | None = None,
        strong: bool = False,
    ) -> None:
        """One line. The anchor is Pillow's: l, m, r and t, m, s (the line's foot). Text wider than `width` is cut."""
        letters = self.lettering
        line = letters.legible(text) if width is None else letters.fitted(text, size, width)
        self.draw.text(at, line, colour, letters.font(size), anchor=anchor, stroke_width=1 if strong else 0)


def short(amount: float) -> str:
    """A number in few signs, however large."""
    if abs(amount) >= 1e15:
        return f"{amount:.1e}"
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(amount) >= limit:
            return f"{amount / limit:,.1f} {unit}"
    return f"{amount:,.0f}" if abs(amount) >= 100 or amount == 0 else f"{amount:,.1f}"


def figure(amount: float | None, quantity: Quantity | None = None) -> str:
    """A quantity as it stands in a picture."""
    if amount is None:
        return "–"
    if quantity is None or quantity.digits is None or abs(amount) >= 1e6:
        text = f"{amount:,.2f}".rstrip("0").rstrip(".") if abs(amount) < 1e6 else short(amount)
    elif quantity.percent:
        text = f"{100 * amount:.{quantity.digits}f} %"
    else:
        text = f"{amount:,.{quantity.digits}f}"
    return f"+{text}" if quantity is not None and quantity.signed and amount > 0 else text


def won(names: Sequence[str]) -> str:
    """Who won, in words that fit a line."""
    if len(names) == 1:
        return f"{names[0]} wins"
    return f"{names[0]} and {names[1]} tie" if len(names) == 2 else f"{len(names)} seats tie"


def round_up(amount: float) -> float:
    """The next round number: an end for an axis."""
    if amount <= 1:
        return 1.0
    power = 1.0
    while power * 10 < amount:
        power *= 10
    return next(power * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * step >= amount)
