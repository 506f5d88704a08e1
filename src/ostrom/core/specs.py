"""Specifications of answers. A specification validates a raw answer and returns it in its own type, or raises
`IllegalAnswer` with a reason that can be shown to the player. Answers are never clipped, rounded or guessed."""

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
"""A legal answer: a number, a text, named or listed values, or None."""


class Spec(Protocol):
    """The interface of specifications."""

    def validate(self, raw: object) -> Value:
        """Return `raw` in the type of this specification. Raise `IllegalAnswer` if it is not legal."""

    def describe(self) -> str:
        """Return a description of legal answers that can end a sentence, such as 'a number from 0 to 1'."""


def _plain(number: float) -> str:
    return f"{number:.12g}" if isinstance(number, float) else reprlib.repr(number)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number between two inclusive bounds; if `whole`, an integer."""

    low: float
    high: float
    whole: bool = False

    def validate(self, raw: object) -> float | int:
        """Return the number; text, booleans, NaN and numbers out of range are illegal."""
        if isinstance(raw, bool) or not isinstance(raw, Real | Decimal):
            raise IllegalAnswer(f"{raw!r} is not a number; it must be {self.describe()}")
        # A conversion to float would round a large integer, so it is not converted.
        number = int(raw) if isinstance(raw, Integral) else float(raw)
        in_range = self.low <= number <= self.high  # The comparison is false for NaN.
        if not in_range or number in (math.inf, -math.inf):
            raise IllegalAnswer(f"{_plain(number)} is not allowed; it must be {self.describe()}")
        if not self.whole:
            return float(number)
        if number != math.floor(number):
            raise IllegalAnswer(f"{_plain(number)} is not whole; it must be {self.describe()}")
        return int(number)

    def describe(self) -> str:
        """Return a description of legal answers."""
        kind = "whole number" if self.whole else "number"
        return f"a {kind} from {_plain(self.low)} to {_plain(self.high)}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few options. If one of them is `None`, the player may choose nothing."""

    options: tuple[str | int | None, ...]

    def validate(self, raw: object) -> str | int | None:
        """Return the option that equals `raw`. A boolean is not accepted as 0 or 1."""
        if not isinstance(raw, bool):
            for option in self.options:
                # NumPy's integers are accepted like Python's.
                comparable = type(option) is type(raw) or (isinstance(option, int) and hasattr(raw, "__index__"))
                if comparable and option == raw:
                    return option
        raise IllegalAnswer(f"{raw!r} is not one of the options; it must be {self.describe()}")

    def describe(self) -> str:
        """Return a description of legal answers."""
        return "one of " + ", ".join("nothing" if option is None else str(option) for option in self.options)


@dataclass(frozen=True, slots=True)
class Text:
    """A text with a maximum number of words; an empty text is silence."""

    max_words: int

    def validate(self, raw: object) -> str:
        """Return the text without surrounding white space."""
        if not isinstance(raw, str):
            raise IllegalAnswer(f"{raw!r} is not a text; it must be {self.describe()}")
        words = len(raw.split())
        if words > self.max_words:
            raise IllegalAnswer(f"{words} words are too many; it must be {self.describe()}")
        return raw.strip()

    def shortened(self, raw: str) -> str:
        """Return the text cut to the allowed number of words, with its white space unchanged."""
        ends = [word.end() for word in islice(re.finditer(r"\S+", raw), self.max_words)]
        return raw[: ends[-1]].strip() if ends else ""

    def describe(self) -> str:
        """Return a description of legal answers."""
        return f"a text of at most {self.max_words} words"


@dataclass(frozen=True, slots=True)
class Optional:
    """An answer that a player may leave out; it is then None."""

    of: Spec

    def __post_init__(self) -> None:
        if isinstance(self.of, Optional | When):
            raise ValueError(f"{type(self.of).__name__} within Optional has no meaning; use When(…, Optional(…))")

    def validate(self, raw: object) -> Value:
        """Return None for None, and any other answer in its own type."""
        if raw is None:
            return None
        try:
            return self.of.validate(raw)
        except IllegalAnswer as reason:
            raise IllegalAnswer(f"{reason}, or nothing") from None

    def describe(self) -> str:
        """Return a description of legal answers."""
        return f"{self.of.describe()}, or nothing"


@dataclass(frozen=True, slots=True)
class When:
    """A field that is asked only if an earlier field of the same answer has a certain value. If it is not asked, it is
    None."""

    field: str
    """The name of the earlier field."""
    equals: str | int | tuple[str | int | None, ...] | None
    """The value of the earlier field, or several values, for which this field is asked."""
    of: Spec

    @property
    def values(self) -> tuple[str | int | None, ...]:
        """The values of the earlier field for which this field is asked."""
        return self.equals if isinstance(self.equals, tuple) else (self.equals,)

    def asked(self, values: Mapping[str, Value]) -> bool:
        """Return whether the field is asked, given the values of earlier fields."""
        return values.get(self.field) in self.values

    def validate(self, raw: object) -> Value:
        """Return the answer in its own type. This is called only for a field that is asked."""
        return self.of.validate(raw)

    def describe(self) -> str:
        """Return a description of legal answers."""
        return f"{self.of.describe()} if {self.condition()}, else nothing"

    def condition(self) -> str:
        """Return the condition in words: 'action is offer or sell'."""
        return f"{self.field} is {' or '.join('nothing' if value is None else str(value) for value in self.values)}"


