"""What an environment is an environment of: a game, its rules, its seats, the reward and the spaces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ostrom.core import GameChance
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import find_game
from ostrom.environments.episode import Episode
from ostrom.environments.spaces import Found, find_spaces
from ostrom.sim.rewards import Reward, check_reward


@dataclass(frozen=True)
class Setting:
    """Everything that stays the same from episode to episode."""

    game: Game
    rules: Any
    seats: int
    reward: Reward
    spaces: Found

    @classmethod
    def of(
        cls,
        game: str | Game,
        rules: BaseModel | Mapping[str, Any] | None,
        seats: int | None,
        reward: Reward,
        *,
        levels: int | None,
        memory: int,
    ) -> "Setting":
        """The setting that users name."""
        check_reward(reward)
        found = find_game(game)
        told = make_rules(found, rules)
        count = seats if seats is not None else found.seats.usual or found.seats.fewest
        found.check_seats(count)
        spaces = find_spaces(found, told, count, levels=levels, memory=memory)
        return cls(found, told, count, reward, spaces)

    def episode(self, chance: GameChance) -> Episode:
        """A new game."""
        return Episode(self.game, self.rules, self.seats, chance, self.reward)
