"""An audit questions every situation in ways that are balanced, and can be taken up again from its settings."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.games.audit import AUDIT
from ostrom.games.audit.biased import BIASED
from ostrom.games.audit.commands.plan import AuditPlan, audit, audit_of, audited_game, audited_player
from ostrom.games.audit.design import CELLS, balanced, factors_of, table_variant
from ostrom.games.commons import COMMONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH

PLAYER = BIASED["scripted:unbiased"]


@pytest.mark.slow
@pytest.mark.parametrize("game", [CONTRIBUTE_PUNISH, COMMONS], ids=lambda game: game.command)
def test_every_level_of_every_factor_occurs_equally_often_in_each_situation(game):
    planned = AuditPlan(game, PLAYER, situations=3, seed=5)
    fixtures = list(planned.fixtures())
    assert len(fixtures) == planned.games == 3 * CELLS * 2
    assert len({fixture.key for fixture in fixtures}) == len(fixtures)
    assert len({fixture.chance.game for fixture in fixtures}) == len(fixtures)
    for situation in range(3):
        put = [fixture.rules for fixture in fixtures if fixture.rules.situation == situation]
        for factor in factors_of(game.name, planned.table):
            counts = Counter(rules.levels[factor.name] for rules in put)
            assert counts == dict.fromkeys(factor.levels, 2 * CELLS // len(factor.levels)), factor.name


def test_there_are_at_least_three_wordings_of_our_own_for_each_game():
    for game in (CONTRIBUTE_PUNISH, COMMONS):
        named = {factor.name: factor.levels for factor in factors_of(game.name, 4)}
        assert len(named["wording"]) >= 3
        assert set(named) == {"wording", "labels", "order", "seat", "currency", "scale"}


def test_questions_of_one_situation_differ_in_nothing_but_how_they_are_put():
    planned = AuditPlan(CONTRIBUTE_PUNISH, PLAYER, situations=2, seed=5)
    for situation in range(2):
        put = [fixture.rules for fixture in planned.fixtures() if fixture.rules.situation == situation]
        same = [rules.model_dump(exclude={"places", "framing", "cell", "repeat", "levels"}) for rules in put]
        assert same == [same[0]] * len(same)


def test_repeats_are_the_same_question_with_another_draw():
    fixtures = {fixture.key: fixture for fixture in AuditPlan(CONTRIBUTE_PUNISH, PLAYER, situations=2).fixtures()}
    one, other = fixtures["1-7-0"], fixtures["1-7-1"]
    assert one.rules == other.rules.model_copy(update={"repeat": 0})
    assert one.chance != other.chance


@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize("asked", [0, 2])
def test_name_place_and_order_are_varied_apart_from_each_other(seats, asked):
    levels = {factor.name: factor.levels for factor in factors_of(CONTRIBUTE_PUNISH.name, seats)}
    for name, place, order in product(levels["labels"], levels["seat"], levels["order"]):
        variant = table_variant({"labels": name, "seat": place, "order": order}, seats, asked)
        now = variant.places[asked]
        assert variant.framing.labels[now] == name
        assert len(set(variant.framing.labels)) == seats
        assert variant.framing.order.index(now) == {"first": 0, "middle": seats // 2, "last": seats - 1}[place]
        # A player keeps its name, wherever it is listed.
        names = [variant.framing.labels[variant.places[seat]] for seat in range(seats)]
        plain = table_variant({"labels": name}, seats, asked)
        assert names == [plain.framing.labels[plain.places[seat]] for seat in range(seats)]


def test_levels_meet_each_other_more_evenly_than_by_chance():
    counts = [3, 4, 3, 3, 4, 3]
    uneven = []
    for situation in range(8):
        levels = balanced(counts, situation, 1)
        assert levels.shape == (6, CELLS)
        for one in range(6):
            assert np.bincount(levels[one]).tolist() == [CELLS // counts[one]] * counts[one]
            for other in range(one):
                met = np.zeros((counts[one], counts[other]))
                np.add.at(met, (levels[one], levels[other]), 1)
                uneven.append(np.sum((met - met.mean()) ** 2) / met.mean() / ((counts[one] - 1) * (counts[other] - 1)))
    # Under independent shuffles the mean is 12 / 11.
    assert np.mean(uneven) < 0.85


def test_an_audit_comes_back_from_its_settings():
    planned = AuditPlan(CONTRIBUTE_PUNISH, audited_player(CONTRIBUTE_PUNISH, "Cooperator"), situations=2, seed=9)
    again = audit_of("again", planned.settings)
    assert [fixture.rules for fixture in again.fixtures()] == [fixture.rules for fixture in planned.fixtures()]
    assert again.settings == planned.settings
    assert again.contestant.name == "Cooperator"
    scripted = AuditPlan(COMMONS, PLAYER, situations=2)
    assert audit_of("again", scripted.settings, {PLAYER.name: PLAYER}.get).contestant is PLAYER


@pytest.mark.parametrize(
    ("game", "settings", "reason"),
    [
        (CONTRIBUTE_PUNISH, {"situations": 1}, "at least 2"),
        (CONTRIBUTE_PUNISH, {"repeats": 1}, "at least 2"),
        (CONTRIBUTE_PUNISH, {"seats": 2}, "at least 3 players"),
        (CONTRIBUTE_PUNISH, {"seats": 0}, "at least 3 players"),
        (CONTRIBUTE_PUNISH, {"seats": 9}, "at most 8 players"),
        (CONTRIBUTE_PUNISH, {"phase": "vote"}, "it has contribution, punishment"),
        (CONTRIBUTE_PUNISH, {"rules": {"messages": True}}, "cannot use messages"),
        (AUDIT, {}, "there is no audit of audit"),
    ],
)
def test_invalid_plans_are_refused(game, settings, reason):
    with pytest.raises(InputError, match=reason):
        AuditPlan(game, PLAYER, **settings).check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "phase"),
    [
        ("punish", "contribution"),
        ("punish", "punishment"),
        ("commons", "move"),
        ("stag-hunt", None),
        ("dictator", None),
    ],
)
def test_every_part_that_answers_have_is_known_before_they_are_asked(game, phase):
    planned = AuditPlan(audited_game(game), PLAYER, phase=phase, situations=3, seed=5)
    records = audit(PLAYER, game, phase=phase, situations=3, seed=5)
    found = {name for record in records for event in record.events for name in event.get("aspects", ())}
    assert found
    for name in found:
        planned.check_aspect(name)
    with pytest.raises(InputError, match="no aspect 'colour'; they have ") as refused:
        planned.check_aspect("colour")
    # A player may leave parts out, such as a vote; no part is missing here.
    assert set(str(refused.value).partition("they have ")[2].split(", ")) >= found
