"""The intervals of an audit's shares of variance: what they come to where it is known, and a thin form of their study
(benchmarks/coverage_audit.py)."""

import numpy as np
import pytest
from scipy import stats

from coverage_parts import part
from ostrom.games.audit.effects import audited
from ostrom.games.audit.variance import AskedQuestion, Cells, Means, mean_squares, share_intervals

study = part("audit")


def means(square, error, along=None, breadth=2.0, freedom=14.0):
    along = error / breadth if along is None else along
    return Means(*(np.asarray([one], dtype=float) for one in (square, error, along, breadth, freedom)))


def puts(effect, *, situations=8, repeats=2, noise=0.1, seed=1):
    """Answers to questions in six ways, of three wordings and two orders, from effects of known size."""
    chance = np.random.default_rng(seed)
    return [
        AskedQuestion(
            at, cell, {"wording": str(cell % 3), "order": str(cell % 2)}, effect(cell % 3, at) + chance.normal(0, noise)
        )
        for at in range(situations)
        for cell in range(6)
        for _ in range(repeats)
    ]


@pytest.mark.parametrize("breadth", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("freedom", [3.0, 9.0, 40.0])
def test_none_is_left_out_where_f_at_5_percent_says_so(breadth, freedom):
    bound = stats.f.ppf(0.95, breadth, freedom)
    (under,), (above,) = mean_squares(means(0.99 * bound, 1.0, breadth=breadth, freedom=freedom))
    assert under == 0 < above
    (over,), _ = mean_squares(means(1.01 * bound, 1.0, breadth=breadth, freedom=freedom))
    assert over > 0


def test_far_from_none_the_root_has_the_interval_of_t():
    (low,), (high,) = mean_squares(means(400.0, 1.0, breadth=1.0, freedom=7.0))
    reach = stats.t.ppf(0.975, 7)
    assert np.sqrt([low, high]) == pytest.approx([20 - reach, 20 + reach], abs=0.02)


def test_far_from_none_the_error_along_the_effects_is_what_counts():
    wide, narrow = (np.diff(np.sqrt(np.ravel(mean_squares(means(400.0, 2.0, along=along))))) for along in (2.0, 0.5))
    assert wide / narrow == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("square", [0.0, 1e-9, 0.2])
def test_the_upper_end_is_never_below_the_error_however_little_was_met(square):
    (low,), (high,) = mean_squares(means(square, 1.0))
    assert low == 0
    assert 0.999 < high < 10


def test_without_any_error_there_is_nothing_to_be_unsure_of():
    for square in (0.0, 0.3):
        low, high = mean_squares(means(square, 0.0))
        assert low == high == square
    found = audited(puts(lambda wording, at: 0.1 * wording, noise=0.0))
    shares = {factor.name: factor.share for factor in found.factors}
    assert shares["wording"].value == pytest.approx(1)
    assert shares["wording"].low == pytest.approx(1, abs=2e-3)
    assert list(shares["order"]) == pytest.approx([0, 0, 0], abs=1e-9)


def test_the_error_of_effects_is_that_of_their_means_over_situations():
    """In a balanced design the error is that of a mean of as many effects as there are situations."""
    answers = puts(lambda wording, at: 0.1 * wording * (at % 3), situations=6, seed=3)
    cells = Cells.of(answers)
    by = np.asarray(
        [
            [
                np.mean([one.value for one in answers if (one.situation, one.levels["wording"]) == (at, level)])
                for level in "012"
            ]
            for at in range(6)
        ]
    )
    by -= by.mean(axis=1, keepdims=True)
    found, place = cells.means(), list(cells.levels).index("wording")
    assert found.square[place] == pytest.approx(np.mean(by.mean(axis=0) ** 2))
    assert found.error[place] == pytest.approx(np.mean(by.var(axis=0, ddof=1)) / 6)
    assert 1 <= found.breadth[place] <= 2 + 1e-9
    assert found.freedom[place] == pytest.approx(5 * found.breadth[place])
    spread = np.cov(by.T) / 6
    effect = by.mean(axis=0)
    assert found.along[place] == pytest.approx(effect @ spread @ effect / (effect @ effect) / 3)


def test_effects_that_differ_between_situations_widen_the_interval():
    def share(effect):
        return next(factor.share for factor in audited(puts(effect, seed=5)).factors if factor.name == "wording")

    same = share(lambda wording, at: 0.15 * wording)
    differing = share(lambda wording, at: 0.15 * wording * (1.6 if at % 2 else 0.4))
    assert differing.high - differing.low > 1.5 * (same.high - same.low)


def test_what_one_situation_alone_tells_has_no_interval():
    answers = puts(lambda wording, at: 0.1 * wording)
    alone = [one for one in answers if one.situation == 0 or one.levels["order"] == "0"]
    shares = {factor.name: factor.share for factor in audited(alone).factors}
    assert shares["order"].value is not None
    assert shares["order"].low is None
    assert "one situation has all answers of some kind" in shares["order"].reason


def test_estimates_lie_within_their_intervals():
    cells = Cells.of(puts(lambda wording, at: 0.02 * wording, situations=5))
    low, high = share_intervals(cells)
    shares = cells.parts().shares[0]
    assert (low <= shares).all()
    assert (shares <= high).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strengths", "situations", "more"),
    [
        ((0.2, 0.1, 0.3), 4, {}),
        ((0.5, 0.3, 0.3), 8, {}),
        # The share of 1 % that intervals on the scale of square roots held in 89 %.
        ((0.1, 0.2, 0.5), 24, {"scale": 0.05, "labels": 0.08}),
        ((0.35, 0.15, 0.4), 12, {"scale": 0.2, "differs": 0.5}),
    ],
)
def test_intervals_hold_in_worlds_whose_truth_is_known(strengths, situations, more):
    lines = list(study.audit(*strengths, situations, 150, **more))
    assert len(lines) == 6
    for line in lines:
        assert line.high > 0.95, line
    for line in lines[:4]:
        assert line.width < 1.8, line
    assert np.mean([line.rate for line in lines]) == pytest.approx(0.955, abs=0.02)
