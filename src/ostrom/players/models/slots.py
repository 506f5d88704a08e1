"""Slots of answers in tags. A slot is a part of the reply that a model in this process writes. The slots are filled one
after the other. If the number of possible texts of a slot is limited, this module lists these texts."""

from collections.abc import Sequence

from ostrom.core import InputError
from ostrom.players.models.engine import Slot
from ostrom.players.models.fields import REASONING, AimedField, AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import NO_SEAT
from ostrom.players.models.optional_fields import NOT_ASKED, PASS, ConditionalField, OptionalField
from ostrom.players.models.prompting import MAX_TEXT, most_text, value_grammar

MAX_CHOICES = 1001
"""The largest number of texts that are listed for a slot. If there are more, the model generates the text freely."""
_FREE = "[^<>]{1,4000}"
"""The grammar of a field that has no grammar of its own."""


def slots_of(fields: Sequence[AnswerField]) -> tuple[Slot, ...]:
    """Return the slots of an answer in tags."""
    return tuple(_slot(field, "\n" if number else "") for number, field in enumerate(fields))


def closed_slot(fields: Sequence[AnswerField]) -> Slot | None:
    """Return the slot of an answer with a single field, if all of the field's possible texts can be listed. Otherwise
    return None. A field for reasoning is left out."""
    asked = [field for field in fields if field.name != REASONING]
    slot = _slot(asked[0]) if len(asked) == 1 else None
    return slot if slot is not None and len(slot.choices) > 1 else None


def _slot(field: AnswerField, separator: str = "") -> Slot:
    try:
        grammar = value_grammar(field)
    except InputError:
        grammar = _FREE
    most = most_text(field.max_words) if isinstance(field, TextField) else MAX_TEXT
    return Slot(f"{separator}<{field.name}>", f"</{field.name}>", _texts(field), grammar, most)


def _texts(field: AnswerField) -> tuple[str, ...]:
    """Return all texts that may be between the tags of a field. The result is empty if there are too many, or if they
    cannot be listed."""
    texts: tuple[str, ...] = ()
    match field:
        case NumberField(whole=True) if field.high - field.low < MAX_CHOICES:
            texts = tuple(str(number * field.scale) for number in range(int(field.low), int(field.high) + 1))
        case ChoiceField():
            texts = tuple(label for label, _ in field.options)
        case AimedField() if len(field.targets) * (field.high - field.low + 1) < MAX_CHOICES:
            spends = _texts(field.spend)
            texts = (NO_SEAT, *(f"{label}={spend}" for label, _ in field.targets for spend in spends))
        case OptionalField() if of := _texts(field.of):
            texts = (*of, PASS)
        case ConditionalField() if of := _texts(field.of):
            texts = (*of, NOT_ASKED)
    return texts if len(texts) <= MAX_CHOICES else ()
