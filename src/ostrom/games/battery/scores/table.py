"""Every score of every subject in one table, with a row of human values. The names of scores are those that commands
and reports use. Import this module only after all tasks, including those of plugins, are registered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from typing_extensions import override

from ostrom.analysis.study import Scored, SubjectStudy, Word
from ostrom.core.estimates import proportion
from ostrom.core.game import imported
from ostrom.core.listing import brief
from ostrom.core.text import number_of
from ostrom.games.battery.scores import cooperation, further, rationality, social
from ostrom.games.battery.scores.people import mean_over_people, missing_people
from ostrom.games.battery.scores.rationality import POINTS_ALONE, BatterySubject
from ostrom.games.battery.scores.score import Code, SampledScore, Score, ScoreDefinition, no_score
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import is_subject
from ostrom.games.battery.tables import events_by_subject, tables_by_task
from ostrom.journal.record import GameRecord

PEOPLE: Final = "people"
"""The name of the row of human values."""
THEMES: Final = {
    "rationality": "Rationality",
    "social": "Social preferences",
    "cooperation": "Cooperation and depth",
    "further": "Further measures",
}
SCORES: Final[tuple[ScoreDefinition[Any], ...]] = (
    *rationality.SCORES,
    *social.SCORES,
    *cooperation.SCORES,
    *further.SCORES,
    *(definition for task in TASKS.values() if task.rules.scores for definition in imported(task.rules.scores)),
)
"""Every score. Tables, reports and pages list the scores in this order."""
DEFINITIONS: Final = {definition.name: definition for definition in SCORES}
HUMAN: Final = {definition.name: definition.human for definition in SCORES if definition.human is not None}
"""The human values, by the name of their score."""
MAIN: Final = ("rationality", "social", "cooperation")
"""The main score of each theme."""
_NO_WORD: Final = "types describe single people, and this row is a mean over people"
_UNKNOWN: Final = no_score("no human value of this score is known")


@dataclass(frozen=True, repr=False)
class SubjectScores(BatterySubject):
    """All scores of a subject."""

    def __repr__(self) -> str:
        return f"<Scores of {brief([self.subject])}: {number_of(len(self.tasks), 'task')}: {brief(self.tasks)}>"

    @cached_property
    def _sampled(self) -> dict[str, SampledScore]:
        """Every score that is a number, by name, with its draws if it has any."""
        results = ((definition.name, definition(self)) for definition in SCORES if not definition.words)
        return {
            name: result if isinstance(result, SampledScore) else SampledScore(result)
            for name, result in results
            if not isinstance(result, Word)
        }

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Every score that is a number, by name, in the order of `SCORES`."""
        return {name: result.score for name, result in self._sampled.items()}

    @cached_property
    def exact(self) -> tuple[str, ...]:
        """The names of the scores that are computed from the model's probabilities of all answers, so that they have no
        sampling error."""
        return tuple(name for name, result in self._sampled.items() if result.exact and result.value is not None)

    @cached_property
    def probability_note(self) -> str | None:
        """A sentence on the scores that use drawn answers, if some answers were drawn from known distributions.
        Otherwise None."""
        items = [item for events in self.item_events.values() for item in events if item["answer"] is not None]
        lacking = sum(item.get("probabilities") is None for item in items)
        if lacking == len(items):
            return None
        note = "scores that are no means of answers use the answers that were drawn"
        if lacking:
            note += f", and so do means that need one of the {lacking} of {len(items)} answers without probabilities"
        return note

    @cached_property
    def over_conditions(self) -> dict[str, float]:
        """The standard deviation of scores over conditions, by name. This is not a sampling error, since conditions are
        fixed."""
        spreads = ((name, result.spread) for name, result in self._sampled.items())
        return {name: spread for name, spread in spreads if spread is not None}

    @cached_property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """The bounds of mean scores with missing answers, by name. In the worst case every missing answer counts as the
        least possible value, and in the best case as the greatest. The scores themselves leave missing answers out."""
        bounds = ((name, result.bounds) for name, result in self._sampled.items())
        return {name: ends for name, ends in bounds if ends is not None}

    @cached_property
    def words(self) -> dict[str, Word]:
        """Every score that is a word."""
        results = ((definition.name, definition.score(self)) for definition in SCORES if definition.words)
        return {name: word for name, word in results if isinstance(word, Word)}

    @property
    def label(self) -> str | None:
        return self.words["label"].value

    @property
    def items(self) -> int:
        """The number of events."""
        return sum(map(len, self.tasks.values()))

    @cached_property
    def statics(self) -> dict[str, cooperation.Verdict | None]:
        """The verdicts on comparative statics: whether behaviour responds to incentives as theory predicts."""
        slopes = cooperation.PREDICTED.items()
        return {name: cooperation.verdict(self.scores[slope.name], sign) for name, (slope, sign) in slopes}

    @cached_property
    def invalid(self) -> dict[str, Score]:
        """Two shares of all items: those without a valid answer, and those that were refused."""
        items = [item for events in self.item_events.values() for item in events]
        if not items:
            return dict.fromkeys(("invalid", "refused"), POINTS_ALONE)
        missing = [item["fault"] for item in items if item["answer"] is None]
        counts = {"invalid": len(missing), "refused": missing.count("refused")}
        return {name: proportion(count / len(items), len(items)) for name, count in counts.items()}

    def as_record(self) -> dict[str, Any]:
        """Return the row as plain data."""
        both: dict[str, Score | Word] = {**self.scores, **self.words}
        return {
            "subject": self.subject,
            "human": False,
            **{definition.name: both[definition.name].as_record() for definition in SCORES},
            **{name: share.as_record() for name, share in self.invalid.items()},
            "over_conditions": self.over_conditions,
            "bounds": self.bounds,
            "control_note": self.control_note,
            "from_probabilities": list(self.exact),
            "probability_note": self.probability_note,
            "statics": self.statics,
            "time": None if self.time is None else self.time.as_record(),
            "risk": None if self.risk is None else self.risk.as_record(),
        }


