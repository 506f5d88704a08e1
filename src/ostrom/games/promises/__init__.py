"""Promises: a judge reads what was said in another game and says of every line whether its speaker announces what it
will contribute. A game with one seat, so that its questions are asked, kept and paid for like those of any other."""

from ostrom.games.promises.events import EVENTS
from ostrom.games.promises.play import play
from ostrom.games.promises.rules import PromisesRules
from ostrom.games.promises.transcript import series, tell
from ostrom.games.promises.view import PromisesView
from ostrom.games.registry import GAMES, Game

PROMISES = Game(
    name="promises",
    command="promises",
    summary="a judge reads what was said in another game and says which lines promise a contribution",
    fewest_seats=1,
    most_seats=1,
    rules=PromisesRules,
    play=play,
    events=EVENTS,
    tell=tell,
    series=series,
    instrument=True,
)
GAMES.add(PROMISES.name, PROMISES)

__all__ = ["PROMISES", "PromisesRules", "PromisesView"]
