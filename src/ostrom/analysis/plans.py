"""The plan of an experiment: what is to be found out, by which measures and contrasts, what is left out; and the digest
by which it is registered before the first call."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import InputError

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


class Plan(BaseModel):
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


def register(plan: Plan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept with an experiment of these settings: the plan and its digest."""
    return {"plan": plan.model_dump(mode="json"), "digest": digest_of(plan, settings)}


def digest_of(plan: Plan, settings: Mapping[str, Any]) -> str:
    """The SHA-256 of the plan and of all that decides which games are played."""
    games = {name: settings[name] for name in _DECIDES if name in settings}
    text = json.dumps({"plan": plan.model_dump(mode="json"), "experiment": games}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
