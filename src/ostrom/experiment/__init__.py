"""Plays: one game at a time, many at once in an experiment; keeps the records, and plays them again."""

from ostrom.core.game import make_rules
from ostrom.experiment.match import Decision, Match, chance_of, play, play_match, record_of, replay

__all__ = ["Decision", "Match", "chance_of", "make_rules", "play", "play_match", "record_of", "replay"]
