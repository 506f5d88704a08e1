"""Films of turning points: what they show, and how long they are."""

import pytest

from charts.film.filmed import commons, record_of, two_rounds
from ostrom.charts.film.film import FilmLook, plan
from ostrom.charts.film.highlights import LONGEST, SHORTEST, turning_points
from ostrom.charts.film.timeline import Kind
from ostrom.journal.record import with_tellings

RECORDS = {
    "stated risk": record_of("stated_risk"),
    "punish": two_rounds(),
    "commons": commons(),
    "long commons": commons(80),
}


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS.keys())
def test_a_film_of_turning_points_takes_half_a_minute_to_a_minute_and_shows_the_end(record):
    whole, short = plan(record).timeline, plan(record, FilmLook(highlights=True)).timeline
    assert SHORTEST - 0.1 <= short.duration <= LONGEST + 0.1
    assert [shot.after for shot in short.shots] == [shot.after for shot in whole.shots]
    assert short.shots[0].lasts > 0
    assert short.shots[-1].lasts > 0


def test_the_round_in_which_a_player_is_punished_is_a_turning_point():
    record = with_tellings(two_rounds())
    timeline = plan(record).timeline
    weights = turning_points(record.scene, timeline)
    struck = {shot.turn for shot in timeline.shots if shot.kind is Kind.STRIKE}
    assert struck
    assert struck <= weights.keys()
    assert all(weight > 0 for weight in weights.values())
