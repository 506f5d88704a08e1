"""The moves of every built-in player of voluntary contributions, against players whose moves are written down."""

import pytest

from ostrom.core import GameChance
from ostrom.experiment.match import play_match
from ostrom.games.contributions import CONTRIBUTIONS, ContributionsRules
from ostrom.games.contributions.events import rounds_of
from ostrom.games.contributions.players import STRATEGIES
from ostrom.players.strategy import entry_of, find_strategy

POINTS = {"punishment": True, "reward": True}


def scripted(*contributions: int, points: dict[str, int] | None = None):
    def answer(question):
        if question.phase == "contribution":
            return contributions[question.turn - 1]
        return dict(question.fallback) | (points or {})

    return entry_of(answer, "scripted")


def moves(name: str, *others: list[int], rounds: int = 4, **settings) -> list[int]:
    """The contributions of a player beside others with these contributions."""
    rules = ContributionsRules(rounds=rounds, **settings)
    table = [find_strategy(STRATEGIES, name), *(scripted(*given) for given in others)]
    match = play_match(CONTRIBUTIONS, rules, table, GameChance(1))
    return [played.contributions[0] for played in rounds_of(match.events)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("FullContributor", [20, 20, 20, 20]),
        ("FreeRider", [0, 0, 0, 0]),
        ("ConditionalCooperator", [20, 6, 18, 1]),
        ("ConditionalCooperator:slope=0.5,first=0.5", [10, 3, 9, 0]),
        ("TriangleContributor", [10, 6, 2, 1]),
        ("EndgameDefector", [20, 20, 0, 0]),
        ("Punisher", [20, 6, 18, 1]),
        ("AntisocialPunisher", [0, 0, 0, 0]),
        ("Rewarder", [20, 6, 18, 1]),
        ("DeterredContributor", [0, 0, 0, 0]),
    ],
)
def test_contributions_follow_the_others(name: str, expected: list[int]) -> None:
    assert moves(name, [2, 16, 0, 20], [10, 20, 1, 20]) == expected


def test_a_known_end_is_needed_for_an_endgame() -> None:
    assert moves("EndgameDefector", [0] * 4, end="hidden") == [20] * 4


def test_a_deterred_contributor_gives_four_more_for_each_point() -> None:
    rules = ContributionsRules(rounds=3, **POINTS)
    punisher = scripted(20, 20, 20, points={"deduct_P1": 2})
    match = play_match(CONTRIBUTIONS, rules, [STRATEGIES["DeterredContributor"], punisher], GameChance(1))
    assert [played.contributions[0] for played in rounds_of(match.events)] == [0, 8, 16]


def test_all_or_nothing_and_random_contributions_are_legal() -> None:
    assert moves("ConditionalCooperator", [0, 20, 20, 0], contribution="all-or-nothing") == [20, 0, 20, 20]
    drawn = moves("RandomContributor", [0] * 200, rounds=200)
    assert min(drawn) == 0
    assert max(drawn) == 20
    assert 8 < sum(drawn) / 200 < 12
    assert set(moves("RandomContributor", [0] * 40, rounds=40, contribution="all-or-nothing")) == {0, 20}


def points(name: str, *others: int, **settings) -> dict[tuple[str, int], int]:
    """The points of a player in the first round, by kind and target."""
    rules = ContributionsRules(rounds=1, **(POINTS | settings))
    table = [find_strategy(STRATEGIES, name), *(scripted(given) for given in others)]
    match = play_match(CONTRIBUTIONS, rules, table, GameChance(1))
    return {(row.kind, row.target): row.points for row in rounds_of(match.events)[0].points}


def test_punishers_take_from_those_who_gave_less_or_more() -> None:
    assert points("Punisher", 20, 12, 0) == {("deduct", 2): 2, ("deduct", 3): 5}
    assert points("Punisher:rate=1", 19, 12, 0) == {("deduct", 1): 1, ("deduct", 2): 8, ("deduct", 3): 10}
    assert points("AntisocialPunisher", 20, 12, 0) == {("deduct", 1): 5, ("deduct", 2): 3}
    assert points("Punisher", 20, 12, 0, targets=1) == {("deduct", 2): 2}
    # The player earned 20 − 20 + 1.6 · 20 / 4 = 8, which pays for 5 points and not for 5 more.
    assert points("Punisher", 0, 0, 0) == {("deduct", 1): 5}


def test_a_rewarder_thanks_those_who_gave_as_much() -> None:
    assert points("Rewarder:first=0.5", 20, 10, 9) == {("reward", 1): 1, ("reward", 2): 1}
    assert points("Rewarder:first=0", 0, 0) == {}


@pytest.mark.parametrize("name", ["FullContributor", "FreeRider", "ConditionalCooperator", "DeterredContributor"])
def test_others_assign_no_points(name: str) -> None:
    assert points(name, 20, 0) == {}


def test_every_player_has_its_moves_above() -> None:
    # The families of learned people have files with moves of their own.
    assert len([entry for entry in STRATEGIES.values() if entry.member is None]) == 10
