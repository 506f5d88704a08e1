"""Harvest keeps the contract of a game, and so do its variants."""

import pytest
from ostrom_harvest import HARVEST, HarvestRules

from ostrom.testing import check_game


@pytest.mark.parametrize(
    "rules",
    [
        HarvestRules(),
        HarvestRules(quota="majority", monitoring=1.0, capacity=1000, stock=400),
        HarvestRules(quota="none", messages=False, rounds=4),
        HarvestRules(sanctions=False, regrowth=1.5, collapse=0, message_words=5),
    ],
    ids=["usual", "majority", "no quota", "no sanctions"],
)
def test_harvest_keeps_the_contract(rules: HarvestRules) -> None:
    check_game(HARVEST, rules=[rules])
