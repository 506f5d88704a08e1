"""Experiments, games, events and records over the API equal those of the journal, with bounds and paging."""

import asyncio
import json

import pytest

from kept import HOSTILE, append, commons, finish, opened, opening, punish, start_game, told_in
from ostrom.charts.palette import with_names_and_colours
from ostrom.cli.main import app as command
from ostrom.cli.serve import _journal
from ostrom.core import Call, Fault, Line, Question, Seat, Text, Usage
from ostrom.journal.record import record_text, with_tellings
from sampling import sampled
from serving import client, ids


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


@pytest.fixture
def full(journal):
    """Two experiments: three games of Contribute & Punish, two of the Commons, one of them being played."""
    first = journal.new_experiment("talks", kind="punish", planned=3)
    for number in range(3):
        journal.add_game(first, punish(number), key=f"p{number}")
    second = journal.new_experiment("silence", kind="commons", planned=2)
    journal.add_game(second, commons(), key="c0")
    record = commons(1)
    going = start_game(journal, second, opening(record), key="c1")
    append(journal, going, record.answers[:9], record.events[:2])
    return journal


def test_an_empty_journal_is_shown_as_one(journal):
    with client(journal) as lab:
        assert lab.get("/api/experiments").json() == {"experiments": [], "total": 0, "offset": 0, "archived": 0}
        assert lab.get("/api/games").json() == {"games": [], "total": 0, "offset": 0, "unread": 0}
        about = lab.get("/api/lab").json()
    assert (about["journal"], about["starts"], about["revision"]) == (journal.label, True, journal.revision())
    kinds = {kind["command"]: kind for kind in about["games"]}
    assert kinds["punish"]["title"] == "Contribute & Punish"
    assert "TitForTat" in kinds["commons"]["players"]
    assert kinds["commons"]["rules"]["properties"]["turns"]
    assert "stated-risk" not in kinds


def test_experiments_come_newest_first_and_say_how_far_they_are(full):
    with client(full) as lab:
        result = lab.get("/api/experiments").json()
        one = lab.get("/api/experiments/talks").json()
    assert ids(result["experiments"]) == ["commons-2", "punish-1"]
    newest, oldest = result["experiments"]
    assert (newest["state"], newest["finished"], newest["playing"], newest["running"]) == ("unfinished", 1, 1, False)
    assert newest["players"] == ["Justicier", "Parasite", "RandomPlayer"]
    assert (oldest["answers"], oldest["repaired"], oldest["defaulted"], oldest["cost"]) == (27, 9, 3, None)
    assert {name: value for name, value in one.items() if name in oldest} == oldest
    assert (one["settings"], one["models"], one["seats"]) == ({}, [], [])


def test_seeds_that_a_browser_would_round_are_text_in_settings(journal):
    plan = {"parts": [{"seed": 2**53 + 1}, {"seed": 2**53 - 1}], "balanced": True}
    journal.new_experiment("seeded", kind="punish", settings=plan)
    with client(journal) as lab:
        result = lab.get("/api/experiments/seeded").json()["settings"]
    assert result == {"parts": [{"seed": "9007199254740993"}, {"seed": 9007199254740991}], "balanced": True}


def test_experiments_and_games_are_paged(full):
    with client(full) as lab:
        second = lab.get("/api/experiments", params={"offset": 1, "limit": 1}).json()
        games = lab.get("/api/games", params={"offset": 1, "limit": 3}).json()
        beyond = lab.get("/api/games", params={"offset": 99}).json()
    assert (ids(second["experiments"]), second["total"], second["offset"]) == (["punish-1"], 2, 1)
    assert (ids(games["games"]), games["total"]) == (["commons-2.1", "punish-1.3", "punish-1.2"], 5)
    assert (beyond["games"], beyond["total"]) == ([], 5)


@pytest.mark.parametrize(
    ("wanted", "found"),
    sampled(
        [
            ({"experiment": "punish-1"}, ["punish-1.3", "punish-1.2", "punish-1.1"]),
            ({"experiment": "silence", "state": "finished"}, ["commons-2.1"]),
            ({"state": "playing"}, ["commons-2.2"]),
            ({"state": "void"}, []),
            ({"game": "commons"}, ["commons-2.2", "commons-2.1"]),
            ({"game": "punish", "limit": 1}, ["punish-1.3"]),
            ({"game": "contribute_punish", "limit": 1}, ["punish-1.3"]),
            ({"player": "Parasite"}, ["commons-2.2", "commons-2.1"]),
            ({"player": "parasite"}, []),
            ({"player": "Para"}, []),
            ({"player": '%"'}, []),
        ],
        5,
    ),
)
def test_games_are_found_by_what_they_are(full, wanted, found):
    with client(full) as lab:
        assert ids(lab.get("/api/games", params=wanted).json()["games"]) == found


