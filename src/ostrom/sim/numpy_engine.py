"""The batch engine on NumPy, for the array form of any game. If the lengths of games are known in advance, games are
sorted by length, so that the first columns are those of running games. Columns of finished games are removed from time
to time. A strategy in plain Python plays row by row, as it plays single games. Games without an array form are played
one by one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ostrom.core import Answer, GameChance, Question, Seat, Table, seats
from ostrom.core.arrays import Array
from ostrom.core.step import ArrayForm, BatchQuestions, Draws, ManySeats, Moves, OneSeat, Pick, each_array, rules_of
from ostrom.core.table import Driver
from ostrom.players.base import Player, ask
from ostrom.players.strategy import Memory, StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Ints, Mover, Party


class _PlainGame:
    def __init__(self, batch: Batch, step: ArrayForm, entries: Sequence[StrategyEntry], place: int) -> None:
        self.chance = GameChance(batch.seed, int(batch.games[place]))
        self.rules = rules_of(batch.rules, place)
        self.names = [entry.name for entry in entries]
        plain = {seat: entry for seat, entry in enumerate(entries) if entry.rows is None}
        self.players: dict[int, Player] = {seat: entry.sit(Seat(seat), self.chance) for seat, entry in plain.items()}
        self.notes: BatchQuestions = step.notes(self.rules, len(entries)) or AskedByGame(batch, step, entries, self)


class PlainRows:
    """The rows of a batch whose strategies play in plain Python. Most batches have no such rows."""

    def __init__(self, batch: Batch, step: ArrayForm) -> None:
        self._step = step
        self._games: dict[int, _PlainGame] = {}
        plain = np.asarray([entry.rows is None for entry in batch.cast])
        for game in np.flatnonzero(plain[batch.seating].any(axis=0)):
            entries = [batch.cast[member] for member in batch.seating[:, game]]
            self._games[int(game)] = _PlainGame(batch, step, entries, int(game))

    def __bool__(self) -> bool:
        return bool(self._games)

    def move(
        self, phase: str, turn: int, state: Any, moves: dict[str, Array], movers: Array | None, columns: Ints
    ) -> None:
        """Add the decisions of these rows to the moves. `columns` has the game in each column."""
        for column, game in self._running(columns):
            for seat, player in game.players.items():
                if movers is not None and not movers[seat, column]:
                    continue
                question = game.notes.question(phase, turn, state, column, seat)
                decided = ask(game.names[seat], player, question).value
                for name, value in self._step.moves_of(phase, decided).items():
                    if name in moves:
                        moves[name][seat, column] = value

    def take_in(self, phase: str, turn: int, moves: Moves, state: Any, columns: Ints) -> None:
        """Pass the results of a phase to the games of these rows."""
        for column, game in self._running(columns):
            game.notes.take_in(phase, turn, moves, state, column)

    def drop(self, games: Ints) -> None:
        """Remove finished games."""
        for game in games.tolist():
            self._games.pop(game, None)

    def _running(self, columns: Ints) -> list[tuple[int, _PlainGame]]:
        if not self._games:
            return []
        return [(column, self._games[game]) for column, game in enumerate(columns.tolist()) if game in self._games]


class AskedByGame:
    """A single game that runs in parallel to the arrays, so that it asks its own questions. These questions are
    answered with the moves of the arrays."""

    def __init__(self, batch: Batch, step: ArrayForm, entries: Sequence[StrategyEntry], game: _PlainGame) -> None:
        self._step, self._entries, self._players = step, entries, game.players
        self._phases = frozenset(step.phases(game.rules))
        self._absent = {field.name: field.absent for phase in self._phases for field in step.fields(game.rules, phase)}
        self._driver = Driver(batch.game.play(game.rules, Table(seats(len(entries)), game.chance)))

    def question(self, phase: str, turn: int, state: Any, column: int, seat: int) -> Question:
        """Return the game's question to a seat."""
        return next(question for question in self._open() if question.seat.index == seat)

    def take_in(self, phase: str, turn: int, moves: Moves, state: Any, column: int) -> None:
        """Answer all questions of the phase."""
        questions = self._open()
        if questions and questions[0].phase == phase:  # If there is no such question, no seat was asked.
            self._driver.advance([self._moved(question, moves, column) for question in questions])

    def _open(self) -> Sequence[Question]:
        """Return the open questions. Before that, answer the questions of phases that the array form lacks, such as
        messages."""
        while self._driver.step and self._driver.step[0].phase not in self._phases:
            self._driver.advance([self._said(question) for question in self._driver.step])
        return self._driver.step or ()

    def _moved(self, question: Question, moves: Moves, column: int) -> Answer:
        seat = question.seat.index
        fields = {name: moves[name][seat, column] if name in moves else absent for name, absent in self._absent.items()}
        return Answer(question.spec.validate(self._step.answer_of(question, fields)))

    def _said(self, question: Question) -> Answer:
        seat = question.seat.index
        entry, player = self._entries[seat], self._players.get(seat)
        if player is not None:
            return ask(entry.name, player, question)
        assert entry.rows is not None
        return Answer(question.spec.validate(entry.rows.answer(question)))


