"""The report of the battery: the three leaderboards beside what people do, every score with its interval, and a card
for every subject; and what it says in words: facts, sentences, and the table of all scores."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ostrom.analysis.provenance import StudyProvenance
from ostrom.analysis.study import Word
from ostrom.charts import render
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.families import Cast, with_names
from ostrom.charts.report import Block, Progress, ReportFigure, ReportPage, ReportTable, TableCell
from ostrom.core import InputError
from ostrom.core.text import clean, number_of
from ostrom.games.battery.charts.boards import BOARDS, Board, drawn_board
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.charts.data import TABLES
from ostrom.games.battery.scores.score import BASELINES, Code, Score, rounded
from ostrom.games.battery.scores.table import DESCRIBED, PEOPLE, SCORES, SubjectScores, human_scores
from ostrom.journal.names import PlayerNames

_SHOWN: Final = 3
"""So many subjects are named in a sentence."""


def facts(rows: Sequence[SubjectScores]) -> str:
    """How much was asked of how many."""
    items = sum(event["event"] == "item_answered" for one in rows for events in one.tasks.values() for event in events)
    tasks = len({task for one in rows for task in one.tasks})
    return f"{number_of(len(rows), 'subject')} · {number_of(tasks, 'task')} · {items:,} answers asked for"


def sentences(rows: Sequence[SubjectScores], cast: Cast) -> list[str]:
    """The report in a few sentences."""
    said = [_leading(rows, cast), _beside_people(rows), _labels(rows, cast), _without(rows, cast)]
    return [one for one in said if one]


def _leading(rows: Sequence[SubjectScores], cast: Cast) -> str:
    values = {one.subject: one.scores["rationality"] for one in rows if one.scores["rationality"].value is not None}
    if not values:
        return "No subject has a rationality score."
    first, last = (end(values, key=lambda name: values[name].value or 0.0) for end in (max, min))
    if first == last:
        return f"{cast.label(first)} has a rationality score of {_figure(values[first])}."
    ends = f"from {_figure(values[last])} ({cast.label(last)}) to {_figure(values[first])} ({cast.label(first)})"
    said = f"Rationality scores run {ends}."
    # Intervals of 95 % that do not meet differ at well under 1 %, which leaves room for comparing with several.
    others = [score.high for name, score in values.items() if name != first]
    if all(high is not None and (values[first].low or 0.0) > high for high in others):
        return f"{said} {cast.label(first)} is the most rational: no other interval reaches its own."
    return f"{said} Intervals single out no most rational subject."


def _beside_people(rows: Sequence[SubjectScores]) -> str:
    """For three scores with a human value: how many subjects lie above it with their whole interval."""
    people = human_scores()
    parts = []
    for name, what in (("delta", "patient"), ("altruism", "altruistic"), ("trust", "trusting")):
        human = people[name].value
        lows = [one.scores[name].low for one in rows]
        known = [low for low in lows if low is not None]
        if known and human is not None:
            more = sum(low > human for low in known)
            parts.append(f"{more} of {len(known)} more {what} ({DESCRIBED[name].title} of people: {human:g})")
    return f"Compared with people, by whole intervals: {'; '.join(parts)}." if parts else ""


def _labels(rows: Sequence[SubjectScores], cast: Cast) -> str:
    groups: dict[str, list[str]] = {}
    for one in rows:
        if (label := one.words["label"].value) is not None:
            groups.setdefault(label, []).append(cast.label(one.subject))
    order = [label for label in ("cooperative", "mixed", "competitive") if label in groups]
    said = "; ".join(f"{label}: {_some(groups[label])}" for label in order)
    return f"{said[:1].upper()}{said[1:]}." if order else ""


def _without(rows: Sequence[SubjectScores], cast: Cast) -> str:
    parts = [
        f"{cast.label(one.subject)} ({clean(score.reason or 'reason unknown', 110)})"
        for one in rows
        if (score := one.scores["rationality"]).value is None and score.code != Code.NOT_ASKED
    ]
    return f"Without a rationality score: {_some(parts)}." if parts else ""


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def score_table(rows: Sequence[SubjectScores], cast: Cast) -> ReportTable:
    """Every score of every subject: a row a score, a column a subject, people last. What was not asked is a
    dot."""
    people = human_scores()
    headings = ["score", *(cast.label(one.subject) for one in rows), PEOPLE]
    body, breaks, theme = [], [], ""
    for place, described in enumerate(SCORES):
        if theme and described.theme != theme:
            breaks.append(place)
        theme = described.theme
        found = [one.words[described.name] if described.words else one.scores[described.name] for one in rows]
        figures = [_figure(score, described.decimals) for score in (*found, people.get(described.name))]
        body.append([TableCell(described.title), *map(TableCell, figures)])
    return ReportTable(headings, body, names=0, breaks=breaks)


def _figure(score: Score | Word | None, decimals: int = 1) -> str:
    if score is None:
        return "–"
    if score.code == Code.NOT_ASKED:
        return "·"
    if isinstance(score, Word):
        return score.value or "–"
    span = "" if score.low is None or score.high is None else _span(score.low, score.high, decimals)
    if score.value is None:
        return span or "–"
    return rounded(score.value, decimals) + (f" ({span})" if span else "")


def _span(low: float, high: float, decimals: int) -> str:
    first, last = (rounded(end, decimals) for end in (low, high))
    return f"{first}{' to ' if first.startswith('-') else '–'}{last}"


HEADING: Final = "The economic battery"
CARD: Final = (
    "Discounting: a point is the sooner amount, as a share of the later one, that is valued equally; the curves are "
    "fitted to all choices, and the bold one has the lowest BIC. Triangle: grey lotteries are joined to lotteries on "
    "the axes that are valued equally; under expected utility all these lines are parallel to the blue ones."
)


def board_definition(board: Board) -> str:
    """What the scores of a leaderboard are."""
    wanted = {panel.score for panel in board.panels}
    return " ".join(f"{one.title}: {one.definition}" for one in SCORES if one.name in wanted)


def write_report(
    rows: Sequence[SubjectScores],
    folder: Path,
    *,
    title: str = HEADING,
    cast: Cast | None = None,
    notes: Sequence[str] = (),
    provenance: StudyProvenance | None = None,
    progress: Progress = lambda name: None,
) -> WrittenReport:
    """Write the report of these subjects into the folder, whole, or leave the folder as it was. `cast` says
    what they are called; without one, their ids are known. `notes` come first among the sentences."""
    if not rows:
        raise InputError("there are no answers to the battery to report on")
    subjects = [one.subject for one in rows]
    cast = cast or Cast.of(subjects, names=PlayerNames.of_players(subjects).all_of(subjects))
    charts: dict[str, render.AnyChart] = {}

    def figure(name: str, heading: str, chart: render.AnyChart, definition: str) -> ReportFigure:
        charts[name] = chart
        return ReportFigure(name, heading, render.embedded(chart), definition, table="scores")

    boards = [
        figure(f"board_{one.name}", one.heading, drawn_board(one, rows, cast), board_definition(one)) for one in BOARDS
    ]
    cards = [
        figure(
            f"card_{number}", cast.label(one.subject), card(one, cast.label(one.subject)), CARD if number == 1 else ""
        )
        for number, one in enumerate(rows, start=1)
    ]
    page = ReportPage(
        title=title,
        facts=facts(rows),
        short=[*notes, *sentences(rows, cast)],
        blocks=[
            Block("boards", "Leaderboards", boards),
            Block("scores", "All scores", table=score_table(rows, cast)),
            Block("cards", "Subject by subject", cards),
            Block("definitions", "Definitions", definitions=[(one.title, one.definition, "") for one in SCORES]),
            Block("people", "People", definitions=[(one.quantity, one.value, one.source) for one in BASELINES]),
        ],
        provenance=() if provenance is None else (provenance,),
    )
    tables = {name: with_names(of(rows), cast.label) for name, (_, of) in TABLES.items()}
    return page.write(folder, charts, tables, progress)
