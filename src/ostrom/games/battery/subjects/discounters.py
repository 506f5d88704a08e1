"""Theories of time: how much less an amount is worth for coming later. In all else they are as `Economicus`."""

import math
from dataclasses import dataclass

from ostrom.games.battery.subjects.economicus import DAYS, Economicus
from ostrom.players.strategy import parameter


@dataclass(frozen=True)
class Exponential(Economicus):
    """Discounts exponentially, D(t) = δ^t (Samuelson 1937). Risk neutral and selfish in all else."""

    delta: float = parameter(0.9, 0.01, 1.0, "annual discount factor δ")

    def discounted(self, amount: float, days: float, stake: float) -> float:
        """δ to the years."""
        return amount * float(self.delta ** (days / DAYS))


@dataclass(frozen=True)
class QuasiHyperbolic(Economicus):
    """Discounts with a bias for the present, D(0) = 1 and D(t) = β·δ^t after (Laibson 1997). Risk neutral and selfish
    in all else."""

    beta: float = parameter(0.7, 0.01, 2.0, "weight β of all that is not now")
    delta: float = parameter(0.95, 0.01, 1.0, "annual discount factor δ")

    def discounted(self, amount: float, days: float, stake: float) -> float:
        """β once, and δ to the years."""
        return amount * (self.beta if days > 0 else 1.0) * float(self.delta ** (days / DAYS))


@dataclass(frozen=True)
class Hyperbolic(Economicus):
    """Discounts hyperbolically, D(t) = 1 / (1 + k·t) (Mazur 1987). Risk neutral and selfish in all else."""

    k: float = parameter(0.5, 0.0, 100.0, "rate k a year")

    def discounted(self, amount: float, days: float, stake: float) -> float:
        """Divided by 1 + k·years."""
        return amount / (1 + self.k * days / DAYS)


@dataclass(frozen=True)
class Magnitude(Economicus):
    """Discounts exponentially, and large amounts less, δ = 0.75 + 0.1·log10(x / 10) (the magnitude effect of Thaler
    1981). x is the larger amount of the choice; δ stays between 0.01 and 1. Risk neutral and selfish in all else."""

    def discounted(self, amount: float, days: float, stake: float) -> float:
        """The stake's own δ to the years."""
        return amount * float(self.delta(stake) ** (days / DAYS))

    def delta(self, stake: float) -> float:
        """The annual discount factor for a stake."""
        return 0.01 if stake <= 0 else min(1.0, max(0.01, 0.75 + 0.1 * math.log10(stake / 10)))