def play_singly(batch: Batch) -> BatchResult:
    """Play a batch of a game without an array form, game by game."""
    results, finals_of = BatchResult.empty(batch), batch.game.finals
    assert finals_of is not None, "callers check that the game has finals"
    for column, number in enumerate(batch.games.tolist()):
        chance, entries = GameChance(batch.seed, number), [batch.cast[member] for member in batch.seating[:, column]]
        table = Table(seats(len(entries)), chance)
        players = [entry.sit(seat, chance) for seat, entry in zip(table.seats, entries, strict=True)]
        decisions: set[tuple[int, int]] = set()
        driver = Driver(batch.game.play(rules_of(batch.rules, column), table))
        while driver.step is not None:
            step = [(question, question.seat.index) for question in driver.step]
            decisions |= {(question.turn, seat) for question, seat in step}
            driver.advance([ask(entries[seat].name, players[seat], question) for question, seat in step])
        finals = [np.nan if final is None else final for final in finals_of(table.events)]
        turns_in = np.bincount([seat for _, seat in decisions], minlength=len(entries))
        results.add(column, max((turn for turn, _ in decisions), default=0), finals, turns_in)
    return results


MIN_RUNNING_SHARE = 0.9
"""When the share of running games falls below this, columns of finished games are removed. The threshold balances
wasted work against the cost of copying."""


def play_batch(batch: Batch) -> BatchResult:
    """Play all games of the batch."""
    step = batch.step
    if step is None:
        return play_singly(batch)
    lengths = game_lengths(step, batch.rules, batch.draws)
    if lengths is None:
        return _play(batch, step, None, np.arange(len(batch.games)))
    order = np.argsort(-lengths, kind="stable")
    return _play(batch.part(order), step, lengths[order], order)


def game_lengths(step: ArrayForm, rules: Any, draws: Draws) -> Ints | None:
    """Return the last turn of each game, or None if it is not known in advance. Players do not learn it."""
    lengths = np.zeros(len(draws.games), dtype=np.int64)
    running, turn = np.arange(len(lengths)), 0
    while len(running):
        turn += 1
        now = each_array(rules, lambda values: values[running])  # noqa: B023
        ends = step.ends(now, turn, Draws(draws.games[running], draws.key))
        if ends is None:
            return None
        lengths[running[ends]] = turn
        running = running[~ends]
    return lengths


