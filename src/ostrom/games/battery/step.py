"""The played games over arrays, for the batch engine. The functions `PlayedRules.asks` and `paid` are computed for many
games at once. Roles that move one after the other are phases of one turn, except in the centipede game, whose turns are
its nodes. The displayed order and labels of options do not matter here, since a move is the option's position in the
rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace
from ostrom.core.specs import Amount, Stepped
from ostrom.core.step import ArrayForm, Draws, Field, ManySeats, Moves, OneSeat, Pick, each_array
from ostrom.games.battery.beauty_contest import BeautyContestRules
from ostrom.games.battery.centipede import OPTIONS, CentipedeRules
from ostrom.games.battery.dictator import DictatorRules
from ostrom.games.battery.matching_pennies import MatchingPenniesRules
from ostrom.games.battery.numbers import count_steps, decimals
from ostrom.games.battery.played import LABELS, ORDER, PlayedRole, PlayedRules, PlayedView, RoleQuestion, round_payoff
from ostrom.games.battery.public_goods import PublicGoodsRules
from ostrom.games.battery.stag_hunt import StagHuntRules
from ostrom.games.battery.traveller import TravellerRules
from ostrom.games.battery.trust import TrustRules
from ostrom.games.battery.ultimatum import UltimatumRules


@dataclass(frozen=True)
class RoleTable:
    """A batch of games at the moment when a role is asked."""

    rules: PlayedRules
    part: PlayedRole
    turn: Any
    seats: int
    like: Array
    """(games,) Any array of the numeric type and library in which the games are played."""
    before: Array | None
    draws: Draws


@dataclass(frozen=True)
class RoleView:
    """The view of one player, with one row for each of its seats. It has the data of `PlayedView`. Values that differ
    between rows are arrays."""

    table: RoleTable
    pick: Pick

    @cached_property
    def rules(self) -> PlayedRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def part(self) -> PlayedRole:
        return self.table.part

    @property
    def turn(self) -> Any:
        return self.table.turn

    @property
    def options(self) -> tuple[str, ...]:
        return self.part.options

    @property
    def seat(self) -> Any:
        """The player's own seat in each row: one number, or an array of rows."""
        return self.pick.seat

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.like)

    @cached_property
    def zero(self) -> Array:
        """An array with 0 for every row, of the numeric type in which the games are played."""
        return 0.0 * self.pick.of_games(self.table.like)

    @cached_property
    def before(self) -> Array | None:
        """The move of the previous role in each row's game."""
        return None if self.table.before is None else self.pick.of_games(self.table.before)

    def question_at(self, seat: int) -> RoleQuestion:
        """Return the question of a seat in each row's game."""
        return self.rules.asks(self.part.role, self.table.seats, seat=seat, before=self.before)

    @cached_property
    def _question(self) -> RoleQuestion:
        return self.question_at(self.part.seat or 0)

    @property
    def facts(self) -> Any:
        """The facts that are known to every seat of the role."""
        return self._question[0]

    @property
    def range(self) -> Amount:
        """The allowed numbers, if a number is asked."""
        return _range(self._question)

    def draw(self, purpose: str) -> Array:
        """Return a random number in [0, 1) for each row: the first draw for this purpose."""
        single = self.zero.dtype == self.xp.float32
        uniform = self.table.draws.of_rows(self.pick).uniform(purpose, self.turn, self.seat, single=single)
        return self.xp.astype(uniform, self.zero.dtype)

    @cached_property
    def shown_first(self) -> Array:
        """The position of the option that is shown first in each row."""
        return self.xp.where(self.draw(ORDER) < 0.5, 1, 0)

    @cached_property
    def called_a(self) -> Array:
        """The position of the option labelled A."""
        return self.xp.where(self.draw(LABELS) < 0.5, self.shown_first, 1 - self.shown_first)

    def pieces(self, max_rows: int) -> Iterator["RoleView"]:
        """Yield views that together contain the same rows. Each has at most `max_rows` rows."""
        rows = self.zero.shape[0]
        if rows <= max_rows:
            yield self
            return
        pick, games = self.pick, self.table.like.shape[0]
        for start in range(0, rows, max_rows):
            stop = min(start + max_rows, rows)
            if isinstance(pick, ManySeats):
                part = ManySeats(pick.seat[start:stop], pick.game[start:stop], pick.flat[start:stop])
            else:
                part = ManySeats.of(np.full(stop - start, pick.seat), np.arange(start, stop), games)
            yield replace(self, pick=part)


