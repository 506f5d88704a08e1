"""Experiments in stages: after each stage a rule may stop the experiment (`until`), or the next tables are chosen
(adaptive schedule). Stages end after fixed numbers of games, so that a resumed experiment has the same stages, and
their results depend on its games alone."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ostrom.analysis.intervals import confidences, looks_at, stretch
from ostrom.analysis.leaderboard import rated_results
from ostrom.analysis.ratings import GameResults, order_free, results_of
from ostrom.analysis.ratings.ranking import compare_pairs, tiers
from ostrom.analysis.study import Study, study_of_game
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.game import Game
from ostrom.experiment.adaptive import next_tables, stages_of
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.schedule import ADAPTIVE
from ostrom.journal.overview import GameRow
from ostrom.journal.schema import FINISHED, PLAYING
from ostrom.journal.sql import Journal

_FORMS = '"width(MEASURE) < X", "width(MEASURE, PLAYER) < X", "tiers >= N" or "pairs >= N"'
_WIDTH = re.compile(r"width\(\s*(?P<measure>\w+)\s*(?:,\s*(?P<player>[^)]+?)\s*)?\)\s*<\s*(?P<bound>[0-9.]+)")
_COUNT = re.compile(r"(?P<what>tiers|pairs)\s*>=\s*(?P<bound>[0-9]+)")


@dataclass(frozen=True)
class Look:
    """The value of a rule after a number of games, with intervals and verdicts that are valid under optional
    stopping."""

    games: int
    holds: bool
    said: str
    """The value in words."""
    figures: Sequence[Mapping[str, Any]]
    """By player: value, low and high of the measure; or tier and ranks."""


@dataclass(frozen=True)
class Rule:
    """A stopping rule."""

    text: str
    what: str
    """'width', 'tiers' or 'pairs'."""
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
        """Raise InputError if the rule can never hold."""
        study = study_of_game(game)
        if not isinstance(study, Study):
            raise InputError(f"{field('until')} needs a game with finals, and {game.command} has none")
        if self.measure is not None:
            measure = study.measures[self.measure]
            if measure.by != ("player",) or measure.ratio is None:
                raise InputError(f"{field('until')} needs intervals by player, and {self.measure} has none")
        if self.player is not None and self.player not in players:
            raise InputError(f"{field('until')} names {self.player}, who does not play; there are {', '.join(players)}")
        count = len(set(players))
        maximum = count if self.what == "tiers" else count * (count - 1) // 2
        if self.what != "width" and not 1 <= self.bound <= maximum:
            raise InputError(f"{field('until', self.text)} can never hold with {count} players")

    def look(self, study: Study[Any], tables: Any, games: int, planned: int) -> Look:
        """Return the value of the rule after `games` of the `planned` ones."""
        looks = looks_at(planned)
        if self.what == "width":
            return self._widths(study, tables, games, stretch(looks))
        confidence = confidences(looks)[looks.index(games)]
        return self._ranks(tables, games, confidence)

    def _widths(self, study: Study[Any], tables: Any, games: int, factor: float) -> Look:
        assert self.measure is not None
        frame = stretched(study.measures[self.measure].function(tables), factor)
        if self.player is not None:
            frame = frame.filter(pl.col("player") == self.player)
        widths = frame.select(pl.col("high") - pl.col("low")).to_series()
        if not len(widths) or widths.null_count():
            return Look(games, False, f"{self.measure} has no interval yet", frame.to_dicts())
        widest = float(widths.max())  # type: ignore[arg-type]
        value = f"the widest interval of {self.measure} is {widest:,.4g} wide"
        return Look(games, widest < self.bound, value, frame.select("player", "value", "low", "high").to_dicts())

    def _ranks(self, tables: Any, games: int, confidence: float) -> Look:
        rating = order_free(rated_results(tables))
        places = tiers(rating, confidence=confidence)
        compared = [place for place in places if place.tier is not None]
        order = [rating.names.index(place.name) for place in compared]
        pairs = int(compare_pairs(rating, order, confidence).stronger.sum())
        tier_count = max((place.tier or 0 for place in compared), default=0)
        count = tier_count if self.what == "tiers" else pairs
        figures = [{"player": place.name, "tier": place.tier, "ranks": place.ranks} for place in places]
        return Look(games, count >= self.bound, f"{tier_count} tiers, {pairs} pairs of players told apart", figures)


def stretched(frame: pl.DataFrame, factor: float) -> pl.DataFrame:
    """Return estimates with intervals that are wider by this factor on both sides of the value."""
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
    """Play an experiment stage by stage with `play`, until its rule holds or all games are over."""
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
    """Return the first games of an experiment; those before the last stage are over."""
    stage = replace(planned, max_games=games)
    if planned.schedule != ADAPTIVE:
        return stage
    return replace(stage, parts=(_with_seating(planned, journal, experiment, games),))


def look(planned: Experiment, journal: Journal, experiment: str, games: int) -> Look | None:
    """Return the value of the rule after the first `games`, which are over; None without a rule."""
    if planned.until is None:
        return None
    study = study_of_game(planned.parts[0].game)
    assert isinstance(study, Study)
    keys = {fixture.key for fixture in replace(planned, max_games=games).fixtures()}
    finished = [row.id for row in journal.games(experiment, FINISHED) if row.key in keys]
    if not finished:
        return Look(len(keys), False, "every game is void", [])
    tables = study.tables(journal.ended.records(finished))
    return Rule.read(planned.until).look(study, tables, len(keys), planned.games)


def last_look(planned: Experiment, journal: Journal, experiment: str) -> Look | None:
    """Return the value of the rule after the last complete stage, or None."""
    if planned.until is None:
        return None
    over = sum(row.state != PLAYING for row in journal.games(experiment))
    complete = [games for games in stages(planned) if games <= over]
    return look(planned, journal, experiment, complete[-1]) if complete else None


def _with_seating(planned: Experiment, journal: Journal, experiment: str, games: int) -> Part:
    """Return the part of an adaptive experiment with the tables of its first games: from the journal if they were
    begun, else chosen by the results of earlier stages."""
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
    """Return the results of finished games with at least two finals, or None if there are none."""
    sign = 1 if part.game.better == "higher" else -1
    results = [
        [(player, sign * final) for player, final in zip(row.players, row.finals, strict=True) if final is not None]
        for row in rows
        if row.state == FINISHED and row.finals is not None
    ]
    compared = [game for game in results if len(game) > 1]
    return results_of(compared) if compared else None
