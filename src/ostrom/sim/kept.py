"""The games of a sweep in a folder, as Parquet, kept as they come in: a sweep that was stopped goes on with what is
missing, and every game's figures are there for another measure."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.core import InputError
from ostrom.core.files import parse_json, whole, write_whole
from ostrom.sim.batch import Floats
from ostrom.sim.factors import spelled
from ostrom.sim.sweep import Outcomes
from ostrom.sim.sweep_plan import SweepPlan

PLAN: Final = "sweep.json"
GAMES: Final = "games"
"""The folder of the games, in parts of some points each."""


class KeptGames:
    """The folder of one sweep. Parts are written as a whole or not at all."""

    def __init__(self, folder: Path, plan: SweepPlan) -> None:
        self._folder, self._plan = folder / GAMES, plan
        described = as_settings(plan)
        there = settings_in(folder)
        if there is not None and there != described:
            differs = next(name for name in described if described[name] != there.get(name))
            raise InputError(f"{folder} holds another sweep, with another {differs}; name another folder")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / PLAN, json.dumps(described, indent=2) + "\n")
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
        with whole(self._folder / f"part-{points[0]:06}.parquet") as partial:
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
