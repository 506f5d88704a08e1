"""People take part in whole sessions over HTTP: groups, treatments, tables and payments are those of the file."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ostrom.journal.sql import Journal
from session_people import all_play, joined, random_contributions
from session_server import serving_session, session_file


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


def test_four_people_play_a_session_to_its_payment(journal: Journal) -> None:
    with serving_session(journal, session_file()) as server:
        people = [server.person(policy=random_contributions(seed)) for seed in range(4)]
        threads = all_play(people)
        server.host.until(lambda state: state["counts"]["in_lobby"] == 4)
        server.host.act("start")
        joined(threads)
        state = server.host.until(lambda state: state["session"]["state"] == "ended")
    assert state["counts"]["done"] == 4
    assert [len(person.confirmed) for person in people] == [2] * 4
    (row,) = journal.games(server.live.experiment)
    assert (row.state, row.key) == ("finished", "g1/table 1/1")
    for person in people:
        met = [page for page in person.pages if page != "waiting"]
        assert list(dict.fromkeys(met)) == ["text", "lobby", "game", "results", "payment", "outcome"]
        assert person.payment is not None
        assert_adds_up(person.payment)


def assert_adds_up(payment: dict[str, Any]) -> None:
    """The lines of a payment give its total."""
    assert sum(Decimal(line["amount"]) for line in payment["lines"]) == Decimal(payment["total"])
