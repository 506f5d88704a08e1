"""Cards, pages to share, and the page that other sites may show in a frame."""

import html
import re

import pytest

from kept import HOSTILE, opened, punish
from ostrom.web.built_files import EMBEDDED_POLICY, BuiltFiles, read_built_files
from ostrom.web.middleware import HEADERS
from serving import client

CARDS = ("games/punish-1.1", "players/model%2F0?kind=punish", "charts/trueskill?kind=punish", "findings/0?kind=punish")


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        experiment = journal.new_experiment("shown", kind="punish")
        for number in range(2):
            journal.add_game(experiment, punish(number, text=HOSTILE), key=str(number))
        journal.names.give("model/0", '<b onclick="x">First')
        yield journal


@pytest.mark.slow
def test_every_card_is_a_picture_and_every_page_to_share_names_it(journal):
    with client(journal) as lab:
        for path in CARDS:
            card = lab.get(f"/api/cards/{path}")
            assert (card.status_code, card.headers["content-type"]) == (200, "image/png"), path
            assert card.content.startswith(b"\x89PNG")
            again = lab.get(f"/api/cards/{path}", headers={"If-None-Match": card.headers["etag"]})
            assert again.status_code == 304
            page = lab.get(f"/share/{path}").text
            image = html.unescape(re.findall(r'og:image" content="([^"]+)"', page)[0])
            assert lab.get(image).content == card.content
            assert re.search(r'http-equiv="refresh" content="0; url=/#/\w', page)
            assert "<b" not in page.replace("<body", "")
            assert "<script" not in page
        assert lab.get("/api/cards/games/nothing").status_code == 404
        assert "og:image" not in lab.get("/share/games/nothing").text


def test_a_server_with_a_token_says_nothing_on_pages_to_share(journal):
    with client(journal, token="a-token-of-many-letters") as lab:
        for path in CARDS:
            page = lab.get(f"/share/{path}").text
            assert "og:" not in page
            assert "First" not in page
            assert lab.get(f"/api/cards/{path}").status_code == 401


def test_only_the_page_for_frames_may_be_framed(tmp_path):
    (tmp_path / "embed").mkdir()
    for name in ("index.html", "embed/index.html"):
        (tmp_path / name).write_text("<!doctype html>")
    files = BuiltFiles(None, read_built_files(tmp_path))  # type: ignore[arg-type]
    framed, plain = (files._answer(name, "GET", {}).headers for name in ("embed/", "index.html"))  # type: ignore[arg-type]
    assert framed["content-security-policy"] == EMBEDDED_POLICY
    assert "frame-ancestors *" in EMBEDDED_POLICY
    assert EMBEDDED_POLICY.replace("frame-ancestors *", "frame-ancestors 'none'") == HEADERS["Content-Security-Policy"]
    assert "content-security-policy" not in plain
