"""`ostrom ratings` and `ostrom report` with defaulted answers, void games, and both games in one journal."""

import asyncio
import json

import pytest
from commons_played import commons_records
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError, Provenance
from ostrom.experiment import play, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.contribute_punish.tables import tables_of
from ostrom.journal.sql import Journal
from ostrom.players.roster import seat_players
from serving import client


def call(*arguments):
    """What a command prints on both streams; what it refuses is raised."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None:
        raise done.exception
    return done


def document(*arguments):
    return json.loads(call(*arguments, "--passes", 5, "--json").stdout)


def punish_records(games=4):
    """Four players at every table; in the first game an answer of the second seat is defaulted."""
    cast = seat_players(CONTRIBUTE_PUNISH.name)[:4]
    for number in range(games):
        rules = CONTRIBUTE_PUNISH.rules(rounds=2)
        whole = record_of(play(cast, game=CONTRIBUTE_PUNISH.name, rules=rules, number=number))
        answers = [
            one.model_copy(update={"provenance": Provenance.DEFAULTED})
            if number == 0 and (one.turn, one.seat, one.phase) == (1, 1, "contribution")
            else one
            for one in whole.answers
        ]
        yield whole.model_copy(update={"answers": answers})


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("tokens", kind="punish")
        for number, record in enumerate(punish_records()):
            journal.add_game(experiment, record, key=str(number))
        experiment = journal.new_experiment("capital", kind="commons")
        for number, record in enumerate(commons_records()):
            journal.add_game(experiment, record, key=str(number))
    return url


def test_both_games_in_a_journal_are_told_apart(store):
    found = call("ratings", "--store", store, "--passes", 5, "--json")
    assert json.loads(found.stdout)["game"] == "punish"
    assert "has games of Contribute & Punish and of the Commons" in " ".join(found.stderr.split())
    named = call("ratings", "--store", store, "--passes", 5, "--json", "commons")
    assert json.loads(named.stdout)["game"] == "commons"
    assert named.stderr == ""
    alone = call("ratings", "--store", store, "--passes", 5, "--json", "--experiment", "capital")
    assert json.loads(alone.stdout)["game"] == "commons"
    assert alone.stderr == ""
    with pytest.raises(InputError, match="no study of 'chess'; it must be one of"):
        call("ratings", "--store", store, "chess")
    with pytest.raises(InputError, match="the experiment tokens has no finished games of the Commons"):
        call("ratings", "--store", store, "--experiment", "tokens", "commons")


def test_ratings_of_the_commons_are_of_final_capital(store):
    found = document("ratings", "--store", store, "commons")
    ends = {}
    for record in commons_records():
        for seat in record.seats:
            ends.setdefault(seat.player, []).append(record.events[-1]["capitals"][seat.seat])
    for one in found["ratings"]:
        assert one["mean_final"] == pytest.approx(sum(ends[one["name"]]) / 4)
    # Two of Alpha's 24 answers.
    assert {one["name"]: one["defaulted"] for one in found["ratings"]} == pytest.approx(
        {"alpha": 2 / 24, "beta": 0.0, "gamma": 0.0}
    )
    assert found["left_out"]["by"] is None


def test_games_with_defaulted_answers_are_left_out(store):
    found = document("ratings", "--store", store, "punish", "--without-defaulted", "games")
    assert found["games"] == 3
    assert found["left_out"] | {"players": []} == {
        "by": "games",
        "games": 1,
        "of_games": 4,
        "seats": 4,
        "of_seats": 16,
        "alone": 0,
        "players": [],
        "void": [],
        "apart": [],
    }
    assert {one["games"] for one in found["ratings"]} == {3}


def test_a_seat_that_is_left_out_leaves_the_others_of_its_game(store):
    found = document("ratings", "--store", store, "punish", "--without-defaulted", "seats")
    spoilt = seat_players(CONTRIBUTE_PUNISH.name)[1].name
    assert found["games"] == 4
    assert found["left_out"]["seats"] == 1
    assert {one["name"]: one["games"] for one in found["ratings"]} == {
        one.name: 3 if one.name == spoilt else 4 for one in seat_players(CONTRIBUTE_PUNISH.name)[:4]
    }
    # What was left out still counts beside the rating.
    shares = {one["name"]: one["defaulted"] for one in found["ratings"]}
    assert shares[spoilt] > 0
    assert sum(share > 0 for share in shares.values()) == 1


def test_the_sheet_shows_what_was_left_out_and_the_shares(store):
    shown = " ".join(
        call("ratings", "--store", store, "commons", "--passes", 5, "--without-defaulted", "seats").stdout.split()
    )
    assert "Left out for defaulted answers: 2 of 12 seats" in shown
    assert "defaulted" in shown
    assert "8.3%" in shown


@pytest.mark.usefixtures("unpainted")
def test_a_report_says_what_was_left_out(store, tmp_path):
    found = document(
        "report", "-o", tmp_path, "--store", store, "--experiment", "capital", "--without-defaulted", "games"
    )["report"]
    assert found["left_out"][0]["games"] == 2
    about, left_out, *_ = found["summary"]
    assert about.startswith("About: 3 players in 2 games of the Commons with 3 seats; opponents balanced; rules: ")
    assert left_out == "Left out for defaulted answers: 2 of 4 games."
    assert "The Commons: capital" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_imported_answers_are_unknown():
    from ostrom.analysis.tables import answers_by_player

    record = next(iter(punish_records(1)))
    imported = [one.model_copy(update={"provenance": Provenance.IMPORTED}) for one in record.answers]
    tables = tables_of([("g", "e", record.model_copy(update={"answers": imported}))])
    assert {one.defaulted_share for one in answers_by_player(tables).values()} == {None}


async def void(journal, experiment, record):
    async with journal.ledgers(experiment) as ledgers:
        opened = await ledgers.open(record.model_copy(update={"answers": [], "events": []}), "void")
        await opened.void("no legal answer")


def test_void_games_are_counted_and_named(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("partly", kind="commons")
        journal.add_game(experiment, commons_records()[3], key="0")
        asyncio.run(void(journal, experiment, commons_records()[3]))
        (left,) = (row.id for row in journal.games(experiment) if row.state == "void")
    found = document("ratings", "--store", url)
    assert found["games"] == 1
    assert found["left_out"]["void"] == [left]
    shown = " ".join(call("ratings", "--store", url, "--passes", 5).stdout.split())
    assert f"1 void game left out ({left})." in shown


def test_void_games_of_archived_experiments_are_not_counted(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with Journal.open(url, create=True) as journal:
        for name in ("kept", "old"):
            experiment = journal.new_experiment(name, kind="commons")
            journal.add_game(experiment, commons_records()[3].model_copy(update={"seed": len(name)}), key="0")
            asyncio.run(void(journal, experiment, commons_records()[3]))
        assert len(document("ratings", "--store", url)["left_out"]["void"]) == 2
        journal.archive("old")
        with client(journal) as lab:
            (told,) = (line for line in lab.get("/api/ratings").json()["left_out"] if "void" in line)
    assert document("ratings", "--store", url)["left_out"]["void"] == ["commons-1.2"]
    assert told == "1 void game left out (commons-1.2)."
    assert document("ratings", "--store", url, "--experiment", "old")["left_out"]["void"] == ["commons-2.2"]


def test_where_nothing_is_left_the_command_says_so(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("spoilt", kind="commons")
        journal.add_game(experiment, commons_records()[0], key="0")
    with pytest.raises(InputError, match=r"every game of the journal .* has a defaulted answer"):
        call("ratings", "--store", url, "--without-defaulted", "games")
    assert document("ratings", "--store", url, "--without-defaulted", "seats")["left_out"]["players"] == ["alpha"]
