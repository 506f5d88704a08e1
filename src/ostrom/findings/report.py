"""The verb `report`: the charts and tables of an experiment, or a comparison of two experiments, in one folder."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ostrom.analysis.default_bounds import DefaultBounds, bounds_table, default_bounds
from ostrom.analysis.leaderboard import rate_players
from ostrom.analysis.provenance import StudyProvenance, provenance_of
from ostrom.analysis.rating_settings import USUAL, RatingSettings
from ostrom.analysis.selection import (
    Note,
    Selection,
    answered_games,
    begun_in,
    counted_games,
    scored_subjects,
    select_tables,
)
from ostrom.analysis.study import SubjectStudy, most_first, study_by_command, study_of
from ostrom.charts.catalogue import WrittenReport, catalogue_of, subject_charts
from ostrom.charts.comparison import write_comparison
from ostrom.charts.report import write_report
from ostrom.core.command import typed_command
from ostrom.core.errors import InputError, field
from ostrom.core.files import check_folder
from ostrom.core.finding import Finding, Table
from ostrom.core.plugins import GAMES
from ostrom.core.settings import Display, excludes
from ostrom.core.text import number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.findings.beside import design_sentences, tables_of_people
from ostrom.findings.keeping import StoredSimulation
from ostrom.findings.ratings import BoardSettings, missing_games, plan_notes
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal


class ReportSettings(BoardSettings):
    """Settings of the verb `report`."""

    output: Annotated[Path, Display(form="DIR", short="o")] = Field(
        description="The folder to write; created if missing."
    )
    compare: Annotated[tuple[str, str] | None, Display(form="A B")] = Field(
        None, description="Compare two experiments, by id or name."
    )
    beside: Annotated[str | None, Display(form="STUDY")] = Field(
        None,
        description="Compare the games with an imported study of people, by the name of its experiment, such as "
        "alsobay-2025: people's figures with their intervals, and the differences of the designs.",
    )
    margin: Annotated[tuple[str, ...], Display(form="MEASURE=NUMBER")] = Field(
        (),
        description="The smallest difference of interest in a measure; a comparison says which differences are "
        "smaller.",
    )
    relations = (excludes("compare", "experiment"), excludes("compare", "beside"))

    @property
    def margins(self) -> dict[str, float]:
        """The smallest difference of interest by measure. Raises InputError if the text is not a measure with a
        number."""
        margins = {}
        for text in self.margin:
            measure, _, number = text.partition("=")
            try:
                margins[measure] = float(number)
            except ValueError:
                margins[measure] = -1.0
            if not 0 < margins[measure] < math.inf:
                raise InputError(f"{field('margin', text)} must be MEASURE=NUMBER, with a number above 0")
        if margins and self.compare is None and self.beside is None:
            raise InputError(f"{field('margin')} needs {field('compare')} or {field('beside')}")
        return margins


@verb("report", keeps=False)
def report(store: str | None, settings: ReportSettings, reporter: Reporter = SILENT) -> Finding:
    """Draw the report of a game: one page that needs no network, and its pictures and tables."""
    rating, margins = settings.rating, settings.margins
    with open_journal(store) as journal:
        if settings.compare is None and settings.experiment is not None:
            simulation = StoredSimulation.of(journal, settings.experiment)
            if simulation is not None:
                return report_simulation(simulation, settings.selection, settings.output, reporter)
        family = family_in(journal, settings.experiment, settings.game, reporter.note)
        if family is not None and settings.game is not None and (settings.compare or settings.without_defaulted):
            raise InputError(
                f"a report of {family.spoken} shows all subjects side by side and imputes no answer; "
                f"leave out {field('compare')} and {field('without_defaulted')}"
            )
        if settings.compare is not None:
            return compare_experiments(
                journal, settings.compare, settings.selection, settings.output, reporter, margins
            )
        if settings.beside is not None and family is None:
            return report_beside(journal, settings.beside, settings.selection, settings.output, reporter, margins)
        if family is not None:
            return report_subjects(journal, family, settings.selection, settings.output, reporter)
        return report_games(journal, settings.selection, settings.output, rating, reporter)


@dataclass(frozen=True)
class _Source:
    """The provenance of the figures of a report, and the games that are left out."""

    provenance: Sequence[StudyProvenance]
    left_out: Sequence[dict[str, Any]] = ()

    def as_record(self) -> dict[str, Any]:
        return {"left_out": list(self.left_out), "provenance": [entry.as_record() for entry in self.provenance]}


def _report_finding(
    written: WrittenReport, source: _Source | None = None, parts: Sequence[Table] = (), **further: Any
) -> Finding:
    return Finding(
        verb="report",
        title=f"Report {written.page}",
        facts={
            "page": str(written.page),
            "charts": written.charts,
            "tables": written.tables,
            "summary": list(written.short),
            **({} if source is None else source.as_record()),
            **further,
        },
        parts=parts,
        lines=written.short,
        sentences=[f"{written.charts} charts and {written.tables} tables: open {written.page}"],
        root="report",
        result=written,
    )


def report_simulation(simulation: StoredSimulation, selection: Selection, output: Path, reporter: Reporter) -> Finding:
    """Write the report of a simulation. Raise InputError if the selection has further conditions besides the
    experiment."""
    if selection != Selection.select(selection.experiment):
        raise InputError(f"{selection.experiment} is a simulation, and its report cannot be limited to some games")
    with report_folder(output), reporter.bar("charts", len(simulation.charts), "charts") as advance:
        return _report_finding(simulation.write(output, lambda name: advance()))


def report_games(
    journal: Journal,
    selection: Selection,
    output: Path,
    rating: RatingSettings = USUAL,
    reporter: Reporter = SILENT,
) -> Finding:
    """Write the report of the selected games. Raise NothingLeft if there are none."""
    with report_folder(output):
        tables, provenance = select_tables(journal, selection, reporter.note, reporter.spell)
        study = study_of(tables)
        rating = rating.for_game(study.game)
        bounds = default_bounds(study.measures, tables)
        rated = rate_players(tables, **asdict(rating))
        conduct = plan_notes(journal, tables, selection.without_defaulted or "none")
        catalogue, names = catalogue_of(study), journal.names.known()
        with reporter.bar("charts", len(catalogue.pictures)) as advance:
            written = write_report(
                tables,
                rated,
                output,
                title=_title(catalogue.study.title, selection.experiment),
                rating=rating,
                notes=conduct.notes,
                registered=conduct.registered,
                provenance=provenance,
                names=names,
                bounds=bounds,
                progress=lambda name: advance(),
            )
    further: dict[str, Any] = {} if conduct.document is None else {"registered": conduct.document}
    if bounds is not None:
        further["without_bounds"] = bounds.as_record()
    source = _Source([provenance], [tables.left_out.as_record()])
    return _report_finding(written, source, _bounds_tables(bounds, names), **further)


def _bounds_tables(bounds: DefaultBounds | None, names: PlayerNames) -> list[Table]:
    """Return the table of bounds under defaulted answers, if there are any bounds."""
    return [] if bounds is None or bounds.frame.is_empty() else [bounds_table(bounds, names.of)]


def report_subjects(
    journal: Journal, study: SubjectStudy, selection: Selection, output: Path, reporter: Reporter = SILENT
) -> Finding:
    """Write the report of the subjects whose games are selected."""
    experiment = selection.experiment
    with report_folder(output):
        counted = counted_games(journal, experiment, answered_games(journal, study, selection))
        rows = scored_subjects(journal, study, experiment, only=counted)
        results = journal.ended.results(study.records, experiment)
        if counted is not None:
            results = [result for result in results if result.id in counted]
        games = [GAMES[name] for name in study.records]
        provenance = provenance_of(journal, study.title, games, results, typed_command())
        charts = subject_charts(study)
        with reporter.bar("charts", len(charts.boards) + len(rows)) as advance:
            written = charts.write(
                rows,
                output,
                title=_title(study.title, experiment),
                cast=charts.cast(study, [row.subject for row in rows], journal.names.known()),
                notes=missing_games(journal, begun_in(journal, study, experiment)),
                provenance=provenance,
                progress=lambda name: advance(),
            )
    return _report_finding(written, _Source([provenance]))


def compare_experiments(
    journal: Journal,
    pair: tuple[str, str],
    selection: Selection,
    output: Path,
    reporter: Reporter = SILENT,
    margins: Mapping[str, float] | None = None,
) -> Finding:
    """Write the comparison of two experiments, which are given by id or name. `margins` has the smallest difference of
    interest by measure. Raise InputError if both are the same experiment."""
    if len({journal.experiment_id(name) for name in pair}) == 1:
        raise InputError(f"{field('compare')} needs two different experiments; {pair[0]} and {pair[1]} are the same")
    with report_folder(output):
        selections = [selection.changed(experiments=(name,)) for name in pair]
        (a, provenance_a), (b, provenance_b) = (
            select_tables(journal, selection, reporter.note, reporter.spell) for selection in selections
        )
        provenance = (provenance_a, provenance_b)
        notes = reuse_notes(journal, pair)
        written = write_comparison(
            a, b, output, pair=pair, provenance=provenance, names=journal.names.known(), margins=margins, notes=notes
        )
    source = _Source(provenance, [a.left_out.as_record(), b.left_out.as_record()])
    return _report_finding(written, source, differences=list(written.differences))


def report_beside(
    journal: Journal,
    study: str,
    selection: Selection,
    output: Path,
    reporter: Reporter = SILENT,
    margins: Mapping[str, float] | None = None,
) -> Finding:
    """Write the comparison of the selected games with an imported study of people. Raise InputError if the journal has
    no such study, or if it is of another game."""
    with report_folder(output):
        people, provenance_b = tables_of_people(journal, study, selection.game, reporter)
        if not (selection.game or selection.experiment):
            selection = selection.changed(game=study_of(people).command)
        own, provenance_a = select_tables(journal, selection, reporter.note, reporter.spell)
        pair = (selection.experiment or "these games", study)
        tables, provenance = (own, people), (provenance_a, provenance_b)
        same = study_of(own) is study_of(people)
        designs = design_sentences(pair, tables, provenance) if same else []
        names = journal.names.known()
        written = write_comparison(
            *tables, output, pair=pair, provenance=provenance, names=names, margins=margins, notes=designs
        )
    source = _Source(provenance, [own.left_out.as_record(), people.left_out.as_record()])
    return _report_finding(written, source, differences=list(written.differences), designs=designs)


def reuse_notes(journal: Journal, pair: tuple[str, str]) -> list[str]:
    """Return a sentence for each of two experiments that reused replies of the other experiment. Two such experiments
    are not independent."""
    notes = []
    for name, other in (pair, pair[::-1]):
        reused = journal.replies.sources_among(name, other)
        if reused:
            notes.append(
                f"{number_of(reused, 'answer')} of {name} were taken over from {other}, so the two experiments are "
                "not independent. Tests and intervals of differences assume that all games are independent, except "
                "for the pairs."
            )
    return notes


def _title(study: str, experiment: str | None) -> str:
    return study if experiment is None else f"{study}: {experiment}"


def family_in(journal: Journal, experiment: str | None, game: str | None, note: Note) -> SubjectStudy | None:
    """Return the family of tasks with this name. Without a name, return the first family if there are no other
    games."""
    finished = Counter(row.game for row in journal.games(experiment) if row.state == FINISHED)
    studies = most_first(finished, journal)
    if game is not None:
        named = study_by_command(game, studies)
        return named if isinstance(named, SubjectStudy) else None
    families = [study for study in studies if isinstance(study, SubjectStudy)]
    if not families:
        return None
    if len(families) < len(studies):
        for family in families:
            note(f"there are answers to {family.spoken} too; 'ostrom report {family.command}' shows them")
        return None
    return families[0]


@contextmanager
def report_folder(output: Path) -> Iterator[None]:
    """Create the folder of a report. If the report fails, remove the folders that were created."""
    created: Collection[Path] = check_folder(output)
    try:
        yield
    except BaseException:
        for folder in created:
            with suppress(OSError):
                folder.rmdir()
        raise
