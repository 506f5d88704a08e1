"""How fast the Axelrod library plays. Run by the peer's own Python, which knows nothing of ours.

A player-turn is one decision by one player: a match of 100 turns is 200 of them. By itself this prints one line of
JSON. With --on-request it says who it is in one line, then plays once for each line that it reads and answers with a
line, so that its runs can be interleaved with those of others: it takes some 12 seconds to import."""

import argparse
import json
import statistics
import sys
import time

import axelrod

TURNS = 100
MATCHES = 500


def play(match: "axelrod.Match", matches: int = MATCHES) -> float:
    """Play the match under the seeds 0, 1, … and return player-turns per second."""
    started = time.perf_counter()
    for seed in range(matches):
        match.set_seed(seed)
        match.play()
    return matches * TURNS * len(match.players) / (time.perf_counter() - started)


def main() -> None:
    """Measure at once, or whenever a line comes in."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--on-request", action="store_true")
    options = parser.parse_args()
    # One match played again and again, as the library's own tournaments do. Random makes it stochastic, so that none is
    # answered from the library's cache of matches played before.
    match = axelrod.Match((axelrod.TitForTat(), axelrod.Random()), turns=TURNS, noise=0)
    play(match, MATCHES // 10)
    who = {"peer": "axelrod", "version": axelrod.__version__}
    if options.on_request:
        print(json.dumps(who), flush=True)
        for _ in sys.stdin:
            print(json.dumps({"player_turns_per_second": play(match)}), flush=True)
        return
    rates = [play(match) for _ in range(options.repeats)]
    median, best = statistics.median(rates), max(rates)
    print(json.dumps(who | {"player_turns_per_second": median, "best_player_turns_per_second": best}))


if __name__ == "__main__":
    main()
