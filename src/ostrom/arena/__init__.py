"""Plays: one game at a time here, many at once in an experiment."""

from ostrom.arena.match import Decision, Match, play_match

__all__ = ["Decision", "Match", "play_match"]
