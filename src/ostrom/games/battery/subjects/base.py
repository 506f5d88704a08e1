"""What a simulated subject is: a theory with parameters, and noise; and the textbook's subject, from which all with
preferences derive: it does what they do wherever their theory says nothing. A subject answers every item of every task
and plays every role; which of them its theory is about, and what it does elsewhere, stands in its docstring.

It comes from values to an answer by taking the best option, or, with noise μ, an option with a chance that grows with
its value by the logit rule (Luce 1959; McFadden 1974). Values are in parts of the larger amount at stake, so that the
same noise means the same at every stake.

A theory about games that are played is written over numbers of one game or arrays of many (`numbers`), so that `rows`
can play it in a batch."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from ostrom.core import InputError, Question, Registry
from ostrom.core.plugins import cached_until_registration
from ostrom.core.specs import Amount, Spec, Stepped
from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.control import ROLES, ControlFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.numbers import Number, ceil, counted, decimals, either, floor, largest, smallest
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.risk import RiskFacts
from ostrom.games.battery.rules import Role
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.tasks import TASKS
from ostrom.games.battery.theories import YEAR, Values, expected, exponential, rate_of
from ostrom.games.battery.time import TimeFacts
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts, RespondFacts
from ostrom.players.strategy import Draw, RowStrategy, Strategy, StrategyEntry, enter, entry_of, named, parameter

SUBJECT = "subject"
"""The purpose of a subject's draws, before the task."""
COUNTER = 2
"""How a subject's draws are counted. In the first version the purpose named no task, so that every task of a subject
had the same noise, and divisions without a worth of their own had none. An experiment keeps its version."""
TIE = 1e-9
"""Values that differ by less are equal: the rest is rounding error."""
STEPS = 100
"""Into how many parts the range of a number is divided where a noisy subject picks one."""
CENTS = 2
"""The decimals of an amount of money."""

Worth: TypeAlias = Mapping[str, Number]
"""What each option is worth, in parts of the larger amount. Of equals the first named is chosen."""
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Subject(Strategy):
    """A simulated subject: a strategy for every task of the battery. It remembers nothing from one question to the
    next. The first sentence of its docstring says what it is."""

    counter_version: int = field(default=COUNTER, kw_only=True)

    def purpose(self, question: Question) -> str:
        """The task, so that what is drawn for one is independent of what is drawn for another."""
        return self.purpose_in(question.view.task)

    def purpose_in(self, task: str) -> str:
        """The purpose of its draws in a task."""
        return SUBJECT if self.counter_version == 1 else f"{SUBJECT}/{task}"


SUBJECTS: Registry[StrategyEntry] = Registry("subject")
"""All simulated subjects by name."""

Defined = TypeVar("Defined", bound=type[Subject])


def subject(name: str, *, rows: Callable[[Any], RowStrategy] | None = None) -> Callable[[Defined], Defined]:
    """Class decorator: register a subject for every task of the battery under this name; `rows` makes its form over
    rows, in which the batch engine plays it. Those of a class that derives from it are not its own."""

    def registered(defined: Defined) -> Defined:
        if "__dataclass_fields__" not in vars(defined):
            dataclass(frozen=True)(defined)  # so that its own parameters count
        entry = entry_of(defined, name)
        enter(SUBJECTS, entry if rows is None else replace(entry, rows=rows(defined())))
        return defined

    return registered


def subject_of(text: str) -> StrategyEntry:
    """The subject that a text names, such as 'exponential' or 'exponential:delta=0.9,noise=0.03'."""
    return named(SUBJECTS, text)


def is_subject(text: str) -> bool:
    """Whether a text names a simulated subject, right or wrong in its parameters."""
    return text.strip().partition(":")[0] in SUBJECTS


@dataclass(frozen=True, slots=True)
class Division:
    """A number to be given, with the one that is best and, where there is one, the value of every other."""

    best: Number
    worth: Callable[[Number], Number] | None = None
    """What an answer is worth, in parts of the larger amount; without it, the less the further it lies from the best,
    in parts of all that can be answered."""


