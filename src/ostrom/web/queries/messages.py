"""What was said, with what became of its promises."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import polars as pl

from ostrom.analysis.study import Study
from ostrom.analysis.tables import MESSAGES, frame
from ostrom.web.library import Volume
from ostrom.web.queries.filters import experiment_ids
from ostrom.web.queries.studies import speaks, studies_here
from ostrom.web.service import Service
from ostrom.web.shapes.study import MessagePage, MessageRow, Promised

_LONGEST: Final = 10_000
"""Characters of a message that a page shows; the game's own page has all of it."""
_PLACE: Final = ["game", "round", "seat"]
_OUTCOME: Final = {"promised": pl.Float64(), "contributed": pl.Float64(), "kept": pl.Boolean()}
_TEXTS: Final = {"experiment": pl.String(), "key": pl.String(), **_OUTCOME, "kind": pl.String(), "lower": pl.String()}
_NONE: Final = frame([], {**MESSAGES, **_TEXTS})


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for; what is not given does not matter."""

    text: str = ""
    """In the message, whatever the case."""
    experiments: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    round_: int | None = None
    game: str | None = None
    promise: Promised = "any"


def message_page(service: Service, search: Search, offset: int, limit: int) -> MessagePage:
    """Some of the messages that are looked for, in the order in which they were said."""
    ids = experiment_ids(service, search.experiments)
    game = None if search.game is None else service.journal.game_id(search.game)
    said = all_messages(service)
    found = said.filter(*_conditions(search, ids, game))
    promises = int(found["kept"].count())
    kept = int(found["kept"].sum())
    page = found.slice(offset, limit).drop("lower")
    return MessagePage(
        messages=[MessageRow(**_bounded(row)) for row in page.iter_rows(named=True)],
        total=found.height,
        offset=offset,
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
            volume = service.findings.volume(study)
            make = partial(_made, study, volume)
            said.append(service.findings.kept(("messages", study.command, volume.digest), make))
    return pl.concat(said) if said else _NONE


def _made(study: Study[Any], volume: Volume) -> pl.DataFrame:
    tables, keys = volume.tables, {row.id: row.key for row in volume.rows}
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
    wanted = []
    if ids:
        wanted.append(pl.col("experiment").is_in(ids))
    if game is not None:
        wanted.append(pl.col("game") == game)
    if search.players:
        wanted.append(pl.col("player").is_in(search.players))
    if search.round_ is not None:
        wanted.append(pl.col("round") == search.round_)
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
