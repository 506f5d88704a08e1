"""What everyone speaks: seats, questions, answers, events, chance, errors. Imports nothing else of ours."""

import importlib
from typing import TYPE_CHECKING, Any

# At once: the function has the name of its module.
from ostrom.core.seats import Seat, seats

if TYPE_CHECKING:
    from ostrom.core.chance import Chance, GameChance, LoggedChance
    from ostrom.core.errors import (
        Disagreement,
        IllegalAnswer,
        InputError,
        OstromError,
        PlayerFault,
        RecordError,
        UnknownName,
    )
    from ostrom.core.events import Event, EventRegistry
    from ostrom.core.questions import Answer, Call, Fault, Line, Provenance, Question, QuestionKey, Usage
    from ostrom.core.registry import Registry
    from ostrom.core.specs import Amount, Choice, Fields, Several, Spec, Text, Value
    from ostrom.core.table import Driver, Play, Step, Table

# Looked up when first used: errors and entry points are read without pydantic and NumPy.
_WHERE = {
    "ostrom.core.chance": "Chance GameChance LoggedChance",
    "ostrom.core.errors": "Disagreement IllegalAnswer InputError OstromError PlayerFault RecordError UnknownName",
    "ostrom.core.events": "Event EventRegistry",
    "ostrom.core.questions": "Answer Call Fault Line Provenance Question QuestionKey Usage",
    "ostrom.core.registry": "Registry",
    "ostrom.core.specs": "Amount Choice Fields Several Spec Text Value",
    "ostrom.core.table": "Driver Play Step Table",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}

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
    "InputError",
    "Line",
    "LoggedChance",
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
    "seats",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'ostrom.core' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value
