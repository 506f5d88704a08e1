"""The processor time of films of turning points, beside their own length. The encoder's time is included.

    python benchmarks/highlight_films.py STORE [--games 20]

Prints the worst of a sample that is spread evenly over the finished games of a journal, and every film of more than its
own length."""

import argparse
import resource
import tempfile
from itertools import cycle
from pathlib import Path

from ostrom.charts.film.film import FilmLook, film
from ostrom.journal.open import open_journal


def used() -> float:
    """The processor time of this process and of the encoders that have ended, in seconds."""
    times = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(time.ru_utime + time.ru_stime for time in times)


def main() -> None:
    """Draw a film of each game of the sample, portrait and landscape in turn."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("store")
    arguments.add_argument("--games", type=int, default=20)
    chosen = arguments.parse_args()
    ratios = []
    with open_journal(chosen.store) as journal, tempfile.TemporaryDirectory() as folder:
        rows = [row for row in journal.games() if row.state == "finished"]
        sample = rows[:: max(1, len(rows) // chosen.games)][: chosen.games]
        for row, upright in zip(sample, cycle((False, True)), strict=False):
            before = used()
            drawn = film(
                journal.pages.shown(row.id), Path(folder) / "film.mp4", FilmLook(highlights=True), upright=upright
            )
            seconds, length = used() - before, drawn.timeline.duration
            ratios.append((seconds / length, row.id))
            form = "portrait" if upright else "landscape"
            print(f"{row.id:14} {form:9} {length:5.1f} s long, {seconds:5.1f} s of processor time", flush=True)
    worst, name = max(ratios)
    over = sum(ratio >= 1 for ratio, _ in ratios)
    print(f"{len(ratios)} films: the worst took {worst:.2f} of its own length ({name}); {over} took more than theirs")


if __name__ == "__main__":
    main()
