"""The shared types of all games: seats, questions, answers, events, chance, errors. It imports no other package of
Ostrom."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostrom.core.chance import Chance, GameChance, LoggedChance
    from ostrom.core.errors import (
        Disagreement,
        IllegalAnswer,
        IllegalCombination,
        InputError,
        JournalError,
        OstromError,
        PlayerFault,
        RecordError,
        UnknownName,
    )
    from ostrom.core.events import Event, EventRegistry, Registry
    from ostrom.core.questions import Answer, Call, Fault, Line, Provenance, Question, QuestionKey, Seat, Usage, seats
    from ostrom.core.specs import Amount, Choice, Fields, Optional, Several, Spec, Text, Value, When
    from ostrom.core.table import Driver, Play, Step, Table

__all__ = [
    "Amount",
    "Answer",
    "Call",
    "Chance",
    "Choice",
    "Disagreement",
    "Driver",
    "Event",
    "EventRegistry",
    "Fault",
    "Fields",
    "GameChance",
    "IllegalAnswer",
    "IllegalCombination",
    "InputError",
    "JournalError",
    "Line",
    "LoggedChance",
    "Optional",
    "OstromError",
    "Play",
    "PlayerFault",
    "Provenance",
    "Question",
    "QuestionKey",
    "RecordError",
    "Registry",
    "Seat",
    "Several",
    "Spec",
    "Step",
    "Table",
    "Text",
    "UnknownName",
    "Usage",
    "Value",
    "When",
    "seats",
]


# Modules are imported when a name is first used. Modules that load quickly come first: errors need neither pydantic nor
# NumPy.
_MODULES = ("errors", "specs", "questions", "chance", "events", "table")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in _MODULES:
            source = importlib.import_module(f"ostrom.core.{module}")
            if hasattr(source, name):
                return globals().setdefault(name, getattr(source, name))
    raise AttributeError(f"module 'ostrom.core' has no attribute {name!r}")
