"""Leaderboards, payoffs of games, and measures, which are computed only when they are needed."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import polars as pl
from fastapi import APIRouter, Request, Response
from pydantic import Field

from ostrom.analysis.leaderboard import LABEL, MeasuredColumn, RatedPlayer, board_columns, leaderboard
from ostrom.analysis.rating_settings import USUAL, RatingSettings
from ostrom.analysis.ratings import LEAST_GAMES, RATING_METHODS
from ostrom.analysis.study import NothingLeft, Study
from ostrom.charts.catalogue import PublishedRating, rating_definition, rating_note
from ostrom.charts.families import Cast
from ostrom.charts.standings import PlayerStanding, standings_of
from ostrom.core.estimates import Estimate
from ostrom.core.finding import Column, Row, Table
from ostrom.core.text import clean
from ostrom.findings.payoffs import PAYOFF_COLUMNS, Payoffs, payoffs_table, realised_payoffs
from ostrom.web.api.studies import (
    AnyFilters,
    DefaultedFilter,
    Experiments,
    Filters,
    Kind,
    OtherRules,
    Pool,
    Rules,
    SelectedGames,
    StudyExperiment,
    choose,
    other_rules,
    rated_study,
    studies_here,
)
from ostrom.web.computing import ComputeTask, MeasureTask, RatingTask
from ostrom.web.replies import Shape, Span, reply_of_ended, shape_of
from ostrom.web.service import Service

RATING_DEFINITION: Final = rating_definition(rating_note(USUAL))


class BoardColumn(Shape):
    """A column of the leaderboard."""

    name: str
    heading: str
    meaning: str
    """A sentence on the meaning of the column; empty if the heading says enough."""
    number: bool
    deviation: str | None
    """The name of the column with the standard deviation of this column."""
    interval: bool
    """True if the figures of the column have intervals."""


class BoardCell(Shape):
    """A cell of the leaderboard."""

    text: str
    value: float | str | None
    """The value by which the column is sorted."""


class RatingRow(shape_of("RatingRow", [*board_columns([], USUAL, "final"), LABEL])):  # type: ignore[misc]
    """A player on the leaderboard, with all its cells, and with values on which the layout of a page depends."""

    cells: dict[str, BoardCell]
    """The cells of the player, by column."""
    colour: str
    """The player's colour in charts."""


class OtherBoard(Shape):
    """The leaderboard of games with other rules."""

    rules: str
    games: int


class PublishedSettings(Shape):
    """The settings with which others published ratings of such games."""

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
    """True if players are ranked by a strength that does not depend on the order of the games."""
    method: str
    """The rating method, by its name in `methods`."""
    methods: list[RatingMethodItem]
    """All rating methods."""
    published: list[PublishedSettings] = Field(default_factory=list)
    """The settings with which others published ratings of such games."""
    least_games: int = LEAST_GAMES
    """The smallest number of games with which a player is not provisional."""
    definition: str
    experiments: list[StudyExperiment] = Field(default_factory=list)
    """The experiments of the leaderboard's games. The experiments with the most games come first."""
    rules: str | None = None
    """The digest of the rules of the leaderboard's games. It is missing if games with different rules are pooled."""
    others: list[OtherBoard] = Field(default_factory=list)
    """Leaderboards of the same game with other rules."""
    left_out: list[str]
    """The excluded games and players, described in sentences."""
    columns: list[BoardColumn]
    """The columns that a page shows, in their order."""
    rows: list[RatingRow]


class PayoffRow(shape_of("PayoffRow", PAYOFF_COLUMNS)):  # type: ignore[misc]
    """One player's mean payoff in one game, with its interval."""

    seats: list[Span | None]
    """The mean by role, or by seat in two-player games without roles; null for a role or seat that the player never
    had."""
    against: list[Span | None]
    """In two-player games, the mean against each of the game's players, in the order of the players; null if the two
    never met."""


class PayoffGame(Shape):
    """The payoffs of a game."""

    game: str
    title: str
    seats: list[str]
    """The headings of payoffs by role or by seat."""
    rows: list[PayoffRow]
    """The rows, the highest payoff first."""


