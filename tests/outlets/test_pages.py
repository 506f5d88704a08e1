"""Every hostile text through every answer of the server and every page that is written: JSON that is exact, headers
that nobody adds to, and no element that a text began or ended."""

import json
import re
from collections.abc import Iterator

import pytest
from hostile import TEXTS, journal, record
from starlette.testclient import TestClient
from test_commands import scripts

from ostrom.journal.sql import Journal
from ostrom.web.pages import VIEWER, page_of, pages_folder
from serving import client

GIVEN = {"experiment": "punish-1", "game": "punish-1.1", "kind": "punish", "name": "mean_final", "chart": "mean_final"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with Journal.open(journal(tmp_path_factory.mktemp("served") / "journal.db")) as kept, client(kept) as found:
        yield found


@pytest.mark.slow
def test_every_answer_is_json_whatever_others_wrote(lab: TestClient) -> None:
    document = lab.get("/api/openapi.json").json()
    routes = [path for path, ways in document["paths"].items() if "get" in ways]
    asked = 0
    for route in routes:
        response = document["paths"][route]["get"]["responses"].get("200", {})
        if "application/json" not in response.get("content", {}):
            continue  # a stream
        path = re.sub(r"\{(\w+)\}", lambda found: GIVEN.get(found[1], "punish"), route)
        answer = lab.get(path)
        assert answer.status_code < 500, (path, answer.text[:300])
        assert answer.headers["content-type"].startswith("application/json"), path
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in answer.headers
        json.loads(answer.content)
        asked += answer.status_code == 200
    assert asked > 8


@pytest.mark.parametrize("name", ["clipboard", "script", "header", "bidi", "path", "long", "sql", "half"])
def test_a_hostile_address_is_refused_in_one_line_of_json(lab: TestClient, name: str) -> None:
    text = TEXTS[name].encode("utf-8", "replace").decode()[:2_000]
    header = text.encode("ascii", "replace").decode().replace("\n", "").replace("\r", "")
    for answer in (
        lab.get("/api/games", params={"experiment": text, "text": text}),
        lab.get("/api/games/x", headers={"X-Text": header}),
        lab.get("/api/messages", params={"text": text, "player": text}),
    ):
        assert answer.status_code < 500
        assert answer.headers["content-type"].startswith("application/json")
        assert "\n" not in json.loads(answer.content).get("detail", "")
        assert not any(text[:20] in value for value in answer.headers.values() if text)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_exported_page_has_the_viewers_own_scripts_and_the_whole_game(text: str) -> None:
    viewer = (pages_folder() / VIEWER).read_text(encoding="utf-8")
    page = page_of(record(1, name=text[:300], text=text))
    assert scripts(page) == scripts(viewer)
    inside = re.search(r'<script id="game" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert inside is not None
    assert inside[1].isascii()
    game = json.loads(inside[1])
    assert game["seats"][0]["player"] == text[:300]
    assert {one["value"] for one in game["answers"] if one["phase"] == "message"} == {text, ""}
