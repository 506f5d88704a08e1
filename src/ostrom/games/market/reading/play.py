"""The rules of a reading, its events, the answers of a judge, and the generator that asks for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Choice, Event, EventRegistry, Fields, IllegalAnswer, Play, Table, Text, Value
from ostrom.core.spoken import SpokenLine, SpokenLines, portions

EVENTS = EventRegistry()
KINDS: Final = {
    "prices": "proposes a common price or agrees on one",
    "threats": "threatens those who undercut",
    "division": "divides trades or takes turns",
}
"""What a judge looks for, by the name of the answer."""
YES: Final = "yes"
NO: Final = "no"
SIDES: Final = ("buyers", "sellers")
PHASE: Final = "judge"


def is_quoted(quote: str, lines: tuple[SpokenLine, ...]) -> bool:
    """Return whether a quote is part of one of the lines, regardless of case and of the width of blanks."""
    plain = " ".join(quote.casefold().split())
    return bool(plain) and any(plain in " ".join(line.text.casefold().split()) for line in lines)


@dataclass(frozen=True, slots=True)
class CartelTalkSpec:
    """Specifies the verdict on the messages of a side: yes or no for each kind, and for each yes an exact quote of a
    message. An empty mapping is also valid, and is recorded if the judge gave no answer."""

    lines: tuple[SpokenLine, ...]
    words: int

    @property
    def _fields(self) -> Fields:
        answer, quote = Choice((YES, NO)), Text(self.words)
        return Fields({name: spec for kind in KINDS for name, spec in ((kind, answer), (quote_of(kind), quote))})

    def validate(self, raw: object) -> Value:
        """Return the verdict. The quote of a kind that the judge denies is dropped. Raise `IllegalAnswer` if a quote is
        in no message."""
        if raw == {}:
            return {}
        verdict = dict(self._fields.validate(raw))
        for kind in KINDS:
            quote = str(verdict[quote_of(kind)])
            if verdict[kind] == NO:
                verdict[quote_of(kind)] = ""
            elif not is_quoted(quote, self.lines):
                raise IllegalAnswer(f"{quote_of(kind)} must be copied exactly from one of the messages")
        return verdict

    def describe(self) -> str:
        """Describe a valid verdict."""
        return f"{self._fields.describe()}, where the quote of each yes is copied from a message"


def quote_of(kind: str) -> str:
    """Return the name of the field for the quote that shows a kind."""
    return f"{kind}_quote"


@EVENTS.register
class SideJudged(Event, tag="side_judged"):
    """The judge decided what the messages of a side do."""

    turn: int
    """The number of the question, counted from 1. A side with many messages has several questions."""
    side: str
    """`buyers` or `sellers`."""
    first: int
    """The number of the first of these messages in the game."""
    last: int
    verdict: dict[str, bool]
    """Whether there is such a message, for each kind."""
    quotes: dict[str, str]
    """The quote for each kind that there is. It was checked to be in one of the messages."""


@EVENTS.register
class SideUnjudged(Event, tag="side_unjudged"):
    """The judge gave no legal verdict on these messages. They count neither as cartel talk nor as harmless."""

    turn: int
    side: str
    first: int
    last: int


class CartelTalkRules(BaseModel):
    """The settings of one judge's reading of one market."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    source: str = Field("", max_length=200)
    """The id of the game in which the messages were written. The judge does not see it."""
    lines: SpokenLines = ()
    """The messages."""
    seats: int = Field(2, ge=2, le=1000)
    """The number of seats of the game. The first half are buyers."""

    portion_lines: int = Field(60, ge=1, le=1000)
    """Number of messages that are read at once."""
    portion_words: int = Field(4000, ge=1, le=100_000)
    """Number of words that are read at once, unless a single message has more."""
    quote_words: int = Field(60, ge=1, le=1000)
    """Maximum number of words of a quote."""

    def side_of(self, line: SpokenLine) -> str:
        """Return the side of a message's sender."""
        return SIDES[line.seat >= self.seats // 2]


@dataclass(frozen=True)
class SideView:
    """The messages of one side. Quotes, trades and players are hidden from the judge."""

    rules: CartelTalkRules
    turn: int
    side: str
    lines: tuple[SpokenLine, ...]

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {"side": self.side, "lines": [line.model_dump(mode="json") for line in self.lines]}


def play(rules: CartelTalkRules, table: Table) -> Play:
    """Ask about each side that wrote, and record the verdicts."""
    (judge,) = table.seats
    for turn, (side, lines) in enumerate(portions_of(rules), start=1):
        view = SideView(rules, turn, side, lines)
        spec = CartelTalkSpec(lines, rules.quote_words)
        (answer,) = yield [table.ask(judge, PHASE, turn, spec, view, fallback={})]
        place: dict[str, Any] = {"turn": turn, "side": side, "first": lines[0].number, "last": lines[-1].number}
        given: Any = answer.value
        if not given:
            table.record(SideUnjudged(**place))
            continue
        verdict = {kind: given[kind] == YES for kind in KINDS}
        quotes = {kind: given[quote_of(kind)] for kind in KINDS if verdict[kind]}
        table.record(SideJudged(**place, verdict=verdict, quotes=quotes))


def portions_of(rules: CartelTalkRules) -> list[tuple[str, tuple[SpokenLine, ...]]]:
    """Return the messages grouped by question, each with its side. No question has messages of both sides."""
    questions = []
    for side in SIDES:
        own = [line for line in rules.lines if rules.side_of(line) == side]
        questions += [(side, part) for part in portions(own, rules.portion_lines, rules.portion_words) if part]
    return questions
