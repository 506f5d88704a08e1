"""The seats of a film, their places, and their amounts in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from ostrom.charts.film.colours import SEATS, Colour
from ostrom.core.effects import Sentence
from ostrom.core.scene import Quantity, Scene
from ostrom.core.telling import render

_DECIMALS = 9
"""Amounts that differ beyond these decimals are ties, up to rounding errors."""


@dataclass(frozen=True, slots=True)
class FilmCast:
    """The seats of a game."""

    labels: tuple[str, ...]
    players: tuple[str, ...]
    """The names of the players."""
    colours: tuple[Colour, ...] = ()
    """The colours by seat; by default a fixed sequence."""

    def colour(self, seat: int) -> Colour:
        """Return the colour of a seat."""
        return self.colours[seat] if seat < len(self.colours) else SEATS[seat % len(SEATS)]

    @property
    def names(self) -> list[str]:
        """The name of each seat on one line. Labels are first where players share a name: they distinguish seats, and a
        narrow picture cuts the end."""
        return [
            f"{label} {player}" if self.players.count(player) > 1 else player
            for label, player in zip(self.labels, self.players, strict=True)
        ]

    def words(self, sentence: Sentence) -> str:
        """Return a sentence with seats by their labels."""
        return render(sentence, self.labels)


def ranks(held: Sequence[float], better: str = "higher") -> list[int]:
    """Return the place of each seat, from 1; equal amounts share a place."""
    rounded = [round(one if better == "higher" else -one, _DECIMALS) for one in held]
    return [1 + sum(other > one for other in rounded) for one in rounded]


def in_order(places: Sequence[int]) -> list[int]:
    """Return the seats by their places; of equals the earlier seat is first."""
    return sorted(range(len(places)), key=lambda seat: (places[seat], seat))


def main_quantity(scene: Scene) -> str | None:
    """Return the seats' quantity that a film shows."""
    if scene.card is not None:
        return scene.card.quantity
    return scene.final or next((name for name, one in scene.quantities.items() if one.of == "seat"), None)


def short(amount: float) -> str:
    """Return a number in few characters, however large."""
    if abs(amount) >= 1e15:
        return f"{amount:.1e}"
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(amount) >= limit:
            return f"{amount / limit:z,.1f} {unit}"
    return f"{amount:z,.0f}" if abs(amount) >= 100 or amount == 0 else f"{amount:z,.1f}"


def figure(amount: float | None, quantity: Quantity | None = None) -> str:
    """Return a quantity as a picture shows it."""
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
    """Return the next round number, for the end of an axis."""
    if amount <= 1:
        return 1.0
    power = 1.0
    while power * 10 < amount:
        power *= 10
    return next(power * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * step >= amount)
