"""Reactions of players. Targets of punishment are compared with base rates. Responses of contributions are slopes of
regressions over the rounds of a player's games, from the second round on.

A slope is that of an outcome on one regressor, given controls, over the rows of a panel. First the controls are
partialled out of outcome and regressor by least squares within the group. Then the residual outcome is regressed on the
residual regressor. This regression has the same slope as the whole regression (Frisch and Waugh 1933, Lovell 1963), and
its slope is a ratio of sums over games, Σ x̃ỹ / Σ x̃². So a slope is a `Ratio` like any other measure, with a bootstrap
over games (Cameron, Gelbach and Miller 2008). If there are few games, residuals are too small, since the regression is
fitted to these games. Therefore residuals are adjusted by the leverage of their game, as by Bell and McCaffrey (2002),
before they enter the error. With many games, the error is that of the cluster-robust sandwich (Liang and Zeger
1986)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import PAIR, Resampling, promises, ratio_of, with_others, with_ratio
from ostrom.analysis.tables import GameTables
from ostrom.games.contribute_punish.tables import PunishTables

_ROUND = ("game", "round")


@Resampling
def retaliation_share(tables: PunishTables) -> Ratio:
    """Return the share of the punishments suffered by the player to which it responded by punishing the same seat in
    the next round."""
    return ratio_of(tables, _pairs(tables), ("player",), "answered", "suffered", share=True)


def retaliation_rate(tables: PunishTables) -> pl.DataFrame:
    """Retaliation rate: the share of the punishments suffered by the player's seats that the seat answered, that is, it
    punished the same punisher in the next round. A seat punished by several in one round can punish only one of them in
    return. Punishments of the last round cannot be returned and are excluded. The column `base` is the base rate with
    its interval: among the other seats that did not punish the seat in a round before the last, the share that it
    punished in the next round."""
    unasked, free = pl.col("hits") - pl.col("answered"), pl.col("others") - pl.col("suffered")
    base = ratio_of(tables, _pairs(tables), ("player",), unasked, free, share=True)
    return with_ratio(retaliation_share(tables), "base", base)


def _pairs(tables: PunishTables) -> pl.DataFrame:
    """Return four numbers for each seat-round before the last round: the number of other seats, of the seat's punishers
    (`suffered`), of its targets in the next round (`hits`), and of those targets that had punished it (`answered`)."""
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
    """Of the punishments by the player, the share that hit a seat that gave at least the median."""
    return _share(tables, _aims(tables), _UNPROVOKED)


def unprovoked_punishment(tables: PunishTables) -> pl.DataFrame:
    """Unprovoked punishment: the share of the punishments by the player whose target had contributed at least the
    median in that round. The median is that of all seats' contributions in tokens, with punisher and target included.
    The column `random` is the share if each of these punishments had hit another seat of its table at random. The
    column `rate` is the number of unprovoked punishments / the player's seat-rounds with post > 0; in each of them one
    was possible, as another seat always gave at least the median. The column `punishments` counts all punishments by
    the player."""
    aims = _aims(tables)
    rated = _with_rate(tables, unprovoked_share(tables), aims, tables.rounds.filter(pl.col("post") > 0), _UNPROVOKED)
    return with_ratio(rated, "random", _at_random(tables, aims, _UNPROVOKED))


@Resampling
def antisocial_share(tables: PunishTables) -> Ratio:
    """Of the punishments by the player, the share that hit a seat that gave a larger part of its balance than the
    player."""
    return _share(tables, _aims(tables), _ANTISOCIAL)


def antisocial_punishment(tables: PunishTables) -> pl.DataFrame:
    """Antisocial punishment: the share of the punishments by the player whose target had contributed a larger fraction
    of its balance in that round than the punisher. The fraction is contribution / start, and 0 for a seat that held
    nothing. The column `tokens` is the share whose target had contributed more tokens. The column `as_many`, by
    Herrmann, Thöni and Gächter (2008), is the share whose target had contributed at least as many tokens. The columns
    `random`, `tokens_random` and `as_many_random` are these shares if each punishment had hit another seat of its table
    at random. The column `rate` is the number of antisocial punishments / the player's seat-rounds with post > 0 in
    which another seat gave a larger fraction, so that one was possible. The column `punishments` counts all punishments
    by the player."""
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
    """The share of rounds in which a player's seat punished a seat of another player. Each such
    pair of seats in one game counts, in every round in which the player's seat had tokens left after the fund. A seat
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
    """Return a row for each pair of a punishment and a seat that it could have hit. It has the contributions of the
    punisher and of that seat, and the median contribution of the round. `hit` is true for the actual target."""
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
    """Return the share of the player's punishments whose targets meet the condition `target_kind`."""
    return ratio_of(tables, aims.filter("hit"), ("player",), target_kind.cast(pl.Int64), share=True)


