"""A search for the best policy at one seat of a table. Candidates are all players of the game, constants, mixtures of
players by field and by turn, and tables with memory. A small recurrent network then corrects the best candidates. It is
trained by an evolution strategy or by policy gradients. All candidates play the same games on the batch engine.
Candidates are trained and selected in different games, which avoids selection bias."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.game import imported
from ostrom.players import policy
from ostrom.players.policy_rows import network_size
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Floats
from ostrom.sim.jax_engine import load
from ostrom.sim.problem import SELECTION, TRAINING, Problem

if TYPE_CHECKING:
    from ostrom.sim.policy_gradient import Learner

Learning: TypeAlias = Literal["evolution", "evolution on JAX", "gradient"]
"""The training of the network: an evolution strategy on NumPy, an evolution strategy on JAX (in one compiled program),
or policy gradients on JAX."""
_LEVELS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_SWITCH_TURNS: Final = (1, 3, 10, 30)
_MAX_COMBINED: Final = 200
"""The largest number of constants that combine values of several fields."""
_THRESHOLDS: Final = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
_HALVINGS: Final = 7
"""Number of bisections around the best constant."""
_BEAM, _FINALISTS, _FIRST_GAMES = 3, 6, 12


@dataclass(frozen=True)
class Effort:
    """The budget of a search."""

    games: int = 72
    """The largest number of games per candidate in a race."""
    generations: int = 8
    """The number of generations of the evolution strategy. With 0, no network is trained."""
    population: int = 12
    rounds: int = 2
    """The number of rounds in which the best candidates are recombined."""
    hidden: int = 2
    """The number of recurrent units of the network."""
    updates: int = 400
    """The number of updates by policy gradients."""
    learners: int = 256
    """The number of games that are played in parallel for policy gradients."""
    selection: int = 800
    """The number of games that select among the finalists and all players. It exceeds the number of games of the
    evaluation, because near ties must be resolved."""


class SearchResult(NamedTuple):
    """The result of a search."""

    rule: Any
    tried: int
    """The number of candidates that were played."""
    steps: int
    """The number of game steps from which policy gradients learned."""


class Search:
    """The search for the solution of one problem, among the players of its game."""

    def __init__(
        self,
        problem: Problem,
        players: Mapping[str, StrategyEntry],
        effort: Effort,
        progress: Callable[[int], None],
        learning: Learning = "evolution",
    ) -> None:
        if learning != "evolution":
            _check_jax(problem)
        self.problem, self.effort, self._progress, self._learning = problem, effort, progress, learning
        self._players = {name: entry for name, entry in players.items() if entry.rows is not None}
        self._find = players.__getitem__
        self._chance = np.random.default_rng([problem.seed, len(problem.others), problem.seat])
        self.tried = self.steps = 0

    def run(self) -> SearchResult:
        """Search, and return the selected policy."""
        simple = [*(policy.PlayAs(player=name) for name in self._players), *self._constants()]
        best = self._race(simple, _FINALISTS)
        finalists = [*best, *self._refined_constant(best)]
        for _ in range(self.effort.rounds):
            others = [*self._by_field(best), *self._thresholds(best), *self._in_turn(best), *self._tables(best)]
            best = self._race([*best, *others], _FINALISTS)
            finalists += best
        if self.problem.numbers and self.problem.inputs:
            # Both methods are tried, because neither evolution nor policy gradients are better at all tables.
            finalists += self._evolve(best[0])
            if self._learning == "gradient":
                finalists += self._learn(best[0])
        # The race has few games, so every player also takes part in the final selection.
        finalists = _distinct([*finalists, *simple[: len(self._players)]])
        means = self._means(finalists, SELECTION, self.effort.selection)
        tolerance = 1e-9 * max(1.0, abs(float(means.max())))
        chosen = int(np.argmax(means >= means.max() - tolerance))  # The first of equally good rules is the simplest.
        return SearchResult(finalists[chosen], self.tried, self.steps)

    def entry(self, rule: Any) -> StrategyEntry:
        """Return a rule as a player."""
        return policy.entry_of_rule(rule, self.problem.game, self._find)

    def _means(self, rules: Sequence[Any], start: int, games: int) -> Floats:
        self._count(len(rules))
        finals = self.problem.play([self.entry(rule) for rule in rules], start, games).finals
        return np.asarray(finals.mean(axis=1))

    def _count(self, candidates: int) -> None:
        self.tried += candidates
        self._progress(candidates)

    def _race(self, rules: Sequence[Any], left: int) -> list[Any]:
        """Return the best rules, the best first. In each round, only the best third of the rules remains, and plays
        three times as many games as before."""
        rules = _distinct(rules)
        games = min(_FIRST_GAMES, self.effort.games)
        while True:
            means = self._means(rules, TRAINING, games)
            order = np.argsort(-means, kind="stable")
            last = games >= self.effort.games
            rules = [rules[place] for place in order[: left if last else max(left, len(rules) // 3)]]
            if last:
                return rules
            games = min(3 * games, self.effort.games)

    def _constants(self) -> Iterator[Any]:
        """Yield constant levels of each quantity, constant options of each choice, and combinations for all fields
        together."""
        numbers, choices = self.problem.numbers, self._choices
        for name in numbers:
            yield from (policy.ConstantRule(levels={name: level}) for level in _LEVELS)
        for name, options in choices.items():
            yield from (policy.ConstantRule(options={name: option}) for option in options)
        combined = len(_LEVELS) ** len(numbers) * math.prod(map(len, choices.values()))
        if choices and len(numbers) + len(choices) > 1 and combined <= _MAX_COMBINED:
            for levels in product(_LEVELS, repeat=len(numbers)):
                for options in product(*choices.values()):
                    yield policy.ConstantRule(
                        levels=dict(zip(numbers, levels, strict=True)),
                        options=dict(zip(choices, options, strict=True)),
                    )

    def _thresholds(self, best: Sequence[Any]) -> Iterator[Any]:
        """Yield the best candidates, changed so that a choice depends on whether one feature exceeds a threshold."""
        for base in best[:_BEAM]:
            sources = (
                dict(base.fields) if isinstance(base, policy.ByField) else dict.fromkeys(self.problem.fields, base)
            )
            for name, options in self._choices.items():
                for reads, level in product(range(self.problem.inputs), _THRESHOLDS):
                    for above, below in permutations(options, 2):
                        rule = policy.Threshold(field=name, reads=reads, level=level, above=above, below=below)
                        yield policy.ByField(fields={**sources, name: rule})

    @property
    def _choices(self) -> dict[str, tuple[policy.Option, ...]]:
        """The choices that are searched. There are none if the game has no features, because the rows of a rule
        depend on features."""
        return self.problem.choices if self.problem.inputs else {}

    def _refined_constant(self, best: Sequence[Any]) -> list[Any]:
        """Return the best constant of the race, with each of its levels refined by bisection."""
        constants = [rule for rule in best if isinstance(rule, policy.ConstantRule)]
        if not constants:
            return []
        chosen, step = constants[0], (_LEVELS[1] - _LEVELS[0]) / 2
        for _ in range(_HALVINGS):
            for name in chosen.levels:
                level = chosen.levels[name]
                neighbours = [neighbour for neighbour in (level - step, level + step) if 0.0 <= neighbour <= 1.0]
                levels = [{**chosen.levels, name: neighbour} for neighbour in neighbours]
                rules = [chosen, *(chosen.model_copy(update={"levels": each}) for each in levels)]
                chosen = rules[int(self._means(rules, TRAINING, self.effort.games).argmax())]
            step /= 2
        return [chosen]

    def _by_field(self, best: Sequence[Any]) -> Iterator[Any]:
        """Yield the best candidates, with one field taken from another candidate that sets it."""
        fields = self.problem.fields
        players = [*(policy.PlayAs(player=name) for name in self._players), *self._constants()]
        for base in best[:_BEAM] if len(fields) > 1 else ():
            sources = dict(base.fields) if isinstance(base, policy.ByField) else dict.fromkeys(fields, base)
            filled = {name for name in fields if self._makes(base, name)}
            for name in fields if len(filled) > 1 else [name for name in fields if name not in filled]:
                # If a base rule has a single field, it would be replaced as a whole.
                yield from (
                    policy.ByField(fields={**sources, name: source})
                    for source in (best[:_BEAM] if name in filled else players)
                    if isinstance(source, policy.PlayAs | policy.ConstantRule) and self._makes(source, name)
                )

    def _makes(self, rule: Any, field: str) -> bool:
        rows = self.entry(rule).rows
        return rows is not None and rows.makes(field)

    def _in_turn(self, best: Sequence[Any]) -> Iterator[Any]:
        """Yield rules that combine two of the best candidates. One of the two plays first, and the other plays
        afterwards."""
        for first in best[:_BEAM]:
            for then in best[:_BEAM]:
                if first != then and not any(isinstance(rule, policy.InTurn) for rule in (first, then)):
                    yield from (policy.InTurn(turns=turns, first=first, then=then) for turns in _SWITCH_TURNS)

    def _tables(self, best: Sequence[Any]) -> Iterator[Any]:
        """Yield tables with a memory of one turn over the first two features, and the neighbours of the best tables."""
        if self.problem.inputs < 2 or not self.problem.numbers:
            return
        name = self.problem.numbers[0]
        known = [rule for rule in best if isinstance(rule, policy.Remembering)]
        if not known:
            for bits in range(16):
                levels = tuple(float(bits >> place & 1) for place in range(4))
                yield policy.Remembering(memory=1, reads=(0, 1), levels={name: levels})
        for rule in known:
            # Neighbours have one more turn of memory, or one inverted entry.
            levels = rule.levels[name]
            if rule.memory < 3:
                longer = tuple(levels[place // 4] for place in range(4 * len(levels)))
                rule = policy.Remembering(memory=rule.memory + 1, reads=rule.reads, levels={name: longer})
                levels = longer
            for place, level in enumerate(levels):
                turned = (*levels[:place], 1.0 - level, *levels[place + 1 :])
                yield rule.model_copy(update={"levels": {name: turned}})

    def _outputs(self, base: Any) -> tuple[str, ...]:
        """Return the quantities that a network corrects. These are the quantities that its base rule sets. Exploring
        other quantities in every turn, such as lobbying, would cost more than it gains."""
        numbers = self.problem.numbers
        return tuple(name for name in numbers if self._makes(base, name)) or numbers

    def _network(self, base: Any, weights: Floats) -> Any:
        return policy.Corrected(
            base=base,
            hidden=self.effort.hidden,
            inputs=self.problem.inputs,
            outputs=self._outputs(base),
            weights=tuple(float(weight) for weight in np.clip(np.round(weights, 6), -1e6, 1e6)),
        )

    def _evolve(self, base: Any) -> list[Any]:
        """Return networks that correct a rule. A separable evolution strategy trains the networks, and begins with
        corrections of zero."""
        problem, effort = self.problem, self.effort
        if not effort.generations:
            return []
        size = network_size(problem.inputs, effort.hidden, len(self._outputs(base)))
        learner = self._learner(base) if self._learning == "evolution on JAX" else None
        strategy = Separable(np.zeros(size), 0.2, effort.population, self._chance)
        games = max(_FIRST_GAMES, effort.games // 3)
        best = strategy.mean
        for generation in range(effort.generations):
            points, start = strategy.ask(), TRAINING + (generation + 1) * games
            if learner is None:
                means = self._means([self._network(base, weights) for weights in points], start, games)
            else:
                means = learner.finals(points, start, games).mean(axis=1)
                self._count(len(points))
            strategy.tell(means)
            best = points[int(means.argmax())]
        return [self._network(base, weights) for weights in (strategy.mean, best)]

    def _learn(self, best: Any) -> list[Any]:
        """Return networks trained by policy gradients. For some, training begins with the best rule. For others, it
        begins with the middle of the range, since a good rule may be a local optimum."""
        effort, networks = self.effort, []

        def progress(steps: int) -> None:
            self.steps += steps

        for base in (best, policy.ConstantRule(levels={self.problem.numbers[0]: 0.5})) if effort.updates else ():
            learner = self._learner(base)
            networks += [
                self._network(base, weights)
                for weights in learner.learn(effort.updates, effort.learners, self.problem.seed, progress)
            ]
        return networks

    def _learner(self, base: Any) -> "Learner":
        rows = self.entry(base).rows
        learner: Learner = imported("ostrom.sim.policy_gradient:Learner")(
            self.problem, rows, self._outputs(base), self.effort.hidden
        )
        return learner


def _check_jax(problem: Problem) -> None:
    """Raise InputError for a problem that cannot be learned on JAX."""
    load()
    slow = [entry.name for entry in problem.others if entry.rows is None]
    if slow:
        raise InputError(
            f"{', '.join(slow)} plays in plain Python, which JAX cannot run; use {field('method', 'search')} on numpy"
        )
    if not problem.numbers or not problem.inputs:
        raise InputError(
            f"{problem.game.command} has no quantities or features for a network; use {field('method', 'search')}"
        )


def _distinct(rules: Sequence[Any]) -> list[Any]:
    """Return the rules without duplicates, in order."""
    return list({rule.model_dump_json(): rule for rule in rules}.values())


class Separable:
    """A separable CMA-ES (Ros and Hansen 2008). It proposes points around its mean and adapts a step size and a
    variance per coordinate."""

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
        faster = (size + 2) / 3  # A diagonal matrix has fewer parameters than a full one.
        self._rank_one = min(1.0, rank_one * faster)
        self._rank_many = min(1.0 - self._rank_one, rank_many * faster)
        self._effective = effective
        self._length = math.sqrt(size) * (1 - 1 / (4 * size) + 1 / (21 * size**2))
        self._variance = np.ones(size)
        self._path = np.zeros(size)
        self._step_path = np.zeros(size)
        self._drawn = np.zeros((population, size))

    def ask(self) -> Floats:
        """Return the points to evaluate, (population, numbers)."""
        self._drawn = self._chance.standard_normal((self._population, len(self.mean)))
        return np.asarray(self.mean + self._step * np.sqrt(self._variance) * self._drawn)

    def tell(self, worth: Floats) -> None:
        """Update the distribution by the values of these points. Higher values are better."""
        best = self._drawn[np.argsort(-worth, kind="stable")[: len(self._weights)]]
        direction = self._weights @ best
        spread = np.sqrt(self._variance)
        self.mean = self.mean + self._step * spread * direction
        rate = self._step_rate
        self._step_path = (1 - rate) * self._step_path + math.sqrt(rate * (2 - rate) * self._effective) * direction
        rate = self._path_rate
        self._path = (1 - rate) * self._path + math.sqrt(rate * (2 - rate) * self._effective) * spread * direction
        self._variance = (
            (1 - self._rank_one - self._rank_many) * self._variance
            + self._rank_one * self._path**2
            + self._rank_many * self._variance * (self._weights @ best**2)
        )
        length = float(np.linalg.norm(self._step_path)) / self._length
        self._step *= math.exp(min(1.0, self._step_rate / self._damping * (length - 1)))
