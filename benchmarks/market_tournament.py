"""The speed of `ostrom tournament double-auction` as users type it, with eight seats of truthful, zero-intelligence and
linear traders, beside a plain Python loop of the same game in the same run. Two rates: of play, as the command prints
it, and of the whole command, with its start and its table.

The players change seats between roles, so the number of games is 48 times that of the option."""

from functools import partial
from pathlib import Path

from typed_tournament import command_rates, compare, loop_rate

LOOP = Path(__file__).resolve().parent / "peers" / "market_loop.py"
LOOP_GAMES = 1_000
TABLE = ("--include", "Truthful:3", "--include", "ZeroIntelligence:3", "--include", "Linear:2")
OPTIONS = ("double-auction", *TABLE, "--games", "20000")

if __name__ == "__main__":
    compare(__doc__, partial(loop_rate, LOOP, LOOP_GAMES), partial(command_rates, OPTIONS))
