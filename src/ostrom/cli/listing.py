"""`ostrom list`: what there is to play, and who there is to play it."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.cli import options as opt


class Kind(StrEnum):
    """What can be listed."""

    champions = "champions"
    games = "games"


def list_(
    kind: Annotated[Kind | None, typer.Argument(help="One kind only; without it, all.")] = None,
    players: opt.Players = None,
    json: opt.Json = False,
) -> None:
    """List champions and games."""
    from ostrom.cli.output import Column, Sheet, out, print_json

    kinds = [kind] if kind else list(Kind)
    rows = {wanted.value: _rows(wanted, players or []) for wanted in kinds}
    if json:
        print_json(dict(rows))
        return
    for name, entries in rows.items():
        *narrow, last = entries[0]
        columns = [*map(Column, narrow), Column(last, wraps=True)]
        out.print(Sheet(name, columns, [[str(value) for value in entry.values()] for entry in entries]))


def _rows(kind: Kind, players: list[Path]) -> list[dict[str, Any]]:
    if kind is Kind.games:
        from ostrom.games import GAMES

        return [
            {"name": game.name, "seats": f"{game.fewest_seats} to {game.most_seats:,}", "what": game.summary}
            for game in GAMES.values()
        ]
    from ostrom.players.champions import CHAMPIONS
    from ostrom.players.roster import load_installed, load_players_file

    load_installed()
    for file in players:
        load_players_file(file)
    return [
        {"name": entry.name, "from": entry.origin, "description": entry.description} for entry in CHAMPIONS.values()
    ]
