"""The three leaderboards of the battery. They are about rationality, about social preferences, and about cooperation
and depth of reasoning. Every row is a subject. Every panel shows a score with its interval and, if known, the human
value."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.render import layered, side_by_side, styled, wrapped
from ostrom.charts.words import Unit, ends, named
from ostrom.core.text import clean
from ostrom.games.battery.charts.data import scores_frame
from ostrom.games.battery.scores.score import Code, Score
from ostrom.games.battery.scores.table import PooledPeople, SubjectScores, human_scores

PEOPLE: Final = "#7d4cdb"
"""The colour of human values in every chart of the battery. It differs from the colours of all model families."""
STEP: Final = 25
_LEAD: Final = 218
_SIDE: Final = 96
MAX_REASON_CHARACTERS: Final = 40
"""The number of characters of a reason that fit in the first panel. The tooltip and the table show the whole reason."""
_FAULTS: Final[Mapping[str, str]] = {
    Code.REFUSED: "refuses",
    Code.MALFORMED: "malformed answers",
    Code.RANDOM: "random answers",
    Code.POSITION: "position bias",
    Code.CONSTANT: "constant answers",
    Code.PARTLY_REFUSED: "too few valid answers",
    Code.INVALID: "too few valid answers",
    Code.SEQUENCES: "invalid sequences",
    Code.CENSORED: "censored sequences",
}
"""Short names of faults for the first panel."""


class ScorePanel(NamedTuple):
    """A score in a leaderboard."""

    score: str
    title: str
    description: str
    top: float = 100
    """The greatest value for which the axis has a label."""
    decimals: int = 0

    def format(self, value: float) -> str:
        """Format a value of the score."""
        return Unit(self.title, decimals=self.decimals).say(value)

    def format_human(self, human: Score) -> str:
        """Format the human value. If its source gives a range, format the range."""
        if human.value is not None:
            return self.format(human.value)
        return f"{self.format(human.low or 0)}–{self.format(human.high or 0)}"


class Leaderboard(NamedTuple):
    """A leaderboard."""

    name: str
    heading: str
    panels: tuple[ScorePanel, ...]
    """The panels from left to right. Subjects are ranked by the score of the first panel."""
    subtitle: str


BOARDS: Final = (
    Leaderboard(
        "rationality",
        "Rationality",
        (
            ScorePanel("rationality", "Rationality", "patience and expected utility", decimals=1),
            ScorePanel("rationality_published", "as published", "expected value", decimals=1),
            ScorePanel("delta", "Patience δ", "a year", top=1, decimals=2),
            ScorePanel("err_eu", "Err_EU", "% off, less is better", top=50, decimals=1),
            ScorePanel("err_ev", "Err_EV", "% off, less is better", top=50, decimals=1),
        ),
        "Half patience (100·δ), half consistency under risk (100 − error), less a penalty for the magnitude effect.",
    ),
    Leaderboard(
        "social",
        "Social preferences",
        (
            ScorePanel("social", "Social", "mean of the four"),
            ScorePanel("altruism", "Altruism", "given, of half"),
            ScorePanel("fairness", "Fairness", "% of low offers rejected"),
            ScorePanel("trust", "Trust", "% sent"),
            ScorePanel("reciprocity", "Reciprocity", "% returned"),
        ),
        "From dictator, ultimatum and trust games, asked at several stakes.",
    ),
    Leaderboard(
        "cooperation",
        "Cooperation and depth",
        (
            ScorePanel("cooperation", "Cooperation", "mean of the next three"),
            ScorePanel("stag", "Stag hunt", "% stag"),
            ScorePanel("contribution", "Public good", "% contributed"),
            ScorePanel("pass", "Centipede", "% passed"),
            ScorePanel("claim", "Traveller", "mean claim"),
            ScorePanel("guess", "Beauty contest", "mean guess"),
        ),
        "In every game the equilibrium of selfish players is at the left end; the stag hunt has one at either end.",
    ),
)


def panel_title(text: str, subtitle: str = "", *, lines: int = 0, offset: float = 8) -> alt.TitleParams:
    """Return the heading of one panel among several. Its subtitle has at least `lines` lines."""
    below: Any = wrapped(subtitle, 52) if subtitle else alt.Undefined
    if lines and subtitle:
        # Pad the subtitle so that the headings of adjacent panels align.
        below += [""] * (lines - len(below))
    return alt.TitleParams(
        text=text,
        subtitle=below,
        fontSize=12.5,
        subtitleFontSize=10.5,
        subtitleLineHeight=13,
        subtitlePadding=3,
        frame="group",
        anchor="start",
        offset=offset,
    )


def draw_board(board: Leaderboard, rows: Sequence[SubjectScores], cast: Cast) -> alt.HConcatChart:
    """Return the leaderboard of these subjects, with human values. The subtitle names the source of each row of
    people."""
    sources = [f"{cast.label(row.subject)}: {row.note}." for row in rows if isinstance(row, PooledPeople)]
    board = board._replace(subtitle=" ".join([board.subtitle, *sources]))
    return board_chart(board, scores_frame(rows), human_scores(), cast)


def board_chart(board: Leaderboard, scores: pl.DataFrame, people: Mapping[str, Score], cast: Cast) -> alt.HConcatChart:
    """Return the leaderboard for a table with a row for every subject and score. Subjects that were asked about none of
    its scores are left out. Subjects without the first score come last, sorted by name, with the reason. `people`
    contains the human values."""
    lead = board.panels[0]
    own_scores = scores.filter(pl.col("score").is_in([panel.score for panel in board.panels]))
    own_scores = own_scores.filter((~_UNASKED).any().over("player"))
    if not len(own_scores):
        return _empty_board(board)
    ranked = own_scores.filter(pl.col("score") == lead.score).sort(
        ["value", "player"], descending=[True, False], nulls_last=[True, False]
    )
    order = [cast.label(player) for player in ranked["player"]]
    panels = []
    for panel in board.panels:
        rows = _rows_of(own_scores, panel, ranked["player"].to_list(), cast)
        panels.append(_panel(panel, rows, order, people.get(panel.score), cast, lead=panel is lead))
    resolve = alt.Resolve(scale=alt.ScaleResolveMap(color="shared", x="independent"))
    chart = side_by_side(*panels, spacing=22, resolve=resolve)
    has_people = any(panel.score in people for panel in board.panels)
    marks = _interval_marks(board, own_scores) + (" Violet: people." if has_people else "")
    return styled(chart, title=_summary(board, ranked, people, cast), subtitle=f"{board.subtitle} {marks}".rstrip())


def _interval_marks(board: Leaderboard, scores: pl.DataFrame) -> str:
    """Return the caption that explains the interval lines. It also names the panels without such lines."""
    with_interval = set(scores.drop_nulls("low")["score"])
    without = [panel.title for panel in board.panels if panel.score not in with_interval]
    if not without:
        return "Lines: 95% intervals."
    if len(without) == len(board.panels):
        return "None of these scores has an interval."
    return f"Lines: 95% intervals; none for {', '.join(without)}."


_UNASKED: Final = pl.col("code").eq(Code.NOT_ASKED).fill_null(False)


def _empty_board(board: Leaderboard) -> alt.HConcatChart:
    blank = pl.DataFrame({"words": ["No subject was asked any of these tasks."]})
    words = (
        alt.Chart(blank)
        .mark_text(fontSize=13, opacity=0.7)
        .encode(text=alt.Text("words:N"))
        .properties(width=640, height=60)
    )
    return styled(side_by_side(words), title=f"{board.heading}: no subject was asked")


def _rows_of(scores: pl.DataFrame, panel: ScorePanel, players: list[str], cast: Cast) -> pl.DataFrame:
    subjects = pl.DataFrame({"player": players}, schema={"player": pl.String})
    own = scores.filter(pl.col("score") == panel.score)
    rows = subjects.join(own, on="player", how="left", maintain_order="left")
    words = [_words(panel, *row) for row in rows.select("value", "reason", "code").iter_rows()]
    texts = pl.DataFrame(words, schema=dict.fromkeys(("figure", "missing", "short"), pl.String), orient="row")
    table = cast.with_styles(rows).with_columns(
        *texts,
        sign=pl.when(_UNASKED).then(pl.lit("")).otherwise(pl.lit("–")),
        low=pl.col("low").fill_null(pl.col("value")),
        high=pl.col("high").fill_null(pl.col("value")),
        edge=pl.max_horizontal("value", "high").fill_null(0.0),
    )
    return table.drop("code")


def _words(panel: ScorePanel, value: float | None, reason: str | None, code: str | None) -> tuple[str, str, str]:
    """Return three texts: the score in words, the reason if the score is missing, and a short form of this reason for a
    narrow panel."""
    if value is not None:
        return panel.format(value), "", ""
    missing = "not asked" if code == Code.NOT_ASKED else f"no score: {clean(reason or '', 300)}"
    fault = _FAULTS.get(code or "")
    return "", missing, f"no score: {fault}" if fault else clean(missing, MAX_REASON_CHARACTERS)


def _panel(
    panel: ScorePanel, rows: pl.DataFrame, order: list[str], human: Score | None, cast: Cast, *, lead: bool
) -> alt.LayerChart:
    names: Any = alt.Axis(grid=False, labelLimit=210) if lead else None
    y = alt.Y("label:N", title=None, sort=None, scale=alt.Scale(domain=order), axis=names)
    top = max(panel.top, float(rows["high"].max() or 0))  # type: ignore[arg-type]
    axis = alt.Axis(values=[0, panel.top / 2, panel.top], format=",~f")
    x = alt.X("value:Q", title=None, scale=alt.Scale(domain=[0, top], nice=False), axis=axis)
    base = alt.Chart(rows).encode(y=y)
    tooltip = [
        alt.Tooltip("label:N", title="subject"),
        alt.Tooltip("value:Q", title=panel.title, format=".3~f"),
        alt.Tooltip("low:Q", title="from", format=".3~f"),
        alt.Tooltip("high:Q", title="to", format=".3~f"),
    ]
    valued = base.transform_filter("isValid(datum.value)")
    interval = valued.mark_rule(strokeWidth=1.6, opacity=0.8).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    unknown, why = base.transform_filter("!isValid(datum.value)"), alt.Tooltip("missing:N", title="why")
    if lead:
        small = unknown.mark_text(align="left", fontStyle="italic", fontSize=10.5, opacity=0.75, dx=3)
        layers = [
            valued.mark_bar(height={"band": 0.64}).encode(x=x, color=cast.colour(), tooltip=tooltip),
            interval,
            valued.mark_text(align="left", dx=6).encode(x=alt.X("edge:Q"), text=alt.Text("figure:N")),
            small.encode(x=alt.value(0), text=alt.Text("short:N"), tooltip=why),
        ]
    else:
        point = valued.mark_point(filled=True, size=62, opacity=1)
        sign = unknown.mark_text(align="left", opacity=0.6, dx=3)
        layers = [
            interval,
            point.encode(x=x, color=cast.colour(legend=False), tooltip=tooltip),
            sign.encode(x=alt.value(0), text=alt.Text("sign:N"), tooltip=why),
        ]
    if human is not None:
        layers = [_human(human, panel), *layers, _human_words(human, panel, top)]
    # The human figure is between the heading and the panel. If there is none, its space stays empty.
    title = panel_title(panel.title, panel.description, offset=19 if human is None else 8)
    return layered(*layers, width=_LEAD if lead else _SIDE, height=alt.Step(STEP), title=title)


def _human(human: Score, panel: ScorePanel) -> alt.Chart:
    """Return the chart layer of the human value: a line, or a band if it is a range."""
    tooltip = alt.Tooltip("said:N", title=f"people, {panel.title}")
    place = {"people": human.value, "low": human.low, "high": human.high, "said": panel.format_human(human)}
    chart = alt.Chart(pl.DataFrame([place]))
    mark: alt.Chart = (
        chart.mark_rect(color=PEOPLE, opacity=0.22).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), tooltip=tooltip)
        if human.value is None
        else chart.mark_rule(color=PEOPLE, strokeWidth=2, strokeDash=[5, 3]).encode(
            x=alt.X("people:Q"), tooltip=tooltip
        )
    )
    return mark


def _human_words(human: Score, panel: ScorePanel, top: float) -> alt.Chart:
    """Return the chart layer with the human value in words, above its line or band and inside the panel."""
    place = human.value if human.value is not None else ((human.low or 0) + (human.high or 0)) / 2
    chart = alt.Chart(
        pl.DataFrame({"people": [min(max(place, 0.08 * top), 0.92 * top)], "said": [panel.format_human(human)]})
    )
    words = chart.mark_text(color=PEOPLE, fontSize=10, align="center", baseline="bottom")
    text: alt.Chart = words.encode(x=alt.X("people:Q"), y=alt.value(-1), text=alt.Text("said:N"))
    return text


def _summary(board: Leaderboard, ranked: pl.DataFrame, people: Mapping[str, Score], cast: Cast) -> str:
    lead = board.panels[0]
    valued = ranked.filter(pl.col("value").is_not_null())
    without = len(ranked.filter(pl.col("value").is_null() & ~_UNASKED))
    if not len(valued):
        return f"{board.heading}: no subject has a score" if without else board.heading
    span = ends(valued, cast, Unit("", decimals=lead.decimals))
    if span.alone:
        title = f"{board.heading}: {named(sorted(valued['player']), cast)} scores {span.high}"
    else:
        title = f"{board.heading}: from {span.high} for {span.first} to {span.low} for {span.last}"
    human = people.get(lead.score)
    if human is not None:
        title += f"; people: {lead.format_human(human)}"
    if without:
        title += f"; {without} without a score" if without > 1 else "; one has no score"
    return title
