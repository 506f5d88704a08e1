"""Records of many games as a file of lines, each of them the record of one game as `write_record` writes it."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from ostrom.core import InputError
from ostrom.journal.record import GameRecord, check_writable
from ostrom.journal.told import record_text, told


def write_records(path: Path, records: Iterable[GameRecord]) -> int:
    """Write the records, one after the other as they come, as a whole or not at all; how many there were."""
    check_writable(path)
    path = path.resolve()  # a link stays a link
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8") as file:  # a pipe or a device is written to, never replaced
                return _write(file, records)
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                written = _write(file, records)
            os.chmod(partial, 0o666 & ~_umask())
            os.replace(partial, path)
        except BaseException:
            os.unlink(partial)
            raise
        return written
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def _write(file: TextIO, records: Iterable[GameRecord]) -> int:
    written = 0
    for record in records:
        file.write(record_text(told(record)))
        written += 1
    return written


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
