"""Expected utility over three outcomes: u = (0, m, 1), so that m, the utility of 500, is all there is to a risk
attitude: 0.5 is neutral, more is averse to risk, less seeks it.

Features of a choice: the probabilities of 1000 and of 500 on the axis less those of the reference."""

from dataclasses import dataclass

import numpy as np

from ostrom.games.battery.scores.logit import Advantage
from ostrom.games.battery.scores.score import Floats

LEAST, MOST = 0.001, 0.999


@dataclass(frozen=True, slots=True)
class ExpectedUtility:
    """EU = p(1000) + m·p(500)."""

    name: str = "expected utility"

    @property
    def bounds(self) -> Floats:
        """Of m."""
        return np.array([[LEAST, MOST]])

    @property
    def starts(self) -> Floats:
        """From seeking risk to averse."""
        return np.array([[0.2], [0.5], [0.8]])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """The expected utility on the axis less that of the reference."""
        best, middle = features
        m = parameters[:, :1]
        return Advantage(best + m * middle, (np.broadcast_to(middle, (len(m), len(middle))),))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """m·Δp(500) ≥ −Δp(1000)."""
        best, middle = features
        return middle[:, np.newaxis], -best

    def reported(self, parameters: Floats) -> Floats:
        """As it is."""
        return parameters
