"""`ostrom.open` opens a journal as a laboratory, with its experiments, games and calls."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

import altair as alt
import polars as pl

from ostrom.analysis.selection import Selection
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.render import AnyChart
from ostrom.core import InputError
from ostrom.core.listing import Listing, Tables, brief, html_table
from ostrom.core.text import number_of
from ostrom.experiment.limits import Limits, limits_of
from ostrom.experiment.match import Match
from ostrom.experiment.plan import Experiment as Plan
from ostrom.experiment.plan import experiment_of
from ostrom.experiment.store import SAME_VERSION_ONLY, check_versions, extend
from ostrom.findings import keeping as stored
from ostrom.findings.report import report_folder
from ostrom.findings.status import SUMMARY_FIELDS
from ostrom.journal.open import open_journal
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.schema import SIMULATION
from ostrom.library.games import PlayedGame, played
from ostrom.library.results import Results
from ostrom.library.running import check, run
from ostrom.players.roster import Seated, contestants_of


class Experiment(Results):
    """An experiment of a journal."""

    def __init__(self, name: str, store: str | None = None) -> None:
        """Read an experiment by its id or name."""
        with open_journal(store) as journal:
            id_ = journal.experiment_id(name)
            self._row = next(row for row in journal.experiments() if row.id == id_)
        super().__init__(store, Selection.select(id_))

    @classmethod
    def _of(cls, row: ExperimentRow, store: str | None) -> "Experiment":
        experiment = cls.__new__(cls)
        Results.__init__(experiment, store, Selection.select(row.id))
        experiment._row = row
        return experiment

    def _copy(self) -> Self:
        return type(self)._of(self._row, self.store)  # type: ignore[return-value]

    @property
    def id(self) -> str:
        """Its id in the journal, such as `punish-1`."""
        return self._row.id

    @property
    def name(self) -> str:
        """The name that the user gave to the experiment."""
        return self._row.name

    @property
    def kind(self) -> str:
        """The command of the experiment's game, 'battery', or another kind."""
        return self._row.kind

    @property
    def state(self) -> str:
        """'finished', 'unfinished', or 'open' if it has no planned number of games."""
        return self._row.state

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its settings, as stored."""
        return self._row.settings

    def resume(
        self,
        *,
        limits: Mapping[str, Any] | Limits | None = None,
        accept_version: bool = False,
        progress: bool = True,
    ) -> "Experiment":
        """Play the missing games and ask the missing questions. Return the experiment. Raise InputError if the version
        of the game has changed since the start of the experiment, unless `accept_version` is true."""
        with open_journal(self.store) as journal:
            if not accept_version:
                check_versions(journal, self.id, "resume(accept_version=True) continues anyway")
            planned = replace(experiment_of(self._row.name, self._row.settings), title=self._row.kind)
            run(_limited(planned, limits), journal, self.id, progress=progress)
        return Experiment(self.id, self.store)

    def add(
        self,
        players: Sequence[Seated],
        *,
        games: int | None = None,
        limits: Mapping[str, Any] | Limits | None = None,
        progress: bool = True,
    ) -> "Experiment":
        """Add players to a benchmark, and play their games. Each added player plays `games` games. The default is the
        number that was planned for each other player. Seats and meetings stay balanced over all games. Players have the
        forms that `play` accepts."""
        with open_journal(self.store) as journal:
            row = next(row for row in journal.experiments() if row.id == self.id)
            check_versions(journal, self.id, SAME_VERSION_ONLY)
            before = replace(experiment_of(row.name, row.settings), title=row.kind)
            if len({part.game.name for part in before.parts}) > 1:
                raise InputError(f"{self.id} has several games; a player can be added only to a benchmark of one game")
            planned = before.with_players(contestants_of(before.parts[0].game, players), games)
            planned = _limited(planned, limits)
            check(planned)
            with journal.claim(self.id):
                extend(planned, journal, self.id)
            run(planned, journal, self.id, progress=progress)
        return Experiment(self.id, self.store)

    def as_record(self) -> dict[str, Any]:
        """Return the experiment and its progress as plain data."""
        return {name: getattr(self._row, name) for name in SUMMARY_FIELDS}

    def __repr__(self) -> str:
        row = self._row
        of = "" if row.planned is None else f" of {row.planned:,}"
        void = f", {row.void:,} void" if row.void else ""
        return f"<Experiment {row.id} {brief([row.name])}: {row.kind}, {row.games:,}{of} games{void}, {row.state}>"

    def _repr_html_(self) -> str:
        record = self.as_record()
        return html_table(f"Experiment {self.name}", list(record), [list(record.values())], 1)


def _limited(planned: Plan, limits: Mapping[str, Any] | Limits | None) -> Plan:
    """Return a plan with these limits. Limits that are not given keep their values. Raise InputError for limits if no
    model plays."""
    if planned.models:
        return replace(planned, limits=limits_of(limits, defaults=planned.limits))
    if limits is not None:
        raise InputError("limits are for models, and no model plays")
    return planned


class KeptSimulation(Experiment):
    """A simulation in a journal: tables, charts, and games that can be played again."""

    def _read(self, function: Callable[[stored.StoredSimulation], Any]) -> Any:
        with open_journal(self.store) as journal:
            simulation = stored.StoredSimulation.of(journal, self.id)
            if simulation is None:
                raise InputError(f"{self.id} has no readable simulation")
            return function(simulation)

    @property
    def tables(self) -> Tables:
        """Its tidy tables by name."""
        return Tables(self._read(lambda simulation: {name: simulation.table(name) for name in simulation.tables}))

    def to_frame(self) -> pl.DataFrame:
        """Return its first table."""
        return next(iter(self.tables.values()))

    @property
    def charts(self) -> list[str]:
        """The names of its charts."""
        names: list[str] = self._read(lambda simulation: [chart["name"] for chart in simulation.charts])
        return names

    def chart(self, name: str | None = None, *, subject: str | None = None) -> AnyChart:
        """Return one of the simulation's charts as an Altair chart. Without a name, return the first chart."""
        specification = self._read(lambda simulation: simulation.chart(name or self.charts[0]).to_dict())
        chart: Any = alt.Chart.from_dict(specification)
        altair_chart: AnyChart = chart
        return altair_chart

    def report(self, folder: str | os.PathLike[str]) -> WrittenReport:
        """Write the simulation's report into a folder: one page that needs no network, its pictures and its tables."""
        with report_folder(Path(folder)):
            written: WrittenReport = self._read(lambda simulation: simulation.write(Path(folder)))
        return written

    def open(self, opening: int = 0, number: int = 0) -> PlayedGame:
        """Play one of the simulation's games again with every turn. The table `openings` lists these games."""
        match: Match = self._read(lambda simulation: simulation.open(opening, number))
        return played(match)


