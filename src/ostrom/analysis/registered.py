"""A plan that was registered before the first call, beside what was done: what was registered, what is exploration, and
what has changed since."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ostrom.analysis.contrasts import contrast, parts_of
from ostrom.analysis.plans import Plan, digest_of
from ostrom.analysis.study import Study
from ostrom.core.estimates import CONFIDENCE, Estimate


@dataclass(frozen=True)
class Found:
    """A contrast that was registered, and what the games show."""

    title: str
    difference: Estimate
    """Its interval holds for all registered contrasts together."""

    @property
    def differs(self) -> bool:
        """Whether the interval excludes 0."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and not low <= 0 <= high


@dataclass(frozen=True)
class Registered:
    """A registered plan beside what was done."""

    plan: Plan
    digest: str
    at: str
    """When it was registered, in UTC."""
    changes: tuple[str, ...]
    """What is not as it was registered."""
    stretch: float = 1.0
    """By how much longer intervals are where a rule may have stopped the games."""

    @classmethod
    def of(cls, settings: Mapping[str, Any], at: str, changes: Sequence[str], stretch: float = 1.0) -> Self | None:
        """What the settings of an experiment keep; None where nothing was registered."""
        kept = settings.get("registration")
        if kept is None:
            return None
        plan = Plan.model_validate(kept["plan"])
        if digest_of(plan, settings) != kept["digest"]:
            changes = ("the plan or the games in the journal are not those of the registered digest", *changes)
        return cls(plan, kept["digest"], at, tuple(changes), stretch)

    def is_registered(self, measure: str) -> bool:
        """Whether a measure was registered; else it is exploration."""
        return measure in self.plan.measures or any(measure == one.measure for one in self.plan.contrasts)

    def contrasts(self, study: Study[Any], tables: Any) -> list[Found]:
        """What the games show for every registered contrast, with intervals that hold for all of them together."""
        confidence = 1 - (1 - CONFIDENCE) / max(1, len(self.plan.contrasts))
        found = []
        for one in self.plan.contrasts:
            parts = parts_of(study.measures[one.measure], tables)
            found.append(Found(one.title, longer(contrast(parts, *one.players, confidence), self.stretch)))
        return found

    def sentences(self, found: Sequence[Found]) -> list[str]:
        """What a report says first."""
        said = [
            f"Registered at {self.at} (SHA-256 {self.digest[:16]}…), before the first call: "
            f"{', '.join(self.plan.measures)}. What is not marked as registered is exploration."
        ]
        said += [f"Registered hypothesis: {text}" for text in self.plan.hypotheses]
        said += [f"Registered contrast, {each.title}: {_verdict(each)}" for each in found]
        if self.changes:
            return [*said, f"Changed since: {'; '.join(self.changes)}."]
        return [*said, "Nothing has changed since."]

    def as_record(self, found: Sequence[Found]) -> dict[str, Any]:
        """The same as plain data."""
        contrasts = [{"contrast": one.title, **one.difference.as_record(), "differs": one.differs} for one in found]
        kept = {"plan": self.plan.model_dump(mode="json"), "digest": self.digest, "at": self.at}
        return {**kept, "changes": list(self.changes), "contrasts": contrasts}


def longer(found: Estimate, factor: float) -> Estimate:
    """An estimate with an interval that is longer by this factor on both sides."""
    if found.value is None or found.low is None or found.high is None:
        return found
    value = found.value
    return Estimate(value, value - factor * (value - found.low), value + factor * (found.high - value))


def _verdict(found: Found) -> str:
    one = found.difference
    if one.low is None or one.high is None:
        return f"no interval: {one.reason}."
    told = "they differ" if found.differs else "no difference can be told"
    return f"{one.value:+,.3g} ({one.low:+,.3g} to {one.high:+,.3g}): {told}."
