"""Moves of simulated subjects in games with others, by hand, and the noise of their answers."""

import numpy as np
import pytest

from games.battery.interviews import ask
from ostrom.core import Amount, GameChance
from ostrom.core.plugins import GAMES
from ostrom.core.specs import stepped
from ostrom.experiment.match import play_match
from ostrom.games.battery.beauty_contest import GuessFacts
from ostrom.games.battery.centipede import END, PAYOFFS, CentipedeFacts
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.garp import BudgetFacts
from ostrom.games.battery.matching_pennies import MatchingPenniesRules, PenniesFacts, SidesShown
from ostrom.games.battery.public_goods import PublicFacts
from ostrom.games.battery.stag_hunt import StagFacts
from ostrom.games.battery.subjects import subject_of
from ostrom.games.battery.traveller import ClaimFacts
from ostrom.games.battery.trust import ReturnFacts, SendFacts
from ostrom.games.battery.ultimatum import OfferFacts, RespondFacts


def give(name, pot=100.0, **more):
    return ask(name, "dictator", "giver", GiveFacts(pot), spec=Amount(0, pot), **more)


def respond(name, offer, pot=100.0):
    return ask(name, "ultimatum", "responder", RespondFacts(pot, offer), options=("accept", "reject"))


def offer(name, pot=100.0, **more):
    return ask(name, "ultimatum", "proposer", OfferFacts(pot), spec=Amount(0, pot), **more)


def send(name, **more):
    return ask(name, "trust", "sender", SendFacts(100.0, 3.0), spec=Amount(0, 100), **more)


def give_back(name, sent):
    facts = ReturnFacts(100.0, 3.0, sent, 3 * sent)
    return ask(name, "trust", "returner", facts, spec=Amount(0, 3 * sent))


def hunt(name, hare, **more):
    return ask(name, "stag_hunt", "chooser", StagFacts(100.0, hare), options=("stag", "hare"), **more)


def contribute(name, multiplier=2.0, players=10):
    return ask(name, "public_goods", "contributor", PublicFacts(100.0, multiplier, players), spec=Amount(0, 100))


def climb(name, node):
    facts = CentipedeFacts(node, PAYOFFS, END, 1.0)
    return ask(name, "centipede", "mover", facts, options=("take", "pass"))


def claim(name, bonus=2.0):
    return ask(name, "traveller", "claimant", ClaimFacts(2.0, 100.0, bonus, 1.0, 1.0), spec=stepped(2, 100, 1))


def guess(name, **more):
    facts = GuessFacts(15, 2 / 3, 0, 100, 10.0)
    return ask(name, "beauty_contest", "guesser", facts, spec=Amount(0, 100, whole=True), **more)


def penny(name, role="matcher", **more):
    return ask(name, "matching_pennies", "chooser", PenniesFacts(role, 10.0), options=("heads", "tails"), **more)


def buy(name, **more):
    return ask(name, "garp", "allocator", BudgetFacts(100.0, (2.0, 5.0)), spec=Amount(0, 50), **more)


@pytest.mark.parametrize(("beta", "given"), [(0.0, 0), (0.49, 0), (0.5, 0), (0.51, 50), (0.9, 50)])
def test_fehr_schmidt_gives_half_exactly_if_beta_is_above_a_half(beta, given):
    assert give(f"fehr-schmidt:beta={beta}") == given


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.5, 1.0, 2.0, 4.0])
def test_fehr_schmidt_accepts_from_alpha_over_one_plus_two_alpha(alpha):
    least = 100 * alpha / (1 + 2 * alpha)
    name = f"fehr-schmidt:alpha={alpha},beta=0.3"
    assert respond(name, least) == "accept"
    assert respond(name, least + 0.01) == "accept"
    if alpha > 0:
        assert respond(name, least - 0.01) == "reject"
    assert {respond(name, generous) for generous in (50.0, 75.0, 100.0)} == {"accept"}


def test_fehr_schmidt_offers_what_it_would_just_accept_or_half():
    assert offer("fehr-schmidt:alpha=1,beta=0.3") == 33.34, "a third, rounded up to full cents"
    assert offer("fehr-schmidt:alpha=0.5,beta=0.3") == 25
    assert offer("fehr-schmidt:alpha=1,beta=0.6") == 50
    assert respond("fehr-schmidt:alpha=1,beta=0.3", 33.34) == "accept"


def test_fehr_schmidt_evens_out_in_the_trust_game():
    assert [give_back("fehr-schmidt:beta=0.6", sent) for sent in (0.0, 20.0, 40.0, 100.0)] == [0, 0, 30, 150]
    assert give_back("fehr-schmidt:beta=0.4", 100.0) == 0
    # Who would return sends all; who would not, and dislikes being ahead, sends what evens out: 100 − s = 3·s.
    assert [send(f"fehr-schmidt:beta={beta}") for beta in (0.6, 0.4, 0.2)] == [100, 25, 0]


def test_fehr_schmidt_contributes_if_beta_makes_up_for_the_loss():
    assert contribute("fehr-schmidt:beta=0.85", multiplier=2.0) == 100, "0.85 + 0.2 > 1"
    assert contribute("fehr-schmidt:beta=0.75", multiplier=2.0) == 0
    assert contribute("fehr-schmidt:beta=0.6", multiplier=2.0, players=4) == 100


