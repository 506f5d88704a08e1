"""The cards of games, players, charts and findings: what each card says. Nothing is fetched from a network."""

from collections.abc import Sequence
from typing import Any, Final

from ostrom.analysis.amounts import amounts_by_turn
from ostrom.analysis.study import Study, SubjectStudy
from ostrom.analysis.titles import headline_of, title_of_game
from ostrom.charts import render
from ostrom.charts.card import Card, CardLine, CardRow
from ostrom.charts.catalogue import catalogue_of, draw_picture, subject_charts
from ostrom.charts.palette import with_names_and_colours
from ostrom.charts.standings import RATINGS, ratings_frame
from ostrom.core.errors import UnknownName
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Quantity
from ostrom.core.text import number_of
from ostrom.findings.keeping import StoredSimulation
from ostrom.journal.record import GameRecord, with_tellings
from ostrom.web.api.charts import catalogue, source_of
from ostrom.web.api.players import ProfileFigure, player_profile
from ostrom.web.api.ratings import LazyMeasures, standings
from ostrom.web.api.studies import Filters, choose, find_study
from ostrom.web.api.tables import score_subject, score_subjects, select_subjects
from ostrom.web.service import Service

_MAX_MEASURES: Final = 5
_NEUTRAL: Final = "#5b6470"


def game_card(service: Service, name: str) -> Card:
    """Return the card of a game: its title, each player's result, and the course of the results."""
    record = with_tellings(with_names_and_colours(service.journal.pages.shown(name), service.player_names()))
    names = [seat.name or seat.player for seat in record.seats]
    colours = [seat.colour or _NEUTRAL for seat in record.seats]
    title = record.title or record.game.replace("_", " ").capitalize()
    turns = max((telling.turn for telling in record.told), default=0)
    clock = _clock(record)
    length = number_of(turns, clock) if clock and turns else ""
    kicker, footer = " · ".join(filter(None, (title, length))), " · ".join(filter(None, (name, record.source)))
    quantity = (
        None if record.scene is None or record.scene.final is None else record.scene.quantities.get(record.scene.final)
    )
    finals = list(record.finals or ())
    if quantity is None or not any(final is not None for final in finals):
        rows = [CardRow(player, colour, "", 0.0) for player, colour in zip(names, colours, strict=True)]
        return Card(kicker, " · ".join(dict.fromkeys(names)), rows=rows, footer=footer)
    return Card(
        kicker,
        headline_of(title_of_game(record).text, [seat.player for seat in record.seats], service.player_names()),
        rows=_results(names, colours, finals, quantity, record),
        lines=_courses(record, colours),
        axis=f"{quantity.title}, {clock or 'turn'} by {clock or 'turn'}",
        footer=footer,
    )


def _clock(record: GameRecord) -> str:
    """Return the unit in which the game's time is counted; empty if the game is not installed."""
    return "" if record.game not in GAMES else GAMES[record.game].clock


def _results(
    names: Sequence[str],
    colours: Sequence[str],
    finals: Sequence[float | None],
    quantity: Quantity,
    record: GameRecord,
) -> list[CardRow]:
    better = "higher" if record.scene is None else record.scene.better
    sign = -1.0 if better == "higher" else 1.0
    known = [final for final in finals if final is not None]
    most = max(*(abs(final) for final in known), 1e-9)
    order = sorted(range(len(names)), key=lambda seat: (finals[seat] is None, sign * (finals[seat] or 0.0), seat))
    return [
        CardRow(
            names[seat],
            colours[seat],
            _amount(finals[seat], quantity),
            max(0.0, finals[seat] or 0.0) / most,
        )
        for seat in order
    ]


def _courses(record: GameRecord, colours: Sequence[str]) -> list[CardLine]:
    by_turn = [turn.amounts for turn in amounts_by_turn(record)]
    if len(by_turn) < 3:
        return []
    return [CardLine(colour, [turn[seat] for turn in by_turn]) for seat, colour in enumerate(colours)]


def _amount(value: float | None, quantity: Quantity) -> str:
    """Return an amount with its unit."""
    if value is None:
        return "no result"
    if quantity.percent:
        return f"{value:.0%}"
    digits = quantity.digits if quantity.digits is not None else 0 if value == int(value) or abs(value) >= 100 else 2
    return f"{value:,.{digits}f} {quantity.unit}".strip()


