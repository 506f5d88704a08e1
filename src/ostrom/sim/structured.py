"""Populations with a structure: individuals on a ring, a lattice or any graph, who play with their neighbours and
imitate, or replace, them. A payoff is the mean over the games that one takes part in, so that strength means the same
as where all meet all."""

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
from ostrom.sim.payoffs import Floats, Ints, PayoffTable
from ostrom.sim.simulated_populations import Runs

MOST_NODES = 100_000
WELL_MIXED = "well-mixed"
"""What stands for no structure: everybody meets everybody."""


@dataclass(frozen=True)
class Structure:
    """Who is whose neighbour."""

    name: str
    neighbours: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        alone = next((node for node, others in enumerate(self.neighbours) if not others), None)
        if alone is not None:
            raise InputError(f"{self.name}: individual {alone} has no neighbour")

    @property
    def size(self) -> int:
        return len(self.neighbours)

    @cached_property
    def degrees(self) -> Ints:
        """(nodes,)"""
        return np.asarray([len(others) for others in self.neighbours])

    @cached_property
    def padded(self) -> Ints:
        """(nodes, most) The neighbours of each, and the node itself behind them."""
        most = int(self.degrees.max())
        return np.asarray([[*others, *[node] * (most - len(others))] for node, others in enumerate(self.neighbours)])


def ring(population: int, seats: int = 2) -> Structure:
    """Each beside its nearest on both sides, as many as groups of this size need."""
    reach = max(1, seats // 2)
    if population <= 2 * reach:
        raise InputError(f"a ring for groups of {seats} needs at least {2 * reach + 1} individuals, got {population}")
    steps = [*range(-reach, 0), *range(1, reach + 1)]
    return Structure("ring", tuple(tuple((node + s) % population for s in steps) for node in range(population)))


def lattice(population: int, seats: int = 2) -> Structure:
    """A torus, each beside four others, or eight where groups of more than five seats need them."""
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
    """The structure of a name, or of a graph's file."""
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
    """The graph of a file: an edge a line, two names; or a JSON document with a list of `edges`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the graph {path} cannot be read: {getattr(error, 'strerror', None) or 'no text'}") from error
    edges = _json_edges(path, text) if text.lstrip().startswith(("{", "[")) else _lines_of_edges(path, text)
    places: dict[str, int] = {}
    found: list[list[int]] = []
    for pair in edges:
        a, b = (places.setdefault(name, len(places)) for name in pair)
        found.extend([] for _ in range(len(places) - len(found)))
        if len(places) > MOST_NODES:
            raise InputError(f"{path}: a graph has at most {MOST_NODES:,} individuals")
        if a == b:
            raise InputError(f"{path}: {pair[0]} cannot be its own neighbour")
        found[a].append(b)
        found[b].append(a)
    if not found:
        raise InputError(f"{path}: there is no edge in it; write two names a line")
    return Structure(path.name, tuple(tuple(dict.fromkeys(others)) for others in found))


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
        read: Any = parse_json(text)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    edges = read.get("edges") if isinstance(read, dict) else read
    if not isinstance(edges, list) or not all(isinstance(one, list) and len(one) == 2 for one in edges):
        raise InputError(f"{path}: write a list of edges, each a list of two names")
    return [(str(a), str(b)) for a, b in edges]


class Neighbourhood:
    """What individuals earn in games with neighbours: with each of them where two play, else in the group around each
    individual, which is everybody's who is in it."""

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
        if (self._seats + 1) ** kinds > _MOST_KEYS:
            raise InputError(f"{kinds} players in groups of {self._seats} are too many for a structure")
        self._key = (self._seats + 1) ** np.arange(kinds)
        self._paid = np.full(((self._seats + 1) ** kinds, kinds), np.nan)
        self._paid[table.groups.counts @ self._key] = table.means

    @cached_property
    def reach(self) -> Ints:
        """(nodes, most) Whose payoffs a change of each touches, and the node itself behind them."""
        around = self._structure.neighbours
        found = [{node, *others} for node, others in enumerate(around)]
        if self._seats > 2:
            found = [set().union(*(found[other] for other in near)) for near in found]
        most = max(map(len, found))
        return np.asarray([[*near, *[node] * (most - len(near))] for node, near in enumerate(found)])

    def payoffs(self, kinds: Ints, nodes: Ints) -> Floats:
        """(runs, some) What these individuals of each run earn, given everybody's kind."""
        runs = np.arange(len(kinds))[:, None]
        own, near = kinds[runs, nodes], self._structure.padded[nodes]
        if self._seats == 2:
            paid = self._paid[own[:, :, None], kinds[runs[:, :, None], near]]
            return np.asarray(np.where(self._there[nodes], paid, 0.0).sum(axis=2) / self._structure.degrees[nodes])
        hosts = np.concatenate([nodes[:, :, None], near], axis=2)
        guests = kinds[runs[:, :, None, None], self._structure.padded[hosts]]
        groups = self._key[kinds[runs[:, :, None], hosts]] + self._key[guests].sum(axis=3)
        return np.asarray(self._paid[groups, own[:, :, None]].mean(axis=2))


_MOST_KEYS = 4_000_000
"""Places in the look-up of groups by how many of each kind they hold."""


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
    """Follow runs from the kind of every node at the start, (runs, nodes). Return the counts over time, and
    everybody's kind at the end. In a step one individual of each run compares itself with a neighbour (Fermi), or one
    drawn by fitness puts its offspring in a neighbour's place (Moran); what comes of it may mutate."""
    if process not in ("fermi", "moran"):
        raise InputError(f"on a structure individuals change by fermi or moran, not by {process}")
    if kinds.shape[1] != structure.size:
        raise InputError(f"{structure.name} has {structure.size} individuals, the population {kinds.shape[1]}")
    size, kinds, runs = len(table.players), np.array(kinds), np.arange(len(kinds))
    around = Neighbourhood(table, structure)
    step = _Imitation(around, structure, strength) if process == "fermi" else _BirthDeath(around, structure, strength)
    when = np.unique(np.linspace(0, steps, min(looks, steps) + 1).astype(np.int64))
    kept = [_counted(kinds, size)]
    for since, until in pairwise(when.tolist()):
        for _ in range(until - since):
            changed, taken = step(kinds, chance)
            mutates = chance.random(len(runs)) < mutation
            kinds[runs, changed] = np.where(
                mutates, (taken + chance.integers(1, max(size, 2), len(runs))) % size, taken
            )
        kept.append(_counted(kinds, size))
    return Runs(when, np.asarray(kept)), kinds


class _Imitation:
    """One individual compares itself with a neighbour."""

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
    """One drawn by fitness puts its offspring in a neighbour's place. What everybody earns is kept from step to step,
    and found anew where a change touched it."""

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
    """(runs, nodes) Return the kind of every node: counts of each, in places drawn at random."""
    everybody = np.arange(len(counts)).repeat(counts)
    return np.asarray(chance.permuted(np.tile(everybody, (runs, 1)), axis=1))


def _counted(kinds: Ints, size: int) -> Ints:
    return np.stack([(kinds == kind).sum(axis=1) for kind in range(size)], axis=1)
