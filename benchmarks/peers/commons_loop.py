"""The Commons as a plain Python loop: sixteen champions at one table, one game after another, without a record. The
yardstick for what an engine gains. `python commons_loop.py GAMES` prints decisions and seconds as JSON."""

import json
import math
import random
import sys
import time
from collections.abc import Callable
from statistics import median

ENDOWMENT, START, LOWEST, HIGHEST = 100.0, 1.8, 1.2, 3.0
SENSITIVITY = 0.001
TARGET = 100
RATE = 2 * math.log(5) / (TARGET * (TARGET + 1))


class Table:
    """The state that champions see; the first turn has no last contributions."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.turn = 1
        self.synergy, self.alpha = START, 0.5
        self.given: list[list[float]] = []
        self.gains: list[list[float]] = []
        self.capital = [0.0] * len(CHAMPIONS)
        self.memory: list[dict[str, float]] = [{} for _ in CHAMPIONS]

    def others(self, seat: int) -> list[float]:
        last = self.given[-1]
        return last[:seat] + last[seat + 1 :]


def tit_for_tat(table: Table, seat: int) -> float:
    return median(table.others(seat)) if table.given else 1.0


def generous(table: Table, seat: int) -> float:
    return max(0.2, tit_for_tat(table, seat))


def grudge(table: Table, seat: int) -> float:
    memory = table.memory[seat]
    if table.given and min(table.others(seat)) < 0.3:
        memory["offended"] = 1
    return 0.0 if "offended" in memory else 1.0


def pavlov(table: Table, seat: int) -> float:
    if not table.given:
        return 1.0
    last = table.given[-1][seat]
    return last if table.gains[-1][seat] >= ENDOWMENT else 1 - last


def detective(table: Table, seat: int) -> float:
    if table.turn <= 4:
        return (1.0, 0.0, 1.0, 1.0)[table.turn - 1]
    memory = table.memory[seat]
    if "reacts" not in memory:
        second, third = (median(row[:seat] + row[seat + 1 :]) for row in table.given[1:3])
        memory["reacts"] = third < second
    return tit_for_tat(table, seat) if memory["reacts"] else 0.0


def gradual(table: Table, seat: int) -> float:
    memory = table.memory[seat]
    for phase, gift in (("punish", 0.0), ("peace", 1.0)):
        if memory.get(phase, 0) > 0:
            memory[phase] -= 1
            return gift
    if table.given and tit_for_tat(table, seat) < 0.5:
        memory["count"] = memory.get("count", 0) + 1
        memory["punish"], memory["peace"] = memory["count"] - 1, 2
        return 0.0
    return 1.0


def majority(table: Table, seat: int) -> float:
    others = table.others(seat) if table.given else [1.0]
    return float(sum(gift >= 0.5 for gift in others) * 2 > len(others))


def pragmatic(table: Table, seat: int) -> float:
    return min(1.0, max(0.0, (0.7 - table.alpha) / 0.4))


def learner(table: Table, seat: int) -> float:
    memory = table.memory[seat]
    levels = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)
    for row, gains in zip(table.given[-10:], table.gains[-10:], strict=True):
        memory[f"{row[seat]:.1f}"] = gains[seat]
    untried = [level for level in levels if f"{level:.1f}" not in memory]
    if untried:
        return untried[0]
    if table.chance.random() < 0.15:
        return table.chance.choice(levels)
    return max(levels, key=lambda level: memory[f"{level:.1f}"])


def opportunist(table: Table, seat: int) -> float:
    if not table.given:
        return 1.0
    seats = len(CHAMPIONS)
    return float(table.synergy * (table.alpha / seats + 1 - table.alpha) >= min(1.0, table.synergy / START))


CHAMPIONS: list[Callable[[Table, int], float]] = [
    lambda table, seat: 1.0,
    lambda table, seat: 0.0,
    tit_for_tat,
    generous,
    grudge,
    pavlov,
    lambda table, seat: table.chance.random(),
    detective,
    gradual,
    majority,
    lambda table, seat: 0.9,
    lambda table, seat: 0.0,
    pragmatic,
    learner,
    lambda table, seat: 1.0,
    opportunist,
]
LOBBIES = {10: -0.05, 11: 0.05}


def play(seed: int) -> int:
    """Play one game; return the number of decisions."""
    table = Table(random.Random(seed))
    seats = len(CHAMPIONS)
    while True:
        given = [champion(table, seat) for seat, champion in enumerate(CHAMPIONS)]
        for seat, share in LOBBIES.items():
            amount = share * table.capital[seat]
            table.capital[seat] -= abs(amount)
            table.alpha = min(1.0, max(0.0, table.alpha + SENSITIVITY * amount))
        total = sum(given)
        grown = total * ENDOWMENT * table.synergy
        kept = min(1.0, table.synergy / START)
        gains = [
            (1 - gift) * ENDOWMENT * kept
            + (table.alpha * grown / seats + (1 - table.alpha) * gift / total * grown if total else 0.0)
            for gift in given
        ]
        for seat, gain in enumerate(gains):
            table.capital[seat] += gain
        cooperation = total / seats
        step = 0.1 if cooperation >= 0.8 else -0.05 if cooperation < 0.5 else 0.0
        table.synergy = round(min(HIGHEST, max(LOWEST, table.synergy + step)), 9)
        table.given.append(given)
        table.gains.append(gains)
        if table.chance.random() < 1 - math.exp(-RATE * table.turn):
            return seats * table.turn
        table.turn += 1


if __name__ == "__main__":
    start = time.perf_counter()
    decisions = sum(play(number) for number in range(int(sys.argv[1])))
    print(json.dumps({"decisions": decisions, "seconds": time.perf_counter() - start}))
