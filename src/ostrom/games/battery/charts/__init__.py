"""The charts of the battery for reports and pages. This module writes the report: three leaderboards with human values,
a table of every score with its interval, a card for every subject, and a summary."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from ostrom.analysis.provenance import StudyProvenance
from ostrom.analysis.study import Word
from ostrom.analysis.tables import GameTables
from ostrom.charts import render
from ostrom.charts.catalogue import (
    GameCharts,
    HeadlineComponent,
    HeadlineScore,
    SubjectBoard,
    SubjectCharts,
    WrittenReport,
)
from ostrom.charts.families import Cast, with_names
from ostrom.charts.report import Block, Progress, ReportFigure, ReportPage, ReportTable, TableCell
from ostrom.core import InputError
from ostrom.core.text import clean, number_of
from ostrom.games.battery.charts.boards import BOARDS, Leaderboard, draw_board
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.charts.data import TABLES
from ostrom.games.battery.scores.score import BASELINES, Code, Score, format_rounded
from ostrom.games.battery.scores.table import DEFINITIONS, PEOPLE, SCORES, PooledPeople, SubjectScores, human_scores
from ostrom.journal.names import PlayerNames

MAX_NAMED_SUBJECTS: Final = 3


def facts(rows: Sequence[SubjectScores]) -> str:
    """Return a text with the numbers of subjects, tasks and answers."""
    single = [person for row in rows for person in (row.people if isinstance(row, PooledPeople) else (row,))]
    items = sum(len(events) for subject in single for events in subject.item_events.values())
    tasks = len({task for subject in single for task in subject.tasks})
    return f"{number_of(len(rows), 'subject')} · {number_of(tasks, 'task')} · {items:,} answers asked for"


def sentences(rows: Sequence[SubjectScores], cast: Cast) -> list[str]:
    """Return a summary in a few sentences."""
    parts = [_leading(rows, cast), _compared_with_people(rows), _labels(rows, cast), _without_score(rows, cast)]
    return [part for part in parts if part]


def _leading(rows: Sequence[SubjectScores], cast: Cast) -> str:
    scores = {subject.subject: subject.scores["rationality"] for subject in rows}
    values = {name: score for name, score in scores.items() if score.value is not None}
    if not values:
        return "No subject has a rationality score."
    first, last = (end(values, key=lambda name: values[name].value or 0.0) for end in (max, min))
    if first == last:
        return f"{cast.label(first)} has a rationality score of {_figure(values[first])}."
    ends = f"from {_figure(values[last])} ({cast.label(last)}) to {_figure(values[first])} ({cast.label(first)})"
    text = f"Rationality scores run {ends}."
    # If two 95 % intervals do not overlap, the difference is significant at well under 1 %, which allows for several
    # comparisons.
    others = [score.high for name, score in values.items() if name != first]
    if all(high is not None and (values[first].low or 0.0) > high for high in others):
        return f"{text} {cast.label(first)} has the highest: no other interval reaches its own."
    return f"{text} Intervals single out no highest score."


def _compared_with_people(rows: Sequence[SubjectScores]) -> str:
    """Return a sentence on three scores. For each, it says how many subjects have an interval that is wholly above the
    human value."""
    people = human_scores()
    parts = []
    for name in ("delta", "altruism", "trust"):
        human = people[name].value
        lows = [subject.scores[name].low for subject in rows]
        lower_ends = [low for low in lows if low is not None]
        if lower_ends and human is not None:
            more = sum(low > human for low in lower_ends)
            parts.append(f"in {DEFINITIONS[name].title}, {more} of {len(lower_ends)} above {human:g}")
    if not parts:
        return ""
    return (
        f"Answers to these questions, by whole intervals, beside published means of people in other studies: "
        f"{'; '.join(parts)}. Subjects without an interval are not counted."
    )


def _labels(rows: Sequence[SubjectScores], cast: Cast) -> str:
    groups: dict[str, list[str]] = {}
    for subject in rows:
        if (label := subject.words["label"].value) is not None:
            groups.setdefault(label, []).append(cast.label(subject.subject))
    order = [label for label in ("cooperative", "mixed", "competitive") if label in groups]
    text = "; ".join(f"{label}: {_first_names(groups[label])}" for label in order)
    return f"{text[:1].upper()}{text[1:]}." if order else ""


def _without_score(rows: Sequence[SubjectScores], cast: Cast) -> str:
    parts = [
        f"{cast.label(subject.subject)} ({clean(score.reason or 'reason unknown', 110)})"
        for subject in rows
        if (score := subject.scores["rationality"]).value is None and score.code != Code.NOT_ASKED
    ]
    return f"Without a rationality score: {_first_names(parts)}." if parts else ""


def _first_names(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED_SUBJECTS
    return ", ".join(names[:MAX_NAMED_SUBJECTS]) + (f" and {more} more" if more > 0 else "")


def score_table(rows: Sequence[SubjectScores], cast: Cast) -> ReportTable:
    """Return a table of every score of every subject. It has a row for each score and a column for each subject; people
    are the last column. A dot marks a score if the subject was not asked its questions."""
    people = human_scores()
    headings = ["score", *(cast.label(subject.subject) for subject in rows), PEOPLE]
    body, breaks, theme = [], [], ""
    for place, described in enumerate(SCORES):
        if theme and described.theme != theme:
            breaks.append(place)
        theme = described.theme
        scores = [
            subject.words[described.name] if described.words else subject.scores[described.name] for subject in rows
        ]
        figures = [_figure(score, described.decimals) for score in (*scores, people.get(described.name))]
        body.append([TableCell(described.title), *map(TableCell, figures)])
    return ReportTable(headings, body, texts=[0], breaks=breaks)


def _figure(score: Score | Word | None, decimals: int = 1) -> str:
    if score is None:
        return "–"
    if score.code == Code.NOT_ASKED:
        return "·"
    if isinstance(score, Word):
        return score.value or "–"
    span = ""
    if score.low is not None and score.high is not None:
        low, high = format_rounded(score.low, decimals), format_rounded(score.high, decimals)
        span = f"{low}{' to ' if low.startswith('-') else '–'}{high}"
    if score.value is None:
        return span or "–"
    return format_rounded(score.value, decimals) + (f" ({span})" if span else "")


HEADING: Final = "The economic battery"
CARD: Final = (
    "Discounting: a point is the sooner amount, as a share of the later one, that is valued equally; the curves are "
    "fitted to all choices, and the bold one has the lowest BIC. Triangle: grey lotteries are joined to lotteries on "
    "the axes that are valued equally; under expected utility all these lines are parallel to the blue ones."
)


def board_definition(board: Leaderboard) -> str:
    """Return the definitions of a leaderboard's scores."""
    names = {panel.score for panel in board.panels}
    return " ".join(f"{score.title}: {score.definition}" for score in SCORES if score.name in names)


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
    """Write the complete report of these subjects into the folder. If this fails, the folder is unchanged. `cast` has
    the names of subjects. Without it, the report shows their ids. The summary begins with `notes`."""
    if not rows:
        raise InputError("there are no answers to the battery to report on")
    subjects = [subject.subject for subject in rows]
    cast = cast or Cast.named(subjects, PlayerNames.of_players(subjects))
    charts: dict[str, render.AnyChart] = {}

    def figure(name: str, heading: str, chart: render.AnyChart, definition: str) -> ReportFigure:
        charts[name] = chart
        return ReportFigure(name, heading, render.embedded(chart), definition, table="scores")

    boards = [
        figure(f"board_{board.name}", board.heading, draw_board(board, rows, cast), board_definition(board))
        for board in BOARDS
    ]
    cards = []
    pooled = [row for row in rows if isinstance(row, PooledPeople)]
    own = [(cast.label(row.subject), "", row.note) for row in pooled]
    for number, subject in enumerate((row for row in rows if row not in pooled), start=1):
        label = cast.label(subject.subject)
        cards.append(figure(f"card_{number}", label, card(subject, label), CARD if number == 1 else ""))
    page = ReportPage(
        title=title,
        facts=facts(rows),
        short=[*notes, *sentences(rows, cast)],
        blocks=[
            Block("boards", "Leaderboards", boards),
            Block("scores", "All scores", table=score_table(rows, cast)),
            Block("cards", "Subject by subject", cards),
            Block("definitions", "Definitions", definitions=[(score.title, score.definition, "") for score in SCORES]),
            Block("people", "People", definitions=[*own, *BASELINES]),
        ],
        provenance=() if provenance is None else (provenance,),
    )
    tables = {name: with_names(of(rows), cast.label) for name, (_, of) in TABLES.items()}
    return page.write(folder, charts, tables, progress)


