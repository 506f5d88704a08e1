"""The input of participants on their pages, as entries of the session. Input is accepted only if its page is open, and
is in the journal before the participant is told so."""

import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ostrom.experiment.session import entries as e
from ostrom.experiment.session.file_questions import QuestionnaireQuestion, QuizQuestion
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.running import LiveSession
from ostrom.experiment.session.traces import TRACE_NUMBERS
from ostrom.journal.sessions import PersonalValue
from ostrom.players.people.seat import NotAccepted, OutOfTurn

MAX_CHAT: Final = 500
"""The largest number of characters of a message in the lobby."""
MAX_MESSAGES: Final = 200
"""The largest number of messages of one participant in the lobby."""
MAX_FREE_TEXT: Final = 4000
"""The largest number of characters of a free text in the questionnaire."""
TEXT_PAGES: Final = ("welcome", "instructions")
Numbers = Mapping[str, float | None]


async def step(
    live: LiveSession,
    participant: int,
    page: str,
    values: Mapping[str, Any],
    *,
    name: str | None = None,
    seconds: float | None = None,
    trace: Numbers | None = None,
) -> None:
    """Accept what a participant entered on the open page. Raise OutOfTurn if another page is open, and NotAccepted if
    the entry is not valid; the page then stays open."""
    person = live.state.participants[participant]
    if page == "chat":
        await _chat(live, person, values)
        return
    if page == "leave":
        await leave(live, person)
        return
    opened = live.state.page_of(person)
    expected = "text" if opened.name in TEXT_PAGES else opened.name
    named = opened.name if expected == "text" else opened.key
    if page != expected or (name is not None and name != named and expected in ("text", "belief", "results")):
        raise OutOfTurn(f"the page {name or page} is not open now")
    makers = {"consent": _consent, "quiz": _quiz, "belief": _belief}
    if page == "questionnaire":
        entries, personal = _questionnaire(live, person, values, seconds)
        await live.enter(*entries, *_traced(live, person, page, trace), personal=personal)
        return
    if page in makers:
        made = list(makers[page](live, person, values))
    elif page in ("text", "results", "payment"):
        key = opened.key if page == "results" else ""
        made = [e.PageDone(participant=participant, page=opened.name, name=key, seconds=seconds)]
    else:
        raise OutOfTurn("there is nothing to enter here; please wait")
    await live.enter(*made, *_traced(live, person, f"{page} {opened.key}".strip(), trace))


async def answer(
    live: LiveSession, participant: int, question: str, values: Mapping[str, Any], trace: Numbers | None = None
) -> None:
    """Accept an answer to the open question of a game; return when it is in the journal. Raise UsedUp, OutOfTurn or
    NotAccepted."""
    person = live.state.participants[participant]
    table = live.table_of(person)
    seat = None if table is None else table.seat_of(participant)
    if table is None or seat is None:
        raise OutOfTurn("there is no question for you now; please wait")
    shown, refused = seat.shown_at, seat.refusals
    try:
        await seat.answer(question, values)
    except NotAccepted:
        seat.refusals += 1
        raise
    moment = datetime.now(UTC).isoformat(timespec="milliseconds")
    key = table.plan.key
    answered = e.Answered(
        participant=participant, key=key, question=question, shown=shown or moment, answered=moment, refused=refused
    )
    await live.record(answered, *_traced(live, person, f"{key} {question}", trace))


async def leave(live: LiveSession, person: Participant, outcome: e.Outcome = "returned", by_host: bool = False) -> None:
    """Release a participant. At a table, the game's filling player takes the seat, or fallbacks are used."""
    if person.outcome is not None:
        raise OutOfTurn("the session is over for this participant")
    table = live.table_of(person)
    released = e.Released(participant=person.number, outcome=outcome, by_host=by_host)
    fill = None if table is None else live.file.game(live.state.tables[table.plan.key].group.game).fill or None
    if table is None or fill is None:
        if table is not None:
            table.replace(person.number, None)
        await live.enter(released)
        return
    await live.replace(person.number, fill, outcome=outcome, by_host=by_host)


def _consent(live: LiveSession, person: Participant, values: Mapping[str, Any]) -> Iterator[e.AnyEntry]:
    agreed = values.get("agreed")
    if not isinstance(agreed, bool) or live.file.consent is None:
        raise NotAccepted("agreed must be true or false")
    yield e.Consented(participant=person.number, version=live.file.consent.version, agreed=agreed)


