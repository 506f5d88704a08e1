"""How games of the battery are laid out in tables and in JSON: a played one by what it paid, stated choices by how many
were answered."""

from typing import Any

from ostrom.cli.output import Column, Sheet
from ostrom.core import Seat
from ostrom.experiment import Match
from ostrom.games.battery.events import TaskEnded
from ostrom.games.battery.played.ending import GameEnded


def final_standings(match: Match) -> list[dict[str, Any]]:
    """Every seat of a finished game: what it was paid, or how its questions were answered."""
    end = match.events[-1]
    if isinstance(end, TaskEnded):
        return [{"seat": 0, "name": match.names[0], "items": end.items, "valid": end.valid, "faults": end.faults}]
    assert isinstance(end, GameEnded)
    return [
        {"seat": seat, "label": Seat(seat).label, "name": name, "payoff": end.payoffs[seat]}
        for seat, name in enumerate(match.names)
    ]


def game_sheet(match: Match) -> Sheet:
    """A game for people."""
    rows = final_standings(match)
    title = f"{match.game.command} · seed {match.seed}"
    if match.game.instrument:
        columns = [Column("subject"), Column("asked", number=True), Column("valid", number=True)]
        return Sheet(title, columns, [[row["name"], str(row["items"]), str(row["valid"])] for row in rows])
    columns = [Column("seat"), Column("player"), Column("payoff", number=True)]
    return Sheet(title, columns, [[row["label"], row["name"], f"{row['payoff']:,.2f}"] for row in rows])
