"""Four subjects meet in all pairs of a trust game; what the table says they earned is what the records give by hand."""

from collections import defaultdict
from statistics import fmean

import pytest
from commandline import answer, document, seats
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import out

SUBJECTS = ("fehr-schmidt", "expected-utility", "conditional-cooperator", "backward-inducer")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    place = f"sqlite:///{tmp_path_factory.mktemp('payoffs')}/journal.db"
    done = CliRunner().invoke(
        app, ["bench", "trust", *seats(*SUBJECTS), "--per-pair", "1", "--seed", "1", "--store", place]
    )
    assert done.exit_code == 0, done.exception
    return place


@pytest.fixture(scope="module")
def by_hand(store):
    """What everybody was paid, in each role and against each other one, from what was sent and what came back."""
    paid = defaultdict(list)
    with Journal.open(store) as journal:
        for _, _, record in journal.records():
            sender, returner = (seat.player for seat in record.seats)
            sent = next(answer.value for answer in record.answers if answer.phase == "sender")
            back = sum(answer.value for answer in record.answers if answer.phase == "returner")
            assert back <= 3 * sent
            for player, other, seat, payoff in (
                (sender, returner, 0, 100 - sent + back),
                (returner, sender, 1, 3 * sent - back),
            ):
                role = ("sender", "returner")[seat]
                alone = (player, None, None, role)
                for key in ((player, None, None, None), (player, seat, None, None), (player, None, other, None), alone):
                    paid[key].append(payoff)
    return paid


def test_every_ordered_pair_met_once(by_hand):
    assert {player for player, *_ in by_hand} == set(SUBJECTS)
    for player in SUBJECTS:
        assert len(by_hand[player, None, None, None]) == 6
        for other in set(SUBJECTS) - {player}:
            assert len(by_hand[player, None, other, None]) == 2


def test_realised_payoffs_are_those_by_hand(store, by_hand):
    told = document("payoffs", "--store", store)["payoffs"]
    assert {one["game"] for one in told} == {"trust"}
    found = {(one["player"], one["seat"], one["against"], one["role"]): one for one in told}
    assert len(found) == len(told)
    assert set(found) == set(by_hand)
    for key, payoffs in by_hand.items():
        assert found[key]["payoff"]["value"] == pytest.approx(fmean(payoffs)), key
        assert found[key]["games"] == len(payoffs)
        payoff = found[key]["payoff"]
        if len(payoffs) < 6:
            assert payoff["low"] is None
            assert "an interval needs at least 6" in payoff["reason"]
        else:
            assert payoff["low"] <= payoff["value"] <= payoff["high"]
    # Somebody trusted, and somebody was let down: the games are not all the same.
    assert len({round(fmean(by_hand[player, None, None, None]), 2) for player in SUBJECTS}) > 1
    everything = [payoff for player in SUBJECTS for seat in (0, 1) for payoff in by_hand[player, seat, None, None]]
    assert len(everything) == 24


def test_the_table_has_a_row_for_everybody(store, by_hand, monkeypatch):
    monkeypatch.setattr(out, "_width", 200)
    shown = answer("payoffs", "--store", store)
    assert "trust: realised payoffs" in shown
    for player in SUBJECTS:
        (row,) = (line for line in shown.splitlines() if line.startswith(player))
        assert f"{fmean(by_hand[player, None, None, None]):,.2f}" in row
        assert f"{fmean(by_hand[player, None, None, 'returner']):,.2f}" in row
    assert "as sender" in shown


def test_games_with_a_defaulted_answer_are_counted_and_can_be_left_out(tmp_path):
    place = f"sqlite:///{tmp_path}/journal.db"
    table = seats("fehr-schmidt", "expected-utility", "refuser")
    play = ["bench", "trust", *table, "--per-pair", "1", "--seed", "1", "--store", place]
    assert CliRunner().invoke(app, play).exit_code == 0
    told = {
        one["player"]: one
        for one in document("payoffs", "--store", place)["payoffs"]
        if one["seat"] is one["against"] is one["role"] is None
    }
    # The refuser is asked in both games in which it begins, and where something was sent to it.
    assert {player: one["games"] for player, one in told.items()} == dict.fromkeys(told, 4)
    assert told["refuser"]["defaulted"] >= 2
    assert "defaulted" in answer("payoffs", "--store", place)
    left = document("payoffs", "--without-defaulted", "--store", place)["payoffs"]
    assert all(one["defaulted"] == 0 for one in left)
    games = {one["player"]: one["games"] for one in left if one["seat"] is one["against"] is one["role"] is None}
    assert games["fehr-schmidt"] == 4 - told["fehr-schmidt"]["defaulted"]


def test_a_journal_without_played_games_says_so(tmp_path):
    place = f"sqlite:///{tmp_path}/journal.db"
    settings = ["--protocol", "quick", "--task", "dictator", "--seed", "1", "--store", place]
    assert CliRunner().invoke(app, ["bench", "battery", "--subject", "exponential", *settings]).exit_code == 0
    done = CliRunner().invoke(app, ["payoffs", "--store", place])
    assert isinstance(done.exception, InputError)
    assert "there are no played games" in str(done.exception)
