"""What a report says of how an experiment was planned: the rule that stopped it, and the plan that was registered."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from ostrom.analysis.intervals import looks_at, stretch
from ostrom.analysis.registered import Registered, RegisteredContrast
from ostrom.analysis.selection import suspended_games
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.experiment.plan import Experiment, experiment_of
from ostrom.experiment.stages import last_look
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.sql import Journal


@dataclass(frozen=True)
class Conduct:
    """How an experiment was planned, beside how it went."""

    notes: tuple[str, ...] = ()
    """What a report says first."""
    stopping: str | None = None
    """That a rule may have stopped it, and what of the figures takes that into account."""
    registered: tuple[str, ...] | None = None
    """The measures that were registered; None where nothing was."""
    document: dict[str, Any] | None = None
    """The same for programs."""


def conduct_of(journal: Journal, tables: GameTables, exclusions: str | None) -> Conduct:
    """How the experiment of these tables was planned, of which nothing is said where they are of several; and why games
    of them are missing. `exclusions` says what this analysis leaves out for defaulted answers: 'none', 'games' or
    'seats'; without it, nothing is said of a registered plan."""
    found = _planned(journal, tables, exclusions)
    return replace(found, notes=(*found.notes, *missing_games(journal, set(tables.games["experiment"]))))


def missing_games(journal: Journal, experiments: Collection[str]) -> list[str]:
    """What a report says of games that do not go on."""
    return [f"Missing: {cause}." for cause in suspended_games(journal, experiments)]


def _planned(journal: Journal, tables: GameTables, exclusions: str | None) -> Conduct:
    experiments = tables.games["experiment"].unique().to_list()
    if len(experiments) != 1 or not {"until", "registration"} & set(journal.settings(experiments[0])):
        return Conduct()
    row = next(row for row in journal.experiments() if row.id == experiments[0])
    try:
        planned = experiment_of(row.name, row.settings)
    except InputError as error:  # a strategy of a file that is not loaded, say
        unknown = f"How this experiment was planned cannot be said: {error}."
        return Conduct((unknown,), unknown)
    stopping, factor, held = None, 1.0, False
    if planned.until is not None:
        factor = stretch(looks_at(planned.games))
        found = last_look(planned, journal, row.id)
        if found is not None:
            held = found.holds
            state = "stopped" if held else "was to stop"
            stopping = (
                f"The experiment {state} by the rule {planned.until}. After {found.games:,} games, {found.said}: this "
                "allows for the rule; the intervals and tiers below do not."
            )
    notes = () if stopping is None else (stopping,)
    if exclusions is None:
        return Conduct(notes, stopping)
    registered = Registered.of(row.settings, row.created, _changes(planned, row, journal, exclusions, held), factor)
    if registered is None:
        return Conduct(notes, stopping)
    study = study_of(tables)
    contrasts: list[RegisteredContrast] = registered.contrasts(study, tables)
    names = tuple(name for name in study.measures if registered.is_registered(name))
    said = (*registered.sentences(contrasts), *notes)
    return Conduct(said, stopping, names, registered.as_record(contrasts))


def _changes(planned: Experiment, row: ExperimentRow, journal: Journal, exclusions: str, held: bool) -> list[str]:
    """What is not as it was registered."""
    if planned.registration is None:
        return []
    changes = []
    meant = planned.registration["plan"]["exclusions"]
    if exclusions != meant:
        changes.append(f"{_left_out(exclusions)}, and registered was that {_left_out(meant)}")
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
