"""The one style of every chart, and a chart as SVG, as PNG and as a specification for the page. Nothing is fetched
from anywhere."""

import hashlib
import json
import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import altair as alt

from ostrom.charts.palette import dark_inks
from ostrom.core import InputError
from ostrom.core.files import write_whole
from ostrom.core.listing import in_notebook
from ostrom.core.outlets import in_script, legible, strings_made

FONT: Final = "'Liberation Sans', Arial, Helvetica, sans-serif"
"""The renderer of SVG and PNG carries Liberation Sans, so pictures are the same on every machine; Arial and Helvetica,
which browsers have, are as wide letter by letter."""

WIDTH: Final = 640
STEP: Final = 21
"""The height of a row in bars and strips: a line of text with air around it."""
LINES_HEIGHT: Final = 430
"""Room for the end labels of some 30 lines."""

INK: Final = "#23272e"
SOFT: Final = "#5b6470"
PAPER: Final = "#ffffff"
GRID: Final = "rgba(128, 134, 145, 0.22)"
"""Half transparent, so that one grid serves light and dark paper."""


class StoredChart:
    """A chart that was made before, as its specification without the style."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._spec = spec

    def to_dict(self, *, validate: bool = False) -> dict[str, Any]:
        """The specification, with the style as it is now."""
        return {**deepcopy(dict(self._spec)), "config": config()}


AnyChart: TypeAlias = alt.LayerChart | alt.HConcatChart | alt.VConcatChart | StoredChart
_Chart = TypeVar("_Chart", alt.Chart, alt.LayerChart, alt.HConcatChart, alt.VConcatChart)


def config(*, ink: str = INK, soft: str = SOFT, paper: str | None = PAPER) -> dict[str, Any]:
    """The style as a Vega-Lite configuration. The report's page passes `currentColor` for both inks and no paper, and
    so follows the reader's light or dark mode, and the printer's."""
    return {
        "background": paper,
        "font": FONT,
        # Wider at the sides, where names stand that another font may set wider.
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


class HeldRows(alt.InlineData):
    """Rows that are written into the chart as they stand. Altair copies a chart whenever it is put into another one;
    these are never changed, and long."""

    def __deepcopy__(self, memo: object) -> "HeldRows":
        return self


OF_KEY: Final = "shown === null || datum.key === shown"
"""Whether a mark is of the entry of the legend that the reader points at; all are while that is none."""
PINNED: Final = "indexof(pinned, datum.player) >= 0"
"""Whether a mark is of a player whom the reader has pinned."""


_NOBODY: Final[list[str]] = []


def pinning() -> alt.Parameter:
    """What a page tells a chart whose marks are of players and of no entry of a legend."""
    return alt.param(name="pinned", value=_NOBODY)


def choosing() -> tuple[alt.Parameter, alt.Parameter]:
    """What a page tells a chart: the entry of the legend that is pointed at, and the players that are pinned. Names
    come as values, and so into no expression."""
    return alt.param(name="shown", value=None), pinning()


PLAYER: Final = alt.Tooltip("label:N", title="player")
GAMES: Final = alt.Tooltip("n:Q", title="games")


def estimate_tooltips(title: str, format_: str) -> list[alt.Tooltip]:
    """What a mark says of its figure and its interval when it is pointed at."""
    named = {"value:Q": title, "low:Q": "from", "high:Q": "to"}
    return [alt.Tooltip(column, title=said, format=format_) for column, said in named.items()]


def label_axis(labels: Sequence[str], column: str = "label", *, names: bool = True, **scale: Any) -> alt.Y:
    """A row for each label, in this order, with its name before it. The order is the scale's own domain: sorting inside
    Vega would put players' names into its expressions."""
    axis = alt.Axis(grid=False) if names else None
    return alt.Y(f"{column}:N", title=None, sort=None, scale=alt.Scale(domain=list(labels), **scale), axis=axis)


