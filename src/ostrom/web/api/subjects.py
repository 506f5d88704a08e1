"""The subjects of families of tasks, and their scores, computed lazily."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ostrom.analysis import pooling
from ostrom.analysis.study import Scored, SubjectStudy, all_studies
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast
from ostrom.core import InputError, UnknownName
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.names import PlayerNames
from ostrom.journal.schema import FINISHED
from ostrom.web.api.studies import experiment_ids, find_study, studies_here
from ostrom.web.cache import digest_of
from ostrom.web.service import Service

MAX_SCORED_SUBJECTS: Final = 100
"""The maximum number of subjects in one reply; scoring one may need a second."""


@dataclass(frozen=True)
class SubjectSelection:
    """The games of every subject, sorted by subject."""

    study: SubjectStudy
    games: dict[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    """The excluded subjects, in sentences."""
    names: PlayerNames | None = None

    @property
    def cast(self) -> Cast:
        return subject_charts(self.study).cast(self.study, self.games, self.names)


def find_family(service: Service, kind: str | None) -> SubjectStudy:
    """Return the family of tasks of this name, by default the first with answers, or else any; raise `InputError` for
    a game."""
    if kind is None:
        studies = (study for study in studies_here(service) if isinstance(study, SubjectStudy))
        # All installed games are searched only if the journal has no answers.
        return next(studies, None) or next(study for study in all_studies() if isinstance(study, SubjectStudy))
    study = find_study(service, kind)
    if not isinstance(study, SubjectStudy):
        raise InputError(f"{study.spoken} rates players and does not score subjects; see /api/ratings")
    return study


def select_subjects(
    service: Service, study: SubjectStudy, experiments: Sequence[str], pool: Collection[str] = ()
) -> SubjectSelection:
    """Return the subjects of these experiments, or of all that are not archived. From all, people are excluded unless
    they are pooled with the others or are the only subjects."""
    ids = experiment_ids(service, experiments)
    rows = [row for row in service.studies.rows(study) if row.state == FINISHED and (not ids or row.experiment in ids)]
    left_out = []
    if not ids:
        settings = service.journal.ended.settings()
        rows = [row for row in rows if settings.get(row.experiment, {}).get(ARCHIVED) is not True]
        others = [row for row in rows if not pooling.with_people(row.players)]
        people = len({row.players[0] for row in rows} - {row.players[0] for row in others})
        if people and others and "people" not in pool:
            rows, left_out = others, [f"Apart: answers by {people:,} {'person' if people == 1 else 'people'}."]
    games: dict[str, list[str]] = {}
    for row in rows:
        games.setdefault(row.players[0], []).append(row.id)
    ordered = {name: tuple(games[name]) for name in sorted(games)}
    return SubjectSelection(study, ordered, tuple(left_out), service.player_names())


def score_subject(service: Service, selection: SubjectSelection, subject: str) -> Scored:
    """Return the scores of one subject; raise `UnknownName` if it has no answers."""
    games = selection.games.get(subject)
    if games is None:
        text = f"there are no answers by {subject!r} here; /api/scores lists the subjects"
        raise UnknownName("subject", subject, [], text=text)
    return service.studies.get_or_make(
        ("scores", selection.study.command, subject, digest_of(games)),
        lambda: selection.study.score(service.studies.records(games))[0],
    )


def score_subjects(service: Service, selection: SubjectSelection, subjects: Sequence[str]) -> list[Scored]:
    """Return the scores of these subjects, or of all, in the order of the report; raise `InputError` for too many."""
    names = [name for name in selection.games if not subjects or name in subjects]
    if len(names) > MAX_SCORED_SUBJECTS:
        raise InputError(
            f"there are {len(names):,} subjects; choose at most {MAX_SCORED_SUBJECTS} of them, or an experiment"
        )
    return selection.study.in_order(score_subject(service, selection, name) for name in names)
