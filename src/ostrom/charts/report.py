"""The report of an experiment: one page that works without a network, the pictures as SVG and PNG, the tables as CSV
and Parquet."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts import render
from ostrom.charts.catalogue import (
    RATINGS,
    Catalogue,
    Section,
    Written,
    catalogue_of,
    drawn,
    rating_definition,
    shown_sections,
)
from ostrom.charts.page import Block, Figure, Page, definitions, written_whole
from ostrom.charts.standings import Standing, leaderboard_frame, leaderboard_table, ratings_frame, with_answers
from ostrom.core import InputError

Progress = Callable[[str], None]

PAGE = "report.html"


def write_report(
    tables: GameTables,
    ratings: Sequence[Standing],
    folder: Path,
    *,
    title: str = "",
    rating_note: str = "",
    progress: Progress = lambda name: None,
) -> Written:
    """Write the report of these games into the folder. `ratings` come best first; `rating_note` says how they were
    made; `progress` is told the name of each chart that is done. The report is written whole, or the folder stays as it
    was."""
    catalogue = catalogue_of(study_of(tables))
    title = title or catalogue.heading
    if not len(tables.games):
        raise InputError(f"there are no finished games of {catalogue.study.spoken} to report on")
    # Who was left out is still named among what was left out.
    cast = catalogue.cast(tables.asked["player"].to_list(), [tables])
    standings = with_answers(ratings, tables)
    measured = {name: measure.function(tables) for name, measure in catalogue.study.measures.items()}
    board = leaderboard_frame(standings, measured, catalogue.beside)
    sections = shown_sections(catalogue.sections, measured)
    charts = {
        one.name: drawn(one, ratings_frame(standings) if one.name == RATINGS else measured[one.source], cast)
        for section in sections
        for one in section.pictures
    }
    kept = {RATINGS: board, **measured, **tables.parts}
    short = [*tables.left_out.sentences(cast.label), *catalogue.sentences(tables, standings, measured, cast)]
    rating = rating_definition(rating_note)
    facts = catalogue.facts(tables)
    page = Page(
        title=title,
        facts=facts,
        short=short,
        blocks=_blocks(catalogue, sections, charts, leaderboard_table(board, cast, catalogue.beside), rating),
        footer="Beside this page: charts/ holds every picture as SVG and PNG, tables/ every table as CSV and Parquet.",
    )
    with written_whole(folder, PAGE) as aside:
        write_pictures(charts, aside / "charts", progress)
        write_tables(kept, aside / "tables")
        write_text(aside / PAGE, page.html())
        write_text(aside / "summary.txt", "\n".join([title, facts, *short, ""]))
    return Written(folder / PAGE, len(charts), len(kept), tuple(short))


def write_pictures(
    charts: Mapping[str, alt.LayerChart | alt.HConcatChart | alt.VConcatChart],
    folder: Path,
    progress: Progress = lambda name: None,
) -> None:
    """Every chart as SVG and, from the same drawing, as PNG."""
    _make(folder)
    for name, chart in charts.items():
        picture = render.svg(chart)
        write_text(folder / f"{name}.svg", picture)
        (folder / f"{name}.png").write_bytes(render.png(picture))
        progress(name)


def write_tables(tables: Mapping[str, pl.DataFrame], folder: Path) -> None:
    """Every table as CSV and as Parquet."""
    _make(folder)
    for name, table in tables.items():
        table.write_csv(folder / f"{name}.csv")
        table.write_parquet(folder / f"{name}.parquet")


def write_text(path: Path, text: str) -> None:
    """Write a file, the same on every system. What no encoding holds is replaced, for a name may hold anything."""
    path.write_bytes(text.encode("utf-8", "replace"))


def all_definitions(catalogue: Catalogue[Any], rating: str) -> str:
    """What every measure is, and what it leaves out."""
    entries = [("TrueSkill", rating, "")]
    return definitions(entries + [(one.title, one.definition, one.notes) for one in catalogue.study.measures.values()])


def _blocks(
    catalogue: Catalogue[Any],
    sections: Sequence[Section],
    charts: Mapping[str, alt.LayerChart],
    board: str,
    rating: str,
) -> list[Block]:
    measures = catalogue.study.measures
    blocks = [Block("table", "Leaderboard", board)]
    for section in sections:
        figures = [
            Figure(
                picture.name,
                picture.heading,
                render.embedded(charts[picture.name]),
                rating if picture.name == RATINGS else measures[picture.source].definition,
                picture.dots,
                picture.source,
            )
            for picture in section.pictures
        ]
        blocks.append(Block(section.anchor, section.title, "", figures))
    return [*blocks, Block("definitions", "Definitions", all_definitions(catalogue, rating))]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror}") from error
