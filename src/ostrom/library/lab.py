"""`ostrom.open`: a journal as a laboratory, with its experiments, games and calls."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
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
from ostrom.findings import simulations as stored
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
    """An experiment that a journal keeps."""

    def __init__(self, name: str, store: str | None = None) -> None:
        """By its id or its name."""
        with open_journal(store) as journal:
            found = journal.experiment_id(name)
            self._row = next(row for row in journal.experiments() if row.id == found)
        super().__init__(store, Selection.select(found))

    @classmethod
    def _of(cls, row: ExperimentRow, store: str | None) -> "Experiment":
        made = cls.__new__(cls)
        Results.__init__(made, store, Selection.select(row.id))
        made._row = row
        return made

    def _copy(self) -> Self:
        return type(self)._of(self._row, self.store)  # type: ignore[return-value]

    @property
    def id(self) -> str:
        """What the journal calls it, such as `punish-1`."""
        return self._row.id

    @property
    def name(self) -> str:
        """What its user called it."""
        return self._row.name

    @property
    def kind(self) -> str:
        """The command of its game, 'battery', or what else it is."""
        return self._row.kind

    @property
    def state(self) -> str:
        """'finished', 'unfinished', or 'open' if it has no planned number of games."""
        return self._row.state

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that decides it, as it was entered."""
        return self._row.settings

    def resume(
        self,
        *,
        limits: Mapping[str, Any] | Limits | None = None,
        accept_version: bool = False,
        progress: bool = True,
    ) -> "Experiment":
        """Play what is missing; answers are kept, and only missing ones are asked for. Where the game's version has
        changed since, nothing is played, unless `accept_version` says that it may be."""
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
        """Add players to a benchmark, and play the games that they lack: as many as each of the others was planned to
        play, or `games`; seats and meetings stay even over all games. Players are as `play` takes them."""
        with open_journal(self.store) as journal:
            row = next(row for row in journal.experiments() if row.id == self.id)
            check_versions(journal, self.id, SAME_VERSION_ONLY)
            before = replace(experiment_of(row.name, row.settings), title=row.kind)
            if len({part.game.name for part in before.parts}) > 1:
                raise InputError(f"{self.id} has several games; a player is added to a benchmark of one")
            planned = before.with_players(contestants_of(before.parts[0].game, players), games)
            planned = _limited(planned, limits)
            check(planned)
            with journal.claim(self.id):
                extend(planned, journal, self.id)
            run(planned, journal, self.id, progress=progress)
        return Experiment(self.id, self.store)

    def as_record(self) -> dict[str, Any]:
        """The experiment and how far it is, as plain data."""
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
    """A plan with the limits that are given, those that it has for the others; refused where no model plays."""
    if planned.models:
        return replace(planned, limits=limits_of(limits, defaults=planned.limits))
    if limits is not None:
        raise InputError("limits are for models, and none plays")
    return planned


class KeptSimulation(Experiment):
    """A simulation that a journal keeps: what was found, in tables and charts, and games that can be opened."""

    def _read(self, what: Callable[[stored.KeptSimulation], Any]) -> Any:
        with open_journal(self.store) as journal:
            found = stored.KeptSimulation.of(journal, self.id)
            if found is None:
                raise InputError(f"{self.id} keeps no simulation that can be read")
            return what(found)

    @property
    def tables(self) -> Tables:
        """Its tidy tables by name."""
        return Tables(self._read(lambda found: {name: found.table(name) for name in found.tables}))

    def to_frame(self) -> pl.DataFrame:
        """Its first table."""
        return next(iter(self.tables.values()))

    @property
    def charts(self) -> list[str]:
        """The names of the charts that `chart` draws."""
        names: list[str] = self._read(lambda found: [one["name"] for one in found.charts])
        return names

    def chart(self, name: str | None = None, *, subject: str | None = None) -> AnyChart:
        """One of its charts, an Altair chart; without a name the first."""
        chosen = name or self.charts[0]
        made: Any = alt.Chart.from_dict(self._read(lambda found: found.chart(chosen).to_dict()))
        drawn: AnyChart = made
        return drawn

    def report(self, folder: str | os.PathLike[str]) -> WrittenReport:
        """Write its report into a folder: one page that needs no network, its pictures and its tables."""
        with report_folder(Path(folder)):
            written: WrittenReport = self._read(lambda found: found.write(Path(folder)))
        return written

    def open(self, opening: int = 0, number: int = 0) -> PlayedGame:
        """Play one of its games by itself, with every turn; the table `openings` lists them."""
        match: Match = self._read(lambda found: found.open(opening, number))
        return played(match)


def experiment_named(name: str, store: str | None = None) -> Experiment:
    """An experiment of a journal by its id or its name."""
    found = Experiment(name, store)
    return KeptSimulation(found.id, store) if found.kind == SIMULATION else found


class Lab(Results):
    """A journal: its experiments, and everything that can be found out about its games."""

    def __init__(self, store: str | None = None) -> None:
        super().__init__(store, Selection())

    def _copy(self) -> Self:
        return type(self)(self.store)

    @property
    def experiments(self) -> Listing[Experiment]:
        """The experiments, the oldest first; `lab.experiments["name"]` is one of them."""
        with open_journal(self.store) as journal:
            rows = journal.experiments()
        kinds = {True: KeptSimulation, False: Experiment}
        made = [kinds[row.kind == SIMULATION]._of(row, self.store) for row in rows]
        return Listing("Experiments", made, Experiment.as_record, lambda one: one.name)

    def __getitem__(self, name: str) -> Experiment:
        return experiment_named(name, self.store)

    def to_frame(self) -> pl.DataFrame:
        """A row for each experiment."""
        return self.experiments.to_frame()

    def __repr__(self) -> str:
        with open_journal(self.store) as journal:
            return f"<Lab {journal.label}: {number_of(len(journal.experiments()), 'experiment')}>"

    def _repr_html_(self) -> str:
        return self.experiments._repr_html_()


def open_lab(store: str | os.PathLike[str] | None = None, *, create: bool = False) -> Lab:
    """Open the journal at a path or an address, such as postgresql://…; without one, the usual one, as commands do. It
    must be there, unless `create` makes it."""
    where = None if store is None else os.fspath(store)
    open_journal(where, create=create).close()
    return Lab(where)
