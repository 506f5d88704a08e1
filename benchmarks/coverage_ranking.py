"""How often the ranking errs: the rate of more than one tier among equals, how often all ranks hold, how often the
interval of a strength covers it, and how many pairs are told apart beside Holm's correction of the same statistics.

By itself: `python benchmarks/coverage.py --only ranking --worlds 200`."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, permutations

import numpy as np
import polars as pl
from scipy.stats import t as student
from worlds import Row, Study, real_games, row

from ostrom.analysis.common_measures import head_to_head, mean_final
from ostrom.analysis.design import Design
from ostrom.analysis.ratings import GameResults, OrderFree, order_free, tiers
from ostrom.analysis.ratings.method import ComparedRating
from ostrom.analysis.ratings.methods.davidson import davidson
from ostrom.analysis.ratings.methods.plackett_luce import plackett_luce
from ostrom.analysis.ratings.model_fit import strengths_of
from ostrom.analysis.ratings.ranking import compare_pairs
from ostrom.analysis.seated_results import rated_results
from ostrom.analysis.tables import GameTables
from ostrom.experiment.stages import next_tables, stages_of

World = Callable[[np.random.Generator], GameResults]


def drawn(players: int, games: int, seats: int, *, ties: bool = False, spread: float = 0.0) -> World:
    """Worlds of normal performances, of players whose skills are equally spaced over `spread` to both sides of 0."""
    names, skill = tuple(f"p{i:02}" for i in range(players)), np.linspace(spread, -spread, players)

    def world(chance: np.random.Generator) -> GameResults:
        seated = np.argsort(chance.random((games, players)), axis=1)[:, :seats]
        scores = chance.standard_normal((games, seats)) + skill[seated]
        return GameResults(names, seated, np.round(scores * 2) if ties else scores)

    return world


def permuted(real: GameResults) -> World:
    """Real games with the scores of each dealt anew among its seats: everybody is equal."""
    return lambda chance: GameResults(real.names, real.players, chance.permuted(real.scores, axis=1))


def resampled(real: GameResults) -> World:
    """As many games as there are, drawn from them with replacement."""

    def world(chance: np.random.Generator) -> GameResults:
        picked = chance.integers(0, real.games, real.games)
        return GameResults(real.names, real.players[picked], real.scores[picked])

    return world


def holm_pairs(rating: OrderFree) -> int:
    """How many pairs Holm's correction tells apart by the same statistics."""
    one, other = np.triu_indices(len(rating.names), 1)
    variance = np.diag(rating.covariance)
    error = np.sqrt(variance[one] + variance[other] - 2 * rating.covariance[one, other])
    sizes = np.abs(rating.theta[one] - rating.theta[other]) / error
    chances = np.sort(2 * student.sf(sizes, rating.games - 1))
    beyond = np.flatnonzero(chances > 0.05 / np.arange(len(chances), 0, -1))
    return int(beyond[0]) if len(beyond) else len(chances)


Rate = Callable[[GameResults], ComparedRating]


def equals(setting: str, world: World, worlds: int, seed: int = 1, rate: Rate = order_free) -> Iterator[Row]:
    """Of players who are all equal."""
    chance = np.random.default_rng(seed)
    several = []
    for _ in range(worlds):
        several.append(any(place.tier not in (1, None) for place in tiers(rate(world(chance)))))
    yield row("more than one tier among equals", setting, several, note="at most 5 %")


def differences(setting: str, world: World, truth: np.ndarray, worlds: int, seed: int = 2) -> Iterator[Row]:
    """Of players who differ: `truth` are their strengths, in the order of their names."""
    chance = np.random.default_rng(seed)
    covered: list[bool] = []
    ranks_hold, pairs, holm = [], [], []
    rank = {name: place for place, name in enumerate(np.argsort(-truth).tolist(), start=1)}
    for _ in range(worlds):
        rating = order_free(world(chance))
        for estimate, value in zip(rating.strengths, truth, strict=True):
            covered.append(estimate.low is not None and estimate.low <= value <= estimate.high)
        places = {rating.names.index(place.name): place.ranks for place in tiers(rating)}
        ranks_hold.append(all(held is None or held[0] <= rank[i] <= held[1] for i, held in places.items()))
        pairs.append(int(compare_pairs(rating, range(len(truth))).stronger.sum()))
        holm.append(holm_pairs(rating))
    yield row("interval of a strength", setting, covered, worlds=worlds, note="95 %")
    note = f"{np.mean(pairs):.1f} pairs found to differ, {np.mean(holm):.1f} by Holm's correction"
    yield row("all ranks hold", setting, ranks_hold, note=f"at least 95 %; {note}")


