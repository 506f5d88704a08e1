"""The seats at a session's tables in which people did not decide to the end, from the entries of sessions."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import Connection, select

from ostrom.core import RecordError
from ostrom.journal.read import decoded
from ostrom.journal.schema import session_entries, sessions

PRACTICE: Final = "practice/"
"""The beginning of the keys of practice tables in the experiments of sessions."""
_FORMED: Final = "group_formed"
_ENDED: Final = "table_ended"
_GONE: Final = ("replaced", "released")
_ABSENT: Final = ("absent", "returned")


def replaced_seats(connection: Connection) -> dict[int, dict[str, tuple[int, ...]]]:
    """Return, for each experiment of a session (by serial number), the seats of replaced people by the key of the
    table. People who left, or were absent when a table ended, count as replaced."""
    experiments: dict[int, int] = {
        row.serial: row.experiment for row in connection.execute(select(sessions.c.serial, sessions.c.experiment))
    }
    if not experiments:
        return {}
    kinds = (_FORMED, _ENDED, *_GONE, *_ABSENT)
    columns = [session_entries.c[name] for name in ("session", "participant", "kind", "data")]
    query = select(*columns).where(session_entries.c.kind.in_(kinds))
    by_session: dict[int, list[Any]] = {serial: [] for serial in experiments}
    for row in connection.execute(query.order_by(session_entries.c.session, session_entries.c.number)):
        by_session[row.session].append((row.participant, row.kind, row.data))
    return {experiments[serial]: _of_session(entries) for serial, entries in by_session.items()}


def _of_session(entries: Iterable[tuple[int | None, str, str]]) -> dict[str, tuple[int, ...]]:
    seats: dict[str, list[Any]] = {}
    under_way: set[str] = set()
    gone: set[int | None] = set()
    absent: set[int | None] = set()
    replaced: dict[str, set[int]] = {}
    for participant, kind, text in entries:
        if kind == "absent":
            absent.add(participant)
        elif kind == "returned":
            absent.discard(participant)
        elif kind in _GONE:
            gone.add(participant)
            for key in under_way:
                replaced[key].update(_seats_of(seats[key], {participant}))
        elif kind == _FORMED:
            data = _data(text)
            key = str(data.get("key"))
            seats[key] = list(data.get("seats") or ())
            replaced[key] = _seats_of(seats[key], gone)
            under_way.add(key)
        else:
            key = str(_data(text).get("key"))
            if key in under_way:
                under_way.discard(key)
                replaced[key].update(_seats_of(seats[key], absent))
    return {key: tuple(sorted(places)) for key, places in replaced.items() if places}


def _seats_of(members: Iterable[Any], people: Iterable[int | None]) -> set[int]:
    return {place for place, member in enumerate(members) if isinstance(member, int) and member in set(people)}


def _data(text: str) -> Mapping[str, Any]:
    try:
        data = decoded(text)
    except (ValueError, RecursionError):
        raise RecordError("an entry of a session is damaged; check the journal and repair it") from None
    return data if isinstance(data, dict) else {}
