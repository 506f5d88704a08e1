"""The rules of voluntary contributions: their settings, and the arithmetic of a round. The arithmetic consists of pure
functions over arrays with the shape (seats, games), for one game or a batch."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core.arrays import Array, namespace, total

MOST_SEATS: Final = 20
KNOWN: Final = "known"
AT_ONCE: Final = "at-once"
ALL_OR_NOTHING: Final = "all-or-nothing"
OPT_OUT: Final = "opt-out"


class ContributionsRules(BaseModel):
    """The settings of a game of voluntary contributions. Every round is paid on its own: each seat gets a fresh
    endowment, and earnings cannot be contributed."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    preset: Literal["alsobay-2025", "herrmann-2008", "fehr-gaechter-2000", "fischbacher-gaechter-2010"] | None = Field(
        None, exclude_if=lambda preset: preset is None
    )
    """A published study, whose rules are the defaults of all other settings."""
    rounds: int = Field(10, ge=1, le=1000)
    """Number of rounds in a game."""
    end: Literal["known", "hidden"] = KNOWN
    """Whether players know the number of rounds."""
    endowment: int = Field(20, ge=1, le=1_000_000)
    """Tokens that each seat receives in every round."""
    multiplier: float = Field(1.6, ge=0, le=1000)
    """Factor by which the sum of contributions is multiplied before it is shared out equally."""
    contribution: Literal["any", "all-or-nothing"] = "any"
    """What a seat may contribute: any whole number of tokens, or the whole endowment or nothing."""
    default: Literal["opt-in", "opt-out"] = "opt-in"
    """Where the endowment is at first, as players are told: with opt-in it is the seat's own, and the seat contributes
    from it; with opt-out it is in the fund, and the seat withdraws from it."""
    rounding: Literal["exact", "half-up", "floor"] = "exact"
    """The rounding of the multiplied sum and of the shares: none; to the nearest whole number, halves up; or down."""

    messages: bool = False
    """Let seats send messages before they contribute."""
    talk: Literal["in-turn", "at-once"] = "in-turn"
    """Let seats write one after another, so that each sees the earlier messages of the round; or all at the same
    time."""
    redraw_order: bool = Field(True, exclude_if=bool)
    """Draw a new order of writing in every round, instead of one order for the whole game."""
    message_words: int = Field(50, ge=1, le=1000)
    """The largest number of words in a message."""
    message_rounds: int = Field(5, ge=0, le=1000)
    """The number of past rounds whose messages a seat sees. It sees the numbers of all rounds."""

    punishment: bool = False
    """Let seats assign deduction points to others after the contributions of a round are known."""
    punish_cost: float = Field(1.0, ge=0, le=1000)
    """Tokens that a deduction point costs the seat that assigns it."""
    punish_loss: float = Field(3.0, ge=0, le=1000)
    """Tokens that a deduction point takes from its target, or percent of the target's income of the round."""
    punish_scale: Literal["tokens", "percent"] = "tokens"
    """The unit of the loss by a deduction point: tokens, or percent of the target's income of the round."""
    punish_growth: Literal["linear", "increasing"] = "linear"
    """The cost of several deduction points for one seat: each costs the same, or 1, 2, 3, 4, 5 … points cost 1, 2, 4,
    6, 9 … times as much as one (Fehr and Gächter 2000)."""
    limit_loss: bool = False
    """Limit the deductions of a seat in a round to its income of this round, before its own spending."""
    reward: bool = False
    """Let seats assign reward points to others after the contributions of a round are known."""
    reward_cost: float = Field(1.0, ge=0, le=1000)
    """Tokens that a reward point costs the seat that assigns it."""
    reward_gain: float = Field(1.0, ge=0, le=1000)
    """Tokens that a reward point gives to its target."""
    max_points: int = Field(10, ge=1, le=1_000_000)
    """The largest number of points of one kind that a seat may assign to one other seat in a round. A seat can spend no
    more than its earnings so far, including the income of this round."""
    targets: int = Field(0, ge=0, le=MOST_SEATS)
    """The largest number of seats to which a seat may assign points of one kind in a round; 0 is any number."""

    show_contributions: Literal["each", "sum"] = "each"
    """What players learn of the contributions of a round: each seat's, or only their sum."""
    show_outcomes: bool = True
    """Show to all players what each seat earned in a round, and what it spent and received in points."""
    show_actors: bool = False
    """Tell a seat who assigned points to it."""
    leave: bool = False
    """Let seats leave the game. A seat that leaves before it contributes does not count in the round; one that leaves
    afterwards gets its share, and then takes no further part. A game with fewer than two seats ends."""

    @model_validator(mode="before")
    @classmethod
    def _fill_from_preset(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("preset"), str):
            return {**PRESETS.get(values["preset"], {}), **values}
        return values

    @model_validator(mode="after")
    def _check_points(self) -> Self:
        if self.punishment and self.punish_cost == self.punish_loss == 0:
            raise ValueError("with punishment, punish_cost or punish_loss must be more than 0")
        if self.reward and self.reward_cost == self.reward_gain == 0:
            raise ValueError("with reward, reward_cost or reward_gain must be more than 0")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of points that seats can assign."""
        return ((DEDUCT,) if self.punishment else ()) + ((REWARD,) if self.reward else ())

    @property
    def last_round(self) -> int | None:
        """The number of the last round, or None if players do not know it."""
        return self.rounds if self.end == KNOWN else None


_TOKENS_OF_20: Final[Mapping[str, Any]] = {"rounds": 10, "endowment": 20, "multiplier": 1.6}
PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    # The multiplier, the horizon, chat, points and what is shown differ between the designs of this study.
    "alsobay-2025": {"endowment": 20, "rounding": "half-up", "rounds": 20, "max_points": 1_000_000, "leave": True},
    "herrmann-2008": {
        **_TOKENS_OF_20,
        **{"punishment": True, "punish_cost": 1.0, "punish_loss": 3.0, "max_points": 10},
        **{"limit_loss": True, "show_outcomes": False},
    },
    "fehr-gaechter-2000": {
        **_TOKENS_OF_20,
        **{"punishment": True, "punish_cost": 1.0, "punish_growth": "increasing", "max_points": 10},
        **{"punish_loss": 10.0, "punish_scale": "percent", "limit_loss": True, "show_outcomes": False},
    },
    "fischbacher-gaechter-2010": {**_TOKENS_OF_20, "show_contributions": "sum", "show_outcomes": False},
}
"""The rules of published studies. Their groups have 4 seats; those of `alsobay-2025` have 2 to 20."""

DEDUCT: Final = "deduct"
REWARD: Final = "reward"
"""The kinds of points."""


class RoundIncome(NamedTuple):
    """The income of a round, before points."""

    total: Array
    """(games,) The sum of contributions."""
    fund: Array
    """(games,) The multiplied sum."""
    share: Array
    """(games,) The share of each seat."""
    income: Array
    """(seats, games) What a seat keeps and its share; 0 for a seat that does not take part."""


def income_of(contributions: Array, present: Array, rules: ContributionsRules) -> RoundIncome:
    """Return the incomes of a round. `present` (seats, games) is true for seats that take part."""
    xp = namespace(contributions)
    given = xp.where(present, contributions, 0.0)
    together = total(given)
    count = total(xp.where(present, 1.0, 0.0))
    fund = _rounded(together * rules.multiplier, rules)
    share = _rounded(xp.where(count > 0, fund / xp.where(count > 0, count, 1.0), 0.0), rules)
    income = xp.where(present, rules.endowment - given + share, 0.0)
    return RoundIncome(together, fund, share, income)


def _rounded(values: Array, rules: ContributionsRules) -> Array:
    xp = namespace(values)
    if rules.rounding == "half-up":
        return xp.floor(values + 0.5)
    if rules.rounding == "floor":
        # The product of a whole number and a multiplier such as 2.3 may lie just below a whole number.
        return xp.floor(values + 1e-9)
    return values


def deduction_cost(points: Array, rules: ContributionsRules) -> Array:
    """Return the cost of deduction points for one seat."""
    if rules.punish_growth == "increasing":
        # The sequence 1, 2, 4, 6, 9, 12, 16, 20, 25, 30 is the integer part of (n + 1)² / 4.
        return namespace(points).floor((points + 1.0) ** 2 / 4.0) * rules.punish_cost
    return points * rules.punish_cost


def payoffs_of(income: Array, spent: Array, deducted: Array, rewarded: Array, rules: ContributionsRules) -> Array:
    """Return the payoff of each seat in a round: its income, minus its spending on points, minus the deductions from
    it, plus its rewards. `deducted` and `rewarded` are the points that a seat received."""
    xp = namespace(income)
    loss = deducted * rules.punish_loss
    if rules.punish_scale == "percent":
        loss = loss / 100.0 * xp.maximum(income, 0.0)
    if rules.limit_loss:
        loss = xp.minimum(loss, xp.maximum(income, 0.0))
    return income - loss - spent + rewarded * rules.reward_gain