def player_card(service: Service, player: str, filters: Filters) -> Card:
    """Return the card of a player: its measures, each beside the highest figure of all players; for a subject, its
    scores."""
    study = find_study(service, filters.kind)
    if isinstance(study, SubjectStudy):
        selection = select_subjects(service, study, filters.experiments, filters.pool)
        if player not in selection.games:
            raise UnknownName("subject", player, [], catalogue="/api/scores lists them")
        label = selection.cast.label(player)
        figure = subject_charts(study).card(score_subject(service, selection, player), label)
        return Card(study.title, label, picture=_without_title(figure), footer=service.journal.label)
    profile = player_profile(service, player, filters)
    figures = [figure for figure in profile.profile if figure.figure.value is not None and figure.place is not None]
    # The first figure is the usual one for results. Others are shown if the player is among the highest or lowest.
    distinct = figures[:1] + sorted(
        figures[1:], key=lambda figure: min(figure.place or 0, figure.players + 1 - (figure.place or 0))
    )
    games = number_of(len(profile.games), "game")
    return Card(
        f"{study.title} · {games}, with 95 % intervals; bars end at the highest of all players",
        profile.label,
        rows=[_measured(figure, profile.colour) for figure in distinct[:_MAX_MEASURES]],
        footer=profile.source,
    )


def _measured(figure: ProfileFigure, colour: str) -> CardRow:
    span = figure.figure
    value = span.value or 0.0
    most = max([abs(value), *(abs(other.value) for other in figure.others), 1e-9])
    words = _figure(value, figure)
    if span.low is not None and span.high is not None:
        words += f" ({_figure(span.low, figure)} to {_figure(span.high, figure)})"
    title = f"{figure.title[:1].upper()}{figure.title[1:]}"
    place = {1: ", highest", figure.players: ", lowest"}.get(figure.place or 0, "")
    return CardRow(f"{title}{place}", colour, words, max(0.0, value) / most)


def _figure(value: float, figure: ProfileFigure) -> str:
    return f"{value:.0%}" if figure.share else f"{value:,.{figure.decimals}f}"


def chart_card(service: Service, name: str, filters: Filters) -> Card:
    """Return the card of a chart. Its heading is what the chart shows in words."""
    study = find_study(service, filters.kind)
    if isinstance(study, SubjectStudy):
        board = next((board for board in subject_charts(study).boards if name == f"board_{board.name}"), None)
        if board is None:
            raise UnknownName("chart", name, [], catalogue="/api/charts lists them")
        selection = select_subjects(service, study, filters.experiments, filters.pool)
        figure = board.draw(score_subjects(service, selection, filters.players), selection.cast)
        return _charted(study, figure, board.heading, service.journal.label)
    picture = catalogue_of(study).pictures.get(name)
    if picture is None:
        raise UnknownName("chart", name, [], catalogue="/api/charts lists them")
    games = choose(service, filters)
    source = (
        ratings_frame(standings(service, games)) if name == RATINGS else LazyMeasures(service, games)[picture.source]
    )
    figure = draw_picture(picture, filters.shown(source), games.cast)
    return _charted(study, figure, picture.heading, source_of(service, games))


def board_card(service: Service, kind: str) -> Card:
    """Return the card of the leaderboard of a kind of game."""
    study = find_study(service, kind)
    name = f"board_{subject_charts(study).boards[0].name}" if isinstance(study, SubjectStudy) else RATINGS
    return chart_card(service, name, Filters(kind))


def _charted(study: Study[Any] | SubjectStudy, figure: render.AnyChart, heading: str, footer: str) -> Card:
    title = render.embedded(figure).title
    return Card(f"{study.title} · {heading}", title or heading, picture=_without_title(figure), footer=footer)


def _without_title(figure: render.AnyChart) -> str:
    plain = figure.copy(deep=False)
    plain.title = ""
    return render.svg(plain)


def finding_card(service: Service, number: int, filters: Filters) -> Card:
    """Return the card of a finding on the games of a kind, by its number from 0 in the list of findings."""
    findings = catalogue(service, filters).findings
    if not 0 <= number < len(findings):
        raise UnknownName("finding", str(number), [], catalogue="/api/charts lists them")
    study = find_study(service, filters.kind)
    footer = service.journal.label if isinstance(study, SubjectStudy) else source_of(service, choose(service, filters))
    return Card("A finding", study.title, [findings[number]], footer=footer)


def simulation_card(service: Service, experiment: str) -> Card:
    """Return the card of a simulation: its title, its facts and its first chart."""
    simulation = StoredSimulation.of(service.journal, experiment)
    if simulation is None:
        raise UnknownName("simulation", experiment, [], catalogue="/api/experiments lists them")
    facts = simulation.description
    picture = _without_title(simulation.chart(simulation.charts[0]["name"])) if simulation.charts else ""
    kicker = str(facts.get("what", "")).capitalize()
    return Card(
        kicker, str(facts.get("title", "")), [str(facts.get("facts", ""))], picture=picture, footer=simulation.source
    )
