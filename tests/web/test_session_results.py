"""The host sees the results of a session and watches its tables; others cannot."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ostrom.journal.sql import Journal
from session_people import Refused, SessionHostPage, all_play, joined, random_contributions
from session_server import SessionServer, serving_session, session_file


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


def play(server: SessionServer, people: int) -> None:
    """Play a session to its end."""
    threads = all_play([server.person(policy=random_contributions(seed)) for seed in range(people)])
    server.host.until(lambda state: state["counts"]["in_lobby"] == people)
    server.host.act("start")
    joined(threads)
    server.host.until(lambda state: state["session"]["state"] == "ended")


@pytest.mark.slow
def test_the_host_shows_results_and_watches_tables_of_the_own_session(journal: Journal) -> None:
    with serving_session(journal, session_file(session={"name": "other"})) as other:
        play(other, 4)
        (foreign,) = journal.games(other.live.experiment)
    with serving_session(journal, session_file()) as server:
        assert server.host.wire.call("/host/results")["games"] == []
        play(server, 4)
        results = server.host.wire.call("/host/results")
        (game,) = results["games"]
        contribution = game["measures"][0]
        kinds = [series["kind"] for series in contribution["series"]]
        assert (results["participants"], game["tables"], kinds[0]) == (4, 1, "class")
        assert "people" in kinds
        assert len(contribution["series"][0]["values"]) == 2
        assert contribution["chart"]["spec"]
        assert "person-" not in json.dumps(results), "results have no names"
        (row,) = journal.games(server.live.experiment)
        assert server.host.wire.call(f"/host/games/{row.id}")["id"] == row.id
        assert len(server.host.wire.call(f"/host/games/{row.id}/record")["events"]) > 2
        stranger = SessionHostPage(server.address, "a" * 32)
        for path in ("/host/results", f"/host/games/{row.id}", f"/host/games/{row.id}/record"):
            with pytest.raises(Refused) as refusal:
                stranger.wire.call(path)
            assert refusal.value.status == 403
        for unknown in (foreign.id, "nothing", "%2e%2e"):
            with pytest.raises(Refused) as refusal:
                server.host.wire.call(f"/host/games/{unknown}/record")
            assert refusal.value.status == 404
