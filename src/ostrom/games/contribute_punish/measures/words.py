"""Whether seats do what they say."""

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Resampling, ratio_of
from ostrom.analysis.promises import promises
from ostrom.games.contribute_punish.tables import Tables


def kept_promises(tables: Tables) -> pl.DataFrame:
    """Every promise with what followed: game, round, seat, player, text, promised, contribution, kept, shortfall."""
    followed = tables.rounds.select("game", "round", "seat", "start", "contribution")
    return (
        promises(tables.messages)
        .join(followed, on=["game", "round", "seat"], maintain_order="left")
        .with_columns(promised=pl.when("everything").then("start").otherwise("promised"))
        # Who holds nothing promises nothing by promising everything.
        .filter(pl.col("promised") > 0)
        .with_columns(
            kept=pl.col("contribution") >= pl.col("promised"),
            shortfall=(pl.col("promised") - pl.col("contribution")).clip(lower_bound=0),
        )
        .drop("everything", "start")
    )


@Resampling
def promise_share(tables: Tables) -> Ratio:
    """The share of promises that were kept."""
    return _kept(tables, kept_promises(tables))


def promise_keeping(tables: Tables) -> pl.DataFrame:
    """Promise keeping: of the messages in which a player's seat stated an amount for its own contribution in that
    round, the share after which it contributed at least that amount. Beside it `promises`, their number, and
    `shortfall`, the mean over all promises of max(0, promised − contribution) in tokens, with its interval.

    Amounts are found by a pattern in English messages: "I'll contribute $10", "contributing 15 tokens", "all in with
    $55", "I will give my full balance" (then the balance at the round's start is promised). Conditional promises ("if
    everyone does"), suggestions ("let's all contribute $10"), words about others, the past or later rounds, upper
    bounds, amounts without a number and promises of nothing are left out. A seat that promises more than it holds
    breaks its promise. `ostrom.analysis.promises` says more, and how often the pattern was right."""
    found = kept_promises(tables)
    short = ratio_of(tables, found, ("player",), "shortfall").estimates()
    counts = found.group_by("player").agg(promises=pl.len().cast(pl.Int64))
    return (
        _kept(tables, found)
        .estimates()
        .join(counts, on="player", maintain_order="left")
        .join(
            short.select("player", shortfall="value", shortfall_low="low", shortfall_high="high"),
            on="player",
            maintain_order="left",
        )
    )


def _kept(tables: Tables, found: pl.DataFrame) -> Ratio:
    return ratio_of(tables, found, ("player",), pl.col("kept").cast(pl.Int64))
