"""The time task: its sequences, and those that are censored or invalid."""

from collections import Counter

import pytest

from games.battery.interviews import SCRIPTS, discounting, ended, interview, items, refuse, sequences
from ostrom.core import Fault
from ostrom.games.battery.time import TimeRules
from ostrom.players.base import NoAnswer

ONE = TimeRules(later=(100,), delays=(12,), fronts=(0,), retest=0, reversals=0, dominance=0, triples=0)
"""A single sequence."""


@pytest.mark.parametrize(("task", "count", "questions"), [("time", 72, 3038), ("risk", 66, 2822)])
def test_the_full_grid_has_sequences_of_12_steps_with_three_askings_each(task, count, questions):
    match = interview(task, SCRIPTS[task])
    assert len(sequences(match)) == count
    assert {(event.outcome, event.answers) for event in sequences(match)} == {("point", 36)}
    assert len(items(match, "score")) == count * 12 * 3
    assert (len(sequences(match, "retest")), len(sequences(match, "reversed"))) == (7, 5)
    assert (len(items(match, "dominance")), len(items(match, "transitivity"))) == (5, 9)
    assert len(items(match)) == ended(match).items == match.rules.questions == questions


@pytest.mark.parametrize("delta", [0.3, 0.7, 0.9, 0.999])
def test_every_indifference_ratio_is_found_to_a_1024th(delta):
    for event in sequences(interview("time", discounting(delta))):
        assert event.value == pytest.approx(delta ** (event.facts["days"] / 365), abs=2**-10)


def test_the_steps_of_a_sequence_by_hand():
    match = interview("time", lambda question: "sooner" if question.view.facts.sooner >= 70 else "later", ONE)
    asked = {event.step: event.facts for event in items(match)}
    amounts = [asked[step]["sooner"] for step in range(12)]
    assert amounts[:6] == [0, 100, 50, 75, 62.5, 68.75]
    assert amounts[6] == 71.88, "what is shown is what is chosen from, to the cent"
    assert asked[0] == {"sooner": 0, "sooner_days": 0, "later": 100, "later_days": 365.04}
    (sequence,) = sequences(match)
    assert sequence.facts == {"later": 100, "delay_months": 12, "front_months": 0, "days": 365.04}
    assert sequence.value == 716.5 / 1024  # 0.7 lies between 716 and 717 of them


def test_amounts_are_shown_as_they_are_asked_to_four_decimals():
    rules = ONE.model_copy(update={"later": (10.0,)})
    for event in items(interview("time", discounting(0.7), rules)):
        assert round(event.facts["sooner"], 4) == event.facts["sooner"]


def test_all_askings_of_a_step_are_one_moment_and_both_ends_are_the_first():
    steps = [event.step for event in items(interview("time", discounting(0.9), ONE))]
    assert sorted(steps[:6]) == [0, 0, 0, 1, 1, 1]
    assert steps[6:] == [step for step in range(2, 12) for _ in range(3)]


def test_a_front_end_delay_moves_both_dates():
    rules = ONE.model_copy(update={"fronts": (1.0,)})
    facts = items(interview("time", discounting(0.9), rules))[0].facts
    assert (facts["sooner_days"], facts["later_days"]) == (30.42, 395.46)


@pytest.mark.parametrize(
    ("choice", "outcome", "value", "reason"),
    [
        ("later", "censored", 1.0, "preferred to wait even for the full amount"),
        ("sooner", "invalid", None, "preferred 0 sooner to the later amount"),
    ],
)
def test_equal_choices_at_both_ends_end_the_sequence(choice, outcome, value, reason):
    (sequence,) = sequences(interview("time", lambda question: choice, ONE))
    assert (sequence.outcome, sequence.value, sequence.reason) == (outcome, value, reason)
    assert sequence.answers == 6


