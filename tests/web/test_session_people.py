"""People take part in whole sessions over HTTP: groups, treatments, tables and payments are those of the file."""

import json
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from ostrom.journal.sql import Journal
from provider_process import provider_process
from session_people import Refused, SimulatedPerson, all_play, joined, random_contributions
from session_server import SessionServer, serving_session, session_file

TWO_TREATMENTS = [{"name": "plain"}, {"name": "punishment", "rules": {"punishment": True}}]
PAGES = ["text", "consent", "quiz", "game", "results", "belief", "questionnaire", "payment", "outcome"]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


def people_of(server: SessionServer, count: int, **more: Any) -> list[SimulatedPerson]:
    """People who decide at random."""
    return [server.person(policy=random_contributions(seed), **more) for seed in range(count)]


def play_to_the_end(server: SessionServer, people: Sequence[SimulatedPerson]) -> Any:
    """Let people join, start when all are in the lobby, and return the host's last state."""
    threads = all_play(people)
    server.host.until(lambda state: state["counts"]["in_lobby"] == len(people))
    server.host.act("start")
    joined(threads)
    return server.host.until(lambda state: state["session"]["state"] == "ended")


def assert_adds_up(payment: dict[str, Any]) -> None:
    """The lines of a payment give its total."""
    assert sum(Decimal(line["amount"]) for line in payment["lines"]) == Decimal(payment["total"])


def finals_by_person(journal: Journal, experiment: str, *, practice: bool = False) -> Counter[str]:
    """The sum of each person's final results over the tables that count."""
    earned: Counter[str] = Counter()
    for row in journal.games(experiment):
        if row.key.startswith("practice/") == practice:
            assert row.state == "finished", row
            for player, final in zip(row.players, row.finals or (), strict=True):
                earned[player] += final or 0.0
    return earned


@pytest.mark.slow
def test_four_people_in_two_treatments_meet_every_page(journal: Journal) -> None:
    file = session_file(
        session={"name": "all-pages", "start": "host"},
        pages={"welcome": "# Welcome", "instructions": "Give *something*."},
        consent={"text": "You may leave at any time.", "version": "3"},
        quiz={"questions": [{"name": "q", "text": "1 + 1?", "type": "number", "answer": 2, "feedback": "Count."}]},
        treatments=TWO_TREATMENTS,
        games=[
            {"name": "g1", "game": "contributions", "group": 2, "tables": 2, "practice": 1, "rules": {"rounds": 1}},
        ],
        beliefs=[
            {
                "name": "b",
                "game": "g1",
                "text": "The others' mean?",
                "minimum": 0,
                "maximum": 20,
                "quantity": "gave",
                "pay": {"most": 2.0, "loses": 0.1},
            }
        ],
        questionnaire=[{"name": "age", "text": "Age", "type": "number"}, {"name": "why", "text": "Why?"}],
    )
    with serving_session(journal, file) as server:
        people = people_of(server, 4, quiz=lambda question: 2, belief=10.0)
        state = play_to_the_end(server, people)
        entries = journal.sessions.entries(server.live.id)
        personal = journal.sessions.personal(server.live.id)
    for person in people:
        met = dict.fromkeys(page for page in person.pages if page not in ("waiting", "lobby"))
        assert list(met) == PAGES
        assert len(person.results) == 3
        assert [result["practice"] for result in person.results] == [True, False, False]
    assert [count["participants"] for count in state["treatments"]] == [2, 2]
    keys = {row.key for row in journal.games(server.live.experiment)}
    tables = {f"{start}/table {table}/{group}" for group in (1, 2) for start, table in PLAYED}
    assert keys == tables
    earned = finals_by_person(journal, server.live.experiment)
    beliefs = {entry.participant: entry.data["points"] for entry in entries if entry.kind == "belief_scored"}
    for person in people:
        assert person.payment is not None
        assert_adds_up(person.payment)
        game, estimates = (line for line in person.payment["lines"] if line["points"] is not None)
        assert game["points"] == pytest.approx(earned[f"human:{person.name}"])
        assert estimates["points"] == pytest.approx(beliefs[int(person.name[-2:])])
    assert {(value.name, value.value) for value in personal} == {("answer.why", "fine")}
    assert {entry.data["version"] for entry in entries if entry.kind == "consented"} == {"3"}


PLAYED = (("practice/g1", 1), ("g1", 1), ("g1", 2))


