"""The state of a session, computed from its entries alone. Nothing here reads a clock or a journal."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, Protocol

from ostrom.experiment.session import entries as e
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import SessionGame, Treatment
from ostrom.experiment.session.file_questions import Belief
from ostrom.experiment.session.participants import PARTICIPANT_ENTRIES, Participant

PageName = Literal[
    "welcome",
    "consent",
    "instructions",
    "quiz",
    "lobby",
    "waiting",
    "game",
    "belief",
    "results",
    "questionnaire",
    "payment",
    "outcome",
]


class Page(NamedTuple):
    """The page of a participant."""

    name: PageName
    key: str = ""
    """The key of the table, for a game and its results; the name of a belief."""


class Stored(Protocol):
    """An entry as the journal returns it."""

    @property
    def at(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def participant(self) -> int | None: ...

    @property
    def data(self) -> Mapping[str, Any]: ...


class Step(NamedTuple):
    """A part of the games: a table, or a question about a belief."""

    game: SessionGame
    table: int
    """The number of the table, from 1; 0 for a belief."""
    practice: bool = False
    belief: Belief | None = None


@dataclass(slots=True)
class Cohort:
    """People of one treatment who play the games together."""

    number: int
    treatment: str
    members: tuple[int, ...]


@dataclass(slots=True)
class TableState:
    """A table."""

    number: int
    """The number of the table among all tables of the session, from 0."""
    group: e.GroupFormed
    started: bool = False
    ending: Literal["finished", "void"] | None = None
    game_id: str | None = None
    points: dict[int, float] = field(default_factory=dict)
    reason: str | None = None
    paused: bool = False

    @property
    def people(self) -> list[int]:
        return [seat for seat in self.group.seats if isinstance(seat, int)]


class SessionState:
    """The state of a session."""

    def __init__(self, file: SessionFile) -> None:
        self.file = file
        self.participants: dict[int, Participant] = {}
        self.cohorts: list[Cohort] = []
        self.tables: dict[str, TableState] = {}
        self.started: str | None = None
        self.ended: str | None = None
        self.paused = False
        self.chat: list[tuple[int, int]] = []
        """The participant and the number of each message in the lobby."""
        self.messages: list[tuple[str, str]] = []
        """The times and texts of notices to all, and of tables that failed."""
        self.last_at: str | None = None
        self._steps = {treatment.name: tuple(steps_of(file)) for treatment in file.treatments}
        self._by_step: dict[tuple[str, int, bool, int], str] = {}
        """The key of a participant's table, by game, number, practice and participant."""

    def in_lobby(self) -> list[Participant]:
        """Return the people in the lobby, the first to arrive first."""
        waiting = [
            person
            for person in self.participants.values()
            if person.lobby_at is not None and person.cohort is None and person.outcome is None
        ]
        return sorted(waiting, key=lambda person: (person.lobby_at, person.number))

    def fold(self, entries: Iterable[Stored]) -> "SessionState":
        """Add stored entries to the state, and return it."""
        for entry in entries:
            self.add(e.read_entry(entry.kind, entry.participant, entry.data), entry.at)
        return self

    def add(self, entry: e.AnyEntry, at: str) -> None:
        """Add one entry to the state."""
        self.last_at = at
        if isinstance(entry, e.Joined):
            assert entry.participant is not None
            self.participants[entry.participant] = Participant(entry.participant, at, entry.language)
            return
        handler = PARTICIPANT_ENTRIES.get(type(entry))
        if handler is not None and entry.participant is not None:
            handler(self.participants[entry.participant], entry, at)
        of_session = _OF_SESSION.get(type(entry))
        if of_session is not None:
            of_session(self, entry, at)

    def affected(self, entries: Iterable[e.AnyEntry]) -> Iterator[int]:
        """Yield the participants whose pages change by entries that have been added."""
        for entry in entries:
            if isinstance(entry, e.GroupFormed):
                yield from (seat for seat in entry.seats if isinstance(seat, int))
            elif isinstance(entry, e.TableStarted | e.TableEnded):
                yield from self.tables[entry.key].people
            elif isinstance(entry, e.CohortFormed):
                yield from entry.members
            elif isinstance(entry, e.Paused | e.Resumed | e.Notice | e.Ended) and entry.participant is None:
                yield from self.participants
            elif entry.participant is not None:
                yield entry.participant

    @property
    def next_participant(self) -> int:
        return max(self.participants, default=0) + 1

    def steps(self, treatment: str) -> tuple[Step, ...]:
        """Return the tables and beliefs of a treatment in their order."""
        return self._steps[treatment]

    def table_of(self, step: Step, participant: int) -> TableState | None:
        """Return the table of a participant in a step, or None if no group is formed yet."""
        key = self._by_step.get((step.game.name, step.table, step.practice, participant))
        return None if key is None else self.tables[key]

    def treatment_of(self, participant: Participant) -> Treatment | None:
        """Return the treatment of a participant, if one is assigned."""
        return None if participant.treatment is None else self.file.treatment(participant.treatment)

    def quiz_passed(self, participant: Participant) -> bool:
        """Return whether a participant has nothing left to answer in the quiz."""
        treatment = self.treatment_of(participant)
        if self.file.quiz is None or treatment is None:
            return self.file.quiz is None
        questions = self.file.quiz_questions(treatment)
        states = [participant.quiz.get(question.name) for question in questions]
        most = self.file.quiz.attempts
        open_ = [state for state in states if state is None or (not state.right and state.attempts < most)]
        return not open_

    def step_of(self, participant: Participant) -> Step | None:
        """Return the step of the games at which a participant is. Return None before the games and after them."""
        if participant.cohort is None or participant.treatment is None:
            return None
        for step in self._steps[participant.treatment]:
            if step.belief is not None:
                if step.belief.name not in participant.beliefs:
                    return step
                continue
            table = self.table_of(step, participant.number)
            if table is None or table.ending is None or ("results", table.group.key) not in participant.done:
                return step
        return None

    def page_of(self, participant: Participant) -> Page:
        """Return the page on which a participant is."""
        if participant.outcome is not None and participant.outcome != "done":
            return Page("outcome")
        before = self._page_before(participant)
        if before is not None:
            return before
        step = self.step_of(participant)
        if step is not None:
            return self._page_in_games(participant, step)
        if self.file.questionnaire and ("questionnaire", "") not in participant.done:
            return Page("questionnaire")
        if self.file.payment is not None and ("payment", "") not in participant.done:
            return Page("payment")
        return Page("outcome")

    def _page_before(self, participant: Participant) -> Page | None:
        """Return the page before the games, or None if the participant is in the games or beyond."""
        if self.file.pages.welcome is not None and ("welcome", "") not in participant.done:
            return Page("welcome")
        if self.file.consent is not None and participant.consent is None:
            return Page("consent")
        if ("instructions", "") not in participant.done:
            return Page("instructions")
        if not self.quiz_passed(participant) or (participant.quiz_failed and ("quiz", "") not in participant.done):
            return Page("quiz")
        return Page("lobby") if participant.cohort is None else None

    def _page_in_games(self, participant: Participant, step: Step) -> Page:
        if step.belief is not None:
            return Page("belief", step.belief.name)
        table = self.table_of(step, participant.number)
        if table is None or not table.started:
            return Page("waiting", "" if table is None else table.group.key)
        return Page("game" if table.ending is None else "results", table.group.key)

    def progress(self, participant: Participant) -> tuple[int, int]:
        """Return the number of the participant's step, and the number of all steps."""
        names: list[PageName] = ["welcome", "consent", "instructions", "quiz", "lobby"]
        has = {"welcome": self.file.pages.welcome, "consent": self.file.consent, "quiz": self.file.quiz}
        before = [name for name in names if has.get(name, True) is not None]
        treatment = participant.treatment or self.file.treatments[0].name
        steps = self._steps[treatment]
        after = [*(["questionnaire"] if self.file.questionnaire else []), *(["payment"] if self.file.payment else [])]
        total = len(before) + len(steps) + len(after) + 1
        page = self.page_of(participant)
        if page.name in before:
            return before.index(page.name) + 1, total
        step = self.step_of(participant)
        if step is not None and page.name != "outcome":
            return len(before) + steps.index(step) + 1, total
        return (total - len(after) + after.index(page.name), total) if page.name in after else (total, total)


