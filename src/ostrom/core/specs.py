"""Specifications of answers. A specification validates a raw answer and returns it in its own type, or raises
`IllegalAnswer` with a reason that the player may read. Nothing is clipped, rounded or guessed."""

import math
import re
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from numbers import Integral, Real
from typing import Protocol, TypeAlias

from ostrom.core.errors import IllegalAnswer

Value: TypeAlias = "float | int | str | Mapping[str, Value] | Sequence[Value] | None"


class Spec(Protocol):
    """The methods of every specification."""

    def validate(self, raw: object) -> Value:
        """Return `raw` in this specification's type, or raise `IllegalAnswer`."""

    def describe(self) -> str:
        """Return what would be legal, as the end of a sentence: 'a number from 0 to 1'."""


def _plain(number: float) -> str:
    return f"{number:.12g}" if isinstance(number, float) else reprlib.repr(number)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number between two bounds, both allowed; `whole` admits whole numbers only."""

    low: float
    high: float
    whole: bool = False

    def validate(self, raw: object) -> float | int:
        """Return the number; text, truth values, NaN and what lies outside are illegal."""
        if isinstance(raw, bool) or not isinstance(raw, Real | Decimal):
            raise IllegalAnswer(f"{raw!r} is not a number; it must be {self.describe()}")
        # A whole number stays one, however large; a float would round it.
        number = int(raw) if isinstance(raw, Integral) else float(raw)
        in_range = self.low <= number <= self.high  # never for NaN
        if not in_range or number in (math.inf, -math.inf):
            raise IllegalAnswer(f"{_plain(number)} is not allowed; it must be {self.describe()}")
        if not self.whole:
            return float(number)
        if number != math.floor(number):
            raise IllegalAnswer(f"{_plain(number)} is not whole; it must be {self.describe()}")
        return int(number)

    def describe(self) -> str:
        """Return what would be legal."""
        kind = "whole number" if self.whole else "number"
        return f"a {kind} from {_plain(self.low)} to {_plain(self.high)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few options; where `None` is among them, choosing nothing is an answer."""

    options: tuple[str | int | None, ...]

    def validate(self, raw: object) -> str | int | None:
        """Return the option that equals `raw`; a truth value never stands for 0 or 1."""
        if not isinstance(raw, bool):
            for option in self.options:
                # NumPy's integers stand for Python's; the option itself is what is returned.
                alike = type(option) is type(raw) or (isinstance(option, int) and hasattr(raw, "__index__"))
                if alike and option == raw:
                    return option
        raise IllegalAnswer(f"{raw!r} is not one of the options; it must be {self.describe()}")

    def describe(self) -> str:
        """Return what would be legal."""
        return "one of " + ", ".join("nothing" if option is None else str(option) for option in self.options)


@dataclass(frozen=True, slots=True)
class Text:
    """A text with a limit of words; the empty text is silence."""

    max_words: int

    def validate(self, raw: object) -> str:
        """Return the text, stripped at its ends."""
        if not isinstance(raw, str):
            raise IllegalAnswer(f"{raw!r} is not a text; it must be {self.describe()}")
        words = len(raw.split())
        if words > self.max_words:
            raise IllegalAnswer(f"{words} words are too many; it must be {self.describe()}")
        return raw.strip()

    def shortened(self, raw: str) -> str:
        """Return the first words of a text, as many as are allowed, with the space between them."""
        ends = [word.end() for word in islice(re.finditer(r"\S+", raw), self.max_words)]
        return raw[: ends[-1]].strip() if ends else ""

    def describe(self) -> str:
        """Return what would be legal."""
        return f"a text of at most {self.max_words} words"


@dataclass(frozen=True, slots=True)
class Fields:
    """Several answers at once, each under its name; no name may be missing and none may be added."""

    specs: Mapping[str, Spec]

    def validate(self, raw: object) -> Mapping[str, Value]:
        """Return every field in its own type; the reason names the field that is wrong."""
        if not isinstance(raw, Mapping):
            raise IllegalAnswer(f"{raw!r} is not an answer in fields; it must be {self.describe()}")
        missing = [name for name in self.specs if name not in raw]
        unknown = [str(name) for name in raw if name not in self.specs]
        if missing or unknown:
            parts = [
                f"{word} {', '.join(names)}" for word, names in (("missing", missing), ("unknown", unknown)) if names
            ]
            raise IllegalAnswer(f"fields {' and '.join(parts)}; it must be {self.describe()}")
        values: dict[str, Value] = {}
        for name, spec in self.specs.items():
            try:
                values[name] = spec.validate(raw[name])
            except IllegalAnswer as reason:
                raise IllegalAnswer(f"{name}: {reason}") from None
        return values

    def describe(self) -> str:
        """Return what would be legal."""
        return "; ".join(f"{name}: {spec.describe()}" for name, spec in self.specs.items())


