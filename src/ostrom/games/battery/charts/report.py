"""The report of the battery: the three leaderboards beside what people do, every score with its interval, and a card
for every subject."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import altair as alt
import polars as pl

from ostrom.charts import render
from ostrom.charts.catalogue import Written
from ostrom.charts.families import Cast
from ostrom.charts.page import Block, Figure, Page, definitions, written_whole
from ostrom.charts.report import PAGE, Progress, write_pictures, write_tables, write_text
from ostrom.core import InputError
from ostrom.games.battery.charts import data
from ostrom.games.battery.charts.boards import BOARDS, Board, board_chart
from ostrom.games.battery.charts.card import card
from ostrom.games.battery.charts.marks import subject_label
from ostrom.games.battery.charts.words import facts, score_table, sentences
from ostrom.games.battery.scores.baselines import BASELINES
from ostrom.games.battery.scores.described import SCORES
from ostrom.games.battery.scores.table import SubjectScores, human_scores

HEADING: Final = "The economic battery"
TABLES: Final[Mapping[str, Callable[[SubjectScores], pl.DataFrame]]] = {
    "discount_points": data.discount_points,
    "discount_curves": data.discount_curves,
    "triangle_points": data.triangle_points,
    "acceptance": data.acceptance,
    "returns": data.returns,
    "guesses": data.guesses,
    "claims": data.claims,
}
CARD: Final = (
    "Discounting: a point is the sooner amount, in parts of the later one, that is as good; the curves were fitted to "
    "all choices, and the bold one has the least BIC. Triangle: grey lotteries are joined with those on the axes that "
    "are as good; under expected utility all these lines are parallel to the blue ones."
)


def board_definition(board: Board) -> str:
    """What the scores of a leaderboard are."""
    wanted = {panel.score for panel in board.panels}
    return " ".join(f"{one.title}: {one.definition}" for one in SCORES if one.name in wanted)


def drawn_board(board: Board, rows: Sequence[SubjectScores], cast: Cast) -> alt.HConcatChart:
    """A leaderboard of these subjects, beside what people do."""
    return board_chart(board, data.scores_frame(rows), human_scores(), cast)


def write_battery_report(
    rows: Sequence[SubjectScores],
    folder: Path,
    *,
    title: str = HEADING,
    built_in: Collection[str] = (),
    progress: Progress = lambda name: None,
) -> Written:
    """Write the report of these subjects into the folder, whole, or leave the folder as it was. `built_in` names the
    subjects that are no models."""
    if not rows:
        raise InputError("there are no answers to the battery to report on")
    subjects = [one.subject for one in rows]
    cast = Cast.of(subjects, names={name: subject_label(name) for name in subjects}, built_in=built_in)
    scores = data.scores_frame(rows)
    boards = {f"board_{board.name}": drawn_board(board, rows, cast) for board in BOARDS}
    cards = {f"card_{number}": card(one, cast.label(one.subject)) for number, one in enumerate(rows, start=1)}
    charts: dict[str, alt.LayerChart | alt.HConcatChart | alt.VConcatChart] = {**boards, **cards}
    tables = {"scores": scores, **{name: pl.concat([of(one) for one in rows]) for name, of in TABLES.items()}}
    short = sentences(rows, cast)
    page = Page(
        title=title,
        facts=facts(rows),
        short=short,
        blocks=[
            Block("boards", "Leaderboards", "", [_board_figure(number, boards) for number in range(len(BOARDS))]),
            Block("scores", "All scores", score_table(rows, cast)),
            Block("cards", "Subject by subject", "", _card_figures(rows, cards, cast)),
            Block("definitions", "Definitions", definitions([(one.title, one.definition, "") for one in SCORES])),
            Block("people", "People", definitions([(one.quantity, one.value, one.source) for one in BASELINES])),
        ],
        footer="Beside this page: charts/ holds every picture as SVG and PNG, tables/ every table as CSV and Parquet.",
    )
    with written_whole(folder, PAGE) as aside:
        write_pictures(charts, aside / "charts", progress)
        write_tables(tables, aside / "tables")
        write_text(aside / PAGE, page.html())
        write_text(aside / "summary.txt", "\n".join([title, facts(rows), *short, ""]))
    return Written(folder / PAGE, len(charts), len(tables), tuple(short))


def _board_figure(number: int, boards: Mapping[str, alt.HConcatChart]) -> Figure:
    board, name = BOARDS[number], f"board_{BOARDS[number].name}"
    return Figure(name, board.heading, render.embedded(boards[name]), board_definition(board), table="scores")


def _card_figures(rows: Sequence[SubjectScores], cards: Mapping[str, alt.VConcatChart], cast: Cast) -> list[Figure]:
    return [
        Figure(name, cast.label(one.subject), render.embedded(cards[name]), CARD if place == 0 else "", table="scores")
        for place, (one, name) in enumerate(zip(rows, cards, strict=True))
    ]
