"""What happens when, before anything is drawn."""

from itertools import pairwise

import pytest

from charts.film.filmed import HOSTILE, commons, of_events, round_of, two_rounds
from ostrom.charts.film.film import plan
from ostrom.charts.film.record_events import events_of
from ostrom.charts.film.timeline import Kind, Moment
from ostrom.core import InputError, RecordError
from ostrom.games.contribute_punish.events import GameEnded, MessageSaid, Punished, RoundEnded

RECORDS = {"punish": two_rounds(), "commons": commons(), "long commons": commons(80)}


@pytest.fixture(params=RECORDS.values(), ids=RECORDS.keys())
def record(request):
    return request.param


def test_every_event_is_shown_once_and_in_order(record):
    shown = [event for scene in plan(record).timeline.scenes for event in scene.events]
    assert shown == events_of(record)


def test_times_increase_and_scenes_follow_without_a_gap(record):
    timeline = plan(record).timeline
    for (start, scene), (following, _) in pairwise(zip(timeline.starts, timeline.scenes, strict=True)):
        assert following == pytest.approx(start + scene.lasts)
        assert following > start
    assert timeline.duration > timeline.starts[-1]


def test_a_scene_begins_with_what_the_one_before_left(record):
    for earlier, later in pairwise(plan(record).timeline.scenes):
        if earlier.kind is not Kind.OPENING:
            assert later.before == pytest.approx(earlier.after)


def test_balances_at_the_end_are_those_of_the_record(record):
    last = plan(record).timeline.scenes[-1]
    end = record.events[-1]
    assert list(last.after) == end.get("balances", end.get("capitals"))


def test_the_worked_example_moves_as_the_rules_say():
    scenes = {(scene.turn, scene.kind): scene for scene in plan(two_rounds()).timeline.scenes}
    assert scenes[1, Kind.GIVE].after == (10, 12, 15)
    assert scenes[1, Kind.GIVE].fund == (0, 13)
    assert scenes[1, Kind.GROW].fund == (13, 20)
    assert scenes[1, Kind.SHARE].after == (16, 18, 21)
    assert scenes[1, Kind.SHARE].fund == (20, 2)
    assert scenes[1, Kind.PUNISH].after == (13, 18, 12)
    assert scenes[2, Kind.GIVE].fund == (2, 27)


def test_moments_of_a_resting_scene_are_equal():
    timeline = plan(two_rounds()).timeline
    at = next(index for index, scene in enumerate(timeline.scenes) if scene.kind is Kind.REST)
    start, scene = timeline.starts[at], timeline.scenes[at]
    assert timeline.at(start + scene.moves + 0.01) == timeline.at(start + scene.lasts - 0.01) == Moment(at, 1.0)
    assert timeline.at(start + scene.moves / 2) != timeline.at(start + scene.moves / 3)


def test_before_the_beginning_and_after_the_end():
    timeline = plan(two_rounds()).timeline
    assert timeline.at(-5) == Moment(0, 0.0)
    assert timeline.at(timeline.duration + 5) == Moment(len(timeline.scenes) - 1, 1.0)
    assert timeline.moments(30)[-1] == Moment(len(timeline.scenes) - 1, 1.0)


def ten_rounds(texts, strikes):
    """Ten rounds in which nobody gives."""
    events = []
    for number in range(1, 11):
        events += round_of(number, [100] * 5, [0] * 5, 0, texts)
        events += [Punished(round=number, punisher=0, target=1, asked=0, spend=0, damage=0)] * strikes
        events.append(RoundEnded(round=number, balances=[100] * 5, carry=0))
    events.append(GameEnded(round=10, balances=[100] * 5, winners=[0, 1, 2, 3, 4]))
    return of_events(events, *"abcde", start=100)


@pytest.mark.parametrize("texts", [[], ["word " * 50] * 5], ids=["silent", "talkative"])
@pytest.mark.parametrize("strikes", [0, 5])
def test_ten_rounds_last_60_to_90_seconds(texts, strikes):
    assert 60 <= plan(ten_rounds(texts, strikes)).timeline.duration <= 90


@pytest.mark.parametrize("turns", [2, 40, 250])
def test_a_game_of_the_commons_is_neither_hasty_nor_endless(turns):
    duration = plan(commons(turns)).timeline.duration
    assert turns * 0.2 < duration < min(turns * 1.5, 60) + 10


def test_speed_changes_how_long_it_lasts_and_nothing_else(record):
    slow, fast = plan(record).timeline, plan(record, speed=4).timeline
    assert fast.duration == pytest.approx(slow.duration / 4)
    assert [scene.events for scene in fast.scenes] == [scene.events for scene in slow.scenes]


@pytest.mark.parametrize("speed", [0, -1, 1e9, float("nan"), float("inf")])
def test_a_speed_that_cannot_be_is_refused(speed):
    with pytest.raises(InputError, match="speed"):
        plan(two_rounds(), speed=speed)


def test_a_record_without_events_has_nothing_to_show():
    with pytest.raises(InputError, match="nothing to show"):
        plan(of_events([], "Ann", "Bob", "Cid"))
    with pytest.raises(InputError, match="nothing to show"):
        plan(of_events([], "Ann", "Bob", game="commons"))


def test_a_game_that_was_broken_off_is_shown_as_far_as_it_went():
    record = two_rounds()
    whole = plan(record).timeline
    cut = plan(record.model_copy(update={"events": record.events[:6]})).timeline
    assert cut.duration < whole.duration
    assert cut.scenes[-1].kind is Kind.PUNISH


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (MessageSaid(round=1, seat=3, text="who?"), "seat 3"),
        (MessageSaid(round=1, seat=-1, text="who?"), "seat -1"),
        (Punished(round=1, punisher=0, target=7, asked=1, spend=1, damage=3), "seat 7"),
        (RoundEnded(round=1, balances=[1, 2], carry=0), "2 entries for 3 seats"),
        (GameEnded(round=1, balances=[1, 2, 3], winners=[]), "nobody wins"),
    ],
)
def test_an_event_that_does_not_fit_the_table_is_named(event, fault):
    with pytest.raises(RecordError, match=fault):
        plan(of_events([event], "Ann", "Bob", "Cid"))


def test_seats_must_be_numbered():
    record = two_rounds()
    with pytest.raises(RecordError, match="numbered"):
        plan(record.model_copy(update={"seats": record.seats[::-1]}))


def test_a_game_without_pictures_is_refused():
    with pytest.raises(InputError, match="chess"):
        plan(of_events([], "Ann", "Bob", game="chess"))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_text_does_not_change_what_happens(text):
    kinds = [scene.kind for scene in plan(two_rounds(text)).timeline.scenes]
    assert kinds == [scene.kind for scene in plan(two_rounds()).timeline.scenes]
