"""The report of two experiments side by side: contribution, punishment, retaliation and final tokens, each with the
interval of the difference."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import altair as alt
import polars as pl

from ostrom.charts import render
from ostrom.charts.compare import Pair, compare_players, compare_rounds
from ostrom.charts.families import Cast
from ostrom.charts.page import Block, Figure, Page, definitions
from ostrom.charts.report import PAGE, Progress, Written, write_pictures, write_tables, write_text
from ostrom.charts.summary import answers_sentence, facts
from ostrom.charts.whole import written_whole
from ostrom.charts.words import TOKENS, Unit, share
from ostrom.study.compare import COMPARED, compare, compare_overall
from ostrom.study.measures.registry import MEASURES
from ostrom.study.tables import Tables
from ostrom.table import InputError

_UNITS: Final[Mapping[str, Unit]] = {
    "aggregate_contribution_by_round": share("of all tokens, contributed"),
    "contribution_percent_pooled": share("of all tokens held, contributed"),
    "aggregate_punishment_by_round": share("of all tokens, spent on punishing"),
    "punishment_spent_percent": share("of the balance, spent"),
    "retaliation_rate": share("of punishments suffered, answered"),
    "mean_final": TOKENS,
}


def write_comparison(
    a: Tables,
    b: Tables,
    folder: Path,
    *,
    pair: tuple[str, str],
    names: Mapping[str, str] | None = None,
    built_in: Collection[str] = (),
    progress: Progress = lambda name: None,
) -> Written:
    """Write the comparison of two experiments into the folder; differences are b − a. `pair` is what the two are
    called."""
    called = _told_apart(pair)
    for tables, name in zip((a, b), called, strict=True):
        if not len(tables.games):
            raise InputError(f"{name!r} has no finished games of Contribute & Punish to compare")
    cast = Cast.of([*a.seats["player"], *b.seats["player"]], names=names, built_in=built_in)
    frames = {name: _compared(a, b, name) for name in COMPARED}
    known = {name: frame for name, frame in frames.items() if len(frame)}
    charts = {name: _drawn(name, frame, called, cast) for name, frame in known.items()}
    figures = [
        Figure(name, MEASURES[name].title, render.embedded(chart), MEASURES[name].definition)
        for name, chart in charts.items()
    ]
    short = [
        f"“{called.a}”: {facts(a)} {answers_sentence(a)}",
        f"“{called.b}”: {facts(b)} {answers_sentence(b)}",
        *(f"{figure.chart.title}." for figure in figures),
        "Differences are the second less the first. Their 95% intervals resample the games of each independently.",
    ]
    entries = [(MEASURES[name].title, MEASURES[name].definition, MEASURES[name].notes) for name in known]
    title = f"{called.a} against {called.b}"
    page = Page(
        title=title,
        facts=f"{len(a.games):,} and {len(b.games):,} games of Contribute & Punish.",
        short=short,
        blocks=[
            Block("differences", "Side by side", "", figures),
            Block("definitions", "Definitions", definitions(entries)),
        ],
        footer="Beside this page: charts/ holds every picture as SVG and PNG, tables/ every table as CSV and Parquet.",
    )
    with written_whole(folder, PAGE) as aside:
        write_pictures(charts, aside / "charts", progress)
        write_tables(known, aside / "tables")
        write_text(aside / PAGE, page.html())
        write_text(aside / "summary.txt", "\n".join([title, *short, ""]))
    return Written(folder / PAGE, len(charts), len(known), tuple(short))


def _compared(a: Tables, b: Tables, name: str) -> pl.DataFrame:
    """The comparison by round, or by player with everybody together on top; the two may have no player in common."""
    if MEASURES[name].by == ("round",):
        return compare(a, b, name)
    return pl.concat([compare_overall(a, b, name), compare(a, b, name)])


def _drawn(name: str, frame: pl.DataFrame, pair: Pair, cast: Cast) -> alt.HConcatChart:
    measure = MEASURES[name]
    if measure.by == ("round",):
        return compare_rounds(frame, pair, what=measure.title, unit=_UNITS[name])
    return compare_players(frame, pair, cast, what=measure.title, unit=_UNITS[name])


def _told_apart(pair: tuple[str, str]) -> Pair:
    """The two names, numbered where they are the same."""
    a, b = pair
    return Pair(a, b) if a != b else Pair(f"{a} (1)", f"{b} (2)")
