"""Best responses that theory knows, and those that a search finds: judged in games that no search has seen."""

import random
from dataclasses import replace

import numpy as np
import pytest

import ostrom
from ostrom.core import InputError
from ostrom.findings.respond import describe_response
from ostrom.games.commons.players import CHAMPIONS
from ostrom.sim.best_response import exploitability, respond, simultaneous
from ostrom.sim.search import Effort, Separable

UNSEEN = 1_000_000
"""Seeds from here on are of games in which found strategies are judged, and nothing is searched."""
LITTLE = Effort(games=4, generations=1, population=6, rounds=1, selection=4)


@pytest.mark.parametrize(("alpha", "gives"), [(0.474, 1.0), (0.4741, 0.0)])
def test_in_one_turn_of_the_commons_giving_pays_below_the_boundary(alpha, gives):
    """α* = (S − e) / (S·(1 − 1/N)) = 0.47407 for S 1.8, N 16 and e 1."""
    rules = ostrom.CommonsRules(turns=1, alpha=alpha)
    found = respond(["AlwaysCoop:15"], rules=rules, seed=1, games=2, effort=LITTLE)
    assert found.figures["contribution"].value == gives


@pytest.mark.parametrize(("multiplier", "gives"), [(3.5, 0.0), (4.5, 20.0)])
def test_in_the_one_shot_linear_public_good_giving_pays_above_the_number_of_seats(multiplier, gives):
    rules = ostrom.ContributePunishRules(rounds=1, punishment=False, multiplier=multiplier)
    found = respond(["Cooperator:3"], game="punish", rules=rules, seed=1, games=2, effort=LITTLE)
    assert found.figures["contribution"].value == gives


def behind(table, seed, games, effort, *, of_tables=1, **rules):
    """The champions who did better than the response in its seat, in games of a seed that no search has seen and that
    all of them share. The intervals hold together for all champions at all tables."""
    found = respond(table, rules=ostrom.CommonsRules(**rules), seed=seed, games=2, effort=effort)
    assert {one.player for one in found.comparisons} == set(CHAMPIONS)
    unseen = replace(found.problem, seed=UNSEEN + seed)
    finals = unseen.play([found.entry, *CHAMPIONS.values()], 0, games).finals
    gains = simultaneous(np.round(finals[:1] - finals[1:], 9), together=of_tables * len(CHAMPIONS))
    told = dict(zip(CHAMPIONS, gains, strict=True))
    worst = min(told, key=lambda name: told[name].value)
    print(f"{table}: {found.description}; least gain {told[worst]} over {worst}")
    return [name for name, gain in told.items() if gain.high < 0]


def tables(count, seed=14):
    drawn = random.Random(seed)
    return [[drawn.choice(list(CHAMPIONS)) for _ in range(4)] for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 1])
def test_no_champion_does_better_in_the_responses_seat(place):
    effort = Effort(games=24, generations=1, population=6, rounds=1, selection=60)
    assert behind(tables(2)[place], seed=place, games=60, effort=effort, of_tables=2, duration=10) == []


@pytest.mark.long
@pytest.mark.parametrize("place", range(30))
def test_no_champion_does_better_at_thirty_random_tables(place):
    assert behind(tables(30)[place], seed=place, games=400, effort=Effort(), of_tables=30) == []


def test_the_same_seed_finds_the_same():
    rules = ostrom.CommonsRules(duration=5)
    one, other = (respond(["Pavlov", "Parasite"], rules=rules, seed=3, games=8, effort=LITTLE) for _ in range(2))
    assert describe_response(one).as_record() == describe_response(other).as_record()


