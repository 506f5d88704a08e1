"""The conformance suite finds faults in the parts of a game: measures, charts, report, rules, array form, environment
and players, each with the author's file and line where there is one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

from ostrom.analysis.measures import GAME, Measure, enter
from ostrom.analysis.study import GameMeasures
from ostrom.charts.catalogue import GameCharts
from ostrom.charts.forms import Drawing, Section
from ostrom.core import Play, Registry, Table
from ostrom.core.plugins import load_file
from ostrom.players import strategy
from ostrom.testing import faults_of
from ostrom.testing.conformance.parts import STUDY_CHECKS

PLUGIN = Path(__file__).parents[1] / "haggling.py"


@pytest.fixture(scope="module")
def haggling() -> ModuleType:
    return load_file(PLUGIN)


def faults(haggling: ModuleType, study: bool = True, **changes: Any) -> str:
    return "\n".join(faults_of(replace(haggling.HAGGLING, **changes), seeds=(1,), study=study))


def with_measure(haggling: ModuleType, function: Any, unit: str = "share", by: tuple[str, ...] = ("player",)) -> dict:
    """A change of the game: one measure more."""
    own: Registry[Measure[Any]] = Registry("measure")
    for name, measure in haggling.MEASURES.measures.items():
        own.add(name, measure)
    enter(own, function, "Planted", unit, by)
    haggling.PLANTED_MEASURES = GameMeasures(own, haggling.tables_of)
    return {"measures": f"{haggling.__name__}:PLANTED_MEASURES"}


def no_value(tables: Any) -> pl.DataFrame:
    """A measure without its value."""
    return pl.DataFrame({"player": ["Fair"], "share": [0.5]})


def no_group(tables: Any) -> pl.DataFrame:
    """A measure without the column that it is taken by."""
    return pl.DataFrame({"player": ["Fair"], "value": [0.5]})


def above_one(tables: Any) -> pl.DataFrame:
    """A share of 40."""
    return pl.DataFrame({"player": ["Fair"], "value": [40.0]})


def twice(tables: Any) -> pl.DataFrame:
    """Two rows of one player."""
    return pl.DataFrame({"player": ["Fair", "Fair"], "value": [0.5, 0.6]})


def raising(tables: Any) -> pl.DataFrame:
    """A measure that fails."""
    return pl.DataFrame({"player": ["Fair"], "value": [1 / 0]})


MEASURES = {
    "a measure without a value": (no_value, ("player",), "planted_measure", "no column value"),
    "a measure without its group": (no_group, ("player", "good"), "", "no column good"),
    "a measure of games by player": (no_group, GAME, "", "no column games"),
    "a share above 1": (above_one, ("player",), "", "is a share, and has the value 40"),
    "two rows of a player": (twice, ("player",), "", "several rows for the same player"),
    "a measure that raises": (raising, ("player",), "", "in raising, test_check_game_parts.py, line"),
}


@pytest.mark.parametrize("fault", MEASURES)
def test_a_fault_of_a_measure_is_named(haggling: ModuleType, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function, by, _, line = MEASURES[fault]
    # Reports are written in other tests.
    monkeypatch.setitem(STUDY_CHECKS, "report", lambda case: iter(()))
    assert line in faults(haggling, **with_measure(haggling, function, by=by))


def test_tables_that_cannot_be_built_in_blocks_are_named(haggling: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_some(records: Any) -> Any:
        tables = haggling.tables_of(records)
        deals = tables.deals.with_columns(seat=pl.col("seat") if tables.games.height == 4 else pl.lit("one"))
        return replace(tables, deals=deals)

    def of_none(records: Any) -> Any:
        if not records:
            raise IndexError("no record is the first")
        return haggling.tables_of(records)

    for check in ("charts", "report"):  # Their faults are tested by other tests.
        monkeypatch.setitem(STUDY_CHECKS, check, lambda case: iter(()))
    path = f"{haggling.__name__}:PLANTED_MEASURES"
    haggling.PLANTED_MEASURES = replace(haggling.MEASURES, tables=of_some)
    assert "measures (seed 1, 2 seats): raised SchemaError" in faults(haggling, measures=path)
    haggling.PLANTED_MEASURES = replace(haggling.MEASURES, tables=of_none)
    assert "raised IndexError: no record is the first in of_none" in faults(haggling, measures=path)


def test_a_chart_that_fails_is_named_with_its_line(haggling: ModuleType) -> None:
    def broken(frame: pl.DataFrame, cast: Any) -> Any:
        raise ValueError("no such colour")

    haggling.CHARTS = GameCharts(sections=(Section("deals", "Deals", (Drawing("agreement", "Agreement", broken),)),))
    text = faults(haggling, charts=f"{haggling.__name__}:CHARTS")
    assert "no such colour in broken, test_check_game_parts.py, line" in text


def test_a_chart_of_no_measure_is_named(haggling: ModuleType) -> None:
    picture = Drawing("glory", "Glory", lambda frame, cast: None)  # type: ignore[arg-type, return-value]
    haggling.CHARTS = GameCharts(sections=(Section("deals", "Deals", (picture,)),))
    text = faults(haggling, charts=f"{haggling.__name__}:CHARTS")
    assert "the chart glory draws glory, which is no measure of the game" in text


def test_a_rule_at_the_end_of_its_range_is_played(haggling: ModuleType) -> None:
    def play(rules: Any, table: Table) -> Iterator[Any]:
        1 / (rules.rounds - 1)
        yield from haggling.play(rules, table)

    text = faults(haggling, study=False, play=play, step=None, players=None)
    assert "rules (seed 1, 2 seats): raised ZeroDivisionError" in text
    assert "with rounds=1" in text
    assert "test_check_game_parts.py, line" in text


def test_an_array_form_that_ignores_rules_of_single_games_is_named(haggling: ModuleType) -> None:
    class Careless(type(haggling.STEP)):  # type: ignore[misc]
        def finals(self, rules: Any, state: Any) -> Any:
            pie = rules.pie if isinstance(rules.pie, float) else float(rules.pie.max())
            return super().finals(rules, state) * (1.0 if pie <= 100.0 else 0.5)

    haggling.CARELESS = Careless()
    text = faults(haggling, study=False, step=f"{haggling.__name__}:CARELESS")
    assert "in a batch of different rules" in text


def test_figures_of_games_that_do_not_exist_are_named(haggling: ModuleType) -> None:
    class Promising(type(haggling.STEP)):  # type: ignore[misc]
        of_games = ("efficiency", "glory")

    haggling.PROMISING = Promising()
    text = faults(haggling, study=False, step=f"{haggling.__name__}:PROMISING")
    assert "of_games names glory, which figures does not return" in text


def test_an_environment_runs_past_random_play(haggling: ModuleType) -> None:
    def play(rules: Any, table: Table) -> Play:
        game = haggling.play(rules, table)
        asked = next(game)
        kept = []
        while True:
            answers = yield asked
            kept += [answer.value for answer in answers if isinstance(answer.value, float)]
            if kept == [0.0]:
                raise KeyError("nothing is asked for")
            try:
                asked = game.send(answers)
            except StopIteration:
                return

    text = faults(haggling, study=False, play=play, step=None, players=None)
    assert "environment (seed 1, 2 seats): raised KeyError" in text


def test_players_registered_in_the_same_file_are_played(haggling: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = strategy.entry_of(type("Mute", (haggling.Fair,), {"__doc__": "", "__module__": haggling.__name__}))
    monkeypatch.setattr("ostrom.testing.conformance.playing.brought_for", lambda game: [entry])
    assert "Mute has no description" in faults(haggling, study=False)


def test_the_game_itself_has_no_faults(haggling: ModuleType) -> None:
    assert faults(haggling, study=False) == ""


@pytest.mark.slow
def test_all_parts_of_the_game_have_no_faults(haggling: ModuleType) -> None:
    assert faults(haggling) == ""
