"""Users' own champions in a batch: plain Python, one row after another, through the very player that sits in a single
game."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrom.core import GameChance, Question, Seat
from ostrom.core.table import Past
from ostrom.games.commons.play import PHASE, move_spec
from ostrom.games.commons.players.player import ScalarPlayer
from ostrom.games.commons.players.rows import TableView
from ostrom.games.commons.turn import NOBODY, Moves, Outcome
from ostrom.games.commons.view import OwnTurn, SeatView
from ostrom.players.base import legal_answer
from ostrom.sim.batch import Batch, Whole


class _Row:
    """One seat of one game, held by a user's champion."""

    def __init__(self, name: str, player: ScalarPlayer, seat: int) -> None:
        self.name = name
        self.player = player
        self.seat = seat
        self.own: list[OwnTurn] = []


class ScalarRows:
    """The rows of a batch that users' champions hold; often none."""

    def __init__(self, batch: Batch, seating: Whole, games: Whole) -> None:
        self._rows: dict[int, list[_Row]] = {}
        self._history: dict[int, list[tuple[float, ...]]] = {}
        scalar = np.asarray([entry.rows is None for entry in batch.cast])
        for game, seat in zip(*np.nonzero(scalar[seating].T), strict=True):
            entry = batch.cast[seating[seat, game]]
            assert entry.scalar is not None
            player = ScalarPlayer(entry.scalar, Seat(int(seat)), GameChance(batch.seed, int(games[game])))
            self._rows.setdefault(int(game), []).append(_Row(entry.name, player, int(seat)))

    def move(self, table: TableView, moves: Moves, running: int) -> Moves:
        """Put the decisions of users' champions beside those of the built-in ones."""
        if not self._rows:
            return moves
        contributions = moves.contributions.copy()
        lobby = None if moves.lobby is None else moves.lobby.copy()
        votes = None if moves.votes is None else np.full(contributions.shape, NOBODY, dtype=np.int16)
        for game, rows in self._asked(running):
            shared = _shared(table, game, self._history.setdefault(game, []))
            for row in rows:
                if not shared["present"][row.seat]:
                    continue
                view = SeatView(**shared, seat=row.seat, own=Past(row.own))
                question = Question(Seat(row.seat), PHASE, view.turn, move_spec(view), view)
                decided = legal_answer(row.name, question, row.player.answer(question))
                contributions[row.seat, game] = decided["contribution"]
                if lobby is not None:
                    lobby[row.seat, game] = decided["lobby"]
                if votes is not None:
                    vote = decided.get("vote")
                    votes[row.seat, game] = NOBODY if vote is None else vote
        all_votes = (
            None if votes is None else np.concatenate([rows for rows in (moves.votes, votes) if rows is not None])
        )
        return Moves(contributions, lobby, all_votes)

    def take_in(self, moves: Moves, outcome: Outcome, running: int) -> None:
        """Let the champions know what the turn brought."""
        for game, rows in self._asked(running):
            self._history[game].append(tuple(moves.contributions[:, game].tolist()))
            for row in rows:
                here = row.seat, game
                lobby = 0.0 if moves.lobby is None else float(moves.lobby[here])
                row.own.append(OwnTurn(float(moves.contributions[here]), lobby, float(outcome.state.gains[here])))

    def _asked(self, running: int) -> Sequence[tuple[int, list[_Row]]]:
        return [(game, rows) for game, rows in self._rows.items() if game < running]


def _shared(table: TableView, game: int, history: list[tuple[float, ...]]) -> dict[str, Any]:
    """What all seats of a game see alike."""
    state = table.state

    def column(values: npt.NDArray[Any]) -> tuple[Any, ...]:
        return tuple(values[:, game].tolist())

    return {
        "rules": table.rules,
        "turn": table.turn,
        "synergy": float(state.synergy[game]),
        "alpha": float(state.alpha[game]),
        "capitals": column(state.capital),
        "present": (True,) * len(state.capital) if state.present is None else column(state.present),
        "history": Past(history),
        "cooperation": float(state.cooperation[game]) if history else None,
    }
