"""The long run of Markov chains with few states."""

import numpy as np

from ostrom.core.errors import InputError
from ostrom.core.estimates import Floats


def stationary_of(log_rates: Floats) -> Floats:
    """Return the stationary distribution of a chain, (states,), from the logarithms of its rates. The algorithm of
    Grassmann, Taksar and Heyman (1985) is used, because it has no subtraction. It is computed in log space, so that
    tiny rates do not underflow."""
    from scipy.special import logsumexp, softmax

    rates = np.array(log_rates, dtype=np.float64)
    size = len(rates)
    np.fill_diagonal(rates, -np.inf)
    for last in range(size - 1, 0, -1):
        leaving = logsumexp(rates[last, :last])
        if leaving == -np.inf:
            raise InputError("the population has absorbing states, so its stationary distribution is not unique")
        rates[:last, last] -= leaving
        rates[:last, :last] = np.logaddexp(rates[:last, :last], rates[:last, last, None] + rates[last, None, :last])
    logs = np.zeros(size)
    for state in range(1, size):
        logs[state] = logsumexp(logs[:state] + rates[:state, state])
    return np.asarray(softmax(logs))
