"""What a report says of how an experiment was planned: the rule that stopped it, and the plan that was registered."""

from dataclasses import dataclass
from typing import Any

from ostrom.analysis.registered import Found, Registered
from ostrom.analysis.sequential import looks_at, stretch
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.experiment.plan import Experiment, experiment_of
from ostrom.experiment.stages import last_look
from ostrom.journal.overview import ExperimentRow
from ostrom.journal.sql import Journal


@dataclass(frozen=True)
class Conduct:
    """How an experiment was planned, beside how it went."""

    notes: tuple[str, ...] = ()
    """What a report says first."""
    registered: tuple[str, ...] | None = None
    """The measures that were registered; None where nothing was."""
    document: dict[str, Any] | None = None
    """The same for programs."""


def conduct_of(journal: Journal, experiment: str, tables: GameTables, exclusions: str) -> Conduct:
    """How an experiment was planned. `exclusions` says what this analysis leaves out for defaulted answers: 'none',
    'games' or 'seats'."""
    wanted = journal.experiment_id(experiment)
    row = next(row for row in journal.experiments() if row.id == wanted)
    if not {"until", "registration"} & set(row.settings):
        return Conduct()
    planned = experiment_of(row.name, row.settings)
    notes, factor, held = [], 1.0, False
    if planned.until is not None:
        factor = stretch(looks_at(planned.games))
        found = last_look(planned, journal, wanted)
        if found is not None:
            held = found.holds
            state = "stopped" if held else "was to stop"
            notes.append(
                f"The experiment {state} by the rule {planned.until}: after {found.games:,} games, {found.said}. That "
                f"interval is {factor:.2f} times as long as usual, and holds although the rule chose the moment; other "
                "intervals on this page do not take the rule into account."
            )
    registered = Registered.of(row.settings, row.created, _changes(planned, row, journal, exclusions, held), factor)
    if registered is None:
        return Conduct(tuple(notes))
    study = study_of(tables)
    contrasts: list[Found] = registered.contrasts(study, tables)
    names = tuple(name for name in study.measures if registered.is_registered(name))
    return Conduct((*registered.sentences(contrasts), *notes), names, registered.as_record(contrasts))


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
