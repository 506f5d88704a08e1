"""The page of a participant of a session, made from the session's state."""

from collections.abc import Sequence
from typing import Any

from ostrom.experiment.session.file_questions import Quiz, QuizQuestion
from ostrom.experiment.session.participants import Participant, QuizState
from ostrom.experiment.session.running import LiveSession
from ostrom.experiment.session.state import TableState
from ostrom.experiment.session.words import phrase
from ostrom.web.api import participation_shapes as shapes
from ostrom.web.api.seats import seat_result, state_at_table
from ostrom.web.markdown import html_of

MAX_CHAT_LINES = 100
"""The largest number of messages of the lobby that a page shows."""


async def participant_state(live: LiveSession, number: int) -> shapes.ParticipantState:
    """Return all that a participant's page shows."""
    state, session = live.state, live.file.session
    person = state.participants[number]
    step, steps = state.progress(person)
    page = await _page(live, person)
    return shapes.ParticipantState(
        version=live.versions.of(number),
        session=shapes.SessionTitle(title=session.title, language=session.language),
        participant=person.name,
        label=live.labels.get(number),
        progress=shapes.SessionProgress(step=step, steps=steps),
        connected_elsewhere=live.clocks.windows(number) > 1,
        notice=person.notice,
        paused=_is_paused(live, person),
        traces=live.file.recording.traces and person.consent is True,
        instructions=instructions_html(live, person) if ("instructions", "") in person.done else None,
        page=page,
    )


def _is_paused(live: LiveSession, person: Participant) -> bool:
    table = live.table_of(person)
    return live.state.paused or (table is not None and table.paused)


async def _page(live: LiveSession, person: Participant) -> Any:
    page = live.state.page_of(person)
    simple = {
        "welcome": _welcome,
        "consent": _consent,
        "instructions": _instructions,
        "quiz": _quiz,
        "lobby": _lobby,
        "questionnaire": _questionnaire,
        "payment": _payment,
        "outcome": _outcome,
    }
    if page.name in simple:
        return simple[page.name](live, person)
    if page.name == "belief":
        return _belief(live, page.key)
    if page.name == "results":
        return await _results(live, person, live.state.tables[page.key])
    return _game(live, person, page.key) if page.name == "game" else _waiting(live, "waiting_others")


def _welcome(live: LiveSession, person: Participant) -> shapes.TextPage:
    title, text = phrase(live.file.words, "session.welcome_title"), live.file.pages.welcome or ""
    return shapes.TextPage(kind="text", name="welcome", title=title, text=html_of(text), game=None)


def _consent(live: LiveSession, person: Participant) -> shapes.ConsentPage:
    consent = live.file.consent
    assert consent is not None
    text = html_of(consent.text)
    return shapes.ConsentPage(kind="consent", text=text, version=consent.version, required=consent.required)


def _instructions(live: LiveSession, person: Participant) -> shapes.TextPage:
    title = phrase(live.file.words, "session.instructions_title")
    games = {game.game for game in live.file.games}
    game = live.file.game_of(live.file.games[0]).command if len(games) == 1 else None
    text = instructions_html(live, person)
    return shapes.TextPage(kind="text", name="instructions", title=title, text=text, game=game)


def instructions_html(live: LiveSession, person: Participant) -> str:
    """Return the instructions of a participant's treatment; by default the games' own texts."""
    return html_of(live.file.instructions(live.state.treatment_of(person) or live.file.treatments[0]))


def _quiz(live: LiveSession, person: Participant) -> shapes.QuizPage:
    treatment, quiz = live.state.treatment_of(person), live.file.quiz
    assert quiz is not None
    asked = live.file.quiz_questions(treatment or live.file.treatments[0])
    states = [person.quiz.get(question.name, QuizState()) for question in asked]
    questions = [_quiz_question(question, state, quiz) for question, state in zip(asked, states, strict=True)]
    left = [quiz.attempts - state.attempts for state in states if not state.right]
    return shapes.QuizPage(kind="quiz", questions=questions, attempts_left=max([0, *left]))


def _quiz_question(question: QuizQuestion, state: QuizState, quiz: Quiz) -> shapes.QuizQuestion:
    wrong = state.attempts > 0 and not state.right
    return shapes.QuizQuestion(
        name=question.name,
        text=html_of(question.text),
        type=question.type,
        choices=list(question.choices),
        minimum=None,
        maximum=None,
        state="right" if state.right else "wrong" if wrong else "open",
        feedback=html_of(question.feedback) if state.attempts and question.feedback else None,
    )


