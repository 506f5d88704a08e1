"""Who is how strong: everything that is known of each player's strength, from the ranks at which games ended."""

from dataclasses import dataclass
from typing import Any, Final

from ostrom.analysis.ratings import Place, Rating, Results, multipass, order_free, results_of, tiers
from ostrom.analysis.study import NothingLeft, study_of
from ostrom.analysis.tables import Answers, GameTables, answers_by_player

PASSES: Final = 200
DRAW_PROBABILITY: Final = 0.1
"""How players are rated where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A player with everything that is known of its strength."""

    rating: Rating
    mean_final: float
    place: Place | None
    """Its tier and order-free strength; missing where no two players met."""
    answers: Answers
    """How many of its answers were defaulted or repaired, also of those that were left out for it."""

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
            "spread": self.rating.spread,
            "strength": None if found is None else found.strength.as_record(),
            "lead": None if found is None or found.lead is None else found.lead.as_record(),
            "differs_from_next": None if found is None else found.differs,
            "defaulted": self.answers.defaulted_share,
            "repaired": self.answers.repaired_share,
        }


def rate_players(tables: GameTables, *, passes: int, draw_probability: float) -> list[Rated]:
    """Everybody's rating, the best first, with tiers down that ranking. Seats that were left out are not rated; the
    others of their games are, where at least two remain."""
    results = rated_results(tables)
    found = multipass(results, passes=passes, draw_probability=draw_probability)
    sign = _sign(tables)
    means = dict(zip(results.names, sign * results.mean_scores(), strict=True))
    answers = answers_by_player(tables)
    places = {}
    if len(results.comparing):
        places = {place.name: place for place in tiers(order_free(results), [rating.name for rating in found])}
    return [Rated(rating, float(means[rating.name]), places.get(rating.name), answers[rating.name]) for rating in found]


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
        raise NothingLeft("no game has two seats left without defaulted answers, so there is nobody to compare")
    return results_of(compared)


def _sign(tables: GameTables) -> int:
    return 1 if study_of(tables).game.better == "higher" else -1
