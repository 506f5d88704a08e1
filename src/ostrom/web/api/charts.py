"""The charts of a report as Vega-Lite specifications for the browser, with the same texts and charts as the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import polars as pl
from fastapi import APIRouter, Path, Request, Response
from typing_extensions import override

from ostrom.analysis.provenance import source_line
from ostrom.analysis.seated_results import estimand_of
from ostrom.analysis.study import NothingLeft, SubjectStudy, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts import render
from ostrom.charts.catalogue import Catalogue, HumanValue, catalogue_of, draw_picture, shown_sections, subject_charts
from ostrom.charts.families import Cast
from ostrom.charts.palette import config
from ostrom.charts.render import Embedded
from ostrom.charts.sentences import UNDETERMINED, method_sentences
from ostrom.charts.standings import RATINGS, PlayerStanding, ratings_frame
from ostrom.core import UnknownName
from ostrom.core.text import number_of
from ostrom.web.api.ratings import LazyMeasures, definition_of, standings
from ostrom.web.api.studies import AnyFilters, Filters, SelectedGames, choose, find_study
from ostrom.web.api.tables import (
    MAX_SCORED_SUBJECTS,
    SubjectSelection,
    score_subject,
    score_subjects,
    select_subjects,
)
from ostrom.web.computing import ComputeTask
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

CONFIG: Final = config(ink="currentColor", soft="currentColor", paper=None)
"""The report's configuration of charts, with colours that follow the theme of the page."""
_BOARD_PREFIX: Final = "board_"
_CARD_PREFIX: Final = "card_"
_MAX_SUBJECTS_IN_SENTENCES: Final = 24
"""The largest number of subjects for which the catalogue has sentences. Computing the scores of more subjects would
take too long."""
_EMPTY_FRAME: Final = pl.DataFrame(schema={"player": pl.String, "value": pl.Float64})


class CatalogueChart(Shape):
    """A chart of the catalogue."""

    name: str
    heading: str
    definition: str
    notes: str


class ChartSection(Shape):
    """Charts that belong together."""

    anchor: str
    title: str
    charts: list[CatalogueChart]


class HumanFigure(Shape):
    """A published figure of people in a similar game."""

    quantity: str
    value: str
    source: str
    note: str
    """The reason why the figure is not directly comparable."""


class ChartCatalogue(Shape):
    """All charts of a report."""

    kind: str
    """The name of the game on the command line."""
    title: str
    facts: str
    short: list[str]
    """The sentences that summarise the report."""
    findings: list[str]
    """The sentences with results, first the conclusive ones, then the inconclusive ones."""
    config: dict[str, Any]
    """The Vega-Lite configuration of all charts; its colours are `currentColor`."""
    sections: list[ChartSection]
    people: list[HumanFigure]


class KeyEntry(Shape):
    """A colour in a chart and its meaning."""

    text: str
    colour: str


class Chart(Shape):
    """A chart: its texts, and a Vega-Lite specification without title and configuration."""

    name: str
    heading: str
    title: str
    subtitle: str
    key: list[KeyEntry]
    dots: bool
    """True if the chart has enough marks that a browser should draw it on a canvas."""
    definition: str
    spec: dict[str, Any]
    source: str
    """The source line of an exported chart: game, number of games, experiments and version."""


@dataclass(frozen=True)
class FindingsTask(ComputeTask):
    """Computes the findings of some games in sentences. Resampling determines which players lead by a measure."""

    standings: Sequence[PlayerStanding]
    measured: Mapping[str, pl.DataFrame]
    cast: Cast

    @override
    def run(self, of: GameTables) -> list[str]:
        return catalogue_of(study_of(of)).findings(of, self.standings, self.measured, self.cast)


