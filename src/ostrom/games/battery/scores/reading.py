"""Checks whether a subject reads its questions. A subject that does not read them gets no score in any task.

Control questions of all tasks are judged together. They are needed if other answers cannot decide the matter: a subject
that gives nothing of any pot may be selfish, or may always write the least number. The right answer to a control
question is the greatest amount, nothing, or a named amount, so that no habit is right in most of them. The errors of a
subject with preferences are about as large as its noise. Of 18 random answers, the mean error is 25 % of the range or
less in 2 of 1,000 cases. docs/inference.md has the measured error rates.

A subject can answer control questions correctly and all others at random. Therefore a subject also gets no score in any
task in two other cases: if its answers in time or risk are random, or if the numbers that it names vary like random
ones around the middle of the range. The label for cooperation requires choices that differ from those of a coin."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any, Final

import numpy as np

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.items import CONTROL
from ostrom.games.battery.rules import AmountList, right_answer
from ostrom.games.battery.scores.answers import (
    MIN_VALID_IN_CONDITION,
    SCORE,
    RoleAnswers,
    diagnostics,
    habit_fault,
)
from ostrom.games.battery.scores.score import Code, Floats, Score, no_score, percent
from ostrom.games.battery.stated import TASKS
from ostrom.games.battery.tables import Events, answers_table, sequences_table

MAX_CONTROL_ERROR: Final = 0.25
"""The greatest mean distance from the right answers to control questions, as a share of the range."""
MIN_REPEATS: Final = 6
"""The least number of repeated answers for which numbers are tested for randomness."""
MIN_REPEATS_OF_ROLE: Final = 12
RANDOM_SPREAD: Final = 0.5
"""The smallest variance with which repeated answers look random. It is relative to the variance of random answers."""
MIN_CHOICES: Final = 30
"""The least number of choices for which a single task is compared with a coin."""
_LEVEL: Final = 1 - CONFIDENCE
_SPREAD_LEVEL: Final = 0.01
_UNIFORM_VARIANCE: Final = 1 / 12


def subject_fault(tasks: Mapping[str, Events], items: Mapping[str, Events]) -> Score | None:
    """Return why no answer of a subject may be scored, or None. The arguments are the subject's events and its items,
    by task."""
    return control_fault(items) or _habit_of_sequences(tasks) or _random_numbers(items)


def _controls(items: Mapping[str, Events]) -> list[Mapping[str, Any]]:
    """Return the control questions, which are the last of a task."""
    return [
        item for task in items.values() for item in takewhile(lambda item: item["purpose"] == CONTROL, reversed(task))
    ]


def control_note(items: Mapping[str, Events]) -> str | None:
    """Return a sentence on the doubt that remains after a subject's control questions, or None."""
    roles = {item["role"] for item in _controls(items)}
    if not roles:
        return "asked no control questions: a subject that does not read its questions can have scores"
    if len(roles) == 1:
        return "the right answer to all control questions is the greatest: a subject that always names it has scores"
    return None


def control_fault(items: Mapping[str, Events]) -> Score | None:
    """Return the fault if answers to control questions are missing or wrong. Return None if no such question was
    asked."""
    controls = _controls(items)
    valid = [item for item in controls if item["answer"] is not None]
    if len(valid) < MIN_VALID_IN_CONDITION * len(controls):
        faults = Counter(item["fault"] or "unknown" for item in controls if item["answer"] is None)
        code = Code.PARTLY_REFUSED if "refused" in faults else Code.INVALID
        share = percent(len(valid) / len(controls))
        return no_score(f"only {share} of the answers to control questions are valid; the minimum is 80 %", code)
    errors = [
        abs(float(item["answer"]) - right_answer(item["role"], item["facts"])) / float(item["facts"]["most"])
        for item in valid
    ]
    if sum(errors) <= MAX_CONTROL_ERROR * len(errors):
        return None
    away = (
        f"answers to control questions differ from the right ones by {percent(sum(errors) / len(errors))} of the range"
    )
    if len({item["answer"] for item in valid}) == 1:
        return no_score(
            f"constant: {away} on average, and each is {valid[0]['answer']:g}; the limit is 25 %", Code.CONSTANT
        )
    return no_score(f"random: {away} on average; the limit is 25 %", Code.RANDOM)


