"""Learned people in voluntary contributions: players whose decisions are drawn from a forecaster that was fitted on the
decisions of people in a study. What they read is what a seat sees; the same function makes the inputs for fitting and
for play."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from typing_extensions import override

from ostrom.core.arrays import Array, namespace
from ostrom.core.step import Moves
from ostrom.games.contributions.play import CONTRIBUTION
from ostrom.games.contributions.points import points_field
from ostrom.games.contributions.rules import ALL_OR_NOTHING, DEDUCT, OPT_OUT, ContributionsRules, deduction_cost
from ostrom.games.contributions.step import STEP, GroupView
from ostrom.players.learned import LearnedPeople, Matrix, learned_entry
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry

CLASSES: Final = 21
"""The amounts that people chose from: 0 to 20 tokens. Other endowments are scaled to these."""
BINS: Final = (4.0, 8.0, 12.0, 16.0)
"""The bounds of the others' mean contribution in the table of a type."""
DRAW, TYPE_DRAW, POINTS_DRAW = 11, 12, 13
"""The numbers of a player's draws."""
MAX_LEFT: Final = 10
EXCLUDED: Final = -1e9


class History(NamedTuple):
    """The information of a seat before it contributes, in tokens of an endowment of 20. Each field is an array with one
    entry per row. In the first round, the fields about the past are 0."""

    rounds: Any
    """The number of past rounds."""
    own: Any
    before: Any
    """Its own contribution in the last round, and in the one before."""
    others: Any
    others_before: Any
    least: Any
    most: Any
    spread: Any
    """The mean of the others' contributions in the last two rounds, and their extremes and standard deviation in the
    last one."""
    total: Any
    none: Any
    full: Any
    """The sum of its own contributions, and the numbers of rounds in which it gave nothing or everything."""
    deducted: Any
    """The deduction points that it received in the last round."""


class DesignNumbers(NamedTuple):
    """The rules of a game as numbers, or as arrays with one entry per row."""

    seats: Any
    multiplier: Any
    chat: Any
    punishment: Any
    reward: Any
    opt_out: Any
    all_or_nothing: Any
    horizon: Any
    outcomes: Any
    strength: Any
    """The loss of a deduction per token spent; 0 without punishment."""
    left: Any
    """The number of rounds after this one, or −1 if it is not known."""


def learned_inputs(design: DesignNumbers, past: History) -> list[Array]:
    """Return the inputs of the network, one array per input."""
    xp = namespace(past.own)
    one = past.own * 0.0 + 1.0
    later = xp.where(past.rounds > 0, one, 0.0 * one)
    count = xp.maximum(past.rounds, one)
    gap = (past.others - past.own) / 20.0 * later
    hot = [xp.where(xp.abs(past.own - amount) < 0.5, later, 0.0) for amount in range(CLASSES)]
    known = xp.where(design.left + 0.0 * one >= 0, one, 0.0)
    rest = [
        past.own / 20,
        past.before / 20,
        xp.where(past.before == past.own, later, 0.0),
        xp.where(past.before == 20, later, 0.0),
        xp.where(past.before == 0, later, 0.0),
        past.others / 20,
        past.others_before / 20,
        past.least / 20,
        past.most / 20,
        past.spread / 10,
        gap,
        xp.abs(gap),
        past.total / count / 20,
        past.none / count,
        past.full / count,
        xp.minimum(past.deducted, 5.0 * one) / 5,
        xp.where(past.deducted > 0, one, 0.0),
    ]
    rules = [
        design.multiplier / design.seats,
        design.multiplier / 5,
        xp.log(design.seats * one) / 3,
        *design[2:9],
        design.strength / 4,
        xp.log(past.rounds + 1.0) / 3,
        xp.where(design.left == 0, one, 0.0),
        xp.where(design.left == 1, one, 0.0),
        known * xp.minimum(design.left + 0.0 * one, MAX_LEFT * one) / MAX_LEFT,
    ]
    return [1 - later, *hot, *rest, *(value * one for value in rules)]


def design_of(rules: ContributionsRules, seats: int, round_: Any) -> DesignNumbers:
    """Return the rules of a game as numbers."""
    strength = rules.punish_loss / (rules.punish_cost + 1e-9) if rules.punishment else 0.0
    return DesignNumbers(
        float(seats),
        rules.multiplier,
        float(rules.messages),
        float(rules.punishment),
        float(rules.reward),
        float(rules.default == OPT_OUT),
        float(rules.contribution == ALL_OR_NOTHING),
        float(rules.last_round is not None),
        float(rules.show_outcomes),
        strength,
        rules.rounds - round_ if rules.last_round is not None else -1.0,
    )


