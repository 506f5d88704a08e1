"""One seat of a game among other players, as an environment of Gymnasium."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pydantic import BaseModel

from ostrom.core import InputError, Question
from ostrom.core.chance import GameChance
from ostrom.core.game import Game
from ostrom.core.plugins import find_game
from ostrom.environments.episode import Episode, Seeds
from ostrom.environments.named import opponents_of, seated
from ostrom.environments.setting import Setting
from ostrom.environments.spaces import Vector
from ostrom.experiment.match import Match
from ostrom.players.base import Player, ask
from ostrom.players.roster import Seated
from ostrom.sim.rewards import Reward

_MOST_PASSED = 1000
"""After so many games in which the seat was never asked, it will never be."""


def seat_env(game: str | Game, **settings: Any) -> "SeatEnv":
    """One seat of a game as a Gymnasium environment; the settings are those of `SeatEnv`."""
    return SeatEnv(game, **settings)


class SeatEnv(gymnasium.Env[Vector, Any]):
    """One seat of a game. The others are held by `opponents`, who are named as `ostrom.play` takes them; without them
    by the game's first built-in players. A step answers the next question that the seat is asked; the information says
    its phase, and which options there are (`action_mask`). `levels` divides amounts into so many discrete actions,
    `memory` is how many entries of a history are seen."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Sequence[Seated] | None = None,
        seat: int = 0,
        rules: BaseModel | Mapping[str, Any] | None = None,
        reward: Reward = "gain",
        levels: int | None = None,
        memory: int = 4,
        name: str = "learner",
        render_mode: str | None = None,
    ) -> None:
        found = find_game(game)
        self._others = opponents_of(found, opponents)
        count = len(self._others) + 1
        self.setting = Setting.of(found, rules, count, reward, levels=levels, memory=memory)
        if not 0 <= seat < count:
            raise InputError(f"there is no seat {seat}; the table has seats 0 to {count - 1}")
        self._seat = seat
        self._actions, self._seen_as = self.setting.spaces.actions[seat], self.setting.spaces.observations
        if not self._actions.parts:
            raise InputError(f"seat {seat} of {found.command} is never asked for a number; choose another")
        self.action_space, self.observation_space = self._actions.space, self._seen_as.space
        self.render_mode = render_mode
        self._names = [one.name for one in self._others]
        self._names.insert(seat, name)
        self._seeds = Seeds(lambda: int(self.np_random.integers(2**32)))
        self._episode: Episode | None = None
        self._players: dict[int, Player] = {}
        self._seen = self._seen_as.nothing

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each number of an observation is."""
        return self._seen_as.names

    @property
    def match(self) -> Match:
        """The game of a finished episode, as `ostrom.play` returns it."""
        return self._under_way.match(self._names)

    @property
    def _under_way(self) -> Episode:
        if self._episode is None:
            raise InputError("the environment has not been reset; call reset first")
        return self._episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Begin the next game of the seed, or the first of another. A game that ends before the seat is asked is
        passed over."""
        super().reset(seed=seed)
        self._begin(self._seeds.next(seed))
        passed = 0
        while self._under_way.over:
            passed += 1
            if passed == _MOST_PASSED:
                raise InputError(f"seat {self._seat} was not asked in {passed:,} games with these opponents")
            self._begin(self._seeds.next(None))
        return self._look(), self._info()

    def _begin(self, chance: GameChance) -> None:
        self._episode = self.setting.episode(chance)
        places = [place for place in range(self.setting.seats) if place != self._seat]
        self._players = {place: seated(other, place, chance) for place, other in zip(places, self._others, strict=True)}
        self._let_others_answer()
        self._under_way.rewards()

    def step(self, action: Any) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Answer the open question, and let the others answer until the seat is asked again."""
        if self._under_way.over:
            raise InputError("the game is over; call reset for another")
        question = self._question()
        assert question is not None
        legal = self._under_way.answer(self._seat, self._actions.answer(question, action))
        self._let_others_answer()
        reward = self._under_way.rewards()[self._seat]
        return self._look(), reward, self._under_way.over, False, self._info() | ({} if legal else {"illegal": True})

    def render(self) -> str:
        """What has happened so far."""
        return self._under_way.lines(self._names)

    def action_masks(self) -> Any:
        """Which options there are, as sb3-contrib's MaskablePPO asks for them: one truth value an option."""
        if not isinstance(self.action_space, spaces.Discrete | spaces.MultiDiscrete):
            raise InputError("only discrete actions have masks of this form; set levels")
        mask = self._actions.mask(self._question())
        return np.concatenate(mask if isinstance(mask, tuple) else [mask]).astype(bool)

    def _question(self) -> Question | None:
        return self._under_way.question(self._seat)

    def _let_others_answer(self) -> None:
        """Until the seat is asked, or the game is over. Whoever is asked at once with it answers before it, and sees
        no more for that."""
        episode = self._under_way
        while not episode.over:
            others = [place for place in episode.open if place != self._seat and episode.open[place]]
            if not others:
                return
            for place in others:
                question = episode.question(place)
                assert question is not None
                episode.take(place, ask(self._names[place], self._players[place], question))

    def _look(self) -> Vector:
        if (question := self._question()) is not None:
            self._seen = self._seen_as.of(question)
        return self._seen.copy()

    def _info(self) -> dict[str, Any]:
        question = self._question()
        info: dict[str, Any] = {"phase": "" if question is None else question.phase}
        mask = self._actions.mask(question)
        return info if mask is None else info | {"action_mask": mask}
