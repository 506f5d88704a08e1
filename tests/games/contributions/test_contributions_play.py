"""Voluntary contributions from the inside: the arithmetic of a round, its contract, and what seats may know."""

import numpy as np
import pytest
from pydantic import ValidationError

from ostrom.core import GameChance, IllegalAnswer
from ostrom.core.arrays import Array
from ostrom.experiment import record_of, replay
from ostrom.experiment.match import Match, play_match
from ostrom.games.contributions import CONTRIBUTIONS, ContributionsRules
from ostrom.games.contributions.events import finals, rounds_of
from ostrom.games.contributions.play import column
from ostrom.games.contributions.players import STRATEGIES
from ostrom.games.contributions.points import PointsSpec, cost_of, most_points
from ostrom.games.contributions.rules import income_of, payoffs_of
from ostrom.games.contributions.step import STEP
from ostrom.players.models.briefing import briefing_for
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import question_text, rules_text
from ostrom.players.strategy import entry_of
from ostrom.sim.numpy_engine import play_batch
from ostrom.sim.plan import Plan
from ostrom.sim.tournament import tournament
from ostrom.testing import check_game
from sampling import sampled

HIDDEN = {"end": "hidden", "show_contributions": "sum", "show_outcomes": False}
GRID = {
    "usual": ContributionsRules(),
    "points of both kinds": ContributionsRules(rounds=3, punishment=True, reward=True, messages=True, **HIDDEN),
    "leaving": ContributionsRules(
        rounds=4, punishment=True, leave=True, show_actors=True, targets=1, limit_loss=True, punish_scale="percent"
    ),
    "all or nothing": ContributionsRules(
        rounds=3, reward=True, contribution="all-or-nothing", default="opt-out", rounding="half-up", multiplier=2.3
    ),
    "increasing costs": ContributionsRules(
        rounds=3, punishment=True, punish_growth="increasing", rounding="floor", messages=True, talk="at-once"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled([name for name in GRID if name != "usual"], 2))
def test_the_game_keeps_the_contract(name: str) -> None:
    check_game(CONTRIBUTIONS, rules=[GRID[name]], seeds=(1,), study=False)


# The arithmetic of a round.


def amounts(*values: float) -> Array:
    return column(values)


def paid(contributions: list[int], **settings: object) -> tuple[float, float, list[float]]:
    rules = ContributionsRules(**settings)
    income = income_of(amounts(*contributions), np.ones((len(contributions), 1), dtype=bool), rules)
    return float(income.fund[0]), float(income.share[0]), income.income[:, 0].tolist()


def test_shares_are_exact_or_rounded_in_two_steps() -> None:
    assert paid([20, 10, 0, 5]) == (56, 14, [14, 24, 34, 29])
    # As a binary number, 105 · 2.3 is 241.49999999999997, so the fund is 241 and not 242; 241 / 6 is 40.17.
    contributions = [20, 20, 20, 20, 20, 5]
    assert paid(contributions, multiplier=2.3, rounding="half-up")[:2] == (241, 40)
    assert paid([20, 19, 0, 0], multiplier=1.5, rounding="half-up")[:2] == (59, 15)
    assert paid([20, 19, 0, 0], multiplier=1.5, rounding="floor")[:2] == (58, 14)
    # 10 · 2.3 is just below 23 as a binary number; it is 23 nevertheless.
    assert paid([10, 0], multiplier=2.3, rounding="floor")[:2] == (23, 11)


def test_a_seat_that_takes_no_part_counts_neither_in_the_sum_nor_in_the_shares() -> None:
    present = np.asarray([[True], [True], [False]])
    income = income_of(amounts(20, 10, 15), present, ContributionsRules())
    assert float(income.total[0]) == 30
    assert float(income.share[0]) == 24
    assert income.income[:, 0].tolist() == [24, 34, 0]


def test_points_cost_take_and_give() -> None:
    rules = ContributionsRules(punishment=True, punish_loss=3, reward=True, reward_cost=2, reward_gain=5)
    payoffs = payoffs_of(amounts(20, 30), amounts(4, 0), amounts(0, 6), amounts(1, 0), rules)
    assert payoffs[:, 0].tolist() == [20 - 4 + 5, 30 - 18]


def test_losses_can_be_limited_or_percent_of_the_income() -> None:
    limited = ContributionsRules(punishment=True, limit_loss=True)
    nothing = amounts(0, 0)
    assert payoffs_of(amounts(20, -2), amounts(5, 0), amounts(9, 9), nothing, limited)[:, 0].tolist() == [-5, -2]
    percent = ContributionsRules(punishment=True, punish_loss=10, punish_scale="percent")
    assert payoffs_of(amounts(20, 30), nothing, amounts(3, 10), nothing, percent)[:, 0].tolist() == [14, 0]


def test_ten_points_cost_thirty_in_the_increasing_scale() -> None:
    rules = ContributionsRules(punishment=True, punish_growth="increasing")
    assert [cost_of("deduct", points, rules) for points in range(11)] == [0, 1, 2, 4, 6, 9, 12, 16, 20, 25, 30]
    assert most_points("deduct", 11, rules) == 5
    assert most_points("deduct", 1000, rules) == 10


def test_presets_are_defaults_that_other_settings_replace() -> None:
    rules = ContributionsRules(preset="herrmann-2008", rounds=5)
    assert (rules.rounds, rules.punishment, rules.punish_loss, rules.multiplier) == (5, True, 3, 1.6)
    assert ContributionsRules(**rules.model_dump()) == rules
    # All give 20 in Herrmann's design: 32 tokens each.
    match = play_match(CONTRIBUTIONS, rules, [STRATEGIES["FullContributor"]] * 4, GameChance(1))
    assert finals(match.events) == [32 * 5] * 4
    with pytest.raises(ValidationError, match="preset"):
        ContributionsRules(preset="nobody-1999")


# Whole games.


def scripted(*contributions: object, points: dict[int, dict[str, int]] | None = None):
    """A player that gives these contributions, and these points in the rounds that are keys."""

    def answer(question):
        if question.phase == "contribution":
            return contributions[question.turn - 1]
        given = (points or {}).get(question.turn, {})
        return dict(question.fallback) | given

    return entry_of(answer, "scripted")


def play(rules: ContributionsRules, *players: object, seed: int = 1) -> Match:
    return play_match(CONTRIBUTIONS, rules, list(players), GameChance(seed))


def test_a_game_with_points_by_hand() -> None:
    rules = ContributionsRules(rounds=2, punishment=True, reward=True, reward_gain=2)
    first = scripted(20, 20, points={1: {"deduct_P3": 4, "reward_P2": 1}})
    match = play(rules, first, scripted(20, 0), scripted(0, 0))
    share = 40 * 1.6 / 3
    one, two = rounds_of(match.events)
    assert one.payoffs == pytest.approx([share - 5, share + 2, 20 + share - 12])
    assert one.assigned("deduct") == [4, 0, 0]
    assert one.received("deduct") == [0, 0, 4]
    assert one.received("reward") == [0, 1, 0]
    assert two.payoffs == pytest.approx([20 * 1.6 / 3, 20 + 20 * 1.6 / 3, 20 + 20 * 1.6 / 3])
    assert finals(match.events) == pytest.approx(np.add(one.payoffs, two.payoffs).tolist())
    assert replay(record_of(match)).events == match.events


def test_a_seat_that_leaves_keeps_its_earnings_and_ends_a_game_of_two() -> None:
    rules = ContributionsRules(rounds=5, leave=True)
    stays = {"stay": "stay", "contribution": 10}
    match = play(rules, scripted(*[stays] * 5), scripted(stays, {"stay": "leave", "contribution": None}))
    one, two = rounds_of(match.events)
    assert one.payoffs == [26, 26]
    assert two.contributions == [10, None]
    assert two.left == [1]
    assert two.payoffs == [10 + 16, None]
    assert finals(match.events) == [52, 26]


def test_a_seat_that_leaves_after_the_contributions_gets_its_share() -> None:
    rules = ContributionsRules(rounds=2, leave=True, punishment=True)
    stays = {"stay": "stay", "contribution": 20}
    leaves = {1: {"stay": "leave", "deduct_P1": None, "deduct_P2": None}}
    match = play(rules, scripted(stays, stays), scripted(stays, stays), scripted(stays, points=leaves))
    one, two = rounds_of(match.events)
    assert one.payoffs == [32, 32, 32]
    assert two.contributions == [20, 20, None]
    assert finals(match.events) == [64, 64, 32]


def test_points_beyond_the_earnings_or_for_too_many_seats_are_refused() -> None:
    rules = ContributionsRules(punishment=True, targets=1)
    asked = []

    def watching(question):
        if question.phase == "points":
            asked.append(question)
        return question.fallback

    play(rules, *[entry_of(watching, "watching")] * 3)
    spec = asked[0].spec
    assert isinstance(spec, PointsSpec)
    assert spec.budget == 20
    assert spec.validate({"deduct_P2": 10, "deduct_P3": 0})
    with pytest.raises(IllegalAnswer, match="2 players have points of one kind; at most 1"):
        spec.validate({"deduct_P2": 1, "deduct_P3": 1})
    wide = PointsSpec(spec.specs, ContributionsRules(punishment=True), 15, 0)
    with pytest.raises(IllegalAnswer, match="cost more than you can spend"):
        wide.validate({"deduct_P2": 10, "deduct_P3": 10})
    assert wide.limited({"deduct_P2": 10, "deduct_P3": 10}) == {"deduct_P2": 10, "deduct_P3": 5}


@pytest.mark.parametrize("rules", GRID.values(), ids=GRID)
def test_games_over_arrays_equal_single_games(rules: ContributionsRules) -> None:
    players = [entry for entry in STRATEGIES.values() if entry.member is None]
    result = tournament(players, games=1, seed=3, game=CONTRIBUTIONS, rules=rules, group_size=3, workers=1)
    played = play_batch(Plan(CONTRIBUTIONS.name, (rules,), result.schedule, 3).batch(0, result.games))
    for game in range(0, result.games, 7):
        match = play_match(CONTRIBUTIONS, rules, result.schedule.table(game), GameChance(3, game))
        assert finals(match.events) == pytest.approx(played.finals[:, game].tolist(), abs=1e-9)
        means = [
            sum(given) / len(given) for given in zip(*(r.contributions for r in rounds_of(match.events)), strict=True)
        ]
        assert means == pytest.approx(played.figures["contribution"][:, game].tolist(), abs=1e-9)


# What is known, and to whom.


def views(rules: ContributionsRules) -> dict[tuple[str, int, int], object]:
    """The questions of a game in which P1 deducts points from P2 in round 1, by phase, turn and seat."""
    asked = {}

    def watching(question):
        asked[question.phase, question.turn, question.seat.index] = question
        if question.phase == "contribution":
            return 7 + question.seat.index
        given = {"deduct_P2": 2} if question.seat.index == 0 and question.turn == 1 else {}
        return dict(question.fallback) | given

    play(rules, *[entry_of(watching, "watching")] * 3)
    return asked


def told(question: object) -> str:
    briefing, framing = briefing_for(CONTRIBUTIONS), Framing(layout=2, unit="tokens")
    chance = GameChance(1)
    return question_text(briefing, question, framing, chance) + rules_text(briefing, question, framing, chance)


def test_only_giver_and_target_learn_of_points_and_the_target_not_from_whom() -> None:
    asked = views(ContributionsRules(rounds=2, punishment=True, show_outcomes=False))
    texts = [told(asked["contribution", 2, seat]) for seat in range(3)]
    assert "In round 1 you assigned deduction points: 2 to P2." in texts[0]
    assert "In round 1 you received 2 deduction points." in texts[1]
    assert "In round 1 you" not in texts[2].replace("In round 1 you contributed", "")
    named = views(ContributionsRules(rounds=2, punishment=True, show_actors=True))
    assert "In round 1 you received 2 deduction points: 2 from P1." in told(named["contribution", 2, 1])


def test_a_hidden_end_stands_in_no_view_and_no_prompt() -> None:
    for rounds in (3, 9):
        asked = views(ContributionsRules(rounds=rounds, end="hidden"))
        question = asked["contribution", 2, 0]
        assert question.view.rules.rounds == 2
        assert question.view.last_round is None
        text = told(question)
        assert f"{rounds} round" not in text
        assert "the last" not in text
        assert "how many is not told" in text
        view = STEP.view_of(question, None)
        assert view.last_round > 1000


def test_with_sums_only_no_view_has_a_contribution_of_another_seat() -> None:
    asked = views(ContributionsRules(rounds=2, show_contributions="sum", show_outcomes=False))
    question = asked["contribution", 2, 0]
    assert question.view.history[0].contributions == ()
    assert question.view.history[0].total == 7 + 8 + 9
    assert question.view.own[0].contribution == 7
    assert "P2 8" not in told(question)


@pytest.mark.parametrize("variant", ["plain", "story", "terse"])
@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("rules", GRID.values(), ids=GRID)
def test_every_wording_can_be_read(rules: ContributionsRules, layout: int, variant: str) -> None:
    texts = []

    def reading(question):
        framing = Framing(variant=variant, layout=layout, unit="tokens")
        briefing = briefing_for(CONTRIBUTIONS)
        texts.append(rules_text(briefing, question, framing, GameChance(1)))
        texts.append(question_text(briefing, question, framing, GameChance(1), past=True))
        return question.fallback

    play(rules, *[entry_of(reading, "reading")] * 3)
    assert all(text.strip() for text in texts)
    assert not [text for text in texts if "None" in text or "  " in text.replace("\n   ", "")]