_HEADLINES: Final = (
    HeadlineScore(
        "rationality",
        "Patience and consistency under risk, half each. 100 means no discounting and no violation of "
        "expected utility.",
        (
            HeadlineComponent("delta", 1, "worth of 1 a year later"),
            HeadlineComponent("err_eu", 50, "% off; less is better"),
        ),
        ("discounting",),
    ),
    HeadlineScore(
        "social",
        "The mean of four: money given, low offers rejected, money entrusted, and money returned.",
        tuple(HeadlineComponent(name, 100) for name in ("altruism", "fairness", "trust", "reciprocity")),
    ),
    HeadlineScore(
        "cooperation",
        "The mean of three: how often the stag is hunted, how much is contributed, and how often the player "
        "passes. Cooperative from 65, competitive below 40.",
        (
            HeadlineComponent("stag", 100, "% stag"),
            HeadlineComponent("contribution", 100, "% contributed"),
            HeadlineComponent("pass", 100, "% passed"),
        ),
        ("depth",),
        labelled=True,
    ),
)

CHARTS: Final = SubjectCharts(
    boards=tuple(
        SubjectBoard(board.name, board.heading, board_definition(board), partial(draw_board, board)) for board in BOARDS
    ),
    card=card,
    card_definition=CARD,
    headlines=_HEADLINES,
    tables=TABLES,
    facts=facts,
    sentences=sentences,
    write=write_report,
)
PLAYED_CHARTS: Final[GameCharts[GameTables]] = GameCharts()
