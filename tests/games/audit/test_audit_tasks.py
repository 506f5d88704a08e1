"""An audit of a task of the battery: its items are put in balanced ways, and a planted bias is found in them."""

from collections import Counter

import pytest

from ostrom.core import InputError, Provenance
from ostrom.games.audit import AuditFraming, AuditRules
from ostrom.games.audit.biased import BIASED
from ostrom.games.audit.commands.plan import AuditPlan, audit, audit_of, audited_game, audited_player
from ostrom.games.audit.design import CELLS, item_factors, item_variant
from ostrom.games.audit.effects import answers_of, audit_effects
from ostrom.games.audit.play import first_choice, reach, show_framed
from ostrom.games.battery.commands.plan import ItemSamples
from ostrom.games.battery.stated import TASKS
from sampling import sampled

PLAYER = BIASED["scripted:unbiased"]
ROLES = [(name, role) for name, task in TASKS.items() for role in task.roles]


def planned(task, **settings):
    return AuditPlan(TASKS[task].game, PLAYER, **{"situations": 3, "seed": 5, **settings})


@pytest.mark.parametrize(("task", "role"), ROLES)
def test_every_level_occurs_equally_often_in_each_situation(task, role):
    plan = planned(task, phase=role)
    plan.check()
    fixtures = list(plan.fixtures())
    assert len(fixtures) == plan.games == 3 * CELLS * 2
    for situation in range(3):
        put = [fixture.rules for fixture in fixtures if fixture.rules.situation == situation]
        same = [rules.model_dump(exclude={"places", "framing", "cell", "repeat", "levels"}) for rules in put]
        assert same == [same[0]] * len(same)
        factors = item_factors(f"stated_{task}", put[0].choices)
        assert [factor.name for factor in factors] == (
            ["wording", "order", "labels", "currency", "scale"] if put[0].choices else ["wording", "currency", "scale"]
        )
        assert len(factors[0].levels) == 3
        for factor in factors:
            counts = Counter(rules.levels[factor.name] for rules in put)
            assert counts == dict.fromkeys(factor.levels, 2 * CELLS // len(factor.levels)), factor.name


@pytest.mark.parametrize("task", ["time", "stag_hunt"])
def test_options_are_shown_in_the_order_and_under_the_labels_of_the_framing(task):
    rules = next(planned(task).fixtures()).rules
    first, second = rules.choices
    for order in rules.choices:
        for label in "ABXY":
            levels = {"order": f"{order} first", "labels": f"{first} as {label}"}
            framing = item_variant(levels, rules.choices).framing
            item = show_framed(reach(rules), rules.model_copy(update={"framing": framing})).view
            assert item.options[0] == order
            assert item.label_of(first) == label
            assert {label, item.label_of(second)} in ({"A", "B"}, {"X", "Y"})


def test_a_choice_is_the_same_decision_however_it_is_shown():
    assert first_choice(("stag", "hare"), "stag") == {"choice of stag": 1.0}
    assert first_choice(("stag", "hare"), "hare") == {"choice of stag": 0.0}
    assert first_choice(("stag", "hare"), None) == {}


def test_situations_are_different_items_as_long_as_there_are_any():
    for task, role in ROLES:
        situations = ItemSamples(TASKS[task]).situations({}, 1, role, 3, 8)
        rules = [AuditRules(game=TASKS[task].game.name, **one._asdict()) for one in situations]
        facts = [repr(reach(one).view.facts) for one in rules]
        assert len(set(facts)) >= min(8, len(set(facts))) >= 3, task
        # Beyond the grid it begins again.
        assert facts[: len(set(facts))] == list(dict.fromkeys(facts))


def test_a_sequence_is_stopped_after_its_ends_and_depends_on_the_seed():
    samples = ItemSamples(TASKS["time"])
    situations = samples.situations({}, 1, "chooser", 3, 8)
    steps = [reach(AuditRules(game="stated_time", **one._asdict())).view.step for one in situations]
    assert min(steps) >= 2
    assert len(set(steps)) > 1
    assert samples.situations({}, 1, "chooser", 4, 8) != situations


@pytest.mark.parametrize("task", ["dictator", "stated-dictator", "stated_dictator"])
def test_a_task_is_audited_by_its_stated_choices(task):
    assert audited_game(task).name == "stated_dictator"
    assert audited_game("punish").name == "contribute_punish"


@pytest.mark.parametrize(("task", "role"), sampled(ROLES))
def test_an_unbiased_player_gives_about_zero_everywhere(task, role):
    found = audit_effects(answers_of(audit(PLAYER, task, phase=role, situations=4, seed=1)).questions)
    assert found.leading is None
    assert all(abs(factor.share.value) < 0.2 for factor in found.factors)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bias", "factor", "task", "role"),
    sampled(
        [
            *(("first-bias", "order", task, role) for task, role in [("time", None), ("ultimatum", "responder")]),
            *(("label-bias", "labels", task, None) for task in ("risk", "stag_hunt")),
            *(("wording-bias", "wording", task, None) for task in ("dictator", "traveller", "loss")),
            ("scale-bias", "scale", "garp", None),
            ("first-bias", "seat", "punish", None),
        ]
    ),
)
def test_a_planted_bias_leads_and_its_interval_is_clear_of_zero(bias, factor, task, role):
    found = audit_effects(answers_of(audit(BIASED[f"scripted:{bias}"], task, phase=role, seed=2)).questions)
    assert found.leading is not None
    assert found.leading.name == factor
    assert found.leading.share.low > 0
    assert [one.name for one in found.factors if one.share.low > 0.05] == [factor]


