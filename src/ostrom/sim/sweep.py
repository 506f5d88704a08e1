"""A sweep: the same games at many points of rules, seats and tables. Game k has the same draws at every point, so
points are compared by pairs of games, and any point opens as a game of its own."""

import json
import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
import polars as pl
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.errors import field as setting
from ostrom.core.estimates import Estimate, means_of_rows
from ostrom.core.files import atomic_write, parse_json, write_text
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.players.roster import Seated
from ostrom.sim.batch import Floats
from ostrom.sim.cluster import Span, in_order, spans_on_cluster, spans_on_processes
from ostrom.sim.factors import Factor, Kind, Values, spelled
from ostrom.sim.plan import Backend, Plan
from ostrom.sim.points import is_share, titles
from ostrom.sim.sweep_plan import SweepPlan, plan_of

Outcomes: TypeAlias = Mapping[str, Floats]
"""(points, games) by name; not a number where a point has none, as of a player that does not sit there."""
LEAST_GAMES: Final = 6
"""With fewer a mean has no interval, where games differ."""
_BY_SKEWNESS: Final = 15
"""With as many games by the square of the skewness, t intervals of gamma distributions hold in 93.4 % or more."""
_DUST: Final = 1e-9
_ABSENT: Final = "no game at this point has it"


class Kept(Protocol):
    """Where the outcomes of points are kept as they come in, for a sweep that is stopped to go on with."""

    def finished(self) -> Iterator[tuple[Sequence[int], Outcomes]]:
        """What was kept: the numbers of some points, and their outcomes."""

    def keep(self, points: Sequence[int], outcomes: Outcomes) -> None:
        """Keep the outcomes of these points."""


@dataclass(frozen=True)
class SweepResult:
    """What a sweep found out."""

    plan: SweepPlan
    outcomes: dict[str, Floats]
    """(points, games) by name."""
    seconds: float = 0.0
    played: int = 0
    """Games that were played now, and not kept from before."""
    _estimates: dict[str, list[Estimate]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def game(self) -> Game:
        """The game that was played at every point."""
        return GAMES[self.plan.game]

    @property
    def factors(self) -> tuple[Factor, ...]:
        """What was varied, in the order of the columns."""
        return self.plan.factors

    @property
    def measures(self) -> tuple[str, ...]:
        """What was measured, those of the whole table first."""
        return self.plan.measures or self.plan.available

    @property
    def titles(self) -> dict[str, str]:
        """What each measure is called."""
        return titles(self.game, self.measures)

    def values(self, measure: str) -> Floats:
        """(points, games) A measure in every game."""
        if measure in self.outcomes:
            return self.outcomes[measure]
        if measure in self.measures:  # of a player who sits nowhere
            return np.full((len(self.plan.values), self.plan.games), np.nan)
        raise InputError(f"the sweep has no measure {measure!r}; it has {', '.join(self.measures)}")

    def estimates(self, measure: str) -> list[Estimate]:
        """A measure at every point, with its interval over games."""
        if measure not in self._estimates:
            self._estimates[measure] = estimates_of(self.values(measure), share=is_share(measure))
        return self._estimates[measure]

    def to_frame(self, *measures: str) -> pl.DataFrame:
        """A row for each point and measure: point, every factor, measure, value, low, high, games and, where there is
        no interval, the reason."""
        points, factors = len(self.plan.values), self.factors
        columns: dict[str, Any] = {"point": list(range(points))}
        columns |= {one.name: [values[place] for values in self.plan.values] for place, one in enumerate(factors)}
        base = pl.DataFrame(columns)
        parts = []
        for measure in measures or self.measures:
            found = self.estimates(measure)
            games = np.sum(~np.isnan(self.values(measure)), axis=1)
            told = {name: [getattr(one, name) for one in found] for name in ("value", "low", "high")}
            schema = dict.fromkeys(("value", "low", "high"), pl.Float64)
            parts.append(
                base.with_columns(measure=pl.lit(measure)).hstack(
                    pl.DataFrame(told, schema=schema).with_columns(
                        games=pl.Series(games, dtype=pl.Int64),
                        reason=pl.Series([one.reason for one in found], dtype=pl.String),
                    )
                )
            )
        return pl.concat(parts)

    def command(self, point: int, number: int = 0) -> str:
        """The line that plays a game of a point by itself, with every turn."""
        words = self.plan.command(point)
        if number == 0:
            return shlex.join(["ostrom", "run", *words, "-v"])
        inner = shlex.join([*words, "--games", str(self.plan.games)])
        return shlex.join(["ostrom", "run", "--from-tournament", inner, "--number", str(number), "-v"])

    def __repr__(self) -> str:
        names = " × ".join(factor.name for factor in self.factors)
        return f"<sweep of {self.game.command} over {names}: {len(self.plan.values)} points of {self.plan.games} games>"


def estimates_of(values: Floats, *, share: bool = False) -> list[Estimate]:
    """The mean over games at each point (points, games), with its interval. Games without a value are left out. Where
    chance has a part, means take as many games as their tails call for, shares two."""
    found = _estimates_of(values, share)
    needed = 2 if share else games_needed(values)
    games = np.sum(~np.isnan(values), axis=1)
    uneven = np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1) > _DUST
    reason = f"an interval of games as uneven as these takes at least {needed:,} of them"
    refused = uneven & (games > 1) & (games < needed)
    return [Estimate(one.value, reason=reason) if too_few else one for one, too_few in zip(found, refused, strict=True)]


