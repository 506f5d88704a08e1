"""Whether answers may be scored, and means over those that may.

A subject that does not answer the question must not get a number that looks as if it had: each rule here names what it
found. `Sheet` holds the answers of one role of one task; `Diagnostics` is what the adaptive tasks, time and risk, show
about a subject before any theory: faults, favourite positions, random answers, dominated choices, intransitive ones,
and how well answers repeat. Shares have Wilson's interval.

The first four limits are those of the battery's rules. The last two are ours: where an option is nothing at all, chance
is wrong every second time, so that half of all answers being random shows as a quarter of them; a subject that
cares for no position takes the first option, or the one labelled A, half of the time, and the tasks balance both.
docs/validity.md shows how far honest subjects stay from either."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import numpy as np
import polars as pl

from ostrom.core.estimates import proportion
from ostrom.games.battery.scores.controls import control_fault
from ostrom.games.battery.scores.repetitions import weighted_sum
from ostrom.games.battery.scores.score import (
    NOT_ASKED,
    Code,
    Floats,
    Sampled,
    Score,
    Whole,
    percent,
    withheld,
)
from ostrom.games.battery.tables import Events

MOST_INVALID = 0.05
LEAST_VALID_IN_CONDITION = 0.80
MOST_INVALID_SEQUENCES = 0.10
MOST_CENSORED = 0.10
MOST_RANDOM = 0.50
MOST_POSITION = 0.75
"""And, of the other side, a quarter. In time and risk the whole 95 % interval of a share must lie beyond: a few choices
go one way by chance."""

Tasks = Mapping[str, Events]
"""The events of a subject by task."""
Facts = Mapping[str, Any]


class Subject(Protocol):
    """Whoever answered tasks."""

    @property
    def tasks(self) -> Tasks: ...


SCORE, STATICS = "score", "statics"
"""The purposes of items that are asked for a score, and for a slope alone; the others are for diagnostics."""
_FIRST, _LABEL_A = "the option shown first", "the option labelled A"


def _answer_fault(missing: Mapping[str, int], items: int, scored: Iterable[tuple[str, bool]]) -> Score | None:
    """Too few answers are valid: in all, of so many items, by what went wrong; or in a condition, of those asked for
    the score, each given by its condition and whether it is valid."""
    share = sum(missing.values()) / max(1, items)
    if share > MOST_INVALID:
        kinds = ", ".join(f"{fault} {percent(count / items)}" for fault, count in sorted(missing.items()))
        code = Code.PARTLY_REFUSED if "refused" in missing else Code.INVALID
        if len(missing) == 1:
            code = {"refused": Code.REFUSED, "malformed": Code.MALFORMED}.get(next(iter(missing)), code)
        return withheld(f"{percent(share)} of the answers are invalid ({kinds}); 5 % is the most", code)
    conditions: dict[str, list[bool]] = {}
    for condition, valid in scored:
        conditions.setdefault(condition, []).append(valid)
    for condition, answers in conditions.items():
        if (share := sum(answers) / len(answers)) < LEAST_VALID_IN_CONDITION:
            found = f"only {percent(share)} of the answers are valid in {condition!r}; 80 % is the least"
            return withheld(found, Code.INVALID)
    return None


def _position_bias(share: float | None, what: str) -> Score:
    found = f"position bias: {percent(share)} of the choices are for {what}; 25 to 75 % are allowed"
    return withheld(found, Code.POSITION)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The valid answers of one role of one task, in the order of asking."""

    against: Score | None
    """Why nothing may be scored from them."""
    answers: tuple[Any, ...]
    facts: tuple[Facts, ...]
    place: Whole
    """For every answer the number of its condition."""
    conditions: int

    def numbers(self, number: Callable[[Any, Facts], float]) -> Floats:
        """A number for every answer, from it and the facts of its item."""
        return np.array([number(*each) for each in zip(self.answers, self.facts, strict=True)], dtype=np.float64)

    def only(self, kept: Callable[[Facts], bool]) -> "Sheet":
        """The answers to items with such facts; conditions without any are no longer counted."""
        rows = [row for row, facts in enumerate(self.facts) if kept(facts)]
        old, place = np.unique(self.place[rows], return_inverse=True)
        answers, facts = (tuple(column[row] for row in rows) for column in (self.answers, self.facts))
        return Sheet(self.against, answers, facts, place.astype(np.int64), len(old))

    def refused(self, reason: str, code: Code) -> "Sheet":
        """The same answers, with a reason against scoring them."""
        return replace(self, against=withheld(reason, code))

    def scaling(self, stake: str) -> "Sheet":
        """Refuses amounts that do not change with what is at stake: the same number of a pot of 10 and of 1000 is no
        share of either. Nothing at all is the same share of any."""
        stakes = {facts[stake] for facts in self.facts}
        if self.against is None and len(stakes) > 1 and len(set(self.answers)) == 1 and self.answers[0] != 0:
            return self.refused(f"constant: every answer is {self.answers[0]:g}, whatever is at stake", Code.CONSTANT)
        return self

    def mean(self, number: Callable[[Any, Facts], float]) -> Sampled:
        """The mean of a number over answers."""
        if self.against is not None:
            return Sampled(self.against)
        if not self.answers:
            return Sampled(withheld("there is no answer to score"))
        numbers = self.numbers(number)
        return self.linear(numbers, np.full(len(numbers), 1 / len(numbers)), float(np.mean(numbers)))

    def linear(self, numbers: Floats, weights: Floats, value: float) -> Sampled:
        """The value Σ weight · number over answers, with the error of the repetitions within conditions."""
        return weighted_sum(numbers, weights, self.place, value, two_valued=isinstance(self.answers[0], str))


