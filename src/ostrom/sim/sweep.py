"""A sweep plays the same games at many points of rules, seats and tables. Game k has the same random draws at every
point. So points are compared by pairs of games with the same draws, and each game of a point can be replayed
separately. Games can be stored in a folder as Parquet; an interrupted sweep resumes from this folder."""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import polars as pl

from ostrom.core import InputError
from ostrom.core.errors import field as setting
from ostrom.core.estimates import Estimate, means_of_rows, within_range
from ostrom.core.files import MAX_SETTINGS_BYTES, atomic_write, parse_json, read_bounded, write_text
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.sim.batch import Floats
from ostrom.sim.factors import Factor, format_value
from ostrom.sim.plan import Span, run_spans
from ostrom.sim.points import INEQUALITY, LENGTH, SURVIVAL, WELFARE, is_share, titles
from ostrom.sim.sweep_plan import SweepPlan

Outcomes: TypeAlias = Mapping[str, Floats]
"""(points, games) The outcomes by name. An outcome is NaN at points that lack it, for example because a player has no
seat."""
LEAST_GAMES: Final = 6
"""The smallest number of games for the interval of a mean. No such number is needed if all games have equal values."""
_GAMES_PER_SQUARED_SKEWNESS: Final = 15
"""The number of games per unit of squared skewness above which t intervals of gamma distributions have at least 93.4 %
coverage."""
_ROUNDING: Final = 1e-9
_ABSENT: Final = "no game at this point has this measure"


PLAN_FILE: Final = "sweep.json"
_GAMES_FOLDER: Final = "games"


class KeptGames:
    """The folder of one sweep. The folder has its games in parts. Each part has several points and is written
    atomically."""

    def __init__(self, folder: Path, plan: SweepPlan) -> None:
        self._folder, self._plan = folder / _GAMES_FOLDER, plan
        settings = as_settings(plan)
        stored = settings_in(folder)
        if stored is not None and stored != settings:
            setting_name = next(name for name in settings if settings[name] != stored.get(name))
            raise InputError(
                f"{folder} contains a different sweep, with a different {setting_name}; name another folder"
            )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / PLAN_FILE, json.dumps(settings, indent=2) + "\n")
        except OSError as error:
            raise InputError(f"the sweep cannot be written to {folder}: {error.strerror}") from error

    def finished(self) -> Iterator[tuple[Sequence[int], dict[str, Floats]]]:
        """Yield the points and outcomes of every part. Unreadable and incomplete parts are skipped."""
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


