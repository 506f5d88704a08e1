"""What a person can be told before the first question: the rules, and what the seats are called."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ostrom.core import Answer, Chance, Moment, Provenance, Question, Seat, Table, seats
from ostrom.core.game import Game
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.prompting import rules_text


class Opening(NamedTuple):
    """The table as a seat is told of it at the start."""

    rules: str
    labels: tuple[str, ...]
    """What each seat is called, by index."""


def opening(game: Game, rules: Any, chance: Chance, count: int, seat: int) -> Opening:
    """What a model at this seat would be told at its first question, whenever that is: none of it changes in the course
    of the game. Nothing where the seat may never be asked."""
    question = _first_question(game, rules, chance, count, seat)
    if question is None:
        return Opening("", tuple(Seat(index).label for index in range(count)))
    briefing = briefing_of(game.name)
    framing = framing_of(game.name)
    labels = briefing.labels(question, framing, chance, count)
    return Opening(rules_text(briefing, question, framing, chance), labels)


def _first_question(game: Game, rules: Any, chance: Chance, count: int, seat: int) -> Question | None:
    """The first question to a seat, where everybody before it gives the declared fallback."""
    flow = game.play(rules, Table(seats(count), chance))
    try:
        moment: Moment = next(flow)
        while True:
            for question in moment:
                if question.seat.index == seat:
                    return question
            moment = flow.send(_fallbacks(moment))
    except StopIteration:
        return None
    finally:
        flow.close()


def _fallbacks(moment: Sequence[Question]) -> list[Answer]:
    return [Answer(question.fallback, Provenance.DEFAULTED) for question in moment]
