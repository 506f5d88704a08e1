"""How far an experiment may go: calls at once, patience, attempts; the budget of dollars and tokens; how a run waits;
and the circuit breaker that keeps calls from a model that keeps failing. Nothing here knows a clock: who uses it says
what time it is."""

import math
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.core import GameChance, InputError, Seat
from ostrom.core.errors import field
from ostrom.core.text import first_problem
from ostrom.players.base import Contestant, Endpoint, Request, is_remote

Policy: TypeAlias = Literal["default", "void"]
"""The outcome of a question without a legal answer: the game's declared fallback, marked as defaulted, or the end of
the game, which is then void."""


class Allowance(BaseModel):
    """What one game or one player may use up, in all runs together."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    calls: int | None = Field(None, ge=0, le=10**12)
    tokens: int | None = Field(None, ge=0, le=10**15)
    budget: float | None = Field(None, ge=0, le=1e9)
    """Dollars."""
    seconds: float | None = Field(None, ge=0, le=1e9)

    def __bool__(self) -> bool:
        return any(getattr(self, name) is not None for name in Allowance.model_fields)


class Limits(BaseModel):
    """Everything that can be set about how an experiment is run. None of it changes what a model is told, except that
    `attempts` bounds how often it is told what was wrong."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = Field(32, ge=1, le=4096, description="Calls in flight at once.")
    per_provider: int = Field(16, ge=1, le=4096, description="Calls in flight to one provider.")
    games: int | None = Field(None, ge=1, le=10_000, description="Games under way at once.")
    """By default twice as many as calls, so that every call's place is taken."""
    timeout: float = Field(120.0, gt=0, le=3600, description="Seconds that a call may take.")
    attempts: int = Field(
        3, ge=1, le=20, description="Attempts per question; each retry tells the model why its answer was rejected."
    )
    retries: int = Field(5, ge=0, le=100, description="How often a call that failed in transit is sent again.")
    """Before its question counts as unanswered."""
    patience: float = Field(
        600.0, ge=0, le=86_400, description="Seconds until a model that only fails counts as unavailable."
    )
    """For this run: its games stay unfinished and can be resumed."""
    policy: Policy = Field("default", description="Without a legal answer: the fallback, or a void game.")
    budget: float | None = Field(None, ge=0, le=1e9, description="Dollars that the whole experiment may cost.")
    """Includes what earlier runs of it spent; so do the tokens."""
    token_budget: int | None = Field(None, ge=0, le=10**15, description="Tokens that the whole experiment may use.")
    game_calls: int | None = Field(None, ge=0, le=10**12, description="Calls that one game may make.")
    """A game that reaches one of its limits is suspended, and goes on when it is resumed with a higher one."""
    game_tokens: int | None = Field(None, ge=0, le=10**15, description="Tokens that one game may use.")
    game_budget: float | None = Field(None, ge=0, le=1e9, description="Dollars that one game may cost.")
    game_seconds: float | None = Field(None, ge=0, le=1e9, description="Seconds for which one game may be played.")
    player_calls: int | None = Field(None, ge=0, le=10**12, description="Calls that one model or bot may make in all.")
    """A player that reaches one of its limits is asked no more, and games without it go on."""
    player_tokens: int | None = Field(None, ge=0, le=10**15, description="Tokens that one model or bot may use in all.")
    player_budget: float | None = Field(
        None, ge=0, le=1e9, description="Dollars that one model or bot may cost in all."
    )
    player_seconds: float | None = Field(
        None, ge=0, le=1e9, description="Seconds that the calls of one model or bot may take, added up."
    )
    players: dict[str, Allowance] = Field(
        {}, description="A limit of one model or bot: its calls, tokens, budget or seconds; repeatable."
    )
    """By name, in place of those for every player."""
    pause_at_defaults: float = Field(
        0.5,
        gt=0,
        le=1,
        description="Pause when this share of a model's last 100 answers (20 at least) is defaulted; 1 never does.",
    )

    @property
    def of_game(self) -> Allowance:
        """What one game may use up."""
        return self._allowance("game")

    def of_player(self, name: str) -> Allowance:
        """What this player may use up."""
        general = self._allowance("player")
        own = self.players.get(name)
        return general if own is None else general.model_copy(update=own.model_dump(exclude_none=True))

    @property
    def allowances(self) -> list[Allowance]:
        """All that is limited besides the whole."""
        return [one for one in (self.of_game, self._allowance("player"), *self.players.values()) if one]

    @property
    def per_player(self) -> bool:
        """Whether anything is limited by player."""
        return bool(self._allowance("player")) or any(self.players.values())

    def _allowance(self, whose: str) -> Allowance:
        return Allowance(**{name: getattr(self, f"{whose}_{name}") for name in Allowance.model_fields})


