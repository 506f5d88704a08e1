"""Payoffs of played games over the API: the figures of `ostrom payoffs`."""

import pytest

import ostrom
from ostrom.journal.sql import Journal
from studied import printed, strict

PAIRS = [("selfish", "fehr-schmidt"), ("fehr-schmidt", "selfish"), ("random", "selfish"), ("selfish", "random")]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    with Journal.open(url, create=True) as journal:
        pairs = journal.new_experiment("pairs", kind="trust")
        for seed in range(3):
            for first, second in PAIRS:
                for game in ("trust", "ultimatum"):
                    match = ostrom.play([first, second], game=game, seed=seed)
                    journal.add_game(pairs, ostrom.record_of(match), key=f"{game}-{first}-{second}-{seed}")
        crowd = journal.new_experiment("crowd", kind="beauty-contest")
        contest = ostrom.play(["random", "random", "selfish"], game="beauty_contest", seed=1)
        journal.add_game(crowd, ostrom.record_of(contest), key="contest")
    return url


def test_payoffs_are_those_that_the_command_prints(lab, address):
    expected = {
        (one["game"], one["player"], one["role"] and f"as {one['role']}", one["against"]): one
        for one in printed("payoffs", "--store", address, "--json")["payoffs"]
        if one["seat"] is None  # all games here have roles
    }
    result = strict(lab.get("/api/payoffs").text)["games"]
    seen = set()
    for game in result:
        players = [row["player"] for row in game["rows"]]
        means = [row["payoff"]["value"] for row in game["rows"]]
        assert means == sorted(means, reverse=True)
        for row in game["rows"]:
            cells = {(None, None): row["payoff"]}
            cells |= {(role, None): span for role, span in zip(game["seats"], row["seats"], strict=True) if span}
            met = zip(players, row["against"] or [None] * len(players), strict=True)
            cells |= {(None, other): span for other, span in met if span}
            for (role, against), span in cells.items():
                one = expected[game["game"], row["player"], role, against]
                assert span == one["payoff"]
                seen.add((game["game"], row["player"], role, against))
            whole = expected[game["game"], row["player"], None, None]
            assert (row["games"], row["defaulted"]) == (whole["games"], whole["defaulted"])
    assert seen == set(expected)


def test_a_table_of_many_has_neither_seats_nor_pairs(lab):
    (contest,) = lab.get("/api/payoffs?experiment=crowd").json()["games"]
    assert contest["title"] == "Beauty contest"
    assert {(tuple(row["seats"]), tuple(row["against"])) for row in contest["rows"]} == {((), ())}


def test_played_games_alone_can_be_compared(lab):
    trust, ultimatum, contest = lab.get("/api/studies").json()["studies"]
    assert (trust["kind"], trust["games"], trust["pairs"]) == ("trust", 12, True)
    assert ultimatum["kind"] == "ultimatum"
    assert (contest["kind"], contest["games"], contest["pairs"]) == ("beauty-contest", 1, False)
    assert [one["name"] for one in trust["experiments"]] == ["pairs"]
    assert lab.get("/api/scores").json()["rows"] == []
    assert lab.get("/api/payoffs?experiment=nowhere").status_code == 404
