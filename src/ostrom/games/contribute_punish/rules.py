"""The rules of Contribute & Punish: its settings, with the defaults of PGG-Bench, and the arithmetic of a round. The
arithmetic consists of pure functions over arrays of whole numbers. Arrays have the shape (seats, games) or (games,),
for one game or a batch."""

import math
from fractions import Fraction
from typing import Annotated, Final, Literal, NamedTuple, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from ostrom.core.arrays import Array, namespace, total


def _check_decimals(value: float) -> float:
    # The fund is counted in whole tokens, so the multiplier must be an exact fraction.
    if round(value, 4) != value:
        raise ValueError("it must have at most 4 decimals")
    return value


IN_TURN: Final = "in-turn"
AT_ONCE: Final = "at-once"
"""The ways in which seats can talk. The default way is omitted from stored rules, so that these are the same as in
versions that had no other way."""


class ContributePunishRules(BaseModel):
    """The settings of a game of Contribute & Punish. Tokens are whole."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    rounds: int = Field(10, ge=1, le=1000)
    """Number of rounds in a game."""
    start: int = Field(20, ge=0, le=1_000_000)
    """Tokens of every seat at the beginning."""
    multiplier: Annotated[float, AfterValidator(_check_decimals)] = Field(1.6, ge=0, le=100)
    """Factor by which the fund is multiplied, converted to an exact fraction."""

    messages: bool = True
    """Let seats send messages before they contribute."""
    message_words: int = Field(50, ge=1, le=1000)
    """The largest number of words in a message."""
    talk: Literal["in-turn", "at-once"] = Field(IN_TURN, exclude_if=lambda talk: talk == IN_TURN)
    """Let seats write one after another, so that each sees the earlier messages of the round, or all at the same
    time."""
    redraw_order: bool = Field(True, exclude_if=bool)
    """Draw a new order of speaking in every round, instead of one order for the whole game."""
    message_rounds: int = Field(5, ge=0, le=1000)
    """The number of past rounds whose messages a seat sees. It sees the numbers of all rounds."""

    punishment: bool = True
    """Allow seats to punish each other after the fund is shared out."""
    ratio: int = Field(3, ge=0, le=1000)
    """Tokens that the target loses for each token spent."""
    max_spend: int = Field(10, ge=0, le=1_000_000)
    """The largest number of tokens that a seat may spend on punishment in a round."""
    max_fraction: Annotated[float, AfterValidator(_check_decimals)] = Field(0.5, ge=0, le=1)
    """The largest share of its balance that a target can lose: by one punishment, of its balance at that moment; in a
    whole round, of its balance right after the fund was shared out."""
    max_absolute: int = Field(100, ge=0, le=1_000_000)
    """The largest number of tokens that a target can lose in a round."""
    anonymous: bool = False
    """Hide from seats which seat punished which. Targets still learn their losses."""

    @model_validator(mode="after")
    def _bound_balances(self) -> Self:
        # In batches, balances are 64-bit integers. They must not overflow under full cooperation.
        if math.log10(1000 * max(1, self.start)) + self.rounds * math.log10(max(1.0, self.multiplier)) > 15:
            raise ValueError("balances would grow too large; use fewer rounds or a smaller multiplier")
        return self

    @property
    def growth(self) -> "Fraction | FractionArray":
        """The multiplier as an exact fraction."""
        return _exactly(self.multiplier)

    @property
    def fraction(self) -> "Fraction | FractionArray":
        """The bound on a target's loss as an exact fraction."""
        return _exactly(self.max_fraction)


class FractionArray(NamedTuple):
    """Fractions, one for each game of a batch."""

    numerator: Array
    denominator: int


def _exactly(value: float | Array) -> Fraction | FractionArray:
    """Return a number with at most 4 decimals, or an array of such numbers, as an exact fraction."""
    if isinstance(value, float):
        return Fraction(str(value))
    xp = namespace(value)
    return FractionArray(xp.astype(xp.round(value * 10_000), xp.int64), 10_000)


NO_SEAT = -1
"""The target of a seat that punishes no other seat."""


class SharedFund(NamedTuple):
    """The fund of a round, for each game."""

    pot: Array
    grown: Array
    share: Array
    carry: Array
    """The carry-over into the next round."""


def part_of(amounts: Array, fraction: Fraction | FractionArray) -> Array:
    """Return a fraction of whole amounts in whole tokens, rounded down. In a batch, whole multiples of the denominator
    are divided first, because the product of an amount and a numerator might overflow 64 bits."""
    above, below = fraction.numerator, fraction.denominator
    if isinstance(fraction, FractionArray):
        return amounts // below * above + amounts % below * above // below
    return amounts * above // below


def share_fund(contributions: Array, carry: Array, rules: ContributePunishRules) -> SharedFund:
    """Return the shared fund. Its quantities are: pot = carry-over + Σ contributions, grown = ⌊pot × multiplier⌋, share
    = ⌊grown / seats⌋. The rest is carried over."""
    seats = contributions.shape[0]
    pot = carry + total(contributions)
    grown = part_of(pot, rules.growth)
    share = grown // seats
    return SharedFund(pot, grown, share, carry=grown - seats * share)


class Settling(NamedTuple):
    """The state while the punishments of a round are settled one by one. All arrays except the last two have the shape
    (seats, games)."""

    balances: Array
    shared: Array
    """The balances directly after the shares were paid."""
    lost: Array
    """The losses to punishment in this round so far."""
    spend: Array
    """(games,) The cost of the last punishment. It is 0 if there was none."""
    damage: Array
    """(games,) The target's loss by the last punishment."""


def open_settlement(balances: Array) -> Settling:
    """Return the state before the first punishment of a round."""
    xp = namespace(balances)
    nothing = xp.zeros_like(balances)
    return Settling(balances, balances, nothing, spend=nothing[0], damage=nothing[0])


def settle(settling: Settling, punisher: Array, target: Array, asked: Array, rules: ContributePunishRules) -> Settling:
    """Settle one punishment in each game, and return the new state. The arguments are arrays (games,): the punisher,
    its target (−1 for none), and the amount that the punisher chose to spend. If a bound limits the target's loss, the
    spending is reduced accordingly."""
    xp = namespace(settling.balances)
    seats = xp.reshape(xp.arange(settling.balances.shape[0], dtype=punisher.dtype), (-1, 1))
    punishes, suffers = seats == punisher, seats == target

    def amount_of(seat: Array, amounts: Array) -> Array:
        return total(xp.where(seat, amounts, 0))

    lost = amount_of(suffers, settling.lost)
    of_shared = part_of(amount_of(suffers, settling.shared), rules.fraction)
    of_balance = part_of(amount_of(suffers, settling.balances), rules.fraction)
    bound = xp.minimum(of_balance, xp.minimum(of_shared, rules.max_absolute + 0 * lost) - lost)
    affordable = xp.minimum(asked, amount_of(punishes, settling.balances))
    ratio = rules.ratio
    if isinstance(ratio, int):
        most = xp.maximum(bound, 0) // ratio if ratio else affordable
    else:
        most = xp.where(ratio > 0, xp.maximum(bound, 0) // xp.maximum(ratio, 1), affordable)
    spend = xp.where(target == NO_SEAT, 0, xp.minimum(affordable, most))
    damage = spend * ratio
    loss = xp.where(suffers, damage, 0)
    return Settling(
        balances=settling.balances - xp.where(punishes, spend, 0) - loss,
        shared=settling.shared,
        lost=settling.lost + loss,
        spend=spend,
        damage=damage,
    )
