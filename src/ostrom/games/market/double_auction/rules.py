"""The settings of a double auction."""

from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ostrom.core import InputError
from ostrom.core.secrecy import Sealed
from ostrom.games.market.talk import IN_TURN
from ostrom.games.market.values import Values, parse_values

FORFEIT: Final = "forfeit"
CONTINUOUS: Final = "continuous"
KEPT: Final = "kept"
MAX_GIVEN_CHARACTERS: Final = 2000


class DoubleAuctionRules(BaseModel):
    """The settings of a double auction. The lowest price is 0."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    rounds: int = Field(10, ge=1, le=1000)
    """Number of rounds in a game. Private values stay the same in all rounds."""
    continuation: float = Field(1.0, gt=0, le=1)
    """The probability of another round after each round, up to `rounds` rounds. With 1, the number of rounds is known;
    otherwise the seats do not know which round is the last before it is over."""
    max_price: int = Field(100, ge=2, le=1_000_000)
    """The highest price that a seat may quote."""
    tick: int = Field(1, ge=0, le=1)
    """The tick of quotes, values and prices: 1 for whole numbers, 0 for any number."""
    k: float = Field(0.5, ge=0, le=1)
    """The weight of the bid in the price of a trade, which is k·bid + (1 − k)·ask. With a tick of 1 the price is
    rounded to the nearest whole number, and a half is rounded up or down with equal probability."""

    market: Literal["call", "continuous"] = "call"
    """Hold a call market, in which all seats quote at once; or a continuous one, in which seats quote one after another
    in random order, and a quote that meets a standing quote of the other side trades at its price."""
    times_asked: int = Field(3, ge=1, le=1000)
    """In a continuous market: the largest number of times that a seat is asked in a round. A seat that has traded is
    not asked again."""
    book: Literal["cleared", "kept"] = "cleared"
    """In a continuous market: remove all standing quotes after a trade, or keep those of seats that did not trade."""

    values: Values = "uniform"
    """The distribution of private values: uniform over the range; correlated, with a centre that all seats of a game
    have in common; in two clusters at both ends of the range; heavy-tailed, most near the middle and a few at the ends;
    or mixed, one of these four that is drawn for each game."""
    min_surplus: float = Field(0.03, ge=0, le=0.25)
    """The smallest efficient surplus of a round, as a part of the highest price. Values are drawn again if it is
    smaller."""
    given: Annotated[str | None, Sealed()] = Field(None, max_length=MAX_GIVEN_CHARACTERS)
    """Buyers' values and sellers' costs in place of drawn ones, in the order of the seats, such as 86,64;19,61. They
    are hidden until the experiment is over."""

    disclosure: Literal["quotes", "prices"] = "quotes"
    """What seats and spectators learn of a past round: all quotes and trades, or only the prices of its trades. A seat
    always knows its own quotes and trades."""
    anonymity: bool = False
    """Hide until the end which seat made a quote or a trade. The bids and the asks of a past round are disclosed in the
    order of their prices; in a continuous market, the standing quotes and the prices of trades. Messages still have
    the names of their senders."""
    messages: Literal["none", "all", "side", "addressed"] = "none"
    """Let seats write before they quote: to all seats, to their own side only, or to a seat, a side or all as the
    sender chooses."""
    talk: Literal["in-turn", "at-once"] = IN_TURN
    """Let seats write one after another, so that each sees the earlier messages of the round that it may read; or all
    at the same time."""
    redraw_order: bool = Field(True, exclude_if=bool)
    """Draw a new order of writing in every round, instead of one order for the whole game."""
    message_words: int = Field(40, ge=1, le=1000)
    """The largest number of words in a message."""
    message_rounds: int = Field(20, ge=0, le=1000)
    """The number of past rounds whose messages a seat is shown."""
    unreadable: Literal["forfeit", "private-value"] = FORFEIT
    """What counts as the quote of a seat that gives no legal answer: none, so that it takes no part in the round, or
    its private value. With forfeit, a seat may also pass."""

    @field_validator("given")
    @classmethod
    def _readable(cls, text: str | None) -> str | None:
        try:
            if text is not None:
                parse_values(text)
        except InputError as error:
            raise ValueError(str(error)) from None
        return text

    @model_validator(mode="after")
    def _in_range(self) -> Self:
        for value in self.given_values:
            if not 0 <= value <= self.max_price:
                raise ValueError(f"the given value {value:g} is not between 0 and max_price, {self.max_price}")
            if self.tick and value != int(value):
                raise ValueError(f"the given value {value:g} must be a whole number, since tick is 1")
        return self

    @property
    def given_values(self) -> list[float]:
        """The given values of all seats, the buyers first. Empty if values are drawn."""
        if self.given is None:
            return []
        values, costs = parse_values(self.given)
        return [*values, *costs]

    @property
    def names_quotes(self) -> bool:
        """True if all seats learn who made each quote and each trade."""
        return self.disclosure == "quotes" and not self.anonymity

    def without_given(self) -> "DoubleAuctionRules":
        """Return the rules as a seat may know them: without the private values of all seats. Given values do not obey
        `min_surplus`."""
        return self if self.given is None else self.model_copy(update={"given": None, "min_surplus": 0.0})


def market_roles(seats: int) -> tuple[str, ...]:
    """Return the role of each seat: the first half buys, the second half sells."""
    return ("buyer",) * (seats // 2) + ("seller",) * (seats // 2)


def market_labels(seats: int) -> tuple[str, ...]:
    """Return the label of each seat: B1, B2 and so on for buyers, S1, S2 and so on for sellers."""
    half = seats // 2
    return tuple(f"B{place}" for place in range(1, half + 1)) + tuple(f"S{place}" for place in range(1, half + 1))
