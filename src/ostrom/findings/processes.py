"""The tables of a population process on a payoff table. If the payoffs come from games, the process is also run on
resampled payoff tables. The ends of intervals are the 2.5th and the 97.5th percentile of the results of these runs. If
a composition was played only once, there are no intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ostrom.core.estimates import Estimate
from ostrom.sim.batch import Floats
from ostrom.sim.evolution import DYNAMICS, STEPS, orbit, rest_points, trajectory, velocity
from ostrom.sim.finite_populations import (
    MAX_STATES,
    alpha_rank,
    gradient,
    long_run,
    number_of_states,
    rare_mutations,
)
from ostrom.sim.payoffs import PayoffTable
from ostrom.sim.simulated_populations import Runs, generator, interval_of_tables, simulate
from ostrom.sim.structured import Agents, Structure, simulate_on, start_kinds

_LOOKS = 120
"""The number of points of a trajectory in its table."""
_GENERATIONS = 100
"""The default length of simulations in generations."""
_STRENGTHS = 31
_PATH = 0.13
"""The length of a path that is drawn in the triangle, whose sides have length 1.4."""
_BLOCKS = 40
"""The number of resampled payoff tables among which the runs of a simulation are divided. The extremes of 39 or more
tables enclose the middle 95 %."""


def _once(table: PayoffTable) -> str:
    """Return the reason why there are no intervals. It is empty if there are."""
    if not table.played_once:
        return ""
    return f"there are no intervals, because {table.once}"


@dataclass(frozen=True)
class PopulationModel:
    """The process by which a population changes, and its parameters."""

    process: str
    population: int
    strength: float
    mutation: Any
    steps: int | None
    rate: float
    runs: int
    resamples: int
    unit: float
    structure: str = "well-mixed"
    agents: bool = False
    """True if every individual plays its own games. Then no payoff table is computed."""

    @property
    def finite(self) -> bool:
        return self.process not in DYNAMICS

    def on(self, graph: Structure) -> "PopulationModel":
        """Return the same model on a structure, which determines the population size."""
        return replace(self, structure=graph.name, population=graph.size)

    def as_record(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {
            "process": self.process,
            "population": self.population if self.finite else None,
            "beta": self.strength,
            "mutation": self.mutation if self.finite else None,
            "structure": self.structure,
            "agents": self.agents,
            "unit": self.unit,
            "resamples": self.resamples,
        }

    @property
    def said(self) -> str:
        """A sentence that describes the settings."""
        unit = "" if self.unit == 1 else f", payoffs in units of {self.unit:g}"
        if not self.finite:
            return f"{self.process.capitalize()} dynamics of an infinite population{unit}."
        mutations = "rare mutations" if self.mutation == "small" else f"mutations with probability {self.mutation:g}"
        where = "" if self.structure == "well-mixed" else f" on {self.structure}"
        size = f"population {self.population}{where}, β {self.strength:g}"
        return f"{self.process.capitalize()} process, {size}, {mutations}{unit}."


class ProcessTables(NamedTuple):
    """The tables of a process."""

    tables: Mapping[str, pl.DataFrame]
    what: str
    note: str = ""


def run_process(
    table: PayoffTable, settings: PopulationModel, start: Floats, graph: Structure | None, seed: int
) -> ProcessTables:
    """Run the process on the payoff table and return its tables."""
    if not settings.finite:
        tables = _endless(table, settings, start, seed)
    elif graph is not None:
        tables = _on_structure(table, settings, start, graph, seed)
    elif settings.mutation == "small":
        tables = _rare(table, settings, seed)
    else:
        tables = _with_mutations(table, settings, start, seed)
    return tables._replace(note="; ".join(filter(None, [tables.note, _once(table)])))


def _again(
    table: PayoffTable, settings: PopulationModel, seed: int, make: Callable[[PayoffTable], Floats]
) -> Floats | None:
    """Return the results of `make` on resampled payoff tables. The first axis of the result has the resampled tables.
    Return None if payoffs are certain, or if resampling cannot show their uncertainty."""
    if table.certain or table.samples is None or table.played_once or settings.resamples < 2:
        return None
    chance = generator(seed, 1)
    return np.asarray([make(table.resampled(chance)) for _ in range(settings.resamples)])


def _bounds(value: Floats, again: Floats | None, table: PayoffTable) -> tuple[Floats, Floats]:
    """Return the ends of intervals. Both ends equal the value if payoffs are exact, and are NaN if nothing was
    resampled."""
    if again is None:
        return (value, value) if table.certain else (np.full_like(value, np.nan), np.full_like(value, np.nan))
    low, high = np.percentile(again, [2.5, 97.5], axis=0, method="weibull")
    return np.minimum(low, value), np.maximum(high, value)


def _frame(columns: Mapping[str, Any]) -> pl.DataFrame:
    frame = pl.DataFrame(columns)
    there = [name for name in ("low", "high") if name in frame.columns]
    return frame.with_columns(pl.col(there).fill_nan(None))


def _shares(players: Sequence[str], value: Floats, low: Floats, high: Floats) -> pl.DataFrame:
    return _frame({"player": list(players), "value": value, "low": low, "high": high})


def _rare(table: PayoffTable, settings: PopulationModel, seed: int) -> ProcessTables:
    players, process = table.players, settings.process

    def both(payoffs: PayoffTable) -> Floats:
        chain = rare_mutations(payoffs, settings.population, settings.strength, process)  # type: ignore[arg-type]
        return np.vstack([chain.stationary[None, :], chain.fixations])

    value, again = both(table), _again(table, settings, seed, both)
    low, high = _bounds(value, again, table)
    size = len(players)
    pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
    rows, columns = (np.asarray([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    fixations = _frame(
        {
            "resident": [players[i] for i, _ in pairs],
            "mutant": [players[j] for _, j in pairs],
            **{name: part[rows + 1, columns] for name, part in (("value", value), ("low", low), ("high", high))},
        }
    ).with_columns(neutral=pl.lit(1.0 / settings.population))
    tables = {"shares": _shares(players, value[0], low[0], high[0])}
    if size > 1:
        tables |= {"fixations": fixations, "alpha": _alpha(table, settings)}
    return ProcessTables(tables | _two(table, settings, seed, 0.0), "time")


def _alpha(table: PayoffTable, settings: PopulationModel) -> pl.DataFrame:
    """Return the players' long-run shares (α-Rank) for a range of selection strengths. The range includes the strength
    in the settings, and reaches from weak to strong selection relative to these payoffs."""
    reach = float(np.nanmax(table.means) - np.nanmin(table.means)) or 1.0
    middle = settings.strength or 1.0
    lowest, highest = min(middle / 10, 0.1 / settings.population / reach), max(middle * 10, 10 / reach)
    strengths = np.geomspace(lowest, highest, _STRENGTHS)
    ranks = [alpha_rank(table, population=settings.population, strength=float(strength)) for strength in strengths]
    size = len(table.players)
    return pl.DataFrame(
        {
            "strength": strengths.repeat(size),
            "player": list(table.players) * len(strengths),
            "value": np.concatenate(ranks),
        }
    )


def _two(table: PayoffTable, settings: PopulationModel, seed: int, mutation: float) -> dict[str, pl.DataFrame]:
    """Return a table with the gradient of selection if there are two players. Otherwise return no table."""
    if len(table.players) != 2:
        return {}

    def make(payoffs: PayoffTable) -> Floats:
        return gradient(payoffs, settings.population, settings.strength, mutation, settings.process)  # type: ignore[arg-type]

    value, again = make(table), _again(table, settings, seed, make)
    low, high = _bounds(value, again, table)
    share = np.arange(settings.population + 1) / settings.population
    return {"gradient": _frame({"share": share, "value": value, "low": low, "high": high})}


def _with_mutations(table: PayoffTable, settings: PopulationModel, start: Floats, seed: int) -> ProcessTables:
    population, mutation, process = settings.population, float(settings.mutation), settings.process
    counts = _counts(start, population)
    if number_of_states(len(table.players), population) <= MAX_STATES:

        def make(payoffs: PayoffTable) -> Floats:
            return long_run(payoffs, population, settings.strength, mutation, process).shares  # type: ignore[arg-type]

        value, again = make(table), _again(table, settings, seed, make)
        low, high = _bounds(value, again, table)
        tables = {"shares": _shares(table.players, value, low, high)}
        return ProcessTables(tables | _two(table, settings, seed, mutation), "population", "solved exactly")
    everybody = 1 if process == "wright-fisher" else population
    steps = settings.steps or _GENERATIONS * everybody

    def follow(payoffs: PayoffTable, runs: int, chance: np.random.Generator) -> Runs:
        return simulate(
            payoffs,
            np.tile(counts, (runs, 1)),
            steps,
            chance=chance,
            strength=settings.strength,
            mutation=mutation,
            process=process,  # type: ignore[arg-type]
            looks=_LOOKS,
        )

    return _of_runs(table, settings, seed, follow, "generation" if everybody == 1 else "step")


def _on_structure(
    table: PayoffTable, settings: PopulationModel, start: Floats, graph: Structure, seed: int
) -> ProcessTables:
    mutation = _small(graph.size) if settings.mutation == "small" else float(settings.mutation)
    counts = _counts(start, graph.size).tolist()
    steps = settings.steps or _GENERATIONS * graph.size

    def follow(payoffs: PayoffTable, runs: int, chance: np.random.Generator) -> Runs:
        result, _ = simulate_on(
            graph,
            payoffs,
            start_kinds(counts, runs, chance),
            steps,
            chance=chance,
            strength=settings.strength,
            mutation=mutation,
            process=settings.process,
            looks=_LOOKS,
        )
        return result

    note = f"mutations with probability {mutation:g}" if settings.mutation == "small" else ""
    tables = _of_runs(table, settings, seed, follow, "step")
    return tables._replace(note="; ".join(filter(None, [tables.note, note])))


def _of_runs(
    table: PayoffTable,
    settings: PopulationModel,
    seed: int,
    follow: Callable[[PayoffTable, int, np.random.Generator], Runs],
    clock: str,
) -> ProcessTables:
    """Return the means over runs. If payoffs are uncertain, runs are divided among resampled payoff tables. The spread
    between the means of these tables includes both the uncertainty of payoffs and the chance within runs."""
    chance = generator(seed, 2)
    if table.certain or table.samples is None or table.played_once or settings.resamples < 2:
        result = follow(table, settings.runs, chance)
        late = result.means()
        if table.played_once:
            # The spread of runs on a single table would not include the uncertainty of the payoffs.
            late = [Estimate(estimate.value, reason=_once(table)) for estimate in late]
        course = np.asarray(result.shares)
        shares = _of_estimates(table.players, late)
    else:
        blocks = min(_BLOCKS, settings.runs)
        tables = [table.resampled(chance) for _ in range(blocks)]
        results = [follow(payoffs, -(-settings.runs // blocks), chance) for payoffs in tables]
        course = np.stack([result.shares.mean(axis=1) for result in results], axis=1)
        result = results[0]
        late_means = course[int(0.2 * len(course)) :].mean(axis=0)
        shares = _shares(table.players, late_means.mean(axis=0), *interval_of_tables(late_means))
    frame = _course(table.players, clock, result.steps, course)
    return ProcessTables({"shares": shares, "trajectory": frame}, "population", f"simulated, {settings.runs} runs")


def run_agents(
    agents: Agents, settings: PopulationModel, start: Floats, progress: Callable[[int], None]
) -> ProcessTables:
    """Follow agents who play their own games, and return the tables. For intervals, each run is one independent
    observation."""
    mutation = _small(settings.population) if settings.mutation == "small" else float(settings.mutation)
    result, _ = agents.follow(
        _counts(start, settings.population).tolist(),
        settings.steps or _GENERATIONS,
        runs=settings.runs,
        strength=settings.strength / settings.unit,
        mutation=mutation,
        process=settings.process,
        progress=progress,
    )
    players = [entry.name for entry in agents.cast]
    shares = _of_estimates(players, result.means())
    frame = _course(players, "generation", result.steps, np.asarray(result.shares))
    note = f"agents, {settings.runs} runs, mutations with probability {mutation:g}"
    return ProcessTables({"shares": shares, "trajectory": frame}, "population", note)


def _small(population: int) -> float:
    """Return the mutation probability that simulations use for "small". It gives one mutation in ten generations on
    average."""
    return 0.1 / population


def _of_estimates(players: Sequence[str], estimates: Sequence[Estimate]) -> pl.DataFrame:
    low, high, value = (
        np.asarray([getattr(estimate, part) for estimate in estimates], dtype=float)
        for part in ("low", "high", "value")
    )
    return _shares(players, value, low, high)


def _course(players: Sequence[str], clock: str, when: Any, course: Floats) -> pl.DataFrame:
    """Return a table of shares over time. The values are means over the runs, and the intervals contain the middle 95 %
    of the runs. The axes of `course` are times, runs and players."""
    low, high = np.percentile(course, [2.5, 97.5], axis=1)
    return pl.DataFrame(
        {
            clock: np.repeat(np.asarray(when), len(players)),
            "player": list(players) * len(when),
            "value": course.mean(axis=1).reshape(-1),
            "low": low.reshape(-1),
            "high": high.reshape(-1),
        }
    )


def _counts(start: Floats, population: int) -> Any:
    """Return the number of individuals of each player: the shares of the population, rounded to whole individuals."""
    counts = np.floor(start * population).astype(np.int64)
    rest = np.argsort(-(start * population - counts), kind="stable")[: population - int(counts.sum())]
    counts[rest] += 1
    return counts


def _endless(table: PayoffTable, settings: PopulationModel, start: Floats, seed: int) -> ProcessTables:
    steps = settings.steps or STEPS
    looks = np.unique(np.linspace(0, steps, min(_LOOKS, steps) + 1).astype(np.int64))

    def make(payoffs: PayoffTable) -> Floats:
        path = trajectory(
            payoffs,
            settings.process,  # type: ignore[arg-type]
            start=start.tolist(),
            steps=steps,
            rate=settings.rate,
            strength=settings.strength,
        )
        return path[looks]

    value, again = make(table), _again(table, settings, seed, make)
    low, high = _bounds(value, again, table)
    players = table.players
    course = _frame(
        {
            "step": looks.repeat(len(players)),
            "player": list(players) * len(looks),
            **{name: part.reshape(-1) for name, part in (("value", value), ("low", low), ("high", high))},
        }
    )
    tables = {"shares": _shares(players, value[-1], low[-1], high[-1]), "trajectory": course}
    return ProcessTables(tables | _rests(table), "population")


def _rests(table: PayoffTable) -> dict[str, pl.DataFrame]:
    """Return the rest points for two or three players. For three players, also return the paths between them."""
    size = len(table.players)
    if not 2 <= size <= 3:
        return {}
    points = rest_points(table)
    names = "abc"[:size]
    frame = pl.DataFrame(
        [{**dict(zip(names, point.shares, strict=True)), "stability": point.stability} for point in points],
        schema={**dict.fromkeys(names, pl.Float64), "stability": pl.String},
    )
    return {"rest_points": frame, "flow": _flow(table)} if size == 3 else {"rest_points": frame}


def _flow(table: PayoffTable) -> pl.DataFrame:
    """Return paths of the continuous replicator that begin at points spread over the triangle. Each path is followed
    until it is long enough to draw."""
    rows: list[dict[str, float]] = []
    steps = 9
    starts = [(i, j, steps - i - j) for i in range(1, steps) for j in range(1, steps - i)]
    for path, start in enumerate(starts):
        shares = np.asarray(start, dtype=float) / steps
        speed = float(np.linalg.norm(velocity(table, shares)))
        if speed == 0:
            continue
        orbit_points = orbit(table, shares.tolist(), 3 * _PATH / speed, 90)
        gone = np.cumsum(np.linalg.norm(np.diff(orbit_points, axis=0), axis=1))
        for point, (a, b, c) in enumerate(orbit_points[: max(3, int(np.searchsorted(gone, _PATH)))]):
            rows.append({"path": path, "point": point, "a": a, "b": b, "c": c})
    return pl.DataFrame(rows, schema={"path": pl.Int64, "point": pl.Int64, **dict.fromkeys("abc", pl.Float64)})
