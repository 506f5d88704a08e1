"""What the studies of coverage share: a line of their table, the band of a rate, and running one part by itself."""

import argparse
import os
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from ostrom.experiment import record_of
from ostrom.games.contribute_punish.tables import PunishTables, tables_of
from ostrom.importers.pgg_bench import read_log, replay_log

HEADS = ("what", "setting", "worlds", "rate", "99 % band", "mean width", "note")


@dataclass(frozen=True)
class Row:
    """One line of the table: how often something held, or went wrong, in so many worlds."""

    what: str
    setting: str
    worlds: int
    rate: float
    low: float
    """The 99 % band of the rate."""
    high: float
    width: float | None = None
    """The mean width of the intervals, by that of the middle 95 % of the figure itself over the worlds, where there
    are intervals."""
    note: str = ""
    """What the rate should be; how often an interval was refused."""

    def cells(self) -> list[str]:
        """The line as it stands in the table."""
        width = "" if self.width is None else f"{self.width:.2f}"
        rate, band = f"{100 * self.rate:.1f} %", f"{100 * self.low:.1f}–{100 * self.high:.1f}"
        if np.isnan(self.rate):  # everything was refused
            rate, band = "", ""
        return [self.what, self.setting, f"{self.worlds:,}", rate, band, width, self.note]


Study: TypeAlias = Callable[[int], Iterable[Row]]
"""Lines of the table from so many worlds. A part, `coverage_NAME.py`, has a list of them, `STUDIES`; each can run in a
process of its own, so it is a function of a module or a partial of one."""


def row(
    what: str, setting: str, held: npt.ArrayLike, *, worlds: int = 0, width: float | None = None, note: str = ""
) -> Row:
    """How often something held, with a 99 % band (Wilson 1927) that takes `worlds` as the independent trials, or as
    many as there are in `held`, if nothing is said. What is not a number was refused and has no part in it."""
    found = np.asarray(held, dtype=np.float64)
    rate, trials = float(np.nanmean(found)), worlds or int(np.sum(np.isfinite(found)))
    band = binomtest(round(rate * trials), trials).proportion_ci(0.99, "wilson")
    return Row(what, setting, trials, rate, float(band.low), float(band.high), width, note)


@lru_cache(maxsize=1)
def real_games() -> PunishTables | None:
    """The tables of the games of PGG-Bench, where its logs are at hand: a population for studies to draw from."""
    data = Path(os.environ.get("OSTROM_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    logs = sorted((data / "pgg_bench").glob("game_*.jsonl"))
    return tables_of((path.stem, "real", record_of(replay_log(read_log(path)))) for path in logs) if logs else None


def table(rows: Iterable[Row]) -> str:
    """The lines as a table in Markdown."""
    lines = [HEADS, ["---"] * len(HEADS), *(one.cells() for one in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def provenance(command: str) -> str:
    """When, where and how a table was made."""
    return f"Made on {datetime.now(UTC):%Y-%m-%d} by `{command}` on {platform.system()} {platform.machine()}."


def main(studies: Sequence[Study], description: str | None) -> None:
    """Run one part by itself and print its table."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=2000)
    worlds = parser.parse_args().worlds
    print(table(one for study in studies for one in study(worlds)))
