"""The Commons over arrays: its form for the batch engine, and the view of a champion in one or many games at once.

A row is one seat of a champion in one game. A seat's own quantities are arrays with one entry for each row. Quantities
of whole games are computed once for all champions, and each champion selects the entries of its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, count, namespace, ordered, round_values, total
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, Picked, each_array
from ostrom.core.text import number_of
from ostrom.games.commons import rules as turns
from ostrom.games.commons.play import PHASE, SeatView, TurnNotes, move_of
from ostrom.games.commons.rules import NO_SEAT, CommonsRules, CommonsState, opening, play_turn, seats_in


@dataclass
class TableView:
    """A batch of games at the start of a turn. It has statistics of the last contributions over the seats still in the
    game."""

    rules: CommonsRules
    turn: Any
    """The number of the turn, counted from 1. Under JAX, it is a traced number."""
    state: CommonsState
    draws: Draws

    @cached_property
    def others(self) -> Array | int:
        """The number of other seats still in the game. It is one number if no seat can leave, and otherwise an array
        with a number for each game."""
        return seats_in(self.state.contributions, self.state.present) - 1

    @cached_property
    def sorted_contributions(self) -> list[Array]:
        """The last contributions from lowest to highest. Seats that have left are at the end, with a value above 1."""
        contributions, present = self.state.contributions, self.state.present
        return ordered(
            contributions if present is None else namespace(contributions).where(present, contributions, 2.0)
        )

    @cached_property
    def middle(self) -> tuple[Array, Array, Array]:
        """The three middle order statistics of all seats. The median of the others, for any seat, is computed from
        these three, because removing one value moves the middle by at most one rank."""
        ranked = self.sorted_contributions
        first = (self.others - 1) // 2
        if isinstance(first, int):
            last = min(first + 2, len(ranked) - 1)
            return ranked[first], ranked[first + 1], ranked[last]
        xp = namespace(self.state.contributions)
        ranks = range(1, (len(ranked) - 2) // 2 + 1)
        at = [first == rank for rank in ranks]

        def statistic(above: int) -> Array:
            chosen = ranked[min(above, len(ranked) - 1)]
            for rank, matches in zip(ranks, at, strict=True):
                chosen = xp.where(matches, ranked[min(rank + above, len(ranked) - 1)], chosen)
            return chosen

        return statistic(0), statistic(1), statistic(2)

    @cached_property
    def generous(self) -> Array:
        """The number of seats that gave at least half."""
        return count(self._among_those_in(self.state.contributions) >= 0.5)

    @cached_property
    def mean(self) -> Array:
        """The mean of the last contributions, rounded. It differs from the last turn's cooperation if a seat has left
        since then."""
        if self.state.present is None:
            return self.state.cooperation
        return round_values(total(self._among_those_in(self.state.contributions)) / (self.others + 1))

    def _among_those_in(self, contributions: Array) -> Array:
        present = self.state.present
        return contributions if present is None else namespace(contributions).where(present, contributions, 0.0)


@dataclass
class RowView:
    """The view of one champion, with one row for each of its seats."""

    table: TableView
    pick: Pick

    contribution = Picked("of_seats", "state.contributions")
    """The last contribution of the champion's own seat."""
    gain = Picked("of_seats", "state.gains")
    """The gain of the champion's own seat in the last turn, before the cost of lobbying."""
    capital = Picked("of_seats", "state.capital")
    alpha = Picked("of_games", "state.alpha")
    cooperation = Picked("of_games", "state.cooperation")
    """The mean contribution of the last turn, rounded."""
    synergy = Picked("of_games", "state.synergy")
    """The synergy of the next turn."""
    mean = Picked("of_games", "mean")
    """The mean of the last contributions of the seats still in the game, rounded."""
    contributions = Picked("of_tables", "state.contributions")
    """(seats, rows) The last contributions of all seats."""
    capitals = Picked("of_tables", "state.capital")
    """(seats, rows) The capital of all seats."""

    @cached_property
    def rules(self) -> CommonsRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def turn(self) -> Any:
        return self.table.turn

    @property
    def seat(self) -> Any:
        """The champion's own seat in each row. It is one number if all rows have the same seat, and otherwise an
        array."""
        return self.pick.seat

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.capital)

    @cached_property
    def present(self) -> Array | None:
        """(seats, rows) True for seats still in the game. It is None if no seat can ever leave."""
        present = self.table.state.present
        return None if present is None else self.pick.of_tables(present)

    @cached_property
    def others(self) -> Array | int:
        """The number of other seats still in the game. It is one number, or an array with a number for each row."""
        others = self.table.others
        return others if isinstance(others, int) else self.pick.of_games(others)

    @cached_property
    def others_median(self) -> Array:
        """The median of the others' last contributions."""
        xp = self.xp
        below, middle, above = (self.pick.of_games(row) for row in self.table.middle)
        # If the champion's own value is removed from the order, every value at or above it moves down by one rank.
        lower = xp.where(self.contribution > below, below, middle)
        odd = self.others % 2 == 1
        if odd is True:
            return lower
        upper = xp.where(self.contribution > middle, middle, above)
        even = (lower + upper) / 2.0
        return even if odd is False else xp.where(odd, lower, even)

    def others_lowest(self, among: Array | None) -> Array:
        """Return the lowest last contribution among the others. With a mask `among` (seats, rows), only these seats
        count."""
        if among is None and self.table.state.present is None:
            lowest, second = (self.pick.of_games(row) for row in self.table.sorted_contributions[:2])
            return self.xp.where(self.contribution > lowest, lowest, second)
        least = self.constant(1.0)
        for seat, contribution in enumerate(self.contributions):
            other = self.seat != seat if among is None else among[seat] & (self.seat != seat)
            least = self.xp.where(other, self.xp.minimum(least, contribution), least)
        return least

    @cached_property
    def others_generous(self) -> Array:
        """The number of others that gave at least half in the last turn."""
        return self.pick.of_games(self.table.generous) - (self.contribution >= 0.5)

    def constant(self, value: float) -> Array:
        """Return the same number for every row."""
        return self.xp.full_like(self.contribution, value)

    def draw(self) -> Array:
        """Return a random number in [0, 1) for each row, drawn anew in every turn."""
        draws, dtype = self.table.draws.of_rows(self.pick), self.contribution.dtype
        numbers = draws.uniform(DRAWS, self.turn, self.seat, single=dtype == self.xp.float32)
        return self.xp.astype(numbers, dtype)


