"""Promises as a judge found them, beside those that the pattern of `promises.py` finds, and how far the two agree.

The unit of agreement is a message. Pattern and judge are asked the same: does the speaker announce what it will itself
contribute in this round? A promise of nothing (0 tokens) is none, for both: it would always be kept. Messages that the
judge was not asked about, or to which it gave no legal answer, take no part; they are counted.

- Raw agreement is the share of messages of which both say the same: (both + neither) / messages.
- κ is Cohen's (1960): (p − e) / (1 − e), where p is the raw agreement and e what two raters with the same shares of
  promises would reach by chance: a·b + (1 − a)(1 − b), with a and b the parts of messages in which pattern and judge
  found one. Where both find a promise in all messages, or in none, e is 1 and there is no κ.
- Agreement on the amount: of the messages in which both found a promise, the share in which both name the same number
  of tokens. Everything is taken for what the seat held when the round began, so that "all in" and "all in with $55"
  are the same for a seat that holds 55.

Intervals are of the jackknife over games, for messages of one game share its story: t of the figures without each game
in turn, shares on the scale of their log odds and κ on Fisher's, atanh κ, so that no interval ends beyond what there
can be. docs/inference.md has their coverage."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy.special import expit, logit

from ostrom.analysis.intervals import LEAST, Floats, jackknife_reach
from ostrom.analysis.measures import promises
from ostrom.analysis.study import Study, all_studies, study_of
from ostrom.analysis.tables import GameTables
from ostrom.core.estimates import Estimate
from ostrom.games.judge.promises import PROMISES
from ostrom.games.judge.readings import readings
from ostrom.journal.sql import Journal

JUDGED = {
    **{"judge": pl.String, "game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String},
    **{"line": pl.Int64, "text": pl.String, "promise": pl.Boolean, "tokens": pl.Int64},
}
_MESSAGE = ["game", "round", "seat"]


def judged_messages(journal: Journal, experiment: str | None = None) -> pl.DataFrame:
    """Every message that a judge was asked about, of all games or of one experiment's: judge, game, round, seat,
    player, line (its number), text, promise (null where the judge gave no legal answer) and tokens (null where there is
    no promise, and where it is all that the seat holds)."""
    rows: list[tuple[Any, ...]] = []
    for reading in readings(journal, PROMISES.name, experiment):
        found = {event["line"]: event for event in reading.record.events if event["event"] == "line_judged"}
        for said in reading.said.values():
            verdict = found.get(said.number)
            promise = None if verdict is None else verdict["promise"]
            tokens = None if verdict is None else verdict["tokens"]
            player = reading.source.players[said.seat]
            place = (reading.judge, reading.source.id, said.round, said.seat, player)
            rows.append((*place, said.number, said.text, promise, tokens))
    return pl.DataFrame(rows, schema=JUDGED, orient="row")


def judged_promises(judged: pl.DataFrame, judge: str) -> pl.DataFrame:
    """The promises that one judge found, in the shape that `promises.promises` gives: game, round, seat, player, text,
    promised (tokens; null where it is all that the seat holds) and everything (true for those)."""
    nothing = pl.col("tokens") == 0
    return judged.filter((pl.col("judge") == judge) & pl.col("promise") & nothing.fill_null(False).not_()).select(
        *_MESSAGE, "player", "text", promised="tokens", everything=pl.col("tokens").is_null()
    )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the pattern and one judge agree."""

    judge: str
    games: int
    messages: int
    """Judged ones; the following four add up to them."""
    both: int
    """Messages in which both found a promise."""
    pattern_only: int
    judge_only: int
    neither: int
    unjudged: int
    """Messages about which the judge was asked and gave no legal answer."""
    same_amount: int
    """Of those in which both found a promise, how many have the same amount for both."""
    agreement: Estimate
    kappa: Estimate
    amount_agreement: Estimate

    def as_record(self) -> dict[str, Any]:
        """The agreement as plain data."""
        estimates = ("agreement", "kappa", "amount_agreement")
        return {**asdict(self), **{name: getattr(self, name).as_record() for name in estimates}}


def promise_tables(journal: Journal, experiment: str | None = None) -> list[GameTables]:
    """The tables of a journal, or of one of its experiments, one entry for each game that says what its promises come
    to."""
    studies = [study for study in all_studies() if isinstance(study, Study) and study.own and study.own.held]
    return [study.tables(journal.records(experiment)) for study in studies]


def agreements(tables: GameTables, judged: pl.DataFrame) -> list[Agreement]:
    """The agreement of the pattern with every judge, over the messages of these tables that it was asked about."""
    there = judged.join(tables.messages.select(_MESSAGE).unique(), on=_MESSAGE, how="semi", maintain_order="left")
    return [_agreement(tables, there, judge) for judge in there["judge"].unique().sort()]


