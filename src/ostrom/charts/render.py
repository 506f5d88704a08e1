"""Converts charts to SVG, PNG and specifications for a page, and composes charts. Nothing is fetched from a network."""

import hashlib
import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.metadata import version
from typing import Any, ClassVar, Final, Self, TypeAlias, TypeVar

import altair as alt

from ostrom.charts.palette import FONT, PAPER, SOFT, config, dark_inks
from ostrom.core import InputError
from ostrom.core.files import user_cache, write_text
from ostrom.core.listing import in_notebook
from ostrom.core.outlets import in_script, legible, make_legible

WIDTH: Final = 640
STEP: Final = 21
"""The height in pixels of a row in bars and strips. It is the height of a line of text with space around it."""
LINES_HEIGHT: Final = 430
"""The height in pixels of a chart of lines, which has space for the end labels of about 30 lines."""


AnyChart: TypeAlias = alt.LayerChart | alt.HConcatChart | alt.VConcatChart
_Chart = TypeVar("_Chart", alt.Chart, alt.LayerChart, alt.HConcatChart, alt.VConcatChart)


class HeldRows(alt.InlineData):
    """Rows that are written into the chart unchanged. Altair copies a chart whenever it becomes a part of another
    chart. These rows are long and never modified, so they are not copied."""

    def __deepcopy__(self, memo: object) -> "HeldRows":
        return self


OF_KEY: Final = "shown === null || datum.key === shown"
"""The test for a mark that belongs to the legend entry under the pointer. If there is no such entry, the test is true
for every mark."""
PINNED: Final = "indexof(pinned, datum.player) >= 0"
"""The test for a mark that belongs to a pinned player."""


_NO_PLAYERS: Final[list[str]] = []


def pinning() -> alt.Parameter:
    """Return the parameter that holds the pinned players, for charts without a legend."""
    return alt.param(name="pinned", value=_NO_PLAYERS)


def choosing() -> tuple[alt.Parameter, alt.Parameter]:
    """Return the parameters that a page sets: the legend entry under the pointer, and the pinned players. Names are
    passed as values, so they are never part of an expression."""
    return alt.param(name="shown", value=None), pinning()


PLAYER: Final = alt.Tooltip("label:N", title="player")
GAMES: Final = alt.Tooltip("n:Q", title="games")


def estimate_tooltips(title: str, format_: str) -> list[alt.Tooltip]:
    """Return the tooltips of a figure and its interval."""
    titles = {"value:Q": title, "low:Q": "from", "high:Q": "to"}
    return [alt.Tooltip(column, title=heading, format=format_) for column, heading in titles.items()]


def label_axis(labels: Sequence[str], column: str = "label", *, names: bool = True, **scale: Any) -> alt.Y:
    """Return an axis with a row for each label, in this order. The order is given by the scale's domain, since sorting
    inside Vega would put players' names into Vega's expressions."""
    axis = alt.Axis(grid=False) if names else None
    return alt.Y(f"{column}:N", title=None, sort=None, scale=alt.Scale(domain=list(labels), **scale), axis=axis)


def styled(chart: _Chart, *, title: str, subtitle: str = "") -> _Chart:
    """Return the chart in the common style. Its title states the finding."""
    if in_notebook() and alt.renderers.active == "default":
        # Altair's default renderer fetches scripts from the network. If the user chose another renderer, it is kept.
        alt.renderers.register(_RENDERER, _picture)
        alt.renderers.enable(_RENDERER)
    heading = alt.TitleParams(text=wrapped(title, 80), subtitle=wrapped(subtitle, 116)) if title else alt.Undefined
    # The style is set in a shallow copy, because Altair's own methods copy all parts and validate the style.
    result = chart.copy(deep=False)
    result.title, result.config = heading, _style().copy()
    return result


@cache
def _style() -> alt.Config:
    return alt.Config(**config())


_RENDERER: Final = "ostrom"


def _picture(spec: dict[str, Any], **settings: Any) -> dict[str, str]:
    """Return a chart in the form that a notebook displays."""
    import vl_convert

    return {"image/svg+xml": vl_convert.vegalite_to_svg(make_legible(spec), allowed_base_urls=[])}


def wrapped(text: str, width: int) -> list[str]:
    """Return the text as lines of similar length with at most this many characters. Vega itself does not wrap
    titles."""
    lines = _lines(text, width)
    # The lines are narrowed as long as their number does not grow, so that the last line is not much shorter.
    while width > 1 and len(narrower := _lines(text, width - 1)) == len(lines):
        lines, width = narrower, width - 1
    return lines


