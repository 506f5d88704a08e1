"""The played games over arrays, for the batch engine: what `PlayedRules.asks` and `paid` say of one game, of many at
once. Roles that move one after the other are phases of one turn, but for the centipede, whose turns are its nodes.
Which option is shown first, and under which letter, is presentation: a move is the place of an option."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace
from ostrom.core.specs import Amount, Stepped
from ostrom.core.step import ArrayForm, Draws, Field, ManySeats, Moves, OneSeat, Pick, each_array
from ostrom.games.battery.beauty_contest import BeautyContestRules
from ostrom.games.battery.centipede import OPTIONS, CentipedeRules
from ostrom.games.battery.dictator import DictatorRules
from ostrom.games.battery.matching_pennies import MatchingPenniesRules
from ostrom.games.battery.numbers import counted, decimals
from ostrom.games.battery.played import LABELS, ORDER, Asked, Part, PlayedRules, PlayedView, paid_out
from ostrom.games.battery.public_goods import PublicGoodsRules
from ostrom.games.battery.stag_hunt import StagHuntRules
from ostrom.games.battery.traveller import TravellerRules
from ostrom.games.battery.trust import TrustRules
from ostrom.games.battery.ultimatum import UltimatumRules


@dataclass(frozen=True)
class RoleTable:
    """A batch of games when a role is asked."""

    rules: PlayedRules
    part: Part
    turn: Any
    """The turn of the question."""
    seats: int
    like: Array
    """(games,) Of the type that the games are played in."""
    before: Array | None
    """(games,) What the role before did."""
    draws: Draws


@dataclass(frozen=True)
class RoleView:
    """The rows of one player. It has what `PlayedView` has, with arrays of rows for numbers that differ."""

    table: RoleTable
    pick: Pick

    @cached_property
    def rules(self) -> PlayedRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def task(self) -> str:
        return self.rules.task

    @property
    def part(self) -> Part:
        return self.table.part

    @property
    def turn(self) -> Any:
        return self.table.turn

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
        """0 for every row, in the type that the game is played in."""
        return 0.0 * self.pick.of_games(self.table.like)

    @cached_property
    def before(self) -> Array | None:
        """What the role before did in each row's game."""
        return None if self.table.before is None else self.pick.of_games(self.table.before)

    def asked_at(self, seat: int) -> Asked:
        """What a seat of each row's game is asked."""
        return self.rules.asks(self.part.role, self.table.seats, seat=seat, before=self.before)

    @cached_property
    def _asked(self) -> Asked:
        return self.asked_at(self.part.seat or 0)

    @property
    def facts(self) -> Any:
        """What every seat of the role knows alike."""
        return self._asked[0]

    @property
    def range(self) -> Amount:
        """The numbers that are allowed, where a number is asked."""
        return _range(self._asked)

    def draw(self, purpose: str) -> Array:
        """A number in [0, 1) for each row: the first draw of this purpose."""
        single = self.zero.dtype == self.xp.float32
        drawn = self.table.draws.of_rows(self.pick).uniform(purpose, self.turn, self.seat, single=single)
        return self.xp.astype(drawn, self.zero.dtype)

    @cached_property
    def shown_first(self) -> Array:
        """The place of the option that each row is shown first."""
        return self.xp.where(self.draw(ORDER) < 0.5, 1, 0)

    @cached_property
    def called_a(self) -> Array:
        """The place of the option that is called A."""
        return self.xp.where(self.draw(LABELS) < 0.5, self.shown_first, 1 - self.shown_first)

    def pieces(self, most: int) -> Iterator["RoleView"]:
        """The same rows, at most so many at a time."""
        rows = self.zero.shape[0]
        if rows <= most:
            yield self
            return
        pick, games = self.pick, self.table.like.shape[0]
        for start in range(0, rows, most):
            stop = min(start + most, rows)
            if isinstance(pick, ManySeats):
                held = ManySeats(pick.seat[start:stop], pick.game[start:stop], pick.flat[start:stop])
            else:
                held = ManySeats.of(np.full(stop - start, pick.seat), np.arange(start, stop), games)
            yield replace(self, pick=held)


def _range(asked: Asked) -> Amount:
    spec = asked[1]
    assert isinstance(spec, Amount), "what has no options is a number"
    return spec


class Stage(NamedTuple):
    """Where the games of a batch stand."""

    moves: tuple[Array, ...]
    """(seats, games) For each role what its seats did."""
    payoffs: Array
    """(seats, games) Nothing before the end."""


