"""What is played for the golden transcripts of the battery's played games: moves written down by role."""

from typing import Any

from ostrom.games.battery.beauty_contest import BeautyContestRules
from ostrom.games.battery.centipede import CentipedeRules
from ostrom.games.battery.dictator import DictatorRules
from ostrom.games.battery.matching_pennies import MatchingPenniesRules
from ostrom.games.battery.public_goods import PublicGoodsRules
from ostrom.games.battery.stag_hunt import StagHuntRules
from ostrom.games.battery.traveller import TravellerRules
from ostrom.games.battery.trust import TrustRules
from ostrom.games.battery.ultimatum import UltimatumRules
from ostrom.testing import ScriptedJudge


def _seats(*moves: Any) -> list[ScriptedJudge]:
    """Contestants who answer what is written: one move each, or one for every turn in which they are asked."""

    def seated(name: str, move: Any) -> ScriptedJudge:
        return ScriptedJudge(lambda question: move[question.turn] if isinstance(move, dict) else move, name)

    return [seated(f"scripted-{number}", move) for number, move in enumerate(moves, start=1)]


PLAYED_TABLES = {
    "dictator": {"players": _seats(28.35, None), "rules": DictatorRules(), "seed": 1},
    "ultimatum": {"players": _seats(40, "accept"), "rules": UltimatumRules(), "seed": 2},
    "trust": {"players": _seats(51.6, 46.6), "rules": TrustRules(), "seed": 3},
    "stag_hunt": {"players": _seats("stag", "hare"), "rules": StagHuntRules(hare=75), "seed": 4},
    "centipede": {
        "players": _seats({1: "pass", 3: "pass"}, {2: "pass", 4: "take"}),
        "rules": CentipedeRules(scale=10),
        "seed": 5,
    },
    "traveller": {"players": _seats(97, 95), "rules": TravellerRules(), "seed": 6},
    "public_goods": {"players": _seats(100, 50, 12.5, 0), "rules": PublicGoodsRules(multiplier=2), "seed": 7},
    "beauty_contest": {"players": _seats(50, 22, 33, 22), "rules": BeautyContestRules(), "seed": 8},
    "matching_pennies": {"players": _seats("heads", "tails"), "rules": MatchingPenniesRules(prize=10), "seed": 9},
}
"""One game of each."""
