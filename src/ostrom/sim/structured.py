"""Populations on a ring, a lattice or any graph. Individuals play with their neighbours, and imitate or replace them.
An individual's payoff is the mean over its games. So the strength of selection is comparable with that in well-mixed
populations."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.errors import field
from ostrom.core.files import parse_json, read_bounded_text
from ostrom.core.game import Game
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch, Floats, Ints
from ostrom.sim.payoffs import PayoffTable, check_population
from ostrom.sim.simulated_populations import Runs, generator

MAX_NODES = 100_000
WELL_MIXED = "well-mixed"
"""The name of a population without a structure."""


@dataclass(frozen=True)
class Structure:
    """The neighbours of each individual."""

    name: str
    neighbours: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        isolated = next((node for node, others in enumerate(self.neighbours) if not others), None)
        if isolated is not None:
            raise InputError(f"{self.name}: individual {isolated} has no neighbour")

    @property
    def size(self) -> int:
        return len(self.neighbours)

    @cached_property
    def degrees(self) -> Ints:
        """The number of neighbours of each node."""
        return np.asarray([len(others) for others in self.neighbours])

    @cached_property
    def padded(self) -> Ints:
        """The neighbours of each node, (nodes, max degree), padded with the node itself."""
        most = int(self.degrees.max())
        return np.asarray([[*others, *[node] * (most - len(others))] for node, others in enumerate(self.neighbours)])


def ring(population: int, seats: int = 2) -> Structure:
    """Return a ring on which each individual is linked to enough nearest neighbours for groups of this size."""
    reach = max(1, seats // 2)
    if population <= 2 * reach:
        raise InputError(f"a ring for groups of {seats} needs at least {2 * reach + 1} individuals, got {population}")
    steps = [*range(-reach, 0), *range(1, reach + 1)]
    return Structure("ring", tuple(tuple((node + s) % population for s in steps) for node in range(population)))


def lattice(population: int, seats: int = 2) -> Structure:
    """Return a torus on which each individual has four neighbours, or eight if groups have more than five seats."""
    rows = next(side for side in range(int(population**0.5), 0, -1) if population % side == 0)
    columns = population // rows
    if rows < 3:
        raise InputError(
            f"{population} individuals do not form a lattice of at least 3 rows; try {_near_square(population)}"
        )
    if seats > 9:
        raise InputError(f"a lattice has groups of at most 9, not of {seats}; give a graph in a file")
    around = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0) and (seats > 5 or a == 0 or b == 0)]
    return Structure(
        "lattice",
        tuple(
            tuple(dict.fromkeys((row + a) % rows * columns + (column + b) % columns for a, b in around))
            for row in range(rows)
            for column in range(columns)
        ),
    )


def _near_square(population: int) -> int:
    side = max(3, math.isqrt(population))
    return side * side


def structure_of(structure: str | Path | Structure, population: int, seats: int) -> Structure:
    """Return the structure with this name, or read it from the file of a graph."""
    if isinstance(structure, Structure):
        return structure
    if structure == "ring":
        return ring(population, seats)
    if structure == "lattice":
        return lattice(population, seats)
    path = Path(structure)
    if not path.is_file():
        raise InputError(
            f"a structure must be {WELL_MIXED}, ring, lattice or the file of a graph, not {str(structure)!r}"
        )
    return read_graph(path)


def read_graph(path: Path) -> Structure:
    """Read a graph from a file. The file has one edge per line, given by two names, or is a JSON document with a list
    of `edges`."""
    try:
        text = read_bounded_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the graph {path} cannot be read: {getattr(error, 'strerror', None) or 'no text'}") from error
    edges = _json_edges(path, text) if text.lstrip().startswith(("{", "[")) else _lines_of_edges(path, text)
    places: dict[str, int] = {}
    neighbours: list[list[int]] = []
    for pair in edges:
        a, b = (places.setdefault(name, len(places)) for name in pair)
        neighbours.extend([] for _ in range(len(places) - len(neighbours)))
        if len(places) > MAX_NODES:
            raise InputError(f"{path}: a graph has at most {MAX_NODES:,} individuals")
        if a == b:
            raise InputError(f"{path}: {pair[0]} must not be its own neighbour")
        neighbours[a].append(b)
        neighbours[b].append(a)
    if not neighbours:
        raise InputError(f"{path}: the graph has no edges; write two names per line")
    return Structure(path.name, tuple(tuple(dict.fromkeys(others)) for others in neighbours))


def _lines_of_edges(path: Path, text: str) -> list[tuple[str, str]]:
    edges = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].replace(",", " ").split()
        if words and len(words) != 2:
            raise InputError(f"{path}, line {number}: an edge is two names, got {len(words)}")
        if words:
            edges.append((words[0], words[1]))
    return edges


def _json_edges(path: Path, text: str) -> list[tuple[str, str]]:
    try:
        document: Any = parse_json(text)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    edges = document.get("edges") if isinstance(document, dict) else document
    if not isinstance(edges, list) or not all(isinstance(edge, list) and len(edge) == 2 for edge in edges):
        raise InputError(f"{path}: write a list of edges, each a list of two names")
    return [(str(a), str(b)) for a, b in edges]


class Neighbourhood:
    """Payoffs of games between neighbours. If games have two seats, an individual plays with each of its neighbours. If
    they have more, it plays in its own group and in the groups of its neighbours."""

    def __init__(self, table: PayoffTable, structure: Structure) -> None:
        self._structure, self._seats, kinds = structure, table.seats, len(table.players)
        self._there = np.arange(structure.padded.shape[1]) < structure.degrees[:, None]
        if self._seats == 2:
            self._paid = table.matrix
            return
        least, most = structure.degrees.min(), structure.degrees.max()
        if not least == most == self._seats - 1:
            raise InputError(
                f"groups of {self._seats} need {self._seats - 1} neighbours for each individual; {structure.name} has "
                f"{least} to {most}"
            )
        if (self._seats + 1) ** kinds > _MAX_KEYS:
            raise InputError(f"{kinds} players in groups of {self._seats} are too many for a structure")
        self._key = (self._seats + 1) ** np.arange(kinds)
        self._paid = np.full(((self._seats + 1) ** kinds, kinds), np.nan)
        self._paid[table.groups.counts @ self._key] = table.means

    @cached_property
    def reach(self) -> Ints:
        """The nodes whose payoffs depend on each node, (nodes, max), padded with the node itself."""
        neighbours = self._structure.neighbours
        reached = [{node, *others} for node, others in enumerate(neighbours)]
        if self._seats > 2:
            reached = [set().union(*(reached[other] for other in nodes)) for nodes in reached]
        most = max(map(len, reached))
        return np.asarray([[*nodes, *[node] * (most - len(nodes))] for node, nodes in enumerate(reached)])

    def payoffs(self, kinds: Ints, nodes: Ints) -> Floats:
        """Return the payoffs of these individuals in each run, (runs, individuals). `kinds` has the kinds of all
        individuals."""
        runs = np.arange(len(kinds))[:, None]
        own, near = kinds[runs, nodes], self._structure.padded[nodes]
        if self._seats == 2:
            paid = self._paid[own[:, :, None], kinds[runs[:, :, None], near]]
            return np.asarray(np.where(self._there[nodes], paid, 0.0).sum(axis=2) / self._structure.degrees[nodes])
        hosts = np.concatenate([nodes[:, :, None], near], axis=2)
        guests = kinds[runs[:, :, None, None], self._structure.padded[hosts]]
        groups = self._key[kinds[runs[:, :, None], hosts]] + self._key[guests].sum(axis=3)
        return np.asarray(self._paid[groups, own[:, :, None]].mean(axis=2))


_MAX_KEYS = 4_000_000
"""The largest size of the table that maps the counts of each kind to a group."""


def simulate_on(
    structure: Structure,
    table: PayoffTable,
    kinds: Ints,
    steps: int,
    *,
    chance: np.random.Generator,
    strength: float = 1.0,
    mutation: float = 0.0,
    process: str = "fermi",
    looks: int = 200,
) -> tuple[Runs, Ints]:
    """Simulate runs from the kind of every node, (runs, nodes). Return the counts over time, and the kinds at the end.
    In each step of a run, one individual compares itself with a neighbour (Fermi), or the offspring of a parent that is
    sampled by fitness replaces a neighbour of the parent (Moran). The kind that is copied or inherited may mutate."""
    if process not in ("fermi", "moran"):
        raise InputError(f"on a structure individuals change by fermi or moran, not by {process}")
    if kinds.shape[1] != structure.size:
        raise InputError(f"{structure.name} has {structure.size} individuals, but the population has {kinds.shape[1]}")
    size, kinds, runs = len(table.players), np.array(kinds), np.arange(len(kinds))
    payoffs = Neighbourhood(table, structure)
    step = _Imitation(payoffs, structure, strength) if process == "fermi" else _BirthDeath(payoffs, structure, strength)
    times = np.unique(np.linspace(0, steps, min(looks, steps) + 1).astype(np.int64))
    counts = [count_kinds(kinds, size)]
    for since, until in pairwise(times.tolist()):
        for _ in range(until - since):
            changed, taken = step(kinds, chance)
            mutates = chance.random(len(runs)) < mutation
            kinds[runs, changed] = np.where(
                mutates, (taken + chance.integers(1, max(size, 2), len(runs))) % size, taken
            )
        counts.append(count_kinds(kinds, size))
    return Runs(times, np.asarray(counts)), kinds


class _Imitation:
    """Fermi's rule: in a step, one individual compares itself with a neighbour."""

    def __init__(self, around: Neighbourhood, structure: Structure, strength: float) -> None:
        self._around, self._structure, self._strength = around, structure, strength

    def __call__(self, kinds: Ints, chance: np.random.Generator) -> tuple[Ints, Ints]:
        count, runs = len(kinds), np.arange(len(kinds))
        own = chance.integers(0, self._structure.size, count)
        other = _neighbour(self._structure, own, chance)
        earned = self._around.payoffs(kinds, np.stack([own, other], axis=1))
        less = np.clip(self._strength * (earned[:, 0] - earned[:, 1]), -700, 700)
        copies = chance.random(count) < 1.0 / (1.0 + np.exp(less))
        return own, np.where(copies, kinds[runs, other], kinds[runs, own])


