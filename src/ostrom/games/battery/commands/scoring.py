"""`ostrom scores`: what the battery says about every subject, beside what is known of people."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from ostrom.analysis.selection import scored_subjects
from ostrom.analysis.study import Word
from ostrom.core.outlets import legible
from ostrom.games.battery.scores.score import Code, Score, rounded
from ostrom.games.battery.scores.table import (
    BATTERY,
    DESCRIBED,
    HUMAN,
    PEOPLE,
    SubjectScores,
    human_record,
    human_scores,
)
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.sheets import Column, Sheet, out, print_json

OfExperiment = Annotated[
    str | None, typer.Option(metavar="EXPERIMENT", help="Only this experiment's answers, by id or name.")
]
OfSubject = Annotated[
    list[str] | None, typer.Option("--subject", metavar="SUBJECT", help="Only this subject; repeatable.")
]


def scores(
    experiment: OfExperiment = None, subject: OfSubject = None, store: opt.Store = None, json: opt.Json = False
) -> None:
    """Score the subjects of the battery: rationality, social preferences, cooperation and depth."""
    with open_journal(store) as journal:
        found: list[SubjectScores] = scored_subjects(journal, BATTERY, experiment, subject or ())  # type: ignore[assignment]
        names = journal.names.known()
    if json:
        told = [{**one.as_record(), "name": names.of(one.subject)} for one in found]
        print_json({"scores": [*told, human_record()]})
        return
    for place, (sheet, notes) in enumerate(score_sheets(found, names.of)):
        if place:
            out.print()
        out.print(sheet)
        for note in notes:
            out.print(note, style="dim", soft_wrap=False)


_NAME = 22
"""As wide as a subject's name is on one line; a longer one goes on below, beside the interval."""
_NONE = "–"
_NOT_ASKED = "·"


@dataclass(frozen=True)
class Shown:
    """A score in a sheet."""

    score: str
    heading: str
    decimals: int = 1
    span: int = 1
    """Decimals of its interval."""
    spare: int = 0
    explained: str = ""
    """What the caption says about it."""


SHEETS: Mapping[str, tuple[Shown, ...]] = {
    "Rationality": (
        Shown("rationality", "score"),
        Shown("rationality_published", "published", spare=4, explained="with Err_EV and the published penalty"),
        Shown("delta", "δ", 3, 3, 1),
        Shown("delta_corrected", "δ of utility", 3, 3, 15, "the risk task's curvature taken out"),
        Shown("err_eu", "Err_EU", 2, 1, 2),
        Shown("err_ev", "Err_EV", 2, 1, 3),
        Shown("penalty", "penalty", 1, 1, 11),
        Shown("discounting", "discounting", spare=12),
        Shown("discounting_evidence", "evidence", 0, 0, 16, "times as much as for the next best theory"),
        Shown("beta", "β", 3, 2, 13),
        Shown("m", "m", 3, 2, 14),
    ),
    "Social preferences, in percent": (
        Shown("social", "social", 1, 0, explained="mean of the four"),
        Shown("altruism", "altruism", 1, 0, 1),
        Shown("fairness", "fairness", 1, 0, 2),
        Shown("fairness_positive", "above 0", 1, 0, 11, "fairness without offers of 0"),
        Shown("trust", "trust", 1, 0, 3),
        Shown("reciprocity", "reciprocity", 1, 0, 4),
        Shown("minimum_acceptable", "accepts from", 0, 0, 12),
    ),
    "Cooperation and depth": (
        Shown("label", "strategy"),
        Shown("stag", "stag", 1, 0, 1, "percent"),
        Shown("contribution", "gives", 1, 0, 2, "percent"),
        Shown("pass", "passes", 1, 0, 3, "percent"),
        Shown("claim", "claims", 1, 0, 5, "2 to 100"),
        Shown("guess", "guess", 1, 0, 4, "p = 2/3"),
        Shown("depth", "depth", spare=11),
        Shown("depth_published", "as published", spare=15, explained="depth by the published cut-offs"),
        Shown("ccei", "CCEI", 3, 2, 12),
        Shown("loss_aversion", "λ", 2, 1, 13),
        Shown("ambiguity", "ambiguity", 2, 2, 14),
    ),
}
_FURTHER = 10
"""Columns that are spared beyond this are extras: that they lack a value is not told below."""
_CAPTIONS = {"Rationality": "Below a figure: its 95 % interval. –: no score, ·: not asked."}
_PARTS = {
    "rationality": ("delta", "err_eu"),
    "rationality_published": ("delta", "err_ev"),
    "social": ("altruism", "fairness", "trust", "reciprocity"),
    "label": ("stag", "contribution", "pass"),
}
"""What scores are made of."""


