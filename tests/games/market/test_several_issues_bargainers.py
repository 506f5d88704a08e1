"""The moves of the strategies of bargaining over several issues, against scripts and each other."""

from typing import Any

import pytest

from issues_table import moves, play, register
from ostrom.core import GameChance
from ostrom.experiment.match import play_match
from ostrom.games.market.several_issues import SeveralIssuesRules
from ostrom.games.market.several_issues.players import (
    STRATEGIES,
    Bargainer,
    Conceder,
    Fair,
    Greedy,
    Logroller,
    WalkAway,
)

OPPOSITE = SeveralIssuesRules(given="5,4,3;3,4,5", turns=8)


def silent(rules: SeveralIssuesRules) -> list[Any]:
    """A script that says nothing."""
    return [{"act": "say", "text": ""}] * rules.turns


def test_fair_asks_for_the_largest_nash_product_of_its_beliefs() -> None:
    # The other's units are worth 4 points on average. With 3 food and 1 water it gains 19 − 5 and leaves 20 − 5: the
    # product is 210, as with 3 food, 1 water and without; 2 water make 18 · 11 = 198.
    match = play(OPPOSITE, Fair, silent(OPPOSITE))
    assert moves(match) == [(3, 1, 0)] * 4
    assert moves(play(OPPOSITE, silent(OPPOSITE), Fair), 1) == [(0, 1, 3)] * 3 + ["say"]


def test_fair_accepts_as_many_points_as_it_asks_for_and_at_the_end_whatever_is_better_than_no_deal() -> None:
    enough = play(OPPOSITE, [(3, 2, 0)], Fair)  # 4 + 3 · 5 points, as many as its own demand has
    assert moves(enough, 1) == ["accept"]
    short = play(OPPOSITE, [(2, 3, 1)] * 8, Fair)  # 3 + 2 · 5 points
    assert moves(short, 1) == [(0, 1, 3)] * 3 + ["accept"]


def test_two_fair_seats_of_opposite_priorities_agree_at_once() -> None:
    match = play(OPPOSITE, Fair, Fair)
    assert moves(match, 0) == [(3, 1, 0)]
    assert moves(match, 1) == ["accept"]
    assert match.events[-1].points == [19, 23]


def test_greedy_asks_for_all_and_yields_only_in_the_end() -> None:
    assert moves(play(OPPOSITE, Greedy, silent(OPPOSITE))) == [(3, 3, 3)] * 4
    match = play(OPPOSITE, [(3, 3, 0)] * 8, Greedy)
    assert moves(match, 1) == [(3, 3, 3)] * 3 + ["accept"]
    assert play(OPPOSITE, Greedy, Greedy).events[-1].outcome == "no-deal"


def test_conceder_asks_for_less_in_every_turn_down_to_its_floor() -> None:
    match = play(OPPOSITE, Conceder, silent(OPPOSITE))
    points = [5 * food + 4 * water + 3 * firewood for food, water, firewood in moves(match)]
    # The targets of turns 1, 3, 5 and 7 of 8, of 36 points, down to 18 in turn 8.
    targets = [36 - 18 * passed / 7 for passed in (0, 2, 4, 6)]
    assert all(0 <= own - target < 3 for own, target in zip(points, targets, strict=True))
    assert points == sorted(points, reverse=True)
    assert moves(match)[0] == (3, 3, 3)
    stubborn = play(OPPOSITE, "Conceder:floor=1", silent(OPPOSITE))
    assert moves(stubborn) == [(3, 3, 3)] * 4


def test_conceder_accepts_what_it_would_ask_for_now() -> None:
    # P2's targets are 36 − 18/7 in turn 2 and 36 − 54/7 = 28.3 in turn 4; it is offered 30 points.
    match = play(OPPOSITE, [(1, 0, 0), (0, 1, 0)] * 2, Conceder)
    assert moves(match, 1)[0] != "accept"
    assert moves(match, 1)[1] == "accept"


def test_logroller_learns_priorities_from_demands_and_gives_up_what_the_other_wants() -> None:
    # To P2, food and water are worth the same. P1's demand speaks for food more than for water.
    rules = SeveralIssuesRules(given="5,4,3;4,4,5", turns=8)
    demand = [(3, 2, 1)] * 8
    assert moves(play(rules, demand, Fair), 1)[0] == (1, 0, 3)
    assert moves(play(rules, silent(rules), Logroller), 1)[0] == (1, 0, 3)
    assert moves(play(rules, demand, Logroller), 1)[0] == (0, 1, 3)


def test_logroller_believes_demands_the_more_the_choosier_it_takes_the_other_to_be() -> None:
    match = play(OPPOSITE, [(3, 2, 0)], silent(OPPOSITE))
    seen = match.decisions[1].question.view
    indifferent, choosy = Logroller(choosiness=0).beliefs(seen), Logroller(choosiness=200).beliefs(seen)
    assert indifferent == pytest.approx([1 / 6] * 6)
    assert choosy.max() > 0.99  # The priorities food, water, firewood.


def test_walk_away_leaves_at_the_first_poor_deal() -> None:
    poor = play(OPPOSITE, [(3, 3, 1)], WalkAway)  # 10 of 36 points
    assert moves(poor, 1) == ["walk-away"]
    assert poor.events[-1].points == [5, 5]
    assert moves(play(OPPOSITE, [(3, 3, 1)], "WalkAway:least=0.25"), 1) == ["accept"]
    match = play(OPPOSITE, WalkAway, silent(OPPOSITE))
    assert moves(match)[0] == (3, 1, 0)  # 19 points; 18, with firewood, are no better for the other seat


def test_strategies_bargain_by_proposals_where_both_seats_choose_at_once() -> None:
    rules = SeveralIssuesRules(given="5,4,3;3,4,5", values="pool", counts="2,2,2", worth=12, agreement="choices")
    match = play(rules, [(1, 1, 0), (1, 1, 0)], Fair)
    assert moves(match, 1) == ["end-talk"]
    assert moves(match, 1, "choice") == [(1, 1, 2)]
    assert match.events[-1].outcome == "deal"
    refused = play(rules, [(2, 2, 2), (2, 2, 2)], WalkAway)
    assert moves(refused, 1) == ["end-talk"]
    assert moves(refused, 1, "choice") == ["no-deal"]


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(
    "rules",
    [
        SeveralIssuesRules(turns=6, messages=False),
        SeveralIssuesRules(turns=6, values="pool", agreement="choices"),
        SeveralIssuesRules(turns=2, goods="hay, oats", counts="4,1", outside=100.0),
    ],
    ids=["submit", "choices", "nothing to gain"],
)
def test_strategies_play_legally_say_nothing_and_play_the_same_game_again(name: str, rules: Any) -> None:
    for other in STRATEGIES.values():
        entries = [STRATEGIES[name], other]
        first, again = (play_match(register(), rules, entries, GameChance(5)) for _ in range(2))
        assert first.events == again.events
        assert not [event for event in first.events if event.tag == "message_said"]


@pytest.mark.parametrize("entry", STRATEGIES.values(), ids=lambda entry: entry.name)
def test_every_bargainer_says_in_a_sentence_what_it_does(entry: Any) -> None:
    assert entry.description.split()[0].endswith("s")
    assert issubclass(entry.scalar, Bargainer)
