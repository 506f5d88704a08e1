"""Alternating offers: the rules by hand, the moves of every strategy, the theory, and the best response."""

from typing import Any

import numpy as np
import pytest

import ostrom
from ostrom.core import InputError, Question
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.experiment import record_of
from ostrom.experiment.match import Match
from ostrom.games.market.alternating_offers import ALTERNATING_OFFERS, AlternatingOffersRules
from ostrom.games.market.alternating_offers.measures import MEASURES, tables_of
from ostrom.games.market.alternating_offers.players import STRATEGIES
from ostrom.games.market.alternating_offers.theory import nash
from ostrom.players.strategy import entry_of
from ostrom.sim.best_response import exploitability, respond
from ostrom.testing import check_game

GAME = ALTERNATING_OFFERS.name


def script(offers: list[float], responses: str = "") -> Any:
    """Return a player that offers these amounts in turn; the letters r, a and q are its responses in turn."""
    made, given = iter(offers), iter(responses)

    def answer(question: Question) -> object:
        if question.phase == "offer":
            return next(made)
        if question.phase == "response":
            return {"r": "reject", "a": "accept", "q": "quit"}[next(given)]
        return f"message of round {question.turn}"

    return entry_of(answer)


def play(*players: Any, seed: int = 1, **rules: Any) -> Match:
    """Play a game between strategies and scripts."""
    return ostrom.play(list(players), game=GAME, rules=rules, seed=seed)


def moves(match: Match, seat: int, phase: str) -> list[Any]:
    """Return the answers of a seat in a phase, in order."""
    asked = [(decision.question, decision.answer.value) for decision in match.decisions]
    return [value for question, value in asked if question.seat.index == seat and question.phase == phase]


def end(match: Match) -> Any:
    return match.events[-1]


@pytest.mark.slow
def test_the_game_keeps_the_contract_and_its_secrets() -> None:
    def secrets(rules: Any, seats: int, seed: int) -> list[list[Any]]:
        dealt = play("Fair", "Fair", seed=seed, **rules.model_dump()).events[0]
        return [[amount] for amount in dealt.outside]

    rules = AlternatingOffersRules(
        outside_options="private", outside=31.25, outside_second=42.75, tick=0, messages=True
    )
    check_game(GAMES[GAME], rules=[rules], secrets=secrets, study=False)


# The rules by hand.


def test_an_agreement_is_discounted_once_for_every_round_but_the_first() -> None:
    match = play(script([30, 45], "r"), script([20], "ra"), delta=0.9, delta_second=0.8)
    over = end(match)
    assert (over.round, over.ending) == (3, "agreement")
    assert over.parts == [55, 45]
    assert over.payoffs == pytest.approx([55 * 0.9**2, 45 * 0.8**2])


def test_after_the_last_round_both_get_their_outside_options() -> None:
    match = play(script([30], "r"), script([20], "r"), rounds=2, outside=12, outside_second=5, delta=0.5)
    over = end(match)
    assert (over.round, over.ending, over.parts) == (2, "rounds", [12, 5])
    assert over.payoffs == [6, 2.5]


def test_a_seat_may_quit_only_if_the_rules_say_so() -> None:
    match = play(script([10]), script([], "q"), quits=True, outside=12, outside_second=25)
    assert (end(match).ending, end(match).payoffs) == ("quit", [12, 25])
    (question,) = [one.question for one in match.decisions if one.question.phase == "response"]
    assert set(question.spec.options) == {"accept", "reject", "quit"}
    plain = play(script([10, 50], "r"), script([0], "ra"))
    assert all("quit" not in getattr(one.question.spec, "options", ()) for one in plain.decisions)


@pytest.mark.slow
def test_bargaining_breaks_down_with_the_given_probability() -> None:
    rounds = []
    for seed in range(200):
        match = play("Stubborn", "Stubborn", seed=seed, breakdown=0.25, rounds=100)
        assert end(match).ending == "breakdown"
        rounds.append(end(match).round)
    # The number of rounds is geometric with mean 4 and standard deviation 3.46.
    assert np.mean(rounds) == pytest.approx(4, abs=3 * 3.46 / 200**0.5)


def test_private_outside_options_are_drawn_and_known_to_the_seat_alone() -> None:
    drawn = []
    for seed in range(100):
        match = play("Fair", "Fair", seed=seed, outside_options="private", outside=20, outside_second=40)
        drawn.append(match.events[0].outside)
        for decision in match.decisions:
            view = decision.question.view
            assert view.outside == drawn[-1][view.seat]
            assert view.other_outside is None
    first, second = zip(*drawn, strict=True)
    assert (min(first), max(first)) == (0, 20)
    assert np.mean(second) == pytest.approx(20, abs=3.6)


