"""Leaderboards: players rated by the ranks at which games ended; the payoffs of players; and the figures of one player
among the others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.analysis.measures import Measure, ratio_of
from ostrom.analysis.ratings import (
    LEAST_GAMES,
    GameResults,
    Placement,
    Rating,
    RatingFit,
    choose_method,
    results_of,
    tiers,
)
from ostrom.analysis.ratings.method import MethodChoice
from ostrom.analysis.ratings.methods.multipass import TRUESKILL, TrueSkillSettings, fit_trueskill
from ostrom.analysis.ratings.methods.order_free import ORDER_FREE, order_free
from ostrom.analysis.study import NothingLeft, study_of
from ostrom.analysis.tables import NOT_KNOWN, AnswerCounts, GameTables, answers_by_player
from ostrom.core.estimates import Estimate, means_of_rows

PASSES: Final = TrueSkillSettings().passes
DRAW_PROBABILITY: Final = TrueSkillSettings().draw_probability


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """The settings of a leaderboard. It always shows TrueSkill's μ and the order-free strength; the method ranks."""

    passes: int = PASSES
    draw_probability: float = DRAW_PROBABILITY
    method: str = TRUESKILL.name
    """The rating method by which players are ranked, with its own settings if any: 'trueskill', 'elo:k=16'."""

    @property
    def choice(self) -> MethodChoice:
        """The method and its settings. Raises `UnknownName` or `InputError` if there is no such method."""
        return choose_method(self.method, passes=self.passes, draw_probability=self.draw_probability)

    @property
    def trueskill(self) -> TrueSkillSettings:
        """The settings of TrueSkill's columns. Raises `InputError` if they are invalid."""
        settings = choose_method(TRUESKILL.name, passes=self.passes, draw_probability=self.draw_probability).settings
        assert isinstance(settings, TrueSkillSettings)
        return settings

    def as_record(self) -> dict[str, Any]:
        """The settings as plain data; the method is added where the flag `order_free` does not determine it."""
        record = {
            "passes": self.passes,
            "draw_probability": self.draw_probability,
            "order_free": self.method == ORDER_FREE.name,
        }
        return record if self.method in _BOARD_METHODS else {**record, "method": self.method}


_BOARD_METHODS: Final = (TRUESKILL.name, ORDER_FREE.name)
"""The methods whose ratings every leaderboard shows."""
USUAL: Final = RatingSettings()


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's place on a leaderboard."""

    rating: Rating
    mean_final: float
    place: Placement | None
    """Its tier and order-free strength; missing where no two players met."""
    answers: AnswerCounts = NOT_KNOWN
    """Its defaulted and repaired answers, those in excluded games and seats too."""
    method_rating: Estimate | None = None
    """Its rating by the chosen method, where that is neither TrueSkill nor the order-free strength."""

    @property
    def provisional(self) -> bool:
        """Whether it has too few games for a tier."""
        return self.rating.games < LEAST_GAMES

    def as_record(self) -> dict[str, Any]:
        """The player as plain data."""
        place = self.place
        record = {
            "name": self.rating.name,
            "mu": self.rating.mu,
            "sigma": self.rating.sigma,
            "games": self.rating.games,
            "mean_final": self.mean_final,
            "tier": None if place is None else place.tier,
            "ranks": None if place is None else place.ranks,
            "apart": None if place is None else place.apart,
            "provisional": self.provisional,
            "spread": self.rating.spread,
            "strength": None if place is None else place.strength.as_record(),
            "lead": None if place is None or place.lead is None else place.lead.as_record(),
            "differs_from_next": None if place is None else place.differs,
            "defaulted": self.answers.defaulted_share,
            "repaired": self.answers.repaired_share,
        }
        return record if self.method_rating is None else {**record, "rating": self.method_rating.as_record()}