def sheet(subject: Subject, task: str, role: str, purposes: Sequence[str] = (SCORE,)) -> Sheet:
    """The answers of a role, to items of some purposes. No score may come of a task with over 5 % invalid answers, of a
    condition with under 80 % valid ones, or of choices that follow the place or the label of an option; and none of any
    task where the subject does not answer what control questions ask."""
    events = subject.tasks.get(task, ())
    items = [event for event in events if event["event"] == "item_answered" and event["task"] == task]
    asked = [item for item in items if item["role"] == role and item["purpose"] in purposes]
    valid = [item for item in asked if item["answer"] is not None]
    # By name, so that the same answers have the same interval in whatever order they were asked for.
    names = {name: number for number, name in enumerate(sorted({item["condition"] for item in valid}))}
    return Sheet(
        against=_against(items, asked) or control_fault(subject.tasks),
        answers=tuple(item["answer"] for item in valid),
        facts=tuple(item["facts"] for item in valid),
        place=np.array([names[item["condition"]] for item in valid], dtype=np.int64),
        conditions=len(names),
    )


def _against(items: Events, asked: Events) -> Score | None:
    if not asked:
        return NOT_ASKED
    missing = Counter(item["fault"] or "unknown" for item in items if item["answer"] is None)
    scored = ((item["condition"], item["answer"] is not None) for item in asked)
    return _answer_fault(missing, len(items), scored) or _habit(asked)


def _habit(asked: Events) -> Score | None:
    """Choices that follow the place or the label of an option. It can be told only where both were changed about."""
    chosen = [item for item in asked if item["options"] and item["answer"] is not None]
    for what in (_FIRST, _LABEL_A):
        marked = [_marked(item, what) for item in chosen]
        usual = Counter(marked).most_common(1)
        if not usual or 4 * usual[0][1] > 3 * len(chosen):
            continue
        share = sum(item["answer"] == mark for item, mark in zip(chosen, marked, strict=True)) / len(chosen)
        if not 1 - MOST_POSITION <= share <= MOST_POSITION:
            return _position_bias(share, what)
    return None


