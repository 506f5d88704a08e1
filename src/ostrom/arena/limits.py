"""How far an experiment may go: calls at once, patience, attempts, money."""

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
