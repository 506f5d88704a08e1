"""Plan and run games: single games, and experiments of many games that are stored in a journal."""

from ostrom.core.game import make_rules
from ostrom.experiment.match import Decision, Match, chance_of, play, play_match, record_of, replay

__all__ = ["Decision", "Match", "chance_of", "make_rules", "play", "play_match", "record_of", "replay"]
