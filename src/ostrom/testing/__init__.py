"""Support for our own tests and those of users: scripted players, and the conformance suite for games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ostrom.core import Chance, Fault, IllegalAnswer, Question, Seat
from ostrom.players.base import NoAnswer, Player
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.fields import MalformedReply
from ostrom.players.models.reading import from_tags
from ostrom.testing.conformance import GameFaults, check_game, faults_of

__all__ = ["GameFaults", "Scripted", "ScriptedPerson", "check_game", "faults_of"]


@dataclass(frozen=True)
class Scripted:
    """A contestant of the Commons with scripted moves. If a script is too short, its last entry is repeated."""

    contributions: Sequence[float]
    lobby: Sequence[float] = (0.0,)
    votes: Sequence[int | None] = (None,)
    name: str = "Scripted"

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return the player itself, since the script is the same for every seat."""
        return self

    def answer(self, question: Question) -> object:
        """Return the move in the script for this turn."""
        scripts = {"contribution": self.contributions, "lobby": self.lobby, "vote": self.votes}
        fields = {"contribution": True, "lobby": question.view.rules.lobbying, "vote": question.view.may_vote}
        return {name: script[min(question.turn, len(script)) - 1] for name, script in scripts.items() if fields[name]}


@dataclass(frozen=True)
class ScriptedJudge:
    """A contestant whose answers come from a function of the question."""

    script: Callable[[Question], object]
    name: str = "ScriptedJudge"

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return the player itself, since the function is the same for every seat."""
        return self

    def answer(self, question: Question) -> object:
        """Return the function's answer."""
        return self.script(question)


@dataclass(frozen=True)
class ScriptedPerson:
    """A contestant with a script for any game in which a person can answer every question with one line."""

    game: str
    """The game's name in records."""
    lines: Mapping[str, Sequence[str]]
    """For each phase, the lines that answer its questions; the last line is repeated. An option may be given by its
    meaning instead of its label. Answers with several fields are typed as tags."""
    name: str = "Person"
    attempts: int = 3
    """The number of lines that are tried before the person counts as giving no answer."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take a seat in a new game. The script starts again from its beginning."""
        return Typist(self, chance)


@dataclass
class Typist:
    """The person at one seat."""

    person: ScriptedPerson
    chance: Chance
    rejections: list[str] = field(default_factory=list)
    """The reasons why lines were rejected."""
    _positions: dict[str, int] = field(default_factory=dict)

    def answer(self, question: Question) -> object:
        """Return the first legal line. Raise `NoAnswer` after the last attempt."""
        fault = Fault.MALFORMED
        for _ in range(self.person.attempts):
            try:
                return self._read(question, self._line(question))
            except (MalformedReply, IllegalAnswer) as reason:
                fault = Fault.MALFORMED if isinstance(reason, MalformedReply) else Fault.ILLEGAL
                self.rejections.append(str(reason))
        raise NoAnswer(fault, self.rejections[-1])

    def _line(self, question: Question) -> str:
        lines = self.person.lines[question.phase]
        place = self._positions.get(question.phase, 0)
        self._positions[question.phase] = place + 1
        line = lines[min(place, len(lines) - 1)]
        options = getattr(question.view, "options", ())
        return str(question.view.label_of(line)) if line in options else line

    def _read(self, question: Question, line: str) -> object:
        briefing = briefing_of(self.person.game)
        fields = briefing.form(question, framing_of(self.person.game), self.chance)
        values = {fields[0].name: fields[0].from_tag(line)} if len(fields) == 1 else from_tags(line, fields)
        return question.spec.validate(briefing.decode(question, values))