def limits_of(given: Mapping[str, Any] | Limits | None, before: Limits | None = None) -> Limits:
    """The limits that a program gave; for what was not given those of before, else the usual ones."""
    if isinstance(given, Limits):
        return given
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"limits are a mapping, as in {{'budget': 1.0}}, or Limits, not {type(given).__name__}")
    try:
        return Limits.model_validate({**(before or Limits()).model_dump(), **(given or {})})
    except ValidationError as error:
        raise InputError(f"invalid limits: {first_problem(error)}") from None


@dataclass(frozen=True, slots=True)
class Pacing:
    """Waiting times in seconds. The defaults suit providers; tests and servers nearby may want shorter ones."""

    first_wait: float = 0.5
    """The longest wait after a call's first failure; it doubles with every further one."""
    longest_wait: float = 30.0
    failures: int = 5
    """Failures in a row after which a model pauses."""
    first_pause: float = 5.0
    """How long it pauses; that doubles with every probe that fails."""
    longest_pause: float = 60.0
    draw: Callable[[], float] = random.random
    """A number in [0, 1) for the jitter. It decides when a call is made and nothing else, so it is no part of a game's
    chance."""

    def wait(self, failures: int) -> float:
        """Return how long to wait after failures of one call: exponential backoff with full jitter, so that calls
        which failed together do not come back together."""
        # Past 2^40 every wait is the longest one; a float would overflow at 2^1024.
        return self.draw() * min(self.longest_wait, self.first_wait * 2.0 ** min(failures - 1, 40))


@dataclass(slots=True, eq=False)
class Streak:
    """Failures of a model in a row, with no success between them."""

    length: int = 0
    outage: bool = False
    """Whether there were enough failures for the model to pause. They are then the model's, and no question's: a
    question does not run out of retries by an outage."""


class Breaker:
    """The state of one model: closed (calls go), open (it pauses), or open with a single call as a probe."""

    def __init__(self, pacing: Pacing, patience: float) -> None:
        self.unavailable: str | None = None
        """Why no call goes to this model any more."""
        self.last_reason = "no reason given"
        """Why its last call failed."""
        self._pacing = pacing
        self._patience = patience
        self._streak = Streak()
        self._began: float | None = None
        self._pause = pacing.first_pause
        self._open_until: float | None = None
        self._held_until = 0.0
        self._probe: object | None = None

    @property
    def closed(self) -> bool:
        """Whether calls go to this model as they come."""
        return self._open_until is None and self.unavailable is None

    @property
    def until(self) -> float:
        """The time before which no call goes."""
        return max(self._open_until or 0.0, self._held_until)

    def ready(self, now: float) -> bool:
        """Whether a call may go now."""
        return self.unavailable is None and self._probe is None and now >= self.until

    def admit(self) -> object:
        """A call goes: returns what it is to be reported with. Of an open breaker it is the probe, and no other goes
        before it is back."""
        ticket = object()
        if self._open_until is not None:
            self._probe = ticket
        return ticket

    def report_answer(self, now: float) -> None:
        """The model answered, whatever it said: the pause is over. A wait that the provider asked for is not."""
        if self._streak.length:
            self._streak = Streak()
        self._began = now if now < self._held_until else None
        self._pause = self._pacing.first_pause
        self._open_until = self._probe = None

    def report_failure(self, ticket: object, now: float, retry_after: float | None = None) -> Streak:
        """A call failed on its way; returns the failures that it belongs to."""
        self._streak.length += 1
        if self._began is None:
            self._began = now
        if retry_after is not None and retry_after > 0:
            self._held_until = max(self._held_until, now + retry_after)
        if self._open_until is None:
            if self._streak.length >= self._pacing.failures:
                self._open_until = now + self._pause
                self._streak.outage = True
        elif ticket is self._probe:
            # Only a probe says something new; calls that were sent before the pause fail late.
            self._pause = min(2 * self._pause, self._pacing.longest_pause)
            self._open_until = now + self._pause
        self.release(ticket)
        return self._streak

    def release(self, ticket: object) -> None:
        """A call ended and says nothing about the model."""
        if ticket is self._probe:
            self._probe = None

    def expires(self) -> float | None:
        """When the model is given up if nothing succeeds until then; None while there is no reason to."""
        if self._began is None or self._probe is not None or self.unavailable is not None:
            return None
        if self._open_until is not None:
            return self._began + self._patience
        # A provider that asks to wait has not failed for good; it gets a while even from the impatient.
        if self._held_until > self._began:
            return self._began + max(self._patience, self._pacing.longest_pause)
        return None

    def failing_for(self, now: float) -> float:
        """Seconds since the first failure without a success after it."""
        return 0.0 if self._began is None else now - self._began

    def changes(self, now: float) -> float | None:
        """When to look again, if no call comes back before: the end of the pause, or of patience."""
        if self.unavailable is not None or self._probe is not None:
            return None
        times = [self.until, self.expires()]
        return min((time for time in times if time is not None and time > now), default=None)


