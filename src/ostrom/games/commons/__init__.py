"""The Commons: public goods with dynamic synergy, lobbying, erosion, exclusion votes and no known end."""

from ostrom.games.commons.events import EVENTS
from ostrom.games.commons.play import play
from ostrom.games.commons.rules import CommonsRules
from ostrom.games.commons.transcript import series, tell
from ostrom.games.commons.view import OwnTurn, SeatView
from ostrom.games.registry import GAMES, Game

COMMONS = Game(
    name="commons",
    command="commons",
    summary="public goods with dynamic synergy, lobbying, erosion, exclusion votes and no known end",
    fewest_seats=2,
    most_seats=1000,
    rules=CommonsRules,
    play=play,
    events=EVENTS,
    tell=tell,
    series=series,
)
GAMES.add(COMMONS.name, COMMONS)

__all__ = ["COMMONS", "CommonsRules", "OwnTurn", "SeatView"]
