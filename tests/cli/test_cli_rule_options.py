"""Every option of the command line has its effect on the game that is played."""

import pytest
from commandline import document, seats

from ostrom.games.commons import CommonsRules
from support import BUILT_IN

TABLE = seats("Justicier:2", "Parasite", "Capitaliste", "AlwaysBetray")
KEEPERS = seats("AlwaysBetray:2", "Parasite")


def turns(*options, table=TABLE):
    events = document("run", *table, "--turns", 8, "--seed", 4, "-v", *options)["events"]
    return [event for event in events if event["event"] == "turn_played"]


def tags(*options, table=TABLE):
    return {event["event"] for event in document("run", *table, "--turns", 8, "--seed", 4, "-v", *options)["events"]}


def test_lobbying_can_be_forbidden():
    assert any(amount for turn in turns("--lobbying") for amount in turn["lobby"])
    forbidden = turns("--no-lobbying")
    assert not any(amount for turn in forbidden for amount in turn["lobby"])
    assert {turn["alpha"] for turn in forbidden} == {0.5}


def test_voting_can_be_forbidden():
    assert {"vote_held", "seat_excluded"} <= tags("--voting")
    assert not {"vote_held", "seat_excluded"} & tags("--no-voting")
    assert all(all(turn["present"]) for turn in turns("--no-voting"))


def test_erosion_can_be_forbidden():
    assert min(turn["erosion"] for turn in turns("--erosion", table=KEEPERS)) < 1.0
    forbidden = turns("--no-erosion", table=KEEPERS)
    assert {turn["erosion"] for turn in forbidden} == {1.0}
    assert forbidden[-1]["synergy"] < 1.8


def test_erosion_intensity_is_the_exponent():
    once, twice = turns(table=KEEPERS), turns("--erosion-intensity", 2, table=KEEPERS)
    assert [turn["erosion"] for turn in twice] == pytest.approx([turn["erosion"] ** 2 for turn in once])


@pytest.mark.parametrize("alpha", [0, 0.25, 1])
def test_alpha_is_where_the_game_starts(alpha):
    assert turns("--alpha", alpha)[0]["alpha"] == alpha


def test_endowment_is_what_every_seat_receives():
    assert [turn["pot"] for turn in turns("--endowment", 10)] == pytest.approx([turn["pot"] / 10 for turn in turns()])


def test_duration_moves_the_end():
    found = [document("run", *TABLE, "--seed", 4, "--duration", duration)["turns"] for duration in (1, 10, 1000)]
    assert found == sorted(found)
    assert found[0] < 5 < found[1] < 30 < found[2]


def test_turns_is_a_known_end():
    assert len(turns()) == 8


def test_include_seats_in_order_and_several_times():
    rows = document("run", *seats("Pavlov:2", "Parasite", "Pavlov"), "--turns", 1, "--seed", 1)["standings"]
    names = {row["seat"]: row["name"] for row in rows}
    assert names == {0: "Pavlov", 1: "Pavlov", 2: "Parasite", 3: "Pavlov"}


def test_exclude_leaves_out():
    rows = document("run", "--exclude", "Pavlov", "--exclude", "Parasite", "--turns", 1, "--seed", 1)["standings"]
    assert {row["name"] for row in rows} == set(BUILT_IN) - {"Pavlov", "Parasite"}


@pytest.mark.parametrize("command", ["run", "tournament"])
@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (["--duration", 7], {"duration": 7}),
        (["--turns", 3], {"turns": 3}),
        (["--endowment", 12.5, "--duration", 7], {"endowment": 12.5, "duration": 7}),
        (["--alpha", 0.125, "--duration", 7], {"alpha": 0.125, "duration": 7}),
        (["--no-lobbying", "--duration", 7], {"lobbying": False, "duration": 7}),
        (["--no-erosion", "--duration", 7], {"erosion": False, "duration": 7}),
        (["--erosion-intensity", 2, "--duration", 7], {"erosion_intensity": 2.0, "duration": 7}),
        (["--no-voting", "--duration", 7], {"voting": False, "duration": 7}),
        (["--lobbying", "--erosion", "--voting", "--duration", 7], {"duration": 7}),
    ],
)
def test_game_and_tournament_take_the_same_rules(command, options, rules):
    games = ["--games", 1] if command == "tournament" else []
    found = document(command, *TABLE, "--seed", 1, *games, *options)
    assert found["rules"] == CommonsRules(**rules).model_dump(mode="json")


def test_rules_change_what_a_tournament_finds():
    def capitals(*options):
        found = document("tournament", *TABLE, "--seed", 1, "--games", 3, "--turns", 6, *options)
        return {row["name"]: row["mean_capital"] for row in found["standings"]}

    plain = capitals()
    assert capitals("--seed", 1) == plain
    for options in (["--no-lobbying"], ["--no-voting"], ["--alpha", 0.2], ["--endowment", 90]):
        assert capitals(*options) != plain


def test_games_and_group_size_make_the_tables():
    found = document(
        "tournament", *seats("Pavlov", "Parasite", "Gradual"), "--games", 3, "--group-size", 2, "--seed", 1
    )
    assert (found["tables"], found["games"]) == (3, 9)
    found = document("tournament", *seats("Pavlov", "Parasite", "Gradual"), "--games", 3, "--seed", 1)
    assert (found["tables"], found["games"], found["group_size"]) == (1, 3, 3)


def test_a_table_of_many_seats_plays_a_tournament():
    found = document("tournament", *seats("Pavlov:60", "AlwaysBetray:20"), "--games", 2, "--turns", 2, "--seed", 1)
    assert {row["name"]: row["seats"] for row in found["standings"]} == {"Pavlov": 120, "AlwaysBetray": 40}


@pytest.mark.slow
def test_the_backend_is_named():
    arguments = ["tournament", *seats("AlwaysCoop", "AlwaysBetray"), "--games", 2, "--turns", 2, "--seed", 1]
    numpy, jax = (document(*arguments, "--backend", backend) for backend in ("numpy", "jax"))
    assert (numpy["backend"], jax["backend"]) == ("numpy", "jax")
    assert [row["mean_capital"] for row in jax["standings"]] == pytest.approx(
        [row["mean_capital"] for row in numpy["standings"]]
    )
