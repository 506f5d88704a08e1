"""Small experiments of the built-in players, played in memory."""

from ostrom.experiment import record_of
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Part
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.contribute_punish.tables import PunishTables, tables_of
from ostrom.players.roster import seat_players


def played(games: int, seed: int, seats: int = 5) -> PunishTables:
    """The tables of the games that `ostrom bench punish` plays with this number and this seed."""
    cast = seat_players(CONTRIBUTE_PUNISH.name)
    part = Part(CONTRIBUTE_PUNISH, CONTRIBUTE_PUNISH.rules(), cast, seats, games, seed)
    return tables_of((key, "e", record_of(match)) for key, match in play_games(part.fixtures("")))
