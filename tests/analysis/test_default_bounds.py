"""Bounds of measures under defaulted answers: the lowest and the highest figure, whatever these seats did."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_games import record, tables, turn

import ostrom
from measured import MEASURES
from ostrom.analysis.default_bounds import (
    ITS_SUBJECT,
    NO_RANGE,
    NO_SUM,
    OUTSIDE,
    DefaultBounds,
    bounds_table,
    default_bounds,
    ratio_bounds,
)
from ostrom.analysis.design import FIXED
from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import Resampling, measure_of, ratio_of
from ostrom.analysis.study import Study, study_of_game
from ostrom.analysis.tables import GameTables, without_defaulted
from ostrom.core import Provenance
from ostrom.core.plugins import GAMES
from ostrom.games.contribute_punish.measures import contribution_percent_pooled
from ostrom.journal.record import GameRecord

FALLBACK = {(1, 0, "contribution"): "defaulted"}
CLEAN = record(["ann", "ben", "cid"], turn([8, 3, 5]))
FAILED = record(["ann", "ben", "cid"], turn([0, 3, 5]), provenance=FALLBACK)
BOTH = tables(CLEAN, FAILED)


def bounds_of(played: GameTables, measures=MEASURES) -> DefaultBounds:
    bounds = default_bounds(measures, played)
    assert bounds is not None
    return bounds


def row_of(played: GameTables, measure: str, player: str = "ann") -> dict:
    frame = bounds_of(played, {measure: MEASURES[measure]}).frame
    return frame.row(by_predicate=pl.col("player") == player, named=True)


def test_an_example_by_hand():
    row = row_of(BOTH, "contribution_percent_pooled")
    # Ann gave 8 of 20, and the game gave 0 of 20 in her place.
    assert (row["recorded"], row["without"]) == (8 / 40, 8 / 20)
    assert (row["low"], row["high"]) == ((8 + 0 * 20) / 40, (8 + 1 * 20) / 40)
    assert (row["defaulted_seats"], row["seats"], row["unit"]) == (1, 2, "share")


def test_a_rank_is_between_one_and_the_number_of_seats():
    row = row_of(BOTH, "mean_rank")
    assert (row["recorded"], row["without"], row["low"], row["high"]) == (2.0, 3.0, (3 + 1) / 2, (3 + 3) / 2)


def test_a_player_without_other_seats_has_the_whole_range():
    row = row_of(tables(FAILED), "contribution_percent_pooled")
    assert (row["recorded"], row["without"], row["low"], row["high"]) == (0.0, None, 0.0, 1.0)
    everyone = {(1, seat, "contribution"): "defaulted" for seat in range(3)}
    nothing_left = tables(record(["ann", "ben", "cid"], turn([0, 0, 0]), provenance=everyone))
    frame = bounds_of(nothing_left).frame.filter(measure="contribution_percent_pooled")
    assert frame.select("without", "low", "high").rows() == [(None, 0.0, 1.0)] * 3


def test_there_are_only_players_with_defaulted_answers():
    assert set(bounds_of(BOTH).frame["player"]) == {"ann"}
    assert default_bounds(MEASURES, tables(CLEAN)) is None
    assert default_bounds(MEASURES, without_defaulted(BOTH, "seat")) is None
    assert default_bounds(MEASURES, without_defaulted(BOTH, "game")) is None


def test_measures_without_bounds_are_named_with_the_reason():
    longer = record(["ann", "ben", "cid"], turn([8, 3, 5], punish=[(1, 0, 2)]), turn([1, 2, 3]))
    bounds = bounds_of(tables(CLEAN, FAILED, longer))
    reasons = {measure.measure: measure.reason for measure in bounds.unbounded}
    assert reasons["mean_final"] == reasons["contribution_tokens"] == NO_RANGE
    assert reasons["median_final"] == reasons["endgame_drop"] == reasons["contribution_percent"] == NO_SUM
    assert reasons["repaired_or_defaulted"] == ITS_SUBJECT
    assert not set(reasons) & set(bounds.frame["measure"])
    caption = bounds_table(bounds, str.upper).caption
    assert all(measure.title in caption for measure in bounds.unbounded)
    assert "do not say how the other seats would have played" in caption
    assert json.loads(json.dumps(bounds.as_record()))[0]["measure"] == "mean_final"


def test_values_outside_the_declared_range_have_no_bounds():
    @Resampling
    def tokens(played: GameTables) -> Ratio:
        """Tokens: more than one, in a measure that says it is a share."""
        return ratio_of(played, played.seats, ("player",), "final", share=True)

    bounds = bounds_of(BOTH, {"tokens": measure_of(tokens, "Tokens", "share")})
    assert bounds.frame.is_empty()
    assert [measure.reason for measure in bounds.unbounded] == [OUTSIDE]


def test_the_table_shows_names_and_formats():
    table = bounds_table(bounds_of(BOTH), str.upper)
    row = next(row for row in table.rows if row["measure"] == "contribution_percent_pooled")
    shown = {column.heading: column.text(row) for column in table.columns if column.heading}
    title = MEASURES["contribution_percent_pooled"].title
    assert list(shown.values()) == [title, "ANN", "20.0%", "40.0%", "20.0%", "70.0%", "1 of 2"]


@settings(max_examples=20)
@given(
    gave=st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=6),
    fillings=st.lists(st.integers(0, 20), min_size=6, max_size=6),
)
def test_no_filling_of_the_defaulted_seats_leaves_the_bounds(
    gave: list[tuple[int, bool]], fillings: Sequence[int]
) -> None:
    def played(values: Sequence[int]) -> GameTables:
        return tables(
            *(
                record(["ann", "ben"], turn([value, 5]), provenance=FALLBACK if defaulted else None)
                for value, (_, defaulted) in zip(values, gave, strict=True)
            )
        )

    recorded = played([value for value, _ in gave])
    assume(any(defaulted for _, defaulted in gave))
    row = row_of(recorded, "contribution_percent_pooled")
    for fill in (fillings, [0] * len(gave), [20] * len(gave)):
        values = [new if defaulted else old for (old, defaulted), new in zip(gave, fill, strict=False)]
        share = Fraction(sum(values), 20 * len(values))
        (filled, _) = contribution_percent_pooled(played(values))["value"]
        assert filled == pytest.approx(float(share))
        assert row["low"] - 1e-12 <= filled <= row["high"] + 1e-12
        if set(fill) == {0}:
            assert filled == pytest.approx(row["low"])
        if set(fill) == {20}:
            assert filled == pytest.approx(row["high"])


@given(
    rows=st.lists(
        st.tuples(st.floats(-1, 1), st.integers(0, 5), st.booleans(), st.floats(-1, 1)), min_size=1, max_size=12
    )
)
def test_bounds_of_any_ratio_contain_its_fillings(rows: list[tuple[float, int, bool, float]]) -> None:
    """A row has a value, its weight, whether it has a defaulted answer, and another value."""
    total = sum(weight for _, weight, _, _ in rows)
    assume(total)
    other = [(value * weight, weight) for value, weight, defaulted, _ in rows if not defaulted]
    sums = {
        "player": "ann",
        "top": sum(value * weight for value, weight, _, _ in rows),
        "bottom": float(total),
        "other_top": float(sum(top for top, _ in other)),
        "other_bottom": float(sum(weight for _, weight in other)),
    }
    (row,) = ratio_bounds(pl.DataFrame([sums]), (-1.0, 1.0)).to_dicts()
    filled = sum((new if defaulted else value) * weight for value, weight, defaulted, new in rows) / total
    for figure in (filled, row["recorded"], row["without"]):
        assert figure is None or row["low"] - 1e-9 <= figure <= row["high"] + 1e-9
    assert -1 - 1e-9 <= row["low"] <= row["high"] <= 1 + 1e-9


def with_fallbacks(game: GameRecord, seats: Sequence[int]) -> GameRecord:
    answers = [
        answer.model_copy(update={"provenance": Provenance.DEFAULTED}) if answer.seat in seats else answer
        for answer in game.answers
    ]
    return game.model_copy(update={"answers": answers})


CASTS = {
    "punish": ["Cooperator", "FreeRider", "Retaliator"],
    "commons": ["Parasite", "AlwaysCoop", "RandomPlayer"],
    "trust": ["random", "selfish"],
    "ultimatum": ["random", "fehr-schmidt"],
    "beauty-contest": ["random", "random", "selfish"],
}


def games_with_fallbacks(command: str) -> list[tuple[str, str, GameRecord]]:
    """Six games. In every second game, the first seat has only defaulted answers."""
    game, cast = GAMES.of_command(command), CASTS[command]
    games = []
    for number in range(6):
        players = [cast[(number + place) % len(cast)] for place in range(len(cast))]
        played = ostrom.record_of(ostrom.play(players, game=game.name, seed=number))
        games.append((f"g{number}", "e", with_fallbacks(played, [0] if number % 2 else [])))
    return games


@pytest.mark.parametrize("command", CASTS)
@pytest.mark.parametrize("adaptive", [False, True])
def test_in_every_kind_of_game_bounds_contain_the_figures(command: str, adaptive: bool) -> None:
    study = study_of_game(GAMES.of_command(command))
    assert isinstance(study, Study)
    played = replace(study.tables(games_with_fallbacks(command)), design=replace(FIXED, adaptive=adaptive))
    frame = bounds_of(played, study.measures).frame
    assert "inequality" in set(frame["measure"])
    left_out = without_defaulted(played, "seat")
    for (name,), rows in frame.group_by("measure"):
        measure = study.measures[str(name)]
        figures, kept = (
            dict(measure.function(view).select("player", "value").iter_rows()) for view in (played, left_out)
        )
        for row in rows.iter_rows(named=True):
            assert row["recorded"] == pytest.approx(figures[row["player"]])
            assert row["low"] <= row["recorded"] <= row["high"]
            assert row["without"] is None or row["low"] <= row["without"] <= row["high"]
            # Weights of an adaptive schedule are those of all games, also of games without a seat that is left.
            assert adaptive or row["without"] == pytest.approx(kept.get(row["player"]))
