"""One game as an episode: its open questions, the rewards of each seat, and the finished match. The environments of
Gymnasium and PettingZoo use it."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from pydantic import BaseModel

from ostrom.core import Answer, Driver, Event, GameChance, InputError, Provenance, Question, Table, seats
from ostrom.core.errors import IllegalAnswer
from ostrom.core.game import Game, final_standings, make_rules
from ostrom.core.plugins import find_game
from ostrom.core.questions import Fault
from ostrom.core.telling import BoardState, presentation_of, transcript_lines
from ostrom.environments.spaces import GameSpaces, find_spaces, parts_of, random_answer
from ostrom.experiment.match import Decision, Match
from ostrom.sim.batch import Reward, check_reward

_PROBED_GAMES: Final = 3
"""The number of random games that are played to find out whether a seat has gains before the end of a game."""


class Episode:
    """A game in progress. Questions for a text are answered by the declared fallback, which is silence."""

    def __init__(self, game: Game, rules: Any, count: int, chance: GameChance, reward: Reward) -> None:
        self.game, self.rules, self.chance = game, rules, chance
        self._reward: Reward = reward
        self._table = Table(seats(count), chance)
        presentation = presentation_of(game)
        self._final = presentation.scene(rules, count).final
        self._teller = presentation.teller(rules, count)
        self._board = BoardState(count)
        self._board_events = 0
        self._board.apply(self._teller.opening())
        self._totals = self._current_totals()
        self._sign = 1.0 if game.better == "higher" else -1.0
        self.decisions: list[Decision] = []
        self._driver = Driver(game.play(rules, self._table))
        self._answers: dict[int, Answer] = {}
        self.open: dict[int, deque[tuple[int, Question]]] = {}
        """The open questions of each seat, with their positions in the step."""
        self._begin_step()

    @property
    def over(self) -> bool:
        return self._driver.step is None

    @property
    def events(self) -> Sequence[Event]:
        return self._table.events

    def question(self, seat: int) -> Question | None:
        """Return the next question of a seat, or None if it has none in this step."""
        return self.open[seat][0][1] if self.open.get(seat) else None

    def answer(self, seat: int, value: Any) -> bool:
        """Answer a seat's question and return whether the answer was legal. An illegal answer is replaced by the
        fallback and marked as defaulted. The game continues when all questions of the step are answered."""
        question = self.open[seat][0][1]
        try:
            answer = Answer(question.spec.validate(value))
        except IllegalAnswer:
            answer = Answer(question.fallback, Provenance.DEFAULTED, fault=Fault.ILLEGAL)
        self.take(seat, answer)
        return answer.provenance is Provenance.ANSWERED

    def take(self, seat: int, answer: Answer) -> None:
        """Record a validated answer of a seat."""
        place, _ = self.open[seat].popleft()
        self._answers[place] = answer
        assert self._driver.step is not None
        if len(self._answers) == len(self._driver.step):
            self._advance()
            self._begin_step()

    def _advance(self) -> None:
        assert self._driver.step is not None
        answers = [self._answers[place] for place in range(len(self._driver.step))]
        self.decisions += map(Decision, self._driver.step, answers)
        self._driver.advance(answers)

    def _begin_step(self) -> None:
        while self._driver.step is not None:
            self._answers, self.open = {}, {}
            for place, question in enumerate(self._driver.step):
                if parts_of(question.spec):
                    self.open.setdefault(question.seat.index, deque()).append((place, question))
                else:
                    self._answers[place] = Answer(question.fallback)
            if self.open:
                return
            self._advance()
        self.open = {}

    def rewards(self) -> list[float]:
        """Return each seat's reward since the last call."""
        count = len(self._table.seats)
        if self.game.finals is None:
            return [0.0] * count
        if self._reward == "gain":
            before, self._totals = self._totals, self._current_totals()
            return [self._sign * (after - previous) for after, previous in zip(self._totals, before, strict=True)]
        if not self.over:
            return [0.0] * count
        if self._reward == "final":
            return [self._sign * (final or 0.0) for final in self.game.finals(self.events)]
        return self._rank_rewards()

    def _current_totals(self) -> list[float]:
        for event in self._table.events[self._board_events :]:
            self._board.apply(self._teller.tell(event))
        self._board_events = len(self._table.events)
        count = len(self._table.seats)
        totals = self._board.of_seats.get(self._final or "", [None] * count)
        return [0.0 if value is None else float(value) for value in totals]

    def _rank_rewards(self) -> list[float]:
        rows = final_standings(self.game, self.rules, [""] * len(self._table.seats), self.events)
        ranks = {row["seat"]: row["rank"] for row in rows if row["rank"] is not None}
        scores = [0.0] * len(self._table.seats)
        for seat, rank in ranks.items():
            ties = sum(other == rank for other in ranks.values())
            mean = rank + (ties - 1) / 2
            scores[seat] = (len(ranks) - mean) / (len(ranks) - 1) if len(ranks) > 1 else 1.0
        return scores

    def match(self, names: Sequence[str]) -> Match:
        """Return the finished game as `ostrom.play` does; raise `InputError` if it is not over."""
        if not self.over:
            raise InputError("the game is not over; its match is available at the end")
        return Match(self.game, self.rules, self.chance, tuple(names), tuple(self.decisions), tuple(self.events))

    def lines(self, names: Sequence[str]) -> str:
        """Return the transcript so far, in the form that a terminal shows."""
        lines_by_event = transcript_lines(self.game, self.rules, self.events, names)
        return "\n".join(line for lines in lines_by_event for line in lines)


