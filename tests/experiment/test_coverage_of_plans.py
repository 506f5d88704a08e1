"""The study of plans (benchmarks/coverage_power.py) in a thin form."""

import pytest

from coverage_parts import part

pytestmark = pytest.mark.slow


@pytest.fixture
def study(monkeypatch):
    module = part("power")
    monkeypatch.setattr(module, "PILOTS", 3)
    return module


def test_a_difference_is_found_about_as_often_as_promised(study):
    (found,) = study.promise("simulated", lambda: study.simulated(2000), study.differ, 300)
    # Three pilots, of which each is off by a few points.
    assert found.rate == pytest.approx(0.8, abs=0.12)


def test_intervals_hold_where_a_rule_about_their_width_stops(study):
    (found,) = study.stopped_widths("simulated", lambda: study.simulated(2000), 150, 40)
    assert found.high > 0.95


def test_equal_players_are_seldom_told_apart_at_any_look(study):
    (found,) = study.stopped_ranks(6, 100, 15)
    assert found.low < 0.05


def test_the_adaptive_schedule_tells_no_equals_apart(study):
    balanced, adaptive = study.schedules("two clusters", 300, 0.8, 10)
    assert (balanced.worlds, adaptive.worlds) == (10, 10)
    assert max(balanced.low, adaptive.low) < 0.05
