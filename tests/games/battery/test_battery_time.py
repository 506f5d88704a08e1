"""The time task: sequences, censoring, and what makes one invalid."""

from collections import Counter

import pytest

from games.battery.interviews import discounting, ended, interview, items, refuse, sequences
from ostrom.core import Fault
from ostrom.games.battery.time import TimeRules
from ostrom.players.base import NoAnswer

ONE = TimeRules(later=(100,), delays=(12,), fronts=(0,), retest=0, reversals=0, dominance=0, triples=0)
"""A single sequence."""


def test_the_full_grid_has_72_sequences_of_12_steps_with_three_askings_each():
    match = interview("time", discounting(0.9))
    assert len(sequences(match)) == 72
    assert {(event.outcome, event.answers) for event in sequences(match)} == {("point", 36)}
    assert len(items(match, "score")) == 72 * 12 * 3
    assert len(sequences(match, "retest")) == 7
    assert len(sequences(match, "reversed")) == 5
    assert len(items(match, "dominance")) == 5
    assert len(items(match, "transitivity")) == 9
    assert len(items(match)) == ended(match).items == TimeRules().questions == 3038


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


def test_waiting_even_for_the_full_amount_is_censored_at_its_bound():
    (sequence,) = sequences(interview("time", lambda question: "later", ONE))
    assert (sequence.outcome, sequence.value, sequence.answers) == ("censored", 1.0, 6)
    assert sequence.reason == "preferred to wait even for the full amount"


def test_preferring_nothing_now_is_invalid():
    (sequence,) = sequences(interview("time", lambda question: "sooner", ONE))
    assert (sequence.outcome, sequence.value, sequence.answers) == ("invalid", None, 6)
    assert sequence.reason == "preferred 0 sooner to the later amount"


def silent_at(step, missing, fault=Fault.MALFORMED):
    """Exponential, but without an answer to the first askings of a step."""
    answer = discounting(0.9)

    def script(question):
        if question.view.step == step and question.view.repetition <= missing:
            raise NoAnswer(fault, "what?")
        return answer(question)

    return script


def test_two_answers_that_agree_are_a_majority_and_the_missing_one_is_counted():
    match = interview("time", silent_at(5, 1), ONE)
    assert sequences(match)[0].value == sequences(interview("time", discounting(0.9), ONE))[0].value
    assert ended(match).faults == {"malformed": 1}
    assert (ended(match).items, ended(match).valid) == (36, 35)
    (missing,) = [event for event in items(match) if event.answer is None]
    assert (missing.step, missing.repetition, missing.fault) == (5, 1, "malformed")


def test_fewer_than_two_answers_end_the_sequence_without_a_value():
    (sequence,) = sequences(interview("time", silent_at(5, 2), ONE))
    assert (sequence.outcome, sequence.value) == ("invalid", None)
    assert sequence.reason == "no majority: 1 of 3 answers valid"
    assert sequence.answers == 18


def test_two_answers_that_disagree_end_it_too():
    torn = {2: "sooner", 3: "later"}

    def script(question):
        if question.view.step == 4:
            if question.view.repetition == 1:
                raise NoAnswer(Fault.REFUSED, "no")
            return torn[question.view.repetition]
        return discounting(0.9)(question)

    (sequence,) = sequences(interview("time", script, ONE))
    assert (sequence.outcome, sequence.reason) == ("invalid", "no majority: 2 of 3 answers valid")


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
    for script in (lambda question: question.view.options[0], lambda question: _called_a(question.view)):
        outcomes = Counter(event.outcome for event in sequences(interview("time", script)))
        assert outcomes["invalid"] > 0.1 * 72


def _called_a(item):
    return item.options[item.labels.index("A")]
