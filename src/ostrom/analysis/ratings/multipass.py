"""Multi-pass TrueSkill, the rating of PGG-Bench's leaderboard: a single pass depends on the order of the games, so
there are many, each from scratch in a random order, and a player's figures are medians over them."""

from dataclasses import dataclass

import numpy as np

from ostrom.analysis.ratings.passes import orders, skills_after
from ostrom.analysis.ratings.results import Results
from ostrom.analysis.ratings.trueskill import TrueSkill
from ostrom.core import InputError

MOST_PASSES = 10_000
"""All passes are rated at once, in memory; the medians of so many no longer move."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's rating."""

    name: str
    mu: float
    """The median over passes of the mean skill. All players' move up and down together from pass to pass, so only
    differences say something."""
    sigma: float
    """The median over passes of what one pass leaves uncertain about the skill."""
    games: int
    """Games in which the player held a seat."""
    spread: float
    """The standard deviation of mu over passes: how much the order of the games matters."""


def check_passes(passes: int) -> None:
    """Refuse a number of passes that rates nobody, or that no memory holds."""
    if not 1 <= passes <= MOST_PASSES:
        raise InputError(f"there cannot be {passes:,} passes; there must be from 1 to {MOST_PASSES:,}")


def multipass(
    results: Results,
    passes: int = 200,
    draw_probability: float = 0.1,
    mu: float = 10.0,
    sigma: float = 25 / 3,
    beta: float = 25 / 6,
    tau: float = 0.0,
    seed: int = 0,
) -> list[Rating]:
    """Everybody's rating, the best first. A player that met nobody keeps `mu` and `sigma`."""
    check_passes(passes)
    model = TrueSkill(mu, sigma, beta, tau, draw_probability)
    skills = skills_after(results, model, orders(results.comparing, passes, seed))
    means = skills.weight / skills.precision
    middle, spread = np.median(means, axis=0), np.std(means, axis=0)
    doubt = np.median(skills.precision**-0.5, axis=0)
    games = results.games_of()
    ratings = [
        Rating(name, float(middle[i]), float(doubt[i]), int(games[i]), float(spread[i]))
        for i, name in enumerate(results.names)
    ]
    return sorted(ratings, key=lambda rating: (-rating.mu, rating.name))
