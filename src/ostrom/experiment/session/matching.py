"""The groups of a game's tables: partners, strangers and perfect strangers. All draws depend only on the seed, so the
groups can be recomputed."""

from collections.abc import Collection, Sequence
from typing import Final

from ostrom.core import InputError
from ostrom.core.chance import GameChance
from ostrom.experiment.session.entries import GroupFormed
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import PEOPLE, SessionGame, Treatment
from ostrom.experiment.session.strangers import perfect_strangers

Group = list[int]
_PARTNERS: Final = "partners"
_PERFECT: Final = "perfect-strangers"
_SEAT_MASK: Final = 2**16


def groups_of_table(
    members: Sequence[int],
    size: int,
    matching: str,
    table: int,
    *,
    tables: int,
    seed: int,
    purpose: str,
) -> list[Group]:
    """Return the groups of a table, numbered from 1 to `tables`. The last group may have fewer people. `purpose`
    identifies the game, so that its groups do not depend on those of other games. Raise InputError if perfect strangers
    are not possible."""
    if size < 1:
        raise InputError("a group needs at least one person")
    if matching == _PERFECT:
        # People are replaced by their positions in a random order, and empty positions fill the last groups.
        order = shuffled(members, seed, f"{purpose} {matching}", 0)
        empty = -len(order) % size
        rounds = perfect_strangers(len(order) + empty, size, tables)
        groups = [[order[place] for place in group if place < len(order)] for group in rounds[table - 1]]
        return [group for group in groups if group]
    turn = 0 if matching == _PARTNERS else table
    order = shuffled(members, seed, f"{purpose} {matching}", turn)
    return [order[first : first + size] for first in range(0, len(order), size)]


def shuffled(members: Collection[int], seed: int, purpose: str, turn: int) -> list[int]:
    """Return the members in a random order, which depends neither on their given order nor on other draws."""
    chance = GameChance(seed)
    return sorted(
        members,
        key=lambda member: (chance.uniform(purpose, turn, member % _SEAT_MASK, member // _SEAT_MASK), member),
    )


def form_groups(
    file: SessionFile,
    game: SessionGame,
    treatment: Treatment,
    members: Sequence[int],
    *,
    table: int,
    seed: int,
    practice: bool = False,
    first_group: int = 1,
) -> list[GroupFormed]:
    """Return the groups of a table of a game for people of one treatment. Seats that lack people are filled by the
    player of the file. Without one, incomplete groups are left out. `first_group` is the number of the first group.
    """
    composition = file.seats_of(game, treatment)
    size = composition.count(PEOPLE)
    matching = "strangers" if practice and game.matching == _PERFECT else game.matching
    # Practice tables of strangers have draws of their own; practice tables of partners have the same groups.
    purpose = f"session {game.name}{' practice' if practice and matching != _PARTNERS else ''}"
    tables = game.practice if practice else game.tables
    groups = groups_of_table(members, size, matching, table, tables=tables, seed=seed, purpose=purpose)
    formed: list[GroupFormed] = []
    for group in groups:
        if len(group) < size and not game.fill:
            continue
        seats, filled = seats_of_group(group, composition, game.fill)
        number = first_group + len(formed)
        formed.append(
            GroupFormed(
                key=table_key(game.name, table, number, practice=practice),
                game=game.name,
                table=table,
                group=number,
                treatment=treatment.name,
                practice=practice,
                seats=seats,
                filled=filled,
            )
        )
    return formed


def seats_of_group(group: Sequence[int], composition: Sequence[str], fill: str) -> tuple[list[int | str], list[int]]:
    """Return the participant or the player of each seat, and the indices of the seats that lacked people."""
    people = list(group)
    seats: list[int | str] = []
    filled = []
    for index, member in enumerate(composition):
        if member != PEOPLE:
            seats.append(member)
        elif people:
            seats.append(people.pop(0))
        else:
            seats.append(fill)
            filled.append(index)
    return seats, filled


def table_key(game: str, table: int, group: int, *, practice: bool = False) -> str:
    """Return the key of a table's game in the experiment, such as `g1/table 2/3`."""
    return f"{PRACTICE_PREFIX if practice else ''}{game}/table {table}/{group}"


PRACTICE_PREFIX: Final = "practice/"
"""The beginning of the keys of practice tables, which count for nothing."""
