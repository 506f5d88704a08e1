"""Where things stand in a picture of the Commons: on the left, one above the other over the same turns, the capitals,
the economy and who gave what; on the right the race of the seats, and what happened."""

from dataclasses import dataclass
from typing import Final

from ostrom.charts.film.shapes import Point

LEFT: Final = 150
RIGHT: Final = 800
CAPITALS: Final = (96, 318)
"""From top to foot, in pixels."""
STRIPS: Final = ((344, 382), (394, 432), (444, 482))
HEAT: Final = (512, 700)
RACE: Final = (96, 556)
RACE_NAMES: Final = 976
RACE_BARS: Final = (984, 1186)
NEWS: Final = (846, 592)
"""Where the list of what happened begins."""
NEWS_LINES: Final = 5
MOST_RACING: Final = 24


@dataclass(frozen=True, slots=True)
class Layout:
    """Places for a number of seats and turns, under the highest and the lowest capital of the game."""

    seats: int
    turns: int
    most: float
    least: float

    @property
    def step(self) -> float:
        """The width of a turn."""
        return (RIGHT - LEFT) / max(1, self.turns)

    @property
    def cell(self) -> float:
        """The height of a seat's row in the heat map."""
        return min(26.0, (HEAT[1] - HEAT[0]) / self.seats)

    @property
    def racing(self) -> int:
        """How many seats the race shows."""
        return min(self.seats, MOST_RACING)

    @property
    def lane(self) -> float:
        """The height of a seat's row in the race."""
        return min(40.0, (RACE[1] - RACE[0]) / self.racing)

    def x(self, turn: float) -> float:
        """The end of a turn."""
        return LEFT + self.step * turn

    def capital(self, turn: float, amount: float) -> Point:
        """A capital's place."""
        top, foot = CAPITALS
        whole = self.most - self.least
        return self.x(turn), foot - (foot - top) * ((amount - self.least) / whole if whole else 0.0)

    def on_strip(self, strip: int, turn: float, height: float) -> Point:
        """A point on one of the strips; height goes from 0 to 1."""
        top, foot = STRIPS[strip]
        return self.x(turn), foot - (foot - top) * min(1.0, max(0.0, height))

    def heat(self, seat: int, turn: float) -> tuple[float, float, float]:
        """Left edge, top and foot of a cell that begins after so many turns."""
        top = HEAT[0] + self.cell * seat
        return self.x(turn), top, top + max(1.0, self.cell - (1 if self.cell >= 4 else 0))
