"""Replies that are computed from finished games and stored in the journal, so that a restarted server does not compute
them again. The key of a reply is made from the address of the request, the state of the finished games, and the
program's code."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from ostrom.core import InputError
from ostrom.core.plugins import GAMES, files
from ostrom.journal.pages import EndedGames
from ostrom.version import VERSION

_NAME: Final = "/replies"
"""The name under which replies are stored in the journal's table of derived tables. Other entries of this table have
the name of a game, and no game can have this name."""
_MAX_REPLIES: Final = 256
_MAX_BYTES: Final = 2**20
_MIN_DURATION_S: Final = 0.01
"""Replies that take less time than this are not stored."""
_MARK: Final = "any"


class ReplyStore:
    """The stored replies of a journal. A new reply replaces an older one if the last bits of their names are equal.
    This limits the number of stored replies."""

    def __init__(self, ended: EndedGames, state: Callable[[], str]) -> None:
        """`state` returns a text that changes with the finished games, experiments and names of the journal."""
        self._ended, self._state = ended, state

    def get_or_make(self, name: str, make: Callable[[], bytes]) -> bytes:
        """Return the reply with this name (a hexadecimal hash), computed by `make` if it is not stored."""
        place, state = 1 + int(name[:8], 16) % _MAX_REPLIES, self.key()
        stored = self._ended.tables(_NAME, place, state).get(name)
        if stored is not None and len(stored) <= _MAX_BYTES:
            with suppress(ValueError, RecursionError):
                json.loads(stored)
                return stored
        began = time.perf_counter()
        reply = make()
        if time.perf_counter() - began >= _MIN_DURATION_S and len(reply) <= _MAX_BYTES:
            with suppress(InputError):  # Another process is writing. The reply is computed again next time.
                self._ended.keep_tables(_NAME, place, state, {name: reply})
                self._ended.keep_tables(_NAME, 0, state, {_MARK: b"1"})
        return reply

    def any(self) -> bool:
        """Return whether any reply is stored that is valid for the current state."""
        return bool(self._ended.tables(_NAME, 0, self.key()))

    def key(self) -> str:
        """Return a digest of everything on which replies depend."""
        text = f"{self._state()} {_code()} {_games()}"
        return blake2b(text.encode(errors="backslashreplace"), digest_size=16).hexdigest()


def _games() -> str:
    """Return a text that changes with the games and the plugin files."""
    games = "".join(f"{game.name} {game.version}\n" for game in GAMES.values())
    plugins = b"".join(path.read_bytes() for path in files() if path.is_file())
    return f"{games}{blake2b(plugins).hexdigest()}"


@cache
def _code() -> str:
    """Return a text that changes when our own code changes."""
    folder = Path(__file__).parents[1]
    facts = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*.py"))]
    return f"{VERSION} {facts}"
