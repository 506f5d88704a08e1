"""The generator that puts one question. It plays the question's own game from the answers that it was handed, stops at
the question, and asks it of the only seat."""

from dataclasses import replace

from ostrom.core import (
    Answer,
    Choice,
    Driver,
    GameChance,
    IllegalAnswer,
    InputError,
    Play,
    Provenance,
    Question,
    Table,
    seats,
)
from ostrom.core.plugins import GAMES
from ostrom.games.audit.decision import aspects, chosen, plain
from ostrom.games.audit.events import AuditView, Decided
from ostrom.games.audit.rules import AuditRules
from ostrom.games.audit.seating import MovedChance, inverse, moved


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
            raise _unreachable(rules, f"holds no answer of seat {key[2]} to {key[1]} in turn {key[0]}")
        try:
            value = question.spec.validate(moved(given[key], rules.seating))
        except IllegalAnswer as reason:
            raise _unreachable(rules, f"holds an illegal answer: {reason}") from None
        return Answer(value, Provenance.REPLAYED)

    while driver.step is not None:
        for question in driver.step:
            if question.key == wanted:
                return question
        driver.advance([recorded(question) for question in driver.step])
    raise _unreachable(rules, "ends before it")


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
