"""A search for rules under which a population does well: candidates are drawn over the ranges of the rules that vary,
played on the batch engine, and refined around the best, or around the front of two aims. Who plays is fixed, or evolves
under each candidate, or has best responses among it. What was found is tested with players and seeds that the search
has not seen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import BaseModel
from scipy.stats import qmc

from ostrom.core import InputError
from ostrom.core.chance import SEEDS, check_seed
from ostrom.core.errors import field as setting
from ostrom.core.estimates import Estimate
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.players.roster import Seated, choose, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import BatchResult, Floats
from ostrom.sim.best_response import problem_of, simultaneous
from ostrom.sim.factors import Factor, Values, factors_of, rules_with
from ostrom.sim.points import gini, play_points
from ostrom.sim.search import Effort, Search

Population: TypeAlias = Literal["fixed", "evolving", "responding"]
AIMS: Final = ("welfare", "equality", "survival")
"""What every game can be designed for; the figures of a game come in addition."""
_GENERATIONS, _SELECTION = 8, 4.0
_APART: Final = 1000
"""By how much the seeds of a search and of its test differ where each takes several in a row."""
_SEATS: Final = 4
"""The default number of seats at a table."""
_SHOWN: Final = 8
"""Candidates of a front that are tested, from one end of it to the other."""
_RESPONDING = Effort(games=12, generations=0, rounds=1, selection=12)
Progress: TypeAlias = Callable[[int], None]


class Candidate(NamedTuple):
    """A set of rules, and what it came to."""

    settings: dict[str, Any]
    rules: Any
    aims: Floats
    """(aims,) In the games that searched."""


@dataclass(frozen=True)
class Tested:
    """A candidate in games that the search has not seen."""

    settings: dict[str, Any]
    rules: Any
    searched: dict[str, float]
    """Each aim in the games that searched."""
    seen: dict[str, Estimate]
    """Each aim with the players of the search, in unseen games."""
    held_out: dict[str, Estimate]
    """The same with players whom the search has not seen."""
    gains: dict[str, Estimate]
    """What it gains over the rules as they were, with held-out players; the intervals of all candidates hold
    together."""


@dataclass(frozen=True, repr=False)
class Design:
    """What a search for rules found."""

    game: Game
    rules: Any
    """As they were."""
    factors: tuple[Factor, ...]
    aims: tuple[str, ...]
    population: Population
    seed: int
    players: tuple[str, ...]
    """Whom the search has seen."""
    others: tuple[str, ...]
    """Who was held out."""
    seats: int
    baseline: Tested
    front: list[Tested]
    """The best candidate; of two aims, those that none beats in both."""
    tried: int
    searched: tuple[Candidate, ...] = ()
    """All candidates of the search, in the order in which they were played."""


def design(
    vary: Mapping[str, Values] | Sequence[str],
    *,
    maximise: Sequence[str],
    seed: int = 0,
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    players: Sequence[Seated] = (),
    held_out: Sequence[Seated] = (),
    seats: int | None = None,
    population: Population = "fixed",
    candidates: int = 64,
    rounds: int = 3,
    tables: int = 24,
    games: int = 4,
    progress: Progress = lambda done: None,
) -> Design:
    """Search the ranges that `vary` gives, as a sweep takes them, for rules that serve one aim or two best, at random
    tables of `seats` seats: by default 4, or as many as the game has room for. Without a list, half of the
    players, drawn by the seed, are held out of the search."""
    game = find_game(game)
    seats = min(_SEATS, game.seats.most) if seats is None else seats
    if game.finals is None or game.step is None:
        raise InputError(f"{game.command} has no array form with final results, so its rules cannot be searched")
    if isinstance(maximise, str):
        raise InputError(f"{setting('maximise')} must be a list, as in [{maximise!r}]")
    if not 1 <= len(maximise) <= 2 or len(set(maximise)) < len(maximise):
        raise InputError(f"{setting('maximise')} must be one aim or two different ones, such as welfare and equality")
    if candidates < 2 or tables < 2 or games < 1 or rounds < 0:
        raise InputError("a search takes 2 candidates, 2 tables and 1 game at least")
    factors = factors_of(game, vary)
    if any(factor.part != "rule" for factor in factors):
        raise InputError("design varies rules; seats and players are for 'ostrom sweep'")
    game.check_seats(seats)
    known, unseen = _split(game, players, held_out, check_seed(seed))
    lab = _Lab(
        game, make_rules(game, rules), factors, tuple(maximise), population, seats, tables, games, seed, progress
    )
    lab.check_aims(known)
    found = lab.search(known, candidates, rounds)
    baseline, *tested = lab.test(known, unseen, [lab.candidate({}, known), *found])
    return Design(
        game=game,
        rules=lab.rules,
        factors=factors,
        aims=tuple(maximise),
        population=population,
        seed=seed,
        players=tuple(entry.name for entry in known),
        others=tuple(entry.name for entry in unseen),
        seats=seats,
        baseline=baseline,
        front=tested,
        tried=lab.tried,
        searched=tuple(lab.searched),
    )


def _split(
    game: Game, players: Sequence[Seated], held_out: Sequence[Seated], seed: int
) -> tuple[list[StrategyEntry], ...]:
    """Whom the search sees, and whom it does not."""
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
    tried: int = 0
    searched: list[Candidate] = field(default_factory=list)

    def check_aims(self, players: Sequence[StrategyEntry]) -> None:
        """Refuse an aim that the game does not tell of: which figures it has is seen from a game."""
        replace(self, games=1)._played([self.rules], players[:1], np.zeros((1, self.seats), dtype=np.int64), self.seed)

    def search(self, players: Sequence[StrategyEntry], candidates: int, rounds: int) -> list[Candidate]:
        """The best candidate, or the front of two aims, the best in the first aim first."""
        drawn = qmc.LatinHypercube(len(self.factors), rng=np.random.default_rng([self.seed, 2])).random(candidates)
        chance = np.random.default_rng([self.seed, 3])
        found = self._candidates(drawn, players)
        places = drawn
        for step in range(rounds):
            best = _front(np.stack([one.aims for one in found]))
            around = places[best[chance.integers(len(best), size=max(2, candidates // 4))]]
            moved = np.clip(around + chance.normal(scale=0.15 / 2**step, size=around.shape), 0.0, 1.0 - 1e-12)
            found += self._candidates(moved, players)
            places = np.concatenate([places, moved])
        self.searched = list(found)
        front = [found[place] for place in _front(np.stack([one.aims for one in found]))]
        distinct = {str(one.settings): one for one in sorted(front, key=lambda one: -one.aims[0])}
        found = list(distinct.values())
        if len(self.aims) == 1 or len(found) <= _SHOWN:
            return found[: 1 if len(self.aims) == 1 else None]
        return [found[place] for place in np.linspace(0, len(found) - 1, _SHOWN).round().astype(int)]

    def _candidates(self, places: Floats, players: Sequence[StrategyEntry]) -> list[Candidate]:
        wanted = [
            {factor.name: factor.at(place) for factor, place in zip(self.factors, row, strict=True)} for row in places
        ]
        points = [rules_with(self.rules, settings) for settings in wanted]
        worth = self._worth(points, players, self.seed, 0).mean(axis=1)
        return [Candidate(one, point, aims) for one, point, aims in zip(wanted, points, worth, strict=True)]

    def candidate(self, settings: dict[str, Any], players: Sequence[StrategyEntry]) -> Candidate:
        """The rules with these settings, played as the search plays."""
        point = rules_with(self.rules, settings)
        return Candidate(settings, point, self._worth([point], players, self.seed, 0).mean(axis=1)[0])

    def test(
        self, players: Sequence[StrategyEntry], others: Sequence[StrategyEntry], found: Sequence[Candidate]
    ) -> list[Tested]:
        """Candidates, of which the first is the baseline, at other tables in other games."""
        points = [one.rules for one in found]
        larger = replace(self, tables=4 * self.tables)
        seen, unseen = (larger._worth(points, group, self.seed, 1) for group in (players, others))
        tested = [
            Tested(
                settings=one.settings,
                rules=one.rules,
                searched=dict(zip(self.aims, one.aims.tolist(), strict=True)),
                seen=dict(zip(self.aims, simultaneous(seen[place].T), strict=True)),
                held_out=dict(zip(self.aims, simultaneous(unseen[place].T), strict=True)),
                gains={},
            )
            for place, one in enumerate(found)
        ]
        compared = len(found) - 1
        gains = simultaneous((unseen[1:] - unseen[:1]).transpose(0, 2, 1).reshape(compared * len(self.aims), -1))
        by_candidate = [gains[at * len(self.aims) : (at + 1) * len(self.aims)] for at in range(compared)]
        return [
            tested[0],
            *(
                replace(one, gains=dict(zip(self.aims, own, strict=True)))
                for one, own in zip(tested[1:], by_candidate, strict=True)
            ),
        ]

    def _worth(self, points: Sequence[Any], players: Sequence[StrategyEntry], seed: int, stage: int) -> Floats:
        """(points, tables, aims) What each set of rules comes to, at random tables of its population."""
        self.tried += len(points)
        chance = np.random.default_rng([seed, 10 + stage, len(players)])
        drawn = chance.integers(len(players), size=(self.tables, self.seats))
        # Evolution takes a seed for each generation: the stages lie further apart than it has generations.
        number = (seed + 1 + stage * (_APART if self.population == "evolving" else 1)) % SEEDS
        if self.population == "fixed":
            self.progress(len(points))
            return self._played(points, players, drawn, number)
        found = []
        for point in points:
            self.progress(1)
            if self.population == "evolving":
                shares = self._evolved(point, players, number, stage)
                chance = np.random.default_rng([seed, 20 + stage])
                now = chance.choice(len(players), size=(self.tables, self.seats), p=shares)
                found.append(self._played([point], players, now, number)[0])
            else:
                found.append(self._responded(point, players, drawn, number))
        return np.stack(found)

    def _played(self, points: Sequence[Any], cast: Sequence[StrategyEntry], tables: Any, seed: int) -> Floats:
        sums = np.zeros((len(points), len(tables), len(self.aims)))
        for chunk in play_points(self.game, points, cast, tables.tolist(), games_each=self.games, seed=seed, workers=1):
            np.add.at(sums, (chunk.point, chunk.table), _aims_of(chunk.result, self.aims, self.game))
        return np.asarray(sums / self.games)

    def _evolved(self, point: Any, players: Sequence[StrategyEntry], seed: int, stage: int) -> Floats:
        """The shares of the players after some generations, in each of which those who got more than the mean grow. The
        generations play by the seeds that follow the one given, by which what became of them is played."""
        shares = np.full(len(players), 1.0 / len(players))
        chance = np.random.default_rng([self.seed, 30 + stage])
        sign = 1.0 if self.game.better == "higher" else -1.0
        for generation in range(_GENERATIONS):
            tables = chance.choice(len(players), size=(self.tables, self.seats), p=shares)
            got, times = np.zeros(len(players)), np.zeros(len(players))
            how: dict[str, Any] = {"games_each": self.games, "seed": (seed + 1 + generation) % SEEDS, "workers": 1}
            for chunk in play_points(self.game, [point], players, tables.tolist(), **how):
                np.add.at(got, chunk.batch.seating, sign * chunk.result.finals)
                np.add.at(times, chunk.batch.seating, 1.0)
            mean = got.sum() / times.sum()
            fitness = np.where(times > 0, got / np.maximum(times, 1.0), mean)
            grown = shares * np.exp(_SELECTION * np.clip((fitness - mean) / max(abs(mean), 1e-9), -1.0, 1.0))
            shares = grown / grown.sum()
        return np.asarray(shares)

    def _responded(self, point: Any, players: Sequence[StrategyEntry], tables: Any, seed: int) -> Floats:
        """At each table the last seat is taken by the best response to the others, under these rules."""
        known = {entry.name: entry for entry in choose(game=self.game.name) if entry.rows is not None}
        found = []
        for drawn in tables[: max(2, self.tables // 4)].tolist():
            others = [players[place] for place in drawn[:-1]]
            problem = problem_of(others, game=self.game, rules=point, seed=seed)
            search = Search(problem, known, _RESPONDING, lambda done: None)
            entry = search.entry(search.run().rule)
            seated = np.arange(self.seats)[None]
            others.insert(problem.seat, entry)
            found.append(self._played([point], others, seated, seed)[0, 0])
        return np.stack(found)


def _aims_of(result: BatchResult, aims: Sequence[str], game: Game) -> Floats:
    """(games, aims) What each game came to. Welfare is the mean final of a seat for a turn, so that longer games are
    not better ones; equality is 1 − Gini's coefficient; survival the share of seats that decided in every turn."""
    higher = 1.0 if game.better == "higher" else -1.0
    found = {
        "welfare": higher * result.finals.mean(axis=0) / result.turns,
        "equality": 1.0 - np.nan_to_num(gini(result.finals), nan=1.0),
        # Where seats are asked in turn, who was not asked has not left.
        **({} if result.in_turns else {"survival": (result.turns_in >= result.turns).mean(axis=0)}),
        **{name: values.mean(axis=0) for name, values in result.figures.items()},
    }
    for aim in aims:
        if aim not in found:
            raise InputError(f"{game.command} cannot be designed for {aim!r}; there are {', '.join(found)}")
    return np.stack([found[aim] for aim in aims], axis=1)


def _front(aims: Floats) -> Any:
    """The places of those that no other beats in one aim without losing in another."""
    above = (aims[:, None] >= aims[None]).all(axis=2) & (aims[:, None] > aims[None]).any(axis=2)
    return np.flatnonzero(~above.any(axis=0))
