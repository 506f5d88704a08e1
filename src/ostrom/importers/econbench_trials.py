"""What one result file of EconBench tells about one task of one model, and how its trials are entered."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ostrom.core import Fault
from ostrom.games.battery.events import ItemAnswered, SequenceEnded

_NAMED = re.compile(r"^.*?(?:_experiment|_results)_(?P<model>.+)$")
_NUMBER = re.compile(r"^\W*(\d[\d,]*(?:\.\d+)?)\W*$")


@dataclass
class TaskFile:
    """What one file tells about one task of one model."""

    model: str
    task: str
    source: str
    settings: dict[str, Any]
    """The grid, as settings of our rules."""
    items: list[ItemAnswered] = field(default_factory=list)
    sequences: list[SequenceEnded] = field(default_factory=list)
    unread: int = 0
    """Answers that the file counts although the reply that it keeps holds none; they are marked in their details."""
    _asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, role: str, condition: str, facts: Mapping[str, Any], answer: Any, **more: Any) -> None:
        """Enter an item; an answer that is none is one that could not be read."""
        self._asked[role, condition] += 1
        self.items.append(
            ItemAnswered(
                number=len(self.items) + 1,
                task=self.task,
                role=role,
                condition=condition,
                repetition=more.pop("repetition", self._asked[role, condition]),
                purpose="score",
                step=more.pop("step", 0),
                facts=dict(facts),
                options=list(more.pop("options", ())),
                labels=list(more.pop("labels", ())),
                detail=dict(more.pop("detail", {})),
                answer=answer,
                fault=Fault.MALFORMED if answer is None else None,
            )
        )


def model_of(path: Path, content: Mapping[str, Any]) -> str:
    """The model that a file is about: as it says itself, else by its name."""
    named = content.get("model_id") or content.get("model")
    if isinstance(named, str) and named.strip():
        return named.strip()
    match = _NAMED.match(path.stem)
    return match["model"] if match else path.stem


def enter_amount(
    file: TaskFile,
    role: str,
    condition: str,
    facts: Mapping[str, Any],
    trial: Mapping[str, Any],
    given: Any,
    most: float,
) -> None:
    """Enter a number. One that no rule allows is no valid answer."""
    valid = isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= most + 1e-9
    found = _NUMBER.match(str(trial.get("raw_response", "")))
    read = found is not None and valid and abs(float(found[1].replace(",", "")) - given) < 1e-6
    file.unread += valid and not read
    detail = {} if read or not valid else {"unread": True}
    file.add(role, condition, facts, float(given) if valid else None, detail=detail)


def enter_choice(
    file: TaskFile,
    role: str,
    condition: str,
    facts: Mapping[str, Any],
    trial: Mapping[str, Any],
    choices: Mapping[str, str],
) -> None:
    """Enter a choice; `choices` are the words of the file, in the order in which options stood, and what they mean."""
    answer = choices.get(str(trial["decision"]).strip().upper())
    said = re.sub(r"\W+", "", str(trial.get("raw_response", ""))).upper()
    read = answer is not None and choices.get(said) == answer
    file.unread += answer is not None and not read
    detail = {} if read or answer is None else {"unread": True}
    labels = tuple(choices) if set(choices) == {"A", "B"} else ("A", "B")
    file.add(role, condition, facts, answer, options=tuple(choices.values()), labels=labels, detail=detail)


def known(value: Any) -> bool:
    """Whether a file holds a value here: neither nothing nor what is not a number."""
    return value is not None and value == value


def share_of(value: Any) -> float:
    """A number from 0 to 1; anything else is an error."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is not a number from 0 to 1")
    return float(value)


def values_of(trials: Sequence[Mapping[str, Any]], name: str) -> list[float]:
    """The different values that trials have under a name, sorted."""
    return sorted({float(trial[name]) for trial in trials})


def most_asked(trials: Sequence[Mapping[str, Any]], name: str = "repetitions") -> dict[str, int]:
    """How often a cell was asked at most, as a setting."""
    numbers = [int(trial["trial_number"]) for trial in trials if isinstance(trial.get("trial_number"), int)]
    return {name: max(numbers)} if numbers and max(numbers) > 0 else {}
