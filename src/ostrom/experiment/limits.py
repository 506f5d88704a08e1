"""Limits of an experiment: concurrent calls, timeouts, attempts, a budget of dollars and tokens, waits between retries
(backoff), and the circuit breaker, which pauses a failing model. No function in this module reads a clock; callers pass
the time."""

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
"""The outcome of a question without a legal answer. With "default", the game's declared fallback is used and marked as
defaulted. With "void", the game ends and is void."""


class Allowance(BaseModel):
    """The largest amounts that one game or one player may use, over all runs."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    calls: int | None = Field(None, ge=0, le=10**12)
    tokens: int | None = Field(None, ge=0, le=10**15)
    budget: float | None = Field(None, ge=0, le=1e9)
    """The maximum cost in dollars."""
    seconds: float | None = Field(None, ge=0, le=1e9)

    def __bool__(self) -> bool:
        return any(getattr(self, name) is not None for name in Allowance.model_fields)


class Limits(BaseModel):
    """The settings of a run. Of these settings, only `attempts` affects prompts: it limits the number of retries that
    quote an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = Field(32, ge=1, le=4096, description="Largest number of calls in flight at once.")
    per_provider: int = Field(16, ge=1, le=4096, description="Largest number of calls in flight to one provider.")
    games: int | None = Field(None, ge=1, le=10_000, description="Largest number of games under way at once.")
    """By default it is twice the number of calls in flight, so that all slots for calls are in use."""
    timeout: float = Field(120.0, gt=0, le=3600, description="Seconds that a call may take.")
    attempts: int = Field(
        3, ge=1, le=20, description="Attempts per question; each re-ask tells the model why its answer was rejected."
    )
    retries: int = Field(
        5, ge=0, le=100, description="Number of times that a call that failed in transit is sent again."
    )
    patience: float = Field(
        600.0, ge=0, le=86_400, description="Seconds after which a model whose calls all fail counts as unavailable."
    )
    """After this time, the games of the model stay unfinished and can be resumed."""
    policy: Policy = Field(
        "default",
        description="What happens if a player gives no legal answer: the fallback is played, or the game is void.",
    )
    budget: float | None = Field(None, ge=0, le=1e9, description="Dollars that the whole experiment may cost.")
    """The budget covers all runs: the dollars and tokens spent in earlier runs count too."""
    token_budget: int | None = Field(None, ge=0, le=10**15, description="Tokens that the whole experiment may use.")
    game_calls: int | None = Field(None, ge=0, le=10**12, description="Calls that one game may make.")
    """A game that reaches a limit is suspended until it is resumed with a higher limit."""
    game_tokens: int | None = Field(None, ge=0, le=10**15, description="Tokens that one game may use.")
    game_budget: float | None = Field(None, ge=0, le=1e9, description="Dollars that one game may cost.")
    game_seconds: float | None = Field(None, ge=0, le=1e9, description="Seconds for which one game may be played.")
    player_calls: int | None = Field(None, ge=0, le=10**12, description="Calls that one model or bot may make in all.")
    """A player that reaches a limit gets no further calls; games without this player continue."""
    player_tokens: int | None = Field(None, ge=0, le=10**15, description="Tokens that one model or bot may use in all.")
    player_budget: float | None = Field(
        None, ge=0, le=1e9, description="Dollars that one model or bot may cost in all."
    )
    player_seconds: float | None = Field(
        None, ge=0, le=1e9, description="Seconds that all calls of one model or bot may take in total."
    )
    players: dict[str, Allowance] = Field(
        {}, description="A limit of one model or bot: its calls, tokens, budget or seconds; repeatable."
    )
    """The limits of single players, by name; they replace the general limits of players."""
    pause_at_defaults: float = Field(
        0.5,
        gt=0,
        le=1,
        description="Pause the run when this share of a model's last 100 answers (at least 20) is defaulted; "
        "with 1, it never pauses.",
    )
    batch: bool = Field(False, description="Ask through batch APIs, which cost half as much and answer within a day.")
    """Calls of a batch take no slot of `calls` and have no timeout."""
    deadline: float | None = Field(
        None,
        gt=0,
        le=168,
        description="Hours after which a batch is cancelled and its unanswered questions are asked call by call.",
    )

    # The journal from which replies are reused is not stored with the limits. Otherwise an experiment from another
    # person could name a journal of this user.
    reuse: str | None = Field(
        None, exclude=True, description="Reuse replies to the same prompts from this journal, without a call."
    )
    reuse_sampled: bool = Field(
        False, exclude=True, description="Reuse replies even if the temperature makes them random draws."
    )

    @property
    def of_game(self) -> Allowance:
        """The limits of one game."""
        return self._allowance("game")

    def of_player(self, name: str) -> Allowance:
        """Return the limits of a player."""
        general = self._allowance("player")
        own = self.players.get(name)
        return general if own is None else general.model_copy(update=own.model_dump(exclude_none=True))

    @property
    def allowances(self) -> list[Allowance]:
        """All limits of games and players that were set."""
        candidates = (self.of_game, self._allowance("player"), *self.players.values())
        return [allowance for allowance in candidates if allowance]

    @property
    def per_player(self) -> bool:
        """True if any player has a limit."""
        return bool(self._allowance("player")) or any(self.players.values())

    def updated(self, changes: "Limits") -> "Limits":
        """Return these limits with the values that `changes` sets. Limits of players that `changes` does not set stay
        unchanged."""
        values = {name: getattr(changes, name) for name in changes.model_fields_set}
        players = dict(self.players)
        for name, allowance in changes.players.items():
            earlier = players.get(name, Allowance())
            players[name] = earlier.model_copy(update=allowance.model_dump(exclude_unset=True))
        return self.model_copy(update={**values, "players": players})

    @property
    def first_set(self) -> str:
        """The name of the first limit that was set, as error messages spell it."""
        return field("limits", next((name for name in Limits.model_fields if name in self.model_fields_set), None))

    def _allowance(self, owner: str) -> Allowance:
        return Allowance(**{name: getattr(self, f"{owner}_{name}") for name in Allowance.model_fields})