def test_rules_that_leave_nothing_to_gain_are_refused() -> None:
    with pytest.raises(InputError, match="more than the pie"):
        make_rules(ALTERNATING_OFFERS, {"outside": 60, "outside_second": 50})
    with pytest.raises(InputError, match="not a whole number"):
        make_rules(ALTERNATING_OFFERS, {"pie": 10.5})


# Strategies.


@pytest.mark.parametrize(
    ("name", "rules", "other", "offers", "responses"),
    [
        # The stationary equilibrium with δ .5: offers a third, accepts a third.
        ("Rubinstein", {"delta": 0.5, "horizon": "open"}, ([33, 34], "rr"), [34, 34], ["reject", "accept"]),
        # Three rounds, δ .5: it offers 25 first, accepts 50 in round 2, and keeps all in round 3.
        ("Rubinstein", {"delta": 0.5, "rounds": 3}, ([49], "rr"), [25, 0], ["reject"]),
        ("Nash", {"outside": 20, "outside_second": 10}, ([54, 55], "rr"), [45, 45], ["reject", "accept"]),
        ("Fair", {}, ([49, 50], "rr"), [50, 50], ["reject", "accept"]),
        ("Fair", {"outside": 60}, ([59, 60], "rr"), [40, 40], ["reject", "accept"]),
        ("Stubborn", {}, ([79, 80], "rr"), [20, 20], ["reject", "accept"]),
        ("Stubborn:share=0.6", {}, ([59, 60], "rr"), [40, 40], ["reject", "accept"]),
        # Demands 100, 75, 50 in rounds 1, 3, 5; accepts what it would demand next.
        ("Conceder:deadline=5", {}, ([74, 49], "rrr"), [0, 25, 50], ["reject", "reject"]),
        ("Conceder:deadline=5", {}, ([75], "r"), [0], ["accept"]),
        ("Conceder:beta=0.5,deadline=5", {}, ([0, 0], "rrr"), [0, 13, 50], ["reject", "reject"]),
        # First 80, then the gift of 5; then the other concedes 12.
        ("TitForTat", {}, ([10, 22, 21], "rrrr"), [20, 25, 37, 36], ["reject", "reject", "reject"]),
        ("TitForTat", {}, ([10, 65], "rr"), [20, 25], ["reject", "accept"]),
        ("Selfish", {"outside": 5, "outside_second": 7}, ([4, 5], "rr"), [7, 7], ["reject", "accept"]),
    ],
)
def test_a_strategy_as_first_proposer(name, rules, other, offers, responses) -> None:
    rounds = len(offers) + len(other[0])
    match = play(name, script(*other), **{"rounds": rounds, **rules})
    assert moves(match, 0, "offer") == offers
    assert moves(match, 0, "response") == responses


def test_strategies_as_second_proposer() -> None:
    match = play(script([1, 2, 3], "rr"), "Conceder:deadline=5", rounds=5)
    assert moves(match, 1, "offer") == [13, 38]  # 12.5 and 37.5, rounded up
    match = play(script([5, 15], "rr"), "TitForTat", rounds=4)
    assert moves(match, 1, "offer") == [20, 30]
    match = play(script([32, 34], "r"), "Rubinstein", rounds=4, delta=0.5, horizon="open")
    assert (moves(match, 1, "offer"), moves(match, 1, "response")) == ([34], ["reject", "accept"])


@pytest.mark.parametrize(
    ("name", "response"),
    # The outside option is 90. Nash would demand 95 and Selfish everything, so they wait for their own offer.
    [("Fair", "quit"), ("Stubborn", "quit"), ("Rubinstein", "quit"), ("Nash", "reject"), ("Selfish", "reject")],
)
def test_a_seat_quits_if_it_cannot_expect_more_than_its_outside_option(name, response) -> None:
    match = play(script([10], "r"), name, quits=True, outside_second=90, rounds=2, delta=0.8)
    assert moves(match, 1, "response") == [response]


def test_a_plan_makes_its_offers_and_is_refused_in_one_line(tmp_path) -> None:
    file = tmp_path / "plan.json"
    file.write_text('{"rounds": [{"offer": 40}, {"response": "reject"}, {"offer": 50}, {"response": "accept"}]}')
    match = play(f"plan:{file}", script([90, 60], "rr"))
    assert (moves(match, 0, "offer"), moves(match, 0, "response")) == ([40, 50], ["reject", "accept"])
    file.write_text('{"rounds": [{"offer": 40, "response": "accept"}]}')
    with pytest.raises(InputError, match="either an offer or a response"):
        play(f"plan:{file}", "Fair")
    with pytest.raises(InputError, match="cannot be read"):
        play(f"plan:{tmp_path}/none.json", "Fair")


@pytest.mark.parametrize("entry", [entry for entry in STRATEGIES.values() if entry.member is None])
def test_every_strategy_offers_whole_amounts_and_describes_itself(entry) -> None:
    assert entry.description.split()[0].endswith("s")
    match = play(entry.name, "Stubborn:share=0.77", pie=97, rounds=8)
    assert all(isinstance(offer, int) and 0 <= offer <= 97 for offer in moves(match, 0, "offer"))


