"""The human values, each with a source."""

import pytest

from ostrom.games.battery.scores.score import BASELINES
from ostrom.games.battery.scores.table import HUMAN


def test_every_human_value_has_a_source_with_a_year():
    assert len({baseline.quantity for baseline in BASELINES}) == len(BASELINES) == 15
    for baseline in BASELINES:
        assert any(part.strip(",").isdigit() for part in baseline.source.split()), baseline


def test_the_human_row_agrees_with_the_sources():
    by_quantity = {baseline.quantity: baseline for baseline in BASELINES}
    assert "28.35" in by_quantity["dictator, share given"].value
    assert HUMAN["dictator"].value == 28.35
    assert HUMAN["altruism"].value == pytest.approx((28.35 + 40) / 2 / 50 * 100)
    assert HUMAN["pass"].value == pytest.approx(100 * (0.99 + 0.79 + 0.27) / 3)
    assert (HUMAN["contribution"].low, HUMAN["contribution"].high) == (40, 60)
    assert "1.955" in by_quantity["loss aversion λ"].value
    for name, human in HUMAN.items():
        assert human.value is not None or (human.low is not None and human.high is not None), name
        first = human.source.split(",")[0].split()[0]
        assert any(first in baseline.source for baseline in BASELINES), name
