"""Bargaining over several issues: the course of a game, what seats may know, its measures, and its contract."""

from typing import Any

import pytest
from pydantic import ValidationError

from issues_table import play, register, scripted
from ostrom.core import GameChance
from ostrom.core.telling import story_of
from ostrom.experiment import record_of, replay
from ostrom.games.market.several_issues import SeveralIssuesRules
from ostrom.games.market.several_issues.events import EVENTS, finals
from ostrom.games.market.several_issues.measures import MEASURES, tables_of
from ostrom.games.market.several_issues.pool import (
    best_joint_points,
    divisions,
    drawn_counts,
    is_bargain,
    is_efficient,
    left_of,
    points_of,
    pool_values,
)
from ostrom.games.market.several_issues.scene import PRESENTATION
from ostrom.players.models.briefing import briefing_for
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text
from ostrom.players.strategy import entry_of
from ostrom.testing import check_game

VALUES = "5,4,3;3,4,5"
"""Opposite priorities: P1 wants food most, P2 firewood."""
GIVEN = SeveralIssuesRules(given=VALUES)
POOL = SeveralIssuesRules(goods="books, hats, balls", values="pool", agreement="choices")


def secrets(rules: SeveralIssuesRules, seats: int, seed: int) -> list[list[float]]:
    """The private values of each seat, if they have enough digits to be recognised."""
    return [list(values) for values in rules.given_values] or [[], []]


@pytest.mark.parametrize(
    "rules",
    [
        SeveralIssuesRules(),
        POOL.model_copy(update={"turns": 6}),
        SeveralIssuesRules(messages=False, turns=8, given="5.137,4.219,3.777;3.555,4.321,5.987"),
    ],
    ids=["usual", "choices", "secrets"],
)
def test_the_game_keeps_the_contract_and_its_secrets(rules: SeveralIssuesRules) -> None:
    check_game(register(), rules=[rules], secrets=secrets, study=False)


def tags(match: Any) -> list[str]:
    return [event.act if event.tag == "act_taken" else event.tag for event in match.events]


def test_a_deal_that_is_accepted_divides_the_pool() -> None:
    match = play(GIVEN, ["Hello!", "accept"], ["Hi.", (0, 1, 3)][::-1])
    assert tags(match) == ["issues_dealt", "message_said", "deal_submitted", "accept", "bargain_ended"]
    end = match.events[-1]
    assert end.units == [[3, 2, 0], [0, 1, 3]]
    assert finals(match.events) == [3 * 5 + 2 * 4, 4 + 3 * 5]


def test_a_seat_that_rejects_moves_again_and_the_last_deal_counts() -> None:
    # P1 submits, P2 rejects and submits, P1 submits another deal in its place, and P2 accepts that one.
    match = play(GIVEN, [(3, 3, 0), (3, 1, 0)], ["reject", (0, 3, 3), "accept"])
    seats = [decision.question.seat.index for decision in match.decisions]
    assert seats == [0, 1, 1, 0, 1]
    assert match.events[-1].units == [[3, 1, 0], [0, 2, 3]]


def test_only_an_open_deal_of_the_other_seat_can_be_answered() -> None:
    match = play(GIVEN.model_copy(update={"turns": 5}), [(3, 3, 3)], ["Hm.", "reject"])
    acts = [decision.question.view.acts for decision in match.decisions]
    everything = ("say", "submit", "accept", "reject", "walk-away")
    none_open = ("say", "submit", "walk-away")
    # P1's own deal is open in turn 3, and rejected in turn 4; in the last turn no deal can be submitted.
    assert acts == [none_open, everything, none_open, everything, ("say", "walk-away")]
    assert match.events[-1].outcome == "no-deal"


def test_without_a_deal_each_seat_has_the_outside_points() -> None:
    assert finals(play(GIVEN, ["walk-away"], []).events) == [5, 5]
    assert finals(play(GIVEN, [], []).events) == [5, 5]
    assert finals(play(GIVEN.model_copy(update={"outside": -2.5}), ["walk-away"], []).events) == [-2.5, -2.5]
    pool = play(POOL, ["end-talk", "no-deal"], [(1, 1, 1)])
    assert finals(pool.events) == [0, 0]


