"""The laboratory's front door for programs: play a game, keep its record, play it again, run an experiment. The
command line and the library both come in here. `ostrom.lab.experiments` is imported by itself, since it brings the
journal with it."""

from ostrom.lab.playing import make_rules, play
from ostrom.lab.records import chance_of, record_of, replay

__all__ = ["chance_of", "make_rules", "play", "record_of", "replay"]
