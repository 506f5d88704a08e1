"""Studies are found by name; the registry and the docs have every measure."""

from functools import cache

import polars as pl
import pytest
from real_logs import ROOT, real_tables
from small_games import record, tables, turn

from measured import COMMONS, MEASURES
from ostrom.analysis.study import study_by_command
from ostrom.core import InputError
from sampling import sampled

NAMES = [
    "mean_final",
    "median_final",
    "final_strip",
    "balance_by_round",
    "rank_by_round",
    "partners_final",
    "aggregate_contribution_by_round",
    "contribution_tokens",
    "contribution_percent",
    "contribution_percent_mean_of_ratios",
    "contribution_percent_pooled",
    "contribution_percent_by_round",
    "contribution_by_partner",
    "contribution_percent_strip",
    "contribution_tokens_strip",
    "aggregate_punishment_by_round",
    "punishment_spent_percent",
    "punishment_spent_percent_by_round",
    "damage_received_percent",
    "punishment_by_target",
    "retaliation_rate",
    "promise_keeping",
    "unprovoked_punishment",
    "antisocial_punishment",
    "conditional_cooperation",
    "punishment_response",
    "promise_effect",
    "welfare",
    "inequality",
    "head_to_head",
    "endgame_drop",
    "seat_effects",
    "repaired_or_defaulted",
    "answer_times",
    "mean_rank",
]


@cache
def measured(name):
    """The measure of the real games, as it was first computed."""
    return MEASURES[name].function(real_tables())


def test_the_measures_of_the_rules_are_all_there():
    assert sorted(MEASURES) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_measure_is_defined_and_gives_what_it_says(name):
    measure = MEASURES[name]
    assert measure.name == name
    assert measure.title
    assert measure.definition.endswith(".")
    assert measure.function.__doc__.split()[:4] == measure.definition.split()[:4]
    frame = measured(name)
    if not measure.by:
        assert frame.columns[-2:] == ["player", "value"]
        return
    assert frame.columns[: len(measure.by) + 4] == [*measure.by, "value", "low", "high", "n"]
    assert frame.select(measure.by).is_duplicated().sum() == 0
    known = frame.drop_nulls(["value", "low", "high"])
    assert (known["low"] <= known["high"]).all()
    if measure.unit in ("share", "Gini") and name not in ("endgame_drop", "punishment_response", "promise_effect"):
        assert known.filter((pl.col("low") < 0) | (pl.col("high") > 1)).height == 0


@pytest.mark.parametrize("name", sampled(NAMES, 8))
def test_a_measure_says_the_same_every_time(name):
    assert MEASURES[name].function(real_tables()).equals(measured(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_measure_takes_no_games_and_one_bare_game(name):
    function = MEASURES[name].function
    assert function(tables()).height == 0
    bare = function(tables(record(["a", "b", "c"], turn([0, 0, 0]))))
    assert bare.columns == function(tables()).columns


def test_a_study_is_named_by_its_command_or_as_records_call_its_game():
    punish, battery = study_by_command("punish"), study_by_command("battery")
    assert study_by_command("contribute_punish") is punish
    assert study_by_command("public_goods").command == "public-goods"
    assert study_by_command("contribute_punish", [battery, punish]) is punish
    with pytest.raises(InputError, match="there is no study of 'chess'; it must be one of "):
        study_by_command("chess")


PAGE = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")


def test_every_definition_is_in_the_docs_word_for_word():
    both = [*MEASURES.values(), *COMMONS.measures.values(), *study_by_command("repeated").measures.values()]
    heads = [f"`{measure.name}`" + (f" (unit: {measure.unit})" if measure.unit else "") for measure in both]
    stale = [head for head in heads if f"{head}: one row" not in PAGE]
    stale += [measure.name for measure in both if measure.definition not in PAGE or measure.notes not in PAGE]
    assert not stale, "run python docs/make_measures.py"


def test_every_part_is_filled_in():
    for part in ("definitions", "commons", "repeated", "aggregate", "published", "promises"):
        inside = PAGE.split(f"<!-- {part} -->")[1].split(f"<!-- end of {part} -->")[0]
        assert len(inside) > 100
