"""Recorded answers to stated tasks: of simulated subjects, or written by hand."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ostrom.core import GameChance
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.items import ItemAnswered
from ostrom.games.battery.scores.rationality import BatterySubject
from ostrom.games.battery.scores.table import DEFINITIONS
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.subjects import subject_of

Events = list[dict[str, Any]]


@lru_cache(maxsize=256)
def _asked(subject: str, task: str, protocol: str, seed: int, controls: int) -> Events:
    rules = load_protocol(protocol)[task].model_copy(update={"controls": controls})
    match = play_match(TASKS[task].game, rules, [subject_of(subject)], GameChance(seed, 0))
    return [event.as_record() for event in match.events]


def asked(subject: str, *tasks: str, protocol: str = "full", seed: int = 1, controls: int = 0) -> dict[str, Events]:
    """The answers of a simulated subject in these tasks, with this many control questions in each."""
    return {task: _asked(subject, task, protocol, seed, controls) for task in tasks}


def item(
    task: str,
    role: str,
    facts: dict[str, Any],
    answer: Any,
    *,
    condition: str = "cell",
    options: Sequence[str] = (),
    fault: str | None = None,
) -> dict[str, Any]:
    """One answered item."""
    return ItemAnswered(
        number=1,
        task=task,
        role=role,
        condition=condition,
        repetition=1,
        purpose="score",
        step=0,
        facts=facts,
        options=list(options),
        labels=["A", "B"] if options else [],
        detail={},
        answer=answer,
        fault=fault,
    ).as_record()


class Scores:
    """The scores of a subject as attributes, each computed when it is looked at; `pass` is `passes`."""

    def __init__(self, tasks: dict[str, Events]) -> None:
        self.subject = BatterySubject("subject", tasks)

    def __getattr__(self, name: str) -> Any:
        return DEFINITIONS["pass" if name == "passes" else name].score(self.subject)
