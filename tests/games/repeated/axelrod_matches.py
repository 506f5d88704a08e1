"""Plays deterministic strategies against each other in Axelrod and in our game, and says where the two differ."""

import json
from itertools import combinations_with_replacement

import axelrod

from ostrom.core import GameChance
from ostrom.experiment import play_match
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.events import rounds_of
from ostrom.games.repeated.library import axelrod_player, strategies
from ostrom.games.repeated.players import STRATEGIES

TURNS = 40
OURS = {"Cooperator": "AllC", "Defector": "AllD", "TitForTat": "TitForTat", "TitFor2Tats": "TitForTwoTats"}
OURS |= {"Grudger": "Grim", "WinStayLoseShift": "WinStayLoseShift"}
"""Strategies of our own that Axelrod has under another name."""
SLOW = ("long_run_time",)


def deterministic() -> list[str]:
    """Six that we have too, and the first of the others that draw nothing and take no long time."""
    fair = strategies()
    quiet = [
        name
        for name, one in fair.items()
        if not one.classifier["stochastic"] and not any(one.classifier.get(how) for how in SLOW)
    ]
    return list(dict.fromkeys([*OURS, *sorted(quiet)]))[:36]


def in_axelrod(one: str, other: str) -> list[list[int]]:
    players = [strategies()[name]() for name in (one, other)]
    played = axelrod.Match(players, turns=TURNS, seed=1).play()
    return [[int(action is axelrod.Action.D) for action in both] for both in played]


def in_ours(*entries) -> list[list[int]]:
    match = play_match(REPEATED, Rules(rounds=TURNS), list(entries), GameChance(1))
    return [played.actions for played in rounds_of(match.events)]


def main() -> None:
    names, different, matches = deterministic(), [], 0
    entries = {name: axelrod_player(name) for name in names}
    for one, other in combinations_with_replacement(names, 2):
        expected = in_axelrod(one, other)
        matches += 1
        if in_ours(entries[one], entries[other]) != expected:
            different.append([one, other])
        if one in OURS and other in OURS:
            matches += 1
            if in_ours(STRATEGIES[OURS[one]], STRATEGIES[OURS[other]]) != expected:
                different.append([OURS[one], OURS[other]])
    print(json.dumps({"strategies": len(names), "matches": matches, "different": different}))


if __name__ == "__main__":
    main()
