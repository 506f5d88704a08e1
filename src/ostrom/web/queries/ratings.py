"""Leaderboards, and the measures of some games, each computed when it is first wanted and then kept."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES, Rated, rate_players
from ostrom.analysis.study import NothingLeft, Study
from ostrom.charts.catalogue import rating_definition, rating_note
from ostrom.charts.families import Cast, clean
from ostrom.charts.standings import Standing, standings_of, with_answers
from ostrom.core.estimates import Estimate
from ostrom.web.queries.filters import Chosen, Filters, choose, played
from ostrom.web.service import Service
from ostrom.web.shapes.base import Span
from ostrom.web.shapes.study import RatingRow, RatingTable


class Measured(Mapping[str, pl.DataFrame]):
    """All measures of the chosen games by their names; whoever reads one pays for that one alone."""

    def __init__(self, service: Service, chosen: Chosen) -> None:
        self._findings, self._chosen = service.findings, chosen

    def __getitem__(self, name: str) -> pl.DataFrame:
        measure, tables = self._chosen.study.measures[name], self._chosen.tables
        return self._findings.kept(("measure", name, self._chosen.key), lambda: measure.function(tables))

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen.study.measures)

    def __len__(self) -> int:
        return len(self._chosen.study.measures)


def standings(service: Service, chosen: Chosen) -> list[Standing]:
    """The leaderboard as charts draw it; empty where there is nobody to compare."""
    try:
        return with_answers(standings_of(ratings_of(service, chosen)), chosen.tables)
    except NothingLeft:
        return []


def rating_table(service: Service, filters: Filters) -> RatingTable:
    """The leaderboard of the chosen games; without rows, and with the reason, where there is nobody to compare."""
    study = played(service, filters)
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        return _table(study, 0, [], [_sentence(error)])
    games, left_out = chosen.tables.games.height, chosen.tables.left_out.sentences(clean)
    try:
        rated = ratings_of(service, chosen)
    except NothingLeft as error:
        return _table(study, games, [], [*left_out, _sentence(error)])
    cast = chosen.cast
    rows = [
        _row(place, one, cast)
        for place, one in enumerate(rated, start=1)
        if not filters.players or one.rating.name in filters.players
    ]
    if not rows:
        left_out.append("None of the players to be shown has a rating in these games.")
    return _table(study, games, rows, left_out)


def ratings_of(service: Service, chosen: Chosen) -> list[Rated]:
    """Everybody's rating, the best first, as the command `ratings` has it."""
    return service.findings.kept(
        ("ratings", chosen.key),
        lambda: rate_players(chosen.tables, passes=PASSES, draw_probability=DRAW_PROBABILITY),
    )


def _table(study: Study[Any], games: int, rows: list[RatingRow], left_out: list[str]) -> RatingTable:
    return RatingTable(
        kind=study.command,
        unit=study.game.unit,
        games=games,
        passes=PASSES,
        draw_probability=DRAW_PROBABILITY,
        definition=rating_definition(rating_note(PASSES, DRAW_PROBABILITY)),
        left_out=left_out,
        rows=rows,
    )


def _row(place: int, one: Rated, cast: Cast) -> RatingRow:
    face, found = cast.faces[one.rating.name], one.place
    return RatingRow(
        place=place,
        player=one.rating.name,
        label=face.label,
        colour=face.colour,
        mu=one.rating.mu,
        sigma=one.rating.sigma,
        games=one.rating.games,
        mean_final=one.mean_final,
        tier=None if found is None else found.tier,
        strength=None if found is None else span_of(found.strength),
        lead=None if found is None or found.lead is None else span_of(found.lead),
        differs_from_next=None if found is None else found.differs,
        defaulted=one.answers.defaulted_share,
        repaired=one.answers.repaired_share,
    )


def span_of(estimate: Estimate) -> Span:
    """An estimate as the API has it."""
    return Span(value=estimate.value, low=estimate.low, high=estimate.high, reason=estimate.reason)


def _sentence(error: NothingLeft) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
