"""Groups of people whose rounds are replayed by the game of voluntary contributions."""

from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.core import LoggedChance, Provenance
from ostrom.experiment import Match, make_rules, play_match
from ostrom.games.contributions import CONTRIBUTIONS
from ostrom.players.base import ReplayContestant
from ostrom.players.people.seat import HUMAN


def replay_group(
    settings: Mapping[str, Any], people: Sequence[str], answers: Mapping[tuple[int, str, int], Any]
) -> Match:
    """Replay the rounds of a group. `people` has a name for each seat, and `answers` the answers by round, phase and
    seat."""
    contestants = [ReplayContestant(f"{HUMAN}:{person}", answers) for person in people]
    rules = make_rules(CONTRIBUTIONS, settings)
    return play_match(CONTRIBUTIONS, rules, contestants, LoggedChance({}), provenance=Provenance.IMPORTED)