def styled(chart: _Chart, *, title: str, subtitle: str = "") -> _Chart:
    """The chart in the common style, under a title that says what to see."""
    if in_notebook() and alt.renderers.active == "default":
        # Altair's own way fetches scripts from the network; who has chosen another one keeps it.
        alt.renderers.register(_RENDERER, _picture)
        alt.renderers.enable(_RENDERER)
    heading = alt.TitleParams(text=wrapped(title, 80), subtitle=wrapped(subtitle, 116)) if title else alt.Undefined
    # Set in a copy of the top alone: Altair's own ways copy all of its parts, and hold the style against the schema.
    made = chart.copy(deep=False)
    made.title, made.config = heading, _style().copy()
    return made


@cache
def _style() -> alt.Config:
    return alt.Config(**config())


_RENDERER: Final = "ostrom"


def _picture(spec: dict[str, Any], **settings: Any) -> dict[str, str]:
    """A chart as a notebook shows it."""
    import vl_convert

    return {"image/svg+xml": vl_convert.vegalite_to_svg(strings_made(spec), allowed_base_urls=[])}


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many characters, of like length; Vega breaks none by itself, and would let a long title run
    out of the picture."""
    lines = _lines(text, width)
    # Narrower for as long as it takes no further line: no word stands alone on the last.
    while width > 1 and len(narrower := _lines(text, width - 1)) == len(lines):
        lines, width = narrower, width - 1
    return lines


def _lines(text: str, width: int) -> list[str]:
    words = " ".join(text.split())
    return textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False) or [""]


SCALE = 2.0
"""Pixels of the PNG for each of the chart's: sharp on today's screens."""


@dataclass(frozen=True)
class Embedded:
    """A chart as a page embeds it: its words are the page's own text."""

    title: str
    subtitle: str
    key: tuple[tuple[str, str], ...]
    """What the colours stand for: names and colours."""
    spec: dict[str, Any]


def svg(chart: AnyChart, source: str = "") -> str:
    """The chart as an SVG document, with a line below it that says where its figures come from. No data may come from
    an address."""
    # Not held against the schema: that takes as long as the drawing, and the tests do it for every chart.
    spec = strings_made(chart.to_dict(validate=False))
    made = _drawn(spec)
    if fitting := _fitting_title(spec, made):
        made = _drawn({**spec, "title": fitting})
    return _with_source(made, legible(source)) if source else made


def _drawn(spec: dict[str, Any]) -> str:
    import vl_convert  # who serves charts draws none, and the renderer is large

    made: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return _GRADIENT.sub(r"\1gradient", made)


_HEADINGS: Final = {"text": 7.8, "subtitle": 5.8}
"""The lines above a picture, and the pixels that a letter of each takes on average, rather too many than too few."""
_SIDES: Final = 50
"""Pixels at both sides of a picture that its title leaves free."""


def _fitting_title(spec: dict[str, Any], picture: str) -> dict[str, Any] | None:
    """The title in as few lines as the picture has room for, where it stands in others: a wide one lets it run, and a
    narrow one is not widened by it."""
    heading = spec.get("title")
    if not isinstance(heading, dict) or not isinstance(heading.get("text"), list):
        return None
    said = {part: [line for line in heading.get(part, []) if line] for part in _HEADINGS}
    room = _size_of(picture)[0] - _SIDES
    if any(len(line) * letter > room for part, letter in _HEADINGS.items() for line in said[part]):
        # It may be what makes the picture so wide.
        room = max(_size_of(_drawn({**spec, "title": ""}))[0] - _SIDES, _NARROWEST)
    fitted = {part: wrapped(" ".join(said[part]), int(room / letter)) for part, letter in _HEADINGS.items()}
    changed = {part: lines for part, lines in fitted.items() if said[part] and len(lines) != len(said[part])}
    return {**heading, **changed} if changed else None


_NARROWEST: Final = 360
"""Pixels that a title has at least."""


_GRADIENT: Final = re.compile(r'(<linearGradient id="|="url\(#)gradient_[0-9]+(?=[")])')
"""The renderer counts the gradients that its process has drawn; a chart has one at most, and is the same every time."""
_LETTER: Final = 5.4
"""Pixels that a letter of the source line takes on average, rather too many than too few."""
_SOURCE_LINE: Final = 14
_SIZE: Final = re.compile(r'width="([0-9.]+)" height="([0-9.]+)" viewBox="0 0 [0-9.]+ [0-9.]+"')


