"""What every player is: somebody who sits down at a seat and answers questions. Where the answer comes from (an
algorithm, a model, a person, a record) is the player's own affair; whether it is legal is the question's."""

from typing import Any, Protocol

from ostrom.table import Chance, IllegalAnswer, PlayerFault, Question, Seat


class Player(Protocol):
    """One seat's player in one game."""

    def answer(self, question: Question) -> object:
        """Answer in plain data; the driver validates it against the question's specification."""


class Contestant(Protocol):
    """Somebody who can be seated, any number of times: a champion, a bot, a model."""

    @property
    def name(self) -> str:
        """The name under which results are listed."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take a seat in a new game. A player draws chance only from what it is handed here."""


def checked(name: str, question: Question, raw: object) -> Any:
    """The answer in the type of its specification. For players whom nobody asks again: what is illegal is their
    fault, is named with seat and turn, and ends the game; nothing is clipped."""
    try:
        return question.spec.validate(raw)
    except IllegalAnswer as reason:
        text = f"{name} (seat {question.seat}) broke the rules in turn {question.turn}: {reason}"
        raise PlayerFault(text, question.turn) from None
