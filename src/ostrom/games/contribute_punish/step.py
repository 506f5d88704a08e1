"""Contribute & Punish over arrays: its form for the batch engine, and the view of a built-in player. This form has no
messages, since no built-in player reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace, total
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, Picked, each_array
from ostrom.games.contribute_punish.play import SETTLING, PunishView, column
from ostrom.games.contribute_punish.rules import NO_SEAT, ContributePunishRules, open_settlement, settle, share_fund

DRAWS = "player"
"""The purpose of the draws that players make for their own decisions."""


@dataclass(frozen=True)
class RoundTable:
    """A batch of games before the decisions of a phase. In the contribution phase, `start`, `contributions` and `hits`
    are those of the last round; in the first round, they are 0. In the punishment phase, `start` and `contributions`
    are those of the present round."""

    rules: ContributePunishRules
    round: Any
    """The number of the round, counted from 1. Under JAX, it is a traced number."""
    balances: Array
    """(seats, games) The present balances."""
    start: Array
    """(seats, games) The balances at the start of the round to which `contributions` belongs."""
    contributions: Array
    hits: Array
    """(punishers, targets, games) The loss of each target to each punisher in the last round."""
    draws: Draws


@dataclass(frozen=True)
class RoundView:
    """The view of one player, with one row for each of its seats."""

    table: RoundTable
    pick: Pick

    balance = Picked("of_seats", "balances")
    contribution = Picked("of_seats", "contributions")
    balances = Picked("of_tables", "balances")
    """(seats, rows) The balances of all seats."""
    contributions = Picked("of_tables", "contributions")
    """(seats, rows) The contributions of all seats."""

    @cached_property
    def rules(self) -> ContributePunishRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        return self.table.round

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.balances)

    @cached_property
    def others_given(self) -> Array:
        """The sum of the others' contributions."""
        return total(self.contributions) - self.contribution

    @cached_property
    def others_start(self) -> Array:
        """The sum of the balances that the others had before they made these contributions."""
        return total(self.pick.of_tables(self.table.start)) - self.pick.of_seats(self.table.start)

    @cached_property
    def losses(self) -> Array:
        """(seats, rows) The player's loss to each seat in the last round."""
        return self.xp.stack([self.pick.of_seats(hits) for hits in self.table.hits])

    @cached_property
    def most(self) -> Array:
        """The largest amount that the player may spend on punishment."""
        return self.xp.minimum(self.balance, self.rules.max_spend)

    def other_seats(self) -> list[tuple[int, Array]]:
        """Yield the number of every seat, with a mask that is true in the rows in which the player has a different
        seat."""
        seat = self.pick.seat
        same = self.balance == self.balance
        return [(other, same & (seat != other)) for other in range(self.table.balances.shape[0])]

    def draw(self, number: int) -> Array:
        """Return the `number`-th draw of this round, in [0, 1)."""
        return self.table.draws.of_rows(self.pick).uniform(DRAWS, self.round, self.pick.seat, number)


CONTRIBUTION, PUNISHMENT = "contribution", "punishment"


class PunishBatch(NamedTuple):
    """The state of a batch of games. All arrays have the shape (seats, games), except `carry`, which has (games,)."""

    balances: Array
    carry: Array
    start: Array
    """The balances at the start of the round of the last contributions."""
    contributions: Array
    target: Array
    """The last target of each seat, or −1 if there was none."""
    spend: Array
    """The last spending of each seat."""
    damage: Array
    """The loss of each seat's last target."""
    given: Array
    """The sum of each seat's contributions."""
    spent: Array
    """The sum of each seat's spending on punishment."""