class GamePayoffs(Shape):
    """The payoffs of all games."""

    games: list[PayoffGame]


class LazyMeasures(Mapping[str, pl.DataFrame]):
    """All measures of the selected games, by name. Each is computed when it is first needed."""

    def __init__(self, service: Service, selection: SelectedGames) -> None:
        self._service, self._selection = service, selection

    def __getitem__(self, name: str) -> pl.DataFrame:
        if name not in self._selection.study.measures:
            raise KeyError(name)
        table: pl.DataFrame = compute(self._service, MeasureTask(name), self._selection)
        return table

    def __iter__(self) -> Iterator[str]:
        return iter(self._selection.study.measures)

    def __len__(self) -> int:
        return len(self._selection.study.measures)


def standings(service: Service, selection: SelectedGames) -> list[PlayerStanding]:
    """Return the leaderboard for charts. It is empty if there are no players to compare."""
    return standings_of(_rated(service, selection))


def board_of(service: Service, selection: SelectedGames, measured: Sequence[MeasuredColumn] = ()) -> Table:
    """Return the leaderboard of the selected games. It is empty if there are no players to compare."""
    rated = _rated(service, selection)
    games = selection.tables.games.height
    unit = selection.study.game.unit
    return leaderboard(rated, selection.rating, games, unit=unit, name_of=selection.cast.label, measured=measured)


def _rated(service: Service, selection: SelectedGames) -> list[RatedPlayer]:
    try:
        return ratings_of(service, selection)
    except NothingLeft:
        return []


def rating_table(service: Service, filters: Filters) -> RatingTable:
    """Return the leaderboard of the selected games. If there are no players to compare, it has the reason instead of
    rows."""
    study = rated_study(service, filters)
    try:
        selection = choose(service, filters)
    except NothingLeft as error:
        return _table(study, filters.rating, 0, Table("ratings"), [], [_sentence(error)], other_rules(service, filters))
    games, left_out = selection.tables.games.height, selection.tables.left_out.sentences(clean, ways=False)
    try:
        ratings_of(service, selection)
    except NothingLeft as error:
        problem = _sentence(error)
        return _table(study, filters.rating, games, Table("ratings"), [], [*left_out, problem], selection.others)
    board = board_of(service, selection)
    rows = [
        _row(row, board, selection.cast)
        for row in board.rows
        if not filters.players or row["player"] in filters.players
    ]
    if not rows:
        left_out.append("None of the players to be shown has a rating in these games.")
    published = [_published(rating) for rating in selection.catalogue.published(selection.tables)]
    return _table(study, filters.rating, games, board, rows, left_out, selection.others).model_copy(
        update={
            "rules": selection.rules or None,
            "published": published,
            "experiments": _experiments(service, selection),
        }
    )


def _experiments(service: Service, selection: SelectedGames) -> list[StudyExperiment]:
    """Return the experiments of the selected games."""
    names = service.journal.ended.experiments()
    games = Counter(selection.tables.games["experiment"].to_list())
    return [
        StudyExperiment(id=experiment, name=names.get(experiment, ""), games=count)
        for experiment, count in games.most_common()
    ]


def ratings_of(service: Service, selection: SelectedGames) -> list[RatedPlayer]:
    """Return the ratings of all players, the best first, as the command `ratings` computes them."""
    ratings: list[RatedPlayer] = compute(service, RatingTask(selection.rating), selection)
    return ratings


def compute(service: Service, task: ComputeTask, selection: SelectedGames) -> Any:
    """Return the result of a task on the selected games. It is cached."""
    return service.studies.get_or_make(
        (task, selection.key), lambda: service.computing.compute(task, selection.key, selection.tables)
    )


def definition_of(rating: RatingSettings) -> str:
    """Return the definition of a leaderboard with these rating settings."""
    return rating_definition(rating_note(rating))


def _published(rating: PublishedRating) -> PublishedSettings:
    return PublishedSettings(
        source=rating.source, passes=rating.passes, draw_probability=rating.draw_probability, sentence=rating.sentence
    )


