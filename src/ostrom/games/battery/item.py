"""Items: the independent questions of a task, as the subject sees them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """One question to one subject. It knows nothing of other items, and names no game."""

    task: str
    """'time', 'risk', 'dictator', …"""
    role: str
    """What the subject is within the task: 'chooser', 'giver', 'proposer', 'responder', 'sender', 'returner', …"""
    condition: str
    """The cell of the grid, such as 'later=100 delay=12 front=0'. Scores are resampled by it."""
    repetition: int
    """Which asking of the same question within its condition, counted from 1."""
    facts: Any
    """The numbers of the question: a frozen dataclass of the task's own file."""
    options: tuple[str, ...] = ()
    """What can be chosen, in the order shown, by what it means ('sooner', 'later'); empty where a number is asked."""
    labels: tuple[str, ...] = ()
    """Under which label ('A', 'B') each of `options` is shown."""
    purpose: str = "score"
    """'score', or the diagnostic that it serves: 'retest', 'dominance', 'reversed', 'transitivity'; or 'statics', where
    it is asked to see what a change of the question does."""
    step: int = 0
    """In an adaptive sequence: 0 and 1 for its ends, from 2 on the bisections."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What else a diagnostic needs to be counted, such as which option dominates. Not shown to the subject."""

    def label_of(self, option: str) -> str:
        """Under which label an option is shown."""
        return self.labels[self.options.index(option)]

    def as_record(self) -> Mapping[str, Any]:
        """The item as plain data, for those who read rather than compute."""
        return {
            "task": self.task,
            "role": self.role,
            **asdict(self.facts),
            "options": dict(zip(self.labels, self.options, strict=True)),
        }
