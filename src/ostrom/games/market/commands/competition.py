"""Competitive games with the values of another game, to which its quotes are compared."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Final

import numpy as np

from ostrom.core import Chance, GameChance
from ostrom.experiment.match import play_match
from ostrom.games.market.double_auction import DOUBLE_AUCTION, DoubleAuctionRules
from ostrom.games.market.double_auction.events import MarketCleared
from ostrom.games.market.double_auction.parallel import Floats, Parallel, parallel
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.players.strategy import StrategyEntry

MIXED: Final = "mixed"
"""The population in which every seat has a trader of its own, drawn from all."""
COMPETITIVE: Final = ("ZeroIntelligence", "ZIP", "GD", "Truthful")
"""The traders that are called competitive. Each acts on its own, without a regard for its side."""
POPULATIONS: Final = (*COMPETITIVE, MIXED)
DRAWN_TRADER: Final = "competitive-trader"
"""The purpose of the draws of traders in a mixed population."""


def traders(population: str, seats: int, chance: Chance) -> list[StrategyEntry]:
    """Return the traders of a game of a competitive population."""
    if population != MIXED:
        return [STRATEGIES[population]] * seats
    draws = [chance.uniform(DRAWN_TRADER, 0, seat) for seat in range(seats)]
    return [STRATEGIES[COMPETITIVE[int(draw * len(COMPETITIVE))]] for draw in draws]


def given_rules(rules: DoubleAuctionRules, values: Sequence[float]) -> DoubleAuctionRules:
    """Return the rules of a game with its values given, and without messages."""
    half = len(values) // 2
    given = ";".join(",".join(f"{value:.12g}" for value in side) for side in (values[:half], values[half:]))
    return rules.model_copy(update={"given": given, "messages": "none"})


def play_quotes(rules: DoubleAuctionRules, entries: Sequence[StrategyEntry], chance: Chance) -> Floats:
    """Play a game and return its quotes (rounds, seats)."""
    events = play_match(DOUBLE_AUCTION, rules, entries, chance).events
    return np.array([event.quotes for event in events if isinstance(event, MarketCleared)], dtype=np.float64)


def competitive_games(
    rules: DoubleAuctionRules, values: Sequence[float], games: int, seed: int, name: str = ""
) -> Mapping[str, list[Parallel]]:
    """Play this number of games of each competitive population with these values, and return their statistics. Other
    names, such as those of games, have other random draws. No truthful trader quotes beyond its private value, so all
    statistics of truthful games are 0, and they are not played."""
    if name:
        seed = int.from_bytes(sha256(f"{seed} {name}".encode()).digest()[:4])
    given = given_rules(rules, values)
    reference = {}
    for number, population in enumerate(name for name in POPULATIONS if name != "Truthful"):
        chances = [GameChance(seed, number * games + game) for game in range(games)]
        played = [play_quotes(given, traders(population, len(values), chance), chance) for chance in chances]
        reference[population] = [parallel(quotes, values, rules.max_price) for quotes in played]
    return reference
