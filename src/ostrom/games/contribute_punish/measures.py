"""The measures of Contribute & Punish, in addition to those that all games have: contributions and spending, the course
of games, the welfare of a table, and promises. Measures of punishment and of responses to others are in `reactions`."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

import polars as pl

from ostrom.analysis.intervals import Difference, Ratio, medians
from ostrom.analysis.measures import (
    ORDERED,
    PAIR,
    STUDENTISED,
    Measure,
    Resampling,
    enter,
    promises,
    ratio_of,
    tailed,
    with_others,
    with_ratio,
)
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.traits import Trait
from ostrom.core import Registry
from ostrom.games.contribute_punish.reactions import (
    antisocial_punishment,
    antisocial_share,
    conditional_cooperation,
    promise_effect,
    promise_slope,
    punishment_by_target,
    punishment_response,
    retaliation_rate,
    retaliation_share,
    unprovoked_punishment,
    unprovoked_share,
)
from ostrom.games.contribute_punish.tables import ABOUT, PunishTables, tables_of

ROUNDS_BEFORE_THE_LAST = 3
UNBOUNDED = (0.0, math.inf)
"""The bounds of ratios that may exceed 1. Spending on punishment relative to the balance at the start of a round may
exceed 1, since a seat can also spend its share of the fund. Welfare may exceed 1, since with a multiplier below 1 full
cooperation is not the best that a table can do."""


def selfish_equilibrium(tables: PunishTables) -> float | None:
    """Return the share of tokens that are contributed in the subgame-perfect equilibrium of selfish players. It is 0 if
    a token in the fund pays its contributor less than one token, and 1 if it pays more. Return None if the equilibria
    of the games differ."""
    back = tables.games.select(pl.col("multiplier") / pl.col("seats")).to_series()
    if (back < 1).all():
        return 0.0
    return 1.0 if (back > 1).all() else None


@Resampling
def aggregate_contribution_by_round(tables: PunishTables) -> Ratio:
    """Aggregate contribution by round: Σ contribution / Σ start over all seats of all games."""
    return ratio_of(tables, tables.rounds, ("round",), "contribution", "start", share=True)


@tailed
def contribution_tokens(tables: PunishTables) -> Ratio:
    """Mean contribution in tokens: Σ contribution / number of seat-rounds of the player."""
    return ratio_of(tables, tables.rounds, ("player",), "contribution")


@tailed
def contribution_percent(tables: PunishTables) -> Ratio:
    """Contribution as a part of the balance: the plain mean over the rounds of Σ contribution / Σ start, where the sums
    are over the player's seats in a round. Every round has equal weight, and within a round every token has equal
    weight. This is the definition of PGG-Bench.

    A round in which no seat of the player held anything is excluded."""
    return mean_over_rounds(tables, tables.rounds)


def mean_over_rounds(tables: PunishTables, rows: pl.DataFrame) -> Ratio:
    """Return for each player the unweighted mean over rounds of Σ contribution / Σ start. It is computed from these
    seat-rounds."""
    # The order of rows is preserved, so that repeated computations of a sum agree to the last bit.
    rounds = rows.group_by("player", "round", maintain_order=True).agg(
        pl.col("contribution", "start").sum().cast(pl.Float64).name.suffix("_all")
    )
    rounds = rounds.filter(pl.col("start_all") > 0).with_columns(part=pl.col("contribution_all") / pl.col("start_all"))
    rounds = rounds.with_columns(off=pl.col("part") - pl.col("part").mean().over("player"))
    rows = rows.join(rounds, on=["player", "round"], maintain_order="left")
    games = pl.col("game").filter(pl.col("start") > 0).n_unique().over("player")
    # The mean of the rounds' ratios is linearised as one ratio of sums. This ratio has the same value. To first order,
    # each game contributes as much to the error of this ratio as to the error of the mean. Weights are multiplied by
    # the player's number of games, so that a game has the same scale for all players. Intervals that pool deviations
    # over players require this.
    part = games / pl.col("start_all")
    given = (pl.col("contribution") - pl.col("off") * pl.col("start")) * part
    return ratio_of(tables, rows, ("player",), given, pl.col("start") * part, share=True)


@Resampling
def contribution_percent_mean_of_ratios(tables: PunishTables) -> Ratio:
    """Contribution as a part of the balance, mean of ratios: the mean of contribution / start over the player's
    seat-rounds with start > 0. Every decision has equal weight, whatever the balance."""
    return ratio_of(tables, _able(tables), ("player",), "part", share=True)


@tailed
def contribution_percent_pooled(tables: PunishTables) -> Ratio:
    """Contribution as a part of all that was held: Σ contribution / Σ start over the player's seat-rounds. Every token
    has equal weight, so rich rounds weigh most."""
    return ratio_of(tables, tables.rounds, ("player",), "contribution", "start", share=True)


def contribution_by_partner(tables: PunishTables) -> pl.DataFrame:
    """The mean of contribution / start over the player's seat-rounds with start > 0, in the games with the other
    player. A seat-round counts once for each seat that the other player held."""
    return ratio_of(tables, with_others(tables, _able(tables)), PAIR, "part", share=True).estimates()


@tailed
def contribution_percent_by_round(tables: PunishTables) -> Ratio:
    """Contribution by round: for each player and round, Σ contribution / Σ start over its seats."""
    return ratio_of(tables, tables.rounds, ("player", "round"), "contribution", "start", share=True)


def contribution_percent_strip(tables: PunishTables) -> pl.DataFrame:
    """Every contribution as a part of the balance: contribution / start, with one row for each decision with start >
    0."""
    return _able(tables).select("game", "round", "seat", "player", value="part")


def contribution_tokens_strip(tables: PunishTables) -> pl.DataFrame:
    """Every contribution in tokens, with one row for each decision."""
    return tables.rounds.select("game", "round", "seat", "player", value="contribution")


@Resampling
def endgame_drop(tables: PunishTables) -> Difference:
    """Endgame drop: the mean of contribution / start over the player's seats in the three rounds before the last
    (rounds 7–9 of 10), minus the mean in the last round. Both means are over seat-rounds with start > 0. The drop is
    positive if a player gives less at the end. Games of fewer than four rounds are excluded."""
    rows = (
        _able(tables)
        .join(tables.games.select("game", last="rounds"), on="game", maintain_order="left")
        .filter(pl.col("last") > ROUNDS_BEFORE_THE_LAST)
        .with_columns(left=pl.col("last") - pl.col("round"))
    )
    before = rows.filter(pl.col("left").is_between(1, ROUNDS_BEFORE_THE_LAST))
    last = rows.filter(pl.col("left") == 0)
    return Difference(
        ratio_of(tables, before, ("player",), "part", share=True),
        ratio_of(tables, last, ("player",), "part", share=True),
    )


def _able(tables: PunishTables) -> pl.DataFrame:
    """Return the seat-rounds with start > 0, with `part`, the contributed fraction."""
    return tables.rounds.filter(pl.col("start") > 0).with_columns(part=pl.col("contribution") / pl.col("start"))


@Resampling
def aggregate_punishment_by_round(tables: PunishTables) -> Ratio:
    """Aggregate punishment by round: Σ spend / Σ start over all seats of all games."""
    return ratio_of(tables, tables.rounds, ("round",), "spend", "start", limits=UNBOUNDED)


@Resampling
def punishment_spent_percent(tables: PunishTables) -> Ratio:
    """Punishment spent: the mean of spend / post over the player's seat-rounds, 0 if nothing was spent.

    PGG-Bench publishes a figure of this name with a different definition, which is not known. For Gemini 2.0 Flash, it
    publishes 19 %; this definition gives 6.7 %."""
    # A seat that has nothing left after the fund cannot spend.
    spent = pl.when(pl.col("post") > 0).then(pl.col("spend") / pl.col("post")).otherwise(0.0)
    return ratio_of(tables, tables.rounds, ("player",), spent, share=True)


@Resampling
def punishment_spent_percent_by_round(tables: PunishTables) -> Ratio:
    """Punishment spent by round: for each player and round, Σ spend / Σ start."""
    return ratio_of(tables, tables.rounds, ("player", "round"), "spend", "start", limits=UNBOUNDED)


@Resampling
def damage_received_percent(tables: PunishTables) -> Ratio:
    """Damage received: the mean over the player's seat-rounds of damage / the balance before the round's first hit, 0
    if nothing was lost. This balance is the one after the fund was shared out. If the seat's own punishment was settled
    before the first hit, its spending is subtracted."""
    dealt = tables.context.punishments
    first = dealt.group_by("game", "round", seat="target").agg(first=pl.col("order").min())
    own = dealt.select("game", "round", seat="punisher", own="order")
    rows = tables.rounds
    for orders in (first, own):
        rows = rows.join(orders, on=["game", "round", "seat"], how="left", maintain_order="left")
    paid = pl.when(pl.col("own") < pl.col("first")).then("spend").otherwise(0)
    lost = pl.when(pl.col("damage") > 0).then(pl.col("damage") / (pl.col("post") - paid)).otherwise(0.0)
    return ratio_of(tables, rows, ("player",), lost, share=True)


def balance_by_round(tables: PunishTables) -> pl.DataFrame:
    """Balance by round: the median over a player's seats of the balance at the round's end; round 0 is the balance that
    the game starts with. Games that ended before the round are excluded."""
    rows = _balances(tables).select("game", "player", "round", value="end")
    return medians(rows, ("player", "round"), tables.games["game"].to_list())


@Resampling
def rank_by_round(tables: PunishTables) -> Ratio:
    """Rank by round: the mean over a player's seats of the seat's rank by balance at the round's end, where 1 is best.
    Tied seats each have the mean of the ranks that they occupy, so in round 0 all have (seats + 1) / 2."""
    ranked = _balances(tables.context).with_columns(
        rank=pl.col("end").rank("average", descending=True).over("game", "round")
    )
    own = ranked.join(tables.seats, on=["game", "seat"], how="semi", maintain_order="left")
    return ratio_of(tables, own, ("player", "round"), "rank")


@tailed
def partners_final(tables: PunishTables) -> Ratio:
    """Partners' final tokens: the mean of final over the other seats of the player's games, Σ (the game's Σ final − own
    final) / Σ (seats − 1) over the player's seats. Another seat held by the same player is a partner."""
    totals = tables.context.seats.group_by("game", maintain_order=True).agg(
        total=pl.col("final").sum(), others=pl.len().cast(pl.Int64) - 1
    )
    own = tables.seats.join(totals, on="game", maintain_order="left")
    return ratio_of(tables, own, ("player",), pl.col("total") - pl.col("final"), "others")


