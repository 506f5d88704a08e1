"""Journals that were valid and are damaged at a place or two, through everything that reads them: one line and
exit status 2, or an answer; never a traceback. `journal check` finds what keeps them from being read, and `repair`
mends what can be mended, with a copy kept."""

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from damage import in_file, in_rows

from journal.stored_journals import make
from kept import opened
from ostrom.charts import render
from ostrom.cli.main import main
from ostrom.core import InputError
from ostrom.web.app import openapi_document
from serving import client

pytestmark = pytest.mark.slow

Run = Callable[[str], tuple[int, str]]
SHORTLY = ("status", "list journal", "show {game}", "export -o all.jsonl", "resume")
READING = (
    *("status", "status --json", "list journal", "list experiments", "ratings punish", "payoffs", "scores", "quotes"),
    *("show {game}", "export {game} -o game.json", "export {game} -o game.html", "export -o all.jsonl"),
    *("export -o tables", "resume", "journal settle punish-4 --charged 1"),
)
MENDING = ("journal check", "journal repair", "journal check")
REPORTS = ("report punish -o report", "report commons -o report", "ratings commons")


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of strategies and models, finished, void and under way."""
    file = tmp_path_factory.mktemp("valid") / "ostrom.db"
    make("schema_8_models", f"sqlite:///{file}")
    with opened(f"sqlite:///{file}"):
        pass
    return file


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit status and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(render, "svg", lambda chart, source="": "")
    monkeypatch.setattr(render, "png", lambda picture: b"")
    monkeypatch.setattr(render, "javascript", lambda: "")

    def command(words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["ostrom", *words.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        status = ended.value.code or 0
        assert "Traceback" not in shown.err, shown.err[-3_000:]
        assert status in (0, 1, 2)
        assert status != 2 or shown.err.count("\n") == 1, shown.err[-2_000:]
        assert isinstance(status, int)
        return status, shown.out + shown.err

    return command


def damaged(valid: Path, folder: Path, seed: int, damage: Callable[[Path, int], str]) -> tuple[Path, str, str]:
    """A file with this damage, what it is, and the game that is looked at."""
    for old in folder.glob("ostrom*"):
        old.unlink()
    file = folder / "ostrom.db"
    shutil.copy(valid, file)
    games = ("punish-1.1", "punish-1.2", "commons-2.1", "commons-2.2", "punish-3.1", "punish-4.1", "punish-4.2")
    return file, damage(file, seed), games[seed % len(games)]


def check_rows(valid: Path, run: Run, folder: Path, seed: int, *commands: str) -> None:
    """Read it with every command; mend it; then everything can be read that is left."""
    _, what, game = damaged(valid, folder, seed, in_rows)
    try:
        for command in commands:
            run(command.format(game=game))
        found, repaired, again = (run(command) for command in MENDING)
        if found[0] == 1:
            assert repaired[0] == 0, repaired
            assert list(folder.glob("ostrom.damaged*.db")), "a copy is kept"
            assert again[0] == 0, again
        if again[0] == 0:
            for command in ("status", "list journal", "export -o all.jsonl"):
                status, said = run(command)
                assert status == 0 or "no games" in said or "no finished game" in said, (command, said)
    except AssertionError as error:
        raise AssertionError(f"{seed}: {what}: {error}") from error


def paths() -> list[str]:
    """Everything of the API that can be read at once."""
    document = json.loads(openapi_document())["paths"]
    known = {"experiment": "punish-1", "name": "games", "subject": "x", "kind": "punish"}
    found = [path for path, methods in document.items() if "get" in methods and not path.endswith("/live")]
    for name, value in known.items():
        found = [path.replace(f"{{{name}}}", value) for path in found]
    return found


def check_served(valid: Path, folder: Path, seed: int, addresses: list[str]) -> None:
    """Ask the server for everything: an answer, or why there is none."""
    file, what, game = damaged(valid, folder, seed, in_rows)
    try:
        journal = opened(f"sqlite:///{file}")
    except InputError:
        return  # the server does not start, and says why
    with journal, client(journal) as asking:
        for address in addresses:
            reply = asking.get(address.replace("{game}", game))
            assert reply.status_code in (200, 400, 401, 403, 404, 422), (seed, what, address, reply.text[:500])
            if reply.status_code != 200:
                assert "\n" not in reply.json()["detail"]


@pytest.mark.parametrize("seed", range(3))
def test_a_journal_with_damaged_rows_is_one_line_and_mended(valid: Path, run: Run, tmp_path: Path, seed: int) -> None:
    check_rows(valid, run, tmp_path, seed, *SHORTLY)


def test_a_damaged_file_is_one_line(valid: Path, run: Run, tmp_path: Path) -> None:
    for seed in range(4):
        _, _, game = damaged(valid, tmp_path, seed, in_file)
        for command in ("status", "show {game}", *MENDING):
            run(command.format(game=game))


def test_damaged_rows_are_served_as_one_line(valid: Path, tmp_path: Path) -> None:
    addresses = [path for path in paths() if "charts" not in path and "tables" not in path]
    for seed in range(2):
        check_served(valid, tmp_path, seed, addresses)


def test_a_revision_that_is_none_is_served_as_one_line(valid: Path, tmp_path: Path) -> None:
    shutil.copy(valid, tmp_path / "ostrom.db")
    with closing(sqlite3.connect(tmp_path / "ostrom.db")) as file, file:
        file.execute("UPDATE meta SET revision = 'x'")
    with opened(f"sqlite:///{tmp_path / 'ostrom.db'}") as journal, client(journal) as asking:
        for address in ("/api/games", "/api/messages", "/api/experiments", "/api/studies"):
            reply = asking.get(address)
            assert reply.status_code == 422
            assert "has no valid revision" in reply.json()["detail"]


def test_a_definition_that_is_no_text_is_one_line(valid: Path, run: Run, tmp_path: Path) -> None:
    """SQLite repeats it in its message, which then is no text either."""
    shutil.copy(valid, tmp_path / "ostrom.db")
    with closing(sqlite3.connect(tmp_path / "ostrom.db")) as file, file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_master SET sql = CAST(x'435245415445e4e4e4' AS TEXT) WHERE name = 'texts'")
    for command in ("status", "journal check"):
        assert run(command)[0] == 2


ROUND_9 = "UPDATE events SET payload = replace(payload, '\"round\":1', '\"round\":9') WHERE tag = 'contributed'"
KNOWN = {
    "text in place of an experiment": "UPDATE games SET experiment = 'x' WHERE serial = 1",
    "events of another game": "UPDATE OR REPLACE events SET game = 1 WHERE game = 3 AND number > 2",
    "a punishment in a round that was not": ROUND_9,
    "a seat that is not there": "UPDATE events SET payload = replace(payload, '\"punisher\":', '\"punisher\":9')",
    "an end beyond all floats": f"UPDATE games SET finals = '[{10**400}]' WHERE serial = 1",
    "a finished game that never ended": "UPDATE games SET finished = NULL WHERE serial = 1",
    "no end": "DELETE FROM events WHERE tag = 'game_ended'",
}
"""What once ended in a traceback, or was not found."""


@pytest.mark.parametrize("what", KNOWN)
def test_what_once_was_a_traceback_is_found_and_mended(what: str, valid: Path, run: Run, tmp_path: Path) -> None:
    shutil.copy(valid, tmp_path / "ostrom.db")
    with closing(sqlite3.connect(tmp_path / "ostrom.db")) as file, file:
        file.execute(KNOWN[what])
    for command in ("show punish-1.1", "export -o all.jsonl", "resume"):
        run(command)
    assert run("journal check")[0] == 1
    assert run("journal repair")[0] == 0
    assert run("journal check")[0] == 0
    assert run("export -o all.jsonl")[0] == 0


GIVEN = {
    "a number that is none": ("UPDATE games SET number = 'x'", "ratings punish", "number: it is not a whole number"),
    "a plan that is none": ("UPDATE experiments SET planned = 'x'", "status", "planned: it is not a whole number"),
    "no experiment": ("UPDATE games SET experiment = 99 WHERE serial = 1", "show punish-1.1", "there is none"),
    "an infinite sum": ("UPDATE calls SET input_tokens = 9e999", "status", "have invalid figures"),
}


@pytest.mark.parametrize("what", GIVEN)
def test_a_journal_that_was_given_is_refused_with_the_reason(what: str, valid: Path, run: Run, tmp_path: Path) -> None:
    statement, command, reason = GIVEN[what]
    shutil.copy(valid, tmp_path / "ostrom.db")
    with closing(sqlite3.connect(tmp_path / "ostrom.db")) as file, file:
        file.execute(statement)
    status, said = run(command)
    assert status == 2
    assert reason in said
    assert run("journal repair")[0] == 0
    assert run(command)[0] == 0 or "there is no game" in run(command)[1]


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_many_journals_with_damaged_rows(part: int, valid: Path, run: Run, tmp_path: Path) -> None:
    for seed in range(1_000 + 100 * part, 1_100 + 100 * part):
        check_rows(valid, run, tmp_path, seed, *READING, *(REPORTS if seed % 20 == 0 else ()))


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_many_damaged_files(part: int, valid: Path, run: Run, tmp_path: Path) -> None:
    for seed in range(1_000 + 50 * part, 1_050 + 50 * part):
        _, what, game = damaged(valid, tmp_path, seed, in_file)
        try:
            for command in (*READING, *MENDING):
                run(command.format(game=game))
        except AssertionError as error:
            raise AssertionError(f"{seed}: {what}: {error}") from error


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_many_journals_with_damaged_rows_are_served(part: int, valid: Path, tmp_path: Path) -> None:
    addresses = paths()
    for seed in range(5_000 + 30 * part, 5_030 + 30 * part):
        check_served(valid, tmp_path, seed, addresses)
