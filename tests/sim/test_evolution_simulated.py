"""Monte Carlo agrees with theory within 3 standard errors; payoff tables from games depend on nothing but the seed;
intervals carry the uncertainty of the table."""

import math

import numpy as np
import pytest
from known_populations import HAWK_DOVE, optional_public_good

import ostrom
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.players.roster import choose
from ostrom.sim.finite_populations import fixation, long_run, rare_mutations
from ostrom.sim.payoff_games import play_groups
from ostrom.sim.payoffs import Groups, PayoffTable
from ostrom.sim.simulated_populations import Runs, generator, simulate
from ostrom.sim.structured import Agents, Structure, lattice, ring, simulate_on, start_kinds


@pytest.mark.parametrize("process", ["fermi", "moran", pytest.param("wright-fisher", marks=pytest.mark.slow)])
def test_simulated_fixation(process):
    runs = 4000
    known = float(rare_mutations(HAWK_DOVE, 12, 0.2, process).fixations[1, 0])
    start = np.tile([1, 11], (runs, 1))
    final = simulate(HAWK_DOVE, start, 2000, chance=generator(7), strength=0.2, process=process, looks=1).counts[
        -1, :, 0
    ]
    assert np.isin(final, (0, 12)).all()
    assert abs((final == 12).mean() - known) < 3 * math.sqrt(known * (1 - known) / runs)


@pytest.mark.parametrize("process", ["fermi", "moran", "wright-fisher"])
def test_simulated_long_run_of_three_players(process):
    table = optional_public_good(3.0)
    known = long_run(table, 10, 0.5, 0.05, process).shares
    start = np.tile([4, 3, 3], (150, 1))
    steps = 300 if process == "wright-fisher" else 1500
    found = simulate(table, start, steps, chance=generator(3), strength=0.5, mutation=0.05, process=process)
    for estimate, share in zip(found.means(), known, strict=True):
        assert abs(estimate.value - share) < 3 * (estimate.high - estimate.low) / (2 * 1.976)


@pytest.mark.parametrize("process", ["fermi", "moran"])
def test_a_structure_in_which_all_are_neighbours_is_none(process):
    size, runs = 8, 500
    everybody = Structure("all", tuple(tuple(j for j in range(size) if j != i) for i in range(size)))
    chance = generator(11)
    start = start_kinds([1, size - 1], runs, chance)
    _, kinds = simulate_on(everybody, HAWK_DOVE, start, 400, chance=chance, strength=0.2, process=process)
    taken, known = (kinds == 0).all(axis=1).mean(), fixation(HAWK_DOVE, 0, 1, size, 0.2)
    assert ((kinds == kinds[:, :1]).all(axis=1)).mean() > 0.99
    # A birth on a graph never takes the parent's own place, which changes the pace and not the odds.
    assert abs(taken - known) < 3 * math.sqrt(known * (1 - known) / runs) + 0.01


def test_groups_on_a_ring_and_a_lattice_are_those_around_each():
    assert ring(7, 3).neighbours[0] == (6, 1)
    assert set(ring(9, 5).neighbours[0]) == {7, 8, 1, 2}
    assert set(lattice(25).neighbours[0]) == {20, 4, 1, 5}
    assert len(lattice(25, 9).neighbours[0]) == 8


def test_a_table_of_games_depends_on_the_seed_alone():
    entries = choose(["AlwaysCoop", "Parasite", "RandomPlayer"], game="commons")
    groups = Groups.all_of([entry.name for entry in entries], 3)
    game = GAMES["commons"]
    rules = game.rules(duration=6)
    one = play_groups(game, entries, groups, games=5, seed=9, rules=rules, workers=1)
    other = play_groups(game, entries, groups, games=5, seed=9, rules=rules, workers=2)
    assert np.array_equal(one.means, other.means, equal_nan=True)
    assert one.groups.whole
    assert int(one.games.sum()) == 50


def test_players_who_do_the_same_earn_the_same():
    entries = choose(["AlwaysCoop", "TitForTat"], game="commons")
    groups = Groups.pairs_of([entry.name for entry in entries], 4)
    table = play_groups(GAMES["commons"], entries, groups, games=4, seed=1)
    assert rare_mutations(table, 50).stationary == pytest.approx([0.5, 0.5])
    again = table.resampled(generator(1))
    assert rare_mutations(again, 50).stationary == pytest.approx([0.5, 0.5])


def test_agents_who_play_for_themselves_depend_on_the_seed_alone():
    game = GAMES["commons"]
    cast = tuple(choose(["AlwaysCoop", "Parasite"], game="commons"))
    agents = Agents(game, game.rules(duration=4), cast, 5, 12, 3)
    one, kinds = agents.follow([6, 6], 4, runs=2, strength=0.01, mutation=0.05)
    other, _ = agents.follow([6, 6], 4, runs=2, strength=0.01, mutation=0.05)
    assert np.array_equal(one.counts, other.counts)
    assert (one.counts.sum(axis=2) == 12).all()
    assert kinds.shape == (2, 12)