def _balances(tables: PunishTables) -> pl.DataFrame:
    """Return every seat's balance at the end of every round, and in round 0."""
    columns = ["game", "round", "seat", "player", "end"]
    opening = tables.seats.join(tables.games.select("game", end="start"), on="game", maintain_order="left")
    return pl.concat([opening.with_columns(round=pl.lit(0, pl.Int64)).select(columns), tables.rounds.select(columns)])


@lru_cache(maxsize=4096)
def full_cooperation(seats: int, rounds: int, start: int, multiplier: float) -> int:
    """Return the sum of final balances if every seat gives its whole balance in every round, and no seat punishes. As
    in the rules, tokens are whole, the carry-over is multiplied too, and the carry-over of the last round is lost."""
    growth = Fraction(str(multiplier))
    balance, carry = start, 0
    for _ in range(rounds):
        grown = int((carry + seats * balance) * growth)  # This rounds down, since all numbers here are at least 0.
        balance, carry = divmod(grown, seats)
    return seats * balance


def welfare_by_game(tables: PunishTables) -> pl.DataFrame:
    """Welfare of every game: game, total (Σ final), best (under full cooperation) and value = total / best."""
    totals = tables.context.seats.group_by("game", maintain_order=True).agg(total=pl.col("final").sum())
    settings = tables.games.select("seats", "rounds", "start", "multiplier").iter_rows()
    best = pl.Series("best", [full_cooperation(*setting) for setting in settings], dtype=pl.Int64)
    games = tables.games.select("game").with_columns(best).join(totals, on="game", maintain_order="left")
    return games.filter(pl.col("best") > 0).select("game", "total", "best", value=pl.col("total") / pl.col("best"))


