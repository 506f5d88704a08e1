"""Figures and findings in words: numbers, names, leaders, tiers, and how far the answers are the players' own."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from ostrom.charts.families import Cast


@dataclass(frozen=True)
class Unit:
    """How the figures of a measure are written."""

    name: str
    """On the axis."""
    decimals: int = 1
    share: bool = False
    """A part of one, written in per cent."""
    suffix: str = ""

    def say(self, value: float) -> str:
        """The figure as a reader wants it; what rounds to nought has no sign."""
        if self.share:
            return f"{100 * value:z.{self.decimals}f}%"
        return f"{value:z,.{self.decimals}f}{self.suffix}"

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
    """The unit of a table's values, with as many decimals as tell them apart: none for whole numbers that are no
    means."""
    values = frame["value"].cast(pl.Float64).drop_nulls()
    if not mean and bool((values == values.round()).all()):
        return Unit(name, decimals=0)
    reach = float(values.max() or 0.0) - float(values.min() or 0.0)  # type: ignore[arg-type]
    return Unit(name, decimals=0 if reach >= 10_000 else 2 if 1e-9 < reach < 1 else 1)


def share(name: str, decimals: int = 1) -> Unit:
    """The unit of a part of one, under the name that its axis bears."""
    return Unit(name, decimals=decimals, share=True)


def quoted(text: str) -> str:
    """Text that stands in a title with gaps, and is none."""
    return text.replace("{", "{{").replace("}", "}}")


@dataclass(frozen=True)
class Ends:
    """The two ends of a ranking in words, and what they reach."""

    first: str
    high: str
    last: str
    low: str
    alone: bool
    """There is but one player, or all are equal: there is no other end to name."""

    def filled(self, words: str, alike: str, **gaps: object) -> str:
        """The words with their gaps filled in from the two ends, or `alike` where there is but one; a name fills a gap
        and is never read as a pattern."""
        told = {"first": self.first, "high": self.high, "last": self.last, "low": self.low}
        return (alike if self.alone else words).format(**told, **gaps)


def ends(frame: pl.DataFrame, cast: Cast, unit: Unit, *, column: str = "value") -> Ends:
    """Who is at the top and who at the bottom; those who tie are named together."""
    high, low = float(frame[column].max()), float(frame[column].min())  # type: ignore[arg-type]
    return Ends(
        named(_with(frame, column, high), cast),
        unit.say(high),
        named(_with(frame, column, low), cast),
        unit.say(low),
        alone=alike(high, low),
    )


def alike(one: float, other: float) -> bool:
    """Whether two figures are equal but for a rounding error."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def named(players: Sequence[str], cast: Cast) -> str:
    """The players' labels as a phrase that the verb of one fits: `a1 (and b2) ends`, `a1 (and 3 others)'s games`."""
    first, *others = (cast.label(player) for player in players)
    if not others:
        return first
    return f"{first} (and {others[0]})" if len(others) == 1 else f"{first} (and {len(others)} others)"


def _with(frame: pl.DataFrame, column: str, value: float) -> list[str]:
    rows = frame.select("player", column).iter_rows()
    return sorted({player for player, other in rows if other is not None and alike(float(other), value)})
