"""A decision process: what one seat of a game faces where everybody else has finitely many states."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ostrom.core.arrays import Array


@dataclass(frozen=True, eq=False)
class DecisionProcess:
    """Situations, what can be done in each, what that brings and where it leads. It starts in the first situation."""

    actions: tuple[str, ...]
    """The names of what can be done."""
    gains: Array
    """(situations, actions) What a turn brings on average."""
    leads: Array
    """(situations, actions, situations) With which probability one leads to another."""
    turns: int | None
    """How many turns there are; None where each is followed by another with probability `continuation`."""
    continuation: float
    strategy: Callable[[Array], Any]
    """The strategy over rows that follows a plan: (turns, situations) the number of the action in each turn, where the
    last row holds for all turns after it."""
    text: Callable[[Array], str]
    """The text of a file that holds a plan."""
    family: str
    """The family of players that reads such a file."""