class _BirthDeath:
    """Moran's rule: in a step, the offspring of a parent that is sampled by fitness replaces a neighbour of the parent.
    Payoffs are cached between steps, and updated only if a change affects them."""

    def __init__(self, around: Neighbourhood, structure: Structure, strength: float) -> None:
        self._around, self._structure, self._strength = around, structure, strength
        self._earned: Floats | None = None
        self._touched: Ints | None = None

    def __call__(self, kinds: Ints, chance: np.random.Generator) -> tuple[Ints, Ints]:
        count, runs = len(kinds), np.arange(len(kinds))
        if self._earned is None or self._touched is None:
            everybody = np.tile(np.arange(self._structure.size), (count, 1))
            self._earned = self._around.payoffs(kinds, everybody)
        else:
            self._earned[runs[:, None], self._touched] = self._around.payoffs(kinds, self._touched)
        scaled = self._strength * self._earned
        sums = np.cumsum(np.exp(scaled - scaled.max(axis=1, keepdims=True)), axis=1)
        parent = (chance.random(count)[:, None] * sums[:, -1:] >= sums).sum(axis=1)
        place = _neighbour(self._structure, parent, chance)
        self._touched = self._around.reach[place]
        return place, kinds[runs, parent]


def _neighbour(structure: Structure, nodes: Ints, chance: np.random.Generator) -> Ints:
    drawn = (chance.random(len(nodes)) * structure.degrees[nodes]).astype(np.int64)
    return np.asarray(structure.padded[nodes, drawn])


