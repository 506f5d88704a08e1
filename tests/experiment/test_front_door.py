"""The library's front door: names to games, and settings that cannot be."""

import pytest

import ostrom
from ostrom.core import InputError, UnknownName
from ostrom.core.plugins import GAMES
from ostrom.experiment import make_rules
from ostrom.games.commons import CommonsRules
from ostrom.testing import Scripted
from support import BUILT_IN, end_of

SHORT = CommonsRules(duration=5)


def test_without_names_every_champion_sits_down():
    assert ostrom.play(rules=SHORT).names == BUILT_IN


def test_names_with_a_number_sit_several_times_in_their_order():
    names = ostrom.play(["Pavlov:2", "Parasite", "Pavlov"], rules=SHORT).names
    assert names == ("Pavlov", "Pavlov", "Parasite", "Pavlov")


def test_contestants_and_names_mix():
    match = ostrom.play(["Pavlov", Scripted([0.25])], rules=SHORT)
    assert match.names == ("Pavlov", "Scripted")


def test_the_same_seed_gives_the_same_match_and_another_number_another():
    first, again = (ostrom.play(["RandomPlayer:3"], rules=SHORT, seed=8, number=2) for _ in range(2))
    assert (first.events, first.decisions) == (again.events, again.decisions)
    assert ostrom.play(["RandomPlayer:3"], rules=SHORT, seed=8, number=3).events != first.events


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (["Pavlov"], "one player only"),
        (["Pavlof", "Pavlov"], "did you mean Pavlov"),
        (["Pavlov:0", "Pavlov"], "must be 1 or more"),
        (["Pavlov:-1", "Pavlov"], "must be 1 or more"),
        (["Pavlov:", "Pavlov"], "must be 1 or more"),
        (["Pavlov:1001"], "at most 1,000"),
    ],
)
def test_tables_that_cannot_be_are_refused(players, said):
    with pytest.raises(InputError, match=said):
        ostrom.play(players, rules=SHORT)


@pytest.mark.parametrize("count", ["1000000000000000", "100000000000000000000"])
def test_a_number_of_seats_beyond_memory_is_refused_like_any_other(count):
    with pytest.raises(InputError):
        ostrom.play([f"Pavlov:{count}"], rules=SHORT)


@pytest.mark.parametrize("how", [{"seed": -1}, {"seed": 2**64}, {"number": -1}, {"number": 2**32}])
def test_chance_that_cannot_be_is_refused(how):
    with pytest.raises(InputError):
        ostrom.play(["Pavlov:2"], rules=SHORT, **how)


def test_an_unknown_game_is_refused():
    with pytest.raises(UnknownName, match="did you mean commons"):
        ostrom.play(["Pavlov:2"], game="comons")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"alpha": 1.5}, "alpha must be at most 1, got 1.5"),
        ({"alpha": float("nan")}, "alpha must be at most 1, got nan"),
        ({"endowment": 0}, "endowment must be more than 0, got 0"),
        ({"duration": 2.5}, "duration must be a whole number, got 2.5"),
        ({"erosion_below": 0.9}, "erosion_below must not be above"),
        ({"synergy": 5.0}, "the synergy must start between"),
        ({"endowement": 3}, "unknown field 'endowement'"),
    ],
)
def test_rules_that_cannot_be_are_named(settings, said):
    with pytest.raises(InputError, match=said) as caught:
        make_rules(GAMES["commons"], settings)
    assert "\n" not in str(caught.value)


def test_a_money_too_large_to_be_counted_is_refused_rather_than_played():
    # The pot of two turns is beyond what a float holds; a game of infinities and NaN has no winner.
    with pytest.raises(InputError):
        ostrom.play(["Pavlov:2", "Parasite"], rules=make_rules(GAMES["commons"], {"endowment": 1e308}))


def test_exclude_leaves_players_out_and_refuses_those_who_are_not_there():
    assert [entry.name for entry in ostrom.choose(exclude=["Pavlov"])] == [n for n in BUILT_IN if n != "Pavlov"]
    assert [entry.name for entry in ostrom.choose(["Pavlov:2", "Parasite"], ["Pavlov"])] == ["Parasite"]
    with pytest.raises(InputError, match="not among the players"):
        ostrom.choose(["Pavlov:2"], ["Parasite"])
    with pytest.raises(UnknownName, match="Parasite"):
        ostrom.choose(exclude=["Parasit"])


def test_every_public_name_can_be_had():
    assert all(getattr(ostrom, name) is not None for name in ostrom.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ostrom.nothing


def test_a_replayed_match_ends_as_the_match_did():
    match = ostrom.play(["RandomPlayer:3", "Justicier:2"], rules=SHORT, seed=8)
    assert end_of(ostrom.replay(ostrom.record_of(match))) == end_of(match)
