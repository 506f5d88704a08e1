"""`ostrom run --include human`: a process that serves the seats, prints a link for each, and shows how the game
ended."""

import json
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from commandline import document, ostrom, seats
from typer.testing import CliRunner

from at_seats import LINK, all_sit, answer_next, call, links_in, sit, some_pages, started, until
from ostrom.cli.main import app
from ostrom.cli.serve import Place, print_links
from ostrom.core import InputError
from ostrom.experiment.hosting import Hosted
from ostrom.journal.sql import Journal
from ostrom.players.people import Room
from people import game_with

OTHERS = seats("Cooperator", "FreeRider", "ConditionalCooperator")


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=600)
    assert "Traceback" not in err
    return process.returncode, out, err


@pytest.mark.slow
def test_five_people_play_a_whole_game(tmp_path: Path) -> None:
    process = started(tmp_path, "run", "punish", *seats("human:5"), "--rule", "rounds=2", "--port", 0)
    assert process.stdout is not None
    ends = all_sit(links_in(process.stdout, 5))
    status, out, err = ended(process)
    assert status == 0, err
    assert [end["state"] for end in ends] == ["over"] * 5
    assert {f"P{seat} has joined" for seat in range(1, 6)} <= {line.partition(",")[0] for line in err.splitlines()}
    assert err.count("5 of 5") == 1
    assert [end["label"] for end in ends] == ["P1", "P2", "P3", "P4", "P5"]
    assert "Contribute & Punish" in out
    with Journal.open(f"sqlite:///{tmp_path}/ostrom.db") as journal:
        (row,) = journal.games()
        assert (row.state, row.players) == ("finished", ("human",) * 5)
        assert len(journal.calls(row.id)) == 30


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("127.0.0.1", "on this machine (--host 0.0.0.0 lets others in), 60 s"),
        ("0.0.0.0", "One person opens this link, 60 s"),
    ],
)
def test_links_are_told_with_who_can_open_them(capsys: pytest.CaptureFixture[str], host: str, told: str) -> None:
    room = Room([0], 60.0)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        print_links(Hosted(game_with(["human", *OTHERS[1::2]]), "punish-1", room), Place(bound, host))
    said = capsys.readouterr().out
    assert told in said
    ((address, token),) = LINK.findall(said)
    assert token == room.seats[0].token
    assert ("127.0.0.1" in address) == (host == "127.0.0.1")
    assert "0.0.0.0:" not in address


@pytest.mark.slow
def test_one_person_beside_algorithms_and_stdout_is_json_alone(tmp_path: Path) -> None:
    process = started(
        tmp_path, "run", "punish", *seats("human"), *OTHERS, "--rule", "rounds=1", "--seed", 5, "--port", 0, "--json"
    )
    assert process.stderr is not None
    ((address, token),) = links_in(process.stderr, 1)
    # Who plays is not to see who sits beside them: nothing but seats is served.
    for path in ("/games", "/experiments", "/lab"):
        assert call(address, path)[0] == 404
    end = sit(address, token)
    status, out, _ = ended(process)
    assert status == 0
    document = json.loads(out)
    finals = {row["label"]: row["final"] for row in document["standings"]}
    assert finals == {row["label"]: row["final"] for row in end["result"]["standings"]}


@pytest.mark.slow
def test_ctrl_c_stops_in_order_and_resume_finishes_what_was_begun(tmp_path: Path) -> None:
    process = started(tmp_path, "run", "punish", *seats("human"), *OTHERS, "--rule", "rounds=2", "--port", 0)
    assert process.stdout is not None
    ((address, token),) = links_in(process.stdout, 1)
    decided = [answer_next(address, token)["id"], answer_next(address, token)["id"]]
    until(address, token, "asked")
    process.send_signal(signal.SIGINT)
    status, _, err = ended(process)
    assert status == 1
    assert "Resume with: ostrom resume punish-1" in err
    with Journal.open(f"sqlite:///{tmp_path}/ostrom.db") as journal:
        (row,) = journal.games()
        before = journal.record(row.id).answers
        assert len(journal.calls(row.id)) == 2

    process = started(tmp_path, "resume", "punish-1", "--port", 0, "--new-links")
    assert process.stdout is not None
    ((again, new),) = links_in(process.stdout, 1)
    assert new != token
    seat = until(again, new, "asked")
    assert seat["question"]["id"] not in decided
    assert len(seat["decided"]) == 2
    assert sit(again, new)["state"] == "over"
    status, out, err = ended(process)
    assert status == 0, err
    assert "kept as" in out
    with Journal.open(f"sqlite:///{tmp_path}/ostrom.db") as journal:
        (row,) = journal.games()
        assert row.state == "finished"
        after = journal.record(row.id).answers
        assert [answer for answer in after if answer in before] == before


