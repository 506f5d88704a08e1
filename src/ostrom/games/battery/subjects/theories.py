"""Theories of time and risk, and of behaviour with others. Attitudes to time and to risk are separate: discounting
applies to money and not to utility, so that each attitude appears only in its own task. If its theory does not apply, a
subject answers like `Economicus`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from typing_extensions import override

from ostrom.games.battery import risk, time
from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.numbers import Number, ceil, either, floor, largest, most_steps, power, smallest
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects.base import (
    CENTS,
    PATIENCE,
    TIE,
    Division,
    Economicus,
    Worth,
    ladder_worth,
    node_worths,
    subject,
)
from ostrom.games.battery.subjects.rows import TheoryRows
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts
from ostrom.players.strategy import parameter


@subject("exponential", rows=TheoryRows)
@dataclass(frozen=True)
class Exponential(Economicus):
    """Discounts exponentially, D(t) = δ^t (Samuelson 1937). It is risk neutral, and selfish in all else."""

    delta: float = parameter(0.9, 0.01, 1.0, "annual discount factor δ")


@subject("quasi-hyperbolic", rows=TheoryRows)
@dataclass(frozen=True)
class QuasiHyperbolic(Economicus):
    """Discounts with a bias for the present, D(0) = 1 and D(t) = β·δ^t after (Laibson 1997). It is risk neutral, and
    selfish in all else."""

    beta: float = parameter(0.7, 0.01, 2.0, "weight β of all that is not now")
    delta: float = parameter(0.95, 0.01, 1.0, "annual discount factor δ")

    @override
    def discount(self, years: Number, stake: Number) -> Number:
        return time.quasi_hyperbolic(years, self.beta, time.rate_of(self.delta))


@subject("hyperbolic", rows=TheoryRows)
@dataclass(frozen=True)
class Hyperbolic(Economicus):
    """Discounts hyperbolically, D(t) = 1 / (1 + k·t) (Mazur 1987). It is risk neutral, and selfish in all else."""

    k: float = parameter(0.5, 0.0, 100.0, "rate k a year")

    @override
    def discount(self, years: Number, stake: Number) -> Number:
        return time.hyperbolic(years, self.k)


@subject("magnitude", rows=TheoryRows)
class Magnitude(Economicus):
    """Discounts exponentially, and large amounts less, δ = 0.75 + 0.1·log10(x / 10) (the magnitude effect of Thaler
    1981). Here x is the larger amount of the choice, and δ stays between 0.01 and 1. It is risk neutral, and selfish in
    all else."""

    @override
    def discount(self, years: Number, stake: Number) -> Number:
        return time.exponential(years, time.rate_of(time.magnitude_delta(stake)))


@subject("expected-utility", rows=TheoryRows)
@dataclass(frozen=True)
class ExpectedUtility(Economicus):
    """Maximises expected utility with constant relative risk aversion, u(x) = x^(1−r). Positive r is risk aversion, and
    negative r is risk seeking. A loss hurts as much as the same gain pleases. It discounts exponentially, and is
    selfish in all else."""

    delta: float = parameter(PATIENCE, 0.01, 1.0, "annual discount factor δ")
    r: float = parameter(0.5, -5.0, 0.99, "coefficient r of relative risk aversion")

    def valued(self, chances: Number, outcomes: Sequence[float]) -> Number:
        """Return Σ p·u relative to the utility of the largest outcome."""
        return risk.expected(chances, (np.asarray(outcomes) / outcomes[-1]) ** (1 - self.r))

    def bet(self, facts: LossFacts) -> Worth:
        """Return the worth of accepting and of rejecting a bet. The utility function is symmetric around 0."""
        stake = max(facts.gain, facts.loss)
        gain, loss = (float((amount / stake) ** (1 - self.r)) for amount in (facts.gain, facts.loss))
        return {"reject": 0.0, "accept": 0.5 * gain - 0.5 * loss}


@subject("prospect", rows=TheoryRows)
@dataclass(frozen=True)
class Prospect(Economicus):
    """Follows cumulative prospect theory, v(x) = x^α with probabilities weighted by p^γ / (p^γ + (1−p)^γ)^(1/γ)
    (Tversky and Kahneman 1992). A loss counts λ times, with the decision weight of a gain. An unknown chance counts as
    one half minus the ambiguity premium. It discounts exponentially, and is selfish in all else."""

    delta: float = parameter(PATIENCE, 0.01, 1.0, "annual discount factor δ")
    alpha: float = parameter(0.88, 0.05, 2.0, "exponent α of the value function")
    gamma: float = parameter(0.61, 0.3, 2.0, "exponent γ of the weighting function")
    loss_aversion: float = parameter(2.25, 0.1, 20.0, "how many times λ a loss counts")
    ambiguity: float = parameter(0.0, -0.5, 0.5, "ambiguity premium, as a probability")

    def valued(self, chances: Number, outcomes: Sequence[float]) -> Number:
        """Return Σ π·v from the best outcome down, relative to the value of the largest outcome."""
        return risk.rank_dependent(chances, (np.asarray(outcomes) / outcomes[-1]) ** self.alpha, self.gamma)

    def bet(self, facts: LossFacts) -> Worth:
        """Return the worth of a bet. Gain and loss both have the decision weight of one half."""
        stake = max(facts.gain, facts.loss)
        gain, loss = (float((amount / stake) ** self.alpha) for amount in (facts.gain, facts.loss))
        return {"reject": 0.0, "accept": float(risk.weight(0.5, self.gamma)) * (gain - self.loss_aversion * loss)}

    @override
    def draw_from(self, facts: AmbiguityFacts) -> Worth:
        chances = {"known": facts.known_p, "unknown": 0.5 - self.ambiguity}
        return {name: float(risk.weight(chance, self.gamma)) for name, chance in chances.items()}


@subject("fehr-schmidt", rows=TheoryRows)
@dataclass(frozen=True)
class FehrSchmidt(Economicus):
    """Dislikes inequality, U = own − α·max(other − own, 0) − β·max(own − other, 0) (Fehr and Schmidt 1999).

    It gives half of a pot if β > 0.5, else nothing, and accepts offers of at least α / (1 + 2α) of the pot. In other
    decisions, it expects others to be like itself. It offers the least amount that it would itself accept, or half if β
    > 0.5. It sends the amount that is best if the other returns as much as it would itself return. It contributes all
    if marginal return and β together exceed 1, since the others then do the same. In the centipede game, it passes if
    it expects the other to pass next, or if passing is worth it nevertheless. It claims the most if undercutting does
    not pay. In the stag hunt it assigns equal probabilities to the other's choices."""

    alpha: float = parameter(1.0, 0.0, 10.0, "aversion α to having less than the other")
    beta: float = parameter(0.6, 0.0, 0.99, "aversion β to having more than the other")

    @override
    def utility(self, own: Number, other: Number) -> Number:
        return own - self.alpha * largest(other - own, 0.0) - self.beta * largest(own - other, 0.0)

    def give(self, facts: GiveFacts) -> Division:
        """Return half or nothing."""
        return replace(super().give(facts), best=facts.pot / 2 if self.beta > 0.5 else 0.0)

    def offer(self, facts: OfferFacts) -> Division:
        """Return half, or the offer that a subject like itself is just willing to accept, rounded up to full cents."""
        unit = 10**CENTS
        threshold = ceil(self.alpha / (1 + 2 * self.alpha) * facts.pot * unit - TIE * unit) / unit
        best = facts.pot / 2 if self.beta > 0.5 else threshold

        def worth(offered: Number) -> Number:
            accepts = self.utility(offered, facts.pot - offered) >= -TIE * facts.pot
            return either(accepts, self.utility(facts.pot - offered, offered) / facts.pot, 0.0)

        return Division(best, worth)

    def give_back(self, facts: ReturnFacts) -> Division:
        """Return the amount that equalises both payoffs, or nothing."""
        return replace(super().give_back(facts), best=self._returned(facts.endowment, facts.sent, facts.received))

    def _returned(self, endowment: Number, sent: Number, received: Number) -> Number:
        even = smallest(largest((received - endowment + sent) / 2, 0.0), received)
        return even if self.beta > 0.5 else 0.0

    def send(self, facts: SendFacts) -> Division:
        """Return the best of three amounts: nothing, the whole endowment, and the amount that equalises payoffs if
        nothing is returned."""

        def worth(sent: Number) -> Number:
            received = sent * facts.multiplier
            back = self._returned(facts.endowment, sent, received)
            return self.utility(facts.endowment - sent + back, received - back) / facts.endowment

        # The worth is monotonic between these points.
        corners = (0.0, facts.endowment / (1 + facts.multiplier), facts.endowment)
        values = [worth(sent) for sent in corners]
        least = largest(*values) - TIE
        first = either(values[0] >= least, corners[0], either(values[1] >= least, corners[1], corners[2]))
        return Division(first, worth)

    def contribute(self, facts: PublicFacts) -> Division:
        """Return the whole endowment if a subject like itself would join the other contributors, and otherwise nothing
        (their proposition 4)."""
        back = facts.multiplier / facts.players
        joins = (back + self.beta > 1 + TIE) & (facts.multiplier > 1)
        best = either(joins, facts.endowment, 0.0)

        def worth(amount: Number) -> Number:
            shared = back * (amount + (facts.players - 1) * best)
            return self.utility(facts.endowment - amount + shared, facts.endowment - best + shared) / facts.endowment

        return Division(best, worth)

    def claim(self, facts: ClaimFacts) -> Division:
        """Return the highest claim, unless undercutting by a step is worth more than equality."""
        gain = facts.bonus - facts.step - 2 * self.beta * facts.bonus
        return Division(either(gain > TIE, facts.low, facts.high))


