"""Published figures of people, which a session of people and the report of a game show beside their own figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A published figure of people for one measure of a game, in the unit of the measure."""

    measure: str
    """The name of the measure."""
    people: str
    """The people, in a few words, such as '92 people in Boston, Chengdu and Samara'."""
    source: str
    """The publication."""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    """The range, if the source gives a range."""
    by_turn: tuple[float, ...] = ()
    """The figures of the turns, from the first one on."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """The rules of the game, with their values, under which the figure was observed, as far as they matter."""
    note: str = ""
    """The limits of a comparison with this figure."""

    def applies(self, rules: Any) -> bool:
        """Return whether a game with these rules can be compared with the figure."""
        return all(getattr(rules, name, None) == value for name, value in self.rules.items())
