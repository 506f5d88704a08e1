"""How games of Contribute & Punish are laid out in tables and in JSON."""

from typing import Any

from ostrom.cli.output import Column, Sheet
from ostrom.core import Seat
from ostrom.core.counts import number_of
from ostrom.experiment import Match
from ostrom.games.contribute_punish.events import Contributed, GameEnded, Punished


def final_standings(match: Match) -> list[dict[str, Any]]:
    """Every seat of a finished game, the richest first; equal balances share a rank."""
    end = match.events[-1]
    assert isinstance(end, GameEnded)
    rounds = [event for event in match.events if isinstance(event, Contributed)]
    hits = [event for event in match.events if isinstance(event, Punished)]
    rows = [
        {
            "rank": 1 + sum(other > end.balances[seat] for other in end.balances),
            "seat": seat,
            "label": Seat(seat).label,
            "name": name,
            "final": end.balances[seat],
            "contributed": sum(event.contributions[seat] for event in rounds),
            "spent": sum(event.spend for event in hits if event.punisher == seat),
            "lost": sum(event.damage for event in hits if event.target == seat),
        }
        for seat, name in enumerate(match.names)
    ]
    return sorted(rows, key=lambda row: (row["rank"], row["seat"]))


def game_sheet(match: Match) -> Sheet:
    """A game for people."""
    rows = final_standings(match)
    where = f"seed {match.seed}" if match.seed is not None else "imported"
    number = f", game {match.number}" if match.number else ""
    return Sheet(
        title=f"Contribute & Punish · {where}{number} · {number_of(match.rules.rounds, 'round')}",
        columns=[
            Column("#", number=True),
            Column("seat"),
            Column("player"),
            Column("tokens", number=True),
            Column("contributed", number=True, spare=3),
            Column("spent on punishment", number=True, spare=2),
            Column("lost to it", number=True, spare=1),
        ],
        rows=[
            [
                str(row["rank"]),
                row["label"],
                row["name"],
                *(f"{row[key]:,}" for key in ("final", "contributed", "spent", "lost")),
            ]
            for row in rows
        ],
        best=sum(row["rank"] == 1 for row in rows),
    )
