"""What a judge says about lines: of each whether it is a promise, and of how much."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ostrom.table import Amount, IllegalAnswer, Value

ALL = "all"
"""The promise of everything that the speaker holds."""
MOST_TOKENS = 1_000_000_000
_TOKENS = Amount(0, MOST_TOKENS, whole=True)


@dataclass(frozen=True, slots=True)
class PromiseSpec:
    """Nothing, everything, or a number of tokens; more than the speaker holds can be promised too."""

    def validate(self, raw: object) -> Value:
        """Return the promise; a text other than 'all' is illegal."""
        if raw is None or (isinstance(raw, str) and raw == ALL):
            return raw
        if isinstance(raw, str):
            raise IllegalAnswer(f"{raw!r} is no promise; it must be {self.describe()}")
        return _TOKENS.validate(raw)

    def describe(self) -> str:
        """What would be right."""
        return f"nothing, {ALL!r}, or {_TOKENS.describe()}"


@dataclass(frozen=True, slots=True)
class VerdictsSpec:
    """A verdict on every line, or an empty list: a judge that says nothing has judged no line."""

    lines: tuple[int, ...]

    def validate(self, raw: object) -> list[Value]:
        """Return the verdicts in the order of the lines."""
        if isinstance(raw, str | bytes) or not isinstance(raw, Sequence):
            raise IllegalAnswer(f"that is not a list; it must be {self.describe()}")
        found: dict[int, Value] = {}
        for verdict in raw:
            if not isinstance(verdict, Mapping) or set(verdict) != {"line", "promise"}:
                raise IllegalAnswer(
                    f"a verdict has a line and a promise and nothing else; it must be {self.describe()}"
                )
            line = verdict["line"]
            if isinstance(line, bool) or not isinstance(line, int) or line not in self.lines:
                raise IllegalAnswer(f"{line!r} is none of the lines; it must be {self.describe()}")
            if line in found:
                raise IllegalAnswer(f"line {line} is judged twice; it must be {self.describe()}")
            try:
                found[line] = PromiseSpec().validate(verdict["promise"])
            except IllegalAnswer as reason:
                raise IllegalAnswer(f"line {line}: {reason}") from None
        missing = [str(line) for line in self.lines if line not in found]
        if found and missing:
            raise IllegalAnswer(f"nothing is said of line {', '.join(missing)}; it must be {self.describe()}")
        return [{"line": line, "promise": found[line]} for line in self.lines if line in found]

    def describe(self) -> str:
        """What would be right."""
        numbers = ", ".join(str(line) for line in self.lines)
        return f"for each of the lines {numbers}: {PromiseSpec().describe()}"
