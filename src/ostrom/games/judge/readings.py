"""Readings: the verdicts of judges on messages in the games of a journal. A reading is itself a game, with the judge at
its only seat. It is stored in an experiment of the judge and refers to the id of the game that was read.

The promises that a judge finds are compared with those that the text pattern of `ostrom.analysis.measures` finds. The
unit of agreement is a message. Pattern and judge answer the same question: does the speaker announce its own
contribution in this round? A promise of 0 tokens does not count for either, since it would always be kept. Messages
that the judge did not see, or on which it gave no verdict, are counted and excluded.

- Raw agreement is the share of messages with the same answer: (both + neither) / messages.
- κ is Cohen's (1960): (p − e) / (1 − e), where p is the raw agreement and e the agreement by chance of two raters with
  the same shares of promises. e is a·b + (1 − a)(1 − b), where a and b are the shares of messages in which the pattern
  and the judge find a promise. If both find a promise in all messages, or in none, e is 1 and there is no κ.
- Agreement on the amount is a share of the messages in which both find a promise: the share with the same number of
  tokens. A promise of everything counts as the seat's holdings at the start of the round, so that "all in" and "all in
  with $55" are equal for a seat with 55.

Intervals are jackknife t intervals over games, since the messages of one game are dependent. They are computed from the
figures without each game in turn. Shares are on the scale of their log odds, and κ is on Fisher's scale, atanh κ, so
that intervals stay within the possible range. docs/inference.md has their coverage."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from scipy.special import expit, logit

from ostrom.analysis.agreement import kappa
from ostrom.analysis.intervals import LEAST, Floats, jackknife_reach
from ostrom.analysis.measures import promises
from ostrom.analysis.study import Study, all_studies, study_of
from ostrom.analysis.tables import GameTables
from ostrom.core import RecordError
from ostrom.core.estimates import Estimate
from ostrom.core.spoken import SpokenLine, WholeLine, whole_lines
from ostrom.games.judge.promises import PROMISES
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal


@dataclass(frozen=True, slots=True)
class Reading:
    """One judge's reading of one game."""

    game: str
    """The id of the reading itself, not of the game that was read."""
    judge: str
    record: GameRecord
    source: GameRow
    """The game that was read."""
    messages_by_line: Mapping[int, WholeLine]
    """The complete messages of the game that was read, by their line numbers."""


def readings(journal: Journal, kind: str, experiment: str | None = None) -> Iterator[Reading]:
    """Yield the finished readings of one kind, 'quotes' or 'promises', in the order in which they were started. With
    `experiment`, yield only readings of its games."""
    rows = list(journal.games())
    sources = {row.id: row for row in rows}
    selected = sources.keys() if experiment is None else {row.id for row in journal.games(experiment)}
    for row in rows:
        # The key of a reading, in its experiment, is the id of the game that was read.
        if row.game != kind or row.state != "finished" or row.key not in selected:
            continue
        record = journal.record(row.id)
        if record.rules["source"] != row.key:
            raise RecordError(
                f"the reading {row.id} is stored as a reading of the game {row.key}, but it is of another game"
            )
        yield Reading(row.id, row.players[0], record, sources[row.key], _spoken_lines(journal, record))


def _spoken_lines(journal: Journal, record: GameRecord) -> dict[int, WholeLine]:
    """Return the complete lines of a reading. Lines that were shortened for the judge are taken from the game
    itself."""
    lines = [SpokenLine.model_construct(**line) for line in record.rules["lines"]]
    if any(line.cut for line in lines):
        return {line.number: line for line in whole_lines(journal.record(record.rules["source"]).events)}
    return {line.number: WholeLine(line.number, line.round, line.seat, line.text) for line in lines}


QUOTE_COLUMNS = {
    **{"player": pl.String, "rating": pl.Int64, "text": pl.String, "reason": pl.String, "judge": pl.String},
    **{"game": pl.String, "experiment": pl.String, "round": pl.Int64, "seat": pl.Int64, "line": pl.Int64},
    "reading": pl.String,
}


