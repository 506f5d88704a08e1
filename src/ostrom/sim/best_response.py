"""Best responses: the most that one seat can get among given players. Exact where all of them have finitely many
states, else searched; judged in games that no search has seen, beside every built-in player in the same seat."""

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
from ostrom.sim.batch import Floats
from ostrom.sim.problem import TRAINING, Problem, Solution, solve
from ostrom.sim.search import Effort, Learning, Search

Method: TypeAlias = Literal["auto", "exact", "search", "gradient"]
"""Exact where all others have finitely many states, else searched; or one of these. The last step of a search, a
network, learns by an evolution strategy or by policy gradients."""
Way: TypeAlias = Literal["exact", "search", "gradient"]
NAME: Final = "response"
LEAST_GAMES: Final = 6
"""With fewer games, or tables, there is no interval: of figures with a tail t intervals of fewer hold too seldom."""
_FEW: Final = f"an interval takes at least {LEAST_GAMES} games or tables"


@dataclass(frozen=True)
class Comparison:
    """A built-in player in the place of the response, over the same games."""

    player: str
    mean: Estimate
    """What it gets."""
    gain: Estimate
    """What the response gets more; all intervals hold together."""
    regret: Estimate
    """The same for a turn."""


@dataclass(frozen=True, repr=False)
class Response:
    """A best response, and how it did."""

    problem: Problem
    method: Way
    """How it was found."""
    description: str
    entry: StrategyEntry
    rule: Any
    """The policy, where it was searched."""
    solution: Solution | None
    """What is known of it, where it is exact."""
    text: str | None
    """The file of it, where it is exact."""
    family: str
    """The family of players that reads its file."""
    mean: Estimate
    per_turn: Estimate
    figures: dict[str, Estimate]
    """What else is told of its seat."""
    comparisons: list[Comparison]
    """Every built-in player in its place, the best first."""
    games: int
    """In which all of it was judged."""
    tried: int
    """How many candidates were played."""
    steps: int
    """From how many steps of games a network learned by policy gradients."""

    @property
    def exact(self) -> bool:
        """Whether nothing does better: it was computed, not searched for."""
        return self.method == "exact"

    def write(self, path: Path) -> str:
        """Keep it in a file; the name under which it can then be seated."""
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
    """The best response to these players, who take the other seats in their order. The response takes one more seat,
    counted from 0: the last one unless `seat` says otherwise, and where seats have roles of their own, the last of
    those that decide most often. It is judged in `games` games. `backend` says where the candidates of the evolution
    strategy play; policy gradients are always on JAX."""
    problem = problem_of(against, game=game, rules=rules, seed=seed, seat=seat)
    if games < 2:
        raise InputError(f"a response is judged in 2 games or more, not in {games}")
    players = _players(problem.game)
    process = _process(problem) if method in ("auto", "exact") else None
    if process is not None:
        solution = solve(process)
        rows = process.strategy(solution.choices)
        said = f"{' or '.join(solution.best_openings)} first, then by a table of {process.gains.shape[0]} situations"
        entry = StrategyEntry(NAME, said, None, rows, __name__, NAME)
        found = _Found("exact", entry, None, solution, process.text(solution.choices), process.family, 0, 0)
    elif method == "exact":
        raise InputError(f"the others at this table of {problem.game.command} do not all have finitely many states")
    else:
        evolution: Learning = "evolution on JAX" if backend == "jax" else "evolution"
        learning: Learning = "gradient" if method == "gradient" else evolution
        search = Search(problem, players, effort or Effort(), progress, learning)
        chosen = search.run()
        way: Way = "gradient" if method == "gradient" else "search"
        entry = search.entry(chosen.rule)
        found = _Found(way, entry, chosen.rule, None, None, policy.FAMILY, chosen.tried, chosen.steps)
    return _judged(problem, players, found, games)


@dataclass(frozen=True)
class _Found:
    method: Way
    entry: StrategyEntry
    rule: Any
    solution: Solution | None
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
    """The seat to be filled."""
    game = find_game(game)
    if game.finals is None or game.step is None:
        raise InputError(f"{game.command} has no array form with final results, so no best response can be found in it")
    others = tuple(strategies_of(game, against))
    if not others:
        raise InputError(f"name the players to respond to: {field('against', 'NAME')}, as often as there are seats")
    game.check_seats(len(others) + 1)
    if seat is not None and not 0 <= seat <= len(others):
        raise InputError(f"there is no seat {seat}; with {len(others)} others the seats are 0 to {len(others)}")
    problem = Problem(game, make_rules(game, rules), others, len(others) if seat is None else seat, check_seed(seed))
    return problem if seat is not None or not game.roles else _where_most_is_decided(problem)


_LOOKS: Final = 4
"""Games in which it is seen who is asked."""


def _where_most_is_decided(problem: Problem) -> Problem:
    """The problem of the seat that is asked most often, for any built-in player in it; of equals the
    last. A seat that decides nothing, as the receiver in the dictator game does, has no best response."""
    players = list(_players(problem.game).values())
    seats = [replace(problem, seat=seat) for seat in reversed(range(problem.seats))]
    return max(seats, key=lambda one: float(one.play(players, TRAINING, _LOOKS).decided.max()))


