"""Ctrl-C on a server at which a person sits: a clean end, nothing lost, and the game goes on: by the command, or from a
page of another server."""

import signal
import subprocess
from pathlib import Path

import pytest

from at_seats import all_sit, answer_next, call, links_in, sit, started, until
from ostrom.experiment.match import replay
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

PLAYERS = ["human", "Cooperator", "FreeRider", "ConditionalCooperator", "human"]


def serving(folder: Path) -> tuple["subprocess.Popen[str]", str]:
    process = started(folder, "serve", "--port", 0)
    assert process.stdout is not None
    line = process.stdout.readline()
    return process, next(word for word in line.split() if word.startswith("http")).rstrip("/")


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert "Traceback" not in err
    return process.returncode, err


def journal_of(folder: Path) -> Journal:
    return Journal.open(f"sqlite:///{folder}/ostrom.db")


@pytest.mark.parametrize("by", ["command", "page"])
def test_a_game_with_people_survives_its_server(tmp_path: Path, by: str) -> None:
    process, address = serving(tmp_path)
    body = {"game": "punish", "players": PLAYERS, "seed": 11, "rules": {"rounds": 2}}
    status, game = call(address, "/games", body=body)
    assert status == 201, game
    first, second = (seat["token"] for seat in game["seats"])
    begin(address, first, second)
    status, err = ended(process)
    assert status == 0
    assert f"ostrom resume {game['experiment']}" in err
    with journal_of(tmp_path) as journal:
        (row,) = journal.games()
        assert row.state == "playing"
        before, calls = journal.record(row.id).answers, journal.calls(row.id)
        # The answer that was confirmed is there; the question that was open left no trace.
        assert [a.seat for a in before if a.phase == "contribution" and a.seat in (0, 4)] == [0]
        assert len(calls) == 3

    if by == "command":
        process = started(tmp_path, "resume", game["experiment"], "--port", 0, "--new-links")
        assert process.stdout is not None
        links = links_in(process.stdout, 2)
        assert not {first, second} & {token for _, token in links}
    else:
        process, address = serving(tmp_path)
        status, again = call(address, f"/experiments/{game['experiment']}/resume", body={})
        assert status == 200, again
        # The links that people have are good here too, and are told to nobody.
        assert [seat["token"] for seat in again["seats"]] == [None, None]
        links = [(address, first), (address, second)]
    assert until(*links[1], "asked")["question"]["id"] == "1-contribution"
    answer_next(*links[1])
    ends = all_sit(links)
    assert [end["state"] for end in ends] == ["over", "over"]
    if by == "command":
        _, err = process.communicate(timeout=600)
        assert (process.returncode, "Traceback" in err) == (0, False)
    else:
        assert ended(process) == (0, "")
    with journal_of(tmp_path) as journal:
        (row,) = journal.games()
        record = journal.record(row.id)
        assert row.state == "finished"
        assert [answer for answer in record.answers if answer in before] == before
        assert [call for call in journal.calls(row.id) if call in calls] == calls
        replay(record)


def begin(address: str, first: str, second: str) -> None:
    """Both speak, the first contributes, the second still thinks."""
    said = set()
    while said != {first, second}:
        for token in (first, second):
            question = call(address, "/seat", token)[1]["question"]
            if question is not None and question["phase"] == "message":
                answer_next(address, token)
                said.add(token)
    answer_next(address, first)
    until(address, second, "asked")


def test_a_person_who_plays_to_the_end_on_a_server(tmp_path: Path) -> None:
    process, address = serving(tmp_path)
    body = {"game": "commons", "players": ["human", "Pavlov", "Parasite"], "rules": {"turns": 3}}
    _, game = call(address, "/games", body=body)
    end = sit(address, game["seats"][0]["token"])
    assert (end["state"], end["result"]["unit"]) == ("over", "capital")
    assert ended(process) == (0, "")
