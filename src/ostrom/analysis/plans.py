"""Plans of analysis. A plan has hypotheses, measures, contrasts and exclusions. A plan is registered by its digest
before the first call to a model."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import InputError

GAME_SETTINGS = (
    *("parts", "game", "rules", "players", "seats", "games", "seed", "fixed", "pairs"),
    *("schedule", "until"),
)
"""The settings of an experiment that determine its games. All other settings determine only the way in which it is
run."""


def _list_setting(settings: Mapping[str, Any], name: str, default: Sequence[Any] = ()) -> Sequence[Any]:
    """Return a setting that is a list. If the value is not a list, return an empty one."""
    value = settings.get(name, default)
    return value if isinstance(value, (list, tuple)) else ()


def made_by(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the origin of an experiment: the command, the version and the prompts."""
    origin = settings.get("made")
    return origin if isinstance(origin, Mapping) else {}


def planned_bots(settings: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Any]]:
    """Yield the description of every bot in the settings of an experiment, with the digest of the game's prompts (None
    if it is not recorded). Bots that were added later come last."""
    recorded = made_by(settings).get("prompts")
    prompts = recorded if isinstance(recorded, Mapping) else {}
    parts = [part for part in _list_setting(settings, "parts", [settings]) if isinstance(part, Mapping)]
    players = [(part.get("game"), player) for part in parts for player in _list_setting(part, "players")]
    for entry in _list_setting(settings, "added"):
        if isinstance(entry, Mapping) and entry.get("part") in range(len(parts)):
            players.append((parts[entry["part"]].get("game"), entry.get("player")))
    for game, player in players:
        bot = player.get("bot") if isinstance(player, Mapping) else None
        if isinstance(bot, Mapping):
            yield bot, prompts.get(game)


class Contrast(BaseModel):
    """A difference to test: one player's measure minus another's."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    measure: str
    players: tuple[str, str]

    @property
    def title(self) -> str:
        return f"{self.measure}: {self.players[0]} − {self.players[1]}"


class AnalysisPlan(BaseModel):
    """The hypotheses of an experiment, and the tests of these hypotheses."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    hypotheses: tuple[str, ...] = Field(min_length=1)
    measures: tuple[str, ...] = Field(min_length=1)
    contrasts: tuple[Contrast, ...] = ()
    exclusions: Literal["none", "games", "seats"] = "none"

    def check(self, measures: Mapping[str, Any], players: Sequence[str]) -> None:
        """Raise `InputError` if the plan names measures or players that are unknown or cannot be tested."""
        for name in (*self.measures, *(contrast.measure for contrast in self.contrasts)):
            measures[name]
        for contrast in self.contrasts:
            if measures[contrast.measure].ratio is None or measures[contrast.measure].by != ("player",):
                raise InputError(
                    f"two players cannot be compared by {contrast.measure}: it is not a mean or share by player"
                )
            for player in contrast.players:
                if player not in players:
                    raise InputError(
                        f"a contrast names {player}, who does not play; the players are {', '.join(players)}"
                    )


def register(plan: AnalysisPlan, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a registered plan, which is stored with an experiment that has these settings. It has the
    plan and its digest."""
    return {"plan": plan.model_dump(mode="json"), "digest": digest_of(plan, settings)}


def digest_of(plan: AnalysisPlan, settings: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the plan and of the settings that determine the games."""
    games = {name: settings[name] for name in GAME_SETTINGS if name in settings}
    text = json.dumps({"plan": plan.model_dump(mode="json"), "experiment": games}, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
