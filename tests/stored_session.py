"""A finished session in a journal, without a server: people's answers come from a function, and are stored as the
session's server stores them."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from ostrom.core import Answer, Call, Line, Provenance, Question, Seat, Usage
from ostrom.core.chance import GameChance
from ostrom.experiment.match import Fixture, Match, head_of, play_match
from ostrom.experiment.session import entries as e
from ostrom.experiment.session.assignment import assign_together
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.matching import form_groups
from ostrom.experiment.session.payment import payment_of
from ostrom.experiment.session.state import SessionState
from ostrom.journal.record import origin_of
from ostrom.journal.sessions import NewEntry, PersonalValue, StoredSession
from ostrom.journal.sql import Journal
from ostrom.players.people.session_seat import DECIDED_BY
from ostrom.players.roster import contestants_of

SECRET = "Zanzibar Quux"
START = datetime(2026, 1, 1, 10, 0, tzinfo=UTC)
FILE: dict[str, Any] = {
    "session": {
        "name": "class",
        "title": "A class",
        "participants": 4,
        "join": "labels",
        "labels": [SECRET, "B", "C", "D"],
    },
    "panel": {"participant": "PID", "parameters": ["PID"], "outcomes": {"done": {"code": "X"}}},
    "consent": {"text": "We record how answers are written.", "version": "2"},
    "recording": {"retention_days": 30, "traces": True},
    "quiz": {"questions": [{"name": "q1", "text": "1 + 1?", "type": "number", "answer": 2}]},
    "treatments": [{"name": "plain"}, {"name": "talk", "messages": True}],
    "games": [
        {
            "name": "g1",
            "game": "contributions",
            "rules": {"rounds": 2},
            "group": 3,
            "tables": 2,
            "matching": "strangers",
            "practice": 1,
            "practice_rules": {"rounds": 1},
            "fill": "FreeRider",
        }
    ],
    "beliefs": [
        {
            "name": "b1",
            "game": "g1",
            "text": "Others?",
            "minimum": 0,
            "maximum": 20,
            "quantity": "contribution",
            "pay": {"most": 2, "loses": 0.1},
        }
    ],
    "questionnaire": [
        {"name": "age", "text": "Age", "type": "number"},
        {"name": "why", "text": "Why?", "required": False},
    ],
    "payment": {"currency": "EUR", "participation": 3.0, "rate": 0.05, "rounding": 0.1},
}

Decide = Callable[[int, Question], Any]
"""The answer of a participant to a question."""


def decide_by_number(participant: int, question: Question) -> Any:
    """Messages with a secret, and contributions that depend on the participant and the turn."""
    if question.phase == "message":
        return f"I am {SECRET}, <<12>> & \n more" if participant == 1 else ""
    return (participant * 3 + question.turn) % 21


class _Person:
    """A person whose answers come from a function."""

    def __init__(self, participant: int, decide: Decide) -> None:
        self.name, self._participant, self._decide = f"human:person-{participant:02d}", participant, decide

    def sit(self, seat: Seat, chance: object) -> "_Person":
        return self

    def answer(self, question: Question) -> Any:
        return self._decide(self._participant, question)


class Keeper:
    """Adds entries to a session, one second after another."""

    def __init__(self, journal: Journal, session: StoredSession, file: SessionFile) -> None:
        self.journal, self.session, self.state = journal, session, SessionState(file)
        self._seconds = 0
        self._entries: list[NewEntry] = []
        self._personal: list[PersonalValue] = []

    def keep(self) -> None:
        """Store all entries in one transaction."""
        self.journal.sessions.append(self.session.id, self._entries, personal=self._personal)

    def now(self) -> str:
        self._seconds += 1
        return (START + timedelta(seconds=self._seconds)).isoformat(timespec="milliseconds")

    def add(self, *entries: e.AnyEntry, personal: Mapping[tuple[int, str], str] | None = None) -> None:
        """Fold entries into the state; `keep` stores them."""
        at = self.now()
        self._personal += [PersonalValue(number, name, value) for (number, name), value in (personal or {}).items()]
        self._entries += [NewEntry(entry.kind, entry.data(), entry.participant, at) for entry in entries]
        for entry in entries:
            self.state.add(entry, at)


def play_session(
    journal: Journal, content: Mapping[str, Any] = FILE, decide: Decide = decide_by_number
) -> StoredSession:
    """Play a session to its end, with participant 2 replaced at the last table. Return the session."""
    file = SessionFile.model_validate(content)
    settings = {"file": file.model_dump(mode="json"), "seed": 5}
    session = journal.sessions.create(file.session.name, settings)
    keeper = Keeper(journal, session, file)
    people = range(1, file.session.participants + 1)
    treatments = assign_together(people, file, seed=5)
    for person in people:
        own = {(person, "label"): file.session.labels[person - 1], (person, "panel.PID"): f"{SECRET}-{person}"}
        keeper.add(e.Joined(participant=person), personal=own)
        keeper.add(e.Consented(participant=person, version="2", agreed=True))
        keeper.add(e.TreatmentAssigned(participant=person, treatment=treatments[person]))
        keeper.add(e.PageDone(participant=person, page="instructions", seconds=12.5))
        keeper.add(e.QuizAnswered(participant=person, question="q1", value=3, right=False, attempt=1))
        keeper.add(e.QuizAnswered(participant=person, question="q1", value=2, right=True, attempt=2))
        keeper.add(e.EnteredLobby(participant=person))
    keeper.add(e.Chatted(participant=1, number=1), personal={(1, "chat.1"): f"hello from {SECRET}"})
    keeper.add(e.Notice(participant=1, text=f"Please hurry, {SECRET}"))
    keeper.add(e.Started(by="host"))
    for treatment in file.treatments:
        members = [person for person in people if treatments[person] == treatment.name]
        keeper.add(e.CohortFormed(treatment=treatment.name, members=members))
        _play_tables(keeper, treatment.name, members, decide)
    for person in people:
        keeper.add(e.QuestionnaireAnswered(participant=person, name="age", value=20 + person))
        hidden = e.QuestionnaireAnswered(participant=person, name="why", personal=True)
        keeper.add(hidden, personal={(person, "answer.why"): f"because {SECRET}"})
        keeper.add(e.PageDone(participant=person, page="questionnaire"))
        payment = payment_of(keeper.state, person, session=session.id, seed=5)
        assert payment is not None
        keeper.add(*payment.entries(person, f"CODE{person}"))
        keeper.add(e.PageDone(participant=person, page="payment"))
        journal.sessions.add_token(
            session.id, f"digest-{session.id}-{person}", participant=person, purpose="participant"
        )
    keeper.add(e.Ended())
    keeper.keep()
    journal.sessions.set_state(session.id, "ended")
    return journal.sessions.find(session.id)


def _play_tables(keeper: Keeper, treatment_name: str, members: list[int], decide: Decide) -> None:
    file = keeper.state.file
    treatment = file.treatment(treatment_name)
    for step in keeper.state.steps(treatment_name):
        if step.belief is not None:
            for member in members:
                keeper.add(e.BeliefAnswered(participant=member, name=step.belief.name, value=10))
                keeper.add(e.BeliefScored(participant=member, name=step.belief.name, truth=8, points=1.8))
            continue
        first = 1 + sum(table.group.table == step.table for table in keeper.state.tables.values())
        settings: dict[str, Any] = {"table": step.table, "practice": step.practice, "seed": 5, "first_group": first}
        for group in form_groups(file, step.game, treatment, members, **settings):
            keeper.add(group)
            keeper.add(e.TableStarted(key=group.key))
            _play(keeper, group, file.rules_of(step.game, treatment, practice=step.practice), decide)


def _play(keeper: Keeper, group: e.GroupFormed, rules: Any, decide: Decide) -> None:
    """Play one table, and store its game with calls as those of people."""
    game = keeper.state.file.game_of(keeper.state.file.game(group.game))
    away = 2 if group.table == 2 and not group.practice else None
    contestants = [
        contestants_of(game, [seat])[0] if isinstance(seat, str) else _Person(seat, decide) for seat in group.seats
    ]
    number = len(keeper.state.tables)
    fixture = Fixture(group.key, game, rules, contestants, GameChance(5, number))
    match = play_match(game, rules, contestants, fixture.chance)
    if away in group.seats:
        keeper.add(e.Replaced(participant=away, by="FreeRider", key=group.key, points=5.0))
    for decision in match.decisions:
        turn, phase, seat = decision.question.key
        person = group.seats[seat]
        if isinstance(person, int) and person != away:
            question = f"{number}-{turn}-{phase}"
            keeper.add(
                e.Answered(
                    participant=person,
                    key=group.key,
                    question=question,
                    shown=keeper.now(),
                    answered=keeper.now(),
                    refused=seat,
                ),
                e.TraceRecorded(
                    participant=person,
                    question=f"{group.key} {question}",
                    numbers={"keys": 2, "characters": 2, "first_key_s": 1.5},
                ),
            )
    game_id = asyncio.run(_store(keeper, fixture, match, group, away))
    finals = game.finals(match.events)
    points = {
        seat: 5.0 if seat == away else float(final)
        for seat, final in zip(group.seats, finals, strict=True)
        if isinstance(seat, int)
    }
    keeper.add(e.TableEnded(key=group.key, ending="finished", game=game_id, points=points))


async def _store(keeper: Keeper, fixture: Fixture, match: Match, group: e.GroupFormed, away: int | None) -> str:
    heard: list[str] = []
    async with keeper.journal.ledgers(keeper.session.experiment) as ledgers:
        origin = origin_of(fixture.game, fixture.rules, len(fixture.contestants))
        ledger = await ledgers.open(head_of(fixture), fixture.key, origin)
        assert ledger is not None
        for place, decision in enumerate(match.decisions):
            person = group.seats[decision.question.seat.index]
            value = decision.answer.value
            call = None
            if isinstance(person, int):
                call = Call(
                    attempt=1,
                    at=keeper.now(),
                    model="page",
                    settings={},
                    prompt=(Line("user", f"{' '.join(heard)} {decision.question.phase}?"),),
                    reply=str(value),
                    usage=Usage(),
                    cost=0.0,
                    extra={DECIDED_BY: "FreeRider", "raw": str(value)} if person == away else {"raw": str(value)},
                )
            heard += [value] if isinstance(value, str) else []
            answer = Answer(value, provenance=Provenance.ANSWERED)
            await ledger.keep_decision(place, decision.question, answer, call)
        await ledger.keep_events(0, match.events)
        await ledger.finish(fixture.game.finals(match.events))
        return ledger.id
