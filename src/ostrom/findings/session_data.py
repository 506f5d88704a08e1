"""The data of a session: its entries, its games and, on request, its personal values, as tidy tables."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple

import polars as pl

from ostrom.core import InputError
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.participants import participant_name
from ostrom.experiment.session.state import SessionState, TableState
from ostrom.journal.record import GameRecord, RecordedAnswer
from ostrom.journal.sessions import StoredSession
from ostrom.journal.sql import Journal
from ostrom.players.people.session_seat import DECIDED_BY

LABEL: Final = "label"
PANEL: Final = "panel."
ANSWER: Final = "answer."
CHAT: Final = "chat."
_QUESTION: Final = re.compile(r"(?:\d+-)?(\d+)-(.+)", re.DOTALL)
"""The id of a question: the number of the table, the turn and the phase."""


class TimedEntry(NamedTuple):
    """An entry with its time."""

    at: str
    entry: e.AnyEntry


@dataclass(frozen=True)
class PersonDecision:
    """A decision of a seat of a person at a table."""

    table: TableState
    participant: int
    answer: RecordedAnswer
    decided_by: str | None
    """The player that decided in the person's place, or None."""
    shown: str | None = None
    answered: str | None = None
    refused: int = 0

    @property
    def own(self) -> bool:
        """True if the person gave the answer."""
        return self.answered is not None

    @property
    def seconds(self) -> float | None:
        """The seconds from the moment at which the question was shown to the answer."""
        return seconds_between(self.shown, self.answered)


@dataclass(frozen=True)
class SessionData:
    """All data of a session."""

    session: StoredSession
    file: SessionFile
    state: SessionState
    entries: Sequence[TimedEntry]
    personal: Mapping[tuple[int, str], Any]
    """Personal values by participant and name; empty unless they were asked for."""
    records: Mapping[str, GameRecord]
    """The games by the keys of their tables, as far as they have begun."""
    substitutes: Mapping[tuple[str, int, str, int], str]
    """The players that decided in people's places, by key, turn, phase and seat."""

    @property
    def participants(self) -> list[int]:
        return sorted(self.state.participants)

    def of_kind(self, kind: type[e.Entry]) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a kind with their times."""
        return ((at, entry) for at, entry in self.entries if isinstance(entry, kind))

    @cached_property
    def _answered(self) -> dict[tuple[str, int, str, int], e.Answered]:
        """The entries of answers by key, turn, phase and participant."""
        answered = {}
        for _, entry in self.of_kind(e.Answered):
            match = _QUESTION.fullmatch(entry.question)
            if match is not None and entry.participant is not None:
                answered[entry.key, int(match[1]), match[2], entry.participant] = entry
        return answered

    def decisions(self) -> Iterator[PersonDecision]:
        """Yield the decisions of all seats of people, table by table, in the order of the games."""
        for key, table in self.state.tables.items():
            record = self.records.get(key)
            for answer in () if record is None else record.answers:
                member = table.group.seats[answer.seat] if answer.seat < len(table.group.seats) else None
                if not isinstance(member, int):
                    continue
                by = self.substitutes.get((key, answer.turn, answer.phase, answer.seat))
                entry = None if by else self._answered.get((key, answer.turn, answer.phase, member))
                if entry is None:
                    yield PersonDecision(table, member, answer, by)
                else:
                    yield PersonDecision(table, member, answer, by, entry.shown, entry.answered, entry.refused)


def load_session_data(journal: Journal, name: str, *, personal: bool = False) -> SessionData:
    """Return the data of a session. Personal values are read only if they are asked for."""
    session = journal.sessions.find(name)
    content = session.settings.get("file")
    if not isinstance(content, Mapping):
        raise InputError(f"the session {session.id} has no stored file; check the journal and repair it")
    file = SessionFile.model_validate(content)
    stored = journal.sessions.entries(session.id)
    state = SessionState(file).fold(stored)
    entries = [TimedEntry(entry.at, e.read_entry(entry.kind, entry.participant, entry.data)) for entry in stored]
    values = journal.sessions.personal(session.id) if personal else []
    ids = {row.key: row.id for row in journal.games(session.experiment)}
    records = {key: journal.record(ids[key]) for key in state.tables if key in ids}
    substitutes = {
        (key, *question): str(call.extra[DECIDED_BY])
        for key in records
        if any(state.participants[member].replaced_by for member in state.tables[key].people)
        for question, call in journal.calls(ids[key])
        if call.fault is None and DECIDED_BY in call.extra
    }
    by_name = {(value.participant, value.name): value.value for value in values}
    return SessionData(session, file, state, entries, by_name, records, substitutes)


def seconds_between(first: str | None, last: str | None) -> float | None:
    """Return the seconds between two times, or None if one of them is missing or invalid."""
    try:
        if first is None or last is None:
            return None
        return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
    except (ValueError, TypeError):
        return None


def tidy_tables(data: SessionData) -> dict[str, pl.DataFrame]:
    """Return the tidy tables of a session by name. People are named person-01 and so on in all of them. Labels, panel
    ids, free texts and the lobby's messages are in them only if the data have personal values."""
    tables = {
        "participants": _participants(data),
        "tables": _seats(data),
        "decisions": _decisions(data),
        "pages": _pages(data),
        "consent": _consent(data),
        "quiz": _quiz(data),
        "questionnaire": _questionnaire(data),
        "beliefs": _beliefs(data),
        "payments": _payments(data),
    }
    if data.file.recording.traces:
        tables["traces"] = _traces(data)
    if any(name.startswith(CHAT) for _, name in data.personal):
        tables["lobby"] = _lobby(data)
    return tables


