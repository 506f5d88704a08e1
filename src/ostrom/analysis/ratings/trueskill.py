"""TrueSkill for free-for-all games (Herbrich, Minka and Graepel, "TrueSkill: a Bayesian skill rating system", NIPS
2006), written in arrays: one call rates many independent games of as many seats. The messages within a game are in
`chain`."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from scipy.special import ndtri

from ostrom.analysis.ratings.chain import Flags, told_by_outcome
from ostrom.core import InputError
from ostrom.core.estimates import Floats

_LEAST_DRAW, _MOST_DRAW = 0.0001, 0.9999
"""Beyond these the variance of a drawn difference drowns in the rounding error of its arithmetic."""


@dataclass(frozen=True)
class TrueSkill:
    """The constants of the model."""

    mu: float = 10.0
    """The mean skill of a player nobody has seen."""
    sigma: float = 25 / 3
    """How far such a player's skill may be from it."""
    beta: float = 25 / 6
    """How far a performance in one game strays from the skill."""
    tau: float = 0.0
    """How far a skill drifts from one game to the next."""
    draw_probability: float = 0.1
    """How often two equal players draw. It sets the margin within which performances count as equal."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu):
            raise InputError(f"mu is {self.mu}; it must be a finite number")
        if not (0 < self.sigma < math.inf and 0 < self.beta < math.inf):
            raise InputError(f"sigma is {self.sigma} and beta {self.beta}; both must be finite and above 0")
        if not 0 <= self.tau < math.inf:
            raise InputError(f"tau is {self.tau}; it must be finite, and 0 or more")
        if self.draw_probability != 0 and not _LEAST_DRAW <= self.draw_probability <= _MOST_DRAW:
            raise InputError(
                f"the draw probability is {self.draw_probability}; it must be 0, or from {_LEAST_DRAW} to {_MOST_DRAW}"
            )

    @property
    def margin(self) -> float:
        """Two seats whose performances differ by less than this draw."""
        return float(ndtri((self.draw_probability + 1) / 2)) * math.sqrt(2) * self.beta


class Skills(NamedTuple):
    """What is believed about skills: precision (1/σ²) and weight (μ/σ²), in which evidence adds up."""

    precision: Floats
    weight: Floats


def rate(model: TrueSkill, skills: Skills, tied: Flags) -> Skills:
    """(seats, columns) The skills after the games, from those before. Each column is a game, its seats sorted from the
    best to the worst; `tied` (seats - 1, columns) says where a seat tied with the next.

    The chain compares neighbours only, so among tied seats it matters a little who stands first, as it does in the
    `trueskill` package."""
    if model.draw_probability == 0 and tied.any():
        raise InputError("a game has a tie, which a draw probability of 0 rules out; it must be above 0 here")
    variance = 1 / skills.precision + model.tau**2
    mean = skills.weight / skills.precision
    noise = model.beta**2
    told = told_by_outcome(mean, variance + noise, tied, model.margin)
    # What is told about a performance says less about the skill, by the noise between the two.
    discount = 1 / (1 + noise * told.precision)
    return Skills(1 / variance + discount * told.precision, mean / variance + discount * told.weight)
