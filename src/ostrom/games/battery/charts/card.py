"""The card of a subject: six panels in one picture, wide enough for a slide."""

from collections.abc import Callable, Mapping
from typing import Final

import altair as alt

from ostrom.charts.render import styled
from ostrom.games.battery.charts.marks import absent
from ostrom.games.battery.charts.panels import (
    acceptance_panel,
    claims_panel,
    discount_panel,
    guesses_panel,
    returns_panel,
    triangle_panel,
)
from ostrom.games.battery.scores.described import DESCRIBED
from ostrom.games.battery.scores.score import Score
from ostrom.games.battery.scores.table import SubjectScores, not_asked

Draw = Callable[[SubjectScores], alt.LayerChart]

PANELS: Final[Mapping[str, tuple[str, Draw]]] = {
    "discounting": ("delta", discount_panel),
    "triangle": ("err_eu", triangle_panel),
    "acceptance": ("fairness", acceptance_panel),
    "returns": ("reciprocity", returns_panel),
    "guesses": ("guess", guesses_panel),
    "claims": ("claim", claims_panel),
}
"""Each panel with the score whose reason tells whether its task was asked."""
_COLUMNS: Final = 3


def card(one: SubjectScores, label: str) -> alt.VConcatChart:
    """What the battery shows of a subject at a glance: a panel for every task that was asked. Where the answers allow
    nothing to be drawn, the reason stands in its place."""
    asked = [draw(one) for name, draw in PANELS.values() if not not_asked(one.scores[name].reason)]
    panels = asked or [absent("The card's six tasks", "none of them was asked")]
    # Rows of panels: a grid that wraps by itself is drawn by Vega only where it may evaluate text as code, and pages
    # forbid that.
    rows = [panels[first : first + _COLUMNS] for first in range(0, len(panels), _COLUMNS)]
    made = alt.vconcat(*(alt.hconcat(*row, spacing=76, bounds="flush") for row in rows), spacing=26)
    apart = made.resolve_scale(color="independent", strokeWidth="independent")
    assert isinstance(apart, alt.VConcatChart)
    return styled(apart, title=label, subtitle=_in_figures(one))


def _in_figures(one: SubjectScores) -> str:
    parts = [
        f"{DESCRIBED[name].title} {_figure(one.scores[name])}" for name in ("rationality", "social", "cooperation")
    ]
    word = one.words["label"].value
    return " · ".join([*parts, word] if word else parts)


def _figure(score: Score) -> str:
    if score.value is None:
        return "–"
    span = "" if score.low is None or score.high is None else f" ({score.low:.0f}–{score.high:.0f})"
    return f"{score.value:.0f}{span}"