def rate_players(
    tables: GameTables,
    *,
    passes: int = PASSES,
    draw_probability: float = DRAW_PROBABILITY,
    method: str = TRUESKILL.name,
) -> list[Rated]:
    """Return the leaderboard, the best first, with tiers. Excluded seats are not rated; the others of their games are,
    where at least two remain."""
    answers = answers_by_player(tables)
    rated = rate_results(
        rated_results(tables),
        passes=passes,
        draw_probability=draw_probability,
        lower_is_better=_sign(tables) < 0,
        method=method,
    )
    return [replace(one, answers=answers[one.rating.name]) for one in rated]


def rate_results(
    results: GameResults,
    *,
    passes: int = PASSES,
    draw_probability: float = DRAW_PROBABILITY,
    lower_is_better: bool = False,
    method: str = TRUESKILL.name,
) -> list[Rated]:
    """Return the leaderboard of any results, the best first by the method, with tiers; players with few games follow
    the others, players whom no game compares with the others are last. Where lower scores are better, the results have
    them with the opposite sign. Raises `InputError` for invalid settings."""
    settings = RatingSettings(passes, draw_probability, method)
    trueskill = fit_trueskill(results, settings.trueskill)
    ratings = {rating.name: rating for rating in trueskill.ratings}
    means = dict(zip(results.names, (-1 if lower_is_better else 1) * results.mean_scores(), strict=True))
    if not len(results.comparing):
        return [Rated(rating, float(means[name]), None) for name, rating in ratings.items()]
    strengths = order_free(results)
    # These two are on every leaderboard, and so are fitted already.
    board_fits: dict[str, RatingFit] = {TRUESKILL.name: trueskill, ORDER_FREE.name: strengths}
    chosen = board_fits.get(method) or settings.choice.fit(results)
    estimates = chosen.estimates
    ranking = sorted(results.names, key=lambda name: (-float(estimates[name]), name))
    return [
        Rated(
            ratings[place.name],
            float(means[place.name]),
            place,
            method_rating=None if method in board_fits else estimates[place.name],
        )
        for place in tiers(strengths, ranking)
    ]


def rated_results(tables: GameTables) -> GameResults:
    """Return the finals of the games in which at least two seats are left; where lower finals are better, they have the
    opposite sign. A seat without a final is not rated. Raises `NothingLeft` if no game has two seats."""
    games: dict[str, list[tuple[str, float]]] = {}
    sign = _sign(tables)
    for game, player, final in tables.seats.select("game", "player", "final").iter_rows():
        if final is not None:
            games.setdefault(game, []).append((player, sign * final))
    compared = [seats for seats in games.values() if len(seats) > 1]
    if not compared:
        raise NothingLeft("no game has two seats without defaulted answers, so there are no players to compare")
    return results_of(compared)


def _sign(tables: GameTables) -> int:
    return 1 if study_of(tables).game.better == "higher" else -1


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The mean payoff of one player in one game, in one role (by seat; None for all) and against one opponent (None for
    all)."""

    game: str
    """Its name in records."""
    player: str
    seat: int | None
    against: str | None
    games: int
    defaulted: int
    """The number of those games with a defaulted answer, of any player."""
    payoff: Estimate
    """The mean with its 95 % interval over games, or the reason why there is none."""


def realised_payoffs(tables: GameTables) -> list[Payoffs]:
    """Return the mean payoff of every player: in all its games, and in two-player games by seat and by opponent."""
    seats = tables.seats.drop_nulls("final").select("game", "seat", "player", "final")
    pairs = seats.filter(pl.len().over("game") == 2).with_columns(against=pl.col("player").reverse().over("game"))
    defaulted = tables.games.filter(pl.col("defaulted") > 0).select("game")
    payoffs = []
    for rows, by in ((seats, ()), (pairs, ("seat",)), (pairs, ("against",))):
        if not rows.height:
            continue
        # In games with more than two seats, a mean may depend on a few games with very high payoffs.
        ratio = replace(ratio_of(tables, rows, ("player", *by), "final"), tailed=pairs.height < seats.height)
        affected = rows.join(defaulted, on="game", how="semi").group_by("player", *by)
        counted = affected.agg(defaulted=pl.col("game").n_unique())
        for row in ratio.estimates().join(counted, on=["player", *by], how="left").iter_rows(named=True):
            paid = Estimate(row["value"], row["low"], row["high"], row["reason"])
            role = row["player"], row.get("seat"), row.get("against")
            payoffs.append(Payoffs(tables.kind, *role, row["n"], row["defaulted"] or 0, paid))
    return sorted(payoffs, key=lambda row: _sort_key(row.player, row.seat, row.against))


def _sort_key(player: str, seat: int | None, against: str | None) -> tuple[str, int, str]:
    """Sort by player; the payoff in all games first, then by seat, then by opponent."""
    return player, -1 if seat is None and against is None else 2 if seat is None else seat, against or ""


# One player among the others.


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A player's figure by one measure, beside those of all others."""

    measure: Measure[Any]
    estimate: Estimate
    games: int | None
    place: int | None
    """Counted from the highest figure; those who tie share the best place. Missing where it has no figure."""
    others: dict[str, float]
    """The figures of all others that have one, by player."""


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent of a player."""

    player: str
    games: int
    """Games in which both have a final."""
    ahead: Estimate
    """The share of these games in which the player ended ahead; a tie counts half."""
    mean: float
    """The player's mean final in these games."""
    theirs: float
    """The opponent's mean final."""


