"""What can be compared: every game that there are finished games of; which of them a page's filters choose, for
leaderboards, charts and tables alike."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

import polars as pl
from fastapi import APIRouter, Depends, Query, Request, Response

from ostrom.analysis import pooling
from ostrom.analysis.pooling import Together
from ostrom.analysis.ratings.methods.multipass import TRUESKILL
from ostrom.analysis.selection import MAX_EXPERIMENTS, Part, Selection, describe_place
from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES, USUAL, RatingSettings
from ostrom.analysis.study import (
    AnyStudy,
    NothingLeft,
    Study,
    SubjectStudy,
    all_studies,
    most_first,
    study_called,
)
from ostrom.analysis.tables import GameTables
from ostrom.charts.catalogue import Catalogue, catalogue_of
from ostrom.charts.families import Cast
from ostrom.core import InputError, UnknownName
from ostrom.core.spoken import text_events
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.names import PlayerNames
from ostrom.journal.schema import FINISHED, VOID
from ostrom.web.cache import CachedTables, digest_of
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

Messages = Literal["all", "on", "off"]
Defaulted = Literal["with", "games", "seats"]
"""With defaulted answers, without the games that hold some, or without the seats that gave some."""
_WITHOUT: Final[dict[Defaulted, Part | None]] = {"with": None, "games": "games", "seats": "seats"}
_MOST_PASSES: Final = 1000
"""A page asks for no more: each takes a hundredth of a second over some hundred games."""


class StudyExperiment(Shape):
    """An experiment with finished games of this kind."""

    id: str
    name: str
    games: int


class StudyItem(Shape):
    """A game with finished games here, and its filters."""

    kind: str
    """What the command line calls it."""
    title: str
    games: int
    experiments: list[StudyExperiment]
    players: list[str]
    messages: bool
    """Whether some games have messages and others have none."""
    subjects: bool
    """Whether it scores subjects instead of rating players."""
    speaks: bool
    """Whether anything was said in its games."""
    pairs: bool
    """Whether all of its games have two seats."""
    people: bool
    """Whether people are among its players; they stay out unless they are asked for."""


class Studies(Shape):
    """What can be compared."""

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
        description="Show only these players. Everything is computed from all chosen games first, so that nobody's "
        "figures change because others are hidden.",
    ),
]
Said = Annotated[Messages, Query(alias="messages", description="Only games with, or without, messages.")]
Left = Annotated[
    Defaulted,
    Query(description="With defaulted answers, without the games that have some, or without the seats that have some."),
]
Rules = Annotated[str | None, Query(max_length=64, description=_describe("rules"))]
Pool = Annotated[tuple[Together, ...], Query(max_length=5, description=_describe("pool"))]
Passes = Annotated[int, Query(ge=1, le=_MOST_PASSES, description="Passes of TrueSkill over all games.")]
Draw = Annotated[float, Query(ge=0, lt=1, description="TrueSkill's probability of a draw between two who are equal.")]
Ranked = Annotated[
    str,
    Query(max_length=200, description="The rating method by which players are ranked, as /api/ratings lists them."),
]
Offset = Annotated[int, Query(ge=0, le=1_000_000_000, description="How many to skip.")]
Kind = Annotated[
    str | None,
    Query(max_length=100, description="The game, as /api/studies lists it; by default the first."),
]


@dataclass(frozen=True, slots=True)
class Filters:
    """A choice of games, and of the players to show. What is shown of a player is always computed from all chosen
    games: nobody's rating changes because others are hidden."""

    kind: Kind = None
    experiments: Experiments = ()
    players: Players = ()
    messages: Said = "all"
    defaulted: Left = "with"
    rules: Rules = None
    pool: Pool = ()
    passes: Passes = PASSES
    draw: Draw = DRAW_PROBABILITY
    ranked: Ranked = TRUESKILL.name

    @property
    def selection(self) -> Selection:
        """The games, as commands and the library select them."""
        return Selection(
            experiments=self.experiments,
            game=self.kind,
            without_defaulted=_WITHOUT[self.defaulted],
            rules=self.rules,
            pool=self.pool,
        )

    @property
    def rating(self) -> RatingSettings:
        """How players are rated."""
        return RatingSettings(self.passes, self.draw, self.ranked)

    @property
    def slow(self) -> bool:
        """Whether an answer may take many seconds: to score a subject takes one."""
        try:
            return self.kind is not None and isinstance(study_called(self.kind), SubjectStudy)
        except UnknownName:
            return False

    def shown(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of the players to show; rows that are nobody's stay."""
        column = next((name for name in table.columns if name == "player" or name.endswith("_player")), None)
        if not self.players or column is None:
            return table
        return table.filter(pl.col(column).is_in(self.players))


class OtherRules(NamedTuple):
    """Rules by which other games were played."""

    rules: str
    games: int


@dataclass(frozen=True)
class SelectedGames:
    """The games that some filters choose; at least one."""

    study: Study[Any]
    tables: GameTables
    key: str
    """Names what was chosen: whatever is computed from these tables can be kept under it."""
    rules: str = ""
    """A digest that names the rules of all of them; empty where games by several rules are taken together."""
    others: tuple[OtherRules, ...] = ()
    """The rules of games that are not among them."""
    rating: RatingSettings = USUAL
    """How their players are rated; nothing else depends on it."""
    names: PlayerNames | None = None
    """What players are called."""

    @property
    def catalogue(self) -> Catalogue[Any]:
        return catalogue_of(self.study)

    @property
    def cast(self) -> Cast:
        """How the players look in charts; who was left out is still named among what was left out."""
        return self.catalogue.cast(self.tables.asked["player"].to_list(), [self.tables], self.names)


def all_items(service: Service) -> Studies:
    """All studies for which there is at least one finished game that is not archived, the most games first, those of
    subjects last."""
    names = service.journal.ended.experiments()
    items = [_item(service, study, names) for study in studies_here(service)]
    return Studies(studies=[item for item in items if item.games])


def studies_here(service: Service) -> list[AnyStudy]:
    """The studies of the games that are finished here."""
    return most_first(service.journal.ended.kinds(), service.journal)


def study_meant(service: Service, kind: str | None) -> AnyStudy:
    """The study of this name; where none is named, the first of those here."""
    here = studies_here(service)
    if kind is None:
        return (here or all_studies())[0]
    return study_called(kind, here)


def _item(service: Service, study: AnyStudy, names: dict[str, str]) -> StudyItem:
    archived = _archived(service)
    rows = [row for row in service.studies.rows(study) if row.state == FINISHED and row.experiment not in archived]
    games = Counter(row.experiment for row in rows)
    return StudyItem(
        kind=study.command,
        title=study.title,
        games=len(rows),
        experiments=[StudyExperiment(id=one, name=names[one], games=games[one]) for one in names if one in games],
        players=_players(service, study) if isinstance(study, Study) else sorted({row.players[0] for row in rows}),
        messages=isinstance(study, Study) and _mixed(service, study),
        subjects=isinstance(study, SubjectStudy),
        speaks=speaks(service, study),
        pairs=isinstance(study, Study) and all(len(row.players) == 2 for row in rows),
        people=any(pooling.with_people(row.players) for row in rows),
    )


def _archived(service: Service) -> set[str]:
    """The ids of archived experiments."""
    return {name for name, each in service.journal.ended.settings().items() if each.get(ARCHIVED) is True}


def _players(service: Service, study: Study[Any]) -> list[str]:
    """Everybody on a board of this study, by name; those who share a name are told apart."""
    results = service.journal.ended.results(study.records)
    pools = pooling.pools_of(study.game, results, service.journal.ended.settings(), pooling.Pooling())
    called = (
        pool.names.get((one.id, seat), player)
        for pool in pools
        for one in pool.results
        for seat, player in enumerate(one.players)
    )
    return sorted(set(called))


def speaks(service: Service, study: AnyStudy) -> bool:
    """Whether anything was said in the games of a study. Games in which nobody can speak are not read for it."""
    if not isinstance(study, Study) or not text_events(study.game.events):
        return False
    return service.studies.tables(study).tables.messages.height > 0


def _mixed(service: Service, study: Study[Any]) -> bool:
    """Whether some games have messages and others have none, by a rule of that name."""
    if "messages" not in study.game.rules.model_fields:
        return False
    games = service.studies.tables(study).tables.games
    return "messages" in games.columns and games["messages"].n_unique() > 1


def experiment_ids(service: Service, names: Sequence[str]) -> list[str]:
    """The ids of the experiments that are meant; a name that there is none of raises `UnknownName`."""
    return [service.journal.experiment_id(name) for name in dict.fromkeys(names)]


def played(service: Service, filters: Filters) -> Study[Any]:
    """The study of a game that is played; a family of tasks has neither ratings nor measures."""
    study = study_meant(service, filters.kind)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects and does not rate players; see /api/scores")
    return study


def choose(service: Service, filters: Filters) -> SelectedGames:
    """The games that the filters choose. Where nothing is left, `NothingLeft` says why."""
    study = played(service, filters)
    ids = experiment_ids(service, filters.experiments)
    cached = service.studies.tables(study)
    aside = set() if ids else _archived(service)
    there = (row for row in cached.rows if row.state == VOID and row.experiment not in aside)
    void = [row.id for row in there if not ids or row.experiment in ids]
    first, *others = _pools(service, study, cached, ids, filters)
    told = [one.sentence for one in first.apart]
    called = [f"{place} {name}" for place, name in first.names.items()]
    digest = digest_of([*first.games, "", *void, "", *told, *called])
    key = f"{study.command} {filters.defaulted} {digest}"
    selection = filters.selection
    place = describe_place(service.journal, selection.experiments)

    def select() -> GameTables:
        selected: GameTables = study.chosen(
            first.applied(cached.tables), void=void, where=place, without=selection.excluded, apart=first.apart
        )
        return selected

    tables = service.studies.get_or_choose(key, select)
    return SelectedGames(study, tables, key, first.rules, _others(others), filters.rating, service.player_names())


def other_rules(service: Service, filters: Filters) -> tuple[OtherRules, ...]:
    """Beside the games that are meant, those by other rules: also where nothing is left of the ones that are meant."""
    try:
        study, ids = played(service, filters), experiment_ids(service, filters.experiments)
        return _others(_pools(service, study, service.studies.tables(study), ids, filters)[1:])
    except NothingLeft:
        return ()


def _others(pools: Sequence[pooling.GamePool]) -> tuple[OtherRules, ...]:
    return tuple(OtherRules(one.rules, len(one.results)) for one in pools)


def _pools(
    service: Service, study: Study[Any], cached: CachedTables, ids: list[str], filters: Filters
) -> list[pooling.GamePool]:
    """The games in pools: the one that is meant first, then those by other rules. `ids` are those of the experiments
    that the filters name."""
    games = _wanted(cached.tables.games, ids, filters)
    # The pools of all rules are cached, and those of the selected rules are put first below.
    wanted = filters.selection.changed(rules=None).pooling

    def pool_games() -> list[pooling.GamePool]:
        selected = set(games["game"])
        results = [one for one in cached.results if one.id in selected]
        return pooling.pools_of(study.game, results, service.journal.ended.settings(), wanted)

    # The stage is part of the name, since archiving or restoring an experiment changes no game.
    name = ("pools", study.command, digest_of(games["game"]), wanted, service.studies.stage())
    found: list[pooling.GamePool] = service.studies.get_or_make(name, pool_games)
    if filters.rules is None:
        return found
    mine = pooling.named_rules(filters.rules, [one.rules for one in found])
    return sorted(found, key=lambda one: one.rules != mine)


def _wanted(games: pl.DataFrame, ids: list[str], filters: Filters) -> pl.DataFrame:
    if ids:
        games = games.filter(pl.col("experiment").is_in(ids))
    if filters.messages == "all":
        return games
    if "messages" in games.columns:
        kept = games.filter(pl.col("messages") == (filters.messages == "on"))
    else:
        # Nobody speaks in such games.
        kept = games.clear() if filters.messages == "on" else games
    if games.height and not kept.height:
        which = "with" if filters.messages == "on" else "without"
        raise NothingLeft(f"none of the {games.height:,} chosen games was played {which} messages")
    return kept


AnyFilters = Annotated[Filters, Depends()]
"""Of any study; of one that scores subjects, `player` are subjects, and the other filters do nothing."""


router = APIRouter(tags=["study"])


@router.get("/studies", response_model=Studies)
async def studies(request: Request) -> Response:
    """What can be compared: every game with finished games here, and its filters."""
    return await reply_of_ended(request, all_items)
