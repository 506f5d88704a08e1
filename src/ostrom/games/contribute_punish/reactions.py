"""Reactions of players: targets of punishment, compared with base rates, and responses of contributions, as slopes of
regressions over the rounds of a player's games from the second on."""

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import PAIR, Resampling, promises, ratio_of, with_others, with_ratio
from ostrom.analysis.panel import slope_of
from ostrom.games.contribute_punish.tables import PunishTables

_ROUND = ("game", "round")


@Resampling
def retaliation_share(tables: PunishTables) -> Ratio:
    """Of the punishments that the player suffered, the share that it answered in the next round."""
    return ratio_of(tables, _pairs(tables), ("player",), "answered", "suffered", share=True)


def retaliation_rate(tables: PunishTables) -> pl.DataFrame:
    """Retaliation rate: of the punishments that the player's seats suffered before the last round, the share after
    which the seat punished that punisher in the next round. A seat punished by several in one round can punish only one
    of them in return; punishments of the last round cannot be returned and are excluded. The column `base` is the base
    rate with its interval: of the other seats that did not punish the seat in a round before the last, the share that
    it punished in the next."""
    unasked, free = pl.col("hits") - pl.col("answered"), pl.col("others") - pl.col("suffered")
    base = ratio_of(tables, _pairs(tables), ("player",), unasked, free, share=True)
    return with_ratio(retaliation_share(tables), "base", base)


def _pairs(tables: PunishTables) -> pl.DataFrame:
    """Return for each seat-round before the last the number of other seats, of its punishers (`suffered`), of its
    targets in the next round (`hits`), and of those targets that had punished it (`answered`)."""
    dealt = tables.context.punishments
    suffered = dealt.select(*_ROUND, seat="target", other="punisher").unique(maintain_order=True)
    hits = dealt.select("game", pl.col("round") - 1, seat="punisher", other="target").unique(maintain_order=True)
    answered = suffered.join(hits, on=[*_ROUND, "seat", "other"], how="semi", maintain_order="left")
    rows = (
        tables.rounds.select(*_ROUND, "seat", "player")
        .join(tables.games.select("game", last="rounds", others=pl.col("seats") - 1), on="game", maintain_order="left")
        .filter(pl.col("round") < pl.col("last"))
    )
    for name, pairs in {"suffered": suffered, "hits": hits, "answered": answered}.items():
        counts = pairs.group_by(*_ROUND, "seat").agg(pl.len().cast(pl.Int64).alias(name))
        rows = rows.join(counts, on=[*_ROUND, "seat"], how="left", maintain_order="left")
    return rows.with_columns(pl.col("suffered", "hits", "answered").fill_null(0))


_UNPROVOKED = pl.col("target_gave") >= pl.col("median_gave")
_ANTISOCIAL = pl.col("target_part") > pl.col("punisher_part")
_MORE_TOKENS = pl.col("target_gave") > pl.col("punisher_gave")
_AS_MANY_TOKENS = pl.col("target_gave") >= pl.col("punisher_gave")


@Resampling
def unprovoked_share(tables: PunishTables) -> Ratio:
    """Of the punishments that the player dealt, the share that hit a seat that gave at least the median."""
    return _share(tables, _aims(tables), _UNPROVOKED)


def unprovoked_punishment(tables: PunishTables) -> pl.DataFrame:
    """Unprovoked punishment: of the punishments by the player, the share whose target had contributed, in that round,
    at least the median of all seats' contributions (in tokens, punisher and target included). The column `random` is
    the share if each of these punishments had hit another seat of its table at random; `rate` is the number of
    unprovoked punishments / the player's seat-rounds with post > 0, in which one was possible, as there is always
    another seat that gave at least the median; and `punishments` counts all punishments by the player."""
    aims = _aims(tables)
    rated = _with_rate(tables, unprovoked_share(tables), aims, tables.rounds.filter(pl.col("post") > 0), _UNPROVOKED)
    return with_ratio(rated, "random", _at_random(tables, aims, _UNPROVOKED))


@Resampling
def antisocial_share(tables: PunishTables) -> Ratio:
    """Of the punishments that the player dealt, the share that hit a seat that gave a larger part of its balance."""
    return _share(tables, _aims(tables), _ANTISOCIAL)