def score_sheets(rows: Sequence[SubjectScores], name_of: Callable[[str], str] = str) -> list[tuple[Sheet, list[str]]]:
    """The three sheets, each with the notes that belong below it. Captions and notes are about the columns that the
    terminal has room for; `name_of` says what to call a subject."""
    made = []
    for title, shown in SHEETS.items():
        there = [row for row in rows if not all(_of(row, one.score).code == Code.NOT_ASKED for one in shown)]
        others = [name_of(row.subject) for row in rows if row not in there]
        unasked = [f"not asked any of this: {', '.join(others)}"] if others else []
        sheet = _sheet(title, shown, there, name_of)
        # The first column is the subject.
        visible = [shown[index - 1] for index in sheet.shown(out.width) if index]
        sheet.caption = _caption(title, visible)
        made.append((sheet, _notes(shown, visible, there, name_of) + unasked))
    return made


def _sheet(title: str, shown: Sequence[Shown], rows: Sequence[SubjectScores], name_of: Callable[[str], str]) -> Sheet:
    people = human_scores()
    return Sheet(
        title=title,
        columns=[
            Column("subject", lines=True),
            *(Column(one.heading, number=not DESCRIBED[one.score].words, spare=one.spare, lines=True) for one in shown),
        ],
        rows=[
            *([folded(name_of(row.subject)), *(_cell(_of(row, one.score), one) for one in shown)] for row in rows),
            [PEOPLE, *(_cell(people.get(one.score), one) for one in shown)],
        ],
    )


def _caption(title: str, visible: Sequence[Shown]) -> str:
    told = [_CAPTIONS[title]] if title in _CAPTIONS else []
    for what in dict.fromkeys(one.explained for one in visible if one.explained):
        headings = ", ".join(one.heading for one in visible if one.explained == what)
        # A letter of another alphabet is a parameter's name, and its capital another's.
        begun = headings[0].upper() + headings[1:] if headings[0].isascii() else headings
        told.append(f"{begun}: {what}.")
    return " ".join(told)


def _of(row: SubjectScores, name: str) -> Score | Word:
    return row.words[name] if DESCRIBED[name].words else row.scores[name]


def _cell(score: Score | Word | None, shown: Shown) -> str:
    if score is None:
        return _NONE
    if score.code == Code.NOT_ASKED:
        return _NOT_ASKED
    if isinstance(score, Word):
        return score.value or _NONE
    span = "" if score.low is None or score.high is None else _span(score.low, score.high, shown.span)
    if score.value is None:
        return span or _NONE
    return rounded(score.value, shown.decimals) + (f"\n{span}" if span else "")


def _span(low: float, high: float, decimals: int) -> str:
    # A share's leading zero takes room that an interval has better use for.
    ends = (re.sub(r"^(-?)0\.", r"\1.", rounded(end, decimals)) for end in (low, high))
    return ("–" if low >= 0 else " to ").join(ends)


def folded(name: str) -> str:
    """A name on lines that fit its column, broken after a sign that joins its parts."""
    lines = [""]
    for part in re.findall(r"[^:,/\-_ ]*[:,/\-_ ]?", legible(" ".join(name.split())) or _NONE):
        while len(part) > _NAME:
            lines.append(part[:_NAME])
            part = part[_NAME:]
        if len(lines[-1]) + len(part) <= _NAME:
            lines[-1] += part
        else:
            lines.append(part)
    return "\n".join(line for line in lines if line)


def _notes(
    shown: Sequence[Shown], visible: Sequence[Shown], rows: Sequence[SubjectScores], name_of: Callable[[str], str]
) -> list[str]:
    """Why scores are missing among those visible, extras apart, a line for each subject and reason; and where the human
    values come from."""
    notes = []
    main = [one for one in shown if one.spare < _FURTHER]
    for row in rows:
        reasons: dict[str, list[str]] = {}
        found = {one.score: _of(row, one.score) for one in main}
        missing = {name for name, one in found.items() if one.value is None and one.code != Code.NOT_ASKED}
        for one in main:
            if one.score in missing and one in visible:
                # What is made of others lacks what they lack; that is said once.
                named = next((part for part in _PARTS.get(one.score, ()) if part in missing), one.score)
                reasons.setdefault(found[named].reason or "reason unknown", []).append(one.heading)
        notes += [f"{name_of(row.subject)}: no {_listed(headings)}: {reason}" for reason, headings in reasons.items()]
    sources: dict[str, list[str]] = {}
    for one in visible:
        if one.score in HUMAN:
            sources.setdefault(HUMAN[one.score].source, []).append(_noted(one))
    told = "; ".join(f"{source} ({'; '.join(headings)})" for source, headings in sources.items())
    return [*notes, f"{PEOPLE}: {told}"] if told else notes


def _noted(shown: Shown) -> str:
    """A heading with what keeps its human value from being compared as it stands."""
    note = HUMAN[shown.score].note
    return f"{shown.heading}: {note}" if note else shown.heading


def _listed(headings: Sequence[str]) -> str:
    *first, last = headings
    return f"{', '.join(first)} or {last}" if first else last
