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
    """Gives and punishes by lists, whose last entries repeat."""

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
    """Return target and spending of each round in which the seat was asked."""
    decisions = [d for d in match.decisions if d.question.phase == "punishment" and d.question.seat.index == seat]
    return [(d.answer.value["target"], d.answer.value["spend"]) for d in decisions]


def said(match, seat=0):
    return [d.answer.value for d in match.decisions if d.question.phase == "message" and d.question.seat.index == seat]


NONE = (None, 0)


@pytest.mark.parametrize(
    ("name", "others", "rules", "given", "punishments"),
    [
        # Alone it gets back ⌊⌊1.6·20⌋/3⌋ = 10, then ⌊⌊1.6·12⌋/3⌋ = 6 with the 2 carried over, and so on.
        ("Cooperator", [Script([0]), Script([0])], {}, [20, 10, 6, 3], [NONE] * 4),
        ("FreeRider", [Script([20, 5]), Script([20, 5])], {}, [0, 0, 0, 0], [NONE] * 4),
        # Round 1: the others gave 10 of 40; pot 30 → 48 → 16 each. Round 2: ⌊16·10/40⌋ = 4. Then the others give 0.
        ("ConditionalCooperator", [Script([10, 0]), Script([0])], {"punishment": False}, [20, 4, 0, 0], []),
        # The lowest giver below the mean, if there is one.
        ("AltruisticPunisher", [Script([10]), Script([5])], {}, [20], [(2, 5)]),
        ("AltruisticPunisher", [Script([20]), Script([20])], {}, [20], [NONE]),
        # The highest giver, if any seat gave.
        ("AntisocialPunisher", [Script([5, 0]), Script([10, 0])], {}, [0, 0], [(2, 5), NONE]),
        # The richest, if it is ahead.
        ("LeaderPunisher", [Script([20]), Script([0])], {}, [10], [(2, 5)]),
        ("LeaderPunisher", [Script([20]), Script([20])], {}, [10], [NONE]),
        ("EndgameDefector", [Script([20]), Script([20])], {}, [20, 32, 0, 0], [NONE] * 4),
    ],
)
def test_moves_by_hand(name, others, rules, given, punishments):
    match = play(name, *others, rounds=len(given), **rules)
    assert gave(match) == given
    assert punished(match) == punishments


def test_cooperator_announces_its_contributions():
    match = play("Cooperator", Script([0]), Script([0]))
    assert said(match) == [f"I'll contribute all {given}." for given in gave(match)]


def test_altruistic_punisher_takes_the_richer_of_two_lowest_givers():
    # The same gift of 5 in round 2; in round 1 the third seat took 15 from the second.
    match = play("AltruisticPunisher", Script([20, 5]), Script([20, 5], [(1, 5), NONE]), rounds=2)
    assert punished(match)[1] == (2, 5)


def test_retaliator_punishes_the_seat_that_took_most_in_the_round_before():
    hits = Script([0], [(0, 1), NONE]), Script([0], [(0, 3), NONE])
    match = play("Retaliator", *hits, rounds=3, start=100)
    assert gave(match)[0] == 50
    assert punished(match) == [NONE, (2, 10), NONE]
    assert said(match)[1] == "P3, I will not forget that."


def test_retaliator_does_not_know_anonymous_punishers():
    match = play("Retaliator", Script([0], [(0, 3)]), Script([0]), rounds=3, anonymous=True)
    assert punished(match) == [NONE] * 3


def test_random_giver_gives_its_draws():
    match = play("RandomGiver", Script([5]), Script([5]), rounds=4, seed=9)
    chance = GameChance(9)
    held = [event.start[0] for event in match.events if isinstance(event, PunishContributed)]
    drawn = [int(chance.uniform("player", turn, 0, 0) * (held[turn - 1] + 1)) for turn in range(1, 5)]
    assert gave(match) == drawn


@pytest.mark.slow
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
