"""How often `ostrom collusion` flags competitive games, and how often it flags planted cartels. A *world* is one draw
of private values. All of its games are compared with the same competitive games. Finished worlds are stored in a file,
and another run continues it: `python benchmarks/collusion.py --worlds 200 --output collusion.jsonl`."""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from worlds import provenance

from ostrom.core import GameChance
from ostrom.core.estimates import proportion
from ostrom.experiment.match import play_match
from ostrom.games.market.commands.competition import (
    POPULATIONS,
    competitive_games,
    given_rules,
    traders,
)
from ostrom.games.market.double_auction import DOUBLE_AUCTION, DoubleAuctionRules
from ostrom.games.market.double_auction.events import MarketCleared
from ostrom.games.market.double_auction.parallel import judge, parallel
from ostrom.games.market.double_auction.players import STRATEGIES
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import equilibrium
from ostrom.games.market.values import draw_values
from ostrom.players.strategy import StrategyEntry

SEED: Final = 7001
SIMULATIONS: Final = 59
LEVEL: Final = 0.05
SEATS: Final = 6
ROUNDS: Final = (8, 4, 8, 16)
"""The number of rounds of each world; it begins anew after the last."""
FAMILIES: Final = ("uniform", "correlated", "two-clusters", "heavy-tailed")
STRENGTHS: Final = (0.25, 0.5, 0.75, 1.0)
OTHERS: Final = ("Linear", "Sniper", "ZeroIntelligenceUnconstrained")
"""Traders that are in no competitive population."""
SURCHARGE: Final = 10
"""The surcharge of a cartel, in percent of the highest price, from which it is called effective."""
Row = Mapping[str, Any]