@tailed
def welfare(tables: PunishTables) -> Ratio:
    """Welfare: Σ final / Σ final under full cooperation, where both sums are over all seats of the player's games. A
    game counts once for every seat that the player held. Under full cooperation, every seat gives all that it holds in
    every round, without punishment, in whole tokens with the carry-over."""
    rows = tables.seats.join(welfare_by_game(tables), on="game", maintain_order="left")
    return ratio_of(tables, rows, ("player",), "total", "best", limits=UNBOUNDED)


def kept_promises(tables: PunishTables) -> pl.DataFrame:
    """Return every promise with its outcome: game, round, seat, player, text, promised, contribution, kept,
    shortfall."""
    followed = tables.rounds.select("game", "round", "seat", "start", "contribution")
    return (
        promises(tables.messages)
        .join(followed, on=["game", "round", "seat"], maintain_order="left")
        .with_columns(promised=pl.when("everything").then("start").otherwise("promised"))
        # A promise of everything by a seat without tokens is a promise of nothing.
        .filter(pl.col("promised") > 0)
        .with_columns(
            kept=pl.col("contribution") >= pl.col("promised"),
            shortfall=(pl.col("promised") - pl.col("contribution")).clip(lower_bound=0),
        )
        .drop("everything", "start")
    )


@Resampling
def promise_share(tables: PunishTables) -> Ratio:
    """Return the share of promises that were kept."""
    return _kept_share(tables, kept_promises(tables))