def _table(
    study: Study[Any],
    rating: RatingSettings,
    games: int,
    board: Table,
    rows: list[RatingRow],
    left_out: list[str],
    others: Sequence[OtherRules],
) -> RatingTable:
    rating = rating.for_game(study.game)
    return RatingTable(
        kind=study.command,
        unit=study.game.unit,
        games=games,
        **{**rating.as_record(), "method": rating.choice.method.name},
        methods=[
            RatingMethodItem(name=method.name, title=method.title, description=method.description)
            for method in RATING_METHODS.values()
        ],
        definition=definition_of(rating),
        others=[OtherBoard(rules=board.rules, games=board.games) for board in others],
        left_out=left_out,
        columns=[_column(column) for column in _shown(board)],
        rows=rows,
    )


def _shown(board: Table) -> list[Column]:
    return [column for column in board.columns if column.heading is not None]


def _column(column: Column) -> BoardColumn:
    return BoardColumn(
        name=column.name,
        heading=column.title or column.heading or "",
        meaning=column.meaning,
        number=column.number,
        deviation=column.deviation or None,
        interval=column.interval != "omitted",
    )


def _row(row: Row, board: Table, cast: Cast) -> RatingRow:
    own = {name: row[name] for name in RatingRow.model_fields if name in row}
    cells = {column.name: BoardCell(text=column.text(row), value=_sort_value(row, column)) for column in _shown(board)}
    return RatingRow(**own, colour=cast.faces[row["player"]].colour, cells=cells)


def _sort_value(row: Row, column: Column) -> float | str | None:
    value = row["label"] if column.name == "player" else row.get(column.name)
    if isinstance(value, Estimate):
        return value.value
    # Ranges of possible ranks are sorted by the best rank in the range.
    return value[0] if isinstance(value, tuple) else value


def _sentence(error: NothingLeft) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


def payoff_table(service: Service, filters: Filters) -> GamePayoffs:
    """Return the payoffs of the selected games. Without a kind, return those of every game in the journal."""
    kinds = [study.command for study in studies_here(service) if isinstance(study, Study)]
    games = []
    for kind in kinds if filters.kind is None else [filters.kind]:
        try:
            selection = choose(service, replace(filters, kind=kind))
        except NothingLeft:
            continue
        payoffs = service.studies.get_or_make(("payoffs", selection.key), partial(realised_payoffs, selection.tables))
        games.append(_game(selection.study, payoffs, selection.cast))
    return GamePayoffs(games=games)


def _game(study: Study[Any], payoffs: Sequence[Payoffs], cast: Cast) -> PayoffGame:
    table = payoffs_table(payoffs, cast.label)
    headings = {column.name: column.heading for column in table.columns}
    seats = [name for name in headings if name.startswith(("role_", "seat_"))]
    opponents = [f"against_{row['player']}" for row in table.rows]
    if not any(name in headings for name in opponents):
        opponents = []
    rows = [
        PayoffRow(
            **{column.name: row[column.name] for column in PAYOFF_COLUMNS},
            seats=[row[name] for name in seats],
            against=[row.get(name) for name in opponents],
        )
        for row in table.rows
    ]
    return PayoffGame(game=study.game.name, title=study.title, seats=[headings[name] for name in seats], rows=rows)


router = APIRouter(tags=["study"])


@router.get("/ratings", response_model=RatingTable)
async def ratings(request: Request, filters: AnyFilters) -> Response:
    """Return the leaderboard of the selected games, the best player first, with intervals and tiers."""
    return await reply_of_ended(request, rating_table, filters)


@router.get("/payoffs", response_model=GamePayoffs)
async def payoffs(
    request: Request,
    kind: Kind = None,
    experiments: Experiments = (),
    defaulted: DefaultedFilter = "with",
    rules: Rules = None,
    pool: Pool = (),
) -> Response:
    """Return payoffs by game: every player's mean final result with its interval. Without a kind, include all games of
    the journal."""
    filters = Filters(kind, experiments, defaulted=defaulted, rules=rules, pool=pool)
    return await reply_of_ended(request, payoff_table, filters, slow=True)
