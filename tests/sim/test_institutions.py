"""Rules that are searched for: known optima are found, fronts hold what nothing beats, tests are on unseen players."""

import numpy as np
import pytest

import ostrom
from ostrom.core import InputError
from ostrom.findings.design import describe
from ostrom.sim import institutions
from ostrom.sim.institutions import _front, design

QUICK = {"candidates": 12, "rounds": 1, "tables": 3, "games": 1, "seed": 5}
RULES = ostrom.CommonsRules(turns=6)


def test_among_givers_the_synergy_is_to_grow_as_fast_as_it_may():
    found = design(
        ["growth=0:0.1"], maximise=["welfare"], rules=RULES, players=["AlwaysCoop"], held_out=["TitForTat"], **QUICK
    )
    (best,) = found.front
    assert best.settings["growth"] > 0.085
    assert best.searched["welfare"] > found.baseline.searched["welfare"] * 0.98
    assert best.gains["welfare"].high <= 0  # the default of 0.1 is the top of the range


def test_where_a_seat_responds_best_giving_must_pay():
    """In one turn it pays below α* = (S − e) / (S·(1 − 1/N)), 0.593 for S 1.8, N 4 and e 1."""
    found = design(
        ["alpha=0:1"],
        maximise=["welfare"],
        rules=ostrom.CommonsRules(turns=1, alpha=0.9),
        players=["AlwaysCoop"],
        held_out=["TitForTat"],
        population="responding",
        **{**QUICK, "candidates": 6, "tables": 2, "rounds": 0},
    )
    assert found.front[0].settings["alpha"] < 0.593
    assert found.front[0].gains["welfare"].low > 0


def test_evolution_takes_the_place_of_those_who_get_less():
    """At α = 0 a contribution returns 1.8 times itself: contributors take over, and welfare exceeds fixed tables."""
    how = {
        "maximise": ["contribution"],
        "rules": RULES,
        "players": ["AlwaysCoop", "AlwaysBetray"],
        "held_out": ["AlwaysCoop", "AlwaysBetray"],
    }
    quick = {**QUICK, "candidates": 2, "rounds": 0, "tables": 6}
    fixed, evolved = (design(["alpha=0:0.01"], population=who, **how, **quick) for who in ("fixed", "evolving"))
    assert evolved.front[0].searched["contribution"] > 0.9 > fixed.front[0].searched["contribution"]


def test_the_same_seed_designs_the_same_and_holds_half_of_the_players_out():
    one, other = (design(["alpha=0:1"], maximise=["welfare", "equality"], rules=RULES, **QUICK) for _ in range(2))
    assert describe(one).as_record() == describe(other).as_record()
    assert len(one.players) == len(one.others) == 8
    assert not set(one.players) & set(one.others)
    assert 1 <= len(one.front) <= 8


def test_a_front_holds_what_nothing_beats():
    aims = np.asarray([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0], [0.5, 0.5], [2.0, -1.0], [2.0, 0.0]])
    assert _front(aims).tolist() == [0, 1, 2, 5]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"vary": []}, "nothing is varied"),
        ({"vary": ["alpha=1:0"]}, "is empty"),
        ({"vary": ["nothing=0:1"]}, "nothing"),
        ({"vary": ["seats=2:4"]}, "ostrom sweep"),
        ({"maximise": []}, "one aim or two"),
        ({"maximise": ["welfare", "welfare"]}, "one aim or two"),
        ({"maximise": ["happiness"]}, "its aims are welfare, equality, survival"),
        ({"maximise": ["welfare"], "minimise": ["welfare"]}, "one aim or two"),
        ({"minimise": "equality"}, "minimise must be a list"),
        ({"planted": ["TitForTat"]}, "planted is for the aim planted_gain"),
        ({"maximise": ["planted_gain"]}, "name one with planted"),
        ({"maximise": ["planted_gain"], "planted": ["TitForTat"]}, "has no roles"),
        ({"players": ["AlwaysCoop"]}, "2 players"),
        ({"candidates": 1}, "2 candidates"),
        ({"game": "stated_trust"}, "no array form"),
    ],
)
def test_what_cannot_be_designed_is_said(given, said):
    usual = {"vary": ["alpha=0:1"], "maximise": ["welfare"], "rules": None}
    with pytest.raises(InputError, match=said):
        design(**{**usual, **QUICK, **given})


def test_minimising_is_maximising_the_negative():
    how = {"vary": ["growth=0:0.1"], "rules": RULES, "players": ["AlwaysCoop"], "held_out": ["TitForTat"], **QUICK}
    (best,) = design(minimise=["welfare"], **how).front
    assert best.settings["growth"] < 0.015
    assert best.gains["welfare"].high < 0


def test_planted_players_are_compared_with_those_in_whose_seats_they_are():
    how = {"game": "double_auction", "players": ["Truthful"], "held_out": ["Truthful"], "seats": 2, "rounds": 0}
    found = design(
        ["k=0:1"], minimise=["planted_gain"], planted=["Linear"], **how, candidates=8, tables=10, games=10, seed=3
    )
    assert found.minimised == {"planted_gain"}
    assert found.planted == ("Linear",)
    assert found.baseline.seen == found.baseline.held_out
    same = design(
        ["k=0:1"], minimise=["planted_gain"], planted=["Truthful"], **how, candidates=2, tables=4, games=2, seed=3
    )
    assert same.baseline.seen["planted_gain"].value == 0
    assert found.baseline.seen["planted_gain"].value != 0
    assert describe(found).facts["minimise"] == ["planted_gain"]


def test_a_game_with_few_seats_needs_no_number():
    found = design(
        {"noise": [0.0, 0.1]}, maximise=["welfare"], game="repeated", candidates=2, rounds=0, tables=2, games=1
    )
    assert found.seats == 2


@pytest.mark.parametrize("seed", [5, 2**64 - 3])
@pytest.mark.parametrize("population", ["fixed", "evolving"])
def test_what_is_tested_plays_by_seeds_that_the_search_has_not_seen(monkeypatch, population, seed):
    seeds = {"search": set(), "test": set()}
    real_play, real_test, stage = institutions.play_points, institutions._Lab.test, ["search"]

    def play(*given, **how):
        seeds[stage[0]].add(how["seed"])
        return real_play(*given, **how)

    def test(*given):
        stage[0] = "test"
        return real_test(*given)

    monkeypatch.setattr(institutions, "play_points", play)
    monkeypatch.setattr(institutions._Lab, "test", test)
    quick = {**QUICK, "candidates": 2, "rounds": 0, "tables": 2, "seed": seed}
    design(["alpha=0:1"], maximise=["welfare"], rules=RULES, population=population, **quick)
    assert not seeds["search"] & seeds["test"]
    assert len(seeds["test"]) == (9 if population == "evolving" else 1)
    assert all(0 <= one < 2**64 for one in seeds["search"] | seeds["test"])
