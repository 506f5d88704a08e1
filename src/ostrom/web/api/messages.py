"""What was said, with what became of its promises."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final, Literal

import polars as pl
from fastapi import APIRouter, Depends, Query, Request, Response

from ostrom.analysis.study import Study
from ostrom.analysis.tables import MESSAGES, frame
from ostrom.web.api.studies import Experiments, Name, Offset, Players, experiment_ids, speaks, studies_here
from ostrom.web.cache import CachedTables
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

Promised = Literal["any", "made", "kept", "broken", "none"]
_LONGEST: Final = 10_000
"""Characters of a message that a page shows; the game's own page has all of it."""
_PLACE: Final = ["game", "round", "seat"]
_OUTCOME: Final = {"promised": pl.Float64(), "contributed": pl.Float64(), "kept": pl.Boolean()}
_TEXTS: Final = {"experiment": pl.String(), "key": pl.String(), **_OUTCOME, "kind": pl.String(), "lower": pl.String()}
_NONE: Final = frame([], {**MESSAGES, **_TEXTS})


class MessageRow(Shape):
    """Something that was said."""

    kind: str
    """The study of its game."""
    game: str
    experiment: str
    key: str
    round: int
    order: int
    """Its place within the round, from 1."""
    seat: int
    player: str
    text: str
    promised: float | None
    """What it promises to contribute; missing where nothing was promised or it is unknown."""
    contributed: float | None
    kept: bool | None
    """Whether it was kept; missing where nothing was promised."""
    event: int
    """Its place among the game's events, from 0: the moment that a link to it opens."""


class MessagePage(Shape):
    """Some of what was said."""

    messages: list[MessageRow]
    total: int
    offset: int
    promises: int
    """How many of them promise something."""
    kept: int
    broken: int


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for; what is not given does not matter."""

    text: Annotated[str, Query(max_length=200, description="Text in the message, in upper or lower case.")] = ""
    experiments: Experiments = ()
    players: Players = ()
    round_: Annotated[int | None, Query(alias="round", ge=1, le=1_000_000, description="Only this round.")] = None
    game: Annotated[Name | None, Query(description="Only this game, by id or key.")] = None
    promise: Annotated[
        Promised,
        Query(
            description="Messages with a promise of a contribution, with one that was kept or broken, or without one."
        ),
    ] = "any"
    offset: Offset = 0
    limit: Annotated[int, Query(ge=1, le=200)] = 50


def message_page(service: Service, search: Search) -> MessagePage:
    """Some of the messages that are looked for, in the order in which they were said."""
    ids = experiment_ids(service, search.experiments)
    game = None if search.game is None else service.journal.game_id(search.game)
    found = all_messages(service).filter(*_conditions(search, ids, game))
    promises, kept = int(found["kept"].count()), int(found["kept"].sum())
    page = found.slice(search.offset, search.limit).drop("lower")
    return MessagePage(
        messages=[MessageRow(**_bounded(row)) for row in page.iter_rows(named=True)],
        total=found.height,
        offset=search.offset,
        promises=promises,
        kept=kept,
        broken=promises - kept,
    )


def all_messages(service: Service) -> pl.DataFrame:
    """Every message of every finished game, one row each; `kept` is missing where nothing was promised, or where nobody
    knows what became of it."""
    said = []
    for study in studies_here(service):
        if isinstance(study, Study) and speaks(service, study):
            cached = service.studies.tables(study)
            make = partial(_made, study, cached)
            said.append(service.studies.get_or_make(("messages", study.command, cached.digest), make))
    return pl.concat(said) if said else _NONE


def _made(study: Study[Any], cached: CachedTables) -> pl.DataFrame:
    tables, keys = cached.tables, {row.id: row.key for row in cached.rows}
    games = tables.games.select("game", "experiment").with_columns(
        key=pl.Series([keys[game] for game in tables.games["game"]], dtype=pl.String)
    )
    joined = tables.messages.join(games, on="game", how="left", maintain_order="left")
    if study.own is None or study.own.promises is None:
        joined = joined.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in _OUTCOME.items())
    else:
        joined = joined.join(study.own.promises(tables), on=_PLACE, how="left", maintain_order="left")
    order = [*MESSAGES, "experiment", "key", *_OUTCOME]
    return joined.select(order).with_columns(kind=pl.lit(study.command), lower=pl.col("text").str.to_lowercase())


def _conditions(search: Search, ids: list[str], game: str | None) -> list[pl.Expr]:
    one_of = {
        "experiment": ids,
        "game": [] if game is None else [game],
        "player": search.players,
        "round": [] if search.round_ is None else [search.round_],
    }
    wanted = [pl.col(column).is_in(values) for column, values in one_of.items() if values]
    if search.text:
        wanted.append(pl.col("lower").str.contains(pl.lit(search.text).str.to_lowercase(), literal=True))
    if search.promise != "any":
        wanted.append(_PROMISES[search.promise])
    return wanted


_PROMISES: Final = {
    "made": pl.col("kept").is_not_null(),
    "kept": pl.col("kept"),
    "broken": ~pl.col("kept"),
    "none": pl.col("kept").is_null(),
}


def _bounded(row: dict[str, Any]) -> dict[str, Any]:
    text = row["text"]
    return row if len(text) <= _LONGEST else {**row, "text": f"{text[:_LONGEST]}…"}


router = APIRouter(tags=["study"])


@router.get("/messages", response_model=MessagePage)
async def messages(request: Request, search: Annotated[Search, Depends()]) -> Response:
    """Messages of finished games, in the order in which they were said, with what became of their promises."""
    return await reply_of_ended(request, message_page, search, like="messages")
