"""Forgetting the personal data of a session: labels, panel ids, free texts and messages. What remains are the
decisions, points and payments, by the names person-01 and so on, and an entry that says what was deleted and when.

Messages in games are replaced by a marker. A game is then played again from its changed answers, so its record stays
consistent and its payoffs still follow from its decisions.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ostrom.core import Fields, Optional, Several, Spec, Text, When
from ostrom.core.errors import Disagreement, InputError
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE
from ostrom.experiment.match import replay
from ostrom.experiment.session.entries import Forgotten
from ostrom.experiment.session.file import SessionFile
from ostrom.journal.erasing import ErasedData, RewrittenGame
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord
from ostrom.journal.schema import ENDED, FINISHED
from ostrom.journal.sessions import StoredSession
from ostrom.journal.sql import Journal
from ostrom.players.people.session_seat import DECIDED_BY

MARKER: Final = "[deleted]"
"""The text that stands in place of a deleted message."""
_FORGOTTEN: Final = Forgotten.model_fields["kind"].default


def forget_session(journal: Journal, name: str) -> ErasedData:
    """Delete the personal data of a session, and end the session. Raise InputError if a process runs it."""
    session = journal.sessions.find(name)
    with journal.claim(session.experiment):
        rows = journal.games(session.experiment)
        rewritten = [game for row in rows if (game := _without_texts(journal, row)) is not None]
        erased = journal.sessions.erase(session.id, rewritten, marker=MARKER, kept_extra=(DECIDED_BY,))
        if session.state != ENDED:
            journal.sessions.set_state(session.id, ENDED)
    return erased


def is_forgotten(journal: Journal, session: StoredSession) -> bool:
    """Return whether the personal data of a session were deleted, and none were added since."""
    entries = journal.sessions.entries(session.id)
    return bool(entries) and entries[-1].kind == _FORGOTTEN


def due_sessions(journal: Journal, at: datetime | None = None) -> list[StoredSession]:
    """Return the sessions whose file limits the time for which personal data are kept, if that time is over. It begins
    with the last entry of the session."""
    moment = at or datetime.now(UTC)
    due = []
    for session in journal.sessions.all():
        days = retention_days(session)
        if days is None:
            continue
        entries = journal.sessions.entries(session.id)
        last = entries[-1].at if entries else session.created
        if (not entries or entries[-1].kind != _FORGOTTEN) and _time(last) + timedelta(days=days) <= moment:
            due.append(session)
    return due


def retention_days(session: StoredSession) -> int | None:
    """Return the number of days for which the personal data of a session are kept, or None if its file has no
    limit."""
    content = session.settings.get("file")
    return None if not isinstance(content, Mapping) else SessionFile.model_validate(content).recording.retention_days


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"the journal has {text[:40]!r} as the time of an entry; check and repair it") from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _without_texts(journal: Journal, row: GameRow) -> RewrittenGame | None:
    """Return the changes of a game that replace its texts, or None if it has no text."""
    record = journal.record(row.id)
    if row.state == FINISHED and record.game in GAMES and record.seed is not None:
        # The texts of a game whose record the rules reject are replaced without playing it again.
        with suppress(Disagreement):
            return _replayed(row.id, record)
    values = {(a.turn, a.phase, a.seat): changed for a in record.answers if (changed := _blank(a.value)) != a.value}
    events = {number: new for number, new in enumerate(_rewritten_events(record)) if new != record.events[number]}
    return RewrittenGame(row.id, values, events) if values or events else None


def _replayed(game: str, record: GameRecord) -> RewrittenGame | None:
    """Return the changes of a finished game. It is played again with the changed answers."""
    match = replay(record)
    values = {}
    for decision in match.decisions:
        changed = _without_text(decision.question.spec, decision.answer.value)
        if changed != decision.answer.value:
            turn, phase, seat = decision.question.key
            values[turn, phase, seat] = changed
    if not values:
        return None
    answers = [
        answer.model_copy(update={"value": values.get((answer.turn, answer.phase, answer.seat), answer.value)})
        for answer in record.answers
    ]
    own_match = replay(record.model_copy(update={"answers": answers, "events": _rewritten_events(record)}))
    replayed = [event.as_record() for event in own_match.events]
    events = {number: new for number, new in enumerate(replayed) if new != record.events[number]}
    return RewrittenGame(game, values, events)


def _rewritten_events(record: GameRecord) -> list[dict[str, Any]]:
    return [
        {**event, "text": MARKER} if event.get("event") == MESSAGE and event.get("text") else event
        for event in record.events
    ]


def _without_text(spec: Spec, value: Any) -> Any:
    """Return the value of an answer with each text that is not empty replaced by the marker."""
    match spec:
        case Text():
            return MARKER if value else value
        case Optional() | When():
            return value if value is None else _without_text(spec.of, value)
        case Several() if isinstance(value, list):
            return [_without_text(spec.of, part) for part in value]
        case Fields() if isinstance(value, Mapping):
            return {name: _without_text(spec.specs[name], part) for name, part in value.items()}
    return value


def _blank(value: Any) -> Any:
    """Return a value with every text replaced by the marker."""
    match value:
        case str():
            return MARKER if value else value
        case dict():
            return {name: _blank(part) for name, part in value.items()}
        case list():
            return [_blank(part) for part in value]
    return value