def test_who_refuses_or_fails_is_released_and_spare_people_are_paid_for_coming(journal: Journal) -> None:
    file = session_file(
        session={"participants": 2, "spare": 2},
        consent={"text": "Do you agree?", "version": "1"},
        quiz={
            "attempts": 2,
            "on_failure": "screen_out",
            "questions": [{"name": "q", "text": "Which?", "choices": ["a", "b"], "answer": "a"}],
        },
        games=[{"name": "g1", "game": "contributions", "group": 2, "rules": {"rounds": 1}}],
        payment={"currency": "EUR", "rate": 0.1, "participation": 4.0, "release": 2.5},
        panel={"participant": "PID", "outcomes": {"screened_out": {"code": "OUT1"}, "done": {"code": "DONE1"}}},
    )
    with serving_session(journal, file) as server:
        people = [server.person(parameters={"PID": f"p{number}"}) for number in range(5)]
        refuses, fails, *play = people
        refuses.agrees, fails.quiz = False, lambda question: "b"
        refuses.play()
        fails.play()
        threads = all_play(play)
        server.host.until(lambda state: state["counts"]["in_lobby"] == 3)
        server.host.act("start")
        joined(threads)
        server.host.until(lambda state: state["session"]["state"] == "ended")
        outcomes = Counter(person.outcome["outcome"] for person in people if person.outcome)
        assert outcomes == {"no_consent": 1, "screened_out": 1, "done": 2, "unmatched": 1}
        assert fails.outcome is not None
        assert fails.outcome["code"] == "OUT1"
        (spare,) = (person for person in play if person.outcome and person.outcome["outcome"] == "unmatched")
        assert spare.outcome is not None
        assert spare.outcome["total"] == "2.50"
        rows = {row["participant"]: row["total"] for row in server.host.wire.call("/host/payments")["rows"]}
        assert (rows[refuses.name], rows[fails.name]) == ("0.00", "0.00")
        with pytest.raises(Refused, match="no further participants"):
            server.person(parameters={"PID": "late"}).join()


def test_an_absent_person_is_replaced_and_keeps_what_was_earned(journal: Journal) -> None:
    file = session_file(
        session={"participants": 2},
        games=[{"name": "g1", "game": "contributions", "group": 2, "tables": 2, "rules": {"rounds": 2}}],
    )
    with serving_session(journal, file) as server:
        stays, goes = people_of(server, 2)
        goes.join()
        while goes.act(goes.state()):
            pass
        playing = all_play([stays])
        server.host.until(lambda state: state["counts"]["in_lobby"] == 2)
        server.host.act("start")
        first_table = goes.results
        while not first_table:  # The first table is played by both.
            goes.act(goes.state())
        until_asked(goes)
        with pytest.raises(Refused, match="name a player"):
            server.host.act("replace", participant=goes.name, player="Unknown")
        server.host.act("replace", participant=goes.name, player="ConditionalCooperator")
        joined(playing)
        state = server.host.until(lambda state: state["session"]["state"] == "ended")
        row = next(row for row in state["participants"] if row["participant"] == goes.name)
        assert (row["outcome"], row["replaced_by"]) == ("timed_out", "ConditionalCooperator")
        assert row["points"] == pytest.approx(first_table[0]["points"])
        assert goes.state()["page"]["total"] == row["payment"]
        with pytest.raises(Refused, match="409"):
            goes.wire.call("/participate/answer", {"question": "3-2-contribution", "values": {"contribution": 1}})
        last = next(row for row in journal.games(server.live.experiment) if row.key == "g1/table 2/1")
        decided = [call.extra.get("decided_by") for _, call in journal.calls(last.id)]
        assert sorted(decided, key=str) == ["ConditionalCooperator"] * 2 + [None] * 2


def until_asked(person: SimulatedPerson) -> Any:
    """The question that a person is asked next."""
    while True:
        page = person.state()["page"]
        if page["kind"] == "game" and page["seat"]["question"]:
            return page["seat"]["question"]
        threading.Event().wait(0.02)