@pytest.mark.parametrize("named", ["lost_trade", "lost-trade"])
def test_games_that_are_not_installed_are_found_by_either_name(full, named):
    strange = punish().model_copy(update={"game": "lost_trade", "answers": []})
    full.add_game("punish-1", strange, key="elsewhere")
    with client(full) as lab:
        result = lab.get("/api/games", params={"game": named})
        beside = lab.get("/api/games/elsewhere/beside", params={"game": named}).json()
        unheard = lab.get("/api/games", params={"game": "lost"})
    assert (result.status_code, [one["key"] for one in result.json()["games"]]) == (200, ["elsewhere"])
    assert [one["command"] for one in result.json()["games"]] == ["lost-trade"]
    assert (beside["number"], beside["total"]) == (1, 1)
    assert unheard.status_code == 404


def test_a_game_tells_its_rules_and_how_far_it_is(full):
    record = commons(1)
    with client(full) as lab:
        going = lab.get("/api/games/c1").json()
        over = lab.get("/api/games/punish-1.1").json()
    assert (going["id"], going["state"], going["events"], going["rounds"]) == ("commons-2.2", "playing", 2, None)
    assert (going["rules"], going["seed"], going["labels"]) == (record.rules, None, ["P1", "P2", "P3", "P4"])
    assert (over["state"], over["events"], over["seed"], over["title"]) == ("finished", 8, None, "Contribute & Punish")
    assert over["subject"] is None


def test_events_come_in_order_from_any_place_on(full):
    told = punish(0).events
    with client(full) as lab:
        page = lab.get("/api/games/punish-1.1/events", params={"first": 3, "limit": 2}).json()
        rest = lab.get("/api/games/punish-1.1/events", params={"first": 6}).json()
        beyond = lab.get("/api/games/punish-1.1/events", params={"first": 50}).json()
    tellings = told_in(punish(0))
    assert page == {"events": told[3:5], "told": tellings[3:5], "first": 3, "total": 8, "state": "finished"}
    assert (rest["events"], rest["told"]) == (told[6:], tellings[6:])
    assert (beyond["events"], beyond["total"]) == ([], 8)


def test_the_record_of_a_finished_game_is_the_file_that_export_writes(full, store, tmp_path):
    from typer.testing import CliRunner

    file = tmp_path / "game.json"
    assert CliRunner().invoke(command, ["export", "c0", "-o", str(file), "--store", store]).exit_code == 0
    with client(full) as lab:
        answer = lab.get("/api/games/c0/record")
    # Another game of the experiment is under way, so that the page keeps their seed to itself.
    assert answer.json() == json.loads(file.read_bytes()) | {"seed": None}
    assert answer.headers["cache-control"] == "no-cache"


def test_while_a_game_is_played_its_record_has_its_events_and_no_answers(full):
    record = commons(1)
    with client(full) as lab:
        so_far = lab.get("/api/games/c1/record").json()
        assert (so_far["answers"], so_far["events"]) == ([], record.events[:2])
        assert (so_far["told"], so_far["finals"]) == (told_in(record)[:2], None)
        append(full, "commons-2.2", record.answers[9:], record.events[2:])
        finish(full, "commons-2.2")
        lab.app.state.service.revision._until = float("-inf")
        assert lab.get("/api/games/c1/record").json() == json.loads(
            record_text(with_names_and_colours(with_tellings(record)))
        )


