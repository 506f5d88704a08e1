"""Promises in a table of messages; what counts as one is said, and found, in `ostrom.core.promises`."""

import polars as pl

from ostrom.core.promises import promise_in


def promises(messages: pl.DataFrame) -> pl.DataFrame:
    """Every promise in a table of messages: game, round, seat, player, text, promised (tokens; null where it is all
    that the seat holds, which a message does not tell) and everything (true for those)."""
    found = [promise_in(text) for text in messages["text"].to_list()]
    return (
        messages.select("game", "round", "seat", "player", "text")
        .with_columns(
            pl.Series("promised", [promise.amount if promise else None for promise in found], dtype=pl.Int64),
            pl.Series(
                "everything", [promise is not None and promise.amount is None for promise in found], dtype=pl.Boolean
            ),
        )
        .filter(pl.Series([promise is not None for promise in found], dtype=pl.Boolean))
    )
