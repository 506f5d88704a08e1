"""What played games of the battery paid: realised payoffs of every player, in each role and against each other one.
Games are the independent units. In a game in which the fallback was entered for a seat, the payoffs of all seats are
owed to it: such games are counted, and can be left out."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ostrom.core import Provenance
from ostrom.core.estimates import Estimate, clustered_mean
from ostrom.games.battery.played import PLAYED
from ostrom.journal.record import GameRecord

_NAMES = {game.name for game in PLAYED}


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What one player was paid in one game, in one role (by seat; None for all) and against one other (None for
    all)."""

    game: str
    player: str
    seat: int | None
    against: str | None
    games: int
    defaulted: int
    """In how many of them the game answered in a player's place, whoever's."""
    payoff: Estimate
    """The mean with its 95 % interval over games; no interval from one game."""


def realised_payoffs(
    records: Iterable[tuple[str, str, GameRecord]], *, without_defaulted: bool = False
) -> list[Payoffs]:
    """The mean payoff of every player: in all its games, by seat where there are two, and against each other one. With
    `without_defaulted`, of games in which every answer is a player's own."""
    paid: dict[tuple[str, str, int | None, str | None], list[tuple[str, float]]] = defaultdict(list)
    defaulted: set[str] = set()
    for id_, _, record in records:
        if record.game not in _NAMES:
            continue
        if any(answer.provenance is Provenance.DEFAULTED for answer in record.answers):
            if without_defaulted:
                continue
            defaulted.add(id_)
        payoffs = next(event["payoffs"] for event in record.events if event["event"] == "game_ended")
        names = [seat.player for seat in record.seats]
        for seat, (name, payoff) in enumerate(zip(names, payoffs, strict=True)):
            paid[record.game, name, None, None].append((id_, payoff))
            if len(names) == 2:
                paid[record.game, name, seat, None].append((id_, payoff))
                paid[record.game, name, None, names[1 - seat]].append((id_, payoff))
    found = []
    for key, entries in sorted(paid.items(), key=lambda item: _place(*item[0])):
        games = {id_ for id_, _ in entries}
        found.append(Payoffs(*key, len(games), len(games & defaulted), _mean(entries)))
    return found


def _place(game: str, player: str, seat: int | None, against: str | None) -> tuple[str, str, int, str]:
    """By game and player; what holds for all of its games first, then by seat, then against each other one."""
    return game, player, -1 if seat is None and against is None else 2 if seat is None else seat, against or ""


def _mean(entries: list[tuple[str, float]]) -> Estimate:
    # Records come game by game, so what a game paid stands together.
    per_game = Counter(id_ for id_, _ in entries)
    return clustered_mean(np.asarray([payoff for _, payoff in entries]), np.asarray(list(per_game.values())))
