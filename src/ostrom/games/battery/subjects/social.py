"""Theories of what people do with others. In time and risk they are as `Economicus`."""

import math
from dataclasses import dataclass

from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects.choosing import CENTS, TIE, Division, Worth
from ostrom.games.battery.subjects.economicus import Economicus
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts
from ostrom.players.strategy import parameter


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

    def utility(self, own: float, other: float) -> float:
        """Own money less what inequality costs."""
        return own - self.alpha * max(other - own, 0.0) - self.beta * max(own - other, 0.0)

    @property
    def least_acceptable(self) -> float:
        """The share of a pot that it just accepts."""
        return self.alpha / (1 + 2 * self.alpha)

    def give(self, facts: GiveFacts) -> Division:
        """Half or nothing."""
        best = facts.pot / 2 if self.beta > 0.5 else 0.0
        return Division(best, lambda given: self.utility(facts.pot - given, given) / facts.pot)

    def offer(self, facts: OfferFacts) -> Division:
        """Half, or what one like itself just accepts, rounded up to full cents."""
        unit = 10**CENTS
        threshold = math.ceil(self.least_acceptable * facts.pot * unit - TIE * unit) / unit
        best = facts.pot / 2 if self.beta > 0.5 else threshold

        def worth(offered: float) -> float:
            taken = self.utility(offered, facts.pot - offered) >= -TIE * facts.pot
            return self.utility(facts.pot - offered, offered) / facts.pot if taken else 0.0

        return Division(best, worth)

    def give_back(self, facts: ReturnFacts) -> Division:
        """As much as leaves both with the same, or nothing."""
        best = self._returned(facts.endowment, facts.sent, facts.received)
        stake = max(facts.received, facts.endowment)
        return Division(best, lambda back: self._after_return(facts, back) / stake)

    def _returned(self, endowment: float, sent: float, received: float) -> float:
        even = min(max((received - endowment + sent) / 2, 0.0), received)
        return even if self.beta > 0.5 else 0.0

    def send(self, facts: SendFacts) -> Division:
        """The best of nothing, what leaves both with the same if nothing comes back, and all."""

        def worth(sent: float) -> float:
            received = sent * facts.multiplier
            back = self._returned(facts.endowment, sent, received)
            return self.utility(facts.endowment - sent + back, received - back) / facts.endowment

        # Between these points what is worth most only rises or only falls.
        corners = (0.0, facts.endowment / (1 + facts.multiplier), facts.endowment)
        top = max(worth(sent) for sent in corners)
        return Division(next(sent for sent in corners if worth(sent) >= top - TIE), worth)

    def contribute(self, facts: PublicFacts) -> Division:
        """All where one like itself would not leave the others alone with it, else nothing (their proposition 4)."""
        back = facts.multiplier / facts.players
        joins = back + self.beta > 1 + TIE and facts.multiplier > 1
        best = facts.endowment if joins else 0.0

        def worth(given: float) -> float:
            own = facts.endowment - given + back * (given + (facts.players - 1) * best)
            other = facts.endowment - best + back * (given + (facts.players - 1) * best)
            return self.utility(own, other) / facts.endowment

        return Division(best, worth)

    def claim(self, facts: ClaimFacts) -> Division:
        """The most, unless undercutting by a step is worth more than being even."""
        gain = facts.bonus - facts.step - 2 * self.beta * facts.bonus
        return Division(facts.low if gain > TIE else facts.high)


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
