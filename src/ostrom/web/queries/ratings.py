"""Leaderboards."""

from ostrom.analysis.chosen import NothingLeft
from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES, Rated, rate_players
from ostrom.charts.editions import EDITIONS, rating_definition, rating_note
from ostrom.charts.families import Cast, clean
from ostrom.core.estimates import Estimate
from ostrom.web.queries.filters import Chosen, Filters, choose
from ostrom.web.service import Service
from ostrom.web.shapes.base import Span
from ostrom.web.shapes.study import Kind, RatingRow, RatingTable


def rating_table(service: Service, filters: Filters) -> RatingTable:
    """The leaderboard of the chosen games; without rows, and with the reason, where there is nobody to compare."""
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        return _table(filters, 0, [], [_sentence(error)])
    games, left_out = chosen.tables.games.height, chosen.tables.left_out.sentences(clean)
    try:
        rated = ratings_of(service, chosen)
    except NothingLeft as error:
        return _table(filters, games, [], [*left_out, _sentence(error)])
    cast = chosen.cast
    rows = [
        _row(place, one, cast)
        for place, one in enumerate(rated, start=1)
        if not filters.players or one.rating.name in filters.players
    ]
    if not rows:
        left_out.append("None of the players to be shown has a rating in these games.")
    return _table(filters, games, rows, left_out)


def ratings_of(service: Service, chosen: Chosen) -> list[Rated]:
    """Everybody's rating, the best first, as the command `ratings` has it."""
    return service.findings.kept(
        ("ratings", chosen.key),
        lambda: rate_players(chosen.tables, passes=PASSES, draw_probability=DRAW_PROBABILITY),
    )


def _table(filters: Filters, games: int, rows: list[RatingRow], left_out: list[str]) -> RatingTable:
    edition = EDITIONS[filters.kind]
    kind: Kind = edition.kind.command  # type: ignore[assignment]
    return RatingTable(
        kind=kind,
        unit=edition.kind.unit,
        games=games,
        passes=PASSES,
        draw_probability=DRAW_PROBABILITY,
        definition=rating_definition(edition, rating_note(PASSES, DRAW_PROBABILITY)),
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