def limits_of(limits: Mapping[str, Any] | Limits | None, defaults: Limits | None = None) -> Limits:
    """Return limits from the argument of a library function. Missing limits are taken from `defaults`."""
    if isinstance(limits, Limits):
        return limits
    if limits is not None and not isinstance(limits, Mapping):
        raise InputError(f"limits are a mapping, as in {{'budget': 1.0}}, or Limits, not {type(limits).__name__}")
    try:
        return Limits.model_validate({**({} if defaults is None else defaults.model_dump()), **(limits or {})})
    except ValidationError as error:
        raise InputError(f"invalid limits: {first_problem(error)}") from None


@dataclass(frozen=True, slots=True)
class Pacing:
    """Waiting times in seconds. The defaults are suitable for providers."""

    first_wait: float = 0.5
    """The longest wait after the first failure of a call. It is doubled after each further failure."""
    longest_wait: float = 30.0
    failures: int = 5
    """The number of failures in a row after which a model pauses."""
    first_pause: float = 5.0
    """The length of the first pause. It is doubled after each failed probe."""
    longest_pause: float = 60.0
    draw: Callable[[], float] = random.random
    """A function that returns a number in [0, 1) for the jitter. The jitter affects only the time of a call, so it is
    not drawn from the game's seed."""

    def wait(self, failures: int) -> float:
        """Return the wait after this number of failures of a call: exponential backoff with full jitter."""
        # The exponent is bounded, since a larger power would overflow a float.
        return self.draw() * min(self.longest_wait, self.first_wait * 2.0 ** min(failures - 1, 40))


@dataclass(slots=True, eq=False)
class Streak:
    """Consecutive failures of a model."""

    length: int = 0
    outage: bool = False
    """True if the model was paused because of the failures. Failures during an outage do not count towards the retries
    of a question."""


