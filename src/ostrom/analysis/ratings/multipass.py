"""Multi-pass TrueSkill, the rating of PGG-Bench's leaderboard: a single pass depends on the order of the games, so
there are many, each from scratch in a random order, and a player's figures are medians over them.

Many passes of TrueSkill over the same games at once, each pass in an order of its own.

Within a pass games follow each other, but two that share no player do not wait for each other. So every pass is cut
into waves: a game's wave comes right after the latest wave of any of its players. The games of one wave, of all
passes together, are rated in one call; the result is that of one game after another."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ostrom.analysis.ratings.results import NOBODY, Results
from ostrom.analysis.ratings.trueskill import Flags, Skills, TrueSkill, rate
from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.estimates import Floats, Whole
from ostrom.core.machine import cores


def orders(games: Whole, passes: int, seed: int) -> Whole:
    """(passes, games) These games in an order of chance for each pass: every game draws a number, the lowest goes
    first. Same seed, same orders, on every machine."""
    shape = (passes, len(games))
    numbers = np.broadcast_to(games.astype(np.uint64), shape).copy()
    turns = np.broadcast_to(np.arange(passes, dtype=np.uint64)[:, None], shape)
    draws = uniform_rows(key_of(check_seed(seed)), numbers, "rating pass", turns, 0)
    return np.asarray(games[np.argsort(draws, axis=1, kind="stable")])


@dataclass(frozen=True)
class _Sorted:
    """Games with their seats sorted from the best to the worst; tied seats stand in the order in which they sat."""

    players: Whole
    """(games, seats) Those of empty seats come last."""
    tied: Flags
    """(games, seats - 1) Whether a seat tied with the next."""
    share: Floats
    """(games, seats) One by the number of seats that its player holds in the game."""


def _sorted(results: Results) -> _Sorted:
    scores = np.where(results.seated, results.scores, -np.inf)
    best_first = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, best_first, axis=1)
    return _Sorted(
        players=np.take_along_axis(results.players, best_first, axis=1),
        tied=np.equal(ranked[:, :-1], ranked[:, 1:]),
        share=1 / np.take_along_axis(results.copies, best_first, axis=1),
    )


def waves(players: Whole, order: Whole, names: int) -> Whole:
    """(passes, games) The wave of each game of each pass, along its order."""
    passes = np.arange(len(order))[:, None]
    # One column more than names takes what empty seats write, and is never read as later than the start.
    latest = np.zeros((len(order), names + 1), dtype=np.int64)
    wave = np.empty_like(order)
    for place in range(order.shape[1]):
        who = players[order[:, place]]
        wave[:, place] = latest[passes, who].max(axis=1)
        latest[passes, who] = wave[:, place, None] + 1
        latest[:, NOBODY] = 0
    return wave


_WORTH_COMPILING: Final = 100_000
"""Games, counted in every pass, from which on loading what was compiled pays; compiling it takes seconds, once."""


def skills_after(results: Results, model: TrueSkill, order: Whole) -> Skills:
    """(passes, names) What each pass believes after all its games. `order` (passes, games) says which game comes when.
    Many games are rated by compiled code where the extra is installed; what comes out is the same."""
    if model.draw_probability and order.size >= _WORTH_COMPILING:
        try:
            return compiled(results, model, order)
        except ImportError:  # The extra is missing, or not of one kind with the NumPy that is here.
            pass
    return in_arrays(results, model, order)


def compiled(results: Results, model: TrueSkill, order: Whole) -> Skills:
    """(passes, names) The same game by game, on all processors."""
    from ostrom.analysis.ratings.compiled import play_passes

    games, threads = _sorted(results), cores()
    known = play_passes(
        model, order, games.players, games.tied, games.share, results.sizes, len(results.names), threads
    )
    return Skills(*known)


def in_arrays(results: Results, model: TrueSkill, order: Whole) -> Skills:
    """(passes, names) The same wave after wave, all passes at once.

    A player that holds several seats of a game is rated in each of them as if the others were held by somebody else
    of equal skill, as the `trueskill` package does when it is fed one rating several times. It keeps the mean of what
    its seats were told, so a game is one observation of a player however many seats it held."""
    games, names = _sorted(results), len(results.names)
    precision = np.full(len(order) * names, model.sigma**-2)
    weight = precision * model.mu
    # All games of all passes, wave after wave, and within a wave those of as many seats together.
    number, sizes = order.ravel(), results.sizes[order.ravel()]
    group = waves(games.players, order, names).ravel() * (results.players.shape[1] + 1) + sizes
    queue = np.argsort(group, kind="stable")
    number, sizes, first = number[queue], sizes[queue], (queue // order.shape[1]) * names
    ends = np.flatnonzero(np.diff(group[queue], append=-1)) + 1
    several = bool((results.copies[results.seated] > 1).any())
    start = 0
    for end in map(int, ends):
        batch, seats = number[start:end], int(sizes[start])
        at = (games.players[batch, :seats] + first[start:end, None]).T
        before = Skills(precision[at], weight[at])
        after = rate(model, before, games.tied[batch, : seats - 1].T)
        if several:
            share = games.share[batch, :seats].T
            precision[at], weight[at] = 0.0, 0.0
            np.add.at(precision, at, share * after.precision)
            np.add.at(weight, at, share * after.weight)
        else:
            precision[at], weight[at] = after
        start = end
    shape = (len(order), names)
    return Skills(precision.reshape(shape), weight.reshape(shape))


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