_UNIT = 10**12
"""Amounts are whole trillionths of a dollar, rounded up: thousands of additions and subtractions leave no error by
which a cap could be passed."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used up, or what one call can at most come to."""

    dollars: float = 0.0
    tokens: int = 0


NOTHING = Spent()


class Budget:
    """Counts what is spent and what is reserved. Every call reserves the most that it can come to before it is sent, so
    that the two together never pass the cap, however many calls are in flight."""

    def __init__(self, dollars: float | None, tokens: int | None, spent: Spent = NOTHING) -> None:
        self._most_dollars = None if dollars is None else math.floor(dollars * _UNIT)
        self._most_tokens = tokens
        self._dollars, self._tokens = _units(spent.dollars), spent.tokens
        self._reserved_dollars = self._reserved_tokens = 0

    @property
    def spent(self) -> Spent:
        """What was used up so far, earlier runs included."""
        return Spent(self._dollars / _UNIT, self._tokens)

    @property
    def reserved(self) -> Spent:
        """What calls in flight can at most come to."""
        return Spent(self._reserved_dollars / _UNIT, self._reserved_tokens)

    def allows(self, endpoint: Endpoint) -> bool:
        """Whether calls to this endpoint can be counted."""
        return endpoint.priced or self._most_dollars is None

    def fits(self, request: Request) -> bool:
        """Whether a call can be made for certain within the budget."""
        return self.lacks(request) is None

    def lacks(self, request: Request) -> Literal["budget", "tokens"] | None:
        """Of what there is too little for a call: of dollars, of tokens, or of neither."""
        if self._most_tokens is not None:
            tokens = request.most_input + request.most_output
            if self._tokens + self._reserved_tokens + tokens > self._most_tokens:
                return "tokens"
        if self._most_dollars is None:
            return None
        dollars = self._dollars + self._reserved_dollars + _units(request.most_cost)
        return "budget" if dollars > self._most_dollars else None

    def reserve(self, request: Request) -> Spent:
        """Set aside what a call can at most come to."""
        reservation = Spent(request.most_cost, request.most_input + request.most_output)
        self._reserved_dollars += _units(reservation.dollars)
        self._reserved_tokens += reservation.tokens
        return reservation

    def overcharge(self, reservation: Spent, spent: Spent) -> str | None:
        """In words, that a call came to more than it can come to, where a cap rests on that; None where it did not."""
        if self._most_dollars is not None and _units(spent.dollars) > _units(reservation.dollars):
            return f"${spent.dollars:,.6g} for a call that may cost at most ${reservation.dollars:,.6g}"
        if self._most_tokens is not None and spent.tokens > reservation.tokens:
            return f"{spent.tokens:,} tokens for a call that may use at most {reservation.tokens:,}"
        return None

    def settle(self, reservation: Spent, spent: Spent) -> None:
        """Count what a call came to, in place of what was reserved for it."""
        self._reserved_dollars -= _units(reservation.dollars)
        self._reserved_tokens -= reservation.tokens
        self._dollars += _units(spent.dollars)
        self._tokens += spent.tokens


def check_prices(contestants: Iterable[Contestant], limits: Limits) -> None:
    """Refuse a limit in dollars for models whose price is unknown."""
    everybody = limits.budget is not None or limits.of_game.budget is not None
    for contestant in contestants:
        if not everybody and limits.of_player(contestant.name).budget is None:
            continue
        # A player is made only to learn where its calls go; it does not play.
        player = contestant.sit(Seat(0), GameChance(0))
        if is_remote(player) and not player.endpoint.priced:
            raise InputError(unpriced(player.endpoint))


def check_allowances(contestants: Iterable[Contestant], limits: Limits) -> None:
    """Refuse limits of players who do not play, and times in which no call can be made for certain."""
    names = {contestant.name for contestant in contestants}
    for name in limits.players:
        if name not in names:
            raise InputError(
                f"there is a limit for {name!r}, who does not play; the models are {', '.join(sorted(names))}"
            )
    for one in limits.allowances:
        if one.seconds is not None and one.seconds < limits.timeout:
            raise InputError(
                f"a limit of {one.seconds:g} s allows no call, as one may take {limits.timeout:g} s; "
                f"raise it, or set a shorter {field('timeout')}"
            )


def unpriced(endpoint: Endpoint) -> str:
    """The error for a budget that cannot be enforced."""
    return (
        f"no price is known for {endpoint.model}, so a budget in dollars cannot be enforced; "
        f"set a price in its bot file, or use {field('token_budget')}"
    )


def _units(dollars: float) -> int:
    return math.ceil(dollars * _UNIT)
