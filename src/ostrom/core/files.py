"""Read and write files. Writing is atomic: a reader sees either the old content or the new. Since files may come from
untrusted sources, parsers limit the depth of documents and the size of numbers. They raise a ValueError with a short
reason for an invalid document."""

import errno
import json
import math
import os
import stat
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final

from ostrom.core.errors import InputError

TOO_MANY_FILES: Final = "too many files are open; ulimit -n shows the limit"
MAX_DEPTH: Final = 64
"""The largest depth of nested lists and tables in a document; our own files have about ten levels."""
MAX_INTEGER: Final = 2**64
"""The largest integer that is accepted in a document. Every seed, count, amount and database column is smaller."""


MAX_FILE_BYTES: Final = 256 * 2**20
"""The largest file, in bytes, that is read as a whole; logs of other programs are the largest such files."""
MAX_SETTINGS_BYTES: Final = 4 * 2**20
"""The largest size, in bytes, of a file that a person writes: an experiment, a bot, a matrix or a graph."""


def check_regular(path: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> None:
    """Raise OSError if a path is not a regular file of at most `max_bytes`; pipes and devices may have no end. The file
    is not opened."""
    _check_status(os.stat(path), max_bytes)


def read_bounded(path: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Return the content of a regular file of at most `max_bytes`. Raise OSError for any other path, without waiting
    for a pipe."""
    # Opening a pipe without O_NONBLOCK waits for a writer.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(handle, "rb") as file:
        _check_status(os.fstat(file.fileno()), max_bytes)
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:  # The file grows, or its size is unknown, as in /proc.
        raise _too_large(max_bytes)
    return content


def read_bounded_text(path: str | os.PathLike[str], max_bytes: int = MAX_FILE_BYTES) -> str:
    """Return the text of a regular file of at most `max_bytes`, with line feeds only; raise OSError or
    UnicodeDecodeError."""
    return read_bounded(path, max_bytes).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _check_status(status: os.stat_result, max_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file but a pipe, a device or a socket")
    if status.st_size > max_bytes:
        raise _too_large(max_bytes)


def _too_large(max_bytes: int) -> OSError:
    size = f"{max_bytes >> 20} MiB" if max_bytes >= 2**20 else f"{max_bytes:,} bytes"
    return OSError(errno.EFBIG, f"it is larger than {size}")


def is_file_limit(error: OSError) -> bool:
    """Return whether an error means that too many files are open."""
    return error.errno in (errno.EMFILE, errno.ENFILE)


def write_text(path: str | os.PathLike[str], text: str, *, private: bool = False) -> None:
    """Write a text file atomically. If `private`, only its owner can read it."""
    with atomic_write(path, private=private) as partial:
        partial.write_text(text, encoding="utf-8")


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[Path]:
    """Yield the path of a temporary file beside `path`, with the same suffix. The file replaces `path` when the context
    ends; after an error the old file is unchanged. For a pipe or a device, `path` itself is yielded."""
    path = Path(path).resolve()  # Resolve the path so that a symbolic link is kept.
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem[:40]}.", suffix=path.suffix)
        os.close(handle)
        try:
            yield Path(name)
            os.chmod(name, 0o600 if private else 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def check_writable(path: Path) -> None:
    """Create the folder of a file. Call this before computing the content. Raise InputError if the file is not
    writable."""
    if path.is_dir():
        raise InputError(f"{path} cannot be written: it is a folder; name a file in it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: permission denied")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def parse_json(text: str | bytes, *, finite: bool = True) -> Any:
    """Parse a JSON document. Raise ValueError for nesting that is too deep, numbers that are too large and, if
    `finite`, numbers that are not finite."""
    return _parse(json.loads, text, finite)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document; numbers that are not finite are allowed."""
    document: dict[str, Any] = _parse(tomllib.loads, text, False)
    return document


def _parse(loads: Callable[[Any], Any], text: str | bytes, finite: bool) -> Any:
    try:
        document = loads(text)
        _check_numbers(document, finite)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise ValueError("it is not text") from None
    except (json.JSONDecodeError, tomllib.TOMLDecodeError):
        raise  # This error already names the line and column.
    except ValueError as error:
        # Python refuses an integer of more than 4,300 digits.
        raise ValueError("it has a number with thousands of digits") if "digits" in str(error) else error from None
    return document


def _too_deep() -> ValueError:
    return ValueError(f"it is nested more than {MAX_DEPTH} levels deep")


def _check_numbers(document: Any, finite: bool) -> None:
    for place, name, value in _leaves(document):
        if isinstance(value, float):
            if finite and not math.isfinite(value):
                raise ValueError(f"it has a number that is not finite ({value}) in {place}.{name}")
        elif isinstance(value, int) and abs(value) > MAX_INTEGER:
            raise ValueError(f"it has a whole number beyond 2^64 in {place}.{name}")


def _leaves(document: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield each value of a document that is neither a table nor a list, with the path of its container and its own
    key. Raise ValueError for deep nesting."""
    level: list[tuple[str, Any]] = [("", {"": document})]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH + 1:
            raise _too_deep()
        next_level: list[tuple[str, Any]] = []
        for place, holder in level:
            entries: Iterable[tuple[Any, Any]] = holder.items() if isinstance(holder, dict) else enumerate(holder)
            for name, value in entries:
                if isinstance(value, dict | list):
                    next_level.append((f"{place}.{name}".lstrip("."), value))
                else:
                    yield place, name, value
        level = next_level


def check_depth(document: Any) -> None:
    """Raise ValueError if a document is nested too deeply."""
    level: list[Any] = [[document]]
    for _ in range(MAX_DEPTH + 2):
        values = chain.from_iterable(holder.values() if isinstance(holder, dict) else holder for holder in level)
        level = [value for value in values if isinstance(value, dict | list)]
        if not level:
            return
    raise _too_deep()


def check_folder(output: Path) -> list[Path]:
    """Create a folder for results, with its parents. Call this before computing the results. Return the folders that
    were created, the innermost first. Raise InputError if the folder is not writable."""
    try:
        created = [folder for folder in (output, *output.parents) if not folder.exists()]
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {output}: {error.strerror}") from error
    return created


def user_cache() -> Path:
    """Return the user's cache folder. Raises `RuntimeError` if there is no home folder."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"
