"""What theory and other projects say must come out of evolution, to the digits given."""

import json
from itertools import permutations

import numpy as np
import pytest
from known_populations import (
    HAWK_DOVE,
    STAG_HUNT,
    collective_risk,
    contracts,
    linear_public_good,
    neutral,
    optional_public_good,
    repeated_dilemma,
    via_freedom,
)

from foreign_data import foreign
from ostrom.core import InputError
from ostrom.core.markov import stationary_of
from ostrom.sim.evolution import orbit, rest_points, trajectory
from ostrom.sim.finite_populations import (
    advantage,
    alpha_rank,
    fixation,
    long_run,
    rare_mutations,
)
from ostrom.sim.payoffs import PayoffTable


@pytest.mark.parametrize("population", [5, 20, 100])
def test_a_neutral_mutant_takes_over_with_one_over_z(population):
    assert fixation(neutral(), 0, 1, population) == pytest.approx(1 / population, rel=1e-13)
    for process in ("fermi", "moran", "wright-fisher"):
        found = rare_mutations(neutral(), population, process=process)
        assert found.fixations[0, 1] == pytest.approx(1 / population, rel=1e-9)
        assert found.stationary == pytest.approx([0.5, 0.5], rel=1e-9)
        assert found.favoured() == []


def test_a_hawk_among_doves():
    assert fixation(HAWK_DOVE, 0, 1, 100) == pytest.approx(0.8641155742462664, rel=1e-14)


def test_the_linear_public_good():
    table = linear_public_good(5, 3)
    assert advantage(table, 0, 1, 100) == pytest.approx(np.full(99, 3 / 5 * 95 / 99 - 1), rel=1e-12)
    assert fixation(table, 1, 0, 100) == pytest.approx(0.345734747076404, rel=1e-13)


def test_the_collective_risk_dilemma():
    assert fixation(collective_risk(), 1, 0, 50) == pytest.approx(0.003682100470889826, rel=1e-12)
    assert fixation(collective_risk(), 0, 1, 50) == pytest.approx(0.0419642, abs=5e-8)


def test_strategies_of_the_repeated_dilemma_where_mutations_are_rare():
    found = rare_mutations(repeated_dilemma(), 100).stationary
    assert found == pytest.approx([0.009686, 0.121285, 0.424587, 0.019854, 0.424587], abs=5e-7)


def test_alpha_rank_of_contracts():
    found = alpha_rank(contracts(), population=20, strength=0.1)
    assert found == pytest.approx([0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039], abs=5e-9)


@pytest.mark.parametrize(
    ("factor", "seats", "shares"),
    [
        (3, 5, (0.26933, 0.26933, 0.46134)),
        (2.5, 5, (0.22847, 0.11423, 0.65730)),
        (4, 5, (0.26518, 0.53036, 0.20446)),
        (3, 10, (None, None, 0.75975)),
    ],
)
def test_the_rest_point_of_the_optional_public_good(factor, seats, shares):
    (inside,) = [one for one in rest_points(optional_public_good(factor, seats)) if min(one.shares) > 0]
    assert inside.stability == "centre"
    for found, known in zip(inside.shares, shares, strict=True):
        assert known is None or found == pytest.approx(known, abs=5e-6)


@pytest.mark.parametrize("factor", [1.5, 2.0])
def test_an_optional_public_good_with_a_factor_of_two_or_less_has_no_rest_point_inside(factor):
    assert all(min(one.shares) == 0 for one in rest_points(optional_public_good(factor)))


def test_orbits_of_the_optional_public_good_are_closed_and_earn_what_loners_do():
    table = optional_public_good(3.0)
    path = orbit(table, [0.2, 0.2, 0.6], 120.0, points=24_001)
    angle = np.unwrap(np.arctan2(path[:, 1] - 0.26933, path[:, 0] - 0.26933))
    around = int(np.argmax(np.abs(angle - angle[0]) >= 2 * np.pi))
    assert around > 0
    assert path[around] == pytest.approx(path[0], abs=2e-3)
    payoffs = table.expected(path[:around])
    assert np.mean((path[:around] * payoffs).sum(axis=1)) == pytest.approx(1.0, abs=2e-4)


