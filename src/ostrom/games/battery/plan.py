"""The economic battery as an experiment: every subject is asked every task of a protocol. A task and a subject make one
game, so that tasks of many subjects are asked side by side, are resumed and are replayed like any other game."""

from collections.abc import Sequence

from ostrom.core import InputError
from ostrom.experiment.limits import Limits
from ostrom.experiment.plan import Experiment, Part
from ostrom.games.battery.protocols import load_protocol
from ostrom.games.battery.tasks import TASKS
from ostrom.players.base import Contestant
from ostrom.players.models.bots import bot_files
from ostrom.players.roster import built_in_players, seat_models, seat_players

KIND = "battery"
TEMPERATURE = 0.5
"""Of a model that is named without a bot file, as in EconBench's protocol."""


def battery(
    subjects: Sequence[str],
    *,
    protocol: str = "full",
    tasks: Sequence[str] = (),
    seed: int = 0,
    name: str | None = None,
    limits: Limits | None = None,
) -> Experiment:
    """The experiment in which these subjects (simulated ones, bots, models) answer these tasks of a protocol, or
    all."""
    if not subjects:
        raise InputError("name at least one subject, as in --subject exponential; 'ostrom list subjects' shows them")
    rules = load_protocol(protocol)
    wanted = [task.replace("-", "_") for task in tasks]  # as the commands of played games are written
    for task in wanted:
        TASKS[task]
        if task not in rules:
            raise InputError(f"the protocol {protocol} has no task {task}; it has {', '.join(rules)}")
    chosen = [task for task in rules if not wanted or task in wanted]
    parts = tuple(
        Part(TASKS[task].game, rules[task], _seated(TASKS[task].game.name, subjects), 1, len(subjects), seed)
        for task in chosen
    )
    return Experiment(parts, name or f"battery {protocol} seed {seed}", limits, title=KIND)


def _seated(game: str, subjects: Sequence[str]) -> list[Contestant]:
    seated = [subject_named(game, subject) for subject in subjects]
    # By their names, not by how they were written: a bot's file and its name are the same subject.
    names = [contestant.name for contestant in seated]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is named twice; a subject answers once")
    return seated


def subject_named(game: str, subject: str) -> Contestant:
    """A simulated subject, a bot, or else a model by its name, as a contestant of this game."""
    known = subject.partition(":")[0] in built_in_players(game) or subject in bot_files() or subject.endswith(".json")
    if known or ":" not in subject:
        found = seat_players(game, [subject])
        if len(found) > 1:
            raise InputError(f"{subject!r} is {len(found)} of the same; a subject answers once")
        return found[0]
    (model,) = seat_models(game, [subject], temperature=TEMPERATURE)
    return model