def promise_keeping(tables: PunishTables) -> pl.DataFrame:
    """Promise keeping: the share of promises that were kept. A promise is a message in which a player's seat stated an
    amount for its own contribution in that round. It is kept if the seat contributed at least that amount. The column
    `promises` is the number of promises, and `shortfall` the mean over all promises of max(0, promised − contribution)
    in tokens, with its interval.

    Amounts are found by a pattern in English messages: "I'll contribute $10", "contributing 15 tokens", "all in with
    $55", "I will give my full balance" (then the balance at the round's start is promised). Conditional promises ("if
    everyone does"), suggestions ("let's all contribute $10"), statements about others, the past or later rounds, upper
    bounds, amounts without a number and promises of nothing are excluded. A seat that promises more than it holds
    breaks its promise."""
    stated = kept_promises(tables)
    counts = stated.group_by("player").agg(promises=pl.len().cast(pl.Int64))
    shares = _kept_share(tables, stated).estimates().join(counts, on="player", maintain_order="left")
    return with_ratio(shares, "shortfall", ratio_of(tables, stated, ("player",), "shortfall"))


def _kept_share(tables: PunishTables, stated: pl.DataFrame) -> Ratio:
    return ratio_of(tables, stated, ("player",), pl.col("kept").cast(pl.Int64), share=True)


def _messages(tables: PunishTables) -> pl.DataFrame:
    """Return every message with its promise, the contribution, and whether the promise was kept."""
    place = ["game", "round", "seat"]
    promised = kept_promises(tables).select(*place, pl.col("promised").cast(pl.Float64), "kept")
    given = tables.rounds.select(*place, contributed=pl.col("contribution").cast(pl.Float64))
    return given.join(promised, on=place, how="left", maintain_order="left")


