"""For our tests and our users': players that do as they are told."""

from ostrom.testing.scripted import Scripted

__all__ = ["Scripted"]
