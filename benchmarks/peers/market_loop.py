"""A call market as a plain Python loop: four buyers and four sellers, one game of ten rounds after another, without a
record. The yardstick for what an engine gains. `python market_loop.py GAMES` prints decisions and seconds as JSON."""

import json
import math
import random
import sys
import time

SEATS, ROUNDS, HIGHEST, LEAST = 8, 10, 100, 3
HALF = SEATS // 2
TRADERS = ("truthful",) * 3 + ("random",) * 3 + ("linear",) * 2


def surplus(values: list[int]) -> int:
    pairs = zip(sorted(values[:HALF], reverse=True), sorted(values[HALF:]), strict=True)
    return sum(max(0, value - cost) for value, cost in pairs)


def draw_values(chance: random.Random) -> list[int]:
    while True:
        values = [chance.randrange(HIGHEST) + (seat < HALF) for seat in range(SEATS)]
        if surplus(values) >= LEAST:
            return values


def quote(trader: str, buys: bool, value: int, chance: random.Random) -> int:
    if trader == "truthful":
        return value
    if trader == "random":
        return chance.randint(0, value) if buys else chance.randint(value, HIGHEST)
    if buys:
        return min(value, math.floor(2 * value / 3 + HIGHEST / 12 + 1e-9))
    return max(value, math.ceil(2 * value / 3 + HIGHEST / 4 - 1e-9))


def play(traders: list[str], chance: random.Random) -> list[float]:
    values = draw_values(chance)
    payoffs = [0.0] * SEATS
    for _ in range(ROUNDS):
        quotes = [quote(trader, seat < HALF, values[seat], chance) for seat, trader in enumerate(traders)]
        luck = [chance.random() for _ in range(SEATS)]
        buyers = sorted(range(HALF), key=lambda seat: (-quotes[seat], luck[seat]))
        sellers = sorted(range(HALF, SEATS), key=lambda seat: (quotes[seat], luck[seat]))
        for buyer, seller in zip(buyers, sellers, strict=True):
            if quotes[buyer] < quotes[seller]:
                break
            both = quotes[buyer] + quotes[seller]
            price = both // 2 + (both % 2 and chance.random() < 0.5)
            payoffs[buyer] += values[buyer] - price
            payoffs[seller] += price - values[seller]
    return payoffs


def main() -> None:
    games = int(sys.argv[1])
    chance = random.Random(42)
    traders = list(TRADERS)
    totals = [0.0] * SEATS
    start = time.perf_counter()
    for _ in range(games):
        chance.shuffle(traders)
        totals = [total + payoff for total, payoff in zip(totals, play(traders, chance), strict=True)]
    seconds = time.perf_counter() - start
    mean = sum(totals) / games
    print(json.dumps({"decisions": games * SEATS * ROUNDS, "seconds": seconds, "mean_gains": mean}))


if __name__ == "__main__":
    main()