def experiment_named(name: str, store: str | None = None) -> Experiment:
    """Return an experiment of a journal by its id or name."""
    experiment = Experiment(name, store)
    return KeptSimulation(experiment.id, store) if experiment.kind == SIMULATION else experiment


class Lab(Results):
    """A journal: its experiments, and the results of its games."""

    def __init__(self, store: str | None = None) -> None:
        super().__init__(store, Selection())

    def _copy(self) -> Self:
        return type(self)(self.store)

    @property
    def experiments(self) -> Listing[Experiment]:
        """The experiments, the oldest first. An experiment can also be accessed by its name:
        `lab.experiments["name"]`."""
        with open_journal(self.store) as journal:
            rows = journal.experiments()
        kinds = {True: KeptSimulation, False: Experiment}
        experiments = [kinds[row.kind == SIMULATION]._of(row, self.store) for row in rows]
        return Listing("Experiments", experiments, Experiment.as_record, attrgetter("name"))

    def __getitem__(self, name: str) -> Experiment:
        return experiment_named(name, self.store)

    def to_frame(self) -> pl.DataFrame:
        """Return a row for each experiment."""
        return self.experiments.to_frame()

    def __repr__(self) -> str:
        with open_journal(self.store) as journal:
            return f"<Lab {journal.label}: {number_of(len(journal.experiments()), 'experiment')}>"

    def _repr_html_(self) -> str:
        return self.experiments._repr_html_()


def open_lab(store: str | os.PathLike[str] | None = None, *, create: bool = False) -> Lab:
    """Open the journal at a path or an address, such as postgresql://…. Without an address, open the default journal.
    Raise InputError if the journal does not exist, unless `create` is true."""
    where = None if store is None else os.fspath(store)
    open_journal(where, create=create).close()
    return Lab(where)