@pytest.mark.parametrize(
    ("first", "second", "agreed"),
    [((1, 0, 2), (2, 3, 1), True), ((1, 0, 2), (2, 3, 0), False), ((1, 0, 2), None, False)],
)
def test_choices_are_a_deal_if_they_add_up_to_the_pool(first: Any, second: Any, agreed: bool) -> None:
    rules = POOL.model_copy(update={"counts": "3,3,3", "given": VALUES})
    match = play(rules, ["What do you want?", "end-talk", first], ["All.", second])
    end = match.events[-1]
    assert (end.outcome == "deal") is agreed
    assert end.choices == [list(first), None if second is None else list(second)]
    assert end.points == ([5 + 2 * 3, 2 * 3 + 3 * 4 + 5] if agreed else [0, 0])


def test_drawn_pools_are_worth_the_same_to_both_seats() -> None:
    for seed in range(30):
        event = play(POOL, ["end-talk"], [], seed=seed).events[0]
        assert 5 <= sum(event.counts) <= 7
        assert [points_of(event.counts, values) for values in event.values] == [10, 10]
        assert is_bargain(*map(tuple, event.values))
    assert len(drawn_counts(3, 10)) == 28
    assert all(points_of((1, 2, 3), values) == 10 for values in pool_values((1, 2, 3), 10))


def test_every_order_of_priorities_is_drawn_for_each_seat() -> None:
    drawn = [play(SeveralIssuesRules(), ["walk-away"], [], seed=seed).events[0].values for seed in range(80)]
    for seat in (0, 1):
        assert len({tuple(values[seat]) for values in drawn}) == 6


def test_efficiency_of_divisions_agrees_with_its_definition() -> None:
    counts, values = (2, 1, 3), ((1.0, 3.0, 2.0), (4.0, 3.0, 1.0))
    points = [(points_of(own, values[0]), points_of(left_of(counts, own), values[1])) for own in divisions(counts)]
    assert best_joint_points(counts, values) == max(map(sum, points)) == 2 * 4 + 3 + 3 * 2
    for own, pair in zip(divisions(counts), points, strict=True):
        better = any(other != pair and other[0] >= pair[0] and other[1] >= pair[1] for other in points)
        assert is_efficient(counts, values, tuple(own)) is not better


def test_invalid_rules_are_refused() -> None:
    for settings in (
        {"goods": "food"},
        {"goods": "food, food"},
        {"goods": "food, <b>"},
        {"goods": "food, text"},
        {"counts": "3,3"},
        {"counts": "3,3,0"},
        {"scale": "5,4"},
        {"given": "5,4,3"},
        {"given": "5,4,3;3,4,nan"},
        {"values": "pool", "counts": "3,3,3"},
    ):
        with pytest.raises(ValidationError):
            SeveralIssuesRules(**settings)


def test_a_seat_sees_its_own_values_only_before_the_end() -> None:
    match = play(GIVEN, [(3, 2, 0)], ["accept"])
    views = [decision.question.view for decision in match.decisions]
    assert [view.values for view in views] == [(5, 4, 3), (3, 4, 5)]
    assert all(view.rules.given is None for view in views)
    dealt, submitted = (event.as_record() for event in match.events[:2])
    assert EVENTS.seen_by(dealt, 1)["values"] == [None, [3, 4, 5]]
    assert EVENTS.seen_by(dealt, None)["values"] == [None, None]
    assert EVENTS.seen_by(submitted, 1)["worth"] == [None, 19]
    assert EVENTS.seen_by(submitted, None)["worth"] == [None, None]
    briefing = briefing_for(register())
    for decision in match.decisions:
        own, other = ("5 points", "3 points") if decision.question.seat.index == 0 else ("3 points", "5 points")
        text = question_text(briefing, decision.question, Framing(unit="points", layout=2), GameChance(1))
        assert f"a unit of food is worth {own}" in text
        assert f"a unit of food is worth {other}" not in text


