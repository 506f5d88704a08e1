"""Charts of comparisons of two experiments. They show the figures of both experiments, and the difference with its
interval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import polars as pl

from ostrom.analysis.comparison import TOGETHER, ExperimentComparison
from ostrom.analysis.measures import GAME
from ostrom.analysis.provenance import StudyProvenance
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import Catalogue, WrittenReport, catalogue_of
from ostrom.charts.families import Cast
from ostrom.charts.lines import commonly_reached
from ostrom.charts.palette import COLOURS
from ostrom.charts.plain import group_labels
from ostrom.charts.render import GAMES, STEP, embedded, estimate_tooltips, label_axis, layered, side_by_side, styled
from ostrom.charts.report import Block, Progress, ReportFigure, ReportPage
from ostrom.charts.sentences import answers_sentence
from ostrom.charts.words import Unit
from ostrom.core import InputError
from ostrom.core.listing import brief
from ostrom.core.text import number_of
from ostrom.journal.names import PlayerNames

MAX_NAMES = 300
"""The largest number of characters of a list of players. A study of people can have thousands."""
SIDES = (COLOURS["Gemini"], COLOURS["Claude"])


class Pair(NamedTuple):
    """The names of the two experiments."""

    a: str
    b: str


def compare_players(frame: pl.DataFrame, pair: Pair, cast: Cast, *, what: str, unit: Unit) -> alt.HConcatChart:
    """Draw a row for each player that both experiments have, and a row for all players together. A row has the two
    figures as dots on the left, and the difference b − a on the right. `frame` is a table of
    `ostrom.analysis.comparison`, in which the player `all` means all players together."""
    pooled_row = frame.filter(pl.col("player") == TOGETHER)
    others = frame.filter(pl.col("player") != TOGETHER).sort(["value", "player"], descending=[True, False])
    names = ["all players" for _ in pooled_row["player"]] + [cast.label(player) for player in others["player"]]
    return _compare_labelled(pl.concat([pooled_row, others]), names, pair, what=what, unit=unit, pooled=len(pooled_row))


def compare_groups(
    frame: pl.DataFrame, columns: Sequence[str], pair: Pair, cast: Cast, *, what: str, unit: Unit
) -> alt.HConcatChart:
    """Draw a row for each group of a measure by these columns, in the same way as `compare_players`. A measure of whole
    games has a single row."""
    others = [column for column in columns if column != "player"]
    labels = group_labels(frame, others).to_list()
    if "player" in columns:
        players = ["all players" if player == TOGETHER else cast.label(player) for player in frame["player"]]
        labels = [f"{player} · {label}" for player, label in zip(players, labels, strict=True)]
    single = 1 if tuple(columns) == GAME else 0
    return _compare_labelled(frame, labels, pair, what=what, unit=unit, pooled=single, key="group")


def _compare_labelled(
    frame: pl.DataFrame, labels: list[str], pair: Pair, *, what: str, unit: Unit, pooled: int, key: str = "player"
) -> alt.HConcatChart:
    rows = frame.with_columns(pl.Series("label", labels, dtype=pl.String))
    y, axis = label_axis(labels), alt.Axis(format=unit.axis, tickCount=5)
    ends = {"x": alt.X("a:Q", title=unit.name, axis=axis), "x2": "b"}
    bridge = alt.Chart(rows).mark_rule(opacity=0.35, strokeWidth=2).encode(y=y, **ends)
    dots = _dots(alt.Chart(_long(rows, pair, "label")).encode(y=y, color=_colour(pair)), pair, 75).encode(
        x=alt.X("value:Q", title=unit.name, axis=axis), tooltip=_tooltip("label:N", key, unit)
    )
    difference_chart = _difference_base(rows, unit, y=label_axis(labels, names=False))
    left = layered(bridge, dots, width=330, height=alt.Step(STEP))
    key_tooltip, size = alt.Tooltip("label:N", title=key), {"width": 250, "height": alt.Step(STEP)}
    right = _differences(difference_chart, "x", unit, ticks=5, dot={"size": 60}, tooltip=key_tooltip, **size)
    return styled(
        side_by_side(left, right, spacing=26),
        title=_title(rows.head(1), pair, what, unit, pooled == 1, key),
        subtitle=f"Right: “{pair.b}” minus “{pair.a}”, each with its 95% interval; pale where no difference holds "
        "after Holm’s correction.",
    )


def compare_rounds(frame: pl.DataFrame, pair: Pair, *, what: str, unit: Unit, clock: str = "round") -> alt.HConcatChart:
    """Draw the figures of both experiments as lines with intervals on the left, and the difference b − a on the right.
    The horizontal axis is the round, or the column that `clock` names."""
    frame = frame.rename({clock: "round"})
    x = alt.X("round:O", title=clock, axis=alt.Axis(labelAngle=0, grid=False), scale=alt.Scale(type="point"))
    base = alt.Chart(_long(frame, pair, "round")).encode(x=x, color=_colour(pair))
    axis = alt.Axis(format=unit.axis, tickCount=6)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title=unit.name, axis=axis), y2=alt.Y2("high:Q"))
    line = base.mark_line(strokeWidth=2.6).encode(y=alt.Y("value:Q", title=unit.name, axis=axis))
    point = _dots(base, pair, 60).encode(y=alt.Y("value:Q"), tooltip=_tooltip("round:O", clock, unit))
    difference_chart = _difference_base(frame, unit, x=x)
    when = alt.Tooltip("round:O", title=clock)
    right = _differences(difference_chart, "y", unit, ticks=6, dot={"size": 55}, tooltip=when, width=220, height=280)
    return styled(
        side_by_side(layered(band, line, point, width=360, height=280), right, spacing=30),
        title=_rounds_title(frame, pair, what, clock),
        subtitle=f"Left: both with 95% intervals. Right: “{pair.b}” minus “{pair.a}”, each with its 95% interval; pale "
        "where no difference holds after Holm’s correction.",
    )


def _dots(base: alt.Chart, pair: Pair, size: int) -> alt.Chart:
    """Return the dots of both experiments. The experiments differ in colour and in shape."""
    shape = alt.Shape("side:N", scale=alt.Scale(domain=list(pair), range=["circle", "diamond"]), legend=None)
    marks: alt.Chart = base.mark_point(filled=True, size=size, opacity=1).encode(shape=shape)
    return marks


def _differences(
    base: alt.Chart, along: str, unit: Unit, *, ticks: int, dot: dict[str, Any], tooltip: alt.Tooltip, **size: Any
) -> alt.LayerChart:
    """Return differences with their intervals along the axis x or y, and a line at 0."""
    channel, points = {"x": alt.X, "y": alt.Y}[along], _points(unit)
    axis = alt.Axis(format=points.axis, tickCount=ticks)
    zero = alt.Chart(pl.DataFrame({"zero": [0.0]})).mark_rule(opacity=0.6).encode(**{along: "zero:Q"})
    low = channel("low:Q", title=f"difference, {points.name}", axis=axis)
    span = base.mark_rule(strokeWidth=2).encode(**{along: low, f"{along}2": "high"})
    tooltips = [tooltip, *estimate_tooltips("difference", ",.2f")]
    value = base.mark_point(filled=True, color=COLOURS["Grok"], **dot).encode(**{along: "value:Q", "tooltip": tooltips})
    return layered(zero, span, value, **size)


def _long(frame: pl.DataFrame, pair: Pair, key: str) -> pl.DataFrame:
    """Return the figures of both experiments in one long table: the key, side, value, low, high, n."""
    parts = [
        frame.select(key, side=pl.lit(name), value=side, low=f"{side}_low", high=f"{side}_high", n=f"n_{side}")
        for side, name in zip("ab", pair, strict=True)
    ]
    return pl.concat(parts)


def _colour(pair: Pair) -> alt.Color:
    return alt.Color("side:N", scale=alt.Scale(domain=list(pair), range=list(SIDES)), legend=alt.Legend())


def _points(unit: Unit) -> Unit:
    """Return the unit of a difference: percentage points for shares."""
    return Unit("percentage points" if unit.share else unit.name, unit.decimals)


def _difference_base(frame: pl.DataFrame, unit: Unit, **axis: Any) -> alt.Chart:
    """Return the base of a chart of differences over an axis. Differences that are not significant are pale."""
    in_points = frame.with_columns(
        pl.col("value", "low", "high") * (100 if unit.share else 1),
        weight=pl.when("differs").then(1.0).otherwise(0.45),
    )
    base: alt.Chart = alt.Chart(in_points).encode(**axis, opacity=alt.Opacity("weight:Q", scale=None, legend=None))
    return base


def _title(first: pl.DataFrame, pair: Pair, what: str, unit: Unit, pooled: bool, key: str) -> str:
    row: dict[str, Any] = first.row(0, named=True)
    if not pooled:
        return f"{what}: “{pair.a}” and “{pair.b}”, {key} by {key}"
    text = f"{what}: {unit.say(row['a'])} in “{pair.a}”, {unit.say(row['b'])} in “{pair.b}”"
    if row["low"] is None and not row["differs"]:
        return f"{text}; no difference can be detected: {row['reason']}"
    if row["value"] == row["low"] == row["high"]:
        return f"{text}: the same in every pair of games"
    if not row["differs"]:
        return f"{text}; {_undetected(row, unit)}"
    points = " points" if unit.share else ""
    span = "" if row["low"] is None else f" ({_signed(row['low'], unit)} to {_signed(row['high'], unit)})"
    return f"{text}: {_signed(row['value'], unit)}{points}{span}"


def _undetected(row: Mapping[str, Any], unit: Unit) -> str:
    """Return a text for a figure without a detected difference. The text says that the games differ in another way, or
    that the difference is smaller than the smallest difference of interest. Otherwise it says how large a difference
    must be to be detected."""
    points = " points" if unit.share else ""
    text = "no difference can be detected"
    if row.get("games_differ"):
        text = "the games differ, but no difference of this figure can be detected"
    if row.get("equivalent"):
        text = "the difference is smaller than the smallest of interest"
    elif (detectable := row.get("detectable")) is not None:
        text += f" (with a power of 80%, one of {_signed(detectable, unit).removeprefix('+')}{points} would be)"
    return text


def _side_sentences(name: str, side: GameTables, catalogue: Catalogue[Any], cast: Cast) -> str:
    """Return sentences on one experiment: the kind of its games, the games that are left out, and the provenance of
    answers."""
    sentences = [catalogue.facts(side), *side.left_out.sentences(cast.label), answers_sentence(side)]
    return f"“{name}”: {' '.join(sentences)}"


def _other_players(a: GameTables, b: GameTables, pair: Pair, cast: Cast) -> list[str]:
    """Return a sentence on players that only one of the experiments has."""
    seated = [set(tables.seats["player"]) for tables in (a, b)]
    texts = [
        f"only “{name}” has {brief((cast.label(player) for player in sorted(own - other)), MAX_NAMES)}"
        for name, own, other in zip(pair, seated, reversed(seated), strict=True)
        if own - other
    ]
    if not texts:
        return []
    return [
        f"The experiments have different players: {'; '.join(texts)}. Differences in figures of all "
        "players, of rounds and of whole games can therefore come from the players instead of the conditions. Figures "
        "of single players are shown for players of both experiments, whose opponents differ too."
    ]


def _rounds_title(frame: pl.DataFrame, pair: Pair, what: str, clock: str) -> str:
    """Return a title that says in how many rounds the experiments differ. It also says in how many of these rounds b
    has the higher or the lower value."""
    differ = frame.filter("differs")["value"]
    if not len(differ):
        few = not frame["p"].count() and frame["reason"].count()
        reason = "too few games to detect a difference" if few else "no difference can be detected"
        return f"{what}: {reason} between “{pair.a}” and “{pair.b}” in any of {len(frame)} {clock}s"
    more = int((differ > 0).sum())
    counts = [f"{word} in {count}" for word, count in (("more", more), ("less", len(differ) - more)) if count]
    return f"{what}: of {len(frame)} {clock}s, “{pair.b}” shows {' and '.join(counts)} than “{pair.a}”"


def _players_sentence(frame: pl.DataFrame, pair: Pair, cast: Cast, *, what: str, unit: Unit) -> list[str]:
    """Return a sentence on the significant differences between players. The list is empty if there are none."""
    significant = frame.filter(pl.col("differs") & (pl.col("player") != TOGETHER)).sort("value", descending=True)
    if not len(significant):
        return []
    points = " points" if unit.share else ""
    text = [
        f"{cast.label(name)} {_signed(value, unit)}{points}" for name, value in significant["player", "value"].rows()
    ]
    return [f"{what}, “{pair.b}” minus “{pair.a}”, of the players that differ: {', '.join(text)}."]


def _signed(value: float, unit: Unit) -> str:
    text = unit.say(abs(value)).removesuffix("%")
    sign = "" if text == unit.say(0.0).removesuffix("%") else "−" if value < 0 else "+"
    return f"{sign}{text}"


def _tooltip(key: str, title: str, unit: Unit) -> list[alt.Tooltip]:
    side = alt.Tooltip("side:N", title="experiment")
    return [alt.Tooltip(key, title=title), side, *estimate_tooltips(unit.name, unit.precise), GAMES]


def write_comparison(
    a: GameTables,
    b: GameTables,
    folder: Path,
    *,
    pair: tuple[str, str],
    provenance: Sequence[StudyProvenance] = (),
    names: PlayerNames | None = None,
    margins: Mapping[str, float] | None = None,
    notes: Sequence[str] = (),
    progress: Progress = lambda name: None,
) -> WrittenReport:
    """Write the comparison of two experiments into the folder. Differences are b − a. `pair` has the names of the
    experiments, and `margins` has the smallest difference of interest by measure. `notes` are sentences at the
    beginning. Raises `InputError` if the experiments are of different games or have no finished games, or if a margin
    is given for a measure that is not compared."""
    pair_names = _distinct_names(pair)
    study, other = study_of(a), study_of(b)
    if study is not other:
        raise InputError(
            f"{pair_names.a!r} has games of {study.spoken}, {pair_names.b!r} of {other.spoken}; compare two of "
            "the same game"
        )
    empty = [name for tables, name in zip((a, b), pair_names, strict=True) if not len(tables.games)]
    if empty:
        raise InputError(f"{empty[0]!r} has no finished games of {study.spoken} to compare")
    catalogue = catalogue_of(study)
    cast = catalogue.cast([*a.all_seats["player"], *b.all_seats["player"]], [a, b], names)
    measures = study.measures
    comparison = ExperimentComparison(a, b, _checked(margins or {}, catalogue))
    compared = {name: frame for name, frame in comparison.compare(*catalogue.compared).items() if len(frame)}
    charts = {name: _draw(catalogue, name, frame, pair_names, cast) for name, frame in compared.items()}
    figures = [
        ReportFigure(name, measures[name].title, embedded(chart), measures[name].definition)
        for name, chart in charts.items()
    ]
    short = [
        *notes,
        *(_side_sentences(name, side, catalogue, cast) for name, side in zip(pair_names, (a, b), strict=True)),
        *_other_players(a, b, pair_names, cast),
        *(f"{figure.chart.title}." for figure in figures),
        *(
            sentence
            for name, frame in compared.items()
            if measures[name].by == ("player",)
            for sentence in _players_sentence(
                frame, pair_names, cast, what=measures[name].title, unit=catalogue.compared[name]
            )
        ),
        _method(comparison, compared),
    ]
    entries = [(measures[name].title, measures[name].definition, measures[name].notes) for name in compared]
    page = ReportPage(
        title=f"{pair_names.a} against {pair_names.b}",
        facts=f"{len(a.games):,} and {len(b.games):,} games of {study.spoken}.",
        short=short,
        blocks=[
            Block("differences", "Side by side", figures),
            Block("definitions", "Definitions", definitions=entries),
        ],
        provenance=provenance,
    )
    rows = ({"measure": name, **row} for name, frame in compared.items() for row in frame.iter_rows(named=True))
    return replace(page.write(folder, charts, compared, progress), differences=tuple(rows))


def _checked(margins: Mapping[str, float], catalogue: Catalogue[Any]) -> Mapping[str, float]:
    for name in margins:
        if name not in catalogue.compared:
            raise InputError(f"{name!r} is not compared; measures are {', '.join(catalogue.compared)}")
    return margins


def _method(comparison: ExperimentComparison[Any], frames: Mapping[str, pl.DataFrame]) -> str:
    """Return a description of the comparison's method."""
    pairs, tests = len(comparison.pairs), sum(frame["p"].count() for frame in frames.values())
    share = f"{number_of(pairs, 'pair')} of games share{'s' if pairs == 1 else ''} seed and seating"
    return (
        f"Differences are the second minus the first. {share if pairs else 'No games share seed and seating'}; "
        "each pair is one observation, as is each other game. A sentence says that a figure differs only if its "
        f"randomisation test rejects at 5% after Holm’s correction. The {number_of(tests, 'test')} form three "
        "families, corrected separately: all players together, single players, and the course of games. Each interval "
        "is for its own difference alone."
    )


def _draw(catalogue: Catalogue[Any], name: str, frame: pl.DataFrame, pair: Pair, cast: Cast) -> alt.HConcatChart:
    measure, unit = catalogue.study.measures[name], catalogue.compared[name]
    if measure.by == ("player",):
        return compare_players(frame, pair, cast, what=measure.title, unit=unit)
    if len(measure.by) > 1 or not frame[measure.by[0]].dtype.is_numeric():
        return compare_groups(frame, measure.by, pair, cast, what=measure.title, unit=unit)
    (clock,) = measure.by
    if clock == "turn":
        frame = commonly_reached(frame.with_columns(n=pl.min_horizontal("n_a", "n_b")))
    return compare_rounds(frame, pair, what=measure.title, unit=unit, clock=clock)


def _distinct_names(pair: tuple[str, str]) -> Pair:
    """Return the names of the two experiments, numbered if they are equal."""
    a, b = pair
    return Pair(a, b) if a != b else Pair(f"{a} (1)", f"{b} (2)")
