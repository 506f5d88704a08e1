"""Stated choices: this module has the play that asks the items of a task, their scene and their description, and the
registry of tasks. Tasks come from the entry points of packages and from files of users. The file of a task declares its
stated choices as the game `stated_NAME`. If the task can be played, the file also declares the played game as
`NAME`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from typing_extensions import override

from ostrom.core import Event, EventRegistry, InputError, Play, Registry, Table
from ostrom.core.effects import Choose, ListPoint, QuestionWords, Telling, sentence
from ostrom.core.game import Figure, Figures, Game, Seats
from ostrom.core.plugins import GAMES, cached_until_registration
from ostrom.core.scene import AnswerList, Scene
from ostrom.core.telling import Presentation, Teller
from ostrom.core.text import number_of
from ostrom.games.battery.items import (
    CONTROL,
    ITEM_EVENTS,
    Interview,
    Item,
    ItemAnswered,
    SequenceEnded,
    TaskEnded,
    pose_all,
)
from ostrom.games.battery.rules import (
    AmountList,
    ChoiceList,
    Role,
    StatedRules,
    TaskRules,
    condition_words,
    control_cells,
    title_of,
)

PREFIX = "stated_"
"""The prefix of a task's name in records of its stated choices. The played game of the task has the task's own name."""
_SEQUENCES = "sequences"
MAX_LISTED_FACTS = 20


def play(rules: StatedRules, table: Table) -> Play:
    """Ask all items in one step, since no item depends on another. Then ask the control questions."""
    interview = Interview(rules.task, table)
    yield from interview.put(pose_all(rules.task, rules.cells(), table.chance))
    if rules.controls:
        yield from interview.put(pose_all(rules.task, control_cells(rules), table.chance, turn=1))
    interview.close()


def stated_game(
    rules: type[TaskRules],
    summary: str,
    *,
    play: Callable[[Any, Table], Play] = play,
    events: EventRegistry = ITEM_EVENTS,
) -> Game:
    """Return the game of a task's stated choices."""
    return Game(
        name=PREFIX + rules.task,
        title=f"{title_of(rules.task)}, stated",
        summary=f"stated choices: {summary}",
        seats=Seats(1, 1),
        rules=rules,
        play=play,
        events=events,
        scene="ostrom.games.battery.stated:PRESENTATION",
        instrument=True,
        aliases=(rules.task.replace("_", "-"), rules.task),
        clock="question",
        view=Item,
        players="ostrom.games.battery.subjects:SUBJECTS",
        standings="ostrom.games.battery.stated:answer_counts",
        measures="ostrom.games.battery.scores.table:BATTERY",
        charts="ostrom.games.battery.charts:CHARTS",
        samples="ostrom.games.battery.commands.plan:item_samples",
        briefing="ostrom.games.battery.briefing:task_briefing",
    )


def answer_counts(rules: TaskRules, events: Sequence[Event]) -> Figures:
    """Return the figures for the final table: the number of questions and the number of valid answers."""
    end = events[-1]
    assert isinstance(end, TaskEnded)
    counts = [Figure("items", "asked", [end.items]), Figure("valid", "valid", [end.valid])]
    return Figures([*counts, Figure("faults", "", [end.faults])])


def stated_scene(rules: TaskRules, seats: int) -> Scene:
    """Return the scene of a task's stated choices. It shows one item after the other."""
    lists = {
        name: AnswerList(kind="choices", title=kind.title, axis=kind.axis, options=kind.options)
        if isinstance(kind, ChoiceList)
        else AnswerList(kind="amounts", title=kind.title)
        for name, role in rules.roles.items()
        if (kind := role.listing) is not None
    }
    lists[_SEQUENCES] = AnswerList(kind="points", title="What the sequences came to", axis="indifferent at")
    return Scene(
        layout="question", title=f"{title_of(rules.task)}, stated", clock="item", pace=5, opens="end", lists=lists
    )


