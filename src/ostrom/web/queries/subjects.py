"""The subjects of the battery: who answered, and everybody's scores, each computed when it is first wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ostrom.charts.families import Cast
from ostrom.core import InputError, UnknownName
from ostrom.games.battery.charts.report import cast_of
from ostrom.games.battery.scores.subjects import scored_subjects
from ostrom.games.battery.scores.table import SubjectScores, in_order
from ostrom.games.battery.subjects import is_subject
from ostrom.web.library import digest_of
from ostrom.web.queries.filters import experiment_ids
from ostrom.web.service import Service

MOST: Final = 100
"""Subjects that are scored for one answer at most; scoring one can take a second."""


@dataclass(frozen=True)
class Asked:
    """Whose answers there are: the games of every subject, in the order of their names."""

    games: dict[str, tuple[str, ...]]

    @property
    def cast(self) -> Cast:
        """How the subjects look in charts."""
        return cast_of(self.games, [name for name in self.games if is_subject(name)])


def asked(service: Service, experiments: Sequence[str]) -> Asked:
    """The subjects of these experiments, or of all."""
    ids = experiment_ids(service, experiments)
    games: dict[str, list[str]] = {}
    for row in service.findings.library.questionnaires():
        if not ids or row.experiment in ids:
            games.setdefault(row.players[0], []).append(row.id)
    return Asked({name: tuple(games[name]) for name in sorted(games)})


def scored(service: Service, found: Asked, subject: str) -> SubjectScores:
    """The scores of one subject."""
    games = found.games.get(subject)
    if games is None:
        error = UnknownName("subject", subject, [])
        error.args = (f"there are no answers of {subject!r} here; /api/scores lists the subjects",)
        raise error
    return service.findings.kept(
        ("scores", subject, digest_of(games)),
        lambda: scored_subjects(service.findings.library.records(games), "the journal", [subject])[0],
    )


def all_scored(service: Service, found: Asked, subjects: Sequence[str]) -> list[SubjectScores]:
    """The scores of these subjects, or of all; the most rational first, as the report has them."""
    wanted = [name for name in found.games if not subjects or name in subjects]
    if len(wanted) > MOST:
        raise InputError(f"there are {len(wanted):,} subjects; choose at most {MOST} of them, or an experiment")
    return in_order(scored(service, found, name) for name in wanted)
