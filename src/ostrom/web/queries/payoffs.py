"""What played games of the battery paid: every player's mean payoff, by seat, and against each other one."""

from collections.abc import Sequence

from ostrom.analysis.payoffs import Payoffs, realised_payoffs
from ostrom.games.battery.charts.marks import subject_label
from ostrom.games.battery.played import PLAYED
from ostrom.journal.overview import GameRow
from ostrom.web.library import FINISHED, digest_of
from ostrom.web.queries.filters import experiment_ids
from ostrom.web.queries.games import title_of
from ostrom.web.service import Service
from ostrom.web.shapes.base import Span
from ostrom.web.shapes.payoffs import PayoffGame, PayoffRow, PayoffTable


def played_rows(service: Service) -> list[GameRow]:
    """All finished games of the battery that were played at a table."""
    ended = service.journal.ended
    # By name: a journal may hold far more games of other kinds.
    rows = (row for game in PLAYED for row in ended.games(game.name) if row.game == game.name)
    return [row for row in rows if row.state == FINISHED]


def payoff_table(service: Service, experiments: tuple[str, ...]) -> PayoffTable:
    """The payoffs of the games of these experiments, or of all."""
    ids = experiment_ids(service, experiments)
    games = [row.id for row in played_rows(service) if not ids or row.experiment in ids]
    found = service.findings.kept(
        ("payoffs", digest_of(games)), lambda: realised_payoffs(service.findings.library.records(games))
    )
    names = dict.fromkeys(one.game for one in found)
    return PayoffTable(games=[_game(name, [one for one in found if one.game == name]) for name in names])


def _game(name: str, found: Sequence[Payoffs]) -> PayoffGame:
    cells = {(one.player, one.seat, one.against): one for one in found}
    whole = [one for one in found if one.seat is None and one.against is None]
    # Who was paid the same stands in the order of names.
    players = [one.player for one in sorted(whole, key=lambda one: (-(one.payoff.value or 0.0), one.player))]
    seats = sorted({one.seat for one in found if one.seat is not None})
    paired = bool(seats)
    rows = [
        PayoffRow(
            player=player,
            label=subject_label(player),
            games=cells[player, None, None].games,
            defaulted=cells[player, None, None].defaulted,
            payoff=_span(cells[player, None, None]),
            seats=[_span_of(cells.get((player, seat, None))) for seat in seats],
            against=[_span_of(cells.get((player, None, other))) for other in players] if paired else [],
        )
        for player in players
    ]
    return PayoffGame(game=name, title=title_of(name), rows=rows)


def _span_of(one: Payoffs | None) -> Span | None:
    return None if one is None else _span(one)


def _span(one: Payoffs) -> Span:
    payoff = one.payoff
    return Span(value=payoff.value, low=payoff.low, high=payoff.high, reason=payoff.reason)
