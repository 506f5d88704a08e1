"""The settings of Contribute & Punish, with the defaults of PGG-Bench."""

import math
from fractions import Fraction
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator


def _short(value: float) -> float:
    """Refuse what no short fraction says: the fund is counted in whole tokens, from an exact multiplier."""
    if round(value, 4) != value:
        raise ValueError("it must have at most 4 decimals")
    return value


class ContributePunishRules(BaseModel):
    """Everything that can be set about a game of Contribute & Punish. Tokens are whole."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    rounds: int = Field(10, ge=1, le=1000)
    """Rounds of a game."""
    start: int = Field(20, ge=0, le=1_000_000)
    """What every seat holds at the beginning."""
    multiplier: Annotated[float, AfterValidator(_short)] = Field(1.6, ge=0, le=100)
    """What the fund is multiplied by, taken as the exact fraction that it is written as."""

    messages: bool = True
    """Whether seats speak before they contribute."""
    message_words: int = Field(50, ge=1, le=1000)
    """The most words that a message may have."""
    message_rounds: int = Field(5, ge=0, le=1000)
    """Of how many past rounds a seat is shown the messages; numbers are shown of all."""

    punishment: bool = True
    """Whether seats may punish each other after the fund is shared out."""
    ratio: int = Field(3, ge=0, le=1000)
    """What each token spent takes from the target."""
    max_spend: int = Field(10, ge=0, le=1_000_000)
    """The most tokens that a seat may spend on punishment in a round."""
    max_fraction: Annotated[float, AfterValidator(_short)] = Field(0.5, ge=0, le=1)
    """A target's loss in a round is bounded by this part of what it held after the fund, and of what it holds now."""
    max_absolute: int = Field(100, ge=0, le=1_000_000)
    """A target loses no more than this in a round."""
    anonymous: bool = False
    """Whether it is hidden who punished whom; targets still learn what they lost."""

    @model_validator(mode="after")
    def _balances_stay_countable(self) -> Self:
        # Balances are 64-bit integers in batches; what full cooperation could make of them must fit with room to spare.
        if math.log10(1000 * max(1, self.start)) + self.rounds * math.log10(max(1.0, self.multiplier)) > 15:
            raise ValueError("so many rounds at this multiplier make balances that cannot be counted")
        return self

    @property
    def growth(self) -> Fraction:
        """The multiplier, exactly."""
        return Fraction(str(self.multiplier))

    @property
    def fraction(self) -> Fraction:
        """The bound on a target's loss, exactly."""
        return Fraction(str(self.max_fraction))
