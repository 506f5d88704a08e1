"""Which games a study is of: what the pages' filters mean, for leaderboards, charts and tables alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from ostrom.analysis.left_out import By
from ostrom.analysis.study import AnyStudy, NothingLeft, Study
from ostrom.analysis.tables import GameTables, only_games
from ostrom.charts.catalogue import Catalogue, catalogue_of
from ostrom.charts.families import Cast
from ostrom.core import InputError
from ostrom.web.library import Volume, digest_of
from ostrom.web.queries.studies import study_meant
from ostrom.web.service import Service

_WITHOUT: dict[str, By | None] = {"with": None, "games": "game", "seats": "seat"}


@dataclass(frozen=True, slots=True)
class Filters:
    """A choice of games, and of the players to show. What is shown of a player is always computed from all chosen
    games: nobody's rating changes because others are hidden."""

    kind: str | None = None
    """The study, as the command line calls its game; the first of those here where none is named."""
    experiments: tuple[str, ...] = ()
    """Ids or names; all where there are none."""
    players: tuple[str, ...] = ()
    """Whom to show; all where there are none."""
    messages: Literal["all", "on", "off"] = "all"
    defaulted: Literal["with", "games", "seats"] = "with"

    def shown(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of the players to show; rows that are nobody's stay."""
        column = next((name for name in table.columns if name == "player" or name.endswith("_player")), None)
        if not self.players or column is None:
            return table
        return table.filter(pl.col(column).is_in(self.players))


@dataclass(frozen=True)
class Chosen:
    """The games that some filters choose; at least one."""

    study: Study[Any]
    tables: GameTables
    key: str
    """Names what was chosen: whatever is computed from these tables can be kept under it."""

    @property
    def catalogue(self) -> Catalogue[Any]:
        """What a report on them shows."""
        return catalogue_of(self.study)

    @property
    def cast(self) -> Cast:
        """How the players look in charts; who was left out is still named among what was left out."""
        return self.catalogue.cast(self.tables.asked["player"].to_list(), [self.tables])


def experiment_ids(service: Service, names: Sequence[str]) -> list[str]:
    """The ids of the experiments that are meant; a name that there is none of raises `UnknownName`."""
    return [service.journal.experiment_id(name) for name in dict.fromkeys(names)]


def study_of(service: Service, filters: Filters) -> AnyStudy:
    """The study that the filters name."""
    return study_meant(service, filters.kind)


def played(service: Service, filters: Filters) -> Study[Any]:
    """The same of a game that is played; a family of tasks has neither ratings nor measures."""
    study = study_of(service, filters)
    if not isinstance(study, Study):
        raise InputError(f"{study.spoken} scores subjects, and rates no players; /api/scores has what it says")
    return study


def choose(service: Service, filters: Filters) -> Chosen:
    """The games that the filters choose. Where nothing is left, `NothingLeft` says why."""
    study = played(service, filters)
    ids = experiment_ids(service, filters.experiments)
    volume = service.findings.volume(study)
    void = [row.id for row in volume.rows if row.state == "void" and (not ids or row.experiment in ids)]
    games = _wanted(volume, ids, filters)
    key = f"{study.command} {filters.defaulted} {digest_of([*games['game'], '', *void])}"
    where = _where(service, filters)

    def made() -> GameTables:
        whole = volume.tables
        some = whole if games.height == whole.games.height else only_games(whole, games)
        found: GameTables = study.chosen(some, void=void, where=where, without=_WITHOUT[filters.defaulted])
        return found

    return Chosen(study, service.findings.kept(("tables", key), made), key)


def _wanted(volume: Volume, ids: list[str], filters: Filters) -> pl.DataFrame:
    games = volume.tables.games
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


def _where(service: Service, filters: Filters) -> str:
    if not filters.experiments:
        return f"the journal {service.journal.label}"
    if len(filters.experiments) == 1:
        return f"the experiment {filters.experiments[0]}"
    return f"the choice of {len(filters.experiments)} experiments"
