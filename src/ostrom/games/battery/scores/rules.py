"""When no score is given. A subject that does not answer the question must not get a number that looks as if it had:
each rule names what it found.

The first four shares are those of the battery's rules. The last two are ours: where an option is nothing at all, chance
is wrong every second time, so that half of all answers being random shows as a quarter of them; a subject that
cares for no position takes the first option, or the one labelled A, half of the time, and the tasks balance both.
docs/validity.md shows how far honest subjects stay from either."""

from collections import Counter

import polars as pl

from ostrom.games.battery.scores.diagnostics import Diagnostics
from ostrom.games.battery.scores.score import Score

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
