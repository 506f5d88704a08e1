"""What holds for every registered champion: a new one is tested by being registered."""

import pickle

import numpy as np
import pytest

from ostrom.core import GameChance
from ostrom.experiment.match import play_match
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.players import CHAMPIONS
from support import (
    BUILT_IN,
    DETERMINISTIC,
    answers_of,
    batch_of,
    end_of,
    ending_after,
    given_by,
    play,
    seated,
    turns_of,
)

RULES = CommonsRules(duration=20)
COMPANY = ("Capitaliste", "RandomPlayer", "Justicier", "Justicier")
"""A table with chance, lobbies and exclusions."""

every_champion = pytest.mark.parametrize("name", list(CHAMPIONS))


def test_the_sixteen_of_the_rules_are_registered():
    assert list(BUILT_IN) == [
        "AlwaysCoop",
        "AlwaysBetray",
        "TitForTat",
        "GenerousTFT",
        "Rancunier",
        "Pavlov",
        "RandomPlayer",
        "Detective",
        "Gradual",
        "MajorityDetector",
        "Capitaliste",
        "Parasite",
        "Pragmatique",
        "Apprenant",
        "Justicier",
        "Opportuniste",
    ]


@every_champion
def test_it_has_a_name_and_a_description_of_its_own(name):
    entry = CHAMPIONS[name]
    assert entry.name == name
    assert entry.description
    assert entry.description != "(no description)"
    assert "\n" not in entry.description
    assert [other.name for other in CHAMPIONS.values() if other.description == entry.description] == [name]


@every_champion
def test_it_decides_over_rows_or_seat_by_seat_and_not_both(name):
    entry = CHAMPIONS[name]
    assert (entry.rows is None) != (entry.scalar is None)


@every_champion
def test_the_same_seed_gives_the_same_play(name):
    one, again = (play(RULES, name, *COMPANY, seed=3) for _ in range(2))
    assert one.events == again.events


@every_champion
def test_a_contestant_that_has_played_plays_like_a_fresh_one(name):
    used = seated(name, *COMPANY)
    play_match(COMMONS, RULES, used, GameChance(3, 0))
    again = play_match(COMMONS, RULES, used, GameChance(3, 1))
    assert again.events == play(RULES, name, *COMPANY, seed=3, game=1).events


@every_champion
def test_seats_held_by_one_contestant_do_not_share_what_they_remember(name):
    (shared,) = seated(name)
    one = play_match(COMMONS, RULES, [shared, shared, *seated(*COMPANY)], GameChance(3))
    assert one.events == play(RULES, name, name, *COMPANY, seed=3).events


@every_champion
def test_its_play_does_not_depend_on_the_game_beside_it(name):
    rules = ending_after(15)
    cast = [CHAMPIONS[one] for one in (name, *COMPANY)]
    table = list(range(len(cast)))
    few = batch_of(rules, cast, [table] * 2, first_game=5)
    many = batch_of(rules, cast, [table] * 9, first_game=0)
    assert np.array_equal(few.finals, many.finals[:, 5:7])


@every_champion
@pytest.mark.parametrize(
    "rules",
    [
        ending_after(20),
        ending_after(20, alpha=0.9, erosion_intensity=2.0),
        ending_after(20, lobbying=False, voting=False),
    ],
)
def test_every_move_is_legal(name, rules):
    match = play(rules, name, "AlwaysBetray", *COMPANY, name)
    for decision in match.decisions:
        spec, value = decision.question.spec, decision.answer.value
        assert spec.validate(value) == value
    assert all(0.0 <= gave <= 1.0 for gave in given_by(match))
    assert all(min(turn.capitals) >= 0.0 for turn in turns_of(match))


@every_champion
def test_it_plays_at_a_table_of_two_and_at_one_of_twelve(name):
    for company in (["AlwaysBetray"], ["TitForTat"] * 5 + ["Justicier"] * 3 + ["AlwaysBetray"] * 3):
        assert len(turns_of(play(ending_after(6), name, *company))) == 6


@every_champion
def test_a_row_of_a_batch_equals_the_single_game_at_one_table(name):
    cast = [CHAMPIONS[one] for one in dict.fromkeys((name, *COMPANY))]
    table = [[entry.name for entry in cast].index(one) for one in (name, *COMPANY)]
    result = batch_of(RULES, cast, [table] * 6, seed=17)
    for game in range(6):
        match = play(RULES, name, *COMPANY, seed=17, game=game)
        assert result.turns[game] == end_of(match).turn
        assert result.finals[:, game].tolist() == end_of(match).capitals


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_one_can_be_sent_to_another_process(name):
    copy = pickle.loads(pickle.dumps(CHAMPIONS[name]))
    assert copy.name == name
    assert play(RULES, copy, *COMPANY, seed=3).events == play(RULES, name, *COMPANY, seed=3).events


@pytest.mark.parametrize("name", DETERMINISTIC)
def test_a_champion_without_chance_plays_the_same_whatever_the_seed(name):
    moves = {tuple(given_by(play(ending_after(12), name, [0.2, 0.9], [0.6, 0.4], seed=seed))) for seed in (1, 2, 3)}
    assert len(moves) == 1


@pytest.mark.parametrize(
    "name",
    [one for one in BUILT_IN if one not in ("AlwaysBetray", "RandomPlayer", "Capitaliste", "Parasite", "Pragmatique")],
)
def test_all_others_open_with_full_cooperation(name):
    for rules in (ending_after(1), ending_after(1, alpha=0.0), ending_after(1, endowment=7.3)):
        assert given_by(play(rules, name, [0.0], [0.0])) == [1.0]


@pytest.mark.parametrize("name", [one for one in BUILT_IN if one not in ("Capitaliste", "Parasite", "Pragmatique")])
def test_only_the_three_lobbyists_lobby(name):
    match = play(ending_after(10), name, "Capitaliste", "AlwaysBetray", "RandomPlayer")
    assert answers_of(match, 0, "lobby") == [0.0] * 10


@pytest.mark.parametrize("name", [one for one in BUILT_IN if one != "Justicier"])
def test_only_justicier_votes(name):
    match = play(ending_after(10), name, "AlwaysBetray", "AlwaysBetray", "RandomPlayer")
    assert answers_of(match, 0, "vote") == [None] * 10
