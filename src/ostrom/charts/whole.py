"""A report is written whole or not at all: its files are made aside, and take their places together."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ostrom.table import InputError


@contextmanager
def written_whole(folder: Path, page: str) -> Iterator[Path]:
    """An empty folder to write a report into. Once all is there the files move to `folder`, the page last, over those
    of an earlier report. Where the writing fails, `folder` is as it was; where the moving fails, it holds no page, so
    an earlier page never stands beside later pictures."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".report-", dir=folder))
        try:
            yield aside
            _move(aside, folder, page)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror or error}") from error


def _move(aside: Path, folder: Path, page: str) -> None:
    files = sorted(path.relative_to(aside) for path in aside.rglob("*") if path.is_file())
    for parent in sorted({folder / path.parent for path in files}):
        parent.mkdir(parents=True, exist_ok=True)
    (folder / page).unlink(missing_ok=True)
    for path in sorted(files, key=lambda path: path == Path(page)):
        (aside / path).replace(folder / path)
