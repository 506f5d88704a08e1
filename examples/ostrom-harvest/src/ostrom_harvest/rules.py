"""The settings of Harvest. The defaults of capacity, collapse and rounds are those of GovSim's fishery."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class HarvestRules(BaseModel):
    """Everything that can be set about a game of Harvest. Amounts are in tonnes and need not be whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(12, ge=1, le=1000, description="Rounds, if the stock does not collapse before.")
    capacity: float = Field(100.0, gt=0, le=1e9, description="The largest stock that the waters can hold, in tonnes.")
    stock: float = Field(100.0, gt=0, le=1e9, description="The stock before the first round, in tonnes.")
    regrowth: float = Field(
        0.5,
        ge=0,
        le=4,
        description="The rate of logistic growth r: what is left, x, grows by r·x·(1 − x/capacity) each round.",
    )
    collapse: float = Field(
        5.0, ge=0, le=1e9, description="If less than this is left after a harvest, the stock collapses; in tonnes."
    )

    messages: bool = Field(True, description="Whether all seats send a message to everybody at the start of a round.")
    message_words: int = Field(50, ge=1, le=1000, description="The most words that a message may have.")
    message_rounds: int = Field(3, ge=0, le=1000, description="Of how many past rounds a seat is shown the messages.")

    quota: Literal["none", "median", "majority"] = Field(
        "median",
        description="How seats agree on a quota each round: not at all; the median of what they propose; or the amount "
        "that more than half of them propose, and where there is none the quota stays as it was.",
    )
    sanctions: bool = Field(
        True, description="Whether a harvest above the quota is an offence: a warning at first, then growing fines."
    )
    fine: float = Field(
        0.5,
        ge=0,
        le=100,
        description="What a second offence costs for each tonne above the quota, in tonnes; a third costs twice as "
        "much, a fourth three times, but never more than was harvested in that round.",
    )
    monitoring: float = Field(1.0, ge=0, le=1, description="The chance that a harvest above the quota is noticed.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.stock > self.capacity:
            raise ValueError("the stock must not be larger than the capacity")
        if self.collapse >= self.stock:
            raise ValueError("the stock must start above the amount below which it collapses")
        return self

    @property
    def voting(self) -> bool:
        """Whether there is a vote on a quota."""
        return self.quota != "none"

    @property
    def sanctioning(self) -> bool:
        """Whether an offence is possible."""
        return self.voting and self.sanctions
