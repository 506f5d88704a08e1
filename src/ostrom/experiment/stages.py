"""Experiments in stages. After each stage, a rule may stop the experiment (`until`), or the next tables are chosen
(adaptive schedule). Stages end after fixed numbers of games. Therefore a resumed experiment has the same stages, and
their results depend only on its games.

In the adaptive schedule, the next games are played by players whose ranks are uncertain but may become certain. The
first games are balanced. After each stage, the players are rated, and each pair without a clear difference gets a
weight. The weight is larger if the pair is more likely to be separated after all games. Then tables are chosen one by
one. Each is the table that most reduces the weighted errors of differences; a game between players of similar strength
is more informative. A chosen game counts as if it were played, with the information that the model expects from it.

A pair keeps its weight until its difference exceeds the bound by a whole standard error, so that a lead that is due to
chance is tested again."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.analysis.design import Design
from ostrom.analysis.intervals import confidences, looks_at, stretch
from ostrom.analysis.measures import GAME, ROLES
from ostrom.analysis.ratings import GameResults, order_free, results_of
from ostrom.analysis.ratings.methods.payoff import rate_by_payoff
from ostrom.analysis.ratings.model_fit import strengths_of
from ostrom.analysis.ratings.ranking import compare_pairs, tiers
from ostrom.analysis.seated_results import rated_results
from ostrom.analysis.study import Study, study_of, study_of_game
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.estimates import CONFIDENCE, Floats
from ostrom.core.game import Game
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.schedule import ADAPTIVE, assign_seats, balanced_tables, balances, draws
from ostrom.journal.overview import GameRow
from ostrom.journal.schema import FINISHED, PLAYING
from ostrom.journal.sql import Journal

_FORMS = '"width(MEASURE) < X", "width(MEASURE, PLAYER) < X", "tiers >= N" or "pairs >= N"'
_WIDTH = re.compile(r"width\(\s*(?P<measure>\w+)\s*(?:,\s*(?P<player>[^)]+?)\s*)?\)\s*<\s*(?P<bound>[0-9.]+)")
_COUNT = re.compile(r"(?P<what>tiers|pairs)\s*>=\s*(?P<bound>[0-9]+)")


@dataclass(frozen=True)
class Look:
    """The value of a stopping rule after a number of games. Its intervals and verdicts are valid under optional
    stopping."""

    games: int
    holds: bool
    said: str
    """The value of the rule in words."""
    figures: Sequence[Mapping[str, Any]]
    """A row for each player, or one row for all games. A row has the value, low and high of the measure, or the tier
    and ranks of the player."""


@dataclass(frozen=True)
class Rule:
    """A stopping rule."""

    text: str
    what: str
    """The kind of rule: 'width', 'tiers' or 'pairs'."""
    bound: float
    measure: str | None = None
    player: str | None = None

    @classmethod
    def read(cls, text: str) -> "Rule":
        """Parse a rule. Raise InputError if it has none of the known forms."""
        match = _WIDTH.fullmatch(text.strip()) or _COUNT.fullmatch(text.strip())
        if match is None:
            raise InputError(f"invalid {field('until', text)}: it must be {_FORMS}")
        try:
            bound = float(match["bound"])
        except ValueError:
            raise InputError(f"invalid {field('until', text)}: {match['bound']!r} is not a number") from None
        parts = match.groupdict()
        return cls(text, parts.get("what", "width"), bound, parts.get("measure"), parts.get("player"))

    def check(self, game: Game, players: Sequence[str]) -> None:
        """Raise InputError if the rule can never be satisfied."""
        study = study_of_game(game)
        if not isinstance(study, Study):
            raise InputError(f"{field('until')} needs a game with finals, and {game.command} has none")
        if self.measure is not None:
            measure = study.measures[self.measure]
            if measure.by not in (("player",), ROLES, GAME) or measure.ratio is None:
                raise InputError(
                    f"{field('until')} needs a measure with an interval for each player or for all games together, and "
                    f"{self.measure} has none"
                )
            if measure.by == GAME and self.player is not None:
                raise InputError(
                    f"{field('until')} names {self.player}, but {self.measure} is a figure of games, not of players"
                )
        if self.player is not None and self.player not in players:
            raise InputError(
                f"{field('until')} names {self.player}, who does not play; the players are {', '.join(players)}"
            )
        count = len(set(players))
        maximum = count if self.what == "tiers" else count * (count - 1) // 2
        if self.what != "width" and not 1 <= self.bound <= maximum:
            raise InputError(f"{field('until', self.text)} can never hold with {count} players")

    def look(self, study: Study[Any], tables: Any, games: int, planned: int) -> Look:
        """Return the value of the rule after `games` games, when `planned` games are planned in total."""
        looks = looks_at(planned)
        if self.what == "width":
            return self._widths(study, tables, games, stretch(looks))
        confidence = confidences(looks)[looks.index(games)]
        return self._ranks(tables, games, confidence)

    def _widths(self, study: Study[Any], tables: Any, games: int, factor: float) -> Look:
        assert self.measure is not None
        measure = study.measures[self.measure]
        frame = stretched(measure.function(tables), factor)
        named = measure.by
        if self.player is not None:
            frame = frame.filter(pl.col("player") == self.player)
        widths = frame.select(pl.col("high") - pl.col("low")).to_series()
        if not len(widths) or widths.null_count():
            return Look(games, False, f"{self.measure} has no interval yet", frame.to_dicts())
        widest = float(widths.max())  # type: ignore[arg-type]
        value = f"the widest interval of {self.measure} is {widest:,.4g} wide"
        return Look(games, widest < self.bound, value, frame.select(*named, "value", "low", "high").to_dicts())

    def _ranks(self, tables: Any, games: int, confidence: float) -> Look:
        results = rated_results(tables)
        # The ranks are those of the leaderboard, whose method depends on the aim of the game.
        rating = rate_by_payoff(results) if study_of(tables).game.aim == "payoff" else strengths_of(results)[0]
        places = tiers(rating, confidence=confidence)
        compared = [place for place in places if place.tier is not None]
        order = [rating.names.index(place.name) for place in compared]
        pairs = int(compare_pairs(rating, order, confidence).stronger.sum())
        tier_count = max((place.tier or 0 for place in compared), default=0)
        count = tier_count if self.what == "tiers" else pairs
        figures = [{"player": place.name, "tier": place.tier, "ranks": place.ranks} for place in places]
        return Look(games, count >= self.bound, f"{tier_count} tiers, {pairs} pairs of players told apart", figures)


def stretched(frame: pl.DataFrame, factor: float) -> pl.DataFrame:
    """Return estimates with intervals whose two parts, below and above the value, are longer by this factor."""
    return frame.with_columns(
        low=pl.col("value") - factor * (pl.col("value") - pl.col("low")),
        high=pl.col("value") + factor * (pl.col("high") - pl.col("value")),
    )


def check_stages(planned: Experiment) -> None:
    """Raise InputError if the experiment's games do not fit its rule or its adaptive schedule."""
    if len({part.game.name for part in planned.parts}) > 1:
        raise InputError(
            f"{field('until')} and {field('schedule', ADAPTIVE)} need a single game; play the others in separate "
            "experiments"
        )
    part = planned.parts[0]
    names = [contestant.name for contestant in part.contestants]
    if planned.until is not None:
        Rule.read(planned.until).check(part.game, names)
    if planned.schedule == ADAPTIVE:
        if len(planned.parts) > 1 or part.fixed or part.pairs:
            raise InputError("an adaptive schedule needs one game between more players than seats, with one seed")
        if len(set(names)) < len(names):
            raise InputError("an adaptive schedule seats each player once; leave out the number after the colon")
        if len(names) == part.seats:
            raise InputError("an adaptive schedule needs more players than seats; all of these sit at every table")


