"""Best responses: the best strategy for one seat against given players. A best response is exact if all opponents have
finitely many states, and otherwise the result of a search. Each best response is evaluated in held-out games and
compared with every built-in player in the same seat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from pydantic import BaseModel
from scipy.special import stdtrit

from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.errors import field
from ostrom.core.estimates import CONFIDENCE, Estimate
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.core.step import DecisionProcess
from ostrom.players import policy
from ostrom.players.roster import Seated, built_in_players, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Floats, array_form
from ostrom.sim.problem import TRAINING, OptimalPolicy, Problem, solve
from ostrom.sim.search import Effort, Learning, Search

Method: TypeAlias = Literal["auto", "exact", "search", "gradient"]
"""The method that computes a best response. 'auto' solves the problem exactly if all opponents have finitely many
states, and searches otherwise. A search ends with a network. The network is trained by an evolution strategy
('search') or by policy gradients ('gradient')."""
Way: TypeAlias = Literal["exact", "search", "gradient"]
NAME: Final = "response"
LEAST_GAMES: Final = 6
"""The smallest number of games or tables for an interval. With fewer, t intervals of skewed figures have too little
coverage."""
_TOO_FEW_GAMES: Final = f"an interval needs at least {LEAST_GAMES} games or tables"


@dataclass(frozen=True)
class Comparison:
    """A built-in player in the seat of the response, compared with the response in the same games."""

    player: str
    mean: Estimate
    """The player's mean payoff."""
    gain: Estimate
    """The gain of the response over this player per game. The confidence level of the intervals holds for all players
    together."""
    regret: Estimate
    """The gain of the response over this player per turn."""


@dataclass(frozen=True, repr=False)
class Response:
    """A best response and its evaluation."""

    problem: Problem
    method: Way
    """The method that computed the response."""
    description: str
    entry: StrategyEntry
    rule: Any
    """The policy, if the response comes from a search."""
    solution: OptimalPolicy | None
    """The exact solution, if the problem was solved."""
    text: str | None
    """The content of the solution's file, if the problem was solved."""
    family: str
    """The name of the family of players that reads the solution's file."""
    mean: Estimate
    per_turn: Estimate
    figures: dict[str, Estimate]
    """The game's own figures for the seat of the response."""
    comparisons: list[Comparison]
    """The comparison with every built-in player in this seat, the best player first."""
    games: int
    """Number of games of the evaluation."""
    tried: int
    """The number of candidates that played in the search."""
    steps: int
    """The number of game steps from which a network learned by policy gradients."""

    @property
    def exact(self) -> bool:
        """True if no strategy can be better, because the problem was solved exactly."""
        return self.method == "exact"

    def write(self, path: Path) -> str:
        """Write the response to a file. Return the player name under which the response can have a seat."""
        if self.text is not None:
            path.write_text(self.text, encoding="utf-8")
        else:
            problem = self.problem
            about = {"against": [entry.name for entry in problem.others], "seed": problem.seed, "seat": problem.seat}
            policy.write_policy(path, self.rule, problem.game, about)
        return f"{self.family}:{path}"


