"""How a finished game is shown: the final table for people, a document for programs. It knows no game; what a game has
to say beside its finals comes from its part `standings`."""

from typing import Any

from ostrom.core.game import figures_of, final_standings
from ostrom.core.text import number_of
from ostrom.experiment import Match
from ostrom.experiment.terminal import Column, Sheet


def game_sheet(match: Match) -> Sheet:
    """A finished game for people."""
    game = match.game
    rows = final_standings(game, match.rules, match.names, match.events)
    added = figures_of(game, match.rules, match.events)
    shown = [figure for figure in added.figures if figure.heading]
    ranked = game.finals is not None
    columns = [Column("#", number=True)] if ranked else []
    columns += [Column("seat"), Column("player")]
    columns += [Column(game.unit or "final", number=True)] if ranked else []
    columns += [Column(one.heading, number=True, spare=len(shown) - place) for place, one in enumerate(shown)]
    return Sheet(
        title=_title(match),
        columns=columns,
        rows=[
            [
                *([_text(row["rank"])] if ranked else []),
                row["label"],
                row["name"],
                *([_amount(row["final"])] if ranked else []),
                *(figure.text(row[figure.key]) for figure in shown),
            ]
            for row in rows
        ],
        caption=added.remark,
        best=sum(row.get("rank") == 1 for row in rows),
    )


def game_document(match: Match, *, events: bool = False) -> dict[str, Any]:
    """A finished game for programs."""
    document: dict[str, Any] = {
        "game": match.game.command,
        "seed": match.seed,
        "number": match.number,
        "turns": _length(match),
        "rules": match.rules.model_dump(mode="json"),
        "standings": final_standings(match.game, match.rules, match.names, match.events),
    }
    if events:
        document["events"] = [event.as_record() for event in match.events]
    return document


def _title(match: Match) -> str:
    where = "imported" if match.seed is None else f"seed {match.seed}"
    number = f", game {match.number}" if match.number else ""
    length = _length(match)
    lasted = "" if length is None else f" · {number_of(length, match.game.clock)}"
    return f"{match.game.title} · {where}{number}{lasted}"


def _length(match: Match) -> int | None:
    """How many turns or rounds it took, where its events say so."""
    counts = [getattr(event, "turn", None) or getattr(event, "round", None) for event in match.events]
    return max((count for count in counts if count is not None), default=None)


def _text(value: object) -> str:
    return "–" if value is None else str(value)


def _amount(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
