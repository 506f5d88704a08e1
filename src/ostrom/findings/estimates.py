"""The finding of a dry run: the calls, tokens and dollars that an experiment would need. No model is asked."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from ostrom.core.errors import InputError, field
from ostrom.core.finding import Column, Finding, Row, Table, decimals, number, share
from ostrom.core.game import imported
from ostrom.core.text import number_of
from ostrom.experiment.estimate import (
    MAX_SAMPLED_TABLES,
    TYPICAL_OUTPUT,
    ModelEstimate,
    ScheduleEstimate,
    calls_within_budget,
    describe_rooms,
    estimate,
)
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Experiment
from ostrom.players.people.seat import is_person

SECONDS_PER_CALL: Final = 2.0
"""The assumed duration of a call in seconds. The duration of a run with models is estimated from it."""
LONG_RUN_S: Final = 60.0
"""Runs that are expected to take longer than this are announced before they begin."""
MAX_COUNTED_GAMES: Final = 1_000_000
"""The largest number of games of a plan that a dry run counts one by one."""
MIN_TIMED_GAMES: Final = 50
"""The smallest number of games of a plan between algorithms for which the duration is estimated."""
_FIGURES = ("calls", "tokens", "cached_share", "dollars", "cached_dollars", "most_tokens", "most_dollars")


def describe_estimate(planned: Experiment, over: Collection[str] = ()) -> Finding:
    """Return the finding of what an experiment would need. The games whose keys are in `over` need nothing more. Raise
    InputError if no model plays."""
    if not planned.models:
        raise InputError(
            f"{field('dry_run')} estimates the cost of models, and no model plays; seat one with {field('llm')} or "
            f"{field('include')}"
        )
    if planned.people:
        # The function is imported here by its path, because only games with people need the extra for prompts.
        planned, _ = imported("ostrom.experiment.hosting:in_room")(planned)
    costs = _costs(planned, over)
    for person in [name for name in costs.models if is_person(name)]:
        del costs.models[person]  # Answers of people cost nothing.
    room = calls_within_budget(planned.fixtures(), planned.limits or Limits())
    table = _table(costs, describe_rooms(room))
    models = {str(row["model"]): {name: row[name] for name in _FIGURES} for row in table.rows}
    allowed = {"calls_at_once": {model: each.calls for model, each in room.items()}} if room else {}
    return Finding(
        verb="dry_run",
        title=table.title,
        facts={"games": costs.games, "sampled": costs.sampled, "models": models, **allowed},
        parts=[table],
        root="dry_run",
        result=costs,
    )


def _costs(planned: Experiment, over: Collection[str]) -> ScheduleEstimate:
    """Return the estimate of all games. If there are very many games, it is extrapolated from the first ones."""
    if planned.games <= MAX_COUNTED_GAMES:
        return estimate(fixture for fixture in planned.fixtures() if fixture.key not in over)
    costs = estimate(islice(planned.fixtures(), MAX_SAMPLED_TABLES))
    times = planned.games / costs.games
    for model, each in costs.models.items():
        scaled = ModelEstimate()
        scaled.add(each, times)
        costs.models[model] = scaled
    costs.games = planned.games
    return costs


def _table(costs: ScheduleEstimate, notes: Collection[str]) -> Table:
    usage = {**costs.models, **({"all": costs.total} if len(costs.models) > 1 else {})}
    rows: list[Row] = [
        {"model": model, **{name: getattr(each, name) for name in _FIGURES}} for model, each in usage.items()
    ]
    return Table(
        name="models",
        columns=[
            Column("model", "model", wraps=True),
            number("calls", "calls", decimals(0)),
            number("tokens", "tokens", decimals(0), spare=1),
            number("cached_share", "cacheable", share(), spare=4),
            number("dollars", "dollars", cell=partial(_dollars, "dollars")),
            number("cached_dollars", "with cache", cell=partial(_dollars, "cached_dollars"), spare=3),
            number("most_tokens", "tokens at most", decimals(0), spare=5),
            number("most_dollars", "dollars at most", cell=partial(_dollars, "most_dollars"), spare=2),
        ],
        rows=rows,
        title=f"estimated cost of {number_of(costs.games, 'game')}",
        notes=[
            f"Estimated from {number_of(costs.sampled, 'game')} played with made-up answers. A prompt counts as its "
            f"number of characters divided by 4, a reply as {TYPICAL_OUTPUT} tokens, and no call fails. The columns "
            "“at most” assume prompts and replies of maximum length.",
            "“Cacheable” is the share of the input that a provider's prompt cache can serve, because an earlier "
            "prompt began with the same text. “With cache” is the cost in dollars if the cache serves it.",
            *notes,
        ],
        in_json=False,
    )


def _dollars(name: str, row: Row) -> str:
    return "no price" if row[name] is None else _amount(row[name])


def _amount(dollars: float) -> str:
    return f"{dollars:,.4f}" if dollars < 1 else f"{dollars:,.2f}"


@dataclass(frozen=True)
class Forecast:
    """The expected size of a run, before it begins."""

    games: int
    names: str
    """The commands of the games that the run plays."""
    seconds: float | None
    """The duration of the run; None if it is unknown."""
    usage: ModelEstimate | None = None
    """The usage of models; None if no model plays."""
    at_most: bool = False
    """True if a stopping rule may end the run earlier."""

    @property
    def is_large(self) -> bool:
        """True if the run costs money or takes more than a minute."""
        return self.usage is not None or (self.seconds or 0) > LONG_RUN_S

    @property
    def sentence(self) -> str:
        """A sentence on what the run will do."""
        parts = [f"{'up to ' if self.at_most else ''}{number_of(self.games, 'game')} of {self.names}"]
        if self.usage is not None:
            parts += [f"about {self.usage.calls:,.0f} calls", f"{self.usage.tokens:,.0f} tokens", self._cost]
        if self.seconds is not None:
            assumed = "" if self.usage is None else f" if a call takes {SECONDS_PER_CALL:g} s"
            parts.append(f"about {duration_text(self.seconds)}{assumed}")
        text = ", ".join(parts)
        return f"{text[0].upper()}{text[1:]}."

    @property
    def _cost(self) -> str:
        if self.usage is None or self.usage.dollars is None:
            return "price unknown"
        most = self.usage.most_dollars
        return f"${_amount(self.usage.dollars)}" + ("" if most is None else f" (at most ${_amount(most)})")


def forecast_run(planned: Experiment, games_over: int = 0) -> Forecast:
    """Return the expected size of a run, estimated from a sample of its games. `games_over` is the number of games that
    are already over."""
    games = planned.games - games_over
    names = " and ".join(dict.fromkeys(part.game.command for part in planned.parts))
    if planned.people:
        return Forecast(games, names, None)
    if not planned.models:
        return Forecast(games, names, _timed(planned, games), at_most=planned.until is not None)
    sampled = min(planned.games, MAX_SAMPLED_TABLES)
    usage = ModelEstimate()
    usage.add(estimate(islice(planned.fixtures(), sampled)).total, games / max(1, sampled))
    limits = planned.limits or Limits()
    seconds = usage.calls * SECONDS_PER_CALL / min(limits.calls, max(1.0, usage.calls))
    return Forecast(games, names, seconds, usage, planned.until is not None)


def _timed(planned: Experiment, games: int) -> float | None:
    """Return the estimated duration in seconds of a run between algorithms. It is measured by playing the first
    game."""
    if games < MIN_TIMED_GAMES:
        return None
    began = time.perf_counter()
    played = sum(1 for _ in play_games(islice(planned.fixtures(), 1)))
    return (time.perf_counter() - began) / max(1, played) * games


def duration_text(seconds: float) -> str:
    """Return a duration as text, in a suitable unit."""
    for unit, length in (("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return number_of(round(seconds / length), unit)
    return number_of(max(1, round(seconds)), "second")
