"""What the audited seat is shown: a question of another game, and how it is to be put."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ostrom.games.audit.rules import Framing
from ostrom.table import Question


@dataclass(frozen=True)
class AuditView:
    """A question within its framing."""

    game: str
    """The game that the question comes from, by its name in records."""
    question: Question
    """The question as that game asks it."""
    framing: Framing

    @property
    def label(self) -> str:
        """What the seat that is asked is called."""
        labels = self.framing.labels
        return str(self.question.seat) if labels is None else labels[self.question.seat.index]

    def as_record(self) -> Mapping[str, Any]:
        """The view as plain data, for those who read rather than compute."""
        inner = self.question.view
        return {
            "game": self.game,
            "turn": self.question.turn,
            "phase": self.question.phase,
            "seat": self.question.seat.index,
            "view": inner.as_record() if hasattr(inner, "as_record") else None,
            "framing": self.framing.model_dump(mode="json"),
        }
