"""Every request that docs/serve.md shows is answered."""

import json
import re
import shlex
from pathlib import Path

import pytest

from kept import opened
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import run_experiment
from ostrom.players.roster import seat_players
from ostrom.web.runs import ExperimentRuns
from serving import client

PAGE = Path(__file__).parents[2] / "docs" / "serve.md"
SERVER = "http://127.0.0.1:8000"


def requests():
    """The requests that the page shows, each as the words of a command."""
    text = PAGE.read_text(encoding="utf-8").replace("\\\n", "")
    return [shlex.split(line) for line in re.findall(r"^curl .*$", text, flags=re.MULTILINE)]


@pytest.fixture
def lab(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "no-key-at-all-but-there-must-be-one")
    game = GAMES.of_command("punish")
    seated = seat_players(game.name)
    first = Experiment((Part(game, game.rules(), seated, 5, 4, seed=7),), name="first")
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        run_experiment(first, journal)
        with client(journal, token="rain-harbour-42-vinyl", runs=ExperimentRuns("the-store")) as lab:
            yield lab


def test_every_request_of_the_page_is_answered(lab):
    asked = requests()
    assert len(asked) > 8
    for words in asked:
        address = next(word for word in words if word.startswith(SERVER)).removeprefix(SERVER)
        body = words[words.index("-d") + 1] if "-d" in words else None
        told = {"Authorization": "Bearer rain-harbour-42-vinyl", "Content-Type": "application/json"}
        answer = lab.request("POST" if body else "GET", address, content=body, headers=told)
        made = body is not None and "estimate" not in address
        assert answer.status_code == (201 if made else 200), (address, answer.text)
        if "text/event-stream" not in answer.headers["content-type"]:
            assert json.loads(answer.text)


def test_the_token_of_the_page_is_what_lets_it_in(lab):
    assert lab.get("/api/lab").status_code == 401
