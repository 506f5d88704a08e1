"""What players give, and whom they punish."""

import polars as pl

from ostrom.analysis.intervals import Difference, Ratio
from ostrom.analysis.measures import Resampling, ratio_of
from ostrom.games.contribute_punish.tables import Tables

ROUNDS_BEFORE_THE_LAST = 3


@Resampling
def aggregate_contribution_by_round(tables: Tables) -> Ratio:
    """Aggregate contribution by round: Σ contribution / Σ start over all seats of all games."""
    return ratio_of(tables, tables.rounds, ("round",), "contribution", "start")


@Resampling
def contribution_tokens(tables: Tables) -> Ratio:
    """Mean contribution in tokens: Σ contribution / number of seat-rounds of the player."""
    return ratio_of(tables, tables.rounds, ("player",), "contribution")


@Resampling
def contribution_percent(tables: Tables) -> Ratio:
    """Mean contribution as a part of the balance: the mean of contribution / start over the player's seat-rounds with
    start > 0. Every decision counts alike, however much was at stake."""
    return ratio_of(tables, _able(tables), ("player",), "part")


@Resampling
def contribution_percent_pooled(tables: Tables) -> Ratio:
    """Contribution as a part of all that was held: Σ contribution / Σ start over the player's seat-rounds. Every token
    counts alike, so rich rounds weigh most."""
    return ratio_of(tables, tables.rounds, ("player",), "contribution", "start")


@Resampling
def contribution_percent_by_round(tables: Tables) -> Ratio:
    """Contribution by round: for each player and round, the mean of contribution / start over its seats with
    start > 0."""
    return ratio_of(tables, _able(tables), ("player", "round"), "part")


def contribution_percent_strip(tables: Tables) -> pl.DataFrame:
    """Every contribution as a part of the balance, one row a decision: contribution / start where start > 0."""
    return _able(tables).select("game", "round", "seat", "player", value="part")


def contribution_tokens_strip(tables: Tables) -> pl.DataFrame:
    """Every contribution in tokens, one row a decision."""
    return tables.rounds.select("game", "round", "seat", "player", value="contribution")


@Resampling
def endgame_drop(tables: Tables) -> Difference:
    """Endgame drop: the mean of contribution / start over the player's seats in the three rounds before the last
    (rounds 7–9 of 10), less the same in the last round; both over seat-rounds with start > 0. Positive where a player
    gives less at the end. Games of fewer than four rounds have no part in it."""
    rows = (
        _able(tables)
        .join(tables.games.select("game", last="rounds"), on="game", maintain_order="left")
        .filter(pl.col("last") > ROUNDS_BEFORE_THE_LAST)
        .with_columns(left=pl.col("last") - pl.col("round"))
    )
    before = rows.filter(pl.col("left").is_between(1, ROUNDS_BEFORE_THE_LAST))
    last = rows.filter(pl.col("left") == 0)
    return Difference(ratio_of(tables, before, ("player",), "part"), ratio_of(tables, last, ("player",), "part"))


def _able(tables: Tables) -> pl.DataFrame:
    """The seat-rounds in which there was something to give."""
    return tables.rounds.filter(pl.col("start") > 0).with_columns(part=pl.col("contribution") / pl.col("start"))


@Resampling
def aggregate_punishment_by_round(tables: Tables) -> Ratio:
    """Aggregate punishment by round: Σ spend / Σ start over all seats of all games."""
    return ratio_of(tables, tables.rounds, ("round",), "spend", "start")


@Resampling
def punishment_spent_percent(tables: Tables) -> Ratio:
    """Punishment spent: the mean of spend / post over the player's seat-rounds, 0 where nothing was spent."""
    return ratio_of(tables, tables.rounds, ("player",), _part_of_post("spend"))


@Resampling
def punishment_spent_percent_by_round(tables: Tables) -> Ratio:
    """Punishment spent by round: for each player and round, Σ spend / Σ start."""
    return ratio_of(tables, tables.rounds, ("player", "round"), "spend", "start")


@Resampling
def damage_received_percent(tables: Tables) -> Ratio:
    """Damage received: the mean of damage / post over the player's seat-rounds, 0 where nothing was lost."""
    return ratio_of(tables, tables.rounds, ("player",), _part_of_post("damage"))


