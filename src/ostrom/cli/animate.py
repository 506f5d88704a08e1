"""`ostrom animate`: a game as a film."""

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from ostrom.charts.film.film import FilmLook, film, format_of
from ostrom.charts.film.timeline import WORDS_PER_MINUTE
from ostrom.core.errors import InputError, UnknownName, field
from ostrom.findings.games import ShowSettings, find_record
from ostrom.journal import GameRecord
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import out
from ostrom.version import VERSION


def animate(
    game: Annotated[str, typer.Argument(metavar="GAME", help=ShowSettings.model_fields["game"].description)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write, .mp4 or .gif.")],
    speed: Annotated[float, typer.Option(help="Playback speed.")] = 1.0,
    words_per_minute: Annotated[
        float, typer.Option(metavar="WORDS", help="Reading speed of viewers; it sets how long messages stay.")
    ] = WORDS_PER_MINUTE,
    vertical: Annotated[
        bool,
        typer.Option(
            "--vertical", "--portrait", help="Draw the film upright, 1080×1920, for telephones, instead of 1920×1080."
        ),
    ] = False,
    rounds: Annotated[
        str | None,
        typer.Option(metavar="FIRST-LAST", help="Draw only these rounds, such as 8-10, or a single round, such as 8."),
    ] = None,
    highlights: Annotated[
        bool, typer.Option("--highlights", help="Draw only the turning points, in 30 to 60 seconds.")
    ] = False,
    font: Annotated[
        Path | None, typer.Option(metavar="FILE.ttf", help="A font for writing systems that the built-in font lacks.")
    ] = None,
    store: opt.Store = None,
) -> None:
    """Draw a game as a film: players, rules, messages, moves, standings and the winner."""
    format_of(output)  # This raises an error for a wrong extension before the journal is searched.
    chosen = _rounds_of(rounds)
    if highlights and chosen is not None:
        raise InputError(f"{field('highlights')} chooses the rounds itself: leave out {field('rounds')}")
    record = find_record(game, store)
    look = FilmLook(speed, words_per_minute, font, rounds=chosen, highlights=highlights)
    with games_bar("drawing", None, "frames") as advance:

        def draw_on(done: int, total: int) -> None:
            advance(completed=done, total=total)

        source = _source(game, record, store)
        drawing = film(record, output, look, source=source, upright=vertical, progress=draw_on)
    size = output.stat().st_size / 1e6
    out.print(f"{output}: {drawing.timeline.duration:.0f} s, {size:.1f} MB", soft_wrap=True)


def _rounds_of(text: str | None) -> tuple[int, int] | None:
    """Return the first and the last round of a text such as 8-10 or 8."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    if match is None:
        raise InputError(f"{field('rounds')} must be a round or a range, such as 8 or 8-10, got {text!r}")
    return int(match[1]), int(match[2] or match[1])


def _source(name: str, record: GameRecord, store: str | None) -> str:
    """Return the caption: the game, its date if known, and the version of Ostrom."""
    parts = [record.game.replace("_", " ").capitalize()]
    if not os.path.exists(name):
        with open_journal(store) as journal:
            try:
                id_ = journal.game_id(name)
            except UnknownName:  # The name is the beginning of an id.
                id_ = next(row.id for row in journal.games() if row.id.startswith(name))
            parts += [f"game {id_}", *([] if record.source is not None else [journal.pages.begun(id_)[:10]])]
    if record.source is not None:
        parts.append(f"from {record.source}")
    elif record.seed is not None:
        parts.append(f"seed {record.seed}")
    return " · ".join([*parts, f"Ostrom {VERSION}"])
