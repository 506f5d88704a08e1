"""The three leaderboards of the battery: rationality, social preferences, cooperation and depth. A row is a subject, a
panel a score with its interval; the human value stands in each panel that has one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.render import styled, wrapped
from ostrom.charts.together import beside, layered
from ostrom.charts.words import Unit, ends, named
from ostrom.core.text import clean
from ostrom.games.battery.charts.data import scores_frame
from ostrom.games.battery.scores.score import Code, Score
from ostrom.games.battery.scores.table import SubjectScores, human_scores

PEOPLE: Final = "#7d4cdb"
"""What is known of people is violet in every chart of the battery; no family of models is."""
STEP: Final = 25
_LEAD: Final = 218
_SIDE: Final = 96
_REASON: Final = 40
"""As many characters of a reason as the first panel has room for; the rest stands in its tooltip and in the table."""
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
"""How the first panel calls what a reason says at length."""


class Panel(NamedTuple):
    """A score in a leaderboard."""

    score: str
    title: str
    below: str
    """In a few words, what it counts."""
    top: float = 100
    """Where the axis ends."""
    decimals: int = 0

    def say(self, value: float) -> str:
        """A figure of the score."""
        return Unit(self.title, decimals=self.decimals).say(value)

    def say_human(self, human: Score) -> str:
        """A figure of people, or the range of it."""
        if human.value is not None:
            return self.say(human.value)
        return f"{self.say(human.low or 0)}–{self.say(human.high or 0)}"


class Board(NamedTuple):
    """A leaderboard."""

    name: str
    heading: str
    panels: tuple[Panel, ...]
    """The first one ranks the subjects."""
    subtitle: str


BOARDS: Final = (
    Board(
        "rationality",
        "Rationality",
        (
            Panel("rationality", "Rationality", "patience and expected utility", decimals=1),
            Panel("rationality_published", "as published", "expected value", decimals=1),
            Panel("delta", "Patience δ", "a year", top=1, decimals=2),
            Panel("err_eu", "Err_EU", "% off, less is better", top=50, decimals=1),
            Panel("err_ev", "Err_EV", "% off, less is better", top=50, decimals=1),
        ),
        "Half patience (100·δ), half consistency under risk (100 − error), less a penalty for the magnitude effect.",
    ),
    Board(
        "social",
        "Social preferences",
        (
            Panel("social", "Social", "mean of the four"),
            Panel("altruism", "Altruism", "given, of half"),
            Panel("fairness", "Fairness", "% of low offers rejected"),
            Panel("trust", "Trust", "% sent"),
            Panel("reciprocity", "Reciprocity", "% returned"),
        ),
        "From dictator, ultimatum and trust games, asked at several stakes.",
    ),
    Board(
        "cooperation",
        "Cooperation and depth",
        (
            Panel("cooperation", "Cooperation", "mean of the next three"),
            Panel("stag", "Stag hunt", "% stag"),
            Panel("contribution", "Public good", "% contributed"),
            Panel("pass", "Centipede", "% passed"),
            Panel("claim", "Traveller", "mean claim"),
            Panel("guess", "Beauty contest", "mean guess"),
        ),
        "In every game the equilibrium of selfish players is at the left end; the stag hunt has one at either end.",
    ),
)


def panel_title(text: str, subtitle: str = "", *, lines: int = 0, offset: float = 8) -> alt.TitleParams:
    """The heading of one panel among several; its subtitle takes up at least so many lines."""
    below: Any = wrapped(subtitle, 52) if subtitle else alt.Undefined
    if lines and subtitle:
        # Panels side by side have their headings at one height.
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


def drawn_board(board: Board, rows: Sequence[SubjectScores], cast: Cast) -> alt.HConcatChart:
    """A leaderboard of these subjects, beside what people do."""
    return board_chart(board, scores_frame(rows), human_scores(), cast)


def board_chart(board: Board, scores: pl.DataFrame, people: Mapping[str, Score], cast: Cast) -> alt.HConcatChart:
    """The leaderboard of a table of scores, a row for every subject and score. Subjects without the first score stand
    below, with the reason; `people` holds the human values."""
    lead = board.panels[0]
    asked = _asked(board, scores)
    if not len(asked):
        return _nobody(board)
    ranked = _ranked(asked, lead.score)
    order = [cast.label(player) for player in ranked["player"]]
    panels = []
    for panel in board.panels:
        rows = _rows_of(asked, panel, ranked["player"].to_list(), cast)
        panels.append(_panel(panel, rows, order, people.get(panel.score), cast, lead=panel is lead))
    apart = alt.Resolve(scale=alt.ScaleResolveMap(color="shared", x="independent"))
    made = beside(*panels, spacing=22, resolve=apart)
    known = any(panel.score in people for panel in board.panels)
    marks = "Lines: 95% intervals." + (" Violet: people." if known else "")
    return styled(made, title=_said(board, ranked, people, cast), subtitle=f"{board.subtitle} {marks}")


_UNASKED: Final = pl.col("code").eq(Code.NOT_ASKED).fill_null(False)


def _asked(board: Board, scores: pl.DataFrame) -> pl.DataFrame:
    """The scores of those who were asked anything that the leaderboard shows."""
    own = scores.filter(pl.col("score").is_in([panel.score for panel in board.panels]))
    return own.filter((~_UNASKED).any().over("player"))


def _nobody(board: Board) -> alt.HConcatChart:
    blank = pl.DataFrame({"words": ["No subject was asked any of these tasks."]})
    words = (
        alt.Chart(blank)
        .mark_text(fontSize=13, opacity=0.7)
        .encode(text=alt.Text("words:N"))
        .properties(width=640, height=60)
    )
    return styled(beside(words), title=f"{board.heading}: nobody was asked")


def _ranked(scores: pl.DataFrame, score: str) -> pl.DataFrame:
    """Who has which value, the best first, those without one last by name."""
    return scores.filter(pl.col("score") == score).sort(
        ["value", "player"], descending=[True, False], nulls_last=[True, False]
    )


def _rows_of(scores: pl.DataFrame, panel: Panel, players: list[str], cast: Cast) -> pl.DataFrame:
    everybody = pl.DataFrame({"player": players}, schema={"player": pl.String})
    own = scores.filter(pl.col("score") == panel.score)
    rows = everybody.join(own, on="player", how="left", maintain_order="left")
    words = [_words(panel, *row) for row in rows.select("value", "reason", "code").iter_rows()]
    said = pl.DataFrame(words, schema=dict.fromkeys(("figure", "missing", "short"), pl.String), orient="row")
    shown = cast.dressed(rows).with_columns(
        *said,
        sign=pl.when(_UNASKED).then(pl.lit("")).otherwise(pl.lit("–")),
        low=pl.col("low").fill_null(pl.col("value")),
        high=pl.col("high").fill_null(pl.col("value")),
        edge=pl.max_horizontal("value", "high").fill_null(0.0),
    )
    return shown.drop("code")


def _words(panel: Panel, value: float | None, reason: str | None, code: str | None) -> tuple[str, str, str]:
    """A figure; or why there is none, and the same as far as a narrow panel has room for it: the name of the fault."""
    if value is not None:
        return panel.say(value), "", ""
    missing = "not asked" if code == Code.NOT_ASKED else f"no score: {clean(reason or '', 300)}"
    fault = _FAULTS.get(code or "")
    return "", missing, f"no score: {fault}" if fault else clean(missing, _REASON)


def _panel(
    panel: Panel, rows: pl.DataFrame, order: list[str], human: Score | None, cast: Cast, *, lead: bool
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
    known = base.transform_filter("isValid(datum.value)")
    interval = known.mark_rule(strokeWidth=1.6, opacity=0.8).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    unknown, why = base.transform_filter("!isValid(datum.value)"), alt.Tooltip("missing:N", title="why")
    if lead:
        small = unknown.mark_text(align="left", fontStyle="italic", fontSize=10.5, opacity=0.75, dx=3)
        layers = [
            known.mark_bar(height={"band": 0.64}).encode(x=x, color=cast.colour(), tooltip=tooltip),
            interval,
            known.mark_text(align="left", dx=6).encode(x=alt.X("edge:Q"), text=alt.Text("figure:N")),
            small.encode(x=alt.value(0), text=alt.Text("short:N"), tooltip=why),
        ]
    else:
        point, sign = (
            known.mark_point(filled=True, size=62, opacity=1),
            unknown.mark_text(align="left", opacity=0.6, dx=3),
        )
        layers = [
            interval,
            point.encode(x=x, color=cast.colour(legend=False), tooltip=tooltip),
            sign.encode(x=alt.value(0), text=alt.Text("sign:N"), tooltip=why),
        ]
    if human is not None:
        layers = [_human(human, panel), *layers, _human_words(human, panel, top)]
    # The human figure stands between heading and panel; where there is none, its room is kept.
    title = panel_title(panel.title, panel.below, offset=19 if human is None else 8)
    return layered(*layers, width=_LEAD if lead else _SIDE, height=alt.Step(STEP), title=title)


def _human(human: Score, panel: Panel) -> alt.Chart:
    """The human value as a line, or a range of them as a band."""
    tooltip = alt.Tooltip("said:N", title=f"people, {panel.title}")
    place = {"people": human.value, "low": human.low, "high": human.high, "said": panel.say_human(human)}
    chart = alt.Chart(pl.DataFrame([place]))
    made: alt.Chart = (
        chart.mark_rect(color=PEOPLE, opacity=0.22).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), tooltip=tooltip)
        if human.value is None
        else chart.mark_rule(color=PEOPLE, strokeWidth=2, strokeDash=[5, 3]).encode(
            x=alt.X("people:Q"), tooltip=tooltip
        )
    )
    return made


def _human_words(human: Score, panel: Panel, top: float) -> alt.Chart:
    """The human figure above its mark, kept inside the panel."""
    place = human.value if human.value is not None else ((human.low or 0) + (human.high or 0)) / 2
    chart = alt.Chart(
        pl.DataFrame({"people": [min(max(place, 0.08 * top), 0.92 * top)], "said": [panel.say_human(human)]})
    )
    words = chart.mark_text(color=PEOPLE, fontSize=10, align="center", baseline="bottom")
    made: alt.Chart = words.encode(x=alt.X("people:Q"), y=alt.value(-1), text=alt.Text("said:N"))
    return made


def _said(board: Board, ranked: pl.DataFrame, people: Mapping[str, Score], cast: Cast) -> str:
    """What the leaderboard shows, in a sentence."""
    lead = board.panels[0]
    known = ranked.filter(pl.col("value").is_not_null())
    without = len(ranked.filter(pl.col("value").is_null() & ~_UNASKED))
    if not len(known):
        return f"{board.heading}: no subject has a score" if without else board.heading
    told = ends(known, cast, Unit("", decimals=lead.decimals))
    if told.alone:
        said = f"{board.heading}: {named(sorted(known['player']), cast)} scores {told.high}"
    else:
        said = f"{board.heading}: from {told.high} for {told.first} to {told.low} for {told.last}"
    human = people.get(lead.score)
    if human is not None:
        said += f"; people: {lead.say_human(human)}"
    if without:
        said += f"; {without} without a score" if without > 1 else "; one has no score"
    return said
