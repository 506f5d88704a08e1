"""Populations of agents that play every game on the batch engine. They need no payoff table, so groups may be large and
any structure is possible. Groups are drawn anew in each generation; then each agent compares itself with another
(Fermi), or the next generation is sampled by fitness (Wright–Fisher)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.errors import field
from ostrom.core.game import Game
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch, Floats, Ints
from ostrom.sim.payoffs import check_population
from ostrom.sim.simulated_populations import Runs, generator
from ostrom.sim.structured import Structure, count_kinds, start_kinds


@dataclass(frozen=True)
class Agents:
    """A population whose members play their games."""

    game: Game
    rules: Any
    cast: tuple[StrategyEntry, ...]
    seats: int
    population: int
    seed: int
    structure: Structure | None = None
    games_each: int = 1
    """Groups per agent and generation in a well-mixed population."""

    def __post_init__(self) -> None:
        check_population(self.population, self.seats)
        self.game.check_seats(self.seats)
        if self.game.finals is None:
            raise InputError(f"{self.game.command} has no final results, so its seats have no payoffs")
        if self.games_each < 1:
            raise InputError(f"the number of games in a generation must be at least 1, got {self.games_each}")
        smallest = self.population if self.structure is None else int(self.structure.degrees.min()) + 1
        if self.structure is not None and smallest < self.seats:
            raise InputError(
                f"groups of {self.seats} need {self.seats - 1} neighbours for each; {self.structure.name} has "
                f"{smallest - 1} for some"
            )

    def groups(self, chance: np.random.Generator) -> Ints:
        """Draw the groups of a generation, (seats, groups). In a well-mixed population each agent is in `games_each`
        groups; the last group is filled with agents drawn before. On a structure each agent hosts a group with its
        neighbours, sampled if there are too many."""
        if self.structure is not None:
            neighbours = enumerate(self.structure.neighbours)
            hosted = [[node, *chance.permutation(others)[: self.seats - 1]] for node, others in neighbours]
            return np.asarray(hosted).T
        rounds = []
        for _ in range(self.games_each):
            order = chance.permutation(self.population)
            missing = -self.population % self.seats
            rounds.append(np.concatenate([order, order[:missing]]).reshape(-1, self.seats).T)
        return np.concatenate(rounds, axis=1)

    def earned(self, kinds: Ints, groups: Ints, first: int) -> Floats:
        """Return the mean payoff of each agent, (runs, agents), over groups (runs, seats, groups). Games are numbered
        from `first`."""
        runs, seats, count = groups.shape
        members = groups.transpose(1, 0, 2).reshape(seats, runs * count)
        run = np.repeat(np.arange(runs), count)
        seating = kinds[run[None, :], members]
        numbers = first + np.arange(runs * count)
        finals = numpy_engine.play_batch(Batch(self.game, self.rules, self.cast, seating, numbers, self.seed)).finals
        paid = finals if self.game.better == "higher" else -finals
        sums, times = np.zeros((runs, self.population)), np.zeros((runs, self.population))
        where = (np.broadcast_to(run, members.shape), members)
        np.add.at(sums, where, paid)
        np.add.at(times, where, 1.0)
        return np.asarray(sums / times)

    def follow(
        self,
        start: Sequence[int],
        generations: int,
        *,
        runs: int,
        strength: float = 1.0,
        mutation: float = 0.0,
        process: str = "fermi",
        progress: Callable[[int], None] = lambda done: None,
    ) -> tuple[Runs, Ints]:
        """Simulate runs from the counts of each player. Return the counts over time, and the kind of every agent at the
        end."""
        if process not in ("fermi", "wright-fisher"):
            raise InputError(f"agents change by fermi or wright-fisher, not by {process}")
        if process == "wright-fisher" and self.structure is not None:
            raise InputError(
                f"{field('structure')} needs {field('process', 'fermi')}: Wright–Fisher does not use neighbours"
            )
        if generations < 1:
            raise InputError(f"the number of generations must be at least 1, got {generations}")
        chance, size = generator(self.seed, 4), len(self.cast)
        kinds = start_kinds(start, runs, chance)
        counts, games_played = [count_kinds(kinds, size)], 0
        for _ in range(generations):
            groups = np.stack([self.groups(chance) for _ in range(runs)])
            if games_played + groups[:, 0].size > MOST_GAMES:
                raise InputError(f"more than {MOST_GAMES:,} games are too many for one seed; take fewer generations")
            scaled = strength * self.earned(kinds, groups, games_played)
            games_played += groups[:, 0].size
            kinds = self._changed(kinds, scaled, process, chance)
            mutates = chance.random(kinds.shape) < mutation
            other = (kinds + chance.integers(1, max(size, 2), kinds.shape)) % size
            kinds = np.where(mutates, other, kinds)
            counts.append(count_kinds(kinds, size))
            progress(1)
        return Runs(np.arange(generations + 1), np.asarray(counts)), kinds

    def _changed(self, kinds: Ints, scaled: Floats, process: str, chance: np.random.Generator) -> Ints:
        runs, agents = np.arange(len(kinds))[:, None], self.population
        if process == "wright-fisher":
            sums = np.cumsum(np.exp(scaled - scaled.max(axis=1, keepdims=True)), axis=1)
            targets = chance.random((len(kinds), agents)) * sums[:, -1:]
            parents = np.stack(
                [
                    np.searchsorted(cumulative, points, side="right")
                    for cumulative, points in zip(sums, targets, strict=True)
                ]
            )
            return np.asarray(kinds[runs, np.minimum(parents, agents - 1)])
        if self.structure is None:
            other = (np.arange(agents) + chance.integers(1, agents, kinds.shape)) % agents
        else:
            place = (chance.random(kinds.shape) * self.structure.degrees).astype(np.int64)
            other = self.structure.padded[np.arange(agents), place]
        less = np.clip(scaled - scaled[runs, other], -700, 700)
        copies = chance.random(kinds.shape) < 1.0 / (1.0 + np.exp(less))
        return np.where(copies, kinds[runs, other], kinds)
