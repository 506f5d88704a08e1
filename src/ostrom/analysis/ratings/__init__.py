"""Ratings of players by the results of their games. This package has a registry of rating methods, and tests that group
players into tiers. All functions are pure functions over arrays."""

from ostrom.analysis.ratings.method import (
    EMPTY_SEAT,
    RATING_METHODS,
    GameResults,
    RatingFit,
    RatingMethod,
    choose_method,
    results_of,
    results_of_table,
)
from ostrom.analysis.ratings.methods.multipass import Rating, multipass
from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES, OrderFree, order_free
from ostrom.analysis.ratings.ranking import Placement, pairs_apart, tiers
from ostrom.analysis.ratings.trueskill import Skills, TrueSkill, rate

__all__ = [
    "EMPTY_SEAT",
    "LEAST_GAMES",
    "RATING_METHODS",
    "GameResults",
    "OrderFree",
    "Placement",
    "Rating",
    "RatingFit",
    "RatingMethod",
    "Skills",
    "TrueSkill",
    "choose_method",
    "multipass",
    "order_free",
    "pairs_apart",
    "rate",
    "results_of",
    "results_of_table",
    "tiers",
]
