"""An evolution strategy for a few dozen numbers: the separable CMA-ES of Ros and Hansen (2008), with a step size and a
variance for each number."""

import math

import numpy as np

from ostrom.sim.batch import Floats


class Separable:
    """Proposes points around its mean, and learns from how good they were."""

    def __init__(self, mean: Floats, step: float, population: int, chance: np.random.Generator) -> None:
        size, half = len(mean), population // 2
        weights = math.log(half + 0.5) - np.log(np.arange(1, half + 1))
        self.mean, self._step, self._chance, self._population = mean, step, chance, population
        self._weights = weights / weights.sum()
        effective = 1.0 / float(np.sum(self._weights**2))
        self._path_rate = (4 + effective / size) / (size + 4 + 2 * effective / size)
        self._step_rate = (effective + 2) / (size + effective + 5)
        self._damping = 1 + 2 * max(0.0, math.sqrt((effective - 1) / (size + 1)) - 1) + self._step_rate
        rank_one = 2 / ((size + 1.3) ** 2 + effective)
        rank_many = 2 * (effective - 2 + 1 / effective) / ((size + 2) ** 2 + effective)
        faster = (size + 2) / 3  # a diagonal has so much less to learn than a whole matrix
        self._rank_one = min(1.0, rank_one * faster)
        self._rank_many = min(1.0 - self._rank_one, rank_many * faster)
        self._effective = effective
        self._length = math.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2))
        self._variance = np.ones(size)
        self._path = np.zeros(size)
        self._step_path = np.zeros(size)
        self._drawn = np.zeros((population, size))

    def ask(self) -> Floats:
        """(population, numbers) Points to be tried."""
        self._drawn = self._chance.standard_normal((self._population, len(self.mean)))
        return np.asarray(self.mean + self._step * np.sqrt(self._variance) * self._drawn)

    def tell(self, worth: Floats) -> None:
        """Say how good each of them was; more is better."""
        best = self._drawn[np.argsort(-worth, kind="stable")[: len(self._weights)]]
        toward = self._weights @ best
        spread = np.sqrt(self._variance)
        self.mean = self.mean + self._step * spread * toward
        rate = self._step_rate
        self._step_path = (1 - rate) * self._step_path + math.sqrt(rate * (2 - rate) * self._effective) * toward
        rate = self._path_rate
        self._path = (1 - rate) * self._path + math.sqrt(rate * (2 - rate) * self._effective) * spread * toward
        self._variance = (
            (1 - self._rank_one - self._rank_many) * self._variance
            + self._rank_one * self._path**2
            + self._rank_many * self._variance * (self._weights @ best**2)
        )
        length = float(np.linalg.norm(self._step_path)) / self._length
        self._step *= math.exp(min(1.0, self._step_rate / self._damping * (length - 1)))
