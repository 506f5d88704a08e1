"""Files that are written whole: whoever reads one finds the old content or the new, never half of it."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ostrom.core.errors import InputError

TOO_MANY: Final = "too many files are open, and no other can be opened; ulimit -n says how many may be"


def are_too_many(error: OSError) -> bool:
    """Whether it failed because no descriptor is left, of this process or of the machine."""
    return error.errno in (errno.EMFILE, errno.ENFILE)


def write_whole(path: str | os.PathLike[str], text: str, *, private: bool = False) -> None:
    """Write a text file as a whole or not at all; a private one can be read by its owner only."""
    with whole(path, private=private) as partial:
        partial.write_text(text, encoding="utf-8")


@contextmanager
def whole(path: str | os.PathLike[str], *, private: bool = False) -> Iterator[Path]:
    """A file beside `path` to write to, with the same ending, which takes its place at the end; a fault leaves what was
    there. A pipe or a device is written to, never replaced."""
    path = Path(path).resolve()  # a link stays a link
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
    """Refuse a file that cannot be written, before the work for it is done."""
    if path.is_dir():
        raise InputError(f"{path} cannot be written: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: permission denied")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
