"""The settings of Offers."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class OffersRules(BaseModel):
    """Everything that can be set about a game of Offers. Amounts are in points and need not be whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pie: float = Field(100.0, gt=0, le=1e9, description="What the two seats divide, in points.")
    rounds: int = Field(
        10, ge=1, le=1000, description="Rounds, one offer each; after the last one without agreement both get nothing."
    )
    least_patience: float = Field(
        0.6, ge=0, lt=1, description="The least possible patience: the part of its value that a point keeps each round."
    )
    most_patience: float = Field(
        0.95, ge=0, lt=1, description="The greatest possible patience; each seat's own is drawn between the two."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.least_patience > self.most_patience:
            raise ValueError("the least patience must not be greater than the greatest")
        return self
