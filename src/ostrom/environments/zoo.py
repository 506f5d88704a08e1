"""Games as environments of PettingZoo. All seats that a game asks at once act at once in the parallel form; in the
other (AEC) they act one after the other, and nobody sees another's action before all have acted."""

import secrets
from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.environments.episode import Episode, Seeds
from ostrom.environments.setting import Setting
from ostrom.environments.spaces import Vector
from ostrom.experiment.match import Match
from ostrom.sim.rewards import Reward


def parallel_env(game: str | Game, **settings: Any) -> "GameParallelEnv":
    """A game as a `ParallelEnv`; the settings are those of `GameParallelEnv`."""
    return GameParallelEnv(game, **settings)


def aec_env(game: str | Game, **settings: Any) -> "GameAECEnv":
    """A game as an `AECEnv`; the settings are those of `GameAECEnv`."""
    return GameAECEnv(game, **settings)


class _Seats:
    """What both forms share: the seats as agents, their spaces, and the episode."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str | Game,
        *,
        rules: BaseModel | Mapping[str, Any] | None = None,
        seats: int | None = None,
        reward: Reward = "gain",
        levels: int | None = None,
        memory: int = 4,
        render_mode: str | None = None,
    ) -> None:
        self.setting = Setting.of(game, rules, seats, reward, levels=levels, memory=memory)
        self.metadata = {**type(self).metadata, "name": f"ostrom_{self.setting.game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setting.seats)]
        self.agents: list[str] = []
        self._index = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, observations = self.setting.spaces.actions, self.setting.spaces.observations
        self._actions = dict(zip(self.possible_agents, actions, strict=True))
        self._seen_as = observations
        self.action_spaces = {agent: own.space for agent, own in self._actions.items()}
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, observations.space)
        self._seeds = Seeds(lambda: secrets.randbits(32))
        self._episode: Episode | None = None
        self._seen: dict[str, Vector] = {}

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each number of an observation is."""
        return self._seen_as.names

    @property
    def match(self) -> Match:
        """The game of a finished episode, as `ostrom.play` returns it."""
        return self._under_way.match(self.possible_agents)

    @property
    def _under_way(self) -> Episode:
        if self._episode is None:
            raise InputError("the environment has not been reset; call reset first")
        return self._episode

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        space: spaces.Space[Any] = self.observation_spaces[agent]
        return space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def render(self) -> str:
        """What has happened so far."""
        return self._under_way.lines(self.possible_agents)

    def close(self) -> None:
        """There is nothing to close."""

    def _begin(self, seed: int | None) -> None:
        self._episode = self.setting.episode(self._seeds.next(seed))
        self._seen = dict.fromkeys(self.possible_agents, self._seen_as.nothing)
        self.agents = self.possible_agents[:]

    def _look(self) -> None:
        """Every seat that is asked sees what it may know now; the others still see what they saw last."""
        for agent, seat in self._index.items():
            if (question := self._under_way.question(seat)) is not None:
                self._seen[agent] = self._seen_as.of(question)

    def _info(self, agent: str, illegal: bool = False) -> dict[str, Any]:
        question = self._under_way.question(self._index[agent])
        info: dict[str, Any] = {"asked": question is not None, "phase": "" if question is None else question.phase}
        mask = self._actions[agent].mask(question)
        return info | ({} if mask is None else {"action_mask": mask}) | ({"illegal": True} if illegal else {})

    def _act(self, agent: str, action: Any) -> bool:
        seat = self._index[agent]
        question = self._under_way.question(seat)
        assert question is not None
        return self._under_way.answer(seat, self._actions[agent].answer(question, action))

    def _gained(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self._under_way.rewards(), strict=True))


class GameParallelEnv(_Seats, ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which all seats that are asked act at once; the actions of the others are ignored. The information of
    an agent says whether it is asked, in which phase, and which options it has (`action_mask`). `levels` divides
    amounts into so many discrete actions, `memory` is how many entries of a history are seen."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as PettingZoo has it

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin the next game of the seed, or the first of another."""
        self._begin(seed)
        self._under_way.rewards()
        self._look()
        return {**self._seen}, {agent: self._info(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Answer the open question of every seat that is asked."""
        if not self.agents:
            raise InputError("the game is over; call reset for another")
        asked = [agent for agent in self.agents if self._under_way.question(self._index[agent]) is not None]
        missing = [agent for agent in asked if agent not in actions]
        if missing:
            raise InputError(f"{', '.join(missing)}: asked, and there is no action")
        illegal = {agent for agent in asked if not self._act(agent, actions[agent])}
        self._look()
        there, over = self.agents, self._under_way.over
        infos = {agent: self._info(agent, agent in illegal) for agent in there}
        self.agents = [] if over else there
        ended = dict.fromkeys(there, over)
        return {**self._seen}, self._gained(), ended, dict.fromkeys(there, False), infos


class GameAECEnv(_Seats, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which seats act one after the other, in the order in which the game asks. Those that are asked at once
    do not see what the others did. Settings and information are those of the parallel form."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "render_modes": ["ansi"],
        "render_fps": 4,
        "is_parallelizable": False,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game of the seed, or the first of another."""
        self._begin(seed)
        self._under_way.rewards()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._go_on()

    def observe(self, agent: str) -> Any:
        """What an agent saw when it was asked last."""
        return self._seen[agent]

    def step(self, action: Any) -> None:
        """Answer the question of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        legal = self._act(agent, action)
        self.rewards = self._gained()
        self._go_on(None if legal else agent)
        self._accumulate_rewards()

    def _go_on(self, illegal: str | None = None) -> None:
        self._look()
        self.infos = {agent: self._info(agent, agent == illegal) for agent in self.agents}
        if self._under_way.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = f"seat_{next(seat for seat, queue in self._under_way.open.items() if queue)}"