@Resampling
def retaliation_rate(tables: Tables) -> Ratio:
    """Retaliation rate: of the punishments that the player's seats suffered before the last round, the share that the
    seat answered in the next round by punishing that punisher. A seat punished by several in one round can answer one
    of them only; punishments of the last round can never be answered and are left out."""
    dealt = tables.context.punishments
    seats = tables.seats.select("game", target="seat")
    suffered = (
        dealt.join(tables.games.select("game", last="rounds"), on="game", maintain_order="left")
        .filter(pl.col("round") < pl.col("last"))
        .join(seats, on=["game", "target"], how="semi", maintain_order="left")
    )
    answers = dealt.select(
        "game",
        round=pl.col("round") - 1,
        punisher="target",
        target="punisher",
        answered=pl.lit(1),
    ).unique(maintain_order=True)
    rows = suffered.join(answers, on=["game", "round", "punisher", "target"], how="left", maintain_order="left").select(
        "game", player="target_player", answered=pl.col("answered").fill_null(0)
    )
    return ratio_of(tables, rows, ("player",), "answered")


@Resampling
def unprovoked_share(tables: Tables) -> Ratio:
    """Of the punishments that the player dealt, the share that hit a seat that gave at least the median."""
    rows = _dealt(tables).with_columns(so=pl.col("target_gave") >= pl.col("median_gave"))
    return ratio_of(tables, rows, ("player",), pl.col("so").cast(pl.Int64))


def unprovoked_punishment(tables: Tables) -> pl.DataFrame:
    """Unprovoked punishment: of the punishments that the player dealt, the share whose target had contributed, in that
    round, at least the median of all seats' contributions (in tokens, punisher and target included). Beside it `rate`,
    the number of such punishments / the player's seat-rounds with post > 0: how often it happened where it could, as
    there is always another seat that gave at least the median; and `punishments`, all that the player dealt."""
    could = tables.rounds.filter(pl.col("post") > 0)
    rows = _dealt(tables).filter(pl.col("target_gave") >= pl.col("median_gave"))
    return _with_rate(tables, unprovoked_share(tables), could, rows)


@Resampling
def antisocial_share(tables: Tables) -> Ratio:
    """Of the punishments that the player dealt, the share that hit a seat that gave more than the player's own."""
    rows = _dealt(tables).with_columns(so=pl.col("target_gave") > pl.col("punisher_gave"))
    return ratio_of(tables, rows, ("player",), pl.col("so").cast(pl.Int64))


def antisocial_punishment(tables: Tables) -> pl.DataFrame:
    """Antisocial punishment: of the punishments that the player dealt, the share whose target had contributed more
    tokens in that round than the punisher. Beside it `rate`, the number of such punishments / the player's seat-rounds
    with post > 0 in which some other seat gave more: how often it happened where it could; and `punishments`, all that
    the player dealt."""
    most = tables.context.rounds.group_by("game", "round", maintain_order=True).agg(most=pl.col("contribution").max())
    could = tables.rounds.join(most, on=["game", "round"], maintain_order="left").filter(
        (pl.col("post") > 0) & (pl.col("contribution") < pl.col("most"))
    )
    rows = _dealt(tables).filter(pl.col("target_gave") > pl.col("punisher_gave"))
    return _with_rate(tables, antisocial_share(tables), could, rows)


def _part_of_post(column: str) -> pl.Expr:
    # With nothing left after the fund there is nothing to spend or to lose.
    return pl.when(pl.col("post") > 0).then(pl.col(column) / pl.col("post")).otherwise(0.0)


def _dealt(tables: Tables) -> pl.DataFrame:
    """Every punishment with what its two seats, and the middle seat of the table, had given in that round."""
    rounds = tables.context.rounds
    gave = rounds.select("game", "round", "seat", "contribution")
    middle = rounds.group_by("game", "round", maintain_order=True).agg(median_gave=pl.col("contribution").median())
    dealt = tables.punishments
    for side in ("punisher", "target"):
        named = gave.rename({"seat": side, "contribution": f"{side}_gave"})
        dealt = dealt.join(named, on=["game", "round", side], maintain_order="left")
    return dealt.join(middle, on=["game", "round"], maintain_order="left").with_columns(player="punisher_player")


def _with_rate(tables: Tables, shares: pl.DataFrame, could: pl.DataFrame, did: pl.DataFrame) -> pl.DataFrame:
    """The shares, and beside them how often it was done where it could be, and the number of all punishments."""
    done = did.select("game", "round", seat="punisher", done=pl.lit(1))
    rows = could.join(done, on=["game", "round", "seat"], how="left", maintain_order="left")
    rates = ratio_of(tables, rows, ("player",), pl.col("done").fill_null(0)).estimates()
    counts = tables.punishments.group_by(player="punisher_player").agg(punishments=pl.len().cast(pl.Int64))
    return shares.join(
        rates.select("player", rate="value", rate_low="low", rate_high="high"),
        on="player",
        how="left",
        maintain_order="left",
    ).join(counts, on="player", how="left", maintain_order="left")