def _frame(rows: Iterable[Sequence[Any]], **columns: Any) -> pl.DataFrame:
    """Return a table; lone surrogates in texts are replaced, since tables cannot store them."""
    plain = [tuple(_storable(value) for value in row) for row in rows]
    return pl.DataFrame(plain, schema=columns, orient="row")


def _storable(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def value_text(value: Any) -> str | None:
    """Return a value as JSON, and a text as it is."""
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _participants(data: SessionData) -> pl.DataFrame:
    rows = []
    panel = sorted({name for _, name in data.personal if name.startswith(PANEL)})
    for number in data.participants:
        person = data.state.participants[number]
        page = data.state.page_of(person).name
        counted = [points for key, points in person.points.items() if not data.state.tables[key].group.practice]
        head = (person.name, person.treatment, person.language, person.joined, person.consent, person.outcome, page)
        away = (person.replaced_by, person.absent_since is not None, person.answered, person.refused, person.person)
        points = (sum(counted) if counted else None, sum(person.belief_points.values()))
        own = [value_text(data.personal.get((number, name))) for name in (LABEL, *panel)] if data.personal else []
        rows.append((*head, *away, *points, *own))
    return _frame(
        rows,
        **dict.fromkeys(("participant", "treatment", "language", "joined"), pl.String),
        **{"consent": pl.Boolean, "outcome": pl.String, "page": pl.String, "replaced_by": pl.String},
        **{"absent": pl.Boolean, "answered": pl.Int64, "refused": pl.Int64, "person_or_model": pl.String},
        **{"points": pl.Float64, "belief_points": pl.Float64},
        **(dict.fromkeys((LABEL, *panel), pl.String) if data.personal else {}),
    )


def _seats(data: SessionData) -> pl.DataFrame:
    rows = []
    for key, table in data.state.tables.items():
        group = table.group
        game = data.file.game(group.game).game
        head = (key, group.game, game, group.table, group.group, group.treatment, group.practice, table.game_id)
        for seat, member in enumerate(group.seats):
            person = data.state.participants[member] if isinstance(member, int) else None
            replaced = any(by[0] == key and by[3] == seat for by in data.substitutes)
            who = (None if person is None else person.name, member if isinstance(member, str) else None)
            state = table.ending or ("playing" if table.started else "formed")
            points = None if person is None else table.points.get(person.number)
            rows.append((*head, state, seat, *who, seat in group.filled, replaced, group.relaxed, points))
    return _frame(
        rows,
        **{"table": pl.String, "session_game": pl.String, "game": pl.String, "number": pl.Int64, "group": pl.Int64},
        **{"treatment": pl.String, "practice": pl.Boolean, "game_id": pl.String, "state": pl.String, "seat": pl.Int64},
        **{"participant": pl.String, "player": pl.String, "filled": pl.Boolean, "replaced": pl.Boolean},
        relaxed=pl.Boolean,
        points=pl.Float64,
    )


def _decisions(data: SessionData) -> pl.DataFrame:
    rows = [
        (
            *(
                decision.table.group.key,
                decision.table.group.practice,
                decision.answer.turn,
                decision.answer.phase,
                decision.answer.seat,
            ),
            *(
                participant_name(decision.participant),
                value_text(decision.answer.value),
                decision.answer.provenance.value,
            ),
            *(decision.decided_by, decision.own, decision.shown, decision.answered, decision.seconds, decision.refused),
        )
        for decision in data.decisions()
    ]
    return _frame(
        rows,
        **{"table": pl.String, "practice": pl.Boolean, "turn": pl.Int64, "phase": pl.String, "seat": pl.Int64},
        **{"participant": pl.String, "value": pl.String, "provenance": pl.String, "decided_by": pl.String},
        **{"own": pl.Boolean, "shown": pl.String, "answered": pl.String, "seconds": pl.Float64, "refused": pl.Int64},
    )


def _pages(data: SessionData) -> pl.DataFrame:
    rows = [(_name(entry), entry.page, entry.name, at, entry.seconds) for at, entry in data.of_kind(e.PageDone)]
    return _frame(rows, **dict.fromkeys(("participant", "page", "name", "done"), pl.String), **{"seconds": pl.Float64})


def _consent(data: SessionData) -> pl.DataFrame:
    rows = [(_name(entry), entry.version, entry.agreed, at) for at, entry in data.of_kind(e.Consented)]
    return _frame(rows, participant=pl.String, version=pl.String, agreed=pl.Boolean, at=pl.String)


def _quiz(data: SessionData) -> pl.DataFrame:
    rows = [
        (_name(entry), entry.question, entry.attempt, value_text(entry.value), entry.right, at)
        for at, entry in data.of_kind(e.QuizAnswered)
    ]
    texts = dict.fromkeys(("participant", "question"), pl.String)
    return _frame(rows, **texts, attempt=pl.Int64, value=pl.String, right=pl.Boolean, at=pl.String)


def _questionnaire(data: SessionData) -> pl.DataFrame:
    rows = []
    for at, entry in data.of_kind(e.QuestionnaireAnswered):
        value = data.personal.get((entry.participant, ANSWER + entry.name)) if entry.personal else entry.value
        rows.append((_name(entry), entry.name, value_text(value), entry.personal, at))
    texts = dict.fromkeys(("participant", "question", "value"), pl.String)
    return _frame(rows, **texts, personal=pl.Boolean, at=pl.String)


def _beliefs(data: SessionData) -> pl.DataFrame:
    scored = {(entry.participant, entry.name): entry for _, entry in data.of_kind(e.BeliefScored)}
    games = {belief.name: belief.game for belief in data.file.beliefs}
    rows = []
    for at, entry in data.of_kind(e.BeliefAnswered):
        score = scored.get((entry.participant, entry.name))
        truth = (None, None) if score is None else (score.truth, score.points)
        rows.append((_name(entry), entry.name, games.get(entry.name), entry.value, *truth, at))
    texts = dict.fromkeys(("participant", "belief", "session_game"), pl.String)
    return _frame(rows, **texts, value=pl.Float64, truth=pl.Float64, points=pl.Float64, at=pl.String)


def _payments(data: SessionData) -> pl.DataFrame:
    currency = None if data.file.payment is None else data.file.payment.currency
    rows = []
    for number in data.participants:
        person = data.state.participants[number]
        if person.paid is None:
            continue
        tail = (person.paid.total, person.paid.code, person.drawn, person.draw_words)
        rows += [
            (person.name, place, line["words"], line["points"], line["amount"], currency, *tail)
            for place, line in enumerate(person.paid.lines, start=1)
        ]
    return _frame(
        rows,
        **{"participant": pl.String, "line": pl.Int64, "words": pl.String, "points": pl.Float64},
        **dict.fromkeys(("amount", "currency", "total", "code", "drawn", "draw"), pl.String),
    )


def _traces(data: SessionData) -> pl.DataFrame:
    entries = [entry for _, entry in data.of_kind(e.TraceRecorded)]
    names = sorted({name for entry in entries for name in entry.numbers})
    rows = [(_name(entry), entry.question, *(entry.numbers.get(name) for name in names)) for entry in entries]
    return _frame(rows, participant=pl.String, question=pl.String, **dict.fromkeys(names, pl.Float64))


def _lobby(data: SessionData) -> pl.DataFrame:
    rows = [
        (_name(entry), entry.number, value_text(data.personal.get((entry.participant, f"{CHAT}{entry.number}"))), at)
        for at, entry in data.of_kind(e.Chatted)
    ]
    return _frame(rows, participant=pl.String, number=pl.Int64, text=pl.String, at=pl.String)


def _name(entry: e.Entry) -> str | None:
    return None if entry.participant is None else participant_name(entry.participant)
