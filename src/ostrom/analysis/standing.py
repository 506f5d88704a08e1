"""How players stand: how strong they are, from the ranks at which games ended, and what games paid them."""

from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from ostrom.analysis.measures import ratio_of
from ostrom.analysis.ratings import LEAST_GAMES, Place, Rating, Results, multipass, results_of, tiers
from ostrom.analysis.ratings import order_free as fit_order_free
from ostrom.analysis.study import NothingLeft, study_of
from ostrom.analysis.tables import NOT_KNOWN, Answers, GameTables, answers_by_player
from ostrom.core.estimates import Estimate

PASSES: Final = 200
DRAW_PROBABILITY: Final = 0.1
"""How players are rated where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class RatingSettings:
    """How players are rated, and by what they are ranked."""

    passes: int = PASSES
    draw_probability: float = DRAW_PROBABILITY
    order_free: bool = False
    """Whether the ranking goes by the order-free strength, and not by multi-pass TrueSkill."""


USUAL: Final = RatingSettings()


@dataclass(frozen=True, slots=True)
class Rated:
    """A player with everything that is known of its strength."""

    rating: Rating
    mean_final: float
    place: Place | None
    """Its tier and order-free strength; missing where no two players met."""
    answers: Answers = NOT_KNOWN
    """How many of its answers were defaulted or repaired, also of those that were left out for it."""

    @property
    def provisional(self) -> bool:
        """Whether it has too few games for a place among the others."""
        return self.rating.games < LEAST_GAMES

    def as_record(self) -> dict[str, Any]:
        """The player as plain data."""
        found = self.place
        return {
            "name": self.rating.name,
            "mu": self.rating.mu,
            "sigma": self.rating.sigma,
            "games": self.rating.games,
            "mean_final": self.mean_final,
            "tier": None if found is None else found.tier,
            "ranks": None if found is None else found.ranks,
            "apart": None if found is None else found.apart,
            "provisional": self.provisional,
            "spread": self.rating.spread,
            "strength": None if found is None else found.strength.as_record(),
            "lead": None if found is None or found.lead is None else found.lead.as_record(),
            "differs_from_next": None if found is None else found.differs,
            "defaulted": self.answers.defaulted_share,
            "repaired": self.answers.repaired_share,
        }


def rate_players(tables: GameTables, *, passes: int, draw_probability: float, order_free: bool = False) -> list[Rated]:
    """Everybody's rating, the best first, with tiers down that ranking. Seats that were left out are not rated; the
    others of their games are, where at least two remain."""
    answers = answers_by_player(tables)
    rated = rate_results(
        rated_results(tables),
        passes=passes,
        draw_probability=draw_probability,
        lower_is_better=_sign(tables) < 0,
        order_free=order_free,
    )
    return [replace(one, answers=answers[one.rating.name]) for one in rated]


def rate_results(
    results: Results,
    *,
    passes: int = PASSES,
    draw_probability: float = DRAW_PROBABILITY,
    lower_is_better: bool = False,
    order_free: bool = False,
) -> list[Rated]:
    """Everybody's rating from any results at all, the best first by TrueSkill or by order-free strength, with tiers
    down that ranking; who has few games comes behind the others, who stands apart last. Where lower scores are the
    better ones, the results hold them with the opposite sign."""
    found = {rating.name: rating for rating in multipass(results, passes=passes, draw_probability=draw_probability)}
    means = dict(zip(results.names, (-1 if lower_is_better else 1) * results.mean_scores(), strict=True))
    if not len(results.comparing):
        return [Rated(rating, float(means[name]), None) for name, rating in found.items()]
    places = tiers(fit_order_free(results), None if order_free else list(found))
    return [Rated(found[place.name], float(means[place.name]), place) for place in places]


def rated_results(tables: GameTables) -> Results:
    """Who ended with what, in the games in which at least two seats are left; where lower finals are the better ones,
    they count with the opposite sign. A seat without a final has no part in it."""
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
    """What one player was paid in one game, in one role (by seat; None for all) and against one other (None for
    all)."""

    game: str
    """What records call it."""
    player: str
    seat: int | None
    against: str | None
    games: int
    defaulted: int
    """In how many of them the game answered in a player's place, whoever's."""
    payoff: Estimate
    """The mean with its 95 % interval over games, or why there is none."""


def realised_payoffs(tables: GameTables) -> list[Payoffs]:
    """The mean payoff of every player: in all its games, and in games of two by seat and against each other one."""
    seats = tables.seats.drop_nulls("final").select("game", "seat", "player", "final")
    pairs = seats.filter(pl.len().over("game") == 2).with_columns(against=pl.col("player").reverse().over("game"))
    defaulted = tables.games.filter(pl.col("defaulted") > 0).select("game")
    found = []
    for rows, by in ((seats, ()), (pairs, ("seat",)), (pairs, ("against",))):
        if not rows.height:
            continue
        # Games of two pay what they divide; with more seats, a mean may hang on a few rich games.
        payoffs = replace(ratio_of(tables, rows, ("player", *by), "final"), tailed=pairs.height < seats.height)
        less = rows.join(defaulted, on="game", how="semi").group_by("player", *by)
        counted = less.agg(defaulted=pl.col("game").n_unique())
        for row in payoffs.estimates().join(counted, on=["player", *by], how="left").iter_rows(named=True):
            paid = Estimate(row["value"], row["low"], row["high"], row["reason"])
            role = row["player"], row.get("seat"), row.get("against")
            found.append(Payoffs(tables.kind, *role, row["n"], row["defaulted"] or 0, paid))
    return sorted(found, key=lambda one: _place(one.player, one.seat, one.against))


def _place(player: str, seat: int | None, against: str | None) -> tuple[str, int, str]:
    """By player; what holds for all of its games first, then by seat, then against each other one."""
    return player, -1 if seat is None and against is None else 2 if seat is None else seat, against or ""
