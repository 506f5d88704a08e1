"""The settings of an auction."""

from typing import Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.games.market.talk import IN_TURN
from ostrom.games.market.values import Family

Format: TypeAlias = Literal["first-price", "second-price", "all-pay", "uniform-price"]
FIRST: Final = "first-price"
SECOND: Final = "second-price"
ALL_PAY: Final = "all-pay"
UNIFORM: Final = "uniform-price"
LOWEST_ACCEPTED: Final = "lowest-accepted"
BIDDER: Final = "bidder"


class AuctionRules(BaseModel):
    """The settings of an auction. Each bidder wants one unit."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: Format = FIRST
    """Who pays: the winner its bid; the winner the second-highest bid; all bidders their bids; or all winners of
    several units the same price."""
    units: int = Field(1, ge=1, le=19)
    """The number of units that are sold in a round. More than one needs uniform-price."""
    price: Literal["highest-rejected", "lowest-accepted"] = "highest-rejected"
    """The price of uniform-price: the highest bid that gets no unit, or the lowest bid that gets one. Without such a
    bid, or if units are left over, it is the reserve price."""
    reserve: float = Field(0, ge=0, le=1_000_000)
    """The reserve price in points. A lower bid is no bid, and no price is lower."""

    rounds: int = Field(10, ge=1, le=1000)
    """Number of rounds in a game. In each, the same number of units is sold."""
    max_price: int = Field(100, ge=2, le=1_000_000)
    """The highest bid that is allowed, and the highest private value."""
    tick: int = Field(1, ge=0, le=1)
    """The tick of bids and values: 1 for whole numbers, 0 for any number."""
    values: Family = "uniform"
    """The distribution of private values: uniform over the range; correlated, with a centre that all bidders have in
    common; in two clusters at both ends of the range; or heavy-tailed, most near the middle and a few at the ends."""
    fixed_values: bool = False
    """Keep private values the same in all rounds. By default they are drawn anew in every round."""

    disclosure: Literal["bids", "price"] = "bids"
    """What bidders and spectators learn of a past round: all bids and who won, or only the price. A bidder always knows
    its own results."""
    messages: Literal["none", "all", "addressed"] = "none"
    """Let bidders write before they bid: to all bidders, or to one or all as the sender chooses."""
    talk: Literal["in-turn", "at-once"] = IN_TURN
    """Let bidders write one after another, or all at the same time."""
    redraw_order: bool = Field(True, exclude_if=bool)
    """Draw a new order of writing in every round, instead of one order for the whole game."""
    message_words: int = Field(40, ge=1, le=1000)
    """The largest number of words in a message."""
    message_rounds: int = Field(20, ge=0, le=1000)
    """The number of past rounds whose messages a bidder is shown."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.units > 1 and self.format != UNIFORM:
            raise ValueError(f"{self.units} units need the format uniform-price, not {self.format}")
        if self.price == LOWEST_ACCEPTED and self.format != UNIFORM:
            raise ValueError(f"the price lowest-accepted needs the format uniform-price, not {self.format}")
        if self.reserve > self.max_price:
            raise ValueError(f"the reserve {self.reserve:g} is above max_price, {self.max_price}")
        if self.tick and self.reserve != int(self.reserve):
            raise ValueError(f"the reserve {self.reserve:g} must be a whole number, since tick is 1")
        return self

    @property
    def pays_own_bid(self) -> bool:
        """Return whether the bid of a winner can determine what it pays."""
        return self.format in (FIRST, ALL_PAY) or (self.format == UNIFORM and self.price == LOWEST_ACCEPTED)


def auction_roles(seats: int) -> tuple[str, ...]:
    """Return the role of each seat: all are bidders."""
    return (BIDDER,) * seats