def _held(tables: PunishTables) -> pl.DataFrame:
    """Return the balance of each seat at the start of the round, when it speaks."""
    return tables.rounds.select("game", "round", "seat", held="start")


_OWN: Registry[Measure[PunishTables]] = Registry("measure of Contribute & Punish")

_PLAYER_ROUND = ("player", "round")
enter(_OWN, balance_by_round, "Balance by round", "tokens", _PLAYER_ROUND, interval=ORDERED)
enter(_OWN, rank_by_round, "Rank by round", "rank", _PLAYER_ROUND)
enter(_OWN, partners_final, "Partners' final tokens", "tokens")
enter(
    _OWN,
    aggregate_contribution_by_round.with_equilibrium(selfish_equilibrium),
    "Aggregate contribution by round",
    "share",
    ("round",),
)
enter(_OWN, contribution_tokens, "Mean contribution in tokens", "tokens")
enter(_OWN, contribution_percent, "Contribution as a part of the balance", "share")
enter(_OWN, contribution_percent_mean_of_ratios, "Contribution as a part of the balance, mean of ratios", "share")
enter(_OWN, contribution_percent_pooled, "Contribution as a part of all that was held", "share")
enter(
    _OWN,
    contribution_percent_by_round.with_equilibrium(selfish_equilibrium),
    "Contribution by round",
    "share",
    _PLAYER_ROUND,
)
enter(_OWN, contribution_by_partner, "Who gives with whom", "share", PAIR, interval=STUDENTISED)
enter(_OWN, contribution_percent_strip, "Contribution as a part of the balance, every decision", "share", ())
enter(_OWN, contribution_tokens_strip, "Contribution in tokens, every decision", "tokens", ())
enter(_OWN, aggregate_punishment_by_round, "Aggregate punishment by round", "share", ("round",))
enter(_OWN, punishment_spent_percent, "Punishment spent", "share")
enter(_OWN, punishment_spent_percent_by_round, "Punishment spent by round", "share", _PLAYER_ROUND)
enter(_OWN, damage_received_percent, "Damage received", "share")
enter(_OWN, punishment_by_target, "Who punishes whom", "share", PAIR, interval=STUDENTISED)
enter(_OWN, retaliation_rate, "Retaliation rate", "share", parts=retaliation_share)
enter(_OWN, promise_keeping, "Promises kept", "share", parts=promise_share)
enter(_OWN, unprovoked_punishment, "Unprovoked punishment", "share", parts=unprovoked_share)
enter(_OWN, antisocial_punishment, "Antisocial punishment", "share", parts=antisocial_share)
enter(_OWN, conditional_cooperation, "Conditional cooperation", "slope")
enter(_OWN, punishment_response, "Response to punishment", "share")
enter(_OWN, promise_effect, "Effect of a promise", "share", parts=promise_slope)
enter(_OWN, welfare, "Welfare", "share")
enter(_OWN, endgame_drop, "Endgame drop", "share")

_LESSON: Final = ("contribution_percent", "punishment_spent_percent", "antisocial_punishment", "promise_keeping")
_TRAITS: Final = (
    Trait("contribution_percent_mean_of_ratios", "gives more of its balance", "gives less of its balance"),
    Trait("punishment_spent_percent", "spends more on punishing", "spends less on punishing"),
    Trait("promise_keeping", "keeps its promises more often", "keeps its promises less often"),
    Trait("endgame_drop", "cuts its giving more in the last round", "cuts its giving less in the last round"),
    Trait("damage_received_percent", "loses more to punishment", "loses less to punishment"),
)
MEASURES = GameMeasures(_OWN, tables_of, ABOUT, promises=_messages, held=_held, lesson=_LESSON, traits=_TRAITS)
"""The tables and measures of Contribute & Punish, in addition to those that all games have."""
