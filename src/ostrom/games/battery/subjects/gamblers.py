"""Theories of risk: what a lottery is worth. Time and risk are kept apart: amounts of money are discounted, whatever
the curvature of utility, so that each attitude shows in its own task alone. In all else they are as `Economicus`."""

from dataclasses import dataclass

from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.subjects.choosing import Worth
from ostrom.games.battery.subjects.economicus import DAYS, PATIENCE, Economicus
from ostrom.players.strategy import parameter


@dataclass(frozen=True)
class _Gambler(Economicus):
    delta: float = parameter(PATIENCE, 0.01, 1.0, "annual discount factor δ")

    def discounted(self, amount: float, days: float, stake: float) -> float:
        """δ to the years."""
        return amount * float(self.delta ** (days / DAYS))


@dataclass(frozen=True)
class ExpectedUtility(_Gambler):
    """Maximises expected utility with constant relative risk aversion, u(x) = x^(1−r). Positive r is risk aversion,
    negative r love of risk. A loss hurts as much as the same gain pleases. Discounts exponentially, selfish in all
    else."""

    r: float = parameter(0.5, -5.0, 0.99, "coefficient r of relative risk aversion")

    def valued(self, chances: tuple[float, ...], outcomes: tuple[float, ...]) -> float:
        """Σ p·u, in parts of the utility of the largest outcome."""
        top = outcomes[-1]
        return sum(p * float((x / top) ** (1 - self.r)) for p, x in zip(chances, outcomes, strict=True))

    def bet(self, facts: LossFacts) -> Worth:
        """Utility is the same on both sides of 0."""
        stake = max(facts.gain, facts.loss)
        gain, loss = (float((amount / stake) ** (1 - self.r)) for amount in (facts.gain, facts.loss))
        return {"reject": 0.0, "accept": 0.5 * gain - 0.5 * loss}


@dataclass(frozen=True)
class Prospect(_Gambler):
    """Follows cumulative prospect theory, v(x) = x^α with probabilities weighted by p^γ / (p^γ + (1−p)^γ)^(1/γ)
    (Tversky and Kahneman 1992). A loss counts λ times, its chance weighted like a gain's. A chance that is not known is
    taken for a half less the ambiguity premium. Discounts exponentially, selfish in all else."""

    alpha: float = parameter(0.88, 0.05, 2.0, "exponent α of the value function")
    gamma: float = parameter(0.61, 0.3, 2.0, "exponent γ of the weighting function")
    loss_aversion: float = parameter(2.25, 0.1, 20.0, "how many times λ a loss counts")
    ambiguity: float = parameter(0.0, -0.5, 0.5, "ambiguity premium, as a probability")

    def weight(self, chance: float) -> float:
        """The decision weight of a probability."""
        chance = min(1.0, max(0.0, chance))
        up, down = chance**self.gamma, (1 - chance) ** self.gamma
        return float(up / (up + down) ** (1 / self.gamma))

    def valued(self, chances: tuple[float, ...], outcomes: tuple[float, ...]) -> float:
        """Σ π·v from the best outcome down, in parts of the value of the largest outcome."""
        total, above = 0.0, 0.0
        for chance, outcome in zip(reversed(chances), reversed(outcomes), strict=True):
            reached = above + chance
            value = float((outcome / outcomes[-1]) ** self.alpha)
            total += (self.weight(reached) - self.weight(above)) * value
            above = reached
        return total

    def bet(self, facts: LossFacts) -> Worth:
        """Gains and losses apart, each with the weight of a half."""
        stake = max(facts.gain, facts.loss)
        gain, loss = (float((amount / stake) ** self.alpha) for amount in (facts.gain, facts.loss))
        return {"reject": 0.0, "accept": self.weight(0.5) * (gain - self.loss_aversion * loss)}

    def draw_from(self, facts: AmbiguityFacts) -> Worth:
        """An unknown chance is taken for less than a half."""
        return {"known": self.weight(facts.known_p), "unknown": self.weight(0.5 - self.ambiguity)}
