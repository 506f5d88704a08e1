"""The speed of `ostrom tournament --games 20000` as users type it, beside a plain Python loop of the same game in the
same run. Two rates: of play, as the command prints it, and of the whole command, with its start and its table.

Run it with the interpreter of the installation to be measured, such as the one that `make demo` sets up."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

LOOP = Path(__file__).resolve().parent / "peers" / "commons_loop.py"
GAMES = 20_000
LOOP_GAMES = 1_000


def loop_rate(loop: Path = LOOP, games: int = LOOP_GAMES) -> float:
    """Return the decisions a second of the plain loop, without its start."""
    run = subprocess.run([sys.executable, loop, str(games)], capture_output=True, check=True)
    result = json.loads(run.stdout)
    return float(result["decisions"] / result["seconds"])


def command_rates(options: Sequence[str] = ("--games", str(GAMES))) -> tuple[float, float, str]:
    """Return the decisions a second of play, those of the whole command, and the engine."""
    words = [sys.executable, "-m", "ostrom", "tournament", *options, "--seed", "42", "--json"]
    start = time.perf_counter()
    run = subprocess.run(words, capture_output=True, check=True)
    elapsed = time.perf_counter() - start
    facts = json.loads(run.stdout)
    return facts["player_turns"] / facts["seconds"], facts["player_turns"] / elapsed, facts["backend"]


def compare(
    description: str | None, loop: Callable[[], float], command: Callable[[], tuple[float, float, str]]
) -> None:
    """Measure a loop and a command in turns, and print the medians of the ratios of neighbouring runs."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    command()  # The first run may compile the engine.
    pairs = [(loop(), *command()) for _ in range(arguments.repeats)]
    result = {
        "engine": pairs[0][3],
        "load": os.getloadavg()[0],
        "loop_per_second": statistics.median(loop for loop, *_ in pairs),
        "play_per_second": statistics.median(play for _, play, _, _ in pairs),
        "command_per_second": statistics.median(whole for _, _, whole, _ in pairs),
        "best_play_per_second": max(play for _, play, _, _ in pairs),
        "play_ratio": statistics.median(play / loop for loop, play, _, _ in pairs),
        "command_ratio": statistics.median(whole / loop for loop, _, whole, _ in pairs),
    }
    if arguments.json:
        print(json.dumps(result))
        return
    print(f"engine: {result['engine']}, load {result['load']:.1f}")
    print(f"plain loop: {result['loop_per_second'] / 1e6:.2f} million decisions a second")
    for name in ("play", "command"):
        rate, ratio = result[f"{name}_per_second"] / 1e6, result[f"{name}_ratio"]
        print(f"{name}: {rate:.1f} million decisions a second, {ratio:.0f} times the loop")
    print(f"best play: {result['best_play_per_second'] / 1e6:.1f} million decisions a second")


if __name__ == "__main__":
    compare(__doc__, loop_rate, command_rates)
