"""How long `ostrom ratings` takes as a whole command, over 580 and 20,000 games, beside the first version's way of
getting at what it rates: every event of every game decoded.

Both run in processes of their own, one right after the other, and the ratio is taken within such a pair, for the
machine may be noisy. Games are made up: the shape of the 580 games of PGG-Bench (five seats, ten rounds, every event),
their rows copied under new ids and seeds until there are enough. Also measured: tidy tables, made and then read again
from where they are kept."""

import argparse
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import run_experiment
from ostrom.journal.sql import Journal
from ostrom.players.roster import seat_players

PLAYED = 100
COMMAND = "from ostrom.cli.main import main; main()"
OLD_WAY = """
import sys
from ostrom.journal.sql import Journal
from ostrom.analysis.study import study_of_game
from ostrom.core.plugins import GAMES
with Journal.open(sys.argv[1]) as journal:
    study = study_of_game(GAMES["contribute_punish"])
    study.tables(journal.ended.records([row.id for row in journal.games(state="finished")]))
"""
TABLES = """
import sys
from ostrom.journal.sql import Journal
from ostrom.analysis.selection import study_tables
from ostrom.analysis.study import study_of_game
from ostrom.core.plugins import GAMES
with Journal.open(sys.argv[1]) as journal:
    study = study_of_game(GAMES["contribute_punish"])
    study_tables(journal, study, journal.ended.results([study.game.name]))
"""


def make_journal(file: Path, games: int) -> str:
    """A journal of so many games, its address."""
    url, punish = f"sqlite:///{file}", GAMES["contribute_punish"]
    part = Part(punish, punish.rules(), seat_players(punish.name), 5, min(PLAYED, games), 1)
    with Journal.open(url, create=True) as journal:
        run_experiment(Experiment((part,)), journal)
    if games > PLAYED:
        _copy_games(file, games)
    return url


def _copy_games(file: Path, games: int) -> None:
    """Copy games until there are so many, each with a seed of its own, so that none counts as a copy."""
    connection = sqlite3.connect(file)
    names = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in _COPIED}
    for number in range(PLAYED, games):
        source, serial = number % PLAYED + 1, number + 1
        changed = {"serial": str(serial), "id": f"'punish-1.{serial}'", "place": str(serial), "key": f"'{number}'"}
        changed |= {"seed": f"'{number}'", "game": str(serial)}
        for table, key in _COPIED.items():
            own = {key, *(("id", "place", "key", "seed") if table == "games" else ())}
            picked = ", ".join(changed[name] if name in own else name for name in names[table])
            connection.execute(f"INSERT INTO {table} SELECT {picked} FROM {table} WHERE {key} = {source}")
    connection.commit()
    connection.close()


_COPIED = {"games": "serial", "answers": "game", "events": "game"}


def seconds(program: str, *words: str) -> float:
    """How long a process of its own takes."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program, *words], check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[580, 20_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for games in given.games:
            url = make_journal(Path(folder) / f"{games}.db", games)
            made = seconds(TABLES, url)
            pairs = [(seconds(COMMAND, "ratings", "--store", url), seconds(OLD_WAY, url)) for _ in range(given.repeats)]
            rows.append(
                {
                    "games": games,
                    "command": statistics.median(ours for ours, _ in pairs),
                    "decoding": statistics.median(peer for _, peer in pairs),
                    "ratio": statistics.median(peer / ours for ours, peer in pairs),
                    "tables made": made,
                    "tables read again": statistics.median(seconds(TABLES, url) for _ in range(given.repeats)),
                }
            )
    if given.json:
        print(json.dumps({"ratings_command": rows}))
        return
    table = Table(title="ostrom ratings, whole command, in seconds; and decoding every event, without any rating")
    for name in rows[0]:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*(f"{value:,}" if name == "games" else f"{value:.2f}" for name, value in row.items()))
    Console().print(table)


if __name__ == "__main__":
    main()
