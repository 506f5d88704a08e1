"""The colours of players, which are the same in charts, replays and films, and the common style of charts. A model
whose provider is known has the colour of its family. The colour of a built-in player follows from its position among
the built-in players of its game, and that of any other player from its id. If two players would have the same colour,
the second gets another colour. The module also has the inks for dark paper, the shapes of points and the dashes of
lines. It imports no chart library, since records use it too."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from ostrom.core.plugins import GAMES
from ostrom.journal.names import PlayerNames
from ostrom.journal.record import GameRecord
from ostrom.players.roster import built_in_names

# The hues are those of Okabe & Ito (2008). A search changed their lightness, hue and chroma until each colour has a
# contrast of 3 : 1 to both white and dark paper, and any two of the twelve colours differ by at least 17 units of
# CIEDE2000, or 8 for protan and deutan vision (tests/charts/test_chart_inks.py). Every line and bar also has a name.
COLOURS: Final = {
    "Claude": "#d14a00",
    "GPT": "#4b9a80",
    "Gemini": "#6387ff",
    "Llama": "#a67398",
    "Mistral": "#c58a00",
    "DeepSeek": "#1fa0b5",
    "Qwen": "#89854f",
    "Grok": "#66626f",
}
"""The colours of families of models. The charts of a game use them too."""
FURTHER: Final = ("#7340ff", "#855c3d", "#f56083", "#13699e")
"""Further colours for players without a family: violet, brown, rose and deep blue."""
IN_TURN: Final = (*COLOURS.values(), *FURTHER)


def colour_of(player: str, family: str | None = None, built_in: Sequence[str] = ()) -> str:
    """Return the preferred colour of a player. It is the colour of its family, or of its position among the built-in
    players of a game, or otherwise a colour computed from its id. It does not depend on other players, so it is the
    same in every report on every machine."""
    if family is not None:
        return COLOURS[family]
    if player in built_in:
        return IN_TURN[built_in.index(player) % len(IN_TURN)]
    digest = hashlib.sha256(player.encode("utf-8", "surrogatepass")).digest()
    return IN_TURN[digest[0] % len(COLOURS)]


def distinct_colours(preferred: Sequence[str], reserved: Collection[str] = ()) -> list[str]:
    """Return a colour for each entry of `preferred`. The first entry that prefers a colour gets it. Later entries that
    prefer the same colour get the least used of the following colours that are not `reserved`. Up to twelve colours,
    including the reserved ones, are all different."""
    uses = Counter(reserved)
    colours: dict[int, str] = {}
    for place, colour in enumerate(preferred):
        if not uses[colour]:
            colours[place] = colour
            uses[colour] += 1
    for place, colour in enumerate(preferred):
        if place in colours:
            continue
        start = IN_TURN.index(colour) if colour in IN_TURN else 0
        free = [ink for ink in (*IN_TURN[start:], *IN_TURN[:start]) if ink not in reserved] or list(IN_TURN)
        colours[place] = min(free, key=uses.__getitem__)
        uses[colours[place]] += 1
    return [colours[place] for place in range(len(preferred))]


def built_in_of(game: str) -> list[str]:
    """Return the built-in players of a game, sorted. Return an empty list if the game is not installed."""
    return sorted(built_in_names(game)) if game in GAMES else []


def seat_colours(game: str, players: Sequence[str], names: PlayerNames) -> list[str]:
    """Return the colours of the seats of a table. Up to twelve colours are all different."""
    built_in = built_in_of(game)
    # Colours are assigned in the order of names, as in charts. So if two players prefer one colour, the same player
    # gets it in both.
    order = sorted(range(len(players)), key=lambda seat: (players[seat], seat))
    colours = distinct_colours([colour_of(players[seat], names.family(players[seat]), built_in) for seat in order])
    return [colour for _, colour in sorted(zip(order, colours, strict=True))]


MAX_SHOWN_NAME: Final = 200
"""The largest number of characters of a player's name in a replay, a film or a description."""


