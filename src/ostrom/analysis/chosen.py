"""Which games a study is of: void ones are told and not counted, what holds defaulted answers can be left out, and
something must be left."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ostrom.analysis.kinds import AnyTables, Kind
from ostrom.analysis.left_out import By, LeftOut
from ostrom.core import InputError


class NothingLeft(InputError):
    """There is nothing to study: no game was finished, or nothing of them is left."""


def chosen(
    kind: Kind[Any], tables: AnyTables, *, void: Sequence[str], where: str, without: By | None = None
) -> AnyTables:
    """The tables of the games that are meant; at least one game. They know what was left out of them: the `void`
    games, and those, or the seats, for which the game answered. `where` says in words which games were looked at."""
    if not tables.games.height:
        others = f" ({len(void):,} void)" if void else ""
        raise NothingLeft(
            f"{where} holds no finished game of {kind.title}{others}; 'ostrom bench {kind.command}' plays some"
        )
    tables = replace(tables, left_out=LeftOut(void=tuple(void)))
    if without is None:
        return tables
    kept: AnyTables = kind.without_defaulted(tables, without)
    if not kept.games.height:
        raise NothingLeft(f"every {without} of {where} has a defaulted answer; without them nothing is left")
    return kept
