"""The participants of a session: what the entries of a session say about each of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ostrom.experiment.session import entries as e

NAME_WIDTH: Final = 2
"""The smallest number of digits in the name of a participant."""


def participant_name(number: int) -> str:
    """Return the name of a participant in data and on pages, such as person-07."""
    return f"person-{number:0{NAME_WIDTH}d}"


def number_of_name(name: str) -> int | None:
    """Return the number of a participant from the name, or None if it is not the name of a participant."""
    digits = name.removeprefix("person-")
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 9 else None
    return number if number is not None and participant_name(number) == name else None


@dataclass(slots=True)
class QuizState:
    """The answers of a participant to one comprehension question."""

    attempts: int = 0
    right: bool = False
    value: Any = None


@dataclass(slots=True)
class Participant:
    """A participant."""

    number: int
    joined: str
    """The time of joining."""
    language: str = "en"
    consent: bool | None = None
    treatment: str | None = None
    done: set[tuple[str, str]] = field(default_factory=set)
    """The pages that are done, with their names."""
    quiz: dict[str, QuizState] = field(default_factory=dict)
    quiz_failed: bool = False
    lobby_at: str | None = None
    """The time at which the participant entered the lobby."""
    cohort: int | None = None
    tables: list[str] = field(default_factory=list)
    """The keys of the participant's tables."""
    beliefs: dict[str, float] = field(default_factory=dict)
    belief_points: dict[str, float] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    """The answers to the questionnaire; None for personal ones."""
    refused: int = 0
    answered: int = 0
    points: dict[str, float] = field(default_factory=dict)
    """The points by table."""
    points_at_replacement: dict[str, float] = field(default_factory=dict)
    replaced_by: str | None = None
    absent_since: str | None = None
    notice: str | None = None
    outcome: e.Outcome | None = None
    drawn: str | None = None
    draw_words: str | None = None
    paid: e.Paid | None = None
    person: Literal["person", "model", "unknown"] = "unknown"
    traces: list[tuple[str, dict[str, float | None]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return participant_name(self.number)

    @property
    def active(self) -> bool:
        """True if the person still takes part and decides."""
        return self.outcome is None and self.replaced_by is None


def _consented(person: Participant, entry: e.Consented, at: str) -> None:
    person.consent = entry.agreed


def _page_done(person: Participant, entry: e.PageDone, at: str) -> None:
    person.done.add((entry.page, entry.name))
    if entry.page == "payment":
        person.outcome = person.outcome or "done"


def _quiz_answered(person: Participant, entry: e.QuizAnswered, at: str) -> None:
    person.quiz[entry.question] = QuizState(entry.attempt, entry.right, entry.value)


def _quiz_failed(person: Participant, entry: e.QuizFailed, at: str) -> None:
    person.quiz_failed = True


def _entered_lobby(person: Participant, entry: e.EnteredLobby, at: str) -> None:
    person.lobby_at = at


def _assigned(person: Participant, entry: e.TreatmentAssigned, at: str) -> None:
    person.treatment = entry.treatment


def _answered(person: Participant, entry: e.Answered, at: str) -> None:
    person.answered += 1
    person.refused += entry.refused


def _belief(person: Participant, entry: e.BeliefAnswered, at: str) -> None:
    person.beliefs[entry.name] = entry.value


def _belief_scored(person: Participant, entry: e.BeliefScored, at: str) -> None:
    person.belief_points[entry.name] = entry.points


def _questionnaire(person: Participant, entry: e.QuestionnaireAnswered, at: str) -> None:
    person.answers[entry.name] = None if entry.personal else entry.value


def _replaced(person: Participant, entry: e.Replaced, at: str) -> None:
    person.replaced_by = entry.by
    if entry.key is not None and entry.points is not None:
        person.points_at_replacement[entry.key] = person.points[entry.key] = entry.points


def _absent(person: Participant, entry: e.Absent, at: str) -> None:
    person.absent_since = at


def _returned(person: Participant, entry: e.Returned, at: str) -> None:
    person.absent_since = None


def _noticed(person: Participant, entry: e.Notice, at: str) -> None:
    person.notice = entry.text


def _released(person: Participant, entry: e.Released, at: str) -> None:
    person.outcome = person.outcome or entry.outcome


def _drawn(person: Participant, entry: e.Drawn, at: str) -> None:
    person.drawn, person.draw_words = entry.game, entry.words


def _paid(person: Participant, entry: e.Paid, at: str) -> None:
    person.paid = entry


def _labelled(person: Participant, entry: e.PersonLabelled, at: str) -> None:
    person.person = entry.person


def _traced(person: Participant, entry: e.TraceRecorded, at: str) -> None:
    person.traces.append((entry.question, entry.numbers))


PARTICIPANT_ENTRIES: Final[Mapping[type[e.Entry], Callable[[Participant, Any, str], None]]] = {
    e.Consented: _consented,
    e.PageDone: _page_done,
    e.QuizAnswered: _quiz_answered,
    e.QuizFailed: _quiz_failed,
    e.EnteredLobby: _entered_lobby,
    e.TreatmentAssigned: _assigned,
    e.Answered: _answered,
    e.BeliefAnswered: _belief,
    e.BeliefScored: _belief_scored,
    e.QuestionnaireAnswered: _questionnaire,
    e.Replaced: _replaced,
    e.Absent: _absent,
    e.Returned: _returned,
    e.Notice: _noticed,
    e.Released: _released,
    e.Drawn: _drawn,
    e.Paid: _paid,
    e.PersonLabelled: _labelled,
    e.TraceRecorded: _traced,
}
"""The changes of a participant, by the type of the entry."""