def test_who_does_not_answer_in_time_gets_the_fallback_and_the_command_says_so(tmp_path: Path) -> None:
    done = ostrom(
        "run", "punish", *seats("human"), *OTHERS, "--rule", "rounds=1", "--seconds", 0.05, "--wait", 0, "--port", 0,
        folder=tmp_path, OSTROM_PAGES=str(some_pages(tmp_path)),
    )  # fmt: skip
    assert done.returncode == 0
    assert "3 of 12 answers are defaulted" in done.stderr
    status = ostrom("status", folder=tmp_path, COLUMNS="160")
    line = next(line for line in status.stdout.splitlines() if "human P1" in line)
    assert "3 absent" in line
    assert "–" in line


def test_a_void_game_is_told_as_one(tmp_path: Path) -> None:
    done = ostrom(
        "run", "punish", *seats("human"), *OTHERS, "--seconds", 0.05, "--wait", 0, "--policy", "void", "--port", 0,
        folder=tmp_path, OSTROM_PAGES=str(some_pages(tmp_path)),
    )  # fmt: skip
    assert done.returncode == 2
    assert "is void: " in done.stderr.splitlines()[-1]


def test_a_taken_port_is_told_where_it_was_named_and_another_one_is_found_where_not(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = ostrom(
            "run", "punish", *seats("human"), *OTHERS, "--port", port,
            folder=tmp_path, OSTROM_PAGES=str(some_pages(tmp_path)),
        )  # fmt: skip
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert f"port {port} is already in use" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["run", "punish", *seats("human")], "at least 3 players"),
        (["run", "punish", *seats("human:0", "Cooperator")], "must be 1 or more"),
        (["run", "punish", *seats("human:2000")], "at most"),
        (["run", "punish", *seats("humans"), *OTHERS], "there is no"),
        (["run", "punish", *seats("human"), *OTHERS, "--seconds", "0"], "seconds for an answer"),
        (["run", "punish", *seats("human"), *OTHERS, "--retries", "3"], "--retries is for models"),
        (["run", "punish", *seats("human"), *OTHERS, "--dry-run"], "--dry-run is for models"),
        (["run", "punish", *OTHERS, "--seconds", "3"], "--seconds is for people"),
        (["run", "punish", *seats("human"), *OTHERS, "--wait", "-1"], "from 0 to 86,400"),
        (["run", "punish", *OTHERS, "--wait", "3"], "--wait is for people"),
        (["run", "punish", *OTHERS, "--port", "3"], "--port is for people"),
        (["bench", "punish", *seats("human"), *OTHERS, "--games", "3"], "ostrom run GAME --include human"),
        (["bench", "commons", *seats("human", "Pavlov"), "--games", "1"], "ostrom run GAME --include human"),
        (["bench", "battery", "--subject", "human", "--subject", "selfish"], "a person must be the only subject"),
        (["bench", "battery", "--subject", "human:a b"], "a person's id"),
        (["bench", "battery", "--subject", "selfish", "--seconds", "9"], "seconds is for people"),
        (["tournament", *seats("human", "Pavlov")], "ostrom run GAME --include human"),
        (
            ["run", "punish", *seats("human"), *OTHERS, "--host", "no.such.host.invalid"],
            "not an address of this machine",
        ),
    ],
)
def test_what_cannot_be_is_told_in_one_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OSTROM_PAGES", str(some_pages(tmp_path)))
    done = CliRunner().invoke(app, arguments)
    assert isinstance(done.exception, InputError), done
    assert reason in str(done.exception)
    assert "\n" not in str(done.exception)
    assert done.stdout == ""
    assert not (tmp_path / "ostrom.db").exists()


def test_an_estimate_is_of_the_models_at_the_table_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    made = document("run", "punish", *seats("human:2"), "--llm", "openai:gpt-5-mini", "--dry-run")
    assert list(made["dry_run"]["models"]) == ["openai:gpt-5-mini"]


def test_without_pages_there_is_one_line_on_how_to_build_them(tmp_path: Path) -> None:
    done = ostrom("run", "punish", *seats("human"), *OTHERS, folder=tmp_path, OSTROM_PAGES=str(tmp_path / "nowhere"))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "the pages are not built" in done.stderr
    assert not (tmp_path / "ostrom.db").exists()