def pick(entries: Sequence[Entry], values: Sequence[float], noise: float, draw: Callable[[], float]) -> Entry:
    """One of the entries: the first of the best without noise, else one by the logit rule. The draw is made only where
    it is needed."""
    top = max(values)
    if noise == 0:
        return next(entry for entry, value in zip(entries, values, strict=True) if value >= top - TIE)
    weights = [math.exp((value - top) / noise) for value in values]
    left = draw() * sum(weights)
    for entry, weight in zip(entries, weights, strict=True):
        left -= weight
        if left < 0:
            return entry
    return entries[-1]


def number(division: Division, spec: Spec, noise: float, draw: Callable[[], float]) -> Number:
    """The number that answers: the best, or a noisy pick among even steps of all that is allowed."""
    steps = grid(spec)
    width = steps[-1] - steps[0]
    if noise == 0 or width == 0:  # nothing to return where nothing came
        return allowed(division.best, spec)
    worth = division.worth or (lambda step: -abs(step - division.best) / width)
    return allowed(pick(steps, [worth(step) for step in steps], noise, draw), spec)


def grid(spec: Spec) -> list[float]:
    """Even steps over all numbers that a specification allows, both ends included."""
    assert isinstance(spec, Amount), "only a number has a range"
    width = spec.high - spec.low
    steps = int(width) if spec.whole and width <= 2 * STEPS else STEPS
    return [spec.low + width * step / steps for step in range(steps + 1)] if steps else [spec.low]


def allowed(value: Number, spec: Spec) -> Number:
    """The nearest number in full cents, or whole or in steps where it must be, within what is allowed."""
    assert isinstance(spec, Amount), "only a number can be rounded"
    if isinstance(spec, Stepped):
        return decimals(spec.low + spec.step * counted(value, spec.low, spec.high, spec.step), 9)
    if spec.whole:
        return smallest(largest(floor(value + 0.5), ceil(spec.low)), floor(spec.high))
    near = decimals(value, CENTS)
    near = either(near > spec.high, largest(spec.low, floor(spec.high * 10**CENTS) / 10**CENTS), near)
    return largest(near, spec.low)


PATIENCE: Final = 0.95
"""The annual discount factor of those whose theory is not about time."""


@cached_until_registration
def role_of(task: str, role: str) -> Role:
    """What a subject does in a role of a task."""
    known = {**ROLES, **TASKS[task].roles} if task in TASKS else {}
    if role not in known:
        raise InputError(f"simulated subjects cannot answer the task {task!r} in the role {role!r}")
    return known[role]


