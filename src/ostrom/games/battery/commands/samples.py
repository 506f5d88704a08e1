"""Situations for audits that are items of the battery: questions of a task's grid, each of which stands alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from ostrom.core import Amount, GameChance, InputError, Question, Table
from ostrom.core.game import Game, PriorAnswer, Situation, make_rules
from ostrom.core.questions import seats as all_seats
from ostrom.experiment.match import play_match
from ostrom.games.battery.adaptive import ENDS, AdaptiveRules
from ostrom.games.battery.commands.plan import TEMPERATURE
from ostrom.games.battery.rules import StatedRules, TaskRules
from ostrom.games.battery.stated import PREFIX
from ostrom.games.battery.tasks import TASKS, BatteryTask
from ostrom.players.roster import seat_players

_ONCE = ("repetitions", "responses")
"""Settings that say how often a cell is asked; for an audit the grid is gone through once."""
_ALONE: Mapping[str, Any] = {"askings": 1, "retest": 0, "reversals": 0, "dominance": 0, "triples": 0}
"""An adaptive task of one sequence, and nothing beside it."""
_STEPS = 4
"""Questions of sequences come from the first halvings: later ones are all but the same."""


@dataclass(frozen=True, slots=True)
class ItemSamples:
    """The situations of a task: items of its grid, each of which stands alone. A task is sampled by its stated choices,
    whether or not it is also played."""

    task: BatteryTask
    alone: bool = True
    temperature: float | None = TEMPERATURE

    @property
    def game(self) -> Game:
        return self.task.game

    @property
    def name(self) -> str:
        """The task, as it is named on the command line."""
        return self.task.name.replace("_", "-")

    def phases(self, settings: Mapping[str, Any], seats: int) -> Sequence[str]:
        """The roles of the task."""
        return tuple(self.task.roles)

    def situations(self, settings: Mapping[str, Any], seats: int, phase: str, seed: int, count: int) -> list[Situation]:
        """Situations of one role, drawn from the grid of the full protocol, or of these settings. None comes twice
        before all have come once."""
        task = self.task
        once = {name: 1 for name in _ONCE if name in task.rules.model_fields}
        rules = make_rules(task.game, {**settings, **once})
        adaptive = isinstance(rules, AdaptiveRules)
        found = _of_sequences(task, rules, seed) if adaptive else _of_cells(task, rules, phase, seed)
        if not found:
            raise InputError(f"{task.name} has no question for {phase} with more than one legal answer")
        return list(islice(cycle(found), count))


def item_samples(game: Game) -> ItemSamples:
    """The samples of a task, given its stated choices or its played game."""
    return ItemSamples(TASKS[game.name.removeprefix(PREFIX)])


def _of_cells(task: BatteryTask, rules: StatedRules, role: str, seed: int) -> list[Situation]:
    """Every question of the grid, in the order in which a subject would be asked."""
    options = {(cell.role, cell.condition): cell.options for cell in rules.cells()}
    asked: list[Question] = next(task.game.play(rules, Table(all_seats(1), GameChance(seed))))
    return [
        _situation(rules, question, options[role, question.view.condition], seed)
        for question in asked
        if question.phase == role
        and not (isinstance(question.spec, Amount) and question.spec.low >= question.spec.high)
    ]


def _of_sequences(task: BatteryTask, rules: AdaptiveRules, seed: int) -> list[Situation]:
    """One question out of every sequence of the grid, at a step that is drawn."""
    given = rules.model_dump(mode="json", exclude_defaults=True)
    sequences = [{**given, **alone, **_ALONE} for alone in rules.sequence_settings()]
    order = GameChance(seed).order(all_seats(len(sequences)), "sequence", 0)
    return [_of_sequence(task, sequences[seat.index], seed, number) for number, seat in enumerate(order)]


def _of_sequence(task: BatteryTask, settings: dict[str, Any], seed: int, number: int) -> Situation:
    chance = GameChance(seed, number)
    rules: AdaptiveRules = make_rules(task.game, settings)
    match = play_match(task.game, rules, seat_players(task.game.name, [rules.led_by]), chance)
    steps = [place for place, one in enumerate(match.decisions) if one.question.view.step >= ENDS]
    # A sequence that its ends have closed is asked at the last of them.
    steps = steps[:_STEPS] or [len(match.decisions) - 1]
    place = steps[int(chance.uniform("question", 0) * len(steps))]
    before = [(one.question, one.answer.value) for one in match.decisions[:place]]
    answers = [PriorAnswer(turn=one.turn, phase=one.phase, seat=one.seat.index, value=value) for one, value in before]
    return _situation(rules, match.decisions[place].question, rules.options, seed, number, answers)


def _situation(
    rules: TaskRules,
    question: Question,
    choices: tuple[str, ...],
    seed: int,
    number: int = 0,
    answers: Sequence[PriorAnswer] = (),
) -> Situation:
    return Situation(
        seed=seed,
        number=number,
        rules=rules.model_dump(mode="json", exclude_defaults=True),
        seats=1,
        answers=tuple(answers),
        turn=question.turn,
        phase=question.phase,
        seat=0,
        choices=choices,
    )
