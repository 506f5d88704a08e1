"""A batch: many games of one size, who sits where in each, and what came out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrom.core.arrays import rounded
from ostrom.core.chance import key_of
from ostrom.core.game import Game
from ostrom.core.step import ArrayForm, Draws, Field
from ostrom.players.strategy import StrategyEntry

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Games to be played under one set of rules."""

    game: Game
    rules: Any
    cast: Sequence[StrategyEntry]
    """The strategies that may sit at a table, each once."""
    seating: Whole
    """(seats, games) For each seat of each game, the place of its strategy in `cast`."""
    games: Whole
    """(games,) The number of each game, which names its draws of chance."""
    seed: int

    @cached_property
    def step(self) -> ArrayForm | None:
        """The array form of the game, where it has one."""
        step: ArrayForm | None = self.game.part("step")
        return step

    @property
    def draws(self) -> Draws:
        """The games' chance."""
        return Draws(self.games.astype(np.uint64), key_of(self.seed))

    @cached_property
    def one_table(self) -> bool:
        """Whether the same strategies sit at the same seats in every game."""
        return bool((self.seating == self.seating[:, :1]).all())

    def needed(self, step: ArrayForm) -> dict[str, Sequence[Field]]:
        """For each phase of a turn the fields that can matter at these tables."""
        return {
            phase: step.needed(self.rules, phase, {each.name: self._makers(each.name) for each in fields})
            for phase in step.phases(self.rules)
            for fields in [step.fields(self.rules, phase)]
        }

    def _makers(self, field: str) -> Whole:
        """(games,) How many seats ever fill in a field."""
        makes = np.asarray([entry.rows is None or entry.rows.makes(field) for entry in self.cast])
        return np.asarray(makes[self.seating].sum(axis=0))


@dataclass(frozen=True)
class BatchResult:
    """What came out, in the order of the batch's games."""

    turns: Whole
    """(games,) How long each game lasted."""
    finals: Floats
    """(seats, games) What each seat held at the end."""
    turns_in: Whole
    """(seats, games) In how many turns each seat decided."""
    figures: Mapping[str, Floats]
    """(seats, games) What else is told of each seat."""
    higher: bool = True
    """Whether the higher final is the better one."""

    @property
    def wins(self) -> Floats:
        """(seats, games) 1 for the winner; seats that tie share it."""
        finals = rounded(self.finals) if self.higher else -rounded(self.finals)
        finals = np.where(np.isnan(finals), -np.inf, finals)  # who has no final cannot win
        best = finals == finals.max(axis=0)
        return np.asarray(best / best.sum(axis=0), dtype=np.float64)

    @property
    def player_turns(self) -> int:
        """How many decisions were made."""
        return int(self.turns_in.sum())