def _lines(text: str, width: int) -> list[str]:
    words = " ".join(text.split())
    return textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False) or [""]


SCALE = 2.0
"""The number of PNG pixels for each pixel of the chart. It is suitable for high-resolution screens."""


@dataclass(frozen=True)
class Embedded:
    """A chart in the form in which a page embeds it. The page shows the words of the chart as text."""

    title: str
    subtitle: str
    key: tuple[tuple[str, str], ...]
    """The legend: pairs of a name and a colour."""
    spec: dict[str, Any]


def svg(chart: AnyChart, source: str = "") -> str:
    """Return the chart as an SVG document, with its provenance in a line below. Data from URLs is not allowed."""
    # The chart is not validated. Validation takes as long as drawing the chart, and the tests validate every chart.
    spec = make_legible(chart.to_dict(validate=False))
    result = _drawn(spec)
    if fitting := _fitting_title(spec, result):
        result = _drawn({**spec, "title": fitting})
    return _with_source(result, legible(source)) if source else result


def _drawn(spec: dict[str, Any]) -> str:
    import vl_convert  # vl_convert is large, and serving charts does not need it.

    result: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    return _GRADIENT.sub(r"\1gradient", result)


_HEADINGS: Final = {"text": 7.8, "subtitle": 5.8}
"""The lines above a picture, each with an upper estimate of the average width of a letter in pixels."""
_SIDES: Final = 50
"""The pixels on both sides of a picture that its title leaves free."""


def _fitting_title(spec: dict[str, Any], picture: str) -> dict[str, Any] | None:
    """Return the title wrapped to the width of the picture, or None if it already fits. So a title does not widen a
    narrow picture, and uses the whole width of a wide picture."""
    heading = spec.get("title")
    if not isinstance(heading, dict) or not isinstance(heading.get("text"), list):
        return None
    texts = {part: [line for line in heading.get(part, []) if line] for part in _HEADINGS}
    room = _size_of(picture)[0] - _SIDES
    if any(len(line) * letter > room for part, letter in _HEADINGS.items() for line in texts[part]):
        # The title itself may have widened the picture to this width.
        room = max(_size_of(_drawn({**spec, "title": ""}))[0] - _SIDES, _MIN_TITLE_WIDTH)
    fitted = {part: wrapped(" ".join(texts[part]), int(room / letter)) for part, letter in _HEADINGS.items()}
    changed = {part: lines for part, lines in fitted.items() if texts[part] and len(lines) != len(texts[part])}
    return {**heading, **changed} if changed else None


_MIN_TITLE_WIDTH: Final = 360
"""The smallest width of a title in pixels."""


_GRADIENT: Final = re.compile(r'(<linearGradient id="|="url\(#)gradient_[0-9]+(?=[")])')
"""The pattern of a gradient's name. The renderer numbers gradients across charts, so that equal pictures would differ.
A chart has at most one gradient, so it can have a fixed name."""
_LETTER: Final = 5.4
"""An upper estimate of the average width, in pixels, of a letter of the source line."""
_SOURCE_LINE: Final = 14
_SIZE: Final = re.compile(r'width="([0-9.]+)" height="([0-9.]+)" viewBox="0 0 [0-9.]+ [0-9.]+"')


def _size_of(picture: str) -> tuple[float, float]:
    """Return the width and height of an SVG document."""
    match = _SIZE.search(picture)
    assert match is not None, "the renderer always says how large its picture is"
    return float(match[1]), float(match[2])


def _with_source(picture: str, source: str) -> str:
    """Return the picture with the source below it, wrapped to the picture's width."""
    match = _SIZE.search(picture)
    assert match is not None, "the renderer always says how large its picture is"
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
    head, _, rest = picture.replace(match.group(0), size, 1).partition(">")
    body, _, _ = rest.rpartition("</svg>")
    return f"{head}>{paper}{body}{words}</svg>"


def png(picture: str, *, scale: float = SCALE) -> bytes:
    """Return an SVG document as a PNG file."""
    import vl_convert

    result: bytes = vl_convert.svg_to_png(picture, scale=scale)
    return result


