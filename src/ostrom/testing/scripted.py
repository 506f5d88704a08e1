"""Players with a script: they give what is written, question after question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ostrom.core import Chance, Fault, IllegalAnswer, Question, Seat
from ostrom.players.base import NoAnswer, Player
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.fields import MalformedReply
from ostrom.players.models.reading import from_tags


@dataclass(frozen=True)
class Scripted:
    """A contestant of the Commons whose moves are written down. A script that is too short repeats its last entry."""

    contributions: Sequence[float]
    lobby: Sequence[float] = (0.0,)
    votes: Sequence[int | None] = (None,)
    name: str = "Scripted"

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """The script knows no chance and is the same at every seat."""
        return self

    def answer(self, question: Question) -> object:
        """What is written for this turn."""
        lines = {"contribution": self.contributions, "lobby": self.lobby, "vote": self.votes}
        asked = {"contribution": True, "lobby": question.view.rules.lobbying, "vote": question.view.may_vote}
        return {name: lines[name][min(question.turn, len(lines[name])) - 1] for name, wanted in asked.items() if wanted}


@dataclass(frozen=True)
class ScriptedJudge:
    """A contestant who answers each question as a function says."""

    script: Callable[[Question], object]
    name: str = "ScriptedJudge"

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """The script knows no chance."""
        return self

    def answer(self, question: Question) -> object:
        """As the script says."""
        return self.script(question)


@dataclass(frozen=True)
class ScriptedPerson:
    """A contestant of any game whose questions a person can answer in a line."""

    game: str
    """The game's name in records."""
    lines: Mapping[str, Sequence[str]]
    """By phase what is typed, question after question; the last line goes on for ever. An option may be written by what
    it means: the person looks up the label that it bears. Where an answer has several fields they are typed as tags."""
    name: str = "Person"
    attempts: int = 3
    """How often a line that cannot be taken is followed by another one, before there is no answer."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take a seat in a new game, with the script from its beginning."""
        return Typist(self, chance)


@dataclass
class Typist:
    """The person at one seat."""

    person: ScriptedPerson
    chance: Chance
    told: list[str] = field(default_factory=list)
    """What the person was told of lines that could not be taken."""
    _typed: dict[str, int] = field(default_factory=dict)

    def answer(self, question: Question) -> object:
        """Type until a line is legal, or the attempts are used up."""
        fault = Fault.MALFORMED
        for _ in range(self.person.attempts):
            try:
                return self._read(question, self._line(question))
            except (MalformedReply, IllegalAnswer) as reason:
                fault = Fault.MALFORMED if isinstance(reason, MalformedReply) else Fault.ILLEGAL
                self.told.append(str(reason))
        raise NoAnswer(fault, self.told[-1])

    def _line(self, question: Question) -> str:
        lines = self.person.lines[question.phase]
        place = self._typed.get(question.phase, 0)
        self._typed[question.phase] = place + 1
        line = lines[min(place, len(lines) - 1)]
        shown = getattr(question.view, "options", ())
        return str(question.view.label_of(line)) if line in shown else line

    def _read(self, question: Question, line: str) -> object:
        briefing = briefing_of(self.person.game)
        fields = briefing.form(question, framing_of(self.person.game), self.chance)
        values = {fields[0].name: fields[0].from_tag(line)} if len(fields) == 1 else from_tags(line, fields)
        return question.spec.validate(briefing.decode(question, values))
