"""How a question is put: in which words, in which currency and size of amounts, and what seats are called. The game
underneath is the same; the framing is undone before an answer is validated."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from ostrom.core import InputError

Number: TypeAlias = "int | float"

NOBODY = "nobody"
"""What is said where no seat is meant."""
DECIMALS = 2
"""How many decimals an amount is told with where it need not be whole."""
_LABEL = re.compile(r"[\w][\w .'-]{0,31}")


def plain(number: Number, digits: int = 12) -> str:
    """A number as people write it: no exponent, no trailing zeros, and no more than so many digits that count."""
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return str(number)
    text = format(Decimal(f"{number:.{digits}g}"), "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def shortened(value: float) -> float:
    """A number without what is beyond two decimals: nobody is told to hold more than it does. A rounding error
    does not count."""
    steps = 10**DECIMALS
    return float(math.trunc(round(value * steps, 6)) / steps)


@dataclass(frozen=True, slots=True)
class Framing:
    """One way to put the questions of a game."""

    variant: str = "plain"
    """The wording: the folder that the templates are taken from."""
    unit: str = "tokens"
    """What amounts are counted in, in the plural."""
    scale: int = 1
    """What every amount is multiplied by when it is told; answers are divided by it."""
    labels: tuple[str, ...] | None = None
    """What the seats are called, by index; by default the game's own way."""
    order: tuple[int, ...] | None = None
    """The order in which seats are listed; by default that of their indexes."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", self.variant):
            raise InputError(f"{self.variant!r} is no wording; it must be one of the folders of the game's prompts")
        if not re.fullmatch(r"[^\W\d_][^\W_]*( [^\W\d_][^\W_]*)*", self.unit):
            raise InputError(f"{self.unit!r} is no unit; it must be a word in the plural, such as tokens or francs")
        if isinstance(self.scale, bool) or not isinstance(self.scale, int) or not 1 <= self.scale <= 1_000_000:
            raise InputError(f"a scale of {self.scale!r} cannot be; it must be a whole number from 1 to 1,000,000")
        if self.labels is not None:
            check_labels(self.labels)
        if self.order is not None and sorted(self.order) != list(range(len(self.order))):
            raise InputError(f"{self.order} is no order of seats; each index from 0 must stand in it once")

    def amount(self, value: Number) -> Number:
        """An amount as it is told: scaled, and without what is beyond two decimals where it is not whole."""
        scaled = value * self.scale
        return scaled if isinstance(scaled, int) else shortened(scaled)

    def told(self, value: Number) -> str:
        """An amount as it is told, without its unit."""
        return plain(self.amount(value))

    def money(self, value: Number) -> str:
        """An amount with its unit: '20 tokens', '1 token'."""
        told = self.told(value)
        return f"{told} {self.one if told in ('1', '-1') else self.unit}"

    @property
    def one(self) -> str:
        """The unit in the singular."""
        return self.unit[:-1] if self.unit.endswith("s") else self.unit

    @property
    def whole(self) -> str:
        """What amounts are that cannot be split: 'whole tokens', or 'multiples of 10 francs'."""
        return f"whole {self.unit}" if self.scale == 1 else f"multiples of {self.scale} {self.unit}"

    def seats_called(self, default: Sequence[str]) -> tuple[str, ...]:
        """What each seat is called, by index: the framing's labels, or else the game's own."""
        if self.labels is None:
            return tuple(default)
        if len(self.labels) != len(default):
            raise InputError(f"{len(self.labels)} labels for {len(default)} seats; there must be one for each")
        return self.labels

    def listed(self, count: int) -> tuple[int, ...]:
        """The indexes of `count` seats in the order in which they are listed."""
        if self.order is None:
            return tuple(range(count))
        if len(self.order) != count:
            raise InputError(f"an order of {len(self.order)} for {count} seats; each must stand in it once")
        return self.order


def check_labels(labels: Sequence[str]) -> None:
    """Refuse labels that could not be told apart, or be mistaken for something else in an answer."""
    for label in labels:
        if not _LABEL.fullmatch(label) or label.casefold() == NOBODY:
            raise InputError(f"{label!r} cannot be a seat's label; it must be a short name, and not {NOBODY!r}")
    if len({label.casefold() for label in labels}) != len(labels):
        raise InputError(f"the labels {', '.join(labels)} are not all different")
