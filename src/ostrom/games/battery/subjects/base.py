"""Simulated subjects: a theory with parameters, and noise. All subjects with preferences derive from `Economicus`, the
selfish subject of textbooks, and answer like it if their own theory does not apply. A subject answers every item of
every task and plays every role. Its docstring says which of them its theory covers, and how it answers the others.

A subject chooses the best option or, with noise μ, an option with a probability that grows with its value by the logit
rule (Luce 1959; McFadden 1974). Values are relative to the larger amount at stake, so that noise has the same meaning
at every stake.

Answers in played games are computed with the functions of `numbers`, which accept a number or an array. So the module
`rows` can play many games in a batch."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from ostrom.core import InputError, Question, Registry
from ostrom.core.plugins import cached_until_registration
from ostrom.core.specs import Amount, Spec, Stepped
from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.numbers import Number, ceil, count_steps, decimals, either, floor, largest, smallest
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.risk import RiskFacts, expected
from ostrom.games.battery.rules import CONTROL_ROLES, ControlFacts, Role, TargetFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.time import YEAR, TimeFacts, exponential, rate_of
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts, RespondFacts
from ostrom.players.strategy import (
    Draw,
    RowStrategy,
    Strategy,
    StrategyEntry,
    enter,
    entry_of,
    find_strategy,
    parameter,
)

SUBJECT = "subject"
"""The purpose of a subject's random draws. The task's name is appended to it."""
TIE = 1e-9
"""Values that differ by less than this count as equal, since the difference may be rounding error."""
STEPS = 100
"""A noisy subject divides the range of a number into this many parts, and chooses among the ends of the parts."""
CENTS = 2
"""The decimals of an amount of money."""

Worth: TypeAlias = Mapping[str, Number]
"""The worth of each option, relative to the larger amount at stake. If both options are worth the same, the first is
chosen."""
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Subject(Strategy):
    """A simulated subject: a strategy for every task of the battery. It has no memory from one question to the next.
    The first sentence of its docstring is its description."""

    def purpose(self, question: Question) -> str:
        """Return the purpose of the subject's draws. Each task has its own purpose, so that draws of different tasks
        are independent."""
        return self.purpose_in(question.view.task)

    def purpose_in(self, task: str) -> str:
        """Return the purpose of the subject's draws in a task."""
        return f"{SUBJECT}/{task}"


SUBJECTS: Registry[StrategyEntry] = Registry("subject")
Defined = TypeVar("Defined", bound=type[Subject])


def subject(
    name: str, *, rows: Callable[[Any], RowStrategy] | None = None, tests_faults: bool = False
) -> Callable[[Defined], Defined]:
    """Class decorator: register a subject for every task of the battery under this name. `rows` creates the form that
    the batch engine plays. If `tests_faults`, the subject plays only if a user names it. Derived classes are not
    registered."""

    def register(subject_class: Defined) -> Defined:
        if "__dataclass_fields__" not in vars(subject_class):
            dataclass(frozen=True)(subject_class)  # This makes the class a dataclass that includes its own parameters.
        entry = replace(entry_of(subject_class, name), tests_faults=tests_faults)
        enter(SUBJECTS, entry if rows is None else replace(entry, rows=rows(subject_class())))
        return subject_class

    return register


def subject_of(text: str) -> StrategyEntry:
    """Return the simulated subject described by a name such as 'exponential' or 'exponential:delta=0.9,noise=0.03'."""
    return find_strategy(SUBJECTS, text)


def is_subject(text: str) -> bool:
    """Return whether a name is that of a simulated subject. Its parameters may be invalid."""
    return text.strip().partition(":")[0] in SUBJECTS


@dataclass(frozen=True, slots=True)
class Division:
    """An answer that is a number. It has the best number. If the worth of other numbers is known, it also has a
    function that returns the worth."""

    best: Number
    worth: Callable[[Number], Number] | None = None
    """A function that returns the worth of an answer relative to the larger amount. If it is None, the worth of an
    answer is minus its distance from the best answer, as a share of the range."""


