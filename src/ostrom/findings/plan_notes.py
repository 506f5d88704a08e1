"""Notes of a report on the plan of an experiment: the stopping rule, the registered plan, and missing games."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from ostrom.analysis.contrasts import Registered, RegisteredContrast
from ostrom.analysis.intervals import looks_at, stretch
from ostrom.analysis.selection import suspended_games
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.experiment.plan import Experiment, experiment_of
from ostrom.experiment.stages import last_look
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.sql import Journal


@dataclass(frozen=True)
class PlanNotes:
    """Notes on the plan of an experiment."""

    notes: tuple[str, ...] = ()
    """Sentences for the beginning of a report."""
    stopping: str | None = None
    """A sentence on the stopping rule and the figures that allow for it."""
    registered: tuple[str, ...] | None = None
    """The registered measures; None without a registration."""
    document: dict[str, Any] | None = None
    """The registration as JSON."""


def plan_notes(journal: Journal, tables: GameTables, exclusions: str | None) -> PlanNotes:
    """Return notes on the plan of the experiment of these tables, if it is a single one, and on missing games.
    `exclusions` is what the analysis excludes for defaulted answers: 'none', 'games' or 'seats'; with None, a
    registered plan is not described."""
    notes = _notes_of_experiment(journal, tables, exclusions)
    return replace(notes, notes=(*notes.notes, *missing_games(journal, set(tables.games["experiment"]))))


def missing_games(journal: Journal, experiments: Collection[str]) -> list[str]:
    """Return sentences on suspended games."""
    return [f"Missing: {cause}." for cause in suspended_games(journal, experiments)]


def _notes_of_experiment(journal: Journal, tables: GameTables, exclusions: str | None) -> PlanNotes:
    experiments = tables.games["experiment"].unique().to_list()
    if len(experiments) != 1 or not {"until", "registration"} & set(journal.settings(experiments[0])):
        return PlanNotes()
    row = next(row for row in journal.experiments() if row.id == experiments[0])
    try:
        planned = experiment_of(row.name, row.settings)
    except InputError as error:  # Such as a strategy of a file that is not loaded.
        unknown = f"The plan of this experiment is not readable: {error}."
        return PlanNotes((unknown,), unknown)
    stopping, factor, held = None, 1.0, False
    if planned.until is not None:
        factor = stretch(looks_at(planned.games))
        look = last_look(planned, journal, row.id)
        if look is not None:
            held = look.holds
            state = "stopped" if held else "was to stop"
            stopping = (
                f"The experiment {state} by the rule {planned.until}. After {look.games:,} games, {look.said}: this "
                "allows for the rule; the intervals and tiers below do not."
            )
    notes = () if stopping is None else (stopping,)
    if exclusions is None:
        return PlanNotes(notes, stopping)
    registered = Registered.of(row.settings, row.created, _changes(planned, row, journal, exclusions, held), factor)
    if registered is None:
        return PlanNotes(notes, stopping)
    study = study_of(tables)
    contrasts: list[RegisteredContrast] = registered.contrasts(study, tables)
    names = tuple(name for name in study.measures if registered.is_registered(name))
    notes = (*registered.sentences(contrasts), *notes)
    return PlanNotes(notes, stopping, names, registered.as_record(contrasts))


def _changes(planned: Experiment, row: ExperimentRow, journal: Journal, exclusions: str, held: bool) -> list[str]:
    """Return the deviations from the registered plan."""
    if planned.registration is None:
        return []
    changes = []
    registered = planned.registration["plan"]["exclusions"]
    if exclusions != registered:
        changes.append(f"{_left_out(exclusions)}, and registered was that {_left_out(registered)}")
    if not held and row.games + row.void < planned.games:
        changes.append(f"{row.games + row.void:,} of {planned.games:,} games are played")
    if row.void:
        changes.append(f"{row.void:,} games are void")
    first = row.settings.get("limits", {})
    for run in journal.runs(row.id):
        limits = run.settings.get("limits", {})
        other = [f"{name} {limits[name]}" for name in limits if name in first and limits[name] != first[name]]
        if other:
            changes.append(f"run {run.number} had other limits ({', '.join(other)})")
    return changes


def _left_out(exclusions: str) -> str:
    return "nothing is left out" if exclusions == "none" else f"{exclusions} with defaulted answers are left out"
