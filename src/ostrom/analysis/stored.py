"""The tables of a journal's finished games: finals of seats, from columns alone; and all tidy tables, which are
computed once for each block of games and stored in the journal."""

import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.analysis import tables as common
from ostrom.analysis.study import Study
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.core.arrays import rounded
from ostrom.journal.results import BLOCK, FinishedGame, blocks_of, digest_of_block
from ostrom.journal.sql import Journal
from ostrom.version import VERSION

_MIN_STORED_GAMES: Final = BLOCK // 2
"""A block with fewer games is likely to grow: its tables are not stored."""


def result_tables(study: Study[Any], results: Sequence[FinishedGame]) -> GameTables:
    """Return the tables of games and of seats, with players and finals, for ratings; no event is decoded. Rules,
    messages and answers are not included. Every result has finals."""
    clock = f"{study.game.clock}s"
    games, seats = [], []
    for one in results:
        sums = [sum(column) for column in zip(*one.tallies, strict=True)] if one.tallies else [0, 0, 0, 0]
        answers, defaulted, repaired, _ = sums
        head = (one.id, one.experiment, one.game, len(one.players), one.rounds or 0)
        origin = (one.source, None if one.seed is None else int(one.seed), one.number)
        games.append((*head, *origin, defaulted, repaired, answers))
        for seat, (player, final, tally) in enumerate(zip(one.players, one.finals or (), one.tallies, strict=True)):
            answers, defaulted, repaired, imported = tally
            seats.append((one.id, seat, player, final, defaulted, repaired, answers, imported))
    table = common.frame(seats, common.SEATS)
    # Finals are rounded as for the winners, so that a rounding error neither makes nor breaks a tie.
    finals = pl.Series("final", rounded(table["final"].to_numpy().astype(np.float64)), nan_to_null=True)
    return GameTables(
        common.frame(games, common.games_schema({clock: pl.Int64})),
        common.ranked(table.with_columns(finals), better=study.game.better),
        kind=study.game.name,
    )


def study_tables(
    journal: Journal, study: Study[Any], results: Sequence[FinishedGame], check: Callable[[], None] = lambda: None
) -> GameTables:
    """Return all tidy tables of these games, from the journal or computed and then stored. `check` is called before
    each block of games, and may raise to stop."""
    blocks = []
    for number, members in blocks_of(results):
        check()
        blocks.append(_block(journal, study, number, members))
    return _concatenate(blocks) if blocks else study.tables(())


def _block(journal: Journal, study: Study[Any], block: int, results: Sequence[FinishedGame]) -> GameTables:
    game = results[0].game
    digest = digest_of_block(results, _version(study))
    empty: GameTables = study.tables(())
    if len(results) >= _MIN_STORED_GAMES and (stored := journal.ended.tables(game, block, digest)):
        with suppress(pl.exceptions.PolarsError, KeyError, OSError):
            parts: dict[str, Any] = {name: pl.read_ipc(io.BytesIO(stored[name])) for name in empty.parts}
            if all(table.schema == empty.parts[name].schema for name, table in parts.items()):
                return type(empty)(**parts, kind=empty.kind)
    tables: GameTables = study.tables(journal.ended.records([result.id for result in results]))
    if len(results) >= _MIN_STORED_GAMES:
        with suppress(InputError):  # another process is writing; the tables are computed again next time
            journal.ended.keep_tables(game, block, digest, {name: _bytes(one) for name, one in tables.parts.items()})
    return tables


def _concatenate(several: Sequence[GameTables]) -> GameTables:
    first = several[0]
    parts: dict[str, Any] = {
        name: pl.concat([one.parts[name] for one in several], rechunk=True) for name in first.parts
    }
    return type(first)(**parts, kind=first.kind)


def _bytes(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_ipc(stream, compression="zstd")
    return stream.getvalue()


@cache
def _source_digest(*files: str) -> str:
    return blake2b(b"".join(Path(file).read_bytes() for file in files), digest_size=8).hexdigest()


def _version(study: Study[Any]) -> str:
    """Return what determines the tables besides the games: the game's version, ours, and the code that makes them."""
    own = None if study.own is None else study.own.tables
    files = [common.__file__] if own is None else [common.__file__, own.__code__.co_filename]
    return f"{study.game.name} {study.game.version} {VERSION} {pl.__version__} {_source_digest(*files)}"
