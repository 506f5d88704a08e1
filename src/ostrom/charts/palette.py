"""The colours of players, the same in charts, replays and films, and the common style of charts. A model has the colour
of its family, a built-in player one by its position among those of its game, any other player one by its id. Also inks
for dark paper, and the shapes of points and dashes of lines. This module imports no chart library, since records use it
too."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ostrom.core.plugins import GAMES
from ostrom.journal.names import PlayerNames
from ostrom.journal.record import GameRecord
from ostrom.players.roster import built_in_names

# The hues of Okabe & Ito (2008), which people with the common colour deficiencies tell apart; orange, sky blue, yellow
# and black moved in lightness until each stands out by 3 : 1 from white and from dark paper alike. Every line and bar
# carries its name as well, so colour is never the only sign.
COLOURS: Final = {
    "Claude": "#d55e00",
    "GPT": "#009e73",
    "Gemini": "#0072b2",
    "Llama": "#c977a5",
    "Mistral": "#c58a00",
    "DeepSeek": "#3f9cd3",
    "Qwen": "#8d8a00",
    "Grok": "#6d6a75",
}
FURTHER: Final = ("#8a4ae8", "#816131", "#e83e5f", "#7d7df2")
"""For players of no family beyond those eight: violet, brown, crimson and lavender, at least 12 units of CIELAB from
every other for people with normal, protan and deutan vision alike."""
IN_TURN: Final = (*COLOURS.values(), *FURTHER)

_SIGNS: Final = {
    "Claude": r"claude|sonnet|opus|haiku|anthropic",
    "GPT": r"gpt|openai|(?<![a-z0-9])o[134](?![a-z0-9])",
    "Gemini": r"gemini|gemma",
    "Llama": r"llama",
    "Mistral": r"mi[sx]tral|ministral|magistral",
    "DeepSeek": r"deepseek|(?<![a-z0-9])r1(?![a-z0-9])",
    "Qwen": r"qwen|qwq",
    "Grok": r"grok",
}


def family_of(player: str, name: str) -> str | None:
    """Return the family of a model, by its id or its name."""
    for text in (player, name):
        for family, sign in _SIGNS.items():
            if re.search(sign, text.lower()):
                return family
    return None


def colour_of(player: str, name: str, built_in: Sequence[str] = ()) -> str:
    """Return the colour of a player with this name, in a game with these built-in players. It depends on the player
    alone, so that it is the same in every report and on every machine."""
    family = family_of(player, name)
    if family is not None:
        return COLOURS[family]
    if player in built_in:
        return IN_TURN[built_in.index(player) % len(IN_TURN)]
    digest = hashlib.sha256(player.encode("utf-8", "surrogatepass")).digest()
    return IN_TURN[digest[0] % len(COLOURS)]


def built_in_of(game: str) -> list[str]:
    """Return the built-in players of a game, sorted; empty where it is not installed."""
    return sorted(built_in_names(game)) if game in GAMES else []


def with_names_and_colours(record: GameRecord, names: PlayerNames | None = None) -> GameRecord:
    """Return the record with the names and colours of its players. Without a journal's names, a record keeps those that
    it has, and other players have their ids."""
    names_of_players = names or PlayerNames.of_players(
        (seat.player for seat in record.seats), imported=record.source is not None
    )
    built_in, seats = built_in_of(record.game), []
    for seat in record.seats:
        name = names_of_players.of(seat.player) if names is not None or seat.name is None else seat.name
        colour = seat.colour if names is None and seat.colour is not None else colour_of(seat.player, name, built_in)
        seats.append(seat.model_copy(update={"name": name, "colour": colour}))
    return record.model_copy(update={"seats": seats})


# Dark paper, shapes and dashes. Twelve colours are as many as people with the common colour deficiencies can
# distinguish; beyond them a colour is reused with another shape and another dash.


DARK: Final = {
    "#d55e00": "#db8d4f",
    "#009e73": "#83b793",
    "#0072b2": "#b1c9fe",
    "#c977a5": "#d5a6c5",
    "#c58a00": "#d59d0a",
    "#3f9cd3": "#3995c2",
    "#8d8a00": "#ecdc78",
    "#6d6a75": "#e5e1e8",
    "#8a4ae8": "#a96bff",
    "#816131": "#fedbb4",
    "#e83e5f": "#e16b6a",
    "#7d7df2": "#8ea0fd",
    "#8a8f98": "#898c91",
}
"""The ink on dark paper for each ink on light paper: of about the same hue, with a contrast of at least 4.5 : 1 to the
dark paper of pages and reports, and at least 16 units of CIELAB from every other for normal, protan and deutan vision
(found by a search over lightness, hue and chroma; tests/charts/test_chart_inks.py computes all of it)."""

SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""The shapes that distinguish points of one colour."""
DASHES: Final = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (4, 4), (1, 3))
"""The dashes that distinguish lines of one colour."""

