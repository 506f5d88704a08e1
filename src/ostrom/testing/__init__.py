"""For our tests and our users': players that do as they are told."""

from ostrom.testing.person import ScriptedPerson
from ostrom.testing.scripted import Scripted

__all__ = ["Scripted", "ScriptedPerson"]