def antisocial_punishment(tables: PunishTables) -> pl.DataFrame:
    """Antisocial punishment: of the punishments by the player, the share whose target had contributed a larger fraction
    of its balance in that round than the punisher (contribution / start; 0 for a seat that held nothing). The column
    `tokens` is the share whose target had contributed more tokens, and `as_many`, by Herrmann, Thöni and Gächter
    (2008), the share whose target had contributed at least as many; `random`, `tokens_random` and `as_many_random` are
    these shares if each punishment had hit another seat of its table at random; `rate` is the number of antisocial
    punishments / the player's seat-rounds with post > 0 in which another seat gave a larger fraction, so that one was
    possible; and `punishments` counts all punishments by the player."""
    aims = _aims(tables)
    most = _contributions(tables).group_by(_ROUND, maintain_order=True).agg(most=pl.col("part").max())
    could = (
        tables.rounds.join(most, on=_ROUND, maintain_order="left")
        .join(_contributions(tables).select(*_ROUND, "seat", "part"), on=[*_ROUND, "seat"], maintain_order="left")
        .filter((pl.col("post") > 0) & (pl.col("part") < pl.col("most")))
    )
    result = _with_rate(tables, antisocial_share(tables), aims, could, _ANTISOCIAL)
    result = with_ratio(result, "random", _at_random(tables, aims, _ANTISOCIAL))
    for name, target_kind in {"tokens": _MORE_TOKENS, "as_many": _AS_MANY_TOKENS}.items():
        result = with_ratio(result, name, _share(tables, aims, target_kind))
        result = with_ratio(result, f"{name}_random", _at_random(tables, aims, target_kind))
    return result


def punishment_by_target(tables: PunishTables) -> pl.DataFrame:
    """Of the rounds of a seat of the player and a seat of the other in one game, in which the
    player's seat had tokens left after the fund, the share in which the player's seat punished the other's. A seat
    punishes at most one other seat in a round."""
    hits = tables.punishments.select(*_ROUND, seat="punisher", other_seat="target", hit=pl.lit(1))
    able = tables.rounds.filter(pl.col("post") > 0).select(*_ROUND, "seat", "player")
    rows = with_others(tables, able).join(hits, on=[*_ROUND, "seat", "other_seat"], how="left", maintain_order="left")
    return ratio_of(tables, rows, PAIR, pl.col("hit").fill_null(0), share=True).estimates()


def _contributions(tables: PunishTables) -> pl.DataFrame:
    """Return every contribution, in tokens and as a part of the balance."""
    part = pl.when(pl.col("start") > 0).then(pl.col("contribution") / pl.col("start")).otherwise(0.0)
    return tables.context.rounds.select(*_ROUND, "seat", gave="contribution", part=part)


def _aims(tables: PunishTables) -> pl.DataFrame:
    """Return a row for each punishment and each seat that it could have hit, with the contributions of the punisher and
    of that seat, and the median contribution of the round. `hit` is true for the actual target."""
    contributions = _contributions(tables)
    middle = contributions.group_by(_ROUND, maintain_order=True).agg(median_gave=pl.col("gave").median())
    own = contributions.rename({"seat": "punisher", "gave": "punisher_gave", "part": "punisher_part"})
    others = contributions.rename({"seat": "other", "gave": "target_gave", "part": "target_part"})
    return (
        tables.punishments.select(*_ROUND, "punisher", "target", player="punisher_player")
        .join(own, on=[*_ROUND, "punisher"], maintain_order="left")
        .join(middle, on=_ROUND, maintain_order="left")
        .join(others, on=_ROUND, maintain_order="left")
        .filter(pl.col("other") != pl.col("punisher"))
        .with_columns(hit=pl.col("other") == pl.col("target"))
    )


def _share(tables: PunishTables, aims: pl.DataFrame, target_kind: pl.Expr) -> Ratio:
    """Return the share of the player's punishments that hit a target of this kind."""
    return ratio_of(tables, aims.filter("hit"), ("player",), target_kind.cast(pl.Int64), share=True)


def _at_random(tables: PunishTables, aims: pl.DataFrame, target_kind: pl.Expr) -> Ratio:
    """Return the expected share if each punishment had a random target at its table."""
    probability = 1 / pl.len().over(*_ROUND, "punisher")
    return ratio_of(tables, aims, ("player",), target_kind.cast(pl.Float64) * probability, probability, share=True)


def _with_rate(
    tables: PunishTables, shares: pl.DataFrame, aims: pl.DataFrame, could: pl.DataFrame, target_kind: pl.Expr
) -> pl.DataFrame:
    """Return the shares with the columns `rate`, the share of the rows in `could` with such a punishment, and
    `punishments`, the number of all punishments."""
    done = aims.filter("hit").filter(target_kind).select(*_ROUND, seat="punisher", done=pl.lit(1))
    rows = could.join(done, on=[*_ROUND, "seat"], how="left", maintain_order="left")
    counts = tables.punishments.group_by(player="punisher_player").agg(punishments=pl.len().cast(pl.Int64))
    rated = with_ratio(shares, "rate", ratio_of(tables, rows, ("player",), pl.col("done").fill_null(0), share=True))
    return rated.join(counts, on="player", how="left", maintain_order="left")


# Contributions.

_PLACE = ("game", "round", "seat")
_BEFORE = ("gave_before", "others_before", "punished_before", "round", "last")
"""The regressors that are known at the start of the round."""
_PROMISES = ("promised", "others_promised")


