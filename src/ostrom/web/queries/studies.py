"""What can be compared: every game that there are finished games of, and what they can be filtered by."""

from collections import Counter
from typing import Any

from ostrom.analysis.study import AnyStudy, Study, SubjectStudy, all_studies, most_first, study_called
from ostrom.core.spoken import text_events
from ostrom.web.library import FINISHED
from ostrom.web.service import Service
from ostrom.web.shapes.study import Studies, StudyExperiment, StudyItem


def studies(service: Service) -> Studies:
    """All studies for which there is at least one finished game, the most games first, those of subjects last."""
    names = service.journal.ended.experiments()
    return Studies(studies=[_item(service, study, names) for study in studies_here(service)])


def studies_here(service: Service) -> list[AnyStudy]:
    """The studies of the games that are finished here."""
    return most_first(service.journal.ended.kinds(), service.journal)


def study_meant(service: Service, kind: str | None) -> AnyStudy:
    """The study of this name; where none is named, the first of those here."""
    here = studies_here(service)
    if kind is None:
        return (here or all_studies())[0]
    return next((study for study in here if study.command == kind), None) or study_called(kind)


def subject_studies(service: Service) -> list[SubjectStudy]:
    """The families of tasks that there are answers to; all of them where there are none."""
    here = [study for study in studies_here(service) if isinstance(study, SubjectStudy)]
    return here or [study for study in all_studies() if isinstance(study, SubjectStudy)]


def _item(service: Service, study: AnyStudy, names: dict[str, str]) -> StudyItem:
    rows = [row for row in service.findings.library.rows(study) if row.state == FINISHED]
    games = Counter(row.experiment for row in rows)
    return StudyItem(
        kind=study.command,
        title=study.title,
        games=len(rows),
        experiments=[StudyExperiment(id=one, name=names[one], games=games[one]) for one in names if one in games],
        players=sorted({player for row in rows for player in row.players}),
        messages=isinstance(study, Study) and _mixed(service, study),
        subjects=isinstance(study, SubjectStudy),
        speaks=speaks(service, study),
        pairs=isinstance(study, Study) and all(len(row.players) == 2 for row in rows),
    )


def speaks(service: Service, study: AnyStudy) -> bool:
    """Whether anything was said in the games of a study. Games in which nobody can speak are not read for it."""
    if not isinstance(study, Study) or not text_events(study.game.events):
        return False
    return service.findings.volume(study).tables.messages.height > 0


def _mixed(service: Service, study: Study[Any]) -> bool:
    """Whether some games have messages and others have none, by a rule of that name."""
    if "messages" not in study.game.rules.model_fields:
        return False
    games = service.findings.volume(study).tables.games
    return "messages" in games.columns and games["messages"].n_unique() > 1
