"""Which points a sweep has, that each is the game it would be alone, and that nothing depends on how it is played."""

import json

import numpy as np
import pytest
from optional_good import register

import ostrom
from ostrom.core import InputError
from ostrom.core.estimates import means_of_rows, stratified_mean, stratified_share
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.sim.factors import Factor, changed_settings, factors_of, points_of
from ostrom.sim.points import gini
from ostrom.sim.sweep_plan import plan_of
from support import end_of, sweep

RULES = CommonsRules(duration=8)
MIXED = ["RandomPlayer", "Justicier:2", "Parasite", "Pavlov"]
GRID = {"alpha": "0:1:0.5", "synergy": [1.5, 2], "voting": "yes,no"}


def values_of(result):
    return {name: values.tobytes() for name, values in result.outcomes.items()}


@pytest.fixture(scope="module")
def whole():
    return sweep(GRID, games=5, seed=11, players=MIXED, rules=RULES, workers=1)


@pytest.mark.parametrize(
    "how",
    [{"chunk_size": 1}, {"chunk_size": 7}, {"chunk_size": 10}, pytest.param({"workers": 2}, marks=pytest.mark.slow)],
)
def test_chunks_and_workers_change_nothing(whole, how):
    again = sweep(GRID, games=5, seed=11, players=MIXED, rules=RULES, **({"workers": 1} | how))
    assert values_of(again) == values_of(whole)


def test_each_game_of_each_point_is_the_game_played_alone(whole):
    plan = whole.plan
    assert len(plan.values) == 12
    for number in (0, 3, 7, 11):
        point = plan.point(number)
        for game in (0, 4):
            match = ostrom.play(point.table, rules=point.rules, seed=11, number=game)
            ended = end_of(match)
            assert whole.outcomes["welfare"][number, game] == pytest.approx(np.mean(ended.capitals), rel=1e-15)
            assert whole.outcomes["final:Parasite"][number, game] == ended.capitals[3]


def test_a_point_is_the_same_in_another_sweep(whole):
    alone = sweep({"alpha": [0.5]}, games=5, seed=11, players=MIXED, rules=RULES.model_copy(update={"synergy": 2.0}))
    place = whole.plan.values.index((0.5, 2.0, True))
    for name, values in alone.outcomes.items():
        assert values[0].tolist() == whole.outcomes[name][place].tolist()


def test_a_point_has_its_rules_and_its_table(whole):
    point = whole.plan.point(whole.plan.values.index((0.5, 2.0, False)))
    settings = {"alpha": 0.5, "synergy": 2.0, "voting": False, "duration": 8}
    assert settings.items() >= changed_settings(point.rules).items()
    assert ("Justicier", 2) in whole.plan.players_of(point)


def test_what_was_finished_is_not_played_again(whole):
    class Half:
        """Holds the first half; takes in the rest."""

        def __init__(self):
            self.played = []

        def finished(self):
            yield range(6), {name: values[:6] for name, values in whole.outcomes.items()}

        def keep(self, points, outcomes):
            self.played += points

    half = Half()
    again = sweep(GRID, games=5, seed=11, players=MIXED, rules=RULES, kept=half, workers=1)
    assert sorted(half.played) == list(range(6, 12))
    assert values_of(again) == values_of(whole)
    assert again.played == 6 * 5


def test_the_tidy_table_has_a_row_for_each_point_and_measure(whole):
    frame = whole.to_frame()
    assert frame.columns == [
        "point",
        "alpha",
        "synergy",
        "voting",
        "measure",
        "value",
        "low",
        "high",
        "games",
        "reason",
    ]
    assert len(frame) == 12 * len(whole.measures)
    welfare = frame.filter(measure="welfare")
    assert welfare["low"].null_count() == 12, "five games that differ are too few for an interval"
    assert welfare["reason"].str.contains("needs at least").all()
    json.dumps(frame.to_dicts(), allow_nan=False)


