"""The settings of bargaining by alternating offers."""

from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

ROLES: Final = ("first proposer", "second proposer")
OPEN: Final = "open"
PRIVATE: Final = "private"
MAX_ROUNDS: Final = 1000


class AlternatingOffersRules(BaseModel):
    """The settings of a bargain. The seats propose in turn; the first proposer begins."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pie: float = Field(100, gt=0, le=1_000_000)
    """The amount that the two seats divide."""
    tick: int = Field(1, ge=0, le=1)
    """The tick of offers: 1 for whole amounts, 0 for any amount."""
    rounds: int = Field(20, ge=1, le=MAX_ROUNDS)
    """The number of rounds. A round has one offer and the response to it."""
    horizon: Literal["fixed", "open"] = "fixed"
    """Whether the last round is part of the game (fixed), or bargaining has no planned end and is only stopped after
    this number of rounds, which all seats know (open)."""

    delta: float = Field(0.9, ge=0, le=1)
    """The discount factor: the part of its worth that an amount keeps from one round to the next."""
    delta_second: float | None = Field(None, ge=0, le=1)
    """The discount factor of the second proposer, if it is another one than the first proposer's."""
    breakdown: float = Field(0, ge=0, le=1)
    """The probability that bargaining ends without agreement after a rejected offer."""

    outside: float = Field(0, ge=0, le=1_000_000)
    """The outside option of the first proposer: the amount that it gets if bargaining ends without agreement."""
    outside_second: float = Field(0, ge=0, le=1_000_000)
    """The outside option of the second proposer."""
    outside_options: Literal["known", "private"] = "known"
    """Whether both seats know both outside options, or outside options are private: each is drawn between 0 and the
    amount above, all equally likely, and only the seat itself knows its own."""
    quits: bool = False
    """Whether a seat may answer an offer by quitting. Bargaining then ends without agreement."""

    messages: bool = False
    """Whether the proposer may write a message to the other seat before its offer."""
    message_words: int = Field(40, ge=1, le=1000)
    """The largest number of words in a message."""
    message_rounds: int = Field(20, ge=0, le=1000)
    """The number of past rounds whose messages a seat is shown."""

    @model_validator(mode="after")
    def _worth_agreeing(self) -> Self:
        if self.outside + self.outside_second > self.pie:
            raise ValueError(
                f"outside and outside_second add up to {self.outside + self.outside_second:g}, more than the pie, "
                f"{self.pie:g}; an agreement must be able to give both seats as much"
            )
        for name in ("pie", "outside", "outside_second"):
            amount = getattr(self, name)
            if self.tick and amount != int(amount):
                raise ValueError(f"{name} is {amount:g}, not a whole number, and tick is 1")
        return self

    @property
    def deltas(self) -> tuple[Any, Any]:
        """The discount factor of each seat."""
        return self.delta, self.delta if self.delta_second is None else self.delta_second

    @property
    def largest_outside(self) -> tuple[Any, Any]:
        """The outside option of each seat; if outside options are private, the largest possible one."""
        return self.outside, self.outside_second

    @property
    def private(self) -> bool:
        """True if each seat knows only its own outside option."""
        return self.outside_options == PRIVATE


def bargain_roles(seats: int) -> tuple[str, ...]:
    """Return the role of each seat."""
    return ROLES