class PlayedForm(ArrayForm[PlayedRules, Any]):
    """A game of one turn, whose roles are its phases."""

    played: ClassVar[type[PlayedRules]]

    def _place(self, phase: str) -> int:
        return [part.role for part in self.played.parts].index(phase)

    def _part(self, phase: str) -> Part:
        return self.played.parts[self._place(phase)]

    def phases(self, rules: PlayedRules) -> Sequence[str]:
        """One role after the other."""
        return [part.role for part in self.played.parts]

    def fields(self, rules: PlayedRules, phase: str) -> Sequence[Field]:
        """An amount, a whole number, or the place of an option."""
        part = self._part(phase)
        return (Field(part.field, dtype="int16" if part.options else "int64" if part.whole else None),)

    def init(self, rules: PlayedRules, seats: int, like: Array, fields: frozenset[str]) -> Any:
        """Nobody has done anything."""
        xp, shape = namespace(like), (seats, like.shape[0])
        types = [self.fields(rules, phase)[0].dtype for phase in self.phases(rules)]
        nothing = [xp.zeros(shape, dtype=like.dtype if kind is None else getattr(xp, kind)) for kind in types]
        return Stage(tuple(nothing), xp.zeros(shape, dtype=like.dtype))

    def _before(self, phase: str, state: Any) -> Array | None:
        """(games,) What the role before did."""
        place = self._place(phase)
        return None if place == 0 else state.moves[place - 1][self.played.parts[place - 1].seat]

    def observe(self, rules: PlayedRules, phase: str, turn: Any, state: Any, draws: Draws) -> RoleTable:
        """Roles see what was done before them, and nobody what is done at the same time."""
        part, like = self._part(phase), state.payoffs[0]
        return RoleTable(rules, part, part.turn, len(state.payoffs), like, self._before(phase, state), draws)

    def view(self, seen: RoleTable, pick: Pick) -> RoleView:
        """The rows of one player."""
        return RoleView(seen, pick)

    def movers(self, rules: PlayedRules, phase: str, state: Any) -> Array | None:
        """The role's own seat; none where there is nothing to decide about."""
        part = self._part(phase)
        if part.seat is None:
            return None
        xp, there = namespace(state.payoffs), self._seats_of(part.seat, state)
        if part.options or self._place(phase) == 0:
            return there
        spec = _range(rules.asks(part.role, len(state.payoffs), before=self._before(phase, state)))
        return xp.logical_and(there, spec.high > spec.low)

    def _seats_of(self, seat: Any, state: Any) -> Array:
        """(seats, games) Which seat it is: one, or one for each game."""
        xp, (seats, games) = namespace(state.payoffs), state.payoffs.shape
        return xp.broadcast_to(xp.arange(seats)[:, None] == seat, (seats, games))

    def legal(self, rules: PlayedRules, phase: str, state: Any) -> Mapping[str, tuple[Array, Array]]:
        """As the question says."""
        part, (seats, games) = self._part(phase), state.payoffs.shape
        draws = Draws(state.payoffs[0], (0, 0))  # none is made
        every = OneSeat(part.seat or 0)
        bounds = self.bounds(self.view(self.observe(rules, phase, 1, state, draws), every), part.field)
        assert bounds is not None
        xp = namespace(state.payoffs)
        return {part.field: (xp.broadcast_to(bounds[0], (seats, games)), xp.broadcast_to(bounds[1], (seats, games)))}

    def step(self, rules: PlayedRules, phase: str, turn: Any, state: Any, moves: Moves, draws: Draws) -> Any:
        """Take in what a role did; after the last one the game is paid out."""
        place = self._place(phase)
        made = (*state.moves[:place], moves[self._part(phase).field], *state.moves[place + 1 :])
        last = place == len(made) - 1
        return Stage(made, self._paid(rules, made, state) if last else state.payoffs)

    def _paid(self, rules: PlayedRules, moves: Sequence[Any], state: Any) -> Array:
        """(seats, games) The payoffs."""
        xp, paid = namespace(state.payoffs), rules.paid(moves)
        rows = paid if hasattr(paid, "shape") else xp.stack([one + 0.0 * state.payoffs[0] for one in paid])
        return xp.astype(paid_out(rows), state.payoffs.dtype)

    def ends(self, rules: PlayedRules, turn: Any, draws: Draws) -> Array | None:
        """After the first turn."""
        return (draws.games >= 0) & (turn >= 1)

    def finals(self, rules: PlayedRules, state: Any) -> Array:
        """The payoffs."""
        return state.payoffs

    def figures(self, rules: PlayedRules, turn: Any, state: Any) -> Mapping[str, Array]:
        """What was done: of a role with one seat, what was done in the game, for both; of two options, whether it was
        the first."""
        xp, shape, dtype = namespace(state.payoffs), state.payoffs.shape, state.payoffs.dtype
        found = {}
        for part, made in zip(self.played.parts, state.moves, strict=True):
            values = xp.astype(made == 0 if part.options else made, dtype)
            rows = values if part.seat is None else xp.broadcast_to(values[part.seat], shape)
            found[part.options[0] if part.options else part.field] = rows
        return found

    def turns_in(self, rules: PlayedRules, turn: Any, state: Any) -> Array | None:
        """Some seats are never asked."""
        asked = [self.movers(rules, phase, state) for phase in self.phases(rules)]
        if None in [None if one is None else 0 for one in asked]:
            return None
        xp = namespace(state.payoffs)
        return sum(xp.astype(one, xp.int32) for one in asked)

    def length(self, rules: PlayedRules, turn: Any, state: Any) -> Array | None:
        """Up to the last turn in which somebody was asked."""
        parts = self.played.parts
        if all(part.turn == 1 for part in parts):
            return None
        xp = namespace(state.payoffs)
        found = xp.zeros(state.payoffs.shape[1:], dtype=xp.int32)
        for part in parts:
            asked = self.movers(rules, part.role, state)
            there = True if asked is None else xp.any(asked, axis=0)
            found = xp.where(there, xp.maximum(found, xp.asarray(part.turn, dtype=xp.int32)), found)
        return found

    def bounds(self, view: RoleView, field: str) -> tuple[Array, Array] | None:
        """As the question says: the two options, or a number. A claim between two steps is taken for the nearest."""
        part, xp = view.part, view.xp
        if field != part.field:
            return None
        low, high = (0, 1) if part.options else (view.range.low, view.range.high)
        kind = xp.int16 if part.options else xp.int64 if part.whole else view.zero.dtype
        return xp.astype(view.zero + low, kind), xp.astype(view.zero + high, kind)

    def features(self, view: RoleView) -> Sequence[Array]:
        """What the role before did, in parts of what it could; the number by which the theory goes; the seat."""
        xp, seats = view.xp, view.table.seats
        done = view.zero if view.before is None else view.zero + view.before / self._most_before(view)
        rules = xp.minimum(view.zero + view.rules.key(seats), view.zero + 2.0)
        return done, rules, view.zero + xp.asarray(view.seat) / (seats - 1)

    def _most_before(self, view: RoleView) -> Any:
        """The most that the role before could do."""
        first = self.played.parts[self._place(view.part.role) - 1]
        return _range(view.rules.asks(first.role, view.table.seats)).high

    # Between a single game and arrays.

    def view_of(self, question: Question[PlayedView], draws: Draws) -> RoleView | None:
        """A table of one game."""
        seen, part = question.view, self._part(question.phase)
        before = None if not part.before else np.asarray([getattr(seen.facts, part.before)])
        seats = getattr(seen.facts, "players", 2)
        table = RoleTable(seen.rules, part, question.turn, seats, np.zeros(1), before, draws)
        return RoleView(table, OneSeat(seen.seat))

    def answer_of(self, question: Question[PlayedView], moves: Mapping[str, Any]) -> object:
        """The option, or the number that the question allows."""
        part, spec = self._part(question.phase), question.spec
        value = moves[part.field]
        if part.options:
            return part.options[int(value)]
        if isinstance(spec, Stepped):
            steps = counted(float(value), spec.low, spec.high, spec.step)
            return decimals(spec.low + steps * spec.step, 9)
        return int(value) if part.whole else float(value)

    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        """The place of an option, or the number."""
        part = self._part(phase)
        return {part.field: part.options.index(answer) if part.options else answer}


