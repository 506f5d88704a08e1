"""`ostrom show`: a game as readable text; and the final table and the JSON document of a game. Texts of models are
printed without control sequences."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from ostrom.charts.palette import with_names_and_colours
from ostrom.core import Event, InputError, RecordError, UnknownName
from ostrom.core.game import Game, figures_of, final_standings
from ostrom.core.outlets import legible
from ostrom.core.questions import distinct_names
from ostrom.core.telling import transcript_lines
from ostrom.core.text import number_of
from ostrom.experiment import Match
from ostrom.journal import GameRecord, read_record
from ostrom.journal.open import open_journal
from ostrom.journal.record import Narrator, read_events
from ostrom.terminal import options as opt
from ostrom.terminal.sheets import Column, Sheet, out

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A record file, or a game's id in the journal or the beginning of one.")
]


def find_record(game: str, store: str | None) -> GameRecord:
    """Return a record with the display names of players: from a file if there is one, else from the journal."""
    # os.path.exists returns False for invalid paths; Path.exists would raise.
    if os.path.exists(game):
        return with_names_and_colours(read_record(Path(game)))
    if os.sep in game or game.endswith(".json"):
        raise RecordError(f"there is no file {game}")
    return _from_journal(game, store)


def _from_journal(name: str, store: str | None) -> GameRecord:
    with open_journal(store) as journal:
        names = journal.names.known()
        try:
            return with_names_and_colours(journal.record(name), names)
        except UnknownName as unknown:
            ids = [row.id for row in journal.games() if row.id.startswith(name)] if name else []
            if not ids:
                raise unknown
            if len(ids) > 1:
                first = ", ".join(ids[:3])
                raise InputError(
                    f"the ids of {len(ids)} games begin with {name!r}: {first}, …; give more of the id; "
                    "'ostrom list journal' shows every game in the journal"
                ) from None
            return with_names_and_colours(journal.record(ids[0]), names)


def game_sheet(match: Match) -> Sheet:
    """Return the final table of a game for the terminal."""
    game = match.game
    rows = final_standings(game, match.rules, match.names, match.events)
    added = figures_of(game, match.rules, match.events)
    columns: dict[Column, Callable[[dict[str, Any]], str]] = {
        Column("#", number=True): lambda row: "–" if row["rank"] is None else str(row["rank"]),
        Column("seat"): lambda row: row["label"],
        Column("player"): lambda row: row["name"],
        Column(game.unit or "final", number=True): lambda row: _amount(row["final"]),
    }
    if game.finals is None:
        columns = {column: cell for column, cell in columns.items() if not column.number}
    shown = [figure for figure in added.figures if figure.heading]
    for place, figure in enumerate(shown):
        column = Column(figure.heading, number=True, spare=len(shown) - place)
        columns[column] = lambda row, figure=figure: figure.text(row[figure.key])  # type: ignore[misc]
    best = sum(row.get("rank") == 1 for row in rows)
    return Sheet.of(_title(match), rows, columns, caption=added.remark, best=best)


def game_document(match: Match, *, events: bool = False) -> dict[str, Any]:
    """Return a game as plain data."""
    document: dict[str, Any] = {
        "game": match.game.command,
        "seed": match.seed,
        "number": match.number,
        "turns": _length(match),
        "rules": match.rules.model_dump(mode="json"),
        "standings": final_standings(match.game, match.rules, match.names, match.events),
        "remark": figures_of(match.game, match.rules, match.events).remark,
    }
    if events:
        document["events"] = [event.as_record() for event in match.events]
    return document


def _title(match: Match) -> str:
    where = "imported" if match.seed is None else f"seed {match.seed}"
    number = f", number {match.number}" if match.number else ""
    length = _length(match)
    lasted = "" if length is None else f" · {number_of(length, match.game.clock)}"
    return f"{match.game.title} · {where}{number}{lasted}"


def _length(match: Match) -> int | None:
    """Return the number of turns or rounds, if its events have one."""
    counts = [getattr(event, "turn", None) or getattr(event, "round", None) for event in match.events]
    return max((count for count in counts if count is not None), default=None)


def _amount(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:z,.2f}"


def show(game: GameName, store: opt.Store = None) -> None:
    """Describe a game in words, from its record or from the journal."""
    record = find_record(game, store)
    out.print(legible(_heading(record)), soft_wrap=True)
    out.print()
    game_, rules, events = read_events(record)
    Narrator(game_, rules, len(record.seats)).tell(events)  # raises for most events that do not fit, with the reason
    print_story(game_, rules, events, [seat.name or seat.player for seat in record.seats])


def print_story(game: Game, rules: BaseModel, events: Sequence[Event], players: Sequence[str]) -> None:
    """Print every event of a game in words."""
    # Names are made legible first, so that columns line up.
    names = [legible(name) for name in distinct_names(players)]
    try:
        transcript = list(transcript_lines(game, rules, events, names))
    except (ArithmeticError, LookupError, ValueError):
        raise RecordError("the events of the record do not fit the game's table") from None
    for line in (line for lines in transcript for line in lines):
        # Characters that the terminal's encoding lacks are escaped.
        text = legible(line).encode(out.encoding, "backslashreplace").decode(out.encoding)
        out.print(text, soft_wrap=True)


def _heading(record: GameRecord) -> str:
    origin = "" if record.source is None else f", from {record.source}"
    return f"{record.game}{'' if record.seed is None else f', seed {record.seed}, number {record.number}'}{origin}"