def test_estimates_are_those_of_standings():
    values = np.random.default_rng(1).uniform(0, 1, (4, 30))
    values[3] = 0.25
    once = np.ones(30, dtype=np.int64)
    for share, one in ((False, stratified_mean), (True, stratified_share)):
        for row, found in zip(values, means_of_rows(values, share=share), strict=True):
            known = one(row, once, 1)
            assert (found.value, found.low, found.high) == pytest.approx((known.value, known.low, known.high))


def test_the_gini_coefficient():
    finals = np.asarray([[1.0, 0.0, 5.0, -1.0], [1.0, 0.0, 0.0, 3.0]])
    assert gini(finals)[:3].tolist() == [0.0, 0.0, 0.5]
    assert np.isnan(gini(finals)[3])


def plan(vary, **more):
    return plan_of(vary, **({"games": 2, "seed": 1, "players": MIXED} | more))


def test_a_player_takes_so_many_seats_from_the_others():
    found = plan({"Parasite": "0:4:2"}, players=["Pavlov:4"])
    tables = [[entry.name for entry in point.table] for point in found.points]
    assert tables == [["Pavlov"] * 4, ["Pavlov"] * 2 + ["Parasite"] * 2, ["Parasite"] * 4]


def test_seats_are_filled_in_turn():
    found = plan({"seats": [2, 5]}, players=["Pavlov", "Parasite"])
    assert [[entry.name for entry in point.table] for point in found.points] == [
        ["Pavlov", "Parasite"],
        ["Pavlov", "Parasite", "Pavlov", "Parasite", "Pavlov"],
    ]


def test_tables_are_compared_side_by_side():
    result = sweep({"table": "Pavlov:4,Pavlov:2+Parasite:2"}, games=3, seed=1, rules=RULES)
    assert result.plan.values == (("Pavlov:4",), ("Pavlov:2+Parasite:2",))
    first, second = result.estimates("final:Parasite")
    assert first.value is None
    assert "no game at this point" in str(first.reason)
    assert second.value is not None


def test_steps_are_decimal():
    (factor,) = factors_of(COMMONS, ["alpha=0:1:0.05"])
    assert factor.levels == tuple(round(0.05 * step, 2) for step in range(21))
    assert factor.levels[3] == 0.15  # and not 0.15000000000000002
    (factor,) = factors_of(COMMONS, ["duration=10:50:20"])
    assert factor.levels == (10, 30, 50)
    assert all(isinstance(level, int) for level in factor.levels)


def test_a_latin_hypercube_has_each_stratum_once():
    found = plan({"alpha": "0:1", "duration": "1:10"}, design="lhs", points=20)
    alphas, durations = zip(*found.values, strict=True)
    assert sorted(int(20 * alpha) for alpha in alphas) == list(range(20))
    assert sorted(durations) == sorted(list(range(1, 11)) * 2)


def test_a_sobol_design_takes_two_samples_and_one_for_each_factor():
    factors = [Factor("a", "rule", span=(0.0, 1.0)), Factor("b", "rule", levels=("x", "y"))]
    points = points_of(factors, "sobol", 8, 1)
    assert len(points) == 8 * 4
    first, second, mixed = points[:8], points[8:16], points[16:24]
    assert [one[0] for one in mixed] == [one[0] for one in second]
    assert [one[1] for one in mixed] == [one[1] for one in first]


