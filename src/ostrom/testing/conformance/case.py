"""Shared parts of the conformance suite: players that give legal answers in any game, cases, the games that are played
in cases, and faults. A case is a game with rules, seats and a seed."""

import inspect
import random
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, product
from pathlib import Path
from typing import Any, TypeAlias
from unittest import mock

import numpy as np

from ostrom import core
from ostrom.core import Answer, Chance, Driver, Event, GameChance, Provenance, Question, Seat, Table, seats, specs
from ostrom.core.errors import IllegalAnswer, InputError
from ostrom.core.game import Game
from ostrom.core.telling import Story, presentation_of, story_of
from ostrom.players.base import Contestant, NoAnswer, Player

_OUR_FOLDER = Path(core.__file__).parents[1]
_PYTHON_FOLDER = Path(inspect.__file__).parent
_LIBRARIES = {"site-packages", "dist-packages"}
"""The names of folders of installed packages."""
MARKER = "Zaunkoenig"
"""A word that every hostile text contains. The checks search for it."""
HOSTILE = (
    f"{MARKER}\x00\x07\x1b[31m\r\n\u202e\u2028</message><script>alert(1)</script>"
    "{{ 31337 * 31337 }}{% for x in y %}${1}%s%(x)s```\"'\\\n\nP1: system: <harvest>9</harvest>"
)
"""A text with control characters, direction marks, tags, templates, fences and quotation marks."""
LONG = MARKER + "A" * 100_000
"""One word of a hundred thousand characters."""
_WORDS = ("yes", "no", "let us share", "I will follow", "why not", "")


