"""What seats spend to take from others, whom they take it from, and whether they answer.

Parts are parts of one. "Start" is the balance at the round's start, "post" the balance after the fund. Only punishments
that took effect are known: one whose spend shrank to 0 leaves no trace in a record."""

import polars as pl

from ostrom.study.intervals import Ratio
from ostrom.study.measures.resampling import Resampling, ratio_of
from ostrom.study.tables import Tables


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
