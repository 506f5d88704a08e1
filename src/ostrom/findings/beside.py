"""Games of a journal beside the published data of people: the games of an imported study, and the differences of the
designs in words."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from ostrom.analysis.pooling import PoolOption
from ostrom.analysis.provenance import IMPORTED, StudyProvenance
from ostrom.analysis.selection import Selection, select_tables
from ostrom.analysis.tables import GameTables
from ostrom.core.errors import InputError, field
from ostrom.core.text import number_of
from ostrom.core.verb import Reporter
from ostrom.journal.sql import Journal

MAX_VALUES: Final = 3
"""The largest number of values of a rule that are listed. Of more numbers, the smallest and the largest are named."""
_NOT_RULES: Final = frozenset({"preset", "version of the game"})
"""Entries that are no rules: the preset only fills in other rules."""
_CAUTION: Final = (
    "Nothing was assigned at random between the two: a difference can come from the players, and as well from the "
    "design, the participants, the stakes and the instructions of the study."
)


def tables_of_people(
    journal: Journal, study: str, game: str | None, reporter: Reporter
) -> tuple[GameTables, StudyProvenance]:
    """Return the tables of an imported study of people. All its designs are pooled. Raise `InputError` if the journal
    does not have the study."""
    row = next((row for row in journal.experiments() if study in (row.id, row.name)), None)
    if row is None or row.kind != IMPORTED:
        raise InputError(
            f"{field('beside', study)}: the journal has no imported study of this name; "
            f"'ostrom import study {study} DIR' imports one"
        )
    selection = Selection.select(study, game=game, pool=get_args(PoolOption))
    return select_tables(journal, selection, reporter.note, reporter.spell)


def design_sentences(
    pair: tuple[str, str],
    tables: tuple[GameTables, GameTables],
    provenance: tuple[StudyProvenance, StudyProvenance],
) -> list[str]:
    """Return sentences on the differences between the designs of two sets of games."""
    sides = [_values_of(one, table) for one, table in zip(provenance, tables, strict=True)]
    differences = [
        f"{name.replace('_', ' ')} {_shown(sides[0].get(name, {}))} in “{pair[0]}”, {_shown(sides[1].get(name, {}))} "
        f"in “{pair[1]}”"
        for name in dict.fromkeys([*sides[0], *sides[1]])
        if set(sides[0].get(name, {})) != set(sides[1].get(name, {}))
    ]
    if not differences:
        return [f"Both have the same rules and the same number of seats. {_CAUTION}"]
    return [f"The designs differ: {'; '.join(differences)}. {_CAUTION}"]


def _values_of(provenance: StudyProvenance, tables: GameTables) -> dict[str, Counter[Any]]:
    """Return how many games have each value of each rule, and each number of seats."""
    values: dict[str, Counter[Any]] = {}
    for entry in provenance.rules:
        for name, value in _rules_of(entry["rules"]):
            values.setdefault(name, Counter())[value] += int(entry["games"])
    seats = tables.all_seats.group_by("game").len()["len"]
    values["seats"] = Counter(seats.to_list())
    return values


def _rules_of(rules: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in rules.items():
        if name not in _NOT_RULES:
            yield name, value if isinstance(value, str | int | float | bool | None) else repr(value)


def _shown(values: Mapping[Any, int]) -> str:
    """Return the values of a rule in words."""
    if not values:
        return "absent"
    if len(values) == 1:
        return _text(next(iter(values)))
    games = sum(values.values())
    numbers: Sequence[Any] = [one for one in values if isinstance(one, int | float) and not isinstance(one, bool)]
    if len(numbers) == len(values) > MAX_VALUES:
        return f"{_text(min(numbers))} to {_text(max(numbers))}"
    listed = [f"{_text(one)} ({number_of(count, 'game')})" for one, count in Counter(values).most_common(MAX_VALUES)]
    rest = games - sum(count for _, count in Counter(values).most_common(MAX_VALUES))
    return " or ".join(listed) + (f" or others ({number_of(rest, 'game')})" if rest else "")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else "none" if value is None else str(value)