def test_a_simulated_subject_looks_at_the_item_alone():
    subject = audited_player(TASKS["time"].game, "exponential:delta=0.8")
    found = answers_of(audit(subject, "time", situations=3))
    assert (found.aspect, len(found.questions)) == ("choice of sooner", 72)
    assert audit_effects(found.questions).noise.value is None


def test_missing_answers_are_counted_and_have_no_decision():
    subject = audited_player(TASKS["dictator"].game, "refuser")
    records = audit(subject, "dictator", situations=2)
    found = answers_of(records)
    assert (found.questions, found.defaulted) == ((), 48)
    (answer,), (event,) = records[0].answers, records[0].events
    assert (answer.provenance, answer.value) == (Provenance.DEFAULTED, None)
    assert (event["raw"], event["aspects"]) == (None, {})


def test_it_comes_back_from_its_settings():
    plan = planned("time")
    again = audit_of("again", plan.settings, {PLAYER.name: PLAYER}.get)
    assert [fixture.rules for fixture in again.fixtures()] == [fixture.rules for fixture in plan.fixtures()]
    assert again.settings == plan.settings


@pytest.mark.parametrize(
    ("task", "settings", "reason"),
    [
        ("dictator", {"phase": "taker"}, "it has giver"),
        ("dictator", {"seats": 4}, "for one player"),
        ("dictator", {"rules": {"pots": [0]}}, "above 0"),
        ("dictator", {"situations": 1}, "at least 2"),
    ],
)
def test_invalid_plans_are_refused(task, settings, reason):
    with pytest.raises(InputError, match=reason):
        planned(task, **settings).check()


@pytest.mark.parametrize(
    "framing",
    [
        AuditFraming(options=("stag", "wolf"), called=("A", "B")),
        AuditFraming(options=("stag", "hare")),
        AuditFraming(options=("stag", "hare"), called=("A", "A")),
        AuditFraming(called=("A", "B")),
    ],
)
def test_a_framing_that_is_not_of_the_item_is_refused(framing):
    with pytest.raises(ValueError, match=r"for each option shown|must be the choices"):
        AuditRules(game="stated_stag_hunt", rules={}, seats=1, choices=("stag", "hare"), framing=framing)
