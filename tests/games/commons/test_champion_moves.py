"""The moves of the champions that neither lobby nor vote: each against a reference of its rule, and by hand."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import GameChance
from ostrom.games.commons import CommonsRules
from ostrom.testing import Scripted
from support import ending_after, given_by, moves_against, play, turns_of

TURNS = 10
tenths = st.integers(0, 10).map(lambda n: n / 10)
fractions = tenths | st.sampled_from([0.29, 0.31, 0.49, 0.51]) | st.floats(0.0, 1.0)


def tables(values=fractions, turns=TURNS):
    """Scripts of one to seven other seats."""
    return st.lists(st.lists(values, min_size=turns, max_size=turns), min_size=1, max_size=7)


def by_turn(scripts):
    """The contributions of the others in each turn but the last."""
    return list(zip(*(script[:-1] for script in scripts), strict=True))


def tit_for_tat(scripts):
    return [1.0, *map(statistics.median, by_turn(scripts))]


def generous_tit_for_tat(scripts):
    return [max(0.2, value) for value in tit_for_tat(scripts)]


def majority_detector(scripts):
    return [1.0, *(float(sum(value >= 0.5 for value in gave) > len(gave) / 2) for gave in by_turn(scripts))]


def rancunier(scripts):
    betrayed = [min(gave) < 0.3 for gave in by_turn(scripts)]
    return [0.0 if any(betrayed[:turn]) else 1.0 for turn in range(len(scripts[0]))]


def detective(scripts):
    medians = tit_for_tat(scripts)
    rest = medians[4:] if medians[3] < medians[2] else [0.0] * (len(medians) - 4)
    return [1.0, 0.0, 1.0, 1.0, *rest]


REFERENCES = {
    "AlwaysCoop": lambda scripts: [1.0] * TURNS,
    "AlwaysBetray": lambda scripts: [0.0] * TURNS,
    "TitForTat": tit_for_tat,
    "GenerousTFT": generous_tit_for_tat,
    "MajorityDetector": majority_detector,
    "Rancunier": rancunier,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCES)
@given(scripts=tables())
def test_it_follows_its_rule_against_any_table(name, scripts):
    assert moves_against(name, *scripts, turns=TURNS) == REFERENCES[name](scripts)


@given(scripts=tables(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])))
def test_detective_follows_its_rule_against_any_table(scripts):
    assert moves_against("Detective", *scripts, turns=TURNS) == detective(scripts)


def gradual(medians, turns):
    """Plan ahead: the n-th defection that counts is followed by n turns of 0 and 2 of peace."""
    moves, counted = [], 0
    while len(moves) < turns:
        last = len(moves) - 1
        if last >= 0 and medians[last] < 0.5:
            counted += 1
            # The last turn of peace does not count either, so the turn after it is 1 as well.
            moves += [0.0] * counted + [1.0, 1.0, 1.0]
        else:
            moves.append(1.0)
    return moves[:turns]


@pytest.mark.slow
@given(scripts=tables(turns=30))
def test_gradual_follows_its_rule_against_any_table(scripts):
    medians = [*map(statistics.median, by_turn(scripts)), 1.0]
    assert moves_against("Gradual", *scripts, turns=30) == gradual(medians, 30)


BY_HAND = [
    # TitForTat: the median of the others a turn ago, without its own contribution.
    ("TitForTat", [[0.0, 1.0, 0.25, 0.7, 0.0]], [1, 0, 1, 0.25, 0.7, 0]),
    ("TitForTat", [[0.0], [0.5]], [1, 0.25]),
    ("TitForTat", [[0.0], [0.25], [0.75], [1.0]], [1, 0.5]),
    ("TitForTat", [[0.0], [0.4], [1.0]], [1, 0.4]),
    ("TitForTat", [[0.0], [0.0], [0.3], [1.0], [1.0]], [1, 0.3]),
    ("TitForTat", [[0.0, 0.0], [0.5, 0.2], [0.5, 0.0]], [1, 0.5, 0]),
    ("GenerousTFT", [[0.0, 0.19, 0.2, 0.21]], [1, 0.2, 0.2, 0.2, 0.21]),
    # MajorityDetector: more than half of the others gave at least half; heads count, not amounts.
    ("MajorityDetector", [[0.5]], [1, 1]),
    ("MajorityDetector", [[0.49]], [1, 0]),
    ("MajorityDetector", [[0.5], [0.0]], [1, 0]),
    ("MajorityDetector", [[0.5], [0.5]], [1, 1]),
    ("MajorityDetector", [[1.0], [1.0], [0.0], [0.0]], [1, 0]),
    ("MajorityDetector", [[0.5], [0.5], [0.5], [0.0]], [1, 1]),
    ("MajorityDetector", [[1.0], [0.4], [0.4]], [1, 0]),
    ("MajorityDetector", [[0.5], [0.5], [0.0]], [1, 1]),
    ("MajorityDetector", [[1.0], [0.0]], [1, 0, 0]),  # its own 1 would make two of three
    # Rancunier: one contribution below 0.3 is never forgiven.
    ("Rancunier", [[1.0, 1.0, 0.2, 1.0]], [1, 1, 1, 0, 0, 0, 0, 0]),
    ("Rancunier", [[0.3, 1.0]], [1, 1, 1]),
    ("Rancunier", [[0.29, 1.0]], [1, 0, 0]),
    ("Rancunier", [[0.2999999, 1.0]], [1, 0, 0]),
    ("Rancunier", [[0.0, 1.0]], [1, 0, 0]),
    ("Rancunier", [[1.0]] * 6 + [[1.0, 0.1, 1.0]], [1, 1, 0, 0, 0]),
    # Gradual: the n-th defection costs n turns of 0, followed by 2 of peace; neither is watched.
    ("Gradual", [[0.5], [1.0]], [1, 1, 1, 1, 1, 1]),
    ("Gradual", [[1.0, 0.0, 1.0]], [1, 1, 0, 1, 1, 1, 1]),
    (
        "Gradual",
        [[0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0]],
        [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1],
    ),
    ("Gradual", [[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0]], [1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1]),
    ("Gradual", [[0.0]], [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0]),
    ("Gradual", [[0.5]], [1, 1, 1, 1]),
    ("Gradual", [[0.49, 1.0]], [1, 0, 1]),
    ("Gradual", [[0.0], [0.5], [1.0]], [1, 1, 1, 1]),
    ("Gradual", [[0.0, 1.0], [0.9, 1.0]], [1, 0, 1, 1]),
    # A median of exactly a half is no defection, whatever the rounding.
    *(("Gradual", [[low / 10], [(10 - low) / 10]], [1, 1, 1, 1]) for low in range(5)),
    # Detective: the probe 1, 0, 1, 1; then tit for tat if the median fell from turn 2 to turn 3, else 0.
    ("Detective", [[1.0, 1.0, 0.0, 0.7, 0.25, 1.0, 0.0, 0.5]], [1, 0, 1, 1, 0.7, 0.25, 1, 0, 0.5]),
    ("Detective", [[1.0]], [1, 0, 1, 1, 0, 0, 0, 0, 0]),
    ("Detective", [[0.0]], [1, 0, 1, 1, 0, 0]),
    ("Detective", [[0.4]], [1, 0, 1, 1, 0, 0]),
    ("Detective", [[1.0, 0.2, 0.9, 0.9]], [1, 0, 1, 1, 0, 0]),
    ("Detective", [[1.0, 0.5, 0.5, 0.0]], [1, 0, 1, 1, 0, 0]),
    ("Detective", [[0.0, 0.5, 0.4, 1.0, 0.8]], [1, 0, 1, 1, 1, 0.8]),
    ("Detective", [[1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]], [1, 0, 1, 1, 0, 0, 0, 0, 0]),
    ("Detective", [[1.0, 1.0, 0.9, 1.0]], [1, 0, 1, 1, 1, 1, 1, 1, 1]),
    ("Detective", [[1.0, 1.0, 0.999999, 0.3]], [1, 0, 1, 1, 0.3, 0.3]),
    ("Detective", [[1.0, 0.2, 0.2, 0.25], [1.0, 0.8, 0.6, 0.5]], [1, 0, 1, 1, 0.375, 0.375]),
    # Both medians are 0.4, but (0.1 + 0.7)/2 < (0.2 + 0.6)/2 in floating point.
    ("Detective", [[1.0, 0.2, 0.1, 0.5], [1.0, 0.6, 0.7, 0.5]], [1, 0, 1, 1, 0, 0]),
    *(("Detective", [[0.5]], [1, 0, 1, 1][:turns]) for turns in (1, 2, 3, 4)),
]


@pytest.mark.parametrize(("name", "scripts", "expected"), BY_HAND)
def test_moves_by_hand(name, scripts, expected):
    assert moves_against(name, *scripts, turns=len(expected)) == expected


@pytest.mark.parametrize(
    ("table", "rules", "expected"),
    [
        (["TitForTat", "GenerousTFT"], {}, {0: [1, 1, 1, 1, 1], 1: [1, 1, 1, 1, 1]}),
        (["Pavlov", "Pavlov"], {}, {0: [1, 1, 1, 1, 1, 1], 1: [1, 1, 1, 1, 1, 1]}),
        (["Rancunier", "Rancunier", [0.5, 0.0, 0.5]], {}, {0: [1, 1, 0, 0, 0], 1: [1, 1, 0, 0, 0]}),
        # TitForTat answers the 0 of turn 2 in turn 3, and is then mirrored.
        (["Detective", "TitForTat"], {}, {0: [1, 0, 1, 1, 1, 1, 1, 1], 1: [1, 1, 0, 1, 1, 1, 1, 1]}),
        # Each sees the other's 0 and the scripted 1 in turn 2: the median rises from 0.5 to 1.
        (["Detective", "Detective", [1.0]], {}, {0: [1, 0, 1, 1, 0, 0], 1: [1, 0, 1, 1, 0, 0]}),
        # At α = 0.5 Pragmatique gives (0.7 − 0.5)/0.4 = 0.5, which is a half and no defection.
        (["MajorityDetector", "Pragmatique", "Pragmatique"], {"lobbying": False}, {0: [1, 1, 1]}),
        (["Gradual", "Pragmatique"], {"lobbying": False}, {0: [1, 1, 1, 1]}),
        ([[0.5], "AlwaysCoop", [0.5], "AlwaysBetray"], {}, {1: [1, 1, 1, 1], 3: [0, 0, 0, 0]}),
    ],
)
def test_moves_among_champions(table, rules, expected):
    match = play(ending_after(len(next(iter(expected.values()))), **rules), *table)
    assert {seat: given_by(match, seat) for seat in expected} == expected


def test_the_median_does_not_depend_on_the_own_seat():
    for seat in range(4):
        table = [[0.1, 0.9], [0.4, 0.6], [0.6, 0.0]]
        table.insert(seat, "TitForTat")
        assert given_by(play(ending_after(3), *table), seat) == [1.0, 0.4, 0.6]


def test_each_new_game_starts_without_a_grudge():
    for game in range(2):
        assert given_by(play(ending_after(3), "Rancunier", [1.0, 0.0], game=game)) == [1.0, 1.0, 0.0]


@given(scripts=tables(), seed=st.integers(0, 2**64 - 1), game=st.integers(0, 2**32 - 1))
def test_random_player_gives_its_draws(scripts, seed, game):
    chance = GameChance(seed, game)
    match = play(ending_after(6), "RandomPlayer", *scripts, seed=seed, game=game)
    assert given_by(match) == [chance.uniform("champion", turn, 0) for turn in range(1, 7)]


def test_random_players_draw_by_their_seat():
    match = play(ending_after(5), "RandomPlayer", "RandomPlayer", "RandomPlayer", seed=8)
    for seat in range(3):
        assert given_by(match, seat) == [GameChance(8).uniform("champion", turn, seat) for turn in range(1, 6)]


@pytest.mark.slow
def test_random_player_covers_the_whole_interval():
    contributions = given_by(play(ending_after(2000, lobbying=False, voting=False), "RandomPlayer", [0.0], seed=3))
    assert min(contributions) < 0.01
    assert max(contributions) > 0.99
    assert statistics.mean(contributions) == pytest.approx(0.5, abs=0.02)
    assert sum(value < 0.25 for value in contributions) / 2000 == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("name", ["AlwaysCoop", "AlwaysBetray", "RandomPlayer"])
def test_champions_without_conditions_ignore_the_settings(name):
    plain = given_by(play(ending_after(5), name, [0.3], [0.9]))
    for rules in (
        ending_after(5, alpha=1.0),
        ending_after(5, erosion_intensity=2.0),
        ending_after(5, lobbying=False),
        ending_after(5, voting=False, erosion=False),
        CommonsRules(endowment=7.0, turns=5),
    ):
        assert given_by(play(rules, name, [0.3], [0.9])) == plain


@pytest.mark.slow
@given(scripts=tables(tenths, turns=12))
def test_pavlov_stays_if_the_last_gain_was_at_least_the_endowment_and_shifts_otherwise(scripts):
    match = play(ending_after(12), "Pavlov", *scripts)
    expected = [1.0]
    for turn in turns_of(match)[:-1]:
        expected.append(expected[-1] if round(turn.gains[0], 9) >= 100.0 else 1.0 - expected[-1])
    assert given_by(match) == expected


@pytest.mark.parametrize(
    ("script", "settings", "expected"),
    [
        # One other. Turn 1 (1, 1): gain 180. Turn 2 (1, 0) at S 1.9: gain 142.5. It stays.
        ([1.0, 0.0, 0.0, 0.0, 1.0], {"alpha": 0.5}, [1, 1, 1, 1, 1]),
        # At α = 1 the only giver gets half of 1.8, 90 < 100: it shifts to 0, and stays while it keeps 100.
        ([0.0, 0.6], {"alpha": 1.0, "erosion": False}, [1, 0, 0, 0]),
        # With erosion, kept money falls below 100 too, and so does the share of the only giver: it shifts each time.
        ([0.0], {"alpha": 1.0}, [1, 0, 0, 1, 0, 1]),
        *(([1.0], {"endowment": endowment}, [1, 1]) for endowment in (100.0, 1.0, 0.1, 100 / 3, 2**0.5, 12345.678)),
    ],
)
def test_pavlov_by_hand(script, settings, expected):
    assert moves_against("Pavlov", script, turns=len(expected), **settings) == expected


def test_a_gain_of_exactly_the_endowment_is_a_win():
    # At S = 1 and α = 1 all get back what all gave, whatever the rounding.
    settings = {"synergy": 1.0, "synergy_lowest": 1.0, "growth": 0.0, "shrinkage": 0.0, "alpha": 1.0}
    for seats in range(2, 9):
        assert given_by(play(ending_after(4, **settings), *(["Pavlov"] * seats))) == [1.0] * 4


def test_pavlov_counts_gains_before_the_cost_of_lobbying():
    # The other's lobby moves α to 1, and the giver's gain falls below the endowment.
    match = play(ending_after(3, sensitivity=1.0), "Pavlov", Scripted([0.0], lobby=[0.0, 145.0]))
    assert turns_of(match)[1].alpha == 1.0
    assert turns_of(match)[1].gains[0] == pytest.approx(90.0)
    assert given_by(match) == [1.0, 1.0, 0.0]


def giving_pays(synergy, alpha, seats, rules):
    """Return whether a unit given brings back at least the value of a unit kept."""
    kept = min(synergy / rules.synergy, 1.0) ** rules.erosion_intensity if rules.erosion else 1.0
    return round(synergy * (alpha / seats + 1 - alpha), 9) >= round(kept, 9)


@pytest.mark.slow
@given(scripts=tables(tenths, 12), alpha=st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), erosion=st.booleans())
def test_opportuniste_gives_if_giving_pays(scripts, alpha, erosion):
    rules = ending_after(12, alpha=alpha, erosion=erosion)
    match = play(rules, "Opportuniste", *scripts)
    pays = [giving_pays(turn.next_synergy, turn.alpha, len(scripts) + 1, rules) for turn in turns_of(match)[:-1]]
    assert given_by(match) == [1.0, *map(float, pays)]


ROTTING = [[0.6], [0.6, 0.0], [0.6, 0.0]]


@pytest.mark.parametrize(
    ("scripts", "settings", "expected"),
    [
        # Others at 0.6 keep the synergy at 1.8.
        ([[0.6]], {"alpha": 1.0}, [1, 0]),  # 1.8/2 is less than 1
        ([[0.6]], {"alpha": 0.8}, [1, 1]),  # 1.8·0.6 = 1.08
        ([[0.6]] * 3, {"alpha": 0.5}, [1, 1]),  # 1.8·0.625 = 1.125
        ([[0.6]] * 3, {"alpha": 0.6}, [1, 0]),  # 1.8·0.55 = 0.99
        ([[0.6]] * 15, {"alpha": 0.5}, [1, 0]),  # 1.8·0.53125 = 0.95625
        ([[0.6]] * 15, {"alpha": 0.0}, [1, 1]),
        # 1.8·(α/2 + 1 − α) = 1 at α = 8/9, whatever the rounding.
        ([[0.5]], {"alpha": 8 / 9, "growth": 0.0, "shrinkage": 0.0, "lobbying": False}, [1, 1, 1]),
        # Below 1.8 a unit kept is worth S/1.8, and S·0.55 is less; at intensity 2 it is 0.945 against 0.9625.
        (ROTTING, {"alpha": 0.6}, [1, 0, 0, 0]),
        (ROTTING, {"alpha": 0.6, "erosion_intensity": 2.0}, [1, 0, 1, 1]),
        # A lobby moves α to 1 in turn 2: from turn 3 on a unit given brings back S/2 < 1.
        ([Scripted([0.6], lobby=[0.0, 100.0])], {"sensitivity": 1.0, "growth": 0.0}, [1, 1, 0, 0]),
    ],
)
def test_opportuniste_by_hand(scripts, settings, expected):
    assert given_by(play(ending_after(len(expected), **settings), "Opportuniste", *scripts)) == expected
