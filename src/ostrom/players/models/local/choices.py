"""The tokens in which the choices of a slot differ, and the probability of each choice. A slot is a part of a reply
that the model writes."""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ostrom.core.arrays import Array

Tokens: TypeAlias = tuple[int, ...]


class ChoiceTree:
    """Choices as a tree of tokens. A node of the tree is a place at which several tokens are possible, and the model
    chooses only at nodes. The tokens with which all choices begin, and the tokens after the last difference, are
    certain."""

    def __init__(self, paths: Sequence[Sequence[int]]) -> None:
        self.paths: tuple[Tokens, ...] = tuple(tuple(path) for path in paths)
        children: dict[Tokens, dict[int, None]] = {}
        for path in self.paths:
            for length, token in enumerate(path):
                children.setdefault(path[:length], {})[token] = None
        self.nodes: dict[Tokens, tuple[int, ...]] = {
            start: tuple(tokens) for start, tokens in children.items() if len(tokens) > 1
        }
        """The nodes. A key is a beginning of a choice after which several tokens are possible, and the value contains
        these tokens."""
        self._after: dict[Tokens, Tokens] = {}

    @classmethod
    def of(cls, before: Tokens, whole: Sequence[Tokens]) -> "tuple[ChoiceTree, Tokens]":
        """Return the tree of choices, and the tokens before the choices. The argument `before` has the tokens of the
        fixed text before the choices. `whole` has, for each choice, the tokens of the fixed text and the choice
        together. If the tokenizer joins the end of the fixed text with the beginning of a choice, the tree includes the
        fixed text, and the returned tokens are empty."""
        start = before if all(path[: len(before)] == before for path in whole) else ()
        return cls([path[len(start) :] for path in whole]), start

    def after(self, start: Tokens) -> Tokens:
        """Return the tokens that must follow a beginning of a choice, up to the next node or the end of the choice."""
        if start not in self._after:
            path = next(path for path in self.paths if path[: len(start)] == start)
            length = len(start)
            while length < len(path) and path[:length] not in self.nodes:
                length += 1
            self._after[start] = path[len(start) : length]
        return self._after[start]

    def log_probabilities(
        self, seen: Mapping[Tokens, Mapping[int, float]], temperature: float | None
    ) -> tuple[tuple[float, ...], float]:
        """Return the log probability of each choice under constrained decoding at a temperature, and the total
        probability, at temperature 1, of texts that are not choices. `seen` has, for each node, the log probabilities
        of the tokens that were seen there."""
        steps = {
            node: dict(zip(tokens, tempered([seen[node].get(token, -math.inf) for token in tokens], temperature),
                           strict=True))
            for node, tokens in self.nodes.items()
        }  # fmt: skip
        totals = tuple(self._total(path, steps) for path in self.paths)
        inside = math.fsum(math.exp(self._total(path, seen)) for path in self.paths)
        return totals, max(0.0, 1.0 - inside)

    def _total(self, path: Tokens, steps: Mapping[Tokens, Mapping[int, float]]) -> float:
        lengths = (length for length in range(len(path)) if path[:length] in self.nodes)
        return sum(steps[path[:length]].get(path[length], -math.inf) for length in lengths)


def tempered(logs: Sequence[float], temperature: float | None) -> list[float]:
    """Return log probabilities at another temperature, normalised. At temperature 0, the largest one gets probability
    1. If several are largest, this is the first of them."""
    top = max(logs)
    if top == -math.inf:
        return list(logs)
    if temperature == 0:
        return [0.0 if place == logs.index(top) else -math.inf for place in range(len(logs))]
    scaled = [(log - top) / (1.0 if temperature is None else temperature) for log in logs]
    total = math.log(math.fsum(map(math.exp, scaled)))
    return [value - total for value in scaled]


def drawn_places(logs: Array, temperatures: Sequence[float | None], uniforms: Sequence[float]) -> list[int]:
    """Return the place that is drawn in each row of log probabilities. A row has its own temperature and its own random
    number from 0 to 1, and need not be normalised. At temperature 0, the place is the first of those with the largest
    log probability. Places with minus infinity are never drawn."""
    scale = np.asarray([1.0 if temperature is None else temperature for temperature in temperatures])[:, None]
    weights = np.exp((logs - logs.max(axis=1, keepdims=True)) / np.where(scale == 0, 1.0, scale))
    sums = weights.cumsum(axis=1)
    # This is the rule of random.choices: the first place at which the cumulative sum exceeds the number.
    drawn = (sums <= np.asarray(uniforms)[:, None] * sums[:, -1:]).sum(axis=1)
    last = (weights > 0).cumsum(axis=1).argmax(axis=1)
    places: list[int] = np.where(scale[:, 0] == 0, logs.argmax(axis=1), np.minimum(drawn, last)).tolist()
    return places
