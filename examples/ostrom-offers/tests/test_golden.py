"""A game under a fixed seed is told today as it was told when its transcript was written. `python tests/test_golden.py`
writes it anew where a change is meant."""

from pathlib import Path

from ostrom_offers import OFFERS, OffersRules
from ostrom_offers.strategies import Conceder, Equilibrium

from ostrom.core import GameChance
from ostrom.core.questions import distinct_names
from ostrom.core.telling import transcript_lines
from ostrom.experiment.match import play_match
from ostrom.players.strategy import entry_of

TRANSCRIPT = Path(__file__).with_name("offers.txt")


def transcript() -> list[str]:
    """A game in which everything happens that can happen."""
    match = play_match(OFFERS, OffersRules(), [entry_of(Conceder), entry_of(Equilibrium)], GameChance(3))
    assert {event.tag for event in match.events} == set(OFFERS.events)
    told = transcript_lines(OFFERS, match.rules, match.events, distinct_names(match.names))
    return [line for lines in told for line in lines]


def test_the_game_is_told_line_by_line_as_before() -> None:
    assert transcript() == TRANSCRIPT.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    TRANSCRIPT.write_text("\n".join(transcript()) + "\n", encoding="utf-8")