def _range(question: RoleQuestion) -> Amount:
    spec = question[1]
    assert isinstance(spec, Amount), "a question without options asks for a number"
    return spec


class RoleState(NamedTuple):
    """The state of the games of a batch."""

    moves: tuple[Array, ...]
    """For each role that has moved, an array (seats, games) of the moves of its seats."""
    payoffs: Array
    """(seats, games) The payoffs. They are 0 before the end."""


class PlayedForm(ArrayForm[PlayedRules, Any]):
    """A played game for the batch engine. The game has a single turn, whose phases are its roles. A rule that is a
    number may be an array with a number for each game."""

    def __init__(self, played: type[PlayedRules], *, in_turns: bool = False) -> None:
        self.played = played
        # One class serves all games. So attributes that other forms declare on their class are set on the instance.
        arguments = tuple(name for name, field in played.model_fields.items() if field.annotation in (int, float))
        vars(self).update(arguments=arguments, in_turns=in_turns)

    def _place(self, phase: str) -> int:
        return [part.role for part in self.played.parts].index(phase)

    def _part(self, phase: str) -> PlayedRole:
        return self.played.parts[self._place(phase)]

    @override
    def phases(self, rules: PlayedRules) -> Sequence[str]:
        return [part.role for part in self.played.parts]

    @override
    def fields(self, rules: PlayedRules, phase: str) -> Sequence[Field]:
        part = self._part(phase)
        return (Field(part.field, dtype="int16" if part.options else "int64" if part.whole else None),)

    @override
    def init(self, rules: PlayedRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> Any:
        xp, shape = namespace(like), (seats, like.shape[0])
        types = [self.fields(rules, phase)[0].dtype for phase in self.phases(rules)]
        moves = [xp.zeros(shape, dtype=like.dtype if dtype is None else getattr(xp, dtype)) for dtype in types]
        return RoleState(tuple(moves), xp.zeros(shape, dtype=like.dtype))

    def _before(self, phase: str, state: Any) -> Array | None:
        place = self._place(phase)
        return None if place == 0 else state.moves[place - 1][self.played.parts[place - 1].seat]

    def observe(self, rules: PlayedRules, phase: str, turn: Any, state: Any, draws: Draws) -> RoleTable:
        """Return the table as a role sees it. It has the moves of earlier roles, but no moves of the same phase."""
        part, like = self._part(phase), state.payoffs[0]
        return RoleTable(rules, part, part.turn, len(state.payoffs), like, self._before(phase, state), draws)

    @override
    def view(self, table: RoleTable, pick: Pick) -> RoleView:
        return RoleView(table, pick)

    def movers(self, rules: PlayedRules, phase: str, state: Any) -> Array | None:
        """Return whether each seat moves. The seats of the role move, unless there is nothing to divide."""
        part = self._part(phase)
        if part.seat is None:
            return None
        xp, own_seat = namespace(state.payoffs), self._seats_of(part.seat, state)
        if part.options or self._place(phase) == 0:
            return own_seat
        spec = _range(rules.asks(part.role, len(state.payoffs), before=self._before(phase, state)))
        return xp.logical_and(own_seat, spec.high > spec.low)

    def _seats_of(self, seat: Any, state: Any) -> Array:
        """(seats, games) Return a mask that is true at the seat that moves. `seat` is one seat for all games, or one
        for each game."""
        xp, (seats, games) = namespace(state.payoffs), state.payoffs.shape
        return xp.broadcast_to(xp.arange(seats)[:, None] == seat, (seats, games))

    @override
    def legal(self, rules: PlayedRules, phase: str, state: Any) -> Mapping[str, tuple[Array, Array]]:
        part, (seats, games) = self._part(phase), state.payoffs.shape
        unused_draws = Draws(state.payoffs[0], (0, 0))
        table = self.observe(rules, phase, 1, state, unused_draws)
        bounds = self.bounds(self.view(table, OneSeat(part.seat or 0)), part.field)
        assert bounds is not None
        xp = namespace(state.payoffs)
        return {part.field: (xp.broadcast_to(bounds[0], (seats, games)), xp.broadcast_to(bounds[1], (seats, games)))}

    @override
    def step(self, rules: PlayedRules, phase: str, turn: Any, state: Any, moves: Moves, draws: Draws) -> Any:
        place = self._place(phase)
        played = (*state.moves[:place], moves[self._part(phase).field], *state.moves[place + 1 :])
        last = place == len(played) - 1
        return RoleState(played, self._paid(rules, played, state) if last else state.payoffs)

    def _paid(self, rules: PlayedRules, moves: Sequence[Any], state: Any) -> Array:
        xp, paid = namespace(state.payoffs), rules.paid(moves)
        rows = paid if hasattr(paid, "shape") else xp.stack([payoff + 0.0 * state.payoffs[0] for payoff in paid])
        return xp.astype(round_payoff(rows), state.payoffs.dtype)

    @override
    def ends(self, rules: PlayedRules, turn: Any, draws: Draws) -> Array | None:
        return (draws.games >= 0) & (turn >= 1)

    @override
    def finals(self, rules: PlayedRules, state: Any) -> Array:
        return state.payoffs

    def figures(self, rules: PlayedRules, turn: Any, state: Any) -> Mapping[str, Array]:
        """Return the moves of each role, with one value for each seat. If a single seat has the role, its move is
        repeated for all seats. A choice is 1 for the first option and 0 for the second."""
        xp, shape, dtype = namespace(state.payoffs), state.payoffs.shape, state.payoffs.dtype
        figures = {}
        for part, moves in zip(self.played.parts, state.moves, strict=True):
            values = xp.astype(moves == 0 if part.options else moves, dtype)
            rows = values if part.seat is None else xp.broadcast_to(values[part.seat], shape)
            figures[part.options[0] if part.options else part.field] = rows
        return figures

    @override
    def limits(self, rules: PlayedRules, seats: int) -> Mapping[str, tuple[float, float]]:
        limits = {}
        for part in self.played.parts:
            if part.options:
                limits[part.options[0]] = (0.0, 1.0)
            else:
                # The range of a later role depends on the previous move.
                most = np.inf if part.before else _range(rules.asks(part.role, seats)).high
                least = 0.0 if part.before else _range(rules.asks(part.role, seats)).low
                limits[part.field] = (float(least), float(most))
        return limits

    @override
    def turns_in(self, rules: PlayedRules, turn: Any, state: Any) -> Array | None:
        xp = namespace(state.payoffs)
        turns = xp.zeros(state.payoffs.shape, dtype=xp.int32)
        for phase in self.phases(rules):
            movers = self.movers(rules, phase, state)
            if movers is None:
                return None
            turns = turns + xp.astype(movers, xp.int32)
        return turns

    def length(self, rules: PlayedRules, turn: Any, state: Any) -> Array | None:
        """Return the last turn in which a seat was asked."""
        if all(part.turn == 1 for part in self.played.parts):
            return None
        xp = namespace(state.payoffs)
        last = xp.zeros(state.payoffs.shape[1:], dtype=xp.int32)
        for part in self.played.parts:
            movers = self.movers(rules, part.role, state)
            is_asked = True if movers is None else xp.any(movers, axis=0)
            last = xp.where(is_asked, xp.maximum(last, xp.asarray(part.turn, dtype=xp.int32)), last)
        return last

    def bounds(self, view: RoleView, field: str) -> tuple[Array, Array] | None:
        """Return the bounds of a legal move. A move is the position of an option, or a number. A claim between two
        steps is rounded to the nearest step."""
        part, xp = view.part, view.xp
        if field != part.field:
            return None
        low, high = (0, 1) if part.options else (view.range.low, view.range.high)
        kind = xp.int16 if part.options else xp.int64 if part.whole else view.zero.dtype
        return xp.astype(view.zero + low, kind), xp.astype(view.zero + high, kind)

    def features(self, view: RoleView) -> Sequence[Array]:
        """Return the features of a question for learning agents: the previous role's move relative to its maximum, the
        main parameter of the game, and the seat."""
        xp, seats = view.xp, view.table.seats
        relative_move = view.zero if view.before is None else view.zero + view.before / self._most_before(view)
        rules = xp.minimum(view.zero + view.rules.key(seats), view.zero + 2.0)
        return relative_move, rules, view.zero + xp.asarray(view.seat) / (seats - 1)

    def _most_before(self, view: RoleView) -> Any:
        first = self.played.parts[self._place(view.part.role) - 1]
        return _range(view.rules.asks(first.role, view.table.seats)).high

    @override
    def view_of(self, question: Question[PlayedView], draws: Draws) -> RoleView | None:
        view, part = question.view, self._part(question.phase)
        move = self._known_move(view.facts, part)
        before = None if move is None else np.asarray([move])
        seats = getattr(view.facts, "players", 2)
        table = RoleTable(view.rules, part, question.turn, seats, np.zeros(1), before, draws)
        return RoleView(table, OneSeat(view.seat))

    def _known_move(self, facts: Any, part: PlayedRole) -> Any:
        return getattr(facts, part.before) if part.before else None

    @override
    def answer_of(self, question: Question[PlayedView], moves: Mapping[str, Any]) -> object:
        part, spec = self._part(question.phase), question.spec
        value = moves[part.field]
        if part.options:
            return part.options[int(value)]
        if isinstance(spec, Stepped):
            steps = count_steps(float(value), spec.low, spec.high, spec.step)
            return decimals(spec.low + steps * spec.step, 9)
        return int(value) if part.whole else float(value)

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        part = self._part(phase)
        return {part.field: part.options.index(answer) if part.options else answer}


class CentipedeState(NamedTuple):
    """The state of a batch of centipede games."""

    passed: Array
    """(games,) The number of passes so far."""
    over: Array
    """(games,) True if a seat took, or the last node was passed."""
    asked: Array
    """(seats, games) The number of questions to each seat."""
    payoffs: Array
    """(seats, games) The payoffs. They are 0 before the end."""


class CentipedeForm(PlayedForm):
    """The centipede game for the batch engine. Two seats move in turn, and each turn is a node."""

    @override
    def init(self, rules: Any, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> CentipedeState:
        xp = namespace(like)
        zeros = xp.zeros((seats, like.shape[0]), dtype=xp.int32)
        return CentipedeState(zeros[0], zeros[0] > 0, zeros, xp.zeros(zeros.shape, dtype=like.dtype))

    def _before(self, phase: str, state: CentipedeState) -> Array:
        return state.passed

    @override
    def observe(self, rules: PlayedRules, phase: str, turn: Any, state: Any, draws: Draws) -> RoleTable:
        return replace(super().observe(rules, phase, turn, state, draws), turn=turn)

    @override
    def movers(self, rules: PlayedRules, phase: str, state: CentipedeState) -> Array:
        return self._seats_of(state.passed % 2, state) & ~state.over

    @override
    def step(
        self, rules: Any, phase: str, turn: Any, state: CentipedeState, moves: Moves, draws: Draws
    ) -> CentipedeState:
        xp, choices = namespace(state.payoffs), moves[self._part(phase).field]
        choice = xp.where(state.passed % 2 == 0, choices[0], choices[1])
        counts = state.asked + xp.astype(self.movers(rules, phase, state), state.asked.dtype)
        goes_on = ~state.over & (choice == OPTIONS.index("pass"))
        passed = state.passed + xp.astype(goes_on, state.passed.dtype)
        over = state.over | ~goes_on | (passed >= len(rules.payoffs))
        paid = self._paid(rules, [passed], state)
        return CentipedeState(passed, over, counts, xp.where(over, paid, state.payoffs))

    @override
    def ends(self, rules: PlayedRules, turn: Any, draws: Draws) -> None:
        return

    @override
    def done(self, rules: PlayedRules, turn: Any, state: CentipedeState) -> Array:
        return state.over

    @override
    def figures(self, rules: PlayedRules, turn: Any, state: CentipedeState) -> Mapping[str, Array]:
        return {"passes": state.payoffs * 0.0 + state.passed}

    @override
    def limits(self, rules: PlayedRules, seats: int) -> Mapping[str, tuple[float, float]]:
        return {"passes": (0.0, float(len(rules.payoffs)))}  # type: ignore[attr-defined]

    @override
    def turns_in(self, rules: PlayedRules, turn: Any, state: CentipedeState) -> Array:
        return state.asked

    def _most_before(self, view: RoleView) -> Any:
        return len(view.table.rules.payoffs)  # type: ignore[attr-defined]

    def _known_move(self, facts: Any, part: PlayedRole) -> int:
        return int(facts.node) - 1


DICTATOR = PlayedForm(DictatorRules, in_turns=True)
ULTIMATUM = PlayedForm(UltimatumRules, in_turns=True)
TRUST = PlayedForm(TrustRules, in_turns=True)
STAG_HUNT = PlayedForm(StagHuntRules)
PUBLIC_GOODS = PlayedForm(PublicGoodsRules)
CENTIPEDE = CentipedeForm(CentipedeRules, in_turns=True)
TRAVELLER = PlayedForm(TravellerRules)
BEAUTY_CONTEST = PlayedForm(BeautyContestRules)
MATCHING_PENNIES = PlayedForm(MatchingPenniesRules)
