"""What happens when, before anything is drawn."""

from itertools import pairwise

import pytest

from charts.film.filmed import HOSTILE, commons, of_events, record_of, round_of, two_rounds
from ostrom.charts.film.film import FilmLook, plan
from ostrom.charts.film.timeline import FilmState, Kind, Moment
from ostrom.core import InputError, RecordError
from ostrom.games.contribute_punish.events import Punished, PunishEnded, PunishMessageSaid, RoundEnded
from ostrom.journal.record import with_tellings

RECORDS = {
    "trust": record_of("trust"),
    "stated risk": record_of("stated_risk"),
    "punish": two_rounds(),
    "commons": commons(),
    "long commons": commons(80),
}


@pytest.fixture(params=RECORDS.values(), ids=RECORDS.keys())
def record(request):
    return request.param


def test_every_event_is_shown_once_and_in_order(record):
    shown = [telling for shot in plan(record).timeline.shots for telling in shot.tellings]
    assert shown == with_tellings(record).told


def test_times_increase_and_scenes_follow_without_a_gap(record):
    timeline = plan(record).timeline
    for (start, shot), (following, _) in pairwise(zip(timeline.starts, timeline.shots, strict=True)):
        assert following == pytest.approx(start + shot.lasts)
        assert following > start
    assert timeline.duration > timeline.starts[-1]


def test_a_scene_begins_with_what_the_one_before_left(record):
    for earlier, later in pairwise(plan(record).timeline.shots):
        if earlier.kind not in (Kind.TITLE, Kind.OPENING):
            assert later.before == earlier.after


def test_balances_at_the_end_are_those_of_the_record(record):
    last, final = plan(record).timeline.shots[-1], with_tellings(record)
    assert final.scene.final is None or list(last.after.seats[final.scene.final]) == final.finals


def test_the_worked_example_moves_as_the_rules_say():
    shots = {(shot.turn, shot.kind): shot for shot in plan(two_rounds()).timeline.shots}

    def fund(turn, kind):
        return shots[turn, kind].before.table["fund"], shots[turn, kind].after.table["fund"]

    assert shots[1, Kind.GIVE].after.seats["balance"] == (10, 12, 15)
    assert fund(1, Kind.GIVE) == (0, 13)
    assert fund(1, Kind.GROW) == (13, 20)
    assert shots[1, Kind.SHARE].after.seats["balance"] == (16, 18, 21)
    assert fund(1, Kind.SHARE) == (20, 2)
    assert shots[1, Kind.STRIKE].after.seats["balance"] == (13, 18, 12)
    assert fund(2, Kind.GIVE) == (2, 27)


def test_moments_of_a_resting_scene_are_equal():
    timeline = plan(two_rounds()).timeline
    at = next(index for index, shot in enumerate(timeline.shots) if shot.kind is Kind.REST)
    start, shot = timeline.starts[at], timeline.shots[at]
    assert timeline.at(start + shot.moves + 0.01) == timeline.at(start + shot.lasts - 0.01) == Moment(at, 1.0)
    assert timeline.at(start + shot.moves / 2) != timeline.at(start + shot.moves / 3)


def test_before_the_beginning_and_after_the_end():
    timeline = plan(two_rounds()).timeline
    assert timeline.at(-5) == Moment(0, 0.0)
    assert timeline.at(timeline.duration + 5) == Moment(len(timeline.shots) - 1, 1.0)
    assert timeline.moments(30)[-1] == Moment(len(timeline.shots) - 1, 1.0)


def ten_rounds(texts, strikes):
    """Ten rounds without contributions."""
    events = []
    for number in range(1, 11):
        events += round_of(number, [100] * 5, [0] * 5, 0, texts)
        events += [Punished(round=number, punisher=0, target=1, asked=0, spend=0, damage=0)] * strikes
        events.append(RoundEnded(round=number, balances=[100] * 5, carry=0))
    events.append(PunishEnded(round=10, balances=[100] * 5, winners=[0, 1, 2, 3, 4]))
    return of_events(events, *"abcde", start=100)


@pytest.mark.parametrize("strikes", [0, 5])
def test_ten_silent_rounds_last_60_to_90_seconds(strikes):
    assert 60 <= plan(ten_rounds([], strikes)).timeline.duration <= 95