def test_a_table_of_defectors_in_one_turn_is_an_equilibrium_and_one_of_givers_is_not():
    rules = ostrom.ContributePunishRules(rounds=1, punishment=False)
    how = {"game": "punish", "rules": rules, "seed": 1, "games": 2, "effort": LITTLE}
    assert exploitability(["FreeRider:4"], **how).total == 0
    # Each of four keeps 20 in place of 20 · 1.6 / 4 = 8.
    assert exploitability(["Cooperator:4"], **how).total == pytest.approx(4 * 12)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: respond([], seed=1), "name the players"),
        (lambda: respond(["TitForTat"], seed=1, seat=4), "there is no seat 4"),
        (lambda: respond(["Nobody"], seed=1), "Nobody"),
        (lambda: respond(["TitForTat"], seed=1, games=1), "at least 2 games"),
        (lambda: respond(["TitForTat"], seed=1, method="exact"), "finitely many states"),
    ],
)
def test_what_cannot_be_answered_is_said(call, said):
    with pytest.raises(InputError, match=said):
        call()


def test_intervals_that_hold_together_are_wider_than_one_alone():
    values = np.random.default_rng(1).normal(size=(16, 50))
    alone, together = simultaneous(values[:1])[0], simultaneous(values)[0]
    assert together.low < alone.low < alone.value < alone.high < together.high


def test_the_evolution_strategy_finds_the_foot_of_a_bowl():
    strategy = Separable(np.full(10, 3.0), 1.0, 12, np.random.default_rng(1))
    scales = np.logspace(0, 2, 10)
    for _ in range(250):
        strategy.tell(-(strategy.ask() ** 2 @ scales))
    assert np.abs(strategy.mean).max() < 1e-3


@pytest.mark.parametrize(("multiplier", "gives"), [(3.9, 0.0), (4.1, 100.0)])
def test_contributing_to_the_batterys_public_good_pays_above_the_number_of_seats(multiplier, gives):
    rules = {"multiplier": multiplier}
    found = respond(["conditional-cooperator:3"], game="public-goods", rules=rules, seed=1, games=2, effort=LITTLE)
    assert found.figures["contribution"].value == gives


@pytest.mark.parametrize("k", [1, 2])
def test_who_thinks_further_than_the_guessers_wins_the_beauty_contest(k):
    # Level k names 50·(2/3)^k, so whoever names less than it and no less than its mirror at the target wins alone.
    table = [f"level-k:k={k}"] * 3
    found = respond(table, game="beauty-contest", seed=1, games=2, effort=LITTLE)
    assert found.mean.value == 100
    named, theirs = found.figures["guess"].value, round(50 * (2 / 3) ** k)
    target = 2 / 3 * (3 * theirs + named) / 4
    assert abs(named - target) < abs(theirs - target)


def test_the_best_response_in_the_centipede_takes_at_the_last_node_of_who_always_passes():
    second = respond(["conditional-cooperator"], game="centipede", seed=1, games=2, effort=LITTLE)
    assert (second.mean.value, second.figures["passes"].value) == (10, 5)
    first = respond(["conditional-cooperator"], game="centipede", seed=1, seat=0, games=2, effort=LITTLE)
    assert (first.mean.value, first.figures["passes"].value) == (10, 6), "its mover of the last node passes too"


def test_without_a_seat_the_response_takes_one_that_decides():
    # Of the dictator game's seats only the first is asked; in the ultimatum game both are, and the last is taken.
    found = respond(["selfish"], game="dictator", seed=1, games=2, effort=LITTLE)
    assert (found.problem.seat, found.mean.value) == (0, 100)
    assert respond(["selfish"], game="ultimatum", seed=1, games=2, effort=LITTLE).problem.seat == 1
    assert respond(["selfish"], game="dictator", seat=1, seed=1, games=2, effort=LITTLE).mean.value == 0


def test_the_best_response_in_the_travellers_dilemma_undercuts_by_one_step():
    # Level 1 claims 96, the best against any claim: 95 earns the bonus on top.
    found = respond(["level-k"], game="traveller", seed=1, games=2, effort=LITTLE)
    assert (found.figures["claim"].value, found.mean.value) == (pytest.approx(95, abs=0.5), 97)


def test_the_search_in_a_game_of_one_turn_tries_strategies_that_switch_in_a_later_one():
    response = respond(["level-k"], game="traveller", seed=1, games=2)
    assert response.mean.value == 97
