"""Models, simulated subjects and a person with a script at one table: every played game runs with all of them."""

from itertools import permutations

import pytest
from asked import FakeConnection, play, player

from battery_played import PLAYED
from ostrom.core import GameChance, Seat
from ostrom.core.plugins import GAMES
from ostrom.experiment import play_match
from ostrom.games.battery.subjects import SUBJECTS, subject_of
from ostrom.players.models.framing import Framing
from ostrom.testing import ScriptedJudge


def by_hand(question):
    """What a person might do: the first option shown, or a fifth of the way."""
    view, spec = question.view, question.spec
    if view.options:
        return view.options[0]
    value = spec.low + (spec.high - spec.low) / 5
    return spec.validate(int(value) if spec.whole else round(value, 2))


@pytest.mark.parametrize("form", ["native", "tags"])
@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_a_model_a_subject_and_a_person_play_with_each_other(game, form):
    chance, connection = GameChance(4), FakeConnection(form, seed=4)
    subject = subject_of("fehr-schmidt")
    kinds = {
        "model": lambda seat: player(game.name, connection, Framing(), chance),
        "subject": lambda seat: subject.sit(Seat(seat), chance),
        "person": lambda seat: ScriptedJudge(by_hand).sit(Seat(seat), chance),
    }
    tables = (
        [("model", "subject"), ("subject", "person"), ("person", "model")]
        if game.seats.most == 2
        else [("model", "subject", "person", "model")]
    )
    for table in tables:
        decided = play(game, game.rules(), [kinds[kind](seat) for seat, kind in enumerate(table)], chance, connection)
        assert decided
        assert all(question.spec.validate(answer.value) == answer.value for question, answer in decided)
    assert connection.sent or game.name == "dictator"


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_simulated_subject_plays_every_game(name):
    for game in PLAYED:
        table = [subject_of(name)] * (2 if game.seats.most == 2 else 4)
        match = play_match(game, game.rules(), table, GameChance(6))
        assert len(match.events[-1].payoffs) == len(table)
        if name in ("refuser", "malformed"):
            assert all(decision.answer.value == decision.question.fallback for decision in match.decisions)


def test_four_subjects_in_all_pairs_are_paid_in_both_roles():
    def sends(share):
        return ScriptedJudge(lambda question: share * question.spec.high, f"sends {share}")

    subjects = [sends(share) for share in (0.0, 0.25, 0.5, 1.0)]
    paid = [0.0] * 4
    for pair in permutations(range(4), 2):
        match = play_match(GAMES["trust"], GAMES["trust"].rules(), [subjects[one] for one in pair], GameChance(1))
        for one, payoff in zip(pair, match.events[-1].payoffs, strict=True):
            paid[one] += payoff
    # As sender 100·(1 − s) + 300·s·r against each r; as returner 300·s·(1 − r) from each s.
    shares = (0.0, 0.25, 0.5, 1.0)
    by_hand_paid = [
        sum(
            100 * (1 - mine) + 300 * mine * theirs + 300 * theirs * (1 - mine)
            for other, theirs in enumerate(shares)
            if other != one
        )
        for one, mine in enumerate(shares)
    ]
    assert paid == pytest.approx(by_hand_paid)