def test_fehr_schmidt_claims_the_most_unless_undercutting_pays():
    # Undercutting by 1 earns 2 − 1 and costs 4·β.
    assert [claim(f"fehr-schmidt:beta={beta}") for beta in (0.2, 0.3)] == [2, 100]


@pytest.mark.parametrize(("k", "number"), [(0, 50), (1, 33), (2, 22), (3, 15), (4, 10), (20, 0)])
def test_level_k_guesses_fifty_times_p_to_the_level(k, number):
    assert guess(f"level-k:k={k}") == number


def test_level_k_undercuts_the_level_below():
    def payoff(mine, other):
        return min(mine, other) + 2 * ((mine < other) - (mine > other))

    mean = {mine: sum(payoff(mine, other) for other in range(2, 101)) for mine in range(2, 101)}
    first = claim("level-k:k=1")
    assert mean[first] == max(mean.values())
    assert first == 96
    assert [claim(f"level-k:k={k}") for k in (0, 2, 3, 100)] == [51, 95, 94, 2]


def test_level_k_passes_until_the_level_below_takes():
    moves = {k: [climb(f"level-k:k={k}", node) for node in range(1, 7)] for k in (1, 2, 3)}
    assert moves[1] == ["pass"] * 5 + ["take"]
    assert moves[2] == ["pass"] * 4 + ["take", "take"]
    assert moves[3] == ["pass"] * 3 + ["take"] * 3
    assert climb("level-k:k=7", 1) == "take"


def test_level_k_replies_to_the_other_role_of_the_level_below():
    assert [penny(f"level-k:k={k}", "matcher") for k in range(1, 6)] == ["heads"] * 2 + ["tails"] * 2 + ["heads"]
    assert [penny(f"level-k:k={k}", "mismatcher") for k in range(1, 6)] == ["heads"] + ["tails"] * 2 + ["heads"] * 2


def test_in_a_played_game_pennies_are_drawn_evenly():
    sides = []
    for seed in range(200):
        subjects = [subject_of("exponential")] * 2
        match = play_match(GAMES["matching_pennies"], MatchingPenniesRules(), subjects, GameChance(seed, 0))
        sides += next(event.sides for event in match.events if isinstance(event, SidesShown))
    assert 160 < sides.count("heads") < 240


def test_level_k_sends_nothing_to_a_selfish_level():
    assert [send(f"level-k:k={k}") for k in (0, 1, 2)] == [50, 100, 0]


@pytest.mark.parametrize("name", ["backward-inducer", "exponential", "expected-utility", "prospect"])
def test_the_textbook_subject_is_neutral_where_its_theory_says_nothing(name):
    assert (give(name), offer(name), send(name), give_back(name, 100.0), contribute(name)) == (0, 0, 0, 0, 0)
    assert {respond(name, offered) for offered in (0.0, 1.0, 50.0)} == {"accept"}
    assert [hunt(name, hare) for hare in (25.0, 50.0, 75.0)] == ["stag", "hare", "hare"]
    assert {climb(name, node) for node in range(1, 7)} == {"take"}
    assert (claim(name), guess(name)) == (2, 0)
    assert [penny(name, repetition=each) for each in (1, 2, 3)] == ["heads", "tails", "heads"]
    assert buy(name) == 25


def test_a_contribution_that_comes_back_in_full_is_made():
    assert contribute("backward-inducer", multiplier=5.0, players=4) == 100


def test_the_selfish_subject_shares_nothing_and_expects_uniform_moves():
    assert (give("selfish"), offer("selfish"), send("selfish"), give_back("selfish", 100.0)) == (0, 0, 0, 0)
    assert (contribute("selfish"), guess("selfish"), claim("selfish")) == (0, 33, 96)
    assert climb("selfish", 1) == "pass"


def test_the_conditional_cooperator_gives_what_it_expects_of_others():
    name = "conditional-cooperator:belief=0.4"
    assert (contribute(name), send(name)) == (40, 40)
    assert [give_back(name, sent) for sent in (0.0, 50.0, 100.0)] == [0, 37.5, 150]
    assert [hunt(name, hare) for hare in (25.0, 50.0)] == ["stag", "hare"]
    assert (climb(name, 6), claim(name)) == ("pass", 100)


def test_noise_varies_a_division_around_the_best():
    gifts = [give("fehr-schmidt:beta=0.8,noise=0.05", turn=turn) for turn in range(1, 301)]
    assert len(set(gifts)) > 10
    assert 35 < sum(gifts) / len(gifts) < 55
    assert {give("fehr-schmidt:beta=0.8", turn=turn) for turn in range(1, 30)} == {50}


@pytest.mark.slow
def test_noise_affects_every_task_and_is_independent_between_tasks():
    name, turns = "selfish:noise=0.1", range(1, 5001)
    columns = [[question(name, turn=turn) for turn in turns] for question in (give, offer, send, guess, buy)]
    columns.append([hunt(name, 50.0, turn=turn) == "stag" for turn in turns])
    columns.append([penny(name, turn=turn) == "heads" for turn in turns])
    answers = np.array(columns, dtype=np.float64)
    assert np.all(answers.std(axis=1) > 0)
    correlations = np.corrcoef(answers)[np.triu_indices(len(answers), 1)]
    assert np.abs(correlations).max() < 0.05


def test_noise_changes_nothing_if_only_one_number_is_allowed():
    assert give_back("conditional-cooperator:noise=0.1", 0.0) == 0
