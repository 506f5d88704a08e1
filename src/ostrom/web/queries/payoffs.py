"""What games paid: every player's mean final, by seat, and against each other one."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ostrom.analysis.standing import Payoffs, realised_payoffs
from ostrom.analysis.study import NothingLeft, Study
from ostrom.charts.families import Cast
from ostrom.web.queries.filters import Filters, choose
from ostrom.web.queries.ratings import span_of
from ostrom.web.queries.studies import studies_here
from ostrom.web.service import Service
from ostrom.web.shapes.base import Span
from ostrom.web.shapes.payoffs import PayoffGame, PayoffRow, PayoffTable


def payoff_table(service: Service, filters: Filters) -> PayoffTable:
    """The payoffs of the games that the filters choose; without a kind, of every game that is played here."""
    kinds = [one.command for one in studies_here(service) if isinstance(one, Study)]
    found = []
    for kind in kinds if filters.kind is None else [filters.kind]:
        try:
            chosen = choose(service, replace(filters, kind=kind))
        except NothingLeft:
            continue
        paid = service.findings.kept(("payoffs", chosen.key), partial(realised_payoffs, chosen.tables))
        found.append(_game(chosen.study, paid, chosen.cast))
    return PayoffTable(games=found)


def _game(study: Study[Any], found: Sequence[Payoffs], cast: Cast) -> PayoffGame:
    cells = {(one.player, one.seat, one.against): one for one in found}
    whole = [one for one in found if one.seat is None and one.against is None]
    # Who was paid the same stands in the order of names.
    players = [one.player for one in sorted(whole, key=lambda one: (-(one.payoff.value or 0.0), one.player))]
    seats = sorted({one.seat for one in found if one.seat is not None})
    paired = bool(seats)
    rows = [
        PayoffRow(
            player=player,
            label=cast.label(player),
            games=cells[player, None, None].games,
            defaulted=cells[player, None, None].defaulted,
            payoff=span_of(cells[player, None, None].payoff),
            seats=[_span_of(cells.get((player, seat, None))) for seat in seats],
            against=[_span_of(cells.get((player, None, other))) for other in players] if paired else [],
        )
        for player in players
    ]
    return PayoffGame(game=study.game.name, title=study.title, rows=rows)


def _span_of(one: Payoffs | None) -> Span | None:
    return None if one is None else span_of(one.payoff)