def point_inputs(own: Any, target: Any, others: Any, last: Any) -> list[Array]:
    """Return the inputs of the chance that a seat gives points to another seat. Contributions are parts of the
    endowment; `last` is 1 in a last round that is known."""
    xp = namespace(target)
    one = target * 0.0 + 1.0
    return [
        one,
        own * one,
        target,
        xp.maximum(own - target, 0.0 * one),
        xp.maximum(target - own, 0.0 * one),
        others * one - target,
        xp.where(target <= 0, one, 0.0),
        xp.where(target >= 1, one, 0.0),
        last * one,
    ]


@dataclass(frozen=True)
class LearnedContributor(RowStrategy):
    """Plays like a person of a study, as a network forecasts: draws each contribution from the forecast distribution,
    and points from a regression."""

    people: LearnedPeople
    step = STEP

    @override
    def makes(self, field: str) -> bool:
        return field == CONTRIBUTION or field.partition("_")[0] in self.people.points

    @override
    def opening(self, view: GroupView) -> Memory:
        nothing = view.contribution * 0.0
        return (nothing, *[nothing] * 5, *self._first(view))

    def _first(self, view: GroupView) -> tuple[Array, ...]:
        return ()

    @override
    def remember(self, view: GroupView, memory: Memory) -> Memory:
        xp, scale = view.xp, 20.0 / view.rules.endowment
        own, others = xp.floor(view.contribution * scale + 0.5), view.others_mean * scale
        rounds, last, _, total, none, full, *rest = memory
        # The last contribution before this one is kept as `before`; in the second round it equals the last one.
        before = xp.where(rounds > 0, last, own)
        return (
            rounds + 1.0,
            own,
            before,
            total + own,
            none + xp.where(own == 0, 1.0, 0.0),
            full + xp.where(own == 20, 1.0, 0.0),
            *self._later(view, rest, rounds, others),
        )

    def _later(self, view: GroupView, rest: list[Array], rounds: Array, others: Array) -> tuple[Array, ...]:
        return tuple(rest)

    @override
    def decide(self, phase: str, view: GroupView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        if phase == CONTRIBUTION:
            moves = {"contribution": _amount_of(view, self.chances(view, memory), view.draw(DRAW))}
            return moves, memory
        return _points(view, fields, self.people.points), memory

    def chances(self, view: GroupView, memory: Memory) -> list[Array]:
        """Return the probability of each amount from 0 to 20, for each row."""
        raise NotImplementedError


@dataclass(frozen=True)
class NetworkContributor(LearnedContributor):
    """Draws each contribution from the network's distribution."""

    @override
    def _first(self, view: GroupView) -> tuple[Array, ...]:
        return (view.contribution * 0.0,) * 2

    @override
    def _later(self, view: GroupView, rest: list[Array], rounds: Array, others: Array) -> tuple[Array, ...]:
        return (others, view.xp.where(rounds > 0, rest[0], others))

    @override
    def chances(self, view: GroupView, memory: Memory) -> list[Array]:
        rounds, own, before, total, none, full, others, others_before = memory
        least, most, spread = _others(view, rounds)
        past = History(
            rounds, own, before, others, others_before, least, most, spread, total, none, full, view.deducted
        )
        design = design_of(view.rules, len(view.contributions), view.round)
        inputs = learned_inputs(design, past)
        legal = _legal(view.rules)
        chances = [_network_chances(weights, inputs, legal, view.xp) for weights in self.people.networks]
        return [sum(each) / len(chances) for each in zip(*chances, strict=True)]


@dataclass(frozen=True)
class TypedContributor(LearnedContributor):
    """Draws a type in the first round, and each contribution from the table of this type: a conditional contribution
    by the others' mean of the last round."""

    @override
    def chances(self, view: GroupView, memory: Memory) -> list[Array]:
        xp = view.xp
        one = view.contribution * 0.0 + 1.0
        rounds = memory[0]
        others = view.others_mean * 20.0 / view.rules.endowment
        cell = xp.where(rounds > 0, one, 0.0)
        for bound in BINS:
            cell = cell + xp.where((rounds > 0) & (others >= bound), one, 0.0)
        # The draw is that of round 0, so that it is the same in every round of the game.
        drawn = view.table.draws.of_rows(view.pick).uniform("player", 0, view.pick.seat, TYPE_DRAW)
        legal = _legal(view.rules)
        arm = int(view.rules.contribution == ALL_OR_NOTHING)
        result = [one * 0.0 for _ in range(CLASSES)]
        below = 0.0
        for share, tables in zip(self.people.type_shares, self.people.type_tables, strict=True):
            mine = (drawn >= below) & (drawn < below + share)
            below += share
            for number, row in enumerate(tables[arm]):
                here = xp.where(mine & (cell == number), one, 0.0)
                result = [sums + here * chance * keep for sums, chance, keep in zip(result, row, legal, strict=True)]
        return result


def _others(view: GroupView, rounds: Array) -> tuple[Array, Array, Array]:
    """Return the least and the largest contribution of the others in the last round, and their standard deviation."""
    xp, scale = view.xp, 20.0 / view.rules.endowment
    least, most, squares, count = rounds * 0.0 + 1e9, rounds * 0.0 - 1e9, rounds * 0.0, rounds * 0.0
    mean = view.others_mean
    for seat, other in view.other_seats():
        amount = view.contributions[seat]
        least = xp.where(other, xp.minimum(least, amount), least)
        most = xp.where(other, xp.maximum(most, amount), most)
        squares = squares + xp.where(other, (amount - mean) ** 2, 0.0)
        count = count + xp.where(other, 1.0, 0.0)
    seen = (rounds > 0) & (count > 0)
    spread = xp.sqrt(squares / xp.where(count > 0, count, 1.0))
    return (
        xp.where(seen, least * scale, 0.0),
        xp.where(seen, most * scale, 0.0),
        xp.where(seen, spread * scale, 0.0),
    )


def _legal(rules: ContributionsRules) -> list[float]:
    whole = rules.contribution == ALL_OR_NOTHING
    return [1.0 if not whole or amount in (0, CLASSES - 1) else 0.0 for amount in range(CLASSES)]


def _network_chances(weights: tuple[Matrix, ...], inputs: list[Array], legal: list[float], xp: Any) -> list[Array]:
    """Return the chance of each class. Terms are added one by one, because rounding in a matrix product would depend on
    the number of rows."""
    first, bias, second, output = (xp.asarray(part, dtype=inputs[0].dtype) for part in weights)
    hidden = bias[:, None] + inputs[0][None, :] * first[0][:, None]
    for place in range(1, len(inputs)):
        hidden = hidden + inputs[place][None, :] * first[place][:, None]
    hidden = xp.tanh(hidden)
    logits = output[:, None] + hidden[0][None, :] * second[0][:, None]
    for place in range(1, hidden.shape[0]):
        logits = logits + hidden[place][None, :] * second[place][:, None]
    rows = [logits[place] if keep else logits[place] * 0.0 + EXCLUDED for place, keep in enumerate(legal)]
    largest = rows[0]
    for row in rows[1:]:
        largest = xp.maximum(largest, row)
    weighed = [xp.exp(row - largest) for row in rows]
    total = weighed[0]
    for row in weighed[1:]:
        total = total + row
    return [row / total for row in weighed]


def _amount_of(view: GroupView, chances: list[Array], drawn: Array) -> Array:
    """Return the drawn amounts, in tokens of the rules' endowment."""
    xp = view.xp
    amount, below = view.contribution * 0.0, view.contribution * 0.0
    legal = [place for place, keep in enumerate(_legal(view.rules)) if keep]
    for place, following in pairwise(legal):
        below = below + chances[place]
        amount = xp.where(drawn >= below, following + 0.0 * amount, amount)
    return xp.floor(amount * view.rules.endowment / 20.0 + 0.5)


def _points(view: GroupView, fields: Collection[str], weights: Mapping[str, tuple[Matrix, ...]]) -> Moves:
    """Return drawn points for each other seat, as long as the seat can pay them."""
    xp, rules = view.xp, view.rules
    nothing = view.budget * 0.0
    left = view.budget
    moves: dict[str, Array] = {}
    last = xp.where(nothing + view.round >= view.last_round, 1.0, 0.0)
    for order, kind in enumerate(kind for kind in rules.kinds if kind in weights):
        chance_weights, more = weights[kind][0], weights[kind][1][0]
        count = nothing
        for seat, other in view.other_seats():
            target = view.contributions[seat] / rules.endowment
            inputs = point_inputs(view.contribution / rules.endowment, target, view.others_mean / rules.endowment, last)
            score = nothing
            for weight, value in zip(chance_weights, inputs, strict=True):
                score = score + weight * value
            drawn = view.draw(POINTS_DRAW + 100 * order + seat)
            chance = 1.0 / (1.0 + xp.exp(-score))
            # Further points follow a geometric distribution: the draw, given that it gives any, decides how many.
            rest = xp.maximum(drawn / xp.maximum(chance, 1e-12), 1e-12)
            points = 1.0 + xp.floor(xp.log(rest) / xp.log(xp.asarray(more, dtype=rest.dtype)))
            points = xp.where(other & (drawn < chance), xp.minimum(points, nothing + rules.max_points), 0.0)
            if rules.targets:
                points = xp.where(count < rules.targets, points, 0.0)
            cost = deduction_cost(points, rules) if kind == DEDUCT else points * rules.reward_cost
            points = xp.where(cost <= left + 1e-9, points, 0.0)
            left = left - xp.where(cost <= left + 1e-9, cost, 0.0)
            count = count + xp.where(points > 0, 1.0, 0.0)
            moves[points_field(kind, seat)] = points
    return {name: moves.get(name, nothing) for name in fields}


def member(text: str) -> StrategyEntry:
    """Return the learned people that the text after the colon names."""
    return learned_entry(text, "contributions", _strategy)


def _strategy(people: LearnedPeople, of_types: bool) -> RowStrategy:
    return TypedContributor(people) if of_types else NetworkContributor(people)
