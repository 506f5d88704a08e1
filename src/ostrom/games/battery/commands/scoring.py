"""The verb `scores`. It computes the battery's scores of every subject, and shows them together with human values from
the literature."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from ostrom.analysis.selection import scored_subjects
from ostrom.analysis.study import Word
from ostrom.core.finding import MISSING, Column, Explanation, Finding, Row, Table
from ostrom.core.outlets import legible
from ostrom.core.settings import Display, Settings
from ostrom.core.verb import verb
from ostrom.games.battery.scores.score import Code, Score, format_rounded
from ostrom.games.battery.scores.table import (
    BATTERY,
    DEFINITIONS,
    HUMAN,
    PEOPLE,
    PooledPeople,
    SubjectScores,
    human_record,
    human_scores,
)
from ostrom.journal.open import open_journal

MAX_LINE_OF_NAME: Final = 22
NOT_ASKED: Final = "·"
AnyScore: TypeAlias = Score | Word


class ScoresSettings(Settings):
    """Settings of the command `scores`."""

    experiment: Annotated[str | None, Display(form="EXPERIMENT")] = Field(
        None, description="Only this experiment's answers, by id or name."
    )
    subject: Annotated[tuple[str, ...], Display(form="SUBJECT")] = Field(
        (), description="Only this subject; repeatable."
    )


@verb("scores", keeps=False, group="analyse")
def scores(store: str | None, settings: ScoresSettings) -> Finding:
    """Score the subjects of the battery: rationality, social preferences, cooperation and depth."""
    with open_journal(store) as journal:
        subjects: list[SubjectScores] = scored_subjects(journal, BATTERY, settings.experiment, settings.subject)  # type: ignore[assignment]
        names = journal.names.known()
    records = [{**subject.as_record(), "name": names.of(subject.subject)} for subject in subjects]
    return Finding(
        verb="scores",
        title=f"{BATTERY.title}: scores",
        facts={"scores": [*records, human_record()]},
        parts=[
            _scores_for_programs(subjects),
            *(_theme_table(title, columns, subjects, names.of) for title, columns in THEMES.items()),
        ],
        result=subjects,
    )


def _scores_for_programs(subjects: Sequence[SubjectScores]) -> Table:
    rows = [
        {"subject": subject.subject, "score": name, "estimate": score, "reason": score.reason}
        for subject in subjects
        for name, score in subject.scores.items()
    ]
    rows += [
        {"subject": subject.subject, "score": name, "word": word.value, "reason": word.reason}
        for subject in subjects
        for name, word in subject.words.items()
    ]
    columns = [Column(name) for name in ("subject", "score", "estimate", "word", "reason")]
    return Table("scores", columns, rows, title="Scores", in_json=False, on_terminal=False)


@dataclass(frozen=True)
class ScoreColumn:
    """A score as a column of a printed table."""

    score: str
    heading: str
    decimals: int = 1
    interval_decimals: int = 1
    spare: int = 0
    meaning: str = ""
    """The explanation of the column, which is part of the caption."""

    def of(self, subject: SubjectScores) -> AnyScore:
        """Return the score of a subject."""
        return subject.words[self.score] if DEFINITIONS[self.score].words else subject.scores[self.score]


THEMES: Final[Mapping[str, Sequence[ScoreColumn]]] = {
    "Rationality": (
        ScoreColumn("rationality", "score"),
        ScoreColumn("rationality_published", "published", spare=4, meaning="with Err_EV and the published penalty"),
        ScoreColumn("delta", "δ", 3, 3, 1),
        ScoreColumn(
            "delta_corrected", "δ of utility", 3, 3, 15, "δ corrected for the curvature of utility in the risk task"
        ),
        ScoreColumn("err_eu", "Err_EU", 2, 1, 2),
        ScoreColumn("err_ev", "Err_EV", 2, 1, 3),
        ScoreColumn("penalty", "penalty", 1, 1, 11),
        ScoreColumn("discounting", "discounting", spare=12),
        ScoreColumn(
            "discounting_evidence", "evidence", 0, 0, 16, "for this theory, as a multiple of that for the next best"
        ),
        ScoreColumn("beta", "β", 3, 2, 13),
        ScoreColumn("m", "m", 3, 2, 14),
    ),
    "Social preferences, in percent": (
        ScoreColumn("social", "social", 1, 0, meaning="mean of altruism, fairness, trust and reciprocity"),
        ScoreColumn("altruism", "altruism", 1, 0, 1),
        ScoreColumn("fairness", "fairness", 1, 0, 2),
        ScoreColumn("fairness_positive", "above 0", 1, 0, 11, "fairness without offers of 0"),
        ScoreColumn("trust", "trust", 1, 0, 3),
        ScoreColumn("reciprocity", "reciprocity", 1, 0, 4),
        ScoreColumn("minimum_acceptable", "accepts from", 0, 0, 12),
    ),
    "Cooperation and depth": (
        ScoreColumn("label", "strategy"),
        ScoreColumn("stag", "stag", 1, 0, 1, "percent"),
        ScoreColumn("contribution", "gives", 1, 0, 2, "percent"),
        ScoreColumn("pass", "passes", 1, 0, 3, "percent"),
        ScoreColumn("claim", "claims", 1, 0, 5, "2 to 100"),
        ScoreColumn("guess", "guess", 1, 0, 4, "p = 2/3"),
        ScoreColumn("depth", "depth", spare=11),
        ScoreColumn("depth_published", "as published", spare=15, meaning="depth by published cut-offs"),
        ScoreColumn("ccei", "CCEI", 3, 2, 12),
        ScoreColumn("loss_aversion", "λ", 2, 1, 13),
        ScoreColumn("ambiguity", "ambiguity", 2, 2, 14),
    ),
}
LAST_MAIN_SPARE: Final = 10
"""Columns with a `spare` of at least this are extras, which a narrow table drops first. Notes do not explain
missing values in extra columns."""
_INTERVALS: Final = "Below a figure is its 95 % interval, if it has one."
_RANGES: Final = "Ranges in the last row are those of published results."
_NO_SCORE: Final = "– means no score; in the last row, no published result."
_ASKED: Final = "· means not asked."
COMPONENTS: Final = {
    "rationality": ("delta", "err_eu"),
    "rationality_published": ("delta", "err_ev"),
    "social": ("altruism", "fairness", "trust", "reciprocity"),
    "label": ("stag", "contribution", "pass"),
}
"""The components of composite scores."""


def _theme_table(
    title: str, columns: Sequence[ScoreColumn], subjects: Sequence[SubjectScores], name_of: Callable[[str], str]
) -> Table:
    """Return the table of a theme's scores. It has a row for each subject that was asked about any of them, and a row
    for people."""
    asked = [subject for subject in subjects if any(column.of(subject).code != Code.NOT_ASKED for column in columns)]
    rows: list[Row] = [
        {"subject": folded(name_of(subject.subject)), **{column.score: column.of(subject) for column in columns}}
        for subject in asked
    ]
    others = ", ".join(name_of(subject.subject) for subject in subjects if subject not in asked)
    unasked = [f"not asked any of this: {others}"] if others else []

    def explain(visible: Collection[str]) -> Explanation:
        shown = [column for column in columns if column.score in visible]
        missing = _missing_scores(columns, shown, asked, name_of)
        doubts = [*_bounds(shown, asked, name_of), *_control_notes(asked, name_of)]
        own = [f"{name_of(row.subject)}: {row.note}" for row in asked if isinstance(row, PooledPeople)]
        notes = [*missing, *doubts, *_probability_notes(shown, asked, name_of), *own, *_sources(shown), *unasked]
        return Explanation(_caption(shown, asked), notes)

    return Table(
        name=title,
        columns=[
            Column("subject", "subject", multiline=True),
            *(
                Column(
                    column.score,
                    column.heading,
                    number=not DEFINITIONS[column.score].words,
                    spare=column.spare,
                    multiline=True,
                    cell=partial(_cell, column),
                )
                for column in columns
            ),
        ],
        rows=[*rows, {"subject": PEOPLE, **human_scores()}],
        title=title,
        caption=_caption(columns, asked),
        explain=explain,
        in_json=False,
        in_journal=False,
    )


def _caption(columns: Sequence[ScoreColumn], subjects: Sequence[SubjectScores]) -> str:
    """Return the meaning of the signs and of the columns that a table shows."""
    scores = [column.of(subject) for column in columns for subject in subjects]
    human = human_scores()
    people = [human[column.score] for column in columns if column.score in human]
    sentences = [_INTERVALS] if any(_has_interval(score) for score in scores) else []
    if any(_has_interval(score) for score in people):
        sentences.append(_RANGES)
    sentences.append(_NO_SCORE)
    if any(score.code == Code.NOT_ASKED for score in scores):
        sentences.append(_ASKED)
    for meaning in dict.fromkeys(column.meaning for column in columns if column.meaning):
        headings = ", ".join(column.heading for column in columns if column.meaning == meaning)
        # A Greek letter and its capital, here the names of two different parameters, look alike if case is ignored.
        subject = headings[0].upper() + headings[1:] if headings[0].isascii() else headings
        sentences.append(f"{subject}: {meaning}.")
    return " ".join(sentences)


def _has_interval(score: AnyScore) -> bool:
    return not isinstance(score, Word) and score.low is not None and score.high is not None


def _cell(column: ScoreColumn, row: Row) -> str:
    score: AnyScore | None = row.get(column.score)
    if score is None:
        return MISSING
    if score.code == Code.NOT_ASKED:
        return NOT_ASKED
    if isinstance(score, Word):
        return score.value or MISSING
    interval = "" if score.low is None or score.high is None else _interval(score.low, score.high, column)
    if score.value is None:
        return interval or MISSING
    return format_rounded(score.value, column.decimals) + (f"\n{interval}" if interval else "")


def _interval(low: float, high: float, column: ScoreColumn) -> str:
    # The leading zero of a share is left out, because columns of intervals are narrow.
    ends = (re.sub(r"^(-?)0\.", r"\1.", format_rounded(end, column.interval_decimals)) for end in (low, high))
    return ("–" if low >= 0 else " to ").join(ends)


def folded(name: str) -> str:
    """Return a name broken into lines that fit the column. Lines end after characters that join parts of the name, such
    as hyphens."""
    lines = [""]
    for part in re.findall(r"[^:,/\-_ ]*[:,/\-_ ]?", legible(" ".join(name.split())) or MISSING):
        while len(part) > MAX_LINE_OF_NAME:
            lines.append(part[:MAX_LINE_OF_NAME])
            part = part[MAX_LINE_OF_NAME:]
        if len(lines[-1]) + len(part) <= MAX_LINE_OF_NAME:
            lines[-1] += part
        else:
            lines.append(part)
    return "\n".join(line for line in lines if line)


def _missing_scores(
    columns: Sequence[ScoreColumn],
    visible: Sequence[ScoreColumn],
    subjects: Sequence[SubjectScores],
    name_of: Callable[[str], str],
) -> list[str]:
    """Return a line for each subject and each reason why visible scores of the subject are missing. Extra columns are
    left out."""
    lines = []
    main = [column for column in columns if column.spare < LAST_MAIN_SPARE]
    for subject in subjects:
        reasons: dict[str, list[str]] = {}
        results = {column.score: column.of(subject) for column in main}
        missing = {name for name, result in results.items() if result.value is None and result.code != Code.NOT_ASKED}
        for column in main:
            if column.score in missing and column in visible:
                # A composite score is missing for the same reason as its first missing component.
                cause = next((part for part in COMPONENTS.get(column.score, ()) if part in missing), column.score)
                reasons.setdefault(results[cause].reason or "reason unknown", []).append(column.heading)
        name = name_of(subject.subject)
        lines += [
            f"{name} has no figure for {_alternatives(headings)}: {reason}" for reason, headings in reasons.items()
        ]
    return lines


def _bounds(
    visible: Sequence[ScoreColumn], subjects: Sequence[SubjectScores], name_of: Callable[[str], str]
) -> list[str]:
    """Return a line for each subject with missing answers. It gives the subject's scores in the worst and in the best
    case of these answers."""
    lines = []
    for subject in subjects:
        ends = {column: subject.bounds[column.score] for column in visible if column.score in subject.bounds}
        parts = [f"{column.heading} {low:.1f} to {high:.1f}" for column, (low, high) in ends.items()]
        if parts:
            lines.append(f"{name_of(subject.subject)}, missing answers at worst and at best: {', '.join(parts)}")
    return lines


def _control_notes(subjects: Sequence[SubjectScores], name_of: Callable[[str], str]) -> list[str]:
    """Return a line for each kind of doubt that the answers to control questions raise, with the names of the subjects
    concerned. Subjects without scores are left out."""
    groups: dict[str, list[str]] = {}
    for subject in subjects:
        if subject.control_note is not None and any(score.value is not None for score in subject.scores.values()):
            groups.setdefault(subject.control_note, []).append(name_of(subject.subject))
    return [f"{', '.join(names)}: {note}" for note, names in groups.items()]


def _probability_notes(
    visible: Sequence[ScoreColumn], subjects: Sequence[SubjectScores], name_of: Callable[[str], str]
) -> list[str]:
    """Return a line for each subject whose answers were drawn from known distributions. The line names the visible
    scores that have no sampling error, and the visible scores that use the drawn answers."""
    lines = []
    for subject in subjects:
        if subject.probability_note is not None:
            headings = ", ".join(column.heading for column in visible if column.score in subject.exact)
            exact = f"{headings}: computed from the model's probabilities: no sampling error; " if headings else ""
            lines.append(f"{name_of(subject.subject)}: {exact}{subject.probability_note}")
    return lines


def _sources(visible: Sequence[ScoreColumn]) -> list[str]:
    """Return a line that names the sources of the human values and the limits of a comparison with them."""
    sources: dict[str, list[str]] = {}
    for column in visible:
        if column.score in HUMAN:
            human = HUMAN[column.score]
            heading = f"{column.heading}: {human.note}" if human.note else column.heading
            sources.setdefault(human.source, []).append(heading)
    text = "; ".join(f"{source} ({'; '.join(headings)})" for source, headings in sources.items())
    return [f"{PEOPLE}: {text}"] if text else []


def _alternatives(headings: Sequence[str]) -> str:
    *first, last = headings
    return f"{', '.join(first)} or {last}" if first else last
