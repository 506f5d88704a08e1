"""The finding of a rehearsal: how long pages took, how long people waited, and what went wrong."""

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from ostrom.core.finding import Column, Finding, Row, Table, decimals, number, percent
from ostrom.core.text import number_of
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.rehearsal.attendance import PageVisit, RehearsalLog
from ostrom.experiment.session.rehearsal.rehearse import Rehearsal

MAX_LISTED_FAULTS: Final = 12
_WAITS: Final = ("lobby", "waiting")
_QUESTION: Final = "game: a question"
_GAME: Final = "game: a whole table"
_SECONDS: Final = decimals(1)


def rehearsal_finding(file: SessionFile, rehearsal: Rehearsal, *, speed: float, who: str) -> Finding:
    """Return what the participants of a rehearsal met. `who` says who took part, in words."""
    log = rehearsal.log
    facts = {
        "session": file.session.name,
        "who": who,
        "speed": speed,
        "seconds": round(log.seconds, 1),
        "faults": list(log.faults),
    }
    payments = list(_payment_rows(rehearsal))
    return Finding(
        verb="session",
        title=f"rehearsal of {file.session.name}",
        facts=facts,
        parts=[_pages(log.visits), _people(rehearsal), _tables(rehearsal), *payments],
        sentences=list(_sentences(rehearsal, speed)),
    )


def _pages(visits: Sequence[PageVisit]) -> Table:
    by_kind: dict[str, list[float]] = {}
    for visit in visits:
        kind = _QUESTION if visit.question else _GAME if visit.kind == "game" else visit.kind
        by_kind.setdefault(kind, []).append(visit.seconds)
    rows = [
        {
            "page": kind,
            "visits": len(seconds),
            "median": statistics.median(seconds),
            "p95": percentile(seconds, 0.95),
            "longest": max(seconds),
        }
        for kind, seconds in by_kind.items()
    ]
    columns = [
        Column("page", "page"),
        number("visits", "visits"),
        number("median", "median, s", _SECONDS),
        number("p95", "95 %, s", _SECONDS, meaning="The 95th percentile of the seconds on the page."),
        number("longest", "longest, s", _SECONDS),
    ]
    return Table("pages", columns, rows, title="Time on pages")


def _people(rehearsal: Rehearsal) -> Table:
    log = rehearsal.log
    waited: dict[str, float] = {}
    for visit in log.visits:
        if visit.kind in _WAITS and not visit.question:
            waited[visit.participant] = waited.get(visit.participant, 0.0) + visit.seconds
    people = sorted(rehearsal.host["participants"], key=lambda person: str(person["participant"]))
    rows = [_person_row(person, waited, log) for person in people]
    columns = [
        Column("participant", "participant"),
        Column("treatment", "treatment", spare=2),
        Column("outcome", "outcome"),
        number("waited", "waited, s", _SECONDS, meaning="The seconds in the lobby and between tables."),
        number("missed", "missed", meaning="Questions that were not answered in time."),
        number("refused", "refused", meaning="Answers that the rules do not allow."),
        number("quiz_wrong", "quiz: wrong", meaning="Comprehension questions that are not answered correctly."),
        number("flags", "flags", spare=1),
        Column("payment", "payment", number=True),
    ]
    return Table("participants", columns, rows, title="Participants")


def _person_row(person: Row, waited: dict[str, float], log: RehearsalLog) -> dict[str, Any]:
    quiz = person["quiz"]
    return {
        **{name: person[name] for name in ("participant", "treatment", "outcome", "refused", "missed", "payment")},
        "waited": waited.get(person["participant"], 0.0),
        "missed": max(person["missed"], log.missed.get(person["participant"], 0)),
        "quiz_wrong": None if quiz is None else quiz["questions"] - quiz["right"],
        "flags": len(person["flags"]),
    }


def _tables(rehearsal: Rehearsal) -> Table:
    counts = Counter(
        (table["game"], table["treatment"], table["practice"], table["state"]) for table in rehearsal.host["tables"]
    )
    rows = [
        {"game": game, "treatment": treatment, "practice": practice, "state": state, "tables": count}
        for (game, treatment, practice, state), count in counts.items()
    ]
    columns = [
        Column("game", "game"),
        Column("treatment", "treatment"),
        Column("practice", "kind", cell=lambda row: "practice" if row["practice"] else "counts"),
        Column("state", "state"),
        number("tables", "tables"),
    ]
    return Table("tables", columns, rows, title="Tables")


def _payment_rows(rehearsal: Rehearsal) -> Iterator[Table]:
    totals = [Decimal(row["total"]) for row in rehearsal.payments["rows"] if row["total"] is not None]
    if not totals:
        return
    row = {
        "currency": rehearsal.payments["currency"],
        "people": len(totals),
        "mean": float(sum(totals) / len(totals)),
        "least": float(min(totals)),
        "most": float(max(totals)),
        "total": float(sum(totals)),
    }
    money = decimals(2)
    figures = [number(name, name, money) for name in ("mean", "least", "most", "total")]
    yield Table("payments", [Column("currency", "currency"), number("people", "people"), *figures], [row])


def _sentences(rehearsal: Rehearsal, speed: float) -> Iterator[str]:
    log, people = rehearsal.log, rehearsal.host["participants"]
    yield f"The rehearsal took {log.seconds:.0f} s{_at_speed(log.seconds, speed)}."
    if log.confirmations:
        p95 = 1000 * percentile(log.confirmations, 0.95)
        count = f"{len(log.confirmations):,} entries"
        yield f"The server confirmed {count}, 95 % of them within {p95:.0f} ms."
    quizzes = [person["quiz"] for person in people if person["quiz"] is not None]
    if quizzes:
        failed = sum(quiz["passed"] is False for quiz in quizzes)
        yield f"{number_of(failed, 'participant')} of {len(quizzes)} did not pass the comprehension questions."
    yield flag_sentence(rehearsal)
    if log.rejected:
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(log.rejected.items()))
        yield f"Rejected entries by page: {counts}."
    if log.faults:
        yield f"{number_of(len(log.faults), 'fault')}: {'; '.join(log.faults[:MAX_LISTED_FAULTS])}"
    else:
        yield "No participant met a fault."


def flag_sentence(rehearsal: Rehearsal) -> str:
    """Return the share of flagged participants in a sentence."""
    people = rehearsal.host["participants"]
    if not rehearsal.host["session"]["traces"]:
        return "The file does not record how answers are written, so there are no flags."
    flagged = sum(bool(person["flags"]) for person in people)
    part = percent(0)(flagged / len(people)) if people else "0"
    return f"{flagged} of {len(people)} participants ({part} %) are flagged by the way their answers were written."


def _at_speed(seconds: float, speed: float) -> str:
    if speed in (0.0, 1.0):
        return ""
    minutes = speed * seconds / 60
    return f"; simulated people think {speed:g} times as fast as people, who would need at most {minutes:.0f} min"


def percentile(values: Sequence[float], part: float) -> float:
    """Return the smallest value that is not exceeded by this part of the values."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]
