"""How often a conclusion about a player is drawn if names mean nothing: the players of the 580 games of PGG-Bench are
exchanged at random within each game, all measures are computed again, and conclusions are drawn. A share of worlds with
any conclusion of at most 5 % is right.

    python benchmarks/conclusions_null.py --worlds 200
"""

import argparse
import time
from collections.abc import Callable

import polars as pl
from scipy.stats import binomtest
from worlds import real_games

from ostrom.analysis.conclusions import SHUFFLES, conclusions_of, shuffled_names
from ostrom.analysis.study import study_of


class Measured(dict[str, pl.DataFrame]):
    """Measures by name, each computed when it is used, as few worlds use any."""

    def __init__(self, compute: Callable[[str], pl.DataFrame]) -> None:
        self._compute = compute

    def __missing__(self, name: str) -> pl.DataFrame:
        self[name] = self._compute(name)
        return self[name]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--shuffles", type=int, default=SHUFFLES)
    options = parser.parse_args()
    tables = real_games()
    if tables is None:
        raise SystemExit("there is no foreign data; OSTROM_DATA names its folder")
    study = study_of(tables)
    begun, stated, about = time.perf_counter(), 0, 0
    for world in range(options.worlds):
        shuffled = shuffled_names(tables, seed=world + 1)
        measured = Measured(lambda name, of=shuffled: study.measures[name].function(of))
        drawn = conclusions_of(study, shuffled, measured, shuffles=options.shuffles)
        stated += bool(drawn)
        about += len(drawn)
    band = binomtest(stated, options.worlds).proportion_ci(0.95, method="wilson")
    print(
        f"{stated} of {options.worlds} worlds have a conclusion ({100 * stated / options.worlds:.1f} %, 95 % band "
        f"{100 * band.low:.1f} to {100 * band.high:.1f}); {about} conclusions in all; "
        f"{time.perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