def _play(batch: Batch, step: ArrayForm, lengths: Ints | None, places: Ints) -> BatchResult:
    """Play a batch and store the result of each game at these places."""
    rules, (seats, games) = batch.rules, batch.seating.shape
    plain = PlainRows(batch, step)
    mover = Mover(step, rules, batch.needed(step), _scatter, dense=bool(plain))
    like = np.zeros((seats, games), dtype=step.dtype)
    parties, draws = _parties(batch), batch.draws
    state = step.init(rules, seats, like[0], mover.fields, draws)
    memories: tuple[Memory, ...] = ()
    columns, running = np.arange(games), np.ones(games, dtype=bool)
    results = BatchResult.empty(batch)
    turn = 0
    while len(columns):
        turn += 1
        for phase in mover.phases:
            moves, memories = mover.move(phase, turn, state, draws, like, parties, memories)
            plain.move(phase, turn, state, moves, step.movers(rules, phase, state) if plain else None, columns)
            state = step.step(rules, phase, turn, state, moves, draws)
            plain.take_in(phase, turn, moves, state, columns)
        over = step.done(rules, turn, state) if lengths is None else lengths[columns] <= turn
        ended = np.flatnonzero(running & over)
        if not len(ended):
            continue
        last, rules_of_last = _cut(state, ended), each_array(rules, lambda values: values[ended])  # noqa: B023
        turns_in, length = step.turns_in(rules_of_last, turn, last), step.length(rules_of_last, turn, last)
        results.add(
            places[columns[ended]],
            turn if length is None else length,
            step.finals(rules_of_last, last),
            turn if turns_in is None else turns_in,
            step.figures(rules_of_last, turn, last),
        )
        plain.drop(columns[ended])
        running = running & ~over
        remaining = int(running.sum())
        if remaining < MIN_RUNNING_SHARE * len(columns):
            keep: Any = slice(0, remaining) if running[:remaining].all() else np.flatnonzero(running)
            cut = [_cut_rows(party, memory, running, keep) for party, memory in zip(parties, memories, strict=True)]
            parties, memories = [party for party, _ in cut], tuple(memory for _, memory in cut)
            state, like, draws = _cut(state, keep), like[:, :remaining], Draws(draws.games[keep], draws.key)
            rules = each_array(rules, lambda values: values[keep])  # noqa: B023
            mover = replace(mover, rules=rules)
            columns, running = columns[keep], running[keep]
    return results


def _parties(batch: Batch) -> list[Party]:
    games = batch.seating.shape[1]
    if batch.one_table:
        seated = [(batch.cast[member].rows, OneSeat(seat)) for seat, member in enumerate(batch.seating[:, 0])]
        return [Party(strategy, pick) for strategy, pick in seated if strategy is not None]
    parties = []
    for member, entry in enumerate(batch.cast):
        # Rows are ordered by game: the rows of the first games come first.
        game, seat = np.nonzero(np.equal(batch.seating.T, member))
        if entry.rows is not None and len(game):
            parties.append(Party(entry.rows, ManySeats.of(seat, game, games)))
    return parties


def _cut_rows(party: Party, memory: Any, running: Array, keep: Any) -> tuple[Party, Any]:
    """Return the party's rows in running games, and their memories."""
    pick = party.pick
    if not isinstance(pick, ManySeats):
        return party, _cut(memory, keep)
    remaining, rows = int(running.sum()), running[pick.game]
    rows_kept: Any = slice(0, int(rows.sum())) if isinstance(keep, slice) else np.flatnonzero(rows)
    game = pick.game[rows_kept] if isinstance(keep, slice) else (np.cumsum(running) - 1)[pick.game[rows_kept]]
    return Party(party.strategy, ManySeats.of(pick.seat[rows_kept], game, remaining)), _cut(memory, rows_kept)


def _cut(arrays: Any, keep: Any) -> Any:
    """Return only these columns of every array in a state or memory."""
    if arrays is None:
        return None
    if isinstance(arrays, np.ndarray):
        return np.ascontiguousarray(arrays[..., keep])
    parts = [_cut(part, keep) for part in arrays]
    return type(arrays)(*parts) if hasattr(arrays, "_fields") else tuple(parts)


def _scatter(table: Array, pick: Pick, values: Array) -> Array:
    if isinstance(pick, ManySeats):
        table[pick.seat, pick.game] = values
    else:
        table[pick.seat] = values
    return table
