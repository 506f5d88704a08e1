"""The finding of a single game, with its story in words and its final table. This module also has the verb `show`,
which reads a game from a record or from the journal."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from ostrom.charts.palette import with_names_and_colours
from ostrom.core import Event, InputError, RecordError, UnknownName
from ostrom.core.finding import Column, Finding, Row, Table, number
from ostrom.core.game import Game, figures_of, final_standings
from ostrom.core.outlets import legible
from ostrom.core.questions import Seat, distinct_names
from ostrom.core.settings import Display, Settings
from ostrom.core.telling import transcript_lines
from ostrom.core.text import clean, number_of
from ostrom.core.verb import verb
from ostrom.experiment.match import Match
from ostrom.journal import GameRecord, read_record
from ostrom.journal.open import open_journal
from ostrom.journal.record import Narrator, read_events


class ShowSettings(Settings):
    """Settings of the verb `show`."""

    game: Annotated[str, Display(form="GAME", positional=True)] = Field(
        description="A record file, or the id of a game in the journal; the beginning of an id is enough."
    )


@verb("show", keeps=False)
def show(store: str | None, settings: ShowSettings) -> Finding:
    """Describe a game in words, from its record or from the journal."""
    record = find_record(settings.game, store)
    game, rules, events = read_events(record)
    # In most cases, this raises an error with the reason if the events do not fit the game.
    Narrator(game, rules, len(record.seats)).tell(events)
    names = [seat.name or seat.player for seat in record.seats]
    return describe_game(
        game,
        rules,
        events,
        names,
        seed=record.seed,
        game_number=record.number,
        heading=_heading(record),
        ended=record.finals is not None or game.finals is None,
    )


def find_record(game: str, store: str | None) -> GameRecord:
    """Return a record with the display names of players. The record is read from a file if there is one with this name,
    and otherwise from the journal."""
    # os.path.exists returns False for invalid paths; Path.exists would raise.
    if os.path.exists(game):
        return with_names_and_colours(read_record(Path(game)))
    if os.sep in game or game.endswith(".json"):
        raise RecordError(f"there is no file {game}")
    with open_journal(store) as journal:
        names = journal.names.known()
        try:
            return with_names_and_colours(journal.record(game, public=True), names)
        except UnknownName as unknown:
            ids = [row.id for row in journal.games() if row.id.startswith(game)] if game else []
            if not ids:
                raise unknown
            if len(ids) > 1:
                first = ", ".join(ids[:3])
                raise InputError(
                    f"the ids of {len(ids)} games begin with {game!r}: {first}, …; give more of the id; "
                    "'ostrom list journal' shows every game in the journal"
                ) from None
            return with_names_and_colours(journal.record(ids[0], public=True), names)


MAX_SHOWN_SOURCE: Final = 300
"""The largest number of characters of an imported game's source that are shown."""
MAX_SHOWN_TITLE: Final = 80
"""The largest number of characters of a game's title that are shown."""


def _heading(record: GameRecord) -> str:
    origin = "" if record.source is None else f", from {clean(record.source, MAX_SHOWN_SOURCE)}"
    title = clean(record.title or record.game, MAX_SHOWN_TITLE)
    return f"{title}{'' if record.seed is None else f', seed {record.seed}, number {record.number}'}{origin}"


def describe_match(match: Match, *, story: bool = False) -> Finding:
    """Return the finding of a game that was played: its final table and, with `story`, its story."""
    return describe_game(
        match.game, match.rules, match.events, match.names, seed=match.seed, game_number=match.number, story=story
    )


def describe_game(
    game: Game,
    rules: BaseModel,
    events: Sequence[Event],
    names: Sequence[str],
    *,
    seed: int | None,
    game_number: int,
    heading: str = "",
    story: bool = True,
    ended: bool = True,
) -> Finding:
    """Return the finding of a game. With `story`, its events are among the facts. Raise RecordError if the events do
    not fit the game."""
    length = _length(events, game.clock)
    try:
        told = list(_story(game, rules, events, names)) if story else []
        added = figures_of(game, rules, events) if ended else None
        standings = final_standings(game, rules, names, events) if ended else []
    except (ArithmeticError, LookupError, ValueError):
        raise RecordError("the events of the record do not fit the game's table") from None
    where = "imported" if seed is None else f"seed {seed}"
    lasted = "" if length is None else f" · {number_of(length, game.clock)}"
    title = f"{game.title} · {where}{f', number {game_number}' if game_number else ''}{lasted}"
    facts: dict[str, Any] = {
        "game": game.command,
        "seed": seed,
        "number": game_number,
        "turns": length,
        "rules": rules.model_dump(mode="json"),
        "standings": standings,
        "remark": added.remark if added is not None else "",
    }
    if story:
        facts["events"] = [event.as_record() for event in events]
    seats = ", ".join(f"{Seat(place).label} {name}" for place, name in enumerate(names))
    return Finding(
        verb="show",
        title=title,
        facts=facts,
        parts=[]
        if added is None
        else [_final_table(game, standings, added.figures, "" if heading else title, added.remark)],
        lines=[heading, f"Seats: {seats}"] if heading else [],
        transcript=told,
        game=game,
        rules=facts["rules"],
        seed=seed,
    )


def _story(game: Game, rules: BaseModel, events: Sequence[Event], players: Sequence[str]) -> list[str]:
    # Control characters in names are escaped before columns are laid out, so that the columns line up.
    names = [legible(name) for name in distinct_names(players)]
    return [line for lines in transcript_lines(game, rules, events, names, opening=True) for line in lines]


def _final_table(game: Game, standings: Sequence[Row], figures: Sequence[Any], title: str, remark: str) -> Table:
    columns = [number("rank", "#"), Column("label", "seat"), Column("name", "player")]
    columns.append(number("final", game.unit or "final", cell=_final_text))
    if game.finals is None:
        columns = [column for column in columns if not column.number]
    headed = [figure for figure in figures if figure.heading]
    for place, figure in enumerate(headed):

        def text(row: Row, figure: Any = figure) -> str:
            shown: str = figure.text(row[figure.key])
            return shown

        columns.append(number(figure.key, figure.heading, cell=text, spare=len(headed) - place))
    best = sum(row.get("rank") == 1 for row in standings)
    return Table("standings", columns, standings, title=title, caption=remark, best=best, in_json=False)


def _length(events: Sequence[Event], clock: str) -> int | None:
    """Return the number of turns or rounds, or of what else the game counts its time in. Return None if the events have
    no such number."""
    counts = [getattr(event, name, None) for event in events for name in ("turn", "round", clock)]
    return max((count for count in counts if isinstance(count, int)), default=None) or None


def _final_text(row: Row) -> str:
    value = row["final"]
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:z,.2f}"