def stages(planned: Experiment) -> tuple[int, ...]:
    """Return the number of games at the end of each stage."""
    if planned.until is not None:
        return looks_at(planned.games)
    part = planned.parts[0]
    return stages_of(planned.games, len(part.contestants), part.seats)


def play_stages(planned: Experiment, journal: Journal, experiment: str, play: Callable[[Experiment], object]) -> None:
    """Play an experiment stage by stage with `play`, until its rule is satisfied or all games are over."""
    for games in stages(planned):
        stage = stage_of(planned, journal, experiment, games)
        over = {row.key for row in journal.games(experiment) if row.state != PLAYING}
        if not over.issuperset(fixture.key for fixture in stage.fixtures()):
            play(stage)
        current = look(planned, journal, experiment, games)
        if current is not None and current.holds:
            journal.end_plan(experiment, games)
            return


def stage_of(planned: Experiment, journal: Journal, experiment: str, games: int) -> Experiment:
    """Return the experiment limited to its first `games`. All games before the last of these stages must be over."""
    stage = replace(planned, max_games=games)
    if planned.schedule != ADAPTIVE:
        return stage
    return replace(stage, parts=(_with_seating(planned, journal, experiment, games),))


def look(planned: Experiment, journal: Journal, experiment: str, games: int) -> Look | None:
    """Return the value of the rule after the first `games`, which are over; None if the experiment has no rule."""
    if planned.until is None:
        return None
    study = study_of_game(planned.parts[0].game)
    assert isinstance(study, Study)
    keys = {fixture.key for fixture in replace(planned, max_games=games).fixtures()}
    finished = [row.id for row in journal.games(experiment, FINISHED) if row.key in keys]
    if not finished:
        return Look(len(keys), False, "every game is void", [])
    design = Design(adaptive=planned.schedule == ADAPTIVE)
    tables = replace(study.tables(journal.ended.records(finished)), design=design)
    return Rule.read(planned.until).look(study, tables, len(keys), planned.games)


