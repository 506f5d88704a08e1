"""Pipes, devices and endless files in place of a file: every command refuses them in one line, and waits for none."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.core.files import read_bounded, read_bounded_text

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")

FILES = {
    "a pipe": os.mkfifo,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a large file": lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_WRONLY), 2**40),
}
COMMANDS = {
    "record": ["show", "FILE.json"],
    "bots": ["list", "bots"],
    "policy": ["run", "--include", "policy:FILE.json", "--seed", "1"],
    "matrix": ["evolve", "--matrix", "FILE.json"],
    "matrix to solve": ["solve", "--matrix", "FILE.json"],
    "graph": ["evolve", "--structure", "FILE.json", "--process", "fermi"],
    "results": ["ratings", "--from", "FILE.json"],
    "predictions": ["pool", "FILE.json", "--predictions", "independent"],
    "items": ["ratings", "--items", "FILE.json"],
    "experiment": ["bench", "--file", "FILE.json"],
    "records": ["import", "records", "FILE.json", "--store", "new.db"],
    "logs": ["import", "pgg-bench", "logs", "--store", "new.db"],
    "journal": ["status", "--store", "sqlite:///FILE.json"],
    "automaton": ["tournament", "repeated", "--include", "automaton:FILE.json", "--games", "1"],
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse_what_is_no_regular_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("FILE.json", "bots/odd.json", "logs/game_1.jsonl"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        FILES[kind](tmp_path / place)
    if command != "bots":
        (tmp_path / "bots/odd.json").unlink()
    done = CliRunner().invoke(app, COMMANDS[command])
    if command == "bots":
        # A list names the file that it skips.
        assert (done.exit_code, done.exception) == (0, None)
        assert "odd" in done.stderr
        return
    assert isinstance(done.exception, InputError | SystemExit), (done.output, done.exception)
    assert done.exit_code in (1, 2)


@pytest.mark.parametrize("kind", FILES)
def test_only_regular_files_of_a_stated_size_are_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd"
    FILES[kind](path)
    with pytest.raises(OSError, match=r"it is not a regular file|it is larger than 256 MiB"):
        read_bounded(path)


def test_a_file_that_grows_is_read_up_to_the_limit(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"a\r\nb\rc\n")
    assert read_bounded_text(tmp_path / "text") == "a\nb\nc\n"
    with pytest.raises(OSError, match="it is larger than 6 bytes"):
        read_bounded(tmp_path / "text", 6)
    with pytest.raises(IsADirectoryError):
        read_bounded(tmp_path)