class Seeds:
    """The random numbers of successive episodes. A reset with a seed starts game 0 of this seed. Each further reset
    without a seed starts the next game of the same seed."""

    def __init__(self, draw: Callable[[], int]) -> None:
        self._draw = draw
        self._seed: int | None = None
        self._number = 0

    def next(self, seed: int | None) -> GameChance:
        """Return the random numbers of the next episode."""
        if seed is None and self._seed is not None:
            self._number += 1
        else:
            self._seed, self._number = self._draw() if seed is None else int(seed), 0
        return GameChance(self._seed, self._number)


@dataclass(frozen=True)
class EnvironmentSetup:
    """The game, rules, seats, reward and spaces of an environment. They are the same in every episode."""

    game: Game
    rules: Any
    seats: int
    reward: Reward
    spaces: GameSpaces
    reward_note: str = ""
    """A sentence that says that no step has a reward before the end, if this is so; otherwise empty."""

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
    ) -> "EnvironmentSetup":
        """Return the setup for these arguments. Raise `InputError` if they are invalid."""
        check_reward(reward)
        definition = find_game(game)
        valid_rules = make_rules(definition, rules)
        count = seats if seats is not None else definition.seats.usual or definition.seats.fewest
        definition.check_seats(count)
        spaces = find_spaces(definition, valid_rules, count, levels=levels, memory=memory)
        setup = cls(definition, valid_rules, count, reward, spaces)
        return replace(setup, reward_note=setup._note()) if reward == "gain" else setup

    def _note(self) -> str:
        """Play some random games. If every gain comes with the last step in all of them, return a sentence on late
        rewards. Otherwise return an empty text. In such games, public events do not show the gains of a seat before the
        end, because the gains are private or the scene does not declare them."""
        rng = np.random.default_rng(0)
        several_steps = False
        for number in range(_PROBED_GAMES):
            episode, steps, gained = self.episode(GameChance(0, number)), 0, False
            while not episode.over:
                gained = gained or any(episode.rewards())
                for seat in [seat for seat, questions in episode.open.items() if questions]:
                    question = episode.question(seat)
                    if question is not None:
                        episode.take(seat, random_answer(question, rng))
                steps += 1
            if gained:
                return ""
            several_steps = several_steps or steps > 1
        if not several_steps:
            return ""
        return (
            f"gains in {self.game.command} are private, or not shown by its scene, until the game is over: the reward "
            "of every step but the last is 0, as with 'final'"
        )

    def episode(self, chance: GameChance) -> Episode:
        """Start a new game."""
        return Episode(self.game, self.rules, self.seats, chance, self.reward)


class EpisodeEnv:
    """The properties that environments share."""

    setting: EnvironmentSetup
    _episode: Episode | None = None
    _names: list[str]
    """The name of the player at each seat."""

    @property
    def observation_names(self) -> tuple[str, ...]:
        """The name of each number in an observation."""
        return self.setting.spaces.observations.names

    @property
    def dropped_names(self) -> tuple[str, ...]:
        """The names of texts of the view that are not in an observation, such as messages."""
        return self.setting.spaces.observations.dropped

    @property
    def reward_note(self) -> str:
        """A sentence that says that a seat has no gains until the end. It is empty if a seat has gains in earlier
        steps."""
        return self.setting.reward_note

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of each seat; empty if seats have no roles."""
        return self.setting.game.role_names(self.setting.seats)

    def _role(self, seat: int) -> dict[str, str]:
        return {"role": self.roles[seat]} if self.roles else {}

    @property
    def match(self) -> Match:
        """The finished game, as `ostrom.play` returns it."""
        return self._current.match(self._names)

    @property
    def _current(self) -> Episode:
        if self._episode is None:
            raise InputError("the environment has not been reset; call reset first")
        return self._episode

    def render(self) -> str:
        """Return the transcript so far."""
        return self._current.lines(self._names)
