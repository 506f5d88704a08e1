"""A host of people is killed with -9: after a restart the same links lead to the same seats, with the time that was
left, and no link is in the journal."""

import signal
import time
from pathlib import Path

import pytest
from system_lab import PATIENCE

from at_seats import answer_next, call, links_in, started, until
from clusters import free_port

pytestmark = pytest.mark.slow

TABLE = ("--include", "human", "--include", "Cooperator", "--include", "FreeRider", "--include", "Retaliator")
SECONDS = 600
"""How long a person may think."""


def found(address: str, token: str) -> dict:
    """The seat, as soon as the host is there again."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        time.sleep(0.05)
        try:
            status, seat = call(address, "/seat", token)
        except OSError:
            continue
        assert status in (200, 503), seat
        if status == 200 and seat["state"] == "asked":
            return seat
    raise AssertionError("the host did not come back")


def no_link_in(folder: Path, token: str) -> bool:
    return not any(token.encode() in file.read_bytes() for file in folder.glob("ostrom.db*"))


def test_the_same_link_leads_to_the_same_question_with_the_time_that_was_left(tmp_path: Path) -> None:
    held = ("--port", free_port(), "--seconds", SECONDS)
    run = started(tmp_path, "run", "punish", "--seed", 7, "--rounds", 2, *TABLE, *held)
    assert run.stdout is not None
    ((address, token),) = links_in(run.stdout, 1)
    answer_next(address, token)
    asked = until(address, token, "asked")
    # The clocks are kept every two seconds.
    while until(address, token, "asked")["question"]["left"] > SECONDS - 5:
        time.sleep(0.1)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert no_link_in(tmp_path, token)
    resumed = started(tmp_path, "resume")
    try:
        again = found(address, token)
        assert again["question"]["id"] == asked["question"]["id"]
        assert again["question"]["text"] == asked["question"]["text"]
        assert again["decided"] == asked["decided"]
        assert again["version"] > asked["version"]
        # What was left when it was last kept: not the whole time, and the time without a host does not count.
        assert SECONDS - 300 < again["question"]["left"] < SECONDS - 1
        answer_next(address, token)
        assert call(address, "/seat", token[:-1] + ("A" if token[-1] != "A" else "B"))[0] == 403
    finally:
        resumed.send_signal(signal.SIGINT)
        out, err = resumed.communicate()
    assert "The links that people have still work" in out, out + err
    assert token not in out + err
    assert no_link_in(tmp_path, token)


def test_who_opens_a_link_goes_on_with_the_game_of_a_server_that_was_killed(tmp_path: Path) -> None:
    port = free_port()
    server = started(tmp_path, "serve", "--port", port)
    assert server.stdout is not None
    server.stdout.readline()
    address = f"http://127.0.0.1:{port}"
    body = {"game": "punish", "players": ["human", "Cooperator", "FreeRider"], "rules": {"rounds": 2}, "seed": 3}
    (seat,) = call(address, "/games", body=body)[1]["seats"]
    asked = answer_next(address, seat["token"]), until(address, seat["token"], "asked")
    server.send_signal(signal.SIGKILL)
    server.communicate()
    server = started(tmp_path, "serve", "--port", port)
    try:
        again = found(address, seat["token"])
        assert again["question"]["id"] == asked[1]["question"]["id"]
        assert len(again["decided"]) == 1
        (link,) = call(address, "/experiments/punish-1/seats")[1]["seats"]
        assert (link["token"], link["state"]) == (None, "thinking")
        status, renewed = call(address, "/experiments/punish-1/seats/0/link", body={})
        assert status == 200
        assert call(address, "/seat", seat["token"])[0] == 403
        answer_next(address, renewed["token"])
        assert call(address, "/experiments/punish-1/seats/1/link", body={})[0] == 404
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate()
    assert no_link_in(tmp_path, seat["token"])
    assert no_link_in(tmp_path, renewed["token"])
