"""What the charts of the battery have in common: their colours, the mark of the human value, words for what is
missing."""

from typing import Any, Final, Literal

import altair as alt
import polars as pl

from ostrom.charts.families import clean
from ostrom.charts.render import layered, wrapped

PEOPLE: Final = "#7d4cdb"
"""What is known of people is violet in every chart of the battery; no family of models is."""
WIDTH: Final = 252
HEIGHT: Final = 190
"""Of a panel of a card."""
OWN: Final = "#0072b2"
"""What the subject of a card did itself."""
QUIET: Final = "#8a8f98"
THEORIES: Final = {"exponential": "#0072b2", "quasi-hyperbolic": "#009e73", "hyperbolic": "#b5609a"}
STAKES: Final = ("#a9b4c4", "#7c8797", "#4f5a6b")
"""From the least amount to the greatest."""

_GREEK: Final = {"delta": "δ", "beta": "β", "alpha": "α", "gamma": "γ", "noise": "μ"}


def subject_label(subject: str) -> str:
    """A subject's name as a chart shows it: the parameters of a simulated one as papers write them."""
    name, colon, settings = subject.partition(":")
    parts = [part.partition("=") for part in settings.split(",")]
    if not colon or not all(equals and key and value for key, equals, value in parts):
        return subject
    said = (f"{_GREEK.get(key, key)} {value.removeprefix('0') if '.' in value else value}" for key, _, value in parts)
    return f"{name} {' '.join(said)}"


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


def card_title(text: str, subtitle: str, *, offset: float = 6) -> alt.TitleParams:
    """The heading of a card's panel."""
    return panel_title(text, subtitle, lines=2, offset=offset)


def absent(title: str, reason: str) -> alt.LayerChart:
    """In the place of a card's panel: that there is nothing to draw, and why."""
    lines = pl.DataFrame({"words": [wrapped(clean(reason, 200), 38)]}, schema={"words": pl.List(pl.String)})
    words = (
        alt.Chart(lines)
        .mark_text(fontSize=11, lineHeight=15, opacity=0.75, baseline="middle", align="center")
        .encode(text="words:N", x=alt.value(WIDTH / 2), y=alt.value(HEIGHT / 2))
    )
    frame = alt.Chart(lines).mark_rect(opacity=0.06, color=QUIET)
    return layered(frame, words).properties(
        width=WIDTH, height=HEIGHT, title=card_title(title, "nothing to draw", offset=24)
    )


def human_line(value: float, said: str, *, upright: bool, align: Literal["left", "right"] = "left") -> list[alt.Chart]:
    """The human value across a panel with its words: upright at a place on x, or lying at a height on y."""
    mark = pl.DataFrame({"people": [value], "said": [said]})
    rule = alt.Chart(mark).mark_rule(color=PEOPLE, strokeWidth=1.8, strokeDash=[5, 3])
    words = alt.Chart(mark)
    if upright:
        aside = 4 if align == "left" else -4
        words = words.mark_text(color=PEOPLE, fontSize=10, align=align, dx=aside, baseline="bottom")
        return [rule.encode(x="people:Q"), words.encode(x="people:Q", y=alt.value(HEIGHT - 8), text="said:N")]
    words = words.mark_text(color=PEOPLE, fontSize=10, align=align, dy=-3, baseline="bottom")
    place = alt.value(3) if align == "left" else alt.value(WIDTH - 3)
    return [rule.encode(y="people:Q"), words.encode(y="people:Q", x=place, text="said:N")]