def _players(game: Game) -> dict[str, StrategyEntry]:
    """The players of a game that play over rows."""
    return {name: entry for name, entry in built_in_players(game.name).items() if entry.rows is not None}


def _process(problem: Problem) -> DecisionProcess | None:
    """What the seat faces, where that can be said exactly."""
    among = problem.game.part("decisions")
    rows = [entry.rows for entry in problem.others]
    if among is None or any(strategy is None for strategy in rows):
        return None
    found: DecisionProcess | None = among(problem.rules, rows, problem.seat)
    return found


def _judged(problem: Problem, players: Mapping[str, StrategyEntry], found: _Found, games: int) -> Response:
    played = problem.play([found.entry, *players.values()], 0, games)
    sign = 1.0 if problem.game.better == "higher" else -1.0
    finals, turns = played.finals, played.turns
    gains = simultaneous(np.round(finals[:1] - finals[1:], 9))
    lasted = np.broadcast_to(turns.mean(axis=0), finals[1:].shape)
    regrets = simultaneous(per_turn(np.round(finals[:1] - finals[1:], 9), lasted))
    means = [simultaneous(sign * row[None])[0] for row in finals]
    comparisons = [
        Comparison(name, mean, gain, regret)
        for name, mean, gain, regret in zip(players, means[1:], gains, regrets, strict=True)
    ]
    return Response(
        problem=problem,
        method=found.method,
        description=found.entry.description,
        entry=found.entry,
        rule=found.rule,
        solution=found.solution,
        text=found.text,
        family=found.family,
        mean=means[0],
        per_turn=simultaneous(per_turn(sign * finals[:1], turns[:1]))[0],
        figures={name: simultaneous(values[:1])[0] for name, values in played.figures.items()},
        comparisons=sorted(comparisons, key=lambda one: one.gain.value or 0.0),
        games=games,
        tried=found.tried,
        steps=found.steps,
    )


def per_turn(values: Floats, turns: Floats) -> Floats:
    """(rows, games) Figures whose mean over games is what a row comes to for a turn, the ratio of both means, and whose
    spread is that of the ratio: how long games last is chance, too (linearised; Cochran 1977, ch. 6)."""
    long = turns.mean(axis=1, keepdims=True)
    ratio = values.mean(axis=1, keepdims=True) / long
    # The mean of what is added is 0 but for a rounding error, which would pass for chance.
    return np.asarray(ratio + np.round((values - ratio * turns) / long, 9))


def simultaneous(values: Floats, together: int | None = None) -> list[Estimate]:
    """The mean of each row over games, with intervals that hold together with 95 % (Bonferroni's): these alone, or
    `together` of which they are some. Few games have none, unless all agree."""
    rows, games = values.shape
    wide = float(stdtrit(games - 1, 1 - (1 - CONFIDENCE) / 2 / (together or rows)))
    means = values.mean(axis=1)
    halves = wide * values.std(axis=1, ddof=1) / np.sqrt(games)
    return [
        Estimate(float(mean), float(mean - half), float(mean + half))
        if games >= LEAST_GAMES or half <= 1e-9 * (1 + abs(mean))
        else Estimate(float(mean), reason=_FEW)
        for mean, half in zip(means, halves, strict=True)
    ]


@dataclass(frozen=True, repr=False)
class Exploitability:
    """How much players of a table would gain by responding best to the others, each alone."""

    responses: dict[str, Response]
    """By the player who would change."""
    gains: dict[str, Estimate]
    """What it would gain, for a game; all intervals hold together."""
    per_turn: dict[str, Estimate]
    seats: dict[str, int]
    """How many seats each of them has."""

    @property
    def total(self) -> float:
        """The sum over all seats, for a turn: 0 if no seat can gain, as in an equilibrium."""
        return sum(self.seats[name] * max(0.0, one.value or 0.0) for name, one in self.per_turn.items())


def exploitability(table: Sequence[Seated], *, games: int = 400, **how: Any) -> Exploitability:
    """What each player of a table would gain by the best response to all others, in its own seat (the first of its
    seats). A table of copies tells of a player, a table of all players of the roster."""
    game = find_game(how.pop("game", DEFAULT_GAME))
    whole = tuple(strategies_of(game, table))
    responses, differences, turns = {}, [], []
    names = [entry.name for entry in whole]
    for name in dict.fromkeys(names):
        seat = names.index(name)
        others = [entry for place, entry in enumerate(whole) if place != seat]
        found = respond(others, game=game, seat=seat, games=games, **how)
        played = found.problem.play([found.entry, whole[seat]], 0, games)
        responses[name] = found
        differences.append(np.round(played.finals[0] - played.finals[1], 9))
        turns.append(played.turns.mean(axis=0))
    rows = np.stack(differences)
    gains, by_turn = simultaneous(rows), simultaneous(per_turn(rows, np.stack(turns)))
    return Exploitability(
        responses,
        dict(zip(responses, gains, strict=True)),
        dict(zip(responses, by_turn, strict=True)),
        {name: names.count(name) for name in responses},
    )
