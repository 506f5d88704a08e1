"""The Commons over arrays, for the batch engine: the arithmetic of `turn`, with what is kept of a game."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick
from ostrom.games.commons import rules as turns
from ostrom.games.commons.play import PHASE, Notes, SeatView
from ostrom.games.commons.rows import RowView, TableView
from ostrom.games.commons.rules import NOBODY, CommonsRules, State, opening, play_turn

SHADOW = "shadow"
"""The purpose of the draw that decides whether a game ends."""
_CONTRIBUTION = Field("contribution")
_LOBBY = Field("lobby")
_VOTE = Field("vote", absent=NOBODY, dtype="int16", every_seat=False)


class Standing(NamedTuple):
    """Where the games of a batch stand, with sums over their turns."""

    state: State
    given: Array
    """(seats, games) The sum of what each seat gave."""
    turns_in: Array | None
    """(seats, games) In how many turns each seat was in the game; `None` where nobody can leave."""


class CommonsStep(ArrayForm[CommonsRules, Standing]):
    """One phase a turn; lobbies and votes only where rules and players have them."""

    def phases(self, rules: CommonsRules) -> Sequence[str]:
        """All decide at once."""
        return (PHASE,)

    def fields(self, rules: CommonsRules, phase: str) -> Sequence[Field]:
        """Lobby and vote where the rules have them."""
        return (_CONTRIBUTION, *([_LOBBY] if rules.lobbying else []), *([_VOTE] if rules.voting else []))

    def needed(self, rules: CommonsRules, phase: str, makers: Mapping[str, Array]) -> Sequence[Field]:
        """An exclusion takes two votes, and so two seats that ever vote."""
        enough = {"contribution": 0, "lobby": 1, "vote": 2}
        return [each for each in self.fields(rules, phase) if (makers[each.name] >= enough[each.name]).any()]

    def init(self, rules: CommonsRules, seats: int, like: Array, fields: frozenset[str]) -> Standing:
        """Nobody holds anything."""
        state = opening(like, seats, rules, may_leave="vote" in fields)
        xp = namespace(like)
        turns_in = None if state.present is None else xp.zeros(state.capital.shape, dtype=xp.int32)
        return Standing(state, xp.zeros_like(state.capital), turns_in)

    def observe(self, rules: CommonsRules, phase: str, turn: Any, state: Standing, draws: Draws) -> TableView:
        """The table at the start of a turn."""
        return TableView(rules, turn, state.state, draws)

    def view(self, seen: TableView, pick: Pick) -> RowView:
        """The rows of one champion."""
        return RowView(seen, pick)

    def movers(self, rules: CommonsRules, phase: str, state: Standing) -> Array | None:
        """Seats that are out give nothing, spend nothing and have no vote."""
        return state.state.present

    def legal(self, rules: CommonsRules, phase: str, state: Standing) -> Mapping[str, tuple[Array, Array]]:
        """A fraction to give; capital to lobby with."""
        capital = state.state.capital
        xp = namespace(capital)
        bounds = {"contribution": (xp.zeros_like(capital), xp.ones_like(capital))}
        return bounds | ({"lobby": (-capital, capital)} if rules.lobbying else {})

    def step(self, rules: CommonsRules, phase: str, turn: Any, state: Standing, moves: Moves, draws: Draws) -> Standing:
        """One turn."""
        before, given = state.state, moves["contribution"]
        after = play_turn(before, turns.Moves(given, moves.get("lobby"), moves.get("vote")), rules).state
        turns_in = None if state.turns_in is None else state.turns_in + before.present
        return Standing(after, state.given + given, turns_in)

    def ends(self, rules: CommonsRules, turn: Any, draws: Draws) -> Array:
        """The shadow of the future falls whatever the players do."""
        drawn = draws.uniform(SHADOW, turn)
        if isinstance(turn, int):
            return drawn < rules.ending_probability(turn)
        if rules.turns is not None:
            return (turn >= rules.turns) | (drawn < 0.0)
        xp = namespace(drawn)
        return drawn < -xp.expm1(-rules.ending_rate * xp.astype(turn, drawn.dtype))

    def finals(self, rules: CommonsRules, state: Standing) -> Array:
        """Capitals."""
        return state.state.capital

    def figures(self, rules: CommonsRules, turn: Any, state: Standing) -> Mapping[str, Array]:
        """What each seat gave on average, over the turns in which it was in the game."""
        return {"contribution": state.given / (turn if state.turns_in is None else state.turns_in)}

    def turns_in(self, rules: CommonsRules, turn: Any, state: Standing) -> Array | None:
        """Until it was voted out."""
        return state.turns_in

    def view_of(self, question: Question[SeatView], draws: Draws) -> RowView:
        """A table of one game."""
        seen = question.view
        return RowView(TableView(seen.rules, seen.turn, _as_state(seen), draws), OneSeat(seen.seat))

    def answer_of(self, question: Question[SeatView], moves: Mapping[str, Any]) -> object:
        """Lobby and vote only where they are asked for."""
        seen = question.view
        answer: dict[str, object] = {"contribution": float(moves["contribution"])}
        if seen.rules.lobbying:
            answer["lobby"] = float(moves.get("lobby", 0.0))
        if seen.may_vote:
            vote = int(moves.get("vote", NOBODY))
            answer["vote"] = None if vote == NOBODY else vote
        return answer

    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        """A vote for nobody is a number too."""
        vote = answer.get("vote")
        return {**answer, "vote": NOBODY if vote is None else vote}

    def notes(self, rules: CommonsRules, seats: int) -> "CommonsNotes":
        """Views can be made of the state and the past of one game."""
        return CommonsNotes(rules, seats)


STEP = CommonsStep()


def _as_state(seen: SeatView) -> State:
    """The view in the shape of the rules' state. Before the first turn everyone stands as having given everything."""
    seats = len(seen.capitals)

    def column(values: Any) -> Any:
        return np.asarray(values, dtype=np.float64)[:, None]

    gains = np.full((seats, 1), np.nan)  # what the others gained is not for this seat to know
    gains[seen.seat] = seen.own[-1].gain if seen.own else seen.rules.endowment
    return State(
        capital=column(seen.capitals),
        present=None if all(seen.present) else np.asarray(seen.present)[:, None],
        alpha=np.asarray([seen.alpha]),
        synergy=np.asarray([seen.synergy]),
        contributions=column(seen.contributions or (1.0,) * seats),
        gains=gains,
        cooperation=np.asarray([1.0 if seen.cooperation is None else seen.cooperation]),
    )


class CommonsNotes(Notes):
    """The past of one game of a batch."""

    def question(self, phase: str, turn: int, state: Standing, column: int, seat: int) -> Question[SeatView]:
        """As the game itself would ask it."""
        return self.ask(turn, state.state, column, seat)

    def take_in(self, phase: str, turn: int, moves: Moves, state: Standing, column: int) -> None:
        """Remember the turn."""
        given = moves["contribution"][:, column].tolist()
        lobby = moves["lobby"][:, column].tolist() if "lobby" in moves else [0.0] * len(given)
        self.add(given, lobby, state.state.gains[:, column].tolist())