def _lobby(live: LiveSession, person: Participant) -> shapes.LobbyPage:
    settings, people = live.file.session, live.state.in_lobby()
    lines = live.state.chat[-MAX_CHAT_LINES:] if settings.lobby_chat else []
    at = settings.start_at.isoformat() if settings.start == "time" and settings.start_at is not None else None
    return shapes.LobbyPage(
        kind="lobby",
        people=len(people),
        needed=settings.participants,
        starts=at or settings.start,
        waits_s=round(live.clocks.lobby_left(person.number), 1),
        chat=[_chat_line(live, person, writer, number) for writer, number in lines],
        may_chat=settings.lobby_chat,
    )


def _chat_line(live: LiveSession, person: Participant, writer: int, number: int) -> shapes.ChatLine:
    who = live.state.participants[writer].name
    return shapes.ChatLine(who=who, text=live.chat.get(number, "…"), you=writer == person.number)


def _waiting(live: LiveSession, reason: str) -> shapes.WaitingPage:
    reason = "waiting_paused" if live.state.paused else reason
    return shapes.WaitingPage(kind="waiting", reason=phrase(live.file.words, f"session.{reason}"))


def _game(live: LiveSession, person: Participant, key: str) -> shapes.GamePage | shapes.WaitingPage:
    table = live.tables.get(key)
    seat = None if table is None else table.seat_of(person.number)
    if table is None or seat is None:
        return _waiting(live, "waiting_end")
    count = len(table.plan.seats)
    return shapes.GamePage(
        kind="game",
        practice=table.plan.practice,
        title=table_title(live, live.state.tables[key]),
        label=seat.label,
        seats=count,
        seat=state_at_table(table.plan.game, count, seat),
    )


def table_title(live: LiveSession, table: TableState) -> str:
    """Return the title of a table, with its number if the game has several tables."""
    group = table.group
    part = live.file.game(group.game)
    tables = part.practice if group.practice else part.tables
    title = live.file.title_of(part)
    if not group.practice and tables == 1:
        return title
    word = "practice_title" if group.practice else "table_title"
    return phrase(live.file.words, f"session.{word}", title=title, table=group.table, tables=tables)


def _belief(live: LiveSession, name: str) -> shapes.BeliefPage:
    belief = next(belief for belief in live.file.beliefs if belief.name == name)
    rule = ""
    if belief.pay is not None:
        points = {"most": f"{belief.pay.most:g}", "loses": f"{belief.pay.loses:g}"}
        rule = phrase(live.file.words, "session.belief_rule", **points)
    return shapes.BeliefPage(
        kind="belief",
        name=name,
        text=html_of(belief.text),
        minimum=belief.minimum,
        maximum=belief.maximum,
        unit=belief.unit,
        rule=rule,
    )


async def _results(live: LiveSession, person: Participant, table: TableState) -> shapes.ResultsPage:
    result = await live.result_of(table.group.key)
    seat = table.group.seats.index(person.number)
    return shapes.ResultsPage(
        kind="results",
        title=table_title(live, table),
        practice=table.group.practice,
        points=person.points.get(table.group.key),
        result=None if result is None else seat_result(seat, result),
    )


def _questionnaire(live: LiveSession, person: Participant) -> shapes.QuestionnairePage:
    questions = [
        shapes.SurveyQuestion(
            name=question.name,
            text=html_of(question.text),
            type=question.type,
            choices=list(question.choices),
            steps=question.steps,
            low=question.low or None,
            high=question.high or None,
            minimum=question.minimum,
            maximum=question.maximum,
            required=question.required,
        )
        for question in live.file.questionnaire
    ]
    return shapes.QuestionnairePage(kind="questionnaire", questions=questions)


def payment_lines(lines: Sequence[Any]) -> list[shapes.PaymentLine]:
    """Return the lines of a payment."""
    return [shapes.PaymentLine(**{name: line.get(name) for name in ("words", "points", "amount")}) for line in lines]


def _payment(live: LiveSession, person: Participant) -> shapes.PaymentPage | shapes.WaitingPage:
    paid, terms = person.paid, live.file.payment
    if paid is None or terms is None:
        return _waiting(live, "waiting_end")
    return shapes.PaymentPage(
        kind="payment",
        currency=terms.currency,
        lines=payment_lines(paid.lines),
        total=paid.total,
        code=paid.code,
        draw=None if person.draw_words is None else shapes.DrawWords(words=person.draw_words),
    )


def _outcome(live: LiveSession, person: Participant) -> shapes.OutcomePage:
    outcome = person.outcome or "done"
    panel = live.file.panel
    known = None if panel is None or outcome == "ended" else panel.outcomes.get(outcome)
    paid = person.paid
    return shapes.OutcomePage(
        kind="outcome",
        outcome=outcome,
        text=phrase(live.file.words, f"session.outcome_{outcome}"),
        code=None if known is None else known.code,
        address=None if known is None else known.address,
        total=None if paid is None else paid.total,
        currency=None if live.file.payment is None else live.file.payment.currency,
    )
