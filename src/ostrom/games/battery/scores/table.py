"""Every score of every subject in one table, with the human row beside them. It computes nothing: it gathers what the
scores of the battery find, under the names that commands and reports use."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from ostrom.analysis.study import Word
from ostrom.core.estimates import proportion
from ostrom.core.game import imported
from ostrom.core.listing import brief
from ostrom.core.text import number_of
from ostrom.games.battery.scores import cooperation, further, rationality, social
from ostrom.games.battery.scores.rationality import POINTS_ALONE, Subject
from ostrom.games.battery.scores.score import Declared, Sampled, Score, withheld
from ostrom.games.battery.tables import events_by_subject
from ostrom.games.battery.tasks import TASKS
from ostrom.journal.record import GameRecord

PEOPLE: Final = "people"
"""What the human row is called."""
THEMES: Final = {
    "rationality": "Rationality",
    "social": "Social preferences",
    "cooperation": "Cooperation and depth",
    "further": "Further measures",
}
SCORES: Final[tuple[Declared[Any], ...]] = (
    *rationality.SCORES,
    *social.SCORES,
    *cooperation.SCORES,
    *further.SCORES,
    *(one for task in TASKS.values() if task.rules.scores for one in imported(task.rules.scores)),
)
"""Every score; tables, reports and pages list them in this order."""
DESCRIBED: Final = {one.name: one for one in SCORES}
HUMAN: Final = {one.name: one.human for one in SCORES if one.human is not None}
"""The human row: for each score that a source has a value of, by the score's name."""
_UNKNOWN: Final = withheld("no human value of this score is known")


@dataclass(frozen=True, repr=False)
class SubjectScores(Subject):
    """All that the battery says about a subject."""

    def __repr__(self) -> str:
        return f"<Scores of {brief([self.subject])}: {number_of(len(self.tasks), 'task')}: {brief(self.tasks)}>"

    @cached_property
    def scores(self) -> dict[str, Score]:
        """Every score that is a number, by name, in the order of `SCORES`."""
        found = ((one.name, one.score(self)) for one in SCORES if not one.words)
        return {name: score for name, score in found if isinstance(score, Score)}

    @cached_property
    def over_conditions(self) -> dict[str, float]:
        """How much scores vary over conditions, by name: the standard deviation of what they are in each. That is no
        error: the conditions are fixed."""
        found = ((one.name, one(self)) for one in SCORES if not one.words)
        spreads = ((name, each.spread) for name, each in found if isinstance(each, Sampled))
        return {name: spread for name, spread in spreads if spread is not None}

    @cached_property
    def words(self) -> dict[str, Word]:
        """Every score that is a word."""
        found = ((one.name, one.score(self)) for one in SCORES if one.words)
        return {name: word for name, word in found if isinstance(word, Word)}

    @property
    def label(self) -> str | None:
        return self.words["label"].value

    @property
    def items(self) -> int:
        """How many events it was scored by."""
        return sum(map(len, self.tasks.values()))

    @cached_property
    def statics(self) -> dict[str, cooperation.Verdict | None]:
        """Whether behaviour moves with incentives as theory says."""
        slopes = cooperation.PREDICTED.items()
        return {name: cooperation.verdict(self.scores[slope.name], sign) for name, (slope, sign) in slopes}

    @cached_property
    def invalid(self) -> dict[str, Score]:
        """Shares of all items of all tasks: those without a valid answer, and those of them that were refused."""
        items = [event for events in self.tasks.values() for event in events if event["event"] == "item_answered"]
        if not items:
            return dict.fromkeys(("invalid", "refused"), POINTS_ALONE)
        missing = [item["fault"] for item in items if item["answer"] is None]
        counts = {"invalid": len(missing), "refused": missing.count("refused")}
        return {name: proportion(count / len(items), len(items)) for name, count in counts.items()}

    def as_record(self) -> dict[str, Any]:
        """The row as plain data."""
        both: dict[str, Score | Word] = {**self.scores, **self.words}
        return {
            "subject": self.subject,
            "human": False,
            **{one.name: both[one.name].as_record() for one in SCORES},
            **{name: share.as_record() for name, share in self.invalid.items()},
            "over_conditions": self.over_conditions,
            "statics": self.statics,
            "time": None if self.time is None else self.time.as_record(),
            "risk": None if self.risk is None else self.risk.as_record(),
        }


def score_subjects(records: Iterable[tuple[str, str, GameRecord]]) -> list[SubjectScores]:
    """All scores of everyone who answered stated tasks in these games, the most rational first; who has no rationality
    score comes last, by name."""
    return in_order(SubjectScores(subject, tasks) for subject, tasks in events_by_subject(records).items())


def in_order(rows: Iterable[SubjectScores]) -> list[SubjectScores]:
    """The most rational first; who has no rationality score comes last, by name."""

    def place(one: SubjectScores) -> tuple[bool, float, str]:
        value = one.scores["rationality"].value
        return value is None, -(value or 0.0), one.subject

    return sorted(rows, key=place)


def human_scores() -> dict[str, Score]:
    """What is known of people, under the names of our scores; a range where a source gives one."""
    return {name: human.score for name, human in HUMAN.items()}


def human_record() -> dict[str, Any]:
    """The human row as plain data; each value comes with its source."""
    row: dict[str, Any] = {"subject": PEOPLE, "human": True}
    for one in SCORES:
        score = _UNKNOWN if one.human is None else one.human.score
        row[one.name] = score.as_record() | {"source": None if one.human is None else one.human.cited}
    return row


def human_reference() -> dict[str, Score]:
    """The human row with the source of every value in the place of a reason."""
    return {
        one.name: _UNKNOWN if one.human is None else replace(one.human.score, reason=one.human.cited)
        for one in SCORES
        if not one.words
    }
