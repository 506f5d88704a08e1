"""What is asked for the transcripts of stated choices: small grids, and a subject to which everything happens that can
happen in a task, silence included."""

from collections.abc import Callable
from typing import Any

from ostrom.core import Fault, Question
from ostrom.games.battery.ambiguity import AmbiguityRules
from ostrom.games.battery.beauty_contest import StatedBeautyContest
from ostrom.games.battery.centipede import StatedCentipede
from ostrom.games.battery.dictator import StatedDictator
from ostrom.games.battery.garp import GarpRules
from ostrom.games.battery.loss import LossRules
from ostrom.games.battery.matching_pennies import StatedMatchingPennies
from ostrom.games.battery.public_goods import StatedPublicGoods
from ostrom.games.battery.risk import RiskRules
from ostrom.games.battery.stag_hunt import StatedStagHunt
from ostrom.games.battery.time import TimeRules
from ostrom.games.battery.traveller import StatedTraveller
from ostrom.games.battery.trust import StatedTrust
from ostrom.games.battery.ultimatum import StatedUltimatum
from ostrom.players.base import NoAnswer
from ostrom.testing import ScriptedJudge

_SHORT: dict[str, Any] = {"bisections": 2, "retest": 0.25, "reversals": 1, "dominance": 1, "triples": 1}


def _time(facts: Any) -> str:
    """Takes nothing today rather than a little later, waits for much, and discounts what lies between."""
    if facts.later == 10:
        return "sooner"
    if facts.later == 1000:
        return "later"
    return "sooner" if facts.sooner >= 70 else "later"


def _risk(facts: Any) -> str:
    """Expects utility, and would have the likeliest best outcome whatever it is offered."""
    if facts.reference[2] > 0.7:
        return "reference"
    worth = [lottery[2] + 0.6 * lottery[1] for lottery in (facts.reference, facts.other)]
    return "reference" if worth[0] > worth[1] else "other"


_ANSWERS: dict[str, Callable[[Any], object]] = {
    "time": _time,
    "risk": _risk,
    "dictator": lambda facts: facts.pot / 4,
    "proposer": lambda facts: 0.4 * facts.pot,
    "responder": lambda facts: "accept" if facts.offer > 0.2 * facts.pot else "reject",
    "sender": lambda facts: facts.endowment / 2,
    "returner": lambda facts: facts.received / 3,
    "stag_hunt": lambda facts: "stag" if facts.hare < 0.6 * facts.stag else "hare",
    "public_goods": lambda facts: facts.endowment * (facts.multiplier - 1),
    "centipede": lambda facts: "pass" if facts.node < 3 else "take",
    "traveller": lambda facts: facts.high - facts.step,
    "beauty_contest": lambda facts: 33,
    "matching_pennies": lambda facts: "heads" if facts.role == "matcher" else "tails",
    "garp": lambda facts: facts.income / (2 * facts.prices[0]),
    "loss": lambda facts: "accept" if facts.gain > 2 * facts.loss else "reject",
    "ambiguity": lambda facts: "known" if facts.known_p > 0.4 else "unknown",
}


def _answer(question: Question) -> object:
    """Says nothing to the third question, and nothing valid to the fifth."""
    if question.turn in (3, 5):
        raise NoAnswer(Fault.REFUSED if question.turn == 3 else Fault.MALFORMED, "")
    item = question.view
    return _ANSWERS.get(item.task, _ANSWERS.get(item.role, str))(item.facts)


_RULES = (
    TimeRules(later=(10, 100, 1000), delays=(12,), fronts=(0,), **_SHORT),
    RiskRules(references=((3, 4, 5), (4, 7, 1), (2, 0, 10)), **_SHORT),
    StatedDictator(pots=(10, 100), repetitions=3),
    StatedUltimatum(pots=(100,), offers=(0, 0.25, 0.5), repetitions=2, responses=2),
    StatedTrust(endowments=(10,), sent=(0, 0.4, 1), repetitions=2),
    StatedStagHunt(stags=(100,), repetitions=2),
    StatedPublicGoods(endowments=(10,), multipliers=(1, 1.25, 2), repetitions=2),
    StatedCentipede(scales=(1,), repetitions=2),
    StatedTraveller(scales=(0.1, 1), other_bonuses=(20,), repetitions=2),
    StatedBeautyContest(prizes=(100,), repetitions=6),
    StatedMatchingPennies(prizes=(10,), repetitions=4),
    GarpRules(budgets=((100, 1, 2), (100, 2, 1), (60, 1.5, 1.5)), repetitions=2),
    LossRules(gains=(100,), losses=(0.25, 0.5, 1), repetitions=2),
    AmbiguityRules(prizes=(100,), known=(0.3, 0.5, 0.7), repetitions=2),
)

STATED_TABLES = {
    f"stated_{rules.task}": {"players": [ScriptedJudge(_answer, "Sam")], "rules": rules, "seed": 11} for rules in _RULES
}
"""What is played for each of them."""
