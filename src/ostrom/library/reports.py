"""Reports of what a journal holds, for the command and for the library: of a game, or of subjects that were scored."""

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ostrom.analysis.leaderboard import RatedPlayer, RatingSettings
from ostrom.analysis.provenance import StudyProvenance, provenance_of
from ostrom.analysis.selection import Note, begun_in, counted_games, scored_subjects
from ostrom.analysis.study import SubjectStudy, most_first, study_called, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import WrittenReport, catalogue_of, subject_charts
from ostrom.charts.report import write_report
from ostrom.core.command import typed_command
from ostrom.core.files import check_folder
from ostrom.core.plugins import GAMES
from ostrom.experiment.registration import Conduct, missing_games
from ostrom.journal.names import PlayerNames
from ostrom.journal.sql import Journal
from ostrom.terminal.progress import games_bar


def report_of_games(
    output: Path,
    tables: GameTables,
    rated: list[RatedPlayer],
    passes: int,
    draw_probability: float,
    experiment: str | None,
    made: StudyProvenance,
    planned: Conduct = Conduct(),  # noqa: B008 - it is a value
    names: PlayerNames | None = None,
) -> WrittenReport:
    """Write the report of these tables and ratings."""
    catalogue = catalogue_of(study_of(tables))
    with games_bar("charts", len(catalogue.pictures)) as advance:
        return write_report(
            tables,
            rated,
            output,
            title=catalogue.study.title if experiment is None else f"{catalogue.study.title}: {experiment}",
            rating=RatingSettings(passes, draw_probability),
            notes=planned.notes,
            registered=planned.registered,
            provenance=made,
            names=names,
            progress=lambda name: advance(),
        )


def family_here(journal: Journal, experiment: str | None, game: str | None, note: Note) -> SubjectStudy | None:
    """The family of tasks whose subjects are meant: where it is named, or where there is nothing else."""
    finished = [row.game for row in journal.games(experiment) if row.state == "finished"]
    here = most_first(Counter(finished), journal)
    if game is not None:
        named = study_called(game, here)
        return named if isinstance(named, SubjectStudy) else None
    families = [study for study in here if isinstance(study, SubjectStudy)]
    if not families:
        return None
    if len(families) < len(here):
        for one in families:
            note(f"there are answers to {one.spoken} too; 'ostrom report {one.command}' shows them")
        return None
    return families[0]


def report_of_subjects(
    journal: Journal,
    study: SubjectStudy,
    output: Path,
    experiment: str | None,
    only: Collection[str] | None = None,
) -> tuple[WrittenReport, StudyProvenance]:
    """Write the report of subjects that were scored, by all games or by those with these ids, and say where its figures
    come from."""
    counted = counted_games(journal, experiment, only)
    rows = scored_subjects(journal, study, experiment, only=counted)
    every = journal.ended.results(study.records, experiment)
    results = [one for one in every if counted is None or one.id in counted]
    made = provenance_of(journal, study.title, [GAMES[name] for name in study.records], results, typed_command())
    charts = subject_charts(study)
    with games_bar("charts", len(charts.boards) + len(rows)) as advance:
        written = charts.write(
            rows,
            output,
            title=study.title if experiment is None else f"{study.title}: {experiment}",
            cast=charts.cast(study, [one.subject for one in rows], journal.names.known()),
            notes=missing_games(journal, begun_in(journal, study, experiment)),
            provenance=made,
            progress=lambda name: advance(),
        )
    return written, made


@contextmanager
def folder_for(output: Path) -> Iterator[None]:
    """The folder, while a report is written. One that was made for a report that failed goes again."""
    made = check_folder(output)
    try:
        yield
    except BaseException:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise
