"""The economic battery as an experiment: each subject is asked each task of a protocol. Each task of each subject is
one game. So the tasks of many subjects run concurrently, and are resumed and replayed like other games.

A protocol defines the tasks and their grids. `full` has all tasks with their default settings: the grid of EconBench's
protocol 1.0.0 and further tasks. `quick` has all tasks and roles, on fewer cells: about 300 questions. A custom
protocol is a TOML file with a table for each task, whose entries are rules of the task. A rule without an entry has its
value in the full protocol. A task without a table is not asked. ::

    [time]
    later = [100, 1000]
    delays = [6, 12]
    fronts = [0]

    [dictator]
    repetitions = 5

Situations for audits are single questions of a task's grid.
"""

import math
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import Field, ValidationError

from ostrom.core import Amount, GameChance, InputError, Question, Table
from ostrom.core.chance import seed_or_random
from ostrom.core.errors import field
from ostrom.core.finding import Finding, NextStep
from ostrom.core.game import Game, PriorAnswer, Situation, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.questions import seats as all_seats
from ostrom.core.settings import Display
from ostrom.core.text import first_problem, number_of
from ostrom.core.verb import SILENT, Reporter, verb
from ostrom.experiment.described import read_toml
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import play_match
from ostrom.experiment.plan import MAX_SECONDS, Experiment, Part, experiment_of
from ostrom.experiment.store import PlanRunner
from ostrom.findings.bench import PlayedSettings, limited, play_plan
from ostrom.findings.bench import describe as describe_benchmark
from ostrom.games.battery.adaptive import ENDS, AdaptiveRules
from ostrom.games.battery.rules import CONTROL_ROLES, StatedRules, TaskRules
from ostrom.games.battery.stated import PREFIX, TASKS, BatteryTask
from ostrom.games.battery.subjects import SUBJECTS
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files
from ostrom.players.people import HumanContestant
from ostrom.players.people.seat import HUMAN
from ostrom.players.roster import Seated, built_in_players, contestants_of, seat_models, seat_players
from ostrom.terminal import options as opt
from ostrom.terminal.console import go_on

KIND = "battery"
TEMPERATURE = 0.5
"""The temperature of a model without a bot file, as in EconBench's protocol."""
_PERSON_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
MIN_CONTROLS = 18
"""The smallest number of control questions for a subject, over all tasks that have control questions."""


def _full(rules: type[TaskRules]) -> Mapping[str, Any]:
    return {}


def _quick(rules: type[TaskRules]) -> Mapping[str, Any]:
    return rules.quick


PROTOCOLS: Mapping[str, Callable[[type[TaskRules]], Mapping[str, Any]]] = {"full": _full, "quick": _quick}
"""The protocols by name. Each is a function that returns the settings of a task."""


