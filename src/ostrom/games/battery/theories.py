"""Theories of time and risk as formulas over numbers or arrays: how much less an amount is worth for coming later, and
what a lottery is worth. Simulated subjects answer by them, and scores are fits of them."""

from typing import Any, TypeAlias

import numpy as np

Values: TypeAlias = Any
"""A number, or an array of numbers."""

YEAR = 365.0
"""Days."""


def rate_of(delta: Values) -> Values:
    """The rate ρ = −ln δ at which an annual factor δ discounts."""
    return -np.log(delta)


def exponential(years: Values, rate: Values) -> Values:
    """D(t) = δ^t = exp(−ρ·t) (Samuelson 1937)."""
    return np.exp(-rate * years)


def quasi_hyperbolic(years: Values, beta: Values, rate: Values) -> Values:
    """D(0) = 1 and D(t) = β·δ^t after (Laibson 1997)."""
    return np.where(years > 0, beta, 1.0) * exponential(years, rate)


def hyperbolic(years: Values, k: Values) -> Values:
    """D(t) = 1 / (1 + k·t) (Mazur 1987)."""
    return 1 / (1 + k * years)


def magnitude_delta(stake: Values) -> Values:
    """δ = 0.75 + 0.1·log10(x / 10), between 0.01 and 1: more is at stake, more patience (Thaler 1981)."""
    return np.minimum(1.0, np.maximum(0.01, 0.75 + 0.1 * np.log10(np.maximum(stake, 1e-9) / 10)))


def weight(chance: Values, gamma: float) -> Values:
    """The decision weight of a probability, p^γ / (p^γ + (1−p)^γ)^(1/γ) (Tversky and Kahneman 1992)."""
    chance = np.minimum(1.0, np.maximum(0.0, chance))
    up, down = chance**gamma, (1 - chance) ** gamma
    return up / (up + down) ** (1 / gamma)


def expected(chances: Values, values: Values) -> Values:
    """Σ p·v over the last axis."""
    return np.sum(np.asarray(chances) * np.asarray(values), axis=-1)


def rank_dependent(chances: Values, values: Values, gamma: float) -> Values:
    """Σ π·v over the last axis, whose values rise: π is the weight of getting a value or a better one, less the weight
    of getting a better one (cumulative prospect theory for gains)."""
    reached = weight(np.cumsum(np.asarray(chances)[..., ::-1], axis=-1), gamma)
    steps = np.diff(reached, axis=-1, prepend=0.0)
    return np.sum(steps * np.asarray(values)[::-1], axis=-1)
