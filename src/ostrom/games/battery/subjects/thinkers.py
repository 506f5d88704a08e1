"""Theories of how far people think ahead. In time and risk they are as `Economicus`."""

from dataclasses import dataclass
from functools import lru_cache

from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts
from ostrom.games.battery.matching_pennies import PenniesFacts
from ostrom.games.battery.subjects.centipede import climbed
from ostrom.games.battery.subjects.choosing import Division, Worth
from ostrom.games.battery.subjects.economicus import Economicus
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import SendFacts
from ostrom.games.battery.ultimatum import OfferFacts
from ostrom.players.strategy import Draw, parameter


@dataclass(frozen=True)
class BackwardInducer(Economicus):
    """Reasons from the end and expects others to, selfishly: takes at once, claims and guesses the least. It is the
    textbook's subject in everything; all the others' neutral behaviour is its."""


@dataclass(frozen=True)
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
        """The level as a whole number."""
        return round(self.k)

    def guess(self, facts: GuessFacts) -> Division:
        """The middle times p to the level."""
        return Division(_guess(facts, self.level))

    def claim(self, facts: ClaimFacts) -> Division:
        """Best against any claim at level 1; from there each level undercuts the one below by a step, where it pays."""
        if self.level == 0:
            return Division((facts.low + facts.high) / 2)
        first = _reply_to_any_claim(facts.low, facts.high, facts.bonus, facts.step)
        under = facts.step * (self.level - 1) if facts.bonus > facts.step else 0.0
        return Division(max(facts.low, first - under))

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
        pays = self.level == 1 and facts.multiplier / 2 > 1
        return Division(facts.endowment if pays else 0.0)

    def show_penny(self, facts: PenniesFacts, repetition: int | None, draw: Draw) -> str:
        """Heads at level 1, which any act answers as well; above, the best reply to the other role a level below."""
        if self.level == 0:
            return super().show_penny(facts, repetition, draw)
        matcher = mismatcher = True
        for _ in range(self.level - 1):
            matcher, mismatcher = mismatcher, not matcher
        return "heads" if (matcher if facts.role == "matcher" else mismatcher) else "tails"


def _guess(facts: GuessFacts, level: int) -> float:
    aimed = (facts.low + facts.high) / 2 * float(facts.p**level)
    return float(min(max(aimed, facts.low), facts.high))


def _climb(facts: CentipedeFacts, level: int) -> Worth:
    chances = [0.5] * len(facts.payoffs)
    nodes = []
    for _ in range(level):
        nodes = climbed(facts.payoffs, facts.end, lambda own, other: own, chances)
        chances = [float(node.passes) for node in nodes]
    stake = max(*facts.end, *(amount for pair in facts.payoffs for amount in pair))
    node = nodes[facts.node - 1]
    return {"take": node.take / stake, "pass": node.go_on / stake}


@lru_cache(maxsize=256)
def _reply_to_any_claim(low: float, high: float, bonus: float, step: float) -> float:
    """The claim with the highest mean payoff if the other's is equally likely to be any; of equals the lowest. The
    lower claim is paid to both, with the bonus for who made it and off for the other; equal claims are paid
    as they are."""
    count = round((high - low) / step) + 1
    claims = [low + step * place for place in range(count)]
    best, most, under = claims[0], float("-inf"), 0.0
    for place, claim in enumerate(claims):
        total = (under - place * bonus) + claim + (count - place - 1) * (claim + bonus)
        if total > most + 1e-9:
            best, most = claim, total
        under += claim
    return best
