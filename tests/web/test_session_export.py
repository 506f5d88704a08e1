"""A session that people played over HTTP is exported in every form, and forgotten so that nothing personal remains."""

import json
from pathlib import Path
from typing import Any

import pytest

from ostrom.core import InputError
from ostrom.experiment.match import replay
from ostrom.experiment.session.forgetting import MARKER, forget_session
from ostrom.findings.session_data import load_session_data, tidy_tables
from ostrom.findings.session_export import SessionFormat, export_session
from ostrom.findings.transcripts import read_answers, read_transcripts
from ostrom.journal.sql import Journal
from session_people import SimulatedPerson, all_play, first_choices, joined
from session_server import serving_session, session_file

SECRET = "Zanzibar"


def talkative(person: SimulatedPerson, page: dict[str, Any]) -> dict[str, Any]:
    """Answers with a secret in every text."""
    values = first_choices(person, page)
    return {name: f"{SECRET} <<7>>" if isinstance(value, str) else value for name, value in values.items()}


@pytest.mark.slow
def test_what_people_did_is_exported_and_what_identifies_them_is_forgotten(tmp_path: Path) -> None:
    file = session_file(
        session={"name": "talk", "join": "labels", "labels": [f"{SECRET}-{number}" for number in range(4)]},
        consent={"text": "We record how answers are written."},
        recording={"traces": True, "retention_days": 1},
        games=[
            {
                "name": "g1",
                "game": "contributions",
                "group": 2,
                "tables": 2,
                "matching": "strangers",
                "rules": {"rounds": 2, "messages": True},
            }
        ],
        questionnaire=[{"name": "why", "text": "Why?"}],
    )
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        with serving_session(journal, file) as server:
            people = [server.person(policy=talkative, label=f"{SECRET}-{number}") for number in range(4)]
            threads = all_play(people)
            server.host.until(lambda state: state["counts"]["in_lobby"] == 4)
            server.host.act("start")
            joined(threads)
            server.host.until(lambda state: state["session"]["state"] == "ended")
            with pytest.raises(InputError, match="another process"):
                forget_session(journal, "talk")
        data = load_session_data(journal, "talk")
        decisions = tidy_tables(data)["decisions"]
        assert decisions.height == 4 * 2 * 2 * 2
        assert decisions["own"].all()
        assert (decisions["seconds"] >= 0).all()
        for format_ in SessionFormat:
            export_session(journal, "talk", format_, tmp_path / format_)
        for line in read_transcripts(tmp_path / "psych-201" / "prompts.jsonl.zip"):
            number = int(line["participant"].removeprefix("person-"))
            own = [decision.answer.value for decision in data.decisions() if decision.participant == number]
            assert [answer.value for answer in read_answers(line["text"])] == own
        finals = {row.id: row.finals for row in journal.games()}
        forget_session(journal, "talk")
        assert {row.id: row.finals for row in journal.games()} == finals
        for row in journal.games():
            record = journal.record(row.id)
            replay(record)
            assert SECRET not in json.dumps(record.model_dump(mode="json"))
            assert MARKER in {event.get("text") for event in record.events}
        assert journal.sessions.personal(data.session.id) == []
        assert not any(journal.check())
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("journal.db*"))
