"""Stated choices: the rules that tasks share, the generator of those whose items are all known beforehand, and what
makes a task a game of the registry."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from ostrom.core import EventRegistry, Play, Table
from ostrom.core.effects import Form
from ostrom.core.game import Game, Seats
from ostrom.games.battery.drawing import Asking, Listing
from ostrom.games.battery.events import ITEM_EVENTS, series
from ostrom.games.battery.interview import Interview
from ostrom.games.battery.item import Item
from ostrom.games.battery.items import Cell, deal_ways, posed

PREFIX = "stated_"
"""Before a task's name it is the name of its stated choices in records; the played game has the task's own."""


class TaskRules(BaseModel):
    """The grid of a task. The defaults are those of the full protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task: ClassVar[str]
    roles: ClassVar[tuple[str, ...]]
    lists: ClassVar[Mapping[str, Listing]] = {}
    """By role, the lists in which answers to questions like each other stand."""

    def form(self, asking: Asking) -> Form | None:
        """What an item looks like; where there is nothing to draw, its facts are told."""
        return None

    @property
    @abstractmethod
    def questions(self) -> int:
        """How many questions there are; in an adaptive task at most."""


class StatedRules(TaskRules):
    """The grid of a task whose items are all known beforehand."""

    @abstractmethod
    def cells(self) -> list[Cell]:
        """The questions of the grid."""

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return sum(cell.repetitions for cell in self.cells())


def play(rules: StatedRules, table: Table) -> Play:
    """Ask everything at once: no item depends on another."""
    interview = Interview(rules.task, table)
    cells = rules.cells()
    ways = deal_ways(table.chance, len(cells))
    yield from interview.put(
        [
            posed(rules.task, cell, way, repetition)
            for cell, way in zip(cells, ways, strict=True)
            for repetition in range(1, cell.repetitions + 1)
        ]
    )
    interview.close()


def stated_game(
    rules: type[TaskRules],
    summary: str,
    *,
    play: Callable[[Any, Table], Play] = play,
    events: EventRegistry = ITEM_EVENTS,
) -> Game:
    """The game that a task's stated choices are, under the task's name."""
    name = PREFIX + rules.task
    return Game(
        name=name,
        title=f"{rules.task.replace('_', ' ').capitalize()}, stated",
        summary=summary,
        seats=Seats(1, 1),
        rules=rules,
        play=play,
        events=events,
        series=series,
        scene="ostrom.games.battery.scene:STATED",
        instrument=True,
        aliases=(rules.task.replace("_", "-"), rules.task),
        clock="question",
        view=Item,
        players="ostrom.games.battery.subjects:SUBJECTS",
        standings="ostrom.games.battery.terminal:questions",
        measures="ostrom.games.battery.study:BATTERY",
        charts="ostrom.games.battery.charts:CHARTS",
        samples="ostrom.games.battery.samples:item_samples",
        briefing=f"ostrom.games.battery.briefing:{rules.task.title().replace('_', '')}Briefing",
    )
