"""How far an experiment may go: calls at once, patience, attempts, money; and how a run waits."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Policy: TypeAlias = Literal["default", "void"]
"""What becomes of a question without a legal answer: the game's declared fallback, marked as defaulted, or the end of
the game, which is then void."""


class Limits(BaseModel):
    """Everything that can be set about how an experiment is run. None of it changes what a model is told, except that
    `attempts` bounds how often it is told what was wrong."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = Field(32, ge=1, le=4096)
    """Calls in flight over all providers."""
    per_provider: int = Field(16, ge=1, le=4096)
    """Calls in flight to one provider."""
    games: int | None = Field(None, ge=1, le=10_000)
    """Games under way at once; by default twice as many as calls, so that every call's place is taken."""
    timeout: float = Field(120.0, gt=0, le=3600)
    """Seconds that one call may take."""
    attempts: int = Field(3, ge=1, le=20)
    """Replies that a question may get: one, and so many less one after a reason was told."""
    retries: int = Field(5, ge=0, le=100)
    """How often a call that failed on its way is sent again, before its question counts as unanswered."""
    patience: float = Field(600.0, ge=0, le=86_400)
    """Seconds without a single success after which a model that keeps failing is given up for this run; its games stay
    unfinished and can be resumed."""
    policy: Policy = "default"
    budget: float | None = Field(None, ge=0)
    """Dollars for the whole experiment, what earlier runs of it spent included."""
    token_budget: int | None = Field(None, ge=0)
    """Tokens for the whole experiment, likewise."""


class Gates:
    """Places for calls in flight."""

    def __init__(self, calls: int, per_provider: int) -> None:
        self._calls = calls
        self._per_provider = per_provider
        self._taken: Counter[str] = Counter()
        self.in_flight = 0
        """Places taken over all."""

    @property
    def full(self) -> bool:
        """Whether no call may go, to whatever provider."""
        return self.in_flight >= self._calls

    def open(self, provider: str) -> bool:
        """Whether one more call may go to this provider."""
        return not self.full and self._taken[provider] < self._per_provider

    def enter(self, provider: str) -> None:
        """Take a place."""
        self._taken[provider] += 1
        self.in_flight += 1

    def leave(self, provider: str) -> None:
        """Give it back."""
        self._taken[provider] -= 1
        self.in_flight -= 1


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
        """How long to wait after so many failures of one call: exponential backoff with full jitter, so that calls
        which failed together do not come back together."""
        # Past 2^40 every wait is the longest one; a float would overflow at 2^1024.
        return self.draw() * min(self.longest_wait, self.first_wait * 2.0 ** min(failures - 1, 40))
