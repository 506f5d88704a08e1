"""Multi-pass TrueSkill, the rating of PGG-Bench's leaderboard. The result of a single pass over the games depends on
their order. So there are many passes. Each pass starts from scratch and has a random order, and a player's figures are
medians over all passes.

All passes are computed together. Within a pass, games that share no player are independent. So every pass is divided
into waves: the wave of a game follows the latest wave of any of its players. The games of one wave, of all passes
together, are rated in one call. The result is the same as if games were rated one after another.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from pydantic import Field

from ostrom.analysis.ratings.method import EMPTY_SEAT, RATING_METHODS, GameResults, RatingMethod
from ostrom.analysis.ratings.trueskill import Flags, Skills, TrueSkill, rate
from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.entry_points import cores
from ostrom.core.estimates import Estimate, Floats, Whole
from ostrom.core.settings import Settings


def orders(games: Whole, passes: int, seed: int) -> Whole:
    """Return these games in a random order for each pass, (passes, games). A random number is drawn for every game, and
    games are sorted by these numbers. Equal seeds give equal orders on every machine."""
    shape = (passes, len(games))
    numbers = np.broadcast_to(games.astype(np.uint64), shape).copy()
    turns = np.broadcast_to(np.arange(passes, dtype=np.uint64)[:, None], shape)
    draws = uniform_rows(key_of(check_seed(seed)), numbers, "rating pass", turns, 0)
    return np.asarray(games[np.argsort(draws, axis=1, kind="stable")])


@dataclass(frozen=True)
class _SortedGames:
    """Games with their seats sorted from the best to the worst. Tied seats keep their order."""

    players: Whole
    """(games, seats) The player of each seat. Empty seats come last."""
    tied: Flags
    """(games, seats - 1) True where a seat tied with the next."""
    share: Floats
    """(games, seats) One divided by the number of seats that the player holds in the game."""


def _sort_seats(results: GameResults) -> _SortedGames:
    scores = np.where(results.seated, results.scores, -np.inf)
    best_first = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, best_first, axis=1)
    return _SortedGames(
        players=np.take_along_axis(results.players, best_first, axis=1),
        tied=np.equal(ranked[:, :-1], ranked[:, 1:]),
        share=1 / np.take_along_axis(results.copies, best_first, axis=1),
    )


def waves(players: Whole, order: Whole, names: int) -> Whole:
    """Return the wave of each game in the order of each pass, (passes, games)."""
    passes = np.arange(len(order))[:, None]
    # Empty seats write to the last column, which is then reset. Therefore empty seats do not delay any game.
    latest = np.zeros((len(order), names + 1), dtype=np.int64)
    wave = np.empty_like(order)
    for place in range(order.shape[1]):
        who = players[order[:, place]]
        wave[:, place] = latest[passes, who].max(axis=1)
        latest[passes, who] = wave[:, place, None] + 1
        latest[:, EMPTY_SEAT] = 0
    return wave


_MIN_COMPILED_GAMES: Final = 100_000
"""If the product of games and passes exceeds this number, compiled code is faster, including the time to load it."""


def skills_after(results: GameResults, model: TrueSkill, order: Whole) -> Skills:
    """Return each pass's skills after all its games, (passes, names). `order` (passes, games) is the order of the games
    in each pass. If the extra `compiled` is installed, compiled code is used for large numbers of games. The result is
    the same."""
    if model.draw_probability and order.size >= _MIN_COMPILED_GAMES:
        try:
            return compiled(results, model, order)
        except ImportError:  # The extra is missing, or is incompatible with the installed NumPy.
            pass
    return in_arrays(results, model, order)


def compiled(results: GameResults, model: TrueSkill, order: Whole) -> Skills:
    """Return the skills after all games, (passes, names), computed game by game on all processors."""
    from ostrom.analysis.ratings.compiled import play_passes

    games = _sort_seats(results)
    skills = play_passes(
        model, order, games.players, games.tied, games.share, results.sizes, len(results.names), threads=cores()
    )
    return Skills(*skills)


def in_arrays(results: GameResults, model: TrueSkill, order: Whole) -> Skills:
    """Return the skills after all games, (passes, names), computed wave by wave for all passes at once.

    If a player has several seats in a game, each seat is rated as if another player of equal skill had the other seats.
    The `trueskill` package does the same if one rating is given several times. The player's new skill is the mean over
    its seats. So a game is one observation of a player, regardless of the number of its seats.
    """
    games, names = _sort_seats(results), len(results.names)
    precision = np.full(len(order) * names, model.sigma**-2)
    weight = precision * model.mu
    # All games of all passes are sorted by wave, and within a wave by the number of seats.
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


MAX_PASSES: Final = 10_000
"""The largest number of passes. All passes are in memory together, and further passes would not change the medians."""


class TrueSkillSettings(Settings):
    """The settings of multi-pass TrueSkill that users choose."""

    passes: int = Field(
        200,
        ge=1,
        le=MAX_PASSES,
        description="Number of passes over all games, each in a new random order: 1 to 10,000.",
    )
    draw_probability: float = Field(
        0.1,
        ge=0,
        lt=1,
        description="TrueSkill's probability of a draw between equal players; the table of PGG-Bench used 0.4.",
    )

    def model_post_init(self, context: Any) -> None:
        """Raise `InputError`, in addition to other checks, for a probability that is too close to 0 or 1 for the
        computation."""
        TrueSkill(draw_probability=self.draw_probability)


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's rating."""

    name: str
    mu: float
    """The median over passes of the mean skill. The means of all players shift together from pass to pass, so only
    differences between players are meaningful."""
    sigma: float
    """The median over passes of the standard deviation of the posterior of the skill."""
    games: int
    spread: float
    """The standard deviation of mu over passes. It shows the influence of the order of the games."""


def multipass(
    results: GameResults,
    passes: int = 200,
    draw_probability: float = 0.1,
    mu: float = 10.0,
    sigma: float = 25 / 3,
    beta: float = 25 / 6,
    tau: float = 0.0,
    seed: int = 0,
) -> list[Rating]:
    """Return every player's rating, the best first. A player that met no other player keeps `mu` and `sigma`. Raises
    `InputError` for invalid settings."""
    if not 1 <= passes <= MAX_PASSES:
        raise InputError(f"passes must be from 1 to {MAX_PASSES:,}, got {passes:,}")
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


@dataclass(frozen=True, slots=True)
class TrueSkillFit:
    """The ratings of all players."""

    ratings: tuple[Rating, ...]

    @property
    def estimates(self) -> dict[str, Estimate]:
        """Each player's μ. It has no interval, since the passes say nothing about games that were not played."""
        return {rating.name: Estimate(rating.mu) for rating in self.ratings}


def fit_trueskill(results: GameResults, settings: TrueSkillSettings) -> TrueSkillFit:
    """Return the ratings of all players, on the usual scale of skills."""
    return TrueSkillFit(tuple(multipass(results, settings.passes, settings.draw_probability)))


TRUESKILL: Final = RatingMethod(
    name="trueskill",
    title="Multi-pass TrueSkill",
    description="every pass rates all games from the beginning, in a random order, by the ranks at the end of a "
    "game; equal finals are draws; μ and σ are medians over the passes",
    settings=TrueSkillSettings,
    fit=fit_trueskill,
)
RATING_METHODS.add(TRUESKILL.name, TRUESKILL)