DRAWS = "champion"
"""The purpose of the draws that players make for their own decisions."""
SHADOW = "shadow"
"""The purpose of the draw that decides whether a game ends."""
_CONTRIBUTION = Field("contribution")
_LOBBY = Field("lobby")
_VOTE = Field("vote", absent=NO_SEAT, dtype="int16", every_seat=False)


class CommonsBatch(NamedTuple):
    """The state of a batch of games, with sums over their turns."""

    state: CommonsState
    given: Array
    """(seats, games) The sum of each seat's contributions."""
    turns_in: Array | None
    """(seats, games) The number of turns in which each seat was in the game. It is None if no seat can leave."""


class CommonsStep(ArrayForm[CommonsRules, CommonsBatch]):
    """The form of the Commons for the batch engine. Every turn has one phase. Lobbying and votes are computed only if
    the rules allow them and players use them."""

    arguments = (
        "endowment",
        "duration",
        "turns",
        "alpha",
        "sensitivity",
        "erosion_intensity",
        "votes_needed",
        "synergy",
        "synergy_lowest",
        "synergy_highest",
        "golden_age_from",
        "growth",
        "erosion_below",
        "shrinkage",
    )

    @override
    def phases(self, rules: CommonsRules) -> Sequence[str]:
        return (PHASE,)

    @override
    def fields(self, rules: CommonsRules, phase: str) -> Sequence[Field]:
        return (_CONTRIBUTION, *([_LOBBY] if rules.lobbying else []), *([_VOTE] if rules.voting else []))

    @override
    def needed(self, rules: CommonsRules, phase: str, makers: Mapping[str, Array]) -> Sequence[Field]:
        # Votes have an effect only if the number of players that ever vote reaches the number of votes that an
        # exclusion needs.
        enough = {"contribution": 0, "lobby": 1, "vote": rules.votes_needed}
        return [field for field in self.fields(rules, phase) if (makers[field.name] >= enough[field.name]).any()]

    @override
    def remark(self, rules: CommonsRules, seats: int, makers: Mapping[str, int]) -> str:
        voters = makers.get("vote", 0)
        if not rules.too_few_voters(seats, voters):
            return ""
        limit = number_of(voters, "voter")
        return f"no seat can be excluded: that needs {rules.votes_needed} votes, and no table has more than {limit}"

    @override
    def init(self, rules: CommonsRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> CommonsBatch:
        state = opening(like, seats, rules, may_leave="vote" in fields)
        xp = namespace(like)
        turns_in = None if state.present is None else xp.zeros(state.capital.shape, dtype=xp.int32)
        return CommonsBatch(state, xp.zeros_like(state.capital), turns_in)

    @override
    def observe(self, rules: CommonsRules, phase: str, turn: Any, state: CommonsBatch, draws: Draws) -> TableView:
        return TableView(rules, turn, state.state, draws)

    @override
    def view(self, seen: TableView, pick: Pick) -> RowView:
        return RowView(seen, pick)

    @override
    def movers(self, rules: CommonsRules, phase: str, state: CommonsBatch) -> Array | None:
        return state.state.present

    @override
    def legal(self, rules: CommonsRules, phase: str, state: CommonsBatch) -> Mapping[str, tuple[Array, Array]]:
        capital = state.state.capital
        xp = namespace(capital)
        bounds = {"contribution": (xp.zeros_like(capital), xp.ones_like(capital))}
        return bounds | ({"lobby": (-capital, capital)} if rules.lobbying else {})

    @override
    def step(
        self, rules: CommonsRules, phase: str, turn: Any, state: CommonsBatch, moves: Moves, draws: Draws
    ) -> CommonsBatch:
        before, contributions = state.state, moves["contribution"]
        after = play_turn(before, turns.TurnMoves(contributions, moves.get("lobby"), moves.get("vote")), rules).state
        turns_in = None if state.turns_in is None else state.turns_in + before.present
        return CommonsBatch(after, state.given + contributions, turns_in)

    @override
    def ends(self, rules: CommonsRules, turn: Any, draws: Draws) -> Array:
        xp = namespace(draws.games)
        if rules.turns is not None:
            return xp.broadcast_to(xp.asarray(turn >= rules.turns), draws.games.shape)
        draw = draws.uniform(SHADOW, turn)
        if isinstance(turn, int) and isinstance(rules.duration, int):
            return draw < rules.ending_probability(turn)
        return draw < -xp.expm1(-rules.ending_rate * xp.asarray(turn, dtype=draw.dtype))

    @override
    def finals(self, rules: CommonsRules, state: CommonsBatch) -> Array:
        return state.state.capital

    @override
    def figures(self, rules: CommonsRules, turn: Any, state: CommonsBatch) -> Mapping[str, Array]:
        return {"contribution": state.given / (turn if state.turns_in is None else state.turns_in)}

    @override
    def limits(self, rules: CommonsRules, seats: int) -> Mapping[str, tuple[float, float]]:
        return {"contribution": (0.0, 1.0)}

    @override
    def turns_in(self, rules: CommonsRules, turn: Any, state: CommonsBatch) -> Array | None:
        return state.turns_in

    @override
    def bounds(self, view: RowView, field: str) -> tuple[Array, Array] | None:
        if field == "contribution":
            return view.constant(0.0), view.constant(1.0)
        return (-view.capital, view.capital) if field == "lobby" else None

    @override
    def features(self, view: RowView) -> Sequence[Array]:
        # The features are the last contributions, the state of the game, the elapsed share of the duration, and the
        # seat's share of all capital.
        xp, rules = view.xp, view.rules
        room = rules.synergy_highest - rules.synergy_lowest
        late = view.constant(0.0) + view.turn / rules.duration
        seats = view.capitals.shape[0]
        capital = total(view.capitals)
        return (
            view.contribution,
            view.mean,
            view.others_median,
            (view.synergy - rules.synergy_lowest) / xp.where(xp.asarray(room > 0.0), room, 1.0),
            view.alpha,
            xp.minimum(late, view.constant(2.0)),
            xp.clip(view.capital * seats / xp.where(capital > 0.0, capital, 1.0) / 2.0, 0.0, 1.0),
        )

    @override
    def view_of(self, question: Question[SeatView], draws: Draws) -> RowView:
        view = question.view
        return RowView(TableView(view.rules, view.turn, _as_state(view), draws), OneSeat(view.seat))

    @override
    def answer_of(self, question: Question[SeatView], moves: Mapping[str, Any]) -> object:
        vote = int(moves.get("vote", NO_SEAT))
        target = None if vote == NO_SEAT else vote
        return move_of(question.view, float(moves["contribution"]), float(moves.get("lobby", 0.0)), target)

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        vote = answer.get("vote")
        return {**answer, "vote": NO_SEAT if vote is None else vote}

    @override
    def notes(self, rules: CommonsRules, seats: int) -> "CommonsNotes":
        return CommonsNotes(rules, seats)


STEP = CommonsStep()


def _as_state(view: SeatView) -> CommonsState:
    """Return the data of a seat's view as a `CommonsState` of one game. In the state before the first turn, all
    contributions are 1."""
    seats = len(view.capitals)

    def column(values: Any) -> Any:
        return np.asarray(values, dtype=np.float64)[:, None]

    gains = np.full((seats, 1), np.nan)  # The other seats' gains are not public.
    gains[view.seat] = view.own[-1].gain if view.own else view.rules.endowment
    return CommonsState(
        capital=column(view.capitals),
        present=None if all(view.present) else np.asarray(view.present)[:, None],
        alpha=np.asarray([view.alpha]),
        synergy=np.asarray([view.synergy]),
        contributions=column(view.contributions or (1.0,) * seats),
        gains=gains,
        cooperation=np.asarray([1.0 if view.cooperation is None else view.cooperation]),
    )


class CommonsNotes(TurnNotes):
    """The past turns of one game of a batch."""

    def question(self, phase: str, turn: int, state: CommonsBatch, column: int, seat: int) -> Question[SeatView]:
        """Return the question that `play` would ask this seat."""
        return self.ask(turn, state.state, column, seat)

    def take_in(self, phase: str, turn: int, moves: Moves, state: CommonsBatch, column: int) -> None:
        """Add a turn of the batch to the past."""
        contributions = moves["contribution"][:, column].tolist()
        lobby = moves["lobby"][:, column].tolist() if "lobby" in moves else [0.0] * len(contributions)
        self.add(contributions, lobby, state.state.gains[:, column].tolist())
