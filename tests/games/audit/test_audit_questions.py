"""The audit reaches its question for every seating, and asks nothing else."""

from itertools import permutations

import pytest

import ostrom
from ostrom.core import Amount, Choice, Fields, GameChance, InputError, Text
from ostrom.core.specs import Aimed
from ostrom.games.audit import AuditFraming, AuditRules
from ostrom.games.audit.commands.plan import Unwrapped, situation_of
from ostrom.games.audit.play import aspects, move_seats, original_seats, reach
from ostrom.games.commons import COMMONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.players.roster import seat_players

PUNISH = situation_of(CONTRIBUTE_PUNISH, {"messages": False}, 4, "contribution", 3, 0)
PUNISHING = situation_of(CONTRIBUTE_PUNISH, {"messages": False}, 4, "punishment", 3, 1)
LAKE = situation_of(COMMONS, {}, 4, "move", 3, 0)
SEATINGS = list(permutations(range(4)))
DETERMINISTIC = [
    *("Cooperator", "FreeRider", "ConditionalCooperator", "AltruisticPunisher", "AntisocialPunisher"),
    *("Retaliator", "LeaderPunisher", "EndgameDefector"),
]


def decided(game, situation, contestant, places):
    rules = AuditRules(game=game.name, **situation._asdict(), places=places)
    (event,) = ostrom.play([Unwrapped(contestant)], game="audit", rules=rules, seed=1).events
    return event.aspects


@pytest.mark.parametrize("name", DETERMINISTIC)
@pytest.mark.parametrize("situation", [PUNISH, PUNISHING], ids=["contribution", "punishment"])
def test_a_built_in_player_decides_the_same_in_every_seating(name, situation):
    (player,) = seat_players(CONTRIBUTE_PUNISH.name, [name])
    found = [decided(CONTRIBUTE_PUNISH, situation, player, places) for places in SEATINGS]
    assert found == [found[0]] * 24


@pytest.mark.parametrize("places", SEATINGS)
def test_a_seat_of_the_commons_sees_the_same_table_in_every_seating(places):
    here = reach(AuditRules(game=COMMONS.name, **LAKE._asdict())).view
    there = reach(AuditRules(game=COMMONS.name, **LAKE._asdict(), places=places)).view
    assert there.seat == places[here.seat]
    assert there.capital == pytest.approx(here.capital)
    assert [there.capitals[places[seat]] for seat in range(4)] == pytest.approx(here.capitals)
    assert [there.history[-1][places[seat]] for seat in range(4)] == pytest.approx(here.history[-1])
    assert there.own == pytest.approx(here.own) or [vars(one) for one in there.own] == [vars(one) for one in here.own]


def test_the_question_is_the_one_at_which_the_real_game_was_stopped():
    question = reach(AuditRules(game=CONTRIBUTE_PUNISH.name, **PUNISH._asdict()))
    assert question.key == (PUNISH.turn, "contribution", PUNISH.seat)
    assert len(question.view.history) == PUNISH.turn - 1
    given = [step.value for step in PUNISH.answers if (step.turn, step.phase) == (1, "contribution")]
    assert list(question.view.history[0].contributions) == given


def test_an_answer_names_the_same_player_at_another_seat():
    assert move_seats({"target": 2, "spend": 5}, (3, 0, 1, 2)) == {"target": 1, "spend": 5}
    assert move_seats({"target": None, "spend": 0}, (3, 0, 1, 2)) == {"target": None, "spend": 0}
    assert move_seats(12, (3, 0, 1, 2)) == 12
    assert original_seats((3, 0, 1, 2)) == (1, 2, 3, 0)


def test_every_part_of_a_decision_lies_between_0_and_1():
    seated = (0, 1, 2, 3)
    assert aspects("contribution", Amount(0, 20, whole=True), 5, seated) == {"contribution": 0.25}
    assert aspects("contribution", Amount(0, 0, whole=True), 0, seated) == {}
    aimed = aspects("punishment", Aimed((0, 2, 3), 10), {"target": 3, "spend": 4}, seated)
    assert aimed == {"spend": 0.4, "target": 1.0}
    assert aspects("punishment", Aimed((0, 2, 3), 10), {"target": None, "spend": 0}, seated) == {"spend": 0.0}
    lake = Fields({"contribution": Amount(0.0, 1.0), "lobby": Amount(-50, 50), "vote": Choice((None, 1, 2, 3))})
    moved = aspects("move", lake, {"contribution": 0.5, "lobby": 0.0, "vote": 2}, seated)
    assert moved == {"contribution": 0.5, "lobby": 0.5, "vote": 0.5}
    assert aspects("pick", Choice(("A", "B", "C")), "C", seated) == {"pick": 1.0}
    assert aspects("message", Text(5), "hello", seated) == {}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"game": "chess"}, "one of the games"),
        ({"game": "audit"}, "one of the games"),
        ({"seat": 4}, "must be from 0 to 3"),
        ({"places": (0, 1, 2, 2)}, "every number from 0 to 3 once"),
        ({"framing": AuditFraming(order=(0, 1))}, "every number from 0 to 3 once"),
        ({"framing": AuditFraming(labels=("Elm", "Elm", "Ash", "Fir"))}, "4 different names"),
    ],
)
def test_invalid_settings_are_refused(settings, reason):
    with pytest.raises(ValueError, match=reason):
        AuditRules(**settings)


@pytest.mark.parametrize("settings", [{"turn": 2}, {"phase": "dance"}])
def test_a_question_that_no_answers_lead_to_is_refused(settings):
    with pytest.raises(InputError, match="cannot reach the question"):
        reach(AuditRules(**settings))


def test_an_illegal_answer_on_the_way_is_refused():
    wrong = [step.model_copy(update={"value": 1000}) for step in PUNISH.answers]
    with pytest.raises(InputError, match="illegal answer"):
        reach(AuditRules(**(PUNISH._asdict() | {"answers": wrong})))


def test_the_same_number_gives_the_same_situation():
    assert situation_of(CONTRIBUTE_PUNISH, {"messages": False}, 4, "contribution", 3, 0) == PUNISH
    assert situation_of(CONTRIBUTE_PUNISH, {"messages": False}, 4, "contribution", 4, 0) != PUNISH
    assert GameChance(PUNISH.seed, PUNISH.number).seed == 3