def standpoints(
    measures: Mapping[str, Measure[Any]], measured: Mapping[str, pl.DataFrame], player: str
) -> list[Standpoint]:
    """Return a player's figures by every measure that has one figure for each player."""
    rows_of_measures = []
    for name, measure in measures.items():
        if measure.by != ("player",):
            continue
        rows = {row["player"]: row for row in measured[name].iter_rows(named=True)}
        values = {one: float(row["value"]) for one, row in rows.items() if _is_figure(row["value"])}
        if not values:
            continue
        own, row = values.get(player), rows.get(player, {})
        others = {one: value for one, value in values.items() if one != player}
        estimate = Estimate(own, row.get("low"), row.get("high"), row.get("reason"))
        place = None if own is None else 1 + sum(value > own for value in others.values())
        rows_of_measures.append(Standpoint(measure, estimate, row.get("n"), place, others))
    return rows_of_measures


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and bool(np.isfinite(value))


def games_of(tables: GameTables, player: str) -> pl.DataFrame:
    """Return every game of a player in the order of the journal: game, experiment, seat, final, rank, number of seats,
    and the players by seat."""
    seated = tables.seats.sort("game", "seat").group_by("game").agg(players=pl.col("player"))
    order = tables.games.select("game", "experiment", "seats").with_row_index("number", offset=1)
    own = tables.seats.filter(pl.col("player") == player).select("game", "seat", "final", "rank")
    return order.join(own, on="game", how="inner").join(seated, on="game", how="left").sort("number", "seat")


def rivals(tables: GameTables, player: str, *, better: str) -> list[Rival]:
    """Return the opponents of a player, those of the most games first. A game in which one of them holds several seats
    counts once, with the means of these."""
    finals = (
        tables.seats.drop_nulls("final")
        .group_by("game", "player", maintain_order=True)
        .agg(final=pl.col("final").mean())
    )
    own_finals = finals.filter(pl.col("player") == player).select("game", own="final")
    met = finals.filter(pl.col("player") != player).join(own_finals, on="game", how="inner")
    sign = 1.0 if better == "higher" else -1.0
    opponents = []
    for (other,), rows in met.group_by("player", maintain_order=True):
        lead = np.sign(np.round(sign * (rows["own"] - rows["final"]).to_numpy(), 9))
        (ahead,) = means_of_rows(((lead + 1) / 2)[np.newaxis], share=True)
        own, theirs = float(rows["own"].mean()), float(rows["final"].mean())  # type: ignore[arg-type]
        opponents.append(Rival(str(other), rows.height, ahead, own, theirs))
    return sorted(opponents, key=lambda one: (-one.games, one.player))
