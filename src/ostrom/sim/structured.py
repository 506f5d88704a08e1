"""Populations on a ring, a lattice or any graph, whose individuals play with their neighbours and imitate or replace
them. A payoff is the mean over an individual's games, so that selection strength is comparable with well-mixed
populations."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.files import parse_json
from ostrom.sim.batch import Floats, Ints
from ostrom.sim.payoffs import PayoffTable
from ostrom.sim.simulated_populations import Runs

MAX_NODES = 100_000
WELL_MIXED = "well-mixed"
"""The name of the absence of a structure."""


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
        """Number of neighbours of each node."""
        return np.asarray([len(others) for others in self.neighbours])

    @cached_property
    def padded(self) -> Ints:
        """The neighbours of each node, (nodes, max degree), padded with the node."""
        most = int(self.degrees.max())
        return np.asarray([[*others, *[node] * (most - len(others))] for node, others in enumerate(self.neighbours)])


def ring(population: int, seats: int = 2) -> Structure:
    """Return a ring on which each individual has enough nearest neighbours for groups of this size."""
    reach = max(1, seats // 2)
    if population <= 2 * reach:
        raise InputError(f"a ring for groups of {seats} needs at least {2 * reach + 1} individuals, got {population}")
    steps = [*range(-reach, 0), *range(1, reach + 1)]
    return Structure("ring", tuple(tuple((node + s) % population for s in steps) for node in range(population)))


def lattice(population: int, seats: int = 2) -> Structure:
    """Return a torus with four neighbours for each individual, or eight if groups have more than five seats."""
    rows = next(side for side in range(int(population**0.5), 0, -1) if population % side == 0)
    columns = population // rows
    if rows < 3:
        raise InputError(f"{population} individuals make no lattice of at least 3 rows; try {_near_square(population)}")
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
    """Return the structure of this name, or read it from the file of a graph."""
    if isinstance(structure, Structure):
        return structure
    if structure == "ring":
        return ring(population, seats)
    if structure == "lattice":
        return lattice(population, seats)
    path = Path(structure)
    if not path.is_file():
        raise InputError(f"a structure is {WELL_MIXED}, ring, lattice or the file of a graph, not {str(structure)!r}")
    return read_graph(path)


def read_graph(path: Path) -> Structure:
    """Read a graph from a file: one edge, of two names, per line, or a JSON document with a list of `edges`."""
    try:
        text = path.read_text(encoding="utf-8")
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
    """Payoffs of games with neighbours: with each of them for two seats; otherwise in the groups that the individual
    and its neighbours host."""

    def __init__(self, table: PayoffTable, structure: Structure) -> None:
        self._structure, self._seats, kinds = structure, table.seats, len(table.players)
        self._there = np.arange(structure.padded.shape[1]) < structure.degrees[:, None]
        if self._seats == 2:
            self._paid = table.matrix
            return
        least, most = structure.degrees.min(), structure.degrees.max()
        if not least == most == self._seats - 1:
            raise InputError(
                f"groups of {self._seats} need {self._seats - 1} neighbours for each; {structure.name} has {least} "
                f"to {most}"
            )
        if (self._seats + 1) ** kinds > _MAX_KEYS:
            raise InputError(f"{kinds} players in groups of {self._seats} are too many for a structure")
        self._key = (self._seats + 1) ** np.arange(kinds)
        self._paid = np.full(((self._seats + 1) ** kinds, kinds), np.nan)
        self._paid[table.groups.counts @ self._key] = table.means

    @cached_property
    def reach(self) -> Ints:
        """The nodes whose payoffs depend on each node, (nodes, max), padded with the node."""
        neighbours = self._structure.neighbours
        reached = [{node, *others} for node, others in enumerate(neighbours)]
        if self._seats > 2:
            reached = [set().union(*(reached[other] for other in nodes)) for nodes in reached]
        most = max(map(len, reached))
        return np.asarray([[*nodes, *[node] * (most - len(nodes))] for node, nodes in enumerate(reached)])

    def payoffs(self, kinds: Ints, nodes: Ints) -> Floats:
        """Return the payoffs of these individuals of each run, (runs, individuals), given the kinds of all."""
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
"""Size of the lookup table of groups by counts of each kind."""


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
    In each step one individual of a run compares itself with a neighbour (Fermi), or a parent sampled by fitness
    replaces a neighbour by its offspring (Moran). The result may mutate."""
    if process not in ("fermi", "moran"):
        raise InputError(f"on a structure individuals change by fermi or moran, not by {process}")
    if kinds.shape[1] != structure.size:
        raise InputError(f"{structure.name} has {structure.size} individuals, the population {kinds.shape[1]}")
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
    """Fermi updates: one individual compares itself with a neighbour."""

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
    """Moran updates: a parent sampled by fitness replaces a neighbour. Payoffs are cached between steps and updated
    only where a change affects them."""

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
    """Return the kind of every node, (runs, nodes): counts of each kind, placed at random."""
    everybody = np.arange(len(counts)).repeat(counts)
    return np.asarray(chance.permuted(np.tile(everybody, (runs, 1)), axis=1))


def count_kinds(kinds: Ints, size: int) -> Ints:
    """Return the number of individuals of each kind, (runs, kinds)."""
    return np.stack([(kinds == kind).sum(axis=1) for kind in range(size)], axis=1)
