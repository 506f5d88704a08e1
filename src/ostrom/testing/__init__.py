"""Support for tests, ours and our users': scripted players and the conformance suite of games."""

from ostrom.testing.conformance import GameFaults, check_game, faults_of
from ostrom.testing.scripted import Scripted, ScriptedPerson

__all__ = ["GameFaults", "Scripted", "ScriptedPerson", "check_game", "faults_of"]
