"""Charts on top of each other, beside each other and below each other, each put together once."""

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

import altair as alt


class _Whole:
    """A chart made of charts that stays together. Altair puts such a chart together anew, and copies all of its parts
    several times, whenever it sets a property of it and whenever it writes it out, which took half of the time of a
    report."""

    _of: ClassVar[str]
    """The property that holds the parts."""

    def copy(self, deep: bool | Iterable[Any] = True, ignore: list[str] | None = None) -> Self:
        """As Altair's own; but a copy of the top alone holds the very parts. Where a part has been given parameters
        since, which belong to the whole, all is put together anew."""
        chart: Any = self
        if deep is not False or any(part._get("params") is not alt.Undefined for part in chart[self._of]):
            return super().copy(deep, ignore)  # type: ignore[misc, no-any-return]
        made: Any = type(self)()
        for name, value in chart._kwds.items():
            made[name] = value
        return made  # type: ignore[no-any-return]


class _Layers(_Whole, alt.LayerChart):
    _of = "layer"


class _Row(_Whole, alt.HConcatChart):
    _of = "hconcat"


class _Column(_Whole, alt.VConcatChart):
    _of = "vconcat"


def layered(*layers: alt.Chart, params: Sequence[alt.Parameter] = (), **properties: Any) -> alt.LayerChart:
    """Charts on top of each other, with properties of the whole, such as its width and its title, and what a page may
    tell it."""
    made = _Layers(layer=layers, **properties)
    if params:
        # After those of the layers; as they are no selections, they belong to no layer.
        whole: Any = made
        own = [] if whole.params is alt.Undefined else whole.params
        whole.params = [*own, *(one.param for one in params)]
    return made


def beside(*charts: alt.Chart | alt.LayerChart, **properties: Any) -> alt.HConcatChart:
    """Charts side by side."""
    return _Row(hconcat=charts, **properties)


def stacked(*charts: alt.HConcatChart, **properties: Any) -> alt.VConcatChart:
    """Charts below each other."""
    return _Column(vconcat=charts, **properties)
