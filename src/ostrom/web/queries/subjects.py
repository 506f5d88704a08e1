"""Subjects: who answered, and everybody's scores, each computed when it is first wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ostrom.analysis.study import Scored, SubjectStudy
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast
from ostrom.core import InputError, UnknownName
from ostrom.web.library import FINISHED, digest_of
from ostrom.web.queries.filters import experiment_ids
from ostrom.web.queries.studies import study_meant, subject_studies
from ostrom.web.service import Service

MOST: Final = 100
"""Subjects that are scored for one answer at most; scoring one can take a second."""


@dataclass(frozen=True)
class Asked:
    """Whose answers there are: the games of every subject, in the order of their names."""

    study: SubjectStudy
    games: dict[str, tuple[str, ...]]

    @property
    def cast(self) -> Cast:
        """How the subjects look in charts."""
        return subject_charts(self.study).cast(self.study, self.games)


def family(service: Service, kind: str | None) -> SubjectStudy:
    """The family of tasks of this name; where none is named, the first that there are answers to, or else any."""
    study = subject_studies(service)[0] if kind is None else study_meant(service, kind)
    if not isinstance(study, SubjectStudy):
        raise InputError(f"{study.spoken} rates players, and scores no subjects; /api/ratings has what it says")
    return study


def asked(service: Service, study: SubjectStudy, experiments: Sequence[str]) -> Asked:
    """The subjects of these experiments, or of all."""
    ids = experiment_ids(service, experiments)
    games: dict[str, list[str]] = {}
    for row in service.findings.library.rows(study):
        if row.state == FINISHED and (not ids or row.experiment in ids):
            games.setdefault(row.players[0], []).append(row.id)
    return Asked(study, {name: tuple(games[name]) for name in sorted(games)})


def scored(service: Service, found: Asked, subject: str) -> Scored:
    """The scores of one subject."""
    games = found.games.get(subject)
    if games is None:
        error = UnknownName("subject", subject, [])
        error.args = (f"there are no answers of {subject!r} here; /api/scores lists the subjects",)
        raise error
    return service.findings.kept(
        ("scores", found.study.command, subject, digest_of(games)),
        lambda: found.study.score(service.findings.library.records(games))[0],
    )


def all_scored(service: Service, found: Asked, subjects: Sequence[str]) -> list[Scored]:
    """The scores of these subjects, or of all, in the order of the report."""
    wanted = [name for name in found.games if not subjects or name in subjects]
    if len(wanted) > MOST:
        raise InputError(f"there are {len(wanted):,} subjects; choose at most {MOST} of them, or an experiment")
    return found.study.in_order(scored(service, found, name) for name in wanted)
