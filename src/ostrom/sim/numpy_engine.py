"""The batch engine on NumPy. Games are put in the order of their length, so that those still running are always the
first columns, and the columns of games that ended are cut off from time to time."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ostrom.core.arrays import Array
from ostrom.core.chance import key_of, uniform_rows
from ostrom.games.commons.players.rows import ManySeats, OneSeat, Pick, TableView
from ostrom.games.commons.rules import CommonsRules
from ostrom.games.commons.turn import State, opening, play_turn
from ostrom.sim.batch import Batch, BatchResult, Whole
from ostrom.sim.moves import Party, move
from ostrom.sim.scalar_rows import ScalarRows

CUT_BELOW = 0.9
"""Columns are cut off when fewer than this share of them still run: often enough to save work, seldom enough to copy
little."""


def play_batch(batch: Batch) -> BatchResult:
    """Play every game of the batch to its end."""
    lengths = game_lengths(batch.rules, batch.seed, batch.games)
    order = np.argsort(-lengths, kind="stable")
    played = _play_falling(batch, batch.seating[:, order], batch.games[order], lengths[order])
    back = np.argsort(order, kind="stable")
    return BatchResult(
        turns=lengths,
        capital=played.capital[:, back],
        contribution=played.contribution[:, back],
        turns_in=played.turns_in[:, back],
    )


def game_lengths(rules: CommonsRules, seed: int, games: Whole) -> Whole:
    """After which turn the shadow of the future falls on each game. It falls whatever the players do, so it can be
    known before they sit down; they cannot know it."""
    lengths = np.zeros(len(games), dtype=np.int64)
    if rules.turns is not None:
        return lengths + rules.turns
    running = np.arange(len(games))
    turn = 0
    while len(running):
        turn += 1
        drawn = uniform_rows(key_of(seed), games[running].astype(np.uint64), "shadow", turn, 0)
        ends = drawn < rules.ending_probability(turn)
        lengths[running[ends]] = turn
        running = running[~ends]
    return lengths


def _play_falling(batch: Batch, seating: Whole, games: Whole, lengths: Whole) -> BatchResult:
    """Play games whose lengths fall."""
    rules, key = batch.rules, key_of(batch.seed)
    votes, lobby = batch.may_exclude, batch.may_lobby
    parties = _parties(batch, seating)
    scalars = ScalarRows(batch, seating, games)
    counters = games.astype(np.uint64)
    state = opening(np.zeros(len(games)), seating.shape[0], rules, may_leave=votes)
    memories: tuple[Any, ...] = ()
    capital, given = np.zeros_like(state.capital), np.zeros_like(state.capital)
    turns_in = np.zeros(capital.shape, dtype=np.int64)
    for turn, running in _running(lengths):
        if running < CUT_BELOW * len(counters):
            counters = counters[:running]
            parties = [_first_games(party, running) for party in parties]
            memories = tuple(_first_rows(*pair, running) for pair in zip(memories, parties, strict=True))
            state = State(*(None if field is None else np.ascontiguousarray(field[..., :running]) for field in state))
        table = TableView(rules, turn, state, counters, key)
        moves, memories = move(table, parties, memories, scatter=_scatter, lobby=lobby, votes=votes)
        moves = scalars.move(table, moves, running)
        outcome = play_turn(state, moves, rules)
        scalars.take_in(moves, outcome, running)
        given[:, :running] += moves.contributions[:, :running]
        turns_in[:, :running] += 1 if state.present is None else state.present[:, :running]
        # What a game holds after its last turn stays; later turns write to running games only.
        capital[:, :running] = outcome.state.capital[:, :running]
        state = outcome.state
    return BatchResult(turns=lengths, capital=capital, contribution=given / turns_in, turns_in=turns_in)


def _running(lengths: Whole) -> Iterator[tuple[int, int]]:
    """For each turn, how many of the games are played in it."""
    rising = lengths[::-1]
    for turn in range(1, int(lengths[0]) + 1):
        yield turn, len(lengths) - int(np.searchsorted(rising, turn, side="left"))


def _parties(batch: Batch, seating: Whole) -> list[Party]:
    """The built-in champions and their rows."""
    if batch.one_table:
        seated = [(batch.cast[member].rows, OneSeat(seat)) for seat, member in enumerate(seating[:, 0])]
        return [Party(champion, pick) for champion, pick in seated if champion is not None]
    parties = []
    for member, entry in enumerate(batch.cast):
        # Read game by game, so that the rows of the first games are the first rows.
        game, seat = np.nonzero(np.equal(seating.T, member))
        if entry.rows is not None and len(game):
            parties.append(Party(entry.rows, _many(seat, game, seating.shape[1])))
    return parties


def _many(seat: Whole, game: Whole, games: int) -> ManySeats:
    return ManySeats(seat=seat, game=game, flat=seat * games + game)


def _first_games(party: Party, running: int) -> Party:
    """The party's rows in the first `running` games."""
    pick = party.pick
    if not isinstance(pick, ManySeats):
        return party
    rows = int(np.searchsorted(pick.game, running, side="left"))
    return Party(party.champion, _many(pick.seat[:rows], pick.game[:rows], running))


def _first_rows(memory: Any, party: Party, running: int) -> Any:
    """What the champion remembers of its first rows."""
    rows = len(party.pick.game) if isinstance(party.pick, ManySeats) else running

    def cut(kept: Any) -> Any:
        if kept is None or isinstance(kept, np.ndarray):
            return None if kept is None else kept[..., :rows]
        parts = [cut(part) for part in kept]
        return type(kept)(*parts) if hasattr(kept, "_fields") else tuple(parts)

    return cut(memory)


def _scatter(table: Array, pick: Pick, values: Array) -> Array:
    """Put rows at their seats, in place: the table was made for this."""
    if isinstance(pick, ManySeats):
        table[pick.seat, pick.game] = values
    else:
        table[pick.seat] = values
    return table