class Breaker:
    """The circuit breaker of one model. It has three states: closed (calls are sent), open (the model is paused), or
    open with a single call as a probe."""

    def __init__(self, pacing: Pacing, patience: float) -> None:
        self.unavailable: str | None = None
        """The reason why this model gets no further calls."""
        self.last_reason = "no reason given"
        """The reason why its last call failed."""
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
        """True if calls are sent without a pause."""
        return self._open_until is None and self.unavailable is None

    @property
    def until(self) -> float:
        """The time before which no call is sent."""
        return max(self._open_until or 0.0, self._held_until)

    def ready(self, now: float) -> bool:
        """Return whether a call may be sent now."""
        return self.unavailable is None and self._probe is None and now >= self.until

    def admit(self) -> object:
        """Register a call, and return a ticket with which its result is reported. If the breaker is open, the call is
        the probe, and no other call is sent until it ends."""
        ticket = object()
        if self._open_until is not None:
            self._probe = ticket
        return ticket

    def report_answer(self, now: float) -> None:
        """Record a reply, whatever its content. A reply ends the pause, but not a wait that the provider requested."""
        if self._streak.length:
            self._streak = Streak()
        self._began = now if now < self._held_until else None
        self._pause = self._pacing.first_pause
        self._open_until = self._probe = None

    def report_failure(self, ticket: object, now: float, retry_after: float | None = None) -> Streak:
        """Record that a call failed in transit; return the streak of failures that includes it."""
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
            # Calls that were sent before the pause may still fail. Only a failed probe prolongs the pause.
            self._pause = min(2 * self._pause, self._pacing.longest_pause)
            self._open_until = now + self._pause
        self.release(ticket)
        return self._streak

    def release(self, ticket: object) -> None:
        """Record that a call ended without information about the model."""
        if ticket is self._probe:
            self._probe = None

    def expires(self) -> float | None:
        """Return the time at which the model is given up if no call succeeds before that time. Return None if there is
        no such time."""
        if self._began is None or self._probe is not None or self.unavailable is not None:
            return None
        if self._open_until is not None:
            return self._began + self._patience
        # If a provider asks for a wait, the model is not given up before one long pause, even if `patience` is shorter.
        if self._held_until > self._began:
            return self._began + max(self._patience, self._pacing.longest_pause)
        return None

    def failing_for(self, now: float) -> float:
        """Return the seconds since the first failure of the streak."""
        return 0.0 if self._began is None else now - self._began

    def changes(self, now: float) -> float | None:
        """Return the next time at which the state changes without a report: when the pause ends or `patience` is
        exhausted. Return None if there is no such time."""
        if self.unavailable is not None or self._probe is not None:
            return None
        times = [self.until, self.expires()]
        return min((time for time in times if time is not None and time > now), default=None)


_UNIT = 10**12
"""Amounts are integers in units of 10⁻¹² dollars, rounded up. With floats, rounding errors could make a sum exceed the
limit."""


@dataclass(frozen=True, slots=True)
class Spent:
    """An amount that was spent, or the maximum cost of a call that is reserved."""

    dollars: float = 0.0
    tokens: int = 0


NOTHING = Spent()


