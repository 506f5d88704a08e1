"""A record is played again from its answers; whatever in it the rules do not give is found and its place is named."""

import copy
import json
import math
import random
import re

import pytest

import ostrom
from ostrom.core import Disagreement, InputError, PlayerFault, Provenance
from ostrom.games.commons import CommonsRules
from ostrom.journal.record import GameRecord, read_record

PLACE = re.compile(r"turn \d+|events?[ .]\d+|rules|seat|answer|players|alpha|version")


@pytest.fixture(scope="module")
def record():
    players = ["Justicier:2", "Parasite", "Capitaliste", "RandomPlayer", "AlwaysBetray"]
    return ostrom.record_of(ostrom.play(players, rules=CommonsRules(duration=8), seed=34)).model_dump(mode="json")


def numbers(part, path=()):
    """The places of all numbers and truth values in a record."""
    if isinstance(part, dict | list):
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from numbers(inner, (*path, key))
    elif isinstance(part, int | float):
        yield path


def changed(record, path, change):
    """A copy that differs at one place."""
    copied = copy.deepcopy(record)
    part = copied
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = change(part[path[-1]])
    return copied


def refusal(data, path):
    """What is said about a changed record, read from a file as any record is."""
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises((Disagreement, InputError, PlayerFault)) as caught:
        ostrom.replay(read_record(path))
    text = str(caught.value)
    assert "\n" not in text
    assert PLACE.search(text), text
    return text


def other(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value + 0.001


def test_an_unchanged_record_agrees(record):
    match = ostrom.replay(GameRecord.model_validate(record))
    assert [event.as_record() for event in match.events] == record["events"]
    assert {decision.answer.provenance for decision in match.decisions} == {Provenance.REPLAYED}


@pytest.mark.slow
@pytest.mark.parametrize("part", ["answers", "events"])
def test_every_changed_number_is_found(record, part, tmp_path):
    places = [(part, *path) for path in numbers(record[part])]
    sample = random.Random(part).sample(places, min(150, len(places)))
    for place in sample:
        refusal(changed(record, place, other), tmp_path / "changed.json")


def test_numbers_of_every_name_are_found(record, tmp_path):
    # One of each name, so that no field of no event is left to the luck of a sample.
    seen = {}
    for place in numbers({key: record[key] for key in ("answers", "events", "seats")}):
        kind = record["events"][place[1]]["event"] if place[0] == "events" else ""
        named = tuple(key for key in place if isinstance(key, str))
        seen.setdefault((kind, *named), place)
    assert len(seen) > 35
    for place in seen.values():
        refusal(changed(record, place, other), tmp_path / "changed.json")


@pytest.mark.parametrize("nudge", [1e-6, -1e-6])
def test_a_change_in_the_seventh_digit_is_found(record, nudge, tmp_path):
    place = ("events", 0, "capitals", 3)
    assert "event 1 (turn 1, turn_played), capitals[3]" in refusal(
        changed(record, place, lambda value: value * (1 + nudge)), tmp_path / "changed.json"
    )


def test_the_last_bit_of_a_power_on_another_machine_is_no_disagreement(record):
    nudged = changed(record, ("events", 0, "capitals", 3), lambda value: math.nextafter(value, math.inf))
    assert ostrom.replay(GameRecord.model_validate(nudged))


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        *[("endowment", 100.5), ("alpha", 0.51), ("sensitivity", 0.0011), ("synergy", 1.81), ("growth", 0.11)],
        *[("shrinkage", 0.06), ("erosion_intensity", 1.1), ("golden_age_from", 0.99), ("erosion_below", 0.1)],
        *[("duration", 2), ("turns", 4), ("turns", 30), ("lobbying", False), ("erosion", False), ("voting", False)],
        *[("synergy_highest", 1.85), ("alpha", 1.5), ("alpha", math.nan), ("endowment", -1), ("unheard_of", 1)],
    ],
)
def test_other_rules_are_found(record, rule, value, tmp_path):
    refusal(record | {"rules": record["rules"] | {rule: value}}, tmp_path / "changed.json")


@pytest.mark.parametrize(
    ("name", "value"), [("seed", 35), ("seed", -1), ("seed", 2**64), ("number", 1), ("number", -1)]
)
def test_other_chance_ends_the_game_elsewhere(record, name, value, tmp_path):
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(record | {name: value}), encoding="utf-8")
    with pytest.raises((Disagreement, InputError)):
        ostrom.replay(read_record(path))


def test_a_missing_answer_is_named_by_turn_and_seat(record, tmp_path):
    gone = record["answers"][9]
    data = record | {"answers": record["answers"][:9] + record["answers"][10:]}
    said = refusal(data, tmp_path / "changed.json")
    assert f"turn {gone['turn']}: the rules ask seat P{gone['seat'] + 1} for its move" in said


def test_a_doubled_answer_is_found(record, tmp_path):
    assert "two answers to one question" in refusal(
        record | {"answers": record["answers"] + record["answers"][:1]}, tmp_path / "x.json"
    )


def test_an_additional_answer_is_found(record, tmp_path):
    more = record["answers"][-1] | {"turn": 99}
    assert "1 more answers" in refusal(record | {"answers": [*record["answers"], more]}, tmp_path / "x.json")


@pytest.mark.parametrize("place", [0, 3, -1])
def test_a_missing_or_doubled_event_is_found(record, place, tmp_path):
    without = [event for index, event in enumerate(record["events"]) if index != place % len(record["events"])]
    refusal(record | {"events": without}, tmp_path / "x.json")
    refusal(record | {"events": [*record["events"], record["events"][place]]}, tmp_path / "x.json")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None, "0.5", True, [1.0]])
def test_what_is_no_number_is_refused_where_a_number_belongs(record, value, tmp_path):
    for place in (("answers", 2, "value", "contribution"), ("events", 0, "pot")):
        refusal(changed(record, place, lambda _: value), tmp_path / "x.json")


def test_seats_that_are_not_those_of_the_game_are_found(record, tmp_path):
    refusal(record | {"seats": record["seats"][:-1]}, tmp_path / "x.json")
    refusal(record | {"seats": record["seats"][::-1]}, tmp_path / "x.json")
    refusal(record | {"seats": []}, tmp_path / "x.json")


def test_an_unknown_game_is_named(record):
    with pytest.raises(InputError, match="'chess'"):
        ostrom.replay(GameRecord.model_validate(record | {"game": "chess"}))


def test_a_record_of_the_first_version_without_votes_needed_replays(record):
    older = copy.deepcopy(record)
    del older["rules"]["votes_needed"]
    older["game_version"] = "1"
    match = ostrom.replay(GameRecord.model_validate(older))
    assert match.rules.votes_needed == 2
    assert [event.as_record() for event in match.events] == record["events"]
