"""Intervals stay within the possible values of what they measure, cover as often as before, and say where they come
from the games of others alone."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import ostrom
from battery_played import battery_rows
from ostrom.analysis.intervals import BORROWED, Ratio
from ostrom.charts.families import Cast
from ostrom.charts.forms import Bars
from ostrom.charts.render import svg
from ostrom.charts.words import share
from ostrom.core.estimates import Estimate, means_of_rows, within_range
from ostrom.core.plugins import load_file
from ostrom.games.audit.effects import audit_effects
from ostrom.games.audit.variance import AskedQuestion
from ostrom.games.battery.scores.table import SCORES


def test_an_interval_is_cut_at_the_ends_of_the_range():
    assert within_range(Estimate(0.9, 0.7, 1.2), 0.0, 1.0) == Estimate(0.9, 0.7, 1.0)
    assert within_range(Estimate(0.1, -0.3, 0.4), 0.0, 1.0) == Estimate(0.1, 0.0, 0.4)
    assert within_range(Estimate(None, reason="none"), 0.0, 1.0).low is None


def test_figures_of_tournaments_stay_within_the_range_of_the_rules():
    for game, figure, low, high in (("trust", "sent", 0.0, 100.0), ("stag-hunt", "stag", 0.0, 1.0)):
        known = ostrom.tournament(game=game, games=2, seed=1).to_frame().drop_nulls(f"{figure}_low")
        assert known[f"{figure}_low"].min() >= low
        assert known[f"{figure}_high"].max() <= high


def test_a_figure_beyond_its_range_is_cut_in_standings_and_sweeps():
    load_file(Path(__file__).parents[1] / "haggling.py")
    players = ["Fair", "Stubborn"]
    standings = ostrom.tournament(game="haggling", players=[*players, "Patient"], games=6, seed=1).to_frame()
    assert standings["agreement_low"].min() >= 0.0
    assert standings["agreement_high"].max() <= 1.0


def test_indices_of_a_sweep_are_shares():
    finding = ostrom.sweep(game="commons", vary=["alpha=0:1:0.5", "synergy=1.2,3"], games=6, seed=3)
    for name, table in finding.tables.items():
        if name.startswith("indices"):
            for column in ("value", "low", "high"):
                known = table[column].drop_nulls()
                assert known.min() is None or (known.min() >= 0.0 and known.max() <= 1.0)


def test_shares_of_an_audit_are_shares():
    rng = np.random.default_rng(5)
    questions = [
        AskedQuestion(situation, cell, {"wording": str(cell % 2), "order": str(cell // 2)}, float(rng.random() < 0.5))
        for situation in range(4)
        for cell in range(4)
        for _ in range(2)
    ]
    audit = audit_effects(questions)
    for part in (audit.combinations, audit.noise, *(factor.share for factor in audit.factors)):
        assert part.value is None or 0.0 <= part.value <= 1.0
        assert part.low is None or part.high is None or 0.0 <= part.low <= part.high <= 1.0


def test_scores_of_the_battery_stay_within_their_bounds():
    bounded = [definition for definition in SCORES if definition.bounds is not None and not definition.words]
    assert {"trust", "claim", "guess", "social", "cooperation", "rationality"} <= {each.name for each in bounded}
    for subject in battery_rows():
        for definition in bounded:
            estimate = subject.scores[definition.name]
            if estimate.low is not None and estimate.high is not None:
                least, most = definition.bounds
                assert least <= estimate.low <= estimate.high <= most


def test_a_figure_that_never_varies_says_whose_games_its_doubt_comes_from():
    games = [f"g{number}" for number in range(30)]
    rows = [(game, "steady", 1.0, 1.0) for game in games]
    rows += [(game, "wild", float(number % 3 == 0), 1.0) for number, game in enumerate(games)]
    schema = {"game": pl.String, "player": pl.String, "top": pl.Float64, "bottom": pl.Float64}
    frame = Ratio(pl.DataFrame(rows, schema=schema, orient="row"), ("player",), games, share=True).estimates()
    notes = dict(frame.select("player", "note").iter_rows())
    assert notes == {"steady": BORROWED, "wild": None}
    picture = Bars("share", "Share", share("of rounds"), "{first} {high}", "{high}", "")
    drawn = svg(picture.draw(frame, Cast.of(["steady", "wild"])))
    assert "All games of steady agree" in drawn


@pytest.mark.slow
def test_intervals_that_are_cut_cover_as_often_and_are_shorter():
    """The table 'Within the range' of docs/inference.md."""
    rng = np.random.default_rng(735)
    for games, chance in ((6, 0.1), (12, 0.1), (30, 0.05), (30, 0.3)):
        samples = rng.binomial(10, chance, size=(20_000, games)) / 10.0
        whole = means_of_rows(samples)
        cut = [within_range(estimate, 0.0, 1.0) for estimate in whole]
        covers = [np.mean([each.low <= chance <= each.high for each in part]) for part in (whole, cut)]
        widths = [np.mean([each.high - each.low for each in part]) for part in (whole, cut)]
        print(games, chance, covers, widths)
        assert covers[0] == covers[1]
        assert widths[1] <= widths[0]