@dataclass(frozen=True, slots=True)
class Fields:
    """Several named answers. All names are required, and no other names are allowed. A `When` field that is not asked
    may be left out; it is then None."""

    specs: Mapping[str, Spec]

    def __post_init__(self) -> None:
        names: list[str] = []
        for name, spec in self.specs.items():
            if isinstance(spec, When) and spec.field not in names:
                raise ValueError(f"{name} depends on {spec.field}, which must be a field before it")
            names.append(name)

    def validate(self, raw: object) -> Mapping[str, Value]:
        """Return every field in its own type. An error names the invalid field."""
        if not isinstance(raw, Mapping):
            raise IllegalAnswer(f"{raw!r} is not an answer in fields; it must be {self.describe()}")
        missing = [name for name, spec in self.specs.items() if name not in raw and not isinstance(spec, When)]
        unknown = [str(name) for name in raw if name not in self.specs]
        if missing or unknown:
            parts = [
                f"{word} {', '.join(names)}" for word, names in (("missing", missing), ("unknown", unknown)) if names
            ]
            raise IllegalAnswer(f"fields {' and '.join(parts)}; it must be {self.describe()}")
        values: dict[str, Value] = {}
        for name, spec in self.specs.items():
            try:
                values[name] = self._value(spec, raw.get(name), values)
            except IllegalAnswer as reason:
                raise IllegalAnswer(f"{name}: {reason}") from None
        return values

    def _value(self, spec: Spec, raw: object, values: Mapping[str, Value]) -> Value:
        if isinstance(spec, When) and not spec.asked(values):
            if raw is None:
                return None
            raise IllegalAnswer(f"{raw!r} is not allowed here; it must be {spec.describe()}")
        return spec.validate(raw)

    def completed(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """Return these values with None for each field that is left out because it is not asked. If another field is
        missing, return them unchanged."""
        missing = {name: spec for name, spec in self.specs.items() if name not in values}
        if all(isinstance(spec, When) and not spec.asked(values) for spec in missing.values()):
            return {**values, **dict.fromkeys(missing)}
        return values

    def describe(self) -> str:
        """Return a description of legal answers."""
        return "; ".join(f"{name}: {spec.describe()}" for name, spec in self.specs.items())


@dataclass(frozen=True, slots=True)
class Several:
    """A list of `fewest` to `most` answers of one kind; `distinct` names a field whose values must differ."""

    of: Spec
    fewest: int
    most: int
    distinct: str | None = None

    def validate(self, raw: object) -> list[Value]:
        """Return every entry in its own type. An error names the number of the invalid entry, counted from 1."""
        if isinstance(raw, str | bytes) or not isinstance(raw, Sequence):
            raise IllegalAnswer(f"{reprlib.repr(raw)} is not a list; it must be {self.describe()}")
        if not self.fewest <= len(raw) <= self.most:
            entries = "1 entry is" if len(raw) == 1 else f"{len(raw)} entries are"
            raise IllegalAnswer(f"{entries} not allowed; it must be {self.describe()}")
        values: list[Value] = []
        for number, entry in enumerate(raw, start=1):
            try:
                values.append(self.of.validate(entry))
            except IllegalAnswer as reason:
                raise IllegalAnswer(f"entry {number}: {reason}") from None
        if self.distinct is not None:
            self._check_distinct(self.distinct, values)
        return values

    def _check_distinct(self, field: str, values: Sequence[Value]) -> None:
        earlier: list[Value] = []
        for number, value in enumerate(values, start=1):
            assert isinstance(value, Mapping), "distinct needs entries with fields"
            if value[field] in earlier:
                raise IllegalAnswer(f"entry {number}: {field} {value[field]} is there twice; once is enough")
            earlier.append(value[field])

    def describe(self) -> str:
        """Return a description of legal answers."""
        if self.fewest == self.most:
            count = f"exactly {self.most}"
        else:
            count = f"at most {self.most}" if self.fewest == 0 else f"{self.fewest} to {self.most}"
        return f"a list of {count}, each with {self.of.describe()}"


@dataclass(frozen=True, slots=True)
class Aimed:
    """A target seat with an amount of at least 1 that is spent on it, such as for a punishment; or neither target nor
    amount."""

    others: tuple[int, ...]
    most: int
    """The largest amount that may be spent."""

    def validate(self, raw: object) -> Mapping[str, Value]:
        """Return target and amount. Either both or neither must be given."""
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
        """Return a description of legal answers."""
        seats = ", ".join(str(seat) for seat in self.others)
        return f"target nothing and spend 0, or target one of {seats} and spend a whole number from 1 to {self.most}"


_ROUNDING = 1e-6
"""The tolerance for decimal rounding, in steps."""


@dataclass(frozen=True, slots=True)
class Stepped(Amount):
    """A number between two bounds that is a whole number of steps above the lower bound."""

    step: float = 1.0

    def validate(self, raw: object) -> float | int:
        """Return the number; a number between two steps is illegal."""
        # `super` without arguments fails in a dataclass with slots, since the decorator replaces the class.
        number = Amount.validate(self, raw)
        steps = (number - self.low) / self.step
        if not math.isclose(steps, round(steps), rel_tol=0, abs_tol=_ROUNDING):
            raise IllegalAnswer(f"{number:.12g} is not allowed; it must be {self.describe()}")
        return number

    def describe(self) -> str:
        """Return a description of legal answers."""
        plain = Amount.describe(self)
        return plain if self.whole and self.step == 1 else f"{plain}, in steps of {self.step:.12g}"


def stepped(low: float, high: float, step: float) -> Stepped:
    """Return a specification of the numbers from `low` to `high` in steps. The numbers are integers if `low` and `step`
    are."""
    return Stepped(low, high, whole=float(low).is_integer() and float(step).is_integer(), step=step)
