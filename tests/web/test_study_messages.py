"""Search in messages over the API: by words, speaker and outcome."""

import math

import pytest
from sqlalchemy import event as sql_event

from kept import HOSTILE, punish
from ostrom.analysis.highlights import summarise
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
        assert summarise(journal, math.inf) == 0
        yield journal


@pytest.fixture(scope="module")
def lab(journal):
    with client(journal) as result:
        yield result


def test_messages_come_in_the_order_in_which_they_were_said(lab):
    result = lab.get("/api/messages?experiment=talk&limit=200").json()
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
    rows = [(one["key"], one["round"], one["order"], one["seat"], one["text"]) for one in result["messages"]]
    assert rows == expected[:200]
    assert result["total"] == len(expected)


def test_every_message_leads_to_its_moment(lab, journal):
    for one in lab.get("/api/messages?experiment=promises").json()["messages"]:
        event = journal.record(one["game"]).events[one["event"]]
        assert (event["event"], event["seat"], event["text"]) == ("message_said", one["seat"], one["text"])
        assert journal.record(one["game"]).seats[one["seat"]].player == one["player"]


def test_promises_are_told_with_what_became_of_them(lab):
    # Three games in which seats 1 and 2 promise 2, 3 and 4 tokens; seat 1 gives 3, seat 2 gives 0, 1 and 2.
    result = lab.get("/api/messages?experiment=promises").json()
    rows = [(one["seat"], one["promised"], one["contributed"], one["kept"]) for one in result["messages"]]
    assert rows == [
        *((2, 2.0, 0, False), (1, 2.0, 3, True)),
        *((2, 3.0, 1, False), (1, 3.0, 3, True)),
        *((2, 4.0, 2, False), (1, 4.0, 3, False)),
    ]
    assert (result["total"], result["promises"], result["kept"], result["broken"]) == (6, 6, 2, 4)


@pytest.mark.parametrize(("promise", "total"), [("any", 6), ("made", 6), ("kept", 2), ("broken", 4), ("none", 0)])
def test_messages_are_found_by_what_became_of_their_promises(lab, promise, total):
    result = lab.get(f"/api/messages?experiment=promises&promise={promise}").json()
    assert result["total"] == len(result["messages"]) == total


def texts(lab, typed, **more):
    result = lab.get("/api/messages", params={"text": typed, **more})
    assert result.status_code == 200, result.text
    return [one["text"] for one in result.json()["messages"]]


def test_words_are_found_in_any_order_whatever_their_case_and_by_their_stems(lab):
    result = texts(lab, "$3 i'LL CONTRIBUTE")
    assert sorted(result) == ["I'll contribute $3"] * 2 + ["I'll contribute all 3."] * 2
    assert texts(lab, "contributing 3") == texts(lab, "3 contributes") == result
    assert texts(lab, "contribute 3 nowhere") == []
    assert len(texts(lab, "<SCRIPT>")) == 2


def test_a_phrase_stands_as_it_was_said(lab):
    assert texts(lab, '"contribute $3"') == ["I'll contribute $3"] * 2
    assert texts(lab, '"3 contribute"') == []
    assert texts(lab, '"contribute $3') == ["I'll contribute $3"] * 2  # the reader is still typing


def test_finds_are_marked_where_they_stand(lab):
    one = lab.get("/api/messages", params={"text": "contributing"}).json()["messages"][0]
    assert "".join(one["pieces"]) == one["text"]
    assert one["pieces"][1::2] == ["contribute"]
    assert lab.get("/api/messages").json()["messages"][0]["pieces"] == []


def test_finds_come_by_relevance_or_by_date(lab, journal):
    by_date = [(one["game"], one["event"]) for one in _found(lab, text="contribute", sort="oldest")]
    places = {row.id: place for place, row in enumerate(journal.games())}
    assert by_date == sorted(by_date, key=lambda one: (places[one[0]], one[1]))
    newest = [(one["game"], one["event"]) for one in _found(lab, text="contribute", sort="newest")]
    assert newest == by_date[::-1]
    assert sorted((one["game"], one["event"]) for one in _found(lab, text="contribute")) == sorted(by_date)


