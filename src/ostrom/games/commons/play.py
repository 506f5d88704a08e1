"""The generator that plays one game of the Commons, and the view of a seat. The view has all public data and the seat's
own past. The generator yields one step per turn. In this step, every seat still in the game is asked for its
contribution, lobbying and vote at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count as count_from
from typing import Any

import numpy as np

from ostrom.core import Amount, Answer, Choice, Fields, Play, Question, Seat, Spec, Table, Value
from ostrom.core.arrays import Array, round_values
from ostrom.core.table import Past
from ostrom.games.commons.events import CommonsEnded, Erosion, GoldenAge, SeatExcluded, TurnPlayed, VoteHeld
from ostrom.games.commons.rules import NO_SEAT, CommonsRules, CommonsState, TurnMoves, TurnOutcome, opening, play_turn


@dataclass(frozen=True)
class OwnTurn:
    """A past turn of the seat that is asked."""

    contribution: float
    lobby: float
    gain: float
    """The gain of the turn, before the cost of lobbying."""


@dataclass(frozen=True)
class SeatView:
    """The state of the game as one seat sees it at the start of a turn. Sequences over seats are indexed by seat, from
    0."""

    rules: CommonsRules
    turn: int
    """The number of the turn, counted from 1."""
    seat: int
    """The seat that is asked."""
    synergy: float
    alpha: float
    capitals: tuple[float, ...]
    present: tuple[bool, ...]
    """True for seats still in the game."""
    history: Past[tuple[float, ...]]
    """The contributions of all seats in every turn so far. Those of a seat that had left are 0."""
    cooperation: float | None
    """The mean contribution of the last turn, or None before the first turn."""
    own: Past[OwnTurn]
    """The past turns of this seat."""

    @property
    def capital(self) -> float:
        """The seat's own capital."""
        return self.capitals[self.seat]

    @property
    def contributions(self) -> tuple[float, ...] | None:
        """The contributions of all seats in the last turn, or None before the first turn."""
        return self.history[-1] if self.history else None

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats still in the game."""
        return tuple(seat for seat, present in enumerate(self.present) if present and seat != self.seat)

    @property
    def may_vote(self) -> bool:
        """True if there is a vote in this turn. With 2 seats left, there is none."""
        return self.rules.voting and sum(self.present) - self.present[self.seat] >= 2

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {
            "turn": self.turn,
            "target_turn": self.rules.duration,
            "seat": self.seat,
            "endowment": self.rules.endowment,
            "synergy": self.synergy,
            "alpha": self.alpha,
            "capitals": list(self.capitals),
            "present": list(self.present),
            "last_contributions": None if self.contributions is None else list(self.contributions),
            "last_cooperation": self.cooperation,
            "own_history": [vars(past) for past in self.own],
        }


PHASE = "move"
_FRACTION = Amount(0.0, 1.0)


def play(rules: CommonsRules, table: Table) -> Play:
    """Play until the game ends by chance, or at its known last turn."""
    state = opening(np.zeros(1), len(table.seats), rules)
    notes = TurnNotes(rules, len(table.seats))
    regime: type[GoldenAge | Erosion] | None = None
    for turn in count_from(1):
        present = _present(state)
        movers = [seat for seat in table.seats if present[seat.index]]
        answers = yield [notes.ask(turn, state, 0, seat.index) for seat in movers]
        by_seat = {seat.index: answer for seat, answer in zip(movers, answers, strict=True)}
        moves = _moves(rules, len(table.seats), by_seat)
        outcome = play_turn(state, moves, rules)
        played = _turn_played(turn, state, moves, outcome)
        table.record(played)
        last_regime, regime = regime, _regime(played.cooperation, rules)
        if regime is not None and regime is not last_regime:
            table.record(regime(turn=turn, cooperation=played.cooperation, synergy=played.next_synergy))
        _record_vote(table, turn, moves, state, outcome.state)
        notes.add(played.contributions, played.lobby, played.gains)
        state = outcome.state
        if table.chance.uniform("shadow", turn) < rules.ending_probability(turn):
            break
    table.record(CommonsEnded(turn=turn, capitals=played.capitals, winners=winners(state.capital)))


class TurnNotes:
    """The past turns of one game, which may be part of a batch. The questions to the game's seats are created from
    them."""

    def __init__(self, rules: CommonsRules, seats: int) -> None:
        self._rules = rules
        self._history: list[tuple[float, ...]] = []
        self._own: list[list[OwnTurn]] = [[] for _ in range(seats)]
        self._turn = 0
        self._public: dict[str, Any] = {}

    def ask(self, turn: int, state: CommonsState, column: int, seat: int) -> Question[SeatView]:
        """Return the question to a seat. The game is the one in this column of the state."""
        if turn != self._turn:
            self._turn, self._public = turn, self._public_view(turn, state, column)
        view = SeatView(**self._public, seat=seat, own=Past(self._own[seat]))
        # The fallback is neither cooperative nor costly. A seat without a legal answer keeps its money and its capital,
        # and does not vote.
        return Question(Seat(seat), PHASE, turn, move_spec(view), view, fallback=move_of(view, 0.0))

    def _public_view(self, turn: int, state: CommonsState, column: int) -> dict[str, Any]:
        seats, present = len(self._own), state.present
        return {
            "rules": self._rules,
            "turn": turn,
            "synergy": float(state.synergy[column]),
            "alpha": float(state.alpha[column]),
            "capitals": tuple(state.capital[:, column].tolist()),
            "present": (True,) * seats if present is None else tuple(present[:, column].tolist()),
            "history": Past(self._history),
            "cooperation": float(state.cooperation[column]) if self._history else None,
        }

    def add(self, contributions: Sequence[float], lobby: Sequence[float], gains: Sequence[float]) -> None:
        """Add the turn of the last questions. Seats that had left get no entry in their own past."""
        self._history.append(tuple(contributions))
        for seat, own in enumerate(self._own):
            if self._public["present"][seat]:
                own.append(OwnTurn(contributions[seat], lobby[seat], gains[seat]))


def move_spec(view: SeatView) -> Spec:
    """Return the specification of a move. It has fields for lobbying and for the vote only if the rules allow these."""
    fields: dict[str, Spec] = {"contribution": _FRACTION}
    if view.rules.lobbying:
        fields["lobby"] = Amount(-view.capital, view.capital)
    if view.may_vote:
        fields["vote"] = Choice((None, *view.others))
    return Fields(fields)


def move_of(view: SeatView, contribution: float, lobby: float = 0.0, vote: int | None = None) -> dict[str, Value]:
    """Return a move with the fields that its specification has."""
    fields: dict[str, Value] = {"contribution": contribution}
    if view.rules.lobbying:
        fields["lobby"] = lobby
    if view.may_vote:
        fields["vote"] = vote
    return fields


def winners(capital: Array) -> list[int]:
    """Return the seats with the highest capital in one game. Differences due to rounding count as ties."""
    final = round_values(capital)[:, 0]
    return [int(seat) for seat in np.flatnonzero(final == final.max())]


def _present(state: CommonsState) -> Array:
    assert state.present is not None  # this is None only in batches without exclusion
    return state.present[:, 0]


def _moves(rules: CommonsRules, seats: int, answers: Mapping[int, Answer]) -> TurnMoves:
    def column(field: str, absent: float, dtype: Any) -> Array:
        values = np.full((seats, 1), absent, dtype=dtype)
        for seat, answer in answers.items():
            if answer.value.get(field) is not None:
                values[seat, 0] = answer.value[field]
        return values

    return TurnMoves(
        contributions=column("contribution", 0.0, np.float64),
        lobby=column("lobby", 0.0, np.float64) if rules.lobbying else None,
        votes=column("vote", NO_SEAT, np.int32) if rules.voting else None,
    )


def _turn_played(turn: int, before: CommonsState, moves: TurnMoves, outcome: TurnOutcome) -> TurnPlayed:
    after = outcome.state
    lobby = np.zeros_like(moves.contributions) if moves.lobby is None else moves.lobby
    return TurnPlayed(
        turn=turn,
        present=_present(before).tolist(),
        contributions=moves.contributions[:, 0].tolist(),
        lobby=lobby[:, 0].tolist(),
        alpha=float(after.alpha[0]),
        synergy=float(outcome.synergy[0]),
        pot=float(outcome.pot[0]),
        shares=outcome.shares[:, 0].tolist(),
        erosion=float(outcome.erosion[0]),
        gains=after.gains[:, 0].tolist(),
        capitals=after.capital[:, 0].tolist(),
        cooperation=float(after.cooperation[0]),
        next_synergy=float(after.synergy[0]),
    )


def _regime(cooperation: float, rules: CommonsRules) -> type[GoldenAge | Erosion] | None:
    if cooperation >= round(rules.golden_age_from, 9):
        return GoldenAge
    return Erosion if cooperation < round(rules.erosion_below, 9) else None


def _record_vote(table: Table, turn: int, moves: TurnMoves, before: CommonsState, after: CommonsState) -> None:
    if moves.votes is None:
        return
    votes = [None if vote == NO_SEAT else int(vote) for vote in moves.votes[:, 0]]
    if any(vote is not None for vote in votes):
        table.record(VoteHeld(turn=turn, votes=votes))
    for seat in np.flatnonzero(_present(before) & ~_present(after)):
        table.record(SeatExcluded(turn=turn, seat=int(seat), votes=votes.count(int(seat))))
