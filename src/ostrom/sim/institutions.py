"""A search for rules under which a population does well. Candidates are sets of rules, sampled over the ranges of the
varied rules. They are played on the batch engine, and refined around the best candidate or, for two aims, around the
Pareto front. The players are fixed, evolve under each candidate, or include a best response. The best candidates are
tested with held-out players and seeds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.chance import SEEDS, check_seed
from ostrom.core.errors import field as setting
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.players.roster import Seated, choose, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.aims import PLANTED_GAIN, aim_values, chosen_aims
from ostrom.sim.batch import Floats
from ostrom.sim.best_response import problem_of, simultaneous
from ostrom.sim.factors import Factor, Values, factors_of, rules_with
from ostrom.sim.points import play_points
from ostrom.sim.search import Effort, Search

Population: TypeAlias = Literal["fixed", "evolving", "responding"]
_GENERATIONS, _SELECTION = 8, 4.0
_SEED_OFFSET: Final = 1000
"""The offset between the seeds of a search and the seeds of its test. Search and test both use several consecutive
seeds."""
_DEFAULT_SEATS: Final = 4
"""Default number of seats at a table."""
_MAX_TESTED: Final = 8
"""The largest number of candidates of a front that are tested. They are evenly spaced along the front."""
_RESPONDING = Effort(games=12, generations=0, rounds=1, selection=12)
Progress: TypeAlias = Callable[[int], None]


class Candidate(NamedTuple):
    """A set of rules, and the values of the aims under these rules."""

    settings: dict[str, Any]
    rules: Any
    aims: Floats
    """(aims,) The values of the aims in the games of the search."""


@dataclass(frozen=True)
class Tested:
    """A candidate and its results in held-out games."""

    settings: dict[str, Any]
    rules: Any
    searched: dict[str, float]
    """The value of each aim in the games of the search."""
    seen: dict[str, Estimate]
    """The value of each aim with the players of the search, in held-out games."""
    held_out: dict[str, Estimate]
    """The value of each aim with held-out players."""
    gains: dict[str, Estimate]
    """The gains over the original rules with held-out players. The confidence level of the intervals holds for all
    candidates together."""


@dataclass(frozen=True, repr=False)
class Design:
    """The result of a search for rules."""

    game: Game
    rules: Any
    """The original rules."""
    factors: tuple[Factor, ...]
    aims: tuple[str, ...]
    population: Population
    seed: int
    players: tuple[str, ...]
    """The players of the search."""
    others: tuple[str, ...]
    """The held-out players."""
    seats: int
    planted: tuple[str, ...]
    """The players that are planted in the search."""
    planted_held_out: tuple[str, ...]
    """The players that are planted in the test with held-out players."""
    minimised: frozenset[str]
    """The aims that are minimised. All others are maximised."""
    baseline: Tested
    front: list[Tested]
    """The best candidate or, for two aims, the Pareto front."""
    tried: int
    searched: tuple[Candidate, ...] = ()
    """All candidates of the search in the order of play."""


def design(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    maximise: Sequence[str] = (),
    minimise: Sequence[str] = (),
    seed: int = 0,
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    players: Sequence[Seated] = (),
    held_out: Sequence[Seated] = (),
    planted: Sequence[Seated] = (),
    planted_held_out: Sequence[Seated] = (),
    seats: int | None = None,
    population: Population = "fixed",
    candidates: int = 64,
    rounds: int = 3,
    tables: int = 24,
    games: int = 4,
    progress: Progress = lambda done: None,
) -> Design:
    """Search the ranges of `vary`, written as for a sweep, for the best rules for one aim or two. Games are played at
    random tables of `seats` seats. The default is 4 seats, or the maximum of the game if it is lower. If `held_out`
    names no players, half of the players are drawn with the seed and held out.

    With the aim `planted_gain`, each table is played twice with the same draws: by its players, and with a player of
    `planted` in all seats of one role. The aim is how much more these seats earn in a turn if it is planted. Roles and
    planted players take turns over tables. `planted_held_out` has those of the test with held-out players."""
    game = find_game(game)
    seats = game.seats.largest(_DEFAULT_SEATS) if seats is None else seats
    if game.finals is None or game.step is None:
        raise InputError(f"{game.command} has no array form with final results, so its rules cannot be searched")
    aims = chosen_aims(maximise, minimise)
    if candidates < 2 or tables < 2 or games < 1 or rounds < 0:
        raise InputError("a search needs at least 2 candidates, 2 tables and 1 game")
    factors = factors_of(game, vary)
    if any(factor.part != "rule" for factor in factors):
        raise InputError("design varies rules only; 'ostrom sweep' varies seats and players")
    game.check_seats(seats)
    known, unseen = _split(game, players, held_out, check_seed(seed))
    plants = _plants(game, aims, planted, planted_held_out)
    lab = _Lab(
        game,
        make_rules(game, rules),
        factors,
        aims,
        population,
        seats,
        tables,
        games,
        seed,
        progress,
        signs=np.asarray([-1.0 if aim in minimise else 1.0 for aim in aims]),
        planted=plants[0],
    )
    lab.check_aims(known)
    candidates_found = lab.search(known, candidates, rounds)
    baseline, *tested = lab.test(known, unseen, [lab.candidate({}, known), *candidates_found], plants[1])
    return Design(
        game=game,
        rules=lab.rules,
        factors=factors,
        aims=aims,
        population=population,
        seed=seed,
        players=tuple(entry.name for entry in known),
        others=tuple(entry.name for entry in unseen),
        seats=seats,
        planted=tuple(entry.name for entry in plants[0]),
        planted_held_out=tuple(entry.name for entry in plants[1]),
        minimised=frozenset(minimise),
        baseline=baseline,
        front=tested,
        tried=lab.tried,
        searched=tuple(lab.searched),
    )


def _plants(
    game: Game, aims: Sequence[str], planted: Sequence[Seated], held_out: Sequence[Seated]
) -> tuple[list[StrategyEntry], list[StrategyEntry]]:
    """Return the planted players of the search and those of the test. By default, they are the same."""
    if PLANTED_GAIN not in aims:
        if planted or held_out:
            raise InputError(f"{setting('planted')} is for the aim {PLANTED_GAIN}")
        return [], []
    if not planted:
        raise InputError(f"the aim {PLANTED_GAIN} needs the players to plant; name one with {setting('planted')}")
    if game.roles is None:
        raise InputError(f"players are planted in the seats of a role, and {game.command} has no roles")
    return strategies_of(game, planted), strategies_of(game, held_out or planted)


def _split(
    game: Game, players: Sequence[Seated], held_out: Sequence[Seated], seed: int
) -> tuple[list[StrategyEntry], ...]:
    """Return the players of the search and the held-out players."""
    entries = strategies_of(game, players or None)
    others = strategies_of(game, held_out)
    if not others:
        order = np.random.default_rng([seed, 1]).permutation(len(entries))
        half = (len(entries) + 1) // 2
        others = [entries[place] for place in sorted(order[half:])]
        entries = [entries[place] for place in sorted(order[:half])]
    if not entries or not others:
        raise InputError("a design needs at least 2 players, since some are held out of the search")
    return entries, others


@dataclass
class _Lab:
    game: Game
    rules: Any
    factors: tuple[Factor, ...]
    aims: tuple[str, ...]
    population: Population
    seats: int
    tables: int
    games: int
    seed: int
    progress: Progress
    signs: Floats
    """(aims,) 1 for each aim that is maximised, −1 for each that is minimised."""
    planted: Sequence[StrategyEntry] = ()
    tried: int = 0
    searched: list[Candidate] = field(default_factory=list)

    def check_aims(self, players: Sequence[StrategyEntry]) -> None:
        """Raise InputError if an aim is not a figure of the game. A game is played to check this, since only the
        outcome of a game names its figures."""
        replace(self, games=1)._played([self.rules], players[:1], np.zeros((1, self.seats), dtype=np.int64), self.seed)

    def search(self, players: Sequence[StrategyEntry], candidates: int, rounds: int) -> list[Candidate]:
        """Return the best candidate. For two aims, return the Pareto front, sorted by the first aim."""
        from scipy.stats import qmc  # This is slow to import, and only this method needs it.

        sample = qmc.LatinHypercube(len(self.factors), rng=np.random.default_rng([self.seed, 2])).random(candidates)
        chance = np.random.default_rng([self.seed, 3])
        candidates_played = self._candidates(sample, players)
        places = sample
        for step in range(rounds):
            best = _front(np.stack([self.signs * candidate.aims for candidate in candidates_played]))
            around = places[best[chance.integers(len(best), size=max(2, candidates // 4))]]
            moved = np.clip(around + chance.normal(scale=0.15 / 2**step, size=around.shape), 0.0, 1.0 - 1e-12)
            candidates_played += self._candidates(moved, players)
            places = np.concatenate([places, moved])
        self.searched = list(candidates_played)
        aims = np.stack([self.signs * candidate.aims for candidate in candidates_played])
        ordered = sorted(_front(aims), key=lambda place: -aims[place, 0])
        distinct = {str(candidates_played[place].settings): candidates_played[place] for place in ordered}
        candidates_played = list(distinct.values())
        if len(self.aims) == 1 or len(candidates_played) <= _MAX_TESTED:
            return candidates_played[: 1 if len(self.aims) == 1 else None]
        return [
            candidates_played[place]
            for place in np.linspace(0, len(candidates_played) - 1, _MAX_TESTED).round().astype(int)
        ]

    def _candidates(self, places: Floats, players: Sequence[StrategyEntry]) -> list[Candidate]:
        settings_of_points = [
            {factor.name: factor.at(place) for factor, place in zip(self.factors, row, strict=True)} for row in places
        ]
        points = [rules_with(self.rules, settings) for settings in settings_of_points]
        worth = self._worth(points, players, self.seed, 0).mean(axis=1)
        return [
            Candidate(changes, point, aims)
            for changes, point, aims in zip(settings_of_points, points, worth, strict=True)
        ]

    def candidate(self, settings: dict[str, Any], players: Sequence[StrategyEntry]) -> Candidate:
        point = rules_with(self.rules, settings)
        return Candidate(settings, point, self._worth([point], players, self.seed, 0).mean(axis=1)[0])

    def test(
        self,
        players: Sequence[StrategyEntry],
        others: Sequence[StrategyEntry],
        candidates: Sequence[Candidate],
        planted: Sequence[StrategyEntry],
    ) -> list[Tested]:
        """Evaluate candidates at tables other than those of the search, in held-out games, with these players planted
        among held-out players. The first candidate is the baseline."""
        points = [candidate.rules for candidate in candidates]
        larger = replace(self, tables=4 * self.tables)
        seen = larger._worth(points, players, self.seed, 1)
        unseen = replace(larger, planted=planted)._worth(points, others, self.seed, 1)
        tested = [
            Tested(
                settings=candidate.settings,
                rules=candidate.rules,
                searched=dict(zip(self.aims, candidate.aims.tolist(), strict=True)),
                seen=dict(zip(self.aims, simultaneous(seen[place].T), strict=True)),
                held_out=dict(zip(self.aims, simultaneous(unseen[place].T), strict=True)),
                gains={},
            )
            for place, candidate in enumerate(candidates)
        ]
        others_count = len(candidates) - 1
        gains = simultaneous((unseen[1:] - unseen[:1]).transpose(0, 2, 1).reshape(others_count * len(self.aims), -1))
        by_candidate = [gains[at * len(self.aims) : (at + 1) * len(self.aims)] for at in range(others_count)]
        return [
            tested[0],
            *(
                replace(candidate, gains=dict(zip(self.aims, gains_of_candidate, strict=True)))
                for candidate, gains_of_candidate in zip(tested[1:], by_candidate, strict=True)
            ),
        ]

    def _worth(self, points: Sequence[Any], players: Sequence[StrategyEntry], seed: int, stage: int) -> Floats:
        """Return the values of the aims under each set of rules at random tables, (points, tables, aims)."""
        self.tried += len(points)
        chance = np.random.default_rng([seed, 10 + stage, len(players)])
        tables = chance.integers(len(players), size=(self.tables, self.seats))
        # Evolution uses a seed per generation. So the seeds of the stages differ by more than the number of
        # generations.
        number = (seed + 1 + stage * (_SEED_OFFSET if self.population == "evolving" else 1)) % SEEDS
        if self.population == "fixed":
            self.progress(len(points))
            return self._played(points, players, tables, number)
        aims = []
        for point in points:
            self.progress(1)
            if self.population == "evolving":
                shares = self._evolved(point, players, number, stage)
                chance = np.random.default_rng([seed, 20 + stage])
                tables_evolved = chance.choice(len(players), size=(self.tables, self.seats), p=shares)
                aims.append(self._played([point], players, tables_evolved, number)[0])
            else:
                aims.append(self._responded(point, players, tables, number))
        return np.stack(aims)

    def _played(self, points: Sequence[Any], cast: Sequence[StrategyEntry], tables: Any, seed: int) -> Floats:
        sums = np.zeros((len(points), len(tables), len(self.aims)))
        aims = [aim for aim in self.aims if aim != PLANTED_GAIN]
        places = [place for place, aim in enumerate(self.aims) if aim != PLANTED_GAIN]
        earned = np.zeros((len(points), len(tables), tables.shape[1]))
        for chunk in play_points(self.game, points, cast, tables.tolist(), games_each=self.games, seed=seed, workers=1):
            if aims:
                figures = aim_values(chunk.result, aims, self.game)
                for column, place in enumerate(places):
                    np.add.at(sums[..., place], (chunk.point, chunk.table), figures[:, column])
            np.add.at(earned, (chunk.point, chunk.table), (chunk.result.finals / chunk.result.turns).T)
        if PLANTED_GAIN in self.aims:
            gains = self._planted(points, cast, tables, seed) - earned
            sums[..., self.aims.index(PLANTED_GAIN)] = np.nanmean(
                np.where(self._seats_planted(tables), gains, np.nan), 2
            )
        return np.asarray(sums / self.games)

    def _planted(self, points: Sequence[Any], cast: Sequence[StrategyEntry], tables: Any, seed: int) -> Floats:
        """Return what each seat earns in a turn, summed over games, if players are planted, (points, tables, seats)."""
        which = len(cast) + np.arange(len(tables)) // 2 % len(self.planted)
        seated = np.where(self._seats_planted(tables), which[:, None], tables).tolist()
        earned = np.zeros((len(points), *tables.shape))
        everyone = [*cast, *self.planted]
        for chunk in play_points(self.game, points, everyone, seated, games_each=self.games, seed=seed, workers=1):
            np.add.at(earned, (chunk.point, chunk.table), (chunk.result.finals / chunk.result.turns).T)
        return earned

    def _seats_planted(self, tables: Any) -> Any:
        """Return whether a player is planted in each seat, (tables, seats). The roles take turns over tables."""
        assert self.game.roles is not None
        roles = np.asarray(self.game.roles(tables.shape[1]))
        names = list(dict.fromkeys(roles.tolist()))
        return np.stack([roles == names[place % len(names)] for place in range(len(tables))])

    def _evolved(self, point: Any, players: Sequence[StrategyEntry], seed: int, stage: int) -> Floats:
        """Return the shares of the players after some generations in which they grow by payoff. The generations play
        with the seeds that follow `seed`. The final population plays with `seed`."""
        shares = np.full(len(players), 1.0 / len(players))
        chance = np.random.default_rng([self.seed, 30 + stage])
        sign = 1.0 if self.game.better == "higher" else -1.0
        for generation in range(_GENERATIONS):
            tables = chance.choice(len(players), size=(self.tables, self.seats), p=shares)
            earned, times = np.zeros(len(players)), np.zeros(len(players))
            options: dict[str, Any] = {"games_each": self.games, "seed": (seed + 1 + generation) % SEEDS, "workers": 1}
            for chunk in play_points(self.game, [point], players, tables.tolist(), **options):
                np.add.at(earned, chunk.batch.seating, sign * chunk.result.finals)
                np.add.at(times, chunk.batch.seating, 1.0)
            mean = earned.sum() / times.sum()
            fitness = np.where(times > 0, earned / np.maximum(times, 1.0), mean)
            grown = shares * np.exp(_SELECTION * np.clip((fitness - mean) / max(abs(mean), 1e-9), -1.0, 1.0))
            shares = grown / grown.sum()
        return np.asarray(shares)

    def _responded(self, point: Any, players: Sequence[StrategyEntry], tables: Any, seed: int) -> Floats:
        """Return the values of the aims if the last seat of each table plays a best response to the other seats."""
        built_in = {entry.name: entry for entry in choose(game=self.game.name) if entry.rows is not None}
        aims = []
        for places in tables[: max(2, self.tables // 4)].tolist():
            others = [players[place] for place in places[:-1]]
            problem = problem_of(others, game=self.game, rules=point, seed=seed)
            search = Search(problem, built_in, _RESPONDING, lambda done: None)
            entry = search.entry(search.run().rule)
            seated = np.arange(self.seats)[None]
            others.insert(problem.seat, entry)
            aims.append(self._played([point], others, seated, seed)[0, 0])
        return np.stack(aims)


def _front(aims: Floats) -> Any:
    """Return the indices of the candidates that no other candidate dominates."""
    dominates = (aims[:, None] >= aims[None]).all(axis=2) & (aims[:, None] > aims[None]).any(axis=2)
    return np.flatnonzero(~dominates.any(axis=0))