@subject("level-k", rows=TheoryRows)
@dataclass(frozen=True)
class LevelK(Economicus):
    """Thinks k steps ahead: level 0 does anything with equal chance, level k replies best to level k−1 (Nagel 1995;
    Stahl and Wilson 1995).

    It guesses 50·p^k if the range is 0 to 100. The level matters if the payoff depends on others' decisions: in
    guesses, claims, the centipede game, pennies, offers and transfers. In the stag hunt every level above 0 does the
    same as level 1. If only its own money is at stake, it answers like `Economicus`. Level 0 stands for random answers,
    and answers with their mean: it names the middle of a range, shows heads and tails in turn, and passes."""

    k: float = parameter(1.0, 0.0, 100.0, "level k, a whole number")

    @property
    def level(self) -> int:
        return round(self.k)

    def guess(self, facts: GuessFacts) -> Division:
        """Return the middle of the range times p to the power of the level."""
        return Division(_guess(facts, self.level))

    def claim(self, facts: ClaimFacts) -> Division:
        """At level 1, return the best reply to a uniformly distributed claim. Each further level undercuts by a step if
        that pays."""
        if self.level == 0:
            return Division((facts.low + facts.high) / 2)
        first = _reply_to_any_claim(facts.low, facts.high, facts.bonus, facts.step)
        under = either(facts.bonus > facts.step, facts.step * (self.level - 1), 0.0)
        return Division(largest(facts.low, first - under))

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Return the worth of both options if the other player passes like a subject one level below."""
        return {"pass": 0.0, "take": 0.0} if self.level == 0 else _climb(facts, self.level)

    def offer(self, facts: OfferFacts) -> Division:
        """Return half at level 0 and nothing at higher levels, since no lower level rejects small offers more often
        than large ones."""
        return Division(facts.pot / 2) if self.level == 0 else super().offer(facts)

    def send(self, facts: SendFacts) -> Division:
        """Return half at level 0. At level 1, return the whole endowment if half of the multiplied amount exceeds it.
        At higher levels, return nothing, since level 1 returns nothing."""
        if self.level == 0:
            return Division(facts.endowment / 2)
        return Division(either(facts.multiplier / 2 > 1, facts.endowment, 0.0) if self.level == 1 else 0.0)

    def side(self, facts: PenniesFacts) -> Worth | None:
        """Prefer heads at level 1, where both sides are worth the same. At higher levels, prefer the best reply to the
        other role one level below."""
        if self.level == 0:
            return None
        # From level 1 on, the matcher shows heads, heads, tails, tails, …, one entry for each level. The mismatcher at
        # a level shows the entry of the next level.
        ahead = self.level - 1 if facts.role == "matcher" else self.level
        best, other = ("heads", "tails") if ahead % 4 < 2 else ("tails", "heads")
        return {best: 1.0, other: 0.0}


@subject("conditional-cooperator", rows=TheoryRows)
@dataclass(frozen=True)
class BeliefCooperator(Economicus):
    """Cooperates as far as it expects others to (Fischbacher, Gächter and Fehr 2001).

    It contributes and sends the share that it expects of others. It returns half of the received amount, multiplied by
    the share that was sent. It hunts the stag if that is worth more given its belief, passes in the centipede game, and
    claims the most. If there is nothing to reciprocate (dictator, ultimatum, guesses), it answers like `Economicus`."""

    belief: float = parameter(0.6, 0.0, 1.0, "the share of others' cooperation that it expects")

    @override
    def contribute(self, facts: PublicFacts) -> Division:
        return Division(self.belief * facts.endowment)

    @override
    def send(self, facts: SendFacts) -> Division:
        return Division(self.belief * facts.endowment)

    def give_back(self, facts: ReturnFacts) -> Division:
        """Return half of the received amount if everything was sent, and a proportionally smaller part if less was
        sent."""
        return Division(facts.received / 2 * facts.sent / facts.endowment)

    def hunt(self, facts: StagFacts) -> Worth:
        """Return the worth of the stag, given the belief that the other player hunts it too, and of the hare."""
        return {"hare": facts.hare / facts.stag, "stag": self.belief}

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Pass, since the other has passed so far or is expected to."""
        return {"pass": 1.0, "take": 0.0}

    @override
    def claim(self, facts: ClaimFacts) -> Division:
        return Division(facts.high)