class StatedTeller(Teller):
    """Describes the events of a task's stated choices."""

    def __init__(self, rules: TaskRules, seats: int) -> None:
        self._rules = rules
        self._rows: dict[tuple[str, str], int] = {}
        """The row of each list of amounts, by role and condition."""
        for cell in getattr(rules, "cells", list)():
            self._rows.setdefault((cell.role, cell.condition), len(self._rows))
        self._asked = 0
        self._ended = 0

    @override
    def opening(self) -> Telling:
        return Telling(text=(sentence(f"at most {number_of(self._rules.questions, 'question')}"),))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case ItemAnswered():
                self._asked = event.number
                return self._item(event)
            case SequenceEnded():
                return self._sequence(event)
            case TaskEnded():
                faults = ", ".join(f"{count} {fault}" for fault, count in event.faults.items())
                valid, total = number_of(event.valid, "valid answer"), number_of(event.items, "question")
                words = f" gave {valid} to {total}" + (f" (without one: {faults})" if faults else "")
                return Telling(
                    turn=self._asked, phase="end", title=sentence("the end"), text=(sentence(0, words),), joined=True
                )
            case _:
                raise TypeError(f"not an event of stated choices: {event!r}")

    def _item(self, event: ItemAnswered) -> Telling:
        form = None if event.purpose == CONTROL else self._rules.form(event)
        facts = (
            () if form else tuple((name.replace("_", " "), _format_fact(value)) for name, value in event.facts.items())
        )
        label = event.labels[event.options.index(event.answer)] if event.answer in event.options else ""
        return Telling(
            turn=event.number,
            text=(sentence(_item_text(event)),),
            effects=(Choose(seat=0, value=event.answer, label=label, fault=event.fault or ""),),
            asked=QuestionWords(
                role=event.role,
                about=condition_words(event.condition),
                purpose="" if event.purpose == "score" else event.purpose,
                asking=event.repetition,
                facts=facts[:MAX_LISTED_FACTS],
                options=tuple(event.options),
                labels=tuple(event.labels),
            ),
            form=form,
            point=self._point(event),
        )

    def _point(self, item: ItemAnswered) -> ListPoint | None:
        about = condition_words(item.condition)
        role = self._rules.roles.get(item.role)
        match kind := role and role.listing:
            case ChoiceList():
                at = kind.at(item)
                if at is None:
                    return None
                group = item.condition if kind.alike is None else [item.facts[name] for name in kind.alike]
                return ListPoint(
                    list=item.role,
                    group=json.dumps([group, item.purpose]),
                    title="" if kind.title else about,
                    label=at[1],
                    at=at[0],
                    option=item.answer if isinstance(item.answer, str) else None,
                )
            case AmountList():
                low, high = kind.bounds(item.facts)
                if high <= low:
                    return None
                row = self._rows.setdefault((item.role, item.condition), len(self._rows))
                return ListPoint(list=item.role, label=about, at=row, amount=item.amount, low=low, high=high)
            case _:
                return None

    def _sequence(self, event: SequenceEnded) -> Telling:
        self._ended += 1
        purpose = "" if event.purpose == "score" else f" ({event.purpose})"
        after = number_of(event.answers, "question")
        return Telling(
            turn=self._asked,
            text=(sentence(f"{event.condition}{purpose}: {_outcome_text(event)}, after {after}"),),
            point=ListPoint(
                list=_SEQUENCES,
                label=condition_words(event.condition) + purpose,
                at=self._ended,
                amount=event.value,
                censored=event.outcome == "censored",
                option=event.axis,
            ),
            joined=True,
        )


def _item_text(event: ItemAnswered) -> str:
    about = [event.role, event.condition]
    point = event.detail.get("ratio", event.detail.get("q"))
    about += [f"step {event.step} at {point:.6g}"] if point is not None else []
    about += [f"asking {event.repetition}"] if event.repetition > 1 else []
    about += [event.purpose] if event.purpose != "score" and event.purpose not in event.condition else []
    return f"{', '.join(about)}: {_answer_text(event)}"


def _answer_text(event: ItemAnswered) -> str:
    if event.answer is None:
        return f"no valid answer ({event.fault})" if event.fault else "no valid answer"
    if isinstance(event.answer, float):
        return f"{event.answer:.12g}"
    place = event.options.index(event.answer)
    return f"{event.answer} ({event.labels[place]}, shown {'second' if place else 'first'})"


def _outcome_text(event: SequenceEnded) -> str:
    axis = f" on {event.axis}" if event.axis else ""
    match event.outcome:
        case "point":
            return f"indifferent at {event.value:.6g}{axis}"
        case "censored":
            return f"beyond {event.value:.6g}{axis} ({event.reason})"
        case _:
            return f"invalid ({event.reason})"


def _format_fact(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_format_fact(part) for part in value[:MAX_LISTED_FACTS])
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)


PRESENTATION = Presentation(stated_scene, StatedTeller)


_ORDER: Final = [
    "time",
    "risk",
    "dictator",
    "ultimatum",
    "trust",
    "stag_hunt",
    "public_goods",
    "centipede",
    "traveller",
    "beauty_contest",
    "matching_pennies",
    "garp",
    "loss",
    "ambiguity",
]
"""The order of EconBench's protocol, followed by our own tasks. Other tasks come after these, sorted by name."""


@dataclass(frozen=True, slots=True)
class BatteryTask:
    """A task of the battery."""

    name: str
    """The name of the task, such as 'time' or 'dictator'. Records name its stated choices by `game.name` instead."""
    game: Game
    """The game of the task's stated choices."""
    rules: type[TaskRules]
    """The class of the rules of that game."""
    played: bool
    """True if the task can also be played, as the game that has the task's name."""

    @property
    def summary(self) -> str:
        return self.game.summary.removeprefix("stated choices: ")

    @property
    def roles(self) -> Mapping[str, Role]:
        return self.rules.roles


class Tasks(Registry[BatteryTask]):
    """Every task of the registered games, by name."""

    def __init__(self) -> None:
        self.kind = "task"

    @property
    def _entries(self) -> dict[str, BatteryTask]:  # type: ignore[override]
        return _tasks(tuple(GAMES.instruments()), tuple(GAMES.commands()))


@cached_until_registration
def _tasks(instruments: tuple[str, ...], played: tuple[str, ...]) -> dict[str, BatteryTask]:
    names = [command.replace("-", "_") for command in instruments]
    tasks: dict[str, BatteryTask] = {}
    for name in (name.removeprefix(PREFIX) for name in sorted(names) if name.startswith(PREFIX)):
        try:
            game = GAMES[PREFIX + name]
        except InputError:
            continue  # a plugin that fails to load is reported elsewhere
        if issubclass(game.rules, TaskRules):
            tasks[name] = BatteryTask(name, game, game.rules, name.replace("_", "-") in played)
    order = sorted(tasks, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))
    return {name: tasks[name] for name in order}


TASKS: Final = Tasks()
"""All tasks, in the order of asking."""