def test_who_has_an_answer_already_is_told_so(full):
    with client(full) as lab:
        first = lab.get("/api/games")
        again = lab.get("/api/games", headers={"If-None-Match": first.headers["etag"]})
        full.add_game("punish-1", punish(9), key="more")
        lab.app.state.service.revision._until = float("-inf")
        new = lab.get("/api/games", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (new.status_code, new.json()["total"]) == (200, 6)


def test_hostile_text_goes_through_as_it_is(journal):
    record = punish(0, HOSTILE)
    journal.add_game(journal.new_experiment("hostile", kind="test"), record, key="k")
    with client(journal) as lab:
        events = lab.get("/api/games/k/events")
        kept = lab.get("/api/games/k/record")
    assert events.json()["events"] == record.events
    assert kept.json()["events"] == record.events
    assert "\ud83d" in events.json()["events"][0]["text"]


@pytest.mark.slow
def test_cost_is_told_where_every_price_is_known(journal):
    priced, unpriced = (journal.new_experiment(name, kind="test") for name in ("priced", "unpriced"))
    ask(journal, priced, [call(1, cost=0.25), call(2, cost=0.5, fault=Fault.REFUSED)])
    ask(journal, unpriced, [call(1, cost=0.25), call(2, cost=None)])
    with client(journal) as lab:
        rows = {row["name"]: row for row in lab.get("/api/experiments").json()["experiments"]}
        [model] = lab.get("/api/experiments/priced").json()["models"]
    assert (rows["priced"]["cost"], rows["unpriced"]["cost"]) == (0.75, None)
    assert (model["model"], model["calls"], model["failed"], model["cost"]) == ("test:one", 2, 1, 0.75)
    assert (model["faults"], model["mean_latency"], model["output_tokens"]) == ({"refused": 1}, 0.5, 20)


def call(attempt, **changed):
    prompt = (Line("user", "how much?"),)
    return Call(attempt, "2026-05-01T10:00:00.123+00:00", "test:one", {}, prompt, "5", Usage(100, 10), 0.5, **changed)


def ask(journal, experiment, calls):
    """Keep calls to one question of one game."""

    async def kept():
        async with journal.ledgers(experiment) as ledgers:
            ledger = await ledgers.open(opening(punish()), key="k")
            for one in calls:
                await ledger.keep_call(0, Question(Seat(0), "contribution", 1, Text(5), None), one)

    asyncio.run(kept())


@pytest.mark.parametrize(
    ("path", "status", "says"),
    sampled(
        [
            ("/api/games/nothing", 404, "there is no game in the journal called 'nothing'"),
            ("/api/games/nothing/record", 404, "there is no game"),
            ("/api/games/nothing/events", 404, "there is no game"),
            ("/api/games/nothing/live", 404, "there is no game"),
            ("/api/experiments/tals", 404, "did you mean talks"),
            ("/api/games?experiment=nothing", 404, "there is no experiment"),
            ("/api/games?game=chess", 404, "there is no game called 'chess'"),
            ("/api/games?state=lost", 422, "state must be one of 'playing', 'finished' or 'void', got 'lost'"),
            ("/api/games?limit=201", 422, "limit must be at most 200, got 201"),
            ("/api/games?offset=-1", 422, "offset must be at least 0, got -1"),
            ("/api/games/c0/events?limit=1001", 422, "limit must be at most 1,000, got 1001"),
            ("/api/games/c0/events?first=1e99", 422, "first must be a whole number, got '1e99'"),
            ("/api/nothing", 404, "there is nothing at /api/nothing"),
            ("/api", 404, "there is nothing at /api"),
        ],
        5,
    ),
)
def test_what_cannot_be_is_refused_in_one_line(full, path, status, says):
    with client(full) as lab:
        answer = lab.get(path)
    assert set(answer.json()) == {"detail"}
    assert "\n" not in answer.json()["detail"]
    assert (answer.status_code, says in answer.json()["detail"]) == (status, True), answer.text


@pytest.mark.parametrize("path", ["/api/games/%00", "/api/experiments/%00", "/api/games?experiment=%00"])
def test_a_name_that_no_database_holds_is_none(full, path):
    with client(full) as lab:
        # SQLite looks for it and finds none, PostgreSQL does not look.
        assert lab.get(path).status_code in (400, 404)
        assert lab.get("/api/games?player=%00").json()["games"] == []


def test_a_journal_that_cannot_be_written_is_shown_and_not_played_in(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    with opened(url) as journal:
        journal.add_game(journal.new_experiment("one", kind="punish"), punish(), key="k")
    monkeypatch.setattr("ostrom.journal.engine.Location.unwritable", lambda location: "the file is read-only")
    with _journal(url) as journal, client(journal) as lab:
        assert lab.get("/api/games").json()["total"] == 1
        assert lab.get("/api/lab").json()["starts"] is False
        start = lab.post("/api/games", json={"game": "commons", "players": ["Pavlov", "Parasite"]})
        assert (start.status_code, set(start.json())) == (400, {"detail"})
        assert journal.revision() == 2