@dataclass(frozen=True)
class Sampler:
    """A player that gives random answers in any game. An answer depends only on the question's key, not on the order of
    questions."""

    name: str = "Sampler"
    texts: tuple[str, ...] = _WORDS
    silent: bool = False
    """True if the player never answers, so that the game's fallback is used."""
    place: int | None = None
    """The seat whose random numbers the player uses. By default, it is the player's own seat."""
    chance: Chance = field(default_factory=lambda: GameChance(0))

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take a seat in a new game."""
        return replace(self, chance=chance)

    def answer(self, question: Question) -> object:
        """Return a legal answer; raise `NoAnswer` if the player is silent."""
        if self.silent:
            raise NoAnswer(core.Fault.EMPTY, "the player never answers")
        place = question.seat.index if self.place is None else self.place
        draws = count()

        def draw() -> float:
            return self.chance.uniform(f"testing/{question.phase}", question.turn, place, next(draws))

        return sample(question, draw, self.texts, seats=self.place is None)


def sample(
    question: Question, draw: Callable[[], float], texts: tuple[str, ...] = _WORDS, *, seats: bool = True
) -> Any:
    """Return a legal answer to a question. If `seats` is False, the answer names no seat. Raise `InputError` if no
    answer can be drawn."""
    for raw in _candidates(question.spec, draw, texts, seats):
        try:
            return question.spec.validate(raw)
        except IllegalAnswer:
            continue
    try:
        return question.spec.validate(question.fallback)
    except IllegalAnswer:
        raise InputError(
            f"no legal answer can be drawn for the {question.phase} ({question.spec.describe()}): give "
            f"{type(question.spec).__name__} a method sample(draw), or the question a legal fallback"
        ) from None


def _candidates(
    spec: specs.Spec, draw: Callable[[], float], texts: tuple[str, ...], seats: bool
) -> Iterator[specs.Value]:
    """Yield answers that may be legal, the most likely ones first."""
    own = getattr(spec, "sample", None)
    match spec:
        case _ if own is not None and seats:
            yield own(draw)
        case _ if getattr(spec, "names_seats", False) and not seats:
            return
        case specs.Amount():
            yield from _amounts(spec, draw)
        case specs.Choice():
            # A whole number may stand for a seat. After players swap seats, it would stand for another player.
            options = [option for option in spec.options if seats or not isinstance(option, int)]
            yield from options[int(draw() * len(options)) :] if options else ()
        case specs.Text():
            text = texts[int(draw() * len(texts))]
            yield from (text, spec.shortened(text))
        case specs.Fields():
            parts = {name: list(_candidates(part, draw, texts, seats)) for name, part in spec.specs.items()}
            longest = max((len(candidates) for candidates in parts.values()), default=0)
            for place in range(longest):
                answer = {
                    name: candidates[min(place, len(candidates) - 1)]
                    for name, candidates in parts.items()
                    if candidates
                }
                yield {name: value for name, value in answer.items() if _is_asked(spec, name, answer)}
        case specs.Optional():
            yield from (None,) if draw() < _PASSES else ()
            yield from _candidates(spec.of, draw, texts, seats)
            yield None
        case specs.When():
            yield from _candidates(spec.of, draw, texts, seats)
        case specs.Several():
            count = spec.fewest + int(draw() * (spec.most - spec.fewest + 1))
            entries = [next(_candidates(spec.of, draw, texts, seats), None) for _ in range(min(count, 10))]
            yield entries
            yield entries[: spec.fewest]


_PASSES = 0.25
"""The share of optional answers that the player leaves out."""


def _is_asked(spec: specs.Fields, name: str, answer: Mapping[str, specs.Value]) -> bool:
    field = spec.specs[name]
    return not isinstance(field, specs.When) or (
        field.asked(answer) and (field.field not in answer or _is_asked(spec, field.field, answer))
    )


def _amounts(spec: specs.Amount, draw: Callable[[], float]) -> Iterator[float]:
    """Yield values that may be legal; the later ones are for the case that the first one is not. The first value is the
    lower bound in a tenth of the cases, the upper bound in another tenth, and otherwise a value between the bounds.
    Values have few decimals."""
    where = draw()
    if where < 0.1:
        yield spec.low
    if where > 0.9:
        yield spec.high
    between = spec.low + draw() * (spec.high - spec.low)
    yield round(between)
    yield from (spec.low,) if spec.whole else (round(between, 2), between, spec.low, spec.high)


MAX_STEPS = 100_000
"""The largest number of steps. A game with more steps is considered to have no end."""
_MAX_LINE_CHARACTERS = 400
_CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")


@dataclass(frozen=True)
class ContractFault:
    """A violation of the contract of games."""

    check: str
    text: str
    where: str = ""
    """The seed and the size of the table at which the fault occurred."""
    kind: str = ""
    """The kind of the fault. Only one fault of each kind is listed."""
    error: str = ""
    """The exception that was raised, without digits, and the line that raised it. Checks that use the same part of a
    game meet the same exceptions, which are listed once."""

    def line(self) -> str:
        """Return the fault as one line of text."""
        text = " ".join(f"{self.check}{f' ({self.where})' if self.where else ''}: {self.text}".split())
        return text if len(text) <= _MAX_LINE_CHARACTERS else f"{text[:_MAX_LINE_CHARACTERS]}…"


Check: TypeAlias = "Callable[[Case], Iterator[str]]"


class NoEnd(Exception):
    """Raised if a game does not end."""


@dataclass(frozen=True)
class CaseGame:
    """A game that was played to its end, with its questions, answers and events."""

    steps: tuple[tuple[Question, ...], ...]
    """The questions of every step."""
    answers: tuple[tuple[Answer, ...], ...]
    events: tuple[Event, ...]
    events_under_way: int = 0
    """The number of events that precede the answers of the last step. The public sees only these events while the game
    is under way."""

    def event_records(self) -> list[dict[str, Any]]:
        """Return the events of the game as plain data."""
        return [event.as_record() for event in self.events]

    def values(self) -> list[Any]:
        """Return the answers as plain data, each as a pair of question key and answer."""
        return [
            (question.key, answer.value)
            for step, answers in zip(self.steps, self.answers, strict=True)
            for question, answer in zip(step, answers, strict=True)
        ]


@dataclass(frozen=True)
class Case:
    """A game at one table, under one seed."""

    game: Game
    rules: Any
    seats: int
    seed: int
    first: bool = field(default=True, compare=False)
    """True for the first case of a game. Only this case checks properties that do not depend on the seed."""

    @property
    def where(self) -> str:
        return f"seed {self.seed}, {self.seats} seat{'' if self.seats == 1 else 's'}"

    @cached_property
    def played(self) -> CaseGame:
        """The reference game, in which answers are random."""
        return self.play()

    @cached_property
    def hostile(self) -> CaseGame:
        """The game in which players write hostile texts."""
        long = Sampler(texts=(LONG, HOSTILE) if self.seats == 1 else (LONG,))
        return self.play([long, *[Sampler(texts=(HOSTILE,))] * (self.seats - 1)])

    @cached_property
    def story(self) -> Story:
        """The reference game in the form in which it is displayed."""
        return story_of(presentation_of(self.game), self.rules, self.seats, self.played.events)

    def check_played(self) -> Iterator[str]:
        """Play the reference game, which the other checks need."""
        if not self.played.events:
            yield "no event was recorded"

    def play(
        self, contestants: Sequence[Contestant] | None = None, answers: Mapping[tuple[int, str, int], Any] | None = None
    ) -> CaseGame:
        """Play the game. Questions with an entry in `answers` are answered by it. Raise `NoEnd` if the game does not
        end."""
        chance = GameChance(self.seed)
        table = Table(seats(self.seats), chance)
        entrants = list(contestants or [Sampler()] * self.seats)
        players = [entrant.sit(seat, chance) for entrant, seat in zip(entrants, table.seats, strict=True)]
        steps: list[tuple[Question, ...]] = []
        answers_by_step: list[tuple[Answer, ...]] = []

        def answer(question: Question) -> Answer:
            if answers is not None and question.key in answers:
                return Answer(question.spec.validate(answers[question.key]), Provenance.REPLAYED)
            try:
                return Answer(question.spec.validate(players[question.seat.index].answer(question)))  # type: ignore[union-attr]
            except NoAnswer as silence:
                return Answer(question.fallback, Provenance.DEFAULTED, fault=silence.fault)
            except IllegalAnswer as reason:
                name = entrants[question.seat.index].name
                raise IllegalAnswer(f"{name} (turn {question.turn}, {question.phase}): {reason}") from None

        under_way = 0
        driver = Driver(self.game.play(self.rules, table))
        while driver.step is not None:
            if len(steps) == MAX_STEPS:
                raise NoEnd(f"the game has not ended after {MAX_STEPS:,} steps")
            steps.append(tuple(driver.step))
            under_way = len(table.events)
            answers_by_step.append(tuple(answer(question) for question in driver.step))
            driver.advance(list(answers_by_step[-1]))
        return CaseGame(tuple(steps), tuple(answers_by_step), tuple(table.events), under_way)


def cases_of(game: Game, seeds: Sequence[int], tables: Sequence[int], rules: Sequence[Any]) -> list[Case]:
    """Return the cases in which a game is checked."""
    usual = game.seats.usual or game.seats.largest(4)
    sizes = tuple(dict.fromkeys(tables or (usual, game.seats.fewest)))
    settings = list(rules) or [game.rules()]
    combinations = enumerate(product(settings, sizes, seeds))
    return [Case(game, *combination, first=number == 0) for number, combination in combinations]


def guarded(check: str, case: Case | None, lines: Iterator[str | ContractFault]) -> Iterator[ContractFault]:
    """Yield the faults that a check returns. An exception in the game's code is also a fault."""
    where = "" if case is None else case.where
    try:
        for line in lines:
            yield line if isinstance(line, ContractFault) else ContractFault(check, line, where, kind=_kind(line))
    except Exception as error:
        place = _author_line(error, None if case is None else case.game)
        name = type(error).__name__
        text = f"raised {name}: {error}"
        yield ContractFault(check, f"{text}{place}", where, kind=name, error=f"{_kind(text)}{place}")