def answering_at_step_5(**answers):
    """Discount exponentially, except at step 5: there give the answers to the askings `first` to `third`, if any."""

    def script(question):
        if question.view.step != 5:
            return discounting(0.9)(question)
        asking = ("first", "second", "third")[question.view.repetition - 1]
        if asking not in answers:
            raise NoAnswer(Fault.MALFORMED, "what?")
        return answers[asking] or discounting(0.9)(question)

    return script


def test_two_answers_that_agree_are_a_majority_and_the_missing_one_is_counted():
    match = interview("time", answering_at_step_5(second=None, third=None), ONE)
    assert sequences(match)[0].value == sequences(interview("time", discounting(0.9), ONE))[0].value
    assert ended(match).faults == {"malformed": 1}
    assert (ended(match).items, ended(match).valid) == (36, 35)
    (missing,) = [event for event in items(match) if event.answer is None]
    assert (missing.step, missing.repetition, missing.fault) == (5, 1, "malformed")


@pytest.mark.parametrize(("answers", "valid"), [({"third": None}, 1), ({"second": "sooner", "third": "later"}, 2)])
def test_a_step_without_a_majority_ends_the_sequence_without_a_value(answers, valid):
    (sequence,) = sequences(interview("time", answering_at_step_5(**answers), ONE))
    assert (sequence.outcome, sequence.value) == ("invalid", None)
    assert (sequence.reason, sequence.answers) == (f"no majority: {valid} of 3 answers valid", 18)


def test_a_subject_that_refuses_everything_is_asked_the_ends_only_and_nothing_is_imputed():
    match = interview("time", refuse)
    assert {event.outcome for event in sequences(match)} == {"invalid"}
    assert {event.answer for event in items(match)} == {None}
    assert ended(match).faults == {"refused": ended(match).items}
    assert ended(match).items == 84 * 6 + 14


def test_a_retest_is_put_as_the_first_time_and_a_reversed_sequence_the_other_way_round():
    match = interview("time", discounting(0.9))
    shown = {(event.purpose, event.condition, event.step, event.repetition): event for event in items(match)}
    for (purpose, *asking), event in shown.items():
        if purpose in ("retest", "reversed"):
            before = shown["score", *asking]
            turned = -1 if purpose == "reversed" else 1
            assert event.options == before.options[::turned]
            assert event.labels == before.labels[::turned]


@pytest.mark.slow
def test_every_sequence_is_as_likely_as_any_other_to_be_asked_again():
    rules = TimeRules(askings=1, bisections=1, dominance=0, triples=0)
    drawn = Counter(
        event.condition
        for seed in range(60)
        for event in sequences(interview("time", lambda question: "sooner", rules, seed), "retest")
    )
    assert len(drawn) > 65
    assert max(drawn.values()) < 18


def test_the_dominant_option_is_more_money_and_sooner():
    for event in items(interview("time", discounting(0.9)), "dominance"):
        assert event.facts["sooner"] > event.facts["later"]
        assert event.facts["sooner_days"] < event.facts["later_days"]
        assert event.detail == {"dominant": "sooner"}
        assert event.answer == "sooner"


@pytest.mark.parametrize("delta", [0.3, 0.7, 0.8, 0.95])
def test_a_discounter_chooses_no_circle(delta):
    beaten = {}
    for event in items(interview("time", discounting(delta)), "transitivity"):
        better = event.detail["elements"][event.answer]
        (worse,) = set(event.detail["elements"].values()) - {better}
        beaten.setdefault(event.detail["triple"], Counter())[better] += 1
        beaten[event.detail["triple"]][worse] += 0
    assert len(beaten) == 3
    assert all(sorted(wins.values()) == [0, 1, 2] for wins in beaten.values())


def test_position_and_label_alone_find_no_indifference_everywhere():
    def first(question):
        return question.view.options[0]

    def labelled_a(question):
        return question.view.options[question.view.labels.index("A")]

    for script in (first, labelled_a):
        outcomes = Counter(event.outcome for event in sequences(interview("time", script)))
        assert outcomes["invalid"] > 0.1 * 72
