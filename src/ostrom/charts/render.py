"""A chart as SVG, as PNG and as a specification for the page: one source, and no network anywhere."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import altair as alt
import vl_convert

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


def svg(chart: alt.LayerChart | alt.HConcatChart | alt.VConcatChart) -> str:
    """The chart as an SVG document. No data may come from an address."""
    made: str = vl_convert.vegalite_to_svg(chart.to_dict(), allowed_base_urls=[])
    return made


def png(picture: str, *, scale: float = SCALE) -> bytes:
    """An SVG document as a PNG file."""
    made: bytes = vl_convert.svg_to_png(picture, scale=scale)
    return made


def embedded(chart: alt.LayerChart | alt.HConcatChart | alt.VConcatChart) -> Embedded:
    """The chart for a page that has the style already: without configuration and title, as wide as its place."""
    # Not held against the schema once more: that takes longer than everything else.
    spec = chart.to_dict(validate=False)
    heading = spec.pop("title", {})
    spec.pop("config", None)
    spec.pop("$schema", None)
    title, subtitle = (" ".join(heading.get(part, [])) for part in ("text", "subtitle"))
    spec["description"] = title
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
        scale = colour["scale"]
        colours = dict(zip(map(_told, scale["domain"]), scale["range"], strict=True))
        key = tuple((text, colours[text]) for text in map(_told, colour["legend"].get("values", scale["domain"])))
        colour["legend"] = None
    for part in (*spec.get("layer", []), *spec.get("hconcat", [])):
        key = _key_taken_from(part) or key
    return key


def _told(step: str | float) -> str:
    """What a colour stands for; a scale of figures is one of shares."""
    return step if isinstance(step, str) else f"{step:.0%}"


@cache
def javascript() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script that fetches nothing and leaves `vegaEmbed` to other scripts. Made
    once: it takes as long as ten charts."""
    made: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return made


def json_for_html(value: object) -> str:
    """JSON that no name inside can end the script element with."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