# Theory.


@pytest.mark.parametrize(
    ("deltas", "share"),
    [((0.5, None), 0.6667), ((0.8, None), 0.5556), ((0.9, None), 0.5263), ((0.9, 0.8), 0.7143)],
)
def test_rubinsteins_shares_in_play_and_no_deviation_pays(deltas, share) -> None:
    rules = {"pie": 1, "tick": 0, "horizon": "open", "delta": deltas[0], "delta_second": deltas[1]}
    match = play("Rubinstein", "Rubinstein", **rules)
    assert (end(match).round, end(match).ending) == (1, "agreement")
    assert round(end(match).payoffs[0], 4) == share
    for seat, expected in ((0, end(match).payoffs[0]), (1, end(match).payoffs[1])):
        response = respond(["Rubinstein"], game=GAME, rules=rules, seat=seat, games=2)
        assert response.exact
        assert response.mean.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "rules",
    [
        {"rounds": 5},
        {"rounds": 6, "breakdown": 0.1, "outside": 20, "outside_second": 45, "quits": True},
        {"rounds": 4, "delta": 0.7, "delta_second": 0.95, "tick": 0},
        {"rounds": 30, "horizon": "open", "breakdown": 0.2, "outside": 10, "tick": 0, "quits": True},
    ],
)
def test_no_seat_gains_by_leaving_the_equilibrium(rules) -> None:
    found = exploitability(["Rubinstein", "Rubinstein"], game=GAME, rules=rules, games=2)
    assert found.total == pytest.approx(0, abs=1e-9)
    # Another table of strategies can be exploited, so the test is able to fail.
    assert exploitability(["Fair", "Stubborn"], game=GAME, rules=rules, games=2).total > 1e-3


def test_a_vanishing_risk_of_breakdown_brings_nashs_solution() -> None:
    rules = {"pie": 10, "tick": 0, "delta": 1, "breakdown": 1e-5, "outside": 2, "outside_second": 1, "horizon": "open"}
    assert end(play("Rubinstein", "Rubinstein", **rules)).payoffs == pytest.approx([5.5, 4.5], abs=1e-4)
    assert end(play("Nash", "Nash", **rules)).payoffs == [5.5, 4.5]
    assert nash(10, (2, 1)) == (5.5, 4.5)


def test_an_outside_option_counts_only_if_it_is_better_than_the_share() -> None:
    rules = {"tick": 0, "delta": 0.9, "horizon": "open", "quits": True}
    shares = [end(play("Rubinstein", "Rubinstein", outside_second=option, **rules)).payoffs for option in (0, 40, 60)]
    assert shares[0] == shares[1] == pytest.approx([52.6316, 47.3684], abs=1e-4)
    assert shares[2] == [40, 60]


def test_the_open_horizon_is_the_limit_of_long_fixed_ones() -> None:
    rules = {"tick": 0, "delta": 0.8, "delta_second": 0.7, "breakdown": 0.05, "outside": 10, "outside_second": 20}
    fixed, stationary = (
        end(play("Rubinstein", "Rubinstein", horizon=horizon, rounds=80, **rules)).payoffs
        for horizon in ("fixed", "open")
    )
    assert fixed == pytest.approx(stationary, abs=1e-6)


@pytest.mark.slow
def test_a_search_finds_no_better_answer_to_a_player_that_reacts() -> None:
    response = respond(["TitForTat"], game=GAME, rules={"rounds": 4}, games=6, seat=0, method="auto")
    assert not response.exact


# Measures.


def test_measures_by_hand() -> None:
    first = play(script([30, 45], "r"), script([40], "ra"), delta=0.9)
    second = play(script([10], "r"), script([20], "r"), rounds=2)
    tables = tables_of([("a", "x", record_of(first)), ("b", "x", record_of(second))])

    def value(name: str, **row: object) -> float:
        rows = MEASURES.measures[name].function(tables)
        for column, entry in row.items():
            rows = rows.filter(rows[column] == entry)
        assert len(rows) == 1
        return float(rows["value"][0])

    assert value("agreement") == 0.5
    assert value("rounds_to_agreement") == 3
    assert value("efficiency") == pytest.approx(0.81 / 2)
    assert value("share_by_role", role="first proposer") == pytest.approx(0.55 / 2)
    assert value("share_by_role", role="second proposer") == pytest.approx(0.45 / 2)
    assert value("offer_by_round", round=1) == pytest.approx(0.2)
    assert value("concession") == pytest.approx(0.15)
    # The offers 30 (final 36.45), 40 · .9 = 36 (final 44.55), 10 and 20 · .9 (both without agreement) were rejected.
    assert value("rejected_better_offers") == pytest.approx(2 / 4)
