"""Plays many games of one experiment, one after another, and hands each on as soon as it is over."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any

from ostrom.arena.match import Match, play_match
from ostrom.games.registry import Game
from ostrom.players.base import Contestant
from ostrom.table import GameChance


def play_games(
    game: Game,
    rules: Any,
    contestants: Sequence[Contestant],
    tables: Iterable[Sequence[int]],
    seed: int,
    done: Container[int] = (),
) -> Iterator[tuple[int, Match]]:
    """Play a game at every table: the contestants at these places, in the order of the seats. The number of a game is
    that of its table; those in `done` were played before and are left out."""
    for number, table in enumerate(tables):
        if number not in done:
            yield number, play_match(game, rules, [contestants[place] for place in table], GameChance(seed, number))