def quotes(journal: Journal, experiment: str | None = None) -> pl.DataFrame:
    """Return a table of every line that a judge picked, sorted by player and descending rating. Its columns are player
    (the speaker), rating, text (complete), reason, judge, game (where it was said), experiment (of that game), round,
    seat, line (its number in that game) and reading (the judge's own game). With `experiment`, only lines of its games.

    A line that two judges picked has two rows. Ratings of one judge are comparable as far as the judge is consistent.
    Ratings of different judges are not comparable. A portion without a legal answer has no rows, and `unread` counts
    it."""
    rows: list[tuple[Any, ...]] = []
    for reading in readings(journal, QUOTES.name, experiment):
        source = reading.source
        for event in reading.record.events:
            if event["event"] != "line_picked":
                continue
            line = reading.messages_by_line[event["line"]]
            location = (source.id, source.experiment, line.round, line.seat, line.number, reading.game)
            verdict = (event["rating"], line.text, event["reason"], reading.judge)
            rows.append((source.players[line.seat], *verdict, *location))
    table = pl.DataFrame(rows, schema=QUOTE_COLUMNS, orient="row")
    return table.sort(["player", "rating"], descending=[False, True], maintain_order=True)


def unread(journal: Journal, experiment: str | None = None) -> pl.DataFrame:
    """Return a table with a row for every judge. Its columns are games (the number of games read), portions (the number
    of portions that the judge was asked about) and defaulted (the number of portions without a legal answer, whose
    lines count as not read)."""
    rows = []
    for reading in readings(journal, QUOTES.name, experiment):
        answers = reading.record.answers
        rows.append((reading.judge, len(answers), sum(answer.provenance == "defaulted" for answer in answers)))
    counts = pl.DataFrame(rows, schema={"judge": pl.String, "portions": pl.Int64, "defaulted": pl.Int64}, orient="row")
    return (
        counts.group_by("judge", maintain_order=True)
        .agg(games=pl.len().cast(pl.Int64), portions=pl.col("portions").sum(), defaulted=pl.col("defaulted").sum())
        .sort("judge")
    )


def quotes_and_judges(journal: Journal) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return two tables for the page of quotes: every line that a judge picked, and how much each judge has read."""
    return quotes(journal), unread(journal)


MESSAGE_COLUMNS = {
    **{"judge": pl.String, "game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String},
    **{"line": pl.Int64, "text": pl.String, "promise": pl.Boolean, "tokens": pl.Int64},
}
_MESSAGE = ["game", "round", "seat"]


def judged_messages(journal: Journal, experiment: str | None = None) -> pl.DataFrame:
    """Return a table of every message that a judge was asked about, in all games or in those of one experiment. Its
    columns are judge, game, round, seat, player, line (its number), text, promise (null without a legal answer) and
    tokens (null without a promise, and if it is all that the seat has)."""
    rows: list[tuple[Any, ...]] = []
    for reading in readings(journal, PROMISES.name, experiment):
        verdicts = {event["line"]: event for event in reading.record.events if event["event"] == "line_judged"}
        for line in reading.messages_by_line.values():
            verdict = verdicts.get(line.number)
            promise = None if verdict is None else verdict["promise"]
            tokens = None if verdict is None else verdict["tokens"]
            player = reading.source.players[line.seat]
            place = (reading.judge, reading.source.id, line.round, line.seat, player)
            rows.append((*place, line.number, line.text, promise, tokens))
    return pl.DataFrame(rows, schema=MESSAGE_COLUMNS, orient="row")


def judged_promises(judged: pl.DataFrame, judge: str) -> pl.DataFrame:
    """Return a table of the promises that one judge found. Its columns are those of `analysis.measures.promises`: game,
    round, seat, player, text, promised (in tokens; null if the seat promised all that it has) and everything (true in
    this case)."""
    nothing = pl.col("tokens") == 0
    return judged.filter((pl.col("judge") == judge) & pl.col("promise") & nothing.fill_null(False).not_()).select(
        *_MESSAGE, "player", "text", promised="tokens", everything=pl.col("tokens").is_null()
    )


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of the text pattern with one judge."""

    judge: str
    games: int
    messages: int
    """The number of judged messages. It is the sum of the next four numbers."""
    both: int
    """The number of messages in which both find a promise."""
    pattern_only: int
    judge_only: int
    neither: int
    unjudged: int
    """The number of messages for which the judge gave no legal answer."""
    same_amount: int
    """The number of messages in which both find a promise of the same amount."""
    agreement: Estimate
    kappa: Estimate
    amount_agreement: Estimate

    def as_record(self) -> dict[str, Any]:
        """Return the agreement as plain data."""
        estimates = ("agreement", "kappa", "amount_agreement")
        return {**asdict(self), **{name: getattr(self, name).as_record() for name in estimates}}


