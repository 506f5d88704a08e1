"""Leaderboards, what games paid, and the measures of some games, each computed when it is first wanted."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import polars as pl
from fastapi import APIRouter, Request, Response
from pydantic import Field

from ostrom.analysis.ratings import LEAST_GAMES, RATING_METHODS
from ostrom.analysis.standing import (
    USUAL,
    Payoffs,
    Rated,
    RatingSettings,
    realised_payoffs,
)
from ostrom.analysis.study import NothingLeft, Study
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import PublishedRating, rating_definition, rating_note
from ostrom.charts.families import Cast
from ostrom.charts.standings import PlayerStanding, standings_of
from ostrom.core.estimates import Estimate
from ostrom.core.text import clean
from ostrom.web.api.studies import (
    AnyFilters,
    Experiments,
    Filters,
    Kind,
    Left,
    OtherRules,
    Pool,
    Rules,
    SelectedGames,
    StudyExperiment,
    choose,
    other_rules,
    played,
    studies_here,
)
from ostrom.web.computing import MeasureOf, Ratings, Task
from ostrom.web.replies import Shape, Span, reply_of_ended
from ostrom.web.service import Service

RATING_DEFINITION: Final = rating_definition(rating_note(USUAL))


class RatingRow(Shape):
    """A player's place on the leaderboard."""

    place: int
    player: str
    label: str
    """What charts call it."""
    colour: str
    """Its colour in charts."""
    mu: float
    sigma: float
    games: int
    mean_final: float
    tier: int | None
    ranks: tuple[int, int] | None
    """The best and the worst rank that its strength may have, for all players at once with 95 % confidence."""
    apart: str | None
    """Why no game compares it with the others."""
    provisional: bool
    """Whether it has too few games for a place: it stands behind the others, in no tier."""
    strength: Span | None
    """The order-free strength, with its interval."""
    rating: Span | None = None
    """The rating by the chosen method, where that is neither TrueSkill nor the order-free strength."""
    lead: Span | None
    """The lead over the next in order-free strength, with an interval that holds for all pairs at once."""
    differs_from_next: bool | None
    defaulted: float | None
    repaired: float | None


class OtherBoard(Shape):
    """The board of games by other rules."""

    rules: str
    games: int


class PublishedSettings(Shape):
    """How ratings were made that others publish of these games."""

    source: str
    passes: int
    draw_probability: float
    sentence: str


class RatingMethodItem(Shape):
    """A rating method."""

    name: str
    title: str
    description: str


class RatingTable(Shape):
    """A leaderboard."""

    kind: str
    unit: str
    games: int
    passes: int
    draw_probability: float
    order_free: bool = False
    """Whether players are ranked by the order-free strength."""
    method: str
    """The rating method by which players are ranked, as `methods` names it."""
    methods: list[RatingMethodItem]
    """All rating methods."""
    published: list[PublishedSettings] = Field(default_factory=list)
    """How others rated these games who publish their ratings."""
    least_games: int = LEAST_GAMES
    """A player with fewer is provisional."""
    definition: str
    experiments: list[StudyExperiment] = Field(default_factory=list)
    """Where its games come from, the most first."""
    rules: str | None = None
    """A digest that names the rules of its games; nothing where games by several rules are taken together."""
    others: list[OtherBoard] = Field(default_factory=list)
    """Boards of the same game by other rules."""
    left_out: list[str]
    """What was left out, in sentences."""
    rows: list[RatingRow]


class PayoffRow(Shape):
    """What one player was paid in one game: the mean over games, with its interval."""

    player: str
    label: str
    games: int
    defaulted: int
    """In how many of them the game answered in a player's place, whoever's."""
    payoff: Span
    seats: list[Span | None]
    """By the seat that it had, in games of two; nothing where it never sat there."""
    against: list[Span | None]
    """Against each of the game's players in their order, in games of two; nothing where they never met."""


class PayoffGame(Shape):
    """The payoffs of a game."""

    game: str
    title: str
    rows: list[PayoffRow]
    """Who was paid most comes first."""


class PayoffTable(Shape):
    """What games paid."""

    games: list[PayoffGame]


class Measured(Mapping[str, pl.DataFrame]):
    """All measures of the chosen games by their names; whoever reads one pays for that one alone."""

    def __init__(self, service: Service, chosen: SelectedGames) -> None:
        self._service, self._chosen = service, chosen

    def __getitem__(self, name: str) -> pl.DataFrame:
        if name not in self._chosen.study.measures:
            raise KeyError(name)
        found: pl.DataFrame = computed(self._service, MeasureOf(name), self._chosen)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen.study.measures)

    def __len__(self) -> int:
        return len(self._chosen.study.measures)


def standings(service: Service, chosen: SelectedGames) -> list[PlayerStanding]:
    """The leaderboard as charts draw it; empty where there is nobody to compare."""
    try:
        return standings_of(ratings_of(service, chosen))
    except NothingLeft:
        return []


def rating_table(service: Service, filters: Filters) -> RatingTable:
    """The leaderboard of the chosen games; without rows, and with the reason, where there is nobody to compare."""
    study = played(service, filters)
    try:
        chosen = choose(service, filters)
    except NothingLeft as error:
        return _table(study, filters.rating, 0, [], [_sentence(error)], other_rules(service, filters))
    games, left_out = chosen.tables.games.height, chosen.tables.left_out.sentences(clean, ways=False)
    try:
        rated = ratings_of(service, chosen)
    except NothingLeft as error:
        return _table(study, filters.rating, games, [], [*left_out, _sentence(error)], chosen.others)
    cast = chosen.cast
    rows = [
        _row(place, one, cast)
        for place, one in enumerate(rated, start=1)
        if not filters.players or one.rating.name in filters.players
    ]
    if not rows:
        left_out.append("None of the players to be shown has a rating in these games.")
    published = [_published(one) for one in chosen.catalogue.published(chosen.tables)]
    return _table(study, filters.rating, games, rows, left_out, chosen.others).model_copy(
        update={
            "rules": chosen.rules or None,
            "published": published,
            "experiments": _experiments(service, chosen),
        }
    )