@dataclass(frozen=True)
class SweepResult:
    """The result of a sweep."""

    plan: SweepPlan
    outcomes: dict[str, Floats]
    """(points, games) The outcomes by name."""
    seconds: float = 0.0
    played: int = 0
    """The number of games that were played now. Games that were read from a folder do not count."""
    _estimates: dict[str, list[Estimate]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def game(self) -> Game:
        return GAMES[self.plan.game]

    @property
    def factors(self) -> tuple[Factor, ...]:
        return self.plan.factors

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures. Measures of the whole table are first."""
        return self.plan.measures or self.plan.available

    @property
    def titles(self) -> dict[str, str]:
        return titles(self.game, self.measures)

    def values(self, measure: str) -> Floats:
        """Return a measure in every game, (points, games)."""
        if measure in self.outcomes:
            return self.outcomes[measure]
        if measure in self.measures:  # The player of the measure has no seat at this point.
            return np.full((len(self.plan.values), self.plan.games), np.nan)
        raise InputError(f"the sweep has no measure {measure!r}; it has {', '.join(self.measures)}")

    def estimates(self, measure: str) -> list[Estimate]:
        """Return a measure at every point, with its interval over games."""
        if measure not in self._estimates:
            estimates = estimates_of(self.values(measure), share=is_share(self.game, measure))
            self._estimates[measure] = [self._within(measure, place, each) for place, each in enumerate(estimates)]
        return self._estimates[measure]

    def _within(self, measure: str, place: int, estimate: Estimate) -> Estimate:
        """Return the estimate. Its interval is limited to the range that the figure can have under the rules of the
        point."""
        step = self.game.part("step")
        figure = measure.partition(":")[0]
        if step is None or figure in (WELFARE, INEQUALITY, SURVIVAL, LENGTH, "final", "wins"):
            return estimate
        point = self.plan.points[place]
        limits = step.limits(point.rules, len(point.table)).get(figure)
        return estimate if limits is None else within_range(estimate, *limits)

    def to_frame(self, *measures: str) -> pl.DataFrame:
        """Return a row for each point and measure: point, every factor, measure, value, low, high, games and, if there
        is no interval, the reason."""
        points, factors = len(self.plan.values), self.factors
        columns: dict[str, Any] = {"point": list(range(points))}
        columns |= {
            estimate.name: [values[place] for values in self.plan.values] for place, estimate in enumerate(factors)
        }
        base = pl.DataFrame(columns)
        parts = []
        for measure in measures or self.measures:
            estimates = self.estimates(measure)
            games = np.sum(~np.isnan(self.values(measure)), axis=1)
            bounds = {name: [getattr(estimate, name) for estimate in estimates] for name in ("value", "low", "high")}
            schema = dict.fromkeys(("value", "low", "high"), pl.Float64)
            parts.append(
                base.with_columns(measure=pl.lit(measure)).hstack(
                    pl.DataFrame(bounds, schema=schema).with_columns(
                        games=pl.Series(games, dtype=pl.Int64),
                        reason=pl.Series([estimate.reason for estimate in estimates], dtype=pl.String),
                    )
                )
            )
        return pl.concat(parts)

    def __repr__(self) -> str:
        names = " × ".join(factor.name for factor in self.factors)
        return f"<sweep of {self.game.command} over {names}: {len(self.plan.values)} points of {self.plan.games} games>"


def estimates_of(values: Floats, *, share: bool = False) -> list[Estimate]:
    """Return the mean over games at each point, (points, games), with its interval. Games without a value are left out.
    If the values of games differ, a mean has an interval only if there are enough games for the skewness of the values.
    A share needs only two games."""
    estimates = _estimates_of(values, share)
    needed = 2 if share else games_needed(values)
    games = np.sum(~np.isnan(values), axis=1)
    differs = np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1) > _ROUNDING
    reason = f"the games vary so unevenly that an interval needs at least {needed:,} games"
    refused = differs & (games > 1) & (games < needed)
    return [
        Estimate(estimate.value, reason=reason) if too_few else estimate
        for estimate, too_few in zip(estimates, refused, strict=True)
    ]


def games_needed(values: Floats) -> int:
    """Return the number of games above which a t interval is reliable. The number depends on the squared skewness
    (after Cochran 1977, section 2.15). The skewness is computed from all points, since the games of one point often
    lack rare events. The expected squared skewness under normality is subtracted."""
    present = ~np.isnan(values)
    means = np.where(present, values, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    centred = (values - means[:, None])[present]
    spread = float(np.mean(centred**2)) ** 1.5 if len(centred) else 0.0
    if spread < _ROUNDING:
        return 2
    square = (float(np.mean(centred**3)) / spread) ** 2 - 6 / len(centred)
    return max(LEAST_GAMES, math.ceil(_GAMES_PER_SQUARED_SKEWNESS * square))


def _estimates_of(values: Floats, share: bool) -> list[Estimate]:
    complete = ~np.isnan(values).any(axis=1)
    estimates: list[Estimate | None] = [None] * len(values)
    for place, estimate in zip(
        np.flatnonzero(complete).tolist(), means_of_rows(values[complete], share=share), strict=True
    ):
        estimates[place] = estimate
    for place in np.flatnonzero(~complete).tolist():
        present = values[place][~np.isnan(values[place])]
        estimates[place] = (
            means_of_rows(present[None], share=share)[0] if len(present) else Estimate(None, reason=_ABSENT)
        )
    return [estimate for estimate in estimates if estimate is not None]


def play_sweep(
    plan: SweepPlan,
    *,
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
    kept: KeptGames | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> SweepResult:
    """Play the missing points of a sweep, and combine them with the stored ones."""
    if chunk_size is not None and chunk_size < 1:
        raise InputError(f"the chunk size must be at least 1, got {chunk_size}")
    if cluster is not None and plan.backend == "jax":
        raise InputError(f"{setting('cluster')} plays on NumPy; leave out {setting('backend', 'jax')}")
    start, shape = time.perf_counter(), (len(plan.values), plan.games)
    outcomes: dict[str, Floats] = {}
    missing = dict.fromkeys(range(len(plan.values)))

    def add(points: Sequence[int], results: Outcomes) -> None:
        for name, values in results.items():
            outcomes.setdefault(name, np.full(shape, np.nan))[list(points)] = values
        for number in points:
            missing.pop(number, None)
        progress(len(points) * plan.games)

    for points, results in kept.finished() if kept is not None else ():
        add(points, results)
    played = len(missing) * plan.games
    engine = plan.on_engine(tuple(missing))
    processes = engine.workers(workers) if missing else 1
    chunks = list(plan.chunks(list(missing), chunk_size, 4 * processes))
    processes = min(processes, max(1, len(chunks)))
    chunks_played = run_spans(
        _Job(plan, tuple(chunks), chunk_size),
        _play,
        [(place, place + 1) for place in range(len(chunks))],
        processes=processes,
        threads=plan.backend == "compiled",
        cluster=cluster,
        files=lambda: engine.files(players_files),
    )
    for (place, _), results in chunks_played:
        if kept is not None:
            kept.keep(chunks[place], results)
        add(chunks[place], results)
    return SweepResult(plan, outcomes, time.perf_counter() - start, played)


class _Job(NamedTuple):
    plan: SweepPlan
    chunks: tuple[tuple[int, ...], ...]
    size: int | None


def _play(job: _Job, span: Span) -> dict[str, Floats]:
    return job.plan.play(job.chunks[span[0]], job.size)


def as_settings(plan: SweepPlan) -> dict[str, Any]:
    """Return all settings that determine the results of a sweep, as plain data."""
    return {
        "game": plan.game,
        "rules": plan.rules.model_dump(mode="json"),
        "players": [entry.name for entry in plan.table],
        "vary": [factor.word for factor in plan.factors],
        "design": plan.design,
        "points": [[format_value(value) for value in values] for values in plan.values],
        "games": plan.games,
        "seed": plan.seed,
        "backend": plan.backend,
        "measures": list(plan.measures),
    }


def settings_in(folder: Path) -> dict[str, Any] | None:
    """Return the settings of the sweep in a folder, or None if the folder has no sweep. Raise InputError if the file of
    settings is invalid."""
    path = folder / PLAN_FILE
    if not path.is_file():
        return None
    try:
        settings = parse_json(read_bounded(path, MAX_SETTINGS_BYTES))
    except (OSError, ValueError):
        settings = None
    if not isinstance(settings, dict) or not isinstance(settings.get("seed"), int):
        raise InputError(f"{path} is not the plan of a sweep; name another folder")
    return settings