def with_names_and_colours(record: GameRecord, names: PlayerNames | None = None) -> GameRecord:
    """Return the record with the names and colours of its players. Without names of a journal, names in the record are
    kept, and other players have their ids as names."""
    players = [seat.player for seat in record.seats]
    names_of_players = names or PlayerNames.of_players(players, imported=record.source is not None)
    seats = []
    for seat, colour in zip(record.seats, seat_colours(record.game, players, names_of_players), strict=True):
        name = names_of_players.of(seat.player) if names is not None or seat.name is None else seat.name
        kept = seat.colour if names is None and seat.colour is not None else colour
        # Without this limit, a name of thousands of characters would be repeated in every line and picture.
        shown = name if len(name) <= MAX_SHOWN_NAME else f"{name[: MAX_SHOWN_NAME - 1]}…"
        seats.append(seat.model_copy(update={"name": shown, "colour": kept}))
    return record.model_copy(update={"seats": seats})


# Inks for dark paper, shapes and dashes. With the common colour deficiencies, at most twelve colours can be
# distinguished.
# Beyond twelve, a colour is reused with another shape and another dash.


DARK: Final = {
    "#d14a00": "#cc7300",
    "#4b9a80": "#86b48d",
    "#6387ff": "#79a9ff",
    "#a67398": "#f7acc8",
    "#c58a00": "#dbb400",
    "#1fa0b5": "#0094b0",
    "#89854f": "#e4ff59",
    "#66626f": "#eefff3",
    "#7340ff": "#8c6fff",
    "#855c3d": "#fedbb4",
    "#f56083": "#c96d5d",
    "#13699e": "#d2cafe",
    "#8a8f98": "#878789",
}
"""The ink on dark paper for each ink on light paper. Both have about the same hue. An ink on dark paper has a contrast
of at least 4.5 : 1 to the dark paper of pages and reports. It differs from every other ink by at least 18 units of
CIEDE2000, or 11 for protan and deutan vision. The inks were found by a search over lightness, hue and chroma;
tests/charts/test_chart_inks.py computes these numbers."""

SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""The shapes that distinguish points of one colour."""
DASHES: Final = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (4, 4), (1, 3))
"""The dashes that distinguish lines of one colour."""

_HEX: Final = re.compile(r'"(#[0-9a-f]{6})"')


def dark_inks(spec: Mapping[str, Any]) -> dict[str, str]:
    """Return the ink for dark paper of each colour in a specification."""
    parts = {name: part for name, part in spec.items() if name != "datasets"}
    matches = set(_HEX.findall(json.dumps(parts)))
    return {light: dark for light, dark in DARK.items() if light in matches}


def dark_rules() -> str:
    """Return the style sheet that gives charts on a page the inks for dark paper. Printed pages keep the light inks."""
    rules = [
        f'.chart svg [{part}="{light}"] {{ {part}: {dark}; }}'
        for light, dark in DARK.items()
        for part in ("fill", "stroke")
    ]
    return "\n".join(["@media screen and (prefers-color-scheme: dark) {", *rules, "}"])


FONT: Final = "'Liberation Sans', Arial, Helvetica, sans-serif"
"""The fonts of charts. The renderer of SVG and PNG includes Liberation Sans, so pictures are the same on every machine.
Arial and Helvetica, which browsers have, have the same widths."""
INK: Final = "#23272e"
SOFT: Final = "#5b6470"
PAPER: Final = "#ffffff"
GRID: Final = "rgba(128, 134, 145, 0.22)"
"""The colour of grid lines. It is half transparent, so that it is suitable for light and dark paper."""


def config(*, ink: str = INK, soft: str = SOFT, paper: str | None = PAPER) -> dict[str, Any]:
    """Return the style as a Vega-Lite configuration. The report's page passes `currentColor` for both inks and no
    paper, so that the chart follows the light or dark mode of the reader and the printer."""
    return {
        "background": paper,
        "font": FONT,
        # The space at the sides is wider, since names may need more width in another font.
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
