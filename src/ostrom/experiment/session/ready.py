"""The sessions that are ready to run: session files of this package, by name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ostrom.core import InputError, Registry
from ostrom.core.text import clean
from ostrom.experiment.described import read_toml
from ostrom.experiment.session.file import SessionFile, SessionMistakes, load_session

FOLDER: Final = Path(__file__).parent / "ready"


def ready_files() -> Registry[Path]:
    """Return the paths of the ready sessions by name."""
    files: Registry[Path] = Registry("ready session")
    for path in sorted(FOLDER.glob("*.toml")):
        files.add(path.stem, path)
    return files


def session_path(name: str) -> Path:
    """Return the path of a session file, given its path or the name of a ready session. Raise InputError if there is
    none."""
    path, known = Path(name), ready_files()
    if path.is_file():
        return path
    if name in known:
        return known[name]
    near = known.nearest(name)
    hint = f"did you mean {' or '.join(near)}?" if near else "'ostrom session list' shows the ready sessions"
    raise InputError(f"there is no session file {clean(name, 200)}; {hint}")


def find_session(name: str) -> SessionFile:
    """Return the session of a file, given its path or the name of a ready session."""
    return load_session(session_path(name))


def ready_sessions() -> Iterator[dict[str, Any]]:
    """Yield a row for each ready session: its name, title, language, people and description, and, if it cannot be
    played, the mistakes. A session of a game that is not installed cannot be played."""
    for name, path in ready_files().items():
        session = read_toml(path)[1]["session"]
        row = {key: session[key] for key in ("title", "language", "participants", "description")}
        try:
            load_session(path)
        except SessionMistakes as error:
            missing = list(error.mistakes)
        else:
            missing = []
        yield {"name": name, **row, "file": str(path), "missing": missing}