def kappa(both: Floats, first_only: Floats, second_only: Floats, neither: Floats) -> Floats:
    """Cohen's κ of two raters who say yes or no, from the four counts; not a number where chance alone agrees
    always."""
    total = both + first_only + second_only + neither
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = (both + neither) / total
        first, second = (both + first_only) / total, (both + second_only) / total
        chance = first * second + (1 - first) * (1 - second)
        return np.asarray(np.where(chance < 1, (raw - chance) / (1 - chance), np.nan))


def _agreement(tables: GameTables, judged: pl.DataFrame, judge: str) -> Agreement:
    asked = judged.filter(pl.col("judge") == judge)
    said = asked.filter(pl.col("promise").is_not_null()).select(_MESSAGE)
    by_pattern = _with_amounts(tables, promises(tables.messages)).rename({"amount": "by_pattern"})
    by_judge = _with_amounts(tables, judged_promises(judged, judge)).rename({"amount": "by_judge"})
    compared = (
        said.join(by_pattern, on=_MESSAGE, how="left", maintain_order="left")
        .join(by_judge, on=_MESSAGE, how="left", maintain_order="left")
        .with_columns(first=pl.col("by_pattern").is_not_null(), second=pl.col("by_judge").is_not_null())
    )
    counts = (
        compared.group_by("game", maintain_order=True)
        .agg(
            both=(pl.col("first") & pl.col("second")).sum(),
            pattern_only=(pl.col("first") & ~pl.col("second")).sum(),
            judge_only=(~pl.col("first") & pl.col("second")).sum(),
            neither=(~pl.col("first") & ~pl.col("second")).sum(),
            same=(pl.col("by_pattern") == pl.col("by_judge")).sum(),
        )
        .drop("game")
        .cast(pl.Float64)
        .to_numpy()
    )
    whole = counts.sum(axis=0)[None, :]
    both, pattern_only, judge_only, neither, same = (int(count) for count in whole[0])
    unsaid = "no message was judged"
    alike = "both say the same of all messages" if said.height else unsaid
    missing = (unsaid, alike, "there is no message in which both found one")
    found = zip(figures(whole)[:, 0], interval(whole, counts), missing, strict=True)
    raw, kappas, amounts = (_estimate(*each, games=len(counts)) for each in found)
    return Agreement(
        judge=judge,
        games=len(counts),
        messages=said.height,
        both=both,
        pattern_only=pattern_only,
        judge_only=judge_only,
        neither=neither,
        unjudged=asked.height - said.height,
        same_amount=same,
        agreement=raw,
        kappa=kappas,
        amount_agreement=amounts,
    )


def _with_amounts(tables: GameTables, found: pl.DataFrame) -> pl.DataFrame:
    """Promises with what they come to in tokens, everything included; a seat speaks once a round. Who holds nothing
    still promises by promising everything: here it is the words that are compared."""
    own = study_of(tables).own
    assert own is not None
    assert own.held is not None
    held = own.held(tables.context)
    amount = pl.when("everything").then(pl.col("held").fill_null(-1)).otherwise("promised")
    return found.join(held, on=_MESSAGE, how="left", maintain_order="left").select(*_MESSAGE, amount=amount)


def figures(counts: Floats) -> Floats:
    """(figures, rows) Raw agreement, κ and agreement on the amount, of the five counts in each row."""
    both, _, _, neither, same = counts.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([(both + neither) / counts[:, :4].sum(axis=1), kappa(*counts[:, :4].T), same / both])


def interval(whole: Floats, counts: Floats) -> list[tuple[float, float] | None]:
    """The ends of each figure's interval, from the counts of all games together and of each; None where the figure has
    none without one of the games."""
    scales = ((logit, expit), (np.arctanh, np.tanh), (logit, expit))
    ends: list[tuple[float, float] | None] = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for value, without, (to, back) in zip(figures(whole)[:, 0], figures(whole - counts), scales, strict=True):
            reach = jackknife_reach(to(without)[:, None])[0]
            here = to(value)
            ends.append((float(back(here - reach)), float(back(here + reach))) if np.isfinite(reach) else None)
    return ends


def _estimate(value: float, ends: tuple[float, float] | None, missing: str, *, games: int) -> Estimate:
    if not np.isfinite(value):
        return Estimate(None, reason=missing)
    if games < LEAST:
        return Estimate(float(value), reason=f"fewer than {LEAST} games: no interval")
    if ends is None:
        return Estimate(float(value), reason="without one of the games all messages are alike: no interval")
    return Estimate(float(value), *ends)
