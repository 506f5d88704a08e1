"""The folder of a published site. A marker file lists the files of the site with a digest of each. Therefore, when a
site is replaced, only files that Ostrom wrote and that are unchanged are removed. The new site is complete before its
first file is moved. Pages are moved last, and old files are removed after that. Therefore the site works even if a run
is killed."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

from ostrom.core.errors import InputError
from ostrom.core.files import parse_json
from ostrom.version import VERSION
from ostrom.web.site_pages import COMPARISON, PAGE_FOLDERS

MARKER: Final = "site.json"
"""The name of the file that marks a folder as a published site, describes the site, and lists its files."""
_START_PAGE: Final = "index.html"
_DATA_ENTRIES: Final = ("site", "data", "tables", "previews", "cards", "icon.svg", COMPARISON)
_PAGE_ENTRIES: Final = ("messages.html", "embed.html", *PAGE_FOLDERS)
_SITE_ENTRIES: Final = (_START_PAGE, *_DATA_ENTRIES, *_PAGE_ENTRIES, MARKER)
"""The files and folders at the top level of a site."""
_TEMPORARY_FOLDER: Final = ".being-published"
"""The name of the folder in which a new site is written until it is complete."""
_MAX_MARKER_BYTES: Final = 256_000_000
_CHANGED: Final = "move it away, or name another folder"

Digests = dict[str, str]
"""The SHA-256 of each file, by its path within the site."""


@contextmanager
def replace_site(folder: Path, title: str) -> Iterator[Path]:
    """Yield an empty folder for a new site. When the context ends, the new site replaces the one in `folder`. Files
    that are not part of the old site are kept. Raise `InputError` and change nothing if such a file has a name that the
    new site needs, or if a file of the old site was changed."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder")
    _old_files(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        new_folder = folder / _TEMPORARY_FOLDER
        _remove_temporary(new_folder)  # A run that was killed left this folder.
        new_folder.mkdir()
        try:
            yield new_folder
            _move(folder, new_folder, title)
        finally:
            shutil.rmtree(new_folder, ignore_errors=True)
    except OSError as error:
        raise InputError(f"the site cannot be written to {folder}: {error.strerror or error}") from error


def _move(folder: Path, new_folder: Path, title: str) -> None:
    """Move a complete site to its folder. Then remove files of the old site that the new site does not have."""
    new_files = _digests_of(new_folder)
    old_files = _old_files(folder)  # The files are read again, since writing the new site may have taken minutes.
    for path in new_files:
        _check_place(folder, path, old_files)
    # While files are moved, the marker lists the files of both sites. If the run is killed, the next run can therefore
    # recognise its files.
    _write_marker(folder, title, new_files, old_files)
    for path in sorted(new_files, key=_moving_order):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(new_folder / path, target)
    for path in old_files:
        if path not in new_files:
            _remove_file(folder, path)
    _write_marker(folder, title, new_files, {})


def _moving_order(path: str) -> tuple[int, str]:
    """Return the position of a file in the order in which files are moved: data before the pages that use it, the start
    page last."""
    entry = path.partition("/")[0]
    return (2 if entry == _START_PAGE else entry in _PAGE_ENTRIES), path


def _old_files(folder: Path) -> Digests:
    """Return the files of the site that are now in a folder. Raise `InputError` if the folder has files of a site but
    no list of them, or if a listed file was changed."""
    document = _read_marker(folder)
    if document is None:
        conflicts = [name for name in _SITE_ENTRIES if os.path.lexists(folder / name)]
        if conflicts:
            raise InputError(f"{folder} has {conflicts[0]}, which is not part of a published site; name another folder")
        return {}
    files, replaced = document["files"], document["replaced"]
    present: Digests = {}
    for path in {**files, **replaced}:
        file = folder / path
        if not os.path.lexists(file):
            continue
        is_plain = not _leaves(folder, path) and not file.is_symlink() and file.is_file()
        # After a run was killed, each file is either one of the old site or one of the new site.
        if not is_plain or (digest := _digest(file)) not in (files.get(path), replaced.get(path)):
            raise InputError(f"{file} was changed after the site was published; {_CHANGED}")
        present[path] = digest
    return present


def _check_place(folder: Path, path: str, old_files: Digests) -> None:
    if _leaves(folder, path) or (os.path.lexists(folder / path) and path not in old_files):
        raise InputError(f"{folder / path} is not part of the published site; {_CHANGED}")


def _leaves(folder: Path, path: str) -> bool:
    """Return whether the path to a file leaves the folder. It does if one of its folders is a link or a file."""
    parents = [folder / parent for parent in list(PurePosixPath(path).parents)[:-1]]
    return any(os.path.lexists(parent) and (parent.is_symlink() or not parent.is_dir()) for parent in parents)


def _read_marker(folder: Path) -> dict[str, Any] | None:
    """Return the marker of a published site. Return None if the folder has no marker, or one of another program."""
    marker = folder / MARKER
    try:
        if marker.is_symlink() or not marker.is_file() or marker.stat().st_size > _MAX_MARKER_BYTES:
            return None
        document = parse_json(marker.read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict) or "ostrom" not in document:
        return None
    lists = [document.get("files"), document.get("replaced", {})]
    if not all(isinstance(files, dict) and all(map(_is_site_file, files)) for files in lists):
        raise InputError(f"{folder} has a site without a list of its files; remove it, or name another folder")
    if document.get("digest") != _digest_of_lists(*lists):
        raise InputError(f"{marker} was changed after the site was published; {_CHANGED}")
    return {**document, "replaced": document.get("replaced", {})}


def _is_site_file(path: str) -> bool:
    parts = path.split("/")
    return parts[0] in _SITE_ENTRIES and path != MARKER and not {"", ".", ".."} & set(parts) and "\\" not in path


def _write_marker(folder: Path, title: str, new_files: Digests, old_files: Digests) -> None:
    document: dict[str, Any] = {"ostrom": VERSION, "made": datetime.now(UTC).isoformat(timespec="seconds")}
    document |= {"title": title, "digest": _digest_of_lists(new_files, old_files), "files": new_files}
    if old_files:
        document["replaced"] = old_files
    # This file is in the temporary folder. If the run is killed, the next run empties that folder.
    partial = folder / _TEMPORARY_FOLDER / MARKER
    partial.write_text(json.dumps(document) + "\n", encoding="utf-8")
    os.replace(partial, folder / MARKER)


def _digest_of_lists(*lists: Any) -> str:
    return hashlib.sha256(json.dumps(lists, sort_keys=True).encode()).hexdigest()


def _digests_of(folder: Path) -> Digests:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): _digest(path) for path in files}


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _remove_file(folder: Path, path: str) -> None:
    """Remove a file, and those folders of the site that are empty afterwards."""
    (folder / path).unlink(missing_ok=True)
    with suppress(OSError):  # A folder that has other files is kept.
        for parent in list(PurePosixPath(path).parents)[:-1]:
            (folder / parent).rmdir()


def _remove_temporary(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