def test_a_pause_stops_the_clocks_and_more_time_can_be_given(journal: Journal) -> None:
    file = session_file(
        session={"participants": 2},
        games=[{"name": "g1", "game": "contributions", "group": 2, "rules": {"rounds": 1}, "seconds": 500.0}],
    )
    with serving_session(journal, file) as server:
        people = people_of(server, 2)
        for person in people:
            person.join()
            while person.act(person.state()):
                pass
        server.host.act("start")
        questions = [until_asked(person) for person in people]
        server.host.act("pause")
        left = until_asked(people[0])["left"]
        assert until_asked(people[0])["left"] == left <= 500
        body = {"question": questions[0]["id"], "values": {"contribution": 1}}
        with pytest.raises(Refused, match="paused"):
            people[0].wire.call("/participate/answer", body)
        server.host.act("extend", participant=people[0].name, seconds=1000)
        assert until_asked(people[0])["left"] == left + 1000
        assert until_asked(people[1])["left"] <= 500
        server.host.act("notice", text="Back  in\na minute <b>")
        assert people[1].state()["notice"] == "Back in a minute <b>"
        server.host.act("resume")
        people[0].wire.call("/participate/answer", body)
        page = people[0].state()["page"]
        assert (page["kind"], page["seat"]["state"]) == ("game", "waiting")
        server.host.act("end")
        state = server.host.state()
        assert [row["outcome"] for row in state["participants"]] == ["ended", "ended"]
        assert {row["payment"] for row in state["participants"]} == {"3.00"}


def test_groups_start_when_they_are_full(journal: Journal) -> None:
    file = session_file(
        session={"participants": 4, "start": "full"},
        games=[{"name": "g1", "game": "contributions", "group": 2, "rules": {"rounds": 1}}],
    )
    with serving_session(journal, file) as server:
        first = all_play(people_of(server, 2))
        joined(first)
        assert server.host.state()["counts"]["done"] == 2
        joined(all_play(people_of(server, 2)))
        server.host.until(lambda state: state["session"]["state"] == "ended")
        assert {row.key for row in journal.games(server.live.experiment)} == {"g1/table 1/1", "g1/table 1/2"}


@pytest.mark.slow
def test_forty_two_people_of_two_treatments_meet_strangers_and_models(journal: Journal, tmp_path: Path) -> None:
    # 42 people cannot form groups of four without a model.
    with provider_process("--models", "ash", "--draw-by", "reference") as provider:
        bot = tmp_path / "ash.json"
        bot.write_text(json.dumps({"model": "ash", "base_url": provider.base_url}))
        game = {"name": "g1", "game": "contributions", "group": 4, "matching": "strangers", "tables": 3}
        file = session_file(
            session={"name": "forty", "participants": 44},
            treatments=TWO_TREATMENTS,
            games=[{**game, "rules": {"rounds": 2}, "fill": str(bot)}],
        )
        with serving_session(journal, file) as server:
            people = people_of(server, 42)
            state = play_to_the_end(server, people)
            rows = journal.games(server.live.experiment)
            entries = journal.sessions.entries(server.live.id)
    treatments = {row["participant"]: row["treatment"] for row in state["participants"]}
    counts = Counter(treatments.values())
    assert abs(counts["plain"] - counts["punishment"]) <= 4
    assert counts.total() == 42
    groups = [entry.data for entry in entries if entry.kind == "group_formed"]
    assert {row.key for row in rows} == {group["key"] for group in groups}
    assert all(row.state == "finished" and len(row.players) == 4 for row in rows)
    models = [player for row in rows for player in row.players if not player.startswith("human:")]
    assert set(models) == {"ash"}
    assert len(models) == 3 * sum(-count % 4 for count in counts.values())
    for table in (1, 2, 3):  # Everybody sits at one table of their treatment.
        sat = [seat for group in groups if group["table"] == table for seat in group["seats"]]
        assert sorted(seat for seat in sat if isinstance(seat, int)) == list(range(1, 43))
    for group in groups:
        own = {treatments[f"person-{seat:02d}"] for seat in group["seats"] if isinstance(seat, int)}
        assert own == {group["treatment"]}
        rules = journal.record(next(row.id for row in rows if row.key == group["key"])).rules
        assert rules["punishment"] == (group["treatment"] == "punishment")
    tables = [{frozenset(group["seats"]) for group in groups if group["table"] == table} for table in (1, 2, 3)]
    assert all(len(one & other) <= 1 for one, other in combinations(tables, 2))
    earned = finals_by_person(journal, server.live.experiment)
    for person in people:
        assert person.payment is not None
        assert_adds_up(person.payment)
        (line,) = (line for line in person.payment["lines"] if line["points"] is not None)
        assert line["points"] == pytest.approx(earned[f"human:{person.name}"])
        assert len(person.results) == 3
