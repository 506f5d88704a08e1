"""Records of many games as a file of lines, each of them the record of one game as `write_record` writes it."""

from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from ostrom.core.files import check_writable, whole
from ostrom.journal.record import GameRecord
from ostrom.journal.told import record_text, told


def write_records(path: Path, records: Iterable[GameRecord]) -> int:
    """Write the records, one after the other as they come, as a whole or not at all; how many there were."""
    check_writable(path)
    with whole(path) as partial, partial.open("w", encoding="utf-8") as file:
        return _write(file, records)


def _write(file: TextIO, records: Iterable[GameRecord]) -> int:
    written = 0
    for record in records:
        file.write(record_text(told(record)))
        written += 1
    return written
