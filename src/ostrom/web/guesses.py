"""Tokens that cannot be guessed: those that users choose are refused where they are weak, and whoever gives wrong ones
is checked ever more seldom. ::

    guesses.must_wait(client)   # seconds, or None: then the token is compared
    guesses.wrong(client)       # it was not the one
    guesses.right(client)       # it was: who is in stays in, whatever others try from the same address

"""

import math
import string
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

_BITS: Final = 40
"""What a token must be worth: at a hundred guesses a second, half of 2**40 take 170 years."""
_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "0987654321")
_COMMON: Final = (
    *("password", "passwort", "passw0rd", "secret", "token", "admin", "root", "letmein", "welcome", "changeme"),
    *("ostrom", "default", "login", "master"),
)
"""Words that are tried first; as a part of a token they are worth one character."""


def strength(token: str) -> float:
    """About how many bits a token is worth: its characters that do not follow from those before, in the alphabet that
    it uses. Repeats, sequences, rows of the keyboard and the commonest words add next to nothing."""
    text = token.lower()
    for word in _COMMON:
        text = text.replace(word, word[0])
    surprising = [place for place in range(len(text)) if not _follows(text, place)]
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation)
    alphabet = sum(len(kind) for kind in kinds if set(kind) & set(token))
    distinct = len({text[place] for place in surprising})
    # Of few different characters there are few orders.
    return min(len(surprising) * math.log2(max(2, alphabet)), len(surprising) * math.log2(max(1, distinct)) * 1.6)


def _follows(text: str, place: int) -> bool:
    """Whether a character is expected after those before it: the same, the next or the last of the alphabet or a row,
    or as three characters before went on."""
    if place == 0:
        return False
    before, this = text[place - 1], text[place]
    if abs(ord(this) - ord(before)) <= 1 or any(before + this in row or this + before in row for row in _ROWS):
        return True
    return place >= 3 and text[place - 2 : place + 1] in text[: place - 1]


def is_weak(token: str) -> bool:
    """Whether a token can be guessed."""
    return strength(token) < _BITS


class _Allowance:
    """A number of wrong tokens that is filled up again as time passes."""

    def __init__(self, most: float, each: float, now: float) -> None:
        self._most, self._each, self._left, self._at = most, each, most, now

    def left(self, now: float) -> float:
        """How many are left."""
        self._left = min(self._most, self._left + (now - self._at) / self._each)
        self._at = now
        return self._left

    def take(self, now: float) -> None:
        """Use one up."""
        self._left = max(0.0, self.left(now) - 1)

    def wait(self, now: float) -> float:
        """Seconds until there is one."""
        return max(0.0, (1 - self.left(now)) * self._each)


_CLIENT: Final = (10, 6.0)
"""Wrong tokens of one client at once, and seconds until it has another one."""
_ALL: Final = (300, 0.5)
"""Likewise of all clients together."""
_REMEMBERED: Final = 4096
_TRUSTED: Final = 12 * 3600.0
"""Seconds for which who gave the right token is let in whatever else comes from the same address."""
SLOWED: Final = 2.0
"""Seconds after which a wrong token is answered from where a right one came before and too many wrong ones since."""


class Guesses:
    """How many wrong tokens came from whom."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = _Allowance(*_ALL, clock())
        self._clients: OrderedDict[str, _Allowance] = OrderedDict()
        self._trusted: OrderedDict[str, float] = OrderedDict()

    def must_wait(self, client: str) -> int | None:
        """Whole seconds until a token of this client is looked at; nothing where it is looked at now."""
        now = self._clock()
        if now - self._trusted.get(client, -math.inf) < _TRUSTED:
            return None
        mine = self._clients.get(client)
        wait = max(self._all.wait(now), 0.0 if mine is None else mine.wait(now))
        return math.ceil(wait) if wait else None

    def wrong(self, client: str) -> bool:
        """Count a wrong token; whether there were too many."""
        now = self._clock()
        mine = self._clients.pop(client, None) or _Allowance(*_CLIENT, now)
        self._clients[client] = mine
        while len(self._clients) > _REMEMBERED:
            self._clients.popitem(last=False)
        many = min(mine.left(now), self._all.left(now)) < 1
        mine.take(now)
        self._all.take(now)
        return many

    def right(self, client: str) -> None:
        """Note that a client gave the right token."""
        self._trusted.pop(client, None)
        self._trusted[client] = self._clock()
        while len(self._trusted) > _REMEMBERED:
            self._trusted.popitem(last=False)
