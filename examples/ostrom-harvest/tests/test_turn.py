"""The arithmetic of a round."""

import numpy as np
import pytest
from ostrom_harvest import HarvestRules
from ostrom_harvest.turn import (
    NO_QUOTA,
    best_stock,
    fines_of,
    harvest,
    opening,
    quota_of,
    rationed,
    regrown,
    sustainable,
)

RULES = HarvestRules()


def column(*values: float) -> np.ndarray:
    return np.asarray(values, dtype=np.float64)[:, None]


def test_half_of_the_capacity_grows_most_and_a_full_stock_not_at_all() -> None:
    assert regrown(np.asarray([50.0, 100.0, 0.0, 80.0]), RULES).tolist() == [62.5, 100.0, 0.0, 88.0]


def test_fast_growth_stops_at_the_capacity() -> None:
    assert regrown(np.asarray([60.0]), HarvestRules(regrowth=4)).tolist() == [100.0]


@pytest.mark.parametrize("regrowth", [0.1, 0.5, 1.0, 1.7])
@pytest.mark.parametrize("stock", [10.0, 40.0, 60.0])
def test_after_a_sustainable_harvest_the_stock_grows_back_and_after_a_larger_one_it_does_not(
    regrowth: float, stock: float
) -> None:
    rules = HarvestRules(regrowth=regrowth, collapse=0)
    amount = np.asarray([stock])
    aim = min(stock, best_stock(rules))
    assert regrown(amount - sustainable(amount, rules), rules)[0] == pytest.approx(aim)
    assert regrown(amount - sustainable(amount, rules) - 0.1, rules)[0] < aim


def test_what_lies_above_the_best_stock_may_be_taken_too() -> None:
    assert best_stock(RULES) == 62.5
    assert sustainable(np.asarray([62.5, 100.0]), RULES).tolist() == pytest.approx([12.5, 50.0])


def test_a_stock_that_does_not_grow_has_no_sustainable_harvest() -> None:
    assert sustainable(np.asarray([50.0]), HarvestRules(regrowth=0)).tolist() == [0.0]


def test_where_too_much_is_asked_everybody_gets_the_same_part() -> None:
    assert rationed(column(30, 60, 0), np.asarray([45.0]))[:, 0].tolist() == [15, 30, 0]
    assert rationed(column(10, 5, 0), np.asarray([45.0]))[:, 0].tolist() == [10, 5, 0]


@pytest.mark.parametrize(
    ("proposals", "quota"),
    [((1, 9, 4), 4), ((1, 9, 4, 6), 5), ((8, float("nan"), 2), 5), ((float("nan"),) * 3, 7)],
)
def test_the_median_of_those_who_propose_is_the_quota(proposals: tuple[float, ...], quota: float) -> None:
    assert quota_of(column(*proposals), np.asarray([7.0]), RULES).tolist() == [quota]


@pytest.mark.parametrize(("proposals", "quota"), [((3, 5, 3), 3), ((3, 5, 3, 5), 7), ((1, 2, 3), 7)])
def test_a_majority_makes_a_quota_and_without_one_it_stays(proposals: tuple[float, ...], quota: float) -> None:
    rules = HarvestRules(quota="majority")
    assert quota_of(column(*proposals), np.asarray([7.0]), rules).tolist() == [quota]


def test_fines_grow_with_each_offence_and_never_exceed_the_harvest() -> None:
    fines = [float(fines_of(column(2), column(5), column(times), RULES)[0, 0]) for times in range(8)]
    assert fines == [0, 1, 2, 3, 4, 5, 5, 5]


def test_too_small_a_rest_collapses() -> None:
    state = opening(np.zeros(2), 2, RULES)
    outcome = harvest(state, np.asarray([[47.5, 47.5], [47.5, 47.51]]), None, RULES)
    assert outcome.state.open.tolist() == [True, False]
    assert outcome.state.stock.tolist() == [pytest.approx(7.375), 0.0]


def test_nobody_exceeds_a_quota_that_is_not_there() -> None:
    state = opening(np.zeros(1), 2, RULES)
    assert state.quota.tolist() == [NO_QUOTA]
    assert not harvest(state, column(50, 1), None, RULES).noticed.any()


def test_whom_nobody_looks_at_is_not_fined() -> None:
    state = opening(np.zeros(1), 2, RULES)._replace(quota=np.asarray([1.0]))
    watched = np.asarray([[True], [False]])
    assert harvest(state, column(2, 2), watched, RULES).noticed[:, 0].tolist() == [True, False]
