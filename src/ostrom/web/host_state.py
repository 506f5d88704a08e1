"""The state of a session as its host sees it."""

from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from ostrom.experiment.session.acting import replacing_players
from ostrom.experiment.session.participants import Participant, participant_name
from ostrom.experiment.session.running import LiveSession
from ostrom.experiment.session.state import TableState
from ostrom.experiment.session.table import LiveTable
from ostrom.experiment.session.traces import flags_of
from ostrom.web.api import session_host_shapes as shapes
from ostrom.web.participant_page import table_title
from ostrom.web.qr import qr_svg

_IN_GAMES = ("game", "results", "belief", "waiting")


def host_state(live: LiveSession, address: str, version: int) -> shapes.HostState:
    """Return all that the host's page shows."""
    state = live.state
    people = [_participant(live, person) for person in state.participants.values()]
    treatments = Counter(person.treatment for person in state.participants.values())
    return shapes.HostState(
        version=version,
        session=_head(live, address),
        counts=session_counts(live),
        participants=people,
        tables=[_table(live, table) for table in state.tables.values() if table.started or table.ending],
        treatments=[
            shapes.TreatmentCount(name=treatment.name, participants=treatments[treatment.name])
            for treatment in live.file.treatments
        ],
        messages=[shapes.HostMessage(at=at, text=text) for at, text in state.messages[-100:]],
    )


def _head(live: LiveSession, address: str) -> shapes.SessionHead:
    settings, state = live.file.session, live.state
    at = settings.start_at.isoformat() if settings.start == "time" and settings.start_at is not None else None
    started = state.started is not None
    return shapes.SessionHead(
        id=live.id,
        name=live.stored.name,
        title=settings.title,
        code=live.stored.code,
        address=address,
        qr=qr_svg(address),
        state="ended" if state.ended is not None else "running" if started else "open",
        created=live.stored.created,
        started=state.started,
        paused=state.paused,
        language=settings.language,
        joins=settings.join,
        starts=at or settings.start,
        participants=settings.participants,
        traces=live.file.recording.traces,
        players=replacing_players(live),
    )


def session_counts(live: LiveSession) -> shapes.SessionCounts:
    """Return the numbers of participants by stage."""
    people = list(live.state.participants.values())
    pages = Counter(live.state.page_of(person).name for person in people if person.outcome is None)
    outcomes = Counter(person.outcome for person in people)
    finishing = pages["questionnaire"] + pages["payment"] + pages["outcome"]
    return shapes.SessionCounts(
        joined=len(people),
        consented=sum(person.consent is True for person in people),
        in_quiz=pages["quiz"],
        in_lobby=pages["lobby"],
        playing=sum(count for page, count in pages.items() if page in _IN_GAMES),
        done=outcomes["done"] + finishing,
        released=sum(count for outcome, count in outcomes.items() if outcome not in (None, "done")),
    )


def _participant(live: LiveSession, person: Participant) -> shapes.HostParticipant:
    page = live.state.page_of(person)
    table = live.table_of(person)
    seat = None if table is None else table.seat_of(person.number)
    asked = seat is not None and seat.question is not None
    away = live.clocks.absent_since(person.number) if person.outcome is None else None
    counted = [points for key, points in person.points.items() if not key.startswith("practice/")]
    return shapes.HostParticipant(
        participant=person.name,
        label=live.labels.get(person.number) or _panel_id(live, person.number),
        treatment=person.treatment,
        page=page.name,
        waiting_for=_waiting_for(live, person, table, asked=asked),
        answering_since_s=_since(seat.shown_at) if seat is not None and asked else None,
        left_s=round(seat.left(), 1) if seat is not None and asked else None,
        absent_since_s=None if away is None else round(away, 1),
        refused=person.refused + (seat.refusals if seat is not None and asked else 0),
        missed=live.missed[person.number] + (0 if seat is None else seat.missed),
        quiz=_quiz(live, person),
        table=page.key if page.name in ("game", "results") else None,
        points=sum(counted) if counted else None,
        payment=None if person.paid is None else person.paid.total,
        outcome=person.outcome,
        replaced_by=person.replaced_by,
        person=person.person,
        flags=_flags(live, person),
    )


def _flags(live: LiveSession, person: Participant) -> list[shapes.ParticipantFlag]:
    """Return what is unusual in the traces of a participant, if the session records traces."""
    if not live.file.recording.traces or person.consent is not True:
        return []
    flags = flags_of(person, live.file.words)
    return [shapes.ParticipantFlag(name=flag.name, description=flag.description) for flag in flags]


def _panel_id(live: LiveSession, number: int) -> str | None:
    panel = live.file.panel
    return None if panel is None else live.personal.get((number, f"panel.{panel.participant}"))