def last_look(planned: Experiment, journal: Journal, experiment: str) -> Look | None:
    """Return the value of the rule after the last complete stage, or None."""
    if planned.until is None:
        return None
    over = sum(row.state != PLAYING for row in journal.games(experiment))
    complete = [games for games in stages(planned) if games <= over]
    return look(planned, journal, experiment, complete[-1]) if complete else None


def _with_seating(planned: Experiment, journal: Journal, experiment: str, games: int) -> Part:
    """Return the part of an adaptive experiment with the tables of its first games. Tables that were begun are read
    from the journal; the others are chosen by the results of earlier stages."""
    part = planned.parts[0]
    names = [contestant.name for contestant in part.contestants]
    begun = {row.key: row for row in journal.games(experiment)}
    tables: list[Sequence[int]] = []
    for end in stages(planned):
        if end > games:
            break
        so_far = _results(part, [begun[str(number)] for number in range(len(tables)) if str(number) in begun])
        chosen = next_tables(so_far, names, part.seats, tables, end, planned.games, part.seed)
        for number, table in enumerate(chosen, len(tables)):
            row = begun.get(str(number))
            tables.append(table if row is None else [names.index(player) for player in row.players])
    return replace(part, seating=tables)


def _results(part: Part, rows: Sequence[GameRow]) -> GameResults | None:
    """Return the results of the finished games with at least two final values, or None if there are none."""
    sign = 1 if part.game.better == "higher" else -1
    results = [
        [(player, sign * final) for player, final in zip(row.players, row.finals, strict=True) if final is not None]
        for row in rows
        if row.state == FINISHED and row.finals is not None
    ]
    compared = [game for game in results if len(game) > 1]
    return results_of(compared) if compared else None


FIRST_SHARE: Final = 0.4
"""The share of all games that belong to the first stage, which is balanced."""
MIN_GAMES: Final = 30
"""The smallest number of games of each player in the first stage, whose tables do not depend on results."""
STAGES: Final = 6
MARGIN: Final = 1.0
"""A separated pair keeps its weight until its difference exceeds the bound by this number of standard errors."""
_MIN_WEIGHT: Final = 1e-4
"""The smallest weight of a pair, relative to the largest."""
_TABLE_FACTOR: Final = 0.7
"""The information of a meeting at a table with more than two players, relative to a game of two. It is below 1 because
the results at one table are correlated."""


