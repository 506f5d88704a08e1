"""Every registered game keeps the contract; and a game that breaks one promise of it is told which."""

import random
import sys
import time
from collections.abc import Iterator
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


@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_keeps_the_contract(name: str) -> None:
    game = GAMES[name]
    # Short games of those that are long, and something to read for the judges.
    short = game.instrument or name == "commons"
    check_game(game, rules=[TABLES[name]["rules"]] if short else ())


# A small game to break: everybody names an amount and says something, and the mean of the amounts is paid out.

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


def test_the_game_that_is_broken_below_is_whole() -> None:
    assert faults_of(TOY) == []


def faults_with(**changes: Any) -> str:
    with pytest.raises(GameFaults) as raised:
        check_game(replace(TOY, **changes))
    assert all("\n" not in fault for fault in raised.value.faults)
    return str(raised.value)


def test_a_game_that_draws_from_a_stream() -> None:
    faults = faults_with(play=lambda rules, table: rounds(rules, table, bonus=lambda round_: random.random()))
    assert "same seed, same play (seed 1, 3 seats): it uses a global random stream" in faults


def test_a_game_that_reads_the_clock() -> None:
    faults = faults_with(play=lambda rules, table: rounds(rules, table, bonus=lambda round_: time.time() // 1000))
    assert "same seed, same play (seed 1, 3 seats): the same seed gives another game" in faults


def test_a_game_that_remembers_the_game_before() -> None:
    played: list[int] = []

    def play(rules: ToyRules, table: Table) -> Play:
        played.append(1)
        return rounds(rules, table, bonus=lambda round_: len(played))

    assert "the same seed gives another game: event 1 is" in faults_with(play=play)


def test_a_fallback_that_is_illegal() -> None:
    faults = faults_with(play=lambda rules, table: rounds(rules, table, fallback=11.0))
    assert "the fallback of the amount of turn 1 is illegal: 11 is not allowed" in faults


def test_a_game_that_cannot_stand_silence() -> None:
    faults = faults_with(play=lambda rules, table: rounds(rules, table, fallback=None))
    assert "no answers (seed 1, 3 seats): raised TypeError" in faults


def test_an_event_that_does_not_decode() -> None:
    class Twisted(Named):
        """Everybody named an amount."""

        def as_record(self) -> dict[str, Any]:
            return {**super().as_record(), "amounts": "many"}

    registry = EventRegistry()
    registry.register(Twisted)
    registry.register(Paid)

    def play(rules: ToyRules, table: Table) -> Play:
        inner = Table(table.seats, table.chance)
        yield from rounds(rules, inner)
        for event in inner.events:
            table.record(Twisted(**event.model_dump()) if isinstance(event, Named) else event)

    assert "events (seed 1, 3 seats): event 1, 'named', does not decode" in faults_with(play=play, events=registry)


def test_an_event_that_is_not_declared() -> None:
    registry = EventRegistry()
    registry.register(Paid)
    assert "event 1, 'named', is not declared in the game's events" in faults_with(events=registry)


def test_a_setting_without_description_bounds_and_default() -> None:
    class Bare(ToyRules):
        bonus: float = 1.0
        price: int = Field(ge=0, description="What it costs.")

    faults = faults_with(rules=Bare)
    assert "the rules: bonus has no description" in faults
    assert "the rules: bonus is a number without bounds" in faults
    assert "the rules: price has no default" in faults


def test_finals_of_the_wrong_length() -> None:
    faults = faults_with(finals=lambda events: [*events[-1].finals, 0.0])
    assert "finals (seed 1, 3 seats): there are 4 finals for 3 seats" in faults


def test_effects_that_do_not_end_at_the_finals() -> None:
    faults = faults_with(finals=lambda events: [2 * final for final in events[-1].finals])
    assert "effects (seed 1, 3 seats): seat 0 ends with held" in faults


def test_effects_that_do_not_add_up() -> None:
    def tell_more(event: Event) -> Telling:
        told = tell(event)
        if not isinstance(event, Named):
            return told
        effects = (
            Set(values={"held": tuple(10.0 * event.round + 0.0 * one for one in event.amounts)}),
            Transfer(kind="payment", source="table", target="each", amount=tuple(9.0 for _ in event.amounts)),
        )
        return told.model_copy(update={"effects": (*told.effects, *effects)})

    assert "with what was transferred it should hold" in faults_with(scene=presented(simple(SCENE, tell_more)))


def test_a_telling_of_an_unknown_quantity() -> None:
    def tell_unknown(event: Event) -> Telling:
        told = tell(event)
        return told.model_copy(update={"effects": (*told.effects, Set(values={"weather": 3}))})

    faults = faults_with(scene=presented(simple(SCENE, tell_unknown)))
    assert "effects (seed 1, 3 seats): event 1: it sets 'weather', which the scene does not declare" in faults


def test_text_of_a_player_as_the_games_own_words() -> None:
    def tell_said(event: Event) -> Telling:
        told = tell(event)
        words = (sentence(*event.said),) if isinstance(event, Named) else ()
        return told.model_copy(update={"text": words})

    faults = faults_with(scene=presented(simple(SCENE, tell_said)))
    assert "hostile text (seed 1, 3 seats): a player's text is in a sentence as the game's own words" in faults


def test_a_claim_of_symmetry_that_does_not_hold() -> None:
    def play(rules: ToyRules, table: Table) -> Play:
        inner = Table(table.seats, table.chance)
        yield from rounds(rules, inner)
        for event in inner.events:
            if isinstance(event, Paid):
                event = event.model_copy(update={"finals": [final * (1 + i) for i, final in enumerate(event.finals)]})
            table.record(event)

    assert "seat symmetry (seed 1, 3 seats): it claims that seats are alike" in faults_with(play=play)
    assert faults_of(replace(TOY, play=play, symmetric=False)) == []


class Halving(ArrayForm[ToyRules, Any]):
    """The toy over arrays, in which everything is worth half."""

    def phases(self, rules: ToyRules) -> tuple[str, ...]:
        return ("amount",)

    def fields(self, rules: ToyRules, phase: str) -> tuple[ArrayField, ...]:
        return (ArrayField("amount"),)

    def init(self, rules: ToyRules, seats: int, like: Any, fields: frozenset[str]) -> Any:
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


def test_a_batch_that_differs() -> None:
    faults = faults_with(players=f"{__name__}:ROWS", step=f"{__name__}:HALVING")
    assert "batch equals single (seed 1, 3 seats): game 0 between Three, Three, Three ends with [10.5" in faults
    assert "in a batch and with [21.0" in faults


def test_a_strategy_that_draws_from_a_stream() -> None:
    assert "strategies (seed 1, 3 seats): wavering plays differently under the same seed" in faults_with(
        players=f"{__name__}:WAVERING"
    )


def test_a_strategy_that_breaks_the_rules() -> None:
    assert "overbidding (turn 1, amount): 11 is not allowed" in faults_with(players=f"{__name__}:OVERBIDDING")


class Raw(PlainBriefing):
    """Tells what others said as it is."""

    def __init__(self) -> None:
        super().__init__(TOY)

    def context(self, question: Any, framing: Any, chance: Any) -> Any:
        return {**super().context(question, framing, chance), "me": "".join(question.view.said)}


class Endless(PlainBriefing):
    """Tells far too much."""

    def __init__(self) -> None:
        super().__init__(TOY)

    def context(self, question: Any, framing: Any, chance: Any) -> Any:
        return {**super().context(question, framing, chance), "me": "{{ me }}" * 10_000}


def test_prompts_in_which_hostile_text_is_more_than_text() -> None:
    faults = faults_with(briefing=f"{__name__}:Raw")
    assert "tags or templates of a player's text are in the prompt; use the filter `quoted`" in faults
    assert "control characters of a player's text are in the prompt" in faults
    assert "a long text of a player makes a prompt of" in faults


def test_prompts_beyond_bounds() -> None:
    assert "prompts (seed 1, 3 seats): in the wording 'plain', the message: the prompt has" in faults_with(
        briefing=f"{__name__}:Endless"
    )


def test_a_game_that_asks_one_question_twice() -> None:
    def play(rules: ToyRules, table: Table) -> Play:
        yield from rounds(rules, Table(table.seats, table.chance))
        yield from rounds(rules, table)

    assert "two questions have the same turn, phase and seat" in faults_with(play=play)


def test_a_part_that_is_not_there() -> None:
    faults = faults_with(measures="ostrom.nowhere:MEASURES")
    assert "the declaration: its measures, ostrom.nowhere:MEASURES, cannot be imported" in faults


def test_a_game_that_raises_is_told_in_one_line() -> None:
    def play(rules: ToyRules, table: Table) -> Iterator[Any]:
        raise ZeroDivisionError("division\nby zero")
        yield

    assert "playing a game (seed 1, 3 seats): raised ZeroDivisionError: division by zero in play" in faults_with(
        play=play
    )


def presented(presentation: Any) -> str:
    """Where a presentation can be imported from."""
    globals()["OTHER"] = presentation
    return f"{__name__}:OTHER"
