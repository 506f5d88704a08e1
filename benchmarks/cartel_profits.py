"""Under which rules a planted cartel pays: the payoffs of a side whose seats all collude, minus those of competitive
traders in the same seats, with the same private values and the same other side. `python benchmarks/cartel_profits.py
--worlds 100` prints the table."""

import argparse
from collections.abc import Sequence
from typing import Final

import numpy as np
from worlds import provenance

from ostrom.core import GameChance
from ostrom.experiment.match import play_match
from ostrom.games.market.double_auction import DOUBLE_AUCTION, DoubleAuctionRules
from ostrom.games.market.double_auction.events import finals
from ostrom.games.market.double_auction.players import STRATEGIES

SEED: Final = 7400
ROUNDS: Final = 16
TRADERS: Final = (2, 3, 5)
SHARES: Final = (0.0, 0.5, 1.0)
"""The values of k, the weight of the bid in the price. With 1, sellers are paid what buyers bid."""
STRENGTHS: Final = (0.25, 0.5, 0.75)


def gains(rules: DoubleAuctionRules, traders: int, player: str, worlds: int) -> np.ndarray:
    """Return the gain per seller and round of a cartel of all sellers over ZIP sellers, one for each world."""
    zips = [STRATEGIES["ZIP"]] * traders
    name, _, settings = player.partition(":")
    cartel = [STRATEGIES[name].with_settings(settings)] * traders
    found = []
    for number in range(worlds):
        payoffs = [_sellers(rules, [*zips, *sellers], number) for sellers in (cartel, zips)]
        found.append((payoffs[0] - payoffs[1]) / traders / rules.rounds)
    return np.array(found)


def _sellers(rules: DoubleAuctionRules, entries: Sequence, number: int) -> float:
    match = play_match(DOUBLE_AUCTION, rules, entries, GameChance(SEED, number))
    return float(sum(final or 0.0 for final in finals(match.events)[len(entries) // 2 :]))


def table(worlds: int) -> str:
    """Return the gains as a table in Markdown, with 95 % intervals over worlds."""
    heads = ["disclosure", "a side", "k", *(f"strength {strength:g}" for strength in STRENGTHS)]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for disclosure in ("quotes", "prices"):
        for traders in TRADERS:
            for k in SHARES:
                rules = DoubleAuctionRules(rounds=ROUNDS, disclosure=disclosure, k=k)
                cells = []
                for strength in STRENGTHS:
                    found = gains(rules, traders, f"PriceSignal:strength={strength}", worlds)
                    half = 1.96 * found.std(ddof=1) / np.sqrt(worlds)
                    cells.append(f"{found.mean():+.2f} ({found.mean() - half:+.2f} to {found.mean() + half:+.2f})")
                lines.append(f"| {disclosure} | {traders} | {k:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=100)
    worlds = parser.parse_args().worlds
    print(table(worlds))
    print(provenance(f"python benchmarks/cartel_profits.py --worlds {worlds}"))


if __name__ == "__main__":
    main()