@dataclass(frozen=True, repr=False)
class PooledPeople(SubjectScores):
    """The people of a session as one row: the mean over people of each score that is a number. The row has no answers
    of its own, so it has no card."""

    source: str = ""
    people: tuple[SubjectScores, ...] = ()

    @override
    @cached_property
    def scores(self) -> dict[str, Score]:
        """Every score that is a number, as the mean over the people who have it, with an interval over people."""
        return {
            name: mean_over_people([person.scores[name] for person in self.people], DEFINITIONS[name].bounds)
            for name in self.people[0].scores
        }

    @override
    @cached_property
    def words(self) -> dict[str, Word]:
        """Every score that is a word. Types describe single people, so none has a value."""
        return {name: self._word(name) for name in self.people[0].words}

    def _word(self, name: str) -> Word:
        asked = any(person.words[name].code != Code.NOT_ASKED for person in self.people)
        return Word(None, _NO_WORD) if asked else self.people[0].words[name]

    @override
    @property
    def label(self) -> str:
        return self.note

    @property
    def note(self) -> str:
        """The source of the row, and the number of people without its main scores."""
        scores = {name: [person.scores[name] for person in self.people] for name in MAIN}
        missing = missing_people(scores, MAIN)
        return f"means of {self.source}" + (f"; {missing}" if missing else "")

    @override
    @property
    def items(self) -> int:
        return sum(person.items for person in self.people)

    @override
    @cached_property
    def invalid(self) -> dict[str, Score]:
        """The shares of items without a valid answer and of refused items, as means over people."""
        shares = [person.invalid for person in self.people]
        return {name: mean_over_people([share[name] for share in shares], (0.0, 1.0)) for name in shares[0]}

    @override
    def as_record(self) -> dict[str, Any]:
        return super().as_record() | {"human": True, "source": self.note, "people": len(self.people)}


def pool_people(name: str, source: str, people: Sequence[Scored]) -> PooledPeople:
    """Return the row of a session's people."""
    return PooledPeople(name, {}, source, tuple(people))  # type: ignore[arg-type]


def score_subjects(records: Iterable[tuple[str, str, GameRecord]]) -> list[SubjectScores]:
    """Return all scores of the subjects of stated tasks in these games. The most rational subject comes first. Subjects
    without a rationality score come last, sorted by name."""
    return in_order(SubjectScores(subject, tasks) for subject, tasks in events_by_subject(records).items())


def in_order(rows: Iterable[SubjectScores]) -> list[SubjectScores]:
    """Sort subjects by rationality, from the highest score to the lowest. Subjects without a rationality score come
    last, sorted by name."""

    def place(subject: SubjectScores) -> tuple[bool, float, str]:
        value = subject.scores["rationality"].value
        return value is None, -(value or 0.0), subject.subject

    return sorted(rows, key=place)


def human_scores() -> dict[str, Score]:
    """Return the human values by the names of scores. A value is a range if the source gives a range."""
    return {name: human.score for name, human in HUMAN.items()}


def human_record() -> dict[str, Any]:
    """Return the row of human values as plain data. Each value has its source."""
    row: dict[str, Any] = {"subject": PEOPLE, "human": True}
    for definition in SCORES:
        human = definition.human
        score, source = (_UNKNOWN, None) if human is None else (human.score, human.cited)
        row[definition.name] = score.as_record() | {"source": source}
    return row


def human_reference() -> dict[str, Score]:
    """Return the row of human values, in which the source of every value is stored as its reason."""
    numbers = {definition.name: definition.human for definition in SCORES if not definition.words}
    return {
        name: _UNKNOWN if human is None else replace(human.score, reason=human.cited) for name, human in numbers.items()
    }


BATTERY: Final = SubjectStudy(
    command="battery",
    title="The economic battery",
    records=tuple(task.game.name for task in TASKS.values()),
    scales=SCORES,
    themes=THEMES,
    exported=tables_by_task,
    score=score_subjects,
    in_order=in_order,  # type: ignore[arg-type]
    reference=human_reference,
    is_simulated=is_subject,
    pooled=pool_people,
)
"""The study of the battery. The game of every stated task names it as its measures."""
