"""The folder of a published site: files of others stay, and a run that is killed at any moment leaves a site."""

import json
import os
import sys
from pathlib import Path

import pytest

from ostrom.core import InputError
from ostrom.web.site_folder import MARKER, replace_site

FIRST = {"index.html": "first", "data/a.js": "first", "data/old.js": "first", "games/g1.html": "first"}
SECOND = {"index.html": "second", "data/a.js": "second", "data/new.js": "second", "players/p.html": "second"}


def publish(folder: Path, files: dict[str, str]) -> None:
    with replace_site(folder, "A study") as new_folder:
        for path, text in files.items():
            (new_folder / path).parent.mkdir(exist_ok=True)
            (new_folder / path).write_text(text)


def contents(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != MARKER]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    publish(tmp_path / "site", FIRST)
    return tmp_path / "site"


@pytest.mark.parametrize("marker", ["{}", '{"name": "my app", "version": 3}', "[]", "not JSON", '{"ostrom": "0.1.0"}'])
def test_a_marker_of_another_program_deletes_nothing(tmp_path: Path, marker: str) -> None:
    others = {"data/mine.csv": "1,2", "games/chess.pgn": "e4", MARKER: marker}
    for path, text in others.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with pytest.raises(InputError, match="name another folder"):
        publish(tmp_path, SECOND)
    assert {path: (tmp_path / path).read_text() for path in others} == others
    assert len(list(tmp_path.rglob("*"))) == 5


def test_only_files_of_the_old_site_are_removed(folder: Path) -> None:
    for path in ("CNAME", "data/mine.csv", "games/notes.txt"):
        (folder / path).write_text("mine")
    publish(folder, SECOND)
    assert contents(folder) == {**SECOND, "CNAME": "mine", "data/mine.csv": "mine", "games/notes.txt": "mine"}


def test_a_file_of_others_in_the_place_of_a_new_one_is_named(folder: Path) -> None:
    (folder / "data/new.js").write_text("mine")
    with pytest.raises(InputError, match=r"new\.js is not part of the published site"):
        publish(folder, SECOND)
    assert contents(folder) == {**FIRST, "data/new.js": "mine"}


def test_a_changed_file_is_named_and_stays(folder: Path) -> None:
    (folder / "index.html").write_text("my own page")
    with pytest.raises(InputError, match=r"index\.html was changed after the site was published"):
        publish(folder, SECOND)
    assert contents(folder) == {**FIRST, "index.html": "my own page"}


@pytest.mark.parametrize("path", ["../precious.txt", "data/../../precious.txt", "/etc/passwd", "CNAME", ".git/HEAD"])
def test_a_list_with_files_outside_a_site_is_refused(folder: Path, path: str) -> None:
    marker = json.loads((folder / MARKER).read_text())
    marker["files"][path] = "0" * 64
    (folder / MARKER).write_text(json.dumps(marker))
    with pytest.raises(InputError, match="without a list of its files"):
        publish(folder, SECOND)


def test_an_edited_list_is_refused(folder: Path) -> None:
    (folder / "data/mine.csv").write_text("mine")
    marker = json.loads((folder / MARKER).read_text())
    marker["files"]["data/mine.csv"] = marker["files"]["index.html"]
    (folder / MARKER).write_text(json.dumps(marker))
    with pytest.raises(InputError, match=r"site\.json was changed"):
        publish(folder, SECOND)


def test_links_out_of_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    (folder / "data").rename(tmp_path / "elsewhere")
    (folder / "data").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="was changed after the site was published"):
        publish(folder, SECOND)
    assert (tmp_path / "elsewhere" / "old.js").read_text() == "first"


def publish_and_die(folder: Path, operations: int) -> bool:
    """Publish in a child process that dies before one of its changes of files; return whether it died."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    left = operations

    def watch(event: str, _arguments: object) -> None:
        nonlocal left
        if event in ("os.rename", "os.remove", "os.rmdir"):
            left -= 1
            if left < 0:
                os._exit(9)

    sys.addaudithook(watch)
    publish(folder, SECOND)
    os._exit(0)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process to kill")
def test_a_kill_at_any_moment_leaves_a_site_that_the_next_run_replaces(tmp_path: Path) -> None:
    operations, died = 0, True
    while died:
        folder = tmp_path / str(operations)
        publish(folder, FIRST)
        died = publish_and_die(folder, operations)
        version = FIRST if (folder / "index.html").read_text() == "first" else SECOND
        assert set(version) <= set(contents(folder))
        publish(folder, SECOND)
        assert contents(folder) == SECOND
        operations += 1
    assert operations > 8
