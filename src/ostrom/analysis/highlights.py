"""Summaries of finished games for lists and searches. A summary has the winners, the course of the game, messages, and
highlights. It is computed once from the game's finals, quantities, exclusions and promises, and stored in the
journal."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import polars as pl

from ostrom.analysis.amounts import amounts_by_turn
from ostrom.analysis.study import Study, studies_of
from ostrom.analysis.tables import GameTables
from ostrom.analysis.titles import title_of_game
from ostrom.core import OstromError, Provenance
from ostrom.core.effects import Leave
from ostrom.core.promises import BROKEN, KEPT
from ostrom.journal.read import KeptGame
from ostrom.journal.record import GameRecord, with_tellings
from ostrom.journal.sql import Journal
from ostrom.journal.summaries import SaidLine, Summary, UnsummarisedGame

HIGHLIGHTS: Final = {
    "broken_promise": "a player broke a promise",
    "ruin": "a player had nothing left at the end of a turn",
    "exclusion": "a player had to leave",
    "comeback": "a winner was last at half-time",
    "defaulted": "the game answered in a player's place",
    "unreadable": "its record cannot be read",
}
MAX_COURSE_POINTS: Final = 60
"""The largest number of points of the small chart beside a game's name."""
BATCH_GAMES: Final = 16
"""The number of games that are read together. Reading can be stopped after each such batch."""
FINAL_DECIMALS: Final = 9
"""Finals that are equal when rounded to this many decimals are ties."""
MIN_COMEBACK_TURNS: Final = 4


def summarise(journal: Journal, seconds: float, check: Callable[[], None] = lambda: None) -> int:
    """Summarise finished games that have no summary, for about this many seconds. Return the number of games that
    remain without a summary. Nothing is stored in a read-only journal. `check` is called between batches, and may raise
    an error to stop."""
    if journal.only_read:
        return journal.summaries.count_unsummarised()
    until = time.monotonic() + seconds
    while lacking := journal.summaries.unsummarised(BATCH_GAMES):
        check()
        journal.summaries.keep(summaries_of(journal, lacking))
        if time.monotonic() > until:
            return journal.summaries.count_unsummarised()
    return 0


def summaries_of(journal: Journal, lacking: Sequence[UnsummarisedGame]) -> list[Summary]:
    """Return the summaries of these games, all of the same game. An unreadable game has the highlight "unreadable"."""
    study = next(iter(studies_of([lacking[0].game], journal)), None)
    try:
        records = list(journal.ended.records([game.id for game in lacking]))
        return _summarise_records(study if isinstance(study, Study) else None, lacking, records)
    except (OstromError, ValueError, LookupError, TypeError, ArithmeticError, AttributeError):
        if len(lacking) == 1:
            return [Summary(lacking[0].serial, (), None, ("unreadable",), (), None)]
        return [summary for game in lacking for summary in summaries_of(journal, [game])]


def _summarise_records(
    study: Study[Any] | None, lacking: Sequence[UnsummarisedGame], records: Sequence[KeptGame]
) -> list[Summary]:
    serials = {game.id: game.serial for game in lacking}
    messages = {} if study is None else _messages_by_game(study, records)
    better = "higher" if study is None else study.game.better
    return [_summary(serials[game], record, messages.get(game, []), better) for game, _, record in records]


def _messages_by_game(study: Study[Any], records: Sequence[KeptGame]) -> dict[str, list[SaidLine]]:
    """Return the messages of each game. Messages with promises have the outcomes of these promises."""
    tables: GameTables = study.tables(records)
    rows = tables.messages
    if study.own is None or study.own.promises is None:
        outcome = (pl.lit(None, pl.Float64).alias("promised"), pl.lit(None, pl.Float64).alias("contributed"))
        rows = rows.with_columns(*outcome, pl.lit(None, pl.Boolean).alias("kept"))
    else:
        promised = study.own.promises(tables)
        rows = rows.join(promised, on=["game", "round", "seat"], how="left", maintain_order="left")
    columns = ("game", "event", "round", "order", "seat", "player", "text", "promised", "contributed", "kept")
    lines: dict[str, list[SaidLine]] = {}
    for game, *line, promised, contributed, kept in rows.select(columns).iter_rows():
        label = "" if kept is None else KEPT if kept else BROKEN
        amounts = {"promised": promised, "contributed": contributed}
        details = {name: amount for name, amount in amounts.items() if amount is not None} or None
        lines.setdefault(game, []).append(replace(SaidLine(*line), label=label, details=details))
    return lines