def stages_of(games: int, players: int, seats: int) -> tuple[int, ...]:
    """Return the number of games at the end of each stage. The first stage is long enough to estimate errors."""
    first = min(games, max(math.ceil(FIRST_SHARE * games), math.ceil(MIN_GAMES * players / seats)))
    return tuple(int(end) for end in np.unique(np.rint(np.linspace(first, games, STAGES))))


def next_tables(
    so_far: GameResults | None,
    names: Sequence[str],
    seats: int,
    tables: Sequence[Sequence[int]],
    until: int,
    games: int,
    seed: int,
) -> list[Sequence[int]]:
    """Return the tables that follow the given `tables`, up to the end of the stage. Each table has indices of the
    names. `games` is the planned total number of games."""
    (balance,) = balances([("", names, seats)])
    for table in tables:
        balance.total.add(np.asarray(table))
    first = len(tables)
    if so_far is None or len(so_far.comparing) == 0 or len(so_far.names) < len(names):
        return list(balanced_tables(len(names), seats, until, seed, balance, first))
    weights, strengths, covariance = _pair_weights(so_far, names, games)
    information = np.linalg.pinv(covariance, hermitian=True)
    difference = np.abs(strengths[:, None] - strengths)
    # The information of a meeting is the variance of its result.
    gain = _TABLE_FACTOR / (2 + np.exp(difference) + np.exp(-difference))
    laplacian = np.diag(weights.sum(axis=1)) - weights
    new_tables: list[Sequence[int]] = []
    for numbers in draws(seed, range(first, until), "adaptive", len(names)):
        inverse = np.linalg.pinv(information, hermitian=True)
        chosen = _choose_players(inverse @ laplacian @ inverse, gain, numbers, seats)
        meetings = np.zeros_like(gain)
        meetings[np.ix_(chosen, chosen)] = gain[np.ix_(chosen, chosen)]
        np.fill_diagonal(meetings, 0)
        information += np.diag(meetings.sum(axis=1)) - meetings
        table = assign_seats(chosen, balance)
        balance.total.add(np.asarray(table))
        new_tables.append(table)
    return new_tables


def _pair_weights(so_far: GameResults, names: Sequence[str], games: int) -> tuple[Floats, Floats, Floats]:
    """Return the weights of pairs, the strengths, and the covariance of their errors, in the order of the names."""
    # SciPy is imported here, so that a server can start without it.
    from scipy.special import ndtri

    rating = order_free(so_far)
    order = [rating.names.index(name) for name in names]
    covariance = rating.covariance[np.ix_(order, order)]
    strengths = rating.theta[order]
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    np.fill_diagonal(variance, 1)
    z = np.abs(strengths[:, None] - strengths) / np.sqrt(variance)
    # Bonferroni's bound is accurate enough here, since it affects only the seating, not the reported tiers.
    bound = -float(ndtri((1 - CONFIDENCE) / (len(names) * (len(names) - 1))))
    # This is the expected distance from the bound after all games.
    shortfall = np.maximum(bound - z * np.sqrt(games / rating.games), 0)
    weights = np.where(z < bound + MARGIN, np.exp(-0.5 * shortfall**2) / variance, 0)
    weights = weights / max(float(weights.max()), np.finfo(float).tiny) + _MIN_WEIGHT
    np.fill_diagonal(weights, 0)
    return weights, strengths, covariance


def _choose_players(reduction: Floats, gain: Floats, numbers: Floats, seats: int) -> list[int]:
    """Choose, greedily, the players whose meetings most reduce the weighted errors: first the best pair, then one
    player at a time."""
    own = np.diag(reduction)
    value = gain * (own[:, None] + own - 2 * reduction) * (1 + 0.1 * (numbers[:, None] + numbers))
    np.fill_diagonal(value, -np.inf)
    chosen = [int(index) for index in np.unravel_index(int(np.argmax(value)), value.shape)]
    while len(chosen) < seats:
        chosen.append(int(np.argmax(value[:, chosen].sum(axis=1))))
    return chosen
