"""Games of voluntary contributions as tidy tables, and their measures in addition to those that all games have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.published_figures import PublishedFigure
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.games.contributions import CONTRIBUTIONS
from ostrom.games.contributions.events import ContributionsRound, fold
from ostrom.games.contributions.rules import DEDUCT, REWARD
from ostrom.journal.record import GameRecord

SEAT_ROUNDS: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String},
    **{"contribution": pl.Int64, "endowment": pl.Int64, "others": pl.Float64, "others_before": pl.Float64},
    **{"deducts": pl.Int64, "deducted": pl.Int64, "rewards": pl.Int64, "rewarded": pl.Int64, "payoff": pl.Float64},
}
SEAT_PAIRS: Final = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String, "other": pl.Int64},
    **{"other_player": pl.String, "less": pl.Boolean, "deducts": pl.Int64, "rewards": pl.Int64},
    **{"punishes": pl.Boolean, "rewarding": pl.Boolean},
}
ABOUT: Final = {
    "contributions": "A row for each seat's round: its contribution, the mean contribution of the others in this "
    "round and in the round before, its points, and its payoff.",
    "points": "A row for each ordered pair of seats in a round: the points that the seat assigned to the other one, "
    "and whether the other one contributed less than it.",
}


@dataclass(frozen=True, slots=True)
class ContributionsTables(GameTables):
    """The tables of games of voluntary contributions."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"contributions": "seat", "points": "seat", **GameTables.ACTORS}

    contributions: pl.DataFrame
    """One row for each seat that takes part in a round. `others_before` is missing in the first round."""
    points: pl.DataFrame
    """One row for each ordered pair of seats that take part in a round. `punishes` is missing in games without
    punishment, and `rewarding` in games without reward."""


def tables_of(records: StoredRecords) -> ContributionsTables:
    """Return the tables of records."""
    rows: dict[str, list[Row]] = {"contributions": [], "points": []}

    def add(game: str, record: GameRecord) -> None:
        players = players_of(game, record)
        rules: Any = CONTRIBUTIONS.rules.model_validate(record.rules)
        before: ContributionsRound | None = None
        for played in fold(events_of(record, CONTRIBUTIONS.events)):
            rows["contributions"] += _seat_rounds(game, players, played, before, rules.endowment)
            if rules.kinds:
                rows["points"] += _pairs(game, players, played, rules.kinds)
            before = played

    common = common_tables(CONTRIBUTIONS, records, add)
    return extended(
        common,
        ContributionsTables,
        contributions=frame(rows["contributions"], SEAT_ROUNDS),
        points=frame(rows["points"], SEAT_PAIRS),
    )


def _others_mean(played: ContributionsRound | None, seat: int) -> float | None:
    if played is None:
        return None
    given = [amount for other, amount in enumerate(played.contributions) if other != seat and amount is not None]
    return sum(given) / len(given) if given else None


def _seat_rounds(
    game: str, players: Sequence[str], played: ContributionsRound, before: ContributionsRound | None, endowment: int
) -> list[Row]:
    sums = [played.assigned(DEDUCT), played.received(DEDUCT), played.assigned(REWARD), played.received(REWARD)]
    rows: list[Row] = []
    for seat, contribution in enumerate(played.contributions):
        if contribution is not None:
            others = (_others_mean(played, seat), _others_mean(before, seat))
            points = (values[seat] for values in sums)
            place = (game, played.round, seat, players[seat])
            rows.append((*place, contribution, endowment, *others, *points, played.payoffs[seat]))
    return rows


def _pairs(game: str, players: Sequence[str], played: ContributionsRound, kinds: Sequence[str]) -> list[Row]:
    points = {(row.kind, row.giver, row.target): row.points for row in played.points}
    here = [(seat, given) for seat, given in enumerate(played.contributions) if given is not None]
    rows: list[Row] = []
    for seat, own in here:
        for other, given in here:
            if other != seat:
                deducts, rewards = (points.get((kind, seat, other), 0) for kind in (DEDUCT, REWARD))
                place = (game, played.round, seat, players[seat], other, players[other], given < own)
                flags = (deducts > 0 if DEDUCT in kinds else None, rewards > 0 if REWARD in kinds else None)
                rows.append((*place, deducts, rewards, *flags))
    return rows


