"""What a judge of quotes may know: the lines of a portion, by the labels of their speakers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.games.quotes.rules import QuotesRules
from ostrom.games.spoken import SpokenLine


@dataclass(frozen=True)
class QuotesView:
    """One portion. The source of the lines is not for the judge."""

    rules: QuotesRules
    turn: int
    portions: int
    """How many there are in all."""
    lines: tuple[SpokenLine, ...]

    @property
    def picks(self) -> int:
        """How many lines may be picked."""
        return min(self.rules.picks, len(self.lines))

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        return {
            "portion": self.turn,
            "portions": self.portions,
            "picks": self.picks,
            "lines": [line.model_dump(mode="json") for line in self.lines],
        }