def _summary(serial: int, record: GameRecord, lines: Sequence[SaidLine], better: str) -> Summary:
    telling_record = with_tellings(record)  # If a game is not installed, its tellings are unknown.
    finals = list(telling_record.finals or ())
    winners = winners_of(finals, better)
    happened = set()
    if any(line.label == BROKEN for line in lines):
        happened.add("broken_promise")
    if any(answer.provenance == Provenance.DEFAULTED for answer in record.answers):
        happened.add("defaulted")
    if any(isinstance(effect, Leave) for telling in telling_record.told for effect in telling.effects):
        happened.add("exclusion")
    amounts = [turn.amounts for turn in amounts_by_turn(telling_record)]
    if _ruined(amounts):
        happened.add("ruin")
    if _came_back(amounts, winners, better):
        happened.add("comeback")
    course = course_of(telling_record)
    title = title_of_game(telling_record)
    return Summary(
        serial=serial,
        winners=tuple((seat, record.seats[seat].player) for seat in winners),
        best=None if not winners else finals[winners[0]],
        highlights=tuple(name for name in HIGHLIGHTS if name in happened),
        course=tuple(binned(course)),
        course_mean=sum(course) / len(course) if course else None,
        said=lines,
        title=title.text,
        drama=title.drama,
        reasons=title.reasons,
    )


def winners_of(finals: Sequence[float | None], better: str) -> list[int]:
    """Return the seats with the best final. There are several if they are tied."""
    rounded = {seat: round(final, FINAL_DECIMALS) for seat, final in enumerate(finals) if final is not None}
    best = (max if better == "higher" else min)(rounded.values(), default=None)
    return [seat for seat, final in rounded.items() if final == best]


def course_of(record: GameRecord) -> list[float]:
    """Return the values of the quantity that the scene names for lists, at the end of each turn. Return an empty list
    if the scene names no quantity."""
    quantity = None if record.scene is None else record.scene.course
    by_turn: dict[int, float] = {}
    for telling in record.told:
        for effect in telling.sets:
            value = effect.values.get(quantity or "")
            if isinstance(value, int | float):
                by_turn[telling.turn] = float(value)
    return [by_turn[turn] for turn in sorted(by_turn)]


def binned(values: Sequence[float]) -> Iterable[float]:
    """Return the values if they are at most as many as the points of the chart. Otherwise divide them into as many
    intervals as there are points, and return the mean of each interval."""
    if len(values) <= MAX_COURSE_POINTS:
        return values
    bounds = [len(values) * place // MAX_COURSE_POINTS for place in range(MAX_COURSE_POINTS + 1)]
    return (sum(values[low:high]) / (high - low) for low, high in pairwise(bounds))


def _ruined(by_turn: Sequence[Sequence[float | None]]) -> bool:
    """Return whether a seat that once had an amount above zero has nothing at the end of a later turn."""
    rich: set[int] = set()
    for amounts in by_turn:
        for seat, amount in enumerate(amounts):
            if amount is not None and amount > 0:
                rich.add(seat)
            elif amount is not None and seat in rich:
                return True
    return False


def _came_back(by_turn: Sequence[Sequence[float | None]], winners: Sequence[int], better: str) -> bool:
    """Return whether a winner was last after half of the turns. Return False if all seats were equal at that time."""
    if len(by_turn) < MIN_COMEBACK_TURNS:
        return False
    amounts = {seat: amount for seat, amount in enumerate(by_turn[len(by_turn) // 2]) if amount is not None}
    if len(set(amounts.values())) < 2:
        return False
    worst = (min if better == "higher" else max)(amounts.values())
    return any(amounts.get(seat) == worst for seat in winners)
