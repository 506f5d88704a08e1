"""The settings of the Commons, with the defaults of the original."""

import math
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class CommonsRules(BaseModel):
    """Everything that can be set about a game of the Commons. Frozen: a game's rules do not change while it is
    played."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    endowment: float = Field(100.0, gt=0, le=1e9)
    """What every seat receives each turn (M)."""
    duration: int = Field(100, ge=1, le=1_000_000)
    """The target turn T: the game has ended by then in 80 of 100 cases. Players know it, not the last turn."""
    turns: int | None = Field(None, ge=1, le=1_000_000)
    """A known last turn in place of the shadow of the future; a control condition that the original lacks."""
    alpha: float = Field(0.5, ge=0, le=1)
    """The redistribution at the start: 1 pays equal shares, 0 shares in proportion to contributions (α)."""

    lobbying: bool = True
    """Whether seats may spend capital to move α."""
    sensitivity: float = Field(0.001, ge=0, allow_inf_nan=False)
    """How far one unit of lobbying moves α."""

    erosion: bool = True
    """Whether kept money rots while the synergy is below its initial value."""
    erosion_intensity: float = Field(1.0, ge=0, le=100)
    """The exponent of erosion; above 1 is more severe."""

    voting: bool = True
    """Whether seats may vote to exclude one of them."""

    synergy: float = Field(1.8, gt=0, allow_inf_nan=False)
    """The synergy at the start (S)."""
    synergy_lowest: float = Field(1.2, gt=0, allow_inf_nan=False)
    """The synergy falls no further."""
    synergy_highest: float = Field(3.0, gt=0, allow_inf_nan=False)
    """The synergy rises no further."""
    golden_age_from: float = Field(0.8, ge=0, le=1)
    """Cooperation from here on makes the synergy grow."""
    growth: float = Field(0.1, ge=0, allow_inf_nan=False)
    """By how much it grows in a turn."""
    erosion_below: float = Field(0.5, ge=0, le=1)
    """Cooperation below this makes the synergy shrink."""
    shrinkage: float = Field(0.05, ge=0, allow_inf_nan=False)
    """By how much it shrinks in a turn."""

    @model_validator(mode="after")
    def _synergy_in_order(self) -> Self:
        if not self.synergy_lowest <= self.synergy <= self.synergy_highest:
            raise ValueError("the synergy must start between its lowest and its highest value")
        if self.erosion_below > self.golden_age_from:
            raise ValueError("erosion_below must not lie above golden_age_from")
        return self

    def ending_probability(self, turn: int) -> float:
        """The shadow of the future: the chance that the game ends after `turn`, p(t) = 1 − exp(−k·t) with
        k = 2·ln 5 / (T(T+1)), which makes it 80 % by the target turn T."""
        if self.turns is not None:
            return 1.0 if turn >= self.turns else 0.0
        return -math.expm1(-self.ending_rate * turn)

    @property
    def ending_rate(self) -> float:
        """k of the shadow of the future."""
        return 2 * math.log(5) / (self.duration * (self.duration + 1))
