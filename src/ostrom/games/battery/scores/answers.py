"""Checks whether answers may be scored, and means over those that may.

A subject that does not answer the question must not get a plausible number. So each rule here names a fault for which
answers are not scored. `RoleAnswers` contains the answers of one role of one task. `Diagnostics` describes a subject's
answers to the adaptive tasks without any theory: faults, position bias, random answers, dominated choices, intransitive
choices, and how well answers repeat. Shares have Wilson's interval.

The first four limits are those of the battery's rules. The last two are ours. The limit on random answers uses
questions in which one option is nothing: a random answer is wrong half of the time, so that 50 % random answers show as
25 % wrong ones. The limit on positions uses that the tasks balance the order and the labels of options. So a subject
without position bias takes the first option, or the one labelled A, half of the time. docs/validity.md shows how far
honest subjects stay from either limit."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
import polars as pl

from ostrom.core.estimates import proportion
from ostrom.games.battery.scores.score import (
    NOT_ASKED,
    Code,
    Floats,
    SampledScore,
    Score,
    Whole,
    no_score,
    percent,
    weighted_sum,
)
from ostrom.games.battery.tables import Events

MAX_INVALID = 0.05
MIN_VALID_IN_CONDITION = 0.80
MAX_INVALID_SEQUENCES = 0.10
MAX_CENSORED = 0.10
MAX_RANDOM = 0.50
MAX_POSITION = 0.75
"""The largest share of choices for one position or label. The smallest share is a quarter. In time and risk, a share is
a fault only if its whole 95 % interval lies beyond these limits, since small deviations occur by chance."""
POSITION_LEVEL = 0.01
"""The significance level of a test in the other tasks: whether the share of choices for one position differs from one
half."""
_ROUNDING = 1e-9

Facts = Mapping[str, Any]
Chances: TypeAlias = Sequence[tuple[Any, float]]
"""The legal answers to an item with their probabilities."""


class AnswerSource(Protocol):
    """A subject that answered tasks."""

    @property
    def item_events(self) -> Mapping[str, Events]: ...
    @property
    def fault(self) -> Score | None: ...


SCORE, STATICS = "score", "statics"
"""Purposes of items. Items with the first purpose are asked for a score, and items with the second one only for a
slope. All other purposes are those of diagnostics."""
_FIRST, _LABEL_A = "the option shown first", "the option labelled A"


def _answer_fault(missing: Mapping[str, int], items: int, scored: Iterable[tuple[str, bool]]) -> Score | None:
    """Return the fault if too few answers are valid, among all `items` or within a condition. `missing` has the number
    of missing answers for each fault. `scored` has the condition of each item that is asked for the score, and whether
    its answer is valid."""
    share = sum(missing.values()) / max(1, items)
    if share > MAX_INVALID:
        kinds = ", ".join(f"{fault} {percent(count / items)}" for fault, count in sorted(missing.items()))
        code = Code.PARTLY_REFUSED if "refused" in missing else Code.INVALID
        if len(missing) == 1:
            code = {"refused": Code.REFUSED, "malformed": Code.MALFORMED}.get(next(iter(missing)), code)
        return no_score(f"{percent(share)} of the answers are invalid ({kinds}); the limit is 5 %", code)
    conditions: dict[str, list[bool]] = {}
    for condition, valid in scored:
        conditions.setdefault(condition, []).append(valid)
    for condition, answers in conditions.items():
        if (share := sum(answers) / len(answers)) < MIN_VALID_IN_CONDITION:
            reason = f"only {percent(share)} of the answers are valid in {condition!r}; the minimum is 80 %"
            return no_score(reason, Code.INVALID)
    return None


def _position_bias(share: float | None, position: str) -> Score:
    reason = f"position bias: {percent(share)} of the choices are for {position}; 25 to 75 % are allowed"
    return no_score(reason, Code.POSITION)


@dataclass(frozen=True, slots=True)
class RoleAnswers:
    """The valid answers of one role of one task, in the order of asking."""

    fault: Score | None
    """The reason why the answers are not scored, or None."""
    answers: tuple[Any, ...]
    facts: tuple[Facts, ...]
    place: Whole
    """The number of each answer's condition."""
    conditions: int
    missing: tuple[Facts, ...] = ()
    """The facts of the items without a valid answer."""
    chances: tuple[Chances | None, ...] = ()
    """The distribution from which each answer was drawn, or None for an answer with an unknown distribution. The tuple
    is empty if all distributions are unknown."""

    @property
    def exact(self) -> bool:
        """True if all answers were drawn from known distributions."""
        return bool(self.chances) and None not in self.chances

    def scorable(self) -> Iterator[tuple[Any, Facts]]:
        """Yield the answers with the facts of their items. Yield nothing if there is a fault."""
        return zip(self.answers, self.facts, strict=True) if self.fault is None else iter(())

    def numbers(self, number: Callable[[Any, Facts], float]) -> Floats:
        """Return a number for every answer, computed from the answer and the facts of its item."""
        return np.array([number(*pair) for pair in zip(self.answers, self.facts, strict=True)], dtype=np.float64)

    def expected(self, number: Callable[[Any, Facts], float]) -> Floats:
        """Return a number for every answer. If all answers were drawn from known distributions, it is the expectation
        over the distribution, which has no sampling error. Otherwise it is computed from the answer itself."""
        if not self.exact:
            return self.numbers(number)
        pairs = zip(self.chances, self.facts, strict=True)
        return np.array([_expectation(chances or (), facts, number) for chances, facts in pairs])

    def only(self, condition: Callable[[Facts], bool]) -> "RoleAnswers":
        """Return the answers to items whose facts meet the requirement `condition`. Conditions of the grid without
        answers are dropped."""
        rows = [row for row, facts in enumerate(self.facts) if condition(facts)]
        old, place = np.unique(self.place[rows], return_inverse=True)
        answers, facts = (tuple(column[row] for row in rows) for column in (self.answers, self.facts))
        missing = tuple(facts for facts in self.missing if condition(facts))
        chances = tuple(self.chances[row] for row in rows) if self.chances else ()
        return RoleAnswers(self.fault, answers, facts, place.astype(np.int64), len(old), missing, chances)

    def with_fault(self, reason: str, code: Code) -> "RoleAnswers":
        """Return the same answers, with a fault that gives the reason why they are not scored."""
        return replace(self, fault=no_score(reason, code))

    def reject_constant(self, stake: str) -> "RoleAnswers":
        """Return the answers, with a fault added if the same amount was named at every stake. Such amounts do not
        depend on the stake. Zero is accepted, since it is the same share of any stake."""
        stakes = {facts[stake] for facts in self.facts}
        if self.fault is None and len(stakes) > 1 and len(set(self.answers)) == 1 and self.answers[0] != 0:
            return self.with_fault(
                f"constant: every answer is {self.answers[0]:g}, whatever is at stake", Code.CONSTANT
            )
        return self

    def mean_share(self, stake: str) -> SampledScore:
        """Return the mean of the amounts in percent of the stake. `stake` is the name of the fact that contains the
        stake."""
        return self.reject_constant(stake).mean(lambda amount, facts: float(100 * amount / facts[stake]))

    def mean(self, number: Callable[[Any, Facts], float], bounds: tuple[float, float] = (0.0, 100.0)) -> SampledScore:
        """Return the mean of a number over answers. The score's bounds are the means in the worst and the best case, in
        which every missing answer gets the least or the greatest number, respectively."""
        if self.fault is not None:
            return SampledScore(self.fault)
        if not self.answers:
            return SampledScore(no_score("there is no answer to score"))
        numbers = self.expected(number)
        result = self.linear(numbers, np.full(len(numbers), 1 / len(numbers)), float(np.mean(numbers)))
        if not self.missing:
            return result
        total, items = float(np.sum(numbers)), len(numbers) + len(self.missing)
        least, greatest = ((total + len(self.missing) * end) / items for end in bounds)
        return result._replace(bounds=(least, greatest))

    def linear(self, numbers: Floats, weights: Floats, value: float) -> SampledScore:
        """Return Σ weight · number over answers, with an interval from the variance of repetitions within conditions.
        Expectations vary between repetitions only by the order and the labels of the options."""
        two_valued = isinstance(self.answers[0], str) and not self.exact
        result = weighted_sum(numbers, weights, self.place, value, two_valued=two_valued)
        return result._replace(exact=self.exact)


