"""Strategies in plain Python: in a batch one row after another, through the very player that sits in a single game; and
games that have no array form, one after another."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ostrom.core import Answer, GameChance, Question, Seat, Table, seats
from ostrom.core.arrays import Array
from ostrom.core.step import ArrayForm, Moves, Notes
from ostrom.core.table import Driver
from ostrom.players.base import Player, ask
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Whole


class _PlainGame:
    """A game in which somebody plays in plain Python."""

    def __init__(self, batch: Batch, step: ArrayForm, entries: Sequence[StrategyEntry], number: int) -> None:
        chance = GameChance(batch.seed, number)
        self.names = [entry.name for entry in entries]
        self.players: dict[int, Player] = {
            seat: entry.sit(Seat(seat), chance) for seat, entry in enumerate(entries) if entry.rows is None
        }
        notes = step.notes(batch.rules, len(entries))
        self.notes: Notes = AskedByGame(batch, step, entries, self.players, chance) if notes is None else notes


class PlainRows:
    """The rows of a batch that are played in plain Python; often none."""

    def __init__(self, batch: Batch, step: ArrayForm) -> None:
        self._step = step
        self._games: dict[int, _PlainGame] = {}
        plain = np.asarray([entry.rows is None for entry in batch.cast])
        for game in np.flatnonzero(plain[batch.seating].any(axis=0)):
            entries = [batch.cast[member] for member in batch.seating[:, game]]
            self._games[int(game)] = _PlainGame(batch, step, entries, int(batch.games[game]))

    def __bool__(self) -> bool:
        return bool(self._games)

    def move(
        self, phase: str, turn: int, state: Any, moves: dict[str, Array], movers: Array | None, columns: Whole
    ) -> None:
        """Put their decisions beside those of the others. `columns` says which game stands where."""
        for column, game in self._running(columns):
            for seat, player in game.players.items():
                if movers is not None and not movers[seat, column]:
                    continue
                question = game.notes.question(phase, turn, state, column, seat)
                decided = ask(game.names[seat], player, question).value
                for name, value in self._step.moves_of(phase, decided).items():
                    if name in moves:
                        moves[name][seat, column] = value

    def take_in(self, phase: str, turn: int, moves: Moves, state: Any, columns: Whole) -> None:
        """Let them know what a phase brought."""
        for column, game in self._running(columns):
            game.notes.take_in(phase, turn, moves, state, column)

    def drop(self, games: Whole) -> None:
        """These games are over."""
        for game in games.tolist():
            self._games.pop(game, None)

    def _running(self, columns: Whole) -> list[tuple[int, _PlainGame]]:
        if not self._games:
            return []
        return [(column, self._games[game]) for column, game in enumerate(columns.tolist()) if game in self._games]


class AskedByGame:
    """The game itself, played beside the arrays: it asks its own questions, and is answered with the moves that the
    arrays hold."""

    def __init__(
        self,
        batch: Batch,
        step: ArrayForm,
        entries: Sequence[StrategyEntry],
        players: Mapping[int, Player],
        chance: GameChance,
    ) -> None:
        self._step, self._entries, self._players = step, entries, players
        self._phases = frozenset(step.phases(batch.rules))
        self._absent = {each.name: each.absent for phase in self._phases for each in step.fields(batch.rules, phase)}
        self._driver = Driver(batch.game.play(batch.rules, Table(seats(len(entries)), chance)))

    def question(self, phase: str, turn: int, state: Any, column: int, seat: int) -> Question:
        """The game's own."""
        return next(each for each in self._open() if each.seat.index == seat)

    def take_in(self, phase: str, turn: int, moves: Moves, state: Any, column: int) -> None:
        """Answer everybody's questions of the phase."""
        asked = self._open()
        if asked and asked[0].phase == phase:  # else nobody was asked
            self._driver.advance([self._moved(question, moves, column) for question in asked])

    def _open(self) -> Sequence[Question]:
        """The open questions, past those that are not asked over arrays, such as for messages."""
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
    """Play a batch of a game that has no array form, game by game."""
    size = batch.seating.shape
    turns, finals, turns_in = np.zeros(size[1], np.int64), np.zeros(size), np.zeros(size, np.int64)
    for column, number in enumerate(batch.games.tolist()):
        entries = [batch.cast[member] for member in batch.seating[:, column]]
        finals[:, column], asked = _play_one(batch, entries, GameChance(batch.seed, number))
        turns[column] = max((turn for turn, _ in asked), default=0)
        for _, seat in asked:
            turns_in[seat, column] += 1
    return BatchResult(turns, finals, turns_in, {}, batch.game.better == "higher")


def _play_one(
    batch: Batch, entries: Sequence[StrategyEntry], chance: GameChance
) -> tuple[list[float], set[tuple[int, int]]]:
    """The finals of one game, not a number where a seat has none; and who decided in which turn, as (turn, seat)."""
    table = Table(seats(len(entries)), chance)
    players = [entry.sit(seat, chance) for seat, entry in zip(table.seats, entries, strict=True)]
    asked: set[tuple[int, int]] = set()

    def decide(question: Question) -> Answer:
        seat = question.seat.index
        asked.add((question.turn, seat))
        return ask(entries[seat].name, players[seat], question)

    Driver(batch.game.play(batch.rules, table)).play_on(decide)
    assert batch.game.finals is not None, "the tournament has seen to that"
    return [np.nan if final is None else final for final in batch.game.finals(table.events)], asked
