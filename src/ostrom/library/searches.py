"""`ostrom.sweep` and `ostrom.design`: games under many rules, with results that draw themselves."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ostrom.core.game import Game
from ostrom.core.listing import html_frame
from ostrom.core.plugins import DEFAULT_GAME, files
from ostrom.findings.results import of_sweep
from ostrom.findings.simulations import Simulation
from ostrom.findings.sweeps import Findings, check_condition, usual_measures, write_findings
from ostrom.library.playing import AnyRules
from ostrom.library.reports import check_folder
from ostrom.library.simulations import Drawn, fields_of
from ostrom.library.wording import names_arguments
from ostrom.players.roster import Seated
from ostrom.sim import institutions
from ostrom.sim.boundary import Condition
from ostrom.sim.design import Kind
from ostrom.sim.factors import Values
from ostrom.sim.institutions import Design, Population
from ostrom.sim.plan import Backend
from ostrom.sim.sweep import SweepResult, play_sweep
from ostrom.sim.sweep_plan import plan_of


@dataclass(frozen=True, repr=False)
class Sweep(Drawn, SweepResult):
    """What a sweep found out: `to_frame()`, `tables`, `chart()`, `report()`."""

    boundary: Condition | None = field(default=None, kw_only=True)
    """Where one measure crosses a level or another, if that is looked for."""

    @cached_property
    def findings(self) -> Findings:
        """Its tables and charts, and the boundary that is looked for."""
        return Findings(self, usual_measures(self.plan, self.boundary), self.boundary)

    @property
    def simulation(self) -> Simulation:
        """What a journal keeps of it."""
        return of_sweep(self.findings)

    def report(self, folder: str | os.PathLike[str]) -> tuple[list[str], list[str]]:
        """Write every table as CSV and Parquet and every chart as SVG and PNG into a folder; the names of both."""
        check_folder(Path(folder))
        return write_findings(self.findings, Path(folder))

    def _repr_html_(self) -> str:
        return html_frame(repr(self).strip("<>"), self.to_frame())


@names_arguments
def sweep(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    game: str | Game = DEFAULT_GAME,
    players: Sequence[Seated] = (),
    rules: AnyRules = None,
    games: int = 200,
    seed: int = 0,
    measures: Sequence[str] = (),
    boundary: str | None = None,
    design: Kind = "factorial",
    points: int | None = None,
    backend: Backend | None = None,
    workers: int | None = None,
    chunk_size: int | None = None,
    cluster: str | None = None,
) -> Sweep:
    """Play games at many points. `vary` names what is varied and gives its values, `{"alpha": "0:1:0.05"}` or
    `{"alpha": [0, 0.5, 1]}`: rules, `seats`, the number of seats of a player by its name, `table`. Without `players`
    all strategies of the game sit at one table, or as many as it usually has, who play differently; without `measures`
    all are kept. A `boundary`, "survival=0.5", is looked for. A `design` other than "factorial" draws so many
    `points`."""
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
    condition = None if boundary is None else Condition.of(boundary, plan.measures or plan.available)
    if condition is not None:
        check_condition(condition, plan.factors, plan.design)
    played = play_sweep(plan, chunk_size=chunk_size, workers=workers, players_files=files(), cluster=cluster)
    return Sweep(**fields_of(played), boundary=condition)


@dataclass(frozen=True, repr=False)
class RulesDesign(Drawn, Design):
    """What a search for rules found: `front`, `baseline`, `to_frame()`, `chart()`."""


@names_arguments
def design(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    maximise: Sequence[str],
    game: str | Game = DEFAULT_GAME,
    rules: AnyRules = None,
    seed: int = 0,
    players: Sequence[Seated] = (),
    held_out: Sequence[Seated] = (),
    seats: int | None = None,
    population: Population = "fixed",
    candidates: int = 64,
    rounds: int = 3,
    tables: int = 24,
    games: int = 4,
) -> RulesDesign:
    """Search the ranges that `vary` gives, as a sweep takes them, for rules that serve one aim or two best, at random
    tables of so many seats: without a number 4, or as many as the game has room for. Without a list, half of the
    players, drawn by the seed, are held out of the search."""
    found = institutions.design(
        vary,
        maximise=maximise,
        game=game,
        rules=rules,
        seed=seed,
        players=players,
        held_out=held_out,
        seats=seats,
        population=population,
        candidates=candidates,
        rounds=rounds,
        tables=tables,
        games=games,
    )
    return RulesDesign(**fields_of(found))