_HEX: Final = re.compile(r'"(#[0-9a-f]{6})"')


def dark_inks(spec: Mapping[str, Any]) -> dict[str, str]:
    """Return the inks for dark paper of the colours in a specification."""
    parts = {name: part for name, part in spec.items() if name != "datasets"}
    matches = set(_HEX.findall(json.dumps(parts)))
    return {light: dark for light, dark in DARK.items() if light in matches}


def dark_rules() -> str:
    """Return the style sheet that gives charts on a page the inks for dark paper; printed pages keep the light ones."""
    rules = [
        f'.chart svg [{part}="{light}"] {{ {part}: {dark}; }}'
        for light, dark in DARK.items()
        for part in ("fill", "stroke")
    ]
    return "\n".join(["@media screen and (prefers-color-scheme: dark) {", *rules, "}"])


FONT: Final = "'Liberation Sans', Arial, Helvetica, sans-serif"
"""The renderer of SVG and PNG includes Liberation Sans, so pictures are the same on every machine; Arial and Helvetica,
which browsers have, have the same widths."""
INK: Final = "#23272e"
SOFT: Final = "#5b6470"
PAPER: Final = "#ffffff"
GRID: Final = "rgba(128, 134, 145, 0.22)"
"""Half transparent, so that one grid serves light and dark paper."""


def config(*, ink: str = INK, soft: str = SOFT, paper: str | None = PAPER) -> dict[str, Any]:
    """Return the style as a Vega-Lite configuration. The report's page passes `currentColor` for both inks and no
    paper, so that it follows the light or dark mode of reader and printer."""
    return {
        "background": paper,
        "font": FONT,
        # Wider at the sides, since another font may need more width for the names there.
        "padding": {"left": 24, "top": 14, "bottom": 14, "right": 26},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "color": ink,
            "fontSize": 15,
            "fontWeight": 600,
            "lineHeight": 19,
            "subtitleColor": soft,
            "subtitleFontSize": 11.5,
            "subtitleLineHeight": 15,
            "subtitlePadding": 5,
            "offset": 12,
        },
        "view": {"stroke": None},
        "axis": {
            "labelColor": ink,
            "labelFontSize": 11,
            "labelLimit": 230,
            "titleColor": soft,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "gridColor": GRID,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
        },
        "axisX": {"labelFlush": False, "labelOverlap": True},
        "axisY": {
            "titleAlign": "left",
            "titleAngle": 0,
            "titleAnchor": "start",
            "titleBaseline": "bottom",
            "titleY": -7,
        },
        "legend": {
            "labelColor": ink,
            "labelFontSize": 11,
            "orient": "bottom",
            "direction": "horizontal",
            "symbolType": "square",
            "symbolSize": 90,
            "symbolStrokeWidth": 0,
            "symbolOpacity": 1,
            "columnPadding": 14,
            "offset": 10,
            "title": None,
        },
        "text": {"color": ink, "fontSize": 11},
        "rule": {"color": ink},
        "tick": {"color": ink},
    }