def _expectation(chances: Chances, facts: Facts, number: Callable[[Any, Facts], float]) -> float:
    total = math.fsum(chance for _, chance in chances)
    return math.fsum(chance * number(answer, facts) for answer, chance in chances) / total


def role_answers(subject: AnswerSource, task: str, role: str, purposes: Sequence[str] = (SCORE,)) -> RoleAnswers:
    """Return the answers of a role to items of these purposes. They have a fault if over 5 % of the task's answers are
    invalid, or if under 80 % of a condition's answers are valid. They also have a fault if choices follow the position
    or the label of an option, or if the subject does not read its questions (`reading`)."""
    items = subject.item_events.get(task, ())
    selection = [item for item in items if item["role"] == role and item["purpose"] in purposes]
    valid = [item for item in selection if item["answer"] is not None]
    chances = [item.get("probabilities") for item in valid]
    # The conditions are sorted by name, so that an interval does not depend on the order of asking.
    names = {name: number for number, name in enumerate(sorted({item["condition"] for item in valid}))}
    return RoleAnswers(
        fault=_role_fault(items, selection) or subject.fault,
        answers=tuple(item["answer"] for item in valid),
        facts=tuple(item["facts"] for item in valid),
        place=np.array([names[item["condition"]] for item in valid], dtype=np.int64),
        conditions=len(names),
        missing=tuple(item["facts"] for item in selection if item["answer"] is None),
        chances=tuple(chances) if any(chances) else (),
    )


