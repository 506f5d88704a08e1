"""A search for the policy that does best at one seat of a table: every player of the game, constants, mixtures of
players by field and by turn, tables that remember, and a small recurrent network that corrects the best of them, by an
evolution strategy or policy gradients. All are played on the batch engine over common games; what is tried in one set
of games is chosen in another, so that luck is not taken for skill."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
"""How the network learns: by an evolution strategy, whose candidates play on NumPy or, all in one compiled program, on
JAX; or by policy gradients, on JAX."""
_LEVELS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_SWITCHES: Final = (1, 3, 10, 30)
_HALVINGS: Final = 7
"""How often the distance between constants is halved around the best of them."""
_BEAM, _FINALISTS, _FIRST_GAMES = 3, 6, 12


@dataclass(frozen=True)
class Effort:
    """How much is tried."""

    games: int = 72
    """Games in which a candidate that stays in the race is tried at most."""
    generations: int = 8
    """Of the evolution strategy; none leaves the network out."""
    population: int = 12
    rounds: int = 2
    """How often the best are put together anew."""
    hidden: int = 2
    """Units of the network that remember."""
    updates: int = 400
    """Of a network that learns by policy gradients."""
    learners: int = 256
    """Games from which it learns at once."""
    selection: int = 800
    """Games that choose among what was found and all players: more than judge it, so that near ties are told apart."""


class Found(NamedTuple):
    """What a search found."""

    rule: Any
    tried: int
    """How many candidates were played."""
    steps: int
    """From how many steps of games a network learned by policy gradients."""


class Search:
    """The search of one problem among the players of its game."""

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

    def run(self) -> Found:
        """Search, and choose."""
        simple = [*(policy.PlayAs(player=name) for name in self._players), *self._constants()]
        best = self._race(simple, _FINALISTS)
        finalists = [*best, *self._nearer(best)]
        for _ in range(self.effort.rounds):
            best = self._race([*best, *self._by_field(best), *self._in_turn(best), *self._tables(best)], _FINALISTS)
            finalists += best
        if self.problem.numbers and self.problem.inputs:
            # Evolved networks are better than those that learned at some tables, and worse at others.
            finalists += self._evolve(best[0])
            if self._learning == "gradient":
                finalists += self._learn(best[0])
        # Every player has its chance here, whatever its luck in the few games of the race.
        finalists = _distinct([*finalists, *simple[: len(self._players)]])
        means = self._means(finalists, SELECTION, self.effort.selection)
        near = 1e-9 * max(1.0, abs(float(means.max())))
        chosen = int(np.argmax(means >= means.max() - near))  # of equals the one that was found first, the simplest
        return Found(finalists[chosen], self.tried, self.steps)

    def entry(self, rule: Any) -> StrategyEntry:
        """A rule as a player."""
        return policy.entry_of_rule(rule, self.problem.game, self._find)

    def _means(self, rules: Sequence[Any], start: int, games: int) -> Floats:
        self._count(len(rules))
        finals = self.problem.play([self.entry(rule) for rule in rules], start, games).finals
        return np.asarray(finals.mean(axis=1))

    def _count(self, candidates: int) -> None:
        self.tried += candidates
        self._progress(candidates)

    def _race(self, rules: Sequence[Any], left: int) -> list[Any]:
        """The best of the rules, the best first: all play some games, a third of them three times as many, and so
        on."""
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

    # What is tried.

    def _constants(self) -> Iterator[Any]:
        for name in self.problem.numbers:
            yield from (policy.ConstantRule(levels={name: level}) for level in _LEVELS)

    def _nearer(self, best: Sequence[Any]) -> list[Any]:
        """The best constant of the race, made better by ever smaller steps to either side."""
        constants = [rule for rule in best if isinstance(rule, policy.ConstantRule)]
        if not constants:
            return []
        chosen, step = constants[0], (_LEVELS[1] - _LEVELS[0]) / 2
        ((name, _),) = chosen.levels.items()
        for _ in range(_HALVINGS):
            level = chosen.levels[name]
            beside = [one for one in (level - step, level + step) if 0.0 <= one <= 1.0]
            rules = [chosen, *(policy.ConstantRule(levels={name: one}) for one in beside)]
            chosen = rules[int(self._means(rules, TRAINING, self.effort.games).argmax())]
            step /= 2
        return [chosen]

    def _by_field(self, best: Sequence[Any]) -> Iterator[Any]:
        """Return the best candidate with one field taken from another that fills it in."""
        fields = self.problem.fields
        players = [policy.PlayAs(player=name) for name in self._players]
        for base in best[:_BEAM] if len(fields) > 1 else ():
            whole = dict(base.fields) if isinstance(base, policy.ByField) else dict.fromkeys(fields, base)
            own = {name for name in fields if self._makes(base, name)}
            for name in fields if len(own) > 1 else [name for name in fields if name not in own]:
                # Who fills in one field alone would, with another's, be that other.
                yield from (
                    policy.ByField(fields={**whole, name: source})
                    for source in (best[:_BEAM] if name in own else players)
                    if isinstance(source, policy.PlayAs | policy.ConstantRule) and self._makes(source, name)
                )

    def _makes(self, rule: Any, field: str) -> bool:
        rows = self.entry(rule).rows
        return rows is not None and rows.makes(field)

    def _in_turn(self, best: Sequence[Any]) -> Iterator[Any]:
        """Two of the best, one after the other."""
        for first in best[:_BEAM]:
            for then in best[:_BEAM]:
                if first != then and not any(isinstance(rule, policy.InTurn) for rule in (first, then)):
                    yield from (policy.InTurn(turns=turns, first=first, then=then) for turns in _SWITCHES)

    def _tables(self, best: Sequence[Any]) -> Iterator[Any]:
        """Tables of one turn over the first two features, and the neighbours of those that are among the best."""
        if self.problem.inputs < 2 or not self.problem.numbers:
            return
        name = self.problem.numbers[0]
        known = [rule for rule in best if isinstance(rule, policy.Remembering)]
        if not known:
            for bits in range(16):
                levels = tuple(float(bits >> place & 1) for place in range(4))
                yield policy.Remembering(memory=1, reads=(0, 1), levels={name: levels})
        for rule in known:
            # The same with a turn more to remember, and with each of its entries turned round.
            levels = rule.levels[name]
            if rule.memory < 3:
                longer = tuple(levels[place // 4] for place in range(4 * len(levels)))
                rule = policy.Remembering(memory=rule.memory + 1, reads=rule.reads, levels={name: longer})
                levels = longer
            for place, level in enumerate(levels):
                turned = (*levels[:place], 1.0 - level, *levels[place + 1 :])
                yield rule.model_copy(update={"levels": {name: turned}})

    def _outputs(self, base: Any) -> tuple[str, ...]:
        """The quantities that a network corrects: those that its base fills in. Others have to be tried out by
        themselves; a little of everything in every turn, such as lobbying, would cost more than it teaches."""
        numbers = self.problem.numbers
        return tuple(name for name in numbers if self._makes(base, name)) or numbers

    def _network(self, base: Any, weights: Floats) -> Any:
        """A rule, corrected by a network of these weights."""
        return policy.Corrected(
            base=base,
            hidden=self.effort.hidden,
            inputs=self.problem.inputs,
            outputs=self._outputs(base),
            weights=tuple(float(weight) for weight in np.clip(np.round(weights, 6), -1e6, 1e6)),
        )

    def _evolve(self, base: Any) -> list[Any]:
        """Networks that correct a rule, by a separable evolution strategy that starts at no correction."""
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
        """Networks that learn by policy gradients: from the best rule, and from the middle of what is allowed, since
        what is good in itself may be hard to make better in small steps."""
        effort, found = self.effort, []

        def progress(steps: int) -> None:
            self.steps += steps

        for base in (best, policy.ConstantRule(levels={self.problem.numbers[0]: 0.5})) if effort.updates else ():
            learner = self._learner(base)
            found += [
                self._network(base, weights)
                for weights in learner.learn(effort.updates, effort.learners, self.problem.seed, progress)
            ]
        return found

    def _learner(self, base: Any) -> "Learner":
        rows = self.entry(base).rows
        made: Learner = imported("ostrom.sim.policy_gradient:Learner")(
            self.problem, rows, self._outputs(base), self.effort.hidden
        )
        return made


def _check_jax(problem: Problem) -> None:
    """Refuse what cannot be learned on JAX, before anything is tried."""
    load()
    slow = [entry.name for entry in problem.others if entry.rows is None]
    if slow:
        raise InputError(
            f"{', '.join(slow)} plays in plain Python, which JAX cannot; use {field('method', 'search')} on numpy"
        )
    if not problem.numbers or not problem.inputs:
        raise InputError(
            f"{problem.game.command} tells a network no quantities or features; use {field('method', 'search')}"
        )


def _distinct(rules: Sequence[Any]) -> list[Any]:
    """Every rule once, at its first place."""
    return list({rule.model_dump_json(): rule for rule in rules}.values())


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
