"""A game under a fixed seed is told today as it was told when its transcript was written. `python tests/test_golden.py`
writes it anew where a change is meant."""

from pathlib import Path

from ostrom_harvest import HARVEST, HarvestRules
from ostrom_harvest.strategies import LastRoundRaider, QuotaFollower, RandomHarvester, Steward, Tester

from ostrom.core import GameChance
from ostrom.core.questions import distinct_names
from ostrom.core.telling import transcript_lines
from ostrom.experiment.match import play_match
from ostrom.players.strategy import entry_of

TRANSCRIPT = Path(__file__).with_name("harvest.txt")


def transcript() -> list[str]:
    """A game in which everything happens that can happen."""
    players = [entry_of(one) for one in (Steward, Tester, RandomHarvester, QuotaFollower, LastRoundRaider)]
    match = play_match(HARVEST, HarvestRules(rounds=5), players, GameChance(3))
    assert {event.tag for event in match.events} == set(HARVEST.events)
    told = transcript_lines(HARVEST, match.rules, match.events, distinct_names(match.names))
    return [line for lines in told for line in lines]


def test_the_game_is_told_line_by_line_as_before() -> None:
    assert transcript() == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    TRANSCRIPT.write_text("\n".join(transcript()) + "\n", encoding="utf-8")
