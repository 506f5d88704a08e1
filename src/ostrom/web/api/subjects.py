"""The subjects of families of tasks: whose answers there are, each scored when it is first wanted."""

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
from ostrom.web.api.studies import experiment_ids, studies_here, study_meant
from ostrom.web.cache import digest_of
from ostrom.web.service import Service

MOST_SCORED: Final = 100
"""Subjects that are scored for one answer at most; scoring one can take a second."""


@dataclass(frozen=True)
class Asked:
    """Whose answers there are: the games of every subject, in the order of their names."""

    study: SubjectStudy
    games: dict[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    """Who is not among them, in sentences."""
    names: PlayerNames | None = None

    @property
    def cast(self) -> Cast:
        return subject_charts(self.study).cast(self.study, self.games, self.names)


def family(service: Service, kind: str | None) -> SubjectStudy:
    """The family of tasks of this name; where none is named, the first that there are answers to, or else any."""
    if kind is None:
        here = (study for study in studies_here(service) if isinstance(study, SubjectStudy))
        # Every game that is installed is only looked through where there is none.
        return next(here, None) or next(study for study in all_studies() if isinstance(study, SubjectStudy))
    study = study_meant(service, kind)
    if not isinstance(study, SubjectStudy):
        raise InputError(f"{study.spoken} rates players and does not score subjects; see /api/ratings")
    return study


def asked(service: Service, study: SubjectStudy, experiments: Sequence[str], pool: Collection[str] = ()) -> Asked:
    """The subjects of these experiments, or of all: then without archived experiments, and without people unless they
    are taken together with the others, or nobody else answered."""
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
    return Asked(study, ordered, tuple(left_out), service.player_names())


def scored(service: Service, found: Asked, subject: str) -> Scored:
    """The scores of one subject."""
    games = found.games.get(subject)
    if games is None:
        text = f"there are no answers by {subject!r} here; /api/scores lists the subjects"
        raise UnknownName("subject", subject, [], text=text)
    return service.studies.get_or_make(
        ("scores", found.study.command, subject, digest_of(games)),
        lambda: found.study.score(service.studies.records(games))[0],
    )


def all_scored(service: Service, found: Asked, subjects: Sequence[str]) -> list[Scored]:
    """The scores of these subjects, or of all, in the order of the report."""
    wanted = [name for name in found.games if not subjects or name in subjects]
    if len(wanted) > MOST_SCORED:
        raise InputError(f"there are {len(wanted):,} subjects; choose at most {MOST_SCORED} of them, or an experiment")
    return found.study.in_order(scored(service, found, name) for name in wanted)
