"""How strong players are, from the results of their games: TrueSkill over many passes, a rating that knows no order,
and the tiers that can be told apart. Pure functions over arrays."""

from ostrom.analysis.ratings.multipass import Rating, multipass
from ostrom.analysis.ratings.order_free import LEAST_GAMES, OrderFree, order_free
from ostrom.analysis.ratings.ranking import Place, tiers
from ostrom.analysis.ratings.results import NOBODY, Results, results_of, results_of_table
from ostrom.analysis.ratings.trueskill import Skills, TrueSkill, rate

__all__ = [
    "LEAST_GAMES",
    "NOBODY",
    "OrderFree",
    "Place",
    "Rating",
    "Results",
    "Skills",
    "TrueSkill",
    "multipass",
    "order_free",
    "rate",
    "results_of",
    "results_of_table",
    "tiers",
]
