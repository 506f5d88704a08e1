"""`ostrom animate`: a game as a film."""

from pathlib import Path
from typing import Annotated

import typer

from ostrom.charts.film.film import film, format_of
from ostrom.cli.show import GameName, find_record
from ostrom.experiment import options as opt
from ostrom.experiment.terminal import games_bar, out


def animate(
    game: GameName,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write, .mp4 or .gif.")],
    speed: Annotated[float, typer.Option(help="Playback speed; at 1, ten rounds take 60 to 90 seconds.")] = 1.0,
    font: Annotated[
        Path | None, typer.Option(metavar="FILE.ttf", help="A font for scripts that the built-in one lacks.")
    ] = None,
    store: opt.Store = None,
) -> None:
    """Draw a game as a film: what everybody says, does and holds."""
    format_of(output)  # a wrong name is told before a journal is searched
    record = find_record(game, store)
    with games_bar("drawing", None, "frames") as advance:

        def draw_on(done: int, total: int) -> None:
            advance(completed=done, total=total)

        made = film(record, output, speed=speed, font=font, progress=draw_on)
    size = output.stat().st_size / 1e6
    out.print(f"{output}: {made.timeline.duration:.0f} s, {size:.1f} MB", soft_wrap=True)