@dataclass(frozen=True, slots=True)
class Several:
    """A list of answers of one kind, with bounds of its length; where `distinct` names a field, no two of them may
    have the same there."""

    of: Spec
    fewest: int
    most: int
    distinct: str | None = None

    def validate(self, raw: object) -> list[Value]:
        """Return every entry in its own type; the reason counts the wrong one from 1."""
        if isinstance(raw, str | bytes) or not isinstance(raw, Sequence):
            raise IllegalAnswer(f"{reprlib.repr(raw)} is not a list; it must be {self.describe()}")
        if not self.fewest <= len(raw) <= self.most:
            entries = "1 entry is" if len(raw) == 1 else f"{len(raw)} entries are"
            raise IllegalAnswer(f"{entries} not allowed; it must be {self.describe()}")
        values: list[Value] = []
        for place, one in enumerate(raw, start=1):
            try:
                values.append(self.of.validate(one))
            except IllegalAnswer as reason:
                raise IllegalAnswer(f"entry {place}: {reason}") from None
        if self.distinct is not None:
            self._tell_apart(self.distinct, values)
        return values

    def _tell_apart(self, field: str, values: Sequence[Value]) -> None:
        seen: list[Value] = []
        for place, value in enumerate(values, start=1):
            assert isinstance(value, Mapping), "only answers in fields can be told apart by one"
            if value[field] in seen:
                raise IllegalAnswer(f"entry {place}: {field} {value[field]} is there twice; once is enough")
            seen.append(value[field])

    def describe(self) -> str:
        """Return what would be legal."""
        if self.fewest == self.most:
            count = f"exactly {self.most}"
        else:
            count = f"at most {self.most}" if self.fewest == 0 else f"{self.fewest} to {self.most}"
        return f"a list of {count}, each with {self.of.describe()}"


@dataclass(frozen=True, slots=True)
class Aimed:
    """No target, or exactly one other seat and a spend of at least 1, as for a punishment."""

    others: tuple[int, ...]
    most: int
    """The most that may be spent."""

    def validate(self, raw: object) -> Mapping[str, Value]:
        """Return target and spend; no target needs a spend of 0, and a target one of at least 1."""
        if not isinstance(raw, Mapping) or set(raw) != {"target", "spend"}:
            raise IllegalAnswer(f"{raw!r} is not a punishment; it must be {self.describe()}")
        try:
            target = Choice((None, *self.others)).validate(raw["target"])
            spend = Amount(0, self.most, whole=True).validate(raw["spend"])
        except IllegalAnswer as reason:
            raise IllegalAnswer(f"{reason} ({self.describe()})") from None
        if (target is None) != (spend == 0):
            raise IllegalAnswer(f"a target and a spend of 1 or more belong together; it must be {self.describe()}")
        return {"target": target, "spend": spend}

    def describe(self) -> str:
        """Return what would be legal."""
        seats = ", ".join(str(seat) for seat in self.others)
        return f"target nothing and spend 0, or target one of {seats} and spend a whole number from 1 to {self.most}"


_ROUNDING = 1e-6
"""The distance, in steps, of a number from the nearest one that counts as decimal rounding."""


@dataclass(frozen=True, slots=True)
class Stepped(Amount):
    """A number between two bounds, in steps from the lower one."""

    step: float = 1.0

    def validate(self, raw: object) -> float | int:
        """Return the number; what lies between two steps is illegal."""
        # The name of the class is given because a class with slots is made twice, and `super` finds the first.
        number = Amount.validate(self, raw)
        steps = (number - self.low) / self.step
        if not math.isclose(steps, round(steps), rel_tol=0, abs_tol=_ROUNDING):
            raise IllegalAnswer(f"{number:.12g} is not allowed; it must be {self.describe()}")
        return number

    def describe(self) -> str:
        """Return what would be legal."""
        plain = Amount.describe(self)
        return plain if self.whole and self.step == 1 else f"{plain}, in steps of {self.step:.12g}"


def stepped(low: float, high: float, step: float) -> Stepped:
    """Return the numbers from `low` to `high` in steps; integers if all of them are."""
    return Stepped(low, high, whole=float(low).is_integer() and float(step).is_integer(), step=step)
