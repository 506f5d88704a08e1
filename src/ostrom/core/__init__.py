"""What everyone speaks: seats, questions, answers, events, chance, errors. Imports nothing else of ours."""

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
from ostrom.core.seats import Seat, seats
from ostrom.core.specs import Amount, Choice, Fields, Several, Spec, Text, Value
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