class Budget:
    """Spent and reserved amounts. Every call reserves its maximum cost before it is sent. Therefore the sum of all
    amounts never exceeds the limit, regardless of the number of calls in flight."""

    def __init__(self, dollars: float | None, tokens: int | None, spent: Spent = NOTHING) -> None:
        self._most_dollars = None if dollars is None else math.floor(dollars * _UNIT)
        self._most_tokens = tokens
        self._dollars, self._tokens = _units(spent.dollars), spent.tokens
        self._reserved_dollars = self._reserved_tokens = 0

    @property
    def spent(self) -> Spent:
        """The amount spent so far, including earlier runs."""
        return Spent(self._dollars / _UNIT, self._tokens)

    @property
    def reserved(self) -> Spent:
        """The maximum cost of the calls in flight."""
        return Spent(self._reserved_dollars / _UNIT, self._reserved_tokens)

    def allows(self, endpoint: Endpoint) -> bool:
        """Return whether a call to this endpoint is allowed: its price is known, or the budget does not depend on
        prices."""
        return endpoint.priced or self._most_dollars is None

    def fits(self, request: Request) -> bool:
        """Return whether the budget covers the maximum cost of a call."""
        return self.lacking(request) is None

    def lacking(self, request: Request) -> Literal["budget", "tokens"] | None:
        """Return the name of the resource that does not cover a call, or None if all cover it."""
        if self._most_tokens is not None:
            tokens = request.most_input + request.most_output
            if self._tokens + self._reserved_tokens + tokens > self._most_tokens:
                return "tokens"
        if self._most_dollars is None:
            return None
        dollars = self._dollars + self._reserved_dollars + _units(request.most_cost)
        return "budget" if dollars > self._most_dollars else None

    def reserve(self, request: Request) -> Spent:
        """Reserve the maximum cost of a call, and return it."""
        reservation = Spent(request.most_cost, request.most_input + request.most_output)
        self._reserved_dollars += _units(reservation.dollars)
        self._reserved_tokens += reservation.tokens
        return reservation

    def overcharge(self, reservation: Spent, spent: Spent) -> str | None:
        """Return a description of a call that cost more than its maximum, if a limit depends on it."""
        if self._most_dollars is not None and _units(spent.dollars) > _units(reservation.dollars):
            return f"${spent.dollars:,.6g} for a call that may cost at most ${reservation.dollars:,.6g}"
        if self._most_tokens is not None and spent.tokens > reservation.tokens:
            return f"{spent.tokens:,} tokens for a call that may use at most {reservation.tokens:,}"
        return None

    def reopen(self, reservation: Spent) -> None:
        """Reserve the maximum cost of a call that an earlier run sent and did not settle. Until the call is settled,
        this cost counts as spent."""
        self.settle(Spent(-reservation.dollars, -reservation.tokens), Spent(-reservation.dollars, -reservation.tokens))

    def settle(self, reservation: Spent, spent: Spent) -> None:
        """Replace the reservation of a call by its cost."""
        self._reserved_dollars -= _units(reservation.dollars)
        self._reserved_tokens -= reservation.tokens
        self._dollars += _units(spent.dollars)
        self._tokens += spent.tokens


def check_prices(contestants: Iterable[Contestant], limits: Limits) -> None:
    """Raise InputError for a limit in dollars on a model without a known price."""
    limited = limits.budget is not None or limits.of_game.budget is not None
    for contestant in contestants:
        if not limited and limits.of_player(contestant.name).budget is None:
            continue
        # The player is created only to learn its endpoint.
        player = contestant.sit(Seat(0), GameChance(0))
        if is_remote(player) and not player.endpoint.priced:
            raise InputError(unpriced(player.endpoint))


def check_allowances(contestants: Iterable[Contestant], limits: Limits) -> None:
    """Raise InputError for limits of players that do not play, and for time limits that are shorter than the timeout of
    a call."""
    names = {contestant.name for contestant in contestants}
    for name in limits.players:
        if name not in names:
            raise InputError(
                f"there is a limit for {name!r}, who does not play; the models are {', '.join(sorted(names))}"
            )
    for allowance in limits.allowances:
        if allowance.seconds is not None and allowance.seconds < limits.timeout:
            raise InputError(
                f"a limit of {allowance.seconds:g} s allows no call, because a call may take {limits.timeout:g} s; "
                f"raise it, or set a shorter {field('timeout')}"
            )


def unpriced(endpoint: Endpoint) -> str:
    """Return the error message for a budget that cannot be enforced because a price is unknown."""
    return (
        f"no price is known for {endpoint.model}, so a budget in dollars cannot be enforced; "
        f"set a price in its bot file, or use {field('token_budget')}"
    )


def _units(dollars: float) -> int:
    return math.ceil(dollars * _UNIT)
