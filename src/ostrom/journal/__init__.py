"""The journal, which stores experiments and games in a database, and records of single games as files."""

from ostrom.core.files import check_writable
from ostrom.journal.record import GameRecord, read_record, write_record

__all__ = ["GameRecord", "check_writable", "read_record", "write_record"]
