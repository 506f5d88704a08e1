"""Whose answers to the battery there are, and which of these subjects are meant."""

from collections.abc import Iterable, Sequence

from ostrom.analysis.chosen import NothingLeft
from ostrom.core import InputError
from ostrom.games.battery.scores.sheets import Tasks
from ostrom.games.battery.scores.table import SubjectScores, score_events
from ostrom.games.battery.tables import events_by_subject
from ostrom.journal.record import GameRecord


def scored_subjects(
    records: Iterable[tuple[str, str, GameRecord]], where: str, subjects: Sequence[str] = ()
) -> list[SubjectScores]:
    """The subjects that answered stated tasks in these games, or those of them that are named, scored; at least one.
    `where` says in words which games were looked at."""
    found: dict[str, Tasks] = dict(events_by_subject(records))
    if not found:
        raise NothingLeft(f"{where} holds no answers to the battery; 'ostrom bench battery' asks for some")
    for wanted in subjects:
        if wanted not in found:
            raise InputError(f"{where} holds no answers of {wanted!r}; there are those of {_named(sorted(found))}")
    return score_events({name: tasks for name, tasks in found.items() if not subjects or name in subjects})


def _named(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
