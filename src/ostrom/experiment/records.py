"""The record of a match, and a match from its record: played again by the rules, and compared."""

import math
from typing import Any

from ostrom.core import Chance, Disagreement, GameChance, LoggedChance, PlayerFault, Provenance, RecordError, Seat
from ostrom.core.plugins import GAMES
from ostrom.experiment import Match, play_match
from ostrom.experiment.playing import make_rules
from ostrom.journal.record import GameRecord, RecordedAnswer, RecordedOrder, RecordedSeat, missing
from ostrom.players.base import ReplayContestant
from ostrom.version import VERSION

TOLERANCE = 1e-9
"""How far, relatively, a number of a record may lie from what the rules give: two machines' powers differ in the last
bit."""


def record_of(match: Match) -> GameRecord:
    """The complete record of a match."""
    return GameRecord(
        ostrom=VERSION,
        game=match.game.name,
        **_chance_record(match.chance),
        rules=match.rules.model_dump(mode="json"),
        seats=[
            RecordedSeat(seat=index, label=Seat(index).label, player=name) for index, name in enumerate(match.names)
        ],
        answers=[
            RecordedAnswer(
                turn=decision.question.turn,
                phase=decision.question.phase,
                seat=decision.question.seat.index,
                value=decision.answer.value,
                provenance=decision.answer.provenance,
                cut=decision.answer.cut,
                fault=decision.answer.fault,
            )
            for decision in match.decisions
        ],
        events=[event.as_record() for event in match.events],
        series=match.game.series(match.events),
    )


def _chance_record(chance: Chance) -> dict[str, Any]:
    if isinstance(chance, GameChance):
        return {"seed": chance.seed, "number": chance.game}
    assert isinstance(chance, LoggedChance)
    orders = [
        RecordedOrder(purpose=purpose, turn=turn, seats=list(seats)) for (purpose, turn), seats in chance.orders.items()
    ]
    return {"seed": None, "number": 0, "orders": orders}


def chance_of(record: GameRecord) -> Chance:
    """Where the draws of a recorded game come from: its seed, or the orders that its log has."""
    if record.seed is not None:
        return GameChance(record.seed, record.number)
    return LoggedChance({(order.purpose, order.turn): tuple(order.seats) for order in record.orders})


def replay(record: GameRecord) -> Match:
    """Play a record again from its answers, by the rules, and compare everything that happens with what it says
    happened. The first difference raises `Disagreement`."""
    if record.game not in GAMES:
        raise RecordError(missing(record.game, record.package))
    game = GAMES[record.game]
    answers = {(answer.turn, answer.phase, answer.seat): answer.value for answer in record.answers}
    if len(answers) < len(record.answers):
        raise Disagreement("the record answers one question twice")
    if [(seat.seat, seat.label) for seat in record.seats] != [(i, Seat(i).label) for i in range(len(record.seats))]:
        raise Disagreement("the record's seats are not numbered from 0 and labelled from P1 on")
    defaulted = {
        (answer.turn, answer.phase, answer.seat): answer.fault
        for answer in record.answers
        if answer.provenance is Provenance.DEFAULTED
    }
    contestants = [ReplayContestant(seat.player, answers, defaulted) for seat in record.seats]
    rules = make_rules(game, record.rules)
    try:
        match = play_match(game, rules, contestants, chance_of(record), provenance=Provenance.REPLAYED)
    except PlayerFault as fault:
        raise Disagreement(f"the rules refuse an answer of the record: {fault}") from None
    unused = len(record.answers) - len(match.decisions)
    if unused:
        raise Disagreement(f"the record holds {unused} answers more than the game asks for")
    _compare_events(record, match)
    return match


def _compare_events(record: GameRecord, match: Match) -> None:
    for index, (told, event) in enumerate(zip(record.events, match.events, strict=False)):
        found = event.as_record()
        where = f"event {index + 1} (turn {found.get('turn', found.get('round'))}, {found['event']})"
        if (difference := _difference(told, found, where)) is not None:
            raise Disagreement(difference)
    if len(record.events) != len(match.events):
        raise Disagreement(f"the record tells {len(record.events)} events, the rules give {len(match.events)}")
    # A journal keeps no series, because the events say all that they say; where there are some they must be right.
    if record.series and (parted := _difference(record.series, match.game.series(match.events), "series")) is not None:
        raise Disagreement(parted)


def _difference(told: Any, found: Any, where: str) -> str | None:
    """The first place where a record and the rules part, or nothing."""
    if isinstance(told, dict) and isinstance(found, dict):
        for key in {**told, **found}:
            if key not in told or key not in found:
                return f"{where}: {key!r} stands in {'the record' if key in told else 'the rules'} alone"
            if (difference := _difference(told[key], found[key], f"{where}, {key}")) is not None:
                return difference
        return None
    if isinstance(told, list) and isinstance(found, list):
        if len(told) != len(found):
            return f"{where}: the record has {len(told)} entries, the rules give {len(found)}"
        pairs = enumerate(zip(told, found, strict=True))
        return next((text for i, pair in pairs if (text := _difference(*pair, f"{where}[{i}]")) is not None), None)
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (told, found))
    same = math.isclose(told, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE) if numbers else told == found
    return None if same else f"{where}: the record says {told!r}, the rules give {found!r}"
