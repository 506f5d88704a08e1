"""Figures as text: units, number formats, and the extremes of a ranking."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from ostrom.charts.families import Cast
from ostrom.core.finding import Format


@dataclass(frozen=True)
class Unit:
    """The format in which a measure's figures are written."""

    name: str
    """The title of the axis."""
    decimals: int = 1
    share: bool = False
    """True if the figure is a share, which is written in per cent."""
    suffix: str = ""

    def say(self, value: float) -> str:
        """Return the figure as text. A figure that rounds to 0 has no sign."""
        if self.share:
            return f"{100 * value:z.{self.decimals}f}%"
        return f"{value:z,.{self.decimals}f}{self.suffix}"

    @property
    def format(self) -> Format:
        """The number format of a column of a table."""
        return Format(f"z.{self.decimals}%") if self.share else Format(f"z,.{self.decimals}f", suffix=self.suffix)

    @property
    def axis(self) -> str:
        return "~%" if self.share else ",~f"

    @property
    def precise(self) -> str:
        return ".2%" if self.share else ",.2f"


TOKENS: Final = Unit("tokens")
WHOLE: Final = Unit("tokens", decimals=0)
RANK: Final = Unit("mean rank, 1 is best", decimals=2)
GINI: Final = Unit("Gini coefficient", decimals=3)


def figures(frame: pl.DataFrame, name: str, *, mean: bool = False) -> Unit:
    """Return the unit of a table's values. It has enough decimals to distinguish the values. Whole numbers that are not
    means have no decimals."""
    values = frame["value"].cast(pl.Float64).drop_nulls()
    if not mean and bool((values == values.round()).all()):
        return Unit(name, decimals=0)
    reach = float(values.max() or 0.0) - float(values.min() or 0.0)  # type: ignore[arg-type]
    return Unit(name, decimals=0 if reach >= 10_000 else 2 if 1e-9 < reach < 1 else 1)


def share(name: str, decimals: int = 1) -> Unit:
    """Return the unit of a share, with the title of its axis."""
    return Unit(name, decimals=decimals, share=True)


def quoted(text: str) -> str:
    """Return text with escaped braces, for use in a title with gaps."""
    return text.replace("{", "{{").replace("}", "}}")


@dataclass(frozen=True)
class Ends:
    """The two ends of a ranking, with players and figures as text."""

    first: str
    high: str
    last: str
    low: str
    alone: bool
    """True if there is only one player, or if all players are equal."""

    def filled(self, words: str, alike: str, **gaps: object) -> str:
        """Return `words` with its gaps filled by the two ends, or `alike` if the ends are equal. Braces in names are
        not interpreted as gaps."""
        gaps_filled = {"first": self.first, "high": self.high, "last": self.last, "low": self.low}
        return (alike if self.alone else words).format(**gaps_filled, **gaps)


def ends(frame: pl.DataFrame, cast: Cast, unit: Unit, *, column: str = "value") -> Ends:
    """Return the players at the top and at the bottom. Tied players are named together."""
    high, low = float(frame[column].max()), float(frame[column].min())  # type: ignore[arg-type]
    return Ends(
        named(_with(frame, column, high), cast),
        unit.say(high),
        named(_with(frame, column, low), cast),
        unit.say(low),
        alone=alike(high, low),
    )


def alike(value: float, other: float) -> bool:
    """Return whether two figures are equal up to rounding."""
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)


def named(players: Sequence[str], cast: Cast) -> str:
    """Return the players' labels as a phrase in the singular: `a1 (and b2) ends`, `a1 (and 3 others)'s games`."""
    first, *others = (cast.label(player) for player in players)
    if not others:
        return first
    return f"{first} (and {others[0]})" if len(others) == 1 else f"{first} (and {len(others)} others)"


def _with(frame: pl.DataFrame, column: str, value: float) -> list[str]:
    rows = frame.select("player", column).iter_rows()
    return sorted({player for player, other in rows if other is not None and alike(float(other), value)})
