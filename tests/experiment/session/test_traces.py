"""Flags from traces: what each describes, how thresholds are set, and that nothing typed is recorded."""

import pytest

from ostrom.core import InputError
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.traces import (
    THRESHOLDS,
    TRACE_NUMBERS,
    FlagThresholds,
    fit_thresholds,
    flagged_share,
    flags_of,
    measure_traces,
)
from ostrom.experiment.session.words import words_of
from ostrom.web.api.participation_shapes import Trace

WORDS = words_of("en")
TYPED = {"pastes": 0, "keys": 12, "characters": 10, "focus_lost": 0, "first_key_s": 2.0, "total_s": 9.0}
KEY = "g1/table 1/1"


def person(*numbers, answered=None, elsewhere=0):
    """A participant whose answers at one table have these traces."""
    traces = [(f"{KEY} 2-{turn}-contribution", values) for turn, values in enumerate(numbers)]
    traces += [("quiz", TYPED)] * elsewhere
    return Participant(1, "", tables=[KEY], traces=traces, answered=len(numbers) if answered is None else answered)


def names(participant, thresholds=THRESHOLDS):
    return [flag.name for flag in flags_of(participant, WORDS, thresholds)]


def test_somebody_who_types_has_no_flag():
    assert names(person(*[TYPED] * 8, elsewhere=3)) == []
    assert names(person()) == []


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("pasted", {"pastes": 1}, "into 8 of 8 answers"),
        ("few_keys", {"keys": 3}, "0.30 keys"),
        ("keyless", {"keys": 0, "characters": 0, "first_key_s": None}, "8 of 8 answers were entered without a key"),
        ("fast", {"first_key_s": 0.05}, "0.05 seconds"),
        ("unfocused", {"focus_lost": 2}, "8 of 8 answers"),
    ],
)
def test_each_flag_says_plainly_what_is_unusual(name, change, words):
    (flag,) = flags_of(person(*[{**TYPED, **change}] * 8), WORDS)
    assert flag.name == name
    assert words in flag.description
    assert names(person(*[{**TYPED, **change}] * 2)) in ([], ["pasted"], ["few_keys"])


def test_answers_without_a_trace_are_flagged_and_traces_of_other_pages_do_not_replace_them():
    (flag,) = flags_of(person(*[TYPED] * 6, answered=8, elsewhere=4), WORDS)
    assert (flag.name, flag.description[:20]) == ("untraced", "2 of 8 answers came ")


def test_every_flag_has_words_in_every_language():
    for language in ("en", "de"):
        words = words_of(language)
        strange = {**TYPED, "pastes": 1, "keys": 1, "characters": 90, "focus_lost": 1, "first_key_s": 0.0}
        flags = flags_of(person(*[strange] * 8, answered=9), words)
        assert {flag.name for flag in flags} == {"untraced", "pasted", "few_keys", "fast", "unfocused"}
        assert not any("{" in flag.description for flag in flags)


def test_thresholds_are_set_on_some_rehearsals_and_tried_on_others():
    def rehearsal(number):
        return person(*[{**TYPED, "first_key_s": 0.2 + number / 100, "keys": 4}] * 8)

    fitted = fit_thresholds([measure_traces(rehearsal(number)) for number in range(0, 20, 2)])
    assert 0.2 < fitted.first_key_s <= 0.5
    assert fitted.keys_per_character == pytest.approx(0.4)
    held_out = [rehearsal(number) for number in range(1, 20, 2)]
    assert flagged_share(held_out, WORDS, fitted) == 1.0
    people = [person(*[TYPED] * 8) for _ in range(4)]
    assert flagged_share([*held_out[:4], *people], WORDS, fitted) == 0.5
    with pytest.raises(InputError, match="at least 5 rehearsals"):
        fit_thresholds([measure_traces(rehearsal(1))])
    with pytest.raises(InputError, match="no participants"):
        flagged_share([], WORDS)


def test_thresholds_stay_within_what_is_unusual_for_anybody():
    slow = [measure_traces(person(*[{**TYPED, "first_key_s": 60.0, "keys": 20}] * 8)) for _ in range(6)]
    assert fit_thresholds(slow) == FlagThresholds(
        keyless_share=0.5, keys_per_character=0.8, first_key_s=0.5, unfocused_share=0.3
    )


def test_a_trace_has_counts_and_times_only():
    assert set(Trace.model_fields) == set(TRACE_NUMBERS)
    assert all("str" not in str(field.annotation) for field in Trace.model_fields.values())
