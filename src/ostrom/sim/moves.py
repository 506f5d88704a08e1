"""How the champions of a batch move together: each decides for all its rows, and the rows are put back at their
seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ostrom.core.arrays import Array, namespace
from ostrom.games.commons.players import RowChampion
from ostrom.games.commons.players.base import Memory
from ostrom.games.commons.players.rows import OneSeat, Pick, RowView, TableView
from ostrom.games.commons.turn import NOBODY, Moves

Scatter: TypeAlias = Callable[[Array, Pick, Array], Array]
"""Put the values of rows at their seats: (table, pick, values) → table, which may be the same one."""
_Placed: TypeAlias = tuple[Pick, Array]


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
    contributions: list[_Placed] = []
    lobbies: list[_Placed] = []
    ballots: list[_Placed] = []
    kept: list[Memory] = []
    for index, party in enumerate(parties):
        champion, pick = party.champion, party.pick
        view = RowView(table, pick)
        memory = champion.opening(view) if first else champion.remember(view, memories[index])
        given, after = champion.contribute(view, memory)
        contributions.append((pick, _of_those_in(table, pick, given, 0.0)))
        if lobby and champion.lobbies:
            lobbies.append((pick, _of_those_in(table, pick, champion.lobby(view, memory), 0.0)))
        if votes and champion.votes:
            ballots.append((pick, _of_those_in(table, pick, champion.vote(view, memory), NOBODY)))
        kept.append(after)
    capital = table.state.capital
    xp = namespace(capital)
    moves = Moves(
        contributions=_seated(capital, contributions, scatter),
        lobby=_seated(capital, lobbies, scatter) if lobby else None,
        votes=_ballots(xp.full(capital.shape, NOBODY, dtype=xp.int16), ballots, scatter) if votes else None,
    )
    return moves, tuple(kept)


def _of_those_in(table: TableView, pick: Pick, values: Array, absent: float) -> Array:
    """Seats that are out give nothing, spend nothing and have no vote."""
    if table.state.present is None:
        return values
    there = pick.of_seats(table.state.present)
    return namespace(there).where(there, values, absent)


def _seated(like: Array, placed: Sequence[_Placed], scatter: Scatter) -> Array:
    """(seats, games) What the rows decided, at their seats; 0 at every other seat."""
    xp = namespace(like)
    if all(isinstance(pick, OneSeat) for pick, _ in placed):
        rows = {pick.seat: values for pick, values in placed}
        nothing = xp.zeros_like(like[0])
        return xp.stack([rows.get(seat, nothing) for seat in range(like.shape[0])])
    table = xp.zeros_like(like)
    for pick, values in placed:
        table = scatter(table, pick, values)
    return table


def _ballots(nobody: Array, placed: Sequence[_Placed], scatter: Scatter) -> Array:
    """(voters, games) The votes. Where voters keep their seats, seats that never vote have no row."""
    if placed and all(isinstance(pick, OneSeat) for pick, _ in placed):
        return namespace(nobody).stack([vote for _, vote in placed])
    for pick, vote in placed:
        nobody = scatter(nobody, pick, vote)
    return nobody