def steps_of(file: SessionFile) -> Iterator[Step]:
    """Yield the tables and beliefs of a session in their order."""
    for game in file.games:
        beliefs = [belief for belief in file.beliefs if belief.game == game.name]
        yield from (Step(game, table, practice=True) for table in range(1, game.practice + 1))
        yield from (Step(game, 0, belief=belief) for belief in beliefs if belief.when == "before")
        for table in range(1, game.tables + 1):
            yield Step(game, table)
            if table == 1:
                yield from (Step(game, 0, belief=belief) for belief in beliefs if belief.when == "after")


def _cohort(state: SessionState, entry: e.CohortFormed, at: str) -> None:
    number = len(state.cohorts)
    state.cohorts.append(Cohort(number, entry.treatment, tuple(entry.members)))
    for member in entry.members:
        state.participants[member].cohort = number


def _group(state: SessionState, entry: e.GroupFormed, at: str) -> None:
    table = TableState(len(state.tables), entry)
    state.tables[entry.key] = table
    for member in table.people:
        state.participants[member].tables.append(entry.key)
        state._by_step[entry.game, entry.table, entry.practice, member] = entry.key
    if entry.relaxed and not any(
        other.group.relaxed and other.group.game == entry.game and other is not table for other in state.tables.values()
    ):
        state.messages.append((at, f"{entry.game}: the people who are left cannot be perfect strangers at every table"))


