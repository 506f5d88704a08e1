"""The worked example of the rules, step by step and as a whole round."""

import numpy as np
import pytest

from ostrom.games.contribute_punish import ContributePunishRules
from ostrom.games.contribute_punish.rules import NO_SEAT, open_settlement, settle, share_fund

RULES = ContributePunishRules()


def column(*values):
    return np.asarray(values, dtype=np.int64)[:, None]


def one(value):
    return np.asarray([value])


def test_the_pot_grows_is_shared_out_and_carries_over_the_rest():
    fund = share_fund(column(5, 3, 5), one(0), RULES)
    assert [int(part[0]) for part in fund] == [13, 20, 6, 2]


def test_the_carry_over_is_multiplied_too():
    fund = share_fund(column(5, 3, 5), one(2), RULES)
    assert int(fund.grown[0]) == 24


def test_a_bound_that_bites_shrinks_the_spend_and_refunds_the_rest():
    settling = settle(open_settlement(column(16, 18, 21)), one(0), one(2), one(4), RULES)
    assert (int(settling.spend[0]), int(settling.damage[0])) == (3, 9)
    assert settling.balances[:, 0].tolist() == [13, 18, 12]


def test_the_bound_holds_for_the_whole_round_and_not_for_each_punishment():
    settling = settle(open_settlement(column(16, 18, 21)), one(0), one(2), one(4), RULES)
    settling = settle(settling, one(1), one(2), one(2), RULES)
    assert (int(settling.spend[0]), int(settling.damage[0])) == (0, 0)
    assert settling.balances[:, 0].tolist() == [13, 18, 12]


def test_half_of_what_the_target_holds_now_bounds_its_loss_too():
    # After a first loss of 12 the target of 40 holds 28: half of that is 14, but only 8 of the round's 20 are left.
    settling = settle(open_settlement(column(50, 50, 40)), one(0), one(2), one(4), RULES)
    settling = settle(settling, one(1), one(2), one(10), RULES)
    assert int(settling.damage[0]) == 6


def test_nobody_loses_more_than_the_absolute_bound_in_a_round():
    rules = ContributePunishRules(max_absolute=20)
    settling = settle(open_settlement(column(50, 50, 400)), one(0), one(2), one(5), rules)
    settling = settle(settling, one(1), one(2), one(5), rules)
    assert 400 - int(settling.balances[2, 0]) == 18  # 15, and of the 5 left over 3


def test_a_punisher_spends_no_more_than_it_holds_when_it_is_settled():
    settling = settle(open_settlement(column(8, 30, 40)), one(1), one(0), one(1), RULES)
    assert int(settling.balances[0, 0]) == 5
    settling = settle(settling, one(0), one(2), one(8), RULES)
    assert (int(settling.spend[0]), int(settling.balances[0, 0])) == (5, 0)


def test_punishing_nobody_changes_nothing():
    settling = settle(open_settlement(column(8, 30, 40)), one(1), one(NO_SEAT), one(0), RULES)
    assert settling.balances[:, 0].tolist() == [8, 30, 40]


@pytest.mark.parametrize(("multiplier", "pot", "grown"), [(1.6, 5, 8), (1.1, 10, 11), (0.7, 10, 7), (2.3, 100, 230)])
def test_the_multiplier_is_an_exact_fraction(multiplier, pot, grown):
    rules = ContributePunishRules(multiplier=multiplier)
    assert int(share_fund(column(pot, 0, 0), one(0), rules).grown[0]) == grown
