"""The textbook's subject, from which all subjects with preferences derive: it does what they do wherever their theory
says nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from ostrom.core import InputError, Question
from ostrom.core.plugins import cached_until_registration
from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.risk import RiskFacts
from ostrom.games.battery.rules import Role
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects.base import TIE, Division, Subject, Worth, number, pick
from ostrom.games.battery.tasks import TASKS
from ostrom.games.battery.theories import YEAR, Values, expected, exponential, rate_of
from ostrom.games.battery.time import TimeFacts
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts, RespondFacts
from ostrom.players.strategy import Draw, parameter

PATIENCE: Final = 0.95
"""The annual discount factor of those whose theory is not about time."""


@cached_until_registration
def _role(task: str, role: str) -> Role:
    known = TASKS[task].roles if task in TASKS else {}
    if role not in known:
        raise InputError(f"simulated subjects do not know the task {task!r} with the role {role!r}")
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

    With noise μ, options and divisions of money are chosen by the logit rule on value ÷ larger amount; claims, guesses,
    pennies and budgets are free of it."""

    noise: float = parameter(0.0, 0.0, 10.0, "noise μ of the logit rule, on value ÷ larger amount")

    def answer(self, question: Question, draw: Draw) -> object:
        """By the method of the role, or, of a task that it has none for, as the task says."""
        view = question.view
        role = _role(view.task, view.role)
        if role.act == "show_penny":
            return self.show_penny(view.facts, getattr(view, "repetition", None), draw)
        method = getattr(self, role.act, None) or (role.textbook and partial(role.textbook, self))
        if method is None:
            raise InputError(f"simulated subjects do not know the task {view.task!r} with the role {view.role!r}")
        found = method(view.facts)
        if isinstance(found, Division):
            return number(found, question.spec, self.noise, draw)
        return pick(tuple(found), tuple(found.values()), self.noise, draw)

    # What theories of time and risk differ in.

    def discounted(self, amount: Values, days: Values, stake: Values) -> Values:
        """What an amount in so many days is worth today, in a choice about a stake; all may be arrays."""
        return amount * exponential(days / YEAR, rate_of(PATIENCE))

    def valued(self, chances: Values, outcomes: Sequence[float]) -> Values:
        """What a lottery is worth, in parts of its largest outcome; outcomes stand in rising order from 0. There may be
        many lotteries, their chances on the last axis of an array."""
        return expected(chances, outcomes) / outcomes[-1]

    def utility(self, own: float, other: float) -> float:
        """What own and another's money are worth together, in money."""
        return own

    # Time and risk.

    def time(self, facts: TimeFacts) -> Worth:
        """The sooner or the later amount."""
        stake = max(facts.sooner, facts.later)
        options = {"later": (facts.later, facts.later_days), "sooner": (facts.sooner, facts.sooner_days)}
        return {name: float(self.discounted(*one, stake)) / stake for name, one in options.items()}

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
        stake = max(facts.received, facts.endowment)
        return Division(0.0, lambda back: self._after_return(facts, back) / stake)

    def _after_return(self, facts: ReturnFacts, back: float) -> float:
        return self.utility(facts.received - back, facts.endowment - facts.sent + back)

    def hunt(self, facts: StagFacts) -> Worth:
        """The stag, which takes both, or the hare."""
        alone, together = self.utility(0.0, facts.hare), self.utility(facts.stag, facts.stag)
        safe = 0.5 * self.utility(facts.hare, 0.0) + 0.5 * self.utility(facts.hare, facts.hare)
        return {"hare": safe / facts.stag, "stag": (0.5 * alone + 0.5 * together) / facts.stag}

    def contribute(self, facts: PublicFacts) -> Division:
        """How much for all."""
        back = facts.multiplier / facts.players
        best = facts.endowment if back > 1 else 0.0
        return Division(best, lambda given: (facts.endowment - given + back * given) / facts.endowment)

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Take, or pass to the other."""
        return ladder_worth(facts, climbed(facts.payoffs, facts.end, self.utility))

    def claim(self, facts: ClaimFacts) -> Division:
        """Which claim to make: the least, to which undercutting leads where it pays."""
        return Division(facts.low if facts.bonus > facts.step else facts.high)

    def guess(self, facts: GuessFacts) -> Division:
        """Which number: the one that is left when everybody multiplies by p for ever."""
        middle = (facts.low + facts.high) / 2
        return Division(middle if facts.p == 1 else facts.low if facts.p < 1 else facts.high)

    def show_penny(self, facts: PenniesFacts, repetition: int | None, draw: Draw) -> str:
        """Heads and tails in turn where the question is repeated; in a played game, which has one turn, either with
        equal chance. Against somebody who mixes evenly nothing is better."""
        heads = draw() < 0.5 if repetition is None else repetition % 2 == 1
        return "heads" if heads else "tails"


Pair: TypeAlias = tuple[float, float]
"""What whoever moves gets, and what the other gets."""
Utility: TypeAlias = Callable[[float, float], float]
"""What own and the other's money are worth together."""


@dataclass(frozen=True, slots=True)
class Node:
    """The two options of whoever moves at a node."""

    take: float
    go_on: float

    @property
    def passes(self) -> bool:
        """Whether going on is better; of equals, taking."""
        return self.go_on > self.take + TIE

    @property
    def best(self) -> float:
        """The value of the better option."""
        return max(self.take, self.go_on)


def climbed(payoffs: Sequence[Pair], end: Pair, utility: Utility, chances: Sequence[float] | None = None) -> list[Node]:
    """What each node is worth to whoever moves there, from the last to the first. `chances` say how likely the other is
    to pass at each node; without them the other is as oneself, and goes on where that is better for it. `end` is what
    the mover of the first node, and the other, get if all nodes are passed."""
    last = len(payoffs) - 1
    passed = end if last % 2 == 0 else end[::-1]
    nodes: list[Node] = []
    for place in range(last, -1, -1):
        take = utility(*payoffs[place])
        if place == last:
            nodes.append(Node(take, utility(*passed)))
            continue
        other = nodes[-1]
        passing = float(other.passes) if chances is None else chances[place + 1]
        taken = utility(payoffs[place + 1][1], payoffs[place + 1][0])
        beyond = utility(*passed[::-1]) if place + 1 == last else nodes[-2].best
        nodes.append(Node(take, (1 - passing) * taken + passing * beyond))
    return nodes[::-1]


def ladder_worth(facts: CentipedeFacts, nodes: Sequence[Node]) -> Worth:
    """What taking and passing are worth where the mover stands."""
    stake = max(*facts.end, *(amount for pair in facts.payoffs for amount in pair))
    node = nodes[facts.node - 1]
    return {"take": node.take / stake, "pass": node.go_on / stake}