def _table_started(state: SessionState, entry: e.TableStarted, at: str) -> None:
    state.tables[entry.key].started = True


def _table_ended(state: SessionState, entry: e.TableEnded, at: str) -> None:
    table = state.tables[entry.key]
    table.ending, table.game_id, table.points, table.reason = entry.ending, entry.game, entry.points, entry.reason
    for member, points in entry.points.items():
        state.participants[member].points[entry.key] = points
    if entry.ending == "void":
        state.messages.append((at, f"{entry.key}: {entry.reason or entry.ending}"))


def _pausing(state: SessionState, entry: e.Paused | e.Resumed, at: str) -> None:
    paused = isinstance(entry, e.Paused)
    if entry.scope == "all":
        state.paused = paused
    elif entry.scope in state.tables:
        state.tables[entry.scope].paused = paused


def _notice_to_all(state: SessionState, entry: e.Notice, at: str) -> None:
    if entry.participant is None:
        state.messages.append((at, entry.text))
        for person in state.participants.values():
            person.notice = entry.text


def _chatted(state: SessionState, entry: e.Chatted, at: str) -> None:
    assert entry.participant is not None
    state.chat.append((entry.participant, entry.number))


def _started(state: SessionState, entry: e.Started, at: str) -> None:
    state.started = state.started or at


def _ended(state: SessionState, entry: e.Ended, at: str) -> None:
    state.ended = at


_OF_SESSION: Final[Mapping[type[e.Entry], Callable[[SessionState, Any, str], None]]] = {
    e.CohortFormed: _cohort,
    e.GroupFormed: _group,
    e.TableStarted: _table_started,
    e.TableEnded: _table_ended,
    e.Paused: _pausing,
    e.Resumed: _pausing,
    e.Notice: _notice_to_all,
    e.Chatted: _chatted,
    e.Started: _started,
    e.Ended: _ended,
}