@pytest.mark.parametrize("words", [120.0, 240.0, 600.0])
def test_what_is_said_stands_as_long_as_it_takes_to_read(words):
    talks = plan(ten_rounds(["word " * 50] * 5, 0), FilmLook(words_per_minute=words)).timeline
    for shot in talks.shots:
        if shot.kind is Kind.SPEAK:
            assert shot.rests + shot.reads == pytest.approx(max(shot.rests, 60 * 50 / words))
    assert talks.duration > 10 * 5 * 50 * 60 / words


@pytest.mark.parametrize("words", [0, 29, -1, 1e9, float("nan")])
def test_readers_of_a_speed_that_cannot_be_are_refused(words):
    with pytest.raises(InputError, match="words per minute"):
        plan(two_rounds(), FilmLook(words_per_minute=words))


def test_a_film_begins_with_who_plays_and_ends_with_who_won():
    for record, last in ((two_rounds(), Kind.FINAL), (commons(), Kind.RESULT), (record_of("trust"), Kind.RESULT)):
        kinds = [shot.kind for shot in plan(record).timeline.shots]
        assert (kinds[:2], kinds[-1]) == ([Kind.TITLE, Kind.OPENING], last)


@pytest.mark.parametrize("turns", [2, 40, 250])
def test_a_game_of_the_commons_is_neither_hasty_nor_endless(turns):
    duration = plan(commons(turns)).timeline.duration
    assert turns * 0.2 < duration < min(turns * 1.5, 60) + 20


def test_speed_changes_how_long_it_lasts_and_nothing_else(record):
    slow, fast = plan(record).timeline, plan(record, FilmLook(speed=4)).timeline
    assert fast.duration == pytest.approx(slow.duration / 4)
    assert [shot.tellings for shot in fast.shots] == [shot.tellings for shot in slow.shots]


def test_a_film_of_some_rounds_shows_the_title_and_these_rounds():
    whole, part = plan(commons(80)), plan(commons(80), FilmLook(rounds=(8, 10)))
    moments = part.timeline.moments(10)
    assert {part.timeline.shots[moment.shot].turn for moment in moments[10:]} == {0, 8, 9, 10}
    assert part.timeline.duration < whole.timeline.duration / 3
    assert part.draw(moments[-1]).tobytes() == whole.draw(moments[-1]).tobytes()


@pytest.mark.parametrize("rounds", [(0, 0), (7, 9), (3, 2)])
def test_rounds_that_the_game_does_not_have_are_refused(rounds):
    with pytest.raises(InputError, match=r"the game has no rounds .*; its last is 6"):
        plan(commons(), FilmLook(rounds=rounds))


@pytest.mark.parametrize("speed", [0, -1, 1e9, float("nan"), float("inf")])
def test_a_speed_that_cannot_be_is_refused(speed):
    with pytest.raises(InputError, match="speed"):
        plan(two_rounds(), FilmLook(speed=speed))


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
    assert cut.shots[-1].kind is Kind.STRIKE


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        (PunishMessageSaid(round=1, seat=3, text="who?"), "seat 3"),
        (PunishMessageSaid(round=1, seat=-1, text="who?"), "greater than or equal to 0"),
        (Punished(round=1, punisher=0, target=7, asked=1, spend=1, damage=3), "a seat or an entry that does not exist"),
        (RoundEnded(round=1, balances=[1, 2], carry=0), "2 entries for 3 seats"),
        (PunishEnded(round=1, balances=[1, 2, 3], winners=[]), "a seat or an entry that does not exist"),
    ],
)
def test_an_event_that_does_not_fit_the_table_is_named(event, fault):
    with pytest.raises(RecordError, match=fault):
        plan(of_events([event], "Ann", "Bob", "Cid"))


def test_seats_must_be_numbered():
    record = two_rounds()
    with pytest.raises(RecordError, match="numbered"):
        plan(record.model_copy(update={"seats": record.seats[::-1]}))


def test_a_game_that_is_not_installed_is_refused():
    with pytest.raises(RecordError, match="'chess', which is not installed"):
        plan(of_events([], "Ann", "Bob", game="chess"))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_text_does_not_change_what_happens(text):
    kinds = [shot.kind for shot in plan(two_rounds(text)).timeline.shots]
    assert kinds == [shot.kind for shot in plan(two_rounds()).timeline.shots]


def test_an_amount_that_is_unknown_is_told_from_nought():
    state = FilmState({}, {"points": (0.0, None)}, frozenset())
    assert [state.known("points", seat) for seat in (0, 1, 2)] == [True, False, False]
    assert not state.known("tokens", 0)