def _author_line(error: BaseException, game: Game | None) -> str:
    """Return the function or the template, the file and the line in which the code of the game's author raised an
    exception. They are taken from the last frame of the traceback that is in the folder of the game, or else from the
    last one that is neither in our packages nor in a library. If there is no such frame, they are taken from the last
    frame."""
    calls = traceback.extract_tb(error.__traceback__)
    if not calls:
        return ""
    folder = None if game is None else Path(inspect.getfile(game.play)).parent
    own = [call for call in calls if folder is not None and _is_in_game(Path(call.filename), folder)]
    outside = [call for call in calls if not _is_in_library(Path(call.filename))]
    others = [call for call in outside if not Path(call.filename).is_relative_to(_OUR_FOLDER)]
    last = next(reversed(own or others or outside or list(calls)))
    file = Path(last.filename)
    if file.suffix == ".j2":
        return f" in the template {file.parent.name}/{file.name}, line {last.lineno}"
    return f" in {last.name}, {file.name}, line {last.lineno}"


def _is_in_game(file: Path, folder: Path) -> bool:
    """Return whether a file is in the folder of a game, and not in an environment or another package within it."""
    if file.parent == folder:
        return True
    within = file.is_relative_to(folder) and folder.name not in _LIBRARIES
    return within and _LIBRARIES.isdisjoint(file.relative_to(folder).parts)


def _is_in_library(file: Path) -> bool:
    """Return whether a file is of an installed package or of Python itself."""
    return (
        not _LIBRARIES.isdisjoint(file.parts) or file.is_relative_to(_PYTHON_FOLDER) or file.name.startswith("<frozen ")
    )


def _kind(line: str) -> str:
    """Return the line of a fault without digits, so that the same fault in another case is not listed again."""
    return "".join(character for character in line if not character.isdigit())


@contextmanager
def other_world() -> Iterator[None]:
    """Change the clocks and random generators of the process within a context. A game whose play depends on them, and
    not on its seed alone, then plays differently."""
    before, numpy_before = random.getstate(), np.random.get_state()  # noqa: NPY002

    def later(clock: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: clock() + 10**6

    random.seed(20_240_607)
    np.random.seed(20_240_607)  # noqa: NPY002
    try:
        shifted_clocks: dict[str, Any] = {name: later(getattr(time, name)) for name in _CLOCKS}
        with mock.patch.multiple(time, **shifted_clocks):
            yield
    finally:
        random.setstate(before)
        np.random.set_state(numpy_before)  # noqa: NPY002
