"""What an answer sheet shows about its subject before any theory: faults, favourite positions, random answers,
dominated choices, intransitive ones, and how well answers repeat. Shares have Wilson's interval.

When no score is given. A subject that does not answer the question must not get a number that looks as if it had:
each rule names what it found.

The first four shares are those of the battery's rules. The last two are ours: where an option is nothing at all, chance
is wrong every second time, so that half of all answers being random shows as a quarter of them; a subject that
cares for no position takes the first option, or the one labelled A, half of the time, and the tasks balance both.
docs/validity.md shows how far honest subjects stay from either."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ostrom.core.estimates import proportion
from ostrom.games.battery.scores.score import Floats, Score, drawn_by, with_interval, withheld

NOT_TWICE = "no sequence has two points"


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """The diagnostics of one task."""

    items: int
    invalid: Score
    """Share of items without a valid answer."""
    faults: Mapping[str, Score]
    """Share of items by what went wrong, such as 'refused' or 'malformed'."""
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


def diagnostics(answers: pl.DataFrame, sequences: pl.DataFrame, task: str) -> Diagnostics:
    """The diagnostics of a task, from its tables."""
    chosen = answers.filter(pl.col("choice").is_not_null())
    missing = answers.filter(pl.col("choice").is_null() & pl.col("amount").is_null())
    faults = Counter(missing["fault"].fill_null("unknown").to_list())
    return Diagnostics(
        items=answers.height,
        invalid=_share(missing.height, answers.height, "no items were asked"),
        faults={fault: _share(count, answers.height, "") for fault, count in sorted(faults.items())},
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
    wrong = _wrong_ends(chosen.filter(pl.col("purpose") == "score"), task)
    if not wrong:
        return withheld("no end of a sequence was answered")
    share = proportion(sum(wrong) / len(wrong), len(wrong))
    value, low, high = (min(1.0, 2 * (one or 0.0)) for one in (share.value, share.low, share.high))
    return Score(value, low, high)


def _wrong_ends(chosen: pl.DataFrame, task: str) -> list[bool]:
    facts = pl.col("facts").struct
    if chosen.is_empty():
        return []
    if task == "time":
        ends = chosen.filter(facts.field("sooner") == 0)
        return (ends["choice"] == "sooner").to_list()
    if task == "risk":
        lotteries = chosen.with_columns(
            best=facts.field("other").list.get(2) > 1 - 1e-9, worst=facts.field("other").list.get(0) > 1 - 1e-9
        ).filter(pl.col("best") | pl.col("worst"))
        return ((lotteries["choice"] == "other") == lotteries["worst"]).to_list()
    return []


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
    if purpose not in sequences["purpose"]:
        return withheld(NOT_TWICE)
    points = sequences.filter(pl.col("outcome") == "point").select("condition", "purpose", "value", "axis")
    once = points.filter(pl.col("purpose") == "score")
    again = points.filter(pl.col("purpose") == purpose)
    pairs = once.join(again, on=["condition", "axis"], nulls_equal=True, suffix="_again", maintain_order="left")
    if pairs.is_empty():
        return withheld(NOT_TWICE)
    gaps: Floats = 100 * np.abs(pairs["value"].to_numpy() - pairs["value_again"].to_numpy())
    rows = drawn_by(pairs["condition"].to_list())
    return with_interval(float(np.mean(gaps)), rows @ gaps / np.sum(rows, axis=1))


MOST_INVALID = 0.05
LEAST_VALID_IN_CONDITION = 0.80
MOST_INVALID_SEQUENCES = 0.10
MOST_CENSORED = 0.10
MOST_RANDOM = 0.50
MOST_POSITION = 0.75
"""And, of the other side, a quarter. The whole 95 % interval of a share must lie beyond: a few choices go one way by
chance."""


def answer_faults(answers: pl.DataFrame, found: Diagnostics) -> list[str]:
    """Why the answers of a task allow no score: too few of them are valid, in all or in a condition."""
    if not answers.height:
        return ["no items were asked"]
    reasons = []
    if (found.invalid.value or 0) > MOST_INVALID:
        kinds = ", ".join(f"{fault} {_percent(share.value)}" for fault, share in found.faults.items())
        reasons.append(f"{_percent(found.invalid.value)} of the answers are invalid ({kinds}); 5 % is the most")
    else:
        poor = (
            answers.filter(pl.col("purpose") == "score")
            .with_columns(valid=pl.col("choice").is_not_null() | pl.col("amount").is_not_null())
            .group_by("condition", maintain_order=True)
            .agg(pl.col("valid").mean())
            .filter(pl.col("valid") < LEAST_VALID_IN_CONDITION)
        )
        if poor.height:
            share, name = _percent(poor["valid"][0]), poor["condition"][0]
            reasons.append(f"only {share} of the answers are valid in {name!r}; 80 % is the least")
    return reasons


def habits(answers: pl.DataFrame, found: Diagnostics) -> list[str]:
    """Why the choices of a task allow no score: they follow a habit, or chance, in place of the question."""
    chosen = answers["choice"].drop_nulls().to_list()
    counts = Counter(chosen)
    if len(chosen) > 1 and len(counts) == 1:
        return [f"constant: every answer is {chosen[0]!r}"]
    positions = (
        (found.first, "shown_first", "the option shown first"),
        (found.label_a, "called_a", "the option labelled A"),
    )
    for share, column, what in positions:
        if _beyond(share) and _balanced(answers[column]):
            return [f"position bias: {_percent(share.value)} of the choices are for {what}; 25 to 75 % are allowed"]
    if (found.random.value or 0) > MOST_RANDOM:
        return [f"random: {_percent(found.random.value)} of the answers look random; 50 % is the most"]
    return []


def _beyond(share: Score) -> bool:
    return (
        share.low is not None
        and share.high is not None
        and (share.low > MOST_POSITION or share.high < 1 - MOST_POSITION)
    )


def _balanced(put: pl.Series) -> bool:
    """Whether every option was put so at least a quarter of the time; elsewhere, as in logs of other projects that know
    one order alone, a habit cannot be told from a preference."""
    counts = Counter(put.drop_nulls().to_list())
    return len(counts) > 1 and min(counts.values()) >= put.len() / 4


def sequence_faults(sequences: pl.DataFrame, task: str) -> list[str]:
    """Why the sequences of a task allow no score: too many are invalid (time) or censored (risk)."""
    asked = sequences["outcome"].filter(sequences["purpose"] == "score")
    if not len(asked):
        return ["no sequence was asked to its end"]
    outcome, most, found = {
        "time": ("invalid", MOST_INVALID_SEQUENCES, "prefer nothing now, or have no answer"),
        "risk": ("censored", MOST_CENSORED, "are censored: the choice does not reverse along the axis"),
    }[task]
    share = int((asked == outcome).sum()) / len(asked)
    if share > most:
        return [f"{_percent(share)} of the sequences {found}; {_percent(most)} is the most"]
    return []


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.3g} %"
