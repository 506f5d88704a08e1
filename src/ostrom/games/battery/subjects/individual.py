"""Theories of time, how much less an amount is worth for coming later, and of risk, what a lottery is worth. The two
are kept apart: amounts of money are discounted, whatever the curvature of utility, so that each attitude shows in its
own task alone. In all else these subjects are as `Economicus`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ostrom.games.battery import theories
from ostrom.games.battery.ambiguity import AmbiguityFacts
from ostrom.games.battery.loss import LossFacts
from ostrom.games.battery.subjects.base import PATIENCE, Economicus, Worth, subject
from ostrom.games.battery.subjects.rows import TheoryRows
from ostrom.games.battery.theories import Values
from ostrom.players.strategy import parameter


@subject("exponential", rows=TheoryRows)
@dataclass(frozen=True)
class Exponential(Economicus):
    """Discounts exponentially, D(t) = δ^t (Samuelson 1937). Risk neutral and selfish in all else."""

    delta: float = parameter(0.9, 0.01, 1.0, "annual discount factor δ")


@subject("quasi-hyperbolic", rows=TheoryRows)
@dataclass(frozen=True)
class QuasiHyperbolic(Economicus):
    """Discounts with a bias for the present, D(0) = 1 and D(t) = β·δ^t after (Laibson 1997). Risk neutral and selfish
    in all else."""

    beta: float = parameter(0.7, 0.01, 2.0, "weight β of all that is not now")
    delta: float = parameter(0.95, 0.01, 1.0, "annual discount factor δ")

    def discount(self, years: Values, stake: Values) -> Values:
        """β once, and δ to the years."""
        return theories.quasi_hyperbolic(years, self.beta, theories.rate_of(self.delta))


@subject("hyperbolic", rows=TheoryRows)
@dataclass(frozen=True)
class Hyperbolic(Economicus):
    """Discounts hyperbolically, D(t) = 1 / (1 + k·t) (Mazur 1987). Risk neutral and selfish in all else."""

    k: float = parameter(0.5, 0.0, 100.0, "rate k a year")

    def discount(self, years: Values, stake: Values) -> Values:
        """Divided by 1 + k·years."""
        return theories.hyperbolic(years, self.k)


@subject("magnitude", rows=TheoryRows)
class Magnitude(Economicus):
    """Discounts exponentially, and large amounts less, δ = 0.75 + 0.1·log10(x / 10) (the magnitude effect of Thaler
    1981). x is the larger amount of the choice; δ stays between 0.01 and 1. Risk neutral and selfish in all else."""

    def discount(self, years: Values, stake: Values) -> Values:
        """The stake's own δ to the years."""
        return theories.exponential(years, theories.rate_of(theories.magnitude_delta(stake)))


@subject("expected-utility", rows=TheoryRows)
@dataclass(frozen=True)
class ExpectedUtility(Economicus):
    """Maximises expected utility with constant relative risk aversion, u(x) = x^(1−r). Positive r is risk aversion,
    negative r love of risk. A loss hurts as much as the same gain pleases. Discounts exponentially, selfish in all
    else."""

    delta: float = parameter(PATIENCE, 0.01, 1.0, "annual discount factor δ")
    r: float = parameter(0.5, -5.0, 0.99, "coefficient r of relative risk aversion")

    def valued(self, chances: Values, outcomes: Sequence[float]) -> Values:
        """Σ p·u, in parts of the utility of the largest outcome."""
        return theories.expected(chances, (np.asarray(outcomes) / outcomes[-1]) ** (1 - self.r))

    def bet(self, facts: LossFacts) -> Worth:
        """Utility is the same on both sides of 0."""
        stake = max(facts.gain, facts.loss)
        gain, loss = (float((amount / stake) ** (1 - self.r)) for amount in (facts.gain, facts.loss))
        return {"reject": 0.0, "accept": 0.5 * gain - 0.5 * loss}


@subject("prospect", rows=TheoryRows)
@dataclass(frozen=True)
class Prospect(Economicus):
    """Follows cumulative prospect theory, v(x) = x^α with probabilities weighted by p^γ / (p^γ + (1−p)^γ)^(1/γ)
    (Tversky and Kahneman 1992). A loss counts λ times, its chance weighted like a gain's. A chance that is not known is
    taken for a half less the ambiguity premium. Discounts exponentially, selfish in all else."""

    delta: float = parameter(PATIENCE, 0.01, 1.0, "annual discount factor δ")
    alpha: float = parameter(0.88, 0.05, 2.0, "exponent α of the value function")
    gamma: float = parameter(0.61, 0.3, 2.0, "exponent γ of the weighting function")
    loss_aversion: float = parameter(2.25, 0.1, 20.0, "how many times λ a loss counts")
    ambiguity: float = parameter(0.0, -0.5, 0.5, "ambiguity premium, as a probability")

    def valued(self, chances: Values, outcomes: Sequence[float]) -> Values:
        """Σ π·v from the best outcome down, in parts of the value of the largest outcome."""
        return theories.rank_dependent(chances, (np.asarray(outcomes) / outcomes[-1]) ** self.alpha, self.gamma)

    def bet(self, facts: LossFacts) -> Worth:
        """Gains and losses apart, each with the weight of a half."""
        stake = max(facts.gain, facts.loss)
        gain, loss = (float((amount / stake) ** self.alpha) for amount in (facts.gain, facts.loss))
        return {"reject": 0.0, "accept": float(theories.weight(0.5, self.gamma)) * (gain - self.loss_aversion * loss)}

    def draw_from(self, facts: AmbiguityFacts) -> Worth:
        """An unknown chance is taken for less than a half."""
        chances = {"known": facts.known_p, "unknown": 0.5 - self.ambiguity}
        return {name: float(theories.weight(chance, self.gamma)) for name, chance in chances.items()}
