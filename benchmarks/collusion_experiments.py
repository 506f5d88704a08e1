"""How often `ostrom collusion` gives a verdict on an experiment of several games of the same players: false alarms of
competitive players, and power for planted cartels by strength and number of games. Each world is one draw of private
values, with its competitive games and the games of planted players. An experiment consists of the games of different
worlds. Finished worlds are stored in a file, and another run continues it: `python benchmarks/collusion_experiments.py
--worlds 100 --output experiments.jsonl`."""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from collusion import FAMILIES, LEVEL, SEATS, seated
from worlds import provenance

from ostrom.core import GameChance
from ostrom.core.estimates import proportion
from ostrom.core.text import number_of
from ostrom.games.market.commands.competition import POPULATIONS, competitive_games, given_rules, play_quotes
from ostrom.games.market.double_auction import DoubleAuctionRules
from ostrom.games.market.double_auction.parallel import Parallel, parallel, pool
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.values import draw_values

SEED: Final = 7600
SIMULATIONS: Final = 39
ROUNDS: Final = 8
GAMES: Final = (1, 5, 10, 20)
"""The numbers of games of an experiment."""
EXPERIMENTS: Final = 200
"""The number of competitive experiments of each number of games."""
PLANTED_EXPERIMENTS: Final = 100
"""The number of experiments of each planted player and number of games."""
PLANTED: Final = (
    *(("cartel", "PriceSignal", strength, members) for strength in (0.25, 0.5, 0.75, 1.0) for members in (2, 3)),
    *(("cartel", "TalkingCartel", strength, 3) for strength in (0.25, 0.5, 0.75)),
    *(("other", name, 0.0, 0) for name in ("Linear", "Sniper", "ZeroIntelligenceUnconstrained")),
)
"""The kind, the label, the strength and the number of members of each planted game of a world."""
Row = Mapping[str, Any]


def world(number: int, seed: int) -> Row:
    """Return the statistics of all games of a world."""
    rules = DoubleAuctionRules(rounds=ROUNDS, values=FAMILIES[number % len(FAMILIES)])
    chance = GameChance(seed, number)
    values = draw_values(chance, market_roles(SEATS), rules.values, rules.max_price, rules.tick, 3.0)
    reference = competitive_games(rules, values, SIMULATIONS, seed + 1 + 2 * number)
    silent = given_rules(rules, values)
    planted = []
    for game, (kind, label, strength, members) in enumerate(PLANTED):
        chance = GameChance(seed + 2 + 2 * number, game)
        played = silent.model_copy(update={"messages": "side"}) if label == "TalkingCartel" else silent
        quotes = play_quotes(played, seated(kind, label, strength, members, chance), chance)
        planted.append(parallel(quotes, values, rules.max_price)[:2])
    return {
        "world": number,
        "reference": {name: [one[:2] for one in games] for name, games in reference.items()},
        "planted": planted,
    }


def play(worlds: int, seed: int, path: Path) -> list[Row]:
    """Play all worlds that the file does not have, and return all."""
    done = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue  # The last line may be cut off.
        done[row["world"]] = row
    for number in range(worlds):
        if number not in done:
            done[number] = world(number, seed)
            with path.open("a") as file:
                file.write(json.dumps(done[number]) + "\n")
    return [done[number] for number in range(worlds)]


def _statistics(pairs: Sequence[Sequence[float]]) -> list[Parallel]:
    return [Parallel(level, timing, (0, 1)) for level, timing in pairs]


def competitive(rows: Sequence[Row], games: int, chance: np.random.Generator, mixed: bool) -> Iterator[float]:
    """Yield the p-values of competitive experiments. Each observes a simulated game of each of its worlds, which is
    left out of the simulations. The same population plays all games, or, if `mixed`, another one plays each."""
    names = [name for name in POPULATIONS if name != "Truthful"]
    for number in range(EXPERIMENTS):
        chosen = chance.choice(len(rows), size=games, replace=False)
        observed, references = [], []
        for place in chosen:
            name = names[int(chance.integers(len(names)))] if mixed else names[number % len(names)]
            left_out = int(chance.integers(SIMULATIONS))
            own = _statistics(rows[place]["reference"][name])
            observed.append(own[left_out])
            references.append(
                {
                    population: [*pairs[:left_out], *pairs[left_out + 1 :]]
                    for population, pairs in (
                        (key, _statistics(value)) for key, value in rows[place]["reference"].items()
                    )
                }
            )
        yield pool(observed, references).p


def planted(rows: Sequence[Row], which: int, games: int, chance: np.random.Generator) -> Iterator[float]:
    """Yield the p-values of experiments of planted players."""
    for _ in range(PLANTED_EXPERIMENTS):
        chosen = [rows[place] for place in chance.choice(len(rows), size=games, replace=False)]
        observed = _statistics([row["planted"][which] for row in chosen])
        references = [{name: _statistics(pairs) for name, pairs in row["reference"].items()} for row in chosen]
        yield pool(observed, references).p


def table(rows: Sequence[Row]) -> str:
    """Return the shares of flagged experiments as a table in Markdown, with Wilson intervals."""
    games = [number for number in GAMES if number <= len(rows) / 2]
    lines = [
        f"| players | {' | '.join(number_of(number, 'game') for number in games)} |",
        "|---" * (len(games) + 1) + "|",
    ]
    chance = np.random.default_rng(SEED)

    def add(what: str, p_values: Sequence[Iterator[float]]) -> None:
        cells = []
        for each in p_values:
            flags = [p <= LEVEL for p in each]
            rate = proportion(sum(flags) / len(flags), len(flags))
            low, high = 100 * float(rate.low or 0), 100 * float(rate.high or 0)
            cells.append(f"{100 * float(rate):.1f} % ({low:.1f}–{high:.1f})")
        lines.append(f"| {what} | {' | '.join(cells)} |")

    add("**competitive, one population**", [competitive(rows, number, chance, False) for number in games])
    add(
        "**competitive, a population drawn for each game**",
        [competitive(rows, number, chance, True) for number in games],
    )
    for which, (kind, label, strength, members) in enumerate(PLANTED):
        what = label if kind == "other" else f"{label}, strength {strength:g}, {members} of 3"
        add(what, [planted(rows, which, number, chance) for number in games])
    return "\n".join(lines)


def main() -> None:
    """Play the study, or continue it, and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=Path("experiments.jsonl"))
    options = parser.parse_args()
    print(table(play(options.worlds, options.seed, options.output)))
    print(provenance(f"python benchmarks/collusion_experiments.py --worlds {options.worlds}"))


if __name__ == "__main__":
    main()