def _size_of(picture: str) -> tuple[float, float]:
    """How wide and how high an SVG document is."""
    found = _SIZE.search(picture)
    assert found is not None, "the renderer always says how large its picture is"
    return float(found[1]), float(found[2])


def _with_source(picture: str, source: str) -> str:
    """The picture made higher by a line of text, or by as many as the words need in its width."""
    found = _SIZE.search(picture)
    assert found is not None, "the renderer always says how large its picture is"
    wide, high = _size_of(picture)
    lines = wrapped(source, max(20, int((wide - 48) / _LETTER)))
    more = len(lines) * _SOURCE_LINE + 4
    size = f'width="{wide:g}" height="{high + more:g}" viewBox="0 0 {wide:g} {high + more:g}"'
    words = "".join(
        f'<text x="24" y="{high + place * _SOURCE_LINE + 6:g}" font-family="{FONT}" font-size="10" fill="{SOFT}">'
        f"{escape(line)}</text>"
        for place, line in enumerate(lines)
    )
    paper = f'<rect width="{wide:g}" height="{high + more:g}" fill="{PAPER}"/>'
    head, _, rest = picture.replace(found.group(0), size, 1).partition(">")
    body, _, _ = rest.rpartition("</svg>")
    return f"{head}>{paper}{body}{words}</svg>"


def png(picture: str, *, scale: float = SCALE) -> bytes:
    """An SVG document as a PNG file."""
    import vl_convert

    made: bytes = vl_convert.svg_to_png(picture, scale=scale)
    return made


def embedded(chart: AnyChart) -> Embedded:
    """The chart for a page that has the style already: without configuration and title, as wide as its place."""
    spec = strings_made(chart.to_dict(validate=False))
    heading = spec.pop("title", {})
    spec.pop("config", None)
    spec.pop("$schema", None)
    title, subtitle = (" ".join(heading.get(part, [])) for part in ("text", "subtitle"))
    spec["description"] = title
    if inks := dark_inks(spec):
        spec["usermeta"] = {"dark": inks}
    key = _key_taken_from(spec)
    if "layer" in spec:
        spec["width"] = "container"
        spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return Embedded(title, subtitle, key, spec)


def _key_taken_from(spec: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """What the legends of colour say, which are taken out: a page sets them as text, which wraps where it is narrow."""
    key: tuple[tuple[str, str], ...] = ()
    colour = spec.get("encoding", {}).get("color", {})
    if colour.get("legend") is not None:
        scale, form = colour["scale"], str(colour["legend"].get("format") or "%")
        colours = dict(zip(scale["domain"], scale["range"], strict=True))
        key = tuple((_told(step, form), colours[step]) for step in colour["legend"].get("values", scale["domain"]))
        colour["legend"] = None
    for part in (*spec.get("layer", []), *spec.get("hconcat", [])):
        key = _key_taken_from(part) or key
    return key


def _told(step: str | float, form: str) -> str:
    """What a colour stands for; a scale of figures is one of shares, unless its format says otherwise."""
    if isinstance(step, str):
        return step
    return f"{step:.0%}" if form.endswith("%") else f"{step:,.0f}" if abs(step) >= 1000 else f"{step:.3g}"


@cache
def javascript() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that fetches nothing and leaves `vegaEmbed` to other scripts. To put
    it together takes as long as twenty charts, so it is kept for the next report, in the user's cache."""
    kept = None
    with suppress(OSError, RuntimeError, ValueError):  # nowhere to keep it, or something else is there
        kept = _cache() / "ostrom" / f"vega-{version('vl-convert-python')}.js"
        digest, _, script = kept.read_text(encoding="utf-8").partition("\n")
        if digest == _digest(script):
            return script
    import vl_convert

    made: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    with suppress(OSError, InputError):
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_whole(kept, f"{_digest(made)}\n{made}")
    return made


def _cache() -> Path:
    """The folder for what can be made again, by the custom of most systems; there may be no home to have it in."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"


def _digest(script: str) -> str:
    return f"// {hashlib.sha256(script.encode()).hexdigest()}"


def json_for_html(value: object) -> str:
    """JSON that no name inside can end the script element with."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return in_script(text)
