"""What games paid: the mean final of every player, in each seat and against each other one. Games are the independent
units. In a game in which the fallback was entered for a seat, the finals of all seats are owed to it: such games are
counted, and can be left out."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

from ostrom.analysis.tables import GameTables
from ostrom.core.estimates import Estimate, clustered_mean


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What one player was paid in one game, in one role (by seat; None for all) and against one other (None for
    all)."""

    game: str
    """What records call it."""
    player: str
    seat: int | None
    against: str | None
    games: int
    defaulted: int
    """In how many of them the game answered in a player's place, whoever's."""
    payoff: Estimate
    """The mean with its 95 % interval over games; no interval from one game."""


def realised_payoffs(tables: GameTables) -> list[Payoffs]:
    """The mean payoff of every player: in all its games, and in games of two by seat and against each other one."""
    paid: dict[tuple[str, int | None, str | None], list[tuple[str, float]]] = defaultdict(list)
    defaulted = {game for game, count in tables.games.select("game", "defaulted").iter_rows() if count}
    seated: dict[str, list[tuple[int, str, float]]] = {}
    for game, seat, player, final in tables.seats.select("game", "seat", "player", "final").iter_rows():
        if final is not None:
            seated.setdefault(game, []).append((seat, player, final))
    for game, seats in seated.items():
        for seat, player, final in seats:
            paid[player, None, None].append((game, final))
            if len(seats) == 2:
                paid[player, seat, None].append((game, final))
                paid[player, None, seats[1 - seat][1]].append((game, final))
    found = []
    for key, entries in sorted(paid.items(), key=lambda item: _place(*item[0])):
        games = {game for game, _ in entries}
        found.append(Payoffs(tables.kind, *key, len(games), len(games & defaulted), _mean(entries)))
    return found


def _place(player: str, seat: int | None, against: str | None) -> tuple[str, int, str]:
    """By player; what holds for all of its games first, then by seat, then against each other one."""
    return player, -1 if seat is None and against is None else 2 if seat is None else seat, against or ""


def _mean(entries: list[tuple[str, float]]) -> Estimate:
    # Seats stand game by game, so what a game paid stands together.
    per_game = Counter(game for game, _ in entries)
    return clustered_mean(np.asarray([payoff for _, payoff in entries]), np.asarray(list(per_game.values())))
