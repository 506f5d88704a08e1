"""What tells players apart beside their names: inks for light and for dark paper, shapes of points and dashes of lines.
Twelve colours are as many as people with the common colour deficiencies tell apart; beyond them a colour comes again
with another shape and another dash."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

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
"""By the ink on light paper, the ink on dark paper: of about the same hue, at least 4.5 : 1 from the pages' and the
report's dark paper, and at least 16 units of CIELAB from every other for people with normal, protan and deutan vision
(found by search over lightness, hue and chroma; tests/charts/test_chart_inks.py computes all of it)."""

SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""Points of one colour are told apart by these."""
DASHES: Final = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3), (4, 4), (1, 3))
"""Lines of one colour are told apart by these."""

_HEX: Final = re.compile(r'"(#[0-9a-f]{6})"')


def dark_inks(spec: Mapping[str, Any]) -> dict[str, str]:
    """The inks for dark paper of the colours that a specification draws with."""
    drawn = {name: part for name, part in spec.items() if name != "datasets"}
    found = set(_HEX.findall(json.dumps(drawn)))
    return {light: dark for light, dark in DARK.items() if light in found}


def dark_rules() -> str:
    """The style sheet of a page whose drawn charts are to follow dark paper; what is printed stays as it is."""
    rules = [
        f'.chart svg [{part}="{light}"] {{ {part}: {dark}; }}'
        for light, dark in DARK.items()
        for part in ("fill", "stroke")
    ]
    return "\n".join(["@media screen and (prefers-color-scheme: dark) {", *rules, "}"])
