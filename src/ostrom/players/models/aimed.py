"""The field of a punishment: an amount aimed at one of several seats, or at nobody."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ostrom.core import IllegalAnswer
from ostrom.players.models.fields import UNKNOWN, Malformed, NumberField, chosen, number_in, said, shown
from ostrom.players.models.framing import NOBODY


@dataclass(frozen=True, slots=True)
class AimedField:
    """An amount aimed at one of several seats, or at nobody: `P1=3` in a tag, target and spend in JSON. Its value is
    {"target": …, "spend": …}, with None and 0 for nobody."""

    name: str
    targets: tuple[tuple[str, Any], ...]
    """Label and value of those who can be named, in the order in which they are listed."""
    low: int
    high: int
    scale: int = 1

    @property
    def spend(self) -> NumberField:
        """The amount where somebody is named."""
        return NumberField("spend", self.low, self.high, whole=True, scale=self.scale)

    def describe(self) -> str:
        """What would be right in a tag."""
        labels = ", ".join(label for label, _ in self.targets)
        example = f"{self.targets[0][0]}={self.low * self.scale}"
        return f"{NOBODY}, or one of {labels} and {self.spend.describe()}, as in {example}"

    def in_json(self) -> str:
        """The two properties, which belong together."""
        labels = ", ".join(label for label, _ in self.targets)
        return f"target: {NOBODY}, or one of {labels}; spend: 0 with {NOBODY}, else {self.spend.describe()}"

    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """Target and spend."""
        spend: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": self.high * self.scale}
        if self.scale > 1:
            spend["multipleOf"] = self.scale
        return {
            "target": {"type": "string", "enum": [NOBODY, *(label for label, _ in self.targets)]},
            "spend": spend,
        }

    def from_tag(self, text: str) -> Any:
        """Nobody, or a label, an equals sign and a number."""
        if text.strip().casefold() == NOBODY:
            return {"target": None, "spend": 0}
        label, equals, amount = text.partition("=")
        if not equals:
            raise Malformed(f"{self.name}: {shown(text.strip())} is not of the form; it must be {self.describe()}")
        try:
            return self._aimed(label, number_in(amount))
        except Malformed as reason:
            raise Malformed(f"{self.name}: {reason}; it must be {self.describe()}") from None

    def from_json(self, found: Mapping[str, Any]) -> Any:
        """The two properties, which must belong together."""
        target, spend = found["target"], found["spend"]
        if not isinstance(target, str):
            raise Malformed(f"target: {shown(target)} is not a text; it must be {self.in_json()}")
        if isinstance(spend, bool) or not isinstance(spend, int | float):
            raise Malformed(f"spend: {shown(spend)} is not a number; it must be {self.in_json()}")
        if target.strip().casefold() == NOBODY:
            if spend != 0:
                raise IllegalAnswer(f"spend: {said(spend)} on {NOBODY} is not allowed; it must be {self.in_json()}")
            return {"target": None, "spend": 0}
        if spend == 0 and chosen(target, self.targets) is not UNKNOWN:
            raise IllegalAnswer(f"spend: 0 on {target.strip()} is not allowed; it must be {self.in_json()}")
        return self._aimed(target, spend)

    def _aimed(self, label: str, amount: int | float | Decimal) -> Any:
        value = chosen(label, self.targets)
        if value is UNKNOWN:
            labels = ", ".join(each for each, _ in self.targets)
            raise IllegalAnswer(
                f"target: {shown(label.strip())} is not allowed; it must be {NOBODY} or one of {labels}"
            )
        return {"target": value, "spend": self.spend.checked(amount)}
