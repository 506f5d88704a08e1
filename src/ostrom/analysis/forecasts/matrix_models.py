"""Statistical forecasters of first choices in 2×2 games: a logistic regression on 27 features of the payoffs, and a
network of two layers. Both are antisymmetric: if the rows are exchanged, so are the probabilities."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from ostrom.analysis.forecasts.matrix_theories import as_column, cross_entropy, gains, level_1, level_2
from ostrom.core.estimates import Floats

SCALE: Final = 10.0
"""The payoffs of a feature of 1."""
RIDGE: Final = 0.001
HIDDEN: Final = 48
FITS: Final = 3
"""The number of networks whose forecasts are averaged."""
STEPS: Final = 250
RATE: Final = 0.01
"""The learning rate of Adam at the start; it falls to 0 along a half cosine."""
DECAY: Final = 0.03


def features(own: Floats, other: Floats) -> Floats:
    """Return the 27 features (27, choices): nine differences between row A and row B, their hyperbolic tangent, and
    that of three times the differences."""
    against_c, against_d = gains(own)
    toward_c = level_1(as_column(other)) > 0
    away = level_1(as_column(other)) < 0
    joint = own + other
    differences = np.stack(
        [
            level_1(own),
            level_2(own, other),
            np.minimum(own[0], own[1]) - np.minimum(own[2], own[3]),
            np.maximum(own[0], own[1]) - np.maximum(own[2], own[3]),
            np.maximum(joint[0], joint[1]) - np.maximum(joint[2], joint[3]),
            against_c,
            against_d,
            np.where(toward_c, against_c, 0.0),
            np.where(away, against_d, 0.0),
        ]
    )
    differences = differences / SCALE
    return np.concatenate([differences, np.tanh(differences), np.tanh(3 * differences)])


def fit_logistic(inputs: Floats, chose: Floats, counts: Floats, ridge: float = RIDGE) -> Floats:
    """Return the weights of a logistic regression without intercept, with a ridge penalty on the mean log loss."""
    total = counts.sum()

    def loss(weights: Floats) -> tuple[float, Floats]:
        forecast = expit(weights @ inputs)
        value = (counts * cross_entropy(forecast, chose)).sum() / total + ridge * weights @ weights / 2
        return float(value), inputs @ (counts * (forecast - chose)) / total + ridge * weights

    result: Any = minimize(loss, np.zeros(len(inputs)), jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    fitted: Floats = result.x
    return fitted


def network_inputs(own: Floats, other: Floats) -> Floats:
    """Return the inputs of the network: payoffs about the mean of the game, and the 27 features."""
    payoffs = np.concatenate([own - own.mean(axis=0), other - other.mean(axis=0)])
    return np.concatenate([payoffs / SCALE, features(own, other)])


def exchange_rows(payoffs: Floats) -> Floats:
    """Return the payoffs of the game in which row B is shown first."""
    return payoffs[[2, 3, 0, 1]]


def exchange_columns(payoffs: Floats) -> Floats:
    """Return the payoffs of the game in which column D is shown first."""
    return payoffs[[1, 0, 3, 2]]


@dataclass(frozen=True, eq=False)
class ChoiceNetwork:
    """Networks of two layers. The advantage of row A is the mean output over both orders of columns, minus that for the
    game with exchanged rows; it does not depend on the order in which rows and columns are shown."""

    weights: tuple[tuple[Floats, ...], ...]
    """For each network: the weights and biases of both layers, and those of the output."""

    def advantage(self, own: Floats, other: Floats) -> Floats:
        """Return the logit of the mean of all networks' probabilities of row A."""
        chances = [expit(_advantage(weights, own, other)) for weights in self.weights]
        mean = np.clip(np.mean(chances, axis=0), 1e-9, 1 - 1e-9)
        logit: Floats = np.log(mean) - np.log1p(-mean)
        return logit


def _orders(own: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Return the inputs of the four orders (inputs, 4 × choices) and the sign of each."""
    views = []
    for rows in (False, True):
        for columns in (False, True):
            shown = (own, other)
            if rows:
                shown = (exchange_rows(shown[0]), exchange_rows(shown[1]))
            if columns:
                shown = (exchange_columns(shown[0]), exchange_columns(shown[1]))
            views.append(network_inputs(*shown))
    return np.concatenate(views, axis=1), np.asarray([0.5, 0.5, -0.5, -0.5])


def _layers(weights: tuple[Floats, ...], inputs: Floats) -> tuple[Floats, Floats, Floats]:
    first = np.tanh(weights[0] @ inputs + weights[1][:, None])
    second = np.tanh(weights[2] @ first + weights[3][:, None])
    return first, second, weights[4] @ second


def _advantage(weights: tuple[Floats, ...], own: Floats, other: Floats) -> Floats:
    inputs, signs = _orders(own, other)
    summed: Floats = signs @ _layers(weights, inputs)[2].reshape(4, -1)
    return summed


def fit_network(
    own: Floats,
    other: Floats,
    chose: Floats,
    counts: Floats,
    *,
    fits: int = FITS,
    steps: int = STEPS,
    hidden: int = HIDDEN,
    decay: float = DECAY,
) -> ChoiceNetwork:
    """Return networks trained on shares of choices per game by Adam with decay of weights (Loshchilov and Hutter
    2019)."""
    inputs, signs = _orders(own, other)
    trained = [_train(inputs, signs, chose, counts, seed, steps, hidden, decay) for seed in range(fits)]
    return ChoiceNetwork(tuple(trained))


def _train(
    inputs: Floats, signs: Floats, chose: Floats, counts: Floats, seed: int, steps: int, hidden: int, decay: float
) -> tuple[Floats, ...]:
    draw = np.random.default_rng(seed)
    count = len(inputs)
    weights: list[Floats] = [
        draw.normal(0, 1 / np.sqrt(count), (hidden, count)),
        np.zeros(hidden),
        draw.normal(0, 1 / np.sqrt(hidden), (hidden, hidden)),
        np.zeros(hidden),
        draw.normal(0, 1 / np.sqrt(hidden), hidden),
    ]
    means, squares = [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights]
    share = counts / counts.sum()
    for step in range(1, steps + 1):
        first, second, output = _layers(tuple(weights), inputs)
        error = share * (expit(signs @ output.reshape(4, -1)) - chose)
        back = np.outer(signs, error).ravel()
        to_second = np.outer(weights[4], back) * (1 - second**2)
        to_first = weights[2].T @ to_second * (1 - first**2)
        slopes = [to_first @ inputs.T, to_first.sum(1), to_second @ first.T, to_second.sum(1), second @ back]
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        for place, slope in enumerate(slopes):
            means[place] = 0.9 * means[place] + 0.1 * slope
            squares[place] = 0.99 * squares[place] + 0.01 * slope**2
            move = means[place] / (1 - 0.9**step) / (np.sqrt(squares[place] / (1 - 0.99**step)) + 1e-8)
            weights[place] = weights[place] - rate * (move + decay * weights[place])
    return tuple(weights)