def _indicator(condition: pl.Expr) -> pl.Expr:
    return condition.cast(pl.Int64)


@Resampling
def contribution(tables: ContributionsTables) -> Ratio:
    """Contribution: the player's contributions as a share of its endowments."""
    return ratio_of(tables, tables.contributions, ("player",), "contribution", "endowment", share=True)


@Resampling
def contribution_by_round(tables: ContributionsTables) -> Ratio:
    """Contribution by round: the player's contributions in this round as a share of its endowments."""
    return ratio_of(tables, tables.contributions, ("player", "round"), "contribution", "endowment", share=True)


@Resampling
def group_contribution(tables: ContributionsTables) -> Ratio:
    """Contribution of groups: all contributions as a share of all endowments."""
    return ratio_of(tables, tables.context.contributions, GAME, "contribution", "endowment", share=True)


@Resampling
def group_contribution_by_round(tables: ContributionsTables) -> Ratio:
    """Contribution of groups by round: all contributions in this round as a share of all endowments."""
    return ratio_of(tables, tables.context.contributions, ("round",), "contribution", "endowment", share=True)


@Resampling
def nothing_contributed(tables: ContributionsTables) -> Ratio:
    """Nothing contributed: the share of the player's rounds in which it contributed nothing."""
    zero = _indicator(pl.col("contribution") == 0)
    return ratio_of(tables, tables.contributions, ("player",), zero, share=True)


@Resampling
def everything_contributed(tables: ContributionsTables) -> Ratio:
    """Everything contributed: the share of the player's rounds in which it contributed its whole endowment."""
    everything = _indicator(pl.col("contribution") == pl.col("endowment"))
    return ratio_of(tables, tables.contributions, ("player",), everything, share=True)


@Resampling
def beyond_others(tables: ContributionsTables) -> Ratio:
    """Contribution beyond the others: the player's contribution minus the mean contribution of the others in the round
    before, from the second round on. 0 is what a perfect conditional cooperator does."""
    rows = tables.contributions.filter(pl.col("others_before").is_not_null())
    return ratio_of(tables, rows, ("player",), pl.col("contribution") - pl.col("others_before"))


@Resampling
def payoff_per_round(tables: ContributionsTables) -> Ratio:
    """Payoff per round: the mean of the player's payoffs over the rounds in which it took part."""
    return ratio_of(tables, tables.contributions, ("player",), "payoff")


@Resampling
def punishment_of_less(tables: ContributionsTables) -> Ratio:
    """Punishment of lower contributions: the share of cases in which the player assigned deduction points to a seat
    that contributed less than itself in the round."""
    rows = tables.points.filter(pl.col("punishes").is_not_null() & pl.col("less"))
    return ratio_of(tables, rows, ("player",), _indicator(pl.col("punishes")), share=True)


@Resampling
def antisocial_punishment(tables: ContributionsTables) -> Ratio:
    """Antisocial punishment: the share of cases in which the player assigned deduction points to a seat that
    contributed at least as much as itself in the round (Herrmann, Thöni and Gächter 2008)."""
    rows = tables.points.filter(pl.col("punishes").is_not_null() & ~pl.col("less"))
    return ratio_of(tables, rows, ("player",), _indicator(pl.col("punishes")), share=True)


@Resampling
def deduction_points(tables: ContributionsTables) -> Ratio:
    """Deduction points: the mean number of deduction points that the player assigned in a round."""
    rows = tables.contributions.join(
        tables.points.filter(pl.col("punishes").is_not_null()).select("game").unique(), on="game", how="semi"
    )
    return ratio_of(tables, rows, ("player",), "deducts", limits=(0.0, float("inf")))


