"""Every registered game follows the contract; the faults of a game that violates it are named."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Event, EventRegistry, Play, Table, Text
from ostrom.core.effects import Mark, Say, Set, Telling, Transfer, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Card, Flow, Quantity, Scene
from ostrom.core.step import ArrayForm
from ostrom.core.step import Field as ArrayField
from ostrom.core.telling import simple
from ostrom.players.models.briefing import PlainBriefing
from ostrom.players.strategy import RowStrategy
from ostrom.testing import GameFaults, check_game, faults_of

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))
from rewrite import TABLES


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_keeps_the_contract(name: str) -> None:
    game = GAMES[name]
    # Short games of those that are long, and something to read for the judges.
    short = game.instrument or name == "commons"
    check_game(game, seeds=(1,), rules=[TABLES[name]["rules"]] if short else (), study=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_is_measured_drawn_and_reported(name: str) -> None:
    game = GAMES[name]
    short = game.instrument or name == "commons"
    check_game(game, rules=[TABLES[name]["rules"]] if short else ())


# A small game with variants that violate the contract. In each round, every seat sends a message and names an amount.

EVENTS = EventRegistry()


@EVENTS.register
class Named(Event):
    """Everybody named an amount."""

    tag: ClassVar[str] = "named"
    round: int
    amounts: list[float]
    said: list[str]


@EVENTS.register
class Paid(Event):
    """The game is over."""

    tag: ClassVar[str] = "paid"
    round: int
    finals: list[float]


class ToyRules(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    rounds: int = Field(3, ge=1, le=10, description="Rounds of a game.")


@dataclass(frozen=True)
class ToyView:
    rules: ToyRules
    round: int
    seat: int
    said: tuple[str, ...]


def rounds(rules: ToyRules, table: Table, *, bonus: Any = lambda round_: 0.0, fallback: Any = 0.0) -> Play:
    held, said = [0.0] * len(table.seats), ()
    for round_ in range(1, rules.rounds + 1):
        views = {seat: ToyView(rules, round_, seat.index, said) for seat in table.seats}
        texts = yield [table.ask(seat, "message", round_, Text(200), views[seat], fallback="") for seat in table.seats]
        said = tuple(one.value for one in texts)
        amounts = yield [
            table.ask(seat, "amount", round_, Amount(0, 10), views[seat], fallback=fallback) for seat in table.seats
        ]
        named = [10.0 - one.value + bonus(round_) for one in amounts]
        held = [sum(pair) for pair in zip(held, named, strict=True)]
        table.record(Named(round=round_, amounts=named, said=[*said]))
    table.record(Paid(round=rules.rounds, finals=held))


SCENE = Scene(
    layout="table",
    title="Toy",
    clock="round",
    final="held",
    quantities={"held": Quantity(title="Holds"), "named": Quantity(title="Named")},
    flows={"payment": Flow(title="Payment", of="held")},
    card=Card(quantity="held"),
)


def tell(event: Event) -> Telling:
    if isinstance(event, Named):
        says = tuple(Say(seat=seat, text=text) for seat, text in enumerate(event.said))
        return Telling(turn=event.round, effects=(Set(values={"named": tuple(event.amounts)}), *says, Mark()))
    assert isinstance(event, Paid)
    return Telling(turn=event.round, phase="end", effects=(Set(values={"held": tuple(event.finals)}),))


PRESENTATION = simple(SCENE, tell)

TOY = Game(
    name="toy_to_break",
    title="Toy",
    summary="everybody names an amount",
    seats=Seats(2, 6, usual=3),
    unit="tokens",
    rules=ToyRules,
    view=ToyView,
    play=rounds,
    events=EVENTS,
    finals=lambda events: [*events[-1].finals],
    scene=f"{__name__}:PRESENTATION",
    symmetric=True,
)


class Halving(ArrayForm[ToyRules, Any]):
    """The toy over arrays, in which everything is worth half."""

    def phases(self, rules: ToyRules) -> tuple[str, ...]:
        return ("amount",)

    def fields(self, rules: ToyRules, phase: str) -> tuple[ArrayField, ...]:
        return (ArrayField("amount"),)

    def init(self, rules: ToyRules, seats: int, like: Any, fields: frozenset[str], draws: Any) -> Any:
        return (np.zeros((seats, len(like))),)

    def observe(self, rules: ToyRules, phase: str, turn: Any, state: Any, draws: Any) -> Any:
        return state

    def view(self, seen: Any, pick: Any) -> Any:
        return pick.of_seats(seen[0])

    def step(self, rules: ToyRules, phase: str, turn: Any, state: Any, moves: Any, draws: Any) -> Any:
        return (state[0] + (10.0 - moves["amount"]) / 2,)

    def ends(self, rules: ToyRules, turn: Any, draws: Any) -> Any:
        return (draws.games >= 0) & (turn >= rules.rounds)

    def finals(self, rules: ToyRules, state: Any) -> Any:
        return state[0]

    def view_of(self, question: Any, draws: Any) -> Any:
        return np.zeros(1) if question.phase == "amount" else None

    def answer_of(self, question: Any, moves: Any) -> object:
        return float(moves["amount"])

    def moves_of(self, phase: str, answer: Any) -> Any:
        return {"amount": answer}


HALVING = Halving()


class Three(RowStrategy):
    """Always names three."""

    step = HALVING

    def decide(self, phase: str, view: Any, memory: Any, fields: Any) -> Any:
        return {"amount": view * 0 + 3.0}, memory


def wavering(question: Any) -> object:
    """Names whatever comes to its mind."""
    return "" if question.phase == "message" else round(random.random(), 6)


def overbidding(question: Any) -> object:
    """Names too much."""
    return "" if question.phase == "message" else 11


ROWS, WAVERING, OVERBIDDING = [Three], [wavering], [overbidding]


class Raw(PlainBriefing):
    """Repeats the messages of others without quoting them."""

    def __init__(self) -> None:
        super().__init__(TOY)

    def context(self, question: Any, framing: Any, chance: Any) -> Any:
        return {**super().context(question, framing, chance), "me": "".join(question.view.said)}


class Endless(Raw):
    """Has very long prompts."""

    def context(self, question: Any, framing: Any, chance: Any) -> Any:
        return {**super().context(question, framing, chance), "me": "{{ me }}" * 10_000}


class Forgetful(Raw):
    """Omits the past in layout 1."""

    wording = "{# plain/rules #}\nThe rules.\n{# plain/question #}\nIt is round {{ turn }}."

    def past(self, question: Any, framing: Any, chance: Any) -> Any:
        return [f"Round {number} has ended." for number in range(1, question.turn)]

    def context(self, question: Any, framing: Any, chance: Any) -> Any:
        return {"history": self.past(question, framing, chance)}


class Mindful(Forgetful):
    """Shows the past in layout 1."""

    wording = f"{Forgetful.wording}{{% if framing.layout == 1 %}}{{{{ history }}}}{{% endif %}}"


class Foreign(Raw):
    """Leaves out its unit, so that amounts are in tokens."""

    def __init__(self) -> None:
        """Keep the unit of the class."""
        self._game = replace(TOY, unit="points")


class Explained(Foreign):
    """Counts in another unit, and says what it is worth."""

    unit = "shells"
    wording = "{# plain/rules #}\nA point is ten shells; you want points.\n{# plain/question #}\nHow many?"


def variant(**settings: Any) -> Callable[[ToyRules, Table], Play]:
    return lambda rules, table: rounds(rules, table, **settings)


def edited(edit: Callable[[Event], Event]) -> Callable[[ToyRules, Table], Play]:
    """Return the game with its events edited."""

    def play(rules: ToyRules, table: Table) -> Play:
        inner = Table(table.seats, table.chance)
        yield from rounds(rules, inner)
        for event in inner.events:
            table.record(edit(event))

    return play


def registry_of(*events: type[Event]) -> EventRegistry:
    registry = EventRegistry()
    for event in events:
        registry.register(event)
    return registry


class Twisted(Named):
    """An event whose record is invalid."""

    def as_record(self) -> dict[str, Any]:
        return {**super().as_record(), "amounts": "many"}


class Bare(ToyRules):
    bonus: float = 1.0
    price: int = Field(ge=0, description="What it costs.")


played: list[int] = []


def play_with_memory(rules: ToyRules, table: Table) -> Play:
    played.append(1)
    return rounds(rules, table, bonus=lambda round_: len(played))


def play_twice(rules: ToyRules, table: Table) -> Play:
    yield from rounds(rules, Table(table.seats, table.chance))
    yield from rounds(rules, table)


def play_with_error(rules: ToyRules, table: Table) -> Iterator[Any]:
    raise ZeroDivisionError("division\nby zero")
    yield


def twist(event: Event) -> Event:
    return Twisted(**event.model_dump()) if isinstance(event, Named) else event


def favour_later_seats(event: Event) -> Event:
    if not isinstance(event, Paid):
        return event
    return event.model_copy(update={"finals": [final * (1 + seat) for seat, final in enumerate(event.finals)]})


def tell_wrong_sum(event: Event) -> Telling:
    if not isinstance(event, Named):
        return tell(event)
    count = len(event.amounts)
    payment = Transfer(kind="payment", source="table", target="each", amount=(9.0,) * count)
    effects = (Set(values={"held": (10.0 * event.round,) * count}), payment)
    return tell(event).model_copy(update={"effects": (*tell(event).effects, *effects)})


def tell_unknown_quantity(event: Event) -> Telling:
    effects = (*tell(event).effects, Set(values={"weather": 3}))
    return tell(event).model_copy(update={"effects": effects})


def tell_unquoted(event: Event) -> Telling:
    words = (sentence(*event.said),) if isinstance(event, Named) else ()
    return tell(event).model_copy(update={"text": words})


def tell_nothing(event: Event) -> Telling:
    if isinstance(event, Paid):
        raise ValueError(f"no sentence for {event.round} and {event.finals}")
    return tell(event)


WRONG_SUM, UNKNOWN_QUANTITY, UNQUOTED, RAISING = (
    simple(SCENE, teller) for teller in (tell_wrong_sum, tell_unknown_quantity, tell_unquoted, tell_nothing)
)
CASE = "(seed 1, 3 seats): "
HERE = __name__
VIOLATIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "it uses a global random stream": (
        {"play": variant(bonus=lambda round_: random.random())},
        [f"same seed, same play {CASE}it uses a global random stream"],
    ),
    "it reads the clock": (
        {"play": variant(bonus=lambda round_: time.time() // 1000)},
        [f"same seed, same play {CASE}the same seed gives another game"],
    ),
    "it remembers the previous game": (
        {"play": play_with_memory},
        ["the same seed gives another game: event 1 is"],
    ),
    "a fallback is illegal": (
        {"play": variant(fallback=11.0)},
        ["the fallback of the amount of turn 1 is illegal: 11 is not allowed"],
    ),
    "it fails without answers": ({"play": variant(fallback=None)}, [f"no answers {CASE}raised TypeError"]),
    "an event does not decode": (
        {"play": edited(twist), "events": registry_of(Twisted, Paid)},
        [f"events {CASE}event 1, 'named', does not decode"],
    ),
    "an event is not declared": (
        {"events": registry_of(Paid)},
        ["event 1, 'named', is not declared in the game's events"],
    ),
    "settings lack description, bounds and default": (
        {"rules": Bare},
        [
            "the rules: bonus has no description",
            "the rules: bonus is a number without bounds",
            "the rules: price has no default",
        ],
    ),
    "there are too many finals": (
        {"finals": lambda events: [*events[-1].finals, 0.0]},
        [f"finals {CASE}there are 4 finals for 3 seats"],
    ),
    "effects do not end at the finals": (
        {"finals": lambda events: [2 * final for final in events[-1].finals]},
        [f"effects {CASE}seat 0 ends with held"],
    ),
    "effects do not add up": ({"scene": f"{HERE}:WRONG_SUM"}, ["with what was transferred it should hold"]),
    "a quantity is not declared": (
        {"scene": f"{HERE}:UNKNOWN_QUANTITY"},
        [f"effects {CASE}event 1: it sets 'weather', which the scene does not declare"],
    ),
    "a player's text is not quoted in a sentence": (
        {"scene": f"{HERE}:UNQUOTED"},
        [f"hostile text {CASE}a player's text is in a sentence as the game's own words"],
    ),
    "seats are not symmetric": (
        {"play": edited(favour_later_seats)},
        [f"seat symmetry {CASE}it claims that seats are alike"],
    ),
    "a batch differs": (
        {"players": f"{HERE}:ROWS", "step": f"{HERE}:HALVING"},
        [
            f"batch equals single {CASE}game 0 between Three, Three, Three ends with [10.5",
            "in a batch and with [21.0",
        ],
    ),
    "a strategy uses a global random stream": (
        {"players": f"{HERE}:WAVERING"},
        [f"strategies {CASE}wavering plays differently under the same seed"],
    ),
    "a strategy answers illegally": (
        {"players": f"{HERE}:OVERBIDDING"},
        ["overbidding (turn 1, amount): 11 is not allowed"],
    ),
    "a player's text is not quoted in a prompt": (
        {"briefing": f"{HERE}:Raw"},
        [
            "tags or templates of a player's text are in the prompt; use the filter `quoted`",
            "control characters of a player's text are in the prompt",
            "a long text of a player makes a prompt of",
        ],
    ),
    "a prompt is too long": (
        {"briefing": f"{HERE}:Endless"},
        [f"prompts {CASE}in the wording 'plain', the message: the prompt has"],
    ),
    "prompts are in another unit": (
        {"briefing": f"{HERE}:Foreign", "unit": "points"},
        ["amounts are in tokens, and the game's unit is points: set `unit` of Foreign to 'points'"],
    ),
    "prompts of layout 1 omit the past": (
        {"briefing": f"{HERE}:Forgetful"},
        [
            f"past in prompts {CASE}in the wording 'plain' and layout 1, which people read, prompts for message and "
            "amount have nothing of the past that `past` returns"
        ],
    ),
    "it asks one question twice": ({"play": play_twice}, ["two questions have the same turn, phase and seat"]),
    "a part does not exist": (
        {"measures": "ostrom.nowhere:MEASURES"},
        ["the declaration: the measures of toy-to-break, ostrom.nowhere:MEASURES, cannot be imported: No "],
    ),
    "it raises an exception": (
        {"play": play_with_error},
        [f"playing a game {CASE}raised ZeroDivisionError: division by zero in play"],
    ),
}


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_a_violation_of_the_contract_is_named_in_one_line(violation: str) -> None:
    changes, lines = VIOLATIONS[violation]
    with pytest.raises(GameFaults) as caught:
        check_game(replace(TOY, **changes), study=False)
    assert all("\n" not in fault for fault in caught.value.faults)
    for line in lines:
        assert line in str(caught.value)


def test_a_fault_of_the_scene_is_named_once() -> None:
    (line,) = faults_of(replace(TOY, scene=f"{HERE}:RAISING"))
    assert line.startswith("scene (seed 1, 3 seats): raised ValueError: no sentence for 3 and "), line


@pytest.mark.parametrize(("text", "line"), [("Now:\n{{ nothing.here }}", 2), ("Now:\n\n{% if %}", 3)])
def test_an_error_in_a_template_is_named_with_its_line(
    text: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Templated(Raw):
        prompts = tmp_path

    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "rules.j2").write_text("The rules.")
    (tmp_path / "plain" / "question.j2").write_text(text)
    monkeypatch.setattr(sys.modules[HERE], "TEMPLATED", Templated, raising=False)
    lines = faults_of(replace(TOY, briefing=f"{HERE}:TEMPLATED"), seeds=(1,), study=False)
    assert any(fault.endswith(f" in the template plain/question.j2, line {line}") for fault in lines), lines


@pytest.mark.slow
def test_a_game_without_violations_has_no_faults() -> None:
    assert faults_of(TOY) == []
    assert faults_of(replace(TOY, play=edited(favour_later_seats), symmetric=False)) == []
    assert faults_of(replace(TOY, briefing=f"{HERE}:Mindful"), study=False) == []
    assert faults_of(replace(TOY, briefing=f"{HERE}:Explained", unit="points"), study=False) == []
