"""Joining once: a request that is sent again, since its reply was lost, gets the same place."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ostrom.experiment.session.creating import NewSession, create_session
from ostrom.journal.sessions import token_digest
from ostrom.journal.sql import Journal
from session_people import Wire
from session_server import SessionServer, serving_session, session_file

KEY, OTHER = "k" * 32, "o" * 32
pytestmark = pytest.mark.slow


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        yield journal


@pytest.fixture
def new(journal: Journal) -> NewSession:
    """A session that is joined by single-use links."""
    return create_session(journal, session_file(session={"join": "links"}))


def request(server: SessionServer, key: str, link: str) -> tuple[int, str]:
    body: dict[str, Any] = {"code": server.code, "link": link, "key": key}
    return Wire(server.address, keep=False).raw("/participate/join", body)


def test_the_same_key_gets_the_same_place_also_at_once_and_after_a_restart(journal: Journal, new: NewSession) -> None:
    link = new.links[0]
    with serving_session(journal, new) as server:
        with ThreadPoolExecutor(4) as at_once:
            replies = set(at_once.map(lambda _: request(server, KEY, link), range(4)))
        assert len(replies) == 1
        assert next(iter(replies))[0] == 200
        assert len(server.live.state.participants) == 1
        assert request(server, OTHER, link)[0] == 403
        assert request(server, "too short", link)[0] == 422
    with serving_session(journal, new) as server:
        assert {request(server, KEY, link)} == replies
        assert request(server, OTHER, new.links[1])[0] == 200
        assert len(server.live.state.participants) == 2


def test_a_link_whose_use_was_cut_off_by_a_kill_still_works(journal: Journal, new: NewSession) -> None:
    assert journal.sessions.use_link(new.stored.id, token_digest(new.links[0]), 1)
    digest = token_digest("the token of a person who never got it")
    journal.sessions.add_token(new.stored.id, digest, participant=1, purpose="participant")
    with serving_session(journal, new) as server:
        assert request(server, KEY, new.links[0])[0] == 200
        assert server.live.tokens.participant("the token of a person who never got it") is None
