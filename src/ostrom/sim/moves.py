"""How the champions of a batch move together: each decides for all its rows, and the rows are put back at their
seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ostrom.games.commons.steps import NOBODY
from ostrom.games.commons.turn import Moves
from ostrom.players.champions import RowChampion
from ostrom.players.champions.base import Memory
from ostrom.players.champions.rows import OneSeat, Pick, RowView, TableView
from ostrom.table.arrays import Array, namespace

Scatter: TypeAlias = Callable[[Array, Pick, Array], Array]
"""Put the values of rows at their seats: (table, pick, values) → table."""


@dataclass(frozen=True)
class Party:
    """A champion and the rows it holds."""

    champion: RowChampion
    pick: Pick


def move(
    table: TableView,
    parties: Sequence[Party],
    memories: Sequence[Memory],
    *,
    scatter: Scatter,
    lobby: bool,
    votes: bool,
) -> tuple[Moves, tuple[Memory, ...]]:
    """Everybody's moves for a turn, and what they remember. No memories stand for the first turn."""
    first = not memories
    chosen: list[tuple[Party, Array, Any, Any]] = []
    kept: list[Memory] = []
    for index, party in enumerate(parties):
        champion, view = party.champion, RowView(table, party.pick)
        memory = champion.opening(view) if first else champion.remember(view, memories[index])
        contribution, after = champion.contribute(view, memory)
        lobbied = champion.lobby(view, memory) if lobby and champion.lobbies else None
        vote = champion.vote(view, memory) if votes and champion.votes else None
        chosen.append((party, contribution, lobbied, vote))
        kept.append(after)
    xp = namespace(table.state.capital)

    # Made anew for each use, because a backend may write into it.
    def nothing() -> Array:
        return xp.zeros_like(table.state.capital)

    def nobody() -> Array:
        return xp.full(table.state.capital.shape, NOBODY, dtype=xp.int32)

    moves = Moves(
        contributions=_seated(nothing(), [(party.pick, given) for party, given, _, _ in chosen], scatter),
        lobby=_seated(nothing(), [(p.pick, spent) for p, _, spent, _ in chosen if spent is not None], scatter)
        if lobby
        else None,
        votes=_seated(nobody(), [(p.pick, vote) for p, _, _, vote in chosen if vote is not None], scatter)
        if votes
        else None,
    )
    return _of_those_in(table, moves), tuple(kept)


def _seated(table: Array, placed: Sequence[tuple[Pick, Array]], scatter: Scatter) -> Array:
    xp = namespace(table)
    if all(isinstance(pick, OneSeat) for pick, _ in placed):
        rows = {pick.seat: values for pick, values in placed}
        return xp.stack([rows.get(seat, table[seat]) for seat in range(table.shape[0])])
    for pick, values in placed:
        table = scatter(table, pick, values)
    return table


def _of_those_in(table: TableView, moves: Moves) -> Moves:
    """Seats that are out give nothing, spend nothing and have no vote."""
    there = table.state.present
    if there is None:
        return moves
    xp = namespace(there)
    return Moves(
        contributions=xp.where(there, moves.contributions, 0.0),
        lobby=None if moves.lobby is None else xp.where(there, moves.lobby, 0.0),
        votes=None if moves.votes is None else xp.where(there, moves.votes, NOBODY),
    )
