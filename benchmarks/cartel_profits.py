"""Under which rules a planted cartel pays: the payoffs of a side whose seats all collude, minus those of competitive
traders in the same seats, with the same private values and the same other side. `python benchmarks/cartel_profits.py
--worlds 100` prints the table by disclosure, traders and k, and `--anonymity` that of anonymous quotes and of random
ends."""

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
        found.append((payoffs[0][0] - payoffs[1][0]) / traders / payoffs[0][1])
    return np.array(found)


def _sellers(rules: DoubleAuctionRules, entries: Sequence, number: int) -> tuple[float, int]:
    """Return the payoffs of all sellers together, and the number of rounds, which the players do not influence."""
    match = play_match(DOUBLE_AUCTION, rules, entries, GameChance(SEED, number))
    payoff = float(sum(final or 0.0 for final in finals(match.events)[len(entries) // 2 :]))
    return payoff, match.events[-1].round


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


CONTINUATIONS: Final = (1.0, 0.9, 0.7)
"""The probabilities of another round after each round, up to 16 rounds."""


def anonymity_table(worlds: int) -> str:
    """Return the gains of both cartels with and without names of quotes, and with known and random ends."""
    players = [(name, strength) for name in ("PriceSignal", "TalkingCartel") for strength in (0.5, 0.75)]
    heads = ["quotes", "disclosure", "continuation", *(f"{name} {strength:g}" for name, strength in players)]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for anonymity in (False, True):
        for disclosure in ("quotes", "prices"):
            for continuation in CONTINUATIONS:
                rules = DoubleAuctionRules(
                    rounds=ROUNDS,
                    disclosure=disclosure,
                    anonymity=anonymity,
                    continuation=continuation,
                    messages="side",
                )
                cells = []
                for name, strength in players:
                    found = gains(rules, 3, f"{name}:strength={strength}", worlds)
                    half = 1.96 * found.std(ddof=1) / np.sqrt(worlds)
                    cells.append(f"{found.mean():+.2f} ({found.mean() - half:+.2f} to {found.mean() + half:+.2f})")
                named = "anonymous" if anonymity else "named"
                lines.append(f"| {named} | {disclosure} | {continuation:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--anonymity", action="store_true", help="vary names of quotes and random ends")
    options = parser.parse_args()
    print(anonymity_table(options.worlds) if options.anonymity else table(options.worlds))
    chosen = " --anonymity" if options.anonymity else ""
    print(provenance(f"python benchmarks/cartel_profits.py --worlds {options.worlds}{chosen}"))


if __name__ == "__main__":
    main()
