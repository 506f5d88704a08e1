"""Run all benchmarks, each in a process of its own, and hand each the options given here.

With --json every benchmark prints one line of JSON."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = (
    "commons_speed.py",
    "typed_tournament.py",
    "market_tournament.py",
    "environment_steps.py",
    "evolution_speed.py",
    "repeated_tournament.py",
    "ratings_speed.py",
    "arena_peers.py",
    "arena_throughput.py",
    "web_api.py",
    "web_frames.py",
)


def main() -> int:
    """Run them one after another, since they would disturb each other's times; 1 if any of them failed."""
    here = Path(__file__).resolve().parent
    codes = [
        subprocess.run([sys.executable, here / name, *sys.argv[1:]], check=False).returncode for name in BENCHMARKS
    ]
    return int(any(codes))


if __name__ == "__main__":
    raise SystemExit(main())
