"""`ostrom animate`: a game as a film."""

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ostrom.charts.film.film import film, format_of
from ostrom.cli.games import GameName, find_record
from ostrom.experiment import options as opt
from ostrom.experiment.terminal import err, out


def animate(
    game: GameName,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The film: a name that ends in .mp4 or .gif.")
    ],
    speed: Annotated[float, typer.Option(help="How many times as fast; 10 rounds take 60 to 90 seconds at 1.")] = 1.0,
    font: Annotated[
        Path | None, typer.Option(metavar="FILE.ttf", help="A font for scripts that the built-in one lacks.")
    ] = None,
    store: opt.Store = None,
) -> None:
    """Draw a game as a film: what everybody says, does and holds."""
    format_of(output)  # a wrong name is told before a journal is searched
    record = find_record(game, store)
    with _bar() as bar:
        task = bar.add_task("drawing", total=None, rate="…")

        def progress(done: int, total: int) -> None:
            rate = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{rate:.0f}" if rate else "…")

        made = film(record, output, speed=speed, font=font, progress=progress)
    size = output.stat().st_size / 1e6
    out.print(f"{output}: {made.timeline.duration:.0f} s, {size:.1f} MB", markup=False, soft_wrap=True)


def _bar() -> Progress:
    """Frames done, frames a second and time left, on standard error; absent where nobody looks."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("frames, {task.fields[rate]}/s"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
