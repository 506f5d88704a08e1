"""The studies of a journal: one for each kind of game that has finished games. This module also selects games by a
page's filters, for leaderboards, charts and tables."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

import polars as pl
from fastapi import APIRouter, Depends, Query, Request, Response

from ostrom.analysis import pooling
from ostrom.analysis.pooling import PoolOption
from ostrom.analysis.rating_settings import BY_AIM, DRAW_PROBABILITY, PASSES, USUAL, RatingSettings
from ostrom.analysis.selection import MAX_EXPERIMENTS, POOLED, Part, Selection, describe_place
from ostrom.analysis.set_apart import with_people
from ostrom.analysis.study import (
    AnyStudy,
    NothingLeft,
    Study,
    SubjectStudy,
    all_studies,
    most_first,
    study_by_command,
)
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import Catalogue, catalogue_of
from ostrom.charts.families import Cast
from ostrom.core import InputError, UnknownName
from ostrom.core.spoken import text_events
from ostrom.core.telling import presentation_of
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.names import PlayerNames
from ostrom.journal.schema import FINISHED, VOID
from ostrom.web.cache import CachedTables, digest_of
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

Messages = Literal["all", "on", "off"]
Defaulted = Literal["with", "games", "seats"]
"""The games and seats that are included: all ('with'), only games without defaulted answers ('games'), or only seats
without defaulted answers ('seats')."""
_WITHOUT: Final[dict[Defaulted, Part | None]] = {"with": None, "games": "games", "seats": "seats"}
_MAX_PASSES: Final = 1000
"""The largest number of passes of TrueSkill over all games. Each pass takes about a hundredth of a second for a few
hundred games."""


class StudyExperiment(Shape):
    """An experiment with finished games of this kind."""

    id: str
    name: str
    games: int


class StudyItem(Shape):
    """A kind of game with finished games in this journal, and the filters that apply to it."""

    kind: str
    """The name of the kind of game on the command line."""
    title: str
    summary: str
    """The subject of the game in a few words; empty for a family of tasks, and for a game that is not installed."""
    layout: str
    """The layout of the game's scene, for a small picture."""
    games: int
    experiments: list[StudyExperiment]
    players: list[str]
    messages: bool
    """True if some of its games have messages and some have none."""
    subjects: bool
    """True if the study scores subjects instead of rating players."""
    speaks: bool
    """True if its games have messages."""
    pairs: bool
    """True if all of its games have two seats."""
    people: bool
    """True if people are among the players. They are excluded by default."""


class Studies(Shape):
    """The studies of the journal."""

    studies: list[StudyItem]


def _describe(field: str) -> str | None:
    return Selection.model_fields[field].description


Name = Annotated[str, Query(max_length=500)]
Experiments = Annotated[
    tuple[Name, ...],
    Query(alias="experiment", max_length=MAX_EXPERIMENTS, description=_describe("experiments")),
]
Players = Annotated[
    tuple[Name, ...],
    Query(
        alias="player",
        max_length=MAX_EXPERIMENTS,
        description="Show only these players. Figures are computed from all selected games, so that hiding others "
        "changes none.",
    ),
]
MessageFilter = Annotated[Messages, Query(alias="messages", description="Only games with, or without, messages.")]
DefaultedFilter = Annotated[
    Defaulted,
    Query(description="All games, only games without defaulted answers, or only seats without defaulted answers."),
]
Rules = Annotated[str | None, Query(max_length=64, description=_describe("rules"))]
Pool = Annotated[tuple[PoolOption, ...], Query(max_length=len(POOLED), description=_describe("pool"))]
Passes = Annotated[int, Query(ge=1, le=_MAX_PASSES, description="Passes of TrueSkill over all games.")]
Draw = Annotated[float, Query(ge=0, lt=1, description="TrueSkill's probability of a draw between equal players.")]
RankingMethod = Annotated[
    str,
    Query(
        max_length=200,
        description="The rating method, as listed in /api/ratings; with aim, the default, the game determines it.",
    ),
]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000, description="The number of entries to skip.")]
Kind = Annotated[
    str | None,
    Query(max_length=100, description="The game, named as in /api/studies; by default, the first one."),
]


