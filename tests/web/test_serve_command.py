"""The command `ostrom serve`: options, errors, its address and its documentation."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from fork_server import COMMANDS, starts_python
from kept import opened
from ostrom.cli.serve import read_token, serve, welcome_line
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.experiment.plan import Experiment, Part
from ostrom.experiment.store import run_experiment
from ostrom.players.roster import seat_players
from ostrom.web import server
from ostrom.web.runs import ExperimentRuns
from ostrom.web.server import own_address, server_address
from serving import client

OSTROM = Path(sys.executable).parent / "ostrom"


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Ostrom</title>")
    return folder


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path / 'journal.db'}"


@contextmanager
def serving(pages, *arguments, **environment):
    """The process and the address that it prints."""
    whole = os.environ | {"OSTROM_PAGES": str(pages)} | environment
    command = ["serve", "--port", "0", *arguments]
    if starts_python(environment):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
        process = subprocess.Popen([OSTROM, *command], env=whole, **pipes)
    else:
        process = COMMANDS.start(command, Path.cwd(), whole)
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield process, line.removeprefix("The lab is open at ").split(" ")[0].strip()
    finally:
        process.kill()
        process.communicate()


def refused(pages, *arguments, **environment):
    """The one line with which the command ends."""
    whole = os.environ | {"OSTROM_PAGES": str(pages)} | environment
    status, out, err = COMMANDS.run(["serve", *arguments], Path.cwd(), whole)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err.removeprefix("ostrom: ").strip()


def test_a_fresh_journal_is_made_and_shown_empty(pages, store, tmp_path):
    with serving(pages, "--store", store) as (_, address):
        assert httpx2.get(address).text == "<!doctype html><title>Ostrom</title>"
        assert httpx2.get(f"{address}api/experiments").json()["total"] == 0
        assert httpx2.get(f"{address}api/lab").json()["starts"] is True
    assert (tmp_path / "journal.db").exists()


@pytest.mark.slow
@pytest.mark.parametrize("heard", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_with_readers_at_their_streams(pages, store, heard):
    with serving(pages, "--store", store) as (process, address), httpx2.Client(timeout=600) as reader:
        stream = reader.send(reader.build_request("GET", f"{address}api/live"), stream=True)
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("event: ")) == "event: changed"
        process.send_signal(heard)
        out, err = process.communicate(timeout=600)
        assert (process.returncode, out, err) == (0, "", "")
        list(lines)  # the stream came to an end of its own


@pytest.mark.slow
def test_a_second_ctrl_c_ends_at_once(pages, store, tmp_path):
    # What takes for ever to stop, here a journal whose host never closes, is not waited for.
    (tmp_path / "sitecustomize.py").write_text(
        "import asyncio\n"
        "import ostrom.experiment.hosting\n"
        "async def close(self):\n"
        "    print('closing', flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "ostrom.experiment.hosting.Host.close = close\n"
    )
    with serving(pages, "--store", store, PYTHONPATH=str(tmp_path)) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "closing\n"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)
        assert process.returncode == 130


def test_a_link_with_the_token_is_printed_and_the_token_is_wanted(pages, store):
    with serving(pages, "--store", store, "--token", "right-t0ken-of-6") as (_, address):
        base, _, fragment = address.partition("#")
        assert fragment == "/?token=right-t0ken-of-6"
        assert httpx2.get(f"{base}api/lab").status_code == 401
        assert httpx2.get(f"{base}api/lab", headers={"Authorization": "Bearer right-t0ken-of-6"}).status_code == 200


@pytest.mark.slow
def test_a_token_of_the_environment_is_wanted_and_not_printed(pages, store):
    with serving(pages, "--store", store, OSTROM_TOKEN="kept-off-the-screen") as (process, address):
        assert httpx2.get(f"{address}api/lab").status_code == 401
        right = {"Authorization": "Bearer kept-off-the-screen"}
        assert httpx2.get(f"{address}api/lab", headers=right).status_code == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=600)
        assert "kept-off-the-screen" not in address + out + err


def test_a_port_in_use_is_one_line(pages, store, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused(pages, "--port", str(port), "--store", store)
    assert said == f"port {port} is already in use; choose another one, as in --port {port + 1}"
    assert not (tmp_path / "journal.db").exists()


def test_pages_that_are_not_built_are_one_line(tmp_path, store):
    assert refused(tmp_path, "--store", store) == "the pages are not built; in a checkout, run: make pages"


# The rest within this process, where it is quick.


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "lab.example", "127.0.0.1.evil.example"])
def test_others_are_let_in_with_a_token_only(host):
    with pytest.raises(InputError) as refusal:
        serve(host=host)
    assert str(refusal.value) == (f"--host {host} is open to other machines: set a token, with --token or OSTROM_TOKEN")


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("short", "is too easy to guess"),
        ("aaaaaaaa", "is too easy to guess: use ten or more characters at random, such as"),
        ("", "is too easy to guess"),
        ("with a space", "use printable ASCII"),
        ("naïve-token", "use printable ASCII"),
    ],
)
def test_a_token_that_cannot_be_typed_or_can_be_guessed_is_refused(token, why):
    with pytest.raises(InputError, match=f"--token:? {why}"):
        serve(token=token)


@pytest.mark.parametrize(
    ("given", "why"),
    [({"proxy": "nginx", "token": "rain-harbour-42-vinyl"}, "is not an IP address"), ({"proxy": "127.0.0.1"}, "token")],
)
def test_a_proxy_is_an_address_and_wants_a_token(given, why):
    with pytest.raises(InputError, match=f"--proxy .*{why}"):
        serve(**given)


def test_the_option_wins_over_the_environment(monkeypatch):
    monkeypatch.setenv("OSTROM_TOKEN", "of-the-environment")
    assert read_token("of-the-option-4") == "of-the-option-4"
    assert read_token(None) == "of-the-environment"
    monkeypatch.setenv("OSTROM_TOKEN", "")
    assert read_token(None) is None


def test_a_token_of_the_environment_that_can_be_guessed_is_refused(monkeypatch):
    monkeypatch.setenv("OSTROM_TOKEN", "short")
    with pytest.raises(InputError, match="OSTROM_TOKEN is too easy to guess"):
        serve()


def test_a_token_stands_in_a_link_as_a_browser_reads_it():
    assert "#/?token=a%2Bb%26c%25d%23e " in welcome_line("http://127.0.0.1:8000/", "a+b&c%d#e", "a+b&c%d#e")


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.name.invalid"])
def test_an_address_that_is_not_ours_is_one_line(pages, monkeypatch, host):
    monkeypatch.setenv("OSTROM_PAGES", str(pages))
    with pytest.raises(
        InputError, match=f"--host '{host}' is not an address of this machine; use 127.0.0.1 for this machine alone"
    ):
        serve(host=host, port=0, token="long-enough-by-3")


def test_a_journal_that_is_none_is_one_line(pages, monkeypatch):
    monkeypatch.setenv("OSTROM_PAGES", str(pages))
    with pytest.raises(InputError, match="is not the URL of a journal"):
        serve(port=0, store="nothing")


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


@pytest.mark.slow
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


@pytest.fixture
def bound() -> Iterator[socket.socket]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one


def routed(monkeypatch: pytest.MonkeyPatch, routes: Mapping[str, str], named: str = "127.0.1.1") -> None:
    """A machine called 'desk' that sends to some others from some address, and whose name means another one."""
    monkeypatch.setattr(server, "_source_address", routes.get)
    monkeypatch.setattr(socket, "gethostname", lambda: "desk")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(socket.AF_INET, 0, 0, "", (named, 0))])


def test_the_address_on_the_way_out_is_the_one_that_others_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    routed(monkeypatch, {"192.0.2.1": "192.168.1.5", "10.255.255.254": "10.8.0.2"})
    assert own_address() == "192.168.1.5"


def test_a_network_without_a_way_out_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    routed(monkeypatch, {"10.255.255.254": "10.20.30.40"})
    assert own_address() == "10.20.30.40"


def test_without_any_network_the_name_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    routed(monkeypatch, {"192.0.2.1": "127.0.0.1"}, named="192.168.7.7")
    assert own_address() == "192.168.7.7"
    routed(monkeypatch, {})
    assert own_address() == "desk"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_a_server_for_everybody_is_called_by_the_address_that_others_reach(
    monkeypatch: pytest.MonkeyPatch, bound: socket.socket, host: str
) -> None:
    routed(monkeypatch, {"192.0.2.1": "192.168.1.5"})
    assert server_address(bound, host) == f"http://192.168.1.5:{bound.getsockname()[1]}/"


@pytest.mark.parametrize(
    ("host", "called"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]"), ("lab.example", "lab.example")]
)
def test_a_server_at_one_address_is_called_by_it(bound: socket.socket, host: str, called: str) -> None:
    assert server_address(bound, host) == f"http://{called}:{bound.getsockname()[1]}/"
