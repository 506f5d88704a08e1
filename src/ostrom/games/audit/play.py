"""The generator that puts one question. It plays the question's own game from the answers that it was handed, with
everybody at the seat that the audit gives them, stops at the question, and asks it of the only seat."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ostrom.core.chance import Chance, GameChance
from ostrom.core.errors import IllegalAnswer, InputError
from ostrom.core.plugins import GAMES
from ostrom.core.questions import Answer, Provenance, Question, Seat, seats
from ostrom.core.specs import Aimed, Amount, Choice, Fields, Spec
from ostrom.core.table import Driver, Play, Table
from ostrom.games.audit.rules import AuditRules, AuditView, Decided

SEAT_FIELDS = ("target", "vote")
"""The fields of answers that name a seat."""


@dataclass(frozen=True, slots=True)
class MovedChance:
    """The draws of a game whose players have changed seats: everybody keeps the turn that was drawn for them."""

    chance: Chance
    seating: tuple[int, ...]
    """Where each seat has gone."""

    def uniform(self, purpose: str, turn: int, seat: int = 0, draw: int = 0) -> float:
        """The number that was drawn. It stays where it was: what games draw so is the table's, such as the end of the
        game, and no seat's."""
        return self.chance.uniform(purpose, turn, seat, draw)

    def order(self, seats: Iterable[Seat], purpose: str, turn: int) -> list[Seat]:
        """The order that was drawn, of those who sit here now."""
        there = set(seats)
        before = [Seat(index) for index, now in enumerate(self.seating) if Seat(now) in there]
        return [Seat(self.seating[seat.index]) for seat in self.chance.order(before, purpose, turn)]


def moved(value: Any, seating: Sequence[int]) -> Any:
    """An answer as it reads when everybody has changed seats: the seats that it names are those of now."""
    if not isinstance(value, Mapping):
        return value
    return {
        name: seating[part] if name in SEAT_FIELDS and isinstance(part, int) else part for name, part in value.items()
    }


def inverse(seating: Sequence[int]) -> tuple[int, ...]:
    """Who of the situation sits at each seat."""
    return tuple(sorted(range(len(seating)), key=lambda index: seating[index]))


def aspects(phase: str, spec: Spec, value: Any, seating: Sequence[int]) -> dict[str, float]:
    """Every part of a decision from 0 to 1, the leading one first: an amount as its place between the bounds, a choice
    as its place among the options, the seat that it names as the place among the other seats of the situation, so that
    naming the same player is the same decision wherever that player sits. What cannot be placed, such as naming nobody,
    is left out, and so is an answer that was not given."""
    if value is None:
        return {}
    match spec:
        case Amount():
            return {} if spec.high <= spec.low else {phase: (float(value) - spec.low) / (spec.high - spec.low)}
        case Aimed():
            most = {} if spec.most < 1 else {"spend": value["spend"] / spec.most}
            return most | _seat_named("target", value["target"], spec.others, seating)
        case Fields():
            found: dict[str, float] = {}
            for name, part in spec.specs.items():
                if name in SEAT_FIELDS and isinstance(part, Choice):
                    others = [option for option in part.options if isinstance(option, int)]
                    found |= _seat_named(name, value[name], others, seating)
                else:
                    found |= aspects(name, part, value[name], seating)
            return found
        case Choice():
            options = [option for option in spec.options if option is not None]
            return {phase: options.index(value) / (len(options) - 1)} if value in options and len(options) > 1 else {}
        case _:
            return {}


def chosen(choices: Sequence[str], value: Any) -> dict[str, float]:
    """Whether the first of the choices was taken: 1 or 0, whatever the order and the labels that they were shown in."""
    return {f"choice of {choices[0]}": float(value == choices[0])} if value in choices else {}


def _seat_named(name: str, seat: int | None, others: Sequence[int], seating: Sequence[int]) -> dict[str, float]:
    if seat is None or len(others) < 2:
        return {}
    before = inverse(seating)
    ranked = sorted(before[other] for other in others)
    return {name: ranked.index(before[seat]) / (len(ranked) - 1)}


def plain(value: Any) -> Any:
    """An answer as plain data."""
    return {name: plain(part) for name, part in value.items()} if isinstance(value, Mapping) else value


def play(rules: AuditRules, table: Table) -> Play:
    """Ask one question."""
    question = shown(reach(rules), rules)
    view = AuditView(rules.game, question, rules.framing)
    (answer,) = yield [
        table.ask(table.seats[0], question.phase, question.turn, question.spec, view=view, fallback=question.fallback)
    ]
    table.record(
        Decided(
            game=rules.game,
            turn=question.turn,
            phase=question.phase,
            label=view.label,
            aspects=chosen(rules.choices, answer.value)
            if rules.choices
            else aspects(question.phase, question.spec, answer.value, rules.seating),
            raw=plain(answer.value),
            levels=rules.levels,
        )
    )


def reach(rules: AuditRules) -> Question:
    """The question as its own game asks it, after everything that was answered before."""
    game = GAMES[rules.game]
    drawn = GameChance(rules.seed, rules.number)
    # Items of the battery draw more orders than those of seats: where nobody has moved, all draws are as they were.
    chance = drawn if rules.seating == tuple(range(rules.seats)) else MovedChance(drawn, rules.seating)
    driver = Driver(game.play(game.rules(**rules.rules), Table(seats(rules.seats), chance)))
    given = {(step.turn, step.phase, step.seat): step.value for step in rules.answers}
    wanted, before = (rules.turn, rules.phase, rules.asked), inverse(rules.seating)

    def recorded(question: Question) -> Answer:
        key = (question.turn, question.phase, before[question.seat.index])
        if key not in given:
            raise _unreachable(rules, f"has no answer by seat {key[2]} to {key[1]} in turn {key[0]}")
        try:
            value = question.spec.validate(moved(given[key], rules.seating))
        except IllegalAnswer as reason:
            raise _unreachable(rules, f"has an illegal answer: {reason}") from None
        return Answer(value, Provenance.REPLAYED)

    while driver.step is not None:
        for question in driver.step:
            if question.key == wanted:
                return question
        driver.advance([recorded(question) for question in driver.step])
    raise _unreachable(rules, "ends before that")


def shown(question: Question, rules: AuditRules) -> Question:
    """The question with its options in the order, and under the labels, of the framing."""
    put = rules.framing
    if put.options is None or put.called is None:
        return question
    if set(put.options) != set(question.view.options):
        raise _unreachable(rules, f"asks for one of {', '.join(question.view.options) or 'many numbers'}")
    item = replace(question.view, options=put.options, labels=put.called)
    return replace(question, spec=Choice(put.options), view=item)


def _unreachable(rules: AuditRules, why: str) -> InputError:
    question = f"the question for {rules.phase} in turn {rules.turn}"
    return InputError(f"the audit cannot reach {question}: the situation {why}")