def games_needed(values: Floats) -> int:
    """How many games it takes until the t interval of a mean may be trusted, by the square of the skewness (after
    Cochran 1977, section 2.15): that of all points together, since the few games of one often miss the rare ones on
    which the mean hangs. What as many draws of the normal law show by chance is taken off."""
    there = ~np.isnan(values)
    means = np.where(there, values, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    apart = (values - means[:, None])[there]
    spread = float(np.mean(apart**2)) ** 1.5 if len(apart) else 0.0
    if spread < _DUST:
        return 2
    square = (float(np.mean(apart**3)) / spread) ** 2 - 6 / len(apart)
    return max(LEAST_GAMES, math.ceil(_BY_SKEWNESS * square))


def _estimates_of(values: Floats, share: bool) -> list[Estimate]:
    whole = ~np.isnan(values).any(axis=1)
    found: list[Estimate | None] = [None] * len(values)
    for place, one in zip(np.flatnonzero(whole).tolist(), means_of_rows(values[whole], share=share), strict=True):
        found[place] = one
    for place in np.flatnonzero(~whole).tolist():
        there = values[place][~np.isnan(values[place])]
        found[place] = means_of_rows(there[None], share=share)[0] if len(there) else Estimate(None, reason=_ABSENT)
    return [one for one in found if one is not None]


def sweep(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    games: int = 200,
    seed: int = 0,
    players: Sequence[Seated] = (),
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    design: Kind = "factorial",
    points: int | None = None,
    backend: Backend | None = None,
    measures: Sequence[str] = (),
    **how: Any,
) -> SweepResult:
    """Play games at many points. `vary` names what is varied and gives its values, `{"alpha": "0:1:0.05"}` or
    `{"alpha": [0, 0.5, 1]}`: rules, `seats`, the number of seats of a player by its name, `table`. Without `players`
    all strategies of the game sit at one table, or as many as it usually has, who play differently; without `measures`
    all are kept; without `backend` what is fastest plays. `how` may have chunk_size, workers, cluster, players_files,
    kept and progress, which never change what comes out."""
    plan = plan_of(
        vary,
        games=games,
        seed=seed,
        players=players,
        game=game,
        rules=rules,
        design=design,
        points=points,
        backend=backend,
        measures=measures,
    )
    return play_sweep(plan, **how)


def play_sweep(
    plan: SweepPlan,
    *,
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
    kept: Kept | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> SweepResult:
    """Play what a sweep lacks, and put it beside what was kept."""
    if chunk_size is not None and chunk_size < 1:
        raise InputError(f"the chunk size must be at least 1, got {chunk_size}")
    if cluster is not None and plan.backend == "jax":
        raise InputError(f"{setting('cluster')} plays on NumPy; leave out {setting('backend', 'jax')}")
    start, shape = time.perf_counter(), (len(plan.values), plan.games)
    outcomes: dict[str, Floats] = {}
    missing = dict.fromkeys(range(len(plan.values)))

    def add(points: Sequence[int], found: Outcomes) -> None:
        for name, values in found.items():
            outcomes.setdefault(name, np.full(shape, np.nan))[list(points)] = values
        for number in points:
            missing.pop(number, None)
        progress(len(points) * plan.games)

    for points, found in kept.finished() if kept is not None else ():
        add(points, found)
    played = len(missing) * plan.games
    engine = plan.on_engine(tuple(missing))
    processes = engine.workers(workers) if missing else 1
    chunks = list(plan.chunks(list(missing), chunk_size, 4 * processes))
    processes = min(processes, max(1, len(chunks)))
    job, spans = _Job(plan, tuple(chunks), chunk_size), [(place, place + 1) for place in range(len(chunks))]
    for (place, _), found in _played(job, spans, engine, processes, players_files, cluster):
        if kept is not None:
            kept.keep(chunks[place], found)
        add(chunks[place], found)
    return SweepResult(plan, outcomes, time.perf_counter() - start, played)


def _played(
    job: "_Job", spans: list[Span], engine: Plan, processes: int, players_files: Sequence[Path], cluster: str | None
) -> Iterator[tuple[Span, dict[str, Floats]]]:
    """What came out of each chunk, in order."""
    if cluster is not None:
        yield from spans_on_cluster(cluster, job, _play, spans, engine.files(players_files))
    elif processes > 1 and job.plan.backend == "compiled":
        # What is compiled lets other threads run.
        with ThreadPoolExecutor(processes) as pool:
            for span, future in in_order(spans, lambda span: pool.submit(_play, job, span), 2 * processes):
                yield span, future.result()
    elif processes > 1:
        yield from spans_on_processes(processes, job, _play, spans, engine.files(players_files))
    else:
        yield from ((span, _play(job, span)) for span in spans)


class _Job(NamedTuple):
    plan: SweepPlan
    chunks: tuple[tuple[int, ...], ...]
    size: int | None


def _play(job: _Job, span: Span) -> dict[str, Floats]:
    return job.plan.play(job.chunks[span[0]], job.size)


PLAN: Final = "sweep.json"
_GAMES_FOLDER: Final = "games"
"""The folder of the games, in parts of some points each."""


class KeptGames:
    """The folder of one sweep. Parts are written as a whole or not at all."""

    def __init__(self, folder: Path, plan: SweepPlan) -> None:
        self._folder, self._plan = folder / _GAMES_FOLDER, plan
        described = as_settings(plan)
        there = settings_in(folder)
        if there is not None and there != described:
            differs = next(name for name in described if described[name] != there.get(name))
            raise InputError(f"{folder} holds another sweep, with another {differs}; name another folder")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / PLAN, json.dumps(described, indent=2) + "\n")
        except OSError as error:
            raise InputError(f"the sweep cannot be written to {folder}: {error.strerror}") from error

    def finished(self) -> Iterator[tuple[Sequence[int], dict[str, Floats]]]:
        """Every part; one that cannot be read, or is of no whole points, is played again."""
        games = self._plan.games
        for path in sorted(self._folder.glob("part-*.parquet")):
            try:
                frame = pl.read_parquet(path).sort("point", "game")
            except (OSError, pl.exceptions.PolarsError):
                continue
            points = frame["point"].unique(maintain_order=True).to_list()
            if frame["game"].to_list() != list(range(games)) * len(points):
                continue
            names = [name for name in frame.columns if name not in ("point", "game")]
            yield points, {name: frame[name].to_numpy().reshape(len(points), games) for name in names}

    def keep(self, points: Sequence[int], outcomes: Outcomes) -> None:
        """Write the games of these points."""
        games = self._plan.games
        columns: dict[str, Any] = {"point": np.repeat(points, games), "game": np.tile(np.arange(games), len(points))}
        columns |= {name: np.ascontiguousarray(values).ravel() for name, values in outcomes.items()}
        with atomic_write(self._folder / f"part-{points[0]:06}.parquet") as partial:
            pl.DataFrame(columns).write_parquet(partial)


def as_settings(plan: SweepPlan) -> dict[str, Any]:
    """All that decides what comes out of a sweep, as plain data."""
    return {
        "game": plan.game,
        "rules": plan.rules.model_dump(mode="json"),
        "players": [entry.name for entry in plan.table],
        "vary": [factor.word for factor in plan.factors],
        "design": plan.design,
        "points": [[spelled(value) for value in values] for values in plan.values],
        "games": plan.games,
        "seed": plan.seed,
        "backend": plan.backend,
        "measures": list(plan.measures),
    }


def settings_in(folder: Path) -> dict[str, Any] | None:
    """What the sweep of a folder is, or nothing where there is none."""
    path = folder / PLAN
    if not path.is_file():
        return None
    try:
        found = parse_json(path.read_bytes())
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("seed"), int):
        raise InputError(f"{path} is not the plan of a sweep; name another folder")
    return found
