"""A network that forecasts an amount as a distribution over classes, such as a contribution from 0 to 20. It has one
layer of hidden units; classes that the rules exclude have probability 0."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from ostrom.core.estimates import Floats

HIDDEN: Final = 48
FITS: Final = 3
"""The number of networks whose forecasts are averaged."""
EPOCHS: Final = 15
BATCH: Final = 512
RATE: Final = 0.004
"""The learning rate of Adam at the start; it falls to 0 along a half cosine."""
DECAY: Final = 0.3
EXCLUDED: Final = -1e9
"""The logit of a class that the rules exclude."""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class AmountNetwork:
    """Networks with one hidden layer, whose probabilities are averaged."""

    weights: tuple[tuple[Floats, Floats, Floats, Floats], ...]
    """For each network: (inputs, hidden) weights and biases, and (hidden, classes) weights and biases."""

    def chances(self, inputs: Floats, legal: Floats) -> Floats:
        """Return the probability of each class (rows, classes). `legal` is 1 for classes that the rules allow."""
        mean: Floats = np.mean([_chances(weights, inputs, legal) for weights in self.weights], axis=0)
        return mean


def _chances(weights: tuple[Floats, Floats, Floats, Floats], inputs: Floats, legal: Floats) -> Floats:
    hidden = np.tanh(inputs @ weights[0] + weights[1])
    logits = np.where(legal > 0, hidden @ weights[2] + weights[3], EXCLUDED)
    chances: Floats = np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
    return chances


def fit_amounts(
    inputs: Floats,
    chosen: Ints,
    legal: Floats,
    *,
    fits: int = FITS,
    epochs: int = EPOCHS,
    hidden: int = HIDDEN,
    decay: float = DECAY,
) -> AmountNetwork:
    """Return networks trained on decisions by Adam with decay of weights. `chosen` is the number of the class of each
    decision."""
    return AmountNetwork(tuple(_train(inputs, chosen, legal, seed, epochs, hidden, decay) for seed in range(fits)))


def _train(
    inputs: Floats, chosen: Ints, legal: Floats, seed: int, epochs: int, hidden: int, decay: float
) -> tuple[Floats, Floats, Floats, Floats]:
    draw = np.random.default_rng(seed)
    rows, width = inputs.shape
    weights = [
        draw.normal(0, 1 / np.sqrt(width), (width, hidden)),
        np.zeros(hidden),
        draw.normal(0, 0.1 / np.sqrt(hidden), (hidden, legal.shape[1])),
        np.zeros(legal.shape[1]),
    ]
    means, squares = [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights]
    steps = epochs * max(1, rows // BATCH)
    order = draw.permutation(rows)
    place = 0
    for step in range(1, steps + 1):
        if place + BATCH > rows:
            order, place = draw.permutation(rows), 0
        batch = order[place : place + BATCH]
        place += BATCH
        slopes = _slopes(weights, inputs[batch], chosen[batch], legal[batch])
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        for number, slope in enumerate(slopes):
            means[number] = 0.9 * means[number] + 0.1 * slope
            squares[number] = 0.99 * squares[number] + 0.01 * slope**2
            move = means[number] / (1 - 0.9**step) / (np.sqrt(squares[number] / (1 - 0.99**step)) + 1e-8)
            weights[number] = weights[number] - rate * (move + decay * weights[number])
    first, bias, second, output = weights
    return first, bias, second, output


def _slopes(weights: list[Floats], inputs: Floats, chosen: Ints, legal: Floats) -> list[Floats]:
    """Return the gradient of the mean log loss by the weights."""
    hidden = np.tanh(inputs @ weights[0] + weights[1])
    logits = np.where(legal > 0, hidden @ weights[2] + weights[3], EXCLUDED)
    error = np.exp(logits - logits.max(axis=1, keepdims=True))
    error /= error.sum(axis=1, keepdims=True)
    error[np.arange(len(chosen)), chosen] -= 1.0
    error /= len(chosen)
    back = error @ weights[2].T * (1 - hidden**2)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