def _marked(item: Mapping[str, Any], what: str) -> str:
    """The option that is shown first, or that is labelled A."""
    place = 0 if what == _FIRST or "A" not in item["labels"] else item["labels"].index("A")
    return str(item["options"][place])


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The diagnostics of one task."""

    items: int
    faults: Mapping[str, int]
    """How many items have no valid answer, by what went wrong, such as 'refused' or 'malformed'."""
    invalid: Score
    """Share of items without a valid answer."""
    first: Score
    """Share of choices for the option that was shown first."""
    label_a: Score
    """Share of choices for the option that was labelled A."""
    random: Score
    """Share of answers that look random: twice the share of wrong answers where an option is nothing at all, or the
    best there is."""
    dominance: Score
    """Share of dominance items on which the dominated option was chosen."""
    transitivity: Score
    """Share of triples whose three choices go round in a circle."""
    retest: Score
    """Mean difference between the two points of a sequence that was asked twice, in percent of the scale."""
    reversed: Score
    """The same for sequences asked again with the options in the other order."""

    def as_record(self) -> dict[str, Any]:
        """The diagnostics as plain data; faults as shares of the items."""
        shares = {one.name: getattr(self, one.name).as_record() for one in fields(self)[2:]}
        faults = {fault: proportion(count / self.items, self.items) for fault, count in self.faults.items()}
        return {"items": self.items, **shares, "faults": {fault: one.as_record() for fault, one in faults.items()}}


def diagnostics(answers: pl.DataFrame, sequences: pl.DataFrame, task: str) -> Diagnostics:
    """The diagnostics of a task, from its tables."""
    chosen = answers.filter(pl.col("choice").is_not_null())
    missing = answers.filter(pl.col("choice").is_null() & pl.col("amount").is_null())
    faults = Counter(missing["fault"].fill_null("unknown").to_list())
    return Diagnostics(
        items=answers.height,
        faults=dict(sorted(faults.items())),
        invalid=_share(missing.height, answers.height, "no items were asked"),
        first=_share(int(chosen["first"].sum()), chosen.height, "there are no valid choices"),
        label_a=_share(int((chosen["label"] == "A").sum()), chosen.height, "there are no valid choices"),
        random=_random(chosen, task),
        dominance=_dominance(chosen),
        transitivity=_transitivity(chosen),
        retest=_repeated(sequences, "retest"),
        reversed=_repeated(sequences, "reversed"),
    )


def _share(count: int, total: int, otherwise: str) -> Score:
    return proportion(count / total, total) if total else withheld(otherwise)


def _details(items: pl.DataFrame) -> list[dict[str, Any]]:
    return [json.loads(detail) for detail in items["detail"].to_list()]


def _dominance(chosen: pl.DataFrame) -> Score:
    items = chosen.filter(pl.col("purpose") == "dominance")
    best = [detail["dominant"] for detail in _details(items)]
    wrong = sum(choice != option for choice, option in zip(items["choice"].to_list(), best, strict=True))
    return _share(wrong, len(best), "no dominance items were answered")


def _random(chosen: pl.DataFrame, task: str) -> Score:
    """A random answer is wrong every second time. Counted are the ends of sequences, where one option is nothing
    (time) or the best or the worst outcome for sure (risk). Dominance items are not: their options are so near to each
    other that an honest subject with noise mistakes them."""
    ends = chosen.filter(pl.col("purpose") == SCORE)
    wrong = [] if ends.is_empty() else _WRONG_ENDS[task](ends)
    if not wrong:
        return withheld("no end of a sequence was answered")
    share = proportion(sum(wrong) / len(wrong), len(wrong))
    value, low, high = (min(1.0, 2 * (one or 0.0)) for one in (share.value, share.low, share.high))
    return Score(value, low, high)


def _wrong_in_time(chosen: pl.DataFrame) -> list[bool]:
    ends = chosen.filter(pl.col("facts").struct.field("sooner") == 0)
    return (ends["choice"] == "sooner").to_list()


def _wrong_in_risk(chosen: pl.DataFrame) -> list[bool]:
    other = pl.col("facts").struct.field("other").list
    lotteries = chosen.with_columns(best=other.get(2) > 1 - 1e-9, worst=other.get(0) > 1 - 1e-9)
    lotteries = lotteries.filter(pl.col("best") | pl.col("worst"))
    return ((lotteries["choice"] == "other") == lotteries["worst"]).to_list()


_WRONG_ENDS = {"time": _wrong_in_time, "risk": _wrong_in_risk}


def _transitivity(chosen: pl.DataFrame) -> Score:
    """The items of a triple compare its options two by two; where each of the three wins once, they go in a circle. A
    subject that was asked the task several times has as many triples of the same name: numbers begin anew with each."""
    items = chosen.with_columns(game=(pl.col("number").diff() < 0).fill_null(value=False).cum_sum())
    items = items.filter(pl.col("purpose") == "transitivity")
    wins: dict[tuple[int, str], list[str]] = {}
    for game, choice, detail in zip(items["game"].to_list(), items["choice"].to_list(), _details(items), strict=True):
        wins.setdefault((game, str(detail["triple"])), []).append(str(detail["elements"][choice]))
    whole = [winners for winners in wins.values() if len(winners) == 3]
    circles = sum(len(set(winners)) == 3 for winners in whole)
    return _share(circles, len(whole), "no triple was answered whole")


def _repeated(sequences: pl.DataFrame, purpose: str) -> Score:
    """How far the points of sequences asked twice lie apart, over conditions with two points on the same axis."""
    points = sequences.filter(pl.col("outcome") == "point").select("condition", "purpose", "value", "axis")
    once, again = (points.filter(pl.col("purpose") == one) for one in (SCORE, purpose))
    pairs = once.join(again, on=["condition", "axis"], nulls_equal=True, suffix="_again", maintain_order="left")
    if pairs.is_empty():
        return withheld("no sequence has two points")
    gaps: Floats = 100 * np.abs(pairs["value"].to_numpy() - pairs["value_again"].to_numpy())
    return Score(float(np.mean(gaps)), reason="few sequences are asked twice, each once again: no interval")


def refusal(answers: pl.DataFrame, sequences: pl.DataFrame, found: Diagnostics, task: str) -> Score | None:
    """Why time or risk has no score. What is found first names the cause; the rest follows from it. Where only points
    are known, as from other projects, there are no answers to judge."""
    valid = pl.col("choice").is_not_null() | pl.col("amount").is_not_null()
    scored = answers.filter(pl.col("purpose") == SCORE).select("condition", valid).iter_rows()
    against = _answer_fault(found.faults, found.items, scored) or _habit_of(answers, found)
    return against or _sequence_fault(sequences, task)


def _habit_of(answers: pl.DataFrame, found: Diagnostics) -> Score | None:
    """Choices follow a habit, or chance, in place of the question."""
    chosen = answers["choice"].drop_nulls()
    if len(chosen) > 1 and chosen.n_unique() == 1:
        return withheld(f"constant: every answer is {chosen[0]!r}", Code.CONSTANT)
    for share, column, what in ((found.first, "shown_first", _FIRST), (found.label_a, "called_a", _LABEL_A)):
        if _beyond(share) and _balanced(answers[column]):
            return _position_bias(share.value, what)
    if (found.random.value or 0) > MOST_RANDOM:
        said = f"random: {percent(found.random.value)} of the answers look random; 50 % is the most"
        return withheld(said, Code.RANDOM)
    return None


def _beyond(share: Score) -> bool:
    low, high = share.low, share.high
    return low is not None and high is not None and (low > MOST_POSITION or high < 1 - MOST_POSITION)


def _balanced(put: pl.Series) -> bool:
    """Whether every option was put so at least a quarter of the time; elsewhere, as in logs of other projects that know
    one order alone, a habit cannot be told from a preference."""
    counts = Counter(put.drop_nulls().to_list())
    return len(counts) > 1 and min(counts.values()) >= put.len() / 4


def _sequence_fault(sequences: pl.DataFrame, task: str) -> Score | None:
    """Too many sequences are invalid (time) or censored (risk)."""
    found = {
        "time": ("invalid", MOST_INVALID_SEQUENCES, "prefer nothing now, or have no answer", Code.SEQUENCES),
        "risk": ("censored", MOST_CENSORED, "are censored: the choice does not reverse along the axis", Code.CENSORED),
    }
    outcome, most, what, code = found[task]
    share = outcome_share(sequences, outcome)
    if share.value is not None and share.value > most:
        return withheld(f"{percent(share.value)} of the sequences {what}; {percent(most)} is the most", code)
    return share if share.value is None else None


def outcome_share(sequences: pl.DataFrame, outcome: str) -> Score:
    """The share of the sequences asked for the score that ended so."""
    asked = sequences["outcome"].filter(sequences["purpose"] == SCORE)
    return _share(int((asked == outcome).sum()), len(asked), "no sequence was asked to its end")
