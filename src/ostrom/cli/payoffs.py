"""`ostrom payoffs`: what played games of the battery paid, to whom, in which role and against whom."""

from typing import TYPE_CHECKING, Annotated

import typer

from ostrom.cli import options as opt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ostrom.analysis.payoffs import Payoffs
    from ostrom.cli.output import Sheet


def payoffs(
    experiment: Annotated[str | None, typer.Option(metavar="EXPERIMENT", help="The games of this one only.")] = None,
    without_defaulted: Annotated[
        bool, typer.Option("--without-defaulted", help="Leave out games with a defaulted answer.")
    ] = False,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Show realised payoffs of played games: trust, ultimatum, stag hunt and the others."""
    from ostrom.analysis.payoffs import realised_payoffs
    from ostrom.cli.output import out, print_json
    from ostrom.cli.store import open_journal
    from ostrom.core import InputError

    with open_journal(store) as journal:
        found = realised_payoffs(journal.records(experiment), without_defaulted=without_defaulted)
        if not found and without_defaulted and realised_payoffs(journal.records(experiment)):
            raise InputError("every played game here has a defaulted answer; without them nothing is left")
    if not found:
        raise InputError("there are no played games of the battery here; 'ostrom bench trust --include …' plays some")
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


def _sheet(game: str, found: "Sequence[Payoffs]") -> "Sheet":
    """A row a player: its mean payoff, by seat, and against each of the others."""
    from ostrom.cli.output import Column, Sheet

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


def _mean(one: "Payoffs | None") -> str:
    return "–" if one is None or one.payoff.value is None else f"{one.payoff.value:,.2f}"
