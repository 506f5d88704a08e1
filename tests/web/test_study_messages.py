"""What was said, over the API: found by its words, by who said it and by what became of it."""

import pytest

from kept import HOSTILE, punish
from ostrom.journal.sql import Journal
from serving import client
from studied import fill, played, strict


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('store')}/lab.db"
    with Journal.open(url, create=True) as journal:
        fill(journal)
        hostile = journal.new_experiment("hostile", kind="punish")
        journal.add_game(hostile, punish(4, text=HOSTILE), key="h")
        journal.add_game(hostile, punish(5, text="<script>alert(1)</script>" + "ä" * 100_000), key="long")
        yield journal


@pytest.fixture(scope="module")
def lab(journal):
    with client(journal) as found:
        yield found


def test_messages_come_in_the_order_in_which_they_were_said(lab):
    found = lab.get("/api/messages?experiment=talk&limit=200").json()
    records = dict(played(True))
    expected = []
    for key, record in records.items():
        order, last = 0, None
        for event in record.events:
            if event["event"] == "message_said":
                order = order + 1 if event["round"] == last else 1
                last = event["round"]
                if event["text"]:
                    expected.append((key, event["round"], order, event["seat"], event["text"]))
    rows = [(one["key"], one["round"], one["order"], one["seat"], one["text"]) for one in found["messages"]]
    assert rows == expected[:200]
    assert found["total"] == len(expected)


def test_every_message_leads_to_its_moment(lab, journal):
    for one in lab.get("/api/messages?experiment=promises").json()["messages"]:
        event = journal.record(one["game"]).events[one["event"]]
        assert (event["event"], event["seat"], event["text"]) == ("message_said", one["seat"], one["text"])
        assert journal.record(one["game"]).seats[one["seat"]].player == one["player"]


def test_promises_are_told_with_what_became_of_them(lab):
    # Three games in which seats 1 and 2 promise 2, 3 and 4 tokens; seat 1 gives 3, seat 2 gives 0, 1 and 2.
    found = lab.get("/api/messages?experiment=promises").json()
    rows = [(one["seat"], one["promised"], one["contributed"], one["kept"]) for one in found["messages"]]
    assert rows == [
        *((2, 2.0, 0, False), (1, 2.0, 3, True)),
        *((2, 3.0, 1, False), (1, 3.0, 3, True)),
        *((2, 4.0, 2, False), (1, 4.0, 3, False)),
    ]
    assert (found["total"], found["promises"], found["kept"], found["broken"]) == (6, 6, 2, 4)


@pytest.mark.parametrize(("promise", "total"), [("any", 6), ("made", 6), ("kept", 2), ("broken", 4), ("none", 0)])
def test_messages_are_found_by_what_became_of_their_promises(lab, promise, total):
    found = lab.get(f"/api/messages?experiment=promises&promise={promise}").json()
    assert found["total"] == len(found["messages"]) == total


def test_a_text_is_found_whatever_its_case_and_taken_at_its_word(lab):
    assert lab.get("/api/messages", params={"text": "i'LL CONTRIBUTE $3"}).json()["total"] == 2
    assert lab.get("/api/messages", params={"text": "contribute .3"}).json()["total"] == 0
    assert lab.get("/api/messages", params={"text": "<SCRIPT>"}).json()["total"] == 2
    assert lab.get("/api/messages", params={"text": "Ä" * 150}).json()["total"] == 2


def test_messages_are_found_by_player_round_and_game(lab):
    everything = lab.get("/api/messages?experiment=talk&limit=200").json()["messages"]
    one = everything[0]
    query = {"experiment": "talk", "player": one["player"], "round": 2, "limit": 200}
    found = lab.get("/api/messages", params=query).json()["messages"]
    assert found == [row for row in everything if row["player"] == one["player"] and row["round"] == 2]
    by_id = lab.get("/api/messages", params={"game": one["game"], "limit": 200}).json()
    by_key = lab.get("/api/messages", params={"game": "p1", "limit": 200}).json()
    assert by_id["messages"] == [row for row in everything if row["game"] == one["game"]]
    assert {row["key"] for row in by_key["messages"]} == {"p1"}


def test_messages_are_read_in_pages(lab):
    whole = lab.get("/api/messages?limit=40").json()
    parts = [lab.get(f"/api/messages?offset={offset}&limit=20").json() for offset in (0, 20)]
    assert parts[0]["messages"] + parts[1]["messages"] == whole["messages"]
    assert parts[1]["promises"] == whole["promises"]
    assert lab.get("/api/messages?offset=1000000").json()["messages"] == []


def test_hostile_text_is_text_and_bounded(lab):
    found = strict(lab.get("/api/messages?experiment=hostile").text)["messages"]
    assert [one["text"][:20] for one in found[:2]] == [HOSTILE[:20]] * 2
    assert "\x00" in found[0]["text"]
    assert "half a character ?," in found[0]["text"]
    assert [len(one["text"]) for one in found[2:]] == [10_001, 10_001]
    assert found[2]["text"].startswith("<script>alert(1)</script>ää")


def test_a_journal_without_messages_has_none(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as journal, client(journal) as lab:
        found = lab.get("/api/messages").json()
    assert found == {"messages": [], "total": 0, "offset": 0, "promises": 0, "kept": 0, "broken": 0}


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("experiment=nowhere", 404),
        ("game=nowhere", 404),
        ("game=0", 400),
        ("round=0", 422),
        ("promise=perhaps", 422),
        ("limit=201", 422),
        ("text=" + "x" * 300, 422),
    ],
)
def test_what_there_is_not_is_refused(lab, query, status):
    answer = lab.get(f"/api/messages?{query}")
    assert answer.status_code == status
    assert answer.json()["detail"]
