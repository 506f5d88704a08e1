"""Traces of how answers were written, and flags that describe what is unusual in them.

A trace has counts and times only: pastes, keys, characters, losses of focus, and the time to the first key. It has
nothing that was typed. Flags are descriptions for the host. They do not say that an answer was written by a model, and
they are never a reason to refuse a payment: the rate at which people are flagged is unknown.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median, quantiles
from typing import Final, NamedTuple

from ostrom.core import InputError
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.words import Words, phrase

TRACE_NUMBERS: Final = ("pastes", "keys", "characters", "focus_lost", "first_key_s", "total_s")
"""The numbers of a trace."""
MIN_ANSWERS: Final = 5
"""The smallest number of traced answers for flags that compare shares."""
_MIN_CHARACTERS: Final = 20
_MIN_FIRST_KEYS: Final = 3
_MIN_REHEARSALS: Final = 5

Trace = tuple[str, dict[str, float | None]]
"""The question and the numbers."""


@dataclass(frozen=True, slots=True)
class TraceMeasures:
    """Measures of the traces of one participant."""

    answers: int
    """The number of answers in games."""
    traced: int
    """The number of these answers that came with a trace."""
    pasted: int
    """The number of answers into which something was pasted."""
    keyless_share: float | None
    """The share of answers without any key; None for fewer than `MIN_ANSWERS` traces."""
    keys_per_character: float | None
    """None if hardly anything was typed."""
    first_key_s: float | None
    """The median of the seconds until the first key; None if there are too few."""
    unfocused_share: float | None
    """The share of answers during which the page lost the focus."""


@dataclass(frozen=True, slots=True)
class FlagThresholds:
    """The limits beyond which a measure is flagged. `fit_thresholds` sets them from rehearsals by models."""

    untraced: int = 1
    """The number of answers without a trace."""
    pasted: int = 1
    """The number of answers with a paste."""
    keyless_share: float = 0.9
    keys_per_character: float = 0.5
    first_key_s: float = 0.3
    unfocused_share: float = 0.5


THRESHOLDS: Final = FlagThresholds()
_BOUNDS: Final = {
    "keyless_share": (0.5, 1.0),
    "keys_per_character": (0.1, 0.8),
    "first_key_s": (0.1, 0.5),
    "unfocused_share": (0.3, 1.0),
}
"""The ranges of fitted thresholds. Outside of them, a flag would describe nothing unusual."""
_FLAGGED_ABOVE: Final = ("keyless_share", "unfocused_share")


class TraceFlag(NamedTuple):
    """A flag."""

    name: str
    description: str
    """What the traces show, in a plain sentence."""


def measure_traces(person: Participant) -> TraceMeasures:
    """Return what the traces of a participant show. Only answers in games count."""
    tables = tuple(f"{key} " for key in person.tables)
    numbers = [values for question, values in person.traces if question.startswith(tables)]
    enough = len(numbers) >= MIN_ANSWERS
    typed = [values for values in numbers if _of(values, "keys") > 0]
    characters = sum(_of(values, "characters") for values in numbers)
    firsts = [seconds for values in typed if (seconds := values.get("first_key_s")) is not None]
    return TraceMeasures(
        answers=person.answered,
        traced=len(numbers),
        pasted=sum(_of(values, "pastes") > 0 for values in numbers),
        keyless_share=1 - len(typed) / len(numbers) if enough else None,
        keys_per_character=(
            sum(_of(values, "keys") for values in numbers) / characters if characters >= _MIN_CHARACTERS else None
        ),
        first_key_s=median(firsts) if len(firsts) >= _MIN_FIRST_KEYS else None,
        unfocused_share=sum(_of(values, "focus_lost") > 0 for values in numbers) / len(numbers) if enough else None,
    )


def _of(values: dict[str, float | None], name: str) -> float:
    return values.get(name) or 0.0


def flags_of(person: Participant, words: Words, thresholds: FlagThresholds = THRESHOLDS) -> list[TraceFlag]:
    """Return the flags of a participant in a session that records traces."""
    measures = measure_traces(person)
    flags: list[TraceFlag] = []

    def add(name: str, **values: str | int) -> None:
        flags.append(TraceFlag(name, phrase(words, f"flags.{name}", **values)))

    untraced = max(0, measures.answers - measures.traced)
    if untraced >= thresholds.untraced:
        add("untraced", count=untraced, answers=measures.answers)
    if measures.pasted >= thresholds.pasted:
        add("pasted", count=measures.pasted, answers=measures.traced)
    if measures.keyless_share is not None and measures.keyless_share >= thresholds.keyless_share:
        add("keyless", count=round(measures.keyless_share * measures.traced), answers=measures.traced)
    if measures.keys_per_character is not None and measures.keys_per_character <= thresholds.keys_per_character:
        add("few_keys", keys=f"{measures.keys_per_character:.2f}")
    if measures.first_key_s is not None and measures.first_key_s <= thresholds.first_key_s:
        add("fast", seconds=f"{measures.first_key_s:.2f}")
    if measures.unfocused_share is not None and measures.unfocused_share >= thresholds.unfocused_share:
        add("unfocused", count=round(measures.unfocused_share * measures.traced), answers=measures.traced)
    return flags


def fit_thresholds(rehearsals: Sequence[TraceMeasures], share: float = 0.9) -> FlagThresholds:
    """Return thresholds that flag about this share of rehearsals by models by each measure, within fixed ranges. Use
    other rehearsals to state the rate at which models are flagged. Raise InputError if there are too few."""
    if len(rehearsals) < _MIN_REHEARSALS or not 0 < share < 1:
        raise InputError(f"thresholds need at least {_MIN_REHEARSALS} rehearsals, and a share between 0 and 1")
    fitted = {}
    for name, (low, high) in _BOUNDS.items():
        values = sorted(value for one in rehearsals if (value := getattr(one, name)) is not None)
        if len(values) < _MIN_REHEARSALS:
            continue
        cuts = quantiles(values, n=100, method="inclusive")
        percent = round(share * 100)
        limit = cuts[100 - percent - 1] if name in _FLAGGED_ABOVE else cuts[percent - 1]
        fitted[name] = min(max(limit, low), high)
    return replace(THRESHOLDS, **fitted)


def flagged_share(people: Iterable[Participant], words: Words, thresholds: FlagThresholds = THRESHOLDS) -> float:
    """Return the share of participants with at least one flag. Raise InputError if there is none."""
    flagged = [bool(flags_of(person, words, thresholds)) for person in people]
    if not flagged:
        raise InputError("there are no participants whose flags can be counted")
    return sum(flagged) / len(flagged)
