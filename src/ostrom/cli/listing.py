"""`ostrom list`: what there is to play, and who there is to play it."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.cli import options as opt


class Kind(StrEnum):
    """What can be listed."""

    champions = "champions"
    players = "players"
    games = "games"
    experiments = "experiments"


def list_(
    kind: Annotated[Kind | None, typer.Argument(help="One kind only; without it, all.")] = None,
    players: opt.Players = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """List champions of the Commons, players of Contribute & Punish, games, and the experiments of a journal."""
    from ostrom.cli.output import Column, Sheet, out, print_json

    # Experiments stand in a journal, which need not be there; they are listed when they are asked for.
    kinds = [kind] if kind else [every for every in Kind if every is not Kind.experiments]
    rows = {wanted.value: _rows(wanted, players or [], store) for wanted in kinds}
    if json:
        print_json(dict(rows))
        return
    for name, entries in rows.items():
        if not entries:
            out.print(f"no {name}")
            continue
        *narrow, last = entries[0]
        columns = [*map(Column, narrow), Column(last, wraps=True)]
        out.print(Sheet(name, columns, [[str(value) for value in entry.values()] for entry in entries]))


def _rows(kind: Kind, players: list[Path], store: str | None) -> list[dict[str, Any]]:
    if kind is Kind.experiments:
        from ostrom.cli.status import experiment_rows

        return experiment_rows(store)
    if kind is Kind.players:
        from ostrom.players.punishers import PUNISHERS

        return [{"name": player.name, "description": player.description} for player in PUNISHERS.values()]
    if kind is Kind.games:
        from ostrom.games import GAMES

        return [
            {"name": game.command, "seats": f"{game.fewest_seats} to {game.most_seats:,}", "what": game.summary}
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
