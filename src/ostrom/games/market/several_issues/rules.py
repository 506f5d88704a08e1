"""The settings of bargaining over several issues."""

import math
import re
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core.secrecy import Sealed
from ostrom.games.market.several_issues.pool import (
    MAX_DIVISIONS,
    Units,
    Values,
    drawn_counts,
    has_bargain,
    number_of_divisions,
)

PRIORITIES: Final = "priorities"
SUBMIT: Final = "submit"
CHOICES: Final = "choices"
ROLES: Final = ("first speaker", "second speaker")
USUAL_UNITS: Final = 3
"""The units of each good if the rules name none and values are given by priority."""
LOWEST_PRIORITY: Final = 3
"""The points of a unit of the least wanted good by default; each higher priority is worth a point more."""
WALK_AWAY_POINTS: Final = 5.0
"""The points of each seat without a deal in CaSiNo: as many as for a unit of the most wanted good."""
MAX_GOODS: Final = 5
MAX_UNITS: Final = 20
MAX_VALUE: Final = 1_000_000
RESERVED: Final = frozenset({"act", "text", "reasoning", "pool", "points", "first", "none"})
"""Words that name fields of answers or quantities of the scene, and therefore no good."""
_GOOD: Final = re.compile(r"[a-z][a-z ]{0,18}[a-z]")


class SeveralIssuesRules(BaseModel):
    """The settings of bargaining over several issues, by two seats."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    goods: str = Field("food, water, firewood", max_length=200)
    """The names of the goods, separated by commas: two to five, in lower-case letters."""
    counts: str | None = Field(None, max_length=100)
    """The number of units of each good, such as 3,3,3, which is the default with values by priority. With values of a
    pool, they are drawn for each game by default: 1 to 4 of each good, and of three goods 5 to 7 in all."""
    values: Literal["priorities", "pool"] = "priorities"
    """The private values of each seat: a random order of the goods, with a fixed number of points for each priority; or
    random whole numbers with which the whole pool is worth equally much to both seats."""
    scale: str | None = Field(None, max_length=100)
    """The points of a unit by priority, the highest first, such as 5,4,3, which is the default for three goods."""
    worth: int = Field(10, ge=1, le=20)
    """The points of the whole pool for each seat, with values of a pool."""
    given: Annotated[str | None, Sealed()] = Field(None, max_length=500)
    """Points of a unit of each good for both seats in place of drawn ones, such as 5,4,3;3,4,5. Until the game is over,
    they are shown neither to players nor to spectators."""

    agreement: Literal["submit", "choices"] = "submit"
    """The way to agree: one seat submits a deal, and the other accepts it; or both choose at once what they take after
    the talk, and agree if the two choices add up to the pool."""
    outside: float | None = Field(None, ge=-MAX_VALUE, le=MAX_VALUE)
    """The points of each seat if there is no deal. By default 5 with values by priority, and 0 with values of a
    pool."""
    turns: int = Field(20, ge=2, le=1000)
    """The largest number of turns. The seats take turns, and a seat that rejects a deal has the next turn too."""
    messages: bool = True
    """Let seats write a message in each turn."""
    message_words: int = Field(60, ge=1, le=1000)
    """The largest number of words in a message."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        names = self.good_names
        if not 2 <= len(names) <= MAX_GOODS or len(set(names)) < len(names):
            raise ValueError(f"there must be 2 to {MAX_GOODS} goods with different names, not {len(names)}")
        for name in names:
            if not _GOOD.fullmatch(name) or name in RESERVED:
                raise ValueError(f"{name[:40]!r} cannot name a good; write 2 to 20 lower-case letters")
        units = self.given_counts
        if units is not None:
            self._check_counts(units)
        if len(self.scale_values) != len(names):
            raise ValueError(f"scale has {len(self.scale_values)} numbers, and there are {len(names)} goods")
        if any(len(values) != len(names) for values in self.given_values):
            raise ValueError(f"given must have a value for each of the {len(names)} goods")
        if self.values != PRIORITIES and self.given is None:
            if units is not None and not has_bargain(units, self.worth):
                raise ValueError(f"a pool of {self.counts} units cannot be worth {self.worth} points to both seats")
            if units is None and not drawn_counts(len(names), self.worth):
                raise ValueError(f"no pool that is drawn can be worth {self.worth} points to both seats")
        return self

    def _check_counts(self, units: Units) -> None:
        if len(units) != len(self.good_names):
            raise ValueError(f"counts has {len(units)} numbers, and there are {len(self.good_names)} goods")
        if not all(1 <= count <= MAX_UNITS for count in units) or number_of_divisions(units) > MAX_DIVISIONS:
            raise ValueError(f"each count must be from 1 to {MAX_UNITS}, with at most {MAX_DIVISIONS:,} divisions")

    @property
    def good_names(self) -> tuple[str, ...]:
        """The names of the goods."""
        return tuple(name.strip() for name in self.goods.split(","))

    @property
    def given_counts(self) -> Units | None:
        """The units of each good. None if they are drawn."""
        if self.counts is not None:
            numbers = _numbers("counts", self.counts)
            if any(number != int(number) for number in numbers):
                raise ValueError("counts must be whole numbers, such as 3,3,3")
            return tuple(int(number) for number in numbers)
        return (USUAL_UNITS,) * len(self.good_names) if self.values == PRIORITIES else None

    @property
    def scale_values(self) -> Values:
        """The points of a unit by priority, the highest first."""
        if self.scale is not None:
            return _numbers("scale", self.scale)
        return tuple(float(LOWEST_PRIORITY + place) for place in reversed(range(len(self.good_names))))

    @property
    def given_values(self) -> list[Values]:
        """The given values of both seats. Empty if values are drawn."""
        if self.given is None:
            return []
        sides = self.given.split(";")
        if len(sides) != 2:
            raise ValueError(f"given has two sides, such as 5,4,3;3,4,5, and this text has {len(sides)}")
        return [_numbers("given", side) for side in sides]

    @property
    def outside_points(self) -> float:
        """The points of each seat without a deal."""
        if self.outside is not None:
            return self.outside
        return WALK_AWAY_POINTS if self.values == PRIORITIES else 0.0

    def without_given(self) -> "SeveralIssuesRules":
        """Return the rules as a seat may know them: without the private values of both seats."""
        return self if self.given is None else self.model_copy(update={"given": None})


def _numbers(name: str, text: str) -> Values:
    """Return the numbers of a setting."""
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"{name} must be numbers separated by commas, such as 5,4,3") from None
    if not all(math.isfinite(number) and 0 <= number <= MAX_VALUE for number in numbers):
        raise ValueError(f"{name} must be numbers from 0 to {MAX_VALUE:,}")
    return numbers


def issue_roles(seats: int) -> tuple[str, ...]:
    """Return the role of each seat."""
    return ROLES
