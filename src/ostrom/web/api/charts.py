"""The charts of a report as specifications that a browser draws, with the same words and pictures as the report's
page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import polars as pl
from fastapi import APIRouter, Path, Request, Response

from ostrom.analysis.provenance import source_line
from ostrom.analysis.study import NothingLeft, SubjectStudy, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts import render
from ostrom.charts.catalogue import Catalogue, HumanValue, catalogue_of, draw_picture, shown_sections, subject_charts
from ostrom.charts.families import Cast
from ostrom.charts.render import Embedded, config
from ostrom.charts.sentences import UNDETERMINED, method_sentences
from ostrom.charts.standings import RATINGS, PlayerStanding, ratings_frame
from ostrom.core import UnknownName
from ostrom.core.text import number_of
from ostrom.web.api.ratings import Measured, definition_of, standings
from ostrom.web.api.studies import AnyFilters, Filters, SelectedGames, choose, study_meant
from ostrom.web.api.subjects import MOST_SCORED, Asked, all_scored, asked, scored
from ostrom.web.computing import are_many
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

CONFIG: Final = config(ink="currentColor", soft="currentColor", paper=None)
"""As the report's page has it: inks follow the page's own."""
_BOARD: Final = "board_"
_CARD: Final = "card_"
_FEW: Final = 24
"""As many subjects are scored for the sentences of the catalogue; more of them would keep its reader waiting."""
_NOTHING: Final = pl.DataFrame(schema={"player": pl.String, "value": pl.Float64})


class ChartEntry(Shape):
    """A chart of the catalogue."""

    name: str
    heading: str
    definition: str
    notes: str


class ChartSection(Shape):
    """Charts that belong together."""

    anchor: str
    title: str
    charts: list[ChartEntry]


class HumanFigure(Shape):
    """What is known of people in a game like this one."""

    quantity: str
    value: str
    source: str
    note: str
    """What keeps it from being compared as it stands."""


class ChartCatalogue(Shape):
    """All charts of a report."""

    kind: str
    """What the command line calls it."""
    title: str
    facts: str
    short: list[str]
    """The report in a few sentences."""
    findings: list[str]
    """Of these sentences, what was found: first what the games tell, then what they do not."""
    config: dict[str, Any]
    """The Vega-Lite configuration of all of them; its inks are `currentColor`."""
    sections: list[ChartSection]
    people: list[HumanFigure]


class KeyEntry(Shape):
    """What a colour of a chart stands for."""

    text: str
    colour: str


class Chart(Shape):
    """A chart: words, and a Vega-Lite specification without title and configuration."""

    name: str
    heading: str
    title: str
    subtitle: str
    key: list[KeyEntry]
    dots: bool
    """So many marks that a browser should paint them, and not keep each as an element."""
    definition: str
    spec: dict[str, Any]
    source: str
    """Where its figures come from, for a picture that stands alone: game, games, experiments and version."""


@dataclass(frozen=True)
class Findings:
    """What was found in some games, in sentences: who leads by a measure is told by resampling them."""

    standings: Sequence[PlayerStanding]
    measured: Mapping[str, pl.DataFrame]
    cast: Cast

    def is_long(self, of: GameTables) -> bool:
        """Of some hundred games it is."""
        return are_many(of)

    def needed(self, of: GameTables) -> GameTables:
        """All of them."""
        return of

    def run(self, of: GameTables) -> list[str]:
        """The sentences."""
        return catalogue_of(study_of(of)).findings(of, self.standings, self.measured, self.cast)


def catalogue(service: Service, filters: Filters) -> ChartCatalogue:
    """All charts of a report, and what it says in words; without charts where nothing is left."""
    study = study_meant(service, filters.kind)
    if isinstance(study, SubjectStudy):
        return _of_subjects(service, study, filters)
    found = catalogue_of(study)
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        return _made(study.command, study.title, str(error), [], [])
    cast, measured = chosen.cast, Measured(service, chosen)
    told = Findings(standings(service, chosen), dict(measured), cast)
    findings = service.computing.compute(told, chosen.key, chosen.tables)
    short = [
        *chosen.tables.left_out.sentences(cast.label, ways=False),
        *findings,
        *method_sentences(chosen.tables, cast),
    ]
    sections = [
        ChartSection(
            anchor=one.anchor, title=one.title, charts=[_entry(found, filters, each.name) for each in one.pictures]
        )
        for one in shown_sections(found.sections, measured)
    ]
    made = _made(study.command, study.title, found.facts(chosen.tables), short, sections, found.own.people)
    return made.model_copy(update={"findings": sorted(findings, key=lambda one: UNDETERMINED in one)})


def one_chart(service: Service, name: str, filters: Filters) -> Chart:
    """One chart of a report; where nothing is left, one that says so."""
    study = study_meant(service, filters.kind)
    if isinstance(study, SubjectStudy):
        return _of_subject(service, study, name, filters)
    found = catalogue_of(study)
    picture = found.pictures.get(name)
    if picture is None:
        raise UnknownName("chart", name, [], catalogue="/api/charts lists them")
    reason, source = None, ""
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        frame, cast, reason = _NOTHING, Cast.of([]), str(error)
    else:
        source = source_of(service, chosen)
        cast = chosen.cast
        board = name == RATINGS
        whole = ratings_frame(standings(service, chosen)) if board else Measured(service, chosen)[picture.source]
        frame = filters.shown(whole)
    embedded, definition = render.embedded(draw_picture(picture, frame, cast)), _entry(found, filters, name).definition
    return chart_of(name, picture.heading, embedded, definition, source, dots=picture.dots, reason=reason)


def source_of(service: Service, chosen: SelectedGames) -> str:
    """Where figures of the chosen games come from."""
    names, games = service.journal.ended.experiments(), chosen.tables.games
    experiments = [names[one] for one in names if one in set(games["experiment"])]
    return source_line(chosen.study.title, number_of(games.height, "game"), experiments)


def _source_of_subjects(service: Service, found: Asked) -> str:
    names = service.journal.ended.experiments()
    rows = {row.id: row.experiment for row in service.studies.rows(found.study)}
    games = [game for several in found.games.values() for game in several]
    experiments = {rows[game] for game in games}
    said = f"{number_of(len(found.games), 'subject')}, {number_of(len(games), 'game')}"
    return source_line(found.study.title, said, [names[one] for one in names if one in experiments])


def _of_subjects(service: Service, study: SubjectStudy, filters: Filters) -> ChartCatalogue:
    """The leaderboards, and the cards of the subjects that are shown, numbered by name."""
    found = asked(service, study, filters.experiments, filters.pool)
    shown = _shown(found, filters)
    if not shown:
        return _made(study.command, study.title, _nobody(service, found), [], [])
    charts = subject_charts(study)
    boards = [
        ChartEntry(name=f"{_BOARD}{one.name}", heading=one.heading, definition=one.definition, notes="")
        for one in charts.boards
    ]
    cast = found.cast
    cards = [
        ChartEntry(name=f"{_CARD}{number}", heading=cast.label(name), definition=charts.card_definition, notes="")
        for number, name in shown.items()
    ]
    sections = [
        ChartSection(anchor="boards", title="Leaderboards", charts=boards),
        ChartSection(anchor="cards", title="Subject by subject", charts=cards),
    ]
    if len(shown) > MOST_SCORED:
        facts = f"{len(shown):,} subjects; for leaderboards choose at most {MOST_SCORED} of them, or an experiment"
        return _made(study.command, study.title, facts, [], sections[1:])
    if len(shown) > _FEW:
        return _made(study.command, study.title, f"{len(shown):,} subjects", [], sections)
    rows = all_scored(service, found, list(shown.values()))
    return _made(study.command, study.title, charts.facts(rows), charts.sentences(rows, cast), sections)


def _of_subject(service: Service, study: SubjectStudy, name: str, filters: Filters) -> Chart:
    """A leaderboard of the subjects that are shown, or the card of one."""
    found = asked(service, study, filters.experiments, filters.pool)
    for board in subject_charts(study).boards:
        if name == f"{_BOARD}{board.name}":
            rows = all_scored(service, found, filters.players) if _shown(found, filters) else []
            reason = None if rows else _nobody(service, found)
            embedded = render.embedded(board.draw(rows, found.cast))
            source = _source_of_subjects(service, found)
            return chart_of(name, board.heading, embedded, board.definition, source, reason=reason)
    for number, subject in _shown(found, filters).items():
        if name == f"{_CARD}{number}":
            return card_chart(service, found, subject, name)
    raise UnknownName("chart", name, [], catalogue="/api/charts lists them")


def card_chart(service: Service, found: Asked, subject: str, name: str) -> Chart:
    """The card of a subject."""
    charts, label = subject_charts(found.study), found.cast.label(subject)
    picture = render.embedded(charts.card(scored(service, found, subject), label))
    return chart_of(name, label, picture, charts.card_definition, _source_of_subjects(service, found))


def _shown(found: Asked, filters: Filters) -> dict[int, str]:
    """The subjects to show, each with its number among all."""
    numbered = enumerate(found.games, start=1)
    return {number: name for number, name in numbered if not filters.players or name in filters.players}


def _nobody(service: Service, found: Asked) -> str:
    if found.games:
        return "none of the chosen subjects answered here"
    return found.study.no_answers(service.journal.label)


def _made(
    kind: str,
    title: str,
    facts: str,
    short: list[str],
    sections: list[ChartSection],
    people: Sequence[HumanValue] = (),
) -> ChartCatalogue:
    known = [HumanFigure(**one._asdict()) for one in people]
    return ChartCatalogue(
        kind=kind,
        title=title,
        facts=facts,
        short=short,
        findings=short,
        config=CONFIG,
        sections=sections,
        people=known,
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
        source=source,
    )


def _entry(found: Catalogue[Any], filters: Filters, name: str) -> ChartEntry:
    picture = found.pictures[name]
    if name == RATINGS:
        definition, notes = definition_of(filters.rating), ""
    else:
        measure = found.study.measures[picture.source]
        definition, notes = measure.definition, measure.notes
    return ChartEntry(name=name, heading=picture.heading, definition=definition, notes=notes)


router = APIRouter(tags=["study"])


@router.get("/charts", response_model=ChartCatalogue)
async def charts(request: Request, filters: AnyFilters) -> Response:
    """All charts of the report on the chosen games, and the report in a few sentences."""
    return await reply_of_ended(request, catalogue, filters, slow=filters.slow)


@router.get("/charts/{name}", response_model=Chart)
async def chart(request: Request, name: Annotated[str, Path(max_length=100)], filters: AnyFilters) -> Response:
    """One chart: its words, and its Vega-Lite specification."""
    return await reply_of_ended(request, one_chart, name, filters, slow=filters.slow)
