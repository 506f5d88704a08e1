"""What a judge of promises may know: lines of one round, by the labels of their speakers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.games.promises.rules import PromisesRules
from ostrom.games.spoken import SpokenLine


@dataclass(frozen=True)
class PromisesView:
    """Lines of one round. Their source, and what was contributed afterwards, is not for the judge."""

    rules: PromisesRules
    turn: int
    round: int
    lines: tuple[SpokenLine, ...]

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        return {"round": self.round, "lines": [line.model_dump(mode="json") for line in self.lines]}
