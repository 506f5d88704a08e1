"""The tasks whose items are all known in advance: their grids by hand, and their valid answers."""

from collections import Counter

import pytest

from games.battery.interviews import ended, interview, items, refuse, valid
from ostrom.core import IllegalAnswer, PlayerFault
from ostrom.core.specs import stepped
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import CentipedeFacts, StatedCentipede
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import GarpRules, crossing_budgets
from ostrom.games.battery.loss import LossFacts, LossRules
from ostrom.games.battery.matching_pennies import StatedMatchingPennies
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.rules import StatedRules
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.traveller import ClaimFacts, StatedTraveller
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts, RespondFacts, StatedUltimatum

PLAIN = [task for task, entry in TASKS.items() if issubclass(entry.rules, StatedRules)]
QUICK = load_protocol("quick")


def cells(task):
    return {(cell.role, cell.condition): cell for cell in TASKS[task].rules().cells()}


@pytest.mark.parametrize(
    ("task", "role", "condition", "facts"),
    [
        ("dictator", "giver", "pot=10", GiveFacts(10, 0.01)),
        ("ultimatum", "proposer", "pot=1000", OfferFacts(1000)),
        ("ultimatum", "responder", "pot=10 offer=35%", RespondFacts(10, 3.5)),
        ("ultimatum", "responder", "pot=1000 offer=55%", RespondFacts(1000, 550)),
        ("trust", "sender", "endowment=100", SendFacts(100, 3)),
        ("trust", "returner", "endowment=100 sent=60%", ReturnFacts(100, 3, 60, 180)),
        ("stag_hunt", "chooser", "stag=10 hare=0.25", StagFacts(10, 2.5)),
        ("public_goods", "contributor", "endowment=10 multiplier=1.25", PublicFacts(10, 1.25, 10)),
        ("traveller", "claimant", "bonus=2 scale=0.1", ClaimFacts(0.2, 10, 0.2, 0.1, 0.1)),
        ("traveller", "claimant", "bonus=20 scale=1", ClaimFacts(2, 100, 20, 1, 1)),
        ("beauty_contest", "guesser", "prize=100", GuessFacts(15, 2 / 3, 0, 100, 100)),
        ("loss", "chooser", "gain=100 loss=50", LossFacts(100, 50)),
    ],
)
def test_cells_of_the_full_grid(task, role, condition, facts):
    assert cells(task)[role, condition].facts == facts


def test_the_centipede_is_asked_at_every_other_node_with_all_payoffs_at_its_scale():
    found = cells("centipede")
    assert {cell.facts.node for cell in found.values()} == {1, 3, 5}
    assert found["mover", "node=3 scale=10"].facts == CentipedeFacts(
        node=3, payoffs=((12.5, 6.2), (25, 6.2), (25, 12.5), (50, 12.5), (50, 25), (100, 25)), end=(100, 50), scale=10
    )


def test_the_grids_of_offers_and_pennies():
    assert StatedUltimatum().offers == tuple(n / 20 for n in range(21))
    assert Counter(cell.repetitions for cell in cells("ultimatum").values()) == {10: 3, 20: 63}
    pennies = Counter((cell.facts.role, cell.repetitions) for cell in StatedMatchingPennies().cells())
    assert pennies == {("matcher", 100): 3, ("mismatcher", 100): 3}


def test_other_bonuses_are_asked_for_comparison_and_enter_no_level():
    purposes = Counter((cell.purpose, cell.facts.bonus) for cell in StatedTraveller().cells() if cell.facts.scale == 1)
    assert purposes == {("score", 2): 1, ("statics", 5): 1, ("statics", 20): 1, ("statics", 50): 1}
    assert len(StatedTraveller(other_bonuses=()).cells()) == 3


def test_most_budget_lines_cross():
    budgets = crossing_budgets(25)
    assert len(set(budgets)) == 25
    ends = [(income / first, income / second) for income, first, second in budgets]
    pairs = [(one, other) for place, one in enumerate(ends) for other in ends[:place]]
    crossing = [(one[0] - other[0]) * (one[1] - other[1]) < 0 for one, other in pairs]
    assert sum(crossing) > 0.5 * len(pairs)
    assert GarpRules().questions == 25


def test_gambles_tell_every_usual_weight_of_losses_apart():
    weights = sorted({cell.facts.gain / cell.facts.loss for cell in LossRules().cells()})
    assert weights[0] < 1 < 2 < weights[-1]
    assert sum(1 <= weight <= 3 for weight in weights) >= 5


@pytest.mark.parametrize(
    ("task", "legal", "illegal"),
    [
        ("dictator", 12.345, 1000.01),
        ("ultimatum", 0, -0.01),
        ("trust", 3000, 3001),
        ("beauty_contest", 33, 33.5),
        ("public_goods", 0.5, "all"),
    ],
)
def test_legal_and_illegal_numbers(task, legal, illegal):
    spec = next(cell.answer for cell in reversed(cells(task).values()) if not cell.options)
    assert spec.validate(legal) == legal
    with pytest.raises(IllegalAnswer):
        spec.validate(illegal)


def test_claims_go_in_steps():
    assert stepped(0.2, 10, 0.1).validate(9.9) == 9.9
    assert stepped(2, 100, 1).validate(97.0) == 97
    assert stepped(2, 100, 1).describe() == "a whole number from 2 to 100"
    assert stepped(20, 1000, 10).describe() == "a whole number from 20 to 1000, in steps of 10"
    for spec, claim in ((stepped(0.2, 10, 0.1), 9.95), (stepped(20, 1000, 10), 985), (stepped(2, 100, 1), 1)):
        with pytest.raises(IllegalAnswer, match="it must be"):
            spec.validate(claim)


def test_an_answer_outside_its_bounds_is_never_clipped():
    with pytest.raises(PlayerFault, match="it must be a number from 0 to"):
        interview("dictator", lambda question: 5000)


@pytest.mark.parametrize("task", PLAIN)
def test_all_items_are_asked_at_once_and_every_answer_is_an_event_in_the_order_of_asking(task):
    match = interview(task, valid, QUICK[task])
    assert [decision.question.turn for decision in match.decisions] == [event.number for event in items(match)]
    for decision, event in zip(match.decisions, items(match), strict=True):
        item = decision.question.view
        assert (item.condition, item.role, item.repetition) == (event.condition, event.role, event.repetition)
        assert (list(item.options), list(item.labels)) == (event.options, event.labels)
        assert event.answer == decision.answer.value
        assert decision.question.fallback is None
    assert ended(match).valid == ended(match).items == QUICK[task].questions


@pytest.mark.parametrize("task", PLAIN)
def test_refused_answers_stay_missing(task):
    match = interview(task, refuse, QUICK[task])
    assert {(event.answer, event.fault) for event in items(match)} == {(None, "refused")}
    assert (ended(match).valid, ended(match).faults) == (0, {"refused": QUICK[task].questions})


def test_centipede_with_other_payoffs():
    rules = StatedCentipede(payoffs=((4, 1), (8, 2)), end=(6, 16), nodes=(2,), scales=(1,), repetitions=1)
    (event,) = items(interview("centipede", lambda question: "take", rules))
    assert event.facts == {"node": 2, "payoffs": [[4, 1], [8, 2]], "end": [6, 16], "scale": 1}