class DictatorForm(PlayedForm):
    """One gives."""

    played, arguments, in_turns = DictatorRules, ("pot",), True


class UltimatumForm(PlayedForm):
    """One offers, the other responds."""

    played, arguments, in_turns = UltimatumRules, ("pot",), True


class TrustForm(PlayedForm):
    """One sends, the other returns."""

    played, arguments, in_turns = TrustRules, ("endowment", "multiplier"), True


class StagHuntForm(PlayedForm):
    """Two hunt."""

    played, arguments = StagHuntRules, ("stag", "hare")


class PublicGoodsForm(PlayedForm):
    """All contribute."""

    played, arguments = PublicGoodsRules, ("endowment", "multiplier")


class TravellerForm(PlayedForm):
    """Two claim."""

    played, arguments = TravellerRules, ("low", "high", "step", "bonus", "scale")


class BeautyContestForm(PlayedForm):
    """All guess."""

    played, arguments = BeautyContestRules, ("p", "low", "high", "prize")


class MatchingPenniesForm(PlayedForm):
    """Two show a side."""

    played, arguments = MatchingPenniesRules, ("prize",)


class Climb(NamedTuple):
    """Where the games of a batch stand."""

    passed: Array
    """(games,) How often was passed."""
    over: Array
    """(games,) Whether somebody took, or the end was reached."""
    asked: Array
    """(seats, games) How often each seat was asked."""
    payoffs: Array
    """(seats, games) Nothing before the end."""