def pick(entries: Sequence[Entry], values: Sequence[float], noise: float, draw: Callable[[], float]) -> Entry:
    """Return one of the entries. Without noise, it is the first of the best ones. With noise, it is chosen by the logit
    rule. A random number is drawn only with noise."""
    top = max(values)
    if noise == 0:
        return next(entry for entry, value in zip(entries, values, strict=True) if value >= top - TIE)
    weights = [math.exp((value - top) / noise) for value in values]
    remainder = draw() * sum(weights)
    for entry, weight in zip(entries, weights, strict=True):
        remainder -= weight
        if remainder < 0:
            return entry
    return entries[-1]


def number(division: Division, spec: Spec, noise: float, draw: Callable[[], float]) -> Number:
    """Return the answer to a question for a number. Without noise, it is the best number. With noise, it is one of
    evenly spaced numbers over the allowed range."""
    steps = grid(spec)
    width = steps[-1] - steps[0]
    if noise == 0 or width == 0:  # If nothing arrived, there is nothing to return.
        return round_allowed(division.best, spec)
    worth = division.worth or (lambda step: -abs(step - division.best) / width)
    return round_allowed(pick(steps, [worth(step) for step in steps], noise, draw), spec)


def grid(spec: Spec) -> list[float]:
    """Return evenly spaced numbers over the range of a specification, including both ends."""
    assert isinstance(spec, Amount), "only a number has a range"
    width = spec.high - spec.low
    steps = int(width) if spec.whole and width <= 2 * STEPS else STEPS
    return [spec.low + width * step / steps for step in range(steps + 1)] if steps else [spec.low]


def round_allowed(value: Number, spec: Spec) -> Number:
    """Return the nearest allowed number. If the specification requires it, the number is a multiple of the step or a
    whole number. Otherwise it is an amount in full cents."""
    assert isinstance(spec, Amount), "only a number can be rounded"
    if isinstance(spec, Stepped):
        return decimals(spec.low + spec.step * count_steps(value, spec.low, spec.high, spec.step), 9)
    if spec.whole:
        return smallest(largest(floor(value + 0.5), ceil(spec.low)), floor(spec.high))
    near = decimals(value, CENTS)
    near = either(near > spec.high, largest(spec.low, floor(spec.high * 10**CENTS) / 10**CENTS), near)
    return largest(near, spec.low)


PATIENCE: Final = 0.95
"""The annual discount factor of subjects that have no theory of discounting."""


@cached_until_registration
def role_of(task: str, role: str) -> Role:
    """Return a role of a task. Raise `InputError` if the task has no such role."""
    roles = {**CONTROL_ROLES, **TASKS[task].roles} if task in TASKS else {}
    if role not in roles:
        raise InputError(f"simulated subjects cannot answer the task {task!r} in the role {role!r}")
    return roles[role]


