"""The charts of a report as specifications that a browser draws: the same words and pictures as the report's page."""

from typing import Any, Final

import polars as pl

from ostrom.analysis.chosen import NothingLeft
from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES
from ostrom.charts import render
from ostrom.charts.catalogue import RATINGS, drawn
from ostrom.charts.editions import EDITIONS, Edition, rating_definition, rating_note
from ostrom.charts.families import Cast
from ostrom.charts.render import Embedded
from ostrom.charts.standings import ratings_frame
from ostrom.charts.theme import config
from ostrom.core import UnknownName
from ostrom.web.queries.filters import Filters, choose
from ostrom.web.queries.measured import Measured, standings
from ostrom.web.service import Service
from ostrom.web.shapes.study import AnyKind, Chart, ChartCatalogue, ChartEntry, ChartSection, KeyEntry

CONFIG: Final = config(ink="currentColor", soft="currentColor", paper=None)
"""As the report's page has it: inks follow the page's own."""
_NOTHING: Final = pl.DataFrame(schema={"player": pl.String, "value": pl.Float64})


def catalogue(service: Service, filters: Filters) -> ChartCatalogue:
    """All charts of a played game's report, and what it says in words; without charts where nothing is left."""
    edition = EDITIONS[filters.kind]
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        return made_catalogue(filters, edition.heading, str(error), [], [])
    cast, measured = chosen.cast, Measured(service, chosen)
    said = edition.sentences(chosen.tables, standings(service, chosen), measured, cast)
    short = [*chosen.tables.left_out.sentences(cast.label), *said]
    sections = [
        ChartSection(
            anchor=section.anchor,
            title=section.title,
            charts=[_entry(edition, picture.name) for picture in section.pictures],
        )
        for section in edition.sections
    ]
    return made_catalogue(filters, edition.heading, edition.facts(chosen.tables), short, sections)


def chart(service: Service, name: str, filters: Filters) -> Chart:
    """One chart of a played game's report; where nothing is left, one that says so."""
    edition = EDITIONS[filters.kind]
    picture = edition.pictures.get(name)
    if picture is None:
        raise unknown_chart(name)
    reason = None
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        frame, cast, reason = _NOTHING, Cast.of([]), str(error)
    else:
        cast = chosen.cast
        board = name == RATINGS
        whole = ratings_frame(standings(service, chosen)) if board else Measured(service, chosen)[picture.source]
        frame = filters.shown(whole)
    embedded = render.embedded(drawn(picture, frame, cast))
    entry = _entry(edition, name)
    return made_chart(name, picture.heading, embedded, entry.definition, dots=picture.dots, reason=reason)


def made_catalogue(
    filters: Filters, title: str, facts: str, short: list[str], sections: list[ChartSection]
) -> ChartCatalogue:
    """A catalogue with the configuration that all charts share."""
    kind: AnyKind = filters.kind  # type: ignore[assignment]
    return ChartCatalogue(kind=kind, title=title, facts=facts, short=short, config=CONFIG, sections=sections)


def made_chart(
    name: str, heading: str, embedded: Embedded, definition: str, *, dots: bool = False, reason: str | None = None
) -> Chart:
    """A chart with its words; a reason stands in the place of its subtitle."""
    return Chart(
        name=name,
        heading=heading,
        title=embedded.title,
        subtitle=embedded.subtitle if reason is None else reason,
        key=[KeyEntry(text=text, colour=colour) for text, colour in embedded.key],
        dots=dots,
        definition=definition,
        spec=embedded.spec,
    )


def unknown_chart(name: str) -> UnknownName:
    """The error for a chart that the catalogue does not hold."""
    error = UnknownName("chart", name, [])
    error.args = (f"there is no chart called {name!r}; /api/charts lists them",)
    return error


def _entry(edition: Edition[Any], name: str) -> ChartEntry:
    picture = edition.pictures[name]
    if name == RATINGS:
        definition, notes = rating_definition(edition, rating_note(PASSES, DRAW_PROBABILITY)), ""
    else:
        measure = edition.kind.measures[picture.source]
        definition, notes = measure.definition, measure.notes
    return ChartEntry(name=name, heading=picture.heading, definition=definition, notes=notes)