def rounds_in_sequence(tables: PunishTables) -> pl.DataFrame:
    """Return the seat-rounds from the second on with regressors of the round before. The seat has tokens in both
    rounds, the others in the earlier. `gave`, `gave_before` and `others_before` are fractions of balances (the others'
    Σ contribution / Σ start), `punished_before` is 1 if the seat lost tokens in the round before, `last` is 1 in the
    last round."""
    others_given, others_held = (
        pl.col(name).sum().over("game", "round") - pl.col(name) for name in ("contribution", "start")
    )
    rounds = tables.context.rounds.with_columns(
        part=pl.col("contribution") / pl.col("start"), others=others_given / others_held, held=others_held
    )
    before = rounds.filter((pl.col("start") > 0) & (pl.col("held") > 0)).select(
        "game",
        "seat",
        pl.col("round") + 1,
        gave_before="part",
        others_before="others",
        punished_before=(pl.col("damage") > 0).cast(pl.Float64),
    )
    return (
        tables.rounds.filter(pl.col("start") > 0)
        .join(before, on=["game", "seat", "round"], maintain_order="left")
        .join(tables.games.select("game", length="rounds"), on="game", maintain_order="left")
        .select(
            *_PLACE,
            "player",
            *_BEFORE[:3],
            gave=pl.col("contribution") / pl.col("start"),
            last=(pl.col("round") == pl.col("length")).cast(pl.Float64),
        )
    )


def rounds_with_promises(tables: PunishTables) -> pl.DataFrame:
    """Return `rounds_in_sequence` of games with messages, with `promised`, 1 if the seat stated its contribution, and
    `others_promised`, the fraction of the other seats that did."""
    stated = promises(tables.context.messages).select(*_PLACE, promised=pl.lit(1.0)).unique(maintain_order=True)
    counts = stated.group_by("game", "round").agg(promises=pl.len().cast(pl.Float64))
    rows = (
        rounds_in_sequence(tables)
        .join(tables.games.filter("messages").select("game", "seats"), on="game", maintain_order="left")
        .join(stated, on=_PLACE, how="left", maintain_order="left")
        .join(counts, on=["game", "round"], how="left", maintain_order="left")
        .with_columns(pl.col("promised", "promises").fill_null(0.0))
    )
    return rows.with_columns(others_promised=(pl.col("promises") - pl.col("promised")) / (pl.col("seats") - 1))


@Resampling
def conditional_cooperation(tables: PunishTables) -> Ratio:
    """Conditional cooperation: how many more points of its balance a player contributes for each additional point of
    theirs that the others contributed in the round before (their Σ contribution / Σ start): 1 follows them point by
    point, 0 ignores them. The slope of a linear regression over the player's seat-rounds from the second on, given its
    own contributed fraction in the round before, whether it was punished in it, the round's number and whether it is
    the last.

    The slope describes an association of contributions; it is the slope of a player's rule if the rule is linear in
    these. There is no fixed effect for the seat in a game: with ten rounds, in which the others react to the seat, it
    would bias the slope (Nickell 1981)."""
    return slope(tables, rounds_in_sequence(tables), "others_before")


@Resampling
def punishment_response(tables: PunishTables) -> Ratio:
    """Punishment response: how much more of its balance a player contributes in the round after it lost tokens to
    punishment than after other rounds; below 0 it gives less. A slope of the same regression as conditional
    cooperation: given what the seat and the others contributed in the round before, the round's number and whether it
    is the last."""
    return slope(tables, rounds_in_sequence(tables), "punished_before")


@Resampling
def promise_slope(tables: PunishTables) -> Ratio:
    """Return the additional part of its balance that a player contributes in rounds with a promise."""
    return slope(tables, rounds_with_promises(tables), *_PROMISES)


def promise_effect(tables: PunishTables) -> pl.DataFrame:
    """Effect of a promise: how much more of its balance a player contributes in a round in which its message stated an
    amount than in one in which it did not, given the share of the other seats that stated one, the contributions of the
    seat and of the others in the round before, whether it was punished in it, the round's number and whether it is the
    last. The column `others` is from the same regression: how much more it contributes if all others state an amount
    than if none does. Only games with messages are included.

    Promises are found as in promise keeping. Promises are not assigned at random, so this is an adjusted difference,
    not the causal effect of a promise."""
    rows = rounds_with_promises(tables)
    result = slope(tables, rows, *_PROMISES).estimates()
    return with_ratio(result, "others", slope(tables, rows, *reversed(_PROMISES)))


def slope(tables: PunishTables, rows: pl.DataFrame, regressor: str, *more: str) -> Ratio:
    """Return the slope of the contributed fraction on a regressor, with the regressors of the round before and `more`
    as controls."""
    controls = [name for name in (*_BEFORE, *more) if name != regressor]
    return slope_of(tables, rows, "gave", regressor, controls)
