"""Plans of analysis: hypotheses, measures, contrasts and exclusions, with the digest by which they are registered
before the first call; and registered plans beside the results."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from ostrom.analysis.contrasts import contrast, parts_of
from ostrom.analysis.study import Study
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate

GAME_SETTINGS = (
    *("parts", "game", "rules", "players", "seats", "games", "seed", "fixed", "pairs"),
    *("counter", "schedule", "until"),
)
"""The settings of an experiment that determine its games; the others determine how it is run."""


def _list_setting(settings: Mapping[str, Any], name: str, default: Sequence[Any] = ()) -> Sequence[Any]:
    """Return a list among settings; empty where there is another value."""
    value = settings.get(name, default)
    return value if isinstance(value, (list, tuple)) else ()


def made_by(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return how an experiment was made: command, version, prompts."""
    origin = settings.get("made")
    return origin if isinstance(origin, Mapping) else {}


def prompts_used(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the digests of an experiment's prompts, by game."""
    prompts = made_by(settings).get("prompts")
    return prompts if isinstance(prompts, Mapping) else {}


def players_planned(settings: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield all players in the settings of an experiment, each with the name of its game: the first ones, and those who
    were added."""
    parts = [part for part in _list_setting(settings, "parts", [settings]) if isinstance(part, Mapping)]
    for part in parts:
        yield from ((part.get("game"), each) for each in _list_setting(part, "players"))
    for one in _list_setting(settings, "added"):
        if isinstance(one, Mapping) and one.get("part") in range(len(parts)):
            yield parts[one["part"]].get("game"), one.get("player")


class Contrast(BaseModel):
    """One player's measure less another's."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    measure: str
    players: tuple[str, str]

    @property
    def title(self) -> str:
        return f"{self.measure}: {self.players[0]} − {self.players[1]}"


class AnalysisPlan(BaseModel):
    """The hypotheses of an experiment, and how they are tested."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    hypotheses: tuple[str, ...] = Field(min_length=1)
    measures: tuple[str, ...] = Field(min_length=1)
    contrasts: tuple[Contrast, ...] = ()
    exclusions: Literal["none", "games", "seats"] = "none"
    """What is left out for a defaulted answer: nothing, whole games or single seats."""

    def check(self, measures: Mapping[str, Any], players: Sequence[str]) -> None:
        """Raise `InputError` for a plan that these measures and players do not allow."""
        for name in (*self.measures, *(one.measure for one in self.contrasts)):
            measures[name]
        for one in self.contrasts:
            if measures[one.measure].ratio is None or measures[one.measure].by != ("player",):
                raise InputError(
                    f"two players cannot be compared by {one.measure}: it is not a mean or share by player"
                )
            for player in one.players:
                if player not in players:
                    raise InputError(f"a contrast names {player}, who does not play; there are {', '.join(players)}")


def register(plan: AnalysisPlan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is stored with an experiment of these settings: the plan and its digest."""
    return {"plan": plan.model_dump(mode="json"), "digest": digest_of(plan, settings)}


def digest_of(plan: AnalysisPlan, settings: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the plan and of the settings that determine the games."""
    games = {name: settings[name] for name in GAME_SETTINGS if name in settings}
    text = json.dumps({"plan": plan.model_dump(mode="json"), "experiment": games}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


# Registered plans beside the results.


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