def _at_random(tables: PunishTables, aims: pl.DataFrame, target_kind: pl.Expr) -> Ratio:
    """Return the expected share of punishments whose target meets the condition, if every punishment hit another seat
    of its table at random."""
    probability = 1 / pl.len().over(*_ROUND, "punisher")
    return ratio_of(tables, aims, ("player",), target_kind.cast(pl.Float64) * probability, probability, share=True)


def _with_rate(
    tables: PunishTables, shares: pl.DataFrame, aims: pl.DataFrame, could: pl.DataFrame, target_kind: pl.Expr
) -> pl.DataFrame:
    """Return the table `shares` with two more columns. `rate` is the share of the rows in `could` in which a punishment
    has a target that meets the condition. `punishments` is the number of all punishments by the player."""
    done = aims.filter("hit").filter(target_kind).select(*_ROUND, seat="punisher", done=pl.lit(1))
    rows = could.join(done, on=[*_ROUND, "seat"], how="left", maintain_order="left")
    counts = tables.punishments.group_by(player="punisher_player").agg(punishments=pl.len().cast(pl.Int64))
    rated = with_ratio(shares, "rate", ratio_of(tables, rows, ("player",), pl.col("done").fill_null(0), share=True))
    return rated.join(counts, on="player", how="left", maintain_order="left")


# The following functions measure responses of contributions.

_PLACE = ("game", "round", "seat")
_BEFORE = ("gave_before", "others_before", "punished_before", "round", "last")
"""The regressors whose values are known at the start of a round."""
_PROMISES = ("promised", "others_promised")


def rounds_in_sequence(tables: PunishTables) -> pl.DataFrame:
    """Return the seat-rounds from the second round on, with regressors of the previous round. A row is included if the
    seat has tokens in both rounds, and the others have tokens in the earlier one. `gave`, `gave_before` and
    `others_before` are fractions of balances; that of the others is their Σ contribution / Σ start. `punished_before`
    is 1 if the seat lost tokens to punishment in the round before, and `last` is 1 in the last round."""
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
    """Return `rounds_in_sequence` of games with messages, with two more columns. `promised` is 1 if the seat stated an
    amount for its contribution, and `others_promised` is the fraction of the other seats that did so."""
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
    """Conditional cooperation: the change in the contributed fraction of a player's balance for each unit of change in
    the fraction that the others contributed in the round before (their Σ contribution / Σ start). A player with 1
    follows the others fully, and one with 0 ignores them. The value is the slope of a linear regression over the
    player's seat-rounds from the second on. The controls are its own contributed fraction in the round before, whether
    it was punished in that round, the round's number and whether it is the last.

    The slope describes an association of contributions; it is the slope of a player's rule if the rule is linear in
    these. There is no fixed effect for the seat in a game: with ten rounds, in which the others react to the seat, it
    would bias the slope (Nickell 1981)."""
    return slope(tables, rounds_in_sequence(tables), "others_before")


@Resampling
def punishment_response(tables: PunishTables) -> Ratio:
    """Punishment response: how much more of its balance a player contributes in the round after it lost tokens to
    punishment than after other rounds; below 0, it contributes less. The value is a slope of the same regression as
    conditional cooperation. The controls are the contributed fractions of the seat and of the others in the round
    before, the round's number and whether it is the last."""
    return slope(tables, rounds_in_sequence(tables), "punished_before")


@Resampling
def promise_slope(tables: PunishTables) -> Ratio:
    """Return the adjusted difference in the contributed part of a player's balance between rounds with and without a
    promise by the player."""
    return slope(tables, rounds_with_promises(tables), *_PROMISES)


