"""Labels at line ends do not cover each other, and stay as near to their lines as that allows."""

import json
from itertools import pairwise

import polars as pl
import pytest
from chart_tables import per_round, players
from hypothesis import given
from hypothesis import strategies as st

from ostrom.analysis.study import study_of_game
from ostrom.charts.catalogue import catalogue_of
from ostrom.charts.comparison import _signed
from ostrom.charts.families import Cast
from ostrom.charts.film.colours import figure
from ostrom.charts.lines import LABEL_GAP, end_labels, spread
from ostrom.charts.render import LINES_HEIGHT
from ostrom.charts.words import TOKENS, share
from ostrom.core.plugins import GAMES

PLACES = st.lists(st.floats(-500, 500), max_size=40)
ROUNDING = 1e-6


@given(PLACES)
def test_no_two_labels_are_nearer_than_the_gap(wanted):
    places = sorted(spread(wanted, gap=12, low=0, high=300))
    assert all(after - before >= 12 - ROUNDING for before, after in pairwise(places))


@given(PLACES)
def test_labels_keep_the_order_of_their_lines(wanted):
    places = spread(wanted, gap=12, low=0, high=300)
    for one in range(len(wanted)):
        for other in range(len(wanted)):
            if wanted[one] < wanted[other]:
                assert places[one] < places[other]


@given(PLACES.filter(lambda wanted: len(wanted) <= 20))
def test_labels_that_fit_stay_within_bounds(wanted):
    assert all(0 - ROUNDING <= place <= 300 + ROUNDING for place in spread(wanted, gap=12, low=0, high=300))


def test_labels_with_room_stay_where_they_are_wanted():
    assert spread([10, 50, 30], gap=12, low=0, high=100) == [10, 50, 30]


def test_labels_that_meet_move_apart_evenly():
    assert spread([50, 50], gap=10, low=0, high=100) == [45, 55]
    assert spread([0, 0, 0], gap=10, low=0, high=100) == [0, 10, 20]


def test_where_labels_do_not_fit_the_bounds_give_way_and_not_the_gap():
    assert spread([5, 5, 5], gap=10, low=0, high=10) == [-5, 5, 15]


@pytest.mark.parametrize("falling", [False, True])
@pytest.mark.parametrize("count", [19, 22])
def test_the_end_labels_of_many_models_do_not_overlap(count, falling):
    names = players(count)
    end = end_labels(per_round(names), Cast.of(names), unit=TOKENS, low=0.4, high=1.0, falling=falling)
    pixels = [place / 0.6 * LINES_HEIGHT for place in sorted(end["place"])]
    assert len(pixels) == count
    assert all(after - before >= LABEL_GAP - ROUNDING for before, after in pairwise(pixels))
    assert pixels[-1] - pixels[0] <= LINES_HEIGHT + ROUNDING
    assert end["place"].is_sorted(descending=not falling)


def test_what_rounds_to_nought_has_no_sign():
    assert [TOKENS.say(value) for value in (-0.04, -0.0, -0.06)] == ["0.0", "0.0", "-0.1"]
    assert [share("given").say(value) for value in (-0.0004, -0.0006)] == ["0.0%", "-0.1%"]
    assert [_signed(value, TOKENS) for value in (-0.04, 0.04, -0.06, 0.06)] == ["0.0", "0.0", "−0.1", "+0.1"]
    assert figure(-0.001) == "0"


def test_the_effect_of_a_promise_is_never_a_negative_nought():
    study = study_of_game(GAMES["contribute_punish"])
    frame = pl.DataFrame({"player": ["a", "b"], "value": [-0.0003, -0.2], "low": [-0.1, -0.3], "high": [0.1, -0.1]})
    drawn = catalogue_of(study).pictures["promise_effect"].draw(frame.with_columns(n=30), Cast.of(["a", "b"])).to_dict()
    assert "-0.0" not in json.dumps([drawn["title"], [row["figure"] for row in _rows(drawn)]])


def _rows(drawn):
    return [row for rows in drawn["datasets"].values() for row in rows if "figure" in row]
