"""What every strategy does against an opponent whose moves are known, and what the families do at the ends of their
parameters, where nothing is left to chance."""

import pytest

from ostrom.core import GameChance
from ostrom.experiment import play_match
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.events import rounds_of
from ostrom.games.repeated.players import STRATEGIES
from ostrom.players.strategy import Strategy, entry_of, find_strategy

SCRIPT = "CDDCCDCDDD"


class Scripted(Strategy):
    """Plays its script."""

    def answer(self, question, draw):
        return "CD".index(SCRIPT[question.view.round - 1])


EXPECTED = {
    "AllC": "CCCCCCCCCC",
    "AllD": "DDDDDDDDDD",
    "TitForTat": "CCDDCCDCDD",
    "TitForTwoTats": "CCCDCCCCCD",
    "Grim": "CCDDDDDDDD",
    "WinStayLoseShift": "CCDCCCDDCD",
    "Random:p=1": "CCCCCCCCCC",
    "Random:p=0": "DDDDDDDDDD",
    "Joss:p=1": "CCDDCCDCDD",
    "Joss:p=0": "DDDDDDDDDD",
    "GenerousTitForTat:g=0": "CCDDCCDCDD",
    "GenerousTitForTat:g=1": "CCCCCCCCCC",
    "Extortion:chi=1,phi=1": "CCDDCCDCDD",
    "Generosity:chi=1,phi=1": "CCDDCCDCDD",
    "memory-one:1,0,0,1": "CCDCCCDDCD",
    "memory-one:1,0,1,0,0": "DCDDCCDCDD",
    "memory-one:0,1,1,0": "CDDDCDDCCC",
}


def moves(name, seat, matrix="prisoners-dilemma"):
    players = [find_strategy(STRATEGIES, name), entry_of(Scripted)]
    rules = Rules(rounds=len(SCRIPT), matrix=matrix)
    match = play_match(REPEATED, rules, players if seat == 0 else players[::-1], GameChance(1))
    return "".join("CD"[one.actions[seat]] for one in rounds_of(match.events))


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("seat", [0, 1])
def test_every_strategy_makes_its_moves(name, seat):
    assert moves(name, seat) == EXPECTED[name]


def test_every_strategy_of_the_game_is_listed():
    assert {name.partition(":")[0] for name in EXPECTED} >= {
        name for name, entry in STRATEGIES.items() if entry.member is None
    }


@pytest.mark.parametrize("matrix", ["harmony", "deadlock", "battle-of-the-sexes", "matching-pennies"])
def test_where_no_line_can_be_enforced_extortion_plays_tit_for_tat(matrix):
    assert moves("Extortion:chi=3", 0, matrix) == EXPECTED["TitForTat"]
