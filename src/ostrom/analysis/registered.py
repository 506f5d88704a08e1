"""The contrasts of a registered plan, as the games of its experiment answer them. This is apart from plans, which are
read without Polars too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ostrom.analysis.contrasts import contrast, parts_of
from ostrom.analysis.plans import AnalysisPlan, digest_of
from ostrom.analysis.study import Study
from ostrom.core.estimates import CONFIDENCE, Estimate


@dataclass(frozen=True)
class RegisteredContrast:
    """A registered contrast and its result."""

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
    """A registered plan and its changes."""

    plan: AnalysisPlan
    digest: str
    at: str
    """The time of registration, in UTC."""
    changes: tuple[str, ...]
    """How the experiment differs from its registration."""
    stretch: float = 1.0
    """The factor by which intervals are longer where a rule may have stopped the games."""

    @classmethod
    def of(cls, settings: Mapping[str, Any], at: str, changes: Sequence[str], stretch: float = 1.0) -> Self | None:
        """Return the registration in the settings of an experiment, or None where there is none."""
        registration = settings.get("registration")
        if registration is None:
            return None
        plan = AnalysisPlan.model_validate(registration["plan"])
        if digest_of(plan, settings) != registration["digest"]:
            changes = ("the plan or the games in the journal are not those of the registered digest", *changes)
        return cls(plan, registration["digest"], at, tuple(changes), stretch)

    def is_registered(self, measure: str) -> bool:
        """Return whether a measure was registered; others are exploration."""
        return measure in self.plan.measures or any(measure == one.measure for one in self.plan.contrasts)

    def contrasts(self, study: Study[Any], tables: Any) -> list[RegisteredContrast]:
        """Return the result of every registered contrast, with intervals that hold for all of them together."""
        confidence = 1 - (1 - CONFIDENCE) / max(1, len(self.plan.contrasts))
        contrasts = []
        for one in self.plan.contrasts:
            parts = parts_of(study.measures[one.measure], tables)
            contrasts.append(
                RegisteredContrast(one.title, longer(contrast(parts, *one.players, confidence), self.stretch))
            )
        return contrasts

    def sentences(self, contrasts: Sequence[RegisteredContrast]) -> list[str]:
        """Return the sentences at the beginning of a report."""
        sentences = [
            f"Registered at {self.at} (SHA-256 {self.digest[:16]}…), before the first call: "
            f"{', '.join(self.plan.measures)}. What is not marked as registered is exploration."
        ]
        sentences += [f"Registered hypothesis: {text}" for text in self.plan.hypotheses]
        sentences += [f"Registered contrast, {each.title}: {_verdict(each)}" for each in contrasts]
        if self.changes:
            return [*sentences, f"Changed since: {'; '.join(self.changes)}."]
        return [*sentences, "Nothing has changed since."]

    def as_record(self, results: Sequence[RegisteredContrast]) -> dict[str, Any]:
        """Return the plan and its results as plain data."""
        contrasts = [{"contrast": one.title, **one.difference.as_record(), "differs": one.differs} for one in results]
        record = {"plan": self.plan.model_dump(mode="json"), "digest": self.digest, "at": self.at}
        return {**record, "changes": list(self.changes), "contrasts": contrasts}


def longer(estimate: Estimate, factor: float) -> Estimate:
    """Return the estimate with an interval that is longer by this factor on both sides."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    value = estimate.value
    return Estimate(value, value - factor * (value - estimate.low), value + factor * (estimate.high - value))


def _verdict(result: RegisteredContrast) -> str:
    difference = result.difference
    if difference.low is None or difference.high is None:
        return f"no interval: {difference.reason}."
    verdict = "they differ" if result.differs else "no difference can be told"
    return f"{difference.value:+,.3g} ({difference.low:+,.3g} to {difference.high:+,.3g}): {verdict}."
