"""Every ready session is played to its end over HTTP, and nobody meets a fault."""

import pytest
from commandline import document

from ostrom.experiment.session.ready import ready_sessions

READY = [row["name"] for row in ready_sessions() if not row["missing"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", READY)
def test_a_ready_session_can_be_rehearsed(name):
    found = document("session", name, "--rehearse", "--speed", 0, "--json")
    assert found["faults"] == []
    assert {person["outcome"] for person in found["participants"]} == {"done"}
    assert {table["state"] for table in found["tables"]} == {"finished"}
    assert not any(person["missed"] for person in found["participants"])
