"""A few games of the Commons, played by champions under other names, some of whose answers are marked as the game's."""

from functools import cache

from ostrom.core import Provenance
from ostrom.experiment import play, record_of
from ostrom.games.commons import COMMONS
from ostrom.games.commons.measures import CommonsTables, tables_of
from ostrom.journal.record import GameRecord
from ostrom.players.roster import seat_players

SEATED = ("TitForTat", "AlwaysBetray", "Parasite")
TURNS = 6


@cache
def commons_records(names: tuple[str, ...] = ("alpha", "beta", "gamma"), games: int = 4) -> tuple[GameRecord, ...]:
    """Games of six turns; in the first two, the first seat's answer in turn 2 is defaulted."""
    champions = {one.name: one for one in seat_players(COMMONS.name)}
    rules = COMMONS.rules(turns=TURNS)
    made = []
    for number in range(games):
        whole = record_of(play([champions[name] for name in SEATED], game=COMMONS.name, rules=rules, number=number))
        seats = [seat.model_copy(update={"player": name}) for seat, name in zip(whole.seats, names, strict=True)]
        answers = [
            one.model_copy(update={"provenance": Provenance.DEFAULTED})
            if number < 2 and (one.turn, one.seat) == (2, 0)
            else one
            for one in whole.answers
        ]
        made.append(whole.model_copy(update={"seats": seats, "answers": answers, "number": number}))
    return tuple(made)


def commons_tables(names: tuple[str, ...] = ("alpha", "beta", "gamma"), games: int = 4) -> CommonsTables:
    """Their tables."""
    return tables_of((f"c{number}", "e", record) for number, record in enumerate(commons_records(names, games)))
