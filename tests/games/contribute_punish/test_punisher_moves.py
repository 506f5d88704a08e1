"""Every built-in player of Contribute & Punish against scripted tables: whole lists of moves, worked out by hand."""

from dataclasses import dataclass, field

import pytest

from ostrom.core import GameChance
from ostrom.experiment import play_match
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.games.contribute_punish.events import PunishContributed
from ostrom.games.contribute_punish.players import PUNISHERS


@dataclass(frozen=True)
class Script:
    """Gives and punishes as written; the last entry holds for ever."""

    gives: list[int]
    punishes: list[tuple[int | None, int]] = field(default_factory=lambda: [(None, 0)])
    name: str = "Script"

    def sit(self, seat, chance):
        return self

    def answer(self, question):
        def line(lines):
            return lines[min(question.turn, len(lines)) - 1]

        if question.phase == "message":
            return ""
        if question.phase == "contribution":
            return min(line(self.gives), question.view.balance)
        target, spend = line(self.punishes)
        return {"target": target, "spend": min(spend, question.spec.most)}


def play(name, *others, rounds=4, seed=1, **rules):
    contestants = [PUNISHERS[name], *others]
    return play_match(CONTRIBUTE_PUNISH, ContributePunishRules(rounds=rounds, **rules), contestants, GameChance(seed))


def gave(match, seat=0):
    return [event.contributions[seat] for event in match.events if isinstance(event, PunishContributed)]


def punished(match, seat=0):
    """(target, spend asked) of each round in which the seat was asked."""
    decisions = [d for d in match.decisions if d.question.phase == "punishment" and d.question.seat.index == seat]
    return [(d.answer.value["target"], d.answer.value["spend"]) for d in decisions]


def said(match, seat=0):
    return [d.answer.value for d in match.decisions if d.question.phase == "message" and d.question.seat.index == seat]


NOTHING = [(None, 0)] * 4


def test_cooperator_gives_all_it_has_and_says_so():
    match = play("Cooperator", Script([0]), Script([0]))
    # Alone it gets back ⌊⌊1.6·20⌋/3⌋ = 10, then ⌊⌊1.6·12⌋/3⌋ = 6 with the 2 carried over, and so on.
    assert gave(match) == [20, 10, 6, 3]
    assert punished(match) == NOTHING
    assert said(match) == [f"I'll contribute all {given}." for given in (20, 10, 6, 3)]


def test_free_rider_gives_nothing():
    match = play("FreeRider", Script([20, 5]), Script([20, 5]))
    assert gave(match) == [0, 0, 0, 0]
    assert punished(match) == NOTHING


def test_conditional_cooperator_gives_the_part_that_the_others_gave():
    match = play("ConditionalCooperator", Script([10, 0, 0]), Script([0, 0]), punishment=False)
    # Round 1: the others gave 10 of 40; pot 30 → 48 → 16 each. Round 2: ⌊16·10/40⌋ = 4. The others then gave nothing.
    assert gave(match) == [20, 4, 0, 0]


def test_altruistic_punisher_hits_the_lowest_giver_below_the_mean():
    match = play("AltruisticPunisher", Script([10]), Script([5]), rounds=1)
    assert punished(match) == [(2, 5)]


def test_altruistic_punisher_lets_a_table_of_equals_be():
    assert punished(play("AltruisticPunisher", Script([20]), Script([20]), rounds=1)) == [(None, 0)]


def test_altruistic_punisher_takes_the_richer_of_two_lowest_givers():
    # The same gift of 5 in round 2; in round 1 the third seat took 15 from the second.
    match = play("AltruisticPunisher", Script([20, 5]), Script([20, 5], [(1, 5), (None, 0)]), rounds=2)
    assert punished(match)[1] == (2, 5)


def test_antisocial_punisher_hits_the_highest_giver_and_nobody_where_nobody_gave():
    match = play("AntisocialPunisher", Script([5, 0]), Script([10, 0]), rounds=2)
    assert gave(match) == [0, 0]
    assert punished(match) == [(2, 5), (None, 0)]


def test_retaliator_answers_whoever_took_most_in_the_round_before():
    hits = Script([0], [(0, 1), (None, 0)]), Script([0], [(0, 3), (None, 0)])
    match = play("Retaliator", *hits, rounds=3, start=100)
    assert gave(match)[0] == 50
    assert [target for target, _ in punished(match)] == [None, 2, None]
    assert punished(match)[1] == (2, 10)
    assert said(match)[1] == "P3, I will not forget that."


def test_retaliator_cannot_answer_what_is_anonymous():
    match = play("Retaliator", Script([0], [(0, 3)]), Script([0]), rounds=3, anonymous=True)
    assert [target for target, _ in punished(match)] == [None, None, None]


def test_leader_punisher_hits_the_richest_if_it_is_ahead():
    match = play("LeaderPunisher", Script([20]), Script([0]), rounds=1)
    assert gave(match) == [10]
    assert punished(match) == [(2, 5)]
    assert punished(play("LeaderPunisher", Script([20]), Script([20]), rounds=1)) == [(None, 0)]


def test_endgame_defector_stops_giving_two_rounds_before_the_end():
    match = play("EndgameDefector", Script([20]), Script([20]), rounds=4)
    assert gave(match)[:2] == [20, 32]
    assert gave(match)[2:] == [0, 0]


def test_random_giver_draws_what_chance_names():
    match = play("RandomGiver", Script([5]), Script([5]), rounds=4, seed=9)
    chance = GameChance(9)
    held = [event.start[0] for event in match.events if isinstance(event, PunishContributed)]
    drawn = [int(chance.uniform("player", turn, 0, 0) * (held[turn - 1] + 1)) for turn in range(1, 5)]
    assert gave(match) == drawn


def test_random_giver_punishes_in_about_a_quarter_of_rounds_any_other_seat():
    targets = [
        target
        for seed in range(60)
        for target, _ in punished(play("RandomGiver", Script([5]), Script([5]), rounds=8, seed=seed))
    ]
    share = sum(target is not None for target in targets) / len(targets)
    assert 0.17 < share < 0.33
    assert {target for target in targets if target is not None} == {1, 2}


@pytest.mark.parametrize("name", sorted(PUNISHERS))
def test_every_player_has_a_sentence_and_plays_the_same_again(name):
    first, second = (play(name, Script([7, 3], [(0, 2)]), Script([1]), rounds=5, seed=4) for _ in range(2))
    assert PUNISHERS[name].description
    assert first.events == second.events