class CentipedeForm(PlayedForm):
    """Two move in turn: a turn is a node."""

    played, arguments, in_turns = CentipedeRules, ("scale",), True

    def init(self, rules: Any, seats: int, like: Array, fields: frozenset[str]) -> Climb:
        """Before the first node."""
        xp = namespace(like)
        nobody = xp.zeros((seats, like.shape[0]), dtype=xp.int32)
        return Climb(nobody[0], nobody[0] > 0, nobody, xp.zeros(nobody.shape, dtype=like.dtype))

    def _before(self, phase: str, state: Climb) -> Array:
        return state.passed

    def observe(self, rules: PlayedRules, phase: str, turn: Any, state: Any, draws: Draws) -> RoleTable:
        """Everything is public."""
        return replace(super().observe(rules, phase, turn, state, draws), turn=turn)

    def movers(self, rules: PlayedRules, phase: str, state: Climb) -> Array:
        """Seat 0 at the odd nodes, seat 1 at the even ones."""
        return self._seats_of(state.passed % 2, state) & ~state.over

    def step(self, rules: Any, phase: str, turn: Any, state: Climb, moves: Moves, draws: Draws) -> Climb:
        """Who takes ends the game."""
        xp, made = namespace(state.payoffs), moves[self._part(phase).field]
        chosen = xp.where(state.passed % 2 == 0, made[0], made[1])
        asked = state.asked + xp.astype(self.movers(rules, phase, state), state.asked.dtype)
        goes_on = ~state.over & (chosen == OPTIONS.index("pass"))
        passed = state.passed + xp.astype(goes_on, state.passed.dtype)
        over = state.over | ~goes_on | (passed >= len(rules.payoffs))
        paid = self._paid(rules, [passed], state)
        return Climb(passed, over, asked, xp.where(over, paid, state.payoffs))

    def ends(self, rules: PlayedRules, turn: Any, draws: Draws) -> None:
        """That is for the players to say."""
        return

    def done(self, rules: PlayedRules, turn: Any, state: Climb) -> Array:
        """Where somebody took, or nobody was left to."""
        return state.over

    def figures(self, rules: PlayedRules, turn: Any, state: Climb) -> Mapping[str, Array]:
        """How often was passed in the game."""
        return {"passes": state.payoffs * 0.0 + state.passed}

    def turns_in(self, rules: PlayedRules, turn: Any, state: Climb) -> Array:
        """At how many nodes each was asked."""
        return state.asked

    def _most_before(self, view: RoleView) -> Any:
        return len(view.table.rules.payoffs)  # type: ignore[attr-defined]

    def view_of(self, question: Question[PlayedView], draws: Draws) -> RoleView:
        """A table of one game, so many passes on."""
        seen = question.view
        part, passed = self._part(question.phase), np.asarray([seen.facts.node - 1])
        table = RoleTable(seen.rules, part, question.turn, 2, np.zeros(1), passed, draws)
        return RoleView(table, OneSeat(seen.seat))


DICTATOR, ULTIMATUM, TRUST, STAG_HUNT = DictatorForm(), UltimatumForm(), TrustForm(), StagHuntForm()
PUBLIC_GOODS, CENTIPEDE, TRAVELLER = PublicGoodsForm(), CentipedeForm(), TravellerForm()
BEAUTY_CONTEST, MATCHING_PENNIES = BeautyContestForm(), MatchingPenniesForm()
