"""`--until`: the rule by which an experiment stops before all its games are played."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ostrom.analysis.intervals import confidences, looks_at, stretch
from ostrom.analysis.leaderboard import rated_results
from ostrom.analysis.ratings import order_free
from ostrom.analysis.ratings.ranking import compare_pairs, tiers
from ostrom.analysis.study import Study, study_of_game
from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.game import Game
from ostrom.journal.sql import Journal

FORMS = '"width(MEASURE) < X", "width(MEASURE, PLAYER) < X", "tiers >= N" or "pairs >= N"'
_WIDTH = re.compile(r"width\(\s*(?P<measure>\w+)\s*(?:,\s*(?P<player>[^)]+?)\s*)?\)\s*<\s*(?P<bound>[0-9.]+)")
_COUNT = re.compile(r"(?P<what>tiers|pairs)\s*>=\s*(?P<bound>[0-9]+)")


@dataclass(frozen=True)
class Look:
    """What the games up to a look show, by intervals and verdicts that hold whenever the rule stops."""

    games: int
    holds: bool
    """Whether the rule does."""
    said: str
    """What it is now, in a sentence."""
    figures: Sequence[Mapping[str, Any]]
    """By player: value, low and high of the measure; or tier and ranks."""


@dataclass(frozen=True)
class Rule:
    """When to stop."""

    text: str
    what: str
    """'width', 'tiers' or 'pairs'."""
    bound: float
    measure: str | None = None
    player: str | None = None

    @classmethod
    def read(cls, text: str) -> "Rule":
        """The rule that a user wrote."""
        if found := _WIDTH.fullmatch(text.strip()):
            return cls(text, "width", _number(found["bound"], text), found["measure"], found["player"])
        if found := _COUNT.fullmatch(text.strip()):
            return cls(text, found["what"], _number(found["bound"], text))
        raise InputError(f"invalid {field('until', text)}: it must be {FORMS}")

    def check(self, game: Game, players: Sequence[str]) -> None:
        """Refuse what can never hold, before anything is played."""
        study = study_of_game(game)
        if not isinstance(study, Study):
            raise InputError(f"{field('until')} needs a game with finals, and {game.command} has none")
        if self.measure is not None:
            measure = study.measures[self.measure]
            if measure.by != ("player",) or measure.ratio is None:
                raise InputError(f"{self.measure} has no interval by player, so {field('until')} cannot go by it")
        if self.player is not None and self.player not in players:
            raise InputError(f"{field('until')} names {self.player}, who does not play; there are {', '.join(players)}")
        most = len(set(players)) if self.what == "tiers" else len(set(players)) * (len(set(players)) - 1) // 2
        if self.what != "width" and not 1 <= self.bound <= most:
            raise InputError(f"{field('until', self.text)} can never hold with {len(set(players))} players")

    def look(self, study: Study[Any], tables: Any, games: int, most: int) -> Look:
        """Return what the games so far show, at a look after `games` of at most `most`."""
        looks = looks_at(most)
        if self.what == "width":
            return self._widths(study, tables, games, stretch(looks))
        confidence = confidences(looks)[looks.index(games)]
        return self._ranks(tables, games, confidence)

    def _widths(self, study: Study[Any], tables: Any, games: int, factor: float) -> Look:
        assert self.measure is not None
        frame = stretched(study.measures[self.measure].function(tables), factor)
        mine = frame if self.player is None else frame.filter(pl.col("player") == self.player)
        widths = mine.select(pl.col("high") - pl.col("low")).to_series()
        if not len(widths) or widths.null_count():
            return Look(games, False, f"{self.measure} has no interval yet", mine.to_dicts())
        widest = float(widths.max())  # type: ignore[arg-type]
        said = f"the widest interval of {self.measure} is {widest:,.4g} wide"
        return Look(games, widest < self.bound, said, mine.select("player", "value", "low", "high").to_dicts())

    def _ranks(self, tables: Any, games: int, confidence: float) -> Look:
        rating = order_free(rated_results(tables))
        places = tiers(rating, confidence=confidence)
        compared = [place for place in places if place.tier is not None]
        order = [rating.names.index(place.name) for place in compared]
        pairs = int(compare_pairs(rating, order, confidence).stronger.sum())
        last = max((place.tier or 0 for place in compared), default=0)
        reached = last if self.what == "tiers" else pairs
        figures = [{"player": place.name, "tier": place.tier, "ranks": place.ranks} for place in places]
        said = f"{last} tiers, {pairs} pairs of players told apart"
        return Look(games, reached >= self.bound, said, figures)


def _number(text: str, rule: str) -> float:
    try:
        found = float(text)
    except ValueError:
        raise InputError(f"{field('until', rule)} compares with {text!r}, which is no number") from None
    return found


def stretched(frame: pl.DataFrame, factor: float) -> pl.DataFrame:
    """Estimates with intervals that are longer by this factor on both sides of the value."""
    return frame.with_columns(
        low=pl.col("value") - factor * (pl.col("value") - pl.col("low")),
        high=pl.col("value") + factor * (pl.col("high") - pl.col("value")),
    )


def look_at(journal: Journal, experiment: str, rule: Rule, game: Game, keys: Sequence[str], most: int) -> Look:
    """What the games of these keys show; they are over."""
    study = study_of_game(game)
    assert isinstance(study, Study)
    wanted = set(keys)
    rows = [row for row in journal.games(experiment) if row.key in wanted and row.state == "finished"]
    if not rows:
        return Look(len(keys), False, "every game is void", [])
    tables = study.tables(journal.ended.records([row.id for row in rows]))
    return rule.look(study, tables, len(keys), most)