def promise_tables(journal: Journal, experiment: str | None = None) -> list[GameTables]:
    """Return the tables of a journal, or of one of its experiments. There is one entry for each kind of game that
    defines `held`, the amounts that seats hold when they promise."""
    studies = [study for study in all_studies() if isinstance(study, Study) and study.own and study.own.held]
    return [study.tables(journal.records(experiment)) for study in studies]


def agreements(tables: GameTables, judged: pl.DataFrame) -> list[Agreement]:
    """Return the agreement of the text pattern with every judge, over the messages in these tables that the judge was
    asked about."""
    own = judged.join(tables.messages.select(_MESSAGE).unique(), on=_MESSAGE, how="semi", maintain_order="left")
    return [_agreement(tables, own, judge) for judge in own["judge"].unique().sort()]


def _agreement(tables: GameTables, judged: pl.DataFrame, judge: str) -> Agreement:
    own = judged.filter(pl.col("judge") == judge)
    judged_own = own.filter(pl.col("promise").is_not_null()).select(_MESSAGE)
    by_pattern = _with_amounts(tables, promises(tables.messages)).rename({"amount": "by_pattern"})
    by_judge = _with_amounts(tables, judged_promises(judged, judge)).rename({"amount": "by_judge"})
    compared = (
        judged_own.join(by_pattern, on=_MESSAGE, how="left", maintain_order="left")
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
    total = counts.sum(axis=0)[None, :]
    both, pattern_only, judge_only, neither, same = (int(count) for count in total[0])
    unsaid = "no message was judged"
    identical = "both say the same of all messages" if judged_own.height else unsaid
    missing = (unsaid, identical, "there is no message in which both found one")
    pairs = zip(figures(total)[:, 0], interval(total, counts), missing, strict=True)
    raw, kappas, amounts = (_estimate(*pair, games=len(counts)) for pair in pairs)
    return Agreement(
        judge=judge,
        games=len(counts),
        messages=judged_own.height,
        both=both,
        pattern_only=pattern_only,
        judge_only=judge_only,
        neither=neither,
        unjudged=own.height - judged_own.height,
        same_amount=same,
        agreement=raw,
        kappa=kappas,
        amount_agreement=amounts,
    )


def _with_amounts(tables: GameTables, table: pl.DataFrame) -> pl.DataFrame:
    """Return promises with their amounts in tokens. A promise of everything counts as the amount that the seat holds in
    that round. If this amount is unknown, the promise counts as −1, which equals only another promise of everything."""
    own = study_of(tables).own
    assert own is not None
    assert own.held is not None
    held = own.held(tables.context)
    amount = pl.when("everything").then(pl.col("held").fill_null(-1)).otherwise("promised")
    return table.join(held, on=_MESSAGE, how="left", maintain_order="left").select(*_MESSAGE, amount=amount)


def figures(counts: Floats) -> Floats:
    """(figures, rows) Return raw agreement, κ and agreement on the amount for the five counts in each row."""
    both, _, _, neither, same = counts.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([(both + neither) / counts[:, :4].sum(axis=1), kappa(*counts[:, :4].T), same / both])


def interval(total: Floats, counts: Floats) -> list[tuple[float, float] | None]:
    """Return the interval of each figure, given the total counts and the counts of each game. An interval is None if
    the figure is undefined when one of the games is left out."""
    scales = ((logit, expit), (np.arctanh, np.tanh), (logit, expit))
    ends: list[tuple[float, float] | None] = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for value, without, (to, back) in zip(figures(total)[:, 0], figures(total - counts), scales, strict=True):
            reach = jackknife_reach(to(without)[:, None])[0]
            center = to(value)
            ends.append((float(back(center - reach)), float(back(center + reach))) if np.isfinite(reach) else None)
    return ends


def _estimate(value: float, ends: tuple[float, float] | None, missing: str, *, games: int) -> Estimate:
    if not np.isfinite(value):
        return Estimate(None, reason=missing)
    if games < LEAST:
        return Estimate(float(value), reason=f"fewer than {LEAST} games: no interval")
    if ends is None:
        return Estimate(float(value), reason="without one of the games all messages are alike: no interval")
    return Estimate(float(value), *ends)
