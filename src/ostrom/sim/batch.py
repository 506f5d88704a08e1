"""A batch: many games of one size, who sits where in each, and what came out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ostrom.core.arrays import rounded
from ostrom.games.commons.players import ChampionEntry
from ostrom.games.commons.rules import CommonsRules

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Games to be played under one set of rules."""

    rules: CommonsRules
    cast: Sequence[ChampionEntry]
    """The champions that may sit at a table, each once."""
    seating: Whole
    """(seats, games) For each seat of each game, the place of its champion in `cast`."""
    games: Whole
    """(games,) The number of each game, which names its draws of chance."""
    seed: int

    @property
    def one_table(self) -> bool:
        """Whether the same champions sit at the same seats in every game."""
        return bool((self.seating == self.seating[:, :1]).all())

    @property
    def may_exclude(self) -> bool:
        """Whether a seat can ever be voted out: it takes two votes, and so two seats that ever vote."""
        if not self.rules.voting:
            return False
        votes = np.asarray([entry.rows is None or entry.rows.votes for entry in self.cast])
        return bool((votes[self.seating].sum(axis=0) >= 2).any())

    @property
    def may_lobby(self) -> bool:
        """Whether a seat can ever lobby."""
        return self.rules.lobbying and any(entry.rows is None or entry.rows.lobbies for entry in self.cast)


@dataclass(frozen=True)
class BatchResult:
    """What came out, in the order of the batch's games."""

    turns: Whole
    """(games,) How long each game lasted."""
    capital: Floats
    """(seats, games) What each seat held at the end."""
    contribution: Floats
    """(seats, games) What each seat gave on average, over the turns in which it was in the game."""
    turns_in: Whole
    """(seats, games) In how many turns each seat was in the game."""

    @property
    def wins(self) -> Floats:
        """(seats, games) 1 for the winner; seats that tie share it."""
        capital = rounded(self.capital)
        best = capital == capital.max(axis=0)
        return np.asarray(best / best.sum(axis=0), dtype=np.float64)

    @property
    def player_turns(self) -> int:
        """How many decisions were made."""
        return int(self.turns_in.sum())