def catalogue(service: Service, filters: Filters) -> ChartCatalogue:
    """Return all charts of a report and its sentences. If no games are selected, there are no charts."""
    study = find_study(service, filters.kind)
    if isinstance(study, SubjectStudy):
        return _subject_catalogue(service, study, filters)
    report = catalogue_of(study)
    try:
        selection = choose(service, filters)
    except NothingLeft as error:
        return _catalogue(study.command, study.title, str(error), [], [])
    cast, measures = selection.cast, LazyMeasures(service, selection)
    rated = standings(service, selection)
    task = FindingsTask(rated, dict(measures), cast)
    findings = service.computing.compute(task, selection.key, selection.tables)
    short = [
        estimand_of(selection.tables),
        *selection.tables.left_out.sentences(cast.label, ways=False),
        *findings,
        *method_sentences(selection.tables, rated, cast),
    ]
    sections = [
        ChartSection(
            anchor=section.anchor,
            title=section.title,
            charts=[_entry(report, filters, picture.name) for picture in section.pictures],
        )
        for section in shown_sections(report.sections, measures)
    ]
    entries = _catalogue(study.command, study.title, report.facts(selection.tables), short, sections, report.own.people)
    return entries.model_copy(update={"findings": sorted(findings, key=lambda sentence: UNDETERMINED in sentence)})


def one_chart(service: Service, name: str, filters: Filters) -> Chart:
    """Return one chart of a report. If no games are selected, return an empty chart with the reason."""
    study = find_study(service, filters.kind)
    if isinstance(study, SubjectStudy):
        return _subject_chart(service, study, name, filters)
    report = catalogue_of(study)
    picture = report.pictures.get(name)
    if picture is None:
        raise UnknownName("chart", name, [], catalogue="/api/charts lists them")
    reason, source = None, ""
    try:
        selection = choose(service, filters)
    except NothingLeft as error:
        frame, cast, reason = _EMPTY_FRAME, Cast.of([]), str(error)
    else:
        source = source_of(service, selection)
        cast = selection.cast
        if name == RATINGS:
            frame = filters.shown(ratings_frame(standings(service, selection)))
        else:
            frame = filters.shown(LazyMeasures(service, selection)[picture.source])
    embedded = render.embedded(draw_picture(picture, frame, cast))
    definition = _entry(report, filters, name).definition
    return chart_of(name, picture.heading, embedded, definition, source, dots=picture.dots, reason=reason)


def source_of(service: Service, selection: SelectedGames) -> str:
    """Return the source line of the selected games."""
    names, games = service.journal.ended.experiments(), selection.tables.games
    experiments = [names[experiment] for experiment in names if experiment in set(games["experiment"])]
    return source_line(selection.study.title, number_of(games.height, "game"), experiments)


def _source_of_subjects(service: Service, selection: SubjectSelection) -> str:
    names = service.journal.ended.experiments()
    rows = {row.id: row.experiment for row in service.studies.rows(selection.study)}
    games = [game for own_games in selection.games.values() for game in own_games]
    experiments = {rows[game] for game in games}
    counts = f"{number_of(len(selection.games), 'subject')}, {number_of(len(games), 'game')}"
    return source_line(
        selection.study.title, counts, [names[experiment] for experiment in names if experiment in experiments]
    )


def _subject_catalogue(service: Service, study: SubjectStudy, filters: Filters) -> ChartCatalogue:
    """Return the leaderboards and the cards of the selected subjects. Cards are numbered in the order of the subjects'
    names."""
    selection = select_subjects(service, study, filters.experiments, filters.pool)
    subjects = _selected(selection, filters)
    if not subjects:
        return _catalogue(study.command, study.title, _no_subjects_reason(service, selection), [], [])
    charts = subject_charts(study)
    boards = [
        CatalogueChart(
            name=f"{_BOARD_PREFIX}{board.name}", heading=board.heading, definition=board.definition, notes=""
        )
        for board in charts.boards
    ]
    cast = selection.cast
    cards = [
        CatalogueChart(
            name=f"{_CARD_PREFIX}{number}", heading=cast.label(name), definition=charts.card_definition, notes=""
        )
        for number, name in subjects.items()
    ]
    sections = [
        ChartSection(anchor="boards", title="Leaderboards", charts=boards),
        ChartSection(anchor="cards", title="Subject by subject", charts=cards),
    ]
    if len(subjects) > MAX_SCORED_SUBJECTS:
        limit = f"choose at most {MAX_SCORED_SUBJECTS} of them, or an experiment"
        facts = f"{len(subjects):,} subjects; for leaderboards {limit}"
        return _catalogue(study.command, study.title, facts, [], sections[1:])
    if len(subjects) > _MAX_SUBJECTS_IN_SENTENCES:
        return _catalogue(study.command, study.title, f"{len(subjects):,} subjects", [], sections)
    rows = score_subjects(service, selection, list(subjects.values()))
    return _catalogue(study.command, study.title, charts.facts(rows), charts.sentences(rows, cast), sections)


