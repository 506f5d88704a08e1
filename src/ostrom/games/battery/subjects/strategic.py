"""Theories of what people do with others, and of how far they think ahead. In time and risk these subjects are as
`Economicus`."""

from dataclasses import dataclass, replace

from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.numbers import Number, ceil, either, floor, largest, most_steps, power, smallest
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects.base import (
    CENTS,
    TIE,
    Division,
    Economicus,
    Worth,
    climbed,
    ladder_worth,
    subject,
)
from ostrom.games.battery.subjects.rows import TheoryRows
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts
from ostrom.players.strategy import parameter


@subject("fehr-schmidt", rows=TheoryRows)
@dataclass(frozen=True)
class FehrSchmidt(Economicus):
    """Dislikes inequality, U = own − α·max(other − own, 0) − β·max(own − other, 0) (Fehr and Schmidt 1999).

    It gives half of a pot if β > 0.5, else nothing, and accepts an offer of α / (1 + 2α) of the pot or more. It expects
    others to be as itself: it offers what it would just accept, or half if β > 0.5; it sends what is best given what it
    would itself return; it contributes all if what comes back and β together exceed 1, since the others then do so too;
    it goes on along a ladder of payoffs where the other then goes on, or where that is worth it; and claims the most
    if undercutting does not pay. In the stag hunt it holds both acts of the other for equally likely."""

    alpha: float = parameter(1.0, 0.0, 10.0, "aversion α to having less than the other")
    beta: float = parameter(0.6, 0.0, 0.99, "aversion β to having more than the other")

    def utility(self, own: Number, other: Number) -> Number:
        """Own money less what inequality costs."""
        return own - self.alpha * largest(other - own, 0.0) - self.beta * largest(own - other, 0.0)

    def give(self, facts: GiveFacts) -> Division:
        """Half or nothing."""
        return replace(super().give(facts), best=facts.pot / 2 if self.beta > 0.5 else 0.0)

    def offer(self, facts: OfferFacts) -> Division:
        """Half, or what one like itself just accepts, rounded up to full cents."""
        unit = 10**CENTS
        threshold = ceil(self.alpha / (1 + 2 * self.alpha) * facts.pot * unit - TIE * unit) / unit
        best = facts.pot / 2 if self.beta > 0.5 else threshold

        def worth(offered: Number) -> Number:
            taken = self.utility(offered, facts.pot - offered) >= -TIE * facts.pot
            return either(taken, self.utility(facts.pot - offered, offered) / facts.pot, 0.0)

        return Division(best, worth)

    def give_back(self, facts: ReturnFacts) -> Division:
        """As much as leaves both with the same, or nothing."""
        return replace(super().give_back(facts), best=self._returned(facts.endowment, facts.sent, facts.received))

    def _returned(self, endowment: Number, sent: Number, received: Number) -> Number:
        even = smallest(largest((received - endowment + sent) / 2, 0.0), received)
        return even if self.beta > 0.5 else 0.0

    def send(self, facts: SendFacts) -> Division:
        """The best of nothing, what leaves both with the same if nothing comes back, and all."""

        def worth(sent: Number) -> Number:
            received = sent * facts.multiplier
            back = self._returned(facts.endowment, sent, received)
            return self.utility(facts.endowment - sent + back, received - back) / facts.endowment

        # Between these points what is worth most only rises or only falls.
        corners = (0.0, facts.endowment / (1 + facts.multiplier), facts.endowment)
        values = [worth(sent) for sent in corners]
        least = largest(*values) - TIE
        first = either(values[0] >= least, corners[0], either(values[1] >= least, corners[1], corners[2]))
        return Division(first, worth)

    def contribute(self, facts: PublicFacts) -> Division:
        """All where one like itself would not leave the others alone with it, else nothing (their proposition 4)."""
        back = facts.multiplier / facts.players
        joins = (back + self.beta > 1 + TIE) & (facts.multiplier > 1)
        best = either(joins, facts.endowment, 0.0)

        def worth(given: Number) -> Number:
            shared = back * (given + (facts.players - 1) * best)
            return self.utility(facts.endowment - given + shared, facts.endowment - best + shared) / facts.endowment

        return Division(best, worth)

    def claim(self, facts: ClaimFacts) -> Division:
        """The most, unless undercutting by a step is worth more than being even."""
        gain = facts.bonus - facts.step - 2 * self.beta * facts.bonus
        return Division(either(gain > TIE, facts.low, facts.high))


