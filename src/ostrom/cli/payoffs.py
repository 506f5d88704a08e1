"""`ostrom payoffs`: what games paid, to whom, in which seat and against whom."""

from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from ostrom.analysis.standing import Payoffs, realised_payoffs
from ostrom.analysis.study import AnyStudy, NothingLeft, Study, studies_of, study_called
from ostrom.cli.studied import Part, tables_of_store
from ostrom.core import InputError
from ostrom.experiment import options as opt
from ostrom.experiment.options import open_journal
from ostrom.experiment.terminal import Column, Sheet, out, print_json


def payoffs(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Which game; all of the journal's.")] = None,
    experiment: Annotated[str | None, typer.Option(metavar="EXPERIMENT", help="The games of this one only.")] = None,
    without_defaulted: Annotated[
        bool, typer.Option("--without-defaulted", help="Leave out games with a defaulted answer.")
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Show what games paid every player: in all, and in games of two by seat and against each other one."""
    with open_journal(store) as journal:
        there = sorted({row.game for row in journal.games(experiment) if row.state == "finished"})
        here = [one for one in studies_of(there, journal) if isinstance(one, Study)]
    studies: list[AnyStudy] = [one for one in here if game in (None, one.command)]
    if game is not None and not studies:
        studies = [study_called(game)]
    without: Part | Literal[False] = Part.games if without_defaulted else False
    found, nothing = [], None
    for study in studies:
        try:
            tables = tables_of_store(store, experiment, without_defaulted=without, game=study.command)
        except NothingLeft as error:
            nothing = error
        else:
            found += realised_payoffs(tables)
    if not found:
        raise nothing or InputError("there are no played games here; 'ostrom bench GAME' plays some")
    if json:
        print_json(
            {
                "payoffs": [
                    {
                        "game": one.game,
                        "player": one.player,
                        "seat": one.seat,
                        "against": one.against,
                        "games": one.games,
                        "defaulted": one.defaulted,
                        "payoff": one.payoff.as_record(),
                    }
                    for one in found
                ]
            }
        )
        return
    for game in dict.fromkeys(one.game for one in found):
        out.print(_sheet(game, [one for one in found if one.game == game]))
        out.print()


def _sheet(game: str, found: Sequence[Payoffs]) -> Sheet:
    """A row a player: its mean payoff, by seat, and against each of the others."""
    players = list(dict.fromkeys(one.player for one in found))
    cells = {(one.player, one.seat, one.against): one for one in found}
    seats = sorted({one.seat for one in found if one.seat is not None})
    some = any(one.defaulted for one in found)
    others = [player for player in players if any(one.against == player for one in found)]
    columns = [
        Column("player", wraps=True),
        Column("games", number=True),
        Column("payoff", number=True),
        Column("95 % interval", number=True),
        *([Column("defaulted", number=True)] if some else []),
        *(Column(f"as seat {seat + 1}", number=True) for seat in seats),
        *(Column(f"vs {other}", number=True, spare=1 + place) for place, other in enumerate(others)),
    ]
    rows: list[Sequence[str]] = []
    for player in sorted(players, key=lambda name: -(cells[name, None, None].payoff.value or 0.0)):
        whole = cells[player, None, None]
        rows.append(
            [
                player,
                f"{whole.games:,}",
                _mean(whole),
                "–" if whole.payoff.low is None else f"{whole.payoff.low:,.2f} … {whole.payoff.high:,.2f}",
                *([f"{whole.defaulted:,}"] if some else []),
                *(_mean(cells.get((player, seat, None))) for seat in seats),
                *(_mean(cells.get((player, None, other))) for other in others),
            ]
        )
    return Sheet(f"{game.replace('_', ' ')}: realised payoffs", columns, rows)


def _mean(one: Payoffs | None) -> str:
    return "–" if one is None or one.payoff.value is None else f"{one.payoff.value:,.2f}"
