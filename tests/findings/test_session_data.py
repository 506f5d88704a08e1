"""The data of a session: tidy tables, oTree's shapes, and transcripts that give the same decisions again."""

import csv
import json
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from kept import HOSTILE, opened
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.findings.otree_tables import otree_long, otree_wide
from ostrom.findings.session_data import load_session_data, tidy_tables
from ostrom.findings.session_export import SessionFormat, export_session
from ostrom.findings.transcripts import (
    _plain,
    format_choice,
    parse_choice,
    prompts_of,
    read_answers,
    read_transcripts,
    transcripts,
)
from stored_session import SECRET, decide_by_number, play_session


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    with opened(f"sqlite:///{tmp_path_factory.mktemp('data') / 'journal.db'}") as journal:
        play_session(journal)
        yield journal


@pytest.fixture(scope="module")
def data(journal):
    return load_session_data(journal, "class", personal=True)


def test_the_tidy_tables_have_every_answer_with_its_times_and_refused_tries(data):
    tables = tidy_tables(data)
    assert list(tables["participants"]["participant"]) == [f"person-0{number}" for number in range(1, 5)]
    decisions = tables["decisions"]
    own = decisions.filter(decisions["own"])
    assert own.height == sum(person.answered for person in data.state.participants.values())
    assert set(own["seconds"]) == {1.0}
    assert own["refused"].to_list() == own["seat"].to_list()
    replaced = decisions.filter(decisions["decided_by"].is_not_null())
    assert set(replaced["participant"]) == {"person-02"}
    assert set(replaced["own"]) == {False}
    numbers = own.filter(own["phase"] == "contribution")
    for person, turn, value in zip(numbers["participant"], numbers["turn"], numbers["value"], strict=True):
        assert int(value) == (int(person[-2:]) * 3 + turn) % 21
    quiz = tables["quiz"].select("attempt", "value", "right").unique().sort("attempt")
    assert quiz.rows() == [(1, "3", False), (2, "2", True)]
    assert tables["consent"].select("version", "agreed").unique().rows() == [("2", True)]
    assert tables["beliefs"].select("value", "truth", "points").unique().rows() == [(10.0, 8.0, 1.8)]
    seats = tables["tables"]
    assert set(seats.filter(seats["filled"])["player"]) == {"FreeRider"}
    assert seats["practice"].sum() > 0
    payments = tables["payments"]
    for person in data.state.participants.values():
        own_lines = payments.filter(payments["participant"] == person.name)
        assert sum(round(float(amount) * 100) for amount in own_lines["amount"]) == round(
            float(person.paid.total) * 100
        )


def test_personal_values_are_only_there_on_request(journal, tmp_path):
    for format_ in SessionFormat:
        for personal in (False, True):
            folder = tmp_path / f"{format_}-{personal}"
            export_session(journal, "class", format_, folder, personal=personal)
            text = "".join(path.read_text() for path in folder.glob("*.*") if path.suffix != ".zip")
            for path in folder.glob("*.zip"):
                text += zipfile.ZipFile(path).read("prompts.jsonl").decode()
            # Messages of the games are decisions, so they are in every export.
            assert ("because " in text) == personal
            assert (f"{SECRET}-1" in text) == (personal and format_ is SessionFormat.tidy)
            assert ("hello from" in text) == (personal and format_ is SessionFormat.tidy)
    with pytest.raises(InputError, match="exists already"):
        export_session(journal, "class", SessionFormat.tidy, folder)


def test_the_wide_shape_of_otree_has_a_row_for_each_participant(data):
    wide = otree_wide(data)["all_apps_wide"]
    assert wide.height == 4
    first = ("id_in_session", "code", "label", "_is_bot", "_index_in_pages", "_max_page_index")
    assert wide.columns[:6] == [f"participant.{name}" for name in first]
    assert {"session.code", "session.config.participation_fee"} < set(wide.columns)
    for name in ("player.id_in_group", "player.payoff", "group.id_in_subsession", "subsession.round_number"):
        assert f"g1.4.{name}" in wide.columns
    rows = {row["participant.id_in_session"]: row for row in wide.iter_rows(named=True)}
    for number, row in rows.items():
        assert row["g1.1.player.contribution"] == (number * 3 + 1) % 21
        assert row["g1.2.player.contribution"] == (number * 3 + 2) % 21
        assert row["g1.1.subsession.round_number"] == 1
        assert row["questionnaire.1.player.age"] == 20 + number
    assert rows[2]["g1.3.player.contribution_decided_by"] == "FreeRider"
    assert rows[1]["participant.payoff"] == pytest.approx(
        rows[1]["g1.2.player.payoff"] + rows[1]["g1.4.player.payoff"] + 1.8
    )


