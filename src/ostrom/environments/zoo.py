"""Games as environments of PettingZoo. In the parallel form, seats that a game asks in one step act together. In the
AEC form these seats act in turn, but no seat sees another's action before all have acted."""

import secrets
from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.environments.episode import EnvironmentSetup, EpisodeEnv, Seeds
from ostrom.environments.spaces import Vector
from ostrom.sim.batch import Reward


class _Seats(EpisodeEnv):
    """The parts common to both forms: the seats as agents, their spaces, and the episode."""

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
        self.setting = EnvironmentSetup.of(game, rules, seats, reward, levels=levels, memory=memory)
        self.metadata = {**type(self).metadata, "name": f"ostrom_{self.setting.game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.setting.seats)]
        self._names = self.possible_agents
        self.agents: list[str] = []
        self._index = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, observations = self.setting.spaces.actions, self.setting.spaces.observations
        self._actions = dict(zip(self.possible_agents, actions, strict=True))
        self._observation_form = observations
        self.action_spaces = {agent: own.space for agent, own in self._actions.items()}
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, observations.space)
        self._seeds = Seeds(lambda: secrets.randbits(32))
        self._observed: dict[str, Vector] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        space: spaces.Space[Any] = self.observation_spaces[agent]
        return space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def close(self) -> None:
        """Do nothing, because there is nothing to close."""

    def _begin(self, seed: int | None) -> None:
        self._episode = self.setting.episode(self._seeds.next(seed))
        self._observed = dict.fromkeys(self.possible_agents, self._observation_form.nothing)
        self.agents = self.possible_agents[:]

    def _observe_all(self) -> None:
        """Update the observations of seats with an open question. Other seats keep their last observation."""
        for agent, seat in self._index.items():
            if (question := self._current.question(seat)) is not None:
                self._observed[agent] = self._observation_form.of(question)

    def _info(self, agent: str, illegal: bool = False) -> dict[str, Any]:
        question = self._current.question(self._index[agent])
        info: dict[str, Any] = {"asked": question is not None, "phase": "" if question is None else question.phase}
        info |= self._role(self._index[agent])
        mask = self._actions[agent].mask(question)
        return info | ({} if mask is None else {"action_mask": mask}) | ({"illegal": True} if illegal else {})

    def _act(self, agent: str, action: Any) -> bool:
        seat = self._index[agent]
        question = self._current.question(seat)
        assert question is not None
        return self._current.answer(seat, self._actions[agent].answer(question, action))

    def _rewards_by_agent(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self._current.rewards(), strict=True))


class GameParallelEnv(_Seats, ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A game in which all seats with a question act at once. Actions of seats without a question are ignored. The
    information dictionary of an agent says whether the agent has a question, in which phase, and with which options
    (`action_mask`). `levels` is the number of discrete actions into which amounts are divided. `memory` is the number
    of history entries in an observation."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as PettingZoo has it

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start the next game of the seed, or the first of a new seed."""
        self._begin(seed)
        self._current.rewards()
        self._observe_all()
        return {**self._observed}, {agent: self._info(agent) for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Answer the open question of every seat; raise `InputError` if an action is missing."""
        if not self.agents:
            raise InputError("the game is over; call reset for another")
        open_agents = [agent for agent in self.agents if self._current.question(self._index[agent]) is not None]
        missing = [agent for agent in open_agents if agent not in actions]
        if missing:
            raise InputError(f"no action for {', '.join(missing)}")
        illegal = {agent for agent in open_agents if not self._act(agent, actions[agent])}
        self._observe_all()
        agents, over = self.agents, self._current.over
        infos = {agent: self._info(agent, agent in illegal) for agent in agents}
        self.agents = [] if over else agents
        terminations = dict.fromkeys(agents, over)
        return {**self._observed}, self._rewards_by_agent(), terminations, dict.fromkeys(agents, False), infos


class GameAECEnv(_Seats, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game in which seats act in turn, in the order of the game's questions. Seats that are asked in the same step do
    not see each other's actions. Settings and information dictionaries are the same as in the parallel form."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo has it
        "render_modes": ["ansi"],
        "render_fps": 4,
        "is_parallelizable": False,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the next game of the seed, or the first of a new seed."""
        self._begin(seed)
        self._current.rewards()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_agent()

    def observe(self, agent: str) -> Any:
        """Return an agent's observation at its last question."""
        return self._observed[agent]

    def step(self, action: Any) -> None:
        """Answer the question of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        legal = self._act(agent, action)
        self.rewards = self._rewards_by_agent()
        self._select_agent(None if legal else agent)
        self._accumulate_rewards()

    def _select_agent(self, illegal: str | None = None) -> None:
        self._observe_all()
        self.infos = {agent: self._info(agent, agent == illegal) for agent in self.agents}
        if self._current.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = f"seat_{next(seat for seat, queue in self._current.open.items() if queue)}"


parallel_env = GameParallelEnv
aec_env = GameAECEnv