@subject("level-k", rows=TheoryRows)
@dataclass(frozen=True)
class LevelK(Economicus):
    """Thinks k steps ahead: level 0 does anything with equal chance, level k replies best to level k−1 (Nagel 1995;
    Stahl and Wilson 1995).

    Guesses 50·p^k where the range is 0 to 100. The level enters where others decide: guesses, claims, ladders of
    payoffs, pennies, what to offer and to send; in the stag hunt every level above 0 does what level 1 does, and alone
    with its own money it is the textbook's subject. A subject of level 0, whose theory is chance, stands for its mean:
    it gives the middle of a range, shows heads and tails in turn, and passes."""

    k: float = parameter(1.0, 0.0, 100.0, "level k, a whole number")

    @property
    def level(self) -> int:
        return round(self.k)

    def guess(self, facts: GuessFacts) -> Division:
        """The middle times p to the level."""
        return Division(_guess(facts, self.level))

    def claim(self, facts: ClaimFacts) -> Division:
        """Best against any claim at level 1; from there each level undercuts the one below by a step, where it pays."""
        if self.level == 0:
            return Division((facts.low + facts.high) / 2)
        first = _reply_to_any_claim(facts.low, facts.high, facts.bonus, facts.step)
        under = either(facts.bonus > facts.step, facts.step * (self.level - 1), 0.0)
        return Division(largest(facts.low, first - under))

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Against one who passes as a level below does."""
        return {"pass": 0.0, "take": 0.0} if self.level == 0 else _climb(facts, self.level)

    def offer(self, facts: OfferFacts) -> Division:
        """Half at level 0. No level below refuses a small offer more than a large one: nothing from level 1 on."""
        return Division(facts.pot / 2) if self.level == 0 else super().offer(facts)

    def send(self, facts: SendFacts) -> Division:
        """Half at level 0; at level 1 all, if half of what it grows to is more; nothing above, for level 1 returns
        nothing."""
        if self.level == 0:
            return Division(facts.endowment / 2)
        return Division(either(facts.multiplier / 2 > 1, facts.endowment, 0.0) if self.level == 1 else 0.0)

    def side(self, facts: PenniesFacts) -> Worth | None:
        """Heads at level 1, which any act answers as well; above, the best reply to the other role a level below."""
        if self.level == 0:
            return None
        # From level 1 up the matcher shows heads, heads, tails, tails, …; the other role is a level ahead of it.
        ahead = self.level - 1 if facts.role == "matcher" else self.level
        best, other = ("heads", "tails") if ahead % 4 < 2 else ("tails", "heads")
        return {best: 1.0, other: 0.0}


@subject("conditional-cooperator", rows=TheoryRows)
@dataclass(frozen=True)
class ConditionalCooperator(Economicus):
    """Cooperates as far as it expects others to (Fischbacher, Gächter and Fehr 2001).

    It contributes and sends the share that it expects of others, returns half of what it received times the share that
    was sent, hunts the stag where that is worth more given its belief, passes along a ladder of payoffs, and claims the
    most. Where there is nothing to reciprocate (dictator, ultimatum, guesses) it is as the textbook's subject."""

    belief: float = parameter(0.6, 0.0, 1.0, "the share of others' cooperation that it expects")

    def contribute(self, facts: PublicFacts) -> Division:
        """The share that it expects of others."""
        return Division(self.belief * facts.endowment)

    def send(self, facts: SendFacts) -> Division:
        """The share that it expects of others."""
        return Division(self.belief * facts.endowment)

    def give_back(self, facts: ReturnFacts) -> Division:
        """Half of what it received after all was sent, and less after less."""
        return Division(facts.received / 2 * facts.sent / facts.endowment)

    def hunt(self, facts: StagFacts) -> Worth:
        """The stag with the chance that the other hunts it too."""
        return {"hare": facts.hare / facts.stag, "stag": self.belief}

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Passes, for the other has passed so far or is trusted to."""
        return {"pass": 1.0, "take": 0.0}

    def claim(self, facts: ClaimFacts) -> Division:
        """The most."""
        return Division(facts.high)


@subject("backward-inducer", rows=TheoryRows)
class BackwardInducer(Economicus):
    """Reasons from the end and expects others to, selfishly: takes at once, claims and guesses the least. It is the
    textbook's subject in everything; all the others' neutral behaviour is its."""


@subject("selfish", rows=TheoryRows)
class Selfish(Economicus):
    """Wants its own money alone: gives, sends, returns and contributes nothing, and accepts any offer. It does not
    reason about others' reasoning: their passes, claims and guesses are equally likely to be anything."""

    def climb(self, facts: CentipedeFacts) -> Worth:
        """Against somebody who passes half of the time."""
        return _climb(facts, level=1)

    def claim(self, facts: ClaimFacts) -> Division:
        """Against any claim, equally likely."""
        return Division(_reply_to_any_claim(facts.low, facts.high, facts.bonus, facts.step))

    def guess(self, facts: GuessFacts) -> Division:
        """p times the middle."""
        return Division(_guess(facts, level=1))


def _guess(facts: GuessFacts, level: int) -> Number:
    aimed = (facts.low + facts.high) / 2 * power(facts.p, level)
    return smallest(largest(aimed, facts.low), facts.high)


def _climb(facts: CentipedeFacts, level: int) -> Worth:
    nodes = climbed(facts, lambda own, other: own, [0.5] * len(facts.payoffs))
    for _ in range(level - 1):
        nodes = climbed(facts, lambda own, other: own, [1.0 * node.passes for node in nodes])
    return ladder_worth(facts, nodes)


def _reply_to_any_claim(low: Number, high: Number, bonus: Number, step: Number) -> Number:
    """The claim with the highest mean payoff if the other's is equally likely to be any; of equals the lowest. The
    lower claim is paid to both, with the bonus for who made it and off for the other; equal claims are paid as they
    are. Of n claims one more step up brings a step more against each higher claim, and the loss of twice the bonus:
    it pays as long as more than 2·bonus ÷ step claims lie above."""
    highest = most_steps(low, high, step)
    return low + step * largest(highest - floor((2 * bonus + TIE) / step), 0)
