"""How soon the lab answers with many games: every list, search and board of the pages, asked one after the other of a
real `ostrom serve` over the journal that `many_games.py` makes.

Cold: each address is asked for once, right after the server has been started. Warm: every route several times, with
other words, filters, orders and places each time, so that most answers are computed and not found ready; boards and
studies are asked for with the filters that their pages have. The figure is the 95th percentile of each route, as a
reader waits for it. The load of the machine is printed beside it.

    python benchmarks/many_games.py /tmp/many.db
    python benchmarks/lab_pages.py /tmp/many.db
"""

import argparse
import http.client
import os
import random
import statistics
import sys
import time
from collections import defaultdict
from urllib.parse import urlencode

from served_journal import served

from ostrom.analysis.highlights import HIGHLIGHTS, summarise
from ostrom.journal.engine import locate
from ostrom.journal.sql import Journal

WORDS = ("fair", "cooperate", "punish", "together", "trust", "all in", "betrayed", '"next round"', "contribute", "the")
ORDERS = ("begun", "players", "winner", "best", "course", "rounds", "state")


def addresses(players: list[str], experiments: list[str], games: int, chance: random.Random) -> dict[str, str]:
    """One address of each route, drawn."""

    def at(path: str, **query: object) -> str:
        return f"/api{path}?{urlencode(query, doseq=True)}"

    player, other, experiment = chance.choice(players), chance.choice(players), chance.choice(experiments)
    typed = " ".join(chance.sample(WORDS, chance.choice((1, 1, 2))))
    highlight = chance.choice(list(HIGHLIGHTS))
    return {
        "games, a page": at("/games", offset=chance.randrange(games), limit=25),
        "games, sorted": at("/games", sort=chance.choice(ORDERS), offset=chance.randrange(200), limit=25),
        "games by player and winner": at("/games", player=player, winner=other, offset=chance.randrange(9)),
        "games by what happened": at("/games", highlight=highlight, sort="best", offset=chance.randrange(200)),
        "games by words": at("/games", text=f"{player[:6]} {chance.randrange(9)}", offset=chance.randrange(20)),
        "games of an experiment": at("/games", experiment=experiment, outcome="won", offset=chance.randrange(500)),
        "neighbours of a game": at(
            f"/games/{experiment}.{1 + chance.randrange(400)}/beside", player=player, sort="best"
        ),
        "messages, a page": at("/messages", offset=chance.randrange(30 * games), limit=50),
        "messages by words": at("/messages", text=typed, offset=chance.randrange(100)),
        "messages by words, newest": at("/messages", text=typed, sort="newest", around=2, offset=chance.randrange(100)),
        "messages by words and player": at("/messages", text=typed, player=player),
        "messages by words, player, promise": at("/messages", text=typed, player=player, promise="broken"),
        "messages of an experiment": at("/messages", text=typed, experiment=experiment, offset=chance.randrange(100)),
        "experiments": at("/experiments", offset=chance.randrange(9)),
        "an experiment": at(f"/experiments/{experiment}"),
        "studies": at("/studies"),
        "ratings": at("/ratings", kind="punish"),
        "ratings of an experiment": at("/ratings", kind="punish", experiment=experiment),
        "charts": at("/charts", kind="punish"),
        "a chart": at("/charts/winnings", kind="punish"),
        "names": at("/names"),
        "quotes": at("/quotes"),
    }


def ask(port: int, address: str, patience: float) -> tuple[float, int]:
    """Seconds until the answer was there, and its status; 0 where it was not there in time."""
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    try:
        connection.request("GET", address, headers={"Host": "127.0.0.1", "Accept-Encoding": "gzip"})
        reply = connection.getresponse()
        reply.read()
        return time.perf_counter() - began, reply.status
    except TimeoutError:
        return time.perf_counter() - began, 0
    finally:
        connection.close()


def main() -> None:
    """Measure the journal that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", help="as many_games.py made it")
    parser.add_argument("--times", type=int, default=20, help="how often each route is asked for")
    parser.add_argument("--patience", type=float, default=120, help="seconds after which an answer is given up")
    wanted = parser.parse_args()
    url = locate(wanted.store).url.render_as_string(hide_password=False)
    with Journal.open(url) as journal:
        began, lacking = time.perf_counter(), journal.summaries.count_lacking()
        summarise(journal, float("inf"))
        print(f"looked at {lacking:,} games in {time.perf_counter() - began:.0f} s")
        heads = journal.ended.experiment_heads()
        games = journal.pages.games(limit=1).total
        players = sorted({player for some in journal.pages.seated().values() for player in some})
    chance, experiments = random.Random(1), [head["id"] for head in heads]
    command = [sys.executable, "-m", "ostrom", "serve", "--store", wanted.store, "--port"]
    with served(command) as port:
        cold = {
            name: ask(port, address, wanted.patience)[0]
            for name, address in addresses(players, experiments, games, chance).items()
        }
        warm = defaultdict(list)
        for _ in range(wanted.times):
            for name, address in addresses(players, experiments, games, chance).items():
                took, status = ask(port, address, wanted.patience)
                if status not in (200, 404):
                    print(f"{status} {address}")
                warm[name].append(took)
    print(f"{games:,} games; load {os.getloadavg()[0]:.1f}")
    print(f"{'':32}{'first':>9}{'median':>9}{'p95':>9}  ms")
    for name, took in warm.items():
        most = statistics.quantiles(took, n=20)[-1]
        print(f"{name:32}{cold[name] * 1000:9.0f}{statistics.median(took) * 1000:9.0f}{most * 1000:9.0f}")


if __name__ == "__main__":
    main()
