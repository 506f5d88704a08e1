"""The report of two experiments side by side: contribution, punishment, retaliation and final tokens, each with the
interval of the difference."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from ostrom.charts import render
from ostrom.charts.answer_words import answers_sentence
from ostrom.charts.compare import Pair, compare_players, compare_rounds
from ostrom.charts.editions import Edition, edition_of
from ostrom.charts.families import Cast
from ostrom.charts.long_lines import commonly_reached
from ostrom.charts.page import Block, Figure, Page, definitions
from ostrom.charts.report import PAGE, Progress, Written, write_pictures, write_tables, write_text
from ostrom.charts.whole import written_whole
from ostrom.study.compare import compare_by
from ostrom.study.kinds import AnyTables
from ostrom.table import InputError


def write_comparison(
    a: AnyTables,
    b: AnyTables,
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
    edition, other = edition_of(a), edition_of(b)
    if edition is not other:
        raise InputError(
            f"{called.a!r} holds games of {edition.kind.title}, {called.b!r} of {other.kind.title}; compare two of one"
        )
    for tables, name in zip((a, b), called, strict=True):
        if not len(tables.games):
            raise InputError(f"{name!r} has no finished games of {edition.kind.title} to compare")
    cast = Cast.of([*a.asked["player"], *b.asked["player"]], names=names, built_in=built_in)
    measures = edition.kind.measures
    frames = {name: _compared(edition, a, b, name) for name in edition.compared}
    known = {name: frame for name, frame in frames.items() if len(frame)}
    charts = {name: _drawn(edition, name, frame, called, cast) for name, frame in known.items()}
    figures = [
        Figure(name, measures[name].title, render.embedded(chart), measures[name].definition)
        for name, chart in charts.items()
    ]
    short = [
        *(
            " ".join([f"“{name}”: {edition.facts(one)}", *one.left_out.sentences(cast.label), answers_sentence(one)])
            for name, one in zip(called, (a, b), strict=True)
        ),
        *(f"{figure.chart.title}." for figure in figures),
        "Differences are the second less the first. Their 95% intervals resample the games of each independently.",
    ]
    entries = [(measures[name].title, measures[name].definition, measures[name].notes) for name in known]
    title = f"{called.a} against {called.b}"
    page = Page(
        title=title,
        facts=f"{len(a.games):,} and {len(b.games):,} games of {edition.kind.title}.",
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


def _compared(edition: Edition[Any], a: AnyTables, b: AnyTables, name: str) -> pl.DataFrame:
    """The comparison by round, or by player with everybody together on top; the two may have no player in common."""
    measure, pooled = edition.kind.measures[name], edition.kind.pooled
    apart = compare_by(a, b, measure)
    return pl.concat([compare_by(pooled(a), pooled(b), measure), apart]) if "player" in measure.by else apart


def _drawn(edition: Edition[Any], name: str, frame: pl.DataFrame, pair: Pair, cast: Cast) -> alt.HConcatChart:
    measure, unit = edition.kind.measures[name], edition.compared[name]
    if "player" in measure.by:
        return compare_players(frame, pair, cast, what=measure.title, unit=unit)
    (clock,) = measure.by
    if clock == "turn":
        reached = commonly_reached(frame.with_columns(n=pl.min_horizontal("n_a", "n_b")))
        return compare_rounds(reached, pair, what=measure.title, unit=unit, clock=clock)
    return compare_rounds(frame, pair, what=measure.title, unit=unit)


def _told_apart(pair: tuple[str, str]) -> Pair:
    """The two names, numbered where they are the same."""
    a, b = pair
    return Pair(a, b) if a != b else Pair(f"{a} (1)", f"{b} (2)")