def test_prompts_quote_what_seats_say_and_tell_the_course() -> None:
    match = play(GIVEN, ["I want </food> {{ 7 * 7 }}", "reject"], [(1, 3, 3)])
    question = match.decisions[2].question
    briefing = briefing_for(register())
    for variant in ("plain", "terse", "story"):
        for layout in (1, 2):
            framing = Framing(unit="points", variant=variant, layout=layout)
            text = "\n".join(briefing.past(question, framing, GameChance(1)))
            assert '"I want ‹/food› (( 7 * 7 ))"' in text
            assert "1 food, 3 water, 3 firewood" in text
            asked = question_text(briefing, question, framing, GameChance(1))
            assert "worth 10 points" in asked  # 2 units of food at 5 points
            assert "5 points" in rules_text(briefing, question, framing, GameChance(1))


def test_the_scene_shows_the_submitted_deal_and_the_points_at_the_end() -> None:
    match = play(GIVEN, [(3, 2, 0)], ["accept"])
    story = story_of(PRESENTATION, GIVEN, 2, match.events)
    submitted, end = story.tellings[1], story.tellings[-1]
    assert submitted.sets[0].values == {
        "food": (3, 0),
        "water": (2, 1),
        "firewood": (0, 3),
        "first": 5,
        "points": (23, 19),
    }
    assert submitted.middle is not None
    assert submitted.middle.figure == "5 : 4"
    assert end.sets[-1].values == {"points": (23, 19)}
    public = [EVENTS.decode(EVENTS.seen_by(event.as_record(), None)) for event in match.events[:-1]]
    shown = story_of(PRESENTATION, GIVEN, 2, public).tellings[1]
    assert shown.sets[0].values["points"] == (None, None)


def test_a_record_replays() -> None:
    match = play(POOL, [(1, 1, 1), "end-talk"], ["Fine <script>"], seed=7)
    assert replay(record_of(match)).events == match.events


def value(name: str, matches: list[Any], **row: object) -> float:
    """The value of a measure in the row of a group."""
    tables = tables_of([(str(place), "e", record_of(match)) for place, match in enumerate(matches)])
    rows = MEASURES.measures[name].function(tables)
    for column, entry in row.items():
        rows = rows.filter(rows[column] == entry)
    assert len(rows) == 1
    return float(rows["value"][0])


def test_measures_by_hand() -> None:
    register()
    # The best joint points are 3 · 5 + 3 · 4 + 3 · 5 = 42.
    matches = [
        play(GIVEN, [(3, 3, 0)], ["reject", (0, 2, 3), "accept"], seed=1),  # P1's next act is silence, and P2 waits
        play(GIVEN, [(3, 2, 0)], ["accept"], seed=2),
        play(GIVEN, [(1, 1, 1)], ["accept"], seed=3),
        play(GIVEN, ["walk-away"], [], seed=4),
    ]
    assert [match.events[-1].outcome for match in matches] == ["no-deal", "deal", "deal", "walk-away"]
    assert value("agreement", matches) == 0.5
    assert value("walk_aways", matches) == 0.25
    assert value("joint_points", matches) == ((23 + 19) + (12 + 24)) / 2
    assert value("joint_share", matches) == pytest.approx((1 + 36 / 42) / 2)
    assert value("efficient_deals", matches) == 0.5
    assert value("equal_deals", matches) == 0
    assert value("proposals", matches) == 1
    assert value("rejections", matches) == 0.25
    assert value("turns_to_agreement", matches) == 2
    assert value("pool_share_by_role", matches, role="first speaker") == pytest.approx((23 + 12) / 2 / 36)
    assert value("demand", matches) == pytest.approx((27 / 36 + (8 + 15) / 36 + 23 / 36 + 12 / 36) / 4)
    assert value("acceptance", matches) == 0.5
    assert value("equal_deals", [play(GIVEN, [(2, 2, 1)], ["accept"])]) == 0


def test_equal_points_count_as_an_equal_deal() -> None:
    rules = SeveralIssuesRules(given="5,4,3;5,4,3", counts="2,2,2")
    match = play(rules, [(1, 1, 1)], ["accept"])
    assert value("equal_deals", [match]) == 1
    assert value("efficient_deals", [match]) == 1


def test_scripts_have_no_words_for_a_game_without_messages() -> None:
    match = play(GIVEN.model_copy(update={"messages": False}), [(3, 3, 0)], ["pass"])
    assert "text" not in match.decisions[0].answer.value
    assert entry_of(scripted([])).name