def _found(lab, **query):
    return lab.get("/api/messages", params={"limit": 200, **query}).json()["messages"]


def test_the_lines_around_a_find_come_along(lab):
    everything = _found(lab, experiment="talk")
    of_game = [one for one in everything if one["game"] == everything[0]["game"]]
    first, third = _found(lab, experiment="talk", around=2)[0:3:2]
    assert first["before"] == []
    assert [line["text"] for line in third["before"]] == [one["text"] for one in of_game[:2]]
    assert [line["event"] for line in third["after"]] == [one["event"] for one in of_game[3:5]]


@pytest.mark.parametrize(
    "typed",
    [
        '"',
        '"" x',
        "x AND",
        "NOT",
        "OR x",
        "NEAR(a b",
        "text:x",
        "x*",
        "^x",
        "a + b",
        "(",
        "x)",
        "-x",
        "'; DROP TABLE",
        "\x00x",
    ],
)
def test_what_a_reader_types_is_never_an_expression(lab, typed):
    assert lab.get("/api/messages", params={"text": typed}).status_code in (200, 400)


def test_what_holds_no_word_is_refused_in_one_line(lab):
    answer = lab.get("/api/messages", params={"text": "$ -- !"})
    assert answer.status_code == 400
    assert "no word to search for" in answer.json()["detail"]


def test_messages_of_a_deleted_experiment_are_found_no_more(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as journal, client(journal) as lab:
        for name in ("stays", "goes"):
            journal.add_game(journal.new_experiment(name, kind="punish"), punish(4, text=f"the word {name}"), key=name)
        assert texts(lab, "goes") == ["the word goes"] * 2
        journal.delete("goes")
        lab.app.state.service.revision.forget()  # it is taken as known for a moment
        assert texts(lab, "goes") == []
        assert texts(lab, "stays") == ["the word stays"] * 2


def test_messages_are_found_by_player_round_and_game(lab):
    everything = lab.get("/api/messages?experiment=talk&limit=200").json()["messages"]
    one = everything[0]
    query = {"experiment": "talk", "player": one["player"], "round": 2, "limit": 200}
    result = lab.get("/api/messages", params=query).json()["messages"]
    assert result == [row for row in everything if row["player"] == one["player"] and row["round"] == 2]
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
    result = strict(lab.get("/api/messages?experiment=hostile").text)["messages"]
    assert [one["text"][:20] for one in result[:2]] == [HOSTILE[:20].replace("\x00", "\ufffd")] * 2
    assert "half a character ?," in result[0]["text"]
    assert [len(one["text"]) for one in result[2:]] == [10_001, 10_001]
    assert result[2]["text"].startswith("<script>alert(1)</script>ää")


NOTHING_LEFT = {"ranked": 0, "unread": 0}


def test_a_journal_without_messages_has_none(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as journal, client(journal) as lab:
        result = lab.get("/api/messages").json()
    assert result == {"messages": [], "total": 0, "offset": 0, "promises": 0, "kept": 0, "broken": 0, **NOTHING_LEFT}


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


def test_who_turns_the_pages_of_a_search_waits_for_no_count(lab, journal):
    counted = []

    def note(*about):
        if "count(*)" in about[2] and "message_words" in about[2]:
            counted.append(about[2])

    sql_event.listen(journal._database.engine, "before_cursor_execute", note)
    try:
        first = lab.get("/api/messages", params={"text": "contributes", "limit": 1}).json()
        once = len(counted)
        assert once > 0
        for more in ({"offset": 1}, {"sort": "newest"}, {"around": 2, "limit": 2}):
            result = lab.get("/api/messages", params={"text": "contributes", **more}).json()
            assert [result[name] for name in ("total", "promises", "kept")] == [
                first[name] for name in ("total", "promises", "kept")
            ]
        assert len(counted) == once
        lab.get("/api/messages", params={"text": "contributes trust"})
        assert len(counted) == 2 * once
    finally:
        sql_event.remove(journal._database.engine, "before_cursor_execute", note)
