"""The measures of Harvest on games whose figures can be computed by hand."""

from collections.abc import Callable

import numpy as np
import pytest
from ostrom_harvest import HARVEST, HarvestRules
from ostrom_harvest.measures import HarvestTables, gini, reachable_harvest, tables_of
from ostrom_harvest.strategies import Greedy, Steward, Tester

from ostrom.analysis.study import study_of_game
from ostrom.experiment.match import Match, record_of

RULES = HarvestRules(rounds=3, messages=False)


@pytest.fixture
def tables(play: Callable[..., Match]) -> HarvestTables:
    games = [play(Steward, Steward, Tester, rules=RULES), play(Steward, Steward, Greedy, rules=RULES)]
    return tables_of((f"g{number}", "e", record_of(match)) for number, match in enumerate(games))


def value(tables: HarvestTables, measure: str, player: str) -> float:
    study = study_of_game(HARVEST)
    frame = study.measures[measure].function(tables)
    return frame.filter(frame["player"] == player)["value"].item()


def test_survival_is_counted_in_rounds_and_in_games(tables: HarvestTables) -> None:
    assert value(tables, "survival_time", "Tester") == 3
    assert value(tables, "survival_time", "Greedy") == 1
    assert value(tables, "survival_time", "Steward") == 2
    assert value(tables, "survival_rate", "Steward") == 0.5


def test_over_usage_is_the_share_of_harvests_above_a_fair_share(tables: HarvestTables) -> None:
    assert value(tables, "over_usage", "Steward") == 0
    assert value(tables, "over_usage", "Greedy") == 1
    assert value(tables, "over_usage", "Tester") == pytest.approx(1 / 3)
    assert value(tables, "offence_rate", "Tester") == pytest.approx(1 / 3)


def test_gains_are_counted_before_fines(tables: HarvestTables) -> None:
    # Rationed: 50/3 + 50/3 + 100 are asked for, and 100 are there.
    assert value(tables, "total_gain", "Greedy") == pytest.approx(75)


def test_efficiency_compares_with_what_can_be_taken_without_over_use(play: Callable[..., Match]) -> None:
    assert reachable_harvest(RULES) == pytest.approx(50 + 12.5 + 12.5)
    alone = tables_of([("g", "e", record_of(play(Steward, Steward, rules=RULES)))])
    assert value(alone, "efficiency", "Steward") == pytest.approx(1)
    assert value(alone, "equality", "Steward") == pytest.approx(1)


def test_gini_is_that_of_govsim() -> None:
    assert gini(np.asarray([1.0, 1.0, 1.0])) == 0
    assert gini(np.asarray([0.0, 0.0, 3.0])) == pytest.approx(2 / 3)
    assert gini(np.zeros(3)) == 0