def _experiments(service: Service, chosen: SelectedGames) -> list[StudyExperiment]:
    """The experiments that these games are of."""
    names = service.journal.ended.experiments()
    games = Counter(chosen.tables.games["experiment"].to_list())
    return [StudyExperiment(id=one, name=names.get(one, ""), games=many) for one, many in games.most_common()]


def ratings_of(service: Service, chosen: SelectedGames) -> list[Rated]:
    """Everybody's rating, the best first, as the command `ratings` has it."""
    found: list[Rated] = computed(service, Ratings(chosen.rating), chosen)
    return found


def computed(service: Service, task: Task[GameTables], chosen: SelectedGames) -> Any:
    """What a task gives of the chosen games; it is computed once."""
    return service.studies.get_or_make(
        (task, chosen.key), lambda: service.computing.compute(task, chosen.key, chosen.tables)
    )


def definition_of(rating: RatingSettings) -> str:
    """What a leaderboard shows, rated so."""
    return rating_definition(rating_note(rating))


def _published(one: PublishedRating) -> PublishedSettings:
    return PublishedSettings(
        source=one.source, passes=one.passes, draw_probability=one.draw_probability, sentence=one.sentence
    )


def _table(
    study: Study[Any],
    rating: RatingSettings,
    games: int,
    rows: list[RatingRow],
    left_out: list[str],
    others: Sequence[OtherRules],
) -> RatingTable:
    return RatingTable(
        kind=study.command,
        unit=study.game.unit,
        games=games,
        **{**rating.as_record(), "method": rating.choice.method.name},
        methods=[
            RatingMethodItem(name=one.name, title=one.title, description=one.description)
            for one in RATING_METHODS.values()
        ],
        definition=definition_of(rating),
        others=[OtherBoard(rules=one.rules, games=one.games) for one in others],
        left_out=left_out,
        rows=rows,
    )


def _row(place: int, one: Rated, cast: Cast) -> RatingRow:
    face, found, rating = cast.faces[one.rating.name], one.place, one.rating
    return RatingRow(
        place=place,
        player=rating.name,
        label=face.label,
        colour=face.colour,
        mu=rating.mu,
        sigma=rating.sigma,
        games=rating.games,
        mean_final=one.mean_final,
        tier=None if found is None else found.tier,
        ranks=None if found is None else found.ranks,
        apart=None if found is None else found.apart,
        provisional=one.provisional,
        strength=None if found is None else found.strength,
        rating=one.method_rating,
        lead=None if found is None else found.lead,
        differs_from_next=None if found is None else found.differs,
        defaulted=one.answers.defaulted_share,
        repaired=one.answers.repaired_share,
    )


def _sentence(error: NothingLeft) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def payoff_table(service: Service, filters: Filters) -> PayoffTable:
    """The payoffs of the games that the filters choose; without a kind, of every game that is played here."""
    kinds = [one.command for one in studies_here(service) if isinstance(one, Study)]
    found = []
    for kind in kinds if filters.kind is None else [filters.kind]:
        try:
            chosen = choose(service, replace(filters, kind=kind))
        except NothingLeft:
            continue
        paid = service.studies.get_or_make(("payoffs", chosen.key), partial(realised_payoffs, chosen.tables))
        found.append(_game(chosen.study, paid, chosen.cast))
    return PayoffTable(games=found)


def _game(study: Study[Any], found: Sequence[Payoffs], cast: Cast) -> PayoffGame:
    cells = {(one.player, one.seat, one.against): one for one in found}
    whole = [one for one in found if one.seat is None and one.against is None]
    # Who was paid the same stands in the order of names.
    players = [one.player for one in sorted(whole, key=lambda one: (-(one.payoff.value or 0.0), one.player))]
    seats = sorted({one.seat for one in found if one.seat is not None})
    others = players if seats else []

    def row(player: str) -> PayoffRow:
        whole = cells[player, None, None]
        return PayoffRow(
            player=player,
            label=cast.label(player),
            games=whole.games,
            defaulted=whole.defaulted,
            payoff=whole.payoff,
            seats=[_payoff(cells.get((player, seat, None))) for seat in seats],
            against=[_payoff(cells.get((player, None, other))) for other in others],
        )

    return PayoffGame(game=study.game.name, title=study.title, rows=[row(player) for player in players])


def _payoff(one: Payoffs | None) -> Estimate | None:
    return None if one is None else one.payoff


router = APIRouter(tags=["study"])


@router.get("/ratings", response_model=RatingTable)
async def ratings(request: Request, filters: AnyFilters) -> Response:
    """The leaderboard of the chosen games, the best first, with intervals and tiers."""
    return await reply_of_ended(request, rating_table, filters)


@router.get("/payoffs", response_model=PayoffTable)
async def payoffs(
    request: Request,
    kind: Kind = None,
    experiments: Experiments = (),
    defaulted: Left = "with",
    rules: Rules = None,
    pool: Pool = (),
) -> Response:
    """What games paid, game by game: every player's mean final with its interval. Without a kind, of all games that are
    played here."""
    filters = Filters(kind, experiments, defaulted=defaulted, rules=rules, pool=pool)
    return await reply_of_ended(request, payoff_table, filters, slow=True)