def _habit_of_sequences(tasks: Mapping[str, Events]) -> Score | None:
    for task in ("time", "risk"):
        events = tasks.get(task, ())
        answers = answers_table(events, task)
        fault = habit_fault(answers, diagnostics(answers, sequences_table(events, task), task))
        if fault is not None and fault.code in (Code.RANDOM, Code.CONSTANT):
            return no_score(f"{task}: {fault.reason}", fault.code)
    return None


def _random_numbers(items: Mapping[str, Events]) -> Score | None:
    """Return the fault if the numbers that a subject named look random: those of all roles together, or those of one
    role."""
    roles = list(_shares_by_role(items))
    for group, least in ((roles, MIN_REPEATS), *(([role], MIN_REPEATS_OF_ROLE) for role in roles)):
        spread, repeats = relative_spread(cells for _, cells in group)
        if repeats >= least and spread >= RANDOM_SPREAD and _around_middle([cells for _, cells in group]):
            tasks = ", ".join(dict.fromkeys(task for task, _ in group))
            reason = f"random: numbers for the same question vary {percent(spread)} as much as random ones ({tasks})"
            return no_score(f"{reason}; less than 50 % is allowed", Code.RANDOM)
    return None


def _shares_by_role(items: Mapping[str, Events]) -> Iterable[tuple[str, list[Floats]]]:
    """Yield for every role that names amounts: its task, and the answers to each of its questions, as shares of the
    range."""
    for task, answered in items.items():
        for name, role in TASKS[task].roles.items() if task in TASKS else ():
            if not isinstance(role.listing, AmountList):
                continue
            cells: dict[str, list[float]] = {}
            for item in answered:
                if item["role"] == name and item["purpose"] == SCORE and isinstance(item["answer"], int | float):
                    low, high = role.listing.bounds(item["facts"])
                    if high > low:
                        cells.setdefault(item["condition"], []).append((item["answer"] - low) / (high - low))
            if cells:
                yield task, [np.array(shares) for shares in cells.values()]


def relative_spread(cells: Iterable[Iterable[Floats]]) -> tuple[float, int]:
    """Return the variance of repeated answers relative to that of uniformly distributed answers, and its degrees of
    freedom."""
    shares = [answers for role in cells for answers in role]
    repeats = sum(len(answers) - 1 for answers in shares)
    squares = sum(float(np.sum((answers - np.mean(answers)) ** 2)) for answers in shares)
    return (squares / repeats / _UNIFORM_VARIANCE if repeats else 0.0), repeats


def _around_middle(roles: list[list[Floats]]) -> bool:
    """Return whether the mean answer of every role is compatible with the middle of the range, where the mean of random
    answers lies."""
    from scipy.special import chdtrc

    shares = [np.concatenate(cells) for cells in roles]
    statistic = sum(float(np.mean(role) - 0.5) ** 2 * len(role) / _UNIFORM_VARIANCE for role in shares)
    return bool(chdtrc(len(shares), statistic) > _SPREAD_LEVEL)


def reject_coin(answers: RoleAnswers, option: str) -> RoleAnswers:
    """Return the answers, with a fault added if there are many choices between two options and they do not differ from
    random choices."""
    if answers.fault is None and len(answers.answers) >= MIN_CHOICES and not differ_from_coin([(answers, option)]):
        return answers.with_fault("random: the choices do not differ from those of a coin", Code.RANDOM)
    return answers


def differ_from_coin(choices: Iterable[tuple[RoleAnswers, str]]) -> bool:
    """Return whether choices differ from those of a fair coin in any condition (chi-square test at 5 %). Each group of
    choices is given with the option that is counted."""
    from scipy.special import chdtrc

    statistic, conditions = 0.0, 0
    for answers, option in choices:
        counts = np.bincount(answers.place, minlength=answers.conditions)
        chosen = np.bincount(answers.place, [choice == option for choice in answers.answers], answers.conditions)
        statistic += float(np.sum((chosen - counts / 2) ** 2 / (counts / 4)))
        conditions += answers.conditions
    return bool(conditions and chdtrc(conditions, statistic) < _LEVEL)