def _quiz(live: LiveSession, person: Participant, values: Mapping[str, Any]) -> Iterator[e.AnyEntry]:
    treatment = live.state.treatment_of(person)
    if live.file.quiz is None or treatment is None:
        raise OutOfTurn("there are no questions now")
    questions = {question.name: question for question in live.file.quiz_questions(treatment)}
    most, still_open = live.file.quiz.attempts, []
    for name in questions:
        state = person.quiz.get(name)
        if state is None or (not state.right and state.attempts < most):
            still_open.append(name)
    if not still_open:
        yield e.PageDone(participant=person.number, page="quiz")
        return
    if not values or any(name not in still_open for name in values):
        raise NotAccepted("answer the open questions")
    failed = False
    for name, value in values.items():
        question, attempts = questions[name], person.quiz[name].attempts + 1 if name in person.quiz else 1
        right = question.is_right(_quiz_value(question, value))
        failed = failed or (not right and attempts >= most)
        yield e.QuizAnswered(participant=person.number, question=name, value=value, right=right, attempt=attempts)
    if failed and not person.quiz_failed:
        yield e.QuizFailed(participant=person.number)


def _quiz_value(question: QuizQuestion, value: Any) -> Any:
    if question.type == "choice":
        if value not in question.choices:
            raise NotAccepted(f"{question.name}: choose one of the answers")
        return value
    return _number(question.name, value, None, None)


def _belief(live: LiveSession, person: Participant, values: Mapping[str, Any]) -> Iterator[e.AnyEntry]:
    name = live.state.page_of(person).key
    belief = next(belief for belief in live.file.beliefs if belief.name == name)
    value = _number(name, values.get("value"), belief.minimum, belief.maximum)
    yield e.BeliefAnswered(participant=person.number, name=name, value=value)


def _number(name: str, value: Any, least: float | None, most: float | None) -> float:
    """Return a number within bounds. Raise NotAccepted for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise NotAccepted(f"{name}: enter a number")
    if (least is not None and value < least) or (most is not None and value > most):
        bounds = f"from {least:g} to {most:g}" if least is not None and most is not None else "within the bounds"
        raise NotAccepted(f"{name}: enter a number {bounds}")
    return value


def _questionnaire(
    live: LiveSession, person: Participant, values: Mapping[str, Any], seconds: float | None
) -> tuple[list[e.AnyEntry], list[PersonalValue]]:
    questions = {question.name: question for question in live.file.questionnaire}
    unknown = [name for name in values if name not in questions]
    if unknown:
        raise NotAccepted(f"there is no question {unknown[0][:60]!r}")
    entries: list[e.AnyEntry] = []
    personal = []
    for name, question in questions.items():
        value = _survey_value(question, values.get(name))
        if value is None and question.required:
            raise NotAccepted(f"{name}: please answer this question")
        hidden = question.personal and value is not None
        if hidden:
            personal.append(PersonalValue(person.number, f"answer.{name}", value))
        stored = None if hidden else value
        entry = e.QuestionnaireAnswered(participant=person.number, name=name, value=stored, personal=hidden)
        entries.append(entry)
    entries.append(e.PageDone(participant=person.number, page="questionnaire", seconds=seconds))
    return entries, personal


def _survey_value(question: QuestionnaireQuestion, value: Any) -> Any:
    """Return a valid answer, or None if there is none."""
    if value is None or value == "":
        return None
    if question.type == "number":
        return _number(question.name, value, question.minimum, question.maximum)
    if question.type == "scale":
        number = _number(question.name, value, 1, question.steps)
        if number != int(number):
            raise NotAccepted(f"{question.name}: choose one of the steps")
        return int(number)
    if not isinstance(value, str):
        raise NotAccepted(f"{question.name}: enter a text")
    if question.type == "choice" and value not in question.choices:
        raise NotAccepted(f"{question.name}: choose one of the answers")
    if len(value) > MAX_FREE_TEXT:
        raise NotAccepted(f"{question.name}: at most {MAX_FREE_TEXT:,} characters")
    return _text(value)


def _text(value: str) -> str:
    """Return a text without characters that are not text."""
    return value.replace("\x00", "").encode("utf-8", "replace").decode().strip()


async def _chat(live: LiveSession, person: Participant, values: Mapping[str, Any]) -> None:
    if not live.file.session.lobby_chat or live.state.page_of(person).name != "lobby":
        raise OutOfTurn("messages can be sent only in the lobby")
    text = values.get("text")
    if not isinstance(text, str) or not (text := _text(text)) or len(text) > MAX_CHAT:
        raise NotAccepted(f"a message has 1 to {MAX_CHAT} characters")
    if sum(writer == person.number for writer, _ in live.state.chat) >= MAX_MESSAGES:
        raise NotAccepted(f"at most {MAX_MESSAGES} messages can be sent")
    number = len(live.state.chat) + 1
    entry = e.Chatted(participant=person.number, number=number)
    await live.record(entry, personal=[PersonalValue(person.number, f"chat.{number}", text)])
    live.versions.touch([other.number for other in live.state.in_lobby()])


def _traced(live: LiveSession, person: Participant, question: str, trace: Numbers | None) -> Iterator[e.AnyEntry]:
    """Yield the trace of an answer, if the file says that traces are recorded and the person has agreed to it."""
    if trace is not None and live.file.recording.traces and person.consent is True:
        numbers = {name: value for name, value in trace.items() if name in TRACE_NUMBERS}
        yield e.TraceRecorded(participant=person.number, question=question, numbers=numbers)