def respond(
    against: Sequence[Seated],
    *,
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    seed: int = 0,
    seat: int | None = None,
    games: int = 400,
    method: Method = "auto",
    backend: Literal["numpy", "jax"] = "numpy",
    effort: Effort | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Response:
    """Return the best response to these players, who take the other seats in their order. `seat` counts from 0. By
    default it is the last seat. If seats have roles, it is by default the last of the seats that decide most often. The
    response is evaluated in `games` games. `backend` is the engine that plays the candidates of the evolution strategy.
    Policy gradients always use JAX."""
    problem = problem_of(against, game=game, rules=rules, seed=seed, seat=seat)
    if games < 2:
        raise InputError(f"a response needs at least 2 games to be evaluated, got {games}")
    players = _players(problem.game)
    process = _process(problem) if method in ("auto", "exact") else None
    if process is not None:
        solution = solve(process)
        rows = process.strategy(solution.choices)
        description = (
            f"{' or '.join(solution.best_openings)} first, then by a table of {process.gains.shape[0]} situations"
        )
        entry = StrategyEntry(NAME, description, None, rows, __name__, NAME)
        candidate = _Candidate("exact", entry, None, solution, process.text(solution.choices), process.family, 0, 0)
    elif method == "exact":
        raise InputError(f"the others at this table of {problem.game.command} do not all have finitely many states")
    else:
        evolution: Learning = "evolution on JAX" if backend == "jax" else "evolution"
        learning: Learning = "gradient" if method == "gradient" else evolution
        search = Search(problem, players, effort or Effort(), progress, learning)
        chosen = search.run()
        way: Way = "gradient" if method == "gradient" else "search"
        entry = search.entry(chosen.rule)
        candidate = _Candidate(way, entry, chosen.rule, None, None, policy.FAMILY, chosen.tried, chosen.steps)
    return _evaluated(problem, players, candidate, games)


@dataclass(frozen=True)
class _Candidate:
    method: Way
    entry: StrategyEntry
    rule: Any
    solution: OptimalPolicy | None
    text: str | None
    family: str
    tried: int
    steps: int


def problem_of(
    against: Sequence[Seated],
    *,
    game: str | Game,
    rules: Mapping[str, Any] | BaseModel | None,
    seed: int,
    seat: int | None = None,
) -> Problem:
    """Return the problem of a best response: the game, the given players, and the seat to fill."""
    game = find_game(game)
    if game.finals is None or game.step is None:
        raise InputError(f"{game.command} has no array form with final results, so no best response can be found in it")
    others = tuple(strategies_of(game, against))
    if not others:
        raise InputError(
            f"name the players to respond to with {field('against', 'NAME')}, one for each of the other seats"
        )
    game.check_seats(len(others) + 1)
    if seat is not None and not 0 <= seat <= len(others):
        raise InputError(f"there is no seat {seat}; with {len(others)} other players the seats are 0 to {len(others)}")
    full_rules = make_rules(game, rules)
    if array_form(game, full_rules) is None:
        raise InputError(f"{game.command} has no array form for these rules, so no best response can be found in it")
    problem = Problem(game, full_rules, others, len(others) if seat is None else seat, check_seed(seed))
    return problem if seat is not None or not game.roles else _seat_that_decides_most(problem)


_PROBE_GAMES: Final = 4
"""The number of games that are played to count the decisions of a seat."""


def _seat_that_decides_most(problem: Problem) -> Problem:
    """Return the problem of the seat that decides most often with any built-in player in it. If several seats decide
    equally often, return the problem of the last one. A seat without decisions, such as the receiver of the dictator
    game, has no best response."""
    players = list(_players(problem.game).values())
    seats = [replace(problem, seat=seat) for seat in reversed(range(problem.seats))]
    return max(seats, key=lambda candidate: float(candidate.play(players, TRAINING, _PROBE_GAMES).decided.max()))


def _players(game: Game) -> dict[str, StrategyEntry]:
    """Return the built-in players of a game that can play over the rows of a batch."""
    return {name: entry for name, entry in built_in_players(game.name).items() if entry.rows is not None}


def _process(problem: Problem) -> DecisionProcess | None:
    """Return the decision process of the seat, or None if the game cannot express it exactly."""
    decisions = problem.game.part("decisions")
    rows = [entry.rows for entry in problem.others]
    if decisions is None or any(strategy is None for strategy in rows):
        return None
    process: DecisionProcess | None = decisions(problem.rules, rows, problem.seat)
    return process


def _evaluated(problem: Problem, players: Mapping[str, StrategyEntry], candidate: _Candidate, games: int) -> Response:
    played = problem.play([candidate.entry, *players.values()], 0, games)
    sign = 1.0 if problem.game.better == "higher" else -1.0
    finals, turns = played.finals, played.turns
    gains = simultaneous(np.round(finals[:1] - finals[1:], 9))
    lengths = np.broadcast_to(turns.mean(axis=0), finals[1:].shape)
    regrets = simultaneous(per_turn(np.round(finals[:1] - finals[1:], 9), lengths))
    means = [simultaneous(sign * row[None])[0] for row in finals]
    comparisons = [
        Comparison(name, mean, gain, regret)
        for name, mean, gain, regret in zip(players, means[1:], gains, regrets, strict=True)
    ]
    return Response(
        problem=problem,
        method=candidate.method,
        description=candidate.entry.description,
        entry=candidate.entry,
        rule=candidate.rule,
        solution=candidate.solution,
        text=candidate.text,
        family=candidate.family,
        mean=means[0],
        per_turn=simultaneous(per_turn(sign * finals[:1], turns[:1]))[0],
        figures={name: simultaneous(values[:1])[0] for name, values in played.figures.items()},
        comparisons=sorted(comparisons, key=lambda comparison: comparison.gain.value or 0.0),
        games=games,
        tried=candidate.tried,
        steps=candidate.steps,
    )


def per_turn(values: Floats, turns: Floats) -> Floats:
    """Return one figure per game. The mean of these figures is the ratio of the mean value to the mean number of turns.
    Their variance is that of the ratio. The ratio also varies because the length of games is random (linearised;
    Cochran 1977, ch. 6)."""
    length = turns.mean(axis=1, keepdims=True)
    ratio = values.mean(axis=1, keepdims=True) / length
    # The mean of the second term is 0 up to rounding. Rounding would otherwise look like variance.
    return np.asarray(ratio + np.round((values - ratio * turns) / length, 9))


def simultaneous(values: Floats, together: int | None = None) -> list[Estimate]:
    """Return the mean of each row over games. The Bonferroni intervals hold with 95 % confidence for all rows together,
    or for `together` rows if this number is given. If there are few games, there are no intervals unless all games have
    equal values."""
    rows, games = values.shape
    quantile = float(stdtrit(games - 1, 1 - (1 - CONFIDENCE) / 2 / (together or rows)))
    means = values.mean(axis=1)
    halves = quantile * values.std(axis=1, ddof=1) / np.sqrt(games)
    return [
        Estimate(float(mean), float(mean - half), float(mean + half))
        if games >= LEAST_GAMES or half <= 1e-9 * (1 + abs(mean))
        else Estimate(float(mean), reason=_TOO_FEW_GAMES)
        for mean, half in zip(means, halves, strict=True)
    ]


@dataclass(frozen=True, repr=False)
class Exploitability:
    """The gain of each player of a table from a best response to the others."""

    responses: dict[str, Response]
    """The best response in each player's seat, by player."""
    gains: dict[str, Estimate]
    """The gain per game of each player. The confidence level of the intervals holds for all players together."""
    per_turn: dict[str, Estimate]
    seats: dict[str, int]
    """Number of seats of each player."""

    @property
    def total(self) -> float:
        """The sum of the gains per turn over all seats. It is 0 if no seat can gain, as in an equilibrium."""
        return sum(self.seats[name] * max(0.0, gain.value or 0.0) for name, gain in self.per_turn.items())


def exploitability(table: Sequence[Seated], *, games: int = 400, **settings: Any) -> Exploitability:
    """Return the gain of each player of a table from the best response to all others. The response plays in the
    player's first seat."""
    game = find_game(settings.pop("game", DEFAULT_GAME))
    entries = tuple(strategies_of(game, table))
    responses, differences, turns = {}, [], []
    names = [entry.name for entry in entries]
    for name in dict.fromkeys(names):
        seat = names.index(name)
        others = [entry for place, entry in enumerate(entries) if place != seat]
        response = respond(others, game=game, seat=seat, games=games, **settings)
        played = response.problem.play([response.entry, entries[seat]], 0, games)
        responses[name] = response
        differences.append(np.round(played.finals[0] - played.finals[1], 9))
        turns.append(played.turns.mean(axis=0))
    rows = np.stack(differences)
    gains, gains_per_turn = simultaneous(rows), simultaneous(per_turn(rows, np.stack(turns)))
    return Exploitability(
        responses,
        dict(zip(responses, gains, strict=True)),
        dict(zip(responses, gains_per_turn, strict=True)),
        {name: names.count(name) for name in responses},
    )
