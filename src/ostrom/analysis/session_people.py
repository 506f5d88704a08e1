"""People who answered the tasks of a family in a session. Their means are one row of the family's leaderboards, beside
published values of people."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.analysis.study import NothingLeft, Scored, SubjectStudy
from ostrom.journal.record import GameRecord
from ostrom.journal.results import FinishedGame
from ostrom.journal.sessions import REHEARSAL, SESSION

PEOPLE = "people"
"""The name of rows of people in leaderboards; in a session's row, the session follows in brackets."""


@dataclass(frozen=True)
class SessionPeople:
    """The people of one session and their games that count."""

    experiment: str
    session: str
    """The name of the session."""
    day: str
    """The day on which the last of these games ended."""
    games: Mapping[str, tuple[str, ...]]
    """The ids of games by person."""
    rehearsal: bool = False
    """True if the participants were simulated."""

    @property
    def row(self) -> str:
        """The name of the people's row."""
        return f"{REHEARSAL if self.rehearsal else PEOPLE} ({self.experiment})"

    @property
    def source(self) -> str:
        """The origin of the row, as published values have one."""
        people = f"{len(self.games):,} {'person' if len(self.games) == 1 else 'people'}"
        of = f"simulated in a rehearsal of {self.session}" if self.rehearsal else f"of the session {self.session}"
        return f"{people} {of} ({self.experiment}, {self.day})"

    @property
    def every_game(self) -> frozenset[str]:
        return frozenset(game for games in self.games.values() for game in games)


def session_people(
    results: Iterable[FinishedGame],
    settings: Mapping[str, Mapping[str, Any]],
    only: Collection[str] | None = None,
) -> list[SessionPeople]:
    """Return the people of each session in these results. Practice tables and seats of people who were replaced do not
    count. `settings` has the settings of every experiment. `only` has the ids of the games that count; None means all
    games."""
    by_session: dict[str, dict[str, list[str]]] = {}
    days: dict[str, str] = {}
    for result in results:
        is_session = SESSION in settings.get(result.experiment, {})
        if not is_session or result.practice or 0 in result.replaced or (only is not None and result.id not in only):
            continue
        games = by_session.setdefault(result.experiment, {})
        games.setdefault(result.players[0], []).append(result.id)
        days[result.experiment] = max(days.get(result.experiment, ""), result.finished[:10])
    return [
        SessionPeople(
            experiment,
            str(settings[experiment][SESSION]),
            days[experiment],
            {person: tuple(games[person]) for person in sorted(games)},
            rehearsal=settings[experiment].get(REHEARSAL) is True,
        )
        for experiment, games in by_session.items()
    ]


def pooled_row(study: SubjectStudy, people: SessionPeople, scored: Sequence[Scored]) -> Scored:
    """Return the row of a session's people, given the scores of each."""
    assert study.pooled is not None
    return study.pooled(people.row, people.source, scored)


def score_with_people(
    study: SubjectStudy,
    records: Iterable[tuple[str, str, GameRecord]],
    sessions: Sequence[SessionPeople],
    where: str,
    subjects: Sequence[str] = (),
) -> list[Scored]:
    """Return the scores of the subjects of these games, or of the named ones. The people of a session are one row, and
    single persons are scored only if they are named. Raises `NothingLeft` if a subject has no answers."""
    games = [record for record in records if record[2].game in study.records]
    of_people = frozenset[str]().union(*(people.every_game for people in sessions))
    rows = {people.row: people for people in sessions}
    pooled = [rows[name] for name in subjects if name in rows] if subjects else sessions
    named = [name for name in subjects if name not in rows]
    single = games if named else [record for record in games if record[0] not in of_people]
    scored: list[Scored] = []
    if named or (single and not subjects) or not pooled:
        scored = study.scored(single, where, named)
    for people in pooled:
        own = people.every_game
        scored.append(pooled_row(study, people, study.score(record for record in games if record[0] in own)))
    if not scored:
        raise NothingLeft(study.no_answers(where))
    return study.in_order(scored)