def _subject_chart(service: Service, study: SubjectStudy, name: str, filters: Filters) -> Chart:
    """Return a leaderboard of the selected subjects, or the card of one subject. Raise `UnknownName` for other
    names."""
    selection = select_subjects(service, study, filters.experiments, filters.pool)
    for board in subject_charts(study).boards:
        if name == f"{_BOARD_PREFIX}{board.name}":
            rows = score_subjects(service, selection, filters.players) if _selected(selection, filters) else []
            reason = None if rows else _no_subjects_reason(service, selection)
            embedded = render.embedded(board.draw(rows, selection.cast))
            source = _source_of_subjects(service, selection)
            return chart_of(name, board.heading, embedded, board.definition, source, reason=reason)
    for number, subject in _selected(selection, filters).items():
        if name == f"{_CARD_PREFIX}{number}":
            return card_chart(service, selection, subject, name)
    raise UnknownName("chart", name, [], catalogue="/api/charts lists them")


def card_chart(service: Service, selection: SubjectSelection, subject: str, name: str) -> Chart:
    """Return the card of a subject."""
    charts, label = subject_charts(selection.study), selection.cast.label(subject)
    picture = render.embedded(charts.card(score_subject(service, selection, subject), label))
    return chart_of(name, label, picture, charts.card_definition, _source_of_subjects(service, selection))


def _selected(selection: SubjectSelection, filters: Filters) -> dict[int, str]:
    """Return the subjects to show, each with its number among all subjects."""
    numbered = enumerate(selection.games, start=1)
    return {number: name for number, name in numbered if not filters.players or name in filters.players}


def _no_subjects_reason(service: Service, selection: SubjectSelection) -> str:
    if selection.games:
        return "none of the chosen subjects answered here"
    return selection.study.no_answers(service.journal.label)


def _catalogue(
    kind: str,
    title: str,
    facts: str,
    short: list[str],
    sections: list[ChartSection],
    people: Sequence[HumanValue] = (),
) -> ChartCatalogue:
    return ChartCatalogue(
        kind=kind,
        title=title,
        facts=facts,
        short=short,
        findings=short,
        config=CONFIG,
        sections=sections,
        people=[HumanFigure(**figure._asdict()) for figure in people],
    )


def chart_of(
    name: str,
    heading: str,
    embedded: Embedded,
    definition: str,
    source: str,
    *,
    dots: bool = False,
    reason: str | None = None,
) -> Chart:
    """Return a chart with its texts; if a `reason` is given, it replaces the subtitle."""
    return Chart(
        name=name,
        heading=heading,
        title=embedded.title,
        subtitle=embedded.subtitle if reason is None else reason,
        key=[KeyEntry(text=text, colour=colour) for text, colour in embedded.key],
        dots=dots,
        definition=definition,
        spec=embedded.spec,
        source=source,
    )


def _entry(report: Catalogue[Any], filters: Filters, name: str) -> CatalogueChart:
    picture = report.pictures[name]
    if name == RATINGS:
        definition, notes = definition_of(filters.rating.for_game(report.study.game)), ""
    else:
        measure = report.study.measures[picture.source]
        definition, notes = measure.definition, measure.notes
    return CatalogueChart(name=name, heading=picture.heading, definition=definition, notes=notes)


router = APIRouter(tags=["study"])


@router.get("/charts", response_model=ChartCatalogue)
async def charts(request: Request, filters: AnyFilters) -> Response:
    """Return all charts of the report on the selected games, and the main sentences of the report."""
    return await reply_of_ended(request, catalogue, filters, slow=filters.slow)


@router.get("/charts/{name}", response_model=Chart)
async def chart(request: Request, name: Annotated[str, Path(max_length=100)], filters: AnyFilters) -> Response:
    """Return one chart: its texts, and its Vega-Lite specification."""
    return await reply_of_ended(request, one_chart, name, filters, slow=filters.slow)