def start_kinds(counts: Sequence[int], runs: int, chance: np.random.Generator) -> Ints:
    """Return the kind of every node, (runs, nodes). The kinds have these counts, and are placed at random."""
    everybody = np.arange(len(counts)).repeat(counts)
    return np.asarray(chance.permuted(np.tile(everybody, (runs, 1)), axis=1))


def count_kinds(kinds: Ints, size: int) -> Ints:
    """Return the number of individuals of each kind, (runs, kinds)."""
    return np.stack([(kinds == kind).sum(axis=1) for kind in range(size)], axis=1)


@dataclass(frozen=True)
class Agents:
    """A population whose members play every game on the batch engine.

    This simulation needs no payoff table, so groups may be large and any structure is possible. Groups are drawn anew
    in each generation. Then each agent compares itself with another agent (Fermi), or the next generation is sampled by
    fitness (Wright–Fisher).
    """

    game: Game
    rules: Any
    cast: tuple[StrategyEntry, ...]
    seats: int
    population: int
    seed: int
    structure: Structure | None = None
    games_each: int = 1
    """The number of groups per agent and generation in a well-mixed population."""

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
                f"groups of {self.seats} need {self.seats - 1} neighbours for each individual; {self.structure.name} "
                f"has {smallest - 1} for some"
            )

    def groups(self, chance: np.random.Generator) -> Ints:
        """Draw the groups of a generation, (seats, groups). In a well-mixed population, each agent is in `games_each`
        groups. The last group is filled up with agents that were already drawn. On a structure, each agent has a group
        with its neighbours. If an agent has too many neighbours, some of them are sampled."""
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
        """Return the mean payoff of each agent, (runs, agents), over its groups. `groups` has the members, (runs,
        seats, groups). The numbers of the games begin with `first`."""
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
