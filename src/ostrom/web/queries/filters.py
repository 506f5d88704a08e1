"""Which games a study is of: what the pages' filters mean, for leaderboards, charts and tables alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from ostrom.analysis.chosen import NothingLeft, chosen
from ostrom.analysis.kinds import KINDS, AnyTables, Kind
from ostrom.analysis.left_out import By
from ostrom.analysis.played import only_games
from ostrom.charts.families import Cast
from ostrom.charts.names import names_of
from ostrom.players.roster import every_built_in
from ostrom.web.library import Volume, digest_of
from ostrom.web.service import Service

_WITHOUT: dict[str, By | None] = {"with": None, "games": "game", "seats": "seat"}


@dataclass(frozen=True, slots=True)
class Filters:
    """A choice of games, and of the players to show. What is shown of a player is always computed from all chosen
    games: nobody's rating changes because others are hidden."""

    kind: str
    """'punish', 'commons' or 'battery'."""
    experiments: tuple[str, ...] = ()
    """Ids or names; all where there are none."""
    players: tuple[str, ...] = ()
    """Whom to show; all where there are none."""
    messages: Literal["all", "on", "off"] = "all"
    defaulted: Literal["with", "games", "seats"] = "with"

    def shown(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of the players to show; rows that are nobody's stay."""
        column = next((name for name in ("player", "punisher_player") if name in table.columns), None)
        if not self.players or column is None:
            return table
        return table.filter(pl.col(column).is_in(self.players))


@dataclass(frozen=True)
class Chosen:
    """The games that some filters choose; at least one."""

    kind: Kind[Any]
    tables: AnyTables
    key: str
    """Names what was chosen: whatever is computed from these tables can be kept under it."""

    @property
    def cast(self) -> Cast:
        """How the players look in charts; who was left out is still named among what was left out."""
        players = self.tables.asked["player"]
        return Cast.of(players, names=names_of(self.tables), built_in=every_built_in())


def experiment_ids(service: Service, names: Sequence[str]) -> list[str]:
    """The ids of the experiments that are meant; a name that there is none of raises `UnknownName`."""
    return [service.journal.experiment_id(name) for name in dict.fromkeys(names)]


def choose(service: Service, filters: Filters) -> Chosen:
    """The games that the filters choose. Where nothing is left, `NothingLeft` says why."""
    kind = KINDS[filters.kind]
    ids = experiment_ids(service, filters.experiments)
    volume = service.findings.volume(kind)
    void = [row.id for row in volume.rows if row.state == "void" and (not ids or row.experiment in ids)]
    games = _wanted(volume, ids, filters)
    key = f"{kind.command} {filters.defaulted} {digest_of([*games['game'], '', *void])}"
    where = _where(service, filters)

    def made() -> AnyTables:
        whole = volume.tables
        some = whole if games.height == whole.games.height else only_games(whole, games)
        return chosen(kind, some, void=void, where=where, without=_WITHOUT[filters.defaulted])

    return Chosen(kind, service.findings.kept(("tables", key), made), key)


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
