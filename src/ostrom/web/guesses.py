"""Protection against guesses of tokens. Weak tokens of users are rejected, and clients with wrong tokens must wait. ::

guesses.must_wait(client)   # seconds, or None if the token is compared now
guesses.wrong(client)       # count a wrong token
guesses.right(client)       # trust this client from now on, whatever others try from the same address
"""

import math
import string
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

_MIN_BITS: Final = 40
"""The smallest strength of an accepted token, in bits. At a hundred guesses per second, trying half of 2**40 tokens
takes 170 years."""
_KEYBOARD_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "1234567890", "0987654321")
_COMMON_WORDS: Final = (
    *("password", "passwort", "passw0rd", "secret", "token", "admin", "root", "letmein", "welcome", "changeme"),
    *("ostrom", "default", "login", "master"),
)
"""Words that attackers try first. Each of them counts as a single character of a token."""


def strength(token: str) -> float:
    """Return the approximate strength of a token in bits. It depends on the number of unpredictable characters and the
    alphabet that they use. Repetitions, sequences, keyboard rows and common words add almost nothing."""
    text = token.lower()
    for word in _COMMON_WORDS:
        text = text.replace(word, word[0])
    surprising = [place for place in range(len(text)) if not _follows(text, place)]
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits, string.punctuation)
    alphabet = sum(len(kind) for kind in kinds if set(kind) & set(token))
    distinct = len({text[place] for place in surprising})
    # A token of few distinct characters has few arrangements.
    return min(len(surprising) * math.log2(max(2, alphabet)), len(surprising) * math.log2(max(1, distinct)) * 1.6)


def _follows(text: str, place: int) -> bool:
    """Return whether a character is predictable. It is predictable if it equals the previous character, is next to that
    character in the alphabet or in a keyboard row, or continues an earlier sequence of three characters."""
    if place == 0:
        return False
    before, this = text[place - 1], text[place]
    if abs(ord(this) - ord(before)) <= 1 or any(before + this in row or this + before in row for row in _KEYBOARD_ROWS):
        return True
    return place >= 3 and text[place - 2 : place + 1] in text[: place - 1]


def is_weak(token: str) -> bool:
    """Return whether a token can be guessed."""
    return strength(token) < _MIN_BITS


class _Allowance:
    """A number of wrong tokens that are allowed. It is refilled over time."""

    def __init__(self, most: float, seconds: float, now: float) -> None:
        self._most, self._seconds, self._left, self._at = most, seconds, most, now

    def left(self, now: float) -> float:
        """Return the number of wrong tokens that are left."""
        self._left = min(self._most, self._left + (now - self._at) / self._seconds)
        self._at = now
        return self._left

    def take(self, now: float) -> None:
        """Subtract one wrong token."""
        self._left = max(0.0, self.left(now) - 1)

    def wait(self, now: float) -> float:
        """Return the number of seconds until one more wrong token is allowed."""
        return max(0.0, (1 - self.left(now)) * self._seconds)


_CLIENT_ALLOWANCE: Final = (10, 6.0)
"""The number of wrong tokens that one client may send in a row, and the number of seconds until one more is allowed."""
_TOTAL_ALLOWANCE: Final = (300, 0.5)
"""The same two numbers for all clients together."""
_MAX_CLIENTS: Final = 4096
_TRUST_S: Final = 12 * 3600.0
"""The number of seconds for which a client that sent the right token is trusted."""
WRONG_TOKEN_DELAY_S: Final = 2.0
"""The delay of the reply to a wrong token if the client is trusted but has sent too many wrong tokens."""


class Guesses:
    """Counts wrong tokens by client."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._all = _Allowance(*_TOTAL_ALLOWANCE, clock())
        self._clients: OrderedDict[str, _Allowance] = OrderedDict()
        self._trusted: OrderedDict[str, float] = OrderedDict()

    def must_wait(self, client: str) -> int | None:
        """Return the number of seconds that this client must wait before its next token is checked. Return None if it
        need not wait."""
        now = self._clock()
        if now - self._trusted.get(client, -math.inf) < _TRUST_S:
            return None
        own = self._clients.get(client)
        wait = max(self._all.wait(now), 0.0 if own is None else own.wait(now))
        return math.ceil(wait) if wait else None

    def wrong(self, client: str) -> bool:
        """Count a wrong token; return whether there were too many."""
        now = self._clock()
        own = self._clients.pop(client, None) or _Allowance(*_CLIENT_ALLOWANCE, now)
        self._clients[client] = own
        while len(self._clients) > _MAX_CLIENTS:
            self._clients.popitem(last=False)
        exhausted = min(own.left(now), self._all.left(now)) < 1
        own.take(now)
        self._all.take(now)
        return exhausted

    def right(self, client: str) -> None:
        """Trust a client that sent the right token."""
        self._trusted.pop(client, None)
        self._trusted[client] = self._clock()
        while len(self._trusted) > _MAX_CLIENTS:
            self._trusted.popitem(last=False)
