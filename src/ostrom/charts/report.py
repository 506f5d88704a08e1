"""The report of an experiment: one page that works without a network, the pictures as SVG and PNG, the tables as CSV
and Parquet."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import polars as pl

from ostrom.charts import render
from ostrom.charts.catalogue import PICTURES, RATINGS, SECTIONS, drawn
from ostrom.charts.families import Cast
from ostrom.charts.page import Block, Figure, Page, definitions
from ostrom.charts.standings import Standing, leaderboard_frame, leaderboard_table, ratings_frame
from ostrom.charts.summary import facts, sentences
from ostrom.charts.whole import written_whole
from ostrom.study.measures.registry import MEASURES
from ostrom.study.tables import Tables
from ostrom.table import InputError

Progress = Callable[[str], None]

RATING_DEFINITION = (
    "Multi-pass TrueSkill: every pass rates all games in a random order from scratch, by rank at the game's end, tied "
    "balances being draws; μ and σ are medians over the passes. Only differences of μ mean something. Nobody "
    "in a tier can be told apart, by these games, from the tier's first."
)
PAGE = "report.html"


@dataclass(frozen=True)
class Written:
    """What a report wrote."""

    page: Path
    charts: int
    tables: int
    short: tuple[str, ...]


def write_report(
    tables: Tables,
    ratings: Sequence[Standing],
    folder: Path,
    *,
    title: str = "Contribute & Punish",
    names: Mapping[str, str] | None = None,
    built_in: Collection[str] = (),
    rating_note: str = "",
    progress: Progress = lambda name: None,
) -> Written:
    """Write the report of these games into the folder. `ratings` come best first; `names` says what to call players,
    `built_in` which of them are no models, `rating_note` how the ratings were made; `progress` is
    told the name of each chart that is done. The report is written whole, or the folder stays as it was."""
    if not len(tables.games):
        raise InputError("there are no finished games of Contribute & Punish to report on")
    cast = Cast.of(tables.seats["player"], names=names, built_in=built_in)
    measured = {name: measure.function(tables) for name, measure in MEASURES.items()}
    board = leaderboard_frame(ratings, measured)
    charts = {
        name: drawn(picture, ratings_frame(ratings) if name == RATINGS else measured[name], cast)
        for name, picture in PICTURES.items()
    }
    kept = {RATINGS: board, **measured, **_tidy(tables)}
    short = sentences(tables, ratings, measured, cast)
    page = Page(
        title=title,
        facts=facts(tables),
        short=short,
        blocks=_blocks(charts, leaderboard_table(board, cast), f"{RATING_DEFINITION} {rating_note}".strip()),
        footer="Beside this page: charts/ holds every picture as SVG and PNG, tables/ every table as CSV and Parquet.",
    )
    with written_whole(folder, PAGE) as aside:
        write_pictures(charts, aside / "charts", progress)
        write_tables(kept, aside / "tables")
        write_text(aside / PAGE, page.html())
        write_text(aside / "summary.txt", "\n".join([title, facts(tables), *short, ""]))
    return Written(folder / PAGE, len(charts), len(kept), tuple(short))


def write_pictures(
    charts: Mapping[str, alt.LayerChart | alt.HConcatChart], folder: Path, progress: Progress = lambda name: None
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


def all_definitions(rating: str = RATING_DEFINITION) -> str:
    """What every measure is, and what it leaves out."""
    entries = [("TrueSkill", rating, "")]
    return definitions(entries + [(one.title, one.definition, one.notes) for one in MEASURES.values()])


def _blocks(charts: Mapping[str, alt.LayerChart], board: str, rating: str) -> list[Block]:
    blocks = [Block("table", "Leaderboard", board)]
    for section in SECTIONS:
        figures = [
            Figure(
                picture.name,
                picture.heading,
                render.embedded(charts[picture.name]),
                rating if picture.name == RATINGS else MEASURES[picture.name].definition,
                picture.dots,
            )
            for picture in section.pictures
        ]
        blocks.append(Block(section.anchor, section.title, "", figures))
    return [*blocks, Block("definitions", "Definitions", all_definitions(rating))]


def _tidy(tables: Tables) -> dict[str, pl.DataFrame]:
    return {
        "games": tables.games,
        "seats": tables.seats,
        "rounds": tables.rounds,
        "punishments": tables.punishments,
        "messages": tables.messages,
    }


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror}") from error
