"""The one answer of Contribute & Punish that has a form of its own: whom to punish, and with how much."""

from collections.abc import Mapping
from dataclasses import dataclass

from ostrom.core import Amount, Choice, IllegalAnswer, Value


@dataclass(frozen=True, slots=True)
class PunishmentSpec:
    """Nobody, or exactly one other seat and a spend of at least 1."""

    others: tuple[int, ...]
    most: int
    """What the punisher may spend: the rules' maximum, and no more than it holds."""

    def validate(self, raw: object) -> Mapping[str, Value]:
        """Return target and spend; nobody goes with a spend of 0, and a target with 1 or more."""
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
        """What would be right."""
        seats = ", ".join(str(seat) for seat in self.others)
        return f"target nothing and spend 0, or target one of {seats} and spend a whole number from 1 to {self.most}"
