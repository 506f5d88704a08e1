"""How games and tournaments of the Commons are laid out in tables and in JSON."""

from typing import Any

from ostrom.cli.output import Column, Sheet
from ostrom.core import Seat
from ostrom.core.counts import number_of
from ostrom.core.estimates import Estimate
from ostrom.experiment import Match
from ostrom.games.commons.events import GameEnded, SeatExcluded, TurnPlayed
from ostrom.sim.tournament import TournamentResult


def final_standings(match: Match) -> list[dict[str, Any]]:
    """Every seat of a finished game, the richest first; equal capitals share a rank."""
    turns = [event for event in match.events if isinstance(event, TurnPlayed)]
    excluded = {event.seat: event.turn for event in match.events if isinstance(event, SeatExcluded)}
    end = _end(match)
    rows = []
    for seat, name in enumerate(match.names):
        played = [turn for turn in turns if turn.present[seat]]
        rows.append(
            {
                "rank": 1 + sum(round(other, 9) > round(end.capitals[seat], 9) for other in end.capitals),
                "seat": seat,
                "label": Seat(seat).label,
                "name": name,
                "capital": end.capitals[seat],
                "mean_contribution": sum(turn.contributions[seat] for turn in played) / len(played),
                "lobbied": sum(abs(turn.lobby[seat]) for turn in played),
                "excluded_after_turn": excluded.get(seat),
            }
        )
    return sorted(rows, key=lambda row: (row["rank"], row["seat"]))


def game_sheet(match: Match) -> Sheet:
    """A game for people."""
    last = [event for event in match.events if isinstance(event, TurnPlayed)][-1]
    rows = final_standings(match)
    lobbying, some_left = match.rules.lobbying, any(row["excluded_after_turn"] for row in rows)
    columns = [Column("#", number=True), Column("seat"), Column("player"), Column("capital", number=True)]
    columns += [Column("gave", number=True, spare=1)]
    columns += [Column("lobbied", number=True, spare=2)] if lobbying else []
    columns += [Column("excluded", number=True, spare=3)] if some_left else []
    number = f", game {match.number}" if match.number else ""
    sheet = Sheet(
        title=f"The Commons · seed {match.seed}{number} · {number_of(last.turn, 'turn')}",
        columns=columns,
        caption=f"at the end: synergy {last.next_synergy:.2f}, α {last.alpha:.3f}, cooperation {last.cooperation:.2f}",
        best=sum(row["rank"] == 1 for row in rows),
    )
    for row in rows:
        cells = [
            str(row["rank"]),
            row["label"],
            row["name"],
            f"{row['capital']:,.2f}",
            f"{row['mean_contribution']:.2f}",
        ]
        cells += [f"{row['lobbied']:,.2f}" if row["lobbied"] else ""] if lobbying else []
        cells += [f"turn {row['excluded_after_turn']}" if row["excluded_after_turn"] else ""] if some_left else []
        sheet.rows.append(cells)
    return sheet


def tournament_sheet(result: TournamentResult) -> Sheet:
    """A tournament for people."""
    schedule = result.schedule
    tables = "all at one table" if schedule.tables == 1 else f"{schedule.tables:,} tables of {schedule.seats}"
    rate = result.player_turns / result.seconds / 1e6
    return Sheet(
        title=f"The Commons, tournament · seed {result.seed} · {tables} · {number_of(result.games, 'game')}",
        columns=[
            Column("#", number=True),
            Column("player"),
            Column("wins %", number=True),
            Column("95 %", number=True, spare=2),
            Column("mean capital", number=True, spare=1),
            Column("median", number=True, spare=4),
            Column("of the median, 95 %", number=True, spare=5),
            Column("gave", number=True, spare=3),
        ],
        rows=[
            (
                str(standing.rank),
                standing.name,
                f"{100 * _known(standing.win_rate.value):.1f}",
                _range(standing.win_rate, lambda share: f"{100 * share:.1f}"),
                _spread(standing.mean_final, "{:,.0f}"),
                f"{standing.median_final.value:,.0f}",
                _range(standing.median_final, lambda capital: f"{capital:,.0f}"),
                _spread(standing.figures["contribution"], "{:.2f}"),
            )
            for standing in result.standings
        ],
        caption=f"{result.player_turns:,} decisions in {result.seconds:.1f} s, {rate:.1f} million/s, {result.backend}",
        best=sum(standing.rank == 1 for standing in result.standings),
    )


def _range(estimate: Estimate, form: Any) -> str:
    return "–" if estimate.low is None else f"{form(estimate.low)}–{form(estimate.high)}"


def _spread(estimate: Estimate, form: str) -> str:
    """The value and half the width of its interval."""
    value = form.format(estimate.value)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ± {form.format((estimate.high - estimate.low) / 2)}"


def _known(value: float | None) -> float:
    assert value is not None  # every player of a tournament holds a seat
    return value


def _end(match: Match) -> GameEnded:
    end = match.events[-1]
    assert isinstance(end, GameEnded)
    return end
