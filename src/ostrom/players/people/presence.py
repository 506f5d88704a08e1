"""Whether somebody is at a person's seat."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_STAYS: Final = 10.0
"""Seconds for which who has asked counts as here; a page without a stream asks every few."""


class Presence:
    """Who holds the link of a seat, as far as a host can know. To be used within one event loop."""

    def __init__(self) -> None:
        self.opened = False
        """Whether somebody ever opened the link."""
        self._following = 0
        self._asked: float | None = None

    @property
    def here(self) -> bool:
        if self._following:
            return True
        return self._asked is not None and asyncio.get_running_loop().time() - self._asked < _STAYS

    def asked(self) -> bool:
        """Somebody asked how the seat stands; whether that is the first time."""
        first, self.opened = not self.opened, True
        self._asked = asyncio.get_running_loop().time()
        return first

    @contextmanager
    def following(self) -> Iterator[None]:
        """A page follows the seat, within this block. Who closes it is gone at once."""
        self._following += 1
        try:
            yield
        finally:
            self._following -= 1
            self._asked = None