def load_protocol(name_or_path: str | os.PathLike[str]) -> dict[str, TaskRules]:
    """Return the rules of each task of a protocol. The protocol is given by its name, or by the path of a file. Raise
    InputError if the protocol is invalid."""
    if isinstance(name_or_path, str) and name_or_path in PROTOCOLS:
        settings_of = PROTOCOLS[name_or_path]
        return {name: rules_of_task(name, settings_of(task.rules)) for name, task in TASKS.items()}
    path = Path(name_or_path)
    tables = _read(path)
    try:
        return {task: rules_of_task(task, settings) for task, settings in tables.items()}
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def rules_of_task(task: str, settings: object) -> TaskRules:
    """Return the rules of a task with these settings. Raise InputError if they are invalid."""
    if task not in TASKS and not TASKS.nearest(task):
        raise InputError(f"there is no task called {task!r}; it must be one of {', '.join(TASKS)}")
    kind = TASKS[task].rules
    if not isinstance(settings, Mapping):
        raise InputError(f"{task} must be a table of settings, as in [{task}]")
    unknown = [name for name in settings if name not in kind.model_fields]
    if unknown:
        raise InputError(f"{task} has no setting {unknown[0]!r}; it must be one of {', '.join(kind.model_fields)}")
    try:
        return kind(**settings)
    except ValidationError as error:
        raise InputError(f"{task}.{first_problem(error)}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        _, tables = read_toml(path)
    except InputError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            raise
        known = " or ".join(PROTOCOLS)
        raise InputError(f"there is no protocol called {str(path)!r}; it must be {known}, or a TOML file") from None
    if not tables:
        raise InputError(f"{path} names no task; it must have a table for at least one, as in [dictator]")
    return tables


class BatterySettings(PlayedSettings):
    """Settings of the command `battery`."""

    subject: Annotated[tuple[Any, ...], Display(form="NAME|BOT|MODEL|human[:ID]")] = Field(
        (), description="A subject to ask; repeatable. A person is asked alone."
    )
    protocol: Annotated[str | os.PathLike[str], Display(form="quick|full|FILE.toml")] = Field(
        "full", description="The set of questions."
    )
    task: Annotated[tuple[str, ...], Display(form="TASK")] = Field((), description="Only this task; repeatable.")
    seconds: Annotated[float | None, Display(group="People", default=f"{MAX_SECONDS:,}")] = Field(
        None, description="Seconds a person has for each answer."
    )
    wait: Annotated[float | None, Display(group="People", default=f"{MAX_SECONDS:,}")] = Field(
        None, description="Seconds to wait for people to open their links before their time starts."
    )


@verb("battery", keeps=False, people=True)
def battery(
    store: str | None,
    settings: BatterySettings,
    runner: PlanRunner,
    limits: Limits | None = None,
    reporter: Reporter = SILENT,
) -> Finding:
    """Ask subjects the economic battery: time, risk, social preferences, strategic thinking."""
    subjects = f"ask one with {field('subject', 'BOT')} or {field('subject', 'MODEL')}"
    planned = limited(plan_battery(settings), limits, settings, subjects)
    planned = with_time(planned, settings.seconds, settings.wait)
    planned.check()
    return play_plan(planned, store, settings, runner, reporter, describe)


def with_time(planned: Experiment, seconds: float | None, wait: float | None) -> Experiment:
    """Return the plan with time limits for a person. These are the given limits, or else those of the plan. If neither
    has limits, the maximum applies, because no other player waits for the answers. Raise InputError if limits are given
    and no person is asked."""
    if planned.people:
        return replace(
            planned,
            seconds=(planned.seconds or MAX_SECONDS) if seconds is None else seconds,
            wait=(planned.wait or MAX_SECONDS) if wait is None else wait,
        )
    for name, value in (("seconds", seconds), ("wait", wait)):
        if value is not None:
            raise InputError(f"{field(name)} is for people; ask one with {field('subject', HUMAN)}")
    return planned


def describe(planned: Experiment, experiment: str, stopping: Any = None) -> Finding:
    """Return the finding of a finished experiment of the battery."""
    subjects = number_of(planned.parts[0].games, "subject")
    tasks = number_of(len(planned.parts), "task")
    return replace(
        describe_benchmark(planned, experiment, stopping),
        sentences=[f"{subjects} answered {tasks}, kept as {planned.called} ({experiment})."],
        next_steps=[
            NextStep("scores", {"experiment": experiment}),
            NextStep("report", {"experiment": experiment, "output": "report"}),
        ],
    )


def plan_battery(settings: BatterySettings) -> Experiment:
    """Return the experiment in which the subjects (simulated ones, bots, models, or one person) answer the tasks of a
    protocol. Raise InputError if it is invalid."""
    if not settings.subject:
        raise InputError(
            f"name at least one subject, as in {field('subject', 'exponential')}; 'ostrom list subjects' shows them"
        )
    seed = seed_or_random(settings.seed)
    subjects = _with_ids(settings.subject)
    rules = load_protocol(settings.protocol)
    # The commands of played games have hyphens.
    names = [task.replace("-", "_") for task in settings.task]
    for task in names:
        TASKS[task]  # This raises an error for an unknown name.
        if task not in rules:
            raise InputError(f"the protocol {settings.protocol} has no task {task}; it has {', '.join(rules)}")
    selection = [task for task in rules if not names or task in names]
    rules |= _with_controls({task: rules[task] for task in selection})
    parts = tuple(
        Part(TASKS[task].game, rules[task], _contestants(TASKS[task].game.name, subjects), 1, len(subjects), seed)
        for task in selection
    )
    return Experiment(parts, settings.name or f"battery {settings.protocol} seed {seed}", title=KIND)


def _with_controls(rules: Mapping[str, TaskRules]) -> dict[str, TaskRules]:
    """Return the rules of the tasks, with control questions added. If the protocol sets a task's number of control
    questions, it is kept. All other tasks have the same number, which is large enough that every role is asked."""
    unset = [task for task, task_rules in rules.items() if "controls" not in task_rules.model_fields_set]
    controls = max(len(CONTROL_ROLES), math.ceil(MIN_CONTROLS / max(1, len(unset))))
    changes: dict[str, dict[str, Any]] = {task: {"controls": controls} for task in unset}
    for task, task_rules in rules.items():
        if "control_answers" not in task_rules.model_fields_set:
            changes.setdefault(task, {})["control_answers"] = "any"
    return {task: task_rules.model_copy(update=changes.get(task, {})) for task, task_rules in rules.items()}


def _with_ids(subjects: Sequence[Seated]) -> list[Seated]:
    """Return the subjects. A person without an id gets a random one, so that two people never count as the same
    subject."""
    people = [subject for subject in subjects if isinstance(subject, str) and subject.partition(":")[0] == HUMAN]
    if people and len(subjects) > 1:
        raise InputError(
            "a person must be the only subject of an experiment; ask the other subjects in another experiment"
        )
    return [f"{HUMAN}:{secrets.token_hex(4)}" if subject == HUMAN else subject for subject in subjects]


def _contestants(game: str, subjects: Sequence[Seated]) -> list[Contestant]:
    contestants = [subject_named(game, subject) for subject in subjects]
    # A bot can be named in two ways, by its name and by its file. Both mean the same subject.
    names = [contestant.name for contestant in contestants]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is named twice; name each subject once")
    return contestants


def subject_named(game: str, subject: Seated) -> Contestant:
    """Return a simulated subject, a person, a bot or a model as a contestant of a game. Raise InputError if there is
    none with this name."""
    if not isinstance(subject, str):
        return contestants_of(GAMES[game], [subject])[0]
    kind, _, person = subject.partition(":")
    if kind == HUMAN:
        if not _PERSON_ID.fullmatch(person):
            raise InputError(f"{subject!r}: a person's id has up to 40 letters, digits, - or _, as in {HUMAN}:p01")
        return HumanContestant(game, person=person)
    known = subject.partition(":")[0] in built_in_players(game) or subject in bot_files() or subject.endswith(".json")
    if known or ":" not in subject:
        contestants = seat_players(game, [subject])
        if len(contestants) > 1:
            raise InputError(f"{subject!r} means {len(contestants)} copies of one subject; name each subject once")
        return contestants[0]
    (model,) = seat_models(game, [subject], temperature=TEMPERATURE)
    return model


_ONCE = ("repetitions", "responses")
"""The settings for the number of times that a cell is asked. An audit sets them to 1."""
_ALONE: Mapping[str, Any] = {"askings": 1, "retest": 0, "reversals": 0, "dominance": 0, "triples": 0}
"""Settings of an adaptive task in an audit: every step is asked once, and there are no diagnostic questions."""
_STEPS = 4
"""An audit asks one of this number of first bisections. Later bisections ask almost the same question."""


@dataclass(frozen=True, slots=True)
class ItemSamples:
    """The source of situations of a task for audits. Situations are items of the grid of the task's stated choices,
    even if the task can also be played."""

    task: BatteryTask
    alone: bool = True
    temperature: float | None = TEMPERATURE

    @property
    def game(self) -> Game:
        return self.task.game

    @property
    def name(self) -> str:
        """The name of the task on the command line."""
        return self.task.name.replace("_", "-")

    def phases(self, settings: Mapping[str, Any], seats: int) -> Sequence[str]:
        """The roles of the task."""
        return tuple(self.task.roles)

    def situations(self, settings: Mapping[str, Any], seats: int, phase: str, seed: int, count: int) -> list[Situation]:
        """Return situations of one role, drawn from the grid with these settings. Missing settings are those of the
        full protocol. A situation is repeated only after every situation of the grid was drawn."""
        task = self.task
        once = {name: 1 for name in _ONCE if name in task.rules.model_fields}
        rules = make_rules(task.game, {**settings, **once})
        adaptive = isinstance(rules, AdaptiveRules)
        situations = _of_sequences(task, rules, seed) if adaptive else _of_cells(task, rules, phase, seed)
        if not situations:
            raise InputError(f"{task.name} has no question for {phase} with more than one legal answer")
        return list(islice(cycle(situations), count))


def item_samples(game: Game) -> ItemSamples:
    """Return the source of situations of a task, given the game of its stated choices or its played game."""
    return ItemSamples(TASKS[game.name.removeprefix(PREFIX)])


def _of_cells(task: BatteryTask, rules: StatedRules, role: str, seed: int) -> list[Situation]:
    """Return a situation for every question of the grid, in the order in which a subject would be asked."""
    options = {(cell.role, cell.condition): cell.options for cell in rules.cells()}
    asked: list[Question] = next(task.game.play(rules, Table(all_seats(1), GameChance(seed))))
    return [
        _situation(rules, question, options[role, question.view.condition], seed)
        for question in asked
        if question.phase == role
        and not (isinstance(question.spec, Amount) and question.spec.low >= question.spec.high)
    ]


def _of_sequences(task: BatteryTask, rules: AdaptiveRules, seed: int) -> list[Situation]:
    """Return one situation for every sequence of the grid: its question at a random step."""
    given = rules.model_dump(mode="json", exclude_defaults=True)
    sequences = [{**given, **alone, **_ALONE} for alone in rules.sequence_settings()]
    order = GameChance(seed).order(all_seats(len(sequences)), "sequence", 0)
    return [_of_sequence(task, sequences[seat.index], seed, number) for number, seat in enumerate(order)]


def _of_sequence(task: BatteryTask, settings: dict[str, Any], seed: int, number: int) -> Situation:
    chance = GameChance(seed, number)
    rules: AdaptiveRules = make_rules(task.game, settings)
    match = play_match(task.game, rules, seat_players(task.game.name, [rules.led_by]), chance)
    steps = [place for place, decision in enumerate(match.decisions) if decision.question.view.step >= ENDS]
    # If the answers at the two ends decide a sequence without any bisection, its situation is the question at the last
    # end that was asked.
    steps = steps[:_STEPS] or [len(match.decisions) - 1]
    place = steps[int(chance.uniform("question", 0) * len(steps))]
    before = [(decision.question, decision.answer.value) for decision in match.decisions[:place]]
    answers = [
        PriorAnswer(turn=question.turn, phase=question.phase, seat=question.seat.index, value=value)
        for question, value in before
    ]
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


def resume(context: typer.Context, journal: Journal, experiment: str) -> None:
    """Continue an experiment of the battery, for `ostrom resume`."""
    row = next(row for row in journal.experiments() if row.id == experiment)
    planned = opt.limited(context, replace(experiment_of(row.name, row.settings), title=row.kind))
    planned = with_time(planned, context.params["seconds"], context.params["wait"])
    go_on(context, planned, journal, experiment, describe)


def list_subjects() -> list[dict[str, Any]]:
    """Return the simulated subjects, for `ostrom list subjects`."""
    return [
        {
            "name": name,
            "parameters": [f"{parameter.name}={parameter.default:g}" for parameter in subject.parameters],
            "what": subject.description,
        }
        for name, subject in SUBJECTS.items()
    ]


def list_tasks() -> list[dict[str, Any]]:
    """Return the tasks, for `ostrom list tasks`."""
    return [
        {"name": task.name, "roles": list(task.roles), "played": task.played, "what": task.summary}
        for task in TASKS.values()
    ]