def test_the_long_shape_of_otree_has_a_row_for_each_participant_and_round(data):
    tables = otree_long(data)
    app_table = tables["g1"]
    assert app_table.height == 4 * 4
    assert sorted(set(app_table["subsession.round_number"])) == [1, 2, 3, 4]
    assert tables["g1_practice"].height == 4
    assert tables["questionnaire"].height == 4
    times = tables["PageTimes"]
    assert times.columns[:4] == ["session_code", "participant_id_in_session", "participant_code", "page_index"]
    for number in range(1, 5):
        own = times.filter(times["participant_id_in_session"] == number)
        assert own["page_index"].to_list() == list(range(1, own.height + 1))
        assert own["epoch_time_completed"].is_sorted()


def decisions_of(data, number):
    return [decision for decision in data.decisions() if decision.participant == number and decision.own]


def test_transcripts_read_again_give_the_same_decisions(journal, data, tmp_path):
    export_session(journal, "class", SessionFormat.psych_201, tmp_path / "out")
    lines = list(read_transcripts(tmp_path / "out" / "prompts.jsonl.zip"))
    assert [line["participant"] for line in lines] == [f"person-0{number}" for number in range(1, 5)]
    for number, line in enumerate(lines, start=1):
        answers = read_answers(line["text"])
        expected = [decision.answer.value for decision in decisions_of(data, number)]
        assert [answer.value for answer in answers[: len(expected)]] == expected
        assert [answer.value for answer in answers[len(expected) :]] == [10.0, 20 + number]
        assert len(line["RTs"]) == len(answers)
        assert line["text"].count("<<") == line["text"].count(">>") == len(answers)
    assert "contribution?" in lines[0]["text"]
    assert "&lt;&lt;12&gt;&gt;" in lines[0]["text"]


HOSTILE_TEXTS = st.text(st.sampled_from('<>&:\n\r\u2028\x85"\\ua1{}') | st.characters(), max_size=60)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(HOSTILE_TEXTS | st.integers() | st.none() | st.dictionaries(HOSTILE_TEXTS, HOSTILE_TEXTS, max_size=2)),
    HOSTILE_TEXTS,
)
@example(["<<12>>", "a: <<3>>\n", "true", "null", "Infinity", HOSTILE], "x: <<4>>\nturn: <<5>>")
def test_hostile_texts_neither_add_nor_change_a_decision(values, prompt):
    lines = [part for value in values for part in (_plain(prompt), f"g, turn 1, say: <<{format_choice(value)}>>")]
    answers = read_answers("\n".join(lines))
    assert [answer.value for answer in answers] == values
    assert all(answer.place == "g, turn 1, say" for answer in answers)
    assert all(parse_choice(format_choice(value)) == value for value in values)


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.lists(HOSTILE_TEXTS, min_size=1, max_size=3))
def test_hostile_messages_of_a_played_session_come_back(tmp_path_factory, texts):
    def decide(participant, question):
        if question.phase == "message":
            return " ".join(texts[question.turn % len(texts)].split())[:40]
        return decide_by_number(participant, question)

    with opened(f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'journal.db'}") as journal:
        play_session(journal, decide=decide)
        data = load_session_data(journal, "class")
        for number, line in enumerate(transcripts(data, prompts_of(journal, data)), start=1):
            assert json.loads(json.dumps(line)) == line
            expected = [decision.answer.value for decision in decisions_of(data, number)]
            assert [answer.value for answer in read_answers(line["text"])][: len(expected)] == expected


def test_a_file_that_is_no_transcript_is_refused_in_one_line(tmp_path):
    path = tmp_path / "x.zip"
    for content in (None, b"[]", b"{", b'{"text": 3}'):
        if content is not None:
            with zipfile.ZipFile(path, "w") as folder:
                folder.writestr("prompts.jsonl", content)
        with pytest.raises(InputError) as refusal:
            list(read_transcripts(path))
        assert "\n" not in str(refusal.value)


def test_the_commands_export_and_forget(tmp_path):
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with opened(store) as journal:
        play_session(journal)
    run = CliRunner().invoke
    done = run(app, ["session", "export", "class", "-o", str(tmp_path / "out"), "--store", store])
    assert done.exit_code == 0, done.output
    with (tmp_path / "out" / "decisions.csv").open() as file:
        assert len(list(csv.DictReader(file))) > 20
    assert json.loads((tmp_path / "out" / "session.json").read_text())["file"]["session"]["labels"] == []
    assert "add --yes" in str(run(app, ["session", "forget", "class", "--store", store]).exception)
    due = run(app, ["session", "forget", "--due", "--yes", "--json", "--store", store])
    assert [one["id"] for one in json.loads(due.stdout)["forgotten"]] == ["s-1"]
    assert run(app, ["session", "forget", "--due", "--store", store]).stdout == "No session is due.\n"
    both = run(app, ["session", "forget", "class", "--due", "--store", store])
    assert isinstance(both.exception, InputError)