def test_neutral_agents_take_over_by_chance_alone():
    game, runs = GAMES["commons"], 400
    cast = tuple(choose(["AlwaysCoop", "TitForTat"], game="commons"))
    agents = Agents(game, game.rules(turns=1), cast, 2, 4, 1)
    _, kinds = agents.follow([1, 3], 60, runs=runs, strength=0.0)
    taken = (kinds == 0).all(axis=1).mean()
    assert ((kinds == kinds[:, :1]).all(axis=1)).mean() > 0.99
    assert abs(taken - 0.25) < 3 * math.sqrt(0.25 * 0.75 / runs) + 0.01


def test_agents_on_a_structure_meet_their_neighbours():
    game = GAMES["commons"]
    cast = tuple(choose(["AlwaysCoop", "Parasite"], game="commons"))
    agents = Agents(game, game.rules(), cast, 3, 9, 1, ring(9, 3))
    groups = agents.groups(generator(1))
    assert groups.shape == (3, 9)
    assert all(set(groups[:, node]) == {node, (node - 1) % 9, (node + 1) % 9} for node in range(9))
    with pytest.raises(InputError, match="need 3 neighbours"):
        Agents(game, game.rules(), cast, 4, 9, 1, ring(9, 3))


def sampled(games: int, chance: np.random.Generator) -> PayoffTable:
    """Hawks and doves whose payoffs have noise of their own in every game."""
    seating = np.repeat([[0, 0, 1], [0, 1, 1]], games, axis=1)
    known = HAWK_DOVE.matrix
    paid = np.stack([known[seating[0], seating[1]], known[seating[1], seating[0]]])
    return PayoffTable.of_games(["hawk", "dove"], 2, seating, paid + chance.normal(0, 1.0, paid.shape))


def covered(worlds: int, games: int) -> float:
    """How often the interval of a fixation probability holds the true one."""
    known, chance, hits = fixation(HAWK_DOVE, 0, 1, 20, 0.2), generator(5), 0
    for _ in range(worlds):
        table = sampled(games, chance)
        drawn = [fixation(table.resampled(chance), 0, 1, 20, 0.2) for _ in range(100)]
        low, high = np.percentile(drawn, [2.5, 97.5], method="weibull")
        hits += low <= known <= high
    return hits / worlds


def test_errors_are_those_of_means_of_games():
    table = sampled(2000, generator(2))
    mixed = table.groups.place([1, 1])
    assert table.errors[mixed] == pytest.approx([1 / math.sqrt(2000)] * 2, rel=0.1)
    alike = table.groups.place([2, 0])
    assert table.errors[alike, 0] == pytest.approx(1 / math.sqrt(4000), rel=0.1)


@pytest.mark.slow
def test_intervals_cover():
    assert covered(25, 30) >= 0.76


@pytest.mark.long
def test_intervals_cover_in_many_worlds():
    assert 0.92 <= covered(1000, 30) <= 0.98


@pytest.mark.parametrize(
    "how",
    [
        {"beta": 0.1, "population": 10},
        {"beta": 0.1, "population": 10, "mutation": 0.05},
        {"beta": 0.1, "population": 10, "structure": "ring", "steps": 50, "runs": 4},
        {"process": "replicator", "steps": 20},
    ],
    ids=["rare", "solved", "simulated", "endless"],
)
def test_where_a_composition_was_played_once_there_is_no_interval(how):
    """One game drawn again is the same game: intervals without width would pass for certainty."""
    found, known = (ostrom.evolve(table=sampled(games, generator(3)), **how) for games in (1, 12))
    for name in {"shares", "fixations", "gradient"} & set(found.tables):
        assert found.tables[name]["low"].null_count() == found.tables[name].height
        assert known.tables[name]["low"].count() > 0
    assert "played only once, which does not show" in found.note
    assert "played only once" not in known.note
    for name in found.charts:
        told = str(found.chart(name).to_dict()["title"])
        assert "uncertainty of the payoffs" not in told
        assert "95% interval" not in told
    assert "uncertainty of the payoffs" in str(known.chart("shares").to_dict()["title"])


def test_where_a_composition_was_played_once_no_equilibrium_is_found_again():
    found, known = (ostrom.solve(table=sampled(games, generator(3))) for games in (1, 12))
    assert set(found.found_again) == {None}
    assert "played only once, which does not show" in found.note
    assert None not in known.found_again
    assert known.note == ""


def test_runs_that_all_agree_have_no_interval():
    runs = Runs(np.arange(5), np.tile([[10, 0]], (5, 3, 1)))
    assert [(one.value, one.low) for one in runs.means()] == [(1.0, None), (0.0, None)]
    assert "all runs agree" in runs.means()[0].reason
