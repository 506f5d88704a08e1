"""Populations of agents who play every game themselves, on the batch engine: for groups whose payoff table would be too
large, on any structure. Nothing is averaged beforehand: who meets whom, and what comes of it, is drawn anew in every
generation, in which everybody then compares itself with another one (Fermi) or all are drawn anew (Wright–Fisher)."""

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
from ostrom.sim.batch import Batch
from ostrom.sim.payoffs import Floats, Ints, check_population
from ostrom.sim.simulated_populations import Runs, generator
from ostrom.sim.structured import Structure, start_kinds


@dataclass(frozen=True)
class Agents:
    """A population whose members play."""

    game: Game
    rules: Any
    cast: tuple[StrategyEntry, ...]
    seats: int
    population: int
    seed: int
    structure: Structure | None = None
    games_each: int = 1
    """Groups in which everybody sits in a generation, where all may meet all."""

    def __post_init__(self) -> None:
        check_population(self.population, self.seats)
        self.game.check_seats(self.seats)
        if self.game.finals is None:
            raise InputError(f"{self.game.command} has no final results, so its seats have no payoffs")
        if self.games_each < 1:
            raise InputError(f"everybody plays at least 1 game in a generation, not {self.games_each}")
        fewest = self.population if self.structure is None else int(self.structure.degrees.min()) + 1
        if self.structure is not None and fewest < self.seats:
            raise InputError(
                f"groups of {self.seats} need {self.seats - 1} neighbours for each; {self.structure.name} has "
                f"{fewest - 1} for some"
            )

    def groups(self, chance: np.random.Generator) -> Ints:
        """(seats, groups) Who sits together in a generation. Where all may meet all everybody sits in as many groups,
        but for the last ones, which are filled up with others; on a structure there is a group around everybody, its
        neighbours drawn where there are too many."""
        if self.structure is not None:
            made = [[node, *chance.permutation(others)[: self.seats - 1]] for node, others in enumerate(self._around)]
            return np.asarray(made).T
        rounds = []
        for _ in range(self.games_each):
            order = chance.permutation(self.population)
            short = -self.population % self.seats
            rounds.append(np.concatenate([order, order[:short]]).reshape(-1, self.seats).T)
        return np.concatenate(rounds, axis=1)

    @property
    def _around(self) -> Sequence[tuple[int, ...]]:
        assert self.structure is not None
        return self.structure.neighbours

    def earned(self, kinds: Ints, groups: Ints, first: int) -> Floats:
        """(runs, agents) What each agent earns on average in these groups, (runs, seats, groups); games are numbered
        from `first` on."""
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
        """Follow runs from counts of each player. Return the counts over time, and the kind of every individual at the
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
        kept, played = [_counted(kinds, size)], 0
        for _ in range(generations):
            groups = np.stack([self.groups(chance) for _ in range(runs)])
            if played + groups[:, 0].size > MOST_GAMES:
                raise InputError(f"more than {MOST_GAMES:,} games are too many for one seed; take fewer generations")
            scaled = strength * self.earned(kinds, groups, played)
            played += groups[:, 0].size
            kinds = self._changed(kinds, scaled, process, chance)
            mutates = chance.random(kinds.shape) < mutation
            other = (kinds + chance.integers(1, max(size, 2), kinds.shape)) % size
            kinds = np.where(mutates, other, kinds)
            kept.append(_counted(kinds, size))
            progress(1)
        return Runs(np.arange(generations + 1), np.asarray(kept)), kinds

    def _changed(self, kinds: Ints, scaled: Floats, process: str, chance: np.random.Generator) -> Ints:
        """Everybody's kind in the next generation."""
        runs, agents = np.arange(len(kinds))[:, None], self.population
        if process == "wright-fisher":
            sums = np.cumsum(np.exp(scaled - scaled.max(axis=1, keepdims=True)), axis=1)
            drawn = chance.random((len(kinds), agents)) * sums[:, -1:]
            parents = np.stack([np.searchsorted(one, at, side="right") for one, at in zip(sums, drawn, strict=True)])
            return np.asarray(kinds[runs, np.minimum(parents, agents - 1)])
        if self.structure is None:
            other = (np.arange(agents) + chance.integers(1, agents, kinds.shape)) % agents
        else:
            place = (chance.random(kinds.shape) * self.structure.degrees).astype(np.int64)
            other = self.structure.padded[np.arange(agents), place]
        less = np.clip(scaled - scaled[runs, other], -700, 700)
        copies = chance.random(kinds.shape) < 1.0 / (1.0 + np.exp(less))
        return np.where(copies, kinds[runs, other], kinds)


def _counted(kinds: Ints, size: int) -> Ints:
    return np.stack([(kinds == kind).sum(axis=1) for kind in range(size)], axis=1)