def test_via_freedom_to_coercion():
    assert rare_mutations(via_freedom(), 100).stationary == pytest.approx([0.0473, 0.0259, 0.0613, 0.8655], abs=5e-5)
    strong = rare_mutations(via_freedom(), 100, 1e5).stationary
    assert strong == pytest.approx(np.asarray([2, 2, 2, 102]) / 108, rel=1e-9)
    assert rare_mutations(via_freedom("CDP"), 100, 1e5).stationary == pytest.approx([0, 1, 0], abs=1e-12)
    assert rare_mutations(via_freedom("CDL"), 100, 1e5).stationary == pytest.approx([0.25, 0.25, 0.5], rel=1e-9)


def _value(rounds, discount, seat):
    paid = [row[seat] for row in rounds]
    head = sum((1 - discount) * discount**t * each for t, each in enumerate(paid[:-1]))
    return head + discount ** (len(paid) - 1) * paid[-1]


def _name(player):
    return f"{player['llm']['model']}({player['type'].removesuffix('Agent')})"


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_the_replicator_of_coopeval(every):
    folders = sorted(path.parent for path in foreign("coopeval").glob("run1/*/population_history.json"))
    assert len(folders) == 24
    for folder in folders[::every]:
        matches = json.loads((folder / "matchup_payoffs.json").read_text())
        stored = json.loads((folder / "population_history.json").read_text())
        players, steps = list(stored[0]), len(stored)
        discount, seats = matches["discount"], len(matches["profile"][0]["players"])
        sums: dict[tuple[int, ...], list[float]] = {}
        for profile in matches["profile"]:
            there = [players.index(_name(one)) for one in profile["players"]]
            values = [np.mean([_value(match, discount, seat) for match in profile["payoffs"]]) for seat in range(seats)]
            for order in permutations(range(seats)):
                sums.setdefault(tuple(there[s] for s in order), []).append(values[order[0]])
        tensor = np.zeros((len(players),) * seats)
        for profile, values in sums.items():
            tensor[profile] = np.mean(values)
        found = trajectory(PayoffTable.of_matrix(players, tensor), steps=steps - 1)
        known = np.asarray([[row[name] for name in players] for row in stored])
        assert np.abs(found - known).max() < 1e-12, folder.name


@pytest.mark.parametrize(("seats", "more"), [(2, 2.5), (3, 5), (5, 7), (10, 8.5)])
def test_what_a_free_rider_has_more_in_one_round(seats, more):
    table = linear_public_good(seats, 1.5, 10)
    for givers in range(1, seats):
        # The same co-players: one more giver in the group of the giver.
        gives = table.means[table.groups.place([givers, seats - givers]), 0]
        rides = table.means[table.groups.place([givers - 1, seats - givers + 1]), 1]
        assert rides - gives == pytest.approx(more)


def test_many_mutations_are_few_in_the_limit():
    rare = rare_mutations(STAG_HUNT, 12, 0.5)
    for process in ("fermi", "moran"):
        assert long_run(STAG_HUNT, 12, 0.5, 1e-9, process).shares == pytest.approx(rare.stationary, abs=1e-6)
    rare = rare_mutations(STAG_HUNT, 12, 0.5, "wright-fisher")
    assert long_run(STAG_HUNT, 12, 0.5, 1e-9, "wright-fisher").shares == pytest.approx(rare.stationary, abs=1e-6)


def test_rates_too_small_for_a_float_still_count():
    rates = np.asarray([[-np.inf, -2000.0], [-2000.0 + np.log(3), -np.inf]])
    assert stationary_of(rates) == pytest.approx([0.75, 0.25])


def test_where_fixations_are_too_small_to_be_known_no_long_run_is_made_up():
    """Both of a stag hunt are then 0 as floating-point numbers, and looked alike: half of the time each."""
    found = rare_mutations(STAG_HUNT, 100, 50, "wright-fisher")
    assert (found.fixations[~np.eye(2, dtype=bool)] == 0).all()
    with pytest.raises(
        InputError, match="selection is too strong to compute how often a mutant takes over; lower beta"
    ):
        _ = found.stationary
    # As logarithms they are known.
    assert rare_mutations(STAG_HUNT, 100, 50).stationary.max() == 1.0