def _role_fault(items: Events, selection: Events) -> Score | None:
    if not selection:
        return NOT_ASKED
    missing = Counter(item["fault"] or "unknown" for item in items if item["answer"] is None)
    scored = ((item["condition"], item["answer"] is not None) for item in selection)
    return _answer_fault(missing, len(items), scored) or _position_fault(selection)


def _position_fault(selection: Events) -> Score | None:
    """Return the fault if choices follow the position or the label of an option. This can be decided only if both were
    varied."""
    choices = [item for item in selection if item["options"] and item["answer"] is not None]
    for position in (_FIRST, _LABEL_A):
        options = [_marked_option(item, position) for item in choices]
        commonest = Counter(options).most_common(1)
        if not commonest or 4 * commonest[0][1] > 3 * len(choices):
            continue
        share = sum(item["answer"] == mark for item, mark in zip(choices, options, strict=True)) / len(choices)
        if not 1 - MAX_POSITION <= share <= MAX_POSITION and _is_rare(share, len(choices)):
            return _position_bias(share, position)
    return None


def _is_rare(share: float, choices: int) -> bool:
    """Return whether tosses of a fair coin would seldom be this far from one half."""
    from scipy.special import bdtr

    return bool(2 * bdtr(choices * min(share, 1 - share) + _ROUNDING, choices, 0.5) < POSITION_LEVEL)


