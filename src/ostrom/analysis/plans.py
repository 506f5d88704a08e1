"""The plan of an experiment: what is to be found out, by which measures and contrasts, what is left out; and the digest
by which it is registered before the first call."""

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

_DECIDES = (
    *("parts", "game", "rules", "players", "seats", "games", "seed", "fixed", "pairs"),
    *("counter", "schedule", "until"),
)
"""The settings of an experiment that decide which games are played; others say how it is run."""


def _listed(settings: Mapping[str, Any], name: str, default: Sequence[Any] = ()) -> Sequence[Any]:
    """A list among settings; none where somebody put something else in its place."""
    found = settings.get(name, default)
    return found if isinstance(found, (list, tuple)) else ()


def made_by(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """How an experiment was made: command, version, prompts."""
    made = settings.get("made")
    return made if isinstance(made, Mapping) else {}


def prompts_used(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """What names the prompts of an experiment, by game."""
    prompts = made_by(settings).get("prompts")
    return prompts if isinstance(prompts, Mapping) else {}


def players_planned(settings: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Everybody whom the settings of an experiment describe, each with the name of its game: those who were there from
    the beginning, and those who were added."""
    parts = [part for part in _listed(settings, "parts", [settings]) if isinstance(part, Mapping)]
    for part in parts:
        yield from ((part.get("game"), each) for each in _listed(part, "players"))
    for one in _listed(settings, "added"):
        if isinstance(one, Mapping) and one.get("part") in range(len(parts)):
            yield parts[one["part"]].get("game"), one.get("player")


class Contrast(BaseModel):
    """One player's measure less another's."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    measure: str
    players: tuple[str, str]

    @property
    def title(self) -> str:
        """In words."""
        return f"{self.measure}: {self.players[0]} − {self.players[1]}"


class AnalysisPlan(BaseModel):
    """What an experiment is to find out."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    hypotheses: tuple[str, ...] = Field(min_length=1)
    measures: tuple[str, ...] = Field(min_length=1)
    contrasts: tuple[Contrast, ...] = ()
    exclusions: Literal["none", "games", "seats"] = "none"
    """What is left out for a defaulted answer: nothing, whole games or single seats."""

    def check(self, measures: Mapping[str, Any], players: Sequence[str]) -> None:
        """Refuse what could never be analysed, before anything is played."""
        for name in (*self.measures, *(one.measure for one in self.contrasts)):
            measures[name]
        for one in self.contrasts:
            if measures[one.measure].ratio is None or measures[one.measure].by != ("player",):
                raise InputError(
                    f"{one.measure} is no mean or share by player, so two players cannot be compared by it"
                )
            for player in one.players:
                if player not in players:
                    raise InputError(f"a contrast names {player}, who does not play; there are {', '.join(players)}")


def register(plan: AnalysisPlan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept with an experiment of these settings: the plan and its digest."""
    return {"plan": plan.model_dump(mode="json"), "digest": digest_of(plan, settings)}


def digest_of(plan: AnalysisPlan, settings: Mapping[str, Any]) -> str:
    """The SHA-256 of the plan and of all that decides which games are played."""
    games = {name: settings[name] for name in _DECIDES if name in settings}
    text = json.dumps({"plan": plan.model_dump(mode="json"), "experiment": games}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


# A registered plan beside what the games show.


@dataclass(frozen=True)
class RegisteredContrast:
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

    plan: AnalysisPlan
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
        plan = AnalysisPlan.model_validate(kept["plan"])
        if digest_of(plan, settings) != kept["digest"]:
            changes = ("the plan or the games in the journal are not those of the registered digest", *changes)
        return cls(plan, kept["digest"], at, tuple(changes), stretch)

    def is_registered(self, measure: str) -> bool:
        """Whether a measure was registered; else it is exploration."""
        return measure in self.plan.measures or any(measure == one.measure for one in self.plan.contrasts)

    def contrasts(self, study: Study[Any], tables: Any) -> list[RegisteredContrast]:
        """What the games show for every registered contrast, with intervals that hold for all of them together."""
        confidence = 1 - (1 - CONFIDENCE) / max(1, len(self.plan.contrasts))
        found = []
        for one in self.plan.contrasts:
            parts = parts_of(study.measures[one.measure], tables)
            found.append(RegisteredContrast(one.title, longer(contrast(parts, *one.players, confidence), self.stretch)))
        return found

    def sentences(self, found: Sequence[RegisteredContrast]) -> list[str]:
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

    def as_record(self, found: Sequence[RegisteredContrast]) -> dict[str, Any]:
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


def _verdict(found: RegisteredContrast) -> str:
    one = found.difference
    if one.low is None or one.high is None:
        return f"no interval: {one.reason}."
    told = "they differ" if found.differs else "no difference can be told"
    return f"{one.value:+,.3g} ({one.low:+,.3g} to {one.high:+,.3g}): {told}."
