"""Where things stand in a picture of Contribute & Punish: seats side by side at the foot, the fund at the top, and
between them the stage, on which bubbles stand, tokens fly and punishments strike."""

from dataclasses import dataclass
from typing import Final

from ostrom.charts.film.bubble import LEADING, PADDING, TAIL, Place
from ostrom.charts.film.canvas import WIDTH
from ostrom.charts.film.shapes import Point

MARGIN: Final = 20
FUND: Final[Point] = (WIDTH / 2, 134)
FUND_RADIUS: Final = 60
STAGE_TOP: Final = 206
STAGE_FOOT: Final = 448
BAR_TOP: Final = 482
BAR_FOOT: Final = 640
NAME: Final = 662
DEED: Final = 690

_TOGETHER: Final = 6
"""Up to so many seats there is room for all bubbles side by side; beyond, only who speaks now has one."""
_WIDEST: Final = 300


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns for a number of seats."""

    seats: int

    @property
    def column(self) -> float:
        """The width of a seat's column."""
        return (WIDTH - 2 * MARGIN) / self.seats

    @property
    def bar(self) -> float:
        """The width of a seat's bar."""
        return max(2.0, min(110.0, self.column * 0.5))

    @property
    def together(self) -> bool:
        """Whether all bubbles of a round stand side by side."""
        return self.seats <= _TOGETHER

    @property
    def letters(self) -> int:
        """The size of numbers and labels under which columns of this width stay readable; 0 where none does."""
        return next((size for least, size in ((90, 24), (60, 18), (34, 13), (22, 10)) if self.column >= least), 0)

    def x(self, seat: int) -> float:
        """The middle of a seat's column."""
        return MARGIN + self.column * (seat + 0.5)

    def top(self, balance: float, scale: float) -> float:
        """How high a bar reaches."""
        return BAR_FOOT - (BAR_FOOT - BAR_TOP) * min(1.0, max(0.0, balance / scale))

    def bubble(self, seat: int) -> Place:
        """The place of a seat's bubble."""
        width = round(min(_WIDEST, self.column - 10)) if self.together else _WIDEST
        left = min(max(MARGIN / 2, self.x(seat) - width / 2), WIDTH - MARGIN / 2 - width)
        lines = int((STAGE_FOOT - STAGE_TOP - TAIL - 2 * PADDING) // LEADING)
        # A tail under a rounded corner would hang in the air.
        x = min(max(self.x(seat), left + 20), left + width - 20)
        return Place(x=x, foot=STAGE_FOOT, left=left, width=width, lines=lines)
