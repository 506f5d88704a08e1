"""What played games of the battery paid: realised payoffs of every player, in each role and against each other one.
Games are the independent units."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ostrom.games.battery.played import PLAYED
from ostrom.journal.record import GameRecord
from ostrom.table.estimates import Estimate, clustered_mean

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
    payoff: Estimate
    """The mean with its 95 % interval over games; no interval from one game."""


def realised_payoffs(records: Iterable[tuple[str, str, GameRecord]]) -> list[Payoffs]:
    """The mean payoff of every player: in all its games, by seat where there are two, and against each other one."""
    paid: dict[tuple[str, str, int | None, str | None], list[tuple[str, float]]] = defaultdict(list)
    for id_, _, record in records:
        if record.game not in _NAMES:
            continue
        payoffs = next(event["payoffs"] for event in record.events if event["event"] == "game_ended")
        names = [seat.player for seat in record.seats]
        for seat, (name, payoff) in enumerate(zip(names, payoffs, strict=True)):
            paid[record.game, name, None, None].append((id_, payoff))
            if len(names) == 2:
                paid[record.game, name, seat, None].append((id_, payoff))
                paid[record.game, name, None, names[1 - seat]].append((id_, payoff))
    return [
        Payoffs(*key, len({id_ for id_, _ in entries}), _mean(entries))
        for key, entries in sorted(paid.items(), key=lambda item: tuple(str(part or "") for part in item[0]))
    ]


def _mean(entries: list[tuple[str, float]]) -> Estimate:
    # Records come game by game, so what a game paid stands together.
    per_game = Counter(id_ for id_, _ in entries)
    return clustered_mean(np.asarray([payoff for _, payoff in entries]), np.asarray(list(per_game.values())))