@subject("backward-inducer", rows=TheoryRows)
class BackwardInducer(Economicus):
    """Reasons selfishly by backward induction and expects others to do the same: takes at the first node, and claims
    and guesses the least. It is `Economicus` in every task."""


@subject("selfish", rows=TheoryRows)
class Selfish(Economicus):
    """Wants its own money alone: gives, sends, returns and contributes nothing, and accepts any offer. It does not
    reason about others' reasoning: it expects their passes, claims and guesses to be uniform."""

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Return the worth of both options if the other player passes half of the time."""
        return _climb(facts, level=1)

    def claim(self, facts: ClaimFacts) -> Division:
        """Return the best reply to a uniform claim."""
        return Division(_reply_to_any_claim(facts.low, facts.high, facts.bonus, facts.step))

    def guess(self, facts: GuessFacts) -> Division:
        """Return p times the middle of the range."""
        return Division(_guess(facts, level=1))


def _guess(facts: GuessFacts, level: int) -> Number:
    aimed = (facts.low + facts.high) / 2 * power(facts.p, level)
    return smallest(largest(aimed, facts.low), facts.high)


def _climb(facts: CentipedeFacts, level: int) -> Worth:
    nodes = node_worths(facts, lambda own, other: own, [0.5] * len(facts.payoffs))
    for _ in range(level - 1):
        nodes = node_worths(facts, lambda own, other: own, [1.0 * node.passes for node in nodes])
    return ladder_worth(facts, nodes)


def _reply_to_any_claim(low: Number, high: Number, bonus: Number, step: Number) -> Number:
    """Return the claim with the highest mean payoff if the other's claim is uniformly distributed. If several are
    equally good, return the lowest.

    Both players are paid the lower claim. The player with the lower claim also gets the bonus, which the other loses.
    Equal claims are paid unchanged. A claim that is one step higher gains a step against each higher claim of the
    other. It loses twice the bonus against one claim of the other. So increasing the claim pays as long as more than
    2·bonus ÷ step claims are higher."""
    highest = most_steps(low, high, step)
    return low + step * largest(highest - floor((2 * bonus + TIE) / step), 0)