def _marked_option(item: Mapping[str, Any], position: str) -> str:
    """Return the option that was shown first, or the one that was labelled A."""
    place = 0 if position == _FIRST or "A" not in item["labels"] else item["labels"].index("A")
    return str(item["options"][place])


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The diagnostics of one task."""

    items: int
    faults: Mapping[str, int]
    """The number of items without a valid answer, by fault, such as 'refused' or 'malformed'."""
    invalid: Score
    """Share of items without a valid answer."""
    first: Score
    """Share of choices for the option that was shown first."""
    label_a: Score
    """Share of choices for the option that was labelled A."""
    random: Score
    """Share of answers that look random. It is twice the share of wrong answers to questions with an obvious answer, in
    which one option is nothing, or the best or the worst outcome for sure."""
    dominance: Score
    """Share of dominance items on which the dominated option was chosen."""
    transitivity: Score
    """Share of triples whose three choices form a cycle."""
    retest: Score
    """Mean difference between the two indifference points of a sequence that was asked twice, in percent of the
    scale."""
    reversed: Score
    """Mean difference between the two indifference points of a sequence that was asked again with the options in the
    other order, in percent of the scale."""

    def as_record(self) -> dict[str, Any]:
        """Return the diagnostics as plain data. Faults are shares of the items."""
        shares = {field.name: getattr(self, field.name).as_record() for field in fields(self)[2:]}
        faults = {fault: proportion(count / self.items, self.items) for fault, count in self.faults.items()}
        return {"items": self.items, **shares, "faults": {fault: share.as_record() for fault, share in faults.items()}}


def diagnostics(answers: pl.DataFrame, sequences: pl.DataFrame, task: str) -> Diagnostics:
    """Return the diagnostics of a task from its tables."""
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
        retest=_repeat_distance(sequences, "retest"),
        reversed=_repeat_distance(sequences, "reversed"),
    )


def _share(count: int, total: int, otherwise: str) -> Score:
    return proportion(count / total, total) if total else no_score(otherwise)


def _details(items: pl.DataFrame) -> list[dict[str, Any]]:
    return [json.loads(detail) for detail in items["detail"].to_list()]


def _dominance(chosen: pl.DataFrame) -> Score:
    items = chosen.filter(pl.col("purpose") == "dominance")
    best = [detail["dominant"] for detail in _details(items)]
    wrong = sum(choice != option for choice, option in zip(items["choice"].to_list(), best, strict=True))
    return _share(wrong, len(best), "no dominance items were answered")


def _random(chosen: pl.DataFrame, task: str) -> Score:
    """Return the share of answers that look random: twice the share of wrong answers, since a random answer is wrong
    half of the time. Only the ends of sequences are used, where one option is nothing (time) or the best or worst
    outcome for sure (risk). Dominance items are not used: their options are so close that an honest subject with noise
    may choose the dominated one."""
    ends = chosen.filter(pl.col("purpose") == SCORE)
    wrong = [] if ends.is_empty() else _WRONG_ENDS[task](ends)
    if not wrong:
        return no_score("no end of a sequence was answered")
    share = proportion(sum(wrong) / len(wrong), len(wrong))
    value, low, high = (min(1.0, 2 * (number or 0.0)) for number in (share.value, share.low, share.high))
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
    """Return the share of intransitive triples. The items of a triple compare its options in pairs. If each option is
    chosen once, the choices form a cycle. If the task was asked several times, triples repeat their names, and item
    numbers restart with each game."""
    items = chosen.with_columns(game=(pl.col("number").diff() < 0).fill_null(value=False).cum_sum())
    items = items.filter(pl.col("purpose") == "transitivity")
    wins: dict[tuple[int, str], list[str]] = {}
    for game, choice, detail in zip(items["game"].to_list(), items["choice"].to_list(), _details(items), strict=True):
        wins.setdefault((game, str(detail["triple"])), []).append(str(detail["elements"][choice]))
    complete = [winners for winners in wins.values() if len(winners) == 3]
    circles = sum(len(set(winners)) == 3 for winners in complete)
    return _share(circles, len(complete), "no triple was answered whole")


def _repeat_distance(sequences: pl.DataFrame, purpose: str) -> Score:
    """Return the mean distance between the indifference points of sequences that were asked twice. Only conditions with
    two points on the same axis are used."""
    points = sequences.filter(pl.col("outcome") == "point").select("condition", "purpose", "value", "axis")
    once, repeated = (points.filter(pl.col("purpose") == name) for name in (SCORE, purpose))
    pairs = once.join(repeated, on=["condition", "axis"], nulls_equal=True, suffix="_again", maintain_order="left")
    if pairs.is_empty():
        return no_score("no sequence has two points")
    gaps: Floats = 100 * np.abs(pairs["value"].to_numpy() - pairs["value_again"].to_numpy())
    return Score(float(np.mean(gaps)), reason="few sequences are asked twice, and none more often: no interval")


def refusal(answers: pl.DataFrame, sequences: pl.DataFrame, diagnostics: Diagnostics, task: str) -> Score | None:
    """Return why the time or the risk task has no score, or None. If there are several faults, the first is returned,
    as the others may follow from it. Data of other projects may contain indifference points only. In this case, faults
    of answers are unknown."""
    valid = pl.col("choice").is_not_null() | pl.col("amount").is_not_null()
    scored = answers.filter(pl.col("purpose") == SCORE).select("condition", valid).iter_rows()
    fault = _answer_fault(diagnostics.faults, diagnostics.items, scored) or habit_fault(answers, diagnostics)
    return fault or _sequence_fault(sequences, task)


def habit_fault(answers: pl.DataFrame, diagnostics: Diagnostics) -> Score | None:
    """Return the fault if choices follow a habit or chance instead of the question."""
    chosen = answers["choice"].drop_nulls()
    if len(chosen) > 1 and chosen.n_unique() == 1:
        return no_score(f"constant: every answer is {chosen[0]!r}", Code.CONSTANT)
    for share, column, position in (
        (diagnostics.first, "shown_first", _FIRST),
        (diagnostics.label_a, "called_a", _LABEL_A),
    ):
        if _beyond(share) and _balanced(answers[column]):
            return _position_bias(share.value, position)
    if (diagnostics.random.value or 0) > MAX_RANDOM:
        reason = f"random: {percent(diagnostics.random.value)} of the answers look random; the limit is 50 %"
        return no_score(reason, Code.RANDOM)
    return None


def _beyond(share: Score) -> bool:
    low, high = share.low, share.high
    return low is not None and high is not None and (low > MAX_POSITION or high < 1 - MAX_POSITION)


def _balanced(options: pl.Series) -> bool:
    """Return whether every option was shown this way at least a quarter of the time. If not, as in logs of other
    projects that used a single order, a habit looks like a preference."""
    counts = Counter(options.drop_nulls().to_list())
    return len(counts) > 1 and min(counts.values()) >= options.len() / 4


def _sequence_fault(sequences: pl.DataFrame, task: str) -> Score | None:
    """Return the fault if too many sequences are invalid (time) or censored (risk)."""
    limits = {
        "time": ("invalid", MAX_INVALID_SEQUENCES, "prefer nothing now, or have no answer", Code.SEQUENCES),
        "risk": ("censored", MAX_CENSORED, "are censored: the choice does not reverse along the axis", Code.CENSORED),
    }
    outcome, most, description, code = limits[task]
    share = outcome_share(sequences, outcome)
    if share.value is not None and share.value > most:
        return no_score(f"{percent(share.value)} of the sequences {description}; the limit is {percent(most)}", code)
    return share if share.value is None else None


def outcome_share(sequences: pl.DataFrame, outcome: str) -> Score:
    """Return the share of sequences with this outcome, among the sequences that were asked for the score."""
    outcomes = sequences["outcome"].filter(sequences["purpose"] == SCORE)
    return _share(int((outcomes == outcome).sum()), len(outcomes), "no sequence was asked to its end")
