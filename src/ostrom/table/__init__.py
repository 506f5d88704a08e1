"""What everyone speaks: seats, questions, answers, events, chance, errors. Imports nothing else of ours."""

from ostrom.table.answers import Answer, Provenance, Question
from ostrom.table.calls import Call, Fault, Line, QuestionKey, Usage
from ostrom.table.chance import Chance, GameChance, LoggedChance
from ostrom.table.errors import (
    Disagreement,
    IllegalAnswer,
    InputError,
    OstromError,
    PlayerFault,
    RecordError,
    UnknownName,
)
from ostrom.table.events import Event, EventRegistry
from ostrom.table.game import Moment, Play, Table
from ostrom.table.registry import Registry
from ostrom.table.seats import Seat, seats
from ostrom.table.specs import Amount, Choice, Fields, Several, Spec, Text, Value

__all__ = [
    "Amount",
    "Answer",
    "Call",
    "Chance",
    "Choice",
    "Disagreement",
    "Event",
    "EventRegistry",
    "Fault",
    "Fields",
    "GameChance",
    "IllegalAnswer",
    "InputError",
    "Line",
    "LoggedChance",
    "Moment",
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
    "Table",
    "Text",
    "UnknownName",
    "Usage",
    "Value",
    "seats",
]