def world(number: int) -> Iterator[Row]:
    """Yield the games of a world, each with its p-values."""
    rules = DoubleAuctionRules(
        rounds=ROUNDS[number % len(ROUNDS)], values=FAMILIES[number // len(ROUNDS) % len(FAMILIES)]
    )
    roles = market_roles(SEATS)
    values = draw_values(GameChance(SEED, number), roles, rules.values, rules.max_price, rules.tick, 3.0)
    reference = competitive_games(rules, values, SIMULATIONS, SEED + 1 + 2 * number)
    silent = given_rules(rules, values)
    for game, (kind, label, strength, members, talks) in enumerate(_planned()):
        chance = GameChance(SEED + 2 + 2 * number, game)
        entries = seated(kind, label, strength, members, chance)
        played = silent.model_copy(update={"messages": "side"}) if talks else silent
        events = play_match(DOUBLE_AUCTION, played, entries, chance).events
        markets = [event for event in events if isinstance(event, MarketCleared)]
        quotes = np.array([event.quotes for event in markets], dtype=np.float64)
        found = judge(parallel(quotes, values, rules.max_price), reference)
        surcharge = _surcharge(markets, values, _side(chance))
        yield {
            **{"world": number, "rounds": rules.rounds, "kind": kind, "label": label, "strength": strength},
            **{"members": members, "level": found.level, "timing": found.timing, "p": found.p},
            "surcharge": surcharge,
        }


def _side(chance: GameChance) -> str:
    """Return the side of a game's cartel."""
    return "buyer" if chance.uniform("side", 0) < 1 / 2 else "seller"


def _surcharge(markets: Sequence[MarketCleared], values: Sequence[float], side: str) -> float | None:
    """Return the mean distance of prices from the equilibrium price in favour of a side, None without a trade."""
    half = len(values) // 2
    price = equilibrium(values[:half], values[half:]).price
    prices = [one for market in markets for one in market.prices]
    mean = sum(prices) / len(prices) - price if prices else None
    return -mean if mean is not None and side == "buyer" else mean


def _planned() -> Iterator[tuple[str, str, float, int, bool]]:
    """Yield the kind, label, strength and number of members of each game of a world, and whether seats may write."""
    for population in (*POPULATIONS, *POPULATIONS, *OTHERS):
        yield "competitive" if population in POPULATIONS else "other", population, 0.0, 0, False
    for strength in STRENGTHS:
        for members in (1, 2, 3):
            yield "cartel", "PriceSignal", strength, members, False
        yield "cartel", "TalkingCartel", strength, 3, True


def seated(kind: str, label: str, strength: float, members: int, chance: GameChance) -> list[StrategyEntry]:
    """Return the players of a game. The members of a cartel are drawn from one side, and its other seats have a
    competitive population."""
    if kind == "other":
        return [STRATEGIES[label]] * SEATS
    if kind == "competitive":
        return traders(label, SEATS, chance)
    background = POPULATIONS[int(chance.uniform("background", 0) * len(POPULATIONS))]
    entries = traders(background, SEATS, chance)
    half = SEATS // 2
    first = 0 if _side(chance) == "buyer" else half
    order = sorted(range(first, first + half), key=lambda seat: chance.uniform("member", 0, seat))
    for seat in order[:members]:
        entries[seat] = STRATEGIES[label].with_settings(f"strength={strength:g}")
    return entries


def finished(path: Path) -> dict[int, list[Row]]:
    """Return the games of the worlds in a file. A last line that is cut off is ignored."""
    worlds = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            rows = json.loads(line)
        except ValueError:
            continue
        worlds[rows[0]["world"]] = rows
    return worlds


def play(worlds: int, path: Path) -> list[Row]:
    """Play all worlds that the file does not have, and return the games of all."""
    done = finished(path)
    for number in range(worlds):
        if number not in done:
            done[number] = list(world(number))
            with path.open("a") as file:
                file.write(json.dumps(done[number]) + "\n")
    return [row for number in range(worlds) for row in done[number]]


def table(rows: Sequence[Row]) -> str:
    """Return the rates of flagged games as a table in Markdown, with Wilson intervals."""
    lines = ["| games | rounds | played | flagged | 95 % interval |", "|---|---|---|---|---|"]

    def add(what: str, rounds: str, chosen: Callable[[Row], bool]) -> None:
        flags = [row["p"] <= LEVEL for row in rows if chosen(row)]
        if flags:
            rate = proportion(sum(flags) / len(flags), len(flags))
            ends = f"{100 * float(rate.low or 0):.1f}–{100 * float(rate.high or 0):.1f}"
            lines.append(f"| {what} | {rounds} | {len(flags):,} | {100 * float(rate):.1f} % | {ends} |")

    add("**competitive, all**", "all", lambda row: row["kind"] == "competitive")
    for name in (*POPULATIONS, *OTHERS):
        add(name, "all", lambda row, name=name: row["label"] == name)
    for strength in STRENGTHS:
        for members in (1, 2, 3):
            one = ("PriceSignal", strength, members)
            what = f"PriceSignal, strength {strength:g}, {members} of 3"
            add(what, "all", lambda row, one=one: (row["label"], row["strength"], row["members"]) == one)
        talking = ("TalkingCartel", strength)
        add(
            f"TalkingCartel, strength {strength:g}, 3 of 3",
            "all",
            lambda row, one=talking: (row["label"], row["strength"]) == one,
        )
    for strength in STRENGTHS:
        add(
            f"PriceSignal, strength {strength:g}, 3 of 3, surcharge of at least {SURCHARGE}",
            "all",
            lambda row, one=("PriceSignal", strength, 3): (
                (row["label"], row["strength"], row["members"]) == one and (row["surcharge"] or 0) >= SURCHARGE
            ),
        )
    for rounds in sorted(set(ROUNDS)):
        for strength in STRENGTHS:
            one = ("PriceSignal", strength, 3, rounds)
            add(
                f"PriceSignal, strength {strength:g}, 3 of 3",
                str(rounds),
                lambda row, one=one: (row["label"], row["strength"], row["members"], row["rounds"]) == one,
            )
    return "\n".join(lines)


def main() -> None:
    """Play the study, or continue it, and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=200)
    parser.add_argument("--output", type=Path, default=Path("collusion.jsonl"))
    options = parser.parse_args()
    rows = play(options.worlds, options.output)
    print(table(rows))
    print(provenance(f"python benchmarks/collusion.py --worlds {options.worlds}"))


if __name__ == "__main__":
    main()
