"""Stated choices: the play that asks the items of a task, their scene and description, and the game that a task
registers."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from ostrom.core import Event, EventRegistry, Play, Table
from ostrom.core.effects import Choose, ListPoint, QuestionWords, Telling, sentence
from ostrom.core.game import Figure, Figures, Game, Seats
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
    StatedRules,
    TaskRules,
    condition_words,
    control_cells,
    title_of,
)

PREFIX = "stated_"
"""The prefix of a task's name in records of its stated choices; its played game has the task's own name."""
_SEQUENCES = "sequences"
MAX_LISTED_FACTS = 20


def play(rules: StatedRules, table: Table) -> Play:
    """Ask all items at once, since none depends on another; then the control questions."""
    interview = Interview(rules.task, table)
    yield from interview.put(pose_all(rules.task, rules.cells(), table.chance))
    if rules.controls:
        yield from interview.put(pose_all(rules.task, control_cells(rules.controls), table.chance, turn=1))
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
        charts="ostrom.games.battery.charts.report:CHARTS",
        samples="ostrom.games.battery.commands.samples:item_samples",
        briefing="ostrom.games.battery.briefing:task_briefing",
    )


def answer_counts(rules: TaskRules, events: Sequence[Event]) -> Figures:
    """Return the figures of the final table: the numbers of questions and of valid answers."""
    end = events[-1]
    assert isinstance(end, TaskEnded)
    counts = [Figure("items", "asked", [end.items]), Figure("valid", "valid", [end.valid])]
    return Figures([*counts, Figure("faults", "", [end.faults])])


def stated_scene(rules: TaskRules, seats: int) -> Scene:
    """Return the scene of a task: one item after the other."""
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
                low, high = kind.bounds(item)
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