@dataclass(frozen=True)
class Economicus(Subject):
    """A subject that cares for its own money alone, reasons to the end, and expects others to do the same.

    Time: money is discounted exponentially with δ = 0.95 a year. Risk: it maximises expected value. It gives, sends,
    returns and contributes nothing (unless what it contributes comes back in full), offers nothing, and accepts any
    offer. In the stag hunt, which has two equilibria, it holds both acts of the other for equally likely, and of equals
    takes the hare. It takes at once, claims the least and guesses the least, as far as the rules make that an
    equilibrium. It shows heads and tails in turn, and in a played game either with equal chance. It spends half of an
    income on each good, bets where it expects to gain, and holds an unknown chance for a half, preferring the known one
    of equals.

    With noise μ, options and divisions of money are chosen by the logit rule on value ÷ larger amount. Claims, guesses
    and budgets, of which its theory names the best alone, are worth the less the further they lie from it, in parts of
    all that can be answered; of pennies, where no side is better, it then shows either with equal chance."""

    noise: float = parameter(0.0, 0.0, 10.0, "noise μ of the logit rule, on value ÷ larger amount")
    # No parameter here; subjects whose theory is about time have one of this name.
    delta = PATIENCE

    def answer(self, question: Question, draw: Draw) -> object:
        """By the method of the role, or, of a task that it has none for, as the task says."""
        view = question.view
        role = role_of(view.task, view.role)
        if role.act == "show_penny":
            return self.show_penny(view.facts, getattr(view, "repetition", None), draw)
        method = getattr(self, role.act, None) or (role.textbook and partial(role.textbook, self))
        if method is None:
            raise InputError(f"simulated subjects cannot answer the task {view.task!r} in the role {view.role!r}")
        found = method(view.facts)
        if isinstance(found, Division):
            return number(found, question.spec, self.noise if found.worth else self.everywhere, draw)
        return pick(tuple(found), tuple(found.values()), self.noise, draw)

    @property
    def everywhere(self) -> float:
        """The noise where the theory names no worth: none in the first version of the draws."""
        return self.noise if self.counter_version > 1 else 0.0

    # What theories of time and risk differ in.

    def discount(self, years: Values, stake: Values) -> Values:
        """What money in so many years is worth today, in a choice about a stake; both may be arrays."""
        return exponential(years, rate_of(self.delta))

    def valued(self, chances: Values, outcomes: Sequence[float]) -> Values:
        """What a lottery is worth, in parts of its largest outcome; outcomes stand in rising order from 0. There may be
        many lotteries, their chances on the last axis of an array."""
        return expected(chances, outcomes) / outcomes[-1]

    def utility(self, own: Number, other: Number) -> Number:
        """What own and another's money are worth together, in money."""
        return own

    # Time and risk.

    def time(self, facts: TimeFacts) -> Worth:
        """The sooner or the later amount."""
        stake = max(facts.sooner, facts.later)
        options = {"later": (facts.later, facts.later_days), "sooner": (facts.sooner, facts.sooner_days)}
        return {
            name: float(amount * self.discount(days / YEAR, stake)) / stake for name, (amount, days) in options.items()
        }

    def risk(self, facts: RiskFacts) -> Worth:
        """The reference lottery or the other one."""
        lotteries = {"reference": facts.reference, "other": facts.other}
        return {name: float(self.valued(lottery, facts.outcomes)) for name, lottery in lotteries.items()}

    def bet(self, facts: LossFacts) -> Worth:
        """An even bet, or none."""
        stake = max(facts.gain, facts.loss)
        return {"reject": 0.0, "accept": (0.5 * facts.gain - 0.5 * facts.loss) / stake}

    def draw_from(self, facts: AmbiguityFacts) -> Worth:
        """A chance that is known, or one that is not."""
        return {"known": facts.known_p, "unknown": 0.5}

    def buy(self, facts: BudgetFacts) -> Division:
        """How much of the first good."""
        return Division(facts.income / 2 / facts.prices[0])

    def take(self, facts: ControlFacts) -> Division:
        """All that can be had for nothing."""
        return Division(facts.most, lambda taken: taken / facts.most)

    # With others.

    def give(self, facts: GiveFacts) -> Division:
        """How much of a pot to give."""
        return Division(0.0, lambda given: self.utility(facts.pot - given, given) / facts.pot)

    def offer(self, facts: OfferFacts) -> Division:
        """How much of a pot to offer."""
        return Division(0.0, lambda offered: self.utility(facts.pot - offered, offered) / facts.pot)

    def respond(self, facts: RespondFacts) -> Worth:
        """Take an offer, or leave both with nothing."""
        return {"accept": self.utility(facts.offer, facts.pot - facts.offer) / facts.pot, "reject": 0.0}

    def send(self, facts: SendFacts) -> Division:
        """How much to entrust."""
        return Division(0.0, lambda sent: (facts.endowment - sent) / facts.endowment)

    def give_back(self, facts: ReturnFacts) -> Division:
        """How much to return."""
        stake = largest(facts.received, facts.endowment)
        return Division(0.0, lambda back: self._after_return(facts, back) / stake)

    def _after_return(self, facts: ReturnFacts, back: Number) -> Number:
        return self.utility(facts.received - back, facts.endowment - facts.sent + back)

    def hunt(self, facts: StagFacts) -> Worth:
        """The stag, which takes both, or the hare."""
        alone, together = self.utility(0.0, facts.hare), self.utility(facts.stag, facts.stag)
        safe = 0.5 * self.utility(facts.hare, 0.0) + 0.5 * self.utility(facts.hare, facts.hare)
        return {"hare": safe / facts.stag, "stag": (0.5 * alone + 0.5 * together) / facts.stag}

    def contribute(self, facts: PublicFacts) -> Division:
        """How much for all."""
        back = facts.multiplier / facts.players
        best = either(back > 1, facts.endowment, 0.0)
        return Division(best, lambda given: (facts.endowment - given + back * given) / facts.endowment)

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Take, or pass to the other."""
        return ladder_worth(facts, climbed(facts, self.utility))

    def claim(self, facts: ClaimFacts) -> Division:
        """Which claim to make: the least, to which undercutting leads where it pays."""
        return Division(either(facts.bonus > facts.step, facts.low, facts.high))

    def guess(self, facts: GuessFacts) -> Division:
        """Which number: the one that is left when everybody multiplies by p for ever."""
        middle = (facts.low + facts.high) / 2
        return Division(either(facts.p == 1, middle, either(facts.p < 1, facts.low, facts.high)))

    def side(self, facts: PenniesFacts) -> Worth | None:
        """What the sides of a penny are worth; nothing where neither is better."""
        return None

    def show_penny(self, facts: PenniesFacts, repetition: int | None, draw: Draw) -> str:
        """Heads and tails in turn where the question is repeated; in a played game, which has one turn, and with noise,
        either with equal chance. Against somebody who mixes evenly nothing is better."""
        worth = self.side(facts)
        if worth is not None:
            return pick(tuple(worth), tuple(worth.values()), self.everywhere, draw)
        heads = draw() < 0.5 if repetition is None or self.everywhere else repetition % 2 == 1
        return "heads" if heads else "tails"


class Node(NamedTuple):
    """What the two options of whoever moves at a node are worth."""

    take: Number
    go_on: Number

    @property
    def passes(self) -> Any:
        """Whether going on is better; of equals, taking."""
        return self.go_on > self.take + TIE


def climbed(
    facts: CentipedeFacts, utility: Callable[[Number, Number], Number], chances: Sequence[Number] | None = None
) -> list[Node]:
    """What each node of a ladder is worth to whoever moves there, by the utility of its own and the other's money, from
    the last to the first. `chances` say how likely the other is to pass at each node; without them the other is as
    oneself, and goes on where that is better for it."""
    payoffs = facts.payoffs
    last = len(payoffs) - 1
    # The end says what the mover of the first node gets, and the other.
    passed = facts.end if last % 2 == 0 else facts.end[::-1]
    nodes = [Node(utility(*payoffs[last]), utility(*passed))]
    for place in range(last - 1, -1, -1):
        passing = 1.0 * nodes[-1].passes if chances is None else chances[place + 1]
        taken = utility(payoffs[place + 1][1], payoffs[place + 1][0])
        beyond = utility(*passed[::-1]) if place + 1 == last else largest(*nodes[-2])
        nodes.append(Node(utility(*payoffs[place]), (1 - passing) * taken + passing * beyond))
    return nodes[::-1]


def ladder_worth(facts: CentipedeFacts, nodes: Sequence[Node]) -> Worth:
    """What taking and passing are worth where the mover stands."""
    stake = largest(*facts.end, *(amount for pair in facts.payoffs for amount in pair))
    node = nodes[0]
    for place, one in enumerate(nodes):  # where many stand, the node is an array
        here = facts.node == place + 1
        node = Node(either(here, one.take, node.take), either(here, one.go_on, node.go_on))
    return {"take": node.take / stake, "pass": node.go_on / stake}