@dataclass(frozen=True)
class Economicus(Subject):
    """A subject that cares for its own money alone, reasons to the end, and expects others to do the same.

    In the time task, it discounts money exponentially with δ = 0.95 a year. In the risk task, it maximises expected
    value. It gives, sends, returns and contributes nothing (unless contributions return in full), offers nothing, and
    accepts any offer. In the stag hunt, which has two equilibria, it assigns equal probabilities to the other's
    choices, and chooses the hare if both are worth the same. It takes at the first node, and it claims and guesses the
    least if the rules make that an equilibrium. It shows heads and tails in turn; in a played game, it shows either
    with equal probability. It spends half of an income on each good and accepts bets with an expected gain. It treats
    an unknown chance as one half, and prefers a known chance of one half to it.

    With noise μ, options and divisions of money are chosen by the logit rule on value ÷ larger amount. For claims,
    guesses and budgets its theory gives only the best answer. The worth of other answers falls with their distance from
    the best one, relative to the range of answers. With noise, it shows either side of a penny with equal probability,
    since neither is better."""

    noise: float = parameter(0.0, 0.0, 10.0, "noise μ of the logit rule, on value ÷ larger amount")
    # The factor is a constant here. Subjects with a theory of time have a parameter of this name.
    delta = PATIENCE

    def answer(self, question: Question, draw: Draw) -> object:
        """Return the answer, computed by the subject's method for the role. If the subject has none, the role's
        `textbook` function computes it."""
        view = question.view
        role = role_of(view.task, view.role)
        if role.act == "show_penny":
            return self.show_penny(view.facts, getattr(view, "repetition", None), draw)
        method = getattr(self, role.act, None) or (role.textbook and partial(role.textbook, self))
        if method is None:
            raise InputError(f"simulated subjects cannot answer the task {view.task!r} in the role {view.role!r}")
        choice = method(view.facts)
        if isinstance(choice, Division):
            return number(choice, question.spec, self.noise, draw)
        return pick(tuple(choice), tuple(choice.values()), self.noise, draw)

    # Theories of time and risk override the following methods.

    def discount(self, years: Number, stake: Number) -> Number:
        """Return the present value of one unit of money paid after these years. `stake` is the amount at stake in the
        choice, since discounting may depend on it. Both may be arrays."""
        return exponential(years, rate_of(self.delta))

    def valued(self, chances: Number, outcomes: Sequence[float]) -> Number:
        """Return the worth of a lottery relative to its largest outcome. Outcomes ascend from 0. `chances` may be an
        array whose last axis is that of the outcomes."""
        return expected(chances, outcomes) / outcomes[-1]

    def utility(self, own: Number, other: Number) -> Number:
        """Return the utility, in units of money, of an own amount and an amount of another person."""
        return own

    # Time and risk.

    def time(self, facts: TimeFacts) -> Worth:
        """Return the worth of the sooner and the later amount."""
        stake = max(facts.sooner, facts.later)
        options = {"later": (facts.later, facts.later_days), "sooner": (facts.sooner, facts.sooner_days)}
        return {
            name: float(amount * self.discount(days / YEAR, stake)) / stake for name, (amount, days) in options.items()
        }

    def risk(self, facts: RiskFacts) -> Worth:
        """Return the worth of the reference lottery and the worth of the other lottery."""
        lotteries = {"reference": facts.reference, "other": facts.other}
        return {name: float(self.valued(lottery, facts.outcomes)) for name, lottery in lotteries.items()}

    def bet(self, facts: LossFacts) -> Worth:
        """Return the worth of accepting and of rejecting an even bet."""
        stake = max(facts.gain, facts.loss)
        return {"reject": 0.0, "accept": (0.5 * facts.gain - 0.5 * facts.loss) / stake}

    def draw_from(self, facts: AmbiguityFacts) -> Worth:
        """Return the worth of the draw with a known chance and of the draw with an unknown chance."""
        return {"known": facts.known_p, "unknown": 0.5}

    def buy(self, facts: BudgetFacts) -> Division:
        """Return the amount of the first good."""
        return Division(facts.income / 2 / facts.prices[0])

    def take(self, facts: ControlFacts) -> Division:
        """Return all of the free money."""
        return Division(facts.most, lambda amount: amount / facts.most)

    def discard(self, facts: ControlFacts) -> Division:
        """Discard nothing of its own money."""
        return Division(0.0, lambda amount: -amount / facts.most)

    def enter(self, facts: TargetFacts) -> Division:
        """Enter the amount that pays most."""
        return Division(facts.target, lambda amount: -abs(amount - facts.target) / facts.most)

    # Decisions with other people.

    def give(self, facts: GiveFacts) -> Division:
        """Return the amount to give."""
        return Division(0.0, lambda amount: self.utility(facts.pot - amount, amount) / facts.pot)

    def offer(self, facts: OfferFacts) -> Division:
        """Return the amount to offer."""
        return Division(0.0, lambda amount: self.utility(facts.pot - amount, amount) / facts.pot)

    def respond(self, facts: RespondFacts) -> Worth:
        """Return the worth of accepting an offer and of rejecting it. After a rejection, both players get nothing."""
        return {"accept": self.utility(facts.offer, facts.pot - facts.offer) / facts.pot, "reject": 0.0}

    def send(self, facts: SendFacts) -> Division:
        """Return the amount to entrust."""
        return Division(0.0, lambda amount: (facts.endowment - amount) / facts.endowment)

    def give_back(self, facts: ReturnFacts) -> Division:
        """Return the amount to return."""
        stake = largest(facts.received, facts.endowment)
        return Division(0.0, lambda back: self._after_return(facts, back) / stake)

    def _after_return(self, facts: ReturnFacts, back: Number) -> Number:
        return self.utility(facts.received - back, facts.endowment - facts.sent + back)

    def hunt(self, facts: StagFacts) -> Worth:
        """Return the worth of the stag, which needs both players, and of the hare."""
        alone, together = self.utility(0.0, facts.hare), self.utility(facts.stag, facts.stag)
        safe = 0.5 * self.utility(facts.hare, 0.0) + 0.5 * self.utility(facts.hare, facts.hare)
        return {"hare": safe / facts.stag, "stag": (0.5 * alone + 0.5 * together) / facts.stag}

    def contribute(self, facts: PublicFacts) -> Division:
        """Return the contribution."""
        back = facts.multiplier / facts.players
        best = either(back > 1, facts.endowment, 0.0)
        return Division(best, lambda amount: (facts.endowment - amount + back * amount) / facts.endowment)

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Return the worth of taking and of passing."""
        return ladder_worth(facts, node_worths(facts, self.utility))

    def claim(self, facts: ClaimFacts) -> Division:
        """Return the claim. It is the lowest claim, to which repeated undercutting leads, or a higher one if
        undercutting does not pay."""
        return Division(either(facts.bonus > facts.step, facts.low, facts.high))

    def guess(self, facts: GuessFacts) -> Division:
        """Return the guess: the limit of repeated multiplication by p."""
        middle = (facts.low + facts.high) / 2
        return Division(either(facts.p == 1, middle, either(facts.p < 1, facts.low, facts.high)))

    def side(self, facts: PenniesFacts) -> Worth | None:
        """Return the worth of the sides of a penny, or None if neither side is better."""
        return None

    def show_penny(self, facts: PenniesFacts, repetition: int | None, draw: Draw) -> str:
        """Return one of the two sides. Neither is better against an opponent who shows both equally often. A repeated
        question gets heads and tails in turn. With noise, or in a played game, which has only one turn, the side is
        drawn with equal probabilities."""
        worth = self.side(facts)
        if worth is not None:
            return pick(tuple(worth), tuple(worth.values()), self.noise, draw)
        heads = draw() < 0.5 if repetition is None or self.noise else repetition % 2 == 1
        return "heads" if heads else "tails"


class Node(NamedTuple):
    """The worth of taking and of passing to the player who moves at a node."""

    take: Number
    go_on: Number

    @property
    def passes(self) -> Any:
        """True if passing is worth more. If both are worth the same, the mover takes."""
        return self.go_on > self.take + TIE


def node_worths(
    facts: CentipedeFacts, utility: Callable[[Number, Number], Number], chances: Sequence[Number] | None = None
) -> list[Node]:
    """Return for each node the worth of the mover's two options, computed from the last node to the first. `chances`
    are the probabilities that the other player passes at each node. Without them, the other player is expected to have
    the same utility function, and to pass if passing is better for that player."""
    payoffs = facts.payoffs
    last = len(payoffs) - 1
    # The end lists the payoff of the mover of the first node, then the payoff of the other player.
    passed = facts.end if last % 2 == 0 else facts.end[::-1]
    nodes = [Node(utility(*payoffs[last]), utility(*passed))]
    for place in range(last - 1, -1, -1):
        passing = 1.0 * nodes[-1].passes if chances is None else chances[place + 1]
        other_takes = utility(payoffs[place + 1][1], payoffs[place + 1][0])
        beyond = utility(*passed[::-1]) if place + 1 == last else largest(*nodes[-2])
        nodes.append(Node(utility(*payoffs[place]), (1 - passing) * other_takes + passing * beyond))
    return nodes[::-1]


def ladder_worth(facts: CentipedeFacts, nodes: Sequence[Node]) -> Worth:
    """Return the worth of taking and of passing at the current node."""
    stake = largest(*facts.end, *(amount for pair in facts.payoffs for amount in pair))
    current = nodes[0]
    for number, node in enumerate(nodes, start=1):  # For many games, the node is an array.
        is_current = facts.node == number
        current = Node(either(is_current, node.take, current.take), either(is_current, node.go_on, current.go_on))
    return {"take": current.take / stake, "pass": current.go_on / stake}
