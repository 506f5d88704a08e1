"""Money is conserved: balances change by what the fund creates and what punishment destroys, and by nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostrom.core import GameChance
from ostrom.experiment import play_match
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.events import FundShared, PunishContributed, Punished, PunishEnded, RoundEnded
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.games.contribute_punish.rules import NO_SEAT, open_settlement, settle, share_fund

some_rules = st.builds(
    ContributePunishRules,
    rounds=st.integers(1, 4),
    start=st.integers(0, 200),
    multiplier=st.sampled_from([0.5, 1.0, 1.6, 2.25]),
    ratio=st.integers(1, 5),
    max_spend=st.integers(0, 30),
    max_fraction=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    max_absolute=st.integers(0, 150),
)


@settings(max_examples=100)
@given(rules=some_rules, seats=st.integers(3, 7), seed=st.integers(0, 2**32))
def test_random_legal_play_over_whole_batches(rules, seats, seed):
    """A hundred rule sets with a hundred games each, every decision any legal one."""
    games = 100
    rng = np.random.default_rng(seed)
    balances = np.full((seats, games), rules.start, dtype=np.int64)
    carry = np.zeros(games, dtype=np.int64)
    for _ in range(rules.rounds):
        given_ = rng.integers(0, balances + 1)
        fund = share_fund(given_, carry, rules)
        created = fund.grown - fund.pot
        after = balances - given_ + fund.share
        assert (after.sum(axis=0) + fund.carry == balances.sum(axis=0) + carry + created).all()
        assert ((fund.carry >= 0) & (fund.carry < seats)).all()
        settling, destroyed = open_settlement(after), np.zeros(games, dtype=np.int64)
        for punisher in rng.permutation(seats):
            others = [seat for seat in range(seats) if seat != punisher]
            target = rng.choice([NO_SEAT, *others], games)
            asked = rng.integers(0, np.minimum(rules.max_spend, after[punisher]) + 1)
            settling = settle(settling, np.full(games, punisher), target, asked, rules)
            destroyed += settling.spend + settling.damage
            assert (settling.spend <= asked).all()
            assert (settling.damage == settling.spend * rules.ratio).all()
        assert (settling.balances.sum(axis=0) + destroyed == after.sum(axis=0)).all()
        assert (settling.balances >= 0).all()
        assert (settling.lost <= rules.max_absolute).all()
        assert (settling.lost <= after * rules.fraction.numerator // rules.fraction.denominator).all()
        balances, carry = settling.balances, fund.carry


@pytest.mark.slow
@given(names=st.lists(st.sampled_from(sorted(PUNISHERS)), min_size=3, max_size=7), seed=st.integers(0, 2**32))
def test_a_game_accounts_for_every_token(names, seed):
    contestants = [PUNISHERS[name] for name in names]
    match = play_match(CONTRIBUTE_PUNISH, ContributePunishRules(rounds=5), contestants, GameChance(seed))
    created = sum(event.grown - event.pot for event in match.events if isinstance(event, FundShared))
    destroyed = sum(event.spend + event.damage for event in match.events if isinstance(event, Punished))
    end, last = match.events[-1], match.events[-2]
    assert isinstance(end, PunishEnded)
    assert isinstance(last, RoundEnded)
    assert sum(end.balances) + last.carry == 20 * len(names) + created - destroyed
    for event in match.events:
        if isinstance(event, PunishContributed):
            assert all(0 <= gave <= held for gave, held in zip(event.contributions, event.start, strict=True))
