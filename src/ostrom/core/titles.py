"""Claims about a finished game. The strongest claim is the title of the game, and all claims together determine its
drama score. A game may declare claims of its own in its part `titles`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ostrom.core.effects import Sentence
from ostrom.core.events import Event

MAX_DRAMA: Final = 4.0
"""The largest number of points that one claim adds to a drama score."""
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement about a finished game that its events confirm."""

    kind: str
    """A short name, such as 'comeback'. Of several claims of one kind, only the strongest adds to the drama score."""
    text: Sentence
    """The statement as one sentence in the present tense, without a full stop."""
    drama: float = 0.0
    """The points that the claim adds to the drama score, at most `MAX_DRAMA`. A claim without points is a title of last
    resort."""
    reason: str = ""
    """The reason why the game is worth watching, in a few words without names; empty for a claim without points."""


Claims: TypeAlias = Callable[[Any, int, Sequence[Event]], Iterable[Claim]]
"""A function from rules, number of seats and events of a finished game to its own claims."""


def count_word(count: int) -> str:
    """Return a number in words up to ten, in figures above."""
    return _COUNTS[count] if 0 <= count < len(_COUNTS) else f"{count:,}"


def amount_text(amount: float, unit: str = "", digits: int | None = None) -> str:
    """Return an amount with its unit, which is in the singular for the amount 1."""
    shown = f"{amount:,.{2 if digits is None else digits}f}"
    if digits is None and "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    shown = "0" if shown == "-0" else shown
    if not unit:
        return shown
    return f"{shown} {unit.removesuffix('s') if shown == '1' else unit}"