@Resampling
def reward_points(tables: ContributionsTables) -> Ratio:
    """Reward points: the mean number of reward points that the player assigned in a round."""
    rows = tables.contributions.join(
        tables.points.filter(pl.col("rewarding").is_not_null()).select("game").unique(), on="game", how="semi"
    )
    return ratio_of(tables, rows, ("player",), "rewards", limits=(0.0, float("inf")))


_OWN: Registry[Measure[ContributionsTables]] = Registry("measure of voluntary contributions")
enter(_OWN, contribution, "Contribution", "share")
enter(_OWN, contribution_by_round, "Contribution by round", "share", ("player", "round"))
enter(_OWN, group_contribution, "Contribution of groups", "share", GAME)
enter(_OWN, group_contribution_by_round, "Contribution of groups by round", "share", ("round",))
enter(_OWN, nothing_contributed, "Nothing contributed", "share")
enter(_OWN, everything_contributed, "Everything contributed", "share")
enter(_OWN, beyond_others, "Contribution beyond the others", "tokens")
enter(_OWN, payoff_per_round, "Payoff per round", "tokens")
enter(_OWN, punishment_of_less, "Punishment of lower contributions", "share")
enter(_OWN, antisocial_punishment, "Antisocial punishment", "share")
enter(_OWN, deduction_points, "Deduction points", "points")
enter(_OWN, reward_points, "Reward points", "points")

_OWN_RULES: Final = "The multiplier and the number of rounds differ from study to study."
_PUBLISHED: Final = (
    PublishedFigure(
        "contribution",
        "people without punishment",
        "Fehr, Gächter 2000",
        0.38,
        rules={"punishment": False, "messages": False},
        note="Partners, groups of four, mean over ten periods.",
    ),
    PublishedFigure(
        "contribution",
        "people with punishment",
        "Fehr, Gächter 2000",
        0.85,
        rules={"punishment": True, "messages": False},
        note="Partners, groups of four, mean over ten periods.",
    ),
    PublishedFigure(
        "contribution",
        "people with punishment, 16 cities",
        "Herrmann, Thöni, Gächter 2008",
        low=0.29,
        high=0.90,
        rules={"punishment": True, "messages": False},
        note="The range of the cities' means over ten periods.",
    ),
    PublishedFigure(
        "contribution",
        "92 people with punishment",
        "Herrmann, Thöni, Gächter 2008, sessions in Boston, Chengdu and Samara",
        0.707,
        # The mean contributions of the ten periods, of 20 tokens.
        by_turn=(0.598, 0.627, 0.694, 0.724, 0.702, 0.734, 0.749, 0.746, 0.783, 0.715),
        rules={"punishment": True, "messages": False},
        note="Part of the study's sessions: the half with punishment, where it came first.",
    ),
    PublishedFigure(
        "contribution",
        "people without chat and punishment",
        "Alsobay, Rand, Watts, Almaatouq 2025",
        0.637,
        rules={"punishment": False, "messages": False},
        note=_OWN_RULES,
    ),
    PublishedFigure(
        "contribution",
        "people with chat",
        "Alsobay, Rand, Watts, Almaatouq 2025",
        0.780,
        rules={"punishment": False, "messages": True},
        note=_OWN_RULES,
    ),
    PublishedFigure(
        "contribution",
        "people with punishment",
        "Alsobay, Rand, Watts, Almaatouq 2025",
        0.721,
        rules={"punishment": True, "messages": False},
        note=_OWN_RULES,
    ),
    PublishedFigure(
        "contribution",
        "people with chat and punishment",
        "Alsobay, Rand, Watts, Almaatouq 2025",
        0.845,
        rules={"punishment": True, "messages": True},
        note=_OWN_RULES,
    ),
)
_LESSON: Final = (
    "contribution",
    "nothing_contributed",
    "everything_contributed",
    "punishment_of_less",
    "antisocial_punishment",
    "payoff_per_round",
)
MEASURES = GameMeasures(_OWN, tables_of, ABOUT, lesson=_LESSON, published=_PUBLISHED)
"""The tables and measures of voluntary contributions, in addition to those that all games have."""