@pytest.mark.parametrize(
    ("vary", "more", "said"),
    [
        (["alfa=0:1:0.5"], {}, "did you mean alpha?"),
        (["Parasit=1,2"], {}, "did you mean Parasite?"),
        (["alpha"], {}, "has no values"),
        ([], {}, "nothing is varied"),
        (["alpha=1:0:0.1"], {}, "is empty: 1 is above 0"),
        (["alpha=0:1:0"], {}, "a step must be above 0"),
        (["alpha=0:1:-0.1"], {}, "a step must be above 0"),
        (["alpha=0:1"], {}, "has no step"),
        (["alpha=0:1.2:0.4"], {}, "alpha must be at most 1"),
        (["alpha=0,x"], {}, "alpha must be a number"),
        (["alpha=0,,1"], {}, "an empty list"),
        (["alpha=0,0.0"], {}, "the value 0 twice"),
        (["alpha=0,1", "alpha=0.5"], {}, "varied twice"),
        (["duration=1.5,2"], {}, "duration must be a whole number"),
        (["voting=maybe"], {}, "voting must be true or false"),
        (["synergy=4,5"], {}, "the synergy must start between"),
        (["alpha=0:1:0.001", "synergy=1.2:3:0.01"], {}, "too many"),
        (["alpha=0:1:0.00001"], {}, "use a larger step"),
        (["seats=3"], {"players": ["Pavlov", "Parasite", "Justicier", "Gradual"]}, "too few for 4 different players"),
        (["seats=1"], {"players": ["Pavlov"]}, "at least 2 players"),
        (["seats=x"], {}, "whole number"),
        (["Parasite=5"], {"players": ["Pavlov:4"]}, "does not fill a table of 4 seats"),
        (["table="], {}, "no values"),
        (["table=Pavlov:2,Nobody:2"], {}, "Nobody"),
        (["alpha=0,1"], {"design": "lhs", "points": 1}, "at least 2"),
        (["alpha=0,1"], {"design": "sobol", "points": 100}, "power of 2"),
        (["alpha=0,1"], {"points": 10}, "points is for"),
        (["alpha=0,1"], {"games": 0}, "from 1 to"),
        (["alpha=0,1"], {"measures": ["contributions"]}, "did you mean contribution?"),
        (["alpha=0,1"], {"games": 100_000_000}, "too many to keep"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(vary, more, said):
    with pytest.raises(InputError, match=said.replace("?", r"\?")) as caught:
        plan(vary, **more)
    assert "\n" not in str(caught.value)


def test_a_game_without_an_array_form_can_be_swept_too():
    result = sweep({"r": [2, 3]}, games=2, game=register(), players=["Gives", "Keeps"])
    assert result.plan.slow == ("Gives", "Keeps")
    assert [one.value for one in result.estimates("welfare")] == [0.5, 1.0]


def test_what_is_compiled_plays_the_same_sweep():
    pytest.importorskip("numba")
    vary = {"alpha": "0:1:0.5", "Parasite": [0, 2], "voting": "yes,no"}
    found = [
        sweep(vary, games=5, seed=11, players=["Pavlov", "Justicier:3"], rules=RULES, backend=backend, workers=workers)
        for backend, workers in (("numpy", 1), ("compiled", 1), ("compiled", 2))
    ]
    assert values_of(found[1]) == values_of(found[2])
    for name, values in found[0].outcomes.items():
        assert found[1].outcomes[name] == pytest.approx(values, rel=1e-9, nan_ok=True)


def test_a_rule_that_hangs_on_another_is_left_to_the_game():
    result = sweep({"continue": [0.5, 0.9]}, games=3, game="repeated", players=["TitForTat", "AllD"])
    settings = {
        name: value for name, value in changed_settings(result.plan.point(1).rules).items() if value is not None
    }
    assert settings["continue"] == 0.9
    assert "rounds" not in settings


def test_a_game_of_two_seats_is_swept_by_the_two_that_usually_sit_down():
    result = sweep({"noise": [0, 0.1]}, games=2, game="repeated")
    assert [entry.name for entry in result.plan.table] == ["AllC", "AllD"]


def test_of_seats_that_move_in_turn_nobody_is_said_to_have_left():
    measures = sweep({"pot": [10, 20]}, games=2, game="dictator", players=["selfish", "random"]).measures
    assert "survival" not in measures
    assert "given" in measures
