"""The report of an experiment: one page that works without a network, the pictures as SVG and PNG, the tables as CSV
and Parquet."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from ostrom.analysis.kinds import AnyTables
from ostrom.charts import render
from ostrom.charts.catalogue import RATINGS, drawn
from ostrom.charts.editions import Edition, edition_of, rating_definition
from ostrom.charts.families import Cast
from ostrom.charts.page import Block, Figure, Page, definitions, written_whole
from ostrom.charts.standings import Standing, leaderboard_frame, leaderboard_table, ratings_frame, with_answers
from ostrom.core import InputError

Progress = Callable[[str], None]

PAGE = "report.html"


@dataclass(frozen=True)
class Written:
    """What a report wrote."""

    page: Path
    charts: int
    tables: int
    short: tuple[str, ...]


def write_report(
    tables: AnyTables,
    ratings: Sequence[Standing],
    folder: Path,
    *,
    title: str = "",
    names: Mapping[str, str] | None = None,
    built_in: Collection[str] = (),
    rating_note: str = "",
    progress: Progress = lambda name: None,
) -> Written:
    """Write the report of these games into the folder. `ratings` come best first; `names` says what to call players,
    `built_in` which of them are no models, `rating_note` how the ratings were made; `progress` is
    told the name of each chart that is done. The report is written whole, or the folder stays as it was."""
    edition = edition_of(tables)
    title = title or edition.heading
    if not len(tables.games):
        raise InputError(f"there are no finished games of {edition.kind.title} to report on")
    # Who was left out is still named among what was left out.
    cast = Cast.of(tables.asked["player"], names=names, built_in=built_in)
    standings = with_answers(ratings, tables)
    measured = {name: measure.function(tables) for name, measure in edition.kind.measures.items()}
    board = leaderboard_frame(standings, measured, edition.beside)
    charts = {
        name: drawn(picture, ratings_frame(standings) if name == RATINGS else measured[picture.source], cast)
        for name, picture in edition.pictures.items()
    }
    kept = {RATINGS: board, **measured, **{name: getattr(tables, name) for name in edition.tidy}}
    short = [*tables.left_out.sentences(cast.label), *edition.sentences(tables, standings, measured, cast)]
    rating = rating_definition(edition, rating_note)
    facts = edition.facts(tables)
    page = Page(
        title=title,
        facts=facts,
        short=short,
        blocks=_blocks(edition, charts, leaderboard_table(board, cast, edition.beside), rating),
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


def all_definitions(edition: Edition[Any], rating: str) -> str:
    """What every measure is, and what it leaves out."""
    entries = [("TrueSkill", rating, "")]
    return definitions(entries + [(one.title, one.definition, one.notes) for one in edition.kind.measures.values()])


def _blocks(edition: Edition[Any], charts: Mapping[str, alt.LayerChart], board: str, rating: str) -> list[Block]:
    measures = edition.kind.measures
    blocks = [Block("table", "Leaderboard", board)]
    for section in edition.sections:
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
    return [*blocks, Block("definitions", "Definitions", all_definitions(edition, rating))]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror}") from error
