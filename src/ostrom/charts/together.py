"""Layered, horizontal and vertical compositions of charts, each composed once."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import altair as alt


class _Whole:
    """A composition that is not composed again. Altair recomposes such a chart and copies all of its parts several
    times whenever it sets a property or writes the chart, which took half of the time of a report."""

    _of: ClassVar[str]
    """The property with the parts."""

    def copy(self, deep: bool | Iterable[Any] = True, ignore: list[str] | None = None) -> Self:
        """Copy as Altair does, but share the parts in a shallow copy. If a part has got parameters since, which belong
        to the whole, everything is composed again."""
        chart: Any = self
        if deep is not False or any(part._get("params") is not alt.Undefined for part in chart[self._of]):
            return super().copy(deep, ignore)  # type: ignore[misc, no-any-return]
        duplicate: Any = type(self)()
        for name, value in chart._kwds.items():
            duplicate[name] = value
        return duplicate  # type: ignore[no-any-return]


class _Layers(_Whole, alt.LayerChart):
    _of = "layer"


class _Row(_Whole, alt.HConcatChart):
    _of = "hconcat"


class _Column(_Whole, alt.VConcatChart):
    _of = "vconcat"


def layered(*layers: alt.Chart, params: Sequence[alt.Parameter] = (), **properties: Any) -> alt.LayerChart:
    """Return charts on top of each other, with properties of the whole, such as its width and its title, and parameters
    that a page sets."""
    chart = _Layers(layer=layers, **properties)
    if params:
        # They follow those of the layers; as they are no selections, they belong to no layer.
        whole: Any = chart
        own = [] if whole.params is alt.Undefined else whole.params
        whole.params = [*own, *(one.param for one in params)]
    return chart


def beside(*charts: alt.Chart | alt.LayerChart, **properties: Any) -> alt.HConcatChart:
    """Return charts side by side."""
    return _Row(hconcat=charts, **properties)


def stacked(*charts: alt.HConcatChart, **properties: Any) -> alt.VConcatChart:
    """Return charts below each other."""
    return _Column(vconcat=charts, **properties)