def by_choices(setting: str, rate: Rate, world: World, truth: np.ndarray | None, worlds: int) -> Iterator[Row]:
    """By a choice model: tiers among equals, or the coverage of strengths whose truth is known."""
    if truth is None:
        yield from equals(setting, world, worlds, 8, rate)
        return
    chance, covered = np.random.default_rng(9), list[bool]()
    for _ in range(worlds):
        for estimate, value in zip(rate(world(chance)).strengths, truth, strict=True):
            covered.append(estimate.low is not None and estimate.low <= value <= estimate.high)
    yield row("interval of a strength", setting, covered, worlds=worlds, note="95 %")


def with_roles(players: int, games: int) -> World:
    """Worlds of equal players, where the first half is mostly in the role that ends ahead more often."""
    names = tuple(f"p{i:02}" for i in range(players))

    def world(chance: np.random.Generator) -> GameResults:
        seated = np.argsort(chance.random((games, players)), axis=1)[:, :2]
        turned = (seated[:, 0] < players // 2) & (chance.random(games) < 0.3)
        seated[turned] = seated[turned, ::-1]
        role = np.broadcast_to(np.array([1.0, 0.0]), seated.shape)
        value = chance.standard_normal(seated.shape)
        scores = np.round(role + value + chance.standard_normal(seated.shape))
        z = np.stack((role, value), axis=2)
        return GameResults(names, seated, scores, covariates=z, covariate_names=("role", "value"))

    return world


def gumbel(players: int, games: int, seats: int, spread: float) -> World:
    """Worlds whose orders are drawn by the Plackett–Luce model."""
    names, skill = tuple(f"p{i:02}" for i in range(players)), np.linspace(spread, -spread, players)

    def world(chance: np.random.Generator) -> GameResults:
        seated = np.argsort(chance.random((games, players)), axis=1)[:, :seats]
        return GameResults(names, seated, skill[seated] + chance.gumbel(size=seated.shape))

    return world


def among_equals(setting: str, world: World | None, worlds: int) -> Iterator[Row]:
    """Of players who are all equal; without a world, of the real games."""
    real = real_games()
    if world is None:
        if real is None:
            return
        world = permuted(rated_results(real))
    yield from equals(setting, world, worlds)


def among_real_players(worlds: int) -> Iterator[Row]:
    """Of the players of the real games, who are taken to be as strong as all games say."""
    if (real := real_games()) is not None:
        results = rated_results(real)
        yield from differences("580 real games, resampled", resampled(results), order_free(results).theta, worlds)


def among_spaced_players(worlds: int) -> Iterator[Row]:
    """Of players whose strengths are known from very many games."""
    many = order_free(drawn(9, 40_000, 5, spread=0.7)(np.random.default_rng(3))).theta
    world = drawn(9, 100, 5, spread=0.7)
    yield from differences("9 players equally spaced, 100 games of 5", world, many, worlds)


def of_few_games(games: int, worlds: int, seed: int = 4) -> Iterator[Row]:
    """Five players far apart, who all sit in every game; below ten games an interval is refused."""
    truth = order_free(drawn(5, 40_000, 5, spread=1.4)(np.random.default_rng(3))).theta
    world, chance = drawn(5, games, 5, spread=1.4), np.random.default_rng([seed, games])
    held: list[float] = []
    for _ in range(worlds):
        for estimate, value in zip(order_free(world(chance)).strengths, truth, strict=True):
            held.append(np.nan if estimate.low is None else float(estimate.low <= value <= estimate.high))
    setting = f"5 players far apart, {games} games of 5"
    if np.isnan(held).all():
        yield Row("interval of a strength", setting, worlds, np.nan, np.nan, np.nan, None, "always refused")
    else:
        yield row("interval of a strength", setting, held, worlds=worlds, note="95 %")


def of_pairs(games: int, worlds: int, seed: int = 5) -> Iterator[Row]:
    """Head to head: the shares of all pairs of six players, whose truth is that of very many games."""
    make = drawn(6, games, 4, spread=0.7)

    def pairs(results: GameResults) -> pl.DataFrame:
        number = np.arange(results.games)
        seats = pl.concat(
            pl.DataFrame(
                {
                    "game": [f"g{one}" for one in number],
                    "seat": np.full(results.games, seat),
                    "player": [results.names[one] for one in results.players[:, seat]],
                    "final": results.scores[:, seat],
                    "rank": 1.0 + (results.scores > results.scores[:, [seat]]).sum(axis=1),
                }
            )
            for seat in range(results.players.shape[1])
        )
        return head_to_head(GameTables(games=pl.DataFrame({"game": [f"g{one}" for one in number]}), seats=seats))

    many, chance = drawn(6, 40_000, 4, spread=0.7)(np.random.default_rng(3)), np.random.default_rng([seed, games])
    ahead, met = np.zeros((6, 6)), np.zeros((6, 6))
    for one, other in permutations(range(4), 2):
        pair = many.players[:, one], many.players[:, other]
        np.add.at(met, pair, 1)
        np.add.at(ahead, pair, many.scores[:, one] > many.scores[:, other])
    place = {name: index for index, name in enumerate(many.names)}
    held: list[float] = []
    for _ in range(worlds):
        for player, other, low, high in pairs(make(chance)).select("player", "other_player", "low", "high").iter_rows():
            share = ahead[place[player], place[other]] / met[place[player], place[other]]
            if player < other:
                held.append(np.nan if low is None else float(low <= share <= high))
    yield row("head to head of a pair", f"6 players, {games} games of 4", held, worlds=worlds, note="95 %")


def against_one(players: int, share: float, games: int = 30) -> World:
    """Worlds of equal players who each meet one common opponent, the last, and win this share of the games."""
    names = (*(f"p{i:02}" for i in range(players)), "z")
    seated = np.stack([np.repeat(np.arange(players), games), np.full(players * games, players)], axis=1)

    def world(chance: np.random.Generator) -> GameResults:
        won = (chance.random(len(seated)) < share).astype(float)
        return GameResults(names, seated, np.stack([won, 1 - won], axis=1))

    return world


def thinly_linked(links: int, size: int = 5, games: int = 100) -> World:
    """Worlds of two groups of equal players with games of their own, and this many games between the groups."""
    names = tuple(f"p{i:02}" for i in range(2 * size))

    def world(chance: np.random.Generator) -> GameResults:
        inside = [chance.permutation(size)[:2] + group * size for group in (0, 1) for _ in range(games)]
        between = np.stack([chance.integers(size, size=links), size + chance.integers(size, size=links)], axis=1)
        seated = np.concatenate([inside, between])
        return GameResults(names, seated, chance.standard_normal(seated.shape))

    return world


def repeated_seeds(seeds: int = 40, games: int = 6, players: int = 6) -> World:
    """Worlds of equal players whose luck, half of the variance, is the same in all games of a seed."""
    names = tuple(f"p{i:02}" for i in range(players))
    seed = np.repeat(np.arange(seeds), games)

    def world(chance: np.random.Generator) -> GameResults:
        seated = np.argsort(chance.random((len(seed), players)), axis=1)[:, :2]
        luck = chance.standard_normal((seeds, players))
        return GameResults(
            names, seated, luck[seed[:, None], seated] + chance.standard_normal(seated.shape), None, seed
        )

    return world


def circular_share(players: int, ahead: float = 0.75) -> np.ndarray:
    """How often each beats each other, where each beats the next half of a circle: all are equal, without an order."""
    step = (np.arange(players) - np.arange(players)[:, None]) % players
    return np.where(step == 0, 0.5, np.where(step <= players // 2, ahead, 1 - ahead))


Meeting = Callable[[np.random.Generator, int, int], list[float]]
"""Draws the scores of a game of two players."""


def in_circle(players: int = 5, ahead: float = 0.75) -> Meeting:
    """Return the game of players of a circle: one wins and the other loses."""
    share = circular_share(players, ahead)

    def play(chance: np.random.Generator, one: int, other: int) -> list[float]:
        won = float(chance.random() < share[one, other])
        return [won, 1 - won]

    return play


def payoff_levels(players: int = 9) -> np.ndarray:
    """Return the mean payoff of each against each, which depends on the opponent more than on the player."""
    return 40 * np.random.default_rng(11).random((players, players))


def mean_against_others(levels: np.ndarray) -> np.ndarray:
    """Return each player's mean over the others."""
    return np.asarray((levels.sum(axis=1) - np.diag(levels)) / (len(levels) - 1))


def by_levels(players: int = 9) -> Meeting:
    """Return the game of players whose payoffs have these means and an exponential deviation."""
    level = payoff_levels(players)
    return lambda chance, one, other: [
        float(level[pair] + 10 * (chance.exponential() - 1)) for pair in ((one, other), (other, one))
    ]


def adaptive(play: Meeting, players: int = 5, games: int = 150) -> World:
    """Worlds of the adaptive schedule."""
    names = tuple(f"p{i:02}" for i in range(players))

    def world(chance: np.random.Generator) -> GameResults:
        tables: list[Sequence[int]] = []
        scores: list[list[float]] = []
        for end in stages_of(games, players, 2):
            so_far = GameResults(names, np.asarray(tables), np.asarray(scores)) if tables else None
            tables += next_tables(so_far, names, 2, tables, end, games, int(chance.integers(2**31)))
            scores += [play(chance, one, other) for one, other in tables[len(scores) :]]
        return GameResults(names, np.asarray(tables), np.asarray(scores), weighted=True)

    return world


def balanced(play: Meeting, players: int, games: int) -> World:
    """Worlds in which every pair meets equally often, to within one game."""
    names = tuple(f"p{i:02}" for i in range(players))
    pairs = list(combinations(range(players), 2))

    def world(chance: np.random.Generator) -> GameResults:
        seated = np.asarray([pairs[number % len(pairs)] for number in range(games)])
        scores = [play(chance, int(one), int(other)) for one, other in seated]
        return GameResults(names, seated, np.asarray(scores))

    return world


def lopsided(setting: str, world: World, some: int | None, worlds: int, seed: int = 6) -> Iterator[Row]:
    """Pairs told apart among the first players, who are equal; in their place, no tiers where no order holds."""
    chance = np.random.default_rng(seed)
    wrong, refused = [], 0
    for _ in range(worlds):
        results = world(chance)
        rating, model = strengths_of(results)
        if model.without_order:
            refused += 1
            continue
        wrong.append(bool(compare_pairs(rating, range(len(results.names))).stronger[:some, :some].any()))
    note = f"at most 6 %; no tiers in {100 * refused / worlds:.1f} %"
    yield row("pairs told apart among equals", setting, wrong or [np.nan], worlds=len(wrong), note=note)


def means_of(results: GameResults) -> pl.DataFrame:
    """Return the mean score of each player as a report has it."""
    rows = [
        (f"g{game}", seat, results.names[player], float(score))
        for game, (players, scores) in enumerate(zip(results.players, results.scores, strict=True))
        for seat, (player, score) in enumerate(zip(players, scores, strict=True))
    ]
    seats = pl.DataFrame(rows, ["game", "seat", "player", "final"], orient="row")
    games = seats.select("game").unique(maintain_order=True).with_columns(seats=pl.lit(results.players.shape[1]))
    return mean_final(GameTables(games, seats, design=Design(adaptive=results.weighted)))


def adaptive_means(setting: str, play: Meeting, truth: np.ndarray, games: int, worlds: int) -> Iterator[Row]:
    """The mean of each player by the adaptive schedule, weighted to balanced: its coverage, and how often its
    difference from the mean of a balanced schedule lies within the errors of both."""
    players, chance = len(truth), np.random.default_rng(7)
    adaptively, evenly = adaptive(play, players, games), balanced(play, players, games)
    values, widths, held, agree = [], [], [], []
    for _ in range(worlds):
        own, even = (
            frame.select("value", "low", "high").to_numpy().T
            for frame in map(means_of, (adaptively(chance), evenly(chance)))
        )
        values.append(own[0])
        widths.append(own[2] - own[1])
        held.append((own[1] <= truth) & (truth <= own[2]))
        below, above = np.hypot(own[0] - own[1], even[2] - even[0]), np.hypot(own[2] - own[0], even[0] - even[1])
        agree.append((own[0] - below <= even[0]) & (even[0] <= own[0] + above))
    spread = np.quantile(values, 0.975, axis=0) - np.quantile(values, 0.025, axis=0)
    width = float(np.mean(np.mean(widths, axis=0) / spread))
    what = "mean of an adaptive schedule, weighted"
    yield row(what, setting, np.ravel(held), worlds=worlds, width=width, note="93 to 97 %")
    yield row(f"{what}: agrees with a balanced one", setting, np.ravel(agree), worlds=worlds, note="at least 93 %")


_LOPSIDED: list[tuple[str, World, int | None]] = [
    ("8 players against one, 30 games each, 90 % won", against_one(8, 0.9), 8),
    ("8 players against one, 30 games each, 97 % won", against_one(8, 0.97), 8),
    *(
        (f"two groups of 5, 100 games each, {links} between them", thinly_linked(links), None)
        for links in (1, 3, 5, 10)
    ),
    *(
        (f"{seeds} seeds of {games} games, correlation 0.5", repeated_seeds(seeds, games), None)
        for seeds, games in ((10, 24), (20, 12), (40, 6))
    ),
    *(
        (f"5 in a circle, {100 * by:.0f} % won, adaptive, 150 games", adaptive(in_circle(ahead=by)), None)
        for by in (0.6, 0.75, 0.9)
    ),
]
_ADAPTIVE_MEANS: list[tuple[str, Meeting, np.ndarray, int]] = [
    *(
        (f"5 players in a circle, {100 * by:.0f} % won, 150 games", in_circle(ahead=by), np.full(5, 0.5), 150)
        for by in (0.6, 0.75)
    ),
    ("9 players, payoffs by opponent, 300 games", by_levels(), mean_against_others(payoff_levels()), 300),
]
_EQUALS: list[tuple[str, World | None]] = [
    ("20 players, 580 games of 5", drawn(20, 580, 5)),
    ("9 players, 40 games of 5", drawn(9, 40, 5)),
    ("16 players, 100 games of 4, with ties", drawn(16, 100, 4, ties=True)),
    ("580 real games, scores permuted within each", None),
]
_CHOICES: list[tuple[str, Rate, World, np.ndarray | None]] = [
    ("plackett-luce, 9 players, 40 games of 5", plackett_luce, drawn(9, 40, 5), None),
    ("plackett-luce, 16 players, 100 games of 4, with ties", plackett_luce, drawn(16, 100, 4, ties=True), None),
    ("plackett-luce, 9 players, 100 games of 5", plackett_luce, gumbel(9, 100, 5, 0.7), np.linspace(0.7, -0.7, 9)),
    ("davidson, 9 players, 40 games of 5", davidson, drawn(9, 40, 5), None),
    ("davidson, 8 players, 150 games of 2, adjusted for role and value", davidson, with_roles(8, 150), None),
]
STUDIES: list[Study] = [
    *(partial(by_choices, *setting) for setting in _CHOICES),
    *(partial(among_equals, setting, world) for setting, world in _EQUALS),
    among_real_players,
    among_spaced_players,
    *(partial(of_few_games, games) for games in (6, 10, 15)),
    *(partial(lopsided, setting, world, some) for setting, world, some in _LOPSIDED),
    *(partial(adaptive_means, *setting) for setting in _ADAPTIVE_MEANS),
    *(partial(of_pairs, games) for games in (40, 100)),
]
