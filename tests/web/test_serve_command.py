"""`ostrom serve` as a real process: it says where it is, answers, and ends cleanly; what cannot be is one line."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from fork_server import COMMANDS, starts_python
from ostrom.cli.serve import opened_at, serve, token_wanted
from ostrom.core import InputError

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
    assert str(refusal.value) == (
        f"--host {host} is open to other machines: set the token that they must give, with --token or OSTROM_TOKEN"
    )


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("short", "is too easy to guess"),
        ("aaaaaaaa", "is too easy to guess: use ten or more characters at random, such as"),
        ("", "is too easy to guess"),
        ("with a space", "must be of printable ASCII"),
        ("naïve-token", "must be of printable ASCII"),
    ],
)
def test_a_token_that_cannot_be_typed_or_can_be_guessed_is_refused(token, why):
    with pytest.raises(InputError, match=f"--token {why}"):
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
    assert token_wanted("of-the-option-4") == "of-the-option-4"
    assert token_wanted(None) == "of-the-environment"
    monkeypatch.setenv("OSTROM_TOKEN", "")
    assert token_wanted(None) is None


def test_a_token_of_the_environment_that_can_be_guessed_is_refused(monkeypatch):
    monkeypatch.setenv("OSTROM_TOKEN", "short")
    with pytest.raises(InputError, match="OSTROM_TOKEN is too easy to guess"):
        serve()


def test_a_token_stands_in_a_link_as_a_browser_reads_it():
    assert "#/?token=a%2Bb%26c%25d%23e " in opened_at("http://127.0.0.1:8000/", "a+b&c%d#e", "a+b&c%d#e")


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
