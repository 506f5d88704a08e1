"""What the rules of repeated games say must come out, to the digits given."""

import numpy as np
import pytest

import ostrom
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.events import rounds_of
from ostrom.games.repeated.matrices import NAMED
from ostrom.games.repeated.players import STRATEGIES, MemoryOne, memory_one
from ostrom.games.repeated.theory import (
    exact_fingerprint,
    long_run,
    morality,
    played_fingerprint,
    probe,
    security_level,
    zero_determinant,
)
from ostrom.players.strategy import find_strategy
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

DILEMMA = NAMED["prisoners-dilemma"]
SYMMETRIC = {
    "prisoners-dilemma": (3, 0, 5, 1),
    "stag-hunt": (4, 0, 3, 2),
    "chicken": (3, 1, 5, 0),
    "harmony": (5, 3, 4, 1),
    "deadlock": (1, 0, 5, 3),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_the_symmetric_matrices(name):
    matrix = NAMED[name]
    assert matrix.symmetric
    assert tuple(matrix.own(0).ravel()) == tuple(matrix.own(1).ravel()) == SYMMETRIC[name]


def test_the_other_matrices():
    assert NAMED["battle-of-the-sexes"].payoffs == (((10, 7), (0, 0)), ((0, 0), (7, 10)))
    assert NAMED["matching-pennies"].payoffs == (((1, -1), (-1, 1)), ((-1, 1), (1, -1)))


def test_tit_for_tat_against_all_d_over_200_rounds():
    match = ostrom.play(["TitForTat", "AllD"], game="repeated", rules=Rules(rounds=200), seed=1)
    assert REPEATED.finals(match.events) == [199, 204]


@pytest.mark.slow
def test_morality_of_axelrods_documentation():
    names = ["AllC", "AllD", "TitForTat", "Grim"]
    rates = np.zeros((4, 4))
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            match = ostrom.play([one, other], game="repeated", rules=Rules(rounds=200), seed=1)
            rates[row, column] = np.mean([one.actions[0] == 0 for one in rounds_of(match.events)])
    found = morality(rates)
    assert np.round(found.cooperating, 2).tolist() == [1, 0, 0.67, 0.67]
    assert np.round(found.eigenjesus, 2).tolist() == [0.58, 0, 0.58, 0.58]
    assert np.round(found.eigenmoses, 2).tolist() == [0.37, -0.37, 0.60, 0.60]
    assert found.good_partner == (1, 0, 1, 1)


def mean_points(one, other, games=400, rounds=400, burn=100, **rules):
    """The points of a round after a while, as the mean over games, and their standard errors."""
    cast, seating = [one, other], np.tile([[0], [1]], games)

    def total(length):
        batch = Batch(REPEATED, Rules(rounds=length, **rules), cast, seating, np.arange(games), 9)
        return play_batch(batch).finals

    points = (total(rounds) - total(burn)) / (rounds - burn)
    return points.mean(axis=1), points.std(axis=1, ddof=1) / np.sqrt(games)


@pytest.mark.parametrize(
    ("one", "other", "noise"),
    [
        ((0.9, 0.1, 0.8, 0.2), (0.7, 0.3, 0.6, 0.4), 0.0),
        ((0.99, 0.05, 0.9, 0.1), (0.5, 0.5, 0.5, 0.5), 0.0),
        ((1, 0, 1, 0), (1, 0, 0, 1), 0.05),
    ],
)
def test_pairs_with_a_memory_of_one_reach_the_closed_form(one, other, noise):
    entries = [memory_one(",".join(map(str, four))) for four in (one, other)]
    found, error = mean_points(*entries, noise=noise)
    assert np.all(np.abs(found - long_run(one, other, DILEMMA, noise=noise)) <= 3 * error)


def test_the_closed_form_is_press_and_dysons_determinant():
    one, other = (0.9, 0.1, 0.8, 0.2), (0.7, 0.3, 0.6, 0.4)

    def determinant(f):
        p, q = one, other
        return np.linalg.det(
            [
                [-1 + p[0] * q[0], -1 + p[0], -1 + q[0], f[0]],
                [p[1] * q[2], -1 + p[1], q[2], f[1]],
                [p[2] * q[1], p[2], -1 + q[1], f[2]],
                [p[3] * q[3], p[3], q[3], f[3]],
            ]
        )

    whole = determinant((1, 1, 1, 1))
    expected = (determinant((3, 0, 5, 1)) / whole, determinant((3, 5, 0, 1)) / whole)
    assert long_run(one, other, DILEMMA) == pytest.approx(expected, abs=1e-9)


def test_extort_3_has_the_probabilities_of_press_and_dyson():
    assert zero_determinant(DILEMMA, 0, 1.0, 3.0, 0.5) == pytest.approx((11 / 13, 1 / 2, 7 / 26, 0))


@pytest.mark.parametrize("chi", [1.5, 3.0, 10.0])
@pytest.mark.parametrize("other", [(0.9, 0.1, 0.8, 0.2), (0.5, 0.5, 0.5, 0.5), (0.99, 0.7, 0.2, 0.3)])
def test_extortion_and_generosity_enforce_their_lines(chi, other):
    for baseline in (1.0, 3.0):
        own, theirs = long_run(zero_determinant(DILEMMA, 0, baseline, chi, 0.5), other, DILEMMA)
        assert own - baseline == pytest.approx(chi * (theirs - baseline), abs=1e-9)


def test_extortion_enforces_its_line_when_it_is_played():
    found, error = mean_points(find_strategy(STRATEGIES, "Extortion:chi=3"), memory_one("0.9,0.1,0.8,0.2"))
    assert abs((found[0] - 1) - 3 * (found[1] - 1)) <= 3 * (error[0] + 3 * error[1])


def test_fingerprints_are_ashlocks_closed_forms():
    values = np.linspace(0, 1, 11)
    x, y = np.meshgrid(values, values, indexing="ij")
    always = {"1,1,1,1,1": 3 - 3 * y, "0,0,0,0,0": 1 + 4 * x}
    for text, closed in always.items():
        assert exact_fingerprint(memory_one(text).rows, 11) == pytest.approx(closed, abs=1e-9)
    inner = (x + y) > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        closed = (y**2 + 5 * x * y + 3 * x**2) / (x + y) ** 2
    found = exact_fingerprint(memory_one("1,0,1,0").rows, 11)
    assert found[inner] == pytest.approx(closed[inner], abs=1e-6)


@pytest.mark.slow
def test_a_fingerprint_that_is_played_is_near_the_exact_one():
    entry = STRATEGIES["TitForTat"]
    found = played_fingerprint(REPEATED, entry, 3, rounds=400, games=60, seed=4)
    expected = exact_fingerprint(MemoryOne((1.0, 0.0, 1.0, 0.0)), 3)
    inner = [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]  # at the corners the first round lasts
    assert [found[at] for at in inner] == pytest.approx([expected[at] for at in inner], abs=0.05)
    assert probe(0.2, 0.3).after == (0.7, 0.2, 0.7, 0.2)


@pytest.mark.parametrize(
    ("name", "secure"),
    [("prisoners-dilemma", 1), ("stag-hunt", 2), ("chicken", 1), ("matching-pennies", 0), ("harmony", 3)],
)
def test_security_levels(name, secure):
    assert security_level(NAMED[name], 0) == pytest.approx(secure, abs=1e-9)


def test_the_security_level_may_take_a_mixed_strategy():
    assert security_level(NAMED["battle-of-the-sexes"], 0) == pytest.approx(70 / 17)