def embedded(chart: AnyChart) -> Embedded:
    """Return the chart for embedding in a page that has the style. It has no configuration and no title, and is as wide
    as its container."""
    spec = make_legible(chart.to_dict(validate=False))
    heading = spec.pop("title", {})
    spec.pop("config", None)
    spec.pop("$schema", None)
    title, subtitle = (" ".join(heading.get(part, [])) for part in ("text", "subtitle"))
    spec["description"] = title
    if inks := dark_inks(spec):
        spec["usermeta"] = {"dark": inks}
    key = _pop_key(spec)
    if "layer" in spec:
        spec["width"] = "container"
        spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    return Embedded(title, subtitle, key, spec)


def _pop_key(spec: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Remove the colour legends and return their entries. A page shows them as text, which wraps on a narrow screen."""
    key: tuple[tuple[str, str], ...] = ()
    colour = spec.get("encoding", {}).get("color", {})
    if colour.get("legend") is not None:
        scale, form = colour["scale"], str(colour["legend"].get("format") or "%")
        colours = dict(zip(scale["domain"], scale["range"], strict=True))
        key = tuple(
            (_format_step(step, form), colours[step]) for step in colour["legend"].get("values", scale["domain"])
        )
        colour["legend"] = None
    for part in (*spec.get("layer", []), *spec.get("hconcat", [])):
        key = _pop_key(part) or key
    return key


def _format_step(step: str | float, form: str) -> str:
    """Return the label of a colour in a legend. A text is unchanged. A number is shown in per cent if the format is a
    percentage."""
    if isinstance(step, str):
        return step
    return f"{step:.0%}" if form.endswith("%") else f"{step:,.0f}" if abs(step) >= 1000 else f"{step:.3g}"


@cache
def javascript() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that fetches nothing and defines `vegaEmbed`. Creating the
    script takes as long as drawing twenty charts. So it is stored in the user's cache for the next report."""
    cache_file = None
    with suppress(OSError, RuntimeError, ValueError):  # There is no cache, or its file is invalid.
        cache_file = user_cache() / "ostrom" / f"vega-{version('vl-convert-python')}.js"
        digest, _, script = cache_file.read_text(encoding="utf-8").partition("\n")
        if digest == _digest(script):
            return script
    import vl_convert

    result: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    with suppress(OSError, InputError):
        if cache_file is not None:
            cache_file.parent.mkdir(parents=True, exist_ok=True)
            write_text(cache_file, f"{_digest(result)}\n{result}")
    return result


def _digest(script: str) -> str:
    return f"// {hashlib.sha256(script.encode()).hexdigest()}"


def json_for_html(value: object) -> str:
    """Return JSON for a script element. No text in the JSON can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return in_script(text)


class _Composition:
    """A composition that Altair does not compose again. Otherwise Altair would compose the chart again and copy all
    parts several times, whenever a property is set or the chart is written. This took half of the time of a report."""

    _of: ClassVar[str]

    def copy(self, deep: bool | Iterable[Any] = True, ignore: list[str] | None = None) -> Self:
        """Copy in the same way as Altair, but share the parts in a shallow copy. If a part has parameters, compose the
        chart again, since the parameters belong to the composition."""
        chart: Any = self
        if deep is not False or any(part._get("params") is not alt.Undefined for part in chart[self._of]):
            return super().copy(deep, ignore)  # type: ignore[misc, no-any-return]
        duplicate: Any = type(self)()
        for name, value in chart._kwds.items():
            duplicate[name] = value
        return duplicate  # type: ignore[no-any-return]


class _Layers(_Composition, alt.LayerChart):
    _of = "layer"


class _Row(_Composition, alt.HConcatChart):
    _of = "hconcat"


class _Column(_Composition, alt.VConcatChart):
    _of = "vconcat"


def layered(*layers: alt.Chart, params: Sequence[alt.Parameter] = (), **properties: Any) -> alt.LayerChart:
    """Return charts on top of each other. The composition has the given properties, such as width and title, and
    parameters that a page sets."""
    chart = _Layers(layer=layers, **properties)
    if params:
        # These parameters follow those of the layers. They are not selections, so they belong to no single layer.
        composition: Any = chart
        present = [] if composition.params is alt.Undefined else composition.params
        composition.params = [*present, *(parameter.param for parameter in params)]
    return chart


def side_by_side(*charts: alt.Chart | alt.LayerChart, **properties: Any) -> alt.HConcatChart:
    """Return charts side by side."""
    return _Row(hconcat=charts, **properties)


def stacked(*charts: alt.HConcatChart, **properties: Any) -> alt.VConcatChart:
    """Return charts below each other."""
    return _Column(vconcat=charts, **properties)
