"""Makes a journal of many games for benchmarks of the lab: the logs of PGG-Bench are imported once, and every further
experiment holds the same games under new ids. The source of a game says which copy it is, so that a leaderboard counts
every one of them, as it would count games of their own.

    python benchmarks/many_games.py /tmp/many.db --games 10000
"""

import argparse
import os
from itertools import count, islice
from pathlib import Path

from ostrom.importers.pgg_bench import import_logs, logs_in
from ostrom.journal.engine import locate
from ostrom.journal.sql import Journal

LOGS = Path(os.environ.get("OSTROM_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")) / "pgg_bench"


def fill(store: str, games: int, logs: Path = LOGS) -> int:
    """Add games to the journal until it has so many; how many it has then."""
    with Journal.open(locate(store).url.render_as_string(hide_password=False), create=True) as journal:
        if not journal.experiments():
            import_logs(logs_in(logs), journal)
        first = journal.experiments()[0]
        kept = list(journal.records(first.id))
        finals = {row.id: row.finals for row in journal.games(first.id)}
        origins = {one.game: journal.origin(one.game) for one in kept}
        there = sum(row.games for row in journal.experiments())
        for number in count(len(journal.experiments()) + 1):
            if there >= games:
                return there
            experiment = journal.new_experiment(f"{first.name}, copy {number}", kind=first.kind)
            for one in islice(kept, games - there):
                record = one.record.model_copy(update={"source": f"copy {number} of {one.record.source}"})
                there += journal.add_game(
                    experiment, record, key=f"{number}.{one.game}", origin=origins[one.game], finals=finals[one.game]
                )
        raise AssertionError("unreachable: copies never end")


def main() -> None:
    """Make the journal that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", help="a path that ends in .db, or the URL of a PostgreSQL database")
    parser.add_argument("--games", type=int, default=10_000)
    wanted = parser.parse_args()
    print(f"{fill(wanted.store, wanted.games):,} games in {wanted.store}")


if __name__ == "__main__":
    main()
