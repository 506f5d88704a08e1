"""Experiments that a rule stops, or whose games say who sits down next; and what of their plans was registered."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.contrasts import Registered
from ostrom.analysis.intervals import confidences, looks_at, stretch
from ostrom.analysis.plans import AnalysisPlan, digest_of
from ostrom.analysis.ratings import results_of
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import make_rules
from ostrom.experiment.plan import Experiment, Part, experiment_of
from ostrom.experiment.stages import Rule, last_look, next_tables, play_stages, stages, stages_of, stretched
from ostrom.experiment.store import enter, run_experiment
from ostrom.journal.sql import Journal
from ostrom.players.roster import seat_players

PUNISH = GAMES["contribute_punish"]


def planned(games=120, **more):
    cast = seat_players(PUNISH.name, [], [])
    part = Part(PUNISH, make_rules(PUNISH, {"rounds": 2}), cast, 4, games, 1)
    return Experiment((part,), "staged", **more)


def played(plan, journal, experiment=None, stop_after=None):
    """Play in stages; where it is to stop after some games, as if it had been killed."""
    experiment = experiment or enter(plan, journal)
    over = 0

    def advance():
        nonlocal over
        over += 1
        if over == stop_after:
            raise KeyboardInterrupt

    play_stages(plan, journal, experiment, lambda stage: run_experiment(stage, journal, advance, experiment))
    return experiment


@pytest.fixture
def journal(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path / 'stages.db'}", create=True) as opened:
        yield opened


def tables_of(journal, experiment):
    return [(row.key, row.players, row.finals) for row in journal.games(experiment)]


def test_looks_grow_to_all_games_and_the_errors_of_all_sum_to_5_per_cent():
    assert looks_at(100) == (51, 71, 100)
    assert looks_at(30) == (30,)
    assert len(looks_at(100_000)) == 8
    assert 1 - np.asarray(confidences(looks_at(1000))) == pytest.approx(
        [0.05 * each for each in np.diff([0, *((np.asarray(looks_at(1000)) / 1000) ** 2)])]
    )
    assert stretch((50,)) == pytest.approx(1, abs=0.01)
    # Pocock's own table: 2.178 for two looks after equal numbers, 2.413 for five.
    assert 1.96 * stretch((50, 100)) == pytest.approx(2.178, abs=0.02)
    assert 1.96 * stretch((20, 40, 60, 80, 100)) == pytest.approx(2.413, abs=0.02)


def test_intervals_are_stretched_on_both_sides_of_the_value():
    frame = pl.DataFrame({"value": [10.0], "low": [8.0], "high": [13.0]})
    assert stretched(frame, 1.5).row(0) == (10.0, 7.0, 14.5)


@pytest.mark.parametrize("text", ["width(mean_final) > 3", "width() < 3", "tiers > 2", "width(mean_final) < 1.2.3", ""])
def test_a_rule_that_cannot_be_read_is_refused(text):
    with pytest.raises(InputError, match="until"):
        Rule.read(text)


@pytest.mark.parametrize(
    ("until", "told"),
    [
        ("width(nothing) < 3", "nothing"),
        ("width(seat_effects) < 3", "an interval for each player or for all games together"),
        ("width(mean_final, Nobody) < 3", "Nobody, who does not play"),
        ("tiers >= 40", "can never hold"),
    ],
)
def test_a_rule_that_cannot_hold_is_refused_before_anything_is_played(until, told):
    with pytest.raises(InputError, match=told):
        planned(until=until).check()


@pytest.mark.slow
def test_a_rule_stops_at_the_first_look_at_which_it_holds(journal):
    plan = planned(until="tiers >= 2")
    experiment = played(plan, journal)
    row = journal.experiments()[0]
    assert row.games == row.planned == last_look(plan, journal, experiment).games
    assert row.games in looks_at(120)[:-1]
    assert row.state == "finished"
    found = last_look(experiment_of("again", row.settings), journal, experiment)
    assert found.holds
    assert found.games == row.games
    # Nothing more is played by who goes on.
    played(plan, journal, experiment)
    assert journal.experiments()[0].games == row.games


@pytest.mark.slow
def test_a_rule_that_never_holds_plays_all_games(journal):
    experiment = played(planned(60, until="width(mean_final) < 0.001"), journal)
    assert journal.experiments()[0].games == 60
    assert not last_look(planned(60, until="width(mean_final) < 0.001"), journal, experiment).holds


@pytest.mark.slow
@pytest.mark.parametrize("more", [{"until": "tiers >= 3"}, {"schedule": "adaptive"}])
def test_what_was_killed_goes_on_to_the_same_games(journal, more):
    whole = played(planned(**more), journal)
    plan = planned(**more)
    cut = enter(plan, journal)
    for stop in (7, 20, 3):
        with pytest.raises(KeyboardInterrupt):
            played(plan, journal, cut, stop_after=stop)
    played(experiment_of("again", journal.experiments()[1].settings), journal, cut)
    assert tables_of(journal, cut) == tables_of(journal, whole)


def test_the_adaptive_schedule_seats_whose_ranks_are_open(journal):
    rng = np.random.default_rng(1)
    names = [f"p{number}" for number in range(12)]
    strength = np.asarray([6.0] * 4 + [0.0] * 4 + [-6.0] * 4) + np.tile([0.0, 0.15, 0.3, 0.45], 3)
    tables = next_tables(None, names, 4, [], 100, 250, 1)
    games = [[(names[one], strength[one] + rng.gumbel()) for one in table] for table in tables]
    chosen = next_tables(results_of(games), names, 4, tables, 150, 250, 1)
    assert len(chosen) == 50
    met = [abs(one // 4 - other // 4) for table in chosen for one in table for other in table if one < other]
    before = [abs(one // 4 - other // 4) for table in tables for one in table for other in table if one < other]
    # Who is far stronger is known: more meetings are within a group of like strength.
    assert np.mean(np.asarray(met) == 0) > 1.5 * np.mean(np.asarray(before) == 0)
    assert {one for table in chosen for one in table} == set(range(12))


@pytest.mark.parametrize(
    ("change", "told"),
    [({"seats": 9}, "more players than seats"), ({"contestants": seat_players(PUNISH.name, ["Cooperator:5"])}, "once")],
)
def test_an_adaptive_schedule_that_cannot_be_is_refused(change, told):
    plan = planned(schedule="adaptive")
    with pytest.raises(InputError, match=told):
        replace(plan, parts=(replace(plan.parts[0], **change),)).check()


def test_stages_end_with_all_games():
    assert stages_of(500, 20, 4) == (200, 260, 320, 380, 440, 500)
    assert stages_of(200, 20, 4)[0] == 150
    assert stages_of(3, 20, 4) == (3,)
    assert stages(planned(until="tiers >= 2")) == looks_at(120)


PLAN = AnalysisPlan(
    hypotheses=("It pays not to give.",),
    measures=("mean_final",),
    contrasts=({"measure": "mean_final", "players": ("FreeRider", "Cooperator")},),
    exclusions="games",
)


def test_a_registered_plan_is_known_again_and_a_changed_one_is_told():
    settings = planned().settings
    kept = {**settings, "registration": {"plan": PLAN.model_dump(mode="json"), "digest": digest_of(PLAN, settings)}}
    through_json = json.loads(json.dumps(kept))
    found = Registered.of(through_json, "now", [])
    assert (found.plan, found.changes) == (PLAN, ())
    through_json["games"] += 1
    assert "not those of the registered digest" in Registered.of(through_json, "now", []).changes[0]
    again = json.loads(json.dumps(kept))
    again["registration"]["plan"]["measures"] = ["mean_rank"]
    assert Registered.of(again, "now", []).changes
    assert Registered.of(settings, "now", []) is None