class PunishStep(ArrayForm[ContributePunishRules, PunishBatch]):
    """The form of the game for the batch engine. A round has two phases: in the first all seats contribute, in the
    second all seats punish."""

    dtype = "int64"
    arguments = ("rounds", "start", "multiplier", "ratio", "max_spend", "max_fraction", "max_absolute")

    @override
    def phases(self, rules: ContributePunishRules) -> Sequence[str]:
        return (CONTRIBUTION, PUNISHMENT) if rules.punishment else (CONTRIBUTION,)

    @override
    def fields(self, rules: ContributePunishRules, phase: str) -> Sequence[Field]:
        if phase == CONTRIBUTION:
            return (Field("contribution"),)
        return (Field("target", absent=NO_SEAT), Field("spend"))

    @override
    def init(
        self, rules: ContributePunishRules, seats: int, like: Array, fields: frozenset[str], draws: Draws
    ) -> PunishBatch:
        xp = namespace(like)
        nothing = xp.zeros((seats, like.shape[0]), dtype=like.dtype)
        return PunishBatch(
            balances=nothing + rules.start,
            carry=xp.zeros_like(like),
            start=nothing,
            contributions=nothing,
            target=nothing + NO_SEAT,
            spend=nothing,
            damage=nothing,
            given=nothing,
            spent=nothing,
        )

    @override
    def observe(
        self, rules: ContributePunishRules, phase: str, turn: Any, state: PunishBatch, draws: Draws
    ) -> RoundTable:
        # If punishments are anonymous, their punishers are not shown.
        xp = namespace(state.balances)
        seats = xp.reshape(xp.arange(state.balances.shape[0], dtype=state.balances.dtype), (1, -1, 1))
        # The shape is (punishers, targets, games). A seat punishes at most one other seat.
        hits = xp.where(state.target[:, None] == seats, state.damage[:, None], 0)
        return RoundTable(
            rules=rules,
            round=turn,
            balances=state.balances,
            start=state.start,
            contributions=state.contributions,
            hits=xp.zeros_like(hits) if rules.anonymous else hits,
            draws=draws,
        )

    @override
    def view(self, seen: RoundTable, pick: Pick) -> RoundView:
        return RoundView(seen, pick)

    @override
    def movers(self, rules: ContributePunishRules, phase: str, state: PunishBatch) -> Array | None:
        return None if phase == CONTRIBUTION else (state.balances > 0) & (rules.max_spend > 0)

    @override
    def legal(self, rules: ContributePunishRules, phase: str, state: PunishBatch) -> Mapping[str, tuple[Array, Array]]:
        xp = namespace(state.balances)
        none = xp.zeros_like(state.balances)
        if phase == CONTRIBUTION:
            return {"contribution": (none, state.balances)}
        return {"spend": (none, xp.minimum(state.balances, rules.max_spend))}

    @override
    def step(
        self, rules: ContributePunishRules, phase: str, turn: Any, state: PunishBatch, moves: Moves, draws: Draws
    ) -> PunishBatch:
        if phase == CONTRIBUTION:
            given = moves["contribution"]
            fund = share_fund(given, state.carry, rules)
            return state._replace(
                balances=state.balances - given + fund.share,
                carry=fund.carry,
                start=state.balances,
                contributions=given,
                given=state.given + given,
            )
        xp = namespace(state.balances)
        seats = state.balances.shape[0]
        numbers = xp.stack([draws.uniform(SETTLING, turn, seat) for seat in range(seats)])
        order = xp.astype(xp.argsort(numbers, axis=0, stable=True), state.balances.dtype)
        indexes = xp.reshape(xp.arange(seats, dtype=state.balances.dtype), (-1, 1))
        settling = open_settlement(state.balances)
        spend = damage = xp.zeros_like(state.balances)
        for punisher in order:
            target = xp.take_along_axis(moves["target"], punisher[None], axis=0)[0]
            asked = xp.take_along_axis(moves["spend"], punisher[None], axis=0)[0]
            settling = settle(settling, punisher, target, asked, rules)
            spend = spend + xp.where(indexes == punisher, settling.spend, 0)
            damage = damage + xp.where(indexes == punisher, settling.damage, 0)
        return state._replace(
            balances=settling.balances, target=moves["target"], spend=spend, damage=damage, spent=state.spent + spend
        )

    @override
    def ends(self, rules: ContributePunishRules, turn: Any, draws: Draws) -> Array:
        return (draws.games >= 0) & (turn >= rules.rounds)

    @override
    def finals(self, rules: ContributePunishRules, state: PunishBatch) -> Array:
        return state.balances

    @override
    def figures(self, rules: ContributePunishRules, turn: Any, state: PunishBatch) -> Mapping[str, Array]:
        return {"contribution": state.given / turn, "spend": state.spent / turn}

    @override
    def limits(self, rules: ContributePunishRules, seats: int) -> Mapping[str, tuple[float, float]]:
        return {"contribution": (0.0, np.inf), "spend": (0.0, np.inf)}

    @override
    def bounds(self, view: RoundView, field: str) -> tuple[Array, Array] | None:
        most = {"contribution": view.balance, "spend": view.most}.get(field)
        return None if most is None else (view.xp.zeros_like(most), most)

    @override
    def features(self, view: RoundView) -> Sequence[Array]:
        # The features are the own and the others' contributions as fractions of balances, the elapsed part of the game,
        # and the player's share of all tokens.
        xp = view.xp
        ones = xp.astype(view.balance, xp.float64) * 0.0 + 1.0
        start, held = view.pick.of_seats(view.table.start), total(view.balances)
        seats = view.balances.shape[0]
        return (
            view.contribution / xp.where(start > 0, start, 1),
            view.others_given / xp.where(view.others_start > 0, view.others_start, 1),
            ones * view.round / view.rules.rounds,
            xp.minimum(view.balance * seats / xp.where(held > 0, held, 1) / 2.0, ones),
        )

    @override
    def view_of(self, question: Question[PunishView], draws: Draws) -> RoundView | None:
        if question.phase not in (CONTRIBUTION, PUNISHMENT):
            return None
        view = question.view
        seats, last = len(view.balances), view.history[-1] if view.history else None
        hits = np.zeros((seats, seats, 1), dtype=np.int64)
        for punishment in last.punishments if last else ():
            if punishment.punisher is not None:  # The punisher is None if punishments are anonymous.
                hits[punishment.punisher, punishment.target, 0] += punishment.damage
        if question.phase == PUNISHMENT:
            assert view.contributions is not None
            given: Sequence[int] = view.contributions
            start: Sequence[int] = last.balances if last else (view.rules.start,) * seats
        else:
            given, start = (last.contributions, last.start) if last else ((0,) * seats, (0,) * seats)
        table = RoundTable(
            rules=view.rules,
            round=view.round,
            balances=column(view.balances),
            start=column(start),
            contributions=column(given),
            hits=hits,
            draws=draws,
        )
        return RoundView(table, OneSeat(view.seat))

    @override
    def answer_of(self, question: Question[PunishView], moves: Mapping[str, Any]) -> object:
        if question.phase == CONTRIBUTION:
            return int(moves["contribution"])
        target, spend = int(moves["target"]), int(moves["spend"])
        return {"target": None if target == NO_SEAT else target, "spend": spend}

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        if phase == CONTRIBUTION:
            return {"contribution": answer}
        return {"target": NO_SEAT if answer["target"] is None else answer["target"], "spend": answer["spend"]}


STEP = PunishStep()
