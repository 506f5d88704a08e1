"""An environment of Gymnasium: one seat of a game among other players."""

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
from ostrom.environments.episode import EnvironmentSetup, EpisodeEnv, Seeds
from ostrom.environments.spaces import Vector
from ostrom.players.base import Player, ask
from ostrom.players.roster import Seated, opponents_of, take_seat
from ostrom.sim.batch import Reward

_MAX_SKIPPED_GAMES = 1000
"""The number of successive games without a question for the seat after which `reset` raises an error."""


class SeatEnv(EpisodeEnv, gymnasium.Env[Vector, Any]):
    """One seat of a game. `opponents` are the players of the other seats, in the forms that `ostrom.play` accepts. By
    default they are the game's first built-in players. `seat` is a number or the name of a role. A step answers the
    seat's open question. The information dictionary has the phase of the next question, the seat's role if seats have
    roles, and the available options (`action_mask`). `levels` is the number of discrete actions into which amounts are
    divided. `memory` is the number of history entries in an observation."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Sequence[Seated] | None = None,
        seat: int | str = 0,
        rules: BaseModel | Mapping[str, Any] | None = None,
        reward: Reward = "gain",
        levels: int | None = None,
        memory: int = 4,
        name: str = "learner",
        render_mode: str | None = None,
    ) -> None:
        definition = find_game(game)
        self._others = opponents_of(definition, opponents)
        count = len(self._others) + 1
        self.setting = EnvironmentSetup.of(definition, rules, count, reward, levels=levels, memory=memory)
        seat = definition.find_seat(seat, count)
        self._seat = seat
        self._actions, self._observations = self.setting.spaces.actions[seat], self.setting.spaces.observations
        if not self._actions.parts:
            raise InputError(f"seat {seat} of {definition.command} is never asked for a number; choose another")
        self.action_space, self.observation_space = self._actions.space, self._observations.space
        self.render_mode = render_mode
        self._names = [opponent.name for opponent in self._others]
        self._names.insert(seat, name)
        self._seeds = Seeds(lambda: int(self.np_random.integers(2**32)))
        self._players: dict[int, Player] = {}
        self._observation = self._observations.nothing

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Start the next game of the seed, or the first game of a new seed. Games without a question for the seat are
        skipped. Raise `InputError` if too many games in a row have none."""
        super().reset(seed=seed)
        self._begin(self._seeds.next(seed))
        skipped = 0
        while self._current.over:
            skipped += 1
            if skipped == _MAX_SKIPPED_GAMES:
                raise InputError(f"seat {self._seat} was not asked in {skipped:,} games with these opponents")
            self._begin(self._seeds.next(None))
        return self._observe(), self._info()

    def _begin(self, chance: GameChance) -> None:
        self._episode = self.setting.episode(chance)
        places = [place for place in range(self.setting.seats) if place != self._seat]
        self._players = {
            place: take_seat(other, place, chance) for place, other in zip(places, self._others, strict=True)
        }
        self._answer_others()
        self._current.rewards()

    def step(self, action: Any) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Answer the open question, and play until the seat's next question."""
        if self._current.over:
            raise InputError("the game is over; call reset for another")
        question = self._question()
        assert question is not None
        legal = self._current.answer(self._seat, self._actions.answer(question, action))
        self._answer_others()
        reward = self._current.rewards()[self._seat]
        return self._observe(), reward, self._current.over, False, self._info() | ({} if legal else {"illegal": True})

    def action_masks(self) -> Any:
        """Return a truth value for each option, in the form that sb3-contrib's MaskablePPO needs."""
        if not isinstance(self.action_space, spaces.Discrete | spaces.MultiDiscrete):
            raise InputError("only discrete actions have masks of this form; set levels")
        mask = self._actions.mask(self._question())
        return np.concatenate(mask if isinstance(mask, tuple) else [mask]).astype(bool)

    def _question(self) -> Question | None:
        return self._current.question(self._seat)

    def _answer_others(self) -> None:
        """Play the other seats until this seat has a question or the game is over. Other players who are asked in the
        same step answer before this seat. None of them sees another's answer."""
        episode = self._current
        while not episode.over:
            others = [place for place in episode.open if place != self._seat and episode.open[place]]
            if not others:
                return
            for place in others:
                question = episode.question(place)
                assert question is not None
                episode.take(place, ask(self._names[place], self._players[place], question))

    def _observe(self) -> Vector:
        if (question := self._question()) is not None:
            self._observation = self._observations.of(question)
        return self._observation.copy()

    def _info(self) -> dict[str, Any]:
        question = self._question()
        info: dict[str, Any] = {"phase": "" if question is None else question.phase, **self._role(self._seat)}
        mask = self._actions.mask(question)
        return info if mask is None else info | {"action_mask": mask}


seat_env = SeatEnv
