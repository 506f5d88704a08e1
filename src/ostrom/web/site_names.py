"""What files of a published site are called, for whoever writes them; frontend/src/site/names.ts has the same for
whoever reads them."""

import re
from collections.abc import Iterable
from typing import Final

_OFFSET: Final = 0xCBF29CE484222325
_PRIME: Final = 0x100000001B3
_PLAIN: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_GAME: Final = re.compile(r"/games/([^\n]*?)(/record|/course)?", re.DOTALL)
COURSES: Final = "/courses"

Query = Iterable[tuple[str, str]]


def digest(text: str) -> str:
    """FNV-1a with 64 bits, as 16 digits."""
    value = _OFFSET
    # Half a character is what a browser makes of it: the sign for what cannot be read.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    for byte in whole.encode():
        value = (value ^ byte) * _PRIME & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def request_name(path: str, query: Query = ()) -> str:
    """A request in one line each for its path and its sorted parameters, with nothing encoded."""
    return "\n".join([path, *sorted(f"{name}={value}" for name, value in query)])


def holder(request: str) -> str:
    """The request under whose name a file holds the answer to this one: what is read together lies together."""
    game = _GAME.fullmatch(request)
    if game is None:
        return request
    return COURSES if game[2] == "/course" else f"/games/{game[1]}"


def file_of(held: str) -> str:
    """The file of a holder, within the site."""
    return f"data/{held.partition(chr(10))[0].split('/')[1]}/{digest(held)}.js"


def slug(name: str) -> str:
    """A name as part of an address that can be read aloud; two names never give the same."""
    if _PLAIN.fullmatch(name):
        return name
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{words or 'n'}-{digest(name)[:8]}"
