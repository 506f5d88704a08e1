"""The answers of one role of one task as arrays, with what may be against scoring them, and means over them whose
intervals come from drawing conditions again."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.games.battery.scores.diagnostics import LEAST_VALID_IN_CONDITION, MOST_INVALID, MOST_POSITION
from ostrom.games.battery.scores.score import RESAMPLES, Floats, Score, Whole, drawn, with_interval, withheld

Events = Sequence[Mapping[str, Any]]
"""The events of some games as they stand in records."""
Tasks = Mapping[str, Events]
"""The events of a subject by task."""

NOT_ASKED = "it was not asked"
ONE_CONDITION = "one condition has no spread: no interval"
SCORE = "score"
"""The purpose of items that are asked for a score, not for a diagnostic."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The valid answers of one role of one task, in the order of asking."""

    reason: str | None
    """Why nothing may be scored from them."""
    answers: tuple[Any, ...]
    facts: tuple[Mapping[str, Any], ...]
    place: Whole
    """For every answer the number of its condition."""
    conditions: int

    def numbers(self, number: Callable[[Any, Mapping[str, Any]], float]) -> Floats:
        """A number for every answer, from it and the facts of its item."""
        return np.array([number(*each) for each in zip(self.answers, self.facts, strict=True)], dtype=np.float64)

    def only(self, kept: Callable[[Mapping[str, Any]], bool]) -> "Sheet":
        """The answers to items with such facts; conditions without any are no longer counted."""
        rows = [row for row, facts in enumerate(self.facts) if kept(facts)]
        old, place = np.unique(self.place[rows], return_inverse=True)
        answers, facts = (tuple(column[row] for row in rows) for column in (self.answers, self.facts))
        return Sheet(self.reason, answers, facts, place.astype(np.int64), len(old))


def sheet(tasks: Tasks, task: str, role: str, purposes: Sequence[str] = (SCORE,)) -> Sheet:
    """The answers of a role, to items of some purposes. No score may come of a task with over 5 % invalid answers, of a
    condition with under 80 % valid ones, or of choices that follow the place or the label of an option."""
    items = [event for event in tasks.get(task, ()) if event["event"] == "item_answered" and event["task"] == task]
    asked = [item for item in items if item["role"] == role and item["purpose"] in purposes]
    valid = [item for item in asked if item["answer"] is not None]
    # By name, so that the same answers have the same interval in whatever order they were asked for.
    names = {name: number for number, name in enumerate(sorted({item["condition"] for item in valid}))}
    return Sheet(
        reason=_against(items, asked),
        answers=tuple(item["answer"] for item in valid),
        facts=tuple(item["facts"] for item in valid),
        place=np.array([names[item["condition"]] for item in valid], dtype=np.int64),
        conditions=len(names),
    )


def _against(items: Events, asked: Events) -> str | None:
    if not asked:
        return NOT_ASKED
    missing = Counter(item["fault"] or "unknown" for item in items if item["answer"] is None)
    if missing.total() > MOST_INVALID * len(items):
        kinds = ", ".join(f"{fault} {_percent(count / len(items))}" for fault, count in sorted(missing.items()))
        return f"{_percent(missing.total() / len(items))} of the answers are invalid ({kinds}); 5 % is the most"
    put, valid = Counter[str](), Counter[str]()
    for item in asked:
        put[item["condition"]] += 1
        valid[item["condition"]] += item["answer"] is not None
    for condition, count in put.items():
        if valid[condition] < LEAST_VALID_IN_CONDITION * count:
            share = _percent(valid[condition] / count)
            return f"only {share} of the answers are valid in {condition!r}; 80 % is the least"
    return _habit(asked)


def _habit(asked: Events) -> str | None:
    """Choices that follow the place or the label of an option. It can be told only where both were changed about."""
    chosen = [item for item in asked if item["options"] and item["answer"] is not None]
    for name, what in (("options", "the option shown first"), ("labels", "the option labelled A")):
        marked = [_marked(item, name) for item in chosen]
        usual = Counter(marked).most_common(1)
        if not usual or 4 * usual[0][1] > 3 * len(chosen):
            continue
        share = sum(item["answer"] == mark for item, mark in zip(chosen, marked, strict=True)) / len(chosen)
        if not 1 - MOST_POSITION <= share <= MOST_POSITION:
            return f"position bias: {_percent(share)} of the choices are for {what}; 25 to 75 % are allowed"
    return None


def _marked(item: Mapping[str, Any], by: str) -> str:
    """The option that is shown first, or that is labelled A."""
    place = 0 if by == "options" or "A" not in item["labels"] else item["labels"].index("A")
    return str(item["options"][place])


def refused(answers: Sheet, reason: str) -> Sheet:
    """The same answers, with a reason against scoring them."""
    return Sheet(reason, answers.answers, answers.facts, answers.place, answers.conditions)


def scaling(answers: Sheet, stake: str) -> Sheet:
    """Refuses amounts that do not change with what is at stake: the same number of a pot of 10 and of 1000 is no share
    of either. Nothing at all is the same share of any."""
    stakes = {facts[stake] for facts in answers.facts}
    if answers.reason is None and len(stakes) > 1 and len(set(answers.answers)) == 1 and answers.answers[0] != 0:
        return refused(answers, f"constant: every answer is {answers.answers[0]:g}, whatever is at stake")
    return answers


def mean(numbers: Floats, sheet: Sheet) -> tuple[Score, Floats]:
    """The mean over answers, and the mean again from each resample of conditions."""
    if sheet.reason is not None:
        return withheld(sheet.reason), np.empty(0)
    if not len(numbers):
        return withheld("there is no answer to score"), np.empty(0)
    value = float(np.mean(numbers))
    if sheet.conditions < 2:
        return Score(value, reason=ONE_CONDITION), np.full(RESAMPLES, value)
    rows = drawn(sheet.conditions)
    sums = np.bincount(sheet.place, numbers, minlength=sheet.conditions)
    counts = np.bincount(sheet.place, minlength=sheet.conditions)
    draws = np.asarray(rows @ sums / (rows @ counts))
    return with_interval(value, draws), draws


def joined(parts: Sequence[tuple[str, Score, Floats]], function: Callable[..., Any]) -> tuple[Score, Floats]:
    """A score made of others, each with its name and its resamples; none where one of them has no value, and the reason
    names it. The parts' conditions are drawn apart: their resamples are put side by side in different orders, for the
    same draw must not pick in all."""
    against = [f"{name}: {score.reason}" for name, score, _ in parts if score.value is None]
    if against:
        return withheld("; ".join(against)), np.empty(0)
    apart = [np.roll(draws, 137 * number) for number, (_, _, draws) in enumerate(parts)]
    value = float(function(*(score.value for _, score, _ in parts)))
    draws = np.asarray(function(*apart), dtype=np.float64)
    if all(score.low is None for _, score, _ in parts):
        return Score(value, reason=ONE_CONDITION), draws
    return with_interval(value, draws), draws


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