def promise_effect(tables: PunishTables) -> pl.DataFrame:
    """Effect of a promise: how much more of its balance a player contributes in a round in which its message stated an
    amount than in one in which it did not. The value is a slope of a regression. The controls are the share of the
    other seats that stated an amount, the contributions of the seat and of the others in the round before, whether it
    was punished in that round, the round's number and whether it is the last. The column `others` is from the same
    regression: how much more the player contributes if all others state an amount than if none does. Only games with
    messages are included.

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


_LEAST_VARIATION = 1e-9
"""If the residual of a regressor is below this share of the regressor, the residual is a rounding error: the controls
determine the regressor."""


def slope_of(
    tables: GameTables,
    rows: pl.DataFrame,
    outcome: str,
    regressor: str,
    controls: Sequence[str],
    by: tuple[str, ...] = ("player",),
) -> Ratio:
    """Return the slope of the outcome on the regressor, given the controls and a constant. A group is left out if the
    controls determine the regressor in it."""
    columns = rows.select(outcome, regressor, *controls).to_numpy()
    keys, group = _numbered(rows, by)
    games, game = _numbered(rows, ("game",))
    # Within each group, rows keep their order.
    places = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=keys.height))[:-1])
    group_numbers = [np.zeros(0, np.int64)]
    game_numbers = [np.zeros(0, np.int64)]
    scores = [np.zeros((0, 2))]
    for number, own in enumerate(places[: keys.height]):
        own_games, place = np.unique(game[own], return_inverse=True)
        group_numbers.append(np.full(len(own_games), number))
        game_numbers.append(own_games)
        scores.append(_scores(columns[own], place))
    top, bottom = np.concatenate(scores).T
    labels = games[np.concatenate(game_numbers)].hstack(keys[np.concatenate(group_numbers)])
    sums = labels.with_columns(top=top, bottom=bottom)
    return ratio_of(tables, sums, by, "top", "bottom")


def _numbered(rows: pl.DataFrame, by: Sequence[str]) -> tuple[pl.DataFrame, npt.NDArray[np.int64]]:
    """Return the distinct values of these columns in their order, and, for each row, the index of its value."""
    keys = rows.select(by).unique(maintain_order=True)
    numbered = rows.select(by).join(keys.with_row_index("place"), on=list(by), maintain_order="left")
    return keys, numbered["place"].to_numpy().astype(np.int64)


def _scores(columns: npt.NDArray[np.float64], game: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return Σ x̃ỹ and Σ x̃² for each game, (games, 2), where ỹ and x̃ are the outcome and the regressor after the
    controls are partialled out. Residuals are adjusted by the leverage of their game, which leaves the slope
    unchanged."""
    games = int(game.max()) + 1
    design = np.column_stack([np.ones(len(columns)), columns[:, 2:]])
    pair = columns[:, :2]
    solution, _, rank, _ = np.linalg.lstsq(design, pair, rcond=None)
    residuals = pair - design @ solution
    negligible = np.linalg.norm(residuals, axis=0) <= _LEAST_VARIATION * np.linalg.norm(pair, axis=0)
    outcome, regressor = np.where(negligible, 0.0, residuals).T
    if len(columns) - rank - 1 <= 0 or not regressor.any():
        return np.zeros((games, 2))
    whole = float(regressor @ regressor)
    slope = float(regressor @ outcome) / whole
    adjusted = _adjust_residuals(outcome - slope * regressor, np.column_stack([design, regressor]), game, games)
    score = np.bincount(game, regressor * adjusted, games)
    bottom = np.bincount(game, regressor**2, games)
    return np.column_stack([slope * bottom + score - score.sum() * bottom / whole, bottom])


def _adjust_residuals(
    residuals: npt.NDArray[np.float64], design: npt.NDArray[np.float64], game: npt.NDArray[np.int64], games: int
) -> npt.NDArray[np.float64]:
    """Return the residuals of each game, multiplied by (I − H)^(−1/2). H is the game's block of the projection onto the
    design. The computation uses the eigenvalues of QᵀQ over the game's rows, which are the nonzero eigenvalues of H."""
    basis, values, _ = np.linalg.svd(design, full_matrices=False)
    basis = basis[:, values > _LEAST_VARIATION * values[0]]
    products, answers = np.zeros((games, basis.shape[1], basis.shape[1])), np.zeros((games, basis.shape[1]))
    np.add.at(products, game, basis[:, :, None] * basis[:, None, :])
    np.add.at(answers, game, basis * residuals[:, None])
    weight, axes = np.linalg.eigh(products)
    weight = np.clip(weight, 0.0, 1 - _LEAST_VARIATION)  # A game that alone determines a control has a residual of 0.
    factor = np.where(weight > _LEAST_VARIATION, (1 / np.sqrt(1 - weight) - 1) / np.maximum(weight, 1e-12), 0.5)
    more = np.einsum("gij,gj,gkj,gk->gi", axes, factor, axes, answers)
    return np.asarray(residuals + np.einsum("ri,ri->r", basis, more[game]))