@dataclass(frozen=True, slots=True)
class Filters:
    """A selection of games, and of the players to show. Figures are always computed from all selected games, so hiding
    players does not change any figure."""

    kind: Kind = None
    experiments: Experiments = ()
    players: Players = ()
    messages: MessageFilter = "all"
    defaulted: DefaultedFilter = "with"
    rules: Rules = None
    pool: Pool = ()
    passes: Passes = PASSES
    draw: Draw = DRAW_PROBABILITY
    ranked: RankingMethod = BY_AIM

    @property
    def selection(self) -> Selection:
        return Selection(
            experiments=self.experiments,
            game=self.kind,
            without_defaulted=_WITHOUT[self.defaulted],
            rules=self.rules,
            pool=self.pool,
        )

    @property
    def rating(self) -> RatingSettings:
        return RatingSettings(self.passes, self.draw, self.ranked)

    @property
    def slow(self) -> bool:
        """True if a reply may take many seconds, because scoring one subject takes about a second."""
        try:
            return self.kind is not None and isinstance(study_by_command(self.kind), SubjectStudy)
        except UnknownName:
            return False

    def shown(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of the players to show. A table without players is returned unchanged."""
        column = next((name for name in table.columns if name == "player" or name.endswith("_player")), None)
        if not self.players or column is None:
            return table
        return table.filter(pl.col(column).is_in(self.players))


class OtherRules(NamedTuple):
    """The rules of games that are not selected."""

    rules: str
    games: int


@dataclass(frozen=True)
class SelectedGames:
    """The games that the filters select; there is at least one."""

    study: Study[Any]
    tables: GameTables
    key: str
    """A key that identifies the selection. It is used to cache results that are computed from its tables."""
    rules: str = ""
    """The digest of the rules; empty if games with different rules are pooled."""
    others: tuple[OtherRules, ...] = ()
    """The rules of excluded games."""
    rating: RatingSettings = USUAL
    """The settings of ratings. Other results do not depend on them."""
    names: PlayerNames | None = None
    """The display names of players."""

    @property
    def catalogue(self) -> Catalogue[Any]:
        return catalogue_of(self.study)

    @property
    def cast(self) -> Cast:
        """Return the labels and colours of the players in charts. Excluded players are included."""
        return self.catalogue.cast(self.tables.all_seats["player"].to_list(), [self.tables], self.names)


def all_items(service: Service) -> Studies:
    """Return all studies that have finished games and are not archived. The studies with the most games come first;
    those of subjects come last."""
    names = service.journal.ended.experiments()
    items = [_item(service, study, names) for study in studies_here(service)]
    return Studies(studies=[item for item in items if item.games])


def studies_here(service: Service) -> list[AnyStudy]:
    """Return the studies of the finished games of the journal."""
    return most_first(service.journal.ended.kinds(), service.journal)


def find_study(service: Service, kind: str | None) -> AnyStudy:
    """Return the study with this name. Without a name, return the first one in the journal. Raise `UnknownName` if
    there is none."""
    studies = studies_here(service)
    if kind is None:
        return (studies or all_studies())[0]
    return study_by_command(kind, studies)


def _item(service: Service, study: AnyStudy, names: dict[str, str]) -> StudyItem:
    archived = _archived_ids(service)
    rows = [row for row in service.studies.rows(study) if row.state == FINISHED and row.experiment not in archived]
    games = Counter(row.experiment for row in rows)
    return StudyItem(
        kind=study.command,
        title=study.title,
        summary=study.game.summary if isinstance(study, Study) and study.installed else "",
        layout=_layout(study),
        games=len(rows),
        experiments=[
            StudyExperiment(id=experiment, name=names[experiment], games=games[experiment])
            for experiment in names
            if experiment in games
        ],
        players=_players(service, study) if isinstance(study, Study) else sorted({row.players[0] for row in rows}),
        messages=isinstance(study, Study) and _mixes_messages(service, study),
        subjects=isinstance(study, SubjectStudy),
        speaks=speaks(service, study),
        pairs=isinstance(study, Study) and all(len(row.players) == 2 for row in rows),
        people=any(with_people(row.players) for row in rows),
    )


def _layout(study: AnyStudy) -> str:
    """Return the layout of the scene of a study's games under the default rules."""
    if not isinstance(study, Study) or not study.installed:
        return "question"
    game = study.game
    return presentation_of(game).scene(game.rules(), game.seats.usual or game.seats.fewest).layout


def _archived_ids(service: Service) -> set[str]:
    return {name for name, settings in service.journal.ended.settings().items() if settings.get(ARCHIVED) is True}


def _players(service: Service, study: Study[Any]) -> list[str]:
    """Return the names of all players on the leaderboards of a study. No two players have the same name."""
    results = service.journal.ended.results(study.records)
    pools = pooling.pools_of(study.game, results, service.journal.ended.settings(), pooling.Pooling())
    names = (
        pool.names.get((result.id, seat), player)
        for pool in pools
        for result in pool.results
        for seat, player in enumerate(result.players)
    )
    return sorted(set(names))


def speaks(service: Service, study: AnyStudy) -> bool:
    """Return whether the games of a study have messages. If the study declares no events with text, no games need to be
    read."""
    if not isinstance(study, Study) or not text_events(study.game.events):
        return False
    return service.studies.tables(study).tables.messages.height > 0


def _mixes_messages(service: Service, study: Study[Any]) -> bool:
    """Return whether some games of a study have messages and some have none, according to their rule `messages`."""
    if "messages" not in study.game.rules.model_fields:
        return False
    games = service.studies.tables(study).tables.games
    return "messages" in games.columns and games["messages"].n_unique() > 1


def experiment_ids(service: Service, names: Sequence[str]) -> list[str]:
    """Return the ids of experiments that are given by id or name. Raise `UnknownName` for an unknown one."""
    return [service.journal.experiment_id(name) for name in dict.fromkeys(names)]


def rated_study(service: Service, filters: Filters) -> Study[Any]:
    """Return the study of a game with ratings and measures; raise `InputError` for a family of tasks."""
    study = find_study(service, filters.kind)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects and does not rate players; see /api/scores")
    return study


def choose(service: Service, filters: Filters) -> SelectedGames:
    """Return the games selected by the filters; raise `NothingLeft` with the reason if there are none."""
    study = rated_study(service, filters)
    ids = experiment_ids(service, filters.experiments)
    cached = service.studies.tables(study)
    archived = set() if ids else _archived_ids(service)
    void_rows = (row for row in cached.rows if row.state == VOID and row.experiment not in archived)
    void = [row.id for row in void_rows if not ids or row.experiment in ids]
    first, *others = _pools(service, study, cached, ids, filters)
    sentences = [exclusion.sentence for exclusion in first.apart]
    seat_names = [f"{place} {name}" for place, name in first.names.items()]
    digest = digest_of([*first.games, "", *void, "", *sentences, *seat_names])
    key = f"{study.command} {filters.defaulted} {digest}"
    selection = filters.selection
    place = describe_place(service.journal, selection.experiments)

    def select_tables() -> GameTables:
        selected: GameTables = study.chosen(
            first.applied(cached.tables), void=void, where=place, without=selection.excluded, apart=first.apart
        )
        return selected

    tables = service.studies.get_or_choose(key, select_tables)
    rating = filters.rating.for_game(study.game)
    return SelectedGames(study, tables, key, first.rules, _other_rules(others), rating, service.player_names())


def other_rules(service: Service, filters: Filters) -> tuple[OtherRules, ...]:
    """Return the rules of the other games, even if no games are selected."""
    try:
        study, ids = rated_study(service, filters), experiment_ids(service, filters.experiments)
        return _other_rules(_pools(service, study, service.studies.tables(study), ids, filters)[1:])
    except NothingLeft:
        return ()


def _other_rules(pools: Sequence[pooling.GamePool]) -> tuple[OtherRules, ...]:
    return tuple(OtherRules(pool.rules, len(pool.results)) for pool in pools)


def _pools(
    service: Service, study: Study[Any], cached: CachedTables, ids: list[str], filters: Filters
) -> list[pooling.GamePool]:
    """Return the games in pools: first the selected pool, then pools with other rules. `ids` are the experiments that
    the filters name."""
    games = _filter_games(cached.tables.games, ids, filters)
    # The pools for all rules are cached. Below, the pool with the selected rules is moved to the front.
    settings = filters.selection.changed(rules=None).pooling

    def make_pools() -> list[pooling.GamePool]:
        selected = set(games["game"])
        results = [result for result in cached.results if result.id in selected]
        return pooling.pools_of(study.game, results, service.journal.ended.settings(), settings)

    # The stage is part of the key, because archiving or restoring an experiment changes no game.
    name = ("pools", study.command, digest_of(games["game"]), settings, service.studies.stage())
    pools: list[pooling.GamePool] = service.studies.get_or_make(name, make_pools)
    if filters.rules is None:
        return pools
    selected_rules = pooling.named_rules(filters.rules, [pool.rules for pool in pools])
    return sorted(pools, key=lambda pool: pool.rules != selected_rules)


def _filter_games(games: pl.DataFrame, ids: list[str], filters: Filters) -> pl.DataFrame:
    if ids:
        games = games.filter(pl.col("experiment").is_in(ids))
    if filters.messages == "all":
        return games
    if "messages" in games.columns:
        remaining = games.filter(pl.col("messages") == (filters.messages == "on"))
    else:
        # Games without this column have no messages.
        remaining = games.clear() if filters.messages == "on" else games
    if games.height and not remaining.height:
        which = "with" if filters.messages == "on" else "without"
        raise NothingLeft(f"none of the {games.height:,} chosen games was played {which} messages")
    return remaining


AnyFilters = Annotated[Filters, Depends()]
"""The filters of any study. In a study of subjects, only `player` has an effect; it selects subjects."""


router = APIRouter(tags=["study"])


@router.get("/studies", response_model=Studies)
async def studies(request: Request) -> Response:
    """Return every kind of game with finished games in the journal, and the filters for it."""
    return await reply_of_ended(request, all_items)