def _since(moment: str | None) -> float | None:
    if moment is None:
        return None
    return round((datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds(), 1)


def _waiting_for(live: LiveSession, person: Participant, table: LiveTable | None, *, asked: bool) -> list[str]:
    """Return the participants for whom a person waits: those at the table with an open question, or those who are not
    ready for the next table."""
    if table is not None:
        if asked:
            return []
        return [live.state.participants[number].name for number, seat in table.seats.items() if seat.question]
    if live.state.page_of(person).name != "waiting":
        return []
    step = live.state.step_of(person)
    group = None if step is None else live.state.table_of(step, person.number)
    if group is None or step is None:
        return []
    others = [live.state.participants[number] for number in group.people if number != person.number]
    return [other.name for other in others if other.active and live.state.step_of(other) != step]


def _quiz(live: LiveSession, person: Participant) -> shapes.QuizScore | None:
    treatment = live.state.treatment_of(person)
    if live.file.quiz is None or treatment is None or not person.quiz:
        return None
    questions = live.file.quiz_questions(treatment)
    closed = live.state.quiz_passed(person)
    return shapes.QuizScore(
        right=sum(answer.right for answer in person.quiz.values()),
        questions=len(questions),
        attempts=max(answer.attempts for answer in person.quiz.values()),
        passed=not person.quiz_failed if closed else None,
    )


def _table(live: LiveSession, table: TableState) -> shapes.HostTable:
    group, playing = table.group, live.tables.get(table.group.key)
    labels: tuple[str, ...] = () if playing is None else playing.labels
    questions = [] if playing is None else [seat.question for seat in playing.people.seats.values() if seat.question]
    turn = max((question.key[1] for question in questions), default=None)
    state: Any = table.ending or ("playing" if playing is not None and playing.ending is None else "stopped")
    return shapes.HostTable(
        key=group.key,
        game=group.game,
        title=table_title(live, table),
        table=group.table,
        group=group.group,
        treatment=group.treatment,
        practice=group.practice,
        seats=[_seat(live, table, playing, index, labels) for index in range(len(group.seats))],
        turn=turn,
        turns=_turns(live, table),
        state=state,
        paused=table.paused or (live.state.paused and table.ending is None),
        game_id=table.game_id or (None if playing is None else playing.game_id),
    )


def _turns(live: LiveSession, table: TableState) -> int | None:
    """Return the number of turns that the rules name, or None if they name none."""
    part = live.file.game(table.group.game)
    rules = live.file.rules_of(part, live.file.treatment(table.group.treatment), practice=table.group.practice)
    turns = getattr(rules, "rounds", getattr(rules, "turns", None))
    return turns if isinstance(turns, int) and not isinstance(turns, bool) else None


def _seat(
    live: LiveSession, table: TableState, playing: LiveTable | None, index: int, labels: tuple[str, ...]
) -> shapes.HostSeat:
    member = table.group.seats[index]
    label = labels[index] if index < len(labels) else f"P{index + 1}"
    if isinstance(member, str):
        state: Any = "over" if table.ending else "player"
        return shapes.HostSeat(label=label, participant=None, player=member, state=state)
    person = live.state.participants[member]
    seat = None if playing is None else playing.seat_of(member)
    if table.ending is not None:
        state = "over"
    elif person.replaced_by is not None:
        state = "replaced"
    elif person.absent_since is not None or person.outcome is not None:
        state = "absent"
    else:
        state = "asked" if seat is not None and seat.question is not None else "waiting"
    player = person.replaced_by or f"human:{person.name}"
    return shapes.HostSeat(label=label, participant=person.name, player=player, state=state)


def payments(live: LiveSession) -> shapes.Payments:
    """Return the payments of all participants."""
    terms = live.file.payment
    currency = "" if terms is None else terms.currency
    rows = [_payment_row(live, person, currency) for person in live.state.participants.values()]
    total = sum((Decimal(row.total) for row in rows if row.total is not None), Decimal("0.00"))
    return shapes.Payments(currency=currency, total=f"{total:f}", rows=rows)


def _payment_row(live: LiveSession, person: Participant, currency: str) -> shapes.PaymentRow:
    paid = person.paid
    lines = [] if paid is None else [f"{line['words']}: {line['amount']}" for line in paid.lines]
    counted = [points for key, points in person.points.items() if not key.startswith("practice/")]
    return shapes.PaymentRow(
        participant=participant_name(person.number),
        label=live.labels.get(person.number) or _panel_id(live, person.number),
        code="" if paid is None else paid.code,
        treatment=person.treatment,
        outcome=person.outcome,
        points=sum(counted) if counted else None,
        lines=lines,
        currency=currency,
        total=None if paid is None else paid.total,
        draw=person.draw_words,
    )
